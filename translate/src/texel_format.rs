//! Texel formats: their shape in memory, their SPIR-V name, and the format a typed resource takes
//! where nobody says one. The numbers follow Vulkan's and D3D's format tables (`DXGI_FORMAT`).

use dxil_frontend::dxil::ComponentType;
use rspirv::spirv::ImageFormat;

/// Texel formats that a typed resource can be bound as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "the formats' common names")]
pub enum TexelFormat {
    R8Unorm,
    R8Snorm,
    R8Uint,
    R8Sint,
    R16Unorm,
    R16Snorm,
    R16Uint,
    R16Sint,
    R16Float,
    R32Uint,
    R32Sint,
    R32Float,
    R64Uint,
    R64Sint,
    Rg8Unorm,
    Rg8Snorm,
    Rg8Uint,
    Rg8Sint,
    Rg16Unorm,
    Rg16Snorm,
    Rg16Uint,
    Rg16Sint,
    Rg16Float,
    Rg32Uint,
    Rg32Sint,
    Rg32Float,
    Rgba8Unorm,
    Rgba8Snorm,
    Rgba8Uint,
    Rgba8Sint,
    Bgra8Unorm,
    Rgb10a2Unorm,
    Rgb10a2Uint,
    Rg11b10Float,
    Rgba16Unorm,
    Rgba16Snorm,
    Rgba16Uint,
    Rgba16Sint,
    Rgba16Float,
    Rgba32Uint,
    Rgba32Sint,
    Rgba32Float,
}

/// How the bits of a texel's components are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numeric {
    /// Unsigned, scaled to 0..=1.
    Unorm,
    /// Signed, scaled to -1..=1; the least value reads as -1 too.
    Snorm,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Floating point; 11- and 10-bit components have no sign.
    Float,
}

/// One component's place in a texel: bits `offset..offset + width` of the little-endian texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ComponentBits {
    /// First bit.
    pub offset: u8,
    /// Number of bits.
    pub width: u8,
}

impl TexelFormat {
    /// Every format.
    pub const ALL: [TexelFormat; 42] = {
        use TexelFormat::*;
        [
            R8Unorm,
            R8Snorm,
            R8Uint,
            R8Sint,
            R16Unorm,
            R16Snorm,
            R16Uint,
            R16Sint,
            R16Float,
            R32Uint,
            R32Sint,
            R32Float,
            R64Uint,
            R64Sint,
            Rg8Unorm,
            Rg8Snorm,
            Rg8Uint,
            Rg8Sint,
            Rg16Unorm,
            Rg16Snorm,
            Rg16Uint,
            Rg16Sint,
            Rg16Float,
            Rg32Uint,
            Rg32Sint,
            Rg32Float,
            Rgba8Unorm,
            Rgba8Snorm,
            Rgba8Uint,
            Rgba8Sint,
            Bgra8Unorm,
            Rgb10a2Unorm,
            Rgb10a2Uint,
            Rg11b10Float,
            Rgba16Unorm,
            Rgba16Snorm,
            Rgba16Uint,
            Rgba16Sint,
            Rgba16Float,
            Rgba32Uint,
            Rgba32Sint,
            Rgba32Float,
        ]
    };

    /// How the components are read.
    pub fn numeric(self) -> Numeric {
        use TexelFormat::*;
        match self {
            R8Unorm | R16Unorm | Rg8Unorm | Rg16Unorm | Rgba8Unorm | Bgra8Unorm | Rgb10a2Unorm
            | Rgba16Unorm => Numeric::Unorm,
            R8Snorm | R16Snorm | Rg8Snorm | Rg16Snorm | Rgba8Snorm | Rgba16Snorm => Numeric::Snorm,
            R8Uint | R16Uint | R32Uint | R64Uint | Rg8Uint | Rg16Uint | Rg32Uint | Rgba8Uint
            | Rgb10a2Uint | Rgba16Uint | Rgba32Uint => Numeric::Uint,
            R8Sint | R16Sint | R32Sint | R64Sint | Rg8Sint | Rg16Sint | Rg32Sint | Rgba8Sint
            | Rgba16Sint | Rgba32Sint => Numeric::Sint,
            R16Float | R32Float | Rg16Float | Rg32Float | Rg11b10Float | Rgba16Float
            | Rgba32Float => Numeric::Float,
        }
    }

    /// Places of the components red, green, blue, alpha (as many as there are).
    pub fn components(self) -> &'static [ComponentBits] {
        use TexelFormat::*;
        const fn at(offset: u8, width: u8) -> ComponentBits {
            ComponentBits { offset, width }
        }
        const X8: [ComponentBits; 4] = [at(0, 8), at(8, 8), at(16, 8), at(24, 8)];
        const X16: [ComponentBits; 4] = [at(0, 16), at(16, 16), at(32, 16), at(48, 16)];
        const X32: [ComponentBits; 4] = [at(0, 32), at(32, 32), at(64, 32), at(96, 32)];
        const X64: [ComponentBits; 1] = [at(0, 64)];
        const BGRA: [ComponentBits; 4] = [at(16, 8), at(8, 8), at(0, 8), at(24, 8)];
        const A2: [ComponentBits; 4] = [at(0, 10), at(10, 10), at(20, 10), at(30, 2)];
        const B10: [ComponentBits; 3] = [at(0, 11), at(11, 11), at(22, 10)];
        let (all, count): (&[ComponentBits], usize) = match self {
            R8Unorm | R8Snorm | R8Uint | R8Sint => (&X8, 1),
            R16Unorm | R16Snorm | R16Uint | R16Sint | R16Float => (&X16, 1),
            R32Uint | R32Sint | R32Float => (&X32, 1),
            R64Uint | R64Sint => (&X64, 1),
            Rg8Unorm | Rg8Snorm | Rg8Uint | Rg8Sint => (&X8, 2),
            Rg16Unorm | Rg16Snorm | Rg16Uint | Rg16Sint | Rg16Float => (&X16, 2),
            Rg32Uint | Rg32Sint | Rg32Float => (&X32, 2),
            Rgba8Unorm | Rgba8Snorm | Rgba8Uint | Rgba8Sint => (&X8, 4),
            Bgra8Unorm => (&BGRA, 4),
            Rgb10a2Unorm | Rgb10a2Uint => (&A2, 4),
            Rg11b10Float => (&B10, 3),
            Rgba16Unorm | Rgba16Snorm | Rgba16Uint | Rgba16Sint | Rgba16Float => (&X16, 4),
            Rgba32Uint | Rgba32Sint | Rgba32Float => (&X32, 4),
        };
        all.get(..count).unwrap_or(all)
    }

    /// Bytes of a texel: 1, 2, 4, 8 or 16.
    pub fn bytes(self) -> u32 {
        let bits = self
            .components()
            .iter()
            .map(|c| u32::from(c.offset) + u32::from(c.width))
            .max();
        bits.unwrap_or(0) / 8
    }

    /// SPIR-V's name; `None` for the one format (`Bgra8Unorm`) that has none.
    pub fn image_format(self) -> Option<ImageFormat> {
        use TexelFormat::*;
        Some(match self {
            R8Unorm => ImageFormat::R8,
            R8Snorm => ImageFormat::R8Snorm,
            R8Uint => ImageFormat::R8ui,
            R8Sint => ImageFormat::R8i,
            R16Unorm => ImageFormat::R16,
            R16Snorm => ImageFormat::R16Snorm,
            R16Uint => ImageFormat::R16ui,
            R16Sint => ImageFormat::R16i,
            R16Float => ImageFormat::R16f,
            R32Uint => ImageFormat::R32ui,
            R32Sint => ImageFormat::R32i,
            R32Float => ImageFormat::R32f,
            R64Uint => ImageFormat::R64ui,
            R64Sint => ImageFormat::R64i,
            Rg8Unorm => ImageFormat::Rg8,
            Rg8Snorm => ImageFormat::Rg8Snorm,
            Rg8Uint => ImageFormat::Rg8ui,
            Rg8Sint => ImageFormat::Rg8i,
            Rg16Unorm => ImageFormat::Rg16,
            Rg16Snorm => ImageFormat::Rg16Snorm,
            Rg16Uint => ImageFormat::Rg16ui,
            Rg16Sint => ImageFormat::Rg16i,
            Rg16Float => ImageFormat::Rg16f,
            Rg32Uint => ImageFormat::Rg32ui,
            Rg32Sint => ImageFormat::Rg32i,
            Rg32Float => ImageFormat::Rg32f,
            Rgba8Unorm => ImageFormat::Rgba8,
            Rgba8Snorm => ImageFormat::Rgba8Snorm,
            Rgba8Uint => ImageFormat::Rgba8ui,
            Rgba8Sint => ImageFormat::Rgba8i,
            Bgra8Unorm => return None,
            Rgb10a2Unorm => ImageFormat::Rgb10A2,
            Rgb10a2Uint => ImageFormat::Rgb10a2ui,
            Rg11b10Float => ImageFormat::R11fG11fB10f,
            Rgba16Unorm => ImageFormat::Rgba16,
            Rgba16Snorm => ImageFormat::Rgba16Snorm,
            Rgba16Uint => ImageFormat::Rgba16ui,
            Rgba16Sint => ImageFormat::Rgba16i,
            Rgba16Float => ImageFormat::Rgba16f,
            Rgba32Uint => ImageFormat::Rgba32ui,
            Rgba32Sint => ImageFormat::Rgba32i,
            Rgba32Float => ImageFormat::Rgba32f,
        })
    }

    /// Whether the SPIR-V format needs no more than the capability `Shader`.
    pub fn is_basic_storage_format(self) -> bool {
        use TexelFormat::*;
        matches!(
            self,
            R32Uint
                | R32Sint
                | R32Float
                | Rgba8Unorm
                | Rgba8Snorm
                | Rgba8Uint
                | Rgba8Sint
                | Rgba16Uint
                | Rgba16Sint
                | Rgba16Float
                | Rgba32Uint
                | Rgba32Sint
                | Rgba32Float
        )
    }

    /// The format a typed resource of `count` components takes where nobody says one: full-width
    /// components, three padded to four.
    pub fn natural(component: ComponentType, count: u32) -> TexelFormat {
        use ComponentType as C;
        use TexelFormat::*;
        let pick = |one, two, four| match count {
            0 | 1 => one,
            2 => two,
            _ => four,
        };
        match component {
            C::I64 => pick(R64Sint, R64Sint, R64Sint),
            C::U64 => pick(R64Uint, R64Uint, R64Uint),
            C::I1 | C::U32 | C::PackedS8x32 | C::PackedU8x32 | C::Invalid => {
                pick(R32Uint, Rg32Uint, Rgba32Uint)
            }
            C::I32 => pick(R32Sint, Rg32Sint, Rgba32Sint),
            C::I16 => pick(R16Sint, Rg16Sint, Rgba16Sint),
            C::U16 => pick(R16Uint, Rg16Uint, Rgba16Uint),
            C::F16 => pick(R16Float, Rg16Float, Rgba16Float),
            C::F32 | C::F64 | C::SNormF64 | C::UNormF64 => pick(R32Float, Rg32Float, Rgba32Float),
            C::SNormF16 | C::SNormF32 => pick(R8Snorm, Rg8Snorm, Rgba8Snorm),
            C::UNormF16 | C::UNormF32 => pick(R8Unorm, Rg8Unorm, Rgba8Unorm),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_a_format_do_not_overlap_and_fill_whole_bytes() {
        for format in TexelFormat::ALL {
            let mut seen = 0u128;
            for c in format.components() {
                let mask = ((1u128 << c.width) - 1) << c.offset;
                assert_eq!(seen & mask, 0, "{format:?}");
                seen |= mask;
            }
            assert_eq!(seen.count_ones(), format.bytes() * 8, "{format:?}");
            assert!(matches!(format.bytes(), 1 | 2 | 4 | 8 | 16), "{format:?}");
        }
    }

    #[test]
    fn the_natural_format_keeps_the_component_class() {
        for (component, numeric) in [
            (ComponentType::F32, Numeric::Float),
            (ComponentType::I32, Numeric::Sint),
            (ComponentType::U16, Numeric::Uint),
            (ComponentType::UNormF32, Numeric::Unorm),
            (ComponentType::SNormF32, Numeric::Snorm),
        ] {
            for count in 1..=4 {
                let format = TexelFormat::natural(component, count);
                assert_eq!(format.numeric(), numeric);
                assert!(format.components().len() >= count as usize);
            }
        }
    }
}
