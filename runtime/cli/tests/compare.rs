//! `dxil-run --compare`, `dxil-dis --diff`, SPIR-V that is run, and the outputs of vertex shaders.
//! Tests of SPIR-V and draws need a Vulkan driver.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

const RUN: &str = env!("CARGO_BIN_EXE_dxil-run");
const DIS: &str = env!("CARGO_BIN_EXE_dxil-dis");

/// Runs a command line as it is typed in the checkout.
fn typed(line: &str) -> Output {
    let mut words = line.split_whitespace();
    let command = match words.next() {
        Some("dxil-run") => RUN,
        Some("dxil-dis") => DIS,
        other => panic!("{other:?}"),
    };
    Command::new(command)
        .args(words)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
fn ends(line: &str, code: i32) -> String {
    let output = typed(line);
    let shown = text(&output.stdout);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{line}: {said}{shown}");
    if code > 1 { said } else { shown }
}

#[test]
fn two_runs_of_one_shader_are_equal() {
    let shown = ends(
        "dxil-run runtime/tests/data/named.dxil --dispatch 1 --backend cpu --compare again",
        0,
    );
    assert!(
        shown.contains("a  runtime/tests/data/named.dxil on "),
        "{shown}"
    );
    assert!(
        shown.contains("\nu0  RWStructuredBuffer dst: all 16 elements are equal\n"),
        "{shown}"
    );
}

#[test]
fn shaders_that_give_other_results_are_shown_side_by_side() {
    // Both read `In` and write `Out`, one a uint for each thread and one a uint2.
    let line = "dxil-run hwtests/shaders/flow/hints.dxil --dispatch 1 --backend cpu --rows 2";
    let shown = ends(
        &format!("{line} --compare hwtests/shaders/flow/collatz.dxil"),
        1,
    );
    assert!(
        shown.contains("u0  RWStructuredBuffer Out: a has 64 of 4 bytes, b has 64 of 8 bytes"),
        "{shown}"
    );

    // Reads past the end of a shorter input are zero in one of them.
    let shown = ends(
        &format!("{line} --compare hwtests/shaders/flow/early_return.dxil"),
        1,
    );
    let lines: Vec<&str> = shown.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.contains("of 64 elements differ, the first is "))
        .unwrap_or_else(|| panic!("{shown}"));
    assert!(lines[at].contains("largest difference "), "{shown}");
    let head: Vec<&str> = lines[at + 1].split_whitespace().collect();
    assert_eq!(head, ["a", "|", "b"]);
    // Two rows, as asked for: an index and both values.
    for line in &lines[at + 2..at + 4] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, a, "|", b] = words.as_slice() else {
            panic!("{line}");
        };
        assert_ne!(a, b);
    }
    assert!(lines[at + 4].trim_start().starts_with("and "), "{shown}");
}

#[test]
fn numbers_within_the_tolerance_are_equal() {
    let line = "dxil-run hwtests/shaders/flow/hints.dxil --dispatch 1 --backend cpu \
                --compare hwtests/shaders/flow/early_return.dxil";
    let shown = ends(line, 1);
    assert!(shown.contains("64 of 64 elements differ"), "{shown}");
    let (_, rest) = shown.split_once("largest difference ").unwrap();
    let largest: u32 = rest.split(' ').next().unwrap().parse().unwrap();
    let shown = ends(&format!("{line} --tolerance {largest}"), 0);
    assert!(
        shown.contains("all 64 elements are equal, 64 of them within the tolerance"),
        "{shown}"
    );
    let shown = ends(&format!("{line} --tolerance {}", largest - 1), 1);
    assert!(shown.contains("1 of 64 elements differ"), "{shown}");
    // Integers have no units in the last place, and no distance is a hundred percent.
    ends(&format!("{line} --ulp 4294967295"), 1);
    ends(&format!("{line} --tolerance 100%"), 0);
    let said = ends(&format!("{line} --tolerance=-1"), 2);
    assert!(said.contains("--tolerance"), "{said}");
}

#[test]
fn a_picture_shows_where_textures_differ() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("difference.png");
    let draw = format!(
        "dxil-run runtime/tests/data/triangle_vs.dxil runtime/tests/data/triangle_ps.dxil --draw 3 \
         --backend cpu --size rt0=8x4 --difference {} --compare",
        file.display()
    );
    let pixels = || {
        let picture = image::open(&file).unwrap().into_rgba8();
        assert_eq!(picture.dimensions(), (8, 4));
        picture.pixels().map(|pixel| pixel.0).collect::<Vec<_>>()
    };
    ends(&format!("{draw} again"), 0);
    assert_eq!(pixels(), [[0, 0, 0, 255]; 32]);
    let other = "hwtests/pipelines/quadrants_vs.dxil,hwtests/pipelines/quadrants_ps.dxil";
    let shown = ends(&format!("{draw} {other}"), 1);
    assert!(shown.contains("32 of 32 elements differ"), "{shown}");
    assert!(shown.contains("largest difference 1 in a"), "{shown}");
    // 1 is the largest difference that texels of eight bits can have.
    assert_eq!(pixels()[0], [255, 0, 0, 255]);
    assert!(
        pixels()
            .iter()
            .all(|[red, green, blue, _]| *red >= 64 && green + blue == 0)
    );
    ends(&format!("{draw} {other} --tolerance 1"), 1);
    assert!(
        pixels()
            .iter()
            .all(|[red, green, blue, _]| red == green && green == blue)
    );
    let line = "dxil-run runtime/tests/data/named.dxil --dispatch 1 --backend cpu --compare again";
    let said = ends(&format!("{line} --difference {}", file.display()), 2);
    assert!(said.contains("no result is a texture"), "{said}");
}

#[test]
fn comparisons_are_written_as_json() {
    let shown = ends(
        "dxil-run hwtests/shaders/flow/hints.dxil --dispatch 1 --backend cpu --json \
         --compare hwtests/shaders/flow/early_return.dxil",
        1,
    );
    let report: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(
        report["b"]["files"],
        json!(["hwtests/shaders/flow/early_return.dxil"])
    );
    let result = &report["results"][0];
    assert_eq!(
        (&result["place"], &result["equal"]),
        (&json!("u0"), &json!(false))
    );
    assert_eq!(result["elements"], 64);
    assert!(result["differing"].as_u64().unwrap() > 0);
}

#[test]
fn backends_are_compared_with_their_times() {
    let shown = ends(
        "dxil-run hwtests/shaders/flow/collatz.dxil --dispatch 1 --time 8 --compare cpu",
        0,
    );
    assert!(shown.contains("Out: all 64 elements are equal"), "{shown}");
    let times = shown.lines().last().unwrap();
    assert!(
        times.starts_with("device time of 8 and 8 runs, medians: a "),
        "{times}"
    );
    assert!(times.contains(" (p = "), "{times}");
}

#[test]
fn what_cannot_be_compared_is_told() {
    let line = "dxil-run runtime/tests/data/named.dxil --dispatch 1 --backend cpu --compare";
    for (other, code, message) in [
        ("a.dxil,b.dxil", 2, "2 file(s) for 1; give as many"),
        ("no/such.dxil", 9, "no/such.dxil: "),
    ] {
        let said = ends(&format!("{line} {other}"), code);
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn spirv_of_a_shader_gives_the_results_of_the_shader() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("hints.spv");
    let file = file.to_str().unwrap();
    let shader = "hwtests/shaders/flow/hints.dxil";
    ends(
        &format!("dxil-run {shader} --emit spv --debug-info=lines -o {file}"),
        0,
    );
    let shown = ends(
        &format!("dxil-run {shader} --dispatch 1 --compare {file}"),
        0,
    );
    assert!(shown.contains("elements are equal"), "{shown}");
    assert!(shown.contains(&format!("b  {file} on ")), "{shown}");

    for (arguments, code, message) in [
        (
            "--backend cpu --dispatch 1",
            4,
            "SPIR-V runs on the vulkan backend only",
        ),
        ("--draw 3", 2, "SPIR-V is dispatched with --dispatch"),
        (
            "--dispatch 1 --entry nobody",
            2,
            "there is no entry point nobody; there are: main",
        ),
        (
            "--dispatch 1 --bind t9=zeros",
            2,
            "the module declares no t9; it has ",
        ),
    ] {
        let said = ends(&format!("dxil-run {file} {arguments}"), code);
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn outputs_of_a_vertex_shader_alone_are_shown() {
    for backend in ["vulkan", "cpu"] {
        let line =
            format!("dxil-run runtime/tests/data/triangle_vs.dxil --draw 3 --backend {backend}");
        let shown = ends(&format!("{line} --json"), 0);
        let report: Value = serde_json::from_str(&shown).unwrap();
        let output = &report["outputs"][0];
        assert_eq!(
            (&output["place"], &output["kind"]),
            (&json!("so0"), &json!("vertex outputs"))
        );
        let vertices = output["elements"].as_array().unwrap();
        let column = |name: &str| -> Vec<f64> {
            vertices
                .iter()
                .map(|vertex| vertex[name].as_f64().unwrap())
                .collect()
        };
        assert_eq!(column("SV_Position.x"), [-1.0, -1.0, 3.0]);
        assert_eq!(column("SV_Position.y"), [-1.0, 3.0, -1.0]);
        assert_eq!(column("COLOR.x"), [0.0, 0.0, 2.0]);
        let table = ends(&format!("{line} --quiet"), 0);
        assert!(
            table.contains("so0  vertex outputs: 3 of 32 bytes"),
            "{table}"
        );
    }
}

#[test]
fn vertices_that_are_read_give_the_same_outputs_on_every_backend() {
    // More vertices than a wave has lanes, two instances, and inputs that come from a buffer.
    let line = "dxil-run runtime/tests/data/mesh_vs.dxil --draw 70,2 --json --bind b0=f32:1,2,3,4";
    let outputs = ["vulkan", "cpu"].map(|backend| {
        let shown = ends(&format!("{line} --backend {backend}"), 0);
        let report: Value = serde_json::from_str(&shown).unwrap();
        report["outputs"][0].clone()
    });
    let vertices = outputs[1]["elements"].as_array().unwrap();
    assert_eq!(vertices.len(), 140);
    assert_ne!(vertices[0], vertices[1]);
    assert_eq!(outputs[0], outputs[1]);
}

#[test]
fn listings_differ_by_instructions_and_not_by_numbers() {
    let shader = "hwtests/shaders/flow/collatz.dxil";
    assert_eq!(
        ends(&format!("dxil-dis --diff {shader} {shader}"), 0),
        "no differences\n"
    );
    let other = "hwtests/shaders/flow/early_return.dxil";
    let shown = ends(&format!("dxil-dis --diff {shader} {other}"), 1);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(
        lines[..2],
        [format!("--- {shader}"), format!("+++ {other}")]
    );
    assert!(lines.contains(&"@@ @main @@"), "{shown}");
    // What both do is context, whatever the numbers of its values.
    let loads = "ThreadId.i32(component = 0)";
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("  ") && line.ends_with(loads)),
        "{shown}"
    );
    assert!(lines.iter().any(|line| line.starts_with("- ")), "{shown}");
    assert!(lines.iter().any(|line| line.starts_with("+ ")), "{shown}");
    let said = ends(&format!("dxil-dis --diff {shader}"), 2);
    assert!(said.contains("--diff compares two files"), "{said}");
}

#[test]
fn hlsl_keeps_registers_and_spaces() {
    let shown = ends("dxil-run runtime/tests/data/tex.dxil --emit hlsl", 0);
    for declaration in [
        " t : register(t0);",
        " s : register(s0);",
        " o : register(u0);",
        " b : register(u1);",
    ] {
        assert!(shown.contains(declaration), "{declaration}: {shown}");
    }
}
