//! Creates the handles of registers.

use super::body::InsertPoint;
use super::context::FunctionConverter;
use super::index_value::IndexValue;
use super::resource_table::Known;
use crate::dxil::ResourceClass;
use crate::dxil::ops::Opcode as Op;
use crate::error::Result;
use crate::ir::ValueId;

/// Returns the handle of a register of a range.
pub(super) fn create(
    c: &mut FunctionConverter<'_, '_>,
    class: ResourceClass,
    known: &Known,
    index: IndexValue,
    is_non_uniform: bool,
) -> Result<ValueId> {
    let cache = match index {
        IndexValue::Known(register) => {
            Some((u32::from(class_number(class)) << 24 | known.id, register))
        }
        IndexValue::Value(_) => None,
    };
    if let Some(&handle) = cache.and_then(|cache| c.handles.get(&cache)) {
        return Ok(handle);
    }
    // Handles of one register are made once, where all code sees them.
    let insert_point = match cache {
        Some(_) => FunctionConverter::START,
        None => InsertPoint::Block(c.block),
    };
    let args = [
        c.byte(class_number(class)),
        c.int(known.id),
        c.index_id(index),
        c.bool(is_non_uniform),
    ];
    let ty = c.shared.module.types.handle;
    let handle = c.call_at(insert_point, Op::CreateHandle, None, ty, &args)?;
    if let Some(cache) = cache {
        c.handles.insert(cache, handle);
    }
    Ok(handle)
}

/// Returns DXIL's number of a class.
fn class_number(class: ResourceClass) -> u8 {
    match class {
        ResourceClass::Srv => 0,
        ResourceClass::Uav => 1,
        ResourceClass::Cbv => 2,
        ResourceClass::Sampler => 3,
    }
}
