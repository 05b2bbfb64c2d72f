//! Twice the container takes about twice the processor instructions: reading, validating, listing
//! and translating in both styles, counted by valgrind. Each byte takes at most the number in
//! SECURITY.md, also in the smallest encoding. Unlike counts of steps and words, this finds a
//! search that restarts for each instruction. It takes minutes, so it is ignored by default:
//!
//! `cargo test -p dxil-shapes --release --test instructions -- --ignored`

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;
use std::process::Command;

use dxil_shapes::{DXBC_FAMILIES, Encoding, FAMILIES, Family, container, encoded};
use dxil_translate::oracle::families::GRAPH_FAMILIES;

/// Sizes of the two members of each family, four times apart.
const SIZES: [u32; 2] = [400, 1600];

/// Maximum growth for twice the size.
const GROWTH: f64 = 2.3;

/// Maximum number of instructions for each byte of a container, in addition to [`BASE`], of x86-64
/// and a release build (SECURITY.md, "Bounds of a container"): to SPIR-V, in both styles, and for
/// everything else.
const NATIVE: f64 = 5000.0;
const PORTABLE: f64 = 12_000.0;
const READING: f64 = 2000.0;
/// Instructions that every container may take: what small ones have for searches that end here.
const BASE: f64 = 5e7;
/// The steps, and what each byte may take.
const STEPS: [(&str, f64); 5] = [
    ("native", NATIVE),
    ("portable", PORTABLE),
    ("validate", READING),
    ("list", READING),
    ("decode", READING),
];

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
            let plain = container(family, n);
            std::fs::write(&file, &plain).unwrap();
            let all = instructions(&file, "all") - instructions(&file, "nothing");
            // DXBC has no other encoding.
            let smallest = encoded(&plain, Encoding::Literals).unwrap_or(plain);
            std::fs::write(&file, &smallest).unwrap();
            let nothing = instructions(&file, "nothing");
            for (step, factor) in STEPS {
                let count = instructions(&file, step) - nothing;
                if count > factor * smallest.len() as f64 + BASE {
                    let name = family.name();
                    beyond.push(format!("{name} {n}: {step} takes {count} instructions"));
                }
            }
            std::fs::remove_file(&file).unwrap();
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
