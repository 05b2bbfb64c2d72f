//! The example prints what it is there to show.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

#[test]
fn a_dispatch_is_read_back() {
    let test = std::env::current_exe().unwrap();
    // Cargo builds examples with the tests.
    let profile = test.parent().and_then(Path::parent).unwrap();
    let mut command = Command::new(profile.join("examples/dispatch"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.contains("\n7: 16 steps, largest value 52\n"),
        "{shown}"
    );
}
