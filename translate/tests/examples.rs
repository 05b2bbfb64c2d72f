//! The example prints what it is there to show, and the module that it writes is valid.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dxil_validator::{Environment, Rules};

/// Runs the example, which Cargo builds with the tests.
fn run(arguments: &[PathBuf]) -> Output {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let mut command = Command::new(profile.join("examples/to_spirv"));
    command.args(arguments).output().unwrap()
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../runtime/tests/data")
        .join(name)
}

#[test]
fn a_module_is_written_and_its_bindings_are_listed() {
    let module = Path::new(env!("CARGO_TARGET_TMPDIR")).join("example.spv");
    let output = run(&[data("named.dxil"), module.clone()]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.starts_with("main: "), "{shown}");
    for line in [
        "set 0 binding 0: StorageBuffer, read",
        "set 0 binding 1: StorageBuffer, written",
        "set 0 binding 2: UniformBuffer, read",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }
    let words: Vec<u32> = (std::fs::read(module).unwrap().chunks_exact(4))
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    let rules = Rules {
        environment: Environment::Vulkan1_3,
        scalar_block_layout: true,
        maintenance8: true,
    };
    dxil_validator::validate(&words, rules).unwrap();
}

#[test]
fn a_refusal_has_a_category_and_a_code() {
    // A library of functions has no entry point.
    let library =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../hwtests/shaders/linking/callee.dxil");
    let output = run(&[library]);
    assert_eq!(output.status.code(), Some(1));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.starts_with("Unsupported (code "), "{shown}");
}
