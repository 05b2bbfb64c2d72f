//! What the tests of the command share.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test uses some of it, and stops at the first surprise"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Returns a file of the checkout.
pub(crate) fn checkout(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Runs the command.
pub(crate) fn precompile(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-precompile"))
        .args(arguments)
        .output()
        .unwrap()
}

/// Runs the command with `--json`. Returns the exit code and the summary.
#[track_caller]
pub(crate) fn summary(arguments: &[&str]) -> (i32, Value) {
    let mut all = arguments.to_vec();
    all.push("--json");
    let output = precompile(&all);
    let text = String::from_utf8(output.stdout).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let value = serde_json::from_str(&text);
    assert!(value.is_ok(), "{value:?}: {text}{said}");
    (output.status.code().unwrap(), value.unwrap())
}

/// Returns a path as text.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
