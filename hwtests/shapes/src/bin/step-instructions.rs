//! `step-instructions STEP FILE...`: does one step with each container, so that a program that
//! counts instructions can watch it (`tests/instruction_counts.rs`).
//!
//! Steps: `open` reads the files only, `read` reads the shaders, `validate` checks the rules of
//! DXIL, `list` writes the listing, `native` and `portable` translate. Each but `open` and `list`
//! does nothing else with the bytes; those that translate read the shaders as well.

use std::hint::black_box;
use std::process::ExitCode;

use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::validate as rules;
use dxil_translate::{Features, Options, Style, Target, VulkanVersion, translate};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let step = arguments.next().and_then(|step| step.into_string().ok());
    let Some(step) = step else {
        return ExitCode::from(2);
    };
    for file in arguments {
        let Ok(bytes) = std::fs::read(file) else {
            return ExitCode::FAILURE;
        };
        if !run(&step, &bytes) {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Does a step; returns whether it could.
fn run(step: &str, bytes: &[u8]) -> bool {
    match step {
        "open" => true,
        "validate" => {
            black_box(rules::validate(bytes, &rules::Options::default()));
            true
        }
        "read" => read_shader(bytes).is_ok_and(|shader| {
            black_box(shader);
            true
        }),
        "list" => read_shader(bytes).is_ok_and(|shader| {
            black_box(module_text(&shader.module, &Plain));
            true
        }),
        "native" => is_translated(bytes, Style::Native),
        "portable" => is_translated(bytes, Style::Portable),
        _ => false,
    }
}

fn is_translated(bytes: &[u8], style: Style) -> bool {
    let mut options = Options::default();
    options.target = Target::new(VulkanVersion::V1_3, style, Features::all());
    read_shader(bytes).is_ok_and(|shader| match translate(&shader, &options) {
        Ok(translation) => {
            black_box(translation);
            true
        }
        Err(_) => false,
    })
}
