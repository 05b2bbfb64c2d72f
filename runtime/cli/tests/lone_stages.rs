//! Stages of a draw by themselves on the CPU, as a user types them. One test compares with a Vulkan
//! driver; the others need none.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod outcome;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use outcome::{fails, good};
use serde_json::Value;

fn shaders() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/shaders")
}

fn run(stages: &[&str], arguments: &[&str]) -> Output {
    let files = stages
        .iter()
        .map(|name| shaders().join(format!("{name}.dxil")));
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .args(files)
        .args(arguments)
        .args(["--timeout", "30", "--no-cache"])
        .output()
        .unwrap()
}

/// Results of a run by their places: rows of columns.
struct Tables(Value);

impl Tables {
    fn of(stages: &[&str], arguments: &[&str]) -> Tables {
        let output = run(stages, &[arguments, &["--json"]].concat());
        Tables(serde_json::from_str(good(&output)).unwrap())
    }

    fn on_cpu(stages: &[&str], arguments: &[&str]) -> Tables {
        Tables::of(stages, &[arguments, &["--backend", "cpu"]].concat())
    }

    fn rows(&self, place: &str) -> &[Value] {
        let outputs = self.0["outputs"].as_array().unwrap();
        let found = outputs.iter().find(|output| output["place"] == place);
        found.unwrap()["elements"].as_array().unwrap()
    }

    /// Returns the numbers of a column.
    #[track_caller]
    fn column(&self, place: &str, name: &str) -> Vec<f64> {
        let rows = self.rows(place).iter();
        rows.map(|row| row[name].as_f64().unwrap()).collect()
    }
}

#[track_caller]
fn near(got: &[f64], wanted: &[f64]) {
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-5;
    let all = got.len() == wanted.len() && got.iter().zip(wanted).all(is_near);
    assert!(all, "{got:?} is not {wanted:?}");
}

/// Every shader of these stages in `hwtests` runs, or is refused here with the reason.
#[test]
fn all_stages_of_the_execution_tests_run_by_themselves() {
    const REFUSED: [(&str, &str); 1] = [(
        "screen_ps",
        "a FeedbackTexture2D, for which there are no default contents",
    )];
    let mut count = 0;
    for path in dxil_checkout::files(&shaders(), "dxil") {
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let arguments: &[&str] = match stem.rsplit_once('_') {
            Some((_, "ps")) => &["--pixels", "3x3"],
            Some((_, "vs" | "gs" | "hs" | "ds" | "ms" | "as")) => {
                &["--draw", "12", "--backend", "cpu"]
            }
            _ => continue,
        };
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .arg(&path)
            .args(arguments)
            .args(["--quiet", "--rows", "0", "--timeout", "30"])
            .output()
            .unwrap();
        count += 1;
        match REFUSED.iter().find(|(name, _)| *name == stem) {
            Some((_, reason)) => fails(&output, 4, reason),
            None => assert!(output.status.success(), "{}: {output:?}", path.display()),
        }
    }
    assert!(count > 100, "{count} shaders");
}

#[test]
fn a_mesh_shader_gives_vertices_primitives_and_indices() {
    let tables = Tables::on_cpu(&["mesh/strip_ms"], &["--draw", "2"]);
    // Two rows of four cells: ten vertices and eight triangles each.
    assert_eq!(tables.rows("so0").len(), 20);
    let [uv_x, uv_y] = ["UV.x", "UV.y"].map(|name| tables.column("so0", name));
    for (number, (x, y)) in uv_x.iter().zip(&uv_y).enumerate() {
        let (group, vertex) = (number / 10, number % 10);
        near(
            &[*x, *y],
            &[(vertex / 2) as f64, (group + vertex % 2) as f64],
        );
    }
    assert_eq!(tables.rows("so1").len(), 16);
    let corners = ["index.x", "index.y", "index.z"].map(|name| tables.column("so1", name));
    near(
        &corners.each_ref().map(|column| column[0]),
        &[0.0, 2.0, 3.0],
    );
    near(
        &corners.each_ref().map(|column| column[1]),
        &[1.0, 0.0, 3.0],
    );
    near(
        &corners.each_ref().map(|column| column[15]),
        &[7.0, 6.0, 9.0],
    );
}

#[test]
fn an_amplification_shader_starts_mesh_shaders_with_its_payload() {
    let wanted: Vec<f64> = [0, 2, 5, 7, 8, 10, 13, 15].map(f64::from).into();
    for (amplification, mesh) in [
        ("mesh/tiles_as", "mesh/tiles_ms"),
        ("mesh/tiles_groupshared_as", "mesh/tiles_counted_ms"),
    ] {
        let tables = Tables::on_cpu(&[amplification, mesh], &["--draw", "1"]);
        near(&tables.column("so0", "dispatch.x"), &[8.0]);
        let payload = |word: usize| tables.column("so0", &format!("payload[{word}]"))[0];
        near(&(0..8).map(payload).collect::<Vec<_>>(), &wanted);
        // Four vertices of each group have the number of its tile, and one.
        let tiles = tables.column("so1", "ID.x");
        let each = wanted.iter().flat_map(|tile| [tile + 1.0; 4]);
        near(&tiles, &each.collect::<Vec<_>>());
        assert_eq!(tables.rows("so2").len(), 16);
    }
}

#[test]
fn code_behind_a_dispatch_of_no_groups_runs() {
    let tables = Tables::on_cpu(&["mesh/none_as", "mesh/tiles_ms"], &["--draw", "1"]);
    let out: Vec<_> = tables.rows("u0").iter().take(4).collect();
    assert_eq!(out, [1, 2, 5, 10]);
    assert!(tables.rows("so1").is_empty() && tables.rows("so2").is_empty());
}

#[test]
fn a_lone_mesh_shader_takes_a_payload() {
    let tables = Tables::on_cpu(&["mesh/tiles_ms"], &["--draw", "2", "--payload", "u32:5,9"]);
    near(
        &tables.column("so0", "ID.x"),
        &[6.0, 6.0, 6.0, 6.0, 10.0, 10.0, 10.0, 10.0],
    );
}

// The rows of the streams are those that `hwtests/tests/suite/streams.rs` wants of stream output on
// Vulkan.

#[test]
fn a_geometry_shader_gives_a_table_for_each_stream() {
    let stages = ["streams/points_vs", "streams/four_streams_gs"];
    let tables = Tables::on_cpu(&stages, &["--draw", "3"]);
    for stream in 0..4 {
        let first = f64::from((stream + 1) * 10);
        let values = tables.column(&format!("so{stream}"), "VALUE");
        near(&values, &[first, first + 1.0, first + 2.0]);
    }
}

#[test]
fn instances_of_a_geometry_shader_come_one_after_the_other() {
    let stages = ["streams/points_vs", "streams/instances_gs"];
    let tables = Tables::on_cpu(&stages, &["--draw", "2"]);
    near(
        &tables.column("so0", "VALUE.x"),
        &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
    );
    near(
        &tables.column("so0", "VALUE.y"),
        &[0.0, 1.0, 3.0, 0.0, 1.0, 3.0],
    );
    near(
        &tables.column("so0", "VALUE.z"),
        &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
    );
}

#[test]
fn strips_end_where_the_shader_ends_them_and_become_lists() {
    for shader in ["streams/strips_gs", "streams/emit_then_cut_gs"] {
        let tables = Tables::on_cpu(&["streams/points_vs", shader], &["--draw", "2"]);
        let [x, y] = ["x", "y"].map(|name| tables.column("so0", &format!("SV_Position.{name}")));
        let (mut wanted_x, mut wanted_y) = (Vec::new(), Vec::new());
        for (id, left) in [(0.0, -1.0), (0.0, 0.0), (1.0, -1.0), (1.0, 0.0)] {
            wanted_x.extend([left, left + 2.0, left]);
            wanted_y.extend([1.0 - id, 1.0 - id, -1.0 - id]);
        }
        near(&x, &wanted_x);
        near(&y, &wanted_y);
    }
}

#[test]
fn a_lone_geometry_shader_takes_the_vertices_as_its_inputs() {
    let tables = Tables::on_cpu(&["streams/triangleadj_gs"], &["--draw", "13"]);
    let packed = |first: u32| (0..6).map(|k| (first + k) << (5 * k)).sum::<u32>();
    let [a, b] = [packed(0), packed(6)].map(f64::from);
    near(&tables.column("so0", "IDS0"), &[a, a, a, b, b, b]);
    near(
        &tables.column("so0", "IDS1"),
        &[0.0, 0.0, 0.0, 7.0, 7.0, 7.0],
    );
}

/// Returns `uv` of the control points that `tess/corners_vs` gives `tess/quad_hs`, and that it
/// makes.
fn quad_uv() -> ([[f64; 2]; 4], [[f64; 2]; 4]) {
    let given = [0, 1, 2, 3].map(|id| {
        let more = 0.25 * f64::from(id);
        [f64::from(id & 1) + more, f64::from(id >> 1) + more]
    });
    let made = [0, 1, 2, 3].map(|k| given[3 - k].map(|part| part * 2.0 + k as f64));
    (given, made)
}

#[test]
fn a_hull_shader_gives_control_points_and_patch_constants() {
    let tables = Tables::on_cpu(&["tess/corners_vs", "tess/quad_hs"], &["--draw", "4"]);
    let (given, made) = quad_uv();
    near(&tables.column("so0", "point"), &[0.0, 1.0, 2.0, 3.0]);
    near(&tables.column("so0", "UV.x"), &made.map(|uv| uv[0]));
    near(&tables.column("so0", "UV.y"), &made.map(|uv| uv[1]));
    let one = |name: &str| tables.column("so1", name)[0];
    let factors = [0, 1, 2, 3].map(|edge| one(&format!("SV_TessFactor{edge}")));
    near(&factors, &[2.0; 4]);
    let inside = ["SV_InsideTessFactor0", "SV_InsideTessFactor1"].map(one);
    near(&inside, &[2.0, 3.0]);
    let sum = |points: &[[f64; 2]; 4], part: usize| points.iter().map(|uv| uv[part]).sum::<f64>();
    let wanted = [sum(&made, 0), sum(&made, 1), sum(&given, 0), sum(&given, 1)];
    near(
        &["x", "y", "z", "w"].map(|part| one(&format!("SUM.{part}"))),
        &wanted,
    );
    near(&[one("ID")], &[7.0]);
    near(
        &["LIST0", "LIST1", "LIST2"].map(one),
        &[1.0, -1.0, made[0][1]],
    );
}

#[test]
fn a_domain_shader_runs_where_the_caller_says() {
    let stages = ["tess/corners_vs", "tess/quad_hs", "tess/quad_ds"];
    let tables = Tables::on_cpu(&stages, &["--draw", "4", "--locations", "f32:0.25,0.5,1,1"]);
    let (_, made) = quad_uv();
    let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
    let at = |part: usize, x: f64, y: f64| {
        let [a, b, c, d] = made.map(|uv| uv[part]);
        mix(mix(a, b, x), mix(c, d, x), y)
    };
    near(&tables.column("so2", "location.x"), &[0.25, 1.0]);
    near(&tables.column("so2", "SV_Position.x"), &[-0.5, 1.0]);
    near(&tables.column("so2", "SV_Position.y"), &[0.0, 1.0]);
    near(
        &tables.column("so2", "COLOR.x"),
        &[at(0, 0.25, 0.5), at(0, 1.0, 1.0)],
    );
    near(
        &tables.column("so2", "COLOR.y"),
        &[at(1, 0.25, 0.5), at(1, 1.0, 1.0)],
    );
    // The number 7 chooses the second of the list, the tessellation factors are 2 and 3.
    let sum = made.iter().map(|uv| uv[0]).sum::<f64>();
    near(&tables.column("so2", "COLOR.z"), &[1.0; 2]);
    near(&tables.column("so2", "COLOR.w"), &[sum + 3.0; 2]);
    near(&tables.column("so2", "ID"), &[7.0; 2]);
}

#[test]
fn discarded_pixels_give_nothing_and_helpers_their_derivatives() {
    let tables = Tables::of(&["draw/discard_ps"], &["--pixels", "3x3"]);
    let wanted = [0, 1, 0, 1, 0, 1, 0, 1, 0].map(f64::from);
    near(&tables.column("so0", "discarded"), &wanted);
    // The colours of the corners are red, green and blue: at the first pixel the weights of the
    // second and third are half a pixel of six.
    let first = ["x", "y", "z"].map(|part| tables.column("so0", &format!("SV_Target.{part}"))[0]);
    near(&first, &[1.0 - 2.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0]);

    let tables = Tables::of(&["draw/derivatives_ps"], &["--pixels", "3x3"]);
    // (x + 1.5)^2 - (x + 0.5)^2 for even x: the last column's neighbours are helper lanes.
    let across = [2.0, 2.0, 6.0].repeat(3);
    near(&tables.column("so0", "SV_Target.x"), &across);
    near(&tables.column("so0", "SV_Target.y"), &[10.0; 9]);
    near(&tables.column("so0", "SV_Target.z"), &[1.0 / 3.0; 9]);
    near(&tables.column("so0", "SV_Target.w"), &[1.0 / 6.0; 9]);
}

#[test]
fn helper_lanes_write_no_memory() {
    // Quads of three pixels in a row have five helper lanes.
    let tables = Tables::of(&["draw/counted_ps"], &["--pixels", "3x1"]);
    assert_eq!(tables.rows("u1")[0], 3);
}

#[test]
fn a_shader_with_a_sample_index_runs_for_each_sample() {
    let tables = Tables::of(
        &["raster/samples_ps"],
        &["--pixels", "4x4", "--samples", "4"],
    );
    assert!(tables.rows("u0").iter().all(|log| *log == 0x0101_0101));
    near(
        &tables.column("so0", "sample"),
        &[0.0, 1.0, 2.0, 3.0].repeat(16),
    );
    near(
        &tables.column("so0", "SV_Target.x"),
        &[0.0, 0.25, 0.5, 0.75].repeat(16),
    );
    let tables = Tables::of(
        &["raster/coverage_ps"],
        &["--pixels", "4x4", "--samples", "4"],
    );
    assert!(tables.rows("u0").iter().all(|log| *log == 0xf));
    near(&tables.column("so0", "SV_Coverage"), &[6.0; 16]);
}

#[test]
fn inputs_are_evaluated_elsewhere_in_the_pixel() {
    let bind = [
        "--pixels",
        "2x2",
        "--samples",
        "4",
        "--bind",
        "b0=i32:3,-5,1,0",
    ];
    let tables = Tables::of(&["raster/evaluate_ps"], &bind);
    // The generated values of FLATUV are (1, 0), (0, 1) and (0, 0) at the corners.
    let wanted = |dx: f64, dy: f64, row: usize| {
        let [x, y] = [(row % 2) as f64 + dx, (row / 2) as f64 + dy];
        let [second, third] = [(x + 0.5) / 4.0, (y + 0.5) / 4.0];
        [1.0 - second - third, second]
    };
    let places = [
        (["SV_Target.x", "SV_Target.y"], [-8.0, 7.0]),
        (["SV_Target.z", "SV_Target.w"], [3.0, -5.0]),
        (["SV_Target1.x", "SV_Target1.y"], [0.0, 0.0]),
        // The second of four samples (D3D11.3, 19.2.4).
        (["SV_Target1.z", "SV_Target1.w"], [6.0, -2.0]),
    ];
    for (columns, [dx, dy]) in places {
        let columns = columns.map(|name| tables.column("so0", name));
        for (row, got) in columns[0].iter().zip(&columns[1]).enumerate() {
            near(&[*got.0, *got.1], &wanted(dx / 16.0, dy / 16.0, row));
        }
    }
    // Barycentrics and attributes at vertices together are interpolation.
    let tables = Tables::of(&["raster/vertices_ps"], &["--pixels", "2x2"]);
    for row in 0..4 {
        let got = ["SV_Target.x", "SV_Target.y"].map(|name| tables.column("so0", name)[row]);
        near(&got, &wanted(0.0, 0.0, row));
    }
}

#[test]
fn the_caller_says_which_face_is_shown() {
    let front = Tables::of(&["draw/face_ps"], &["--pixels", "2x2"]);
    let back = Tables::of(&["draw/face_ps"], &["--pixels", "2x2", "--back-face"]);
    assert_ne!(front.rows("so0"), back.rows("so0"));
}

#[test]
fn quads_in_loops_give_what_vulkan_draws() {
    let size = ["--size", "rt0=8x8", "--format", "rt0=R32G32B32A32_FLOAT"];
    let stages = ["raster/screen_vs", "raster/quads_in_loops_ps"];
    let drawn = Tables::of(
        &stages,
        &[&["--draw", "3", "--backend", "vulkan"][..], &size].concat(),
    );
    let alone = Tables::of(&stages[1..], &["--pixels", "8x8"]);
    let columns = ["x", "y", "z", "w"].map(|part| format!("SV_Target.{part}"));
    for (pixel, row) in drawn.rows("rt0").iter().zip(alone.rows("so0")) {
        for (part, column) in columns.iter().enumerate() {
            near(
                &[row[column].as_f64().unwrap()],
                &[pixel[part].as_f64().unwrap()],
            );
        }
    }
    assert_eq!(drawn.rows("rt0").len(), 64);
    assert_eq!(alone.rows("so0").len(), 64);
}

#[test]
fn tables_are_written_as_arrays() {
    let file = std::env::temp_dir().join(format!("dxil-jit-pixels-{}.npy", std::process::id()));
    let out = format!("so0={}", file.display());
    good(&run(
        &["draw/discard_ps"],
        &["--pixels", "4x2", "--out", &out],
    ));
    let bytes = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("'shape': (8,)"), "{text}");
    // Eight pixels of eight words.
    assert_eq!(&bytes[bytes.len() - 256..][..16], &[0; 16]);
    assert_eq!(&bytes[bytes.len() - 32..][..8], &[3, 0, 0, 0, 1, 0, 0, 0]);
}

#[test]
fn checks_work_for_stages() {
    let output = run(&["mesh/strip_ms"], &["--draw", "2", "--check"]);
    assert!(good(&output).contains("mesh vertices"));
    let output = run(&["draw/discard_ps"], &["--pixels", "4x4", "--check"]);
    assert!(good(&output).contains("pixels"));
}

#[test]
fn only_a_pixel_shader_runs_for_pixels() {
    fails(
        &run(&["mesh/strip_ms"], &["--pixels", "4x4"]),
        2,
        "--pixels runs a pixel shader by itself",
    );
}

#[test]
fn stages_come_in_their_order() {
    let draw = ["--draw", "3", "--backend", "cpu"];
    let stages = ["draw/uv_ps", "raster/screen_vs"];
    fails(
        &run(&stages, &draw),
        1,
        "do not follow each other in a draw",
    );
}
