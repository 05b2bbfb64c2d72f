//! Texel formats: their layout in memory, their SPIR-V name, and the default format of a typed
//! resource. The numbers follow Vulkan's and D3D's format tables (`DXGI_FORMAT`).

use dxil_frontend::dxil::ComponentType;
use dxil_frontend::ir::{Type, TypeId, TypeTable};
use rspirv::spirv::ImageFormat;

/// The interpretation of the bits of a texel's components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numeric {
    /// Unsigned, scaled to 0..=1.
    Unorm,
    /// Signed, scaled to -1..=1; the minimum value reads as -1 too.
    Snorm,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Floating point; 11- and 10-bit components have no sign.
    Float,
}

/// The bits of a component in a texel: bits `offset..offset + width` of the little-endian texel.
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

const X8: [ComponentBits; 4] = [at(0, 8), at(8, 8), at(16, 8), at(24, 8)];
const X16: [ComponentBits; 4] = [at(0, 16), at(16, 16), at(32, 16), at(48, 16)];
const X32: [ComponentBits; 4] = [at(0, 32), at(32, 32), at(64, 32), at(96, 32)];
const X64: [ComponentBits; 1] = [at(0, 64)];
const BGRA: [ComponentBits; 4] = [at(16, 8), at(8, 8), at(0, 8), at(24, 8)];
const A2: [ComponentBits; 4] = [at(0, 10), at(10, 10), at(20, 10), at(30, 2)];
const B10: [ComponentBits; 3] = [at(0, 11), at(11, 11), at(22, 10)];

/// One row per format: its name, how its components are read, how many of a layout's components it
/// has, and SPIR-V's name.
macro_rules! texel_formats {
    ($($name:ident: $numeric:ident, $layout:ident[..$count:literal], $spirv:expr;)*) => {
        /// Texel formats that a typed resource can be bound as.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[allow(missing_docs, reason = "the formats' common names")]
        pub enum TexelFormat {
            $($name,)*
        }

        impl TexelFormat {
            /// Every format.
            pub const ALL: &[TexelFormat] = &[$(TexelFormat::$name),*];

            /// Returns the interpretation of the components.
            pub fn numeric(self) -> Numeric {
                match self {
                    $(TexelFormat::$name => Numeric::$numeric,)*
                }
            }

            /// Returns the bits of the components red, green, blue, alpha, as many as the format
            /// has.
            pub fn components(self) -> &'static [ComponentBits] {
                let (all, count): (&[ComponentBits], usize) = match self {
                    $(TexelFormat::$name => (&$layout, $count),)*
                };
                all.get(..count).unwrap_or(all)
            }

            /// Returns SPIR-V's name; `None` for the one format (`Bgra8Unorm`) that has none.
            pub fn image_format(self) -> Option<ImageFormat> {
                match self {
                    $(TexelFormat::$name => $spirv,)*
                }
            }
        }
    };
}

texel_formats! {
    R8Unorm: Unorm, X8[..1], Some(ImageFormat::R8);
    R8Snorm: Snorm, X8[..1], Some(ImageFormat::R8Snorm);
    R8Uint: Uint, X8[..1], Some(ImageFormat::R8ui);
    R8Sint: Sint, X8[..1], Some(ImageFormat::R8i);
    R16Unorm: Unorm, X16[..1], Some(ImageFormat::R16);
    R16Snorm: Snorm, X16[..1], Some(ImageFormat::R16Snorm);
    R16Uint: Uint, X16[..1], Some(ImageFormat::R16ui);
    R16Sint: Sint, X16[..1], Some(ImageFormat::R16i);
    R16Float: Float, X16[..1], Some(ImageFormat::R16f);
    R32Uint: Uint, X32[..1], Some(ImageFormat::R32ui);
    R32Sint: Sint, X32[..1], Some(ImageFormat::R32i);
    R32Float: Float, X32[..1], Some(ImageFormat::R32f);
    R64Uint: Uint, X64[..1], Some(ImageFormat::R64ui);
    R64Sint: Sint, X64[..1], Some(ImageFormat::R64i);
    Rg8Unorm: Unorm, X8[..2], Some(ImageFormat::Rg8);
    Rg8Snorm: Snorm, X8[..2], Some(ImageFormat::Rg8Snorm);
    Rg8Uint: Uint, X8[..2], Some(ImageFormat::Rg8ui);
    Rg8Sint: Sint, X8[..2], Some(ImageFormat::Rg8i);
    Rg16Unorm: Unorm, X16[..2], Some(ImageFormat::Rg16);
    Rg16Snorm: Snorm, X16[..2], Some(ImageFormat::Rg16Snorm);
    Rg16Uint: Uint, X16[..2], Some(ImageFormat::Rg16ui);
    Rg16Sint: Sint, X16[..2], Some(ImageFormat::Rg16i);
    Rg16Float: Float, X16[..2], Some(ImageFormat::Rg16f);
    Rg32Uint: Uint, X32[..2], Some(ImageFormat::Rg32ui);
    Rg32Sint: Sint, X32[..2], Some(ImageFormat::Rg32i);
    Rg32Float: Float, X32[..2], Some(ImageFormat::Rg32f);
    Rgba8Unorm: Unorm, X8[..4], Some(ImageFormat::Rgba8);
    Rgba8Snorm: Snorm, X8[..4], Some(ImageFormat::Rgba8Snorm);
    Rgba8Uint: Uint, X8[..4], Some(ImageFormat::Rgba8ui);
    Rgba8Sint: Sint, X8[..4], Some(ImageFormat::Rgba8i);
    Bgra8Unorm: Unorm, BGRA[..4], None;
    Rgb10a2Unorm: Unorm, A2[..4], Some(ImageFormat::Rgb10A2);
    Rgb10a2Uint: Uint, A2[..4], Some(ImageFormat::Rgb10a2ui);
    Rg11b10Float: Float, B10[..3], Some(ImageFormat::R11fG11fB10f);
    Rgba16Unorm: Unorm, X16[..4], Some(ImageFormat::Rgba16);
    Rgba16Snorm: Snorm, X16[..4], Some(ImageFormat::Rgba16Snorm);
    Rgba16Uint: Uint, X16[..4], Some(ImageFormat::Rgba16ui);
    Rgba16Sint: Sint, X16[..4], Some(ImageFormat::Rgba16i);
    Rgba16Float: Float, X16[..4], Some(ImageFormat::Rgba16f);
    Rgba32Uint: Uint, X32[..4], Some(ImageFormat::Rgba32ui);
    Rgba32Sint: Sint, X32[..4], Some(ImageFormat::Rgba32i);
    Rgba32Float: Float, X32[..4], Some(ImageFormat::Rgba32f);
}

impl TexelFormat {
    /// Returns the size of a texel in bytes: 1, 2, 4, 8 or 16.
    pub fn bytes(self) -> u32 {
        let bits = self
            .components()
            .iter()
            .map(|c| u32::from(c.offset) + u32::from(c.width))
            .max();
        bits.unwrap_or(0) / 8
    }

    /// Returns whether the SPIR-V format needs no more than the capability `Shader` (SPIR-V
    /// specification, 3.2.10 "Image Format"); others need `StorageImageExtendedFormats` or, with 64
    /// bits, `Int64ImageEXT`.
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

    /// Returns the default format of a typed resource of `count` components: full-width components,
    /// three padded to four.
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

/// Returns the number of components of `RWTexture2D<T>` and its like: the first field of the
/// variable's struct.
pub(crate) fn element_count(types: &TypeTable, mut ty: TypeId) -> u32 {
    // Arrays, pointers and the class around the element: a handful of levels at most.
    for _ in 0..8 {
        match types.get(ty) {
            Type::Array { element, .. } => ty = *element,
            Type::Pointer { pointee, .. } => ty = *pointee,
            Type::Struct { fields, .. } => match fields.first() {
                Some(&first) => ty = first,
                None => return 4,
            },
            Type::Vector { count, element } => {
                return (*count * words(types.get(*element))).clamp(1, 4);
            }
            scalar @ (Type::Int(_) | Type::Half | Type::Float | Type::Double) => {
                return words(scalar);
            }
            _ => return 4,
        }
    }
    4
}

/// Returns the components of a texel that a scalar takes: 64 bits are a pair of 32.
fn words(scalar: &Type) -> u32 {
    match scalar {
        Type::Int(64) | Type::Double => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_a_format_do_not_overlap_and_fill_whole_bytes() {
        for &format in TexelFormat::ALL {
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
