//! Variables on the stack become values.
//!
//! A variable is promoted if each use of its address is a load or a store of all of it, or of an
//! element of an array at a constant index. Values at the starts of blocks are looked up as in
//! Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013), where
//! every block is complete from the beginning; phis that turn out to be one value are left to
//! folding.

use cranelift_entity::EntityRef;

use super::context::Context;
use super::edges;
use crate::error::Result;
use crate::ir::{
    BlockId, Constant, DraftFunction, DraftInst, Inst, InstData, InstId, Type, TypeId, ValueDef,
    ValueId,
};
use crate::tables::{HashMap, HashSet};

/// Elements of an array that are worth values of their own.
const MAX_ELEMENTS: u64 = 64;

/// A variable, or an element of one.
type Slot = (ValueId, u64);

/// Promotes the variables of a body.
pub(super) fn run(cx: &Context<'_>, draft: &mut DraftFunction) -> Result<()> {
    edges::remove_unreachable(draft);
    let slots = Slots::find(cx, draft);
    if slots.types.is_empty() {
        return Ok(());
    }
    let mut promotion = Promotion {
        predecessors: edges::predecessors(draft),
        at_end: HashMap::default(),
        at_start: HashMap::default(),
        open: Vec::new(),
        slots,
        draft,
    };
    for block in 0..promotion.draft.blocks.len() {
        promotion.block(block);
    }
    promotion.complete();
    promotion.draft.apply_replacements();
    Ok(())
}

/// The variables that are promoted.
#[derive(Default)]
struct Slots {
    /// Addresses of slots.
    addresses: HashMap<ValueId, Slot>,
    /// Type of the slots of each variable.
    types: HashMap<ValueId, TypeId>,
    /// Number of elements of each variable.
    counts: HashMap<ValueId, u64>,
}

impl Slots {
    fn find(cx: &Context<'_>, draft: &DraftFunction) -> Slots {
        let mut slots = Slots::default();
        let types = &cx.module.types;
        let is_plain = |ty: TypeId| {
            matches!(
                types.get(ty),
                Type::Int(_) | Type::Half | Type::Float | Type::Double | Type::Vector { .. }
            )
        };
        for line in draft.blocks.iter().flatten() {
            let (
                Inst::Alloca {
                    allocated, count, ..
                },
                Some(result),
            ) = (line.data.inst, line.data.result.expand())
            else {
                continue;
            };
            if constant(cx, draft, count) != Some(1) {
                continue;
            }
            let (ty, elements) = match *types.get(allocated) {
                Type::Array { element, count } if count <= MAX_ELEMENTS => (element, count),
                _ => (allocated, 1),
            };
            if is_plain(ty) {
                slots.types.insert(result, ty);
                slots.counts.insert(result, elements);
                if ty == allocated {
                    slots.addresses.insert(result, (result, 0));
                }
            }
        }
        for line in draft.blocks.iter().flatten() {
            if let (Some(slot), Some(result)) = (
                slots.element(cx, draft, &line.data.inst),
                line.data.result.expand(),
            ) {
                slots.addresses.insert(result, slot);
            }
        }
        let refused = slots.refused(cx, draft);
        slots.addresses.retain(|_, slot| !refused.contains(&slot.0));
        slots
            .types
            .retain(|variable, _| !refused.contains(variable));
        slots
    }

    /// Returns the element that an address is computed of.
    fn element(&self, cx: &Context<'_>, draft: &DraftFunction, inst: &Inst) -> Option<Slot> {
        let Inst::Gep { operands, .. } = *inst else {
            return None;
        };
        let [base, first, index] = *draft.function.values_of(operands) else {
            return None;
        };
        let count = *self.counts.get(&base)?;
        let index = constant(cx, draft, index)?;
        // The address of a plain variable has no elements.
        let is_array = !self.addresses.contains_key(&base);
        let is_in = constant(cx, draft, first)? == 0 && index < count && is_array;
        is_in.then_some((base, index))
    }

    /// Returns the variables with a use that does not allow values.
    fn refused(&self, cx: &Context<'_>, draft: &DraftFunction) -> HashSet<ValueId> {
        let mut refused = HashSet::default();
        let variable_of = |value: ValueId| match self.addresses.get(&value) {
            Some((variable, _)) => Some(*variable),
            None => self.types.contains_key(&value).then_some(value),
        };
        for line in draft.blocks.iter().flatten() {
            let inst = &line.data.inst;
            let allowed = match *inst {
                Inst::Load {
                    pointer,
                    volatile: false,
                    ..
                } if self.type_at(pointer) == Some(line.data.ty) => Some(pointer),
                Inst::Store {
                    pointer,
                    value,
                    volatile: false,
                    ..
                } if self.type_at(pointer).is_some() && variable_of(value).is_none() => {
                    Some(pointer)
                }
                Inst::Gep { operands, .. } if self.element(cx, draft, inst).is_some() => {
                    draft.function.values_of(operands).first().copied()
                }
                _ => None,
            };
            draft.function.for_each_operand(inst, |operand| {
                if Some(operand) != allowed {
                    refused.extend(variable_of(operand));
                }
            });
        }
        // Debug information may name the address.
        for data in &draft.function.values {
            if let ValueDef::Metadata(node) = data.def
                && let Some(named) = cx.module.metadata.value(node)
            {
                refused.extend(variable_of(named));
            }
        }
        refused
    }

    /// Returns the type of the slot at an address.
    fn type_at(&self, pointer: ValueId) -> Option<TypeId> {
        let (variable, _) = self.addresses.get(&pointer)?;
        self.types.get(variable).copied()
    }
}

fn constant(cx: &Context<'_>, draft: &DraftFunction, value: ValueId) -> Option<u64> {
    let function = &draft.function;
    let data = match value.index().checked_sub(function.first_value as usize) {
        None => cx.module.values.get(value.index()),
        Some(local) => function.values.get(local),
    };
    match data?.def {
        ValueDef::Constant(Constant::Int(bits)) => Some(bits),
        ValueDef::Constant(Constant::Null) => Some(0),
        _ => None,
    }
}

struct Promotion<'d> {
    draft: &'d mut DraftFunction,
    slots: Slots,
    predecessors: Vec<Vec<usize>>,
    /// What a slot holds at the end of a block that stores to it.
    at_end: HashMap<(Slot, usize), ValueId>,
    /// What a slot holds at the start of a block: a phi, or `undef` in the entry.
    at_start: HashMap<(Slot, usize), ValueId>,
    /// Phis without operands.
    open: Vec<(Slot, usize, ValueId)>,
}

impl Promotion<'_> {
    fn block(&mut self, block: usize) {
        let Some(lines) = self.draft.blocks.get_mut(block).map(std::mem::take) else {
            return;
        };
        let mut kept: Vec<DraftInst> = Vec::with_capacity(lines.len());
        let mut current: HashMap<Slot, ValueId> = HashMap::default();
        for line in lines {
            let result = line.data.result.expand();
            let is_address = result.is_some_and(|result| {
                self.slots.addresses.contains_key(&result) || self.slots.types.contains_key(&result)
            });
            let slot = |pointer: ValueId| self.slots.addresses.get(&pointer).copied();
            match line.data.inst {
                Inst::Load { pointer, .. } => match (slot(pointer), result) {
                    (Some(slot), Some(result)) => {
                        let value = match current.get(&slot) {
                            Some(value) => *value,
                            None => self.start(slot, block),
                        };
                        current.insert(slot, value);
                        self.draft.replace(result, value);
                    }
                    _ => kept.push(line),
                },
                Inst::Store { pointer, value, .. } => match slot(pointer) {
                    Some(slot) => {
                        let value = self.draft.resolved(value);
                        current.insert(slot, value);
                        self.at_end.insert((slot, block), value);
                    }
                    None => kept.push(line),
                },
                _ if is_address => {}
                _ => kept.push(line),
            }
        }
        if let Some(slot) = self.draft.blocks.get_mut(block) {
            *slot = kept;
        }
    }

    /// Returns what a slot holds at the start of a block.
    fn start(&mut self, slot: Slot, block: usize) -> ValueId {
        if let Some(known) = self.at_start.get(&(slot, block)) {
            return *known;
        }
        let is_entry = self.predecessors.get(block).is_none_or(Vec::is_empty);
        let ty = self.slots.types.get(&slot.0).copied();
        // Each slot has a type; the first one is no worse than any other.
        let ty = ty.unwrap_or(TypeId::new(0));
        let value = if is_entry {
            self.draft.value(ty, ValueDef::Constant(Constant::Undef))
        } else {
            // `finish` sets the definition of results.
            let unset = ValueDef::Inst(InstId::new(0));
            let value = self.draft.value(ty, unset);
            self.open.push((slot, block, value));
            value
        };
        self.at_start.insert((slot, block), value);
        value
    }

    /// Gives the phis their operands, which may need further phis.
    fn complete(&mut self) {
        let mut phis: Vec<Vec<DraftInst>> = Vec::new();
        phis.resize_with(self.draft.blocks.len(), Vec::new);
        while let Some((slot, block, value)) = self.open.pop() {
            let from = self.predecessors.get(block).cloned().unwrap_or_default();
            let mut incoming = Vec::with_capacity(from.len());
            for pred in from {
                let value = match self.at_end.get(&(slot, pred)) {
                    Some(value) => *value,
                    None => self.start(slot, pred),
                };
                let value = self.draft.resolved(value);
                incoming.push((value, BlockId::new(pred)));
            }
            let incoming = self.draft.edges(&incoming);
            let ty = self.slots.types.get(&slot.0).copied();
            let phi = InstData {
                inst: Inst::Phi { incoming },
                ty: ty.unwrap_or(TypeId::new(0)),
                result: value.into(),
            };
            if let Some(list) = phis.get_mut(block) {
                list.push(DraftInst::new(phi));
            }
        }
        for (lines, phis) in self.draft.blocks.iter_mut().zip(phis) {
            lines.splice(0..0, phis);
        }
    }
}
