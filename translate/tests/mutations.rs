//! Property test: whatever a shader's bytes become, the translator returns, and soon.
//!
//! Most random changes break the bitcode before the translator sees it, so most of them are single
//! bits; the generator is deterministic, a failing case has the same number in every run.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dxil_translate::oracle;

/// Splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap()
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "dxil") {
            files.push(path);
        }
    }
}

fn shaders() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    collect(&root.join("../hwtests/shaders"), &mut files);
    files.sort();
    assert!(files.len() >= 60, "test data is missing");
    files
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// One shader takes about a millisecond without optimisation; this leaves room for a slow machine.
const PATIENCE: Duration = Duration::from_secs(5);

#[test]
fn mutated_shaders_never_panic() {
    let shaders = shaders();
    let mut random = Random(7);
    let mut accepted = 0;
    for case in 0..6_000 {
        let mut bytes = shaders[random.below(shaders.len())].clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        let start = Instant::now();
        accepted += usize::from(oracle::translate(&bytes).is_ok());
        assert!(start.elapsed() < PATIENCE, "case {case} is slow");
    }
    // Some changes leave a shader (names, metadata, constants), or nothing was tested.
    assert!(accepted > 60, "only {accepted} mutants were translated");
}
