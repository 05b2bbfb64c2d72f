//! Texel formats: their layout in memory, their SPIR-V name, and the default format of a typed
//! resource. The numbers follow Vulkan's and D3D's format tables (`DXGI_FORMAT`).

use dxil_frontend::dxil::ComponentType;
use dxil_frontend::ir::{Type, TypeId, TypeTable};
use dxil_texel::{Component, ComponentBits, Format};
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

/// One row per format: its name, which is that of [`Format`], and SPIR-V's name.
macro_rules! texel_formats {
    ($($name:ident: $spirv:expr;)*) => {
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

            /// Returns the format of shaders' accesses to a format; `None` for depth, sRGB and
            /// compressed formats and others that shaders cannot store to.
            pub fn of(format: Format) -> Option<TexelFormat> {
                match format {
                    $(Format::$name => Some(TexelFormat::$name),)*
                    _ => None,
                }
            }

            /// Returns the bits of the components red, green, blue, alpha, as many as the format
            /// has.
            pub fn components(self) -> &'static [ComponentBits] {
                match self {
                    $(TexelFormat::$name => {
                        const BITS: ([ComponentBits; 4], usize) = bits_of(Format::$name);
                        BITS.0.get(..BITS.1).unwrap_or(&BITS.0)
                    })*
                }
            }

            /// Returns SPIR-V's name; `None` for the one format (`Bgra8Unorm`) that has none.
            pub fn image_format(self) -> Option<ImageFormat> {
                match self {
                    $(TexelFormat::$name => $spirv,)*
                }
            }
        }

        impl From<TexelFormat> for Format {
            fn from(format: TexelFormat) -> Format {
                match format {
                    $(TexelFormat::$name => Format::$name,)*
                }
            }
        }
    };
}

/// Returns the bits of a format's components, and how many it has.
const fn bits_of(format: Format) -> ([ComponentBits; 4], usize) {
    match format.layout() {
        Some(layout) => (layout.fields(), layout.components()),
        None => ([ComponentBits::NONE; 4], 0),
    }
}

texel_formats! {
    R8Unorm: Some(ImageFormat::R8);
    R8Snorm: Some(ImageFormat::R8Snorm);
    R8Uint: Some(ImageFormat::R8ui);
    R8Sint: Some(ImageFormat::R8i);
    R16Unorm: Some(ImageFormat::R16);
    R16Snorm: Some(ImageFormat::R16Snorm);
    R16Uint: Some(ImageFormat::R16ui);
    R16Sint: Some(ImageFormat::R16i);
    R16Float: Some(ImageFormat::R16f);
    R32Uint: Some(ImageFormat::R32ui);
    R32Sint: Some(ImageFormat::R32i);
    R32Float: Some(ImageFormat::R32f);
    R64Uint: Some(ImageFormat::R64ui);
    R64Sint: Some(ImageFormat::R64i);
    Rg8Unorm: Some(ImageFormat::Rg8);
    Rg8Snorm: Some(ImageFormat::Rg8Snorm);
    Rg8Uint: Some(ImageFormat::Rg8ui);
    Rg8Sint: Some(ImageFormat::Rg8i);
    Rg16Unorm: Some(ImageFormat::Rg16);
    Rg16Snorm: Some(ImageFormat::Rg16Snorm);
    Rg16Uint: Some(ImageFormat::Rg16ui);
    Rg16Sint: Some(ImageFormat::Rg16i);
    Rg16Float: Some(ImageFormat::Rg16f);
    Rg32Uint: Some(ImageFormat::Rg32ui);
    Rg32Sint: Some(ImageFormat::Rg32i);
    Rg32Float: Some(ImageFormat::Rg32f);
    Rgba8Unorm: Some(ImageFormat::Rgba8);
    Rgba8Snorm: Some(ImageFormat::Rgba8Snorm);
    Rgba8Uint: Some(ImageFormat::Rgba8ui);
    Rgba8Sint: Some(ImageFormat::Rgba8i);
    Bgra8Unorm: None;
    Rgb10a2Unorm: Some(ImageFormat::Rgb10A2);
    Rgb10a2Uint: Some(ImageFormat::Rgb10a2ui);
    Rg11b10Float: Some(ImageFormat::R11fG11fB10f);
    Rgba16Unorm: Some(ImageFormat::Rgba16);
    Rgba16Snorm: Some(ImageFormat::Rgba16Snorm);
    Rgba16Uint: Some(ImageFormat::Rgba16ui);
    Rgba16Sint: Some(ImageFormat::Rgba16i);
    Rgba16Float: Some(ImageFormat::Rgba16f);
    Rgba32Uint: Some(ImageFormat::Rgba32ui);
    Rgba32Sint: Some(ImageFormat::Rgba32i);
    Rgba32Float: Some(ImageFormat::Rgba32f);
}

impl TexelFormat {
    /// Returns the size of a texel in bytes: 1, 2, 4, 8 or 16.
    pub fn bytes(self) -> u32 {
        Format::from(self).block_bytes()
    }

    /// Returns the interpretation of the components.
    pub fn numeric(self) -> Numeric {
        match Format::from(self).layout().map(|layout| layout.component) {
            Some(Component::Unorm | Component::Srgb) => Numeric::Unorm,
            Some(Component::Snorm) => Numeric::Snorm,
            Some(Component::Sint) => Numeric::Sint,
            Some(Component::Float) => Numeric::Float,
            Some(Component::Uint) | None => Numeric::Uint,
        }
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
