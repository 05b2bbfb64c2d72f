//! Textures: loads, stores, sampling, queries, atomics and feedback.

mod feedback;
mod feedback_neighbours;
mod image_query;
pub(super) mod image_types;
mod levels;
pub(super) mod sample;
pub(super) mod sample_positions;
pub(super) mod texel_bounds;
pub(super) mod texel_buffers;
pub(super) mod texels;
pub(super) mod texture;

use dxil_frontend::dxil::ops::{FeedbackOp, SamplingOp, TextureOp};

use crate::Result;
use crate::lower::context::Context;
use crate::lower::values::{Call, LoweredValue};

/// Lowers loads, stores, gathers and queries of textures.
pub(super) fn lower_texture(
    cx: &mut Context<'_>,
    call: &Call,
    op: &TextureOp,
) -> Result<LoweredValue> {
    match op {
        TextureOp::CheckAccessFullyMapped(op) => texture::check_access_fully_mapped(cx, op),
        TextureOp::TextureLoad(op) => texture::load(cx, call, op),
        TextureOp::TextureStore(op) => texture::store(cx, op),
        TextureOp::TextureStoreSample(op) => texture::store_sample(cx, op),
        TextureOp::TextureGather(op) => sample::texture_gather(cx, call, op),
        TextureOp::TextureGatherCmp(op) => sample::texture_gather_cmp(cx, call, op),
        TextureOp::TextureGatherRaw(op) => sample::texture_gather_raw(cx, call, op),
        TextureOp::GetDimensions(op) => image_query::get_dimensions(cx, call, op),
        TextureOp::CalculateLOD(op) => image_query::calculate_lod(cx, op),
        TextureOp::Texture2DMSGetSamplePosition(op) => image_query::texture_sample_position(cx, op),
    }
}

/// Lowers sampling.
pub(super) fn lower_sampling(
    cx: &mut Context<'_>,
    call: &Call,
    op: &SamplingOp,
) -> Result<LoweredValue> {
    sample::lower(cx, call, op)
}

/// Lowers writes of sampler feedback.
pub(super) fn lower_feedback(cx: &mut Context<'_>, op: &FeedbackOp) -> Result<LoweredValue> {
    feedback::record_use(cx, op)
}
