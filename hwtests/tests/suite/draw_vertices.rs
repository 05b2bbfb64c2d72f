//! Every format that vertices may have in D3D12.

use dxil_hwtests::field::{ALPHA, BLUE, Field, GREEN, RED, packed, plain};
use dxil_hwtests::{Rect, Tolerance};
use dxil_runtime::Format;
use dxil_runtime::format::Component::{Float, Sint, Snorm, Srgb, Uint, Unorm};
use dxil_runtime::graphics::Topology;

const SIZE: [u32; 2] = [8, 4];

/// A vertex attribute in a format: bits of a fixed pattern for each of six vertices, of which the
/// first one is drawn flat.
macro_rules! vertex_case {
    ($name:ident, $format:ident, $fields:expr, $vs:literal) => {
        draw_case!($name, [$vs, "draw/color_ps"], |t| {
            let fields: Vec<Field> = $fields;
            let format = Format::$format;
            // A pattern with both signs, zeros and ones, and floats of ordinary size.
            let word = match fields[0].kind {
                Float if fields[0].bits == 32 => 0x4060_0000_bf80_0000_3e80_0000_c2f0_0000u128,
                Float => 0x4060_bf80_3e80_c2f0_3c00_b400_5640_0400,
                _ => 0x8001_7ffe_0000_ffff_1234_ed5c_80a5_5af3,
            };
            let bytes = format.block_bytes() as usize;
            let vertex = &word.to_le_bytes()[..bytes];
            let positions = Rect::new([0, 0, 8, 4], [0.0; 4]).positions(SIZE);
            t.attribute(0, Format::Rgba32Float, &positions);
            t.attribute(1, format, &vertex.repeat(6));
            t.state.vertex_slots[1].stride = bytes as u32;
            t.vertices(Topology::TriangleList, 6);
            // What a vertex does not have is zero, and alpha is one.
            let mut color = [0.0f32, 0.0, 0.0, 1.0];
            for field in &fields {
                let value = field.value(word);
                color[field.channel] = match field.kind {
                    Unorm | Srgb | Snorm => value / field.greatest(),
                    Uint | Sint | Float => value,
                } as f32;
            }
            let target = vec![color; 32];
            t.target(Format::Rgba32Float, [8, 4, 1], target, Tolerance::Ulp(4));
        });
    };
}

vertex_case!(
    r8_unorm_vertices,
    R8Unorm,
    plain(Unorm, 8, 1),
    "draw/place_vs"
);
vertex_case!(
    rg8_unorm_vertices,
    Rg8Unorm,
    plain(Unorm, 8, 2),
    "draw/place_vs"
);
vertex_case!(
    rgba8_unorm_vertices,
    Rgba8Unorm,
    plain(Unorm, 8, 4),
    "draw/place_vs"
);
vertex_case!(
    r16_unorm_vertices,
    R16Unorm,
    plain(Unorm, 16, 1),
    "draw/place_vs"
);
vertex_case!(
    rg16_unorm_vertices,
    Rg16Unorm,
    plain(Unorm, 16, 2),
    "draw/place_vs"
);
vertex_case!(
    rgba16_unorm_vertices,
    Rgba16Unorm,
    plain(Unorm, 16, 4),
    "draw/place_vs"
);
vertex_case!(
    r8_snorm_vertices,
    R8Snorm,
    plain(Snorm, 8, 1),
    "draw/place_vs"
);
vertex_case!(
    rg8_snorm_vertices,
    Rg8Snorm,
    plain(Snorm, 8, 2),
    "draw/place_vs"
);
vertex_case!(
    rgba8_snorm_vertices,
    Rgba8Snorm,
    plain(Snorm, 8, 4),
    "draw/place_vs"
);
vertex_case!(
    r16_snorm_vertices,
    R16Snorm,
    plain(Snorm, 16, 1),
    "draw/place_vs"
);
vertex_case!(
    rg16_snorm_vertices,
    Rg16Snorm,
    plain(Snorm, 16, 2),
    "draw/place_vs"
);
vertex_case!(
    rgba16_snorm_vertices,
    Rgba16Snorm,
    plain(Snorm, 16, 4),
    "draw/place_vs"
);
vertex_case!(
    r16_float_vertices,
    R16Float,
    plain(Float, 16, 1),
    "draw/place_vs"
);
vertex_case!(
    rg16_float_vertices,
    Rg16Float,
    plain(Float, 16, 2),
    "draw/place_vs"
);
vertex_case!(
    rgba16_float_vertices,
    Rgba16Float,
    plain(Float, 16, 4),
    "draw/place_vs"
);
vertex_case!(
    r32_float_vertices,
    R32Float,
    plain(Float, 32, 1),
    "draw/place_vs"
);
vertex_case!(
    rg32_float_vertices,
    Rg32Float,
    plain(Float, 32, 2),
    "draw/place_vs"
);
vertex_case!(
    rgb32_float_vertices,
    Rgb32Float,
    plain(Float, 32, 3),
    "draw/place_vs"
);
vertex_case!(
    rgba32_float_vertices,
    Rgba32Float,
    plain(Float, 32, 4),
    "draw/place_vs"
);
vertex_case!(
    bgra8_unorm_vertices,
    Bgra8Unorm,
    packed(Unorm, &[(BLUE, 8), (GREEN, 8), (RED, 8), (ALPHA, 8)]),
    "draw/place_vs"
);
vertex_case!(
    rgb10a2_unorm_vertices,
    Rgb10a2Unorm,
    packed(Unorm, &[(RED, 10), (GREEN, 10), (BLUE, 10), (ALPHA, 2)]),
    "draw/place_vs"
);
vertex_case!(
    rg11b10_float_vertices,
    Rg11b10Float,
    packed(Float, &[(RED, 11), (GREEN, 11), (BLUE, 10)]),
    "draw/place_vs"
);
vertex_case!(r8_uint_vertices, R8Uint, plain(Uint, 8, 1), "draw/uint_vs");
vertex_case!(
    rg8_uint_vertices,
    Rg8Uint,
    plain(Uint, 8, 2),
    "draw/uint_vs"
);
vertex_case!(
    rgba8_uint_vertices,
    Rgba8Uint,
    plain(Uint, 8, 4),
    "draw/uint_vs"
);
vertex_case!(
    r16_uint_vertices,
    R16Uint,
    plain(Uint, 16, 1),
    "draw/uint_vs"
);
vertex_case!(
    rg16_uint_vertices,
    Rg16Uint,
    plain(Uint, 16, 2),
    "draw/uint_vs"
);
vertex_case!(
    rgba16_uint_vertices,
    Rgba16Uint,
    plain(Uint, 16, 4),
    "draw/uint_vs"
);
vertex_case!(
    r32_uint_vertices,
    R32Uint,
    plain(Uint, 32, 1),
    "draw/uint_vs"
);
vertex_case!(
    rg32_uint_vertices,
    Rg32Uint,
    plain(Uint, 32, 2),
    "draw/uint_vs"
);
vertex_case!(
    rgb32_uint_vertices,
    Rgb32Uint,
    plain(Uint, 32, 3),
    "draw/uint_vs"
);
vertex_case!(
    rgba32_uint_vertices,
    Rgba32Uint,
    plain(Uint, 32, 4),
    "draw/uint_vs"
);
vertex_case!(
    rgb10a2_uint_vertices,
    Rgb10a2Uint,
    packed(Uint, &[(RED, 10), (GREEN, 10), (BLUE, 10), (ALPHA, 2)]),
    "draw/uint_vs"
);
vertex_case!(r8_sint_vertices, R8Sint, plain(Sint, 8, 1), "draw/int_vs");
vertex_case!(rg8_sint_vertices, Rg8Sint, plain(Sint, 8, 2), "draw/int_vs");
vertex_case!(
    rgba8_sint_vertices,
    Rgba8Sint,
    plain(Sint, 8, 4),
    "draw/int_vs"
);
vertex_case!(
    r16_sint_vertices,
    R16Sint,
    plain(Sint, 16, 1),
    "draw/int_vs"
);
vertex_case!(
    rg16_sint_vertices,
    Rg16Sint,
    plain(Sint, 16, 2),
    "draw/int_vs"
);
vertex_case!(
    rgba16_sint_vertices,
    Rgba16Sint,
    plain(Sint, 16, 4),
    "draw/int_vs"
);
vertex_case!(
    r32_sint_vertices,
    R32Sint,
    plain(Sint, 32, 1),
    "draw/int_vs"
);
vertex_case!(
    rg32_sint_vertices,
    Rg32Sint,
    plain(Sint, 32, 2),
    "draw/int_vs"
);
vertex_case!(
    rgb32_sint_vertices,
    Rgb32Sint,
    plain(Sint, 32, 3),
    "draw/int_vs"
);
vertex_case!(
    rgba32_sint_vertices,
    Rgba32Sint,
    plain(Sint, 32, 4),
    "draw/int_vs"
);

draw_case!(
    rows_of_signed_vertices,
    ["draw/int_rows_vs", "draw/color_ps"],
    |t| {
        let rows = [[-5i32, 7, 100, -1], [3, -4, -28, 2]];
        let positions = Rect::new([0, 0, 8, 4], [0.0; 4]).positions(SIZE);
        t.attribute(0, Format::Rgba32Float, &positions);
        for (slot, row) in rows.iter().enumerate() {
            let bytes: Vec<u8> = row.iter().flat_map(|x| x.to_le_bytes()).collect();
            t.attribute(slot as u32 + 1, Format::Rgba32Sint, &bytes.repeat(6));
            t.state.vertex_slots[slot + 1].stride = 16;
        }
        t.vertices(Topology::TriangleList, 6);
        let color: [f32; 4] = std::array::from_fn(|c| (rows[0][c] - rows[1][c]) as f32);
        t.target(
            Format::Rgba32Float,
            [8, 4, 1],
            vec![color; 32],
            Tolerance::Exact,
        );
    }
);
