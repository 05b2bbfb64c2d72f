//! Operations on resources: class and kind of the handle, coordinates, offsets, masks.
//!
//! [`check`] hands each operation to the file that has its rules.

mod atomics;
mod buffers;
mod call;
mod coordinates;
mod counters;
mod creation;
mod dimensions;
mod sampling;
mod status;
mod stores;
mod textures;

pub(super) use counters::Counters;
pub(super) use dimensions::Dimensions;

use atomics::check_atomic;
use buffers::{check_buffer_load, check_cbuffer, check_coordinates, check_wide};
use call::Call;
use counters::check_counter;
use creation::check_creation;
use dimensions::check_dimensions;
use sampling::{check_gather, check_lod, check_sampled, check_sampling};
use status::check_status;
use stores::{check_mask, check_store_class};
use textures::{check_sample_position, check_texture_load, check_texture_store};

use crate::dxil::ops::{
    BufferOp, FeedbackOp, HandleOperand, HitObjectOp, Op, RayQueryOp, RayTracingOp,
    ResourceAtomicOp, ResourceRule, Role, Shown, TextureOp, VectorOp,
};
use crate::ir::{FuncView, InstData, ValueId};
use crate::validate::context::{InstLocation, ValidationContext};
use crate::validate::handle_facts::HandleFacts;
use crate::validate::handles::handle_of;
use crate::validate::rules::Rule;

/// Checks an operation.
pub(super) fn check(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    data: &InstData,
    op: &Op,
    counters: &mut Counters,
) {
    let call = Call {
        cx,
        view,
        location,
        op: op.opcode(),
    };
    match op {
        Op::Handle(handle) => check_creation(&call, handle),
        Op::Sampling(op) => check_sampling(&call, op),
        Op::Texture(TextureOp::TextureGather(op)) => {
            let sampler = (op.sampler, false);
            check_gather(&call, op.texture, sampler, &op.coords, &op.offsets);
        }
        Op::Texture(TextureOp::TextureGatherCmp(op)) => {
            let sampler = (op.sampler, true);
            check_gather(&call, op.texture, sampler, &op.coords, &op.offsets);
        }
        Op::Texture(TextureOp::TextureGatherRaw(op)) => {
            let sampler = (op.sampler, false);
            check_gather(&call, op.texture, sampler, &op.coords, &op.offsets);
        }
        Op::Texture(TextureOp::CalculateLOD(op)) => {
            check_lod(&call, op.resource, op.sampler, &op.coords)
        }
        Op::Feedback(feedback) => {
            let texture = match feedback {
                FeedbackOp::WriteSamplerFeedback(op) => op.texture,
                FeedbackOp::WriteSamplerFeedbackBias(op) => op.texture,
                FeedbackOp::WriteSamplerFeedbackLevel(op) => op.texture,
                FeedbackOp::WriteSamplerFeedbackGrad(op) => op.texture,
            };
            check_handles(&call, op);
            check_sampled(&call, texture);
        }
        Op::Texture(TextureOp::GetDimensions(op)) => check_dimensions(&call, op.resource, op.mip),
        Op::Texture(TextureOp::TextureLoad(op)) => {
            check_texture_load(&call, op.texture, op.mip_or_sample, &op.offsets);
        }
        Op::Texture(TextureOp::TextureStore(op)) => {
            check_texture_store(&call, op.texture, &op.values, op.mask)
        }
        Op::Texture(TextureOp::TextureStoreSample(op)) => {
            check_texture_store(&call, op.texture, &op.values, op.mask);
        }
        Op::Buffer(BufferOp::BufferLoad(op)) => {
            check_buffer_load(&call, op.buffer, op.element_offset)
        }
        Op::Buffer(BufferOp::BufferStore(op)) => {
            if let Some(handle) = check_store_class(&call, op.buffer) {
                check_mask(&call, &op.values, op.mask, handle.is_typed());
                check_coordinates(&call, handle, op.element_offset);
            }
        }
        Op::Buffer(BufferOp::RawBufferLoad(op)) => {
            check_wide(&call, data);
            check_buffer_load(&call, op.buffer, op.element_offset);
        }
        Op::Buffer(BufferOp::RawBufferStore(op)) => {
            check_wide(&call, data);
            check_mask(&call, &op.values, op.mask, false);
            if let Some(handle) = check_store_class(&call, op.buffer) {
                check_coordinates(&call, handle, op.element_offset);
            }
        }
        Op::Vector(VectorOp::RawBufferVectorLoad(op)) => {
            check_buffer_load(&call, op.buffer, op.element_offset);
        }
        Op::Vector(VectorOp::RawBufferVectorStore(op)) => {
            if call.is_undef(op.value) {
                call.report(Rule::InstrUndefinedValueForUAVStore, "the value is undef");
            }
            if let Some(handle) = check_store_class(&call, op.buffer) {
                check_coordinates(&call, handle, op.element_offset);
            }
        }
        Op::Buffer(BufferOp::CBufferLoad(op)) => check_cbuffer(&call, op.buffer, op.byte_offset, 1),
        Op::Buffer(BufferOp::CBufferLoadLegacy(op)) => {
            check_cbuffer(&call, op.buffer, op.register, 16)
        }
        Op::ResourceAtomic(ResourceAtomicOp::BufferUpdateCounter(op)) => {
            check_counter(&call, op.buffer, op.increment, counters);
        }
        Op::ResourceAtomic(ResourceAtomicOp::AtomicBinOp(op)) => {
            check_atomic(&call, data, op.resource)
        }
        Op::ResourceAtomic(ResourceAtomicOp::AtomicCompareExchange(op)) => {
            check_atomic(&call, data, op.resource)
        }
        Op::Texture(TextureOp::CheckAccessFullyMapped(op)) => check_status(&call, op.status),
        Op::RayTracing(RayTracingOp::TraceRay(op)) => {
            check_acceleration_structure(&call, op.acceleration_structure)
        }
        Op::HitObject(HitObjectOp::HitObjectTraceRay(op)) => {
            check_acceleration_structure(&call, op.acceleration_structure);
        }
        Op::RayQuery(RayQueryOp::RayQueryTraceRayInline(op)) => {
            check_acceleration_structure(&call, op.acceleration_structure);
        }
        Op::Texture(TextureOp::Texture2DMSGetSamplePosition(op)) => {
            check_sample_position(&call, op.texture);
        }
        _ => check_handles(&call, op),
    }
}

/// Checks that the handles among the operands are handles.
fn check_handles(call: &Call<'_, '_>, op: &Op) {
    op.show_operands(&mut |_, role, shown| {
        if let (true, Shown::Value(value)) = (role.is_handle(), shown)
            && role != Role::AccelerationStructure
            && let Some(handle) = call.handle(value)
        {
            check_role(call, role, handle);
        }
    });
}

/// Checks what the operand's role alone asks for.
fn check_role(call: &Call<'_, '_>, role: Role, handle: HandleFacts) {
    let kind = handle.kind;
    let fits = |operand, fits: fn(ResourceRule, HandleFacts) -> bool| {
        let rule = call.op.resource_rule(operand);
        rule.is_none_or(|rule| fits(rule, handle))
    };
    let rule = match role {
        Role::Sampler if !fits(HandleOperand::Sampler, |rule, h| rule.classes.has(h.class)) => {
            Rule::InstrSamplerModeForSample
        }
        Role::FeedbackMap
            if !fits(HandleOperand::FeedbackMap, |rule, h| rule.kinds.has(h.kind)) =>
        {
            Rule::InstrResourceKindForTextureStore
        }
        _ => return,
    };
    call.report(rule, format_args!("the resource is a {kind:?}"));
}

fn check_acceleration_structure(call: &Call<'_, '_>, value: ValueId) {
    let handle = handle_of(call.cx, call.view, value);
    let found = handle.map(|handle| (handle.class, handle.kind));
    if !found.is_some_and(|(class, kind)| call.allows_class(class) && call.allows_kind(kind)) {
        let kind = found.map(|(_, kind)| kind);
        let detail = format_args!("the resource is a {kind:?}");
        call.report(Rule::InstrResourceKindForTraceRay, detail);
    }
}
