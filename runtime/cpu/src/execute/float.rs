//! Floating-point arithmetic with D3D12's rules where Rust's operators have others.

use half::f16;

/// Returns the smaller number; a number wins over NaN (D3D11.3 functional specification, 3.1.3.1),
/// and -0 counts as less than +0 (3.1.3.2 recommends it).
#[inline]
pub(crate) fn min32(a: f32, b: f32) -> f32 {
    if a < b || b.is_nan() {
        a
    } else if a == b {
        // Zeros: the one with a sign.
        f32::from_bits(a.to_bits() | b.to_bits())
    } else {
        b
    }
}

/// Returns the larger number; a number wins over NaN, and +0 counts as greater than -0.
#[inline]
pub(crate) fn max32(a: f32, b: f32) -> f32 {
    if a > b || b.is_nan() {
        a
    } else if a == b {
        f32::from_bits(a.to_bits() & b.to_bits())
    } else {
        b
    }
}

/// Returns [`min32`] in double precision.
#[inline]
pub(crate) fn min64(a: f64, b: f64) -> f64 {
    if a < b || b.is_nan() {
        a
    } else if a == b {
        f64::from_bits(a.to_bits() | b.to_bits())
    } else {
        b
    }
}

/// Returns [`max32`] in double precision.
#[inline]
pub(crate) fn max64(a: f64, b: f64) -> f64 {
    if a > b || b.is_nan() {
        a
    } else if a == b {
        f64::from_bits(a.to_bits() & b.to_bits())
    } else {
        b
    }
}

/// Returns the value clamped to between 0 and 1; NaN gives 0.
#[inline]
pub(crate) fn saturate32(a: f32) -> f32 {
    if a > 0.0 { a.min(1.0) } else { 0.0 }
}

/// Returns [`saturate32`] in double precision.
#[inline]
pub(crate) fn saturate64(a: f64) -> f64 {
    if a > 0.0 { a.min(1.0) } else { 0.0 }
}

/// Returns the logarithm to base 2.
#[inline]
pub(crate) fn log2(a: f32) -> f32 {
    a.log2()
}

/// Returns the bits of an integer that a number is rounded to. NaNs become quiet, which not every C
/// library does.
#[inline]
pub(crate) fn rounded(a: f32, round: impl Fn(f32) -> f32) -> u32 {
    if a.is_nan() {
        a.to_bits() | 1 << 22
    } else {
        round(a).to_bits()
    }
}

/// Returns the difference to the next lower integer, which is below 1 (DXIL document, "Frc"), or
/// NaN for infinities. That of a tiny negative number would round to 1.
#[inline]
pub(crate) fn fraction(a: f32) -> f32 {
    let fraction = a - a.floor();
    if fraction >= 1.0 {
        1.0_f32.next_down()
    } else {
        fraction
    }
}

/// Returns [`fraction`] of the bits of a half.
#[inline]
pub(crate) fn fraction_of_half(bits: u32) -> u32 {
    /// Bits of the greatest half below 1.
    const BELOW_ONE: u32 = 0x3bff;
    /// Bits of 1.
    const ONE: u32 = 0x3c00;
    match to_half(fraction(f32::from_bits(from_half(bits))).to_bits()) {
        ONE => BELOW_ONE,
        fraction => fraction,
    }
}

/// Returns the zero of the same sign for a denormal, and other numbers unchanged.
#[inline]
pub(crate) fn flush32(bits: u32) -> u32 {
    // Without a choice, so that few vector instructions come of it.
    let is_tiny = 0_u32.wrapping_sub(u32::from(bits & 0x7f80_0000 == 0));
    bits & !(is_tiny & 0x7fff_ffff)
}

/// Returns [`flush32`] of a float.
#[inline]
pub(crate) fn flushed(value: f32) -> f32 {
    f32::from_bits(flush32(value.to_bits()))
}

/// Returns the bits of a half as bits of a float.
#[inline]
pub(crate) fn from_half(bits: u32) -> u32 {
    f16::from_bits(bits as u16).to_f32().to_bits()
}

/// Returns the bits of a float as bits of the nearest half.
#[inline]
pub(crate) fn to_half(bits: u32) -> u32 {
    u32::from(f16::from_f32(f32::from_bits(bits)).to_bits())
}

/// Returns the bits of the nearest half.
#[inline]
pub(crate) fn wide_to_half(value: f64) -> u32 {
    u32::from(f16::from_f64(value).to_bits())
}

/// Returns the bits of a float as bits of a half, rounded toward zero: numbers too large become the
/// largest, and only infinities are infinite (D3D11.3, 3.2.2 and 22.13.2).
#[inline]
pub(crate) fn to_half_toward_zero(bits: u32) -> u32 {
    let value = f32::from_bits(bits);
    if !value.is_finite() {
        return to_half(bits);
    }
    let nearest = f16::from_f32(value);
    let rounded = if nearest.to_f32().abs() > value.abs() {
        // One step toward zero; from infinity that is the largest number.
        nearest.to_bits() - 1
    } else {
        nearest.to_bits()
    };
    u32::from(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_wins_over_nan() {
        assert_eq!(min32(f32::NAN, 1.0), 1.0);
        assert_eq!(max32(1.0, f32::NAN), 1.0);
        assert!(min32(f32::NAN, f32::NAN).is_nan());
        assert_eq!(min32(0.0, -0.0).to_bits(), (-0.0_f32).to_bits());
        assert_eq!(max64(0.0, -0.0).to_bits(), 0.0_f64.to_bits());
        assert_eq!(saturate32(f32::NAN), 0.0);
    }

    #[test]
    fn legacy_halves_round_toward_zero() {
        let half = |value: f32| f16::from_bits(to_half_toward_zero(value.to_bits()) as u16);
        assert_eq!(half(65519.9), f16::MAX);
        assert_eq!(half(1e9), f16::MAX);
        assert_eq!(half(f32::INFINITY), f16::INFINITY);
        assert_eq!(half(1.000_9), f16::from_f32(1.0));
        assert_eq!(half(-1.000_9), f16::from_f32(-1.0));
        assert!(half(f32::NAN).is_nan());
    }
}
