//! Mutated DXBC through the whole translator: no panic, no internal error, and what is accepted is
//! valid SPIR-V. Every other mutant has damaged tokens; the rest are changed as instructions, so
//! that more of them are read (`dxil_frontend::dxbc::mutate`, which the fuzz target `dxbc` uses).
//!
//! `DXBC_MUTANTS=100000 DXBC_SEED=7 DXBC_CORPUS=FOLDER cargo test -p dxil-translate --test
//! dxbc_mutations` makes more of them, from another seed, and from all containers below a folder.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dxil_frontend::FourCc;
use dxil_frontend::container::Container;
use dxil_frontend::dxbc::mutate::mutate;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::oracle::Random;
use dxil_translate::{Category, Features, Options, Style, Target, VulkanVersion, translate};
use dxil_validator::{Environment, Rules, validate_all};

/// Returns the tokens of a container's program as a range of its bytes, after version and length.
fn tokens(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let container = Container::parse(bytes).ok()?;
    let part = container.part(FourCc::SHEX);
    let part = part.or_else(|| container.part(FourCc::SHDR))?;
    let start = usize::try_from(part.offset).unwrap();
    (part.data.len() > 12).then(|| start + 8..start + part.data.len() / 4 * 4)
}

/// Damages a program: one to three bits, words that other instructions have, small numbers, or
/// exchanged words. Sizes stay, so that most of it is read.
fn damage(bytes: &mut [u8], tokens: &std::ops::Range<usize>, random: &mut Random) {
    let words = tokens.len() / 4;
    let at = |random: &mut Random| tokens.start + random.below(words) * 4;
    for _ in 0..=random.below(3) {
        let place = at(random);
        match random.below(5) {
            0 | 1 => bytes[place + random.below(4)] ^= 1 << random.below(8),
            2 => {
                let from = at(random);
                bytes.copy_within(from..from + 4, place);
            }
            3 => {
                let number = u32::try_from(random.below(9)).unwrap();
                bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
            }
            _ => {
                // Another opcode with the same length.
                let opcode = u8::try_from(random.below(235)).unwrap();
                bytes[place] = opcode;
            }
        }
    }
}

fn number_of(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Validates the modules and forgets them.
fn check(modules: &mut Vec<(String, Vec<u32>)>) {
    let rules = Rules::relaxed(Environment::Vulkan1_3);
    let all: Vec<(&[u32], Rules)> = modules
        .iter()
        .map(|(_, words)| (&words[..], rules))
        .collect();
    let results = validate_all(&all);
    let invalid: Vec<String> = modules
        .iter()
        .zip(results)
        .filter_map(|((name, _), result)| Some(format!("{name}: {}", result.err()?)))
        .collect();
    assert!(invalid.is_empty(), "{}", invalid.join("\n"));
    modules.clear();
}

#[test]
fn mutated_programs_that_are_accepted_give_valid_spirv() {
    let shaders = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hwtests/shaders");
    let folder = std::env::var_os("DXBC_CORPUS").map_or(shaders, PathBuf::from);
    let paths = dxil_checkout::files(&folder, "dxbc");
    let mutants = number_of("DXBC_MUTANTS").unwrap_or(1000);
    let seed = number_of("DXBC_SEED").unwrap_or(0x5eed);
    let originals: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    let mut options = Options::default();
    options.target = Target::new(VulkanVersion::V1_3, Style::Native, Features::all());
    let mut modules = Vec::new();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..mutants {
        // Each mutant can be made again alone.
        let mut random = Random::new(seed << 32 | number);
        let which = random.below(originals.len());
        let mut bytes = originals[which].clone();
        if number % 2 == 0 {
            let Some(tokens) = tokens(&bytes) else {
                continue;
            };
            damage(&mut bytes, &tokens, &mut random);
        } else {
            // A mutant may be one that cannot be written.
            let Some(mutant) = mutate(&bytes, &mut random) else {
                continue;
            };
            bytes = mutant;
        }
        let name = format!("seed {seed}, mutant {number} of {}", paths[which].display());
        let done = std::panic::catch_unwind(|| {
            read_shader(&bytes)
                .map_err(|error| (error.category(), error.to_string()))
                .and_then(|shader| {
                    translate(&shader, &options)
                        .map_err(|error| (error.category(), error.to_string()))
                })
        });
        let done = done.unwrap_or_else(|_| panic!("{name} made it panic"));
        match done {
            Ok(translation) => {
                *counts.entry("accepted").or_default() += 1;
                modules.push((name, translation.words));
            }
            Err((Category::Internal, message)) => panic!("{name}: {message}"),
            Err((Category::Malformed, _)) => *counts.entry("malformed").or_default() += 1,
            Err((Category::Unsupported, _)) => *counts.entry("unsupported").or_default() += 1,
        }
        if modules.len() == 500 {
            check(&mut modules);
        }
    }
    check(&mut modules);
    println!("{mutants} mutants: {counts:?}");
    // Damage is neither harmless nor always fatal.
    let count = |name| counts.get(name).copied().unwrap_or(0);
    assert!(count("accepted") > mutants / 10, "{counts:?}");
    assert!(
        count("malformed") + count("unsupported") > mutants / 10,
        "{counts:?}"
    );
}
