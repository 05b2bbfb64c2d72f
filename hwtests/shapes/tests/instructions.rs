//! Twice the container takes about twice the processor instructions: reading, validating, listing
//! and translating in both styles, counted by valgrind. From bytes to SPIR-V, each byte takes at
//! most the number in SECURITY.md. Unlike counts of steps and words, this finds a search that
//! restarts for each instruction. It takes minutes, so it is ignored by default:
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

/// Maximum growth for twice the size.
const GROWTH: f64 = 2.3;

/// Maximum number of instructions for each byte of a container, from the bytes to SPIR-V, of x86-64
/// and a release build (SECURITY.md, "Guarantees").
const INSTRUCTIONS_PER_BYTE: f64 = 5000.0;

/// Returns the number of processor instructions for all operations on a container.
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
            let size = std::fs::metadata(&file).unwrap().len() as f64;
            let steps = ["nothing", "all", "native", "portable"];
            let [nothing, counts @ ..] = steps.map(|step| instructions(&file, step));
            std::fs::remove_file(&file).unwrap();
            let [all, native, portable] = counts.map(|count| count - nothing);
            let per_byte = native.max(portable) / size;
            if per_byte > INSTRUCTIONS_PER_BYTE {
                let name = family.name();
                beyond.push(format!("{name} {n}: {per_byte:.0} instructions per byte"));
            }
            all
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
