//! Twice the container takes about twice the processor's instructions: reading, validating, listing
//! and translating in both styles, counted by valgrind. Counts of steps and words do not see a
//! search that begins anew for each instruction; this does. It takes minutes, so it runs by hand:
//!
//! `cargo test -p dxil-shapes --release --test instructions -- --ignored`

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;
use std::process::Command;

use dxil_shapes::{DXBC_FAMILIES, FAMILIES, Family, container};
use dxil_translate::oracle::families::GRAPH_FAMILIES;

/// Sizes of the two members of each family, four times apart.
const SIZES: [u32; 2] = [400, 1600];

/// Most growth for twice the size.
const GROWTH: f64 = 2.3;

/// Returns the processor's instructions that everything about a container takes.
fn instructions(file: &Path, step: &str) -> f64 {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no"])
        .arg("--cachegrind-out-file=/dev/null")
        .arg(env!("CARGO_BIN_EXE_shape-cost"))
        .args(["run".as_ref(), file.as_os_str(), step.as_ref()])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {text}", file.display());
    // ==1234== I   refs:      3,451,602
    let line = text.lines().find(|line| line.contains("refs:")).unwrap();
    let number = line.split("refs:").nth(1).unwrap();
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

fn check(families: impl Iterator<Item = Family>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut beyond = Vec::new();
    for family in families {
        let counts = SIZES.map(|n| {
            let file = folder.join(format!("{}-{n}", family.name()));
            std::fs::write(&file, container(family, n)).unwrap();
            let counts = ["all", "nothing"].map(|step| instructions(&file, step));
            std::fs::remove_file(&file).unwrap();
            counts[0] - counts[1]
        });
        let growth = (counts[1] / counts[0]).sqrt();
        if growth > GROWTH {
            beyond.push(format!("{}: {growth:.2} for twice the size", family.name()));
        }
    }
    assert!(beyond.is_empty(), "{beyond:#?}");
}

#[test]
#[ignore = "takes minutes; needs valgrind"]
fn twice_the_control_flow_takes_about_twice_the_instructions() {
    check(GRAPH_FAMILIES.into_iter().map(Family::Graph));
}

#[test]
#[ignore = "takes minutes; needs valgrind"]
fn twice_the_code_and_declarations_take_about_twice_the_instructions() {
    check(FAMILIES.into_iter());
}

#[test]
#[ignore = "takes minutes; needs valgrind"]
fn twice_the_dxbc_takes_about_twice_the_instructions() {
    check(DXBC_FAMILIES.map(Family::Dxbc).into_iter());
}
