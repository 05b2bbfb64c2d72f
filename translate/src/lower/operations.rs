//! The one match over all DXIL operations, one arm each: where an operation is lowered, or why it cannot be. It has no
//! `_` arm, so that a new row of the op table stops the build here.

use dxil_frontend::dxil::ops::{MemoryTypes, Op};

use super::Lowering;
use super::context::{Call, Value};
use super::numbers::arithmetic::FloatClass;
use super::numbers::bits::Scan;
use super::numbers::convert::Signedness;
use super::rays::hit_objects::Holds;
use super::rays::query::ray_query_op;
use super::signatures::elements::Direction;
use crate::spirv::{BuiltIn, GLOp, GroupOperation, Op as SpirvOp};
use crate::{Error, Result};

/// Lowers a call of a DXIL operation. The result is what the call's value becomes.
pub(super) fn lower_op(l: &mut Lowering<'_>, call: &Call, op: &Op) -> Result<Value> {
    match op {
        // Floats. What GLSL.std.450 says of infinities, zeros and numbers out of a function's domain is what D3D
        // says (fract, sin, cos, tan of an infinity, asin and acos beyond 1, log2 and roots of zeros and below), so
        // nothing is guarded; `hwtests/tables/special_values.txt` has the cells.
        Op::FAbs(op) => l.unary_glsl(GLOp::FAbs, op.value),
        Op::Saturate(op) => l.saturate(op.value),
        Op::IsNaN(op) => l.float_class(FloatClass::Nan, op.value),
        Op::IsInf(op) => l.float_class(FloatClass::Infinite, op.value),
        Op::IsFinite(op) => l.float_class(FloatClass::Finite, op.value),
        Op::IsNormal(op) => l.float_class(FloatClass::Normal, op.value),
        Op::Cos(op) => l.unary_glsl(GLOp::Cos, op.value),
        Op::Sin(op) => l.unary_glsl(GLOp::Sin, op.value),
        Op::Tan(op) => l.unary_glsl(GLOp::Tan, op.value),
        Op::Acos(op) => l.unary_glsl(GLOp::Acos, op.value),
        Op::Asin(op) => l.unary_glsl(GLOp::Asin, op.value),
        Op::Atan(op) => l.unary_glsl(GLOp::Atan, op.value),
        Op::Hcos(op) => l.unary_glsl(GLOp::Cosh, op.value),
        Op::Hsin(op) => l.unary_glsl(GLOp::Sinh, op.value),
        Op::Htan(op) => l.tanh(op.value),
        Op::Exp(op) => l.unary_glsl(GLOp::Exp2, op.value),
        Op::Frc(op) => l.unary_glsl(GLOp::Fract, op.value),
        Op::Log(op) => l.unary_glsl(GLOp::Log2, op.value),
        Op::Sqrt(op) => l.unary_glsl(GLOp::Sqrt, op.value),
        Op::Rsqrt(op) => l.reciprocal_root(op.value),
        Op::RoundNe(op) => l.unary_glsl(GLOp::RoundEven, op.value),
        Op::RoundNi(op) => l.unary_glsl(GLOp::Floor, op.value),
        Op::RoundPi(op) => l.unary_glsl(GLOp::Ceil, op.value),
        Op::RoundZ(op) => l.unary_glsl(GLOp::Trunc, op.value),
        // The N forms return the other operand for NaN, as D3D asks.
        Op::FMax(op) => l.binary_glsl(GLOp::NMax, op.a, op.b),
        Op::FMin(op) => l.binary_glsl(GLOp::NMin, op.a, op.b),
        Op::FMad(op) => l.float_mad(call, op),
        Op::Fma(op) => l.fused_mad(op),
        Op::Dot2(op) => l.dot(call, &op.a, &op.b),
        Op::Dot3(op) => l.dot(call, &op.a, &op.b),
        Op::Dot4(op) => l.dot(call, &op.a, &op.b),
        Op::Dot2AddHalf(op) => l.dot2_add_half(op),

        // Registers.
        Op::TempRegLoad(op) => l.load_register(call, op.index),
        Op::TempRegStore(op) => l.store_register(op),
        Op::MinPrecXRegLoad(op) => l.load_indexable_register(call, op),
        Op::MinPrecXRegStore(op) => l.store_indexable_register(op),

        // Integers.
        Op::IMax(op) => l.int_min_max(GLOp::SMax, op.a, op.b),
        Op::IMin(op) => l.int_min_max(GLOp::SMin, op.a, op.b),
        Op::UMax(op) => l.int_min_max(GLOp::UMax, op.a, op.b),
        Op::UMin(op) => l.int_min_max(GLOp::UMin, op.a, op.b),
        Op::IMul(op) => l.extended_mul(SpirvOp::SMulExtended, op.a, op.b),
        Op::UMul(op) => l.extended_mul(SpirvOp::UMulExtended, op.a, op.b),
        Op::UDiv(op) => l.divide(op.a, op.b),
        Op::UAddc(op) => l.add_carry(op.a, op.b),
        Op::USubb(op) => l.sub_borrow(op.a, op.b),
        Op::IMad(op) => l.int_mad(op.a, op.b, op.c),
        Op::UMad(op) => l.int_mad(op.a, op.b, op.c),
        Op::Msad(op) => l.masked_sad(op),
        Op::Dot4AddI8Packed(op) => l.dot4_add(true, op.acc, op.a, op.b),
        Op::Dot4AddU8Packed(op) => l.dot4_add(false, op.acc, op.a, op.b),

        // Bits.
        Op::Bfrev(op) => l.reverse_bits(op.value),
        Op::Countbits(op) => l.count_bits(op.value),
        Op::FirstbitLo(op) => l.find_bit(Scan::Low, op.value),
        Op::FirstbitHi(op) => l.find_bit(Scan::High, op.value),
        Op::FirstbitSHi(op) => l.find_bit(Scan::HighSigned, op.value),
        Op::Ibfe(op) => l.extract_bits(SpirvOp::BitFieldSExtract, op.a, op.b, op.c),
        Op::Ubfe(op) => l.extract_bits(SpirvOp::BitFieldUExtract, op.a, op.b, op.c),
        Op::Bfi(op) => l.insert_bits(op),
        Op::Unpack4x8(op) => l.unpack_bytes(call, op),
        Op::Pack4x8(op) => l.pack_bytes(op),
        Op::MakeDouble(op) => l.make_double(op),
        Op::SplitDouble(op) => l.split_double(op.value),
        Op::BitcastI16toF16(op) => l.bit_cast_op(call, op.value),
        Op::BitcastF16toI16(op) => l.bit_cast_op(call, op.value),
        Op::BitcastI32toF32(op) => l.bit_cast_op(call, op.value),
        Op::BitcastF32toI32(op) => l.bit_cast_op(call, op.value),
        Op::BitcastI64toF64(op) => l.bit_cast_op(call, op.value),
        Op::BitcastF64toI64(op) => l.bit_cast_op(call, op.value),
        Op::LegacyF32ToF16(op) => l.legacy_to_half(op.value),
        Op::LegacyF16ToF32(op) => l.legacy_from_half(op.value),
        Op::LegacyDoubleToFloat(op) => l.double_to_float(op.value),
        Op::LegacyDoubleToSInt32(op) => l.double_to_int(op.value, Signedness::Signed),
        Op::LegacyDoubleToUInt32(op) => l.double_to_int(op.value, Signedness::Unsigned),

        // Waves and quads.
        Op::WaveIsFirstLane(_) => l.is_first_lane(),
        Op::WaveGetLaneIndex(_) => Ok(Value::Id(
            l.load_subgroup_built_in(BuiltIn::SubgroupLocalInvocationId),
        )),
        Op::WaveGetLaneCount(_) => Ok(Value::Id(l.lane_count())),
        Op::WaveAnyTrue(op) => l.any_lane(op.condition),
        Op::WaveAllTrue(op) => l.all_lanes(op.condition),
        Op::WaveActiveAllEqual(op) => l.all_equal(op.value),
        Op::WaveActiveBallot(op) => l.active_ballot(op.condition),
        Op::WaveReadLaneAt(op) => l.read_lane_at(op.value, op.lane),
        Op::WaveReadLaneFirst(op) => l.read_first_lane(call, op.value),
        Op::WaveActiveOp(op) => l.wave_op(GroupOperation::Reduce, op.value, op.op, op.sign),
        Op::WaveActiveBit(op) => l.wave_bit_op(op.value, op.op),
        Op::WavePrefixOp(op) => l.wave_op(GroupOperation::ExclusiveScan, op.value, op.op, op.sign),
        Op::WaveAllBitCount(op) => l.bit_count(GroupOperation::Reduce, op.value),
        Op::WavePrefixBitCount(op) => l.bit_count(GroupOperation::ExclusiveScan, op.value),
        Op::WaveMatch(op) => l.wave_match(op.value),
        Op::WaveMultiPrefixOp(op) => l.multi_prefix(op),
        Op::WaveMultiPrefixBitCount(op) => l.multi_prefix_bit_count(op),
        Op::QuadReadLaneAt(op) => l.quad_read(op.value, op.lane),
        Op::QuadOp(op) => l.quad_swap(op.value, op.op),
        Op::QuadVote(op) => l.quad_vote(op.condition, op.op),
        Op::CycleCounterLegacy(_) => l.cycle_counter(),

        // Barriers, derivatives, discard.
        Op::Barrier(op) => l.barrier(op.mode),
        Op::BarrierByMemoryType(op) => l.barrier_by_memory(op.memory, op.semantics),
        Op::BarrierByMemoryHandle(op) => l.barrier_by_memory(MemoryTypes::UAV, op.semantics),
        Op::DerivCoarseX(op) => l.derivative(SpirvOp::DPdxCoarse, op.value),
        Op::DerivCoarseY(op) => l.derivative(SpirvOp::DPdyCoarse, op.value),
        Op::DerivFineX(op) => l.derivative(SpirvOp::DPdxFine, op.value),
        Op::DerivFineY(op) => l.derivative(SpirvOp::DPdyFine, op.value),
        Op::Discard(op) => l.discard(op.condition),

        // Signatures and system values.
        Op::LoadInput(op) => match op.vertex.expand() {
            None => l.load_input(op.element, op.row, op.column, call.ty),
            vertex => l.load_element(
                Direction::Input,
                op.element,
                op.row,
                op.column,
                vertex,
                call.ty,
            ),
        },
        Op::LoadPatchConstant(op) => l.load_element(
            Direction::Patch,
            op.element,
            op.row,
            op.column,
            None,
            call.ty,
        ),
        Op::DomainLocation(op) => Ok(l.domain_location(op.component)),
        Op::LoadOutputControlPoint(op) => l.load_element(
            Direction::Output,
            op.element,
            op.row,
            op.column,
            Some(op.index),
            call.ty,
        ),
        Op::StorePatchConstant(op) => {
            l.store_patch_constant(op.element, op.row, op.column, op.value)
        }
        Op::OutputControlPointID(_) => l.output_control_point_id().map(Value::Id),
        Op::GSInstanceID(_) => Ok(l.geometry_instance_id()),
        Op::EmitStream(op) => l.emit_vertex(op.stream),
        Op::CutStream(op) => l.cut_strip(op.stream),
        Op::EmitThenCutStream(op) => {
            l.emit_vertex(op.stream)?;
            l.cut_strip(op.stream)
        }
        Op::StoreOutput(op) => l.store_output(op.element, op.row, op.column, op.value),
        Op::EvalCentroid(op) => l.interpolate(
            GLOp::InterpolateAtCentroid,
            op.element,
            op.row,
            op.column,
            None,
            call.ty,
        ),
        Op::EvalSampleIndex(op) => {
            let sample = l.id(op.sample_index)?;
            l.interpolate(
                GLOp::InterpolateAtSample,
                op.element,
                op.row,
                op.column,
                Some(sample),
                call.ty,
            )
        }
        Op::EvalSnapped(op) => {
            let offset = l.snapped_offset(op.offset_x, op.offset_y)?;
            l.interpolate(
                GLOp::InterpolateAtOffset,
                op.element,
                op.row,
                op.column,
                Some(offset),
                call.ty,
            )
        }
        Op::AttributeAtVertex(op) => {
            l.attribute_at_vertex(op.element, op.row, op.column, op.vertex, call.ty)
        }
        Op::SampleIndex(_) => l.sample_index(),
        Op::RenderTargetGetSampleCount(_) => Ok(Value::Id(l.raster_samples())),
        Op::RenderTargetGetSamplePosition(op) => l.raster_sample_position(op.index),
        Op::Coverage(_) => Ok(l.coverage()),
        Op::InnerCoverage(_) => l.inner_coverage(),
        Op::PrimitiveID(_) => l.primitive_id(),
        Op::ViewID(_) => l.view_id(),
        Op::StartVertexLocation(_) => l.draw_start(BuiltIn::BaseVertex),
        Op::StartInstanceLocation(_) => l.draw_start(BuiltIn::BaseInstance),

        // Mesh and amplification.
        Op::SetMeshOutputCounts(op) => l.set_mesh_output_counts(op),
        Op::EmitIndices(op) => l.emit_indices(op),
        Op::StoreVertexOutput(op) => {
            let vertex = Some(op.vertex_index);
            l.store_element(
                Direction::Output,
                op.element,
                op.row,
                op.column,
                op.value,
                vertex,
            )
        }
        Op::StorePrimitiveOutput(op) => {
            let primitive = Some(op.primitive_index);
            l.store_element(
                Direction::Patch,
                op.element,
                op.row,
                op.column,
                op.value,
                primitive,
            )
        }
        Op::GetMeshPayload(_) => l.mesh_payload(call),
        Op::DispatchMesh(op) => l.dispatch_mesh(op),

        // Compute.
        Op::ThreadId(op) => l.group_component(BuiltIn::GlobalInvocationId, op.component),
        Op::GroupId(op) => l.group_component(BuiltIn::WorkgroupId, op.component),
        Op::ThreadIdInGroup(op) => l.load_uvec3_component(BuiltIn::LocalInvocationId, op.component),
        Op::FlattenedThreadIdInGroup(_) => l.flattened_thread_id(),
        Op::IsHelperLane(_) => l.is_helper_lane(),

        // Resources.
        Op::CreateHandle(op) => l.create_handle(call, op),
        Op::CreateHandleFromBinding(op) => l.create_handle_from_binding(call, op),
        Op::CreateHandleFromHeap(op) => l.create_handle_from_heap(call, op),
        Op::CreateHandleForLib(_) => l.create_handle_for_lib(call),
        Op::AnnotateHandle(op) => l.annotate_handle(op),
        Op::CBufferLoad(op) => l.cbuffer_load(call, op),
        Op::CBufferLoadLegacy(op) => l.cbuffer_load_legacy(call, op),
        Op::BufferLoad(op) => l.buffer_load(call, op),
        Op::BufferStore(op) => l.buffer_store(op),
        Op::RawBufferLoad(op) => l.raw_buffer_load(call, op),
        Op::RawBufferStore(op) => l.raw_buffer_store(op),
        Op::BufferUpdateCounter(op) => l.update_counter(op),
        Op::AtomicBinOp(op) => l.atomic_bin_op(call, op),
        Op::AtomicCompareExchange(op) => l.atomic_compare_exchange(op),
        Op::CheckAccessFullyMapped(op) => l.check_access_fully_mapped(op),
        Op::TextureLoad(op) => l.texture_load(call, op),
        Op::TextureStore(op) => l.texture_store(op),
        Op::TextureStoreSample(op) => l.texture_store_sample(op),
        Op::Sample(_)
        | Op::SampleBias(_)
        | Op::SampleLevel(_)
        | Op::SampleGrad(_)
        | Op::SampleCmp(_)
        | Op::SampleCmpLevelZero(_)
        | Op::SampleCmpLevel(_)
        | Op::SampleCmpBias(_)
        | Op::SampleCmpGrad(_) => l.sample_op(call, op),
        Op::TextureGather(op) => l.texture_gather(call, op),
        Op::TextureGatherCmp(op) => l.texture_gather_cmp(call, op),
        Op::TextureGatherRaw(op) => l.texture_gather_raw(call, op),
        Op::GetDimensions(op) => l.get_dimensions(call, op),
        Op::CalculateLOD(op) => l.calculate_lod(op),
        Op::Texture2DMSGetSamplePosition(op) => l.texture_sample_position(op),
        Op::WriteSamplerFeedback(_)
        | Op::WriteSamplerFeedbackBias(_)
        | Op::WriteSamplerFeedbackLevel(_)
        | Op::WriteSamplerFeedbackGrad(_) => l.write_sampler_feedback(op),

        // Ray queries.
        Op::AllocateRayQuery(_)
        | Op::RayQueryTraceRayInline(_)
        | Op::RayQueryProceed(_)
        | Op::RayQueryAbort(_)
        | Op::RayQueryCommitNonOpaqueTriangleHit(_)
        | Op::RayQueryCommitProceduralPrimitiveHit(_)
        | Op::RayQueryCommittedStatus(_)
        | Op::RayQueryCandidateType(_)
        | Op::RayQueryCandidateObjectToWorld3x4(_)
        | Op::RayQueryCandidateWorldToObject3x4(_)
        | Op::RayQueryCommittedObjectToWorld3x4(_)
        | Op::RayQueryCommittedWorldToObject3x4(_)
        | Op::RayQueryCandidateProceduralPrimitiveNonOpaque(_)
        | Op::RayQueryCandidateTriangleFrontFace(_)
        | Op::RayQueryCommittedTriangleFrontFace(_)
        | Op::RayQueryCandidateTriangleBarycentrics(_)
        | Op::RayQueryCommittedTriangleBarycentrics(_)
        | Op::RayQueryRayFlags(_)
        | Op::RayQueryWorldRayOrigin(_)
        | Op::RayQueryWorldRayDirection(_)
        | Op::RayQueryRayTMin(_)
        | Op::RayQueryCandidateTriangleRayT(_)
        | Op::RayQueryCommittedRayT(_)
        | Op::RayQueryCandidateInstanceIndex(_)
        | Op::RayQueryCandidateInstanceID(_)
        | Op::RayQueryCandidateGeometryIndex(_)
        | Op::RayQueryCandidatePrimitiveIndex(_)
        | Op::RayQueryCandidateObjectRayOrigin(_)
        | Op::RayQueryCandidateObjectRayDirection(_)
        | Op::RayQueryCommittedInstanceIndex(_)
        | Op::RayQueryCommittedInstanceID(_)
        | Op::RayQueryCommittedGeometryIndex(_)
        | Op::RayQueryCommittedPrimitiveIndex(_)
        | Op::RayQueryCommittedObjectRayOrigin(_)
        | Op::RayQueryCommittedObjectRayDirection(_)
        | Op::RayQueryCandidateInstanceContributionToHitGroupIndex(_)
        | Op::RayQueryCommittedInstanceContributionToHitGroupIndex(_)
        | Op::AllocateRayQuery2(_) => ray_query_op(l, call, op),

        // Ray tracing stages.
        Op::DispatchRaysIndex(op) => l.ray_uint3(BuiltIn::LaunchIdKHR, op.component),
        Op::DispatchRaysDimensions(op) => l.ray_uint3(BuiltIn::LaunchSizeKHR, op.component),
        Op::WorldRayOrigin(op) => l.ray_float3(BuiltIn::WorldRayOriginKHR, op.component),
        Op::WorldRayDirection(op) => l.ray_float3(BuiltIn::WorldRayDirectionKHR, op.component),
        Op::ObjectRayOrigin(op) => l.ray_float3(BuiltIn::ObjectRayOriginKHR, op.component),
        Op::ObjectRayDirection(op) => l.ray_float3(BuiltIn::ObjectRayDirectionKHR, op.component),
        Op::ObjectToWorld(op) => l.ray_matrix(BuiltIn::ObjectToWorldKHR, op.row, op.column),
        Op::WorldToObject(op) => l.ray_matrix(BuiltIn::WorldToObjectKHR, op.row, op.column),
        Op::RayTMin(_) => l.ray_float(BuiltIn::RayTminKHR),
        Op::RayTCurrent(_) => l.ray_float(BuiltIn::RayTmaxKHR),
        Op::RayFlags(_) => l.ray_word(BuiltIn::IncomingRayFlagsKHR),
        Op::HitKind(_) => l.ray_word(BuiltIn::HitKindKHR),
        // D3D's id is what the instance was given, its index the place in the acceleration structure.
        Op::InstanceID(_) => l.ray_word(BuiltIn::InstanceCustomIndexKHR),
        Op::InstanceIndex(_) => l.ray_word(BuiltIn::InstanceId),
        Op::PrimitiveIndex(_) => l.ray_word(BuiltIn::PrimitiveId),
        Op::GeometryIndex(_) => l.ray_word(BuiltIn::RayGeometryIndexKHR),
        Op::TraceRay(op) => l.trace_ray(op),
        Op::CallShader(op) => l.call_shader(op),
        Op::ReportHit(op) => l.report_hit(op),
        Op::IgnoreHit(_) => l.end_hit(SpirvOp::IgnoreIntersectionKHR),
        Op::AcceptHitAndEndSearch(_) => l.end_hit(SpirvOp::TerminateRayKHR),

        // Hit objects.
        Op::HitObjectTraceRay(op) => l.hit_object_trace_ray(call, op),
        Op::HitObjectFromRayQuery(op) => l.hit_object_from_query(call, op.query, None),
        Op::HitObjectFromRayQueryWithAttrs(op) => {
            l.hit_object_from_query(call, op.query, Some((op.hit_kind, op.attributes)))
        }
        Op::HitObjectMakeMiss(op) => l.hit_object_make_miss(call, op),
        Op::HitObjectMakeNop(_) => l.hit_object_make_nop(call),
        Op::HitObjectInvoke(op) => l.hit_object_invoke(op),
        Op::MaybeReorderThread(op) => l.maybe_reorder_thread(op),
        Op::HitObjectIsMiss(op) => l.hit_object_is(op.hit, SpirvOp::HitObjectIsMissEXT),
        Op::HitObjectIsHit(op) => l.hit_object_is(op.hit, SpirvOp::HitObjectIsHitEXT),
        Op::HitObjectIsNop(op) => l.hit_object_is(op.hit, SpirvOp::HitObjectIsEmptyEXT),
        Op::HitObjectRayFlags(op) => {
            l.hit_object_word(op.hit, Holds::Ray, SpirvOp::HitObjectGetRayFlagsEXT)
        }
        Op::HitObjectRayTMin(op) => l.hit_object_float(op.hit, SpirvOp::HitObjectGetRayTMinEXT),
        Op::HitObjectRayTCurrent(op) => l.hit_object_float(op.hit, SpirvOp::HitObjectGetRayTMaxEXT),
        Op::HitObjectWorldRayOrigin(op) => {
            let world = SpirvOp::HitObjectGetWorldRayOriginEXT;
            l.hit_object_vector(op.hit, op.component, world, None)
        }
        Op::HitObjectWorldRayDirection(op) => {
            let world = SpirvOp::HitObjectGetWorldRayDirectionEXT;
            l.hit_object_vector(op.hit, op.component, world, None)
        }
        Op::HitObjectObjectRayOrigin(op) => {
            let world = SpirvOp::HitObjectGetWorldRayOriginEXT;
            let object = SpirvOp::HitObjectGetObjectRayOriginEXT;
            l.hit_object_vector(op.hit, op.component, world, Some(object))
        }
        Op::HitObjectObjectRayDirection(op) => {
            let world = SpirvOp::HitObjectGetWorldRayDirectionEXT;
            let object = SpirvOp::HitObjectGetObjectRayDirectionEXT;
            l.hit_object_vector(op.hit, op.component, world, Some(object))
        }
        Op::HitObjectObjectToWorld3x4(op) => {
            let matrix = SpirvOp::HitObjectGetObjectToWorldEXT;
            l.hit_object_matrix(op.hit, [op.row, op.column], matrix)
        }
        Op::HitObjectWorldToObject3x4(op) => {
            let matrix = SpirvOp::HitObjectGetWorldToObjectEXT;
            l.hit_object_matrix(op.hit, [op.row, op.column], matrix)
        }
        Op::HitObjectGeometryIndex(op) => {
            l.hit_object_word(op.hit, Holds::Hit, SpirvOp::HitObjectGetGeometryIndexEXT)
        }
        Op::HitObjectInstanceIndex(op) => {
            l.hit_object_word(op.hit, Holds::Hit, SpirvOp::HitObjectGetInstanceIdEXT)
        }
        Op::HitObjectInstanceID(op) => {
            let index = SpirvOp::HitObjectGetInstanceCustomIndexEXT;
            l.hit_object_word(op.hit, Holds::Hit, index)
        }
        Op::HitObjectPrimitiveIndex(op) => {
            l.hit_object_word(op.hit, Holds::Hit, SpirvOp::HitObjectGetPrimitiveIndexEXT)
        }
        Op::HitObjectHitKind(op) => {
            l.hit_object_word(op.hit, Holds::Hit, SpirvOp::HitObjectGetHitKindEXT)
        }
        Op::HitObjectShaderTableIndex(op) => {
            let index = SpirvOp::HitObjectGetShaderBindingTableRecordIndexEXT;
            l.hit_object_word(op.hit, Holds::Ray, index)
        }
        Op::HitObjectSetShaderTableIndex(op) => l.hit_object_set_table_index(call, op),
        Op::HitObjectLoadLocalRootTableConstant(op) => l.hit_object_root_constant(op),
        Op::HitObjectAttributes(op) => l.hit_object_get_attributes(op),

        // Nodes of work graphs. What a handle's properties say, the metadata of the node says too, and records are
        // sent on when the dispatch is over.
        Op::AllocateNodeOutputRecords(op) => l.allocate_records(op),
        Op::GetNodeRecordPtr(op) => l.record_address(call, op),
        Op::IncrementOutputCount(op) => l.increment_output(op),
        Op::OutputComplete(_) => l.node().map(|_| Value::Unset),
        Op::GetInputRecordCount(_) => l.input_count(),
        Op::FinishedCrossGroupSharing(_) => l.finished_sharing(),
        Op::BarrierByNodeRecordHandle(op) => l.barrier_by_record(op),
        Op::CreateNodeOutputHandle(op) => l.node_output(op),
        Op::IndexNodeHandle(op) => l.index_node(op),
        Op::AnnotateNodeHandle(op) => l.id(op.node).map(Value::Id),
        Op::CreateNodeInputRecordHandle(op) => l.node_input(op),
        Op::AnnotateNodeRecordHandle(op) => l.id(op.record).map(Value::Id),
        Op::NodeOutputIsValid(op) => l.output_is_valid(op),
        Op::GetRemainingRecursionLevels(_) => l.recursion_left(),

        // Vectors are taken apart before (`vectors/`), and such a call without one is no good.
        Op::RawBufferVectorLoad(_)
        | Op::RawBufferVectorStore(_)
        | Op::VectorReduceAnd(_)
        | Op::VectorReduceOr(_)
        | Op::FDot(_) => Err(Error::malformed(format!(
            "operation {} without a vector",
            op.opcode().name()
        ))),
    }
}
