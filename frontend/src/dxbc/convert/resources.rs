//! Handles of resources.

use super::constants;
use super::context::FunctionConverter;
use super::handles::create;
use super::index_value::IndexValue;
use super::instances;
use super::resource_table::Known;
use super::ssa::Def;
use crate::dxbc::tokens::{File, Operand};
use crate::dxil::ResourceClass;
use crate::error::{Error, Result};
use crate::ir::ValueId;

/// Returns the resource that an operand names, and its handle.
pub(super) fn handle(
    c: &mut FunctionConverter<'_, '_>,
    class: ResourceClass,
    operand: &Operand,
) -> Result<(Known, ValueId)> {
    if operand.indices[0].relative.is_some() {
        if c.program.has_ranges() {
            return Err(Error::unsupported(
                "a resource that a class instance names in shader model 5.1: D3D11, which has class \
                 linkage, takes shaders up to 5.0",
            ));
        }
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

/// Returns a component of the constant buffer's register that an operand names.
pub(super) fn load_constant(
    c: &mut FunctionConverter<'_, '_>,
    operand: &Operand,
    component: u8,
    wants_float: bool,
) -> Result<Def> {
    let (_, handle) = handle(c, ResourceClass::Cbv, operand)?;
    // In shader model 5.1 the number of the range and the register come before the row.
    let position = if c.program.has_ranges() { 2 } else { 1 };
    let index = operand.indices.get(position).copied().unwrap_or_default();
    let index = c.index(index)?;
    let register = c.index_id(index);
    constants::load_row(c, handle, register, component, wants_float)
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
