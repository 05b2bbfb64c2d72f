//! Texel formats: size, names, and what a texel's bytes mean as numbers.
//!
//! Names and bit layouts are those of DXGI_FORMAT; bytes are little-endian.

use std::fmt;
use std::str::FromStr;

pub use dxil_cpu::resources::Component;
use dxil_cpu::resources::{Format as CpuFormat, Packing};
use dxil_translate::TexelFormat;
use half::f16;
use serde::{Deserialize, Serialize};

/// The encoding of a format's components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// All components have the same number of bits and stand in order.
    Plain {
        /// Component type.
        component: Component,
        /// Bits per component.
        bits: u32,
        /// Components, 1 to 4.
        count: u32,
        /// Stored as B, G, R, A.
        bgra: bool,
    },
    /// Components of several widths in one word; see [`Format::decode`].
    Packed,
    /// Blocks of a compressed format.
    Block,
    /// Depth, perhaps with stencil.
    Depth,
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

macro_rules! formats {
    ($($name:ident $dxgi:literal $bytes:literal $block:tt $encoding:expr, $texel:expr;)*) => {
        /// A texel format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "the formats' common names")]
        pub enum Format { $($name),* }

        impl Format {
            /// All of them.
            pub const ALL: &'static [Format] = &[$(Format::$name),*];

            /// Returns DXGI's name, without `DXGI_FORMAT_`.
            pub fn dxgi_name(self) -> &'static str {
                match self { $(Format::$name => $dxgi),* }
            }

            /// Returns the size of a texel in bytes, or of a block of a compressed format.
            pub fn block_bytes(self) -> u32 {
                match self { $(Format::$name => $bytes),* }
            }

            /// Returns the texels of a block, wide and high.
            pub fn block_size(self) -> (u32, u32) {
                match self { $(Format::$name => $block),* }
            }

            /// Returns the encoding of components.
            pub fn encoding(self) -> Encoding {
                match self { $(Format::$name => $encoding),* }
            }

            /// Returns the translator's name of the format, if shaders can access it.
            pub fn texel_format(self) -> Option<TexelFormat> {
                match self { $(Format::$name => $texel),* }
            }
        }

        impl From<TexelFormat> for Format {
            fn from(format: TexelFormat) -> Format {
                for candidate in Format::ALL {
                    if candidate.texel_format() == Some(format) {
                        return *candidate;
                    }
                }
                // Every `TexelFormat` has its row; a test holds that.
                Format::R32Uint
            }
        }
    };
}

const fn plain(component: Component, bits: u32, count: u32) -> Encoding {
    Encoding::Plain {
        component,
        bits,
        count,
        bgra: false,
    }
}

const fn bgra(component: Component) -> Encoding {
    Encoding::Plain {
        component,
        bits: 8,
        count: 4,
        bgra: true,
    }
}

use Component::{Float, Sint, Snorm, Srgb, Uint, Unorm};
use TexelFormat as T;

formats! {
    R8Unorm "R8_UNORM" 1 (1, 1) plain(Unorm, 8, 1), Some(T::R8Unorm);
    R8Snorm "R8_SNORM" 1 (1, 1) plain(Snorm, 8, 1), Some(T::R8Snorm);
    R8Uint "R8_UINT" 1 (1, 1) plain(Uint, 8, 1), Some(T::R8Uint);
    R8Sint "R8_SINT" 1 (1, 1) plain(Sint, 8, 1), Some(T::R8Sint);
    R16Unorm "R16_UNORM" 2 (1, 1) plain(Unorm, 16, 1), Some(T::R16Unorm);
    R16Snorm "R16_SNORM" 2 (1, 1) plain(Snorm, 16, 1), Some(T::R16Snorm);
    R16Uint "R16_UINT" 2 (1, 1) plain(Uint, 16, 1), Some(T::R16Uint);
    R16Sint "R16_SINT" 2 (1, 1) plain(Sint, 16, 1), Some(T::R16Sint);
    R16Float "R16_FLOAT" 2 (1, 1) plain(Float, 16, 1), Some(T::R16Float);
    R32Uint "R32_UINT" 4 (1, 1) plain(Uint, 32, 1), Some(T::R32Uint);
    R32Sint "R32_SINT" 4 (1, 1) plain(Sint, 32, 1), Some(T::R32Sint);
    R32Float "R32_FLOAT" 4 (1, 1) plain(Float, 32, 1), Some(T::R32Float);
    R64Uint "R64_UINT" 8 (1, 1) plain(Uint, 64, 1), Some(T::R64Uint);
    R64Sint "R64_SINT" 8 (1, 1) plain(Sint, 64, 1), Some(T::R64Sint);
    Rg8Unorm "R8G8_UNORM" 2 (1, 1) plain(Unorm, 8, 2), Some(T::Rg8Unorm);
    Rg8Snorm "R8G8_SNORM" 2 (1, 1) plain(Snorm, 8, 2), Some(T::Rg8Snorm);
    Rg8Uint "R8G8_UINT" 2 (1, 1) plain(Uint, 8, 2), Some(T::Rg8Uint);
    Rg8Sint "R8G8_SINT" 2 (1, 1) plain(Sint, 8, 2), Some(T::Rg8Sint);
    Rg16Unorm "R16G16_UNORM" 4 (1, 1) plain(Unorm, 16, 2), Some(T::Rg16Unorm);
    Rg16Snorm "R16G16_SNORM" 4 (1, 1) plain(Snorm, 16, 2), Some(T::Rg16Snorm);
    Rg16Uint "R16G16_UINT" 4 (1, 1) plain(Uint, 16, 2), Some(T::Rg16Uint);
    Rg16Sint "R16G16_SINT" 4 (1, 1) plain(Sint, 16, 2), Some(T::Rg16Sint);
    Rg16Float "R16G16_FLOAT" 4 (1, 1) plain(Float, 16, 2), Some(T::Rg16Float);
    Rg32Uint "R32G32_UINT" 8 (1, 1) plain(Uint, 32, 2), Some(T::Rg32Uint);
    Rg32Sint "R32G32_SINT" 8 (1, 1) plain(Sint, 32, 2), Some(T::Rg32Sint);
    Rg32Float "R32G32_FLOAT" 8 (1, 1) plain(Float, 32, 2), Some(T::Rg32Float);
    Rgb32Uint "R32G32B32_UINT" 12 (1, 1) plain(Uint, 32, 3), None;
    Rgb32Sint "R32G32B32_SINT" 12 (1, 1) plain(Sint, 32, 3), None;
    Rgb32Float "R32G32B32_FLOAT" 12 (1, 1) plain(Float, 32, 3), None;
    Rgba8Unorm "R8G8B8A8_UNORM" 4 (1, 1) plain(Unorm, 8, 4), Some(T::Rgba8Unorm);
    Rgba8Srgb "R8G8B8A8_UNORM_SRGB" 4 (1, 1) plain(Srgb, 8, 4), None;
    A8Unorm "A8_UNORM" 1 (1, 1) Encoding::Packed, None;
    Rgba8Snorm "R8G8B8A8_SNORM" 4 (1, 1) plain(Snorm, 8, 4), Some(T::Rgba8Snorm);
    Rgba8Uint "R8G8B8A8_UINT" 4 (1, 1) plain(Uint, 8, 4), Some(T::Rgba8Uint);
    Rgba8Sint "R8G8B8A8_SINT" 4 (1, 1) plain(Sint, 8, 4), Some(T::Rgba8Sint);
    Bgra8Unorm "B8G8R8A8_UNORM" 4 (1, 1) bgra(Unorm), Some(T::Bgra8Unorm);
    Bgra8Srgb "B8G8R8A8_UNORM_SRGB" 4 (1, 1) bgra(Srgb), None;
    Bgrx8Unorm "B8G8R8X8_UNORM" 4 (1, 1) Encoding::Packed, None;
    Bgrx8Srgb "B8G8R8X8_UNORM_SRGB" 4 (1, 1) Encoding::Packed, None;
    Rgb10a2Unorm "R10G10B10A2_UNORM" 4 (1, 1) Encoding::Packed, Some(T::Rgb10a2Unorm);
    Rgb10a2Uint "R10G10B10A2_UINT" 4 (1, 1) Encoding::Packed, Some(T::Rgb10a2Uint);
    Rg11b10Float "R11G11B10_FLOAT" 4 (1, 1) Encoding::Packed, Some(T::Rg11b10Float);
    Rgb9e5Float "R9G9B9E5_SHAREDEXP" 4 (1, 1) Encoding::Packed, None;
    Rgba16Unorm "R16G16B16A16_UNORM" 8 (1, 1) plain(Unorm, 16, 4), Some(T::Rgba16Unorm);
    Rgba16Snorm "R16G16B16A16_SNORM" 8 (1, 1) plain(Snorm, 16, 4), Some(T::Rgba16Snorm);
    Rgba16Uint "R16G16B16A16_UINT" 8 (1, 1) plain(Uint, 16, 4), Some(T::Rgba16Uint);
    Rgba16Sint "R16G16B16A16_SINT" 8 (1, 1) plain(Sint, 16, 4), Some(T::Rgba16Sint);
    Rgba16Float "R16G16B16A16_FLOAT" 8 (1, 1) plain(Float, 16, 4), Some(T::Rgba16Float);
    Rgba32Uint "R32G32B32A32_UINT" 16 (1, 1) plain(Uint, 32, 4), Some(T::Rgba32Uint);
    Rgba32Sint "R32G32B32A32_SINT" 16 (1, 1) plain(Sint, 32, 4), Some(T::Rgba32Sint);
    Rgba32Float "R32G32B32A32_FLOAT" 16 (1, 1) plain(Float, 32, 4), Some(T::Rgba32Float);
    B5g6r5Unorm "B5G6R5_UNORM" 2 (1, 1) Encoding::Packed, None;
    Bgr5a1Unorm "B5G5R5A1_UNORM" 2 (1, 1) Encoding::Packed, None;
    Bgra4Unorm "B4G4R4A4_UNORM" 2 (1, 1) Encoding::Packed, None;
    D16Unorm "D16_UNORM" 2 (1, 1) Encoding::Depth, None;
    D32Float "D32_FLOAT" 4 (1, 1) Encoding::Depth, None;
    D24UnormS8Uint "D24_UNORM_S8_UINT" 4 (1, 1) Encoding::Depth, None;
    D32FloatS8Uint "D32_FLOAT_S8X24_UINT" 8 (1, 1) Encoding::Depth, None;
    Bc1Unorm "BC1_UNORM" 8 (4, 4) Encoding::Block, None;
    Bc1Srgb "BC1_UNORM_SRGB" 8 (4, 4) Encoding::Block, None;
    Bc2Unorm "BC2_UNORM" 16 (4, 4) Encoding::Block, None;
    Bc2Srgb "BC2_UNORM_SRGB" 16 (4, 4) Encoding::Block, None;
    Bc3Unorm "BC3_UNORM" 16 (4, 4) Encoding::Block, None;
    Bc3Srgb "BC3_UNORM_SRGB" 16 (4, 4) Encoding::Block, None;
    Bc4Unorm "BC4_UNORM" 8 (4, 4) Encoding::Block, None;
    Bc4Snorm "BC4_SNORM" 8 (4, 4) Encoding::Block, None;
    Bc5Unorm "BC5_UNORM" 16 (4, 4) Encoding::Block, None;
    Bc5Snorm "BC5_SNORM" 16 (4, 4) Encoding::Block, None;
    Bc6hUfloat "BC6H_UF16" 16 (4, 4) Encoding::Block, None;
    Bc6hSfloat "BC6H_SF16" 16 (4, 4) Encoding::Block, None;
    Bc7Unorm "BC7_UNORM" 16 (4, 4) Encoding::Block, None;
    Bc7Srgb "BC7_UNORM_SRGB" 16 (4, 4) Encoding::Block, None;
}

/// A text that is not a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a format; use DXGI's names, like R32_FLOAT or R8G8B8A8_UNORM")]
pub struct BadFormat(pub String);

impl FromStr for Format {
    type Err = BadFormat;

    /// Takes DXGI's name in any case, with or without `DXGI_FORMAT_`, and the short name
    /// (`Rgba8Unorm`).
    fn from_str(text: &str) -> Result<Self, BadFormat> {
        let upper = text.trim().to_ascii_uppercase();
        let name = upper.strip_prefix("DXGI_FORMAT_").unwrap_or(&upper);
        Format::ALL
            .iter()
            .copied()
            .find(|f| f.dxgi_name() == name || format!("{f:?}").eq_ignore_ascii_case(name))
            .ok_or_else(|| BadFormat(text.to_owned()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.dxgi_name())
    }
}

impl Format {
    /// Returns whether it is a depth format.
    pub fn is_depth(self) -> bool {
        self.encoding() == Encoding::Depth
    }

    /// Returns whether it is a depth format with a stencil.
    pub fn has_stencil(self) -> bool {
        matches!(self, Format::D24UnormS8Uint | Format::D32FloatS8Uint)
    }

    /// Returns whether it is block-compressed.
    pub fn is_compressed(self) -> bool {
        self.encoding() == Encoding::Block
    }

    /// Returns the number of components; 0 for compressed formats.
    pub fn components(self) -> usize {
        match self.encoding() {
            Encoding::Plain { count, .. } => count as usize,
            Encoding::Packed => match self {
                Format::Rg11b10Float | Format::Rgb9e5Float | Format::B5g6r5Unorm => 3,
                _ => 4,
            },
            Encoding::Block => 0,
            Encoding::Depth => 1 + usize::from(self.has_stencil()),
        }
    }

    /// Returns the components of one texel, in the order red, green, blue, alpha (depth, stencil).
    /// Empty for compressed formats and where bytes are missing.
    pub fn decode(self, bytes: &[u8]) -> Vec<ComponentValue> {
        let Some(bytes) = bytes.get(..self.block_bytes() as usize) else {
            return Vec::new();
        };
        let word = bytes
            .iter()
            .take(8)
            .enumerate()
            .fold(0u64, |word, (i, byte)| word | u64::from(*byte) << (8 * i));
        let field = |low: u32, bits: u32| (word >> low) & ((1u64 << bits) - 1);
        let unorm = |low: u32, bits: u32| {
            ComponentValue::Float(field(low, bits) as f64 / ((1u64 << bits) - 1) as f64)
        };
        let uint = |low: u32, bits: u32| ComponentValue::Uint(field(low, bits));
        match self.encoding() {
            Encoding::Plain {
                component,
                bits,
                count,
                bgra,
            } => {
                let size = (bits / 8) as usize;
                let mut values: Vec<ComponentValue> = bytes
                    .chunks_exact(size)
                    .take(count as usize)
                    .enumerate()
                    .map(|(i, chunk)| decode_component(component, chunk, i == 3))
                    .collect();
                if bgra {
                    values.swap(0, 2);
                }
                values
            }
            Encoding::Packed => match self {
                Format::Rgb10a2Unorm => {
                    vec![unorm(0, 10), unorm(10, 10), unorm(20, 10), unorm(30, 2)]
                }
                Format::Rgb10a2Uint => vec![uint(0, 10), uint(10, 10), uint(20, 10), uint(30, 2)],
                Format::Rg11b10Float => vec![
                    ComponentValue::Float(small_float(field(0, 11), 6)),
                    ComponentValue::Float(small_float(field(11, 11), 6)),
                    ComponentValue::Float(small_float(field(22, 10), 5)),
                ],
                Format::Rgb9e5Float => {
                    // The mantissas have no hidden bit and no sign; the bias is 15 and each has
                    // nine bits of fraction (D3D11.3 functional specification, 19.3.2.1).
                    let scale = f64::powi(2.0, field(27, 5) as i32 - 24);
                    (0..3)
                        .map(|i| ComponentValue::Float(field(9 * i, 9) as f64 * scale))
                        .collect()
                }
                Format::A8Unorm => {
                    let none = ComponentValue::Float(0.0);
                    vec![none, none, none, unorm(0, 8)]
                }
                // The last byte has no meaning; the component is missing, and a missing alpha is
                // one (D3D11.3 functional specification, 19.1.3.3).
                Format::Bgrx8Unorm | Format::Bgrx8Srgb => {
                    let color = |low| match unorm(low, 8) {
                        ComponentValue::Float(value) if self == Format::Bgrx8Srgb => {
                            ComponentValue::Float(srgb_to_linear(value))
                        }
                        value => value,
                    };
                    vec![color(16), color(8), color(0), ComponentValue::Float(1.0)]
                }
                Format::Bgra4Unorm => vec![unorm(8, 4), unorm(4, 4), unorm(0, 4), unorm(12, 4)],
                Format::B5g6r5Unorm => vec![unorm(11, 5), unorm(5, 6), unorm(0, 5)],
                Format::Bgr5a1Unorm => vec![unorm(10, 5), unorm(5, 5), unorm(0, 5), unorm(15, 1)],
                _ => Vec::new(),
            },
            Encoding::Depth => {
                let float = ComponentValue::Float(f64::from(f32::from_bits(word as u32)));
                match self {
                    Format::D16Unorm => vec![unorm(0, 16)],
                    Format::D32Float => vec![float],
                    Format::D24UnormS8Uint => vec![unorm(0, 24), uint(24, 8)],
                    Format::D32FloatS8Uint => vec![float, uint(32, 8)],
                    _ => Vec::new(),
                }
            }
            Encoding::Block => Vec::new(),
        }
    }

    /// Returns the executor's description of a format with components of several widths.
    pub(crate) fn packed(self) -> Option<CpuFormat> {
        let (component, packing) = match self {
            Format::Rgb10a2Unorm => (Unorm, Packing::R10G10B10A2),
            Format::Rgb10a2Uint => (Uint, Packing::R10G10B10A2),
            Format::Rg11b10Float => (Float, Packing::R11G11B10),
            Format::Rgb9e5Float => (Float, Packing::R9G9B9E5),
            Format::A8Unorm => (Unorm, Packing::A8),
            Format::Bgrx8Unorm => (Unorm, Packing::B8G8R8X8),
            Format::Bgrx8Srgb => (Srgb, Packing::B8G8R8X8),
            Format::B5g6r5Unorm => (Unorm, Packing::B5G6R5),
            Format::Bgr5a1Unorm => (Unorm, Packing::B5G5R5A1),
            Format::Bgra4Unorm => (Unorm, Packing::B4G4R4A4),
            _ => return None,
        };
        Some(CpuFormat { component, packing })
    }

    /// Appends the bytes of one texel made from numbers: normalised formats take 0 to 1 (or -1 to
    /// 1), integers are rounded and clamped. False for compressed formats and depth with stencil,
    /// which get no bytes.
    pub fn encode(self, values: [f64; 4], out: &mut Vec<u8>) -> bool {
        match self {
            // The bits of a depth format without stencil are those of the colour format of the same
            // size.
            Format::D32Float => return Format::R32Float.encode(values, out),
            Format::D16Unorm => return Format::R16Unorm.encode(values, out),
            _ => {}
        }
        if let Some(packed) = self.packed() {
            let parts = values.map(|value| {
                if packed.is_integer() {
                    value.round_ties_even() as u32
                } else {
                    (value as f32).to_bits()
                }
            });
            packed.encode_bytes(parts, out);
            return true;
        }
        let Encoding::Plain {
            component,
            bits,
            count,
            bgra,
        } = self.encoding()
        else {
            return false;
        };
        let order: [usize; 4] = if bgra { [2, 1, 0, 3] } else { [0, 1, 2, 3] };
        for (place, &source) in order.iter().take(count as usize).enumerate() {
            encode_component(component, bits, values[source], place == 3, out);
        }
        true
    }
}

fn decode_component(component: Component, bytes: &[u8], alpha: bool) -> ComponentValue {
    let raw = bytes
        .iter()
        .enumerate()
        .fold(0u64, |word, (i, byte)| word | u64::from(*byte) << (8 * i));
    let bits = 8 * bytes.len() as u32;
    let signed = ((raw << (64 - bits)) as i64) >> (64 - bits);
    // The conversions are those of the D3D11.3 functional specification, 3.2.3.
    match component {
        Component::Uint => ComponentValue::Uint(raw),
        Component::Sint => ComponentValue::Sint(signed),
        Component::Unorm => ComponentValue::Float(raw as f64 / max_of(bits) as f64),
        Component::Srgb => {
            let value = raw as f64 / max_of(bits) as f64;
            ComponentValue::Float(if alpha { value } else { srgb_to_linear(value) })
        }
        // The least number and the one above it both stand for -1 (D3D11.3 functional
        // specification, 3.2.3.3).
        Component::Snorm => {
            ComponentValue::Float((signed as f64 / max_of(bits - 1) as f64).max(-1.0))
        }
        Component::Float => ComponentValue::Float(match bits {
            16 => f64::from(f16::from_bits(raw as u16)),
            32 => f64::from(f32::from_bits(raw as u32)),
            _ => f64::from_bits(raw),
        }),
    }
}

fn encode_component(component: Component, bits: u32, value: f64, alpha: bool, out: &mut Vec<u8>) {
    let raw: u64 = match component {
        Component::Uint => value.round().max(0.0).min(max_of(bits) as f64) as u64,
        Component::Sint => {
            let top = max_of(bits - 1) as f64;
            value.round().clamp(-top - 1.0, top) as i64 as u64
        }
        Component::Unorm => (value.clamp(0.0, 1.0) * max_of(bits) as f64).round() as u64,
        Component::Srgb => {
            let value = value.clamp(0.0, 1.0);
            let value = if alpha { value } else { linear_to_srgb(value) };
            (value * max_of(bits) as f64).round() as u64
        }
        Component::Snorm => {
            (value.clamp(-1.0, 1.0) * max_of(bits - 1) as f64).round() as i64 as u64
        }
        Component::Float => match bits {
            16 => u64::from(f16::from_f64(value).to_bits()),
            32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        },
    };
    out.extend_from_slice(&raw.to_le_bytes()[..(bits / 8) as usize]);
}

/// Returns the greatest unsigned number of that many bits.
fn max_of(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

fn srgb_to_linear(value: f64) -> f64 {
    // D3D11.3 functional specification, 3.2.3.7. Alpha is never encoded as sRGB.
    if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

fn linear_to_srgb(value: f64) -> f64 {
    if value <= 0.003_130_8 {
        value * 12.92
    } else {
        1.055 * value.powf(1.0 / 2.4) - 0.055
    }
}

/// Returns an unsigned float with five exponent bits (bias 15) and that many mantissa bits.
fn small_float(raw: u64, mantissa_bits: u32) -> f64 {
    let mantissa = (raw & ((1 << mantissa_bits) - 1)) as f64 / f64::from(1u32 << mantissa_bits);
    match raw >> mantissa_bits {
        0 => mantissa * f64::powi(2.0, -14),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1.0 + mantissa) * f64::powi(2.0, exponent as i32 - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for format in Format::ALL {
            assert_eq!(format.dxgi_name().parse(), Ok(*format));
            assert_eq!(format!("{format:?}").parse(), Ok(*format));
        }
        assert!("R33_FLOAT".parse::<Format>().is_err());
    }

    #[test]
    fn formats_encode_what_they_decode() {
        for format in Format::ALL {
            match format.encoding() {
                Encoding::Plain { bits, count, .. } => {
                    assert_eq!(bits * count / 8, format.block_bytes(), "{format}");
                }
                Encoding::Packed => {}
                Encoding::Block | Encoding::Depth => continue,
            }
            let values = match format {
                Format::A8Unorm => [0.0, 0.0, 0.0, 1.0],
                _ => [1.0, 0.0, 1.0, 1.0],
            };
            let mut bytes = Vec::new();
            assert!(format.encode(values, &mut bytes));
            assert_eq!(bytes.len(), format.block_bytes() as usize);
            let back = format.decode(&bytes);
            for (value, want) in back.iter().zip(values) {
                assert!((value.to_f64() - want).abs() < 1e-6, "{format} {back:?}");
            }
        }
    }

    #[test]
    fn packed_floats_decode() {
        // 1.0 is exponent 15, mantissa 0 in each of them.
        let word: u32 = (15 << 6) | (15 << 6) << 11 | (15 << 5) << 22;
        let values = Format::Rg11b10Float.decode(&word.to_le_bytes());
        assert_eq!(values, vec![ComponentValue::Float(1.0); 3]);
        // Mantissa 256 with exponent 16 is 256 * 2^(16 - 24) = 1.
        let word: u32 = 256 | 256 << 9 | 256 << 18 | 16 << 27;
        let values = Format::Rgb9e5Float.decode(&word.to_le_bytes());
        assert_eq!(values, vec![ComponentValue::Float(1.0); 3]);
    }

    #[test]
    fn formats_of_presentation_decode() {
        let values = |format: Format, bytes: &[u8]| {
            let values = format.decode(bytes);
            values
                .into_iter()
                .map(ComponentValue::to_f64)
                .collect::<Vec<_>>()
        };
        assert_eq!(values(Format::A8Unorm, &[255]), [0.0, 0.0, 0.0, 1.0]);
        let bgrx = [0, 255, 51, 7];
        assert_eq!(values(Format::Bgrx8Unorm, &bgrx), [0.2, 1.0, 0.0, 1.0]);
        let srgb = values(Format::Bgrx8Srgb, &[0, 255, 188, 7]);
        assert!((srgb[0] - 0.5029).abs() < 1e-3, "{srgb:?}");
        assert_eq!(
            values(Format::Bgra4Unorm, &[0xf0, 0x3f]),
            [1.0, 1.0, 0.0, 0.2]
        );
    }

    #[test]
    fn every_texel_format_has_its_row() {
        for format in Format::ALL {
            if let Some(texel) = format.texel_format() {
                assert_eq!(Format::from(texel), *format);
            }
        }
        assert_eq!(Format::from(TexelFormat::R64Sint), Format::R64Sint);
        assert_eq!(Format::from(TexelFormat::Rgba32Float), Format::Rgba32Float);
    }
}
