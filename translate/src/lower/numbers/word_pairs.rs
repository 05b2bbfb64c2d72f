//! Values of 16 and 64 bits out of 32-bit words, and back.

use crate::Result;
use crate::lower::context::{Context, Input};
use crate::lower::type_map::Scalar;
use crate::lower::types;
use crate::options::Style;
use crate::spirv::{Builder, Id, Op};

/// Returns two words as a 64-bit value.
pub(in crate::lower) fn join_words(
    cx: &mut Context<'_>,
    low: Id,
    high: Id,
    scalar: Scalar,
) -> Result<Id> {
    let ty = types::scalar_ty(cx, scalar)?;
    if cx.input.options.target.style == Style::Portable {
        // naga casts no vectors to wider scalars.
        let wide = cx.b.uint(64);
        let low = cx.b.emit(Op::UConvert, wide, &[low]);
        let high = cx.b.emit(Op::UConvert, wide, &[high]);
        let shift = cx.b.const_u32(32);
        let high = cx.b.emit(Op::ShiftLeftLogical, wide, &[high, shift]);
        let bits = cx.b.emit(Op::BitwiseOr, wide, &[low, high]);
        return Ok(match scalar {
            Scalar::Float { .. } => cx.b.bitcast(ty, bits),
            _ => bits,
        });
    }
    // A bitcast of two words has the low word first (SPIR-V specification, OpBitcast).
    let word = cx.b.u32();
    let pair_ty = cx.b.vector(word, 2);
    let pair = cx.b.construct(pair_ty, &[low, high]);
    Ok(cx.b.bitcast(ty, pair))
}

/// Returns a 64-bit value as two words, the low one first.
pub(in crate::lower) fn split_words(
    b: &mut Builder,
    input: &Input<'_>,
    value: Id,
    scalar: Scalar,
) -> [Id; 2] {
    let word = b.u32();
    if input.options.target.style == Style::Portable {
        let wide = b.uint(64);
        let bits = match scalar {
            Scalar::Float { .. } => b.bitcast(wide, value),
            _ => value,
        };
        let shift = b.const_u32(32);
        let high = b.emit(Op::ShiftRightLogical, wide, &[bits, shift]);
        return [bits, high].map(|half| b.emit(Op::UConvert, word, &[half]));
    }
    let pair_ty = b.vector(word, 2);
    let pair = b.bitcast(pair_ty, value);
    [0, 1].map(|part| b.extract(word, pair, part))
}
