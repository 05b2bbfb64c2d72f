//! Halves in the low bits of a word.

use crate::lower::context::Context;
use crate::lower::type_map::NumericShape;
use crate::lower::types;
use crate::spirv::{Builder, GLOp, Id, Op};
use crate::{Error, Result};

/// Returns the min-precision half in the low 16 bits of a word, as a float.
pub(in crate::lower) fn half_from_bits(b: &mut Builder, word: Id) -> Result<Id> {
    let ty = b.f32();
    let pair = b.vector(ty, 2);
    let both = b.glsl(GLOp::UnpackHalf2x16, pair, &[word]);
    Ok(b.extract(ty, both, 0))
}

/// Returns the half in the low bits of a word as a float. No operation has a denormal operand or
/// result, so it does not matter whether the driver flushes them.
pub(super) fn exact_from_bits(b: &mut Builder, word: Id) -> Id {
    /// The difference of the exponents' biases, where a float has its exponent.
    const BIAS: u32 = 112 << 23;
    let (uint, float, bool_ty) = (b.u32(), b.f32(), b.bool());
    let magnitude = b.u32_and(word, 0x7fff);
    // A denormal half is a multiple of 2^-24.
    let small = b.emit(Op::ConvertUToF, float, &[magnitude]);
    let unit = b.const_f32(2.0_f32.powi(-24));
    let small = b.emit(Op::FMul, float, &[small, unit]);
    let small = b.bitcast(uint, small);
    let thirteen = b.const_u32(13);
    let shifted = b.emit(Op::ShiftLeftLogical, uint, &[magnitude, thirteen]);
    // The largest exponent stays the largest: infinities and NaN.
    let [first_infinite, first_normal] = [0x7c00, 0x400].map(|bits| b.const_u32(bits));
    let finite = b.emit(Op::ULessThan, bool_ty, &[magnitude, first_infinite]);
    let [bias, twice] = [BIAS, 2 * BIAS].map(|bits| b.const_u32(bits));
    let bias = b.select(uint, finite, bias, twice);
    let large = b.emit(Op::IAdd, uint, &[shifted, bias]);
    let denormal = b.emit(Op::ULessThan, bool_ty, &[magnitude, first_normal]);
    let magnitude = b.select(uint, denormal, small, large);
    let sign = b.u32_and(word, 0x8000);
    let sixteen = b.const_u32(16);
    let sign = b.emit(Op::ShiftLeftLogical, uint, &[sign, sixteen]);
    let bits = b.emit(Op::BitwiseOr, uint, &[sign, magnitude]);
    b.bitcast(float, bits)
}

/// Returns the bits of a min-precision half, which lives in a float, in the low half of a word.
pub(in crate::lower) fn half_to_bits(
    b: &mut Builder,
    shape: NumericShape,
    value: Id,
) -> Result<Id> {
    if shape.count != 1 {
        return Err(Error::unsupported("bits of a min-precision vector"));
    }
    let float = b.f32();
    let zero = b.const_f32(0.0);
    let pair = b.vector(float, 2);
    let both = b.construct(pair, &[value, zero]);
    let word = b.u32();
    Ok(b.glsl(GLOp::PackHalf2x16, word, &[both]))
}

/// Returns the result of an instruction on halves, rounded to one. Sums, products, quotients and
/// square roots of halves come out as halves would: a float has more than twice their bits.
pub(in crate::lower) fn round_half(
    cx: &mut Context<'_>,
    shape: NumericShape,
    id: Id,
) -> Result<Id> {
    if !cx.module.types.rounded_half || !shape.scalar.is_relaxed() {
        return Ok(id);
    }
    let float = cx.b.f32();
    let mut rounded = Vec::with_capacity(4);
    for index in 0..shape.count {
        let value = match shape.count {
            1 => id,
            _ => cx.b.extract(float, id, index),
        };
        let word = half_to_bits(&mut cx.b, NumericShape::scalar(shape.scalar), value)?;
        rounded.push(half_from_bits(&mut cx.b, word)?);
    }
    if let [one] = rounded.as_slice() {
        return Ok(*one);
    }
    let ty = types::shape_ty(cx, shape)?;
    Ok(cx.b.construct(ty, &rounded))
}
