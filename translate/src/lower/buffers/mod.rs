//! Buffers: constant, raw, structured and typed ones.

pub(super) mod cbuffer;
pub(super) mod raw;
pub(super) mod rows;
pub(super) mod texel_codec;
pub(super) mod typed;
pub(super) mod words;
