//! The bits of a texel as numbers, by the rules of the D3D11.3 functional specification (3.2.3.6
//! and 3.2.3.7).

use dxil_runtime::format::Component;

/// Number of a channel.
pub const RED: usize = 0;
/// Number of a channel.
pub const GREEN: usize = 1;
/// Number of a channel.
pub const BLUE: usize = 2;
/// Number of a channel.
pub const ALPHA: usize = 3;

/// The bits of a texel that hold a channel.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Red, green, blue or alpha.
    pub channel: usize,
    /// Lowest bit.
    pub low: u32,
    /// Number of bits.
    pub bits: u32,
    /// Their interpretation.
    pub kind: Component,
}

/// Returns the fields from the lowest bit on.
pub fn packed(kind: Component, parts: &[(usize, u32)]) -> Vec<Field> {
    let mut low = 0;
    let mut fields = Vec::new();
    for &(channel, bits) in parts {
        let kind = match (kind, channel) {
            (Component::Srgb, ALPHA) => Component::Unorm,
            _ => kind,
        };
        fields.push(Field {
            channel,
            low,
            bits,
            kind,
        });
        low += bits;
    }
    fields
}

/// Returns the fields red, green and so on, with the same number of bits each.
pub fn plain(kind: Component, bits: u32, count: usize) -> Vec<Field> {
    let parts: Vec<_> = (0..count).map(|channel| (channel, bits)).collect();
    packed(kind, &parts)
}

impl Field {
    /// Returns the number in the channel of a texel.
    pub fn value(self, texel: u128) -> f64 {
        let code = (texel >> self.low) & ((1 << self.bits) - 1);
        let signed = ((code << (128 - self.bits)) as i128) >> (128 - self.bits);
        match self.kind {
            Component::Unorm | Component::Srgb | Component::Uint => code as f64,
            Component::Snorm => (signed as f64).max(-self.greatest()),
            Component::Sint => signed as f64,
            Component::Float => match self.bits {
                32 => f64::from(f32::from_bits(code as u32)),
                16 => f64::from(crate::element::f16::from_bits(code as u16).to_f32()),
                bits => {
                    let fraction = bits - 5;
                    let exponent = (code >> fraction) as i32;
                    let mantissa = code & ((1 << fraction) - 1);
                    match exponent {
                        0 => mantissa as f64 * f64::powi(2.0, -14 - fraction as i32),
                        _ => {
                            (mantissa + (1 << fraction)) as f64
                                * f64::powi(2.0, exponent - 15 - fraction as i32)
                        }
                    }
                }
            },
        }
    }

    /// Returns the greatest code of a normalised number.
    pub fn greatest(self) -> f64 {
        let bits = self.bits - u32::from(self.kind == Component::Snorm);
        f64::powi(2.0, bits as i32) - 1.0
    }

    /// Returns the number that is stored when `value` is written, and its tolerance.
    pub fn stored(self, value: f64) -> (f64, f64) {
        match self.kind {
            Component::Unorm => (value.clamp(0.0, 1.0) * self.greatest(), 0.601),
            Component::Snorm => (value.clamp(-1.0, 1.0) * self.greatest(), 0.601),
            Component::Srgb => {
                let value = value.clamp(0.0, 1.0);
                let curved = if value <= 0.003_130_8 {
                    value * 12.92
                } else {
                    1.055 * value.powf(1.0 / 2.4) - 0.055
                };
                (curved * self.greatest(), 1.0)
            }
            Component::Float if self.bits < 16 => (value.max(0.0), 0.0),
            Component::Uint | Component::Sint | Component::Float => (value, 0.0),
        }
    }
}
