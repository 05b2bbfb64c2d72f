//! Group-shared and constant arrays of vectors, which DXIL has as arrays of scalars:
//! [`crate::analysis::array_rows`] finds the variables that become arrays of vectors, and
//! [`crate::analysis::row_accesses`] the accesses of a block that become one.

use dxil_frontend::ir::{GlobalId, InstId, ValueId};

use super::variables;
use crate::Result;
use crate::analysis::array_rows::{LinearIndex, VectorArray, element, element_of};
use crate::lower::context::Context;
use crate::lower::memory::state::Pointer;
use crate::lower::numbers::integers;
use crate::lower::types;
use crate::spirv::{Id, StorageClass};

/// Forgets the loads of the last function.
pub(in crate::lower) fn begin_function(cx: &mut Context<'_>) {
    let rows = cx.function.rows;
    // The analysis has numbered the loads that several components share, function by function.
    let common_loads = rows.map_or(0, |rows| rows.common_loads);
    cx.module.memory.loaded_rows.clear();
    cx.module.memory.loaded_rows.resize(common_loads, Id::NONE);
}

/// Returns whether the operands of a `getelementptr` name a component of a vector, whose address is
/// written where it is used.
pub(super) fn is_row_component(cx: &Context<'_>, operands: &[ValueId]) -> bool {
    !cx.input.analyses.array_rows.is_empty()
        && element_of(cx.function.view, operands)
            .is_some_and(|(global, _)| cx.input.analyses.array_rows.of(global).is_some())
}

/// Returns the address of a component, if the operands of a `getelementptr` name one.
pub(super) fn row_component(cx: &mut Context<'_>, operands: &[ValueId]) -> Result<Option<Pointer>> {
    if cx.input.analyses.array_rows.is_empty() {
        return Ok(None);
    }
    let Some((global, index)) = element_of(cx.function.view, operands) else {
        return Ok(None);
    };
    let Some(VectorArray { element, width, .. }) = cx.input.analyses.array_rows.of(global) else {
        return Ok(None);
    };
    let row = row_number(cx, index, width)?;
    let component = cx.b.const_u32(index.component(width));
    let ty = types::lower(cx, element)?;
    let (id, class) = row_address(cx, global, ty, &[row, component])?;
    Ok(Some(Pointer::Typed {
        id,
        pointee: element,
        array_element: None,
        class,
    }))
}

fn row_number(cx: &mut Context<'_>, index: LinearIndex, width: u32) -> Result<Id> {
    let rows = cx.b.const_u32(index.rows(width) as u32);
    let Some((scaled, factor)) = index.scaled else {
        return Ok(rows);
    };
    let scaled = integers::index_of(cx, scaled)?;
    // The analysis only takes factors that are multiples of the row's width.
    let first = cx.b.u32_mul(scaled, factor / width);
    Ok(cx.b.u32_add(first, rows))
}

/// Returns the address of a vector or component, and its storage class.
fn row_address(
    cx: &mut Context<'_>,
    global: GlobalId,
    ty: Id,
    chain: &[Id],
) -> Result<(Id, StorageClass)> {
    let pointer = variables::global_pointer(cx, global)?;
    let class = variables::pointer_data(cx, pointer)?.class();
    let variable = variables::pointer_id(cx, pointer)?;
    let pointer_ty = cx.b.pointer(class, ty);
    Ok((cx.b.access_chain(pointer_ty, variable, chain), class))
}

/// Returns the load of a component as a part of a load of the vector, if that is planned.
pub(super) fn load(cx: &mut Context<'_>, inst: InstId, pointer: ValueId) -> Result<Option<Id>> {
    let planned = cx.function.rows.and_then(|rows| rows.loads.get(&inst));
    let Some(&(number, is_first)) = planned else {
        return Ok(None);
    };
    let Some((global, index)) = element(cx.function.view, pointer) else {
        return Ok(None);
    };
    let Some(VectorArray { element, width, .. }) = cx.input.analyses.array_rows.of(global) else {
        return Ok(None);
    };
    let element = types::lower(cx, element)?;
    let mut vector = cx.module.memory.loaded_rows.get(number).copied();
    if is_first || vector.is_none_or(Id::is_none) {
        let row = row_number(cx, index, width)?;
        let ty = cx.b.vector(element, width);
        let (address, _) = row_address(cx, global, ty, &[row])?;
        let loaded = cx.b.load(ty, address);
        if let Some(slot) = cx.module.memory.loaded_rows.get_mut(number) {
            *slot = loaded;
        }
        vector = Some(loaded);
    }
    let vector = vector.unwrap_or_default();
    Ok(Some(cx.b.extract(element, vector, index.component(width))))
}

/// Writes the store of a component as a part of a store of the vector, if that is planned.
pub(super) fn store(cx: &mut Context<'_>, inst: InstId, pointer: ValueId) -> Result<bool> {
    let planned = cx.function.rows.and_then(|rows| rows.stores.get(&inst));
    let Some(values) = planned else {
        return Ok(false);
    };
    let Some((global, index)) = element(cx.function.view, pointer) else {
        return Ok(false);
    };
    let Some(VectorArray { element, width, .. }) = cx.input.analyses.array_rows.of(global) else {
        return Ok(false);
    };
    // The store of the row stands at the last of the joined stores; the others have no values.
    if values.is_empty() {
        return Ok(true);
    }
    let mut parts = Vec::with_capacity(values.len());
    for &value in values {
        parts.push(cx.id(value)?);
    }
    let element = types::lower(cx, element)?;
    let ty = cx.b.vector(element, width);
    let vector = cx.b.construct(ty, &parts);
    let row = row_number(cx, index, width)?;
    let (address, _) = row_address(cx, global, ty, &[row])?;
    cx.b.store(address, vector);
    Ok(true)
}
