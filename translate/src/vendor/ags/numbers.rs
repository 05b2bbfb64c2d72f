//! Minimum, median and maximum of three, and conversions to halves.

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{BinaryOp, CastOp, CmpPredicate, ValueId};

use super::table::Sign;
use crate::Result;
use crate::vendor::writer::FunctionWriter;

/// Minimum or maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extreme {
    Min,
    Max,
}

/// Returns the lesser or greater of two words.
pub(super) fn extreme(
    w: &mut FunctionWriter<'_, '_, '_>,
    which: Extreme,
    sign: Sign,
    a: ValueId,
    b: ValueId,
) -> Result<ValueId> {
    let word = w.int_ty(32);
    if sign == Sign::Unsigned {
        let opcode = match which {
            Extreme::Min => Opcode::UMin,
            Extreme::Max => Opcode::UMax,
        };
        return w.operation(opcode, Some(word), word, &[a, b]);
    }
    let float = w.float_ty();
    let a = w.cast(CastOp::Bitcast, a, float)?;
    let b = w.cast(CastOp::Bitcast, b, float)?;
    let opcode = match which {
        Extreme::Min => Opcode::FMin,
        Extreme::Max => Opcode::FMax,
    };
    let chosen = w.operation(opcode, Some(float), float, &[a, b])?;
    w.cast(CastOp::Bitcast, chosen, word)
}

/// Returns the word in the middle of three.
pub(super) fn median(
    w: &mut FunctionWriter<'_, '_, '_>,
    sign: Sign,
    [a, b, c]: [ValueId; 3],
) -> Result<ValueId> {
    let min = extreme(w, Extreme::Min, sign, a, b)?;
    let max = extreme(w, Extreme::Max, sign, a, b)?;
    let upper = extreme(w, Extreme::Min, sign, max, c)?;
    extreme(w, Extreme::Max, sign, min, upper)
}

/// Rounding modes of `FloatConversion`.
const NEAREST: u32 = 1;
const DOWN: u32 = 2;
const UP: u32 = 3;

/// Returns the bits of a float as a half, rounded as the mode says.
///
/// DXIL's conversion rounds toward zero. The halves that a float lies between are that one and the
/// next one away from zero, whose bits are one more.
pub(super) fn float_to_half(
    w: &mut FunctionWriter<'_, '_, '_>,
    value: ValueId,
    mode: u32,
) -> Result<Option<ValueId>> {
    if !matches!(mode, NEAREST | DOWN | UP) {
        return Ok(None);
    }
    let (word, float) = (w.int_ty(32), w.float_ty());
    let x = w.cast(CastOp::Bitcast, value, float)?;
    let toward_zero = w.operation(Opcode::LegacyF32ToF16, None, word, &[x])?;
    let [zero, one] = [0, 1].map(|number| w.word(number));
    let away = w.binary(BinaryOp::Add, 32, toward_zero, one)?;
    let magnitudes = w.word(0x7fff_ffff);
    let rounds_up = if mode == NEAREST {
        // The middle between both halves has one more bit than a half, so that a float has it
        // exactly; compared as integers, magnitudes are in order. Half of the way to the next half
        // is 2^12 in a float's bits, or 2^-25 where halves are subnormal.
        let middle = {
            let near = w.operation(Opcode::LegacyF16ToF32, None, float, &[toward_zero])?;
            let next = finite_or_end(w, away)?;
            let sum = w.arithmetic(BinaryOp::FAdd, float, near, next)?;
            let half = w.word(0x3f00_0000);
            let half = w.cast(CastOp::Bitcast, half, float)?;
            let middle = w.arithmetic(BinaryOp::FMul, float, sum, half)?;
            let middle = w.cast(CastOp::Bitcast, middle, word)?;
            w.binary(BinaryOp::And, 32, middle, magnitudes)?
        };
        let magnitude = w.binary(BinaryOp::And, 32, value, magnitudes)?;
        let beyond = w.compare(CmpPredicate::IUgt, magnitude, middle)?;
        let is_middle = w.compare(CmpPredicate::IEq, magnitude, middle)?;
        let odd = w.binary(BinaryOp::And, 32, toward_zero, one)?;
        let to_even = w.select(is_middle, odd, zero)?;
        w.select(beyond, one, to_even)?
    } else {
        let near = w.operation(Opcode::LegacyF16ToF32, None, float, &[toward_zero])?;
        let predicate = match mode {
            DOWN => CmpPredicate::FOlt,
            _ => CmpPredicate::FOgt,
        };
        let beyond = w.compare(predicate, x, near)?;
        w.select(beyond, one, zero)?
    };
    // Infinity is the end, and NaN stays what it is.
    let end = w.word(0x7f80_0000);
    let magnitude = w.binary(BinaryOp::And, 32, value, magnitudes)?;
    let is_finite = w.compare(CmpPredicate::IUlt, magnitude, end)?;
    let step = w.select(is_finite, rounds_up, zero)?;
    w.binary(BinaryOp::Add, 32, toward_zero, step).map(Some)
}

/// Returns a half's bits as a float; what is infinite as a half is 65536, so that there is a middle
/// before it.
fn finite_or_end(w: &mut FunctionWriter<'_, '_, '_>, bits: ValueId) -> Result<ValueId> {
    let (word, float) = (w.int_ty(32), w.float_ty());
    let magnitudes = w.word(0x7fff);
    let end = w.word(0x7c00);
    let magnitude = w.binary(BinaryOp::And, 32, bits, magnitudes)?;
    let is_end = w.compare(CmpPredicate::IUge, magnitude, end)?;
    let number = w.operation(Opcode::LegacyF16ToF32, None, float, &[bits])?;
    let number = w.cast(CastOp::Bitcast, number, word)?;
    let signs = w.word(0x8000);
    let sixteen = w.word(16);
    let sign = w.binary(BinaryOp::And, 32, bits, signs)?;
    let sign = w.binary(BinaryOp::Shl, 32, sign, sixteen)?;
    let beyond = w.word(0x4780_0000);
    let beyond = w.binary(BinaryOp::Or, 32, beyond, sign)?;
    let number = w.select(is_end, beyond, number)?;
    w.cast(CastOp::Bitcast, number, float)
}
