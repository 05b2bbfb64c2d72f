//! The program of a draw's stages, or of a compute shader, and the plan of a draw.

use std::path::PathBuf;
use std::sync::Arc;

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::Shader;
use dxil_runtime::cache::{Cache, SourceHash};
use dxil_runtime::graphics::GraphicsState;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Job, Profile, Program};
use dxil_translate::RasterSamples;

use crate::args::Args;
use crate::compile_options::compile_options;
use crate::entries::check_entry;
use crate::failure::{Failure, Result};
use crate::messages::warn_of_nothing;
use crate::planned::Planned;
use crate::stages::Stages;
use crate::{cache, draw, job, stage_run, vertex_outputs};

/// Plans a draw.
pub(crate) fn plan_draw(
    args: &Args,
    stages: &Stages,
    call: [u32; 2],
) -> Result<(Planned, GraphicsState)> {
    let Stages {
        shaders,
        reflections,
        root,
        ..
    } = stages;
    let paths = args.shaders.iter().map(PathBuf::as_path);
    check_entry(args, paths.zip(shaders))?;
    let mut planned = job::plan(shaders, reflections, root.as_ref(), args, [1; 3])?;
    warn_of_nothing("--draw", &call);
    let state = match stage_run::stages(shaders, args)? {
        Some(entries) => stage_run::plan(&mut planned, shaders, &entries, args, call)?,
        None => draw::plan(&mut planned, shaders, args, call)?,
    };
    Ok((planned, state))
}

/// Translates or decodes stages.
pub(crate) fn compile_stages(
    args: &Args,
    (files, shaders, sources): (&[PathBuf], &[Shader], &[SourceHash]),
    root: Option<&RootSignature>,
    (profile, job, cache): (&Profile, &Job, Option<&Arc<Cache>>),
    graphics: Option<GraphicsState>,
) -> Result<Program> {
    let mut options = compile_options(args, profile);
    options.entry = args.entry.clone();
    options.timings = args.stats;
    options.debug_info = args.debug_info.is_some();
    options.signature.raster_samples =
        RasterSamples::Constant(graphics.as_ref().map_or(1, |g| g.samples));
    vertex_outputs::capture(&mut options.signature, job, shaders);
    options.cache = cache::cached(cache, sources);
    let stages: Vec<&Shader> = shaders.iter().collect();
    let formats = formats_of(job);
    let program = Program::compile_stages(&stages, root, profile, &formats, &options);
    let mut program = program.map_err(|error| Failure::from(error).in_stage_of(files))?;
    program.graphics = graphics;
    Ok(program)
}
