//! Numbers of matrices: components as bits, and arithmetic on their values.
//!
//! The preview leaves precision open. Here floats are computed in double precision and rounded once
//! to the nearest value of the result, ties to even, and integers wrap around. What is too large
//! for a float of 8 bits with an exponent of 4 becomes its greatest value, since it has no
//! infinity.

use dxil_frontend::dxil::ops::MatrixComponent as C;

use crate::decode::code::NumberType;

/// The value of a component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Float(f64),
    Int(i128),
}

/// The form of a float: bits of exponent and fraction, and whether it has infinities.
struct FloatForm {
    exponent: u32,
    fraction: u32,
    has_infinity: bool,
}

const fn form(exponent: u32, fraction: u32, has_infinity: bool) -> FloatForm {
    FloatForm {
        exponent,
        fraction,
        has_infinity,
    }
}

/// The forms that the language does not have.
fn small_form(component: C) -> Option<FloatForm> {
    Some(match component {
        C::F16 => form(5, 10, true),
        C::BFloat16 => form(8, 7, true),
        C::F8E5M2 => form(5, 2, true),
        C::F8E4M3FN => form(4, 3, false),
        _ => return None,
    })
}

/// Returns the component that a scalar of the language is.
pub(super) fn component_of(number: NumberType) -> C {
    match number {
        NumberType::Half => C::F16,
        NumberType::Float => C::F32,
        NumberType::Double => C::F64,
        NumberType::Int(64, true) => C::I64,
        NumberType::Int(64, false) => C::U64,
        NumberType::Int(16, true) => C::I16,
        NumberType::Int(16, false) => C::U16,
        NumberType::Int(8, true) => C::I8,
        NumberType::Int(8, false) => C::U8,
        NumberType::Int(_, true) => C::I32,
        NumberType::Int(_, false) => C::U32,
    }
}

/// Returns the value of a component with these bits.
pub(super) fn read(component: C, bits: u64) -> Number {
    match component {
        C::F64 => Number::Float(f64::from_bits(bits)),
        C::F32 => Number::Float(f64::from(f32::from_bits(bits as u32))),
        C::U8 => Number::Int((bits as u8).into()),
        C::U16 => Number::Int((bits as u16).into()),
        C::U32 => Number::Int((bits as u32).into()),
        C::U64 => Number::Int(bits.into()),
        C::I8 => Number::Int((bits as i8).into()),
        C::I16 => Number::Int((bits as i16).into()),
        C::I32 => Number::Int((bits as i32).into()),
        C::I64 => Number::Int((bits as i64).into()),
        C::F16 | C::BFloat16 | C::F8E4M3FN | C::F8E5M2 => {
            let value = small_form(component).map(|form| form.read(bits as u32));
            Number::Float(value.unwrap_or_default())
        }
    }
}

/// Returns the bits of a component that has a value. Floats become integers by truncation, within
/// the integer's range; NaN becomes 0.
pub(super) fn write(component: C, value: Number) -> u64 {
    let float = match value {
        Number::Float(value) => value,
        Number::Int(value) => value as f64,
    };
    match component {
        C::F64 => return float.to_bits(),
        C::F32 => return u64::from((float as f32).to_bits()),
        _ => {}
    }
    if let Some(form) = small_form(component) {
        return u64::from(form.write(float));
    }
    let wide = component.bits();
    let is_signed = matches!(component, C::I8 | C::I16 | C::I32 | C::I64);
    let int = match value {
        Number::Int(value) => value,
        Number::Float(value) => {
            let (low, high) = if is_signed {
                (-(1_i128 << (wide - 1)), (1_i128 << (wide - 1)) - 1)
            } else {
                (0, (1_i128 << wide) - 1)
            };
            // The cast truncates, and gives 0 for NaN.
            (value as i128).clamp(low, high)
        }
    };
    int as u64 & (u64::MAX >> (64 - wide))
}

/// Returns a value as a component holds it.
pub(super) fn rounded(component: C, value: Number) -> Number {
    read(component, write(component, value))
}

impl Number {
    /// Returns zero of the kind that a component is.
    pub(super) fn zero(component: C) -> Number {
        read(component, 0)
    }

    /// Returns `self + a * b`.
    pub(super) fn plus_product(self, a: Number, b: Number) -> Number {
        let product = match (a, b) {
            (Number::Int(a), Number::Int(b)) => Number::Int(a.wrapping_mul(b)),
            (a, b) => Number::Float(a.float() * b.float()),
        };
        self.plus(product)
    }

    /// Returns the sum.
    pub(super) fn plus(self, other: Number) -> Number {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Number::Int(a.wrapping_add(b)),
            (a, b) => Number::Float(a.float() + b.float()),
        }
    }

    fn float(self) -> f64 {
        match self {
            Number::Float(value) => value,
            Number::Int(value) => value as f64,
        }
    }
}

impl FloatForm {
    fn bias(&self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Returns the bits of the greatest finite value.
    fn greatest(&self) -> u32 {
        let ones = (1 << self.exponent) - 1;
        if self.has_infinity {
            (ones << self.fraction) - 1
        } else {
            // All ones are NaN.
            (ones << self.fraction | ((1 << self.fraction) - 1)) - 1
        }
    }

    fn read(&self, bits: u32) -> f64 {
        let fraction = bits & ((1 << self.fraction) - 1);
        let ones = (1 << self.exponent) - 1;
        let exponent = bits >> self.fraction & ones;
        let sign = match bits >> (self.fraction + self.exponent) & 1 {
            0 => 1.0,
            _ => -1.0,
        };
        let scale = |exponent: i32| 2.0_f64.powi(exponent);
        let places = self.fraction as i32;
        let is_nan = if self.has_infinity {
            exponent == ones && fraction != 0
        } else {
            exponent == ones && fraction == (1 << self.fraction) - 1
        };
        if is_nan {
            return f64::NAN;
        }
        if self.has_infinity && exponent == ones {
            return sign * f64::INFINITY;
        }
        let value = match exponent {
            0 => f64::from(fraction) * scale(1 - self.bias() - places),
            _ => {
                let whole = f64::from(fraction | 1 << self.fraction);
                whole * scale(exponent as i32 - self.bias() - places)
            }
        };
        sign * value
    }

    fn write(&self, value: f64) -> u32 {
        let sign = u32::from(value.is_sign_negative()) << (self.fraction + self.exponent);
        let infinity = ((1 << self.exponent) - 1) << self.fraction;
        let beyond = if self.has_infinity {
            infinity
        } else {
            self.greatest()
        };
        if value.is_nan() {
            return sign | infinity | ((1 << self.fraction) - 1);
        }
        let magnitude = value.abs();
        if magnitude.is_infinite() {
            return sign | beyond;
        }
        // Of the double; what is below its normal numbers is zero in each form.
        let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
        let exponent = exponent.max(1 - self.bias());
        let steps = magnitude / 2.0_f64.powi(exponent - self.fraction as i32);
        let steps = steps.round_ties_even() as u64;
        // The bit in front of the fraction is that of the exponent, so a carry does the right
        // thing.
        let above = (exponent - (1 - self.bias())) as u64;
        let bits = (above << self.fraction) + steps;
        sign | u32::try_from(bits).map_or(beyond, |bits| {
            if bits > self.greatest() { beyond } else { bits }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "OCP 8-bit Floating Point Specification", tables 1 and 2; IEEE 754 for the others.
    #[test]
    fn floats_of_8_and_16_bits_have_the_values_of_their_standards() {
        for (component, bits, value) in [
            (C::F8E4M3FN, 0x7e, 448.0),
            (C::F8E4M3FN, 0x08, 2.0_f64.powi(-6)),
            (C::F8E4M3FN, 0x07, 0.875 * 2.0_f64.powi(-6)),
            (C::F8E4M3FN, 0x01, 2.0_f64.powi(-9)),
            (C::F8E4M3FN, 0xb8, -1.0),
            (C::F8E5M2, 0x7b, 57344.0),
            (C::F8E5M2, 0x04, 2.0_f64.powi(-14)),
            (C::F8E5M2, 0x01, 2.0_f64.powi(-16)),
            (C::F8E5M2, 0x7c, f64::INFINITY),
            (C::F8E5M2, 0x3c, 1.0),
            (C::BFloat16, 0x3f80, 1.0),
            (C::BFloat16, 0xc049, -3.140625),
            (C::F16, 0x3c00, 1.0),
            (C::F16, 0x0001, 2.0_f64.powi(-24)),
            (C::F16, 0x7bff, 65504.0),
        ] {
            assert_eq!(read(component, bits), Number::Float(value), "{component:?}");
            assert_eq!(write(component, Number::Float(value)), bits, "{value}");
        }
        assert!(matches!(read(C::F8E4M3FN, 0x7f), Number::Float(nan) if nan.is_nan()));
        assert!(matches!(read(C::F8E5M2, 0x7d), Number::Float(nan) if nan.is_nan()));
    }

    #[test]
    fn every_value_of_a_small_float_survives() {
        for (component, bits) in [
            (C::F8E4M3FN, 8),
            (C::F8E5M2, 8),
            (C::BFloat16, 16),
            (C::F16, 16),
        ] {
            for pattern in 0..1_u64 << bits {
                match read(component, pattern) {
                    Number::Float(value) if value.is_nan() => {}
                    value => assert_eq!(write(component, value), pattern, "{component:?}"),
                }
            }
        }
    }

    #[test]
    fn halfway_values_go_to_the_even_neighbour_and_large_ones_to_the_end() {
        let bits = |component, value| write(component, Number::Float(value));
        // 1 and 1.125 are neighbours, and so are 1.125 and 1.25.
        assert_eq!(bits(C::F8E4M3FN, 1.0625), 0x38);
        assert_eq!(bits(C::F8E4M3FN, 1.1875), 0x3a);
        assert_eq!(bits(C::F8E4M3FN, 1e9), 0x7e);
        assert_eq!(bits(C::F8E4M3FN, f64::NEG_INFINITY), 0xfe);
        assert_eq!(bits(C::F8E5M2, 1e9), 0x7c);
        assert_eq!(bits(C::F16, 65520.0), 0x7c00);
        assert_eq!(bits(C::F16, 65519.0), 0x7bff);
    }

    #[test]
    fn integers_wrap_around_and_floats_are_cut_to_their_range() {
        assert_eq!(write(C::I8, Number::Int(300)), 300 & 0xff);
        assert_eq!(read(C::I8, 0xff), Number::Int(-1));
        assert_eq!(write(C::I8, Number::Float(300.0)), 127);
        assert_eq!(write(C::U8, Number::Float(-3.0)), 0);
        assert_eq!(write(C::I32, Number::Float(-3.9)), u64::from(-3_i32 as u32));
        assert_eq!(write(C::U64, Number::Float(f64::NAN)), 0);
    }
}
