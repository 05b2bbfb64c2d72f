//! Dead code: what nothing needs, from the effects backwards.

use super::context::Context;
use super::edges;
use crate::dxil::ops::{Callee, Memory, Opcode};
use crate::error::Result;
use crate::ir::{DraftFunction, Inst, InstData, List, ValueDef, ValueId};
use crate::tables::HashMap;

/// A place in the blocks.
type Place = (usize, usize);

/// Removes dead code of a body.
pub(super) fn run(cx: &Context<'_>, draft: &mut DraftFunction) -> Result<()> {
    edges::remove_unreachable(draft);
    let mut marking = Marking::new(cx, draft);
    marking.run();
    let live = marking.live;
    for (lines, live) in draft.blocks.iter_mut().zip(live) {
        let mut live = live.iter();
        lines.retain(|_| live.next() == Some(&true));
    }
    Ok(())
}

struct Marking<'a> {
    cx: &'a Context<'a>,
    draft: &'a DraftFunction,
    live: Vec<Vec<bool>>,
    /// The instruction that defines a value.
    defined: HashMap<ValueId, Place>,
    /// Writes to a variable on the stack, which are needed where the variable is.
    writes: HashMap<ValueId, Vec<Place>>,
    work: Vec<Place>,
}

impl<'a> Marking<'a> {
    fn new(cx: &'a Context<'a>, draft: &'a DraftFunction) -> Self {
        let mut defined = HashMap::default();
        for (block, lines) in draft.blocks.iter().enumerate() {
            for (at, line) in lines.iter().enumerate() {
                if let Some(result) = line.data.result.expand() {
                    defined.insert(result, (block, at));
                }
            }
        }
        Marking {
            cx,
            draft,
            live: draft
                .blocks
                .iter()
                .map(|lines| vec![false; lines.len()])
                .collect(),
            defined,
            writes: HashMap::default(),
            work: Vec::new(),
        }
    }

    fn line(&self, (block, at): Place) -> Option<&'a InstData> {
        let lines = self.draft.blocks.get(block)?;
        lines.get(at).map(|line| &line.data)
    }

    fn run(&mut self) {
        for (block, lines) in self.draft.blocks.iter().enumerate() {
            for (at, line) in lines.iter().enumerate() {
                let place = (block, at);
                match self.effect(&line.data.inst) {
                    Effect::None => {}
                    Effect::Write(variable) => {
                        self.writes.entry(variable).or_default().push(place);
                    }
                    Effect::Seen => self.mark(place),
                }
            }
        }
        while let Some(place) = self.work.pop() {
            let Some(data) = self.line(place) else {
                continue;
            };
            if matches!(data.inst, Inst::Alloca { .. })
                && let Some(result) = data.result.expand()
            {
                for write in self.writes.remove(&result).unwrap_or_default() {
                    self.mark(write);
                }
            }
            let mut operands: smallvec::SmallVec<[ValueId; 8]> = smallvec::SmallVec::new();
            let function = &self.draft.function;
            function.for_each_operand(&data.inst, |operand| operands.push(operand));
            for operand in operands {
                self.need(operand);
            }
        }
    }

    fn need(&mut self, value: ValueId) {
        if let Some(place) = self.defined.get(&value) {
            self.mark(*place);
            return;
        }
        // Debug information names values through nodes.
        let data = self.cx.view(self.draft).value(value);
        if let Some(ValueDef::Metadata(node)) = data.map(|data| data.def)
            && let Some(named) = self.cx.module.metadata.value(node)
            && let Some(place) = self.defined.get(&named)
        {
            self.mark(*place);
        }
    }

    fn mark(&mut self, (block, at): Place) {
        let slot = self.live.get_mut(block).and_then(|live| live.get_mut(at));
        if let Some(slot) = slot.filter(|slot| !**slot) {
            *slot = true;
            self.work.push((block, at));
        }
    }

    /// Returns the variable on the stack that a pointer leads into.
    fn variable(&self, mut pointer: ValueId) -> Option<ValueId> {
        // Definitions go before uses, so this ends; the bound is against malformed input.
        for _ in 0..64 {
            let data = self.line(*self.defined.get(&pointer)?)?;
            pointer = match data.inst {
                Inst::Alloca { .. } => return Some(pointer),
                Inst::Gep { operands, .. } => *self.draft.function.values_of(operands).first()?,
                Inst::Cast { value, .. } => value,
                _ => return None,
            };
        }
        None
    }

    fn effect(&self, inst: &Inst) -> Effect {
        match *inst {
            Inst::Store {
                pointer,
                volatile: false,
                ..
            } => match self.variable(pointer) {
                Some(variable) => Effect::Write(variable),
                None => Effect::Seen,
            },
            Inst::Load {
                volatile: false, ..
            }
            | Inst::Binary { .. }
            | Inst::Cast { .. }
            | Inst::Cmp { .. }
            | Inst::Select { .. }
            | Inst::Phi { .. }
            | Inst::Alloca { .. }
            | Inst::Gep { .. }
            | Inst::ExtractValue { .. }
            | Inst::InsertValue { .. }
            | Inst::ExtractElement { .. }
            | Inst::InsertElement { .. }
            | Inst::ShuffleVector { .. } => Effect::None,
            Inst::Call { callee, args, .. } => self.effect_of_call(callee, args),
            _ => Effect::Seen,
        }
    }

    fn effect_of_call(&self, callee: ValueId, args: List<ValueId>) -> Effect {
        let view = self.cx.view(self.draft);
        let Some(function) = view.as_function(callee) else {
            return Effect::Seen;
        };
        let args = self.draft.function.values_of(args);
        match self.cx.callees.get(function) {
            Some(Callee::DxOp(_)) => {
                let number = args.first().and_then(|number| view.constant_int(*number));
                let op = number.and_then(|number| Opcode::from_number(number).ok());
                match op.map(|op| op.properties().memory) {
                    Some(Memory::ReadNone | Memory::ReadOnly) => Effect::None,
                    _ => Effect::Seen,
                }
            }
            // The life of a variable is of interest only as long as the variable is.
            Some(Callee::Ignored) => {
                let decl = self.cx.module.functions.get(function);
                let is_life = decl.is_some_and(|decl| decl.name.starts_with("llvm.lifetime."));
                let variable = args.last().and_then(|pointer| self.variable(*pointer));
                match variable.filter(|_| is_life) {
                    Some(variable) => Effect::Write(variable),
                    None => Effect::Seen,
                }
            }
            _ => Effect::Seen,
        }
    }
}

/// The effect of an instruction beside its result.
enum Effect {
    None,
    /// It writes a variable on the stack.
    Write(ValueId),
    /// Others see it.
    Seen,
}
