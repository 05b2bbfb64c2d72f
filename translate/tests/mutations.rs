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

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use dxil_frontend::dxil::read_shader;
use dxil_frontend::oracle::Random;
use dxil_translate::{Features, Options, Style, Target, VulkanVersion, oracle, translate};
use dxil_validator::{Environment, Rules, validate_all};

fn shaders() -> Vec<Vec<u8>> {
    in_folders(&["../hwtests/shaders"], 60)
}

/// Returns libraries, most of them of ray tracing shaders.
fn libraries() -> Vec<Vec<u8>> {
    in_folders(
        &[
            "filetests/libraries",
            "filetests/ray_tracing",
            "filetests/hit_objects",
            "../hwtests/pipelines",
        ],
        30,
    )
}

fn in_folders(folders: &[&str], minimum: usize) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in folders {
        files.extend(dxil_checkout::files(&root.join(folder), "dxil"));
    }
    files.sort();
    assert!(files.len() >= minimum, "test data is missing");
    files
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// One shader takes about a millisecond without optimisation; this leaves room for a slow machine.
const PATIENCE: Duration = Duration::from_secs(5);

/// Returns one of the shaders with a few changed bits.
fn mutant(shaders: &[Vec<u8>], random: &mut Random, maximum: usize) -> Vec<u8> {
    let mut bytes = shaders[random.below(shaders.len())].clone();
    for _ in 0..=random.below(maximum) {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
    bytes
}

#[test]
fn mutated_shaders_never_panic() {
    never_panic(&shaders(), 6_000);
}

#[test]
fn mutated_libraries_never_panic() {
    never_panic(&libraries(), 2_000);
}

fn never_panic(shaders: &[Vec<u8>], count: usize) {
    let mut random = Random::new(7);
    let mut accepted = 0;
    for case in 0..count {
        let bytes = mutant(shaders, &mut random, 3);
        let start = Instant::now();
        accepted += usize::from(oracle::translate(&bytes).is_ok());
        assert!(start.elapsed() < PATIENCE, "case {case} is slow");
    }
    // Some changes leave a shader (names, metadata, constants), or nothing was tested.
    assert!(accepted > 60, "only {accepted} mutants were translated");
}

/// The module of an accepted container is valid, whatever its bytes: an overload that the call's
/// types do not have, a kind of resource that the operation does not take, and the like are errors.
#[test]
fn mutated_shaders_become_valid_modules_or_errors() {
    valid_or_refused(&shaders(), 3_000);
}

/// The same for every stage of ray tracing.
#[test]
fn mutated_libraries_become_valid_modules_or_errors() {
    valid_or_refused(&libraries(), 1_000);
}

fn valid_or_refused(shaders: &[Vec<u8>], count: usize) {
    let count = std::env::var("DXIL_JIT_MUTANTS").map_or(count, |n| n.parse().unwrap());
    let mut random = Random::new(11);
    let target = Target::new(VulkanVersion::V1_3, Style::Native, Features::all());
    let mut modules = Vec::new();
    let mut seen = dxil_frontend::tables::HashSet::default();
    for case in 0..count {
        let bytes = mutant(shaders, &mut random, 1);
        let Ok(shader) = read_shader(&bytes) else {
            continue;
        };
        for entry in shader.entry_points.iter().take(12) {
            let mut options = Options::default();
            options.target = target;
            options.entry = Some(entry.name.to_string());
            if let Ok(translation) = translate(&shader, &options)
                && seen.insert(translation.words.clone())
            {
                modules.push((case, bytes.clone(), translation.words));
            }
        }
    }
    let rules = Rules::relaxed(Environment::Vulkan1_3);
    let inputs: Vec<_> = modules
        .iter()
        .map(|(_, _, words)| (words.as_slice(), rules))
        .collect();
    let mut report = String::new();
    for ((case, bytes, _), answer) in modules.iter().zip(validate_all(&inputs)) {
        if let Err(failure) = answer {
            writeln!(report, "case {case}: {failure}").unwrap();
            if let Some(folder) = std::env::var_os("DXIL_JIT_KEEP_MUTANTS") {
                std::fs::write(Path::new(&folder).join(format!("{case}.dxil")), bytes).unwrap();
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
    assert!(modules.len() > 60, "only {} modules", modules.len());
}
