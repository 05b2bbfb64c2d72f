//! Reading, validating, listing and translating a fixed set of shaders takes no more processor
//! instructions than before. Counts are exact where times are not, so a change that makes a step
//! slower by a few percent is seen: growth beyond [`GROWTH`] must be blessed.
//!
//! `cargo test -p dxil-shapes --release --test instruction_counts -- --ignored`, with `BLESS=1` to
//! write `instruction_counts.txt` again. It needs x86-64 and valgrind.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_checkout::{files_of, root};

/// What a step may take more than the file has, with the same compiler.
const GROWTH: f64 = 1.02;

/// The same with another compiler, whose code may be a little better or worse.
const GROWTH_ELSEWHERE: f64 = 1.15;

/// Steps of `step-instructions`, and the set of files.
const STEPS: [(&str, Set); 8] = [
    ("read", Set::Dxil),
    ("validate", Set::Dxil),
    ("list", Set::Dxil),
    ("native", Set::Dxil),
    ("portable", Set::Compute),
    ("read", Set::Dxbc),
    ("list", Set::Dxbc),
    ("native", Set::Dxbc),
];

/// A fixed set of files.
#[derive(Clone, Copy, PartialEq)]
enum Set {
    /// Shaders of all stages.
    Dxil,
    /// The kernels of the benchmark.
    Compute,
    /// The kernels of the benchmark, and shaders of other stages, as DXBC.
    Dxbc,
}

impl Set {
    fn name(self) -> &'static str {
        match self {
            Set::Dxil => "dxil",
            Set::Compute => "kernels",
            Set::Dxbc => "dxbc",
        }
    }

    fn files(self) -> Vec<PathBuf> {
        let (mut files, others): (_, &[&str]) = match self {
            Set::Compute => (files_of(&["bench/kernels"], "dxil"), &[]),
            Set::Dxil => (files_of(&["bench/kernels"], "dxil"), &OTHERS),
            Set::Dxbc => (files_of(&["bench/kernels"], "dxbc"), &OTHER_DXBC),
        };
        files.extend(
            others
                .iter()
                .map(|name| root().join("hwtests/shaders").join(name)),
        );
        files
    }
}

/// Shaders that are no kernels.
const OTHERS: [&str; 14] = [
    "debug/lit.dxil",
    "draw/ids_vs.dxil",
    "draw/own_sampler_ps.dxil",
    "draw/sample_ps.dxil",
    "draw/shadow_ps.dxil",
    "mesh/tiles_as.dxil",
    "mesh/tiles_ms.dxil",
    "textures/compare.dxil",
    "raster/packed_ps.dxil",
    "raster/packed_vs.dxil",
    "rays/nearest.dxil",
    "rays/spheres.dxil",
    "streams/triangle_gs.dxil",
    "unoptimised/cbuffer_matrices.dxil",
];

/// The same as DXBC.
const OTHER_DXBC: [&str; 5] = [
    "draw/ids_vs.dxbc",
    "draw/shadow_ps.dxbc",
    "raster/packed_ps.dxbc",
    "streams/triangle_gs.dxbc",
    "tess/lines_hs.dxbc",
];

/// Returns the number of processor instructions that a step takes for files.
fn instructions(step: &str, files: &[PathBuf]) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no"])
        .arg("--cachegrind-out-file=/dev/null")
        .arg(env!("CARGO_BIN_EXE_step-instructions"))
        .arg(step)
        .args(files)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{step}: {text}");
    // ==1234== I   refs:      3,451,602
    let line = text.lines().find(|line| line.contains("refs:")).unwrap();
    let number = line.split("refs:").nth(1).unwrap();
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// Returns the version of the compiler that builds the tests.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
#[ignore = "needs a release build and valgrind"]
fn steps_take_no_more_instructions_than_before() {
    if cfg!(debug_assertions) {
        panic!("counts are those of release builds: --release");
    }
    let compiler = compiler();
    let mut text = format!("{compiler}\n");
    let mut now = Vec::new();
    for (step, set) in STEPS {
        let files = set.files();
        let count = instructions(step, &files) - instructions("open", &files);
        let name = format!("{step} {}", set.name());
        let _ = writeln!(text, "{name} {count}");
        now.push((name, count));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/instruction_counts.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let before = std::fs::read_to_string(&path).unwrap();
    let mut lines = before.lines();
    let limit = if lines.next() == Some(&compiler) {
        GROWTH
    } else {
        GROWTH_ELSEWHERE
    };
    let mut grown = Vec::new();
    for (name, count) in now {
        let line = lines.next().unwrap_or_default();
        let (known, before) = line.rsplit_once(' ').unwrap_or_default();
        assert_eq!(
            known, name,
            "instruction_counts.txt has other steps: BLESS=1"
        );
        let before: u64 = before.parse().unwrap();
        let ratio = count as f64 / before as f64;
        eprintln!("{name}: {count}, {ratio:.4} of before");
        if ratio > limit {
            grown.push(format!("{name}: {count}, {ratio:.4} of before"));
        }
    }
    assert!(grown.is_empty(), "{grown:#?}; BLESS=1 accepts it");
}
