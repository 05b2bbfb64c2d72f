//! Values of the structured graph: operands of phis, branches and selectors, and what the
//! structurizer added.

use crate::lower::context::{Context, FunctionState};
use crate::lower::memory::merged_pointers;
use crate::lower::values::LoweredValue;
use crate::spirv::Id;
use crate::structurize::{Operand, SyntheticId};
use crate::{Error, Result};

pub(super) fn synthetic_id(function: &FunctionState<'_>, id: SyntheticId) -> Id {
    function
        .values
        .synthetics
        .get(id.0 as usize)
        .copied()
        .unwrap_or_default()
}

pub(super) fn set_synthetic(function: &mut FunctionState<'_>, synthetic: SyntheticId, id: Id) {
    let slots = &mut function.values.synthetics;
    let index = synthetic.0 as usize;
    if slots.len() <= index {
        slots.resize(index + 1, Id::NONE);
    }
    slots[index] = id;
}

/// Returns the value of an operand, with everything lowered.
pub(super) fn operand_id(cx: &mut Context<'_>, operand: Operand) -> Result<Id> {
    match operand {
        Operand::Value(value) => match cx.function.values.get(value) {
            LoweredValue::Parts(_) => Err(Error::unsupported("a phi of a struct")),
            // An address in a phi is its index into the array of what it may lead to.
            LoweredValue::Pointer(_) => merged_pointers::pointer_index(cx, value)?
                .ok_or_else(|| Error::internal("a pointer without index")),
            _ => cx.id(value),
        },
        Operand::Synthetic(synthetic) => match synthetic_id(&cx.function, synthetic) {
            // The structurizer defines its values in dominating blocks; a hole is a fault of this
            // compiler.
            Id::NONE => Err(Error::internal("a synthetic value that nothing defines")),
            id => Ok(id),
        },
        Operand::Selector(value) => Ok(cx.b.const_u32(value)),
        Operand::Bool(value) => Ok(cx.b.const_bool(value)),
        Operand::Undef => Err(Error::internal("an undefined operand without type")),
    }
}
