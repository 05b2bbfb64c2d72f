//! Writes a State Object Database with as many compute pipelines as one likes, for measurements:
//! shaders of a folder in turn, each with a number in its private data (part PRIV), so that no two
//! are the same source.
//!
//! ```console
//! $ cargo run --release -p dxil-precompile --example synthetic_library -- 100000 hwtests/shaders big.sodb
//! ```

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command says what it did"
)]

use std::path::Path;
use std::process::ExitCode;

use dxil_frontend::FourCc;
use dxil_frontend::container::{Container, ContainerBuilder, Signing};
use dxil_frontend::dxil::{ShaderKind, read_shader};
use dxil_jit::paths::Found;
use dxil_precompile::error::Problem;
use dxil_precompile::library::{Blob, Pipeline, Shape};
use dxil_precompile::sodb::Writer;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [count, folder, out] = arguments.as_slice() else {
        eprintln!("usage: synthetic_library COUNT FOLDER OUT.sodb");
        return ExitCode::from(2);
    };
    let written = count
        .parse()
        .map_err(|error| Problem::malformed(format!("{count}: {error}")))
        .and_then(|count| write(count, Path::new(folder), Path::new(out)));
    match written {
        Ok(bytes) => {
            println!("{count} pipelines with {bytes} bytes of shaders in {out}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("synthetic_library: {problem}");
            problem.exit.into()
        }
    }
}

/// Writes the database. Returns the bytes of all shaders.
fn write(count: u64, folder: &Path, out: &Path) -> Result<u64, Problem> {
    let shaders = compute_shaders(folder)?;
    if shaders.is_empty() {
        return Err(Problem::mismatch("the folder has no compute shader"));
    }
    let mut writer = Writer::create(out, "synthetic.exe", "synthetic")?;
    let mut bytes = 0;
    for (seed, shader) in (0..count).zip(shaders.iter().cycle()) {
        let mut builder = ContainerBuilder::of(&Container::parse(shader)?);
        builder.set(FourCc::PRIV, seed.to_le_bytes().to_vec());
        let container = builder.build(Signing::Digest)?;
        bytes += container.len() as u64;
        writer.add(&Pipeline {
            name: format!("synthetic {seed}"),
            root: None,
            shape: Shape::Stages {
                shaders: vec![Blob::from(container)],
                draw: None,
            },
        })?;
    }
    writer.finish()?;
    Ok(bytes)
}

/// Returns the compute shaders below a folder, by path.
fn compute_shaders(folder: &Path) -> Result<Vec<Vec<u8>>, Problem> {
    let mut found = Found::new(&["dxil"]);
    found
        .add(folder)
        .map_err(|problem| Problem::new(problem.exit, &problem.message).at(folder.display()))?;
    let mut shaders = Vec::new();
    for file in found.files {
        let bytes = std::fs::read(&file.path).map_err(|error| Problem::file(&file.path, &error))?;
        let is_compute = |kind| kind == ShaderKind::Compute;
        if read_shader(&bytes).is_ok_and(|shader| is_compute(shader.shader_model.kind)) {
            shaders.push(bytes);
        }
    }
    Ok(shaders)
}
