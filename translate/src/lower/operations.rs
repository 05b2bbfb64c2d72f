//! The match over all DXIL operations. Each arm names the file and function that lower an
//! operation, or the reason why it is not supported. There is no `_` arm, so that a new row of the
//! op table stops the build here.

use dxil_frontend::dxil::ops::{BarrierOp, HandleOp, MemoryTypes, Op};

use super::numbers::arithmetic::{self, FloatClass};
use super::numbers::bits::{self, Scan};
use super::numbers::convert::Signedness;
use super::rays::hit_objects::{self, Holds};
use super::rays::query::ray_query_op;
use crate::lower::buffers::{cbuffer, raw, typed};
use crate::lower::context::Context;
use crate::lower::graphs::{node, nodes};
use crate::lower::images::{feedback, image_query, sample, texture};
use crate::lower::memory::{barrier, registers};
use crate::lower::rays::ray_stages;
use crate::lower::resources::{atomics, handles};
use crate::lower::signatures::state::Direction;
use crate::lower::signatures::{access, inputs, system_inputs, thread_ids, views};
use crate::lower::stages::{amplification, geometry, mesh, tessellation};
use crate::lower::values::{Call, Value};
use crate::lower::waves::{helper_lanes, quad, wave};
use crate::spirv::{BuiltIn, GLOp, GroupOperation, Op as SpirvOp};
use crate::{Error, Result};

/// Lowers a call of a DXIL operation. The result is what the call's value becomes.
pub(super) fn lower_op(cx: &mut Context<'_>, call: &Call, op: &Op) -> Result<Value> {
    match op {
        // Floats. GLSL.std.450 and D3D agree on infinities, zeros and numbers outside of a
        // function's domain (fract, sin, cos, tan of an infinity, asin and acos beyond 1, log2 and
        // roots of zeros and below), so no guards are needed; `hwtests/tables/special_values.txt`
        // has the measured values.
        Op::FAbs(op) => arithmetic::unary_glsl(cx, GLOp::FAbs, op.value),
        Op::Saturate(op) => arithmetic::saturate(cx, op.value),
        Op::IsNaN(op) => arithmetic::float_class(cx, FloatClass::Nan, op.value),
        Op::IsInf(op) => arithmetic::float_class(cx, FloatClass::Infinite, op.value),
        Op::IsFinite(op) => arithmetic::float_class(cx, FloatClass::Finite, op.value),
        Op::IsNormal(op) => arithmetic::float_class(cx, FloatClass::Normal, op.value),
        Op::Cos(op) => arithmetic::unary_glsl(cx, GLOp::Cos, op.value),
        Op::Sin(op) => arithmetic::unary_glsl(cx, GLOp::Sin, op.value),
        Op::Tan(op) => arithmetic::unary_glsl(cx, GLOp::Tan, op.value),
        Op::Acos(op) => arithmetic::unary_glsl(cx, GLOp::Acos, op.value),
        Op::Asin(op) => arithmetic::unary_glsl(cx, GLOp::Asin, op.value),
        Op::Atan(op) => arithmetic::unary_glsl(cx, GLOp::Atan, op.value),
        Op::Hcos(op) => arithmetic::unary_glsl(cx, GLOp::Cosh, op.value),
        Op::Hsin(op) => arithmetic::unary_glsl(cx, GLOp::Sinh, op.value),
        Op::Htan(op) => arithmetic::tanh(cx, op.value),
        Op::Exp(op) => arithmetic::unary_glsl(cx, GLOp::Exp2, op.value),
        Op::Frc(op) => arithmetic::unary_glsl(cx, GLOp::Fract, op.value),
        Op::Log(op) => arithmetic::unary_glsl(cx, GLOp::Log2, op.value),
        Op::Sqrt(op) => arithmetic::unary_glsl(cx, GLOp::Sqrt, op.value),
        Op::Rsqrt(op) => arithmetic::reciprocal_root(cx, op.value),
        Op::RoundNe(op) => arithmetic::unary_glsl(cx, GLOp::RoundEven, op.value),
        Op::RoundNi(op) => arithmetic::unary_glsl(cx, GLOp::Floor, op.value),
        Op::RoundPi(op) => arithmetic::unary_glsl(cx, GLOp::Ceil, op.value),
        Op::RoundZ(op) => arithmetic::unary_glsl(cx, GLOp::Trunc, op.value),
        // The N forms return the other operand for NaN, as D3D requires.
        Op::FMax(op) => arithmetic::binary_glsl(cx, GLOp::NMax, op.a, op.b),
        Op::FMin(op) => arithmetic::binary_glsl(cx, GLOp::NMin, op.a, op.b),
        Op::FMad(op) => arithmetic::float_mad(cx, call, op),
        Op::Fma(op) => arithmetic::fused_mad(cx, op),
        Op::Dot2(op) => arithmetic::dot(cx, call, &op.a, &op.b),
        Op::Dot3(op) => arithmetic::dot(cx, call, &op.a, &op.b),
        Op::Dot4(op) => arithmetic::dot(cx, call, &op.a, &op.b),
        Op::Dot2AddHalf(op) => arithmetic::dot2_add_half(cx, op),

        // Registers.
        Op::TempRegLoad(op) => registers::load(cx, call, op.index),
        Op::TempRegStore(op) => registers::store(cx, op),
        Op::MinPrecXRegLoad(op) => registers::load_indexable(cx, call, op),
        Op::MinPrecXRegStore(op) => registers::store_indexable(cx, op),

        // Integers.
        Op::IMax(op) => arithmetic::int_min_max(cx, GLOp::SMax, op.a, op.b),
        Op::IMin(op) => arithmetic::int_min_max(cx, GLOp::SMin, op.a, op.b),
        Op::UMax(op) => arithmetic::int_min_max(cx, GLOp::UMax, op.a, op.b),
        Op::UMin(op) => arithmetic::int_min_max(cx, GLOp::UMin, op.a, op.b),
        Op::IMul(op) => arithmetic::extended_mul(cx, SpirvOp::SMulExtended, op.a, op.b),
        Op::UMul(op) => arithmetic::extended_mul(cx, SpirvOp::UMulExtended, op.a, op.b),
        Op::UDiv(op) => arithmetic::divide(cx, op.a, op.b),
        Op::UAddc(op) => arithmetic::add_carry(cx, op.a, op.b),
        Op::USubb(op) => arithmetic::sub_borrow(cx, op.a, op.b),
        Op::IMad(op) => arithmetic::int_mad(cx, op.a, op.b, op.c),
        Op::UMad(op) => arithmetic::int_mad(cx, op.a, op.b, op.c),
        Op::Msad(op) => arithmetic::masked_sad(cx, op),
        Op::Dot4AddI8Packed(op) => arithmetic::dot4_add(cx, true, op.acc, op.a, op.b),
        Op::Dot4AddU8Packed(op) => arithmetic::dot4_add(cx, false, op.acc, op.a, op.b),

        // Bits.
        Op::Bfrev(op) => bits::reverse_bits(cx, op.value),
        Op::Countbits(op) => bits::count_bits(cx, op.value),
        Op::FirstbitLo(op) => bits::find_bit(cx, Scan::Low, op.value),
        Op::FirstbitHi(op) => bits::find_bit(cx, Scan::High, op.value),
        Op::FirstbitSHi(op) => bits::find_bit(cx, Scan::HighSigned, op.value),
        Op::Ibfe(op) => bits::extract_bits(cx, SpirvOp::BitFieldSExtract, op.a, op.b, op.c),
        Op::Ubfe(op) => bits::extract_bits(cx, SpirvOp::BitFieldUExtract, op.a, op.b, op.c),
        Op::Bfi(op) => bits::insert_bits(cx, op),
        Op::Unpack4x8(op) => bits::unpack_bytes(cx, call, op),
        Op::Pack4x8(op) => bits::pack_bytes(cx, op),
        Op::MakeDouble(op) => arithmetic::make_double(cx, op),
        Op::SplitDouble(op) => arithmetic::split_double(cx, op.value),
        Op::BitcastI16toF16(op) => bits::bit_cast_op(cx, call, op.value),
        Op::BitcastF16toI16(op) => bits::bit_cast_op(cx, call, op.value),
        Op::BitcastI32toF32(op) => bits::bit_cast_op(cx, call, op.value),
        Op::BitcastF32toI32(op) => bits::bit_cast_op(cx, call, op.value),
        Op::BitcastI64toF64(op) => bits::bit_cast_op(cx, call, op.value),
        Op::BitcastF64toI64(op) => bits::bit_cast_op(cx, call, op.value),
        Op::LegacyF32ToF16(op) => bits::legacy_to_half(cx, op.value),
        Op::LegacyF16ToF32(op) => bits::legacy_from_half(cx, op.value),
        Op::LegacyDoubleToFloat(op) => bits::double_to_float(cx, op.value),
        Op::LegacyDoubleToSInt32(op) => bits::double_to_int(cx, op.value, Signedness::Signed),
        Op::LegacyDoubleToUInt32(op) => bits::double_to_int(cx, op.value, Signedness::Unsigned),

        // Waves and quads.
        Op::WaveIsFirstLane(_) => wave::is_first_lane(cx),
        Op::WaveGetLaneIndex(_) => Ok(Value::Id(inputs::load_subgroup_built_in(
            cx,
            BuiltIn::SubgroupLocalInvocationId,
        ))),
        Op::WaveGetLaneCount(_) => Ok(Value::Id(wave::lane_count(cx))),
        Op::WaveAnyTrue(op) => wave::any_lane(cx, op.condition),
        Op::WaveAllTrue(op) => wave::all_lanes(cx, op.condition),
        Op::WaveActiveAllEqual(op) => wave::all_equal(cx, op.value),
        Op::WaveActiveBallot(op) => wave::active_ballot(cx, op.condition),
        Op::WaveReadLaneAt(op) => wave::read_lane_at(cx, op.value, op.lane),
        Op::WaveReadLaneFirst(op) => wave::read_first_lane(cx, call, op.value),
        Op::WaveActiveOp(op) => wave::reduce(cx, GroupOperation::Reduce, op.value, op.op, op.sign),
        Op::WaveActiveBit(op) => wave::reduce_bits(cx, op.value, op.op),
        Op::WavePrefixOp(op) => {
            wave::reduce(cx, GroupOperation::ExclusiveScan, op.value, op.op, op.sign)
        }
        Op::WaveAllBitCount(op) => wave::bit_count(cx, GroupOperation::Reduce, op.value),
        Op::WavePrefixBitCount(op) => wave::bit_count(cx, GroupOperation::ExclusiveScan, op.value),
        Op::WaveMatch(op) => wave::match_lanes(cx, op.value),
        Op::WaveMultiPrefixOp(op) => wave::multi_prefix(cx, op),
        Op::WaveMultiPrefixBitCount(op) => wave::multi_prefix_bit_count(cx, op),
        Op::QuadReadLaneAt(op) => quad::read(cx, op.value, op.lane),
        Op::QuadOp(op) => quad::swap(cx, op.value, op.op),
        Op::QuadVote(op) => quad::vote(cx, op.condition, op.op),
        Op::CycleCounterLegacy(_) => wave::cycle_counter(cx),

        // Barriers, derivatives, discard.
        Op::Barrier(BarrierOp::Barrier(op)) => barrier::by_mode(cx, op.mode),
        Op::Barrier(BarrierOp::BarrierByMemoryType(op)) => {
            barrier::by_memory(cx, op.memory, op.semantics)
        }
        Op::Barrier(BarrierOp::BarrierByMemoryHandle(op)) => {
            barrier::by_memory(cx, MemoryTypes::UAV, op.semantics)
        }
        Op::DerivCoarseX(op) => quad::derivative(cx, SpirvOp::DPdxCoarse, op.value),
        Op::DerivCoarseY(op) => quad::derivative(cx, SpirvOp::DPdyCoarse, op.value),
        Op::DerivFineX(op) => quad::derivative(cx, SpirvOp::DPdxFine, op.value),
        Op::DerivFineY(op) => quad::derivative(cx, SpirvOp::DPdyFine, op.value),
        Op::Discard(op) => quad::discard(cx, op.condition),

        // Signatures and system values.
        Op::LoadInput(op) => match op.vertex.expand() {
            None => access::load_input(cx, op.element, op.row, op.column, call.ty),
            vertex => access::load_element(
                cx,
                Direction::Input,
                op.element,
                op.row,
                op.column,
                vertex,
                call.ty,
            ),
        },
        Op::LoadPatchConstant(op) => access::load_element(
            cx,
            Direction::Patch,
            op.element,
            op.row,
            op.column,
            None,
            call.ty,
        ),
        Op::DomainLocation(op) => Ok(tessellation::domain_location(cx, op.component)),
        Op::LoadOutputControlPoint(op) => access::load_element(
            cx,
            Direction::Output,
            op.element,
            op.row,
            op.column,
            Some(op.index),
            call.ty,
        ),
        Op::StorePatchConstant(op) => {
            tessellation::store_patch_constant(cx, op.element, op.row, op.column, op.value)
        }
        Op::OutputControlPointID(_) => inputs::output_control_point_id(cx).map(Value::Id),
        Op::GSInstanceID(_) => Ok(system_inputs::geometry_instance_id(cx)),
        Op::EmitStream(op) => geometry::emit_vertex(cx, op.stream),
        Op::CutStream(op) => geometry::cut_strip(cx, op.stream),
        Op::EmitThenCutStream(op) => {
            geometry::emit_vertex(cx, op.stream)?;
            geometry::cut_strip(cx, op.stream)
        }
        Op::StoreOutput(op) => access::store_output(cx, op.element, op.row, op.column, op.value),
        Op::EvalCentroid(op) => access::interpolate(
            cx,
            GLOp::InterpolateAtCentroid,
            op.element,
            op.row,
            op.column,
            None,
            call.ty,
        ),
        Op::EvalSampleIndex(op) => {
            let sample = cx.id(op.sample_index)?;
            access::interpolate(
                cx,
                GLOp::InterpolateAtSample,
                op.element,
                op.row,
                op.column,
                Some(sample),
                call.ty,
            )
        }
        Op::EvalSnapped(op) => {
            let offset = access::snapped_offset(cx, op.offset_x, op.offset_y)?;
            access::interpolate(
                cx,
                GLOp::InterpolateAtOffset,
                op.element,
                op.row,
                op.column,
                Some(offset),
                call.ty,
            )
        }
        Op::AttributeAtVertex(op) => {
            access::attribute_at_vertex(cx, op.element, op.row, op.column, op.vertex, call.ty)
        }
        Op::SampleIndex(_) => system_inputs::sample_index(cx),
        Op::RenderTargetGetSampleCount(_) => Ok(Value::Id(system_inputs::raster_samples(cx))),
        Op::RenderTargetGetSamplePosition(op) => {
            system_inputs::raster_sample_position(cx, op.index)
        }
        Op::Coverage(_) => Ok(system_inputs::load_coverage(cx)),
        Op::InnerCoverage(_) => system_inputs::load_inner_coverage(cx),
        Op::PrimitiveID(_) => system_inputs::load_primitive_id(cx),
        Op::ViewID(_) => views::load_view_id(cx),
        Op::StartVertexLocation(_) => system_inputs::draw_start(cx, BuiltIn::BaseVertex),
        Op::StartInstanceLocation(_) => system_inputs::draw_start(cx, BuiltIn::BaseInstance),

        // Mesh and amplification.
        Op::SetMeshOutputCounts(op) => mesh::set_mesh_output_counts(cx, op),
        Op::EmitIndices(op) => mesh::emit_indices(cx, op),
        Op::StoreVertexOutput(op) => {
            let vertex = Some(op.vertex_index);
            access::store_element(
                cx,
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
            access::store_element(
                cx,
                Direction::Patch,
                op.element,
                op.row,
                op.column,
                op.value,
                primitive,
            )
        }
        Op::GetMeshPayload(_) => mesh::payload_variable(cx, call),
        Op::DispatchMesh(op) => amplification::dispatch_mesh(cx, op),

        // Compute.
        Op::ThreadId(op) => nodes::group_component(cx, BuiltIn::GlobalInvocationId, op.component),
        Op::GroupId(op) => nodes::group_component(cx, BuiltIn::WorkgroupId, op.component),
        Op::ThreadIdInGroup(op) => {
            thread_ids::load_uvec3_component(cx, BuiltIn::LocalInvocationId, op.component)
        }
        Op::FlattenedThreadIdInGroup(_) => thread_ids::flattened_thread_id(cx),
        Op::IsHelperLane(_) => helper_lanes::is_helper_lane(cx),

        // Resources.
        Op::Handle(HandleOp::CreateHandle(op)) => handles::create(cx, call, op),
        Op::Handle(HandleOp::CreateHandleFromBinding(op)) => {
            handles::create_from_binding(cx, call, op)
        }
        Op::Handle(HandleOp::CreateHandleFromHeap(op)) => handles::create_from_heap(cx, call, op),
        Op::Handle(HandleOp::CreateHandleForLib(_)) => handles::create_for_lib(cx, call),
        Op::Handle(HandleOp::AnnotateHandle(op)) => handles::annotate(cx, op),
        Op::CBufferLoad(op) => cbuffer::load(cx, call, op),
        Op::CBufferLoadLegacy(op) => cbuffer::load_legacy(cx, call, op),
        Op::BufferLoad(op) => typed::load(cx, call, op),
        Op::BufferStore(op) => typed::store(cx, op),
        Op::RawBufferLoad(op) => raw::load(cx, call, op),
        Op::RawBufferStore(op) => raw::store(cx, op),
        Op::BufferUpdateCounter(op) => atomics::update_counter(cx, op),
        Op::AtomicBinOp(op) => atomics::bin_op(cx, call, op),
        Op::AtomicCompareExchange(op) => atomics::compare_exchange(cx, op),
        Op::CheckAccessFullyMapped(op) => raw::check_access_fully_mapped(cx, op),
        Op::TextureLoad(op) => texture::load(cx, call, op),
        Op::TextureStore(op) => texture::store(cx, op),
        Op::TextureStoreSample(op) => texture::store_sample(cx, op),
        Op::Sampling(op) => sample::lower(cx, call, op),
        Op::TextureGather(op) => sample::texture_gather(cx, call, op),
        Op::TextureGatherCmp(op) => sample::texture_gather_cmp(cx, call, op),
        Op::TextureGatherRaw(op) => sample::texture_gather_raw(cx, call, op),
        Op::GetDimensions(op) => image_query::get_dimensions(cx, call, op),
        Op::CalculateLOD(op) => image_query::calculate_lod(cx, op),
        Op::Texture2DMSGetSamplePosition(op) => image_query::texture_sample_position(cx, op),
        Op::Feedback(op) => feedback::record_use(cx, op),

        // Ray queries.
        Op::RayQuery(op) => ray_query_op(cx, call, op),

        // Ray tracing stages.
        Op::DispatchRaysIndex(op) => ray_stages::ray_uint3(cx, BuiltIn::LaunchIdKHR, op.component),
        Op::DispatchRaysDimensions(op) => {
            ray_stages::ray_uint3(cx, BuiltIn::LaunchSizeKHR, op.component)
        }
        Op::WorldRayOrigin(op) => {
            ray_stages::ray_float3(cx, BuiltIn::WorldRayOriginKHR, op.component)
        }
        Op::WorldRayDirection(op) => {
            ray_stages::ray_float3(cx, BuiltIn::WorldRayDirectionKHR, op.component)
        }
        Op::ObjectRayOrigin(op) => {
            ray_stages::ray_float3(cx, BuiltIn::ObjectRayOriginKHR, op.component)
        }
        Op::ObjectRayDirection(op) => {
            ray_stages::ray_float3(cx, BuiltIn::ObjectRayDirectionKHR, op.component)
        }
        Op::ObjectToWorld(op) => {
            ray_stages::ray_matrix(cx, BuiltIn::ObjectToWorldKHR, op.row, op.column)
        }
        Op::WorldToObject(op) => {
            ray_stages::ray_matrix(cx, BuiltIn::WorldToObjectKHR, op.row, op.column)
        }
        Op::RayTMin(_) => ray_stages::ray_float(cx, BuiltIn::RayTminKHR),
        Op::RayTCurrent(_) => ray_stages::ray_float(cx, BuiltIn::RayTmaxKHR),
        Op::RayFlags(_) => ray_stages::ray_word(cx, BuiltIn::IncomingRayFlagsKHR),
        Op::HitKind(_) => ray_stages::ray_word(cx, BuiltIn::HitKindKHR),
        // D3D's instance id is the application's number, its index the position in the acceleration
        // structure.
        Op::InstanceID(_) => ray_stages::ray_word(cx, BuiltIn::InstanceCustomIndexKHR),
        Op::InstanceIndex(_) => ray_stages::ray_word(cx, BuiltIn::InstanceId),
        Op::PrimitiveIndex(_) => ray_stages::ray_word(cx, BuiltIn::PrimitiveId),
        Op::GeometryIndex(_) => ray_stages::ray_word(cx, BuiltIn::RayGeometryIndexKHR),
        Op::TraceRay(op) => ray_stages::trace_ray(cx, op),
        Op::CallShader(op) => ray_stages::call_shader(cx, op),
        Op::ReportHit(op) => ray_stages::report_hit(cx, op),
        Op::IgnoreHit(_) => ray_stages::end_hit(cx, SpirvOp::IgnoreIntersectionKHR),
        Op::AcceptHitAndEndSearch(_) => ray_stages::end_hit(cx, SpirvOp::TerminateRayKHR),

        // Hit objects.
        Op::HitObjectTraceRay(op) => hit_objects::trace_ray(cx, call, op),
        Op::HitObjectFromRayQuery(op) => hit_objects::from_query(cx, call, op.query, None),
        Op::HitObjectFromRayQueryWithAttrs(op) => {
            hit_objects::from_query(cx, call, op.query, Some((op.hit_kind, op.attributes)))
        }
        Op::HitObjectMakeMiss(op) => hit_objects::make_miss(cx, call, op),
        Op::HitObjectMakeNop(_) => hit_objects::make_nop(cx, call),
        Op::HitObjectInvoke(op) => hit_objects::invoke(cx, op),
        Op::MaybeReorderThread(op) => hit_objects::maybe_reorder_thread(cx, op),
        Op::HitObjectIsMiss(op) => hit_objects::test(cx, op.hit, SpirvOp::HitObjectIsMissEXT),
        Op::HitObjectIsHit(op) => hit_objects::test(cx, op.hit, SpirvOp::HitObjectIsHitEXT),
        Op::HitObjectIsNop(op) => hit_objects::test(cx, op.hit, SpirvOp::HitObjectIsEmptyEXT),
        Op::HitObjectRayFlags(op) => {
            hit_objects::load_word(cx, op.hit, Holds::Ray, SpirvOp::HitObjectGetRayFlagsEXT)
        }
        Op::HitObjectRayTMin(op) => {
            hit_objects::load_float(cx, op.hit, SpirvOp::HitObjectGetRayTMinEXT)
        }
        Op::HitObjectRayTCurrent(op) => {
            hit_objects::load_float(cx, op.hit, SpirvOp::HitObjectGetRayTMaxEXT)
        }
        Op::HitObjectWorldRayOrigin(op) => {
            let world = SpirvOp::HitObjectGetWorldRayOriginEXT;
            hit_objects::load_vector(cx, op.hit, op.component, world, None)
        }
        Op::HitObjectWorldRayDirection(op) => {
            let world = SpirvOp::HitObjectGetWorldRayDirectionEXT;
            hit_objects::load_vector(cx, op.hit, op.component, world, None)
        }
        Op::HitObjectObjectRayOrigin(op) => {
            let world = SpirvOp::HitObjectGetWorldRayOriginEXT;
            let object = SpirvOp::HitObjectGetObjectRayOriginEXT;
            hit_objects::load_vector(cx, op.hit, op.component, world, Some(object))
        }
        Op::HitObjectObjectRayDirection(op) => {
            let world = SpirvOp::HitObjectGetWorldRayDirectionEXT;
            let object = SpirvOp::HitObjectGetObjectRayDirectionEXT;
            hit_objects::load_vector(cx, op.hit, op.component, world, Some(object))
        }
        Op::HitObjectObjectToWorld3x4(op) => {
            let matrix = SpirvOp::HitObjectGetObjectToWorldEXT;
            hit_objects::load_matrix(cx, op.hit, [op.row, op.column], matrix)
        }
        Op::HitObjectWorldToObject3x4(op) => {
            let matrix = SpirvOp::HitObjectGetWorldToObjectEXT;
            hit_objects::load_matrix(cx, op.hit, [op.row, op.column], matrix)
        }
        Op::HitObjectGeometryIndex(op) => hit_objects::load_word(
            cx,
            op.hit,
            Holds::Hit,
            SpirvOp::HitObjectGetGeometryIndexEXT,
        ),
        Op::HitObjectInstanceIndex(op) => {
            hit_objects::load_word(cx, op.hit, Holds::Hit, SpirvOp::HitObjectGetInstanceIdEXT)
        }
        Op::HitObjectInstanceID(op) => {
            let index = SpirvOp::HitObjectGetInstanceCustomIndexEXT;
            hit_objects::load_word(cx, op.hit, Holds::Hit, index)
        }
        Op::HitObjectPrimitiveIndex(op) => hit_objects::load_word(
            cx,
            op.hit,
            Holds::Hit,
            SpirvOp::HitObjectGetPrimitiveIndexEXT,
        ),
        Op::HitObjectHitKind(op) => {
            hit_objects::load_word(cx, op.hit, Holds::Hit, SpirvOp::HitObjectGetHitKindEXT)
        }
        Op::HitObjectShaderTableIndex(op) => {
            let index = SpirvOp::HitObjectGetShaderBindingTableRecordIndexEXT;
            hit_objects::load_word(cx, op.hit, Holds::Ray, index)
        }
        Op::HitObjectSetShaderTableIndex(op) => hit_objects::set_table_index(cx, call, op),
        Op::HitObjectLoadLocalRootTableConstant(op) => hit_objects::root_constant(cx, op),
        Op::HitObjectAttributes(op) => hit_objects::get_attributes(cx, op),

        // Nodes of work graphs. The node's metadata contains the properties of its handles, and
        // records are sent when the dispatch ends.
        Op::AllocateNodeOutputRecords(op) => nodes::allocate_records(cx, op),
        Op::GetNodeRecordPtr(op) => nodes::record_address(cx, call, op),
        Op::IncrementOutputCount(op) => nodes::increment_output(cx, op),
        Op::OutputComplete(_) => node::current_node(&cx.input).map(|_| Value::Unset),
        Op::GetInputRecordCount(_) => nodes::input_count(cx),
        Op::FinishedCrossGroupSharing(_) => nodes::finished_sharing(cx),
        Op::Barrier(BarrierOp::BarrierByNodeRecordHandle(op)) => nodes::barrier_by_record(cx, op),
        Op::CreateNodeOutputHandle(op) => nodes::node_output(cx, op),
        Op::IndexNodeHandle(op) => nodes::index_node(cx, op),
        Op::AnnotateNodeHandle(op) => cx.id(op.node).map(Value::Id),
        Op::CreateNodeInputRecordHandle(op) => nodes::node_input(cx, op),
        Op::AnnotateNodeRecordHandle(op) => cx.id(op.record).map(Value::Id),
        Op::NodeOutputIsValid(op) => nodes::output_is_valid(cx, op),
        Op::GetRemainingRecursionLevels(_) => nodes::recursion_left(cx),

        // Vectors were scalarized before (`vectors/`), so such a call has no vector and is
        // malformed.
        Op::Vector(op) => Err(Error::malformed(format!(
            "operation {} without a vector",
            op.opcode().name()
        ))),
    }
}
