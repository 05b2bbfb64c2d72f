//! Inputs of draws: topologies, indices, instances, indirect arguments, textures; and queries.

use dxil_hwtests::{Picture, Rect, Tolerance, element::to_bytes};
use dxil_runtime::graphics::{
    Attachment, DepthState, DrawCall, Indirect, Query, QueryResult, Topology,
};
use dxil_runtime::job::{AddressMode, Comparison, Filter, Sampler, Texture};
use dxil_runtime::{Format, Storage};

const SIZE: [u32; 2] = [8, 4];
const ALL: [u32; 4] = [0, 0, 8, 4];
const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
const NOTHING: [f32; 4] = [0.0; 4];
const FLOATS: Format = Format::Rgba32Float;

/// Returns the centre of a pixel as a position.
fn center(x: u32, y: u32) -> [f32; 4] {
    let x = (x as f32 + 0.5) / 4.0 - 1.0;
    [x, 1.0 - (y as f32 + 0.5) / 2.0, 0.5, 1.0]
}

draw_case!(
    points_are_single_pixels,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let places = [(0, 0), (7, 0), (3, 2), (7, 3)];
        let corners = places.map(|(x, y)| center(x, y));
        t.corners(Topology::PointList, &corners, &[RED; 4]);
        let color = Picture::of(SIZE, |x, y| {
            if places.contains(&(x, y)) {
                RED
            } else {
                NOTHING
            }
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    each_stage_has_its_own_static_sampler,
    ["draw/own_sampler_vs", "draw/own_sampler_ps"],
    |t| {
        t.vertices(Topology::TriangleList, 3);
        let texels = to_bytes(&[10.0f32, 20.0]);
        t.texture("t0", Texture::new_2d(Format::R32Float, 2, 1, texels));
        // Clamped to the last texel in one stage, wrapped to the first in the other.
        let color = Picture::of(SIZE, |_, _| [20.0f32, 10.0, 0.0, 1.0]);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    a_list_of_lines_joins_pairs,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let corners = [center(0, 1), center(4, 1), center(2, 3), center(7, 3)];
        t.corners(Topology::LineList, &corners, &[RED; 4]);
        // The last pixel of a line is not part of it.
        let color = Picture::of(SIZE, |x, y| match (x, y) {
            (0..4, 1) | (2..7, 3) => RED,
            _ => NOTHING,
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    a_strip_of_lines_goes_on_from_the_last_vertex,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let corners = [center(0, 0), center(6, 0), center(6, 3)];
        t.corners(Topology::LineStrip, &corners, &[RED; 3]);
        let color = Picture::of(SIZE, |x, y| match (x, y) {
            (0..6, 0) | (6, 0..3) => RED,
            _ => NOTHING,
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    adjacent_vertices_are_left_out_without_a_geometry_shader,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let far = [9.0, 9.0, 0.5, 1.0];
        let corners = [far, center(1, 2), center(5, 2), far];
        t.corners(Topology::LineListAdjacency, &corners, &[RED; 4]);
        let color = Picture::of(SIZE, |x, y| match (x, y) {
            (1..5, 2) => RED,
            _ => NOTHING,
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

/// Returns the corners of a strip over two columns: top and bottom at each of its edges.
fn strip(columns: &[u32]) -> Vec<[f32; 4]> {
    let x = |column: u32| column as f32 / 4.0 - 1.0;
    let edges = columns.iter();
    edges
        .flat_map(|c| [[x(*c), 1.0, 0.5, 1.0], [x(*c), -1.0, 0.5, 1.0]])
        .collect()
}

draw_case!(
    a_strip_of_triangles_shares_edges,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.corners(Topology::TriangleStrip, &strip(&[1, 3, 6]), &[RED; 6]);
        let color = Picture::new(SIZE, NOTHING).fill(Rect::new([1, 0, 6, 4], RED), RED);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    the_greatest_index_cuts_a_strip,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.corners(Topology::TriangleStrip, &strip(&[0, 2, 5, 7]), &[RED; 8]);
        t.state.strip_cut = true;
        t.indices(&[0u16, 1, 2, 3, 0xffff, 4, 5, 6, 7], 0);
        let color = Picture::of(SIZE, |x, _| match x {
            0..2 | 5..7 => RED,
            _ => NOTHING,
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    wide_indices_count_from_the_base_vertex,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let unused = Rect::new(ALL, GREEN);
        let used = Rect::new([2, 1, 5, 3], RED);
        t.rects(SIZE, &[unused, used]);
        t.indices(&[5u32, 4, 3, 2, 1, 0], 6);
        let color = Picture::new(SIZE, NOTHING).fill(used, RED);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    a_draw_may_start_after_the_first_index,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let used = Rect::new([0, 0, 2, 2], RED);
        t.rects(SIZE, &[used, Rect::new(ALL, GREEN)]);
        t.indices(&[6u16, 7, 8, 0, 1, 2, 3, 4, 5, 9, 10, 11], 0);
        t.range(3, 6, 0, 1);
        let color = Picture::new(SIZE, NOTHING).fill(used, RED);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

/// Draws quads of `ids_vs`: indices of one, and per instance two numbers.
fn instanced(t: &mut dxil_hwtests::DrawCase, instances: usize) {
    let shades: Vec<[f32; 4]> = (0..instances)
        .map(|i| [i as f32 * 0.5, 7.0, 0.0, 0.0])
        .collect();
    // Rows 0 and 1 are the vertex and the instance number.
    t.attribute(2, FLOATS, &shades);
    t.state.vertex_slots[0].per_instance = true;
    t.vertices(Topology::TriangleList, 6);
    t.indices(&[0u16, 1, 2, 2, 1, 3], 0);
}

draw_case!(
    instances_have_attributes_of_their_own,
    ["draw/ids_vs", "draw/flat_color_ps"],
    |t| {
        instanced(t, 5);
        t.range(0, 6, 0, 5);
        let color = Picture::of(SIZE, |x, _| match x {
            0..5 => [0.0, x as f32, x as f32 * 0.5, 7.0],
            _ => NOTHING,
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    the_instance_number_starts_at_zero_the_attributes_do_not,
    ["draw/ids_vs", "draw/flat_color_ps"],
    |t| {
        instanced(t, 5);
        t.range(0, 6, 3, 2);
        let color = Picture::of(SIZE, |x, _| match x {
            0..2 => [0.0, x as f32, (x + 3) as f32 * 0.5, 7.0],
            _ => NOTHING,
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

/// Makes the draw an indirect one with these arguments.
fn indirect(t: &mut dxil_hwtests::DrawCase, words: &[u32], draws: u32, stride: u32) {
    let arguments = t.resource("arguments", Storage::Buffer(to_bytes(words)), false);
    t.draw.call = DrawCall::Indirect(Indirect {
        arguments,
        offset: 4,
        stride,
        draws,
        count: None,
    });
}

draw_case!(
    draws_read_their_arguments_from_a_buffer,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let rects = [
            Rect::new([0, 0, 2, 4], RED),
            Rect::new([2, 0, 4, 4], RED),
            Rect::new([4, 0, 6, 4], GREEN),
        ];
        t.rects(SIZE, &rects);
        // Vertices, instances, first vertex, first instance, and a word between draws.
        indirect(t, &[99, 6, 1, 0, 0, 99, 6, 1, 12, 0], 2, 20);
        let color = Picture::new(SIZE, NOTHING)
            .fill(rects[0], RED)
            .fill(rects[2], GREEN);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    indexed_draws_take_their_number_from_a_buffer,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let rects = [Rect::new([0, 0, 2, 4], RED), Rect::new([2, 0, 4, 4], GREEN)];
        t.rects(SIZE, &rects);
        t.indices(&[0u32, 1, 2, 3, 4, 5], 0);
        // Indices, instances, first index, base vertex, first instance.
        indirect(t, &[1, 6, 1, 0, 6, 0, 6, 1, 0, 0, 0], 2, 20);
        if let DrawCall::Indirect(indirect) = &mut t.draw.call {
            indirect.count = Some((indirect.arguments, 0));
        }
        let color = Picture::new(SIZE, NOTHING).fill(rects[1], GREEN);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

gpu_case!(
    a_dispatch_reads_its_groups_from_a_buffer,
    "draw/mirror_cs",
    |t| {
        let words = to_bytes(&[77u32, 3, 2, 1]);
        let arguments = t.resource("arguments", Storage::Buffer(words), false);
        t.job.work = dxil_runtime::Work::DispatchIndirect {
            arguments,
            offset: 4,
        };
        t.update("u0", &[0u32; 8], vec![1u32, 2, 3, 0, 11, 12, 13, 0]);
    }
);

draw_case!(
    interpolation_is_flat_perspective_or_linear_on_the_screen,
    ["draw/flat_vs", "draw/flat_ps"],
    |t| {
        // The right edge is four times as far away as the left one.
        let [w0, w1] = [1.0f32, 4.0];
        let corner = |x: f32, y: f32, w: f32| [x * w, y * w, 0.0, w];
        let corners = [
            corner(-1.0, 1.0, w0),
            corner(1.0, 1.0, w1),
            corner(-1.0, -1.0, w0),
            corner(1.0, -1.0, w1),
        ];
        let value = |v: f32| [v, 0.0, 0.0, 0.0];
        let colors = [value(10.0), value(20.0), value(10.0), value(20.0)];
        t.corners(Topology::TriangleStrip, &corners, &colors);
        let color = Picture::of(SIZE, |x, y| {
            let s = (x as f32 + 0.5) / 8.0;
            let smooth = (10.0 * (1.0 - s) / w0 + 20.0 * s / w1) / ((1.0 - s) / w0 + s / w1);
            // The first vertex of a triangle is the leading one: 0 and 1.
            let upper = (x as f32 + 0.5) / 8.0 + (y as f32 + 0.5) / 4.0 < 1.0;
            let (flat, id) = if upper { (10.0, 0.0) } else { (20.0, 1.0) };
            [flat, smooth, 10.0 + 10.0 * s, id]
        });
        // Pixels whose centre lies on the diagonal belong to one of the triangles.
        let on_edge = |i: usize| (2 * (i as u32 % 8) + 1) + 2 * (2 * (i as u32 / 8) + 1) == 16;
        let texture = Texture::new_2d(FLOATS, 8, 4, Vec::new());
        let id = t.resource("target", Storage::Texture(texture), true);
        t.state
            .targets
            .push(dxil_runtime::graphics::TargetState::new(FLOATS));
        t.draw.targets.push(Attachment::new(id));
        t.check("target", id, move |got: &[[f32; 4]]| {
            for (i, (got, want)) in got.iter().zip(&color.texels).enumerate() {
                let near = got.iter().zip(want).all(|(a, b)| (a - b).abs() < 2e-3);
                if !near && !on_edge(i) {
                    return Err(format!("texel {i} is {got:?}, expected {want:?}"));
                }
            }
            Ok(())
        });
    }
);

draw_case!(
    instances_choose_their_layer,
    ["draw/layer_vs", "draw/color_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new([0, 0, 4, 4], [1.0; 4])]);
        t.range(0, 6, 0, 3);
        let layers = (0..3).flat_map(|layer| {
            let value = [layer as f32 + 1.0; 4];
            Picture::new(SIZE, NOTHING)
                .fill(Rect::new([0, 0, 4, 4], RED), value)
                .texels
        });
        t.target(FLOATS, [8, 4, 3], layers.collect(), Tolerance::Exact);
    }
);

draw_case!(
    a_mip_of_a_layer_is_a_target,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.rects([4, 2], &[Rect::new([0, 0, 2, 2], RED)]);
        let mut texture = Texture::new_2d(FLOATS, 8, 4, Vec::new());
        (texture.mips, texture.layers) = (2, 2);
        // Per layer 32 texels and then 8; only the second layer's small mip changes.
        let part = Picture::new([4, 2], NOTHING).fill(Rect::new([0, 0, 2, 2], RED), RED);
        let expected = [vec![NOTHING; 72], part.texels].concat();
        t.target_of(texture, expected, Tolerance::Exact);
        (t.draw.targets[0].mip, t.draw.targets[0].layer) = (1, 1);
    }
);

/// Returns a texture of 8x8 texels with four mips; a texel of mip m is m.
fn mips() -> Texture {
    let mut texture = Texture::new_2d(FLOATS, 8, 8, Vec::new());
    texture.mips = 4;
    let texels = [(64, 0.0f32), (16, 1.0), (4, 2.0), (1, 3.0)];
    texture.data = texels
        .iter()
        .flat_map(|(count, value)| to_bytes(&vec![[*value; 4]; *count]))
        .collect();
    texture
}

/// Draws a rectangle over all of the target with texture coordinates from 0 to `scale`.
fn textured(t: &mut dxil_hwtests::DrawCase, scale: [f32; 2]) {
    let positions = Rect::new(ALL, RED).positions(SIZE);
    let colors = positions.map(|[x, y, ..]| {
        [
            (x + 1.0) / 2.0 * scale[0],
            (1.0 - y) / 2.0 * scale[1],
            0.0,
            0.0,
        ]
    });
    t.corners(Topology::TriangleList, &positions, &colors);
}

draw_case!(
    the_mip_follows_from_how_fast_coordinates_change,
    ["draw/place_vs", "draw/uv_ps"],
    |t| {
        // Two texels of mip 0 per pixel, in both directions.
        textured(t, [2.0, 1.0]);
        t.texture("t0", mips());
        let sampler = Sampler {
            address: [AddressMode::Wrap; 3],
            ..Sampler::default()
        };
        t.sampler("s0", sampler);
        t.target(
            FLOATS,
            [8, 4, 1],
            vec![[1.0f32; 4]; 32],
            Tolerance::Absolute(1e-3),
        );
    }
);

draw_case!(
    trap_phi_of_textures_keeps_implicit_derivatives,
    ["draw/place_vs", "draw/one_of_two_ps"],
    |t| {
        // Two texels of mip 0 per pixel; 8 of mip 0 of the second texture.
        textured(t, [2.0, 1.0]);
        t.texture("t0", mips());
        let mut large = mips();
        large.data = to_bytes(
            &[(64, 10.0f32), (16, 11.0), (4, 12.0), (1, 13.0)]
                .into_iter()
                .flat_map(|(count, value)| vec![[value; 4]; count])
                .collect::<Vec<_>>(),
        );
        t.texture("t1", large);
        let sampler = Sampler {
            address: [AddressMode::Wrap; 3],
            ..Sampler::default()
        };
        t.sampler("s0", sampler);
        // The second sampler allows none but mip 2.
        let only_mip_2 = Sampler {
            address: [AddressMode::Wrap; 3],
            min_lod: 2.0,
            max_lod: 2.0,
            ..Sampler::default()
        };
        t.sampler("s1", only_mip_2);
        let color = Picture::of(SIZE, |_, y| match y % 2 {
            0 => [1.0f32; 4],
            _ => [12.0; 4],
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Absolute(1e-3));
    }
);

draw_case!(
    comparisons_with_bias_sample_other_mips,
    ["draw/place_vs", "draw/shadow_bias_ps"],
    |t| {
        // Two texels of mip 0 per pixel: mip 1 without bias.
        textured(t, [2.0, 1.0]);
        let texels = [(64, 0.2f32), (16, 0.9), (4, 0.2), (1, 0.9)];
        let data = texels.map(|(count, depth)| to_bytes(&vec![depth; count]));
        let mut texture = Texture::new_2d(Format::D32Float, 8, 8, data.concat());
        texture.mips = 4;
        t.texture("t0", texture);
        t.sampler(
            "s0",
            Sampler {
                min_filter: Filter::Point,
                mag_filter: Filter::Point,
                mip_filter: Filter::Point,
                address: [AddressMode::Wrap; 3],
                comparison: Some(Comparison::LessEqual),
                ..Sampler::default()
            },
        );
        t.target(
            FLOATS,
            [8, 4, 1],
            vec![[0.0f32, 1.0, 0.0, 1.0]; 32],
            Tolerance::Exact,
        );
    }
);

draw_case!(
    bias_and_gradients_choose_other_mips,
    ["draw/place_vs", "draw/uv_bias_ps"],
    |t| {
        textured(t, [1.0, 0.5]);
        t.texture("t0", mips());
        t.sampler("s0", Sampler::default());
        t.target(
            FLOATS,
            [8, 4, 1],
            vec![[1.0f32, 2.0, 0.0, 3.0]; 32],
            Tolerance::Absolute(1e-3),
        );
    }
);

draw_case!(
    outside_of_the_texture_is_the_border,
    ["draw/place_vs", "draw/uv_ps"],
    |t| {
        textured(t, [2.0, 2.0]);
        let texture = Texture::new_2d(FLOATS, 1, 1, to_bytes(&[[0.5f32; 4]]));
        t.texture("t0", texture);
        t.sampler(
            "s0",
            Sampler {
                address: [AddressMode::Border; 3],
                min_filter: Filter::Point,
                mag_filter: Filter::Point,
                border: [0.0, 0.0, 0.0, 1.0],
                ..Sampler::default()
            },
        );
        let color = Picture::of(SIZE, |x, y| {
            if x < 4 && y < 2 {
                [0.5f32; 4]
            } else {
                [0.0, 0.0, 0.0, 1.0]
            }
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

/// Binds a row of four depths, and a sampler that tells where the reference is at most the depth.
pub(super) fn compared_depths(t: &mut dxil_hwtests::DrawCase) {
    let data = to_bytes(&[0.2f32, 0.5, 0.2, 0.9]);
    t.texture("t0", Texture::new_2d(Format::D32Float, 4, 1, data));
    t.sampler(
        "s0",
        Sampler {
            min_filter: Filter::Point,
            mag_filter: Filter::Point,
            mip_filter: Filter::Point,
            comparison: Some(Comparison::LessEqual),
            ..Sampler::default()
        },
    );
}

draw_case!(
    comparison_samplers_compare_with_the_reference,
    ["draw/place_vs", "draw/shadow_ps"],
    |t| {
        let positions = Rect::new(ALL, RED).positions(SIZE);
        let colors = positions.map(|[x, y, ..]| [(x + 1.0) / 2.0, (1.0 - y) / 2.0, 0.25, 0.0]);
        t.corners(Topology::TriangleList, &positions, &colors);
        compared_depths(t);
        // 0.25 and 0.75 against each texel.
        let color = Picture::of(SIZE, |x, _| match x / 2 {
            1 => [1.0f32, 0.0, 0.0, 1.0],
            3 => [1.0, 1.0, 0.0, 1.0],
            _ => [0.0, 0.0, 0.0, 1.0],
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    derivatives_are_differences_in_the_quad,
    ["draw/place_vs", "draw/derivatives_ps"],
    |t| {
        // Green falls by 1 a pixel, red grows by 1 a column and 2 a row.
        let positions = Rect::new(ALL, RED).positions(SIZE);
        let colors = positions.map(|[x, y, ..]| {
            let (column, row) = ((x + 1.0) * 4.0, (1.0 - y) * 2.0);
            [column + 2.0 * row, -column, 0.0, 0.0]
        });
        t.corners(Topology::TriangleList, &positions, &colors);
        let color = Picture::of(SIZE, |x, _| {
            // (x + 1.5)^2 - (x + 0.5)^2 at the even column of the quad.
            let even = (x & !1) as f32;
            [2.0 * even + 2.0, 10.0, 3.0, -1.0]
        });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Absolute(1e-3));
    }
);

draw_case!(
    occlusion_queries_count_samples_that_pass,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let near = Rect::new([0, 0, 3, 4], RED).at(0.25);
        t.rects(SIZE, &[near, Rect::new(ALL, GREEN).at(0.75)]);
        let texture = Texture::new_2d(Format::D32Float, 8, 4, Vec::new());
        let depth = Picture::new(SIZE, 0.75f32).fill(near, 0.25);
        t.depth(DepthState::new(Format::D32Float), texture, depth.texels);
        t.query(Query::Occlusion, |found| match found {
            QueryResult::Occlusion(32) => Ok(()),
            other => Err(format!("{other:?}, expected 12 + 20 samples")),
        });
    }
);

draw_case!(
    occlusion_queries_count_each_sample_of_a_pixel,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new([0, 0, 3, 4], RED)]);
        let color =
            Picture::new(SIZE, NOTHING).fill(Rect::new([0, 0, 3, 4], RED), [0.5, 0.0, 0.0, 0.5]);
        t.multisampled(FLOATS, SIZE, 4, color.texels, Tolerance::Exact);
        // Two of four samples are written.
        t.state.sample_mask = Some(0b1010);
        t.query(Query::Occlusion, |found| match found {
            QueryResult::Occlusion(24) => Ok(()),
            other => Err(format!("{other:?}, expected 2 samples of 12 pixels")),
        });
    }
);

draw_case!(
    a_hidden_draw_has_no_visible_sample,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new(ALL, RED).at(0.75)]);
        let start = to_bytes(&[0.5f32; 32]);
        let texture = Texture::new_2d(Format::D32Float, 8, 4, start);
        t.depth(DepthState::new(Format::D32Float), texture, vec![0.5f32; 32]);
        t.query(Query::BinaryOcclusion, |found| match found {
            QueryResult::BinaryOcclusion(false) => Ok(()),
            other => Err(format!("{other:?}")),
        });
    }
);

draw_case!(
    statistics_count_what_the_stages_did,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let rects = [Rect::new([0, 0, 3, 4], RED), Rect::new([3, 0, 8, 4], GREEN)];
        t.rects(SIZE, &rects);
        let color = Picture::new(SIZE, GREEN).fill(rects[0], RED);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
        t.query(Query::PipelineStatistics, |found| match found {
            QueryResult::PipelineStatistics(s)
                if s.input_vertices == 12
                    && s.input_primitives == 4
                    && s.vertex_invocations >= 6
                    && s.clipper_invocations == 4
                    && s.pixel_invocations >= 32
                    && s.geometry_invocations == 0
                    && s.hull_patches == 0 =>
            {
                Ok(())
            }
            other => Err(format!("{other:?}")),
        });
    }
);

draw_case!(timestamps_rise, ["draw/place_vs", "draw/color_ps"], |t| {
    t.rects(SIZE, &[Rect::new(ALL, RED)]);
    t.target(FLOATS, [8, 4, 1], vec![RED; 32], Tolerance::Exact);
    t.query(Query::Timestamps, |found| match found {
        QueryResult::Timestamps([before, after]) if before != 0 && before <= after => Ok(()),
        other => Err(format!("{other:?}")),
    });
});
