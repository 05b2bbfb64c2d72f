//! Debug information as a user meets it: `dxil-run --debug-info`, `dxil-dis --source` and
//! `--sources`. Tests that dispatch need a Vulkan driver.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

const DXIL_RUN: &str = env!("CARGO_BIN_EXE_dxil-run");
const DXIL_DIS: &str = env!("CARGO_BIN_EXE_dxil-dis");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shader(name: &str) -> String {
    format!("hwtests/shaders/debug/{name}.dxil")
}

/// Returns the output of the command, run in the workspace's root.
#[track_caller]
fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the results of a dispatch: the report without its times.
fn computed(arguments: &[&str]) -> String {
    let report = run(DXIL_RUN, arguments);
    let lines = report
        .lines()
        .filter(|line| !line.contains("translated in") && !line.contains("from the cache in"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_said_of_the_source_changes_no_result() {
    for name in ["inlined", "unoptimised", "typed"] {
        let shader = shader(name);
        let call = [
            &*shader,
            "--dispatch",
            "2,1,1",
            "--bind",
            "Settings.limit=5",
        ];
        let call = match name {
            "typed" => &call[..3],
            _ => &call[..],
        };
        let plain = computed(call);
        assert!(plain.contains("hash "), "{plain}");
        for form in ["--debug-info=lines", "--debug-info=full", "--debug-info"] {
            let with = computed(&[call, &[form]].concat());
            assert_eq!(with, plain, "{name} {form}");
        }
    }
}

#[test]
fn text_shows_where_the_code_comes_from() {
    let shader = shader("inlined");
    let emit = [&*shader, "--emit", "spvasm"];
    let lines = run(DXIL_RUN, &[&emit[..], &["--debug-info=lines"]].concat());
    assert!(lines.contains("OpSource HLSL 600 %"), "{lines}");
    assert!(lines.contains("OpLine %"), "{lines}");
    let full = run(DXIL_RUN, &[&emit[..], &["--debug-info"]].concat());
    for name in [
        "DebugSource",
        "DebugInlinedAt",
        "DebugValue",
        "DebugScope",
        "DebugLine",
    ] {
        assert!(full.contains(name), "{name}: {full}");
    }
    let plain = run(DXIL_RUN, &emit);
    assert!(!plain.contains("OpLine") && !plain.contains("NonSemantic"));
}

#[test]
fn the_disassembly_shows_the_lines_of_the_source() {
    let shader = shader("inlined");
    let text = run(DXIL_DIS, &["--source", "--function", "main", &shader]);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    let line = at("inlined.hlsli:11:  return x * x;");
    let square = at("fmul fast");
    assert!(
        line < square || text[line..].contains("fmul fast"),
        "{text}"
    );
    at("inlined.hlsl:29:  tile[lane] = item.weights[0];");
    at("; scaled[bits 0 to 31] = %");
    at("; total = %");
    let json = run(
        DXIL_DIS,
        &["--source", "--json", "--function", "main", &shader],
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json.to_string().contains("\"source\":{"), "{json}");
}

#[test]
fn sources_are_listed_and_written() {
    let shader = shader("inlined");
    let list = run(DXIL_DIS, &["--sources", &shader]);
    assert!(
        list.contains("inlined.hlsl  ") && list.contains("  main\n"),
        "{list}"
    );
    assert!(list.contains("inlined.hlsli  "), "{list}");
    assert!(
        list.contains("arguments -E main") || list.contains("arguments "),
        "{list}"
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sources");
    let directory = format!("--sources={}", folder.display());
    let written = run(DXIL_DIS, &[&directory, &shader]);
    assert_eq!(written.lines().count(), 2, "{written}");
    for file in ["inlined.hlsl", "inlined.hlsli"] {
        let name = format!("hwtests/shaders/debug/{file}");
        let text = std::fs::read_to_string(folder.join(&name)).unwrap();
        assert_eq!(text, std::fs::read_to_string(root().join(&name)).unwrap());
    }
}

#[test]
fn a_pdb_file_is_read_as_the_shader_that_it_holds() {
    let file = "frontend/tests/data/pdb/tinted.pdb";
    let text = run(DXIL_DIS, &["--source", file]);
    assert!(text.contains(":9:  return color * tint;"), "{text}");
    let list = run(DXIL_DIS, &["--sources", file]);
    assert!(list.contains("tinted.hlsl  "), "{list}");
    let code = run(DXIL_RUN, &[file, "--emit", "spvasm", "--debug-info=lines"]);
    assert!(
        code.contains("return color * tint;") && code.contains(" 9 "),
        "{code}"
    );
}

#[test]
fn a_pdb_file_without_program_is_listed() {
    let file = "frontend/tests/data/pdb/tripled_slim.pdb";
    let list = run(DXIL_DIS, &["-l", file]);
    assert!(list.contains("SRCI") && !list.contains("DXIL "), "{list}");
    let sources = run(DXIL_DIS, &["--sources", file]);
    assert!(sources.contains("shader.hlsl  111 bytes"), "{sources}");
}

#[test]
fn a_shader_finds_the_pdb_file_that_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let data = root().join("frontend/tests/data/pdb");
    let shader = folder.path().join("x.dxil");
    std::fs::copy(data.join("tripled.dxil"), &shader).unwrap();
    let file = shader.to_str().unwrap();
    let lines = |text: &str| text.contains("o[i] = i * 3;");
    assert!(!lines(&run(DXIL_DIS, &["-S", file])));
    // The name in the part ILDN.
    let pdb = folder.path().join("b90604cefc4bb7770e2fff88558fa805.pdb");
    std::fs::copy(data.join("tripled.pdb"), &pdb).unwrap();
    let text = run(DXIL_DIS, &["-S", file]);
    assert!(lines(&text), "{text}");
    let sources = run(DXIL_DIS, &["--sources", file]);
    assert!(sources.contains("shader.hlsl  111 bytes"), "{sources}");
    // A PDB file of another shader has another hash.
    std::fs::copy(data.join("tinted.pdb"), &pdb).unwrap();
    assert!(!lines(&run(DXIL_DIS, &["-S", file])));
}

#[test]
fn a_disassembly_without_lines_says_so() {
    for file in [
        "hwtests/shaders/flow/collatz.dxil",
        "hwtests/shaders/flow/hints.dxbc",
    ] {
        let output = Command::new(DXIL_DIS)
            .args(["--source", file])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success() && !output.stdout.is_empty());
        let said = String::from_utf8(output.stderr).unwrap();
        let message = format!("{file}: --source has no effect: the code has no line information");
        assert_eq!(said.matches(&message).count(), 1, "{said}");
    }
    let output = Command::new(DXIL_DIS)
        .args(["--source", "hwtests/shaders/debug/inlined.dxil"])
        .current_dir(root())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
