//! `dxil-run`: runs a DXIL shader on a device and shows what it computed.

#![allow(
    clippy::print_stdout,
    reason = "this is the command line tool: printing is its work"
)]

mod args;
mod cache;
mod cells;
mod contents;
mod draw;
mod emit;
mod failure;
mod file_kind;
mod graph;
mod heap;
mod job;
mod libraries;
mod linking;
mod messages;
mod opening;
mod output;
mod pipeline;
mod places;
mod planned;
mod progress;
mod report;
mod root_signature;
mod run;
mod scene;
mod source;
mod stages;
mod storage;
mod style;
mod times;
mod verdicts;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::shown::message;
use dxil_jit::files;
use dxil_jit::leave::leave;
use dxil_runtime::Program;
use dxil_runtime::cache::SourceHash;
use dxil_runtime::graphics::GraphicsState;
use dxil_runtime::job::Work;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::{RootDescriptors, formats_of};
use dxil_translate::RasterSamples;

use args::{Args, BackendName};
use failure::{Context, Failure, Result};
use linking::Linked;
use messages::write_stdout;
use stages::Stages;

fn main() -> ExitCode {
    let args = Args::parse();
    // What the library warns of; RUST_LOG asks for more.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .format(|out, record| {
            writeln!(
                out,
                "{}: {}",
                record.level().as_str().to_lowercase(),
                message(&record.args().to_string())
            )
        })
        .init();
    let outcome = failure::guarded(|| run(&args));
    let outcome = match outcome {
        Err(failure) if failure.is_no_device() && may_run_on_cpu(&args) => {
            let line = "no Vulkan device: running on the CPU\n";
            drop(std::io::stderr().write_all(line.as_bytes()));
            // What --emit asks for is written already.
            let args = Args {
                backend: Some(BackendName::Cpu),
                emit: None,
                output: None,
                ..args.clone()
            };
            failure::guarded(|| run(&args))
        }
        outcome => source::located(&args, outcome, run),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            // A submission that never ends keeps driver threads busy; leave without joining them.
            leave(failure.code())
        }
    }
}

/// Whether the CPU backend may stand in for a Vulkan device.
fn may_run_on_cpu(args: &Args) -> bool {
    args.dispatch.is_some() && args.backend.is_none() && args.device == 0
}

fn run(args: &Args) -> Result<()> {
    if let Some(shell) = args.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "dxil-run", &mut script);
        return write_stdout(&script);
    }
    if !args.check.is_empty() && args.backend() != BackendName::Cpu {
        return Err(Failure::usage(
            "--check runs on the CPU: leave --backend out",
        ));
    }
    if args.list_devices {
        return opening::list_devices();
    }
    if let Some(file) = &args.pipeline {
        return pipeline::run(args, file);
    }
    if let Some(call) = args.draw {
        return draw_job(args, call);
    }
    if let Some(size) = args.rays {
        return libraries::run_rays(args, size);
    }
    if args.graph {
        return graph::run(args);
    }
    let Linked {
        path,
        root,
        shader,
        named,
        source,
    } = Linked::read(args)?;
    if args.dispatch.is_none() && args.emit.is_none() {
        return Err(Failure::usage(
            "nothing to do: say how many thread groups to run with --dispatch X,Y,Z, how many rays with --rays W,H, the work graph with --graph, what to run and check with --pipeline FILE, or what to write with --emit LANGUAGE",
        ));
    }
    if let Some(language) = args.emit {
        let code = emit::emit(language, &shader, root.as_ref(), args).context(path)?;
        match &args.output {
            Some(file) => files::write(file, &code)
                .map_err(|error| Failure::job(format!("{}: {error}", file.display())))?,
            None => write_stdout(&code)?,
        }
    }
    match args.dispatch {
        Some(groups) => {
            must_be_dispatched(&shader, args.entry.as_deref())?;
            let shaders = [shader];
            let mut planned = job::plan(&shaders, &[named], root.as_ref(), args, groups)?;
            if let Some((arguments, _)) = draw::indirect(&mut planned, args)? {
                let offset = 0;
                planned.job.work = Work::DispatchIndirect { arguments, offset };
            }
            execute(
                args,
                path,
                &shaders,
                &[source],
                root.as_ref(),
                planned,
                None,
            )
        }
        None => Ok(()),
    }
}

/// Refuses shaders that run in another way than by a dispatch of groups.
fn must_be_dispatched(shader: &Shader, entry: Option<&str>) -> Result<()> {
    let kind = match entry {
        Some(name) => shader.entry_point(name).map(|entry| entry.kind),
        None => Some(shader.shader_model.kind),
    };
    use ShaderKind as K;
    match kind {
        // What no entry point is called, or which of several is meant, the translator says.
        None | Some(K::Compute | K::Library) => Ok(()),
        Some(K::Node) => Err(Failure::usage(
            "a node of a work graph runs with the whole of its graph: --graph",
        )),
        Some(
            K::RayGeneration | K::Intersection | K::AnyHit | K::ClosestHit | K::Miss | K::Callable,
        ) => Err(Failure::usage(
            "a ray tracing shader runs with the whole of its library: --rays W,H",
        )),
        Some(
            K::Vertex | K::Hull | K::Domain | K::Geometry | K::Pixel | K::Mesh | K::Amplification,
        ) => Err(Failure::usage(
            "a shader of a graphics pipeline runs in a draw, with its other stages: --draw N vs.dxil ps.dxil",
        )),
    }
}

fn draw_job(args: &Args, call: [u32; 2]) -> Result<()> {
    let Stages {
        shaders,
        named,
        sources,
        root,
    } = Stages::read(args)?;
    let mut planned = job::plan(&shaders, &named, root.as_ref(), args, [1; 3])?;
    let state = draw::plan(&mut planned, &shaders, args, call)?;
    let path = args.shaders.first().map_or(Path::new(""), |path| path);
    execute(
        args,
        path,
        &shaders,
        &sources,
        root.as_ref(),
        planned,
        Some(state),
    )
}

fn execute(
    args: &Args,
    path: &Path,
    shaders: &[Shader],
    sources: &[SourceHash],
    root: Option<&RootSignature>,
    planned: planned::Planned,
    graphics: Option<GraphicsState>,
) -> Result<()> {
    run::run_planned(args, planned, |profile, job, cache| {
        let mut options = CompileOptions::default();
        options.entry = args.entry.clone();
        options.timings = args.stats;
        options.debug_info = args.debug_info.is_some();
        options.source = source::kept_for(args, profile);
        options.native_min_precision = args.native_min_precision;
        options.root_descriptors = if args.root_addresses {
            RootDescriptors::Addresses
        } else {
            RootDescriptors::Bindings
        };
        options.signature.raster_samples =
            RasterSamples::Constant(graphics.as_ref().map_or(1, |g| g.samples));
        options.cache = cache::cached(cache, sources);
        let stages: Vec<&Shader> = shaders.iter().collect();
        let formats = formats_of(job);
        let program = Program::compile_stages(&stages, root, profile, &formats, &options);
        let mut program = program.context(path)?;
        program.graphics = graphics;
        Ok(program)
    })
}
