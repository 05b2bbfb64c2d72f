//! Every factor of a blend and every logic operation, against D3D11.3's formulas (17.6 and 17.7).

use dxil_hwtests::{Picture, Rect, Tolerance, element::to_bytes};
use dxil_runtime::Format;
use dxil_runtime::graphics::{Blend, BlendFactor, BlendOp, LogicOp};
use dxil_runtime::job::Texture;

const SIZE: [u32; 2] = [8, 4];
const LEFT: [u32; 4] = [0, 0, 5, 4];
const CONSTANTS: [f32; 4] = [0.5, 0.25, 0.125, 0.375];

/// Returns a factor's red, green, blue and alpha.
fn factor(f: BlendFactor, s: [f32; 4], d: [f32; 4], s1: [f32; 4]) -> [f32; 4] {
    use BlendFactor as F;
    let k = CONSTANTS;
    let inverse = |v: [f32; 4]| v.map(|x| 1.0 - x);
    match f {
        F::Zero => [0.0; 4],
        F::One => [1.0; 4],
        F::SourceColor => s,
        F::InverseSourceColor => inverse(s),
        F::SourceAlpha => [s[3]; 4],
        F::InverseSourceAlpha => inverse([s[3]; 4]),
        F::DestinationColor => d,
        F::InverseDestinationColor => inverse(d),
        F::DestinationAlpha => [d[3]; 4],
        F::InverseDestinationAlpha => inverse([d[3]; 4]),
        F::SourceAlphaSaturate => {
            let f = s[3].min(1.0 - d[3]);
            [f, f, f, 1.0]
        }
        F::Constant => k,
        F::InverseConstant => inverse(k),
        F::ConstantAlpha => [k[3]; 4],
        F::InverseConstantAlpha => inverse([k[3]; 4]),
        F::Source1Color => s1,
        F::InverseSource1Color => inverse(s1),
        F::Source1Alpha => [s1[3]; 4],
        F::InverseSource1Alpha => inverse([s1[3]; 4]),
    }
}

/// The factor on both sides of colour and alpha: the difference of source and destination, times
/// the factor.
macro_rules! factor_case {
    ($name:ident, $factor:ident, $ps:literal, $dual:literal) => {
        draw_case!($name, ["draw/place_vs", $ps], |t| {
            let (below, above) = ([0.75f32, 0.5, 0.125, 0.25], [0.375f32, 1.0, 0.5, 0.625]);
            let rect = Rect::new(LEFT, above);
            t.rects(SIZE, &[rect]);
            // The second source is the first one backwards.
            let second = [above[3], above[2], above[1], above[0]];
            let f = factor(BlendFactor::$factor, above, below, second);
            let mixed = std::array::from_fn(|i| above[i] * f[i] - below[i] * f[i]);
            let expected = Picture::new(SIZE, below).fill(rect, mixed);
            let texture = Texture::new_2d(Format::Rgba32Float, 8, 4, to_bytes(&[below; 32]));
            t.target_of(texture, expected.texels, Tolerance::Absolute(1e-6));
            t.draw.blend_constants = CONSTANTS;
            t.signature.dual_source_blending = $dual;
            let factors = (BlendFactor::$factor, BlendFactor::$factor);
            t.state.targets[0].blend = Some(Blend {
                color: factors,
                color_op: BlendOp::Subtract,
                alpha: factors,
                alpha_op: BlendOp::Subtract,
            });
        });
    };
}

factor_case!(zero, Zero, "draw/color_ps", false);
factor_case!(one, One, "draw/color_ps", false);
factor_case!(source_color, SourceColor, "draw/color_ps", false);
factor_case!(
    inverse_source_color,
    InverseSourceColor,
    "draw/color_ps",
    false
);
factor_case!(source_alpha, SourceAlpha, "draw/color_ps", false);
factor_case!(
    inverse_source_alpha,
    InverseSourceAlpha,
    "draw/color_ps",
    false
);
factor_case!(destination_color, DestinationColor, "draw/color_ps", false);
factor_case!(
    inverse_destination_color,
    InverseDestinationColor,
    "draw/color_ps",
    false
);
factor_case!(destination_alpha, DestinationAlpha, "draw/color_ps", false);
factor_case!(
    inverse_destination_alpha,
    InverseDestinationAlpha,
    "draw/color_ps",
    false
);
factor_case!(
    source_alpha_saturate,
    SourceAlphaSaturate,
    "draw/color_ps",
    false
);
factor_case!(constant, Constant, "draw/color_ps", false);
factor_case!(inverse_constant, InverseConstant, "draw/color_ps", false);
factor_case!(constant_alpha, ConstantAlpha, "draw/color_ps", false);
factor_case!(
    inverse_constant_alpha,
    InverseConstantAlpha,
    "draw/color_ps",
    false
);
factor_case!(source1_color, Source1Color, "draw/dual_ps", true);
factor_case!(
    inverse_source1_color,
    InverseSource1Color,
    "draw/dual_ps",
    true
);
factor_case!(source1_alpha, Source1Alpha, "draw/dual_ps", true);
factor_case!(
    inverse_source1_alpha,
    InverseSource1Alpha,
    "draw/dual_ps",
    true
);

/// Bits of a fragment over bits that differ from column to column.
macro_rules! logic_case {
    ($name:ident, $op:ident, $bits:expr) => {
        draw_case!($name, ["draw/place_vs", "draw/uint_ps"], |t| {
            let source = 0b1100_1010u32;
            let there = |x: u32| 0xffff_0000 | (x * 0x1_1357);
            let rect = Rect::new(LEFT, [source as f32, 0.0, 0.0, 0.0]);
            t.rects(SIZE, &[rect]);
            let start = Picture::of(SIZE, |x, _| there(x));
            let op: fn(u32, u32) -> u32 = $bits;
            let expected = Picture::of(SIZE, |x, _| match x < LEFT[2] {
                true => op(source, there(x)),
                false => there(x),
            });
            let texture = Texture::new_2d(Format::R32Uint, 8, 4, to_bytes(&start.texels));
            t.target_of(texture, expected.texels, Tolerance::Exact);
            t.state.logic_op = Some(LogicOp::$op);
        });
    };
}

logic_case!(logic_clear, Clear, |_, _| 0);
logic_case!(logic_set, Set, |_, _| !0);
logic_case!(logic_copy, Copy, |s, _| s);
logic_case!(logic_copy_inverted, CopyInverted, |s, _| !s);
logic_case!(logic_noop, Noop, |_, d| d);
logic_case!(logic_invert, Invert, |_, d| !d);
logic_case!(logic_and, And, |s, d| s & d);
logic_case!(logic_nand, Nand, |s, d| !(s & d));
logic_case!(logic_or, Or, |s, d| s | d);
logic_case!(logic_nor, Nor, |s, d| !(s | d));
logic_case!(logic_xor, Xor, |s, d| s ^ d);
logic_case!(logic_equivalent, Equivalent, |s, d| !(s ^ d));
logic_case!(logic_and_reverse, AndReverse, |s, d| s & !d);
logic_case!(logic_and_inverted, AndInverted, |s, d| !s & d);
logic_case!(logic_or_reverse, OrReverse, |s, d| s | !d);
logic_case!(logic_or_inverted, OrInverted, |s, d| !s | d);
