//! `dxil-run`: runs a DXIL shader on a device and shows what it computed.

#![allow(
    rustdoc::broken_intra_doc_links,
    rustdoc::invalid_html_tags,
    reason = "the comments of arguments are help texts, not Markdown"
)]
#![allow(
    clippy::print_stdout,
    reason = "this is the command line tool: printing is its work"
)]

mod args;
mod bind_points;
mod cache;
mod camera;
mod cells;
mod compare;
mod compile_options;
mod compiler_output;
mod constants;
mod contents;
mod debug;
mod differences;
mod draw;
mod emit;
mod entries;
mod expected;
mod failure;
mod file_kind;
mod findings;
mod graph;
mod handles;
mod heap;
mod help;
mod hlsl;
mod includes;
mod inputs;
mod isa;
mod job;
mod libraries;
mod linking;
mod messages;
mod mips;
mod names;
mod no_effect;
mod opening;
mod options;
mod output;
mod parse;
mod pictures;
mod pipeline;
mod planned;
mod progress;
mod report;
mod report_json;
mod root_signature;
mod run;
mod scene;
mod several;
mod significance;
mod slang;
mod source;
mod spirv_module;
mod spirv_run;
mod spirv_samplers;
mod spirv_types;
mod stage_program;
mod stage_run;
mod stages;
mod storage;
mod style;
mod table_indices;
mod texture_levels;
mod times;
mod typed;
mod verdicts;
mod vertex_outputs;
mod vertices;
mod watch;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::debug::Sources;
use dxil_frontend::escape::message;
use dxil_jit::exit::Exit;
use dxil_jit::files;
use dxil_jit::process_exit::exit_now;
use dxil_runtime::cache::SourceHash;
use dxil_runtime::graphics::GraphicsState;
use dxil_runtime::job::Work;

use args::Args;
use entries::{check_entry, must_be_dispatched};
use failure::{Context, Failure, Result};
use linking::Linked;
use messages::{warn_of_nothing, write_stdout};
use options::{BackendName, Target};
use run::Ran;
use stage_program::{compile_stages, plan_draw};
use stages::Stages;

fn main() -> ExitCode {
    dxil_runtime::isa::serve_if_worker();
    let given = Args::command().get_matches();
    let args = Args::from_arg_matches(&given)
        .unwrap_or_else(|error| error.format(&mut Args::command()).exit());
    // Warnings of the library are shown; RUST_LOG asks for more.
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
    let outcome = no_effect::refuse_of_runs(&args, &given).and_then(|()| {
        if several::is_asked_for(&args) {
            return several::run(&args, once);
        }
        if args.watch {
            watch::run(&args, once);
        }
        once(&args).map(|()| Exit::Done)
    });
    match outcome {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        // As below.
        Ok(exit) => exit_now(exit.code()),
        Err(failure) => {
            failure.print();
            // A submission that never ends keeps driver threads busy: the process ends without
            // joining them.
            exit_now(failure.exit().code())
        }
    }
}

/// Does what the command line says. A dispatch of groups, of rays or of a graph, a draw and a
/// pipeline file run on the CPU where there is no device.
fn once(args: &Args) -> Result<()> {
    let outcome = failure::guarded(|| run(args));
    match outcome {
        Err(failure) if failure.is_no_device() && may_run_on_cpu(args) => {
            let line = "no Vulkan device: running on the CPU\n";
            drop(std::io::stderr().write_all(line.as_bytes()));
            // The first attempt has already written what --emit asks for.
            let args = Args {
                backend: Some(BackendName::Cpu),
                emit: None,
                output: None,
                ..args.clone()
            };
            failure::guarded(|| run(&args))
        }
        outcome => source::located(args, outcome, run),
    }
}

/// Returns whether the CPU backend may stand in for a Vulkan device.
fn may_run_on_cpu(args: &Args) -> bool {
    let needs_device = args
        .shaders
        .first()
        .is_some_and(|file| spirv_module::is_spirv_file(file));
    // Only where the user chose neither a backend nor a device: results must not come from
    // elsewhere silently.
    let runs = args.dispatch.is_some()
        || args.rays.is_some()
        || args.graph
        || args.pipeline.is_some()
        || args.draw.is_some()
        || args.vertices.is_some();
    runs && args.backend.is_none() && args.device == 0 && !needs_device
}

fn run(args: &Args) -> Result<()> {
    match args.pages.print(Args::command()) {
        Ok(true) => return Ok(()),
        Ok(false) => {}
        Err(error) => return Err(Failure::file(Path::new("standard output"), &error)),
    }
    if !args.check.is_empty() && args.backend() != BackendName::Cpu {
        return Err(Failure::usage(
            "--check runs on the CPU: leave --backend out",
        ));
    }
    if matches!(
        args.target,
        Some(Target::Gpu(_) | Target::File(_) | Target::WebGpu)
    ) && (args.emit.is_none() || args.dispatch.is_some())
    {
        return Err(Failure::usage(
            "--target of a device is for --emit alone: what runs is made for the device that runs it",
        ));
    }
    if let Some(port) = args.debug_adapter {
        return debug::serve(port);
    }
    if args.debug.is_some() {
        return debug::in_terminal(args);
    }
    if args.trace.is_some() {
        return debug::trace(args);
    }
    if args.list_devices {
        return opening::list_devices();
    }
    if !args.isa.is_empty() {
        return isa::run(args);
    }
    if let Some(file) = &args.pipeline {
        return pipeline::run(args, file);
    }
    if args.graph {
        return graph::run(args);
    }
    if let Some(with) = &args.compare {
        return compare::run(args, with, perform);
    }
    match perform(args)? {
        Some(ran) => ran.finish(),
        None => Ok(()),
    }
}

/// Runs what the command line says: a draw, rays or a dispatch. Returns `None` where it only asks
/// for code, which is written.
fn perform(args: &Args) -> Result<Option<Ran>> {
    if let Some(module) = spirv_module::SpirvModule::of_arguments(args)? {
        return spirv_run::run(args, module).map(Some);
    }
    if let Some(call) = draw::call(args)? {
        return draw_job(args, call).map(Some);
    }
    if let Some(size) = args.rays {
        return libraries::run_rays(args, size).map(Some);
    }
    let Linked {
        path,
        root,
        shader,
        reflection,
        source,
    } = Linked::read(args)?;
    let reflections = [reflection];
    // Names are resolved before anything else looks at the command line: from here on there are
    // registers.
    let args = &names::resolve(args, &reflections)?;
    check_entry(args, std::iter::once((path, &shader)))?;
    if args.dispatch.is_none() && args.emit.is_none() {
        return Err(Failure::usage(
            "nothing to do: give --dispatch X,Y,Z, --draw N, --rays W,H, --graph or --pipeline FILE to run something, or --emit LANGUAGE to translate",
        ));
    }
    if let Some(language) = args.emit {
        let [reflection] = &reflections;
        let emitted = emit::emit(language, &shader, reflection, root.as_ref(), args);
        let emit::Emitted { code, reflection } = emitted.context(path)?;
        if let (Some(file), Some(text)) = (&args.reflect, reflection) {
            files::write(file, text.as_bytes()).map_err(|error| Failure::file(file, &error))?;
        }
        match &args.output {
            Some(file) => files::write(file, &code).map_err(|error| Failure::file(file, &error))?,
            None => write_stdout(&code)?,
        }
    }
    let Some(groups) = args.dispatch else {
        return Ok(None);
    };
    warn_of_nothing("--dispatch", &groups);
    must_be_dispatched(&shader, args.entry.as_deref())?;
    let shaders = [shader];
    let mut planned = job::plan(&shaders, &reflections, root.as_ref(), args, groups)?;
    if let Some((arguments, _)) = draw::indirect(&mut planned, args)? {
        let offset = 0;
        planned.job.work = Work::DispatchIndirect { arguments, offset };
    }
    execute(
        args,
        &[path.to_path_buf()],
        &shaders,
        &[source],
        root.as_ref(),
        planned,
        None,
    )
    .map(Some)
}

fn draw_job(args: &Args, call: [u32; 2]) -> Result<Ran> {
    let stages = Stages::read(args, &|_| &[])?;
    let args = &names::resolve(args, &stages.reflections)?;
    let (planned, state) = plan_draw(args, &stages, call)?;
    execute(
        args,
        &args.shaders,
        &stages.shaders,
        &stages.sources,
        stages.root.as_ref(),
        planned,
        Some(state),
    )
}

fn execute(
    args: &Args,
    files: &[PathBuf],
    shaders: &[Shader],
    sources: &[SourceHash],
    root: Option<&RootSignature>,
    planned: planned::Planned,
    graphics: Option<GraphicsState>,
) -> Result<Ran> {
    let ran = run::perform(args, planned, |profile, job, cache| {
        let of = (profile, job, cache);
        compile_stages(args, (files, shaders, sources), root, of, graphics)
    });
    let mut ran = ran?;
    // Only findings show the source.
    if !ran.outcome.findings.is_empty() {
        let all = shaders
            .iter()
            .map(|shader| Sources::of_module(&shader.module));
        ran.sources.files = all.flat_map(|sources| sources.files).collect();
    }
    Ok(ran)
}
