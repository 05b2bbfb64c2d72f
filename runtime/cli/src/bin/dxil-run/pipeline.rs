//! `--pipeline`: runs a pipeline file, prints its buffers and what came of each rule.

use std::path::Path;
use std::sync::Arc;

use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_jit::files;
use dxil_jit::pipeline_file::{Pipeline, PipelineError, PipelineKind, PlannedJob};
use dxil_runtime::cache::Cache;
use dxil_runtime::program::{Program, spirv_words};
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Device, Error};

use crate::args::Args;
use crate::cache;
use crate::compile_options::compile_options;
use crate::failure::{Failure, Result};
use crate::options::BackendName;
use crate::progress::Progress;
use crate::stages::Stages;
use crate::verdicts;

impl From<PipelineError> for Failure {
    fn from(error: PipelineError) -> Self {
        match &error {
            PipelineError::Unsupported(_) => Failure::unsupported(error.to_string()),
            _ => Failure::malformed(error.to_string()),
        }
    }
}

/// Runs `file` with the shaders of the command line. An expectation that does not hold is a
/// failure.
pub(crate) fn run(args: &Args, file: &Path) -> Result<()> {
    for (given, option) in [(args.compare.is_some(), "--compare"), (args.json, "--json")] {
        if given {
            let message = format!("{option} goes with --pipeline only where --isa is there too");
            return Err(Failure::usage(message));
        }
    }
    let in_file = |error: PipelineError| Failure::from(error).in_file(file);
    let pipeline = read(args, file)?;
    for out in &args.out {
        verdicts::find_buffer(&pipeline, &pipeline.document.buffers, out)?;
    }
    if let Some(modules) = spirv_modules(args)? {
        let (planned, program) = pipeline.plan_spirv(&modules).map_err(in_file)?;
        let progress = Progress::start("opening the device");
        let cache = cache::open(args)?;
        let device = crate::opening::open_device(args, cache.as_ref())?;
        progress.say("running");
        let outcome = device.run(&program, &planned.job)?;
        progress.finish();
        return verdicts::show(args, file, &pipeline, &planned, &outcome);
    }
    if pipeline.kind == PipelineKind::RayTracing {
        return crate::libraries::run_file(args, file, &pipeline);
    }
    let (stages, planned) = plan(args, file, &pipeline)?;

    let progress = Progress::start("opening the device");
    let cache = cache::open(args)?;
    let device = crate::opening::open_device(args, cache.as_ref())?;
    planned.check(device.info().backend).map_err(in_file)?;
    progress.say("translating");
    let planned_with = (&pipeline, &planned);
    let program = compile(args, &stages, planned_with, (&*device, cache.as_ref()))?;
    crate::messages::warn(&program);
    progress.say("running");
    let run = device.run(&program, &planned.job);
    let outcome = run.map_err(|error| match error {
        Error::Unbound { register, what } => Failure::malformed(format!(
            "no resource of the file is bound to {register} ({what}), which the shader uses"
        ))
        .in_file(file),
        error => error.into(),
    })?;
    progress.finish();
    verdicts::show(args, file, &pipeline, &planned, &outcome)
}

/// Reads a pipeline file, for which the command line has shaders.
pub(crate) fn read(args: &Args, file: &Path) -> Result<Pipeline> {
    let text = files::read_to_string(file).map_err(|error| Failure::file(file, &error))?;
    let pipeline = Pipeline::parse(&text).map_err(|error| Failure::from(error).in_file(file))?;
    if args.shaders.is_empty() {
        return Err(no_shaders(&pipeline, file));
    }
    Ok(pipeline)
}

/// Reads the stages of a pipeline file that traces no rays, and plans its job.
pub(crate) fn plan(args: &Args, file: &Path, pipeline: &Pipeline) -> Result<(Stages, PlannedJob)> {
    let in_file = |error: PipelineError| Failure::from(error).in_file(file);
    let stages = Stages::read(args, &|kind| pipeline.class_instances(kind))?;
    let shaders: Vec<&Shader> = stages.shaders.iter().collect();
    let kinds: Vec<ShaderKind> = shaders.iter().map(|s| s.shader_model.kind).collect();
    pipeline.check_stages(&kinds).map_err(in_file)?;
    let planned = pipeline.plan(stages.root.as_ref(), &shaders);
    Ok((stages, planned.map_err(in_file)?))
}

/// Makes the program of such a file.
pub(crate) fn compile(
    args: &Args,
    stages: &Stages,
    (pipeline, planned): (&Pipeline, &PlannedJob),
    (device, cache): (&dyn Device, Option<&Arc<Cache>>),
) -> Result<Program> {
    let mut options = compile_options(args, device.profile());
    options.entry = entry(args, pipeline, &stages.shaders);
    options.debug_info = args.debug_info.is_some();
    options.cache = cache::cached(cache, &stages.sources);
    let mut profile = crate::opening::with_target(device.profile(), args);
    if planned.job.has_reserved_resources() {
        profile = profile.with_reserved_resources();
    }
    let formats = formats_of(&planned.job);
    let (shaders, root) = (
        stages.shaders.iter().collect::<Vec<_>>(),
        stages.root.as_ref(),
    );
    let program = Program::compile_stages(&shaders, root, &profile, &formats, &options);
    let mut program = program.map_err(|error| Failure::from(error).in_stage_of(&args.shaders))?;
    program.graphics.clone_from(&planned.graphics);
    Ok(program)
}

/// Returns the failure for a file that is in order, but was given no shaders to run.
fn no_shaders(pipeline: &Pipeline, file: &Path) -> Failure {
    let shaders = pipeline.document.shaders.iter();
    let stages: Vec<_> = shaders
        .map(|shader| format!("{:?} `{}`", shader.stage, shader.entry))
        .collect();
    let stages = stages.join(", ");
    Failure::usage(format!(
        "{} needs shaders (in this order: {stages}); give their files",
        file.display()
    ))
}

/// Returns the modules of the command line, if all its shaders are SPIR-V already.
fn spirv_modules(args: &Args) -> Result<Option<Vec<Vec<u32>>>> {
    let mut modules = Vec::with_capacity(args.shaders.len());
    for path in &args.shaders {
        let bytes = files::read(path).map_err(|error| Failure::file(path, &error))?;
        modules.extend(spirv_words(&bytes));
    }
    if modules.is_empty() {
        return Ok(None);
    }
    if modules.len() != args.shaders.len() {
        return Err(Failure::usage(
            "some of the shaders are SPIR-V and some are not; one pipeline takes one kind",
        ));
    }
    if args.backend() != BackendName::Vulkan {
        return Err(Failure::unsupported(
            "shaders that are SPIR-V already run on the vulkan backend only",
        ));
    }
    Ok(Some(modules))
}

/// Returns the entry point: the command line's, or in a library the file's.
fn entry(args: &Args, pipeline: &Pipeline, shaders: &[Shader]) -> Option<String> {
    let [shader] = shaders else {
        return args.entry.clone();
    };
    let is_library = shader.shader_model.kind == ShaderKind::Library;
    args.entry.clone().or_else(|| {
        let first = pipeline.document.shaders.first().filter(|_| is_library)?;
        Some(first.entry.clone())
    })
}
