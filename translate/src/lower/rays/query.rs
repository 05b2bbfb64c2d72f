//! Inline ray tracing: ray query objects and their operations (DirectX Raytracing, "RayQuery";
//! `SPV_KHR_ray_query`).
//!
//! DXIL identifies a query by the integer that its allocation returns. Here that integer is the
//! allocation's number. Where every operation takes the result of an allocation itself, each query
//! is a variable of its function; where handles travel through phis, memory or arguments, all
//! queries of the module are one private array, which the number indexes.
//!
//! Flags, kinds of candidates and the committed status are the same numbers in D3D and in SPIR-V.

use dxil_frontend::dxil::ops::{RayQueryOp, calls};
use dxil_frontend::ir::ValueId;

use crate::analysis::ray_queries::ALLOW_MICROMAPS;
use crate::lower::context::Context;
use crate::lower::rays::state::Intersection;
use crate::lower::rays::{acceleration_structures, micromaps};
use crate::lower::values::{Call, LoweredValue};
use crate::lower::{blocks, types};
use crate::options::Features;
use crate::spirv::{Capability, Id, Op as SpirvOp, StorageClass};
use crate::{Error, Result};

/// `RAY_FLAG_SKIP_TRIANGLES` and `RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES`.
const SKIP_FLAGS: u32 = 0x300;
/// `RAY_FLAG_FORCE_OMM_2_STATE`.
const FORCE_2_STATE: u32 = 0x400;

/// Lowers `AllocateRayQuery` and `AllocateRayQuery2`: the query's number.
fn allocate(cx: &mut Context<'_>, call: &Call, query_flags: u32) -> Result<LoweredValue> {
    if query_flags & ALLOW_MICROMAPS != 0 {
        micromaps::need(
            &cx.input,
            "a ray query with RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS",
        )?;
    }
    let function = cx.function.view.function.id;
    // A query that is never used needs no number: its result may be missing.
    let number = call
        .result
        .and_then(|result| {
            let queries = &cx.input.analyses.ray_queries;
            queries.allocation_by(function, result)
        })
        .unwrap_or(0);
    Ok(LoweredValue::Id(cx.b.const_u32(number as u32)))
}

/// Returns the pointer to the query that a handle names.
pub(super) fn query_of(cx: &mut Context<'_>, query: ValueId) -> Result<Id> {
    cx.input
        .need_feature(Features::RAY_QUERY, "rayQuery", || "a ray query".to_owned())?;
    cx.b.capability(Capability::RayQueryKHR);
    cx.b.extension("SPV_KHR_ray_query");
    let count = cx.input.analyses.ray_queries.allocations.len();
    if count == 0 {
        return Err(Error::unsupported(
            "a ray query without an AllocateRayQuery",
        ));
    }
    // Query objects may only lie in the classes Private and Function, and may not be loaded, stored
    // or passed by value (SPV_KHR_ray_query). So a handle cannot become an SSA value of that type.
    let query_ty = cx.b.ray_query();
    if !cx.input.analyses.ray_queries.travels {
        let function = cx.function.view.function.id;
        let allocation = cx
            .input
            .analyses
            .ray_queries
            .allocation(function, query)
            .ok_or_else(|| Error::internal("a ray query that was not found"))?;
        if let Some(&variable) = cx.module.rays.queries.variables.get(&allocation) {
            return Ok(variable);
        }
        let pointer = cx.b.pointer(StorageClass::Function, query_ty);
        let variable = cx.b.local_variable(pointer, None);
        cx.module
            .rays
            .queries
            .variables
            .insert(allocation, variable);
        return Ok(variable);
    }
    let array = match cx.module.rays.queries.array {
        Some(array) => array,
        None => {
            let array_ty = cx.b.array(query_ty, count as u32);
            let pointer = cx.b.pointer(StorageClass::Private, array_ty);
            let array = cx.b.global_variable(StorageClass::Private, pointer, None);
            cx.module.rays.queries.array = Some(array);
            array
        }
    };
    // A handle that went through memory or a phi is an index into the array at run time.
    let number = cx.id(query)?;
    // An array index that is a constant has to be in range, or the access chain is invalid.
    if cx.b.literal(number).is_some_and(|n| n as usize >= count) {
        return Err(Error::unsupported(
            "a ray query without an AllocateRayQuery",
        ));
    }
    let pointer = cx.b.pointer(StorageClass::Private, query_ty);
    Ok(cx.b.access_chain(pointer, array, &[number]))
}

/// Lowers `RayQuery::TraceRayInline`.
fn trace_ray_inline(
    cx: &mut Context<'_>,
    op: &calls::RayQueryTraceRayInline,
) -> Result<LoweredValue> {
    let query = query_of(cx, op.query)?;
    let flags = traced_flags(cx, op)?;
    let structure = acceleration_structures::acceleration_structure(cx, op.acceleration_structure)?;
    let [mask, t_min, t_max] = cx.ids([op.instance_mask, op.t_min, op.t_max])?;
    let [origin, direction] = [op.origin, op.direction].map(|values| cx.ids(values));
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    let origin = cx.b.construct(vector, &origin?);
    let direction = cx.b.construct(vector, &direction?);
    // Initializing resets all properties of the query, and another handle may name the same query.
    cx.module.rays.queries.known.clear();
    cx.b.emit_void(
        SpirvOp::RayQueryInitializeKHR,
        &[
            query, structure, flags, mask, origin, t_min, direction, t_max,
        ],
    );
    Ok(LoweredValue::Unset)
}

/// Returns the flags of the query's type and of the call together.
fn traced_flags(cx: &mut Context<'_>, op: &calls::RayQueryTraceRayInline) -> Result<Id> {
    let dynamic = cx.id(op.ray_flags)?;
    let function = cx.function.view.function.id;
    // DXIL leaves the join of the flags of the query's type (its template argument in HLSL) and of
    // the call to the driver: the result is both sets together.
    let queries = &cx.input.analyses.ray_queries;
    let all = || queries.allocations.iter().map(|one| one.flags);
    let first = all().next().unwrap_or(0);
    let known = match queries.allocation(function, op.query) {
        Some(allocation) => queries.allocations.get(allocation).map(|one| one.flags),
        // The handle may name any query here. The flags are still constant if all queries agree.
        None => Some(first).filter(|&first| all().all(|flags| flags == first)),
    };
    let any = all().fold(0, |any, flags| any | flags);
    let flags = match (known, cx.b.literal(dynamic)) {
        (Some(own), Some(dynamic)) => {
            let mut flags = own | dynamic;
            // The flag has no effect without micromaps.
            if !micromaps::met_by_queries(&cx.input) {
                flags &= !FORCE_2_STATE;
            }
            cx.b.const_u32(flags)
        }
        (Some(0), None) => dynamic,
        _ => {
            let own = match known {
                Some(flags) => cx.b.const_u32(flags),
                None => flags_of_number(cx, op.query)?,
            };
            let word = cx.b.u32();
            cx.b.emit(SpirvOp::BitwiseOr, word, &[own, dynamic])
        }
    };
    let literal = cx.b.literal(flags);
    // With unknown flags of the call, only those of the type are certain: a shader that never sets
    // the flag must not need the feature.
    if literal.unwrap_or(known.unwrap_or(any)) & SKIP_FLAGS != 0 {
        cx.input.need_feature(
            Features::RAY_PRIMITIVE_CULLING,
            "rayTraversalPrimitiveCulling",
            || "RAY_FLAG_SKIP_TRIANGLES or RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES".to_owned(),
        )?;
    }
    // The flags are not known: allow everything that the device supports.
    if literal.is_none_or(|flags| flags & SKIP_FLAGS != 0)
        && cx.input.has(Features::RAY_PRIMITIVE_CULLING)
    {
        cx.b.capability(Capability::RayTraversalPrimitiveCullingKHR);
    }
    let micromaps = cx.input.analyses.ray_queries.micromaps
        || literal.is_none_or(|flags| flags & FORCE_2_STATE != 0);
    if micromaps && micromaps::met_by_queries(&cx.input) {
        micromaps::declare(&mut cx.b, &cx.input);
    }
    Ok(flags)
}

/// Returns the flags of the query that a number names, where they differ.
fn flags_of_number(cx: &mut Context<'_>, query: ValueId) -> Result<Id> {
    let number = cx.id(query)?;
    let word = cx.b.u32();
    let bool_ty = cx.b.bool();
    let all: Vec<u32> = cx
        .input
        .analyses
        .ray_queries
        .allocations
        .iter()
        .map(|one| one.flags)
        .collect();
    let mut chosen = cx.b.const_u32(all.first().copied().unwrap_or(0));
    for (one, flags) in all.into_iter().enumerate().skip(1) {
        let one = cx.b.const_u32(one as u32);
        let is_one = cx.b.emit(SpirvOp::IEqual, bool_ty, &[number, one]);
        let flags = cx.b.const_u32(flags);
        chosen = cx.b.select(word, is_one, flags, chosen);
    }
    Ok(chosen)
}

/// Emits an operation on a query without a result.
fn lower_step(
    cx: &mut Context<'_>,
    query: ValueId,
    step: SpirvOp,
    operand: Option<ValueId>,
) -> Result<LoweredValue> {
    let mut words = vec![query_of(cx, query)?];
    if let Some(operand) = operand {
        words.push(cx.id(operand)?);
    }
    // A step changes the candidate and the committed hit, so all loaded properties are stale.
    cx.module.rays.queries.known.clear();
    cx.b.emit_void(step, &words);
    Ok(LoweredValue::Unset)
}

/// Returns a scalar of a query, or of one of its intersections.
fn load_scalar(
    cx: &mut Context<'_>,
    call: &Call,
    query: ValueId,
    state: SpirvOp,
    of: Option<Intersection>,
) -> Result<LoweredValue> {
    let ty = types::lower(cx, call.ty)?;
    Ok(LoweredValue::Id(query_state(cx, ty, query, state, of)?))
}

/// Lowers `RayQuery::CandidateProceduralPrimitiveNonOpaque`: SPIR-V has the inverse property.
fn candidate_is_not_opaque(cx: &mut Context<'_>, query: ValueId) -> Result<LoweredValue> {
    let bool_ty = cx.b.bool();
    let state = SpirvOp::RayQueryGetIntersectionCandidateAABBOpaqueKHR;
    let opaque = query_state(cx, bool_ty, query, state, None)?;
    Ok(LoweredValue::Id(cx.b.emit(
        SpirvOp::LogicalNot,
        bool_ty,
        &[opaque],
    )))
}

/// Returns a component of a vector of `count`.
fn load_component(
    cx: &mut Context<'_>,
    query: ValueId,
    state: SpirvOp,
    of: Option<Intersection>,
    (count, component): (u32, u8),
) -> Result<LoweredValue> {
    let component = u32::from(component);
    if component >= count {
        return Err(Error::malformed(format!(
            "component {component} of a vector of {count}"
        )));
    }
    let float = cx.b.f32();
    let vector = cx.b.vector(float, count);
    let value = query_state(cx, vector, query, state, of)?;
    Ok(LoweredValue::Id(cx.b.extract(float, value, component)))
}

/// Returns an element of a matrix of three rows and four columns. D3D12 leaves others open, and
/// DXC's validator accepts them (gogpu/naga asks for row 3): the last row and column stand for
/// them, as in ray tracing shaders.
fn load_element(
    cx: &mut Context<'_>,
    query: ValueId,
    state: SpirvOp,
    of: Intersection,
    (row, column): (u32, u8),
) -> Result<LoweredValue> {
    let (row, column) = (row.min(2), u32::from(column).min(3));
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    let matrix = cx.b.matrix(vector, 4);
    let value = query_state(cx, matrix, query, state, Some(of))?;
    let column = cx.b.extract(vector, value, column);
    Ok(LoweredValue::Id(cx.b.extract(float, column, row)))
}

pub(super) fn query_state(
    cx: &mut Context<'_>,
    ty: Id,
    query: ValueId,
    state: SpirvOp,
    of: Option<Intersection>,
) -> Result<Id> {
    let query = query_of(cx, query)?;
    // Values in other blocks need not dominate this one, so the memo lives for one block only.
    // OpRayQueryProceedKHR is both a property (its result) and a step.
    if cx.module.rays.queries.known_in != cx.block.label || state == SpirvOp::RayQueryProceedKHR {
        cx.module.rays.queries.known.clear();
        cx.module.rays.queries.known_in = cx.block.label;
    }
    let asked = (query, state, of);
    if let Some(&id) = cx.module.rays.queries.known.get(&asked) {
        return Ok(id);
    }
    let id = match of {
        Some(of) if cx.module.rays.queries.checks_for_hit => state_of_hit(cx, ty, query, state, of),
        Some(of) => {
            let of = cx.b.const_u32(of as u32);
            cx.b.emit(state, ty, &[query, of])
        }
        None => cx.b.emit(state, ty, &[query]),
    };
    // Two calls of Proceed are two steps: never reuse the result.
    if state != SpirvOp::RayQueryProceedKHR {
        cx.module.rays.queries.known.insert(asked, id);
    }
    Ok(id)
}

/// Returns a property of a query's hit, or zero without a hit.
fn state_of_hit(cx: &mut Context<'_>, ty: Id, query: Id, state: SpirvOp, of: Intersection) -> Id {
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let [of, nothing] = [of as u32, 0].map(|number| cx.b.const_u32(number));
    let kind = SpirvOp::RayQueryGetIntersectionTypeKHR;
    let kind = cx.b.emit(kind, word, &[query, of]);
    let there = cx.b.emit(SpirvOp::INotEqual, bool_ty, &[kind, nothing]);
    let zero = cx.b.const_null(ty);
    // Reading a property without a hit is undefined behaviour in SPIR-V; in D3D12 only the value is
    // undefined. See [`crate::analysis::hit_status`].
    let part = blocks::begin_if(cx, there);
    let value = cx.b.emit(state, ty, &[query, of]);
    let id = blocks::end_if_with(cx, part, ty, value, zero);
    // Values that were loaded before still dominate this block.
    cx.module.rays.queries.known_in = cx.block.label;
    id
}

/// Lowers an operation on a ray query.
pub(super) fn ray_query_op(
    cx: &mut Context<'_>,
    call: &Call,
    op: &RayQueryOp,
) -> Result<LoweredValue> {
    use Intersection::{Candidate, Committed};
    use SpirvOp as S;
    let here = (cx.function.view.function.id, call.inst);
    cx.module.rays.queries.checks_for_hit = cx.input.analyses.ray_queries.unasked.contains(&here);
    match op {
        RayQueryOp::AllocateRayQuery(_) => allocate(cx, call, 0),
        RayQueryOp::AllocateRayQuery2(op) => allocate(cx, call, op.query_flags),
        RayQueryOp::RayQueryTraceRayInline(op) => trace_ray_inline(cx, op),
        RayQueryOp::RayQueryProceed(op) => {
            load_scalar(cx, call, op.query, S::RayQueryProceedKHR, None)
        }
        RayQueryOp::RayQueryAbort(op) => lower_step(cx, op.query, S::RayQueryTerminateKHR, None),
        RayQueryOp::RayQueryCommitNonOpaqueTriangleHit(op) => {
            lower_step(cx, op.query, S::RayQueryConfirmIntersectionKHR, None)
        }
        RayQueryOp::RayQueryCommitProceduralPrimitiveHit(op) => {
            lower_step(cx, op.query, S::RayQueryGenerateIntersectionKHR, Some(op.t))
        }
        // What the query was asked.
        RayQueryOp::RayQueryRayFlags(op) => {
            load_scalar(cx, call, op.query, S::RayQueryGetRayFlagsKHR, None)
        }
        RayQueryOp::RayQueryRayTMin(op) => {
            load_scalar(cx, call, op.query, S::RayQueryGetRayTMinKHR, None)
        }
        RayQueryOp::RayQueryWorldRayOrigin(op) => {
            let at = (3, op.component);
            load_component(cx, op.query, S::RayQueryGetWorldRayOriginKHR, None, at)
        }
        RayQueryOp::RayQueryWorldRayDirection(op) => {
            let at = (3, op.component);
            load_component(cx, op.query, S::RayQueryGetWorldRayDirectionKHR, None, at)
        }
        // Kinds of intersections.
        RayQueryOp::RayQueryCandidateType(op) => {
            let state = S::RayQueryGetIntersectionTypeKHR;
            load_scalar(cx, call, op.query, state, Some(Candidate))
        }
        RayQueryOp::RayQueryCommittedStatus(op) => {
            let state = S::RayQueryGetIntersectionTypeKHR;
            load_scalar(cx, call, op.query, state, Some(Committed))
        }
        RayQueryOp::RayQueryCandidateProceduralPrimitiveNonOpaque(op) => {
            candidate_is_not_opaque(cx, op.query)
        }
        // Triangles.
        RayQueryOp::RayQueryCandidateTriangleFrontFace(op) => {
            let state = S::RayQueryGetIntersectionFrontFaceKHR;
            load_scalar(cx, call, op.query, state, Some(Candidate))
        }
        RayQueryOp::RayQueryCommittedTriangleFrontFace(op) => {
            let state = S::RayQueryGetIntersectionFrontFaceKHR;
            load_scalar(cx, call, op.query, state, Some(Committed))
        }
        RayQueryOp::RayQueryCandidateTriangleBarycentrics(op) => {
            let (state, at) = (S::RayQueryGetIntersectionBarycentricsKHR, (2, op.component));
            load_component(cx, op.query, state, Some(Candidate), at)
        }
        RayQueryOp::RayQueryCommittedTriangleBarycentrics(op) => {
            let (state, at) = (S::RayQueryGetIntersectionBarycentricsKHR, (2, op.component));
            load_component(cx, op.query, state, Some(Committed), at)
        }
        RayQueryOp::RayQueryCandidateTriangleRayT(op) => {
            let state = S::RayQueryGetIntersectionTKHR;
            load_scalar(cx, call, op.query, state, Some(Candidate))
        }
        RayQueryOp::RayQueryCommittedRayT(op) => {
            let state = S::RayQueryGetIntersectionTKHR;
            load_scalar(cx, call, op.query, state, Some(Committed))
        }
        // What was hit.
        RayQueryOp::RayQueryCandidateInstanceIndex(op) => {
            let state = S::RayQueryGetIntersectionInstanceIdKHR;
            load_scalar(cx, call, op.query, state, Some(Candidate))
        }
        RayQueryOp::RayQueryCommittedInstanceIndex(op) => {
            let state = S::RayQueryGetIntersectionInstanceIdKHR;
            load_scalar(cx, call, op.query, state, Some(Committed))
        }
        RayQueryOp::RayQueryCandidateInstanceID(op) => {
            let state = S::RayQueryGetIntersectionInstanceCustomIndexKHR;
            load_scalar(cx, call, op.query, state, Some(Candidate))
        }
        RayQueryOp::RayQueryCommittedInstanceID(op) => {
            let state = S::RayQueryGetIntersectionInstanceCustomIndexKHR;
            load_scalar(cx, call, op.query, state, Some(Committed))
        }
        RayQueryOp::RayQueryCandidateInstanceContributionToHitGroupIndex(op) => {
            let state = S::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR;
            load_scalar(cx, call, op.query, state, Some(Candidate))
        }
        RayQueryOp::RayQueryCommittedInstanceContributionToHitGroupIndex(op) => {
            let state = S::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR;
            load_scalar(cx, call, op.query, state, Some(Committed))
        }
        RayQueryOp::RayQueryCandidateGeometryIndex(op) => {
            let state = S::RayQueryGetIntersectionGeometryIndexKHR;
            load_scalar(cx, call, op.query, state, Some(Candidate))
        }
        RayQueryOp::RayQueryCommittedGeometryIndex(op) => {
            let state = S::RayQueryGetIntersectionGeometryIndexKHR;
            load_scalar(cx, call, op.query, state, Some(Committed))
        }
        RayQueryOp::RayQueryCandidatePrimitiveIndex(op) => {
            let state = S::RayQueryGetIntersectionPrimitiveIndexKHR;
            load_scalar(cx, call, op.query, state, Some(Candidate))
        }
        RayQueryOp::RayQueryCommittedPrimitiveIndex(op) => {
            let state = S::RayQueryGetIntersectionPrimitiveIndexKHR;
            load_scalar(cx, call, op.query, state, Some(Committed))
        }
        // The ray and the instance in each other's space.
        RayQueryOp::RayQueryCandidateObjectRayOrigin(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionObjectRayOriginKHR,
                (3, op.component),
            );
            load_component(cx, op.query, state, Some(Candidate), at)
        }
        RayQueryOp::RayQueryCommittedObjectRayOrigin(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionObjectRayOriginKHR,
                (3, op.component),
            );
            load_component(cx, op.query, state, Some(Committed), at)
        }
        RayQueryOp::RayQueryCandidateObjectRayDirection(op) => {
            let state = S::RayQueryGetIntersectionObjectRayDirectionKHR;
            load_component(cx, op.query, state, Some(Candidate), (3, op.component))
        }
        RayQueryOp::RayQueryCommittedObjectRayDirection(op) => {
            let state = S::RayQueryGetIntersectionObjectRayDirectionKHR;
            load_component(cx, op.query, state, Some(Committed), (3, op.component))
        }
        RayQueryOp::RayQueryCandidateObjectToWorld3x4(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionObjectToWorldKHR,
                (op.row, op.column),
            );
            load_element(cx, op.query, state, Candidate, at)
        }
        RayQueryOp::RayQueryCommittedObjectToWorld3x4(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionObjectToWorldKHR,
                (op.row, op.column),
            );
            load_element(cx, op.query, state, Committed, at)
        }
        RayQueryOp::RayQueryCandidateWorldToObject3x4(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionWorldToObjectKHR,
                (op.row, op.column),
            );
            load_element(cx, op.query, state, Candidate, at)
        }
        RayQueryOp::RayQueryCommittedWorldToObject3x4(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionWorldToObjectKHR,
                (op.row, op.column),
            );
            load_element(cx, op.query, state, Committed, at)
        }
    }
}
