//! Hull and domain shaders: what passes between their phases, and what the tessellator makes of it.

use dxil_frontend::dxil::ShaderKind;
use dxil_hwtests::{DrawCase, Tolerance, pixels};
use dxil_runtime::Format;
use dxil_runtime::graphics::{Cull, Topology};

const FLOATS: Format = Format::Rgba32Float;

draw_case!(
    both_phases_see_all_control_points,
    [
        "tess/corners_vs",
        "tess/quad_hs",
        "tess/quad_ds",
        "tess/color_ps"
    ],
    |t| {
        t.vertices(Topology::PatchList(4), 4);
        let wanted = pixels([8, 8], |x, y| {
            let (u, v) = ((x as f32 + 0.5) / 8.0, 1.0 - (y as f32 + 0.5) / 8.0);
            [3.5 - 1.5 * u + v, 3.5 + 0.5 * u - v, 1.0, 716.0]
        });
        t.target(FLOATS, [8, 8, 1], wanted, Tolerance::Absolute(1e-3));
        t.expect(
            "u0",
            vec![[13.0_f32, 13.0, 3.5, 3.5], [1.0, -1.0, 3.5, 7.0]],
        );
    }
);

draw_case!(
    control_points_pass_through_where_no_function_makes_them,
    [
        "tess/corners_vs",
        "tess/quad_hs",
        "tess/quad_ds",
        "tess/color_ps"
    ],
    |t| {
        t.edit = |shader| {
            for entry in &mut shader.entry_points {
                if entry.kind == ShaderKind::Hull {
                    entry.function = None;
                }
            }
        };
        t.vertices(Topology::PatchList(4), 4);
        let wanted = pixels([8, 8], |x, y| {
            let (u, v) = ((x as f32 + 0.5) / 8.0, 1.0 - (y as f32 + 0.5) / 8.0);
            [1.25 * u + 0.5 * v, 0.25 * u + 1.5 * v, 1.0, 706.5]
        });
        t.target(FLOATS, [8, 8, 1], wanted, Tolerance::Absolute(1e-3));
        t.expect("u0", vec![[3.5_f32, 3.5, 3.5, 3.5], [1.0, -1.0, 0.0, 7.0]]);
    }
);

draw_case!(
    a_domain_shader_may_read_fewer_rows_than_were_written,
    [
        "tess/corners_vs",
        "tess/few_hs",
        "tess/few_ds",
        "tess/color_ps"
    ],
    |t| {
        t.vertices(Topology::PatchList(1), 1);
        let color = [-1.0_f32, -3.0, 5.5, 0.5];
        let wanted = pixels([8, 8], |_, _| color);
        t.target(FLOATS, [8, 8, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    the_first_factor_of_lines_is_their_number,
    [
        "tess/corners_vs",
        "tess/lines_hs",
        "tess/lines_ds",
        "tess/color_ps"
    ],
    |t| {
        t.vertices(Topology::PatchList(2), 2);
        let wanted = pixels([8, 8], |_, y| match y % 2 {
            0 => [y as f32 / 8.0, 4.0, 3.0, 100.0],
            _ => [0.0; 4],
        });
        t.target(FLOATS, [8, 8, 1], wanted, Tolerance::Absolute(1e-5));
    }
);

/// Draws a patch whose triangles cover the target, without those that face the back, and expects
/// one value in all texels.
fn draw_without_back_faces(t: &mut DrawCase, expected: f32) {
    t.state.cull = Cull::Back;
    t.vertices(Topology::PatchList(1), 1);
    let texels = pixels([4, 4], |_, _| [expected; 4]);
    t.target(FLOATS, [4, 4, 1], texels, Tolerance::Exact);
}

draw_case!(
    clockwise_triangles_face_the_front,
    [
        "tess/corners_vs",
        "tess/winding_hs",
        "tess/winding_ds",
        "tess/color_ps"
    ],
    |t| {
        draw_without_back_faces(t, 1.0);
    }
);

draw_case!(
    counter_clockwise_triangles_face_the_back,
    [
        "tess/corners_vs",
        "tess/winding_ccw_hs",
        "tess/winding_ds",
        "tess/color_ps"
    ],
    |t| {
        draw_without_back_faces(t, 0.0);
    }
);

draw_case!(
    a_patch_without_control_points_makes_points_unless_it_is_culled,
    [
        "tess/corners_vs",
        "tess/points_hs",
        "tess/points_ds",
        "tess/color_ps"
    ],
    |t| {
        t.vertices(Topology::PatchList(2), 6);
        // Patches 0 and 2 remain; each has the four corners of the domain.
        let wanted = pixels([4, 4], |x, y| match y {
            0 | 2 => [(x % 2) as f32, (x / 2) as f32, 1.0, 0.0],
            _ => [0.0; 4],
        });
        t.target(FLOATS, [4, 4, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    array_indices_of_control_points_are_data,
    [
        "tess/corners_vs",
        "tess/layer_hs",
        "tess/layer_ds",
        "tess/color_ps"
    ],
    |t| {
        t.vertices(Topology::PatchList(1), 1);
        // The left half is clipped away; only layer 2 is drawn to.
        let mut wanted = Vec::new();
        for layer in 0..3 {
            wanted.extend(pixels([4, 4], |x, _| match (layer, x) {
                (2, 2 | 3) => [0.25_f32, 0.5, 0.75, 1.0 + 1200.0],
                _ => [0.0; 4],
            }));
        }
        t.target(FLOATS, [4, 4, 3], wanted, Tolerance::Exact);
    }
);
