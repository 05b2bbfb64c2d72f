//! `shape-cost write DIR N...`: writes the containers of all families; those of DXIL in the
//! encodings `Plain`, `Literals` and `Narrow`.
//! `shape-cost measure N [FAMILY]...`: writes a row of a table for each family: bytes,
//! instructions, steps of the structurizer, words and peak memory, for both styles
//! (`bench/RESULTS.md`, "Bounds"). `shape-cost encoded N [FAMILY]...`: writes a row for each family
//! and encoding: bytes, and the peak memory of each step, less 32 MiB, for each byte. `shape-cost
//! run FILE STEP`: does one thing with a container, so that a program that counts instructions can
//! watch it (`tests/instructions.rs`).
//!
//! Steps: `nothing` reads the file only; `native` and `portable` translate, `list` writes the
//! listing, `validate` checks the rules of DXIL, `all` does all of these.

use std::path::Path;
use std::process::ExitCode;

use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::validate as rules;
use dxil_shapes::{Encoding, Family, all_families, container, encoded};
use dxil_translate::cfg::Cfg;
use dxil_translate::structurize;
use dxil_translate::{Options, Style, translate};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["write", folder, ref sizes @ ..] => {
            for size in sizes {
                let Ok(n) = size.parse() else {
                    return ExitCode::from(2);
                };
                for family in all_families() {
                    if write_all(Path::new(folder), family, n).is_err() {
                        return ExitCode::FAILURE;
                    }
                }
            }
        }
        ["measure", n, ref families @ ..] => {
            let Ok(n) = n.parse() else {
                return ExitCode::from(2);
            };
            for family in all_families() {
                let name = family.name();
                if families.is_empty() || families.contains(&&*name) {
                    measure(family, n);
                }
            }
        }
        ["encoded", n, ref families @ ..] => {
            let Ok(n) = n.parse() else {
                return ExitCode::from(2);
            };
            for family in all_families() {
                let name = family.name();
                if families.is_empty() || families.contains(&&*name) {
                    let bytes = container(family, n);
                    for encoding in SMALL_ENCODINGS {
                        let Some(bytes) = encoded(&bytes, encoding) else {
                            continue;
                        };
                        memory_of(&format!("{name} {n} {encoding:?}"), &bytes);
                    }
                }
            }
        }
        ["memory", ref files @ ..] => {
            for file in files {
                let Ok(bytes) = std::fs::read(file) else {
                    return ExitCode::FAILURE;
                };
                memory_of(file, &bytes);
            }
        }
        ["run", file, step] => {
            let Ok(bytes) = std::fs::read(file) else {
                return ExitCode::FAILURE;
            };
            if !do_step(&bytes, step) {
                return ExitCode::from(2);
            }
        }
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}

/// The encodings that differ in what a byte costs: the others take as much for each part, and more
/// bytes.
const SMALL_ENCODINGS: [Encoding; 3] = [Encoding::Plain, Encoding::Literals, Encoding::Narrow];

fn write_all(folder: &Path, family: Family, n: u32) -> std::io::Result<()> {
    let bytes = container(family, n);
    let name = family.name();
    let mut is_dxbc = true;
    for encoding in SMALL_ENCODINGS {
        if let Some(bytes) = encoded(&bytes, encoding) {
            is_dxbc = false;
            std::fs::write(folder.join(format!("{name}-{encoding:?}-{n}")), bytes)?;
        }
    }
    if is_dxbc {
        std::fs::write(folder.join(format!("{name}-{n}")), bytes)?;
    }
    Ok(())
}

/// The steps that take memory.
const STEPS: [&str; 6] = ["read", "native", "portable", "list", "validate", "decode"];

/// Writes a row with the memory of each step, and the outcome of reading and translating.
#[allow(clippy::print_stdout, reason = "what the program is for")]
fn memory_of(name: &str, bytes: &[u8]) {
    let outcome = match read_shader(bytes) {
        Ok(shader) => match translate(&shader, &Options::default()) {
            Ok(translation) => format!("{} words", translation.words.len()),
            Err(error) => error.code().to_owned(),
        },
        Err(error) => error.code().to_owned(),
    };
    let factors = STEPS.map(|step| {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        do_step(bytes, step);
        let peak = MEMORY.peak_usage().saturating_sub(before);
        let factor = peak.saturating_sub(32 << 20) as f64 / bytes.len().max(1) as f64;
        format!("{:.1} MiB {factor:.1}", peak as f64 / f64::from(1 << 20))
    });
    println!(
        "| {name} | {} | {outcome} | {} |",
        bytes.len(),
        factors.join(" | ")
    );
}

/// Does a step. Returns whether there is one of that name.
fn do_step(bytes: &[u8], step: &str) -> bool {
    match step {
        "nothing" => {}
        "read" => drop(read_shader(bytes)),
        "all" => {
            list(bytes);
            validate(bytes);
            run(bytes, Style::Native);
            run(bytes, Style::Portable);
        }
        "list" => list(bytes),
        "validate" => validate(bytes),
        "native" => run(bytes, Style::Native),
        "portable" => run(bytes, Style::Portable),
        "decode" => decode(bytes),
        _ => return false,
    }
    true
}

/// Maximum size of containers.
const LARGEST: usize = 400 << 20;

#[allow(clippy::print_stdout, reason = "what the program is for")]
fn measure(family: Family, n: u32) {
    // The cost of a tenth shows whether it fits.
    let name = family.name();
    if container(family, n / 10).len() > LARGEST / 10 {
        println!("| {name} | {n} | larger than 400 MiB |");
        return;
    }
    let bytes = container(family, n);
    for style in [Style::Native, Style::Portable] {
        let mut options = Options::default();
        options.target.style = style;
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let result = read_shader(&bytes).map(|shader| {
            let bodies = shader.module.bodies.iter();
            let instructions: usize = bodies.map(|body| body.insts.len()).sum();
            let outcome = match translate(&shader, &options) {
                Ok(translation) => translation.words.len().to_string(),
                Err(error) => error.code().to_owned(),
            };
            (instructions, outcome)
        });
        let peak = MEMORY.peak_usage().saturating_sub(before);
        let (instructions, outcome) = match result {
            Ok((instructions, outcome)) => (instructions.to_string(), outcome),
            Err(error) => ("".into(), error.code().to_owned()),
        };
        let steps = steps(&bytes, style).map_or(String::new(), |steps| steps.to_string());
        MEMORY.reset_peak_usage();
        validate(&bytes);
        let validation = MEMORY.peak_usage().saturating_sub(before);
        let mebibytes = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        // The bound of SECURITY.md: 32 MiB and a multiple of the container's bytes.
        let multiple = peak.saturating_sub(32 << 20) as f64 / bytes.len().max(1) as f64;
        println!(
            "| {name} | {style:?} | {n} | {} | {instructions} | {steps} | {outcome} | {:.1} | {multiple:.1} | {:.1} |",
            bytes.len(),
            mebibytes(peak),
            mebibytes(validation),
        );
    }
}

/// Returns the structurizer's steps for the entry point.
fn steps(bytes: &[u8], style: Style) -> Option<u64> {
    let shader = read_shader(bytes).ok()?;
    let entry = shader.entry_points.first()?.function?;
    let graph = Cfg::build(shader.view(entry)?).ok()?;
    let (_, steps) = structurize::run_counted(graph, style.control_flow()).ok()?;
    Some(steps)
}

fn list(bytes: &[u8]) {
    drop(read_shader(bytes).map(|shader| module_text(&shader.module, &Plain)));
}

fn validate(bytes: &[u8]) {
    drop(rules::validate(bytes, &rules::Options::default()));
}

fn run(bytes: &[u8], style: Style) {
    let mut options = Options::default();
    options.target.style = style;
    drop(read_shader(bytes).map(|shader| translate(&shader, &options)));
}

/// Decodes for execution on the CPU.
fn decode(bytes: &[u8]) {
    drop(
        read_shader(bytes)
            .map(|shader| dxil_cpu::Kernel::decode(&shader, &dxil_cpu::Options::default())),
    );
}
