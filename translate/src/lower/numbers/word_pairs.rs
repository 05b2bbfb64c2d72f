//! Values of 16 and 64 bits out of 32-bit words, and back.

use crate::Result;
use crate::lower::context::Context;
use crate::lower::type_map::Scalar;
use crate::lower::types;
use crate::spirv::{Builder, Id};

/// Returns two words as a 64-bit value.
pub(in crate::lower) fn join_words(
    cx: &mut Context<'_>,
    low: Id,
    high: Id,
    scalar: Scalar,
) -> Result<Id> {
    let ty = types::scalar_ty(cx, scalar)?;
    // A bitcast of two words has the low word first (SPIR-V specification, OpBitcast).
    let word = cx.b.u32();
    let pair_ty = cx.b.vector(word, 2);
    let pair = cx.b.construct(pair_ty, &[low, high]);
    Ok(cx.b.bitcast(ty, pair))
}

/// Returns a 64-bit value as two words, the low one first.
pub(in crate::lower) fn split_words(b: &mut Builder, value: Id) -> [Id; 2] {
    let word = b.u32();
    let pair_ty = b.vector(word, 2);
    let pair = b.bitcast(pair_ty, value);
    [0, 1].map(|part| b.extract(word, pair, part))
}
