//! What lowering calls: where the code that it is about to write comes from, and what its values
//! are.

use dxil_frontend::dxil::debug::VariableUse;
use dxil_frontend::ir::{DebugLoc, FuncId, FuncView, InstId};

use super::{DebugForm, SourceState, SourceWriter, instruction::DebugInstruction};
use crate::cfg::Dominators;
use crate::spirv::{Builder, Id, Op};
use crate::structurize::StructuredCfg;

impl<'a> SourceWriter<'a> {
    /// A function's code begins.
    pub(crate) fn begin_function(&mut self, cfg: &StructuredCfg) {
        self.state = SourceState::default();
        self.before = None;
        self.block = 0;
        self.defined.clear();
        if self.form != DebugForm::Lines {
            let predecessors = cfg.predecessors();
            let of = |block: u32| match predecessors.get(block as usize) {
                Some(list) => list.as_slice(),
                None => &[],
            };
            self.dominators = Some(Dominators::compute(predecessors.len(), of));
        }
    }

    /// A block of the structured form begins; nothing is said of its code yet.
    pub(crate) fn begin_block(&mut self, index: usize) {
        self.block = u32::try_from(index).unwrap_or(u32::MAX);
        self.state = SourceState::default();
        self.before = None;
    }

    /// A label was written: what was said of the code in front of it does not hold behind it.
    pub(crate) fn label_written(&mut self) {
        self.state = SourceState {
            wanted: self.state.wanted,
            ..SourceState::default()
        };
        self.before = None;
    }

    /// The code that follows is that of an instruction at this position.
    pub(crate) fn at(&mut self, b: &mut Builder, wanted: Option<DebugLoc>) {
        self.state.wanted = wanted;
        if wanted == self.state.written {
            return;
        }
        // The instruction in front became no code: what was said of it is taken back.
        if let Some((before, from, to)) = self.before.take()
            && to == b.position()
        {
            b.take_back(from);
            self.state = SourceState { wanted, ..before };
            if wanted == self.state.written {
                return;
            }
        }
        let (before, from) = (self.state, b.position());
        self.write(b, wanted);
        self.before = Some((before, from, b.position()));
    }

    fn write(&mut self, b: &mut Builder, wanted: Option<DebugLoc>) {
        self.state.written = wanted;
        match self.form {
            DebugForm::Lines => self.write_line(b, wanted),
            DebugForm::Full { .. } => {
                self.write_scope(b, wanted);
                self.write_line(b, wanted);
            }
        }
    }

    /// Says again what holds, after labels.
    pub(crate) fn resume(&mut self, b: &mut Builder) {
        self.at(b, self.state.wanted);
    }

    fn write_line(&mut self, b: &mut Builder, wanted: Option<DebugLoc>) {
        let position = wanted.and_then(|place| self.info.position(&place));
        let line = position.and_then(|position| {
            let file = self.file(b, position.file);
            let (line, column) = file.clamped(position.line, position.column);
            (line > 0).then_some((file.id, line, column))
        });
        if line == self.state.line {
            return;
        }
        self.state.line = line;
        match (self.form, line) {
            (DebugForm::Lines, Some((file, line, column))) => {
                b.emit_void(Op::Line, &[file.0, line, column]);
            }
            (DebugForm::Lines, None) => b.emit_void::<u32>(Op::NoLine, &[]),
            (DebugForm::Full { .. }, Some((source, line, column))) => {
                let [line, column] = [line, column].map(|number| b.const_u32(number));
                self.local(
                    b,
                    DebugInstruction::DebugLine,
                    &[source, line, line, column, column],
                );
            }
            (DebugForm::Full { .. }, None) => self.local(b, DebugInstruction::DebugNoLine, &[]),
        }
    }

    fn write_scope(&mut self, b: &mut Builder, wanted: Option<DebugLoc>) {
        let scope = wanted.and_then(|place| {
            let scope = self.scope(b, place.scope?, 0);
            let inlined = match place.inlined_at {
                Some(at) => self.inlined_at(b, at, 0),
                None => None,
            };
            Some((scope, inlined))
        });
        if scope == self.state.scope {
            return;
        }
        self.state.scope = scope;
        match scope {
            Some((scope, Some(inlined))) => {
                self.local(b, DebugInstruction::DebugScope, &[scope, inlined])
            }
            Some((scope, None)) => self.local(b, DebugInstruction::DebugScope, &[scope]),
            None => self.local(b, DebugInstruction::DebugNoScope, &[]),
        }
    }

    /// Says that a value was defined in the block that is being written.
    pub(crate) fn define(&mut self, id: Id) {
        self.defined.insert(id, self.block);
    }

    /// Whether the value may be named here. What the structurizer moved may not be, whatever the IR
    /// says: it knows the uses of the code, not those of debug information.
    pub(crate) fn is_known_here(&self, id: Id) -> bool {
        let Some(&at) = self.defined.get(&id) else {
            return false;
        };
        let dominators = self.dominators.as_ref();
        at == self.block || dominators.is_some_and(|tree| tree.dominates(at, self.block))
    }

    /// Whether values are described, too.
    pub(crate) fn is_full(&self) -> bool {
        self.form != DebugForm::Lines
    }

    /// Says which function of the source the code is; stands in the entry block.
    pub(crate) fn define_function(&mut self, b: &mut Builder, func: FuncId, id: Id) {
        if let Some(subprogram) = self.info.subprogram_of(func) {
            let function = self.scope(b, subprogram, 0);
            self.local(
                b,
                DebugInstruction::DebugFunctionDefinition,
                &[function, id],
            );
        }
    }

    /// What a call says of a variable, if its values can be described.
    pub(crate) fn variable_use(&self, view: FuncView<'a>, inst: InstId) -> Option<VariableUse> {
        if self.is_full() && self.has_values {
            self.info.variable_use(view, inst)
        } else {
            None
        }
    }

    /// Describes the entry point, which is that function.
    pub(crate) fn entry_point(&mut self, b: &mut Builder, main: FuncId) {
        let Some(subprogram) = self.info.subprogram_of(main) else {
            return;
        };
        let function = self.scope(b, subprogram, 0);
        let unit = self.unit(b);
        let arguments = self.sources.map(|sources| sources.arguments.join(" "));
        let compiler = self.string(b, "dxil-jit");
        let arguments = self.string(b, &arguments.unwrap_or_default());
        self.global(
            b,
            DebugInstruction::DebugEntryPoint,
            &[function, unit, compiler, arguments],
        );
    }
}
