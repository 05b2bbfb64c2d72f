//! What one resource operation does with its resource.

use dxil_frontend::dxil::ops::{
    BarrierMode, BarrierSemantics, MemoryTypes, Op, Opcode, decode, decode_opcode,
};
use dxil_frontend::ir::{FuncView, List, Type, TypeId, ValueId};

use super::view::Usage;
use crate::Result;

/// The handles of an operation and the usage it means.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Access {
    /// The resource; `None` if the operation has none.
    pub(super) handle: Option<ValueId>,
    /// The sampler.
    pub(super) sampler: Option<ValueId>,
    /// The feedback map, which is changed by atomics.
    pub(super) feedback: Option<ValueId>,
    /// What is done.
    pub(super) usage: Usage,
}

/// Whether a call is about other lanes: of the wave, or of the quad.
pub(super) fn is_of_lanes(view: FuncView<'_>, args: List<ValueId>) -> Result<bool> {
    use Opcode as O;
    let args = view.function.values_of(args);
    Ok(matches!(
        decode_opcode(view, args)?,
        O::DerivCoarseX
            | O::DerivCoarseY
            | O::DerivFineX
            | O::DerivFineY
            | O::WaveIsFirstLane
            | O::WaveGetLaneIndex
            | O::WaveGetLaneCount
            | O::WaveAnyTrue
            | O::WaveAllTrue
            | O::WaveActiveAllEqual
            | O::WaveActiveBallot
            | O::WaveReadLaneAt
            | O::WaveReadLaneFirst
            | O::WaveActiveOp
            | O::WaveActiveBit
            | O::WavePrefixOp
            | O::QuadReadLaneAt
            | O::QuadOp
            | O::WaveAllBitCount
            | O::WavePrefixBitCount
            | O::WaveMatch
            | O::WaveMultiPrefixOp
            | O::WaveMultiPrefixBitCount
            | O::QuadVote
    ))
}

/// Decodes the call if it is one of a resource operation.
pub(super) fn resource_op(view: FuncView<'_>, args: List<ValueId>) -> Result<Option<Op>> {
    use Opcode as O;
    let args = view.function.values_of(args);
    match decode_opcode(view, args)? {
        O::Discard
        | O::CreateHandle
        | O::CreateHandleForLib
        | O::CreateHandleFromBinding
        | O::CreateHandleFromHeap
        | O::AnnotateHandle
        | O::CBufferLoad
        | O::CBufferLoadLegacy
        | O::Sample
        | O::SampleBias
        | O::SampleLevel
        | O::SampleGrad
        | O::SampleCmp
        | O::SampleCmpLevelZero
        | O::SampleCmpLevel
        | O::SampleCmpBias
        | O::SampleCmpGrad
        | O::TextureLoad
        | O::TextureStore
        | O::TextureStoreSample
        | O::TextureGather
        | O::TextureGatherCmp
        | O::TextureGatherRaw
        | O::BufferLoad
        | O::BufferStore
        | O::RawBufferLoad
        | O::RawBufferStore
        | O::RawBufferVectorLoad
        | O::RawBufferVectorStore
        | O::BufferUpdateCounter
        | O::GetDimensions
        | O::Texture2DMSGetSamplePosition
        | O::CalculateLOD
        | O::AtomicBinOp
        | O::AtomicCompareExchange
        | O::WriteSamplerFeedback
        | O::WriteSamplerFeedbackBias
        | O::WriteSamplerFeedbackLevel
        | O::WriteSamplerFeedbackGrad
        | O::TraceRay
        | O::HitObjectTraceRay
        | O::RayQueryTraceRayInline
        | O::Barrier
        | O::BarrierByMemoryType
        | O::BarrierByMemoryHandle => Ok(Some(decode(view, args)?)),
        _ => Ok(None),
    }
}

/// Whether an operation is a barrier for UAV memory, and whether it waits for the thread group.
pub(super) fn barrier_of(op: &Op) -> (bool, bool) {
    let sync = |semantics: BarrierSemantics| semantics.contains(BarrierSemantics::GROUP_SYNC);
    match op {
        Op::Barrier(op) => (
            op.mode
                .intersects(BarrierMode::UAV_FENCE_GLOBAL | BarrierMode::UAV_FENCE_THREAD_GROUP),
            op.mode.contains(BarrierMode::SYNC_THREAD_GROUP),
        ),
        Op::BarrierByMemoryType(op) => (op.memory.contains(MemoryTypes::UAV), sync(op.semantics)),
        Op::BarrierByMemoryHandle(op) => (true, sync(op.semantics)),
        _ => (false, false),
    }
}

/// Whether the result is a handle.
pub(super) fn is_handle_op(op: &Op) -> bool {
    matches!(
        op,
        Op::CreateHandle(_)
            | Op::CreateHandleForLib(_)
            | Op::CreateHandleFromBinding(_)
            | Op::CreateHandleFromHeap(_)
            | Op::AnnotateHandle(_)
    )
}

/// The handles that an operation works on: resource, sampler, feedback map.
pub(crate) fn handles_of(op: &Op, view: FuncView<'_>) -> [Option<ValueId>; 3] {
    let access = access_of(op, view, None, 0);
    [access.handle, access.sampler, access.feedback]
}

/// What the operation does. `used` tells which members of its result are looked at.
pub(super) fn access_of(op: &Op, view: FuncView<'_>, result: Option<ValueId>, used: u8) -> Access {
    let types = &view.module.types;
    let result_width = || {
        let first = result.and_then(|id| view.type_of(id)).map(|ty| {
            if let Type::Struct { fields, .. } = types.get(ty) {
                fields.first().copied().unwrap_or(ty)
            } else {
                ty
            }
        });
        width(view, first)
    };
    let operand_width = |value: ValueId| width(view, view.type_of(value));
    // Buffers' and textures' results end with the residency status; a vector's is member 1.
    let status = |member: u8| {
        if used >> member & 1 != 0 {
            Usage::RESIDENCY
        } else {
            Usage::empty()
        }
    };
    // An absent one is that of a raw or typed buffer.
    let offset = |offset: Option<ValueId>| match offset.map(|offset| view.constant_int(offset)) {
        Some(None) => Usage::DYNAMIC_OFFSET,
        Some(Some(_)) | None => Usage::empty(),
    };
    let plain = |handle, usage| Access {
        handle: Some(handle),
        usage,
        ..Access::default()
    };
    let filtered = |handle, sampler, usage| Access {
        handle: Some(handle),
        sampler: Some(sampler),
        feedback: None,
        usage: usage | Usage::READ | status(4),
    };
    let feedback = |feedback, handle, sampler| Access {
        handle: Some(handle),
        sampler: Some(sampler),
        feedback: Some(feedback),
        usage: Usage::QUERIED | Usage::SAMPLED,
    };
    match op {
        Op::CBufferLoad(op) => plain(op.buffer, Usage::READ | Usage::WIDTH_32),
        Op::CBufferLoadLegacy(op) => plain(op.buffer, Usage::READ | Usage::WIDTH_32),
        Op::BufferLoad(op) => plain(
            op.buffer,
            Usage::READ | result_width() | status(4) | offset(op.element_offset.expand()),
        ),
        Op::RawBufferLoad(op) => plain(
            op.buffer,
            Usage::READ | result_width() | status(4) | offset(op.element_offset.expand()),
        ),
        Op::RawBufferVectorLoad(op) => plain(
            op.buffer,
            Usage::READ | result_width() | status(1) | offset(op.element_offset.expand()),
        ),
        Op::BufferStore(op) => plain(
            op.buffer,
            Usage::WRITE | operand_width(op.values[0]) | offset(op.element_offset.expand()),
        ),
        Op::RawBufferStore(op) => plain(
            op.buffer,
            Usage::WRITE | operand_width(op.values[0]) | offset(op.element_offset.expand()),
        ),
        Op::RawBufferVectorStore(op) => plain(
            op.buffer,
            Usage::WRITE | operand_width(op.value) | offset(op.element_offset.expand()),
        ),
        Op::TextureLoad(op) => plain(op.texture, Usage::READ | status(4)),
        Op::TextureStore(op) => plain(op.texture, Usage::WRITE),
        Op::TextureStoreSample(op) => plain(op.texture, Usage::WRITE),
        Op::Sample(op) => filtered(op.texture, op.sampler, Usage::SAMPLED),
        Op::SampleBias(op) => filtered(op.texture, op.sampler, Usage::SAMPLED),
        Op::SampleLevel(op) => filtered(op.texture, op.sampler, Usage::SAMPLED),
        Op::SampleGrad(op) => filtered(op.texture, op.sampler, Usage::SAMPLED),
        Op::TextureGather(op) => filtered(op.texture, op.sampler, Usage::SAMPLED),
        Op::TextureGatherRaw(op) => filtered(op.texture, op.sampler, Usage::SAMPLED),
        Op::SampleCmp(op) => filtered(op.texture, op.sampler, Usage::COMPARED),
        Op::SampleCmpLevelZero(op) => filtered(op.texture, op.sampler, Usage::COMPARED),
        Op::SampleCmpLevel(op) => filtered(op.texture, op.sampler, Usage::COMPARED),
        Op::SampleCmpBias(op) => filtered(op.texture, op.sampler, Usage::COMPARED),
        Op::SampleCmpGrad(op) => filtered(op.texture, op.sampler, Usage::COMPARED),
        Op::TextureGatherCmp(op) => filtered(op.texture, op.sampler, Usage::COMPARED),
        Op::CalculateLOD(op) => Access {
            handle: Some(op.resource),
            sampler: Some(op.sampler),
            feedback: None,
            usage: Usage::QUERIED | Usage::SAMPLED,
        },
        Op::GetDimensions(op) => plain(op.resource, Usage::QUERIED),
        Op::Texture2DMSGetSamplePosition(op) => plain(op.texture, Usage::QUERIED),
        Op::BufferUpdateCounter(op) => plain(op.buffer, Usage::COUNTER),
        Op::AtomicBinOp(op) => plain(op.resource, atomic(operand_width(op.value))),
        Op::AtomicCompareExchange(op) => plain(op.resource, atomic(operand_width(op.value))),
        Op::WriteSamplerFeedback(op) => feedback(op.feedback, op.texture, op.sampler),
        Op::WriteSamplerFeedbackBias(op) => feedback(op.feedback, op.texture, op.sampler),
        Op::WriteSamplerFeedbackLevel(op) => feedback(op.feedback, op.texture, op.sampler),
        Op::WriteSamplerFeedbackGrad(op) => feedback(op.feedback, op.texture, op.sampler),
        Op::TraceRay(op) => plain(op.acceleration_structure, Usage::READ),
        Op::HitObjectTraceRay(op) => plain(op.acceleration_structure, Usage::READ),
        Op::RayQueryTraceRayInline(op) => plain(op.acceleration_structure, Usage::READ),
        // A barrier on an object orders memory; it needs no descriptor.
        _ => Access::default(),
    }
}

fn atomic(width: Usage) -> Usage {
    if width == Usage::WIDTH_64 {
        Usage::ATOMIC_64
    } else {
        Usage::ATOMIC_32 | Usage::WIDTH_32
    }
}

fn width(view: FuncView<'_>, ty: Option<TypeId>) -> Usage {
    let types = &view.module.types;
    let bits = ty.and_then(|ty| types.scalar_bits(types.scalar_of(ty)));
    match bits {
        Some(16) => Usage::WIDTH_16,
        Some(64) => Usage::WIDTH_64,
        _ => Usage::WIDTH_32,
    }
}
