//! The numbers of D3D12's enumerations (`d3d12.h`) that a database holds, and of DXGI's formats
//! (`dxgiformat.h`).

use dxil_runtime::Format;
use dxil_runtime::graphics::{BlendFactor, BlendOp, Cull, LogicOp, StencilOp};
use dxil_runtime::job::Comparison;

use crate::draw_state::PrimitiveType;

/// A value with a number in D3D12.
pub(super) trait Numbered: Copy + PartialEq + Sized + 'static {
    /// D3D12's name of the enumeration.
    const NAME: &'static str;
    /// All values with their numbers.
    const TABLE: &'static [(i64, Self)];

    /// Returns the value with that number.
    fn from_number(number: i64) -> Option<Self> {
        let found = Self::TABLE.iter().find(|(own, _)| *own == number);
        found.map(|(_, value)| *value)
    }

    /// Returns its number.
    fn number(self) -> i64 {
        let found = Self::TABLE.iter().find(|(_, value)| *value == self);
        // Every value is in its table, as tests hold.
        found.map_or(0, |(number, _)| *number)
    }
}

macro_rules! numbered {
    ($($ty:ident $name:literal { $($number:literal $value:ident),* })*) => {
        $(impl Numbered for $ty {
            const NAME: &'static str = $name;
            const TABLE: &'static [(i64, Self)] = &[$(($number, $ty::$value)),*];
        })*
    };
}

numbered! {
    BlendFactor "D3D12_BLEND" {
        1 Zero, 2 One, 3 SourceColor, 4 InverseSourceColor, 5 SourceAlpha, 6 InverseSourceAlpha,
        7 DestinationAlpha, 8 InverseDestinationAlpha, 9 DestinationColor,
        10 InverseDestinationColor, 11 SourceAlphaSaturate, 14 Constant, 15 InverseConstant,
        16 Source1Color, 17 InverseSource1Color, 18 Source1Alpha, 19 InverseSource1Alpha,
        20 ConstantAlpha, 21 InverseConstantAlpha
    }
    BlendOp "D3D12_BLEND_OP" { 1 Add, 2 Subtract, 3 ReverseSubtract, 4 Min, 5 Max }
    LogicOp "D3D12_LOGIC_OP" {
        0 Clear, 1 Set, 2 Copy, 3 CopyInverted, 4 Noop, 5 Invert, 6 And, 7 Nand, 8 Or, 9 Nor,
        10 Xor, 11 Equivalent, 12 AndReverse, 13 AndInverted, 14 OrReverse, 15 OrInverted
    }
    StencilOp "D3D12_STENCIL_OP" {
        1 Keep, 2 Zero, 3 Replace, 4 IncrementSaturate, 5 DecrementSaturate, 6 Invert, 7 Increment,
        8 Decrement
    }
    Comparison "D3D12_COMPARISON_FUNC" {
        1 Never, 2 Less, 3 Equal, 4 LessEqual, 5 Greater, 6 NotEqual, 7 GreaterEqual, 8 Always
    }
    Cull "D3D12_CULL_MODE" { 1 None, 2 Front, 3 Back }
    PrimitiveType "D3D12_PRIMITIVE_TOPOLOGY_TYPE" { 1 Points, 2 Lines, 3 Triangles, 4 Patches }
    Format "DXGI_FORMAT" {
        2 Rgba32Float, 3 Rgba32Uint, 4 Rgba32Sint, 6 Rgb32Float, 7 Rgb32Uint, 8 Rgb32Sint,
        10 Rgba16Float, 11 Rgba16Unorm, 12 Rgba16Uint, 13 Rgba16Snorm, 14 Rgba16Sint,
        16 Rg32Float, 17 Rg32Uint, 18 Rg32Sint, 20 D32FloatS8Uint, 24 Rgb10a2Unorm,
        25 Rgb10a2Uint, 26 Rg11b10Float, 28 Rgba8Unorm, 29 Rgba8Srgb, 30 Rgba8Uint, 31 Rgba8Snorm,
        32 Rgba8Sint, 34 Rg16Float, 35 Rg16Unorm, 36 Rg16Uint, 37 Rg16Snorm, 38 Rg16Sint,
        40 D32Float, 41 R32Float, 42 R32Uint, 43 R32Sint, 45 D24UnormS8Uint, 49 Rg8Unorm,
        50 Rg8Uint, 51 Rg8Snorm, 52 Rg8Sint, 54 R16Float, 55 D16Unorm, 56 R16Unorm, 57 R16Uint,
        58 R16Snorm, 59 R16Sint, 61 R8Unorm, 62 R8Uint, 63 R8Snorm, 64 R8Sint, 65 A8Unorm,
        67 Rgb9e5Float, 71 Bc1Unorm, 72 Bc1Srgb, 74 Bc2Unorm, 75 Bc2Srgb, 77 Bc3Unorm, 78 Bc3Srgb,
        80 Bc4Unorm, 81 Bc4Snorm, 83 Bc5Unorm, 84 Bc5Snorm, 85 B5g6r5Unorm, 86 Bgr5a1Unorm,
        87 Bgra8Unorm, 88 Bgrx8Unorm, 91 Bgra8Srgb, 93 Bgrx8Srgb, 95 Bc6hUfloat, 96 Bc6hSfloat,
        98 Bc7Unorm, 99 Bc7Srgb, 115 Bgra4Unorm
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Numbered + std::fmt::Debug>(count: usize) {
        assert_eq!(T::TABLE.len(), count, "{}", T::NAME);
        assert!(T::TABLE.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (number, value) in T::TABLE {
            assert_eq!(value.number(), *number);
            assert_eq!(T::from_number(*number), Some(*value));
        }
        assert_eq!(T::from_number(-1), None);
    }

    #[test]
    fn numbers_and_values_match_one_to_one() {
        check::<BlendFactor>(19);
        check::<BlendOp>(5);
        check::<LogicOp>(16);
        check::<StencilOp>(8);
        check::<Comparison>(8);
        check::<Cull>(3);
        check::<PrimitiveType>(4);
        // 64-bit integers are formats of Vulkan alone.
        let of_dxgi = Format::ALL
            .iter()
            .filter(|f| !f.dxgi_name().starts_with("R64_"));
        check::<Format>(of_dxgi.count());
    }
}
