//! The two extensions with hit objects: SPV_EXT_shader_invocation_reorder, whose instructions the
//! lowering names, and SPV_NV_shader_invocation_reorder.

use crate::lower::context::{Context, Input};
use crate::options::Features;
use crate::spirv::{Builder, Capability, Op};
use crate::vendor::Vendor;
use crate::{Error, ErrorKind, Result};

/// Returns whether the module's hit objects are those of SPV_NV_shader_invocation_reorder. Layers
/// offer NVAPI's where the device has that extension.
pub(super) fn is_of_nv(input: &Input<'_>) -> bool {
    let mut resources = input.shader.resources.iter();
    let vendor = &input.options.vendor;
    input.has(Features::INVOCATION_REORDER_NV)
        && (!input.has(Features::INVOCATION_REORDER)
            || resources.any(|one| Vendor::of(one, vendor) == Some(Vendor::Nvapi)))
}

pub(super) fn need_reordering(b: &mut Builder, input: &Input<'_>) -> Result<()> {
    if is_of_nv(input) {
        b.capability(Capability::ShaderInvocationReorderNV);
        b.extension("SPV_NV_shader_invocation_reorder");
    } else {
        input.need_feature(
            Features::INVOCATION_REORDER,
            "rayTracingInvocationReorder",
            || "a hit object".to_owned(),
        )?;
        b.capability(Capability::ShaderInvocationReorderEXT);
        b.extension("SPV_EXT_shader_invocation_reorder");
    }
    // Both extensions require physical storage buffers, which are a part of SPIR-V 1.5.
    b.extension_before(0x0001_0500, "SPV_KHR_physical_storage_buffer");
    Ok(())
}

/// Returns the instruction of the module's extension for one of SPV_EXT_shader_invocation_reorder.
pub(super) fn instruction(cx: &Context<'_>, op: Op) -> Result<Op> {
    if !is_of_nv(&cx.input) {
        return Ok(op);
    }
    of_nv(op).ok_or_else(|| {
        Error::new(ErrorKind::TargetLacks {
            feature: "rayTracingInvocationReorder of VK_EXT_ray_tracing_invocation_reorder",
            user: "an operation on hit objects".to_owned(),
        })
    })
}

/// Returns the instruction of SPV_NV_shader_invocation_reorder that does the same.
fn of_nv(op: Op) -> Option<Op> {
    Some(match op {
        Op::TypeHitObjectEXT => Op::TypeHitObjectNV,
        Op::HitObjectTraceRayEXT => Op::HitObjectTraceRayNV,
        Op::HitObjectRecordMissEXT => Op::HitObjectRecordMissNV,
        Op::HitObjectRecordEmptyEXT => Op::HitObjectRecordEmptyNV,
        Op::HitObjectExecuteShaderEXT => Op::HitObjectExecuteShaderNV,
        Op::ReorderThreadWithHitObjectEXT => Op::ReorderThreadWithHitObjectNV,
        Op::HitObjectIsMissEXT => Op::HitObjectIsMissNV,
        Op::HitObjectIsHitEXT => Op::HitObjectIsHitNV,
        Op::HitObjectIsEmptyEXT => Op::HitObjectIsEmptyNV,
        Op::HitObjectGetRayTMinEXT => Op::HitObjectGetRayTMinNV,
        Op::HitObjectGetRayTMaxEXT => Op::HitObjectGetRayTMaxNV,
        Op::HitObjectGetObjectRayOriginEXT => Op::HitObjectGetObjectRayOriginNV,
        Op::HitObjectGetObjectRayDirectionEXT => Op::HitObjectGetObjectRayDirectionNV,
        Op::HitObjectGetWorldRayOriginEXT => Op::HitObjectGetWorldRayOriginNV,
        Op::HitObjectGetWorldRayDirectionEXT => Op::HitObjectGetWorldRayDirectionNV,
        Op::HitObjectGetObjectToWorldEXT => Op::HitObjectGetObjectToWorldNV,
        Op::HitObjectGetWorldToObjectEXT => Op::HitObjectGetWorldToObjectNV,
        Op::HitObjectGetInstanceCustomIndexEXT => Op::HitObjectGetInstanceCustomIndexNV,
        Op::HitObjectGetInstanceIdEXT => Op::HitObjectGetInstanceIdNV,
        Op::HitObjectGetGeometryIndexEXT => Op::HitObjectGetGeometryIndexNV,
        Op::HitObjectGetPrimitiveIndexEXT => Op::HitObjectGetPrimitiveIndexNV,
        Op::HitObjectGetHitKindEXT => Op::HitObjectGetHitKindNV,
        Op::HitObjectGetAttributesEXT => Op::HitObjectGetAttributesNV,
        Op::HitObjectGetShaderBindingTableRecordIndexEXT => {
            Op::HitObjectGetShaderBindingTableRecordIndexNV
        }
        Op::HitObjectGetShaderRecordBufferHandleEXT => Op::HitObjectGetShaderRecordBufferHandleNV,
        Op::HitObjectGetClusterIdNV
        | Op::HitObjectGetSpherePositionNV
        | Op::HitObjectGetSphereRadiusNV
        | Op::HitObjectGetLSSPositionsNV
        | Op::HitObjectGetLSSRadiiNV
        | Op::HitObjectIsSphereHitNV
        | Op::HitObjectIsLSSHitNV => op,
        _ => return None,
    })
}
