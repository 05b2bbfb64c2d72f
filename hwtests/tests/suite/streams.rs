//! Geometry shaders and stream output: what is captured, and what is drawn.

use dxil_hwtests::Tolerance;
use dxil_runtime::Format;
use dxil_runtime::graphics::{Query, QueryResult, Topology};
use dxil_runtime::job::Storage;

const FLOATS: Format = Format::Rgba32Float;
/// The value of elements that no thread writes.
const FILL: u32 = 0xa5a5_a5a5;

/// Returns one row of pixels.
fn row<T>(width: u32, value: impl FnMut(u32) -> T) -> Vec<T> {
    (0..width).map(value).collect()
}

draw_case!(
    components_rows_and_second_captures_are_streamed_out,
    ["streams/vertex_vs"],
    |t| {
        t.vertices(Topology::PointList, 4);
        t.range(0, 4, 0, 2);
        t.viewport(4, 4);
        t.stream_out(0, ("SV_POSITION", 0), (0, 2), [0, 0, 40]);
        t.stream_out(0, ("A", 0), (0, 0), [0, 8, 40]);
        t.stream_out(0, ("B", 0), (1, 1), [0, 20, 40]);
        t.stream_out(0, ("row", 1), (0, 2), [0, 28, 40]);
        t.stream_out(0, ("SV_ClipDistance", 0), (0, 1), [0, 36, 40]);
        t.stream_out(0, ("ROW", 0), (0, 0), [1, 0, 16]);
        t.stream_out(0, ("A", 0), (2, 1), [1, 8, 16]);
        t.stream_out(0, ("SV_Position", 0), (3, 1), [1, 12, 16]);
        let mut first = Vec::new();
        let mut second = Vec::new();
        for instance in 0..2_u32 {
            for id in 0..4_u32 {
                let n = id as f32;
                let bumped = |row: u32| if id % 3 == row { 100.0 } else { 0.0 };
                let bits = f32::to_bits;
                first.push([
                    bits(n),
                    bits(instance as f32),
                    bits(n + 0.25),
                    bits(n + 0.5),
                    bits(n + 0.75),
                    instance * 10,
                    FILL,
                    bits(n + 3.0 + bumped(1)),
                    bits(n + 4.0 + bumped(1)),
                    bits(n),
                ]);
                second.push([n + 1.0 + bumped(0), n + 2.0 + bumped(0), n + 0.75, 1.0]);
            }
        }
        t.captured(first);
        t.captured(second);
    }
);

draw_case!(
    a_domain_shader_streams_out,
    ["tess/corners_vs", "tess/points_hs", "streams/domain_ds"],
    |t| {
        t.vertices(Topology::PatchList(2), 2);
        t.viewport(4, 4);
        t.stream_out(0, ("AT", 0), (0, 0), [0, 0, 8]);
        // Four corners in any order.
        let storage = Storage::Buffer(vec![0xa5; 5 * 8]);
        let id = t.resource("captured", storage, true);
        t.draw
            .stream_targets
            .push(dxil_runtime::graphics::StreamTarget {
                resource: id,
                offset: 0,
            });
        t.check("captured", id, |got: &[[f32; 2]]| {
            let mut corners: Vec<_> = got[..4].iter().map(|v| v.map(|f| f as i32)).collect();
            corners.sort_unstable();
            let rest = got[4].map(f32::to_bits);
            if corners == [[0, 0], [0, 2], [2, 0], [2, 2]] && rest == [FILL; 2] {
                Ok(())
            } else {
                Err(format!("{got:?}"))
            }
        });
    }
);

/// Captures of both streams of `two_streams_gs`.
fn capture_two_streams(t: &mut dxil_hwtests::DrawCase) {
    t.vertices(Topology::PointList, 8);
    t.stream_out(0, ("EVEN", 0), (0, 0), [0, 0, 16]);
    t.stream_out(0, ("SV_Position", 0), (0, 2), [0, 8, 16]);
    t.stream_out(1, ("ODD", 0), (0, 0), [1, 0, 20]);
    t.stream_out(1, ("SV_Position", 0), (0, 4), [1, 4, 20]);
    let x = |id: u32| (id as f32 + 0.5) / 4.0 - 1.0;
    t.captured(
        vec![0, 2, 4, 6]
            .into_iter()
            .map(|id| [id as f32, -(id as f32), x(id), 0.0])
            .collect(),
    );
    let odd = [1, 3, 5, 7].into_iter().flat_map(|id: u32| {
        [0, 1].map(|more| {
            let [a, b, c, d] = [x(id), 2.0, 3.0, 4.0].map(f32::to_bits);
            [id * 100 + more, a, b, c, d]
        })
    });
    t.captured(odd.collect());
}

draw_case!(
    stream_0_is_drawn_and_both_are_captured,
    [
        "streams/points_vs",
        "streams/two_streams_gs",
        "streams/even_ps"
    ],
    |t| {
        capture_two_streams(t);
        let wanted = row(8, |x| match x % 2 {
            0 => [x as f32, -(x as f32), 1.0, 1.0],
            _ => [0.0; 4],
        });
        t.target(FLOATS, [8, 1, 1], wanted, Tolerance::Absolute(0.0));
    }
);

draw_case!(
    four_streams_go_to_four_buffers,
    ["streams/points_vs", "streams/four_streams_gs"],
    |t| {
        t.vertices(Topology::PointList, 3);
        t.viewport(4, 4);
        for stream in 0..4 {
            t.stream_out(stream, ("VALUE", 0), (0, 0), [stream, 0, 4]);
            let first = (stream + 1) * 10;
            t.captured(vec![first, first + 1, first + 2]);
        }
    }
);

draw_case!(
    instances_of_a_geometry_shader_know_their_number,
    ["streams/points_vs", "streams/instances_gs"],
    |t| {
        t.vertices(Topology::PointList, 2);
        t.viewport(4, 4);
        t.stream_out(0, ("VALUE", 0), (0, 0), [0, 0, 12]);
        t.captured(vec![
            [0_u32, 0, 0],
            [0, 1, 0],
            [0, 3, 0],
            [1, 0, 1],
            [1, 1, 1],
            [1, 3, 1],
        ]);
    }
);

/// Draws with a geometry shader that captures its primitive's vertices; each inner list is a
/// primitive.
fn primitives(t: &mut dxil_hwtests::DrawCase, topology: Topology, count: u32, lists: &[&[u32]]) {
    t.vertices(topology, count);
    t.viewport(4, 4);
    t.stream_out(0, ("IDS", 0), (0, 1), [0, 0, 8]);
    t.stream_out(0, ("IDS", 1), (0, 1), [0, 4, 8]);
    let mut wanted = Vec::new();
    for (number, list) in lists.iter().enumerate() {
        let packed = (0..).zip(*list).map(|(k, id)| id << (5 * k)).sum();
        let vertices = if list.len() % 2 == 0 && list.len() < 6 {
            2
        } else {
            3
        };
        let row: [u32; 2] = [packed, list[number % list.len()]];
        wanted.extend(vec![row; vertices]);
    }
    t.captured(wanted);
}

draw_case!(
    lines_of_a_strip,
    ["streams/points_vs", "streams/line_gs"],
    |t| {
        primitives(t, Topology::LineStrip, 4, &[&[0, 1], &[1, 2], &[2, 3]]);
    }
);

draw_case!(
    triangles_of_a_list,
    ["streams/points_vs", "streams/triangle_gs"],
    |t| {
        primitives(t, Topology::TriangleList, 7, &[&[0, 1, 2], &[3, 4, 5]]);
    }
);

draw_case!(
    lines_with_their_neighbours,
    ["streams/points_vs", "streams/lineadj_gs"],
    |t| {
        primitives(
            t,
            Topology::LineListAdjacency,
            8,
            &[&[0, 1, 2, 3], &[4, 5, 6, 7]],
        );
    }
);

draw_case!(
    triangles_with_their_neighbours,
    ["streams/points_vs", "streams/triangleadj_gs"],
    |t| {
        let lists: [&[u32]; 2] = [&[0, 1, 2, 3, 4, 5], &[6, 7, 8, 9, 10, 11]];
        primitives(t, Topology::TriangleListAdjacency, 12, &lists);
    }
);

draw_case!(
    one_operation_ends_vertex_and_strip,
    [
        "streams/points_vs",
        "streams/emit_then_cut_gs",
        "streams/primitive_ps"
    ],
    |t| { numbered_strips(t) }
);

draw_case!(
    a_geometry_shader_numbers_the_primitives,
    [
        "streams/points_vs",
        "streams/strips_gs",
        "streams/primitive_ps"
    ],
    |t| { numbered_strips(t) }
);

/// Draws two points, of two triangles each, with their numbers as colours.
fn numbered_strips(t: &mut dxil_hwtests::DrawCase) {
    t.vertices(Topology::PointList, 2);
    let mut wanted = Vec::new();
    for y in 0..4 {
        for x in 0..8 {
            let (at_x, at_y) = ((x as f32 + 0.5) / 4.0 - 1.0, 1.0 - (y as f32 + 0.5) / 2.0);
            let mut last = 0.0;
            for (id, k) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let (right, down) = (at_x + 1.0 - k as f32, 1.0 - id as f32 - at_y);
                if right > 0.0 && down > 0.0 && right + down < 2.0 {
                    last = (id * 10 + k + 5) as f32;
                }
            }
            wanted.push([last; 4]);
        }
    }
    t.target(FLOATS, [8, 4, 1], wanted, Tolerance::Exact);
}

draw_case!(
    a_geometry_shader_writes_the_face_flag,
    ["streams/points_vs", "streams/faces_gs", "streams/faces_ps"],
    |t| {
        t.vertices(Topology::PointList, 2);
        // The second triangle begins half way down and covers the first.
        let wanted = row(32, |i| match i / 8 {
            0 | 1 => [0.5f32; 4],
            _ => [1.0; 4],
        });
        t.target(FLOATS, [8, 4, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    statistics_count_what_streams_wrote_and_would_have,
    [
        "streams/points_vs",
        "streams/two_streams_gs",
        "streams/even_ps"
    ],
    |t| {
        capture_two_streams(t);
        t.target(
            FLOATS,
            [8, 1, 1],
            row(8, |x| match x % 2 {
                0 => [x as f32, -(x as f32), 1.0, 1.0],
                _ => [0.0; 4],
            }),
            Tolerance::Absolute(0.0),
        );
        for (stream, points) in [(0, 4), (1, 8)] {
            t.query(Query::StreamOutput(stream), move |found| match found {
                QueryResult::StreamOutput(s) if s.written == points && s.needed == points => Ok(()),
                other => Err(format!("stream {stream}: {other:?}")),
            });
        }
    }
);

draw_case!(
    vertices_beyond_the_end_of_a_stream_buffer_are_only_counted,
    ["streams/points_vs", "streams/four_streams_gs"],
    |t| {
        t.vertices(Topology::PointList, 3);
        t.viewport(4, 4);
        t.stream_out(2, ("VALUE", 0), (0, 0), [0, 0, 4]);
        // Room for two of three.
        t.captured(vec![30u32, 31]);
        t.query(Query::StreamOutput(2), |found| match found {
            QueryResult::StreamOutput(s) if s.written == 2 && s.needed == 3 => Ok(()),
            other => Err(format!("{other:?}")),
        });
    }
);
