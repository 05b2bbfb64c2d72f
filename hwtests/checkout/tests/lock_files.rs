//! The Python package and the fuzz targets are separate workspaces. Cargo compares their lock files
//! only when it builds them.
#![allow(clippy::unwrap_used, reason = "a test stops at the first problem")]

use std::process::Command;

use dxil_checkout::root;

/// Message of Cargo if a lock file lacks a dependency.
const OLD: &str = "cannot update the lock file";

#[test]
fn lock_files_name_all_dependencies() {
    for folder in ["runtime/python", "fuzz"] {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--offline", "--locked", "--format-version=1"])
            .current_dir(root().join(folder))
            .output()
            .unwrap();
        // Without a network, Cargo also fails for a dependency that was never fetched. It compares
        // the lock file before that; `.ci/run` has a network.
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            !said.contains(OLD),
            "{folder}/Cargo.lock is old, run `cargo metadata` there: {said}"
        );
    }
}
