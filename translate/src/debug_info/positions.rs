//! The functions that the lowering calls: the source position of the code that follows, and the
//! variables that its values belong to.

use dxil_frontend::dxil::debug::VariableUse;
use dxil_frontend::ir::{DebugLoc, FuncId, FuncView, InstId};

use super::{DebugForm, SourceState, SourceWriter, instruction::DebugInstruction};
use crate::cfg::Dominators;
use crate::spirv::{Builder, Id, Op};
use crate::structurize::StructuredCfg;

impl<'a> SourceWriter<'a> {
    /// Begins the code of a function.
    pub(crate) fn begin_function(&mut self, cfg: &StructuredCfg) {
        self.state = SourceState::default();
        self.before = None;
        self.block = 0;
        self.defined.clear();
        // Only values of variables need dominators.
        if self.form != DebugForm::Lines {
            let predecessors = cfg.predecessors();
            let of = |block: u32| match predecessors.get(block as usize) {
                Some(list) => list.as_slice(),
                None => &[],
            };
            self.dominators = Some(Dominators::compute(predecessors.len(), of));
        }
    }

    /// Begins a block. `OpLine` and `DebugScope` end with their block, so no position applies yet.
    pub(crate) fn begin_block(&mut self, index: usize) {
        self.block = u32::try_from(index).unwrap_or(u32::MAX);
        self.state = SourceState::default();
        self.before = None;
    }

    /// Records that a label was written: the position before it does not apply after it.
    pub(crate) fn label_written(&mut self) {
        self.state = SourceState {
            wanted: self.state.wanted,
            ..SourceState::default()
        };
        self.before = None;
    }

    /// Sets the position of the code that follows.
    pub(crate) fn at(&mut self, b: &mut Builder, wanted: Option<DebugLoc>) {
        self.state.wanted = wanted;
        if wanted == self.state.written {
            return;
        }
        // The previous instruction became no code, so its position is removed.
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

    /// Writes the current position again, after labels.
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

    /// Records that a value was defined in the block that is being written.
    pub(crate) fn define(&mut self, id: Id) {
        self.defined.insert(id, self.block);
    }

    /// Returns whether the definition of the value dominates the current block, so it may be used
    /// here. The structurizer moves code by its uses and does not know those in debug information.
    pub(crate) fn is_known_here(&self, id: Id) -> bool {
        let Some(&at) = self.defined.get(&id) else {
            return false;
        };
        let dominators = self.dominators.as_ref();
        at == self.block || dominators.is_some_and(|tree| tree.dominates(at, self.block))
    }

    /// Returns whether the values of variables are described too.
    pub(crate) fn is_full(&self) -> bool {
        self.form != DebugForm::Lines
    }

    /// Writes which function of the source the code is, into the entry block.
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

    /// Returns the description of a variable's value from a call of `llvm.dbg.declare` or
    /// `llvm.dbg.value`, if values can be described.
    pub(crate) fn variable_use(&self, view: FuncView<'a>, inst: InstId) -> Option<VariableUse> {
        if self.is_full() && self.has_values {
            self.info.variable_use(view, inst)
        } else {
            None
        }
    }

    /// Describes the entry point, whose function is given.
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
