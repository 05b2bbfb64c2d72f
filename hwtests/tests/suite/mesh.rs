//! Mesh and amplification shaders: vertices, primitives and payloads, up to the pixels.

use dxil_hwtests::{Tolerance, element::to_bytes, pixels};
use dxil_runtime::graphics::{DrawCall, Indirect, Query, QueryResult};
use dxil_runtime::{Format, Storage};

const FLOATS: Format = Format::Rgba32Float;

draw_case!(
    data_per_vertex_and_per_primitive_reach_the_pixel_shader,
    ["mesh/strip_ms", "mesh/strip_ps"],
    |t| {
        t.meshes([4, 1, 1]);
        let wanted = pixels([8, 8], |x, y| {
            let (u, v) = ((x as f32 + 0.5) / 2.0, (y as f32 + 0.5) / 2.0);
            let (column, row) = ((x / 2) as f32, (y / 2) as f32);
            [u, v, row * 100.0 + column, column + row + 0.5]
        });
        t.target(FLOATS, [8, 8, 1], wanted, Tolerance::Absolute(1e-4));
    }
);

draw_case!(
    culled_lines_are_not_drawn_and_others_have_their_number,
    ["mesh/lines_ms", "mesh/primitive_ps"],
    |t| {
        t.meshes([1, 1, 1]);
        let wanted = pixels([8, 8], |_, y| match y % 2 {
            0 => [50.0 + y as f32, 1.0, 2.0, 3.0],
            _ => [0.0; 4],
        });
        t.target(FLOATS, [8, 8, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    a_primitive_chooses_its_layer_and_a_vertex_its_clip_distance,
    ["mesh/layers_ms", "mesh/layers_ps"],
    |t| {
        t.meshes([3, 1, 1]);
        let mut wanted = Vec::new();
        for layer in 0..3_u32 {
            wanted.extend(pixels([4, 4], |x, _| {
                if layer == 1 && x < 2 {
                    [0.0; 4]
                } else {
                    [layer as f32 + 7.0, layer as f32, 0.0, 1.0]
                }
            }));
        }
        t.target(FLOATS, [4, 4, 3], wanted, Tolerance::Exact);
    }
);

/// Returns the tiles that the amplification shaders keep, each with its number.
fn tiles() -> Vec<[f32; 4]> {
    pixels([8, 8], |x, y| {
        let tile = y / 2 * 4 + x / 2;
        match (tile + tile / 4) % 2 {
            0 => [tile as f32 + 1.0, 3.0, 0.0, 1.0],
            _ => [0.0; 4],
        }
    })
}

draw_case!(
    a_payload_that_is_only_written_reaches_the_mesh_shaders,
    ["mesh/tiles_as", "mesh/tiles_ms", "mesh/tiles_ps"],
    |t| {
        t.meshes([1, 1, 1]);
        t.target(FLOATS, [8, 8, 1], tiles(), Tolerance::Exact);
    }
);

draw_case!(
    a_payload_that_threads_share_reaches_the_mesh_shaders,
    [
        "mesh/tiles_groupshared_as",
        "mesh/tiles_counted_ms",
        "mesh/tiles_ps"
    ],
    |t| {
        t.meshes([1, 1, 1]);
        t.target(FLOATS, [8, 8, 1], tiles(), Tolerance::Exact);
    }
);

draw_case!(
    groups_of_mesh_shaders_begin_with_the_initial_values_of_groupshared_memory,
    ["mesh/initial_as", "mesh/initial_ms", "mesh/initial_ps"],
    |t| {
        t.meshes([1, 1, 1]);
        // Thread i sends i * 10 + group + 1000 * (1, 2, 3)[i % 3].
        let sent = [1000.0_f32, 2010.0, 3020.0, 1030.0];
        t.target(FLOATS, [2, 2, 1], vec![sent; 4], Tolerance::Exact);
        // The first vertex of the triangle has (4, 5, 6) + (7, 8, 9)[0].
        t.target(
            FLOATS,
            [2, 2, 1],
            vec![[11.0_f32, 12.0, 13.0, 1.0]; 4],
            Tolerance::Exact,
        );
    }
);

draw_case!(
    work_after_a_dispatch_of_no_groups_still_runs,
    ["mesh/none_as", "mesh/tiles_ms", "mesh/tiles_ps"],
    |t| {
        t.meshes([1, 1, 1]);
        t.target(FLOATS, [2, 2, 1], vec![[0.0_f32; 4]; 4], Tolerance::Exact);
        t.expect("u0", vec![1_u32, 2, 5, 10]);
    }
);

draw_case!(
    a_group_of_several_waves_shares_memory,
    ["mesh/waves_ms", "mesh/waves_ps"],
    |t| {
        t.meshes([1, 1, 1]);
        let wanted = pixels([4, 4], |x, y| [2016.0, x as f32 + 0.5, y as f32 + 0.5, 1.0]);
        t.target(FLOATS, [4, 4, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    a_buffer_has_the_groups_of_mesh_shaders_and_the_number_of_draws,
    ["mesh/strip_ms", "mesh/strip_ps"],
    |t| {
        // The count, a word between, groups of two draws with a word between, of which one is
        // drawn.
        let words = [1u32, 99, 2, 1, 1, 99, 4, 1, 1];
        let arguments = Storage::Buffer(to_bytes(&words));
        let arguments = t.resource("arguments", arguments, false);
        t.draw.call = DrawCall::Indirect(Indirect {
            arguments,
            offset: 8,
            stride: 16,
            draws: 2,
            count: Some((arguments, 0)),
        });
        let wanted = pixels([8, 8], |x, y| {
            let (u, v) = ((x as f32 + 0.5) / 2.0, (y as f32 + 0.5) / 2.0);
            let (column, row) = ((x / 2) as f32, (y / 2) as f32);
            if y < 4 {
                [u, v, row * 100.0 + column, column + row + 0.5]
            } else {
                [0.0; 4]
            }
        });
        t.target(FLOATS, [8, 8, 1], wanted, Tolerance::Absolute(1e-4));
    }
);

draw_case!(
    a_buffer_has_the_groups_of_amplification_shaders,
    ["mesh/tiles_as", "mesh/tiles_ms", "mesh/tiles_ps"],
    |t| {
        let arguments = Storage::Buffer(to_bytes(&[0u32, 1, 1, 1, 1, 1]));
        let arguments = t.resource("arguments", arguments, false);
        t.draw.call = DrawCall::Indirect(Indirect {
            arguments,
            offset: 0,
            stride: 12,
            draws: 2,
            count: None,
        });
        t.target(FLOATS, [8, 8, 1], tiles(), Tolerance::Exact);
    }
);

draw_case!(
    statistics_count_what_mesh_shaders_did,
    ["mesh/strip_ms", "mesh/strip_ps"],
    |t| {
        t.meshes([4, 1, 1]);
        t.query(Query::PipelineStatistics, |found| match found {
            QueryResult::PipelineStatistics(s)
                if s.mesh_invocations == 4 * 32
                    && s.mesh_primitives == 4 * 8
                    && s.amplification_invocations == 0
                    && s.vertex_invocations == 0
                    && s.pixel_invocations >= 64 =>
            {
                Ok(())
            }
            other => Err(format!("{other:?}")),
        });
        t.viewport(8, 8);
    }
);

draw_case!(
    a_mesh_shader_draws_to_several_views,
    ["mesh/views_ms", "mesh/views_ps"],
    |t| {
        t.may_lack("several views of a mesh shader");
        t.meshes([1, 1, 1]);
        t.state.view_mask = 0b11;
        let view = |view: u32| {
            pixels([4, 4], move |x, _| {
                [(view + 7) as f32, x as f32 + 0.5, 0.0, 1.0]
            })
        };
        let wanted = [view(0), view(1)].concat();
        t.target(FLOATS, [4, 4, 2], wanted, Tolerance::Exact);
    }
);
