//! Mutants with a valid bitstream structure: records are changed, so that they reach the readers
//! and the translator after the bitstream.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use dxil_frontend::container::open_program;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::oracle::{self, Random};
use dxil_frontend::validate::{self, validate};
use dxil_shapes::{Family, Records, all_families, container, mutant};
use dxil_translate::{Features, Options, Style, translate};
use dxil_validator::{Environment, Rules, validate_all};

/// Returns the checked-in DXIL shaders, and small members of all DXIL families.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = dxil_checkout::shaders()
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    // Large shaders would take most of the time.
    seeds.retain(|bytes| bytes.len() < 64 << 10);
    assert!(seeds.len() > 500, "{} seeds", seeds.len());
    // DXBC has no LLVM records.
    let families = all_families().filter(|family| !matches!(family, Family::Dxbc(_)));
    seeds.extend(families.map(|family| container(family, 12)));
    seeds
}

#[test]
fn records_that_are_written_again_are_the_same_module() {
    let mut compared = 0;
    for bytes in seeds() {
        let Ok(shader) = read_shader(&bytes) else {
            continue;
        };
        let program = open_program(&bytes).unwrap();
        let records = Records::read(program.bitcode).unwrap();
        let written = records.write();
        assert_eq!(Records::read(&written).unwrap(), records);
        let again = dxil_frontend::bitcode::decode_module(&written, 0).unwrap();
        let text = |module| module_text(module, &Plain);
        assert_eq!(text(&shader.module), text(&again));
        compared += 1;
    }
    assert!(compared > 500, "{compared} modules");
}

#[test]
fn what_is_accepted_of_mutants_is_valid_and_nothing_panics() {
    // DXIL_JIT_MUTANTS sets their number, DXIL_JIT_SEED the first seed.
    let number = |name, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse::<u64>().unwrap())
    };
    let count = number("DXIL_JIT_MUTANTS", 3000);
    let first = number("DXIL_JIT_SEED", 0);
    let seeds = seeds();
    let mut options = [Options::default(), Options::default(), Options::default()];
    options[0].target.features = Features::all();
    options[2].target.style = Style::Portable;
    let (mut read, mut modules) = (0, Vec::new());
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let bytes = &seeds[random.below(seeds.len())];
        let Some(bytes) = mutant(bytes, &mut random) else {
            continue;
        };
        // All readers, the listing and the validator.
        let _ = oracle::container(&bytes);
        validate(&bytes, &validate::Options::default());
        let Ok(shader) = read_shader(&bytes) else {
            continue;
        };
        read += 1;
        for entry in shader.entry_points.iter().take(4) {
            for options in &mut options {
                options.entry = Some(entry.name.to_string());
                if let Ok(translation) = translate(&shader, options) {
                    modules.push((seed, translation.words));
                }
            }
        }
        if modules.len() > 1000 {
            all_valid(&std::mem::take(&mut modules));
        }
    }
    all_valid(&modules);
    assert!(
        read * 20 > count,
        "only {read} of {count} mutants were read"
    );
}

fn all_valid(modules: &[(u64, Vec<u32>)]) {
    let inputs: Vec<_> = modules
        .iter()
        .map(|(_, words)| (words.as_slice(), Rules::relaxed(Environment::Vulkan1_3)))
        .collect();
    for ((seed, _), result) in modules.iter().zip(validate_all(&inputs)) {
        result.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
