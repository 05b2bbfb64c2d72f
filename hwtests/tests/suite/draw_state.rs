//! Fixed-function state that discards fragments: depth, stencil, viewports, scissors, culling,
//! distances.

use dxil_hwtests::{Picture, Rect, Tolerance};
use dxil_runtime::Format;
use dxil_runtime::graphics::{
    Cull, DepthBias, DepthState, StencilFace, StencilOp, StencilState, Topology, Viewport,
};
use dxil_runtime::job::{Comparison, Texture};

const SIZE: [u32; 2] = [8, 4];
const ALL: [u32; 4] = [0, 0, 8, 4];
const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
const FLOATS: Format = Format::Rgba32Float;
const NOTHING: [f32; 4] = [0.0; 4];

fn depths(format: Format, data: Vec<u8>) -> Texture {
    Texture::new_2d(format, 8, 4, data)
}

/// A red rectangle at 0.25 and a green one at 0.75 that overlap, with a test against depth 0.5.
macro_rules! depth_test_case {
    ($name:ident, $test:expr, $near:literal, $far:literal) => {
        draw_case!($name, ["draw/place_vs", "draw/color_ps"], |t| {
            let near = Rect::new([0, 0, 5, 4], RED).at(0.25);
            let far = Rect::new([3, 0, 8, 4], GREEN).at(0.75);
            t.rects(SIZE, &[near, far]);
            let start = [0.5f32; 32].map(f32::to_le_bytes).concat();
            let passes: fn(f32, f32) -> bool = match $test {
                Comparison::Less => |new, old| new < old,
                Comparison::Greater => |new, old| new > old,
                Comparison::LessEqual => |new, old| new <= old,
                Comparison::GreaterEqual => |new, old| new >= old,
                Comparison::Equal => |new, old| new == old,
                Comparison::NotEqual => |new, old| new != old,
                Comparison::Always => |_, _| true,
                Comparison::Never => |_, _| false,
            };
            // What the CPU makes of it, fragment by fragment.
            let mut color = Picture::new(SIZE, NOTHING);
            let mut depth = Picture::new(SIZE, 0.5f32);
            for rect in [near, far] {
                let mut passed = depth.texels.iter().map(|old| passes(rect.z, *old));
                let mask: Vec<bool> = passed.by_ref().collect();
                let mut at = 0;
                let columns = rect.left..rect.right;
                let inside: Vec<bool> = (0..32u32).map(|i| columns.contains(&(i % 8))).collect();
                for (index, texel) in color.texels.iter_mut().enumerate() {
                    if inside[index] && mask[index] {
                        *texel = rect.color;
                        depth.texels[index] = rect.z;
                        at += 1;
                    }
                }
                let expected = if rect.z < 0.5 { $near } else { $far };
                assert_eq!(at, expected, "the case itself");
            }
            t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
            let state = DepthState {
                test: Some($test),
                ..DepthState::new(Format::D32Float)
            };
            t.depth(state, depths(Format::D32Float, start), depth.texels);
        });
    };
}

depth_test_case!(only_nearer_fragments_pass_less, Comparison::Less, 20, 0);
depth_test_case!(
    only_farther_fragments_pass_greater,
    Comparison::Greater,
    0,
    20
);
depth_test_case!(all_but_equal_fragments_pass, Comparison::NotEqual, 20, 20);
depth_test_case!(none_passes_never, Comparison::Never, 0, 0);
depth_test_case!(all_pass_always, Comparison::Always, 20, 20);
depth_test_case!(none_of_these_is_equal, Comparison::Equal, 0, 0);
depth_test_case!(
    nearer_fragments_pass_less_equal,
    Comparison::LessEqual,
    20,
    0
);
depth_test_case!(
    farther_fragments_pass_greater_equal,
    Comparison::GreaterEqual,
    0,
    20
);

draw_case!(
    equal_depths_pass_equal,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new(ALL, RED).at(0.5)]);
        let start: Vec<f32> = (0..32).map(|i| [0.25, 0.5][i % 2]).collect();
        let state = DepthState {
            test: Some(Comparison::Equal),
            ..DepthState::new(Format::D32Float)
        };
        let data = start.iter().flat_map(|depth| depth.to_le_bytes()).collect();
        t.depth(state, depths(Format::D32Float, data), start);
        let color = Picture::of(SIZE, |x, _| if x % 2 == 1 { RED } else { NOTHING });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    twenty_four_bits_of_depth_round_and_have_a_stencil,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.draw.stencil_reference = 7;
        t.rects(SIZE, &[Rect::new([0, 0, 4, 4], RED).at(0.25)]);
        let face = StencilFace {
            pass: StencilOp::Replace,
            ..StencilFace::default()
        };
        let state = DepthState {
            format: Format::D24UnormS8Uint,
            write: true,
            ..stencil(face, face, [255, 255])
        };
        // A quarter of 2^24 - 1 is 4194303.75.
        let depth = Picture::of(SIZE, |x, _| {
            if x < 4 {
                4_194_304u32 | 7 << 24
            } else {
                0x00ff_ffff
            }
        });
        let texture = depths(Format::D24UnormS8Uint, Vec::new());
        t.depth(state, texture, depth.texels);
    }
);

draw_case!(
    a_depth_buffer_that_is_not_written_keeps_its_depths,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let rect = Rect::new(ALL, RED).at(0.25);
        t.rects(SIZE, &[rect, Rect::new(ALL, GREEN).at(0.5)]);
        let green = Picture::new(SIZE, GREEN);
        t.target(FLOATS, [8, 4, 1], green.texels, Tolerance::Exact);
        let state = DepthState {
            write: false,
            ..DepthState::new(Format::D32Float)
        };
        t.depth(
            state,
            depths(Format::D32Float, Vec::new()),
            vec![1.0f32; 32],
        );
    }
);

draw_case!(
    sixteen_bits_of_depth_round,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new([0, 0, 4, 4], RED).at(0.25)]);
        let state = DepthState::new(Format::D16Unorm);
        let depth = Picture::of(SIZE, |x, _| if x < 4 { 16384u16 } else { 65535 });
        t.depth(state, depths(Format::D16Unorm, Vec::new()), depth.texels);
    }
);

draw_case!(
    the_viewport_has_a_range_of_depths,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.draw.viewports = vec![Viewport {
            area: [0.0, 0.0, 8.0, 4.0],
            depths: [0.5, 1.0],
        }];
        t.rects(SIZE, &[Rect::new(ALL, RED).at(0.25)]);
        let state = DepthState::new(Format::D32Float);
        t.depth(
            state,
            depths(Format::D32Float, Vec::new()),
            vec![0.625f32; 32],
        );
    }
);

draw_case!(
    a_shader_may_write_the_depth,
    ["draw/place_vs", "draw/depth_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new(ALL, RED)]);
        let start = [0.4f32; 32].map(f32::to_le_bytes).concat();
        // 0.0625, 0.1875, 0.3125 and then 0.4375, which is too far.
        let color = Picture::new(SIZE, NOTHING).fill(Rect::new([0, 0, 3, 4], RED), RED);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
        let depth = Picture::of(SIZE, |x, _| match x {
            0..3 => (x as f32 + 0.5) / 8.0,
            _ => 0.4,
        });
        let state = DepthState::new(Format::D32Float);
        t.depth(state, depths(Format::D32Float, start), depth.texels);
    }
);

draw_case!(
    a_depth_outside_of_the_range_is_clipped_or_clamped,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.state.depth_clamp = true;
        t.rects(SIZE, &[Rect::new(ALL, RED).at(-0.5)]);
        let state = DepthState::new(Format::D32Float);
        t.depth(
            state,
            depths(Format::D32Float, Vec::new()),
            vec![0.0f32; 32],
        );
        let red = Picture::new(SIZE, RED);
        t.target(FLOATS, [8, 4, 1], red.texels, Tolerance::Exact);
    }
);

draw_case!(
    fragments_before_the_near_plane_are_clipped,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new(ALL, RED).at(-0.5)]);
        t.target(FLOATS, [8, 4, 1], vec![NOTHING; 32], Tolerance::Exact);
    }
);

draw_case!(
    the_depth_bias_moves_fragments_away,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.state.depth_bias = Some(DepthBias {
            constant: 1 << 20,
            slope: 0.0,
            clamp: 0.0,
        });
        t.rects(SIZE, &[Rect::new(ALL, RED).at(0.5)]);
        // A unit of a float buffer is the last bit of the primitive's greatest depth: 2^-24 here.
        let state = DepthState::new(Format::D32Float);
        t.depth(
            state,
            depths(Format::D32Float, Vec::new()),
            vec![0.5625f32; 32],
        );
    }
);

/// Returns the stencil and depth of a texel of `D32_FLOAT_S8X24_UINT`.
fn texel(depth: f32, stencil: u32) -> [u32; 2] {
    [depth.to_bits(), stencil]
}

fn stencil_buffer(value: u32) -> Texture {
    let words = [texel(1.0, value); 32].concat();
    let data = words.into_iter().flat_map(u32::to_le_bytes).collect();
    depths(Format::D32FloatS8Uint, data)
}

fn stencil(front: StencilFace, back: StencilFace, masks: [u8; 2]) -> DepthState {
    DepthState {
        write: false,
        stencil: Some(StencilState {
            front,
            back,
            read_mask: masks[0],
            write_mask: masks[1],
        }),
        ..DepthState::new(Format::D32FloatS8Uint)
    }
}

draw_case!(
    front_and_back_faces_have_stencil_operations_of_their_own,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let front = Rect::new([0, 0, 4, 4], RED).positions(SIZE);
        let mut back = Rect::new([4, 0, 8, 4], RED).positions(SIZE);
        back.reverse();
        let corners = [front, back].concat();
        t.corners(Topology::TriangleList, &corners, &[RED; 12]);
        let face = |pass| StencilFace {
            pass,
            ..StencilFace::default()
        };
        let state = stencil(
            face(StencilOp::IncrementSaturate),
            face(StencilOp::Invert),
            [255, 255],
        );
        let expected = Picture::of(SIZE, |x, _| texel(1.0, if x < 4 { 6 } else { 250 }));
        t.depth(state, stencil_buffer(5), expected.texels);
    }
);

draw_case!(
    the_reference_replaces_through_the_write_mask,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.draw.stencil_reference = 0xaa;
        t.rects(SIZE, &[Rect::new([0, 0, 4, 4], RED)]);
        let face = StencilFace {
            pass: StencilOp::Replace,
            ..StencilFace::default()
        };
        let expected = Picture::of(SIZE, |x, _| texel(1.0, if x < 4 { 0x5a } else { 0x55 }));
        let state = stencil(face, face, [255, 0x0f]);
        t.depth(state, stencil_buffer(0x55), expected.texels);
    }
);

draw_case!(
    the_stencil_test_compares_masked_bits,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.draw.stencil_reference = 0xf3;
        t.rects(SIZE, &[Rect::new(ALL, RED)]);
        let face = StencilFace {
            test: Comparison::Equal,
            fail: StencilOp::Zero,
            pass: StencilOp::Decrement,
            ..StencilFace::default()
        };
        let columns = |x: u32| if x < 3 { 0x13 } else { 0x14 };
        let words = Picture::of(SIZE, |x, _| texel(1.0, columns(x)))
            .texels
            .concat();
        let data = words.into_iter().flat_map(u32::to_le_bytes).collect();
        let expected = Picture::of(SIZE, |x, _| texel(1.0, if x < 3 { 0x12 } else { 0 }));
        let buffer = depths(Format::D32FloatS8Uint, data);
        t.depth(stencil(face, face, [0x0f, 255]), buffer, expected.texels);
        let color = Picture::of(SIZE, |x, _| if x < 3 { RED } else { NOTHING });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    a_failing_depth_test_has_a_stencil_operation,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        let passes = Rect::new([0, 0, 2, 4], RED).at(0.25);
        let fails = Rect::new([2, 0, 8, 4], RED).at(0.75);
        t.rects(SIZE, &[passes, fails]);
        let face = StencilFace {
            depth_fail: StencilOp::Increment,
            pass: StencilOp::DecrementSaturate,
            ..StencilFace::default()
        };
        let words = [texel(0.5, 255); 32].concat();
        let data = words.into_iter().flat_map(u32::to_le_bytes).collect();
        // 255 + 1 wraps around.
        let expected = Picture::of(SIZE, |x, _| texel(0.5, if x < 2 { 254 } else { 0 }));
        let buffer = depths(Format::D32FloatS8Uint, data);
        t.depth(stencil(face, face, [255, 255]), buffer, expected.texels);
    }
);

draw_case!(
    depth_and_stencil_are_cleared_together,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.draw.stencil_reference = 9;
        t.rects(SIZE, &[Rect::new([0, 0, 1, 4], RED).at(0.25)]);
        let face = StencilFace {
            pass: StencilOp::Replace,
            ..StencilFace::default()
        };
        let mut state = stencil(face, face, [255, 255]);
        state.write = true;
        let expected = Picture::of(SIZE, |x, _| match x {
            0 => texel(0.25, 9),
            _ => texel(0.75, 77),
        });
        let buffer = depths(Format::D32FloatS8Uint, Vec::new());
        t.depth(state, buffer, expected.texels);
        if let Some(depth) = &mut t.draw.depth {
            depth.clear = Some([0.75, 77.0, 0.0, 0.0]);
        }
    }
);

draw_case!(
    a_viewport_is_a_part_of_the_target,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new(ALL, RED)]);
        t.draw.viewports = vec![[2.0, 1.0, 4.0, 2.0].into()];
        let part = Rect::new([2, 1, 6, 3], RED);
        let color = Picture::new(SIZE, NOTHING).fill(part, RED);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    the_scissor_cuts_without_moving,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new([1, 0, 8, 4], RED)]);
        t.draw.scissors = vec![[0, 1, 5, 2]];
        let part = Rect::new([1, 1, 5, 3], RED);
        let color = Picture::new(SIZE, NOTHING).fill(part, RED);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    shared_edges_belong_to_one_triangle,
    ["draw/place_vs", "draw/counted_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new(ALL, RED), Rect::new([0, 0, 3, 3], RED)]);
        t.target(FLOATS, [8, 4, 1], vec![RED; 32], Tolerance::Exact);
        t.update("u1", &[0u32], vec![32u32 + 9]);
    }
);

draw_case!(
    hidden_fragments_do_not_run_early_shaders,
    ["draw/place_vs", "draw/counted_ps"],
    |t| {
        let near = Rect::new([0, 0, 4, 4], RED).at(0.25);
        t.rects(SIZE, &[near, Rect::new(ALL, GREEN).at(0.5)]);
        let color = Picture::new(SIZE, GREEN).fill(near, RED);
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
        let state = DepthState::new(Format::D32Float);
        let depth = Picture::new(SIZE, 0.5f32).fill(near, 0.25);
        t.depth(state, depths(Format::D32Float, Vec::new()), depth.texels);
        t.update("u1", &[0u32], vec![16u32 + 16]);
    }
);

/// Draws a rectangle with clockwise triangles on the left, and one with counter-clockwise ones on
/// the right.
fn two_windings(t: &mut dxil_hwtests::DrawCase) {
    let left = Rect::new([0, 0, 4, 4], RED).positions(SIZE);
    let mut right = Rect::new([4, 0, 8, 4], RED).positions(SIZE);
    right.reverse();
    let corners = [left, right].concat();
    t.corners(Topology::TriangleList, &corners, &[RED; 12]);
}

draw_case!(
    back_faces_are_culled,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        two_windings(t);
        t.state.cull = Cull::Back;
        let color = Picture::of(SIZE, |x, _| if x < 4 { RED } else { NOTHING });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    front_faces_are_culled_and_the_other_winding_may_be_the_front,
    ["draw/place_vs", "draw/color_ps"],
    |t| {
        two_windings(t);
        t.state.cull = Cull::Front;
        t.state.front_counter_clockwise = true;
        let color = Picture::of(SIZE, |x, _| if x < 4 { RED } else { NOTHING });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    a_shader_sees_which_face_it_draws,
    ["draw/place_vs", "draw/face_ps"],
    |t| {
        two_windings(t);
        let back = [0.0, 1.0, 1.0, 0.0];
        let color = Picture::of(SIZE, |x, _| if x < 4 { RED } else { back });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

draw_case!(
    discarded_fragments_leave_everything_as_it_was,
    ["draw/place_vs", "draw/discard_ps"],
    |t| {
        t.rects(SIZE, &[Rect::new(ALL, RED).at(0.25)]);
        let kept = |x: u32, y: u32| (x + y).is_multiple_of(2);
        let color = Picture::of(SIZE, |x, y| if kept(x, y) { RED } else { NOTHING });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
        let depth = Picture::of(SIZE, |x, y| if kept(x, y) { 0.25f32 } else { 1.0 });
        let state = DepthState::new(Format::D32Float);
        t.depth(state, depths(Format::D32Float, Vec::new()), depth.texels);
    }
);

draw_case!(
    clip_distances_cut_and_cull_distances_drop,
    ["draw/clip_vs", "draw/color_ps"],
    |t| {
        // The second distance is green minus a half.
        let stays = Rect::new([0, 0, 8, 2], GREEN);
        let goes = Rect::new([0, 2, 8, 4], RED);
        t.rects(SIZE, &[stays, goes]);
        let color = Picture::of(SIZE, |x, y| if x >= 4 && y < 2 { GREEN } else { NOTHING });
        t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
    }
);

/// Returns a stencil buffer whose columns hold these values.
fn stencil_columns(values: [u8; 8]) -> Texture {
    let words = Picture::of(SIZE, |x, _| texel(1.0, u32::from(values[x as usize])));
    let words = words.texels.concat();
    let data = words.into_iter().flat_map(u32::to_le_bytes).collect();
    depths(Format::D32FloatS8Uint, data)
}

/// The reference against each column, through a mask.
macro_rules! stencil_test_case {
    ($name:ident, $test:ident, $passes:expr) => {
        draw_case!($name, ["draw/place_vs", "draw/color_ps"], |t| {
            let (values, mask) = ([0u8, 2, 3, 4, 0x13, 0x22, 0xf3, 255], 0x0f);
            t.draw.stencil_reference = 0xa3;
            t.rects(SIZE, &[Rect::new(ALL, RED)]);
            let passes: fn(u8, u8) -> bool = $passes;
            let passes = move |x: u32| passes(0xa3 & mask, values[x as usize] & mask);
            let face = StencilFace {
                test: Comparison::$test,
                fail: StencilOp::Zero,
                pass: StencilOp::Invert,
                ..StencilFace::default()
            };
            let expected = Picture::of(SIZE, |x, _| match passes(x) {
                true => texel(1.0, u32::from(!values[x as usize])),
                false => texel(1.0, 0),
            });
            let state = stencil(face, face, [mask, 255]);
            t.depth(state, stencil_columns(values), expected.texels);
            let color = Picture::of(SIZE, |x, _| if passes(x) { RED } else { NOTHING });
            t.target(FLOATS, [8, 4, 1], color.texels, Tolerance::Exact);
        });
    };
}

stencil_test_case!(stencil_never, Never, |_, _| false);
stencil_test_case!(stencil_less, Less, |reference, there| reference < there);
stencil_test_case!(stencil_equal, Equal, |reference, there| reference == there);
stencil_test_case!(stencil_less_equal, LessEqual, |reference, there| reference
    <= there);
stencil_test_case!(stencil_greater, Greater, |reference, there| reference
    > there);
stencil_test_case!(stencil_not_equal, NotEqual, |reference, there| reference
    != there);
stencil_test_case!(
    stencil_greater_equal,
    GreaterEqual,
    |reference, there| reference >= there
);
stencil_test_case!(stencil_always, Always, |_, _| true);

/// An operation on each column, of which some bits are written.
macro_rules! stencil_op_case {
    ($name:ident, $op:ident, $result:expr) => {
        draw_case!($name, ["draw/place_vs", "draw/color_ps"], |t| {
            let (values, mask) = ([0u8, 1, 2, 127, 128, 253, 254, 255], 0x7f);
            t.draw.stencil_reference = 0x9c;
            t.rects(SIZE, &[Rect::new(ALL, RED)]);
            let face = StencilFace {
                pass: StencilOp::$op,
                ..StencilFace::default()
            };
            let result: fn(u8) -> u8 = $result;
            let expected = Picture::of(SIZE, |x, _| {
                let there = values[x as usize];
                texel(1.0, u32::from(result(there) & mask | there & !mask))
            });
            let state = stencil(face, face, [255, mask]);
            t.depth(state, stencil_columns(values), expected.texels);
        });
    };
}

stencil_op_case!(stencil_keeps, Keep, |there| there);
stencil_op_case!(stencil_becomes_zero, Zero, |_| 0);
stencil_op_case!(stencil_is_replaced, Replace, |_| 0x9c);
stencil_op_case!(stencil_saturates_upwards, IncrementSaturate, |there| there
    .saturating_add(1));
stencil_op_case!(stencil_saturates_downwards, DecrementSaturate, |there| {
    there.saturating_sub(1)
});
stencil_op_case!(stencil_is_inverted, Invert, |there| !there);
stencil_op_case!(stencil_wraps_upwards, Increment, |there| there
    .wrapping_add(1));
stencil_op_case!(stencil_wraps_downwards, Decrement, |there| there
    .wrapping_sub(1));
