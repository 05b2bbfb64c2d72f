//! The examples print what they are there to show.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs an example, which Cargo builds with the tests.
fn run(name: &str, arguments: &[PathBuf]) -> Output {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let mut command = Command::new(profile.join("examples").join(name));
    command.args(arguments).output().unwrap()
}

fn shown(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/tests/data/named.dxil");
    let output = run(name, &[file]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn resources_have_registers_names_and_layouts() {
    let shown = shown("resources");
    assert!(
        shown.starts_with("main (Compute shader): groups of 4x1x1 threads\n"),
        "{shown}"
    );
    for text in [
        "t0 src: StructuredBuffer\n",
        "u0 dst: StructuredBuffer\n",
        "b0 Sim: CBuffer\n",
        "float3 gravity",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
}

#[test]
fn operations_are_counted_by_name() {
    let shown = shown("operations");
    assert!(shown.starts_with("main: "), "{shown}");
    for name in ["CreateHandle", "ThreadId", "CBufferLoadLegacy"] {
        let has = |line: &str| line.trim_start().split(' ').nth(1) == Some(name);
        assert!(shown.lines().any(has), "{name}: {shown}");
    }
}

#[test]
fn examples_say_what_they_need() {
    for name in ["resources", "operations"] {
        let output = run(name, &[]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("which shader?"), "{name}: {said}");
    }
}
