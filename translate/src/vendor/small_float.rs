//! Conversions of single floats of 8 bits (`Float8Conversion`) and of halves, by integer
//! arithmetic: they need no feature of the target, and round to nearest, ties to even.
//!
//! Formats are those of the OCP 8-bit Floating Point Specification (OFP8), revision 1.0: E4M3 has
//! no infinity, E5M2 has the exponent of a half.

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{BinaryOp, CastOp, CmpPredicate, ValueId};

use crate::Result;
use crate::vendor::writer::FunctionWriter;

/// A format of 8 or 16 bits whose exponents a half has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SmallFloat {
    E4M3,
    E5M2,
    Half,
}

impl SmallFloat {
    /// Returns the number of bits.
    fn bits(self) -> u32 {
        match self {
            SmallFloat::E4M3 | SmallFloat::E5M2 => 8,
            SmallFloat::Half => 16,
        }
    }

    /// Returns the bits after the sign. All of them together are NaN.
    fn magnitudes(self) -> u32 {
        (1 << (self.bits() - 1)) - 1
    }

    /// Returns the number of bits of the mantissa.
    fn mantissa(self) -> u32 {
        match self {
            SmallFloat::E4M3 => 3,
            SmallFloat::E5M2 => 2,
            SmallFloat::Half => 10,
        }
    }

    /// Returns the exponent's bias.
    fn bias(self) -> u32 {
        match self {
            SmallFloat::E4M3 => 7,
            SmallFloat::E5M2 | SmallFloat::Half => 15,
        }
    }

    /// Returns the bits of the largest finite number.
    fn largest(self) -> u32 {
        match self {
            SmallFloat::E4M3 => 0x7e,
            SmallFloat::E5M2 => 0x7b,
            SmallFloat::Half => 0x7bff,
        }
    }

    /// Returns the bits that a number beyond the largest becomes: E4M3 has no infinity but NaN.
    fn beyond(self) -> u32 {
        match self {
            SmallFloat::E4M3 => 0x7f,
            SmallFloat::E5M2 => 0x7c,
            SmallFloat::Half => 0x7c00,
        }
    }

    /// Returns the bits after which all others are NaN: infinity, or the largest number.
    fn largest_but_nan(self) -> u32 {
        match self {
            SmallFloat::E4M3 => self.largest(),
            SmallFloat::E5M2 | SmallFloat::Half => self.beyond(),
        }
    }
}

/// Writes the conversion that an immediate selects (`AmdExtD3DShaderIntrinsicsFloat8CvtOp` in bits
/// 0 to 7, saturation in bit 8) and returns the bits of its result; `None` if there is no such one.
pub(super) fn convert(
    w: &mut FunctionWriter<'_, '_, '_>,
    value: ValueId,
    immediate: u32,
) -> Result<Option<ValueId>> {
    let saturates = immediate >> 8 & 1 == 1;
    match immediate & 0xff {
        0 => widen(w, SmallFloat::E4M3, value).map(Some),
        1 => widen(w, SmallFloat::E5M2, value).map(Some),
        2 => narrow(w, SmallFloat::E4M3, value, saturates).map(Some),
        3 => narrow(w, SmallFloat::E5M2, value, saturates).map(Some),
        _ => Ok(None),
    }
}

/// Returns a number in the lowest bits of a word as the bits of a float.
pub(crate) fn widen(
    w: &mut FunctionWriter<'_, '_, '_>,
    from: SmallFloat,
    value: ValueId,
) -> Result<ValueId> {
    let (word, float) = (w.int_ty(32), w.float_ty());
    let magnitudes = w.word(from.magnitudes());
    let magnitude = w.binary(BinaryOp::And, 32, value, magnitudes)?;
    // The exponent and the mantissa of either format fit into a half, whose exponent has 5 bits.
    let place = w.word(10 - from.mantissa());
    let half = w.binary(BinaryOp::Shl, 32, magnitude, place)?;
    let number = w.operation(Opcode::LegacyF16ToF32, None, float, &[half])?;
    let number = if from == SmallFloat::E4M3 {
        // The half's exponent is larger by the difference of the biases, 8.
        let scale = w.word(256.0_f32.to_bits());
        let scale = w.cast(CastOp::Bitcast, scale, float)?;
        w.arithmetic(BinaryOp::FMul, float, number, scale)?
    } else {
        number
    };
    let bits = w.cast(CastOp::Bitcast, number, word)?;
    // Devices convert the payload of NaN as they like, and E4M3's is a number as a half.
    let largest = w.word(from.largest_but_nan());
    let is_nan = w.compare(CmpPredicate::IUgt, magnitude, largest)?;
    let nan = w.word(0x7fc0_0000);
    let bits = w.select(is_nan, nan, bits)?;
    let sign = from.magnitudes() + 1;
    let [sign, shift] = [sign, 32 - from.bits()].map(|number| w.word(number));
    let sign = w.binary(BinaryOp::And, 32, value, sign)?;
    let sign = w.binary(BinaryOp::Shl, 32, sign, shift)?;
    w.binary(BinaryOp::Or, 32, bits, sign)
}

/// Returns the bits of a float as a small number, rounded to nearest, ties to even. What is
/// larger than the largest number becomes infinity, in E4M3 NaN; with saturation the largest number
/// instead.
pub(crate) fn narrow(
    w: &mut FunctionWriter<'_, '_, '_>,
    to: SmallFloat,
    value: ValueId,
    saturates: bool,
) -> Result<ValueId> {
    let (word, float) = (w.int_ty(32), w.float_ty());
    let magnitudes = w.word(0x7fff_ffff);
    let magnitude = w.binary(BinaryOp::And, 32, value, magnitudes)?;
    // Normal numbers: half a unit of the last place, less one if that place is even, carries into
    // it; the difference of the biases is taken off the exponent.
    let dropped = 23 - to.mantissa();
    let normal = {
        let [place, one] = [dropped, 1].map(|number| w.word(number));
        let last = w.binary(BinaryOp::LShr, 32, magnitude, place)?;
        let odd = w.binary(BinaryOp::And, 32, last, one)?;
        let half = w.word((1 << (dropped - 1)) - 1);
        let carry = w.binary(BinaryOp::Add, 32, half, odd)?;
        let rounded = w.binary(BinaryOp::Add, 32, magnitude, carry)?;
        let rounded = w.binary(BinaryOp::LShr, 32, rounded, place)?;
        let biases = w.word((127 - to.bias()) << to.mantissa());
        w.binary(BinaryOp::Sub, 32, rounded, biases)?
    };
    // Subnormal numbers: a sum with the float whose last place is the smallest number rounds as it
    // should, and its last bits count the smallest numbers.
    let subnormal = {
        let base = w.word((127 + 24 - to.bias() - to.mantissa()) << 23);
        let base_float = w.cast(CastOp::Bitcast, base, float)?;
        let number = w.cast(CastOp::Bitcast, magnitude, float)?;
        let sum = w.arithmetic(BinaryOp::FAdd, float, number, base_float)?;
        let sum = w.cast(CastOp::Bitcast, sum, word)?;
        w.binary(BinaryOp::Sub, 32, sum, base)?
    };
    let smallest_normal = w.word((128 - to.bias()) << 23);
    let is_subnormal = w.compare(CmpPredicate::IUlt, magnitude, smallest_normal)?;
    let rounded = w.select(is_subnormal, subnormal, normal)?;
    let largest = w.word(to.largest());
    let is_beyond = w.compare(CmpPredicate::IUgt, rounded, largest)?;
    let beyond = if saturates {
        largest
    } else {
        w.word(to.beyond())
    };
    let finite = w.select(is_beyond, beyond, rounded)?;
    let [infinity, nan] = [0x7f80_0000, to.magnitudes()].map(|number| w.word(number));
    let is_nan = w.compare(CmpPredicate::IUgt, magnitude, infinity)?;
    let bits = w.select(is_nan, nan, finite)?;
    let shift = w.word(32 - to.bits());
    let sign = w.word(to.magnitudes() + 1);
    let high = w.binary(BinaryOp::LShr, 32, value, shift)?;
    let sign = w.binary(BinaryOp::And, 32, high, sign)?;
    w.binary(BinaryOp::Or, 32, bits, sign)
}
