//! Pointers that are one of several: phis and selects of addresses.
//!
//! SPIR-V has none for variables of functions and groups (without `VariablePointers`). The
//! variables that such a pointer may lead to become parts of one array of cells (see
//! [`super::variables`]), and the pointer an index into it, for which phis and selects are those of
//! integers. [`crate::analysis::merged_pointers`] finds these variables.

use dxil_frontend::ir::{Constant, Type, ValueDef, ValueId};

use super::variables;
use crate::analysis::addresses::is_record_pointer;
use crate::lower::context::Context;
use crate::lower::graphs::records;
use crate::lower::memory::state::{Pointer, PointerId};
use crate::lower::memory::{addresses, variable_groups};
use crate::lower::values::LoweredValue;
use crate::spirv::Id;
use crate::{Error, Result};

/// Returns whether a value is an address.
pub(in crate::lower) fn is_pointer(cx: &Context<'_>, value: ValueId) -> bool {
    let types = cx.input.types();
    cx.function
        .view
        .type_of(value)
        .is_some_and(|ty| matches!(types.get(ty), Type::Pointer { .. }))
}

/// Returns the SPIR-V type that represents an address in phis and selects.
pub(in crate::lower) fn pointer_word(cx: &mut Context<'_>, value: ValueId) -> Id {
    // Records are at device addresses of 64 bits, variables in arrays with indices of 32.
    if is_record_pointer(cx.function.view, value) {
        cx.b.uint(64)
    } else {
        cx.b.u32()
    }
}

/// Returns the index that a phi names for an address; `None` if it is not lowered yet.
pub(in crate::lower) fn pointer_index(cx: &mut Context<'_>, value: ValueId) -> Result<Option<Id>> {
    let pointer = match (
        cx.function.values.get(value),
        cx.function.view.constant(value),
    ) {
        (LoweredValue::Pointer(pointer), _) => pointer,
        // A pointer that is never dereferenced on this path may be anything.
        (_, Some(Constant::Undef | Constant::Null)) => {
            let ty = pointer_word(cx, value);
            return Ok(Some(cx.b.undef(ty)));
        }
        // A phi may name a value of a later block, whose index the caller fills in at the end.
        _ if matches!(
            cx.function.view.value(value).map(|data| data.def),
            Some(ValueDef::Inst(_))
        ) =>
        {
            return Ok(None);
        }
        _ => addresses::lower_pointer(cx, value)?,
    };
    match variables::pointer_data(cx, pointer)? {
        Pointer::Cells { cell, .. } => Ok(Some(cell.index)),
        Pointer::Address { address, .. } => Ok(Some(address)),
        Pointer::Typed { .. } => Err(Error::unsupported("a phi of pointers")),
    }
}

/// Returns an address from an index into the array of what it may lead to.
pub(in crate::lower) fn merged_pointer(
    cx: &mut Context<'_>,
    value: ValueId,
    index: Id,
) -> Result<PointerId> {
    let unknown = || Error::unsupported("a phi of pointers");
    if is_record_pointer(cx.function.view, value) {
        let pointer = records::record_pointer(&cx.input, index, cx.function.type_of(value)?)?;
        return Ok(cx.module.memory.add(pointer));
    }
    let key = (Some(cx.function.view.function.id), value);
    let group = cx
        .input
        .analyses
        .merged_pointers
        .group_of_pointer
        .get(&key)
        .copied();
    let made = variable_groups::group_array(cx, group.ok_or_else(unknown)?)?;
    let ty = cx.function.type_of(value)?;
    let pointee = cx
        .input
        .shader
        .module
        .types
        .pointee(ty)
        .ok_or_else(unknown)?;
    let cell = made.at(index);
    Ok(cx.module.memory.add(Pointer::Cells { cell, pointee }))
}

/// Lowers `select` of two addresses.
pub(in crate::lower) fn select_pointer(
    cx: &mut Context<'_>,
    result: ValueId,
    condition: ValueId,
    if_true: ValueId,
    if_false: ValueId,
) -> Result<LoweredValue> {
    let condition = cx.id(condition)?;
    let mut sides = [Id::NONE; 2];
    for (side, value) in sides.iter_mut().zip([if_true, if_false]) {
        *side = pointer_index(cx, value)?
            .ok_or_else(|| Error::malformed(format!("{value} is not defined yet")))?;
    }
    let ty = pointer_word(cx, result);
    let index = cx.b.select(ty, condition, sides[0], sides[1]);
    Ok(LoweredValue::Pointer(merged_pointer(cx, result, index)?))
}
