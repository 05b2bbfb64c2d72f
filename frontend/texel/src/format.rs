//! DXGI's formats: their names and their layouts.

use std::fmt;
use std::str::FromStr;

use crate::component::Component::{self, Float, Sint, Snorm, Srgb, Uint, Unorm};
use crate::component::ComponentValue;
use crate::layout::Packing::*;
use crate::layout::{Packing, TexelLayout};

/// Texels of a side of a block of a compressed format.
const BLOCK_SIDE: u32 = 4;

/// What the bytes of a format hold.
#[derive(Clone, Copy)]
enum Unit {
    /// Texels of this layout.
    Texel(TexelLayout),
    /// Compressed blocks of that many bytes.
    Block(u32),
}

use Unit::{Block, Texel};

const fn plain(component: Component, bits: u32, count: u32) -> TexelLayout {
    TexelLayout::plain(component, bits, count)
}

const fn packed(component: Component, packing: Packing) -> TexelLayout {
    TexelLayout { component, packing }
}

/// One row per format: its name, DXGI's name without `DXGI_FORMAT_`, and what its bytes hold.
macro_rules! formats {
    ($($name:ident $dxgi:literal $unit:expr;)*) => {
        /// A texel format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[allow(missing_docs, reason = "the formats' common names")]
        pub enum Format { $($name),* }

        impl Format {
            /// All of them.
            pub const ALL: &'static [Format] = &[$(Format::$name),*];

            /// Returns DXGI's name, without `DXGI_FORMAT_`.
            pub fn dxgi_name(self) -> &'static str {
                match self { $(Format::$name => $dxgi),* }
            }

            const fn unit(self) -> Unit {
                match self { $(Format::$name => $unit),* }
            }
        }
    };
}

formats! {
    R8Unorm "R8_UNORM" Texel(plain(Unorm, 8, 1));
    R8Snorm "R8_SNORM" Texel(plain(Snorm, 8, 1));
    R8Uint "R8_UINT" Texel(plain(Uint, 8, 1));
    R8Sint "R8_SINT" Texel(plain(Sint, 8, 1));
    R16Unorm "R16_UNORM" Texel(plain(Unorm, 16, 1));
    R16Snorm "R16_SNORM" Texel(plain(Snorm, 16, 1));
    R16Uint "R16_UINT" Texel(plain(Uint, 16, 1));
    R16Sint "R16_SINT" Texel(plain(Sint, 16, 1));
    R16Float "R16_FLOAT" Texel(plain(Float, 16, 1));
    R32Uint "R32_UINT" Texel(plain(Uint, 32, 1));
    R32Sint "R32_SINT" Texel(plain(Sint, 32, 1));
    R32Float "R32_FLOAT" Texel(plain(Float, 32, 1));
    R64Uint "R64_UINT" Texel(plain(Uint, 64, 1));
    R64Sint "R64_SINT" Texel(plain(Sint, 64, 1));
    Rg8Unorm "R8G8_UNORM" Texel(plain(Unorm, 8, 2));
    Rg8Snorm "R8G8_SNORM" Texel(plain(Snorm, 8, 2));
    Rg8Uint "R8G8_UINT" Texel(plain(Uint, 8, 2));
    Rg8Sint "R8G8_SINT" Texel(plain(Sint, 8, 2));
    Rg16Unorm "R16G16_UNORM" Texel(plain(Unorm, 16, 2));
    Rg16Snorm "R16G16_SNORM" Texel(plain(Snorm, 16, 2));
    Rg16Uint "R16G16_UINT" Texel(plain(Uint, 16, 2));
    Rg16Sint "R16G16_SINT" Texel(plain(Sint, 16, 2));
    Rg16Float "R16G16_FLOAT" Texel(plain(Float, 16, 2));
    Rg32Uint "R32G32_UINT" Texel(plain(Uint, 32, 2));
    Rg32Sint "R32G32_SINT" Texel(plain(Sint, 32, 2));
    Rg32Float "R32G32_FLOAT" Texel(plain(Float, 32, 2));
    Rgb32Uint "R32G32B32_UINT" Texel(plain(Uint, 32, 3));
    Rgb32Sint "R32G32B32_SINT" Texel(plain(Sint, 32, 3));
    Rgb32Float "R32G32B32_FLOAT" Texel(plain(Float, 32, 3));
    Rgba8Unorm "R8G8B8A8_UNORM" Texel(plain(Unorm, 8, 4));
    Rgba8Srgb "R8G8B8A8_UNORM_SRGB" Texel(plain(Srgb, 8, 4));
    A8Unorm "A8_UNORM" Texel(packed(Unorm, A8));
    Rgba8Snorm "R8G8B8A8_SNORM" Texel(plain(Snorm, 8, 4));
    Rgba8Uint "R8G8B8A8_UINT" Texel(plain(Uint, 8, 4));
    Rgba8Sint "R8G8B8A8_SINT" Texel(plain(Sint, 8, 4));
    Bgra8Unorm "B8G8R8A8_UNORM" Texel(packed(Unorm, B8G8R8A8));
    Bgra8Srgb "B8G8R8A8_UNORM_SRGB" Texel(packed(Srgb, B8G8R8A8));
    Bgrx8Unorm "B8G8R8X8_UNORM" Texel(packed(Unorm, B8G8R8X8));
    Bgrx8Srgb "B8G8R8X8_UNORM_SRGB" Texel(packed(Srgb, B8G8R8X8));
    Rgb10a2Unorm "R10G10B10A2_UNORM" Texel(packed(Unorm, R10G10B10A2));
    Rgb10a2Uint "R10G10B10A2_UINT" Texel(packed(Uint, R10G10B10A2));
    Rg11b10Float "R11G11B10_FLOAT" Texel(packed(Float, R11G11B10));
    Rgb9e5Float "R9G9B9E5_SHAREDEXP" Texel(packed(Float, R9G9B9E5));
    Rgba16Unorm "R16G16B16A16_UNORM" Texel(plain(Unorm, 16, 4));
    Rgba16Snorm "R16G16B16A16_SNORM" Texel(plain(Snorm, 16, 4));
    Rgba16Uint "R16G16B16A16_UINT" Texel(plain(Uint, 16, 4));
    Rgba16Sint "R16G16B16A16_SINT" Texel(plain(Sint, 16, 4));
    Rgba16Float "R16G16B16A16_FLOAT" Texel(plain(Float, 16, 4));
    Rgba32Uint "R32G32B32A32_UINT" Texel(plain(Uint, 32, 4));
    Rgba32Sint "R32G32B32A32_SINT" Texel(plain(Sint, 32, 4));
    Rgba32Float "R32G32B32A32_FLOAT" Texel(plain(Float, 32, 4));
    B5g6r5Unorm "B5G6R5_UNORM" Texel(packed(Unorm, B5G6R5));
    Bgr5a1Unorm "B5G5R5A1_UNORM" Texel(packed(Unorm, B5G5R5A1));
    Bgra4Unorm "B4G4R4A4_UNORM" Texel(packed(Unorm, B4G4R4A4));
    D16Unorm "D16_UNORM" Texel(packed(Float, D16));
    D32Float "D32_FLOAT" Texel(packed(Float, D32));
    D24UnormS8Uint "D24_UNORM_S8_UINT" Texel(packed(Float, D24S8));
    D32FloatS8Uint "D32_FLOAT_S8X24_UINT" Texel(packed(Float, D32S8X24));
    Bc1Unorm "BC1_UNORM" Block(8);
    Bc1Srgb "BC1_UNORM_SRGB" Block(8);
    Bc2Unorm "BC2_UNORM" Block(16);
    Bc2Srgb "BC2_UNORM_SRGB" Block(16);
    Bc3Unorm "BC3_UNORM" Block(16);
    Bc3Srgb "BC3_UNORM_SRGB" Block(16);
    Bc4Unorm "BC4_UNORM" Block(8);
    Bc4Snorm "BC4_SNORM" Block(8);
    Bc5Unorm "BC5_UNORM" Block(16);
    Bc5Snorm "BC5_SNORM" Block(16);
    Bc6hUfloat "BC6H_UF16" Block(16);
    Bc6hSfloat "BC6H_SF16" Block(16);
    Bc7Unorm "BC7_UNORM" Block(16);
    Bc7Srgb "BC7_UNORM_SRGB" Block(16);
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
    /// Returns the layout of a texel; `None` for compressed formats.
    pub const fn layout(self) -> Option<TexelLayout> {
        match self.unit() {
            Texel(layout) => Some(layout),
            Block(_) => None,
        }
    }

    /// Returns the size of a texel in bytes, or of a block of a compressed format.
    pub const fn block_bytes(self) -> u32 {
        match self.unit() {
            Texel(layout) => layout.bytes(),
            Block(bytes) => bytes,
        }
    }

    /// Returns the texels of a block, wide and high: 1 and 1, or 4 and 4.
    pub const fn block_size(self) -> (u32, u32) {
        match self.unit() {
            Texel(_) => (1, 1),
            Block(_) => (BLOCK_SIDE, BLOCK_SIDE),
        }
    }

    /// Returns whether it is a depth format.
    pub fn is_depth(self) -> bool {
        self.layout().is_some_and(TexelLayout::is_depth)
    }

    /// Returns whether it is a depth format with a stencil.
    pub fn has_stencil(self) -> bool {
        self.layout().is_some_and(TexelLayout::has_stencil)
    }

    /// Returns whether it is block-compressed.
    pub fn is_compressed(self) -> bool {
        self.layout().is_none()
    }

    /// Returns the number of components; 0 for compressed formats.
    pub fn components(self) -> usize {
        self.layout().map_or(0, TexelLayout::components)
    }

    /// Returns the components of one texel, in the order red, green, blue, alpha (depth, stencil).
    /// Empty for compressed formats and where bytes are missing.
    pub fn decode(self, bytes: &[u8]) -> Vec<ComponentValue> {
        self.layout()
            .map_or(Vec::new(), |layout| layout.values(bytes))
    }

    /// Appends the bytes of one texel made from numbers: normalised formats take 0 to 1 (or -1 to
    /// 1), integers are rounded and clamped. False for compressed formats and depth with stencil,
    /// which get no bytes.
    pub fn encode(self, values: [f64; 4], out: &mut Vec<u8>) -> bool {
        self.layout()
            .is_some_and(|layout| layout.append(values, out))
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
            if format.is_compressed() || format.has_stencil() {
                continue;
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
    fn fields_do_not_overlap_and_names_give_their_bits() {
        for format in Format::ALL {
            let Some(layout) = format.layout() else {
                continue;
            };
            let mut seen = 0_u128;
            for field in layout.fields() {
                let mask = ((1_u128 << field.width) - 1) << field.offset;
                assert_eq!(seen & mask, 0, "{format}");
                seen |= mask;
            }
            // The numbers in DXGI's name (`R10G10B10A2`) are the bits of all components, with those
            // that have no meaning.
            let name = format.dxgi_name().replace("SHAREDEXP", "");
            let numbers = name.split(|c: char| !c.is_ascii_digit());
            let bits: u32 = numbers
                .filter_map(|digits| digits.parse::<u32>().ok())
                .sum();
            assert_eq!(bits, 8 * format.block_bytes(), "{format}");
            assert!(seen.leading_zeros() >= 128 - bits, "{format}");
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
}
