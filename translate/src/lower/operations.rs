//! The match over all DXIL operations, by the sections of the op table. Each arm names the family
//! that lowers a section; its `mod.rs` matches the operations of the section and names the file and
//! the function of each. No match has a `_` arm, so a new row of the op table stops the build.

use dxil_frontend::dxil::ops::{Op, VectorOp};

use super::{
    buffers, graphs, images, memory, numbers, preview, rays, resources, signatures, stages, waves,
};
use crate::lower::context::Context;
use crate::lower::values::{Call, LoweredValue};
use crate::{Result, spirv};

/// Lowers a call of a DXIL operation. Returns what the call's value becomes.
///
/// # Errors
///
/// `Malformed` for calls that break DXIL's rules, `Unsupported` and `TargetLacks` for what SPIR-V
/// or the target cannot do.
pub(super) fn lower_op(cx: &mut Context<'_>, call: &Call, op: &Op) -> Result<LoweredValue> {
    match op {
        Op::Float(op) => numbers::lower_float(cx, call, op),
        Op::Integer(op) => numbers::lower_integer(cx, op),
        Op::Bits(op) => numbers::lower_bits(cx, call, op),
        Op::Register(op) => memory::lower_register(cx, call, op),
        Op::Signature(op) => signatures::lower_signature(cx, call, op),
        Op::SystemValue(op) => signatures::lower_system_value(cx, op),
        Op::ThreadId(op) => signatures::lower_thread_id(cx, op),
        Op::Stream(op) => stages::lower_stream(cx, op),
        Op::Mesh(op) => stages::lower_mesh(cx, call, op),
        Op::CrossLane(op) => waves::lower_cross_lane(cx, call, op),
        Op::Derivative(op) => waves::lower_derivative(cx, op),
        Op::Barrier(op) => memory::lower_barrier(cx, op),
        Op::Handle(op) => resources::lower_handle(cx, call, op),
        Op::Buffer(op) => buffers::lower_buffer(cx, call, op),
        Op::Texture(op) => images::lower_texture(cx, call, op),
        Op::Sampling(op) => images::lower_sampling(cx, call, op),
        Op::Feedback(op) => images::lower_feedback(cx, op),
        Op::ResourceAtomic(op) => resources::lower_atomic(cx, call, op),
        Op::RayQuery(op) => rays::lower_ray_query(cx, call, op),
        Op::RayTracing(op) => rays::lower_ray_stage(cx, op),
        Op::HitObject(op) => rays::lower_hit_object(cx, call, op),
        Op::Node(op) => graphs::lower_node(cx, call, op),
        Op::Vector(op) => lower_vector(cx, call, op),
        Op::Preview(op) => preview::lower_preview(cx, call, op),
        Op::LinAlg(op) => preview::lower_matrix(cx, call, op),
    }
}

/// Lowers operations on native vectors as wholes. Those on vectors that do not stay whole became
/// operations on scalars before (`vectors/`).
fn lower_vector(cx: &mut Context<'_>, call: &Call, op: &VectorOp) -> Result<LoweredValue> {
    match op {
        VectorOp::RawBufferVectorLoad(op) => buffers::load_vector(cx, call, op),
        VectorOp::RawBufferVectorStore(op) => buffers::store_vector(cx, op),
        VectorOp::VectorReduceAnd(op) => numbers::reduce(cx, spirv::Op::All, op.a),
        VectorOp::VectorReduceOr(op) => numbers::reduce(cx, spirv::Op::Any, op.a),
        VectorOp::FDot(op) => numbers::dot(cx, call, op.a, op.b),
    }
}
