//! The table of languages says how many of the checked-in shaders reach each of them.
//!
//! Every checked-in compute, vertex and pixel shader is translated in the portable style and
//! written in each language that naga knows; WGSL is also read again and validated by the writer.
//! Every other program must be refused as unsupported, with a reason. `BLESS=1` rewrites the table;
//! `--nocapture` shows every refusal.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise and shows what it has seen"
)]

use std::collections::BTreeMap;
use std::path::Path;

use dxil_checkout::{assert_coverage_table, shaders};
use dxil_frontend::container::{Container, RootSignature};
use dxil_frontend::dxil::{Shader, ShaderKind, read_shader};
use dxil_runtime::language::{self, Language, PortableModule};
use dxil_runtime::program::{CompileOptions, Program, ShaderCode};
use dxil_runtime::{Error, Result};
use dxil_translate::{Category, VulkanVersion};

/// The least part of the shaders that each language must take.
const MIN_PERCENT: usize = 85;

const STAGES: [ShaderKind; 3] = [ShaderKind::Compute, ShaderKind::Vertex, ShaderKind::Pixel];

/// Returns the stage of a shader, and its text in each language or the reason why there is none.
fn write_all(path: &Path) -> Option<(ShaderKind, [Result<String>; 4])> {
    let bytes = std::fs::read(path).unwrap();
    // Containers without a shader (a root signature alone) are the frontend's own tests' matter.
    let shader = read_shader(&bytes).ok()?;
    let kind = shader.shader_model.kind;
    if !STAGES.contains(&kind) || traces_rays(&shader) {
        return None;
    }
    let root = Container::parse(&bytes).unwrap().root_signature().unwrap();
    let texts = Language::ALL.map(|language| {
        let text = write(&shader, root.as_ref(), language);
        if let Err(error) = &text {
            assert_is_refusal(path, error);
        }
        text
    });
    Some((kind, texts))
}

/// Returns whether a shader has ray queries, which naga's SPIR-V front end lacks.
fn traces_rays(shader: &Shader) -> bool {
    let mut names = shader.module.functions.values().map(|decl| &*decl.name);
    names.any(|name| name.starts_with("dx.op.allocateRayQuery"))
}

fn write(shader: &Shader, root: Option<&RootSignature>, language: Language) -> Result<String> {
    let profile = language::profile(VulkanVersion::V1_3, language);
    let options = CompileOptions::default();
    let program = Program::compile(shader, root, &profile, &|_| None, &options)?;
    let stage = program.stages.first().expect("one stage");
    let ShaderCode::SpirV(words) = &stage.code else {
        panic!("code that is not SPIR-V");
    };
    PortableModule::read(words)?.write(language, stage.kind, &stage.entry)
}

/// Asserts that a refusal is typed: nothing is malformed, nothing is our own bug, and naga never
/// panics.
fn assert_is_refusal(path: &Path, error: &Error) {
    match error {
        Error::Translate(error) => {
            assert_eq!(
                error.category(),
                Category::Unsupported,
                "{}: {error}",
                path.display()
            );
        }
        Error::Language { who, reason } => {
            let panicked = reason.starts_with("it panicked");
            assert!(!panicked, "{}: {who}: {reason}", path.display());
        }
        Error::Unsupported(_) | Error::Limit { .. } => {}
        other => panic!("{}: {other}", path.display()),
    }
}

#[test]
fn the_table_of_languages_is_true() {
    // (stage, language) -> texts; stage -> shaders
    let mut written: BTreeMap<(ShaderKind, usize), usize> = BTreeMap::new();
    let mut all: BTreeMap<ShaderKind, usize> = BTreeMap::new();
    for path in shaders() {
        let Some((kind, texts)) = write_all(&path) else {
            continue;
        };
        *all.entry(kind).or_default() += 1;
        for (index, text) in texts.iter().enumerate() {
            match text {
                Ok(_) => *written.entry((kind, index)).or_default() += 1,
                Err(error) => println!(
                    "{}: {}: {error}",
                    path.display(),
                    Language::ALL[index].name()
                ),
            }
        }
    }
    let mut table = String::from("| Language |");
    for kind in STAGES {
        table += &format!(" {kind:?} |");
    }
    table += " All |\n|---|";
    table += &"---:|".repeat(STAGES.len() + 1);
    table += "\n";
    let total: usize = all.values().sum();
    for (index, language) in Language::ALL.into_iter().enumerate() {
        let mut sum = 0;
        table += &format!("| {} |", language.name());
        for kind in STAGES {
            let count = written.get(&(kind, index)).copied().unwrap_or(0);
            sum += count;
            table += &format!(" {count} of {} |", all.get(&kind).copied().unwrap_or(0));
        }
        table += &format!(" {} % |\n", sum * 100 / total);
        println!("{}: {sum} of {total}", language.name());
        assert!(
            sum * 100 >= total * MIN_PERCENT,
            "{} takes {sum} of {total} shaders",
            language.name()
        );
    }
    assert_coverage_table("languages", &table);
}
