//! Validator and translator judge mutated containers alike: what the validator accepts is
//! translated or refused as unsupported, and what the translator calls malformed breaks a rule.
//!
//! `DXIL_JIT_MUTANTS=100000 DXIL_JIT_SEED=7 cargo test -p dxil-translate --test
//! validator_mutations` makes more mutants, from another seed. `DXIL_JIT_KEEP_MUTANTS=FOLDER` keeps
//! those on which the two disagree. The generator is deterministic: a mutant has the same number in
//! every run.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dxil_checkout::files;
use dxil_frontend::container::Container;
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_frontend::oracle::Random;
use dxil_frontend::validate::{self, validate};
use dxil_frontend::{Category, FourCc};
use dxil_translate::{Features, Options, Style, Target, VulkanVersion, translate};

/// Number of entry points of a library that are translated.
const MAX_ENTRIES: usize = 12;

/// Values that size, offset and count fields handle badly.
const BOUNDARY_VALUES: [u32; 10] = [
    0,
    1,
    3,
    4,
    0x7f,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fffc,
    0xffff_ffff,
];

/// The translator's verdict on a container.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Translated,
    Unsupported,
    Malformed(String),
    Internal(String),
}

fn verdict_of(category: Category, message: String) -> Verdict {
    match category {
        Category::Unsupported => Verdict::Unsupported,
        Category::Malformed => Verdict::Malformed(message),
        Category::Internal => Verdict::Internal(message),
    }
}

/// Returns the worst verdict on the entry points of a container.
fn translator(bytes: &[u8], target: Target) -> Verdict {
    let shader = match read_shader(bytes) {
        Ok(shader) => shader,
        Err(error) => return verdict_of(error.category(), error.to_string()),
    };
    let entries = shader.entry_points.iter().take(MAX_ENTRIES);
    let verdicts = entries.map(|entry| translate_entry(&shader, &entry.name, target));
    verdicts.max().unwrap_or(Verdict::Unsupported)
}

fn translate_entry(shader: &Shader, entry: &str, target: Target) -> Verdict {
    let mut options = Options::default();
    options.target = target;
    options.entry = Some(entry.to_owned());
    match translate(shader, &options) {
        Ok(_) => Verdict::Translated,
        Err(error) => verdict_of(error.category(), error.to_string()),
    }
}

/// Returns the containers that the validator accepts and the translator does not call malformed.
fn originals(target: Target) -> Vec<(PathBuf, Vec<u8>)> {
    let root = dxil_checkout::root();
    let folders = [
        "hwtests/shaders",
        "translate/filetests",
        "frontend/tests/data",
    ];
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| files(&root.join(folder), "dxil"))
        .filter(|path| !path.is_symlink())
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        let is_good = validate(&bytes, &validate::Options::default()).is_valid()
            && matches!(
                translator(&bytes, target),
                Verdict::Translated | Verdict::Unsupported
            );
        is_good.then_some((path, bytes))
    };
    paths.into_iter().filter_map(read).collect()
}

/// Changes a container: bits of the program, words of the other parts, or any bytes. The digest is
/// removed, since it would tell the validator of every change.
fn mutate(bytes: &mut [u8], random: &mut Random) {
    let parts: Vec<(FourCc, std::ops::Range<usize>)> = Container::parse(bytes)
        .map(|container| {
            let range = |offset: u64, len: usize| {
                let start = usize::try_from(offset).unwrap();
                start..start + len
            };
            let parts = container.parts().iter();
            parts
                .filter(|part| !part.data.is_empty())
                .map(|part| (part.name, range(part.offset, part.data.len())))
                .collect()
        })
        .unwrap_or_default();
    match random.below(8) {
        // Records begin at any bit, so a bit changes an operand, an opcode or an abbreviation.
        0..=4 => {
            let mut programs = parts.iter().filter(|(name, _)| *name == FourCc::DXIL);
            let range = programs.next().map_or(0..bytes.len(), |(_, r)| r.clone());
            for _ in 0..=random.below(2) {
                let at = range.start + random.below(range.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
        5 | 6 => {
            let others: Vec<_> = parts
                .iter()
                .filter(|(name, _)| *name != FourCc::DXIL)
                .collect();
            if let Some((_, range)) = others.get(random.below(others.len())) {
                let at = range.start + random.below(range.len()) / 4 * 4;
                let word = match random.below(2) {
                    0 => BOUNDARY_VALUES[random.below(BOUNDARY_VALUES.len())],
                    _ => u32::try_from(random.below(16)).unwrap(),
                };
                if let Some(field) = bytes.get_mut(at..at + 4) {
                    field.copy_from_slice(&word.to_le_bytes());
                }
            }
        }
        _ => {
            let at = random.below(bytes.len());
            bytes[at] = u8::try_from(random.below(256)).unwrap();
        }
    }
    if let Some(digest) = bytes.get_mut(4..20) {
        digest.fill(0);
    }
}

fn number_of(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn mutants_that_the_validator_accepts_are_not_malformed_to_the_translator() {
    let target = Target::new(VulkanVersion::V1_3, Style::Native, Features::all());
    let originals = originals(target);
    assert!(originals.len() > 500, "{} containers", originals.len());
    let mutants = number_of("DXIL_JIT_MUTANTS").unwrap_or(2_000);
    let seed = number_of("DXIL_JIT_SEED").unwrap_or(0x5eed);
    let keep = std::env::var_os("DXIL_JIT_KEEP_MUTANTS").map(PathBuf::from);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut disagreements = String::new();
    for number in 0..mutants {
        // Each mutant can be made again alone.
        let mut random = Random::new((seed << 32 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (path, original) = &originals[random.below(originals.len())];
        let mut bytes = original.clone();
        mutate(&mut bytes, &mut random);
        let report = validate(&bytes, &validate::Options::default());
        let verdict = translator(&bytes, target);
        let (name, is_agreed) = match (&verdict, report.is_valid()) {
            (Verdict::Translated, true) => ("valid, translated", true),
            (Verdict::Translated, false) => ("invalid, translated", true),
            (Verdict::Unsupported, true) => ("valid, unsupported", true),
            (Verdict::Unsupported, false) => ("invalid, unsupported", true),
            (Verdict::Malformed(_), false) => ("invalid, malformed", true),
            (Verdict::Malformed(_), true) => ("valid, malformed", false),
            (Verdict::Internal(_), _) => ("internal error", false),
        };
        *counts.entry(name).or_default() += 1;
        if is_agreed {
            continue;
        }
        let file = path.strip_prefix(dxil_checkout::root()).unwrap_or(path);
        let file = file.display();
        writeln!(disagreements, "mutant {number} of {file}: {verdict:?}").unwrap();
        if let Some(folder) = &keep {
            std::fs::write(kept(folder, number), &bytes).unwrap();
        }
    }
    println!("{mutants} mutants, seed {seed}: {counts:?}");
    assert!(disagreements.is_empty(), "{counts:?}\n{disagreements}");
    // Each judgement occurs: changes are neither harmless nor always fatal.
    let count = |name| counts.get(name).copied().unwrap_or(0);
    assert!(count("valid, translated") > mutants / 50, "{counts:?}");
    assert!(count("invalid, translated") > mutants / 50, "{counts:?}");
    assert!(count("invalid, malformed") > mutants / 10, "{counts:?}");
}

fn kept(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number}.dxil"))
}
