//! `shape-cost write DIR N...`: writes the containers of all families.
//! `shape-cost measure N [FAMILY]...`: writes a row of a table for each family: bytes, instructions,
//! steps of the structurizer, words and peak memory, for both styles (`bench/RESULTS.md`,
//! "Bounds").
//! `shape-cost run FILE STEP`: does one thing with a container, so that a program that counts
//! instructions can watch it (`tests/instructions.rs`).
//!
//! Steps: `nothing` reads the file only; `native` and `portable` translate, `list` writes the
//! listing, `validate` checks the rules of DXIL, `all` does all of these.

use std::path::Path;
use std::process::ExitCode;

use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::validate as rules;
use dxil_shapes::{Family, all_families, container};
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
                    let path = Path::new(folder).join(format!("{}-{n}", family.name()));
                    if std::fs::write(path, container(family, n)).is_err() {
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
        ["run", file, step] => {
            let Ok(bytes) = std::fs::read(file) else {
                return ExitCode::FAILURE;
            };
            match step {
                "nothing" => {}
                "all" => {
                    list(&bytes);
                    validate(&bytes);
                    run(&bytes, Style::Native);
                    run(&bytes, Style::Portable);
                }
                "list" => list(&bytes),
                "validate" => validate(&bytes),
                "native" => run(&bytes, Style::Native),
                "portable" => run(&bytes, Style::Portable),
                _ => return ExitCode::from(2),
            }
        }
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
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
