//! Bitstreams in other forms are the same modules, and what the grammar forbids, crossovers and
//! changed parts are refused or become valid modules within the bounds.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use dxil_frontend::dxil::{Shader, read_shader};
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::oracle::{self, Random};
use dxil_frontend::validate::{self, validate};
use dxil_shapes::{Family, all_families, container, grammar_mutant, reencoded};
use dxil_translate::{Category, Options, Style, translate};
use dxil_validator::{Environment, Rules, validate_all};

/// Returns the checked-in DXIL shaders, and small members of all DXIL families.
fn seeds() -> Vec<Vec<u8>> {
    let shaders = dxil_checkout::shaders();
    let mut seeds: Vec<Vec<u8>> = shaders
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    // Large shaders would take most of the time.
    seeds.retain(|bytes| bytes.len() < 24 << 10);
    assert!(seeds.len() > 500, "{} seeds", seeds.len());
    let families = all_families().filter(|family| !matches!(family, Family::Dxbc(_)));
    seeds.extend(families.map(|family| container(family, 12)));
    seeds
}

/// Returns the words of all entry points.
fn words_of(shader: &Shader, style: Style) -> Vec<Result<Vec<u32>, String>> {
    let entries = shader.entry_points.iter().take(4);
    let translated = entries.map(|entry| {
        let mut options = Options::default();
        options.target.style = style;
        options.entry = Some(entry.name.to_string());
        let translation = translate(shader, &options);
        // A message may name the place of an instruction, which is another one.
        let code = |error: dxil_translate::Error| error.code().to_owned();
        translation
            .map(|translation| translation.words)
            .map_err(code)
    });
    translated.collect()
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

/// "LLVM Bitcode File Format", "Abbreviations": how a record is written does not change it.
#[test]
fn other_forms_of_a_bitstream_are_the_same_module_and_translate_alike() {
    let mut random = Random::new(number("DXIL_JIT_SEED", 1));
    let (mut compared, mut differently) = (0, 0);
    for bytes in seeds() {
        let Ok(shader) = read_shader(&bytes) else {
            continue;
        };
        let Some(other) = reencoded(&bytes, &mut random) else {
            continue;
        };
        let again = read_shader(&other).unwrap();
        let text = |shader: &Shader| module_text(&shader.module, &Plain);
        assert_eq!(text(&shader), text(&again));
        compared += 1;
        differently += usize::from(bytes.len() != other.len());
        if compared % 8 == 0 {
            for style in [Style::Native, Style::Portable] {
                assert_eq!(words_of(&shader, style), words_of(&again, style));
            }
        }
    }
    assert!(
        compared > 500 && differently > 400,
        "{compared} {differently}"
    );
}

/// DXIL_JIT_MUTANTS sets their number, DXIL_JIT_SEED the first seed.
#[test]
fn mutants_by_the_grammar_are_refused_or_become_valid_modules() {
    let count = number("DXIL_JIT_MUTANTS", 2000);
    let first = number("DXIL_JIT_SEED", 0);
    let seeds = seeds();
    let (mut read, mut refused, mut modules) = (0, 0, Vec::new());
    for seed in first..first + count {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9));
        let one = &seeds[random.below(seeds.len())];
        let other = &seeds[random.below(seeds.len())];
        let Some(bytes) = grammar_mutant(one, other, &mut random) else {
            continue;
        };
        // All readers and the listing.
        let _ = oracle::container(&bytes);
        let is_valid = validate(&bytes, &validate::Options::default()).is_valid();
        let shader = match read_shader(&bytes) {
            Ok(shader) => shader,
            Err(error) => {
                assert_ne!(error.category(), Category::Internal, "{seed}: {error}");
                refused += 1;
                assert!(!is_valid || error.code() == "limit", "{seed}: {error}");
                continue;
            }
        };
        read += 1;
        for entry in shader.entry_points.iter().take(2) {
            let mut options = Options::default();
            if random.below(2) == 0 {
                options.target.style = Style::Portable;
            }
            options.entry = Some(entry.name.to_string());
            match translate(&shader, &options) {
                Ok(translation) => modules.push((seed, translation.words)),
                Err(error) => {
                    assert_ne!(error.category(), Category::Internal, "{seed}: {error}");
                }
            }
        }
    }
    assert!(read * 5 > count && refused * 20 > count, "{read} {refused}");
    let inputs: Vec<_> = modules
        .iter()
        .map(|(_, words)| (words.as_slice(), Rules::relaxed(Environment::Vulkan1_3)))
        .collect();
    for ((seed, _), result) in modules.iter().zip(validate_all(&inputs)) {
        result.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
