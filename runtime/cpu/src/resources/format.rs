//! Texel formats: what a texel's bytes mean. Bit layouts are those of DXGI_FORMAT.

use half::f16;

/// Type of a format's components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Component {
    /// 0 to 1.
    Unorm,
    /// 0 to 1, with the sRGB curve on red, green and blue.
    Srgb,
    /// -1 to 1.
    Snorm,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Floating point.
    Float,
}

/// The encoding of the components in a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(
    missing_docs,
    reason = "DXGI's names of the components, from the lowest bit"
)]
pub enum Packing {
    /// Components of that many bits, in order.
    Plain {
        /// Bits per component.
        bits: u32,
        /// Components, 1 to 4.
        count: u32,
    },
    B8G8R8A8,
    B8G8R8X8,
    R10G10B10A2,
    R11G11B10,
    R9G9B9E5,
    A8,
    B5G6R5,
    B5G5R5A1,
    B4G4R4A4,
    D16,
    D32,
    D24S8,
    D32S8X24,
}

/// A texel format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format {
    /// Type of the components.
    pub component: Component,
    /// Their places.
    pub packing: Packing,
}

/// Components of a texel: floats or integers, by the format.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Texel {
    Float([f32; 4]),
    Int([u32; 4]),
}

impl Texel {
    /// Returns the components of a float, and of integers zeros.
    pub(crate) fn floats(self) -> [f32; 4] {
        match self {
            Texel::Float(values) => values,
            Texel::Int(_) => [0.0; 4],
        }
    }

    /// Returns the bits of the components.
    pub(crate) fn bits(self) -> [u32; 4] {
        match self {
            Texel::Float(values) => values.map(f32::to_bits),
            Texel::Int(values) => values,
        }
    }
}

impl Format {
    /// Appends the bytes of a texel. `parts` are red, green, blue and alpha: bits of floats, or
    /// integers where [`Format::is_integer`] says so. Depth formats have no bytes.
    pub fn encode_bytes(self, parts: [u32; 4], out: &mut Vec<u8>) {
        self.encode(parts, |_, bytes, value| {
            out.extend(value.to_le_bytes().iter().take(bytes as usize));
        });
    }

    /// Returns the bytes of a texel.
    pub fn bytes(self) -> u32 {
        match self.packing {
            Packing::Plain { bits, count } => bits / 8 * count,
            Packing::A8 => 1,
            Packing::B5G6R5 | Packing::B5G5R5A1 | Packing::B4G4R4A4 | Packing::D16 => 2,
            Packing::D32S8X24 => 8,
            Packing::B8G8R8A8
            | Packing::B8G8R8X8
            | Packing::R10G10B10A2
            | Packing::R11G11B10
            | Packing::R9G9B9E5
            | Packing::D32
            | Packing::D24S8 => 4,
        }
    }

    /// Returns whether a shader sees integers.
    pub fn is_integer(self) -> bool {
        matches!(self.component, Component::Uint | Component::Sint)
    }

    /// Returns the lowest bit and the number of bits of red, green, blue and alpha in a texel; what
    /// it does not have has no bits.
    pub(crate) fn fields(self) -> [(u32, u32); 4] {
        const NONE: (u32, u32) = (0, 0);
        match self.packing {
            Packing::Plain { bits, count } => [0, 1, 2, 3].map(|part| {
                if part < count {
                    (part * bits, bits)
                } else {
                    NONE
                }
            }),
            Packing::B8G8R8A8 => [(16, 8), (8, 8), (0, 8), (24, 8)],
            Packing::B8G8R8X8 => [(16, 8), (8, 8), (0, 8), NONE],
            Packing::R10G10B10A2 => [(0, 10), (10, 10), (20, 10), (30, 2)],
            Packing::R11G11B10 => [(0, 11), (11, 11), (22, 10), NONE],
            // The components share an exponent: none is written alone.
            Packing::R9G9B9E5 => [(0, 32), (0, 32), (0, 32), NONE],
            Packing::A8 => [NONE, NONE, NONE, (0, 8)],
            Packing::B5G6R5 => [(11, 5), (5, 6), (0, 5), NONE],
            Packing::B5G5R5A1 => [(10, 5), (5, 5), (0, 5), (15, 1)],
            Packing::B4G4R4A4 => [(8, 4), (4, 4), (0, 4), (12, 4)],
            Packing::D16 | Packing::D32 | Packing::D24S8 | Packing::D32S8X24 => [NONE; 4],
        }
    }

    /// Returns the components of a texel; `load` gives that many bytes from a place in it.
    pub(crate) fn decode(self, load: impl Fn(usize, u32) -> u64) -> Texel {
        let one = if self.is_integer() { 1 } else { 0x3f80_0000 };
        let mut parts = [0, 0, 0, one];
        let narrow = |bits: u32, value: u64| decode_component(self.component, bits, value);
        let field = |word: u64, low: u32, bits: u32| (word >> low) & ((1 << bits) - 1);
        match self.packing {
            Packing::Plain { bits: 64, .. } => {
                let value = load(0, 8);
                parts = [value as u32, (value >> 32) as u32, 0, one];
            }
            Packing::Plain { bits, count } => {
                for (index, part) in parts.iter_mut().take(count as usize).enumerate() {
                    let value = load(index * bits as usize / 8, bits / 8);
                    *part = match (self.component, index) {
                        (Component::Srgb, 3) => decode_component(Component::Unorm, bits, value),
                        _ => narrow(bits, value),
                    };
                }
            }
            Packing::B8G8R8A8 | Packing::B8G8R8X8 => {
                let word = load(0, 4);
                for (part, low) in parts.iter_mut().zip([16, 8, 0]) {
                    *part = narrow(8, field(word, low, 8));
                }
                if self.packing == Packing::B8G8R8A8 {
                    // Alpha is never encoded as sRGB.
                    parts[3] = decode_component(Component::Unorm, 8, field(word, 24, 8));
                }
            }
            Packing::R10G10B10A2 => {
                let word = load(0, 4);
                for (part, (low, bits)) in
                    parts.iter_mut().zip([(0, 10), (10, 10), (20, 10), (30, 2)])
                {
                    *part = narrow(bits, field(word, low, bits));
                }
            }
            Packing::R11G11B10 => {
                let word = load(0, 4);
                for (part, (low, bits)) in parts.iter_mut().zip([(0, 11), (11, 11), (22, 10)]) {
                    *part = small_float(field(word, low, bits) as u32, bits - 5);
                }
            }
            Packing::R9G9B9E5 => {
                let word = load(0, 4);
                // The bias is 15, and each mantissa has nine bits of fraction without a hidden bit.
                let scale = 2.0_f32.powi(field(word, 27, 5) as i32 - 24);
                for (part, low) in parts.iter_mut().zip([0, 9, 18]) {
                    *part = (field(word, low, 9) as f32 * scale).to_bits();
                }
            }
            Packing::A8 => parts = [0, 0, 0, narrow(8, load(0, 1))],
            Packing::B5G6R5 => {
                let word = load(0, 2);
                for (part, (low, bits)) in parts.iter_mut().zip([(11, 5), (5, 6), (0, 5)]) {
                    *part = narrow(bits, field(word, low, bits));
                }
            }
            Packing::B5G5R5A1 => {
                let word = load(0, 2);
                for (part, (low, bits)) in parts.iter_mut().zip([(10, 5), (5, 5), (0, 5), (15, 1)])
                {
                    *part = narrow(bits, field(word, low, bits));
                }
            }
            Packing::B4G4R4A4 => {
                let word = load(0, 2);
                for (part, low) in parts.iter_mut().zip([8, 4, 0, 12]) {
                    *part = narrow(4, field(word, low, 4));
                }
            }
            Packing::D16 => parts[0] = decode_component(Component::Unorm, 16, load(0, 2)),
            Packing::D32 | Packing::D32S8X24 => parts[0] = load(0, 4) as u32,
            Packing::D24S8 => {
                parts[0] = decode_component(Component::Unorm, 24, load(0, 4) & 0xff_ffff);
            }
        }
        if self.is_integer() {
            Texel::Int(parts)
        } else {
            Texel::Float(parts.map(f32::from_bits))
        }
    }

    /// Writes the components of a texel, given as bits of floats or integers; `store` takes place,
    /// bytes and value.
    pub(crate) fn encode(self, parts: [u32; 4], mut store: impl FnMut(usize, u32, u64)) {
        let narrow = |bits: u32, value: u32| encode_component(self.component, bits, value);
        let float = f32::from_bits;
        match self.packing {
            Packing::Plain { bits: 64, .. } => {
                store(0, 8, u64::from(parts[0]) | u64::from(parts[1]) << 32);
            }
            Packing::Plain { bits, count } => {
                for (index, &part) in parts.iter().take(count as usize).enumerate() {
                    let value = match (self.component, index) {
                        (Component::Srgb, 3) => encode_component(Component::Unorm, bits, part),
                        _ => narrow(bits, part),
                    };
                    store(index * bits as usize / 8, bits / 8, u64::from(value));
                }
            }
            Packing::B8G8R8A8 | Packing::B8G8R8X8 => {
                let alpha = encode_component(Component::Unorm, 8, parts[3]);
                let word = narrow(8, parts[2])
                    | narrow(8, parts[1]) << 8
                    | narrow(8, parts[0]) << 16
                    | alpha << 24;
                store(0, 4, u64::from(word));
            }
            Packing::R10G10B10A2 => {
                let word = narrow(10, parts[0])
                    | narrow(10, parts[1]) << 10
                    | narrow(10, parts[2]) << 20
                    | narrow(2, parts[3]) << 30;
                store(0, 4, u64::from(word));
            }
            Packing::R11G11B10 => {
                let word = to_small_float(float(parts[0]), 6)
                    | to_small_float(float(parts[1]), 6) << 11
                    | to_small_float(float(parts[2]), 5) << 22;
                store(0, 4, u64::from(word));
            }
            Packing::R9G9B9E5 => store(0, 4, u64::from(to_shared_exponent(parts.map(float)))),
            Packing::A8 => store(0, 1, u64::from(narrow(8, parts[3]))),
            Packing::B5G6R5 => {
                let word =
                    narrow(5, parts[2]) | narrow(6, parts[1]) << 5 | narrow(5, parts[0]) << 11;
                store(0, 2, u64::from(word));
            }
            Packing::B5G5R5A1 => {
                let word = narrow(5, parts[2])
                    | narrow(5, parts[1]) << 5
                    | narrow(5, parts[0]) << 10
                    | narrow(1, parts[3]) << 15;
                store(0, 2, u64::from(word));
            }
            Packing::B4G4R4A4 => {
                let word = narrow(4, parts[2])
                    | narrow(4, parts[1]) << 4
                    | narrow(4, parts[0]) << 8
                    | narrow(4, parts[3]) << 12;
                store(0, 2, u64::from(word));
            }
            // No shader writes to depth formats.
            Packing::D16 | Packing::D32 | Packing::D24S8 | Packing::D32S8X24 => {}
        }
    }
}

/// Returns the bits of a component as bits of a float or as an integer.
fn decode_component(component: Component, bits: u32, value: u64) -> u32 {
    let maximum = ((1_u64 << bits) - 1) as f64;
    let signed = |bits: u32| ((value << (64 - bits)) as i64) >> (64 - bits);
    match component {
        Component::Unorm => ((value as f64 / maximum) as f32).to_bits(),
        Component::Srgb => from_srgb(value as f64 / maximum).to_bits(),
        Component::Snorm => {
            let maximum = ((1_u64 << (bits - 1)) - 1) as f64;
            ((signed(bits) as f64 / maximum).max(-1.0) as f32).to_bits()
        }
        Component::Uint => value as u32,
        Component::Sint => signed(bits) as u32,
        Component::Float if bits == 16 => f16::from_bits(value as u16).to_f32().to_bits(),
        Component::Float => value as u32,
    }
}

/// Returns the bits of a float, or an integer, as bits of a component.
fn encode_component(component: Component, bits: u32, value: u32) -> u32 {
    let low = if bits >= 32 {
        u32::MAX
    } else {
        (1 << bits) - 1
    };
    let float = f64::from(f32::from_bits(value));
    // NaN becomes 0 (D3D11.3, 3.2.3.4 and 3.2.3.6).
    // D3D11.3 rounds halves away from zero and allows 0.6 ULP (3.2.3.6), so that rounding to even
    // is within its tolerance.
    let rounded = |value: f64, maximum: f64| (value * maximum).round_ties_even();
    match component {
        Component::Unorm => rounded(float.clamp(0.0, 1.0), f64::from(low)) as u32,
        Component::Srgb => rounded(to_srgb(float.clamp(0.0, 1.0)), f64::from(low)) as u32,
        Component::Snorm => {
            rounded(float.clamp(-1.0, 1.0), f64::from(low >> 1)) as i32 as u32 & low
        }
        Component::Uint => value.min(low),
        Component::Sint if bits < 32 => {
            let maximum = (low >> 1) as i32;
            (value as i32).clamp(-maximum - 1, maximum) as u32 & low
        }
        Component::Float if bits == 16 => u32::from(f16::from_f32(f32::from_bits(value)).to_bits()),
        Component::Sint | Component::Float => value,
    }
}

/// Applies the curve of IEC 61966-2-1.
fn from_srgb(value: f64) -> f32 {
    let linear = if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    };
    linear as f32
}

fn to_srgb(value: f64) -> f64 {
    if value <= 0.003_130_8 {
        value * 12.92
    } else {
        1.055 * value.powf(1.0 / 2.4) - 0.055
    }
}

/// Returns an unsigned float with 5 bits of exponent and that many of mantissa, as bits of a float.
fn small_float(value: u32, mantissa_bits: u32) -> u32 {
    // A half has the same exponent and ten bits of mantissa.
    let half = (value << (10 - mantissa_bits)) as u16;
    f16::from_bits(half).to_f32().to_bits()
}

/// Returns the nearest unsigned float with 5 bits of exponent; negative numbers become 0.
fn to_small_float(value: f32, mantissa_bits: u32) -> u32 {
    let infinite = 31 << mantissa_bits;
    if value.is_nan() {
        return infinite | 1;
    }
    if value <= 0.0 {
        return 0;
    }
    if value == f32::INFINITY {
        return infinite;
    }
    // Finite numbers stay finite (D3D11.3, 3.2.2).
    let scale = 2.0_f64.powi(mantissa_bits as i32);
    let exponent = f64::from(value).log2().floor().clamp(-14.0, 15.0) as i32;
    let units = (f64::from(value) / 2.0_f64.powi(exponent) * scale).round_ties_even() as u32;
    let hidden = 1 << mantissa_bits;
    let bits = match units {
        // A denormal; the greatest one and a carry make the least normal number.
        _ if units < hidden => units,
        // A carry out of the mantissa goes into the exponent by itself.
        _ => (((exponent + 15) as u32) << mantissa_bits) + (units - hidden),
    };
    bits.min(infinite - 1)
}

/// Decodes three floats with one exponent (D3D11.3, 19.3.2.2).
fn to_shared_exponent(values: [f32; 4]) -> u32 {
    // The largest number that the format has: 511/512 times 2^16.
    let maximum = 65408.0_f64;
    let clean = |value: f32| f64::from(value).clamp(0.0, maximum);
    let parts = [clean(values[0]), clean(values[1]), clean(values[2])]
        .map(|value| if value.is_nan() { 0.0 } else { value });
    let greatest = parts.iter().fold(0.0_f64, |a, &b| a.max(b));
    let mut exponent = if greatest > 0.0 {
        (greatest.log2().floor() as i32).max(-16) + 1
    } else {
        -15
    };
    let units = |value: f64, exponent: i32| (value / 2.0_f64.powi(exponent - 9)).round() as u32;
    if units(greatest, exponent) == 512 {
        exponent += 1;
    }
    let exponent_bits = (exponent + 15).clamp(0, 31) as u32;
    units(parts[0], exponent)
        | units(parts[1], exponent) << 9
        | units(parts[2], exponent) << 18
        | exponent_bits << 27
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(format: Format, parts: [f32; 4]) -> [f32; 4] {
        let mut bytes = [0_u8; 16];
        format.encode(parts.map(f32::to_bits), |at, count, value| {
            for byte in 0..count as usize {
                bytes[at + byte] = (value >> (8 * byte)) as u8;
            }
        });
        let load = |at: usize, count: u32| {
            (0..count as usize).fold(0, |word, byte| {
                word | u64::from(bytes[at + byte]) << (8 * byte)
            })
        };
        match format.decode(load) {
            Texel::Float(parts) => parts,
            Texel::Int(_) => unreachable!("a format of floats"),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let packed = |component, packing| Format { component, packing };
        for (format, exact) in [
            (
                packed(Component::Unorm, Packing::Plain { bits: 8, count: 4 }),
                [0.0, 1.0, 0.2, 1.0],
            ),
            (
                packed(Component::Unorm, Packing::B8G8R8A8),
                [0.0, 1.0, 0.2, 0.4],
            ),
            (
                packed(Component::Snorm, Packing::Plain { bits: 8, count: 4 }),
                [-1.0, 1.0, 0.0, 1.0],
            ),
            (
                packed(Component::Float, Packing::R11G11B10),
                [1.5, 0.25, 96.0, 1.0],
            ),
            (
                packed(Component::Float, Packing::R9G9B9E5),
                [1.0, 0.5, 0.25, 1.0],
            ),
            (
                packed(Component::Unorm, Packing::B5G5R5A1),
                [1.0, 0.0, 1.0, 1.0],
            ),
            (
                packed(Component::Float, Packing::Plain { bits: 16, count: 2 }),
                [0.1015625, -7.0, 0.0, 1.0],
            ),
        ] {
            assert_eq!(round_trip(format, exact), exact, "{format:?}");
        }
    }

    #[test]
    fn small_floats_round_to_the_nearest_and_stay_finite() {
        let format = Format {
            component: Component::Float,
            packing: Packing::R11G11B10,
        };
        assert_eq!(
            round_trip(format, [1.999, -3.0, 1e9, 0.0])[..3],
            [2.0, 0.0, 64512.0]
        );
        assert_eq!(
            round_trip(format, [f32::INFINITY, 0.0, 0.0, 0.0])[0],
            f32::INFINITY
        );
        assert!(round_trip(format, [f32::NAN, 0.0, 0.0, 0.0])[0].is_nan());
    }
}
