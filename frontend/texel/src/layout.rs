//! Where the components lie in a texel, and how they are read and written. Bytes are little-endian.

use crate::component::{Component, ComponentValue};
use crate::texel::Texel;

/// The encoding of the components in a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(
    missing_docs,
    reason = "DXGI's names of the components, from the lowest bit"
)]
pub enum Packing {
    /// Components of that many bits, in order.
    Plain {
        /// Bits per component: 8, 16, 32 or 64.
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

/// The bits of a component: bits `offset..offset + width` of the little-endian texel. A component
/// that a texel does not have has no bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ComponentBits {
    /// First bit.
    pub offset: u8,
    /// Number of bits.
    pub width: u8,
}

const fn at(offset: u8, width: u8) -> ComponentBits {
    ComponentBits { offset, width }
}

impl ComponentBits {
    /// Those of a missing component.
    pub const NONE: ComponentBits = at(0, 0);

    /// Returns whether a texel has the component.
    pub const fn is_present(self) -> bool {
        self.width > 0
    }

    fn of(self, word: u64) -> u64 {
        (word >> self.offset) & crate::component::greatest(u32::from(self.width))
    }
}

/// The layout of a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TexelLayout {
    /// Type of the components; of depth formats, what a shader reads.
    pub component: Component,
    /// Their places.
    pub packing: Packing,
}

impl TexelLayout {
    /// Returns the layout of `count` components (1 to 4) of `bits` bits in order.
    pub const fn plain(component: Component, bits: u32, count: u32) -> TexelLayout {
        TexelLayout {
            component,
            packing: Packing::Plain { bits, count },
        }
    }

    /// Returns the bytes of a texel.
    pub const fn bytes(self) -> u32 {
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
    #[inline]
    pub const fn is_integer(self) -> bool {
        self.component.is_integer()
    }

    /// Returns whether it is the layout of a depth format.
    pub const fn is_depth(self) -> bool {
        matches!(
            self.packing,
            Packing::D16 | Packing::D32 | Packing::D24S8 | Packing::D32S8X24
        )
    }

    /// Returns whether it has a stencil beside its depth.
    pub const fn has_stencil(self) -> bool {
        matches!(self.packing, Packing::D24S8 | Packing::D32S8X24)
    }

    /// Returns type, bits and number of components that all have the same number of whole bytes,
    /// in the order of colours or as B, G, R, A; `None` for others.
    pub const fn plain_components(self) -> Option<(Component, u32, u32)> {
        match self.packing {
            Packing::Plain { bits, count } => Some((self.component, bits, count)),
            Packing::B8G8R8A8 => Some((self.component, 8, 4)),
            _ => None,
        }
    }

    /// Returns the number of components that [`TexelLayout::values`] gives.
    pub const fn components(self) -> usize {
        match self.packing {
            Packing::Plain { count, .. } => count as usize,
            Packing::D16 | Packing::D32 => 1,
            Packing::D24S8 | Packing::D32S8X24 => 2,
            Packing::R11G11B10 | Packing::R9G9B9E5 | Packing::B5G6R5 => 3,
            Packing::B8G8R8A8
            | Packing::B8G8R8X8
            | Packing::R10G10B10A2
            | Packing::A8
            | Packing::B5G5R5A1
            | Packing::B4G4R4A4 => 4,
        }
    }

    /// Returns the places of red, green, blue and alpha, or of depth and stencil.
    pub const fn fields(self) -> [ComponentBits; 4] {
        const NONE: ComponentBits = ComponentBits::NONE;
        match self.packing {
            Packing::Plain { bits, count } => {
                let bits = bits as u8;
                match count {
                    0 | 1 => [at(0, bits), NONE, NONE, NONE],
                    2 => [at(0, bits), at(bits, bits), NONE, NONE],
                    3 => [at(0, bits), at(bits, bits), at(2 * bits, bits), NONE],
                    _ => [
                        at(0, bits),
                        at(bits, bits),
                        at(2 * bits, bits),
                        at(3 * bits, bits),
                    ],
                }
            }
            Packing::B8G8R8A8 => [at(16, 8), at(8, 8), at(0, 8), at(24, 8)],
            Packing::B8G8R8X8 => [at(16, 8), at(8, 8), at(0, 8), NONE],
            Packing::R10G10B10A2 => [at(0, 10), at(10, 10), at(20, 10), at(30, 2)],
            Packing::R11G11B10 => [at(0, 11), at(11, 11), at(22, 10), NONE],
            // The mantissas; bits 27 to 31 are the exponent that they share.
            Packing::R9G9B9E5 => [at(0, 9), at(9, 9), at(18, 9), NONE],
            Packing::A8 => [NONE, NONE, NONE, at(0, 8)],
            Packing::B5G6R5 => [at(11, 5), at(5, 6), at(0, 5), NONE],
            Packing::B5G5R5A1 => [at(10, 5), at(5, 5), at(0, 5), at(15, 1)],
            Packing::B4G4R4A4 => [at(8, 4), at(4, 4), at(0, 4), at(12, 4)],
            Packing::D16 => [at(0, 16), NONE, NONE, NONE],
            Packing::D32 => [at(0, 32), NONE, NONE, NONE],
            Packing::D24S8 => [at(0, 24), at(24, 8), NONE, NONE],
            Packing::D32S8X24 => [at(0, 32), at(32, 8), NONE, NONE],
        }
    }

    /// Returns the type of a component, 0 to 3 for red to alpha or depth and stencil.
    #[inline]
    fn component(self, index: usize) -> Component {
        match (self.packing, index) {
            (Packing::D16 | Packing::D24S8, 0) => Component::Unorm,
            (Packing::D24S8 | Packing::D32S8X24, 1) => Component::Uint,
            (_, 3) => self.component.of_alpha(),
            _ => self.component,
        }
    }

    /// Calls `part` with index, bits and raw value of each component that a texel has, but of
    /// shared exponents. `load` gives that many bytes from a place in it.
    #[inline]
    fn for_each_raw(self, load: impl Fn(usize, u32) -> u64, mut part: impl FnMut(usize, u32, u64)) {
        if let Packing::Plain { bits, count } = self.packing {
            let size = bits / 8;
            for index in 0..count as usize {
                part(index, bits, load(index * size as usize, size));
            }
        } else {
            let word = load(0, self.bytes());
            for (index, field) in self.fields().into_iter().enumerate() {
                if field.is_present() {
                    part(index, u32::from(field.width), field.of(word));
                }
            }
        }
    }

    /// Returns what a shader reads of a texel; `load` gives that many bytes from a place in it.
    /// Missing components are 0, and a missing alpha is 1 (D3D11.3 functional specification,
    /// 19.1.3.3). A component of 64 bits is a pair of words, and stencils are not seen.
    #[inline]
    pub fn read(self, load: impl Fn(usize, u32) -> u64) -> Texel {
        let one = if self.is_integer() { 1 } else { 0x3f80_0000 };
        let mut parts = [0, 0, 0, one];
        match self.packing {
            Packing::Plain { bits: 64, .. } => {
                let value = load(0, 8);
                (parts[0], parts[1]) = (value as u32, (value >> 32) as u32);
            }
            Packing::R9G9B9E5 => {
                let values = shared_exponent(load(0, 4) as u32);
                for (part, value) in parts.iter_mut().zip(values) {
                    *part = value.to_bits();
                }
            }
            _ => self.for_each_raw(load, |index, bits, raw| {
                if !(self.has_stencil() && index > 0) {
                    parts[index] = self.component(index).shader_bits(bits, raw);
                }
            }),
        }
        if self.is_integer() {
            Texel::Int(parts)
        } else {
            Texel::Float(parts.map(f32::from_bits))
        }
    }

    /// Writes what a shader gives for a texel: red, green, blue and alpha as bits of floats, or as
    /// integers where [`TexelLayout::is_integer`] says so. `store` takes place, bytes and value.
    /// Shaders do not write to depth formats.
    #[inline]
    pub fn write(self, parts: [u32; 4], mut store: impl FnMut(usize, u32, u64)) {
        if let Packing::Plain { bits, count } = self.packing {
            if bits == 64 {
                return store(0, 8, u64::from(parts[0]) | u64::from(parts[1]) << 32);
            }
            let size = bits / 8;
            for (index, &part) in parts.iter().take(count as usize).enumerate() {
                let raw = self.component(index).of_shader_bits(bits, part);
                store(index * size as usize, size, raw);
            }
        } else if !self.is_depth() {
            let word = if self.packing == Packing::R9G9B9E5 {
                u64::from(to_shared_exponent(parts.map(f32::from_bits)))
            } else {
                self.word(|index, bits| self.component(index).of_shader_bits(bits, parts[index]))
            };
            store(0, self.bytes(), word);
        }
    }

    /// Returns the texel of at most 64 bits whose components `raw` gives for index and bits.
    #[inline]
    fn word(self, raw: impl Fn(usize, u32) -> u64) -> u64 {
        let mut word = 0;
        for (index, field) in self.fields().into_iter().enumerate() {
            if field.is_present() {
                word |= raw(index, u32::from(field.width)) << field.offset;
            }
        }
        word
    }

    /// Returns the components of a texel, in the order red, green, blue, alpha (depth, stencil).
    /// Empty where bytes are missing.
    pub fn values(self, bytes: &[u8]) -> Vec<ComponentValue> {
        let Some(bytes) = bytes.get(..self.bytes() as usize) else {
            return Vec::new();
        };
        let load = |place: usize, size: u32| {
            let bytes = bytes.iter().skip(place).take(size as usize);
            bytes
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte))
        };
        let none = ComponentValue::Float(0.0);
        let mut values = [none, none, none, ComponentValue::Float(1.0)];
        if self.packing == Packing::R9G9B9E5 {
            for (value, number) in values.iter_mut().zip(shared_exponent(load(0, 4) as u32)) {
                *value = ComponentValue::Float(f64::from(number));
            }
        } else {
            self.for_each_raw(load, |index, bits, raw| {
                values[index] = self.component(index).value(bits, raw);
            });
        }
        values[..self.components()].to_vec()
    }

    /// Appends the bytes of one texel made from numbers: normalised components take 0 to 1 (or -1
    /// to 1), integers are rounded and clamped. False for depth with stencil, which gets no bytes.
    pub fn append(self, values: [f64; 4], out: &mut Vec<u8>) -> bool {
        if self.has_stencil() {
            return false;
        }
        let raw = |index: usize, bits: u32| self.component(index).nearest(bits, values[index]);
        if let Packing::Plain { bits, count } = self.packing {
            for index in 0..count as usize {
                out.extend(&raw(index, bits).to_le_bytes()[..bits as usize / 8]);
            }
        } else {
            let word = if self.packing == Packing::R9G9B9E5 {
                u64::from(to_shared_exponent(values.map(|value| value as f32)))
            } else {
                self.word(raw)
            };
            out.extend(&word.to_le_bytes()[..self.bytes() as usize]);
        }
        true
    }
}

/// Returns three floats with one exponent: the bias is 15, and each mantissa has nine bits of
/// fraction, no hidden bit and no sign (D3D11.3 functional specification, 19.3.2.1).
fn shared_exponent(word: u32) -> [f32; 3] {
    let scale = 2.0_f32.powi((word >> 27) as i32 - 24);
    [0, 9, 18].map(|low| ((word >> low) & 0x1ff) as f32 * scale)
}

/// Returns three floats as mantissas with one exponent (D3D11.3 functional specification,
/// 19.3.2.2).
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

    const fn packed(component: Component, packing: Packing) -> TexelLayout {
        TexelLayout { component, packing }
    }

    fn round_trip(layout: TexelLayout, parts: [f32; 4]) -> [f32; 4] {
        let mut bytes = [0_u8; 16];
        layout.write(parts.map(f32::to_bits), |at, count, value| {
            for byte in 0..count as usize {
                bytes[at + byte] = (value >> (8 * byte)) as u8;
            }
        });
        let load = |at: usize, count: u32| {
            (0..count as usize).fold(0, |word, byte| {
                word | u64::from(bytes[at + byte]) << (8 * byte)
            })
        };
        match layout.read(load) {
            Texel::Float(parts) => parts,
            Texel::Int(_) => unreachable!("a layout of floats"),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for (layout, exact) in [
            (
                TexelLayout::plain(Component::Unorm, 8, 4),
                [0.0, 1.0, 0.2, 1.0],
            ),
            (
                packed(Component::Unorm, Packing::B8G8R8A8),
                [0.0, 1.0, 0.2, 0.4],
            ),
            (
                TexelLayout::plain(Component::Snorm, 8, 4),
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
                TexelLayout::plain(Component::Float, 16, 2),
                [0.1015625, -7.0, 0.0, 1.0],
            ),
        ] {
            assert_eq!(round_trip(layout, exact), exact, "{layout:?}");
        }
    }

    #[test]
    fn small_floats_round_to_the_nearest_and_stay_finite() {
        let layout = packed(Component::Float, Packing::R11G11B10);
        assert_eq!(
            round_trip(layout, [1.999, -3.0, 1e9, 0.0])[..3],
            [2.0, 0.0, 64512.0]
        );
        // The greatest numbers: 63/64 more than 2^15, and 31/32 more.
        assert_eq!(
            round_trip(layout, [1e14, f32::MAX, f32::MAX, 0.0])[..3],
            [65024.0, 65024.0, 64512.0]
        );
        assert_eq!(
            round_trip(layout, [f32::INFINITY, 0.0, 0.0, 0.0])[0],
            f32::INFINITY
        );
        assert!(round_trip(layout, [f32::NAN, 0.0, 0.0, 0.0])[0].is_nan());
    }

    #[test]
    fn depth_and_stencil_are_read_apart() {
        let values = packed(Component::Float, Packing::D24S8).values(&[0xff, 0xff, 0xff, 7]);
        let one = ComponentValue::Float(1.0);
        assert_eq!(values, [one, ComponentValue::Uint(7)]);
        let texel = packed(Component::Float, Packing::D24S8).read(|_, _| 0x07ff_ffff);
        assert_eq!(texel, Texel::Float([1.0, 0.0, 0.0, 1.0]));
        let mut bytes = 0.5_f32.to_le_bytes().to_vec();
        bytes.extend([9, 0, 0, 0]);
        let values = packed(Component::Float, Packing::D32S8X24).values(&bytes);
        assert_eq!(
            values,
            [ComponentValue::Float(0.5), ComponentValue::Uint(9)]
        );
    }

    #[test]
    fn alpha_has_no_srgb_curve() {
        for packing in [Packing::Plain { bits: 8, count: 4 }, Packing::B8G8R8A8] {
            let mut bytes = Vec::new();
            assert!(packed(Component::Srgb, packing).append([0.5029, 0.0, 0.0, 0.2], &mut bytes));
            bytes.sort_unstable();
            assert_eq!(bytes, [0, 0, 51, 188], "{packing:?}");
        }
    }
}
