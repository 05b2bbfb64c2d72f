//! Ray tracing: the stages, inline queries, hit objects, and what they trace against.

mod acceleration_structures;
pub(super) mod clusters;
pub(super) mod hit_geometry;
mod hit_object_extensions;
pub(super) mod hit_object_places;
pub(super) mod hit_objects;
pub(super) mod micromaps;
mod query;
pub(super) mod ray_stages;
pub(super) mod shader_record;
pub(super) mod state;

use dxil_frontend::dxil::ops::{HitObjectOp, RayQueryOp, RayTracingOp};

use crate::Result;
use crate::lower::context::Context;
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::{BuiltIn, Op};

use hit_objects::Holds;

/// Lowers ray queries.
pub(super) fn lower_ray_query(
    cx: &mut Context<'_>,
    call: &Call,
    op: &RayQueryOp,
) -> Result<LoweredValue> {
    query::ray_query_op(cx, call, op)
}

/// Lowers the operations of ray tracing stages.
pub(super) fn lower_ray_stage(cx: &mut Context<'_>, op: &RayTracingOp) -> Result<LoweredValue> {
    match op {
        RayTracingOp::DispatchRaysIndex(op) => {
            ray_stages::ray_uint3(cx, BuiltIn::LaunchIdKHR, op.component)
        }
        RayTracingOp::DispatchRaysDimensions(op) => {
            ray_stages::ray_uint3(cx, BuiltIn::LaunchSizeKHR, op.component)
        }
        RayTracingOp::WorldRayOrigin(op) => {
            ray_stages::ray_float3(cx, BuiltIn::WorldRayOriginKHR, op.component)
        }
        RayTracingOp::WorldRayDirection(op) => {
            ray_stages::ray_float3(cx, BuiltIn::WorldRayDirectionKHR, op.component)
        }
        RayTracingOp::ObjectRayOrigin(op) => {
            ray_stages::ray_float3(cx, BuiltIn::ObjectRayOriginKHR, op.component)
        }
        RayTracingOp::ObjectRayDirection(op) => {
            ray_stages::ray_float3(cx, BuiltIn::ObjectRayDirectionKHR, op.component)
        }
        RayTracingOp::ObjectToWorld(op) => {
            ray_stages::ray_matrix(cx, BuiltIn::ObjectToWorldKHR, op.row, op.column)
        }
        RayTracingOp::WorldToObject(op) => {
            ray_stages::ray_matrix(cx, BuiltIn::WorldToObjectKHR, op.row, op.column)
        }
        RayTracingOp::RayTMin(_) => ray_stages::ray_float(cx, BuiltIn::RayTminKHR),
        // RayTmaxKHR shrinks as hits are accepted, as `RayTCurrent` does.
        RayTracingOp::RayTCurrent(_) => ray_stages::ray_float(cx, BuiltIn::RayTmaxKHR),
        RayTracingOp::RayFlags(_) => ray_stages::ray_word(cx, BuiltIn::IncomingRayFlagsKHR),
        RayTracingOp::HitKind(_) => ray_stages::ray_word(cx, BuiltIn::HitKindKHR),
        // D3D's instance id is the application's number, its index the position in the acceleration
        // structure.
        RayTracingOp::InstanceID(_) => ray_stages::ray_word(cx, BuiltIn::InstanceCustomIndexKHR),
        RayTracingOp::InstanceIndex(_) => ray_stages::ray_word(cx, BuiltIn::InstanceId),
        RayTracingOp::PrimitiveIndex(_) => ray_stages::ray_word(cx, BuiltIn::PrimitiveId),
        RayTracingOp::GeometryIndex(_) => ray_stages::ray_word(cx, BuiltIn::RayGeometryIndexKHR),
        RayTracingOp::TraceRay(op) => ray_stages::trace_ray(cx, op),
        RayTracingOp::CallShader(op) => ray_stages::call_shader(cx, op),
        RayTracingOp::ReportHit(op) => ray_stages::report_hit(cx, op),
        RayTracingOp::IgnoreHit(_) => ray_stages::end_hit(cx, Op::IgnoreIntersectionKHR),
        RayTracingOp::AcceptHitAndEndSearch(_) => ray_stages::end_hit(cx, Op::TerminateRayKHR),
    }
}

/// Lowers operations on hit objects.
pub(super) fn lower_hit_object(
    cx: &mut Context<'_>,
    call: &Call,
    op: &HitObjectOp,
) -> Result<LoweredValue> {
    match op {
        HitObjectOp::HitObjectTraceRay(op) => hit_objects::trace_ray(cx, call, op),
        HitObjectOp::HitObjectFromRayQuery(op) => hit_objects::from_query(cx, call, op.query, None),
        HitObjectOp::HitObjectFromRayQueryWithAttrs(op) => {
            hit_objects::from_query(cx, call, op.query, Some((op.hit_kind, op.attributes)))
        }
        HitObjectOp::HitObjectMakeMiss(op) => hit_objects::make_miss(cx, call, op),
        HitObjectOp::HitObjectMakeNop(_) => hit_objects::make_nop(cx, call),
        HitObjectOp::HitObjectInvoke(op) => hit_objects::invoke(cx, op),
        HitObjectOp::MaybeReorderThread(op) => hit_objects::maybe_reorder_thread(cx, op),
        HitObjectOp::HitObjectIsMiss(op) => hit_objects::test(cx, op.hit, Op::HitObjectIsMissEXT),
        HitObjectOp::HitObjectIsHit(op) => hit_objects::test(cx, op.hit, Op::HitObjectIsHitEXT),
        HitObjectOp::HitObjectIsNop(op) => hit_objects::test(cx, op.hit, Op::HitObjectIsEmptyEXT),
        HitObjectOp::HitObjectRayFlags(op) => {
            hit_objects::load_word(cx, op.hit, Holds::Ray, Op::HitObjectGetRayFlagsEXT)
        }
        HitObjectOp::HitObjectRayTMin(op) => {
            hit_objects::load_float(cx, op.hit, Op::HitObjectGetRayTMinEXT)
        }
        HitObjectOp::HitObjectRayTCurrent(op) => {
            hit_objects::load_float(cx, op.hit, Op::HitObjectGetRayTMaxEXT)
        }
        HitObjectOp::HitObjectWorldRayOrigin(op) => {
            let world = Op::HitObjectGetWorldRayOriginEXT;
            hit_objects::load_vector(cx, op.hit, op.component, world, None)
        }
        HitObjectOp::HitObjectWorldRayDirection(op) => {
            let world = Op::HitObjectGetWorldRayDirectionEXT;
            hit_objects::load_vector(cx, op.hit, op.component, world, None)
        }
        HitObjectOp::HitObjectObjectRayOrigin(op) => {
            let world = Op::HitObjectGetWorldRayOriginEXT;
            let object = Op::HitObjectGetObjectRayOriginEXT;
            hit_objects::load_vector(cx, op.hit, op.component, world, Some(object))
        }
        HitObjectOp::HitObjectObjectRayDirection(op) => {
            let world = Op::HitObjectGetWorldRayDirectionEXT;
            let object = Op::HitObjectGetObjectRayDirectionEXT;
            hit_objects::load_vector(cx, op.hit, op.component, world, Some(object))
        }
        HitObjectOp::HitObjectObjectToWorld3x4(op) => {
            let matrix = Op::HitObjectGetObjectToWorldEXT;
            hit_objects::load_matrix(cx, op.hit, [op.row, op.column], matrix)
        }
        HitObjectOp::HitObjectWorldToObject3x4(op) => {
            let matrix = Op::HitObjectGetWorldToObjectEXT;
            hit_objects::load_matrix(cx, op.hit, [op.row, op.column], matrix)
        }
        HitObjectOp::HitObjectGeometryIndex(op) => {
            hit_objects::load_word(cx, op.hit, Holds::Hit, Op::HitObjectGetGeometryIndexEXT)
        }
        HitObjectOp::HitObjectInstanceIndex(op) => {
            hit_objects::load_word(cx, op.hit, Holds::Hit, Op::HitObjectGetInstanceIdEXT)
        }
        HitObjectOp::HitObjectInstanceID(op) => {
            let index = Op::HitObjectGetInstanceCustomIndexEXT;
            hit_objects::load_word(cx, op.hit, Holds::Hit, index)
        }
        HitObjectOp::HitObjectPrimitiveIndex(op) => {
            hit_objects::load_word(cx, op.hit, Holds::Hit, Op::HitObjectGetPrimitiveIndexEXT)
        }
        HitObjectOp::HitObjectHitKind(op) => {
            hit_objects::load_word(cx, op.hit, Holds::Hit, Op::HitObjectGetHitKindEXT)
        }
        HitObjectOp::HitObjectShaderTableIndex(op) => {
            let index = Op::HitObjectGetShaderBindingTableRecordIndexEXT;
            hit_objects::load_word(cx, op.hit, Holds::Ray, index)
        }
        HitObjectOp::HitObjectSetShaderTableIndex(op) => hit_objects::set_table_index(cx, call, op),
        HitObjectOp::HitObjectLoadLocalRootTableConstant(op) => hit_objects::root_constant(cx, op),
        HitObjectOp::HitObjectAttributes(op) => hit_objects::get_attributes(cx, op),
    }
}
