//! Components: their types, and the conversions between their bits and numbers, which are those of
//! the D3D11.3 functional specification, 3.2.3 "Format conversion".

use half::f16;

/// Type of a format's components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Component {
    /// Unsigned, scaled to 0..=1.
    Unorm,
    /// Unsigned, scaled to 0..=1, with the sRGB curve on red, green and blue.
    Srgb,
    /// Signed, scaled to -1..=1; the minimum value reads as -1 too.
    Snorm,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Floating point; components of 11 and 10 bits have no sign.
    Float,
}

impl Component {
    /// Returns whether a shader sees integers.
    pub const fn is_integer(self) -> bool {
        matches!(self, Component::Uint | Component::Sint)
    }

    /// Returns the type of alpha where this is the type of red: alpha has no sRGB curve.
    #[inline]
    pub(crate) fn of_alpha(self) -> Component {
        match self {
            Component::Srgb => Component::Unorm,
            other => other,
        }
    }

    /// Returns the number that `raw`, a component of `bits` bits (1 to 64), stands for.
    #[inline]
    pub(crate) fn value(self, bits: u32, raw: u64) -> ComponentValue {
        let signed = ((raw << (64 - bits)) as i64) >> (64 - bits);
        let scaled = |maximum: u64| raw as f64 / maximum as f64;
        ComponentValue::Float(match self {
            Component::Uint => return ComponentValue::Uint(raw),
            Component::Sint => return ComponentValue::Sint(signed),
            Component::Unorm => scaled(greatest(bits)),
            Component::Srgb => srgb_to_linear(scaled(greatest(bits))),
            // The least number and the one above it both stand for -1 (3.2.3.3).
            Component::Snorm => (signed as f64 / greatest(bits - 1) as f64).max(-1.0),
            Component::Float => match bits {
                64 => f64::from_bits(raw),
                32 => f64::from(f32::from_bits(raw as u32)),
                16 => f64::from(f16::from_bits(raw as u16)),
                _ => f64::from(small_float(raw as u32, bits)),
            },
        })
    }

    /// Returns what a shader reads of `raw`, a component of `bits` bits (1 to 32): the bits of a
    /// float, or an integer.
    #[inline]
    pub(crate) fn shader_bits(self, bits: u32, raw: u64) -> u32 {
        if self == Component::Float && bits == 32 {
            // The payload of a NaN stays.
            return raw as u32;
        }
        match self.value(bits, raw) {
            ComponentValue::Uint(value) => value as u32,
            ComponentValue::Sint(value) => value as u32,
            ComponentValue::Float(value) => (value as f32).to_bits(),
        }
    }

    /// Returns the component of `bits` bits (1 to 64) that is nearest to a number. NaN becomes 0
    /// but in floats (3.2.3.4, 3.2.3.6). 3.2.3.6 rounds halves away from zero and allows 0.6 ULP,
    /// so that rounding to even is within its tolerance.
    #[inline]
    pub(crate) fn nearest(self, bits: u32, value: f64) -> u64 {
        let unorm = |value: f64| (value * greatest(bits) as f64).round_ties_even() as u64;
        match self {
            Component::Uint => (value.round_ties_even() as u64).min(greatest(bits)),
            Component::Sint => {
                let top = greatest(bits - 1) as i64;
                let value = (value.round_ties_even() as i64).clamp(-top - 1, top);
                value as u64 & greatest(bits)
            }
            Component::Unorm => unorm(value.clamp(0.0, 1.0)),
            Component::Srgb => unorm(linear_to_srgb(value.clamp(0.0, 1.0))),
            Component::Snorm => {
                let scaled = value.clamp(-1.0, 1.0) * greatest(bits - 1) as f64;
                scaled.round_ties_even() as i64 as u64 & greatest(bits)
            }
            Component::Float => match bits {
                64 => value.to_bits(),
                32 => u64::from((value as f32).to_bits()),
                16 => u64::from(f16::from_f64(value).to_bits()),
                _ => u64::from(to_small_float(value, bits)),
            },
        }
    }

    /// Returns the component of `bits` bits (1 to 32) for what a shader writes: the bits of a
    /// float, or an integer.
    #[inline]
    pub(crate) fn of_shader_bits(self, bits: u32, value: u32) -> u64 {
        match self {
            Component::Uint => u64::from(value).min(greatest(bits)),
            Component::Sint => self.nearest(bits, f64::from(value as i32)),
            // The payload of a NaN stays.
            Component::Float if bits == 32 => u64::from(value),
            _ => self.nearest(bits, f64::from(f32::from_bits(value))),
        }
    }
}

/// One component of a texel or element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ComponentValue {
    /// Unsigned integer.
    Uint(u64),
    /// Signed integer.
    Sint(i64),
    /// Floating point, or a normalised value.
    Float(f64),
}

impl ComponentValue {
    /// Returns the value as a floating-point number.
    pub fn to_f64(self) -> f64 {
        match self {
            ComponentValue::Uint(value) => value as f64,
            ComponentValue::Sint(value) => value as f64,
            ComponentValue::Float(value) => value,
        }
    }
}

/// Returns the greatest unsigned number of that many bits; 0 of none.
pub(crate) fn greatest(bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - bits).unwrap_or(0)
}

/// Removes the sRGB curve (D3D11.3 functional specification, 3.2.3.7; IEC 61966-2-1).
fn srgb_to_linear(value: f64) -> f64 {
    if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

/// Applies the sRGB curve (D3D11.3 functional specification, 3.2.3.8; IEC 61966-2-1).
fn linear_to_srgb(value: f64) -> f64 {
    if value <= 0.003_130_8 {
        value * 12.92
    } else {
        1.055 * value.powf(1.0 / 2.4) - 0.055
    }
}

/// Returns an unsigned float of that many bits, 5 of which are the exponent.
fn small_float(raw: u32, bits: u32) -> f32 {
    // A half has the same exponent and ten bits of mantissa.
    let mantissa_bits = bits - 5;
    f16::from_bits((raw << (10 - mantissa_bits)) as u16).to_f32()
}

/// Returns the nearest unsigned float of that many bits, 5 of which are the exponent; negative
/// numbers become 0.
fn to_small_float(value: f64, bits: u32) -> u32 {
    let mantissa_bits = bits - 5;
    let infinite = 31 << mantissa_bits;
    if value.is_nan() {
        return infinite | 1;
    }
    if value <= 0.0 {
        return 0;
    }
    if value == f64::INFINITY {
        return infinite;
    }
    // Finite numbers stay finite (D3D11.3, 3.2.2).
    let scale = 2.0_f64.powi(mantissa_bits as i32);
    let exponent = value.log2().floor().clamp(-14.0, 15.0) as i32;
    let units = (value / 2.0_f64.powi(exponent) * scale).round_ties_even() as u32;
    let hidden = 1 << mantissa_bits;
    let bits = match units {
        // A denormal; the greatest one and a carry make the least normal number.
        _ if units < hidden => units,
        // A carry out of the mantissa goes into the exponent by itself.
        _ => {
            let units = units.saturating_sub(hidden);
            (((exponent + 15) as u32) << mantissa_bits).saturating_add(units)
        }
    };
    bits.min(infinite - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_clamped_to_their_bits() {
        assert_eq!(Component::Uint.nearest(8, 300.0), 255);
        assert_eq!(Component::Uint.nearest(8, -3.0), 0);
        assert_eq!(Component::Sint.nearest(8, -300.0), 0x80);
        assert_eq!(Component::Sint.nearest(32, -1.0), 0xffff_ffff);
        assert_eq!(Component::Uint.nearest(64, 1e30), u64::MAX);
        assert_eq!(Component::Sint.of_shader_bits(16, 40_000), 0x7fff);
        assert_eq!(Component::Uint.of_shader_bits(10, 5_000), 1023);
    }

    #[test]
    fn nan_is_zero_but_in_floats() {
        for component in [Component::Unorm, Component::Srgb, Component::Snorm] {
            assert_eq!(component.nearest(8, f64::NAN), 0, "{component:?}");
        }
        let nan = Component::Float.nearest(16, f64::NAN);
        assert!(Component::Float.value(16, nan).to_f64().is_nan());
    }

    #[test]
    fn payloads_of_nan_stay() {
        let payload = 0x7f80_0001;
        assert_eq!(Component::Float.shader_bits(32, payload), payload as u32);
        assert_eq!(Component::Float.of_shader_bits(32, 0x7f80_0001), payload);
    }

    #[test]
    fn the_curve_of_srgb_has_its_known_points() {
        // 188 stands for half the light, within 1/255 (IEC 61966-2-1).
        let half = Component::Srgb.value(8, 188).to_f64();
        assert!((half - 0.5029).abs() < 1e-4, "{half}");
        assert_eq!(Component::Srgb.nearest(8, 0.5029), 188);
        // The line below the curve: 10 / 255 / 12.92.
        let dark = Component::Srgb.value(8, 10).to_f64();
        assert!((dark - 0.003_035_3).abs() < 1e-7, "{dark}");
    }
}
