//! Buffers: constant, raw, structured and typed ones.

mod cbuffer;
pub(super) mod early_rows;
mod min_precision;
pub(super) mod raw;
mod raw_vectors;
mod rows;
pub(super) mod state;
mod texel_codec;
mod typed;
mod vectors;
pub(super) mod words;

use dxil_frontend::dxil::ops::BufferOp;

use crate::Result;
use crate::lower::context::Context;
use crate::lower::values::{Call, LoweredValue};
pub(super) use cbuffer::load_copied;
pub(super) use vectors::{load as load_vector, store as store_vector};

/// Lowers loads and stores of buffers.
pub(super) fn lower_buffer(
    cx: &mut Context<'_>,
    call: &Call,
    op: &BufferOp,
) -> Result<LoweredValue> {
    match op {
        BufferOp::CBufferLoad(op) => cbuffer::load(cx, call, op),
        BufferOp::CBufferLoadLegacy(op) => cbuffer::load_legacy(cx, call, op),
        BufferOp::BufferLoad(op) => typed::load(cx, call, op),
        BufferOp::BufferStore(op) => typed::store(cx, op),
        BufferOp::RawBufferLoad(op) => raw::load(cx, call, op),
        BufferOp::RawBufferStore(op) => raw::store(cx, op),
    }
}
