//! Render targets: formats, several at once, blending, write masks, samples.

use dxil_hwtests::{DrawCase, Picture, Rect, Tolerance, element::f16};
use dxil_runtime::Format;
use dxil_runtime::graphics::{Blend, BlendFactor, BlendOp};
use dxil_runtime::job::Texture;

const SIZE: [u32; 2] = [8, 4];
const LEFT: [u32; 4] = [0, 0, 5, 4];

/// One rectangle of a colour over a cleared target, and what its texels are.
macro_rules! format_case {
    ($name:ident, $ps:literal, $format:expr, $color:expr, $texel:expr, $clear:expr, $tolerance:expr) => {
        draw_case!($name, ["draw/place_vs", $ps], |t| {
            let rect = Rect::new(LEFT, $color);
            t.rects(SIZE, &[rect]);
            let expected = Picture::new(SIZE, $clear).fill(rect, $texel);
            let [width, height] = SIZE;
            t.target($format, [width, height, 1], expected.texels, $tolerance);
        });
    };
}

const ODD: [f32; 4] = [0.2, 0.6, 2.0, 0.5];

format_case!(
    unorm8_rounds_and_clamps,
    "draw/color_ps",
    Format::Rgba8Unorm,
    ODD,
    [51u8, 153, 255, 128],
    [0u8; 4],
    Tolerance::Ulp(1)
);
format_case!(
    bgra_swaps_in_memory,
    "draw/color_ps",
    Format::Bgra8Unorm,
    ODD,
    [255u8, 153, 51, 128],
    [0u8; 4],
    Tolerance::Ulp(1)
);
format_case!(
    srgb_follows_its_curve_except_alpha,
    "draw/color_ps",
    Format::Rgba8Srgb,
    [0.2, 0.6, 1.0, 0.5],
    // 1.055 * c^(1/2.4) - 0.055
    [124u8, 203, 255, 128],
    [0u8; 4],
    Tolerance::Ulp(1)
);
format_case!(
    snorm8_keeps_the_sign,
    "draw/color_ps",
    Format::Rgba8Snorm,
    [-1.0, -0.5, 0.25, 3.0],
    [-127i8, -64, 32, 127],
    [0i8; 4],
    Tolerance::Ulp(1)
);
format_case!(
    unorm16_has_sixteen_bits,
    "draw/color_ps",
    Format::Rgba16Unorm,
    [0.2, 0.6, 1.0, 0.0],
    [13107u16, 39321, 65535, 0],
    [0u16; 4],
    Tolerance::Ulp(1)
);
format_case!(
    half_floats_keep_their_range,
    "draw/color_ps",
    Format::Rgba16Float,
    [0.5, -2.0, 1024.0, 0.0],
    [0.5f32, -2.0, 1024.0, 0.0].map(f16::from_f32),
    [f16::ZERO; 4],
    Tolerance::Exact
);
format_case!(
    one_channel_takes_red,
    "draw/color_ps",
    Format::R32Float,
    [7.25, 1.0, 1.0, 1.0],
    7.25f32,
    0f32,
    Tolerance::Exact
);
format_case!(
    ten_bits_and_two,
    "draw/color_ps",
    Format::Rgb10a2Unorm,
    [1.0, 0.0, 0.1995, 1.0],
    1023u32 | (204 << 20) | (3 << 30),
    0u32,
    Tolerance::Exact
);
format_case!(
    small_floats_have_no_sign,
    "draw/color_ps",
    Format::Rg11b10Float,
    [1.0, 2.0, 0.5, 1.0],
    // Exponents 15, 16 and 14 with empty mantissas.
    (15u32 << 6) | ((16 << 6) << 11) | ((14 << 5) << 22),
    0u32,
    Tolerance::Exact
);
format_case!(
    unsigned_integers_stay_whole,
    "draw/uint_ps",
    Format::Rgba32Uint,
    [3.0, 0.0, 70000.0, 9.0],
    [3u32, 0, 70000, 9],
    [0u32; 4],
    Tolerance::Exact
);
format_case!(
    signed_integers_stay_whole,
    "draw/int_ps",
    Format::Rg16Sint,
    [-3.0, 30000.0, 1.0, 1.0],
    [-3i16, 30000],
    [0i16; 2],
    Tolerance::Exact
);

draw_case!(
    integer_targets_are_cleared_to_integers,
    ["draw/place_vs", "draw/uint_ps"],
    |t| {
        let rect = Rect::new(LEFT, [1.0, 2.0, 3.0, 4.0]);
        t.rects(SIZE, &[rect]);
        let expected = Picture::new(SIZE, [9u8, 8, 7, 255]).fill(rect, [1, 2, 3, 4]);
        t.target(
            Format::Rgba8Uint,
            [8, 4, 1],
            expected.texels,
            Tolerance::Exact,
        );
        t.draw.targets[0].clear = Some([9.0, 8.0, 7.0, 255.0]);
    }
);

draw_case!(
    four_targets_of_four_formats_at_once,
    ["draw/place_vs", "draw/targets_ps"],
    |t| {
        let rect = Rect::new([2, 1, 6, 3], [1.0, 0.0, 1.0, 0.0]);
        t.rects(SIZE, &[rect]);
        let size = [8, 4, 1];
        let inside = |x: u32, y: u32| (2..6).contains(&x) && (1..3).contains(&y);
        let a = Picture::new(SIZE, [0u8; 4]).fill(rect, [255, 0, 255, 0]);
        t.target(Format::Rgba8Unorm, size, a.texels, Tolerance::Exact);
        let b = Picture::of(SIZE, |x, y| {
            if inside(x, y) {
                [x as f32 + 0.5, y as f32 + 0.5]
            } else {
                [0.0; 2]
            }
        });
        t.target(Format::Rg32Float, size, b.texels, Tolerance::Exact);
        let c = Picture::new(SIZE, f16::ZERO).fill(rect, f16::from_f32(2.0));
        t.target(Format::R16Float, size, c.texels, Tolerance::Exact);
        let d = Picture::of(SIZE, |x, y| if inside(x, y) { x * 10 + y } else { 0 });
        t.target(Format::R32Uint, size, d.texels, Tolerance::Exact);
    }
);

/// Two rectangles that overlap, the second blended over the first.
macro_rules! blend_case {
    ($name:ident, $color:expr, $op:expr, $alpha:expr, $alpha_op:expr, $mix:expr) => {
        draw_case!($name, ["draw/place_vs", "draw/color_ps"], |t| {
            let below = Rect::new([0, 0, 6, 4], [0.5, 0.25, 1.0, 0.75]);
            let above = Rect::new([3, 1, 8, 3], [0.25, 0.5, 0.125, 0.5]);
            t.rects(SIZE, &[below, above]);
            let mix: fn([f32; 4], [f32; 4]) -> [f32; 4] = $mix;
            // The first rectangle is blended too, with the cleared target.
            let expected = Picture::new(SIZE, [0.125f32; 4])
                .paint(below, |d| mix(below.color, d))
                .paint(above, |d| mix(above.color, d));
            let size = [SIZE[0], SIZE[1], 1];
            t.target(
                Format::Rgba32Float,
                size,
                expected.texels,
                Tolerance::Absolute(1e-6),
            );
            t.draw.targets[0].clear = Some([0.125; 4]);
            t.draw.blend_constants = [0.5, 0.25, 0.125, 1.0];
            t.state.targets[0].blend = Some(Blend {
                color: $color,
                color_op: $op,
                alpha: $alpha,
                alpha_op: $alpha_op,
            });
        });
    };
}

/// Returns blending of colour by one function of source and destination channel, and of alpha by
/// another.
fn split(
    s: [f32; 4],
    d: [f32; 4],
    color: impl Fn(f32, f32) -> f32,
    alpha: impl Fn(f32, f32) -> f32,
) -> [f32; 4] {
    let c = |i: usize| color(s[i], d[i]);
    [c(0), c(1), c(2), alpha(s[3], d[3])]
}

use BlendFactor as F;

blend_case!(
    additive_blending_sums,
    (F::One, F::One),
    BlendOp::Add,
    (F::One, F::Zero),
    BlendOp::Add,
    |s, d| split(s, d, |s, d| s + d, |s, _| s)
);
blend_case!(
    alpha_blending_mixes_and_alpha_has_factors_of_its_own,
    (F::SourceAlpha, F::InverseSourceAlpha),
    BlendOp::Add,
    (F::One, F::InverseSourceAlpha),
    BlendOp::Add,
    |s, d| {
        let a = s[3];
        split(s, d, |s, d| s * a + d * (1.0 - a), |s, d| s + d * (1.0 - a))
    }
);
blend_case!(
    subtracting_takes_the_destination_away,
    (F::One, F::One),
    BlendOp::Subtract,
    (F::One, F::One),
    BlendOp::Subtract,
    |s, d| split(s, d, |s, d| s - d, |s, d| s - d)
);
blend_case!(
    reverse_subtracting_takes_the_source_away,
    (F::One, F::One),
    BlendOp::ReverseSubtract,
    (F::Zero, F::One),
    BlendOp::Add,
    |s, d| split(s, d, |s, d| d - s, |_, d| d)
);
blend_case!(
    minimum_and_maximum_ignore_the_factors,
    (F::Zero, F::Zero),
    BlendOp::Min,
    (F::Zero, F::Zero),
    BlendOp::Max,
    |s, d| split(s, d, f32::min, f32::max)
);
blend_case!(
    destination_factors_multiply,
    (F::DestinationColor, F::InverseDestinationAlpha),
    BlendOp::Add,
    (F::DestinationAlpha, F::Zero),
    BlendOp::Add,
    |s, d| {
        let a = d[3];
        split(s, d, |s, d| s * d + d * (1.0 - a), |s, d| s * d)
    }
);
blend_case!(
    source_colours_are_factors_too,
    (F::SourceColor, F::InverseSourceColor),
    BlendOp::Add,
    (F::SourceAlpha, F::Zero),
    BlendOp::Add,
    |s, d| split(s, d, |s, d| s * s + d * (1.0 - s), |s, _| s * s)
);
blend_case!(
    the_draw_says_the_blend_constants,
    (F::Constant, F::InverseConstant),
    BlendOp::Add,
    (F::Constant, F::InverseConstant),
    BlendOp::Add,
    |s, d| {
        let k = [0.5, 0.25, 0.125, 1.0];
        std::array::from_fn(|i| s[i] * k[i] + d[i] * (1.0 - k[i]))
    }
);
blend_case!(
    saturated_alpha_is_limited_by_what_is_left,
    (F::SourceAlphaSaturate, F::One),
    BlendOp::Add,
    (F::SourceAlphaSaturate, F::One),
    BlendOp::Add,
    |s, d| {
        let f = s[3].min(1.0 - d[3]);
        // For alpha itself the factor is 1.
        split(s, d, |s, d| s * f + d, |s, d| s + d)
    }
);

draw_case!(
    every_target_blends_by_its_own_rule,
    ["draw/place_vs", "draw/dual_ps"],
    |t| {
        let rect = Rect::new(LEFT, [0.5, 0.25, 0.125, 1.0]);
        t.rects(SIZE, &[rect, rect]);
        let twice = Picture::new(SIZE, [0.0f32; 4]).fill(rect, [1.0, 0.5, 0.25, 2.0]);
        t.target(
            Format::Rgba32Float,
            [8, 4, 1],
            twice.texels,
            Tolerance::Exact,
        );
        let once = Picture::new(SIZE, [0.0f32; 4]).fill(rect, [1.0, 0.125, 0.25, 0.5]);
        t.target(
            Format::Rgba32Float,
            [8, 4, 1],
            once.texels,
            Tolerance::Exact,
        );
        t.state.targets[0].blend = Some(Blend {
            color: (F::One, F::One),
            color_op: BlendOp::Add,
            alpha: (F::One, F::One),
            alpha_op: BlendOp::Add,
        });
    }
);

draw_case!(
    masked_channels_keep_what_the_target_holds,
    ["draw/place_vs", "draw/dual_ps"],
    |t| {
        let rect = Rect::new(LEFT, [1.0, 2.0, 3.0, 4.0]);
        t.rects(SIZE, &[rect]);
        for (mask, kept) in [
            (0b0101u8, [1.0f32, 9.0, 3.0, 9.0]),
            (0b1000, [9.0, 9.0, 9.0, 1.0]),
        ] {
            let data = [9.0f32; 8 * 4 * 4].map(f32::to_le_bytes).concat();
            let texture = Texture::new_2d(Format::Rgba32Float, 8, 4, data);
            let expected = Picture::new(SIZE, [9.0f32; 4]).fill(rect, kept);
            t.target_of(texture, expected.texels, Tolerance::Exact);
            if let Some(target) = t.state.targets.last_mut() {
                target.write_mask = mask;
            }
        }
    }
);

/// Draws a different value to each of four samples on the left, and expects their average there.
fn draw_samples(t: &mut DrawCase, average: f32) {
    let left = || Rect::new(LEFT, [0.0; 4]);
    t.rects(SIZE, &[left()]);
    let expected = Picture::new(SIZE, [0.0_f32; 4]).fill(left(), [average; 4]);
    let (format, texels) = (Format::Rgba32Float, expected.texels);
    t.multisampled(format, SIZE, 4, texels, Tolerance::Exact);
}

draw_case!(
    samples_resolve_to_their_average,
    ["draw/place_vs", "draw/sample_ps"],
    |t| {
        // A quarter of 1/16 + 2/16 + 4/16 + 8/16.
        draw_samples(t, 15.0 / 64.0);
    }
);

draw_case!(
    the_sample_mask_leaves_samples_out,
    ["draw/place_vs", "draw/sample_ps"],
    |t| {
        t.state.sample_mask = Some(0b0101);
        draw_samples(t, 5.0 / 64.0);
    }
);

draw_case!(
    a_shader_may_write_the_coverage,
    ["draw/place_vs", "draw/coverage_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new([0, 0, 8, 4], [1.0, 2.0, 4.0, 8.0])]);
        let expected = Picture::of(SIZE, |x, _| {
            let part = x.min(4) as f32 / 4.0;
            [part, 2.0 * part, 4.0 * part, 8.0 * part]
        });
        t.multisampled(
            Format::Rgba32Float,
            SIZE,
            4,
            expected.texels,
            Tolerance::Exact,
        );
    }
);

draw_case!(
    alpha_decides_how_many_samples_are_covered,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.state.alpha_to_coverage = true;
        let half = Rect::new([0, 0, 4, 4], [1.0, 1.0, 1.0, 0.5]);
        let whole = Rect::new([4, 0, 8, 4], [1.0, 1.0, 1.0, 1.0]);
        t.rects(SIZE, &[half, whole]);
        let expected = Picture::new(SIZE, [1.0f32; 4]).fill(half, [0.5, 0.5, 0.5, 0.25]);
        t.multisampled(
            Format::Rgba32Float,
            SIZE,
            4,
            expected.texels,
            Tolerance::Exact,
        );
    }
);
