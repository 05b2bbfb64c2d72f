//! Vertex and pixel shaders: system values, interpolation, and how elements are packed.

use dxil_hwtests::element::{f16, to_bytes};
use dxil_hwtests::{Tolerance, pixels};
use dxil_runtime::Format;
use dxil_runtime::graphics::{
    Attachment, Blend, BlendFactor, BlendOp, DepthState, Indices, StencilFace, StencilOp,
    StencilState, Topology, Viewport,
};
use dxil_runtime::job::{Comparison, Storage, Texture};
use dxil_translate::{DescriptorSlot, ViewIdSource};

const FLOATS: Format = Format::Rgba32Float;

/// Expects the points that `sysvals` draws of vertices `first..first + 4`, for two instances.
fn numbered_points(t: &mut dxil_hwtests::DrawCase, first: u32) {
    let data: Vec<[f32; 4]> = (0..12).map(|n| [n as f32 + 0.5, 0.0, 0.0, 0.0]).collect();
    t.attribute(2, FLOATS, &data);
    let wanted = pixels([8, 2], |x, y| match x {
        0..4 => [
            x as f32,
            y as f32,
            (first + x) as f32 + 0.5,
            x as f32 * 100.0 + x as f32 + 0.5,
        ],
        _ => [0.0; 4],
    });
    t.target(FLOATS, [8, 2, 1], wanted, Tolerance::Exact);
}

draw_case!(
    vertex_and_instance_numbers_start_at_0_in_every_draw,
    ["raster/sysvals_vs", "raster/sysvals_ps"],
    |t| {
        t.vertices(Topology::PointList, 4);
        t.range(2, 4, 3, 2);
        numbered_points(t, 2);
    }
);

draw_case!(
    the_number_of_an_indexed_vertex_is_its_index,
    ["raster/sysvals_vs", "raster/sysvals_ps"],
    |t| {
        t.vertices(Topology::PointList, 4);
        t.range(1, 4, 3, 2);
        let list = Storage::Buffer(to_bytes(&[9_u16, 0, 1, 2, 3]));
        let resource = t.resource("indices", list, false);
        t.draw.indices = Some(Indices {
            resource,
            offset: 0,
            wide: false,
            base_vertex: 5,
        });
        numbered_points(t, 5);
    }
);

draw_case!(
    inputs_are_interpolated_as_declared,
    ["raster/quad_vs", "raster/modes_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        let across = |x: u32| (x as f32 + 0.5) / 8.0;
        let first = pixels([8, 4], |x, y| {
            let a = across(x);
            // The second triangle's first vertex is the strip's second.
            let vertex = if x <= 2 * y { 10.0 } else { 11.0 };
            [a / (2.0 - a), a, vertex, 2.0 / (2.0 - a)]
        });
        let second = pixels([8, 4], |x, y| [x as f32 + 0.5, y as f32 + 0.5, 0.5, 1.0]);
        t.target(FLOATS, [8, 4, 1], first, Tolerance::Absolute(1e-5));
        t.target(FLOATS, [8, 4, 1], second, Tolerance::Absolute(1e-5));
    }
);

draw_case!(
    a_front_face_is_all_ones_as_a_number,
    ["raster/quad_vs", "raster/face_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        let wanted = pixels([2, 2], |_, y| [u32::MAX, 6, 1, y]);
        t.target(Format::Rgba32Uint, [2, 2, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    a_back_face_is_zero_as_a_number,
    ["raster/quad_vs", "raster/face_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        t.state.front_counter_clockwise = true;
        let wanted = pixels([2, 2], |_, y| [0, 0, 2, y]);
        t.target(Format::Rgba32Uint, [2, 2, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    inputs_are_evaluated_elsewhere_in_the_pixel,
    ["raster/quad_vs", "raster/evaluate_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        t.constants("b0", to_bytes(&[3_i32, -5, 0]));
        let at = |x: u32, y: u32, dx: f32, dy: f32| {
            let (x, y) = (x as f32 + 0.5 + dx / 16.0, y as f32 + 0.5 + dy / 16.0);
            [x / 8.0, 1.0 - y / 4.0]
        };
        let pair = |[a, b]: [f32; 2], [c, d]: [f32; 2]| [a, b, c, d];
        let near = Tolerance::Absolute(2e-3);
        t.target(
            FLOATS,
            [8, 4, 1],
            pixels([8, 4], |x, y| {
                pair(at(x, y, -8.0, 7.0), at(x, y, 3.0, -5.0))
            }),
            near,
        );
        t.target(
            FLOATS,
            [8, 4, 1],
            pixels([8, 4], |x, y| pair(at(x, y, 0.0, 0.0), at(x, y, 0.0, 0.0))),
            near,
        );
    }
);

/// Draws with `clip`: a row to clip by and a cull distance.
fn clipped(t: &mut dxil_hwtests::DrawCase, row: u32, cull: f32) {
    t.vertices(Topology::TriangleStrip, 4);
    t.constants("b0", to_bytes(&[row, cull.to_bits()]));
    let wanted = pixels([4, 4], |x, _| {
        if x >= 2 && cull >= 0.0 {
            [1.0, 4.0, 6.0, cull + 30.0]
        } else {
            [0.0; 4]
        }
    });
    t.target(FLOATS, [4, 4, 1], wanted, Tolerance::Absolute(1e-4));
}

draw_case!(
    the_first_row_of_clip_distances_clips,
    ["raster/clip_vs", "raster/clip_ps"],
    |t| {
        clipped(t, 0, 1.0);
    }
);

draw_case!(
    the_second_row_of_clip_distances_clips,
    ["raster/clip_vs", "raster/clip_ps"],
    |t| {
        clipped(t, 1, 2.0);
    }
);

draw_case!(
    a_negative_cull_distance_culls,
    ["raster/clip_vs", "raster/clip_ps"],
    |t| {
        clipped(t, 1, -1.0);
    }
);

/// Returns two layers of two viewports; `place` says where an instance goes.
fn layers_and_viewports(t: &mut dxil_hwtests::DrawCase, place: fn(u32) -> [u32; 2]) {
    t.vertices(Topology::TriangleStrip, 4);
    t.range(0, 4, 0, 4);
    t.state.viewports = 2;
    t.draw.viewports = vec![[0.0, 0.0, 2.0, 4.0].into(), [2.0, 0.0, 2.0, 4.0].into()];
    let mut wanted = Vec::new();
    for layer in 0..2 {
        wanted.extend(pixels([4, 4], |x, _| {
            let view = x / 2;
            let found = (0..4).find(|&i| place(i) == [layer, view]);
            let instance = found.expect("each place has an instance");
            [(instance + 1) as f32, layer as f32, view as f32, 1.0]
        }));
    }
    t.target(FLOATS, [4, 4, 2], wanted, Tolerance::Exact);
}

draw_case!(
    each_viewport_has_its_own_scissor_and_depths,
    ["raster/indices_vs", "raster/indices_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        t.range(0, 4, 0, 4);
        t.state.viewports = 2;
        // All that is drawn has depth 0.5 before the viewport's.
        t.draw.viewports = vec![
            Viewport {
                area: [0.0, 0.0, 2.0, 4.0],
                depths: [0.0, 0.5],
            },
            Viewport {
                area: [2.0, 0.0, 2.0, 4.0],
                depths: [1.0, 0.5],
            },
        ];
        t.draw.scissors = vec![[0, 1, 4, 4], [3, 0, 1, 2]];
        let inside = |x: u32, y: u32| if x < 2 { y >= 1 } else { x == 3 && y < 2 };
        let (mut colors, mut depths) = (Vec::new(), Vec::new());
        for layer in 0..2 {
            colors.extend(pixels([4, 4], |x, y| {
                if inside(x, y) {
                    [
                        (layer * 2 + x / 2 + 1) as f32,
                        layer as f32,
                        (x / 2) as f32,
                        1.0,
                    ]
                } else {
                    [0.0; 4]
                }
            }));
            depths.extend(pixels([4, 4], |x, y| {
                if inside(x, y) {
                    [0.25f32, 0.75][(x / 2) as usize]
                } else {
                    1.0
                }
            }));
        }
        t.target(FLOATS, [4, 4, 2], colors, Tolerance::Exact);
        let mut texture = Texture::new_2d(Format::D32Float, 4, 4, Vec::new());
        texture.layers = 2;
        t.depth(DepthState::new(Format::D32Float), texture, depths);
    }
);

draw_case!(
    a_vertex_shader_chooses_layer_and_viewport,
    ["raster/indices_vs", "raster/indices_ps"],
    |t| {
        layers_and_viewports(t, |i| [i / 2, i % 2]);
    }
);

draw_case!(
    a_geometry_shader_reads_and_writes_layer_and_viewport,
    [
        "raster/indices_vs",
        "raster/indices_gs",
        "raster/indices_ps"
    ],
    |t| {
        layers_and_viewports(t, |i| [1 - i / 2, 1 - i % 2]);
    }
);

draw_case!(
    each_view_of_a_multiview_draw_knows_its_number,
    ["raster/views_vs", "raster/views_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        t.state.view_mask = 0b11;
        let mut wanted = pixels([4, 4], |_, _| [10.0_f32, 0.0, 0.0, 1.0]);
        wanted.extend(pixels([4, 4], |x, _| match x {
            0 | 1 => [0.0; 4],
            _ => [11.0, 1.0, 0.0, 1.0],
        }));
        t.target(FLOATS, [4, 4, 2], wanted, Tolerance::Exact);
    }
);

draw_case!(
    a_view_may_be_a_constant,
    ["raster/views_vs", "raster/views_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        t.signature.views.id = ViewIdSource::Constant(2);
        let wanted = pixels([4, 4], |x, _| match x {
            0 | 1 => [0.0; 4],
            _ => [12.0_f32, 2.0, 0.0, 1.0],
        });
        t.target(FLOATS, [4, 4, 1], wanted, Tolerance::Exact);
    }
);

/// Draws view instance 5, which goes to layer 1 if the mask has its bit.
fn view_from_a_word(t: &mut dxil_hwtests::DrawCase, mask: u32, wanted: [f32; 4]) {
    let [view, bits] = [0, 1].map(|binding| DescriptorSlot { set: 0, binding });
    t.vertices(Topology::TriangleStrip, 4);
    t.signature.views.id = ViewIdSource::UniformWord(view);
    t.signature.views.layer_offset = Some(view);
    t.signature.views.mask = Some(bits);
    t.constants("b0", to_bytes(&[5_u32 | 1 << 16, 20, 0, 0]));
    t.constants("b1", to_bytes(&[mask, 0, 0, 0]));
    let mut pixels_wanted = pixels([4, 4], |_, _| [0.0_f32; 4]);
    pixels_wanted.extend(pixels([4, 4], |_, _| wanted));
    t.target(FLOATS, [4, 4, 2], pixels_wanted, Tolerance::Exact);
}

draw_case!(
    a_word_selects_the_view_and_the_layer,
    ["raster/word_views_vs", "raster/view_mark_ps"],
    |t| { view_from_a_word(t, 1 << 5 | 1, [25.0, 0.0, 0.0, 1.0]) }
);

draw_case!(
    a_view_that_the_mask_leaves_out_is_not_drawn,
    ["raster/word_views_vs", "raster/view_mark_ps"],
    |t| { view_from_a_word(t, !(1 << 5), [0.0; 4]) }
);

draw_case!(
    tables_without_specialization_are_all_zero,
    ["raster/views_vs", "raster/views_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        t.state.view_mask = 0b10;
        t.signature.views.id = ViewIdSource::ViewIndexTable { spec_id: 3 };
        t.signature.views.viewports = Some(4);
        // Layer 1 is drawn to, and view instance 0 is what its shaders see.
        let mut wanted = pixels([4, 4], |_, _| [0.0_f32; 4]);
        wanted.extend(pixels([4, 4], |_, _| [10.0, 0.0, 0.0, 1.0]));
        t.target(FLOATS, [4, 4, 2], wanted, Tolerance::Exact);
    }
);

draw_case!(
    two_targets_are_the_sources_of_one_blend,
    ["raster/quad_vs", "raster/blend_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        t.signature.dual_source_blending = true;
        let wanted = pixels([4, 1], |x, _| match x {
            0 | 1 => [0.125_f32, 0.125, 0.75, 0.5],
            _ => [0.0; 4],
        });
        t.target(FLOATS, [4, 1, 1], wanted, Tolerance::Exact);
        t.state.targets[0].blend = Some(Blend {
            color: (BlendFactor::Source1Color, BlendFactor::Zero),
            color_op: BlendOp::Add,
            alpha: (BlendFactor::Source1Alpha, BlendFactor::Zero),
            alpha_op: BlendOp::Add,
        });
    }
);

/// Draws to a target of four samples that is resolved to one which must hold `expected`.
fn resolved(t: &mut dxil_hwtests::DrawCase, expected: [f32; 4]) {
    t.vertices(Topology::TriangleStrip, 4);
    t.state.samples = 4;
    let wanted = pixels([4, 4], |_, _| expected);
    t.target(FLOATS, [4, 4, 1], wanted, Tolerance::Exact);
    let mut texture = Texture::new_2d(FLOATS, 4, 4, Vec::new());
    texture.samples = 4;
    let many = t.resource("samples", Storage::Texture(texture), false);
    let target = &mut t.draw.targets[0];
    (target.resource, target.resolve) = (many, Some(target.resource));
}

draw_case!(
    coverage_is_read_and_written,
    ["raster/quad_vs", "raster/coverage_ps"],
    |t| {
        resolved(t, [0.5, 0.25, 0.0, 0.5]);
        t.update("u0", &[0_u32; 16], vec![15_u32; 16]);
    }
);

draw_case!(
    a_sample_index_makes_the_shader_run_per_sample,
    ["raster/quad_vs", "raster/samples_ps"],
    |t| {
        resolved(t, [0.375; 4]);
        t.update("u0", &[0_u32; 16], vec![0x0101_0101_u32; 16]);
    }
);

/// Four runs per pixel, each of which covers the one sample that it is run for.
const ONE_RUN_PER_SAMPLE: u32 = 4 + (0xf << 8);

draw_case!(
    a_sample_index_that_is_not_read_makes_the_shader_run_per_sample,
    ["raster/quad_vs", "raster/unused_index_ps"],
    |t| {
        resolved(t, [0.375; 4]);
        t.update("u0", &[0_u32; 16], vec![ONE_RUN_PER_SAMPLE; 16]);
    }
);

draw_case!(
    a_sample_input_that_is_not_read_makes_the_shader_run_per_sample,
    ["raster/quad_vs", "raster/unused_input_ps"],
    |t| {
        resolved(t, [0.375; 4]);
        t.update("u0", &[0_u32; 16], vec![ONE_RUN_PER_SAMPLE; 16]);
    }
);

/// Draws over a depth buffer that must then hold `near` in the left half and 0.5 in the right one.
fn depth(t: &mut dxil_hwtests::DrawCase, test: Comparison, near: f32) {
    t.vertices(Topology::TriangleStrip, 4);
    t.target(
        FLOATS,
        [4, 4, 1],
        pixels([4, 4], |_, _| [0.5_f32, 1.0, 1.0, 1.0]),
        Tolerance::Exact,
    );
    let texture = Texture::new_2d(Format::D32Float, 4, 4, Vec::new());
    let resource = t.resource("depth", Storage::Texture(texture), true);
    t.state.depth = Some(DepthState {
        format: Format::D32Float,
        test: Some(test),
        write: true,
        stencil: None,
    });
    let clear = if test == Comparison::Less { 1.0 } else { 0.0 };
    t.draw.depth = Some(Attachment {
        resource,
        mip: 0,
        layer: 0,
        clear: Some([clear, 0.0, 0.0, 0.0]),
        resolve: None,
    });
    let wanted = pixels([4, 4], |x, _| if x < 2 { near } else { 0.5 });
    t.check_equal("depth", resource, wanted);
}

draw_case!(
    a_pixel_shader_moves_its_depth,
    ["raster/quad_vs", "raster/depth_any_ps"],
    |t| {
        depth(t, Comparison::Less, 0.125);
    }
);

draw_case!(
    a_pixel_shader_writes_a_smaller_depth,
    ["raster/quad_vs", "raster/depth_less_ps"],
    |t| {
        depth(t, Comparison::Less, 0.25);
    }
);

draw_case!(
    a_pixel_shader_writes_a_larger_depth,
    ["raster/quad_vs", "raster/depth_greater_ps"],
    |t| {
        depth(t, Comparison::Greater, 0.75);
    }
);

draw_case!(
    packed_elements_arrive,
    ["raster/packed_vs", "raster/packed_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        let size = [4, 4, 1];
        let near = Tolerance::Absolute(1e-4);
        let rows = [[8.0_f32, 9.0, 10.0], [11.0, 12.0, 13.0], [14.0, 15.0, 16.0]];
        let all = |value: [f32; 4]| pixels([4, 4], |_, _| value);
        t.target(FLOATS, size, all([1.0, 2.0, 3.0, 4.0]), near);
        t.target(FLOATS, size, all([-5.0, 6.0, -7.0, 1.0]), near);
        let listed = pixels([4, 4], |x, _| {
            let [a, b, c] = rows[x as usize % 3];
            [a, b, c, 65535.0]
        });
        t.target(FLOATS, size, listed, near);
        let matrix = pixels([4, 4], |_, y| [17.0, 18.0, 19.0 + (y % 2) as f32, 0.5]);
        t.target(FLOATS, size, matrix, near);
    }
);

draw_case!(
    sixteen_bit_elements_arrive,
    ["raster/half_vs", "raster/half_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        let scale = [f16::from_f32(1.5), f16::from_f32(-2.0)];
        t.attribute(1, Format::Rg16Float, &[scale; 4]);
        let halves = pixels([4, 4], |_, _| [1.5_f32, -2.0, 0.125, -0.5]);
        let numbers = pixels([4, 4], |_, _| [65535_i32, 7, -3, 9]);
        t.target(FLOATS, [4, 4, 1], halves, Tolerance::Absolute(1e-3));
        t.target(Format::Rgba32Sint, [4, 4, 1], numbers, Tolerance::Exact);
    }
);

draw_case!(
    a_draw_tells_its_first_vertex_and_instance,
    ["raster/start_vs", "raster/start_ps"],
    |t| {
        t.vertices(Topology::TriangleList, 3);
        t.range(4, 3, 2, 1);
        let mut positions = vec![[5.0_f32; 3]; 4];
        positions.extend([[-1.0, -1.0, 0.5], [-1.0, 3.0, 0.5], [3.0, -1.0, 0.5]]);
        t.input("t1", &positions);
        t.input("t0", &[[7_u32, 0, 0, 0], [8, 0, 0, 0], [9, 0, 0, 0]]);
        let unit = |row: usize| {
            let mut vector = [0.0_f32; 4];
            vector[row] = 1.0;
            vector
        };
        t.constants("b0", to_bytes(&[unit(0), unit(1), unit(2), unit(3)]));
        let wanted = pixels([2, 2], |x, y| [9.0, x as f32 + 0.5, y as f32 + 0.5, 1.0]);
        t.target(FLOATS, [2, 2, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    a_pixel_shader_writes_the_stencil_reference,
    ["raster/quad_vs", "raster/stencil_ps"],
    |t| {
        t.vertices(Topology::TriangleStrip, 4);
        let format = Format::D32FloatS8Uint;
        let texture = Texture::new_2d(format, 4, 4, Vec::new());
        let resource = t.resource("depth and stencil", Storage::Texture(texture), true);
        let face = StencilFace {
            pass: StencilOp::Replace,
            ..StencilFace::default()
        };
        t.state.depth = Some(DepthState {
            format,
            test: None,
            write: false,
            stencil: Some(StencilState {
                front: face,
                back: face,
                read_mask: 255,
                write_mask: 255,
            }),
        });
        t.draw.depth = Some(Attachment {
            resource,
            mip: 0,
            layer: 0,
            clear: Some([0.25, 7.0, 0.0, 0.0]),
            resolve: None,
        });
        let wanted = pixels([4, 4], |x, _| [0.25_f32.to_bits(), x]);
        t.check_equal("depth and stencil", resource, wanted);
        let color = pixels([4, 4], |x, y| [x as f32 + 0.5, y as f32 + 0.5, 0.5]);
        t.target(
            FLOATS,
            [4, 4, 1],
            color
                .iter()
                .zip(pixels([4, 4], |x, _| x))
                .map(|(&[x, y, z], column)| {
                    let a = (column as f32 + 0.5) / 4.0;
                    [x, y, z, 2.0 / (2.0 - a)]
                })
                .collect(),
            Tolerance::Absolute(1e-5),
        );
    }
);

// The CPU driver has no barycentrics.
valid_case!(attributes_at_vertices, "raster/vertices_ps");
