//! Raw-buffer accesses of whole vectors. A buffer of rows gives and takes the rows of a vector as
//! vectors; `OpCompositeConstruct` takes vectors as parts of a longer one.

use dxil_frontend::dxil::ops::calls;

use crate::lower::buffers::{min_precision, raw, rows};
use crate::lower::context::Context;
use crate::lower::resources::handle_values;
use crate::lower::type_map::Scalar;
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::{Error, Result};

/// Lowers `rawBufferVectorLoad`.
pub(in crate::lower) fn load(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::RawBufferVectorLoad,
) -> Result<LoweredValue> {
    let Some(result) = call.result else {
        return Ok(LoweredValue::Unset);
    };
    let &[vector, status] = types::fields(&cx.input, call.ty)? else {
        return Err(Error::malformed("a vector load gives no vector and status"));
    };
    let shape = types::shape_of_type(cx, vector)?;
    if shape.count == 1 || types::scalar(cx, status)? != Scalar::U32 {
        return Err(Error::malformed("a vector load without a vector"));
    }
    cx.check_growth()?;
    let handle = handle_values::handle_of(cx, op.buffer)?;
    let address = raw::buffer_address(cx, &handle, op.index, op.element_offset.expand())?;
    let ty = types::shape_ty(cx, shape)?;
    let whole = if cx.function.used_members(result) & 1 == 0 {
        cx.b.undef(ty)
    } else {
        let in_memory = shape.with(min_precision::in_memory(cx, shape.scalar));
        let parts = match rows::row_address(&mut cx.b, &cx.input, &handle, address) {
            Some(address) => rows::load_parts(cx, &handle, address, in_memory)?,
            None => {
                let places = 0..shape.count;
                raw::load_at(cx, &handle, address, in_memory.scalar, places)?.into_vec()
            }
        };
        let ty = types::shape_ty(cx, in_memory)?;
        let loaded = match *parts {
            [only] => only,
            _ => cx.b.construct(ty, &parts),
        };
        if in_memory == shape {
            loaded
        } else {
            min_precision::from_memory(cx, loaded, shape)?
        }
    };
    // Vulkan has no residency feedback for storage buffers, so the status says "mapped".
    let mapped = cx.b.const_u32(1);
    Ok(cx
        .function
        .values
        .parts([StructMember::Id(whole), StructMember::Id(mapped)]))
}

/// Lowers `rawBufferVectorStore`.
pub(in crate::lower) fn store(
    cx: &mut Context<'_>,
    op: &calls::RawBufferVectorStore,
) -> Result<LoweredValue> {
    let shape = types::vector_shape(cx, op.value)?;
    cx.check_growth()?;
    let handle = handle_values::handle_of(cx, op.buffer)?;
    let address = raw::buffer_address(cx, &handle, op.index, op.element_offset.expand())?;
    let mut vector = cx.id(op.value)?;
    let in_memory = shape.with(min_precision::in_memory(cx, shape.scalar));
    if in_memory != shape {
        vector = min_precision::to_memory(cx, &handle, (op.value, vector), shape)?;
    }
    let shape = in_memory;
    if let Some(address) = rows::row_address(&mut cx.b, &cx.input, &handle, address) {
        rows::store_vector(cx, &handle, address, shape, vector)?;
        return Ok(LoweredValue::Unset);
    }
    let ty = types::scalar_ty(cx, shape.scalar)?;
    let mut elements = Vec::with_capacity(shape.count as usize);
    for index in 0..shape.count {
        elements.push((index, cx.b.extract(ty, vector, index)));
    }
    raw::store_at(cx, &handle, address, shape.scalar, elements.into_iter())?;
    Ok(LoweredValue::Unset)
}
