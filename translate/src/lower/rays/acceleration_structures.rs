//! Acceleration structures: descriptors, or device addresses that are converted.

use dxil_frontend::ir::ValueId;

use crate::interface::Representation;
use crate::lower::context::Context;
use crate::lower::resources::{handle_values, heap_tables, pointers, root_arguments};
use crate::spirv::{Id, Op};
use crate::{Error, Location, Result};

/// Returns the acceleration structure that a handle names. The caller declares the capability that
/// its type needs: ray queries and ray tracing stages each have one.
pub(super) fn acceleration_structure(cx: &mut Context<'_>, handle: ValueId) -> Result<Id> {
    let handle = handle_values::handle_of(cx, handle)?;
    // HLSL's `TraceRay` and `TraceRayInline` take a `RaytracingAccelerationStructure`, so a handle
    // to another kind of resource comes from a damaged file, not from a gap of this compiler.
    if handle.view.representation != Representation::AccelerationStructure {
        return Err(Error::malformed(format!(
            "rays are traced in {}",
            handle.view.describe()
        )));
    }
    // D3D12 names an acceleration structure by its GPU address, in a root SRV or in a descriptor. A
    // binding that holds the address itself needs a conversion; Vulkan has no descriptor for it.
    let address = match handle.view.location {
        Location::DeviceAddress { first_word } => {
            root_arguments::root_address(cx, &handle, first_word)?
        }
        Location::AddressTable {
            slot,
            stride,
            first,
            ..
        } => heap_tables::load_pair(cx, slot, handle.index, stride, first),
        _ => return Ok(pointers::load_object(cx, &handle)?.0),
    };
    let ty = cx.b.acceleration_structure();
    Ok(cx
        .b
        .emit(Op::ConvertUToAccelerationStructureKHR, ty, &[address]))
}
