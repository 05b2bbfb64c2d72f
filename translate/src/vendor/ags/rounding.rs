//! Float arithmetic with a rounding mode. SPIR-V rounds to nearest, so the result is corrected by
//! the sign of what rounding lost. Exact zeros have the sign, and denormals the value, of rounding
//! to nearest.

use dxil_frontend::ir::{BinaryOp, CastOp, CmpPredicate, Type, ValueId};

use crate::vendor::missing::Missing;
use crate::vendor::writer::FunctionWriter;
use crate::{Features, Result};

/// The operations (`AmdExtD3DShaderIntrinsicsFloatOpWithRoundMode_*`).
const ADD: u32 = 0;
const SUBTRACT: u32 = 1;
const MULTIPLY: u32 = 2;

/// The rounding modes.
const NEAREST: u32 = 0;
const UP: u32 = 1;
const DOWN: u32 = 2;
const TO_ZERO: u32 = 3;

/// Bits of the largest float and of infinity, and those without the sign.
const LARGEST: u32 = 0x7f7f_ffff;
const INFINITY: u32 = 0x7f80_0000;
const MAGNITUDE: u32 = 0x7fff_ffff;

/// Writes the operation that an immediate says, on the bits of two floats; returns `None` if there
/// is none, or if the target lacks what it takes.
pub(super) fn arithmetic(
    w: &mut FunctionWriter<'_, '_, '_>,
    missing: &Missing<'_>,
    operands: [ValueId; 2],
    immediate: u32,
) -> Result<Option<ValueId>> {
    let (mode, operation) = (immediate & 0xf, immediate >> 4 & 0xf);
    let op = match operation {
        ADD => BinaryOp::FAdd,
        SUBTRACT => BinaryOp::FSub,
        MULTIPLY => BinaryOp::FMul,
        _ => return Ok(None),
    };
    if mode > TO_ZERO {
        return Ok(None);
    }
    let (word, float) = (w.int_ty(32), w.float_ty());
    let mut floats = Vec::with_capacity(2);
    for operand in operands {
        floats.push(w.cast(CastOp::Bitcast, operand, float)?);
    }
    let [a, b] = [floats[0], floats[1]];
    let nearest = w.arithmetic(op, float, a, b)?;
    let bits = w.cast(CastOp::Bitcast, nearest, word)?;
    if mode == NEAREST {
        return Ok(Some(bits));
    }
    let (is_less, is_greater) = if operation == MULTIPLY {
        if !missing.has(Features::FLOAT64) {
            return Ok(None);
        }
        // The product of two floats is exact as a double.
        let double = w.tables.ty(Type::Double);
        let [a, b, nearest] = [
            w.cast(CastOp::FpExt, a, double)?,
            w.cast(CastOp::FpExt, b, double)?,
            w.cast(CastOp::FpExt, nearest, double)?,
        ];
        let exact = w.arithmetic(BinaryOp::FMul, double, a, b)?;
        (
            w.compare(CmpPredicate::FOlt, exact, nearest)?,
            w.compare(CmpPredicate::FOgt, exact, nearest)?,
        )
    } else {
        // The error of a sum is a float (Knuth's two-sum).
        let zero = w.zero(float);
        let b = match operation {
            SUBTRACT => {
                // Not 0 - b, which is +0 for both zeros.
                let sign = w.word(!MAGNITUDE);
                let negated = w.binary(BinaryOp::Xor, 32, operands[1], sign)?;
                w.cast(CastOp::Bitcast, negated, float)?
            }
            _ => b,
        };
        let second = w.arithmetic(BinaryOp::FSub, float, nearest, a)?;
        let first = w.arithmetic(BinaryOp::FSub, float, nearest, second)?;
        let lost_of_first = w.arithmetic(BinaryOp::FSub, float, a, first)?;
        let lost_of_second = w.arithmetic(BinaryOp::FSub, float, b, second)?;
        let lost = w.arithmetic(BinaryOp::FAdd, float, lost_of_first, lost_of_second)?;
        (
            w.compare(CmpPredicate::FOlt, lost, zero)?,
            w.compare(CmpPredicate::FOgt, lost, zero)?,
        )
    };
    let zero = w.word(0);
    let one = w.word(1);
    let is_negative = w.compare(CmpPredicate::ISlt, bits, zero)?;
    let smaller = w.binary(BinaryOp::Sub, 32, bits, one)?;
    let larger = w.binary(BinaryOp::Add, 32, bits, one)?;
    // A float's neighbours are the integers beside its bits.
    let above = w.select(is_negative, smaller, larger)?;
    let below = w.select(is_negative, larger, smaller)?;
    let up = w.select(is_greater, above, bits)?;
    let down = w.select(is_less, below, bits)?;
    let rounded = match mode {
        UP => up,
        DOWN => down,
        _ => w.select(is_negative, up, down)?,
    };
    // Finite operands give no infinity where rounding goes to zero from there.
    let magnitude = w.word(MAGNITUDE);
    let infinity = w.word(INFINITY);
    let mut overflows = {
        let size = w.binary(BinaryOp::And, 32, bits, magnitude)?;
        w.compare(CmpPredicate::IEq, size, infinity)?
    };
    for operand in operands {
        let size = w.binary(BinaryOp::And, 32, operand, magnitude)?;
        let is_finite = w.compare(CmpPredicate::IUlt, size, infinity)?;
        overflows = w.binary(BinaryOp::And, 1, overflows, is_finite)?;
    }
    let back = match mode {
        UP => Some(is_negative),
        DOWN => {
            let bit = w.int(1, 1);
            Some(w.binary(BinaryOp::Xor, 1, is_negative, bit)?)
        }
        _ => None,
    };
    if let Some(back) = back {
        overflows = w.binary(BinaryOp::And, 1, overflows, back)?;
    }
    let largest = w.word(LARGEST);
    let lowest = w.word(LARGEST | !MAGNITUDE);
    let largest = w.select(is_negative, lowest, largest)?;
    Ok(Some(w.select(overflows, largest, rounded)?))
}
