//! Handles of resources.

use super::body::InsertPoint;
use super::context::FunctionConverter;
use super::index_value::IndexValue;
use super::instances;
use super::resource_table::Known;
use crate::dxbc::tokens::{File, Operand};
use crate::dxil::ResourceClass;
use crate::dxil::ops::Opcode as Op;
use crate::error::{Error, Result};
use crate::ir::ValueId;

/// Returns the resource that an operand names, and its handle.
pub(super) fn handle(
    c: &mut FunctionConverter<'_, '_>,
    class: ResourceClass,
    operand: &Operand,
) -> Result<(Known, ValueId)> {
    if !c.program.has_ranges() && operand.indices[0].relative.is_some() {
        return instances::handle(c, class, operand);
    }
    let key = (class, operand.first_index());
    let Some(&known) = c.shared.resources.known.get(&key) else {
        return Err(Error::malformed(format!(
            "{}{} is not declared",
            class.letter(),
            operand.first_index()
        )));
    };
    let index = if c.program.has_ranges() {
        c.index(operand.indices[1])?
    } else {
        // DXC's `createHandle` counts registers of the space, not places in the range, so that is
        // what lowering expects.
        let lower = c.shared.resources.lower_bounds.get(&key);
        IndexValue::Known(lower.copied().unwrap_or(0))
    };
    let is_non_uniform = operand.modifiers.non_uniform || index_is_non_uniform(c, operand);
    let handle = create(c, class, &known, index, is_non_uniform)?;
    Ok((known, handle))
}

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

fn index_is_non_uniform(c: &FunctionConverter<'_, '_>, operand: &Operand) -> bool {
    let relative = c.program.relative(operand.indices[1]);
    relative.is_some_and(|operand| operand.modifiers.non_uniform)
}

/// Returns the class of a resource operand.
pub(super) fn class_of(operand: &Operand) -> Result<ResourceClass> {
    match operand.file {
        File::Resource => Ok(ResourceClass::Srv),
        File::UnorderedAccessView => Ok(ResourceClass::Uav),
        _ => Err(Error::malformed(
            "an operand that should be a resource is none",
        )),
    }
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
