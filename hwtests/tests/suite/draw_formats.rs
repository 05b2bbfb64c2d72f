//! Every format that D3D12 draws to at feature level 12_0: what a shader writes, what a clear
//! leaves, blending, and the average of samples.
//!
//! A format is given by the bits of its texels; what they must hold follows from D3D11.3's rules of
//! conversion (3.2.3.6 and 3.2.3.7: 0.6 units in the last place for normalised numbers, 1 for
//! sRGB).

use dxil_hwtests::field::{ALPHA, BLUE, Field, GREEN, RED, packed, plain};
use dxil_hwtests::{DrawCase, Rect, Tolerance};
use dxil_runtime::format::Component::{Float, Sint, Snorm, Srgb, Uint, Unorm};
use dxil_runtime::graphics::{Attachment, Blend, BlendFactor, BlendOp, TargetState};
use dxil_runtime::job::{Dimension, Sampler, Texture};
use dxil_runtime::{Format, Storage};

const SIZE: [u32; 2] = [8, 4];
const LEFT: [u32; 4] = [0, 0, 5, 4];
/// Expects a target whose rectangle holds one colour and whose rest holds the clear colour.
/// `writes` is the number of roundings.
fn expect(
    t: &mut DrawCase,
    format: Format,
    fields: Vec<Field>,
    [inside, outside]: [[f32; 4]; 2],
    (samples, writes): (u32, f64),
) {
    let texture = Texture::new_2d(format, SIZE[0], SIZE[1], Vec::new());
    let shown = t.resource("target", Storage::Texture(texture.clone()), true);
    let mut attachment = Attachment::new(shown);
    if samples > 1 {
        let many = Texture { samples, ..texture };
        let many = t.resource("samples", Storage::Texture(many), false);
        (attachment.resource, attachment.resolve) = (many, Some(shown));
        t.state.samples = samples;
    }
    attachment.clear = Some(outside);
    t.draw.targets.push(attachment);
    t.state.targets.push(TargetState::new(format));
    let bytes = format.block_bytes() as usize;
    t.check("target", shown, move |got: &[u8]| {
        for (index, texel) in got.chunks_exact(bytes).enumerate() {
            let raw = texel.iter().rev();
            let raw = raw.fold(0u128, |word, byte| word << 8 | u128::from(*byte));
            let is_inside = (index as u32 % SIZE[0]) < LEFT[2];
            let color = if is_inside { inside } else { outside };
            for field in &fields {
                let (wanted, tolerance) = field.stored(f64::from(color[field.channel]));
                let value = field.value(raw);
                let tolerance = tolerance * if is_inside { writes } else { 1.0 };
                if (value - wanted).abs() > tolerance {
                    return Err(format!(
                        "texel {index} is {raw:#x}: {field:?} is {value}, not {wanted}"
                    ));
                }
            }
        }
        Ok(())
    });
}

/// `format_case!(name, format, fields, pixel shader, written, cleared)`: one rectangle over a
/// cleared target.
macro_rules! format_case {
    ($name:ident, $format:ident, $fields:expr, $ps:literal, $written:expr, $cleared:expr) => {
        draw_case!($name, ["draw/place_vs", $ps], |t| {
            t.rects(SIZE, &[Rect::new(LEFT, $written)]);
            let colors = [$written, $cleared];
            expect(t, Format::$format, $fields, colors, (1, 1.0));
        });
    };
}

/// The same of numbers that have fractions, and then two rectangles that are added up in four
/// samples a pixel.
macro_rules! blendable {
    ($name:ident, $format:ident, $fields:expr, $written:expr) => {
        mod $name {
            use super::*;
            const CLEARED: [f32; 4] = [0.5, 1.0, 0.25, 1.0];

            format_case!(
                is_drawn_to,
                $format,
                $fields,
                "draw/color_ps",
                $written,
                CLEARED
            );

            draw_case!(
                blends_and_averages,
                ["draw/place_vs", "draw/color_ps"],
                |t| {
                    let part = [0.25, 0.125, 0.5, 0.25];
                    t.rects(SIZE, &[Rect::new(LEFT, part), Rect::new(LEFT, part)]);
                    let cleared = [0.25, 0.25, 0.125, 0.5];
                    let sum = std::array::from_fn(|i| cleared[i] + 2.0 * part[i]);
                    expect(t, Format::$format, $fields, [sum, cleared], (4, 4.0));
                    t.state.targets[0].blend = Some(Blend {
                        color: (BlendFactor::One, BlendFactor::One),
                        color_op: BlendOp::Add,
                        alpha: (BlendFactor::One, BlendFactor::One),
                        alpha_op: BlendOp::Add,
                    });
                }
            );
        }
    };
}

/// Signed normalised numbers, which few Vulkan devices blend: four samples are averaged, of which
/// two are drawn.
macro_rules! signed {
    ($name:ident, $format:ident, $fields:expr) => {
        mod $name {
            use super::*;
            const CLEARED: [f32; 4] = [0.5, 1.0, -0.25, 1.0];

            format_case!(
                is_drawn_to,
                $format,
                $fields,
                "draw/color_ps",
                SIGNED,
                CLEARED
            );

            draw_case!(averages, ["draw/place_vs", "draw/color_ps"], |t| {
                t.rects(SIZE, &[Rect::new(LEFT, SIGNED)]);
                t.state.sample_mask = Some(0b0110);
                let written = SIGNED.map(|value: f32| value.clamp(-1.0, 1.0));
                let half = std::array::from_fn(|i| (written[i] + CLEARED[i]) / 2.0);
                expect(t, Format::$format, $fields, [half, CLEARED], (4, 2.0));
            });
        }
    };
}

/// Beyond one and in between.
const LARGE: [f32; 4] = [0.2, 0.6, 2.0, 0.5];
/// Of both signs.
const SIGNED: [f32; 4] = [-1.5, -0.25, 0.75, 0.5];
/// Values that halves represent exactly.
const FLOATS: [f32; 4] = [0.5, -2.0, 1024.0, 0.25];

blendable!(r8_unorm, R8Unorm, plain(Unorm, 8, 1), LARGE);
blendable!(rg8_unorm, Rg8Unorm, plain(Unorm, 8, 2), LARGE);
blendable!(rgba8_unorm, Rgba8Unorm, plain(Unorm, 8, 4), LARGE);
blendable!(r16_unorm, R16Unorm, plain(Unorm, 16, 1), LARGE);
blendable!(rg16_unorm, Rg16Unorm, plain(Unorm, 16, 2), LARGE);
blendable!(rgba16_unorm, Rgba16Unorm, plain(Unorm, 16, 4), LARGE);
signed!(r8_snorm, R8Snorm, plain(Snorm, 8, 1));
signed!(rg8_snorm, Rg8Snorm, plain(Snorm, 8, 2));
signed!(rgba8_snorm, Rgba8Snorm, plain(Snorm, 8, 4));
signed!(r16_snorm, R16Snorm, plain(Snorm, 16, 1));
signed!(rg16_snorm, Rg16Snorm, plain(Snorm, 16, 2));
signed!(rgba16_snorm, Rgba16Snorm, plain(Snorm, 16, 4));
blendable!(r16_float, R16Float, plain(Float, 16, 1), FLOATS);
blendable!(rg16_float, Rg16Float, plain(Float, 16, 2), FLOATS);
blendable!(rgba16_float, Rgba16Float, plain(Float, 16, 4), FLOATS);
blendable!(r32_float, R32Float, plain(Float, 32, 1), FLOATS);
blendable!(rg32_float, Rg32Float, plain(Float, 32, 2), FLOATS);
blendable!(rgba32_float, Rgba32Float, plain(Float, 32, 4), FLOATS);
blendable!(rgba8_srgb, Rgba8Srgb, plain(Srgb, 8, 4), LARGE);
blendable!(
    bgra8_unorm,
    Bgra8Unorm,
    packed(Unorm, &[(BLUE, 8), (GREEN, 8), (RED, 8), (ALPHA, 8)]),
    LARGE
);
blendable!(
    bgra8_srgb,
    Bgra8Srgb,
    packed(Srgb, &[(BLUE, 8), (GREEN, 8), (RED, 8), (ALPHA, 8)]),
    LARGE
);
blendable!(
    bgrx8_unorm,
    Bgrx8Unorm,
    packed(Unorm, &[(BLUE, 8), (GREEN, 8), (RED, 8)]),
    LARGE
);
blendable!(
    bgrx8_srgb,
    Bgrx8Srgb,
    packed(Srgb, &[(BLUE, 8), (GREEN, 8), (RED, 8)]),
    LARGE
);
blendable!(a8_unorm, A8Unorm, packed(Unorm, &[(ALPHA, 8)]), LARGE);
blendable!(
    rgb10a2_unorm,
    Rgb10a2Unorm,
    packed(Unorm, &[(RED, 10), (GREEN, 10), (BLUE, 10), (ALPHA, 2)]),
    [0.2, 0.6, 2.0, 0.7]
);
blendable!(
    rg11b10_float,
    Rg11b10Float,
    packed(Float, &[(RED, 11), (GREEN, 11), (BLUE, 10)]),
    FLOATS
);
blendable!(
    b5g6r5_unorm,
    B5g6r5Unorm,
    packed(Unorm, &[(BLUE, 5), (GREEN, 6), (RED, 5)]),
    LARGE
);
blendable!(
    bgr5a1_unorm,
    Bgr5a1Unorm,
    packed(Unorm, &[(BLUE, 5), (GREEN, 5), (RED, 5), (ALPHA, 1)]),
    [0.2, 0.6, 2.0, 0.9]
);
blendable!(
    bgra4_unorm,
    Bgra4Unorm,
    packed(Unorm, &[(BLUE, 4), (GREEN, 4), (RED, 4), (ALPHA, 4)]),
    LARGE
);

/// Targets of integers, which neither blend nor have averages.
macro_rules! integers {
    ($name:ident, $format:ident, $fields:expr, $ps:literal, $written:expr, $cleared:expr) => {
        mod $name {
            use super::*;
            format_case!(is_drawn_to, $format, $fields, $ps, $written, $cleared);
        }
    };
}

const SMALL: [f32; 4] = [3.0, 200.0, 1.0, 2.0];
const MIXED: [f32; 4] = [-3.0, 100.0, -100.0, 1.0];
const CLEAR: [f32; 4] = [9.0, 8.0, 7.0, 1.0];

integers!(
    r8_uint,
    R8Uint,
    plain(Uint, 8, 1),
    "draw/uint_ps",
    SMALL,
    CLEAR
);
integers!(
    rg8_uint,
    Rg8Uint,
    plain(Uint, 8, 2),
    "draw/uint_ps",
    SMALL,
    CLEAR
);
integers!(
    rgba8_uint,
    Rgba8Uint,
    plain(Uint, 8, 4),
    "draw/uint_ps",
    SMALL,
    CLEAR
);
integers!(
    r16_uint,
    R16Uint,
    plain(Uint, 16, 1),
    "draw/uint_ps",
    SMALL,
    CLEAR
);
integers!(
    rg16_uint,
    Rg16Uint,
    plain(Uint, 16, 2),
    "draw/uint_ps",
    SMALL,
    CLEAR
);
integers!(
    rgba16_uint,
    Rgba16Uint,
    plain(Uint, 16, 4),
    "draw/uint_ps",
    SMALL,
    CLEAR
);
integers!(
    r32_uint,
    R32Uint,
    plain(Uint, 32, 1),
    "draw/uint_ps",
    SMALL,
    CLEAR
);
integers!(
    rg32_uint,
    Rg32Uint,
    plain(Uint, 32, 2),
    "draw/uint_ps",
    SMALL,
    CLEAR
);
integers!(
    rgba32_uint,
    Rgba32Uint,
    plain(Uint, 32, 4),
    "draw/uint_ps",
    SMALL,
    CLEAR
);
integers!(
    rgb10a2_uint,
    Rgb10a2Uint,
    packed(Uint, &[(RED, 10), (GREEN, 10), (BLUE, 10), (ALPHA, 2)]),
    "draw/uint_ps",
    SMALL,
    CLEAR
);
integers!(
    r8_sint,
    R8Sint,
    plain(Sint, 8, 1),
    "draw/int_ps",
    MIXED,
    CLEAR
);
integers!(
    rg8_sint,
    Rg8Sint,
    plain(Sint, 8, 2),
    "draw/int_ps",
    MIXED,
    CLEAR
);
integers!(
    rgba8_sint,
    Rgba8Sint,
    plain(Sint, 8, 4),
    "draw/int_ps",
    MIXED,
    CLEAR
);
integers!(
    r16_sint,
    R16Sint,
    plain(Sint, 16, 1),
    "draw/int_ps",
    MIXED,
    CLEAR
);
integers!(
    rg16_sint,
    Rg16Sint,
    plain(Sint, 16, 2),
    "draw/int_ps",
    MIXED,
    CLEAR
);
integers!(
    rgba16_sint,
    Rgba16Sint,
    plain(Sint, 16, 4),
    "draw/int_ps",
    MIXED,
    CLEAR
);
integers!(
    r32_sint,
    R32Sint,
    plain(Sint, 32, 1),
    "draw/int_ps",
    MIXED,
    CLEAR
);
integers!(
    rg32_sint,
    Rg32Sint,
    plain(Sint, 32, 2),
    "draw/int_ps",
    MIXED,
    CLEAR
);
integers!(
    rgba32_sint,
    Rgba32Sint,
    plain(Sint, 32, 4),
    "draw/int_ps",
    MIXED,
    CLEAR
);

draw_case!(
    a_target_without_alpha_has_one,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        // Red is multiplied with the alpha that is there, which no clear and no write changes.
        let rect = Rect::new(LEFT, [0.5, 0.25, 0.125, 0.0]);
        t.rects(SIZE, &[rect, rect]);
        let fields = packed(Unorm, &[(BLUE, 8), (GREEN, 8), (RED, 8)]);
        let colors = [[1.0, 0.5, 0.25, 0.0], [0.0; 4]];
        expect(t, Format::Bgrx8Unorm, fields, colors, (1, 3.0));
        t.state.targets[0].blend = Some(Blend {
            color: (BlendFactor::DestinationAlpha, BlendFactor::DestinationAlpha),
            color_op: BlendOp::Add,
            alpha: (BlendFactor::One, BlendFactor::Zero),
            alpha_op: BlendOp::Add,
        });
    }
);

/// A test of the values that a shader samples from a texture whose bytes all have this value.
macro_rules! sampled_case {
    ($name:ident, $format:ident, $texel:expr, $wanted:expr) => {
        draw_case!($name, ["draw/place_vs", "draw/uv_ps"], |t| {
            t.rects(SIZE, &[Rect::new([0, 0, 8, 4], [0.5; 4])]);
            let texel: Vec<u8> = $texel;
            t.texture(
                "t0",
                Texture::new_2d(Format::$format, 2, 2, texel.repeat(4)),
            );
            t.sampler("s0", Sampler::default());
            let wanted: [f32; 4] = $wanted;
            t.target(
                Format::Rgba32Float,
                [8, 4, 1],
                vec![wanted; 32],
                Tolerance::Absolute(1e-3),
            );
        });
    };
}

sampled_case!(a8_reads_alpha, A8Unorm, vec![51], [0.0, 0.0, 0.0, 0.2]);
sampled_case!(
    bgrx8_reads_one_for_alpha,
    Bgrx8Unorm,
    vec![51, 102, 255, 77],
    [1.0, 0.4, 0.2, 1.0]
);
sampled_case!(
    bgrx8_srgb_is_made_linear,
    Bgrx8Srgb,
    vec![0, 255, 188, 77],
    [0.5029, 1.0, 0.0, 1.0]
);
sampled_case!(
    bgra4_reads_four_bits,
    Bgra4Unorm,
    vec![0x63, 0xc9],
    [0.6, 0.4, 0.2, 0.8]
);

/// Draws a rectangle to the second of a texture's layers, slices or rows of texels.
fn second_part(t: &mut DrawCase, texture: Texture, parts: usize) {
    let [width, height, _] = texture.mip_size(0);
    let size = [width, height];
    t.rects(size, &[Rect::new([0, 0, 2, height], [0.5; 4])]);
    let mut expected = Vec::new();
    for part in 0..parts {
        let written = |x: u32| part == 1 && x < 2;
        expected.extend(dxil_hwtests::pixels(size, |x, _| {
            if written(x) { [0.5f32; 4] } else { [9.0; 4] }
        }));
    }
    let data = dxil_hwtests::element::to_bytes(&vec![[9.0f32; 4]; expected.len()]);
    let texture = Texture { data, ..texture };
    t.target_of(texture, expected, Tolerance::Exact);
    t.draw.targets[0].layer = 1;
}

draw_case!(
    a_slice_of_a_3d_texture_is_a_target,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let mut texture = Texture::new_2d(Format::Rgba32Float, 4, 2, Vec::new());
        (texture.dimension, texture.depth) = (Dimension::D3, 3);
        second_part(t, texture, 3);
    }
);

draw_case!(
    a_layer_of_a_1d_texture_is_a_target,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let mut texture = Texture::new_2d(Format::Rgba32Float, 8, 1, Vec::new());
        (texture.dimension, texture.layers) = (Dimension::D1, 3);
        second_part(t, texture, 3);
    }
);
