//! `--pipeline`: runs a pipeline file, prints its buffers and what came of each rule.

use std::path::Path;

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_runtime::device;
use dxil_runtime::pipeline_file::{Pipeline, PipelineError, Report};
use dxil_runtime::program::{CompileOptions, Program};
use dxil_runtime::root_signature::{RootDescriptors, formats_of};

use crate::args::Args;
use crate::failure::{Context, Failure, Result};
use crate::progress::Progress;

impl From<PipelineError> for Failure {
    fn from(error: PipelineError) -> Self {
        match &error {
            PipelineError::Unsupported(_) => Failure::unsupported(error.to_string()),
            _ => Failure::malformed(error.to_string()),
        }
    }
}

/// Runs `file` with the shader at `path`. An expectation that does not hold is a failure.
pub(crate) fn run(
    args: &Args,
    file: &Path,
    path: &Path,
    shader: &Shader,
    root: Option<&RootSignature>,
) -> Result<()> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::job(format!("{}: {error}", file.display())))?;
    let pipeline = Pipeline::parse(&text).context(file)?;
    let planned = pipeline.plan(root).context(file)?;

    let progress = Progress::start("opening the device");
    let device = device::open(&crate::open_options(args))?;
    progress.say("translating");
    let options = CompileOptions {
        entry: entry(args, &pipeline, shader),
        debug_info: false,
        root_descriptors: if args.root_addresses {
            RootDescriptors::Addresses
        } else {
            RootDescriptors::Bindings
        },
        ..CompileOptions::default()
    };
    let profile = crate::with_target(device.profile(), args);
    let formats = formats_of(&planned.job);
    let program = Program::compile(shader, root, &profile, &formats, &options).context(path)?;
    progress.say("running");
    let outcome = device.run(&program, &planned.job)?;
    progress.finish();

    let buffers = planned.buffers(&pipeline, &outcome);
    let verdicts = pipeline.check(&buffers)?;
    let report = Report {
        buffers: &buffers,
        verdicts: &verdicts,
    };
    crate::write_stdout(report.to_string().as_bytes())?;
    let failed = verdicts.iter().filter(|verdict| !verdict.holds()).count();
    match failed {
        0 => Ok(()),
        _ => Err(Failure::job(format!(
            "{failed} of {} expectations of {} do not hold",
            verdicts.len(),
            file.display()
        ))),
    }
}

/// The entry point: the command line's, or in a library the file's.
fn entry(args: &Args, pipeline: &Pipeline, shader: &Shader) -> Option<String> {
    let is_library = shader.shader_model.kind == ShaderKind::Library;
    args.entry.clone().or_else(|| {
        let first = pipeline.document.shaders.first().filter(|_| is_library)?;
        Some(first.entry.clone())
    })
}
