//! `grammar-mutants FIRST COUNT FOLDER...`: mutants by the grammar of bitstreams of all containers
//! below folders, read, validated, listed, translated and decoded for the CPU backend. It needs
//! neither libFuzzer nor SPIRV-Tools; `tests/grammar.rs` validates the SPIR-V of some.
//! `grammar-mutants write FIRST COUNT FOLDER...` writes them to the present folder, `NUMBER.dxil`,
//! so that another validator can judge them.
//!
//! A mutant is a finding if it panics, gives an internal error, is accepted by the validator and
//! malformed to a reader, takes more memory than SECURITY.md promises, or does not end. Findings
//! are written to the present folder, with their numbers as names.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dxil_cpu::Kernel;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::oracle::{self, Random};
use dxil_frontend::validate as rules;
use dxil_shapes::grammar_mutant;
use dxil_translate::oracle::options::any_options;
use dxil_translate::{Category, translate};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Most bytes of memory for each byte of a container, and besides (SECURITY.md, "Bounds of a
/// container").
const FACTOR: usize = 320;
const BASE: usize = 32 << 20;
/// Larger seeds take longer and tell no more.
const LARGEST: usize = 24 << 10;

/// How far a mutant came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Unread,
    Read,
    Translated,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (writes, words) = match &words[..] {
        [first, rest @ ..] if first == "write" => (true, rest),
        all => (false, all),
    };
    let [first, count, folders @ ..] = words else {
        return ExitCode::from(2);
    };
    let (Ok(first), Ok(count)) = (first.parse::<u64>(), count.parse::<u64>()) else {
        return ExitCode::from(2);
    };
    let mut paths = Vec::new();
    for folder in folders {
        collect(Path::new(folder), &mut paths);
    }
    paths.sort();
    let mut seeds: Vec<Vec<u8>> = paths
        .iter()
        .filter_map(|path| std::fs::read(path).ok())
        .collect();
    seeds.retain(|bytes| bytes.len() <= LARGEST);
    if seeds.is_empty() {
        return ExitCode::from(2);
    }
    let mut counts = [0_u64; 4];
    let mut findings = 0_u64;
    for number in first..first.saturating_add(count) {
        let mut random = Random::new(number.wrapping_mul(0x9e37_79b9));
        let one = &seeds[random.below(seeds.len())];
        let other = &seeds[random.below(seeds.len())];
        let Some(bytes) = grammar_mutant(one, other, &mut random) else {
            counts[0] += 1;
            continue;
        };
        if writes {
            if std::fs::write(format!("{number}.dxil"), &bytes).is_err() {
                return ExitCode::FAILURE;
            }
            continue;
        }
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&bytes, &mut random)));
        let memory = MEMORY.peak_usage().saturating_sub(before);
        let finding = match outcome {
            Ok(Ok(_)) if memory > FACTOR * bytes.len() + BASE => Some(format!("{memory} bytes")),
            Ok(Ok(outcome)) => {
                counts[1 + outcome as usize] += 1;
                None
            }
            Ok(Err(what)) => Some(what),
            Err(_) => Some("panic".to_owned()),
        };
        if let Some(what) = finding {
            findings += 1;
            eprintln!("finding: mutant {number}: {what}");
            let _ = std::fs::write(number.to_string(), &bytes);
        }
        if (number - first) % 100_000 == 99_999 {
            eprintln!("{} mutants: {counts:?}", number - first + 1);
        }
    }
    eprintln!(
        "{count} mutants from {first} on, of {} seeds: {} not made, {} not read, {} read, {} \
         translated, {findings} findings",
        seeds.len(),
        counts[0],
        counts[1],
        counts[2],
        counts[3]
    );
    if findings == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Does all that is done with a container. An error is a finding.
fn run(bytes: &[u8], random: &mut Random) -> Result<Outcome, String> {
    let _ = oracle::container(bytes);
    let is_valid = rules::validate(bytes, &rules::Options::default()).is_valid();
    let shader = match read_shader(bytes) {
        Ok(shader) => shader,
        Err(error) if error.category() == Category::Internal => return Err(error.to_string()),
        Err(error) if is_valid && error.code() != "limit" => {
            return Err(format!("valid, but {error}"));
        }
        Err(_) => return Ok(Outcome::Unread),
    };
    if random.below(4) == 0 {
        module_text(&shader.module, &Plain);
    }
    if random.below(4) == 0 {
        let _ = Kernel::decode(&shader, &dxil_cpu::Options::default());
    }
    let mut options = any_options(random);
    let chosen = shader
        .entry_points
        .get(random.below(shader.entry_points.len()));
    options.entry = chosen.map(|entry| entry.name.to_string());
    match translate(&shader, &options) {
        Ok(_) => Ok(Outcome::Translated),
        Err(error) if error.category() == Category::Internal => Err(error.to_string()),
        Err(_) => Ok(Outcome::Read),
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                collect(&path, found);
            }
        } else if path.extension().is_some_and(|end| end == "dxil") {
            found.push(path);
        }
    }
}
