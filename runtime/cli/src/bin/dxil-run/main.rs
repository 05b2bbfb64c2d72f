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
mod graph;
mod heap;
mod job;
mod libraries;
mod linking;
mod output;
mod pipeline;
mod planned;
mod progress;
mod report;
mod scene;
mod source;
mod storage;
mod style;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::{CommandFactory, Parser};
use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::shown::message;
use dxil_jit::files;
use dxil_jit::leave::leave;
use dxil_runtime::Program;
use dxil_runtime::cache::{Cache, SourceHash};
use dxil_runtime::device::{self, Backend, Device, OpenOptions, Profile};
use dxil_runtime::graphics::GraphicsState;
use dxil_runtime::job::{Job, Timing, Work};
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::{RootDescriptors, formats_of, parse_text};
use dxil_translate::{RasterSamples, SignatureOptions};

use args::Args;
use failure::{Context, Failure, Result};
use linking::Linked;
use progress::Progress;
use source::ShaderFile;

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
    match source::located(&args, failure::guarded(|| run(&args))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            // A submission that never ends keeps driver threads busy; leave without joining them.
            leave(failure.code())
        }
    }
}

fn run(args: &Args) -> Result<()> {
    if let Some(shell) = args.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "dxil-run", &mut script);
        return write_stdout(&script);
    }
    if args.list_devices {
        return list_devices();
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

/// The shaders of the command line.
struct Stages {
    shaders: Vec<Shader>,
    /// The modules with the names of the source, where the container has them.
    named: Vec<Option<Shader>>,
    /// What the cache knows them by.
    sources: Vec<SourceHash>,
    /// The command line's root signature, or else the first that a stage has.
    root: Option<RootSignature>,
}

impl Stages {
    fn read(args: &Args) -> Result<Stages> {
        let mut stages = Stages {
            shaders: Vec::with_capacity(args.shaders.len()),
            named: Vec::with_capacity(args.shaders.len()),
            sources: Vec::with_capacity(args.shaders.len()),
            root: None,
        };
        for path in &args.shaders {
            let bytes = source::file(path)?;
            let file = ShaderFile::open(&bytes).context(path)?;
            stages.shaders.push(file.shader(args).context(path)?);
            stages.named.push(file.reflection());
            stages.sources.push(SourceHash::of(&bytes));
            if stages.root.is_none() {
                stages.root = root_signature(args, path, &file)?;
            }
        }
        Ok(stages)
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
    let is_dispatch = graphics.is_none();
    run_planned(args, planned, is_dispatch, |profile, job, cache| {
        let options = CompileOptions {
            entry: args.entry.clone(),
            timings: args.stats,
            debug_info: args.debug_info.is_some(),
            source: source::kept_for(args, profile),
            native_min_precision: args.native_min_precision,
            root_descriptors: if args.root_addresses {
                RootDescriptors::Addresses
            } else {
                RootDescriptors::Bindings
            },
            signature: {
                let mut signature = SignatureOptions::default();
                signature.raster_samples =
                    RasterSamples::Constant(graphics.as_ref().map_or(1, |g| g.samples));
                signature
            },
            cache: cache::cached(cache, sources),
        };
        let stages: Vec<&Shader> = shaders.iter().collect();
        let formats = formats_of(job);
        let program = Program::compile_stages(&stages, root, profile, &formats, &options);
        let mut program = program.context(path)?;
        program.graphics = graphics;
        Ok(program)
    })
}

/// Runs a job with the program that `compile` makes for the device, and reports.
fn run_planned(
    args: &Args,
    planned: planned::Planned,
    is_dispatch: bool,
    compile: impl FnOnce(&Profile, &Job, Option<&Arc<Cache>>) -> Result<Program>,
) -> Result<()> {
    let outs = output::resolve(&args.out, &planned.views)?;
    let style = style::Style::for_stdout();
    let progress = Progress::start("opening the device");
    let cache = cache::open(args)?;
    let device = open_device(args, cache.as_ref(), is_dispatch)?;
    let mut job = planned.job;
    if let Some(iterations) = args.time {
        job.timing = Some(Timing {
            warm_up: (iterations / 10).clamp(1, 10),
            iterations,
        });
    }

    progress.say("translating");
    let profile = with_target(device.profile(), args);
    let start = Instant::now();
    let program = compile(&profile, &job, cache.as_ref())?;
    warn(&program);
    heap::check(args, &[&program], &job)?;
    let translated = start.elapsed();

    progress.say("creating the pipeline");
    let start = Instant::now();
    let pipeline = device.prepare(&program)?;
    let prepared = start.elapsed();

    progress.say(if args.time.is_some() {
        "running and timing"
    } else {
        "running"
    });
    let outcome = pipeline.run(&job)?;
    progress.finish();

    let report = report::Report {
        style,
        device: device.info(),
        subject: report::Subject::Program(&program),
        job: &job,
        outcome: &outcome,
        views: &planned.views,
        translated,
        prepared: Some(prepared),
        rows: args.rows,
        stats: args.stats,
        timed: args.time.is_some(),
        cache: cache.map(|cache| cache.statistics()),
    };
    write_stdout(report.render().as_bytes())?;
    output::write(&outs, &job, &outcome)
}

/// Says on standard error what the translation had to drop.
pub(crate) fn warn(program: &Program) {
    let style = style::Style::for_stderr();
    for warning in program.stages.iter().flat_map(|stage| &stage.warnings) {
        say_warning(style, warning);
    }
}

fn say_warning(style: style::Style, warning: &impl std::fmt::Display) {
    let warning = message(&warning.to_string());
    let line = format!("{} {warning}\n", style.error("warning:"));
    drop(std::io::stderr().write_all(line.as_bytes()));
}

/// The device that is asked for. A dispatch with no wish for a backend runs on the CPU where there
/// is no Vulkan device.
fn open_device(
    args: &Args,
    cache: Option<&Arc<Cache>>,
    is_dispatch: bool,
) -> Result<Arc<dyn Device>> {
    let options = open_options(args, cache);
    let error = match device::open(&options) {
        Ok(device) => return Ok(device),
        Err(error) => error,
    };
    let is_missing = matches!(
        error,
        dxil_runtime::Error::NoLoader(_) | dxil_runtime::Error::NoDevice
    );
    if !is_missing || !is_dispatch || args.backend.is_some() || args.device > 0 {
        return Err(error.into());
    }
    drop(writeln!(
        std::io::stderr(),
        "no Vulkan device: running on the CPU"
    ));
    let backend = Backend::Cpu;
    Ok(device::open(&OpenOptions { backend, ..options })?)
}

fn open_options(args: &Args, cache: Option<&Arc<Cache>>) -> OpenOptions {
    OpenOptions {
        backend: args.backend().backend(),
        index: args.device,
        validate: args.validate,
        portable: args.portable,
        robustness2: !args.no_robustness2,
        timeout: args.timeout,
        wave_size: args.wave_size,
        cache: cache.cloned(),
    }
}

/// The device's profile, with the Vulkan version that the user wants if the device has it.
fn with_target(profile: &Profile, args: &Args) -> Profile {
    let mut profile = *profile;
    if let Some(target) = args.target {
        profile.target.vulkan = profile.target.vulkan.min(target.version());
    }
    profile
}

/// The command line's root signature, or else the file's.
fn root_signature(
    args: &Args,
    path: &Path,
    shader: &ShaderFile<'_>,
) -> Result<Option<RootSignature>> {
    match &args.root_signature {
        Some(file) => read_root_signature(file).map(Some),
        None => shader.root_signature().context(path),
    }
}

/// A container or its bare part, HLSL's text in a file, or the text itself.
fn read_root_signature(file: &Path) -> Result<RootSignature> {
    let parse = |text: &str| {
        parse_text(text).map_err(|error| {
            Failure::malformed(format!("the root signature {}: {error}", file.display()))
        })
    };
    let direct = file
        .to_str()
        .filter(|text| text.contains('(') && !file.exists());
    if let Some(text) = direct {
        return parse(text);
    }
    let bytes =
        files::read(file).map_err(|error| Failure::job(format!("{}: {error}", file.display())))?;
    match std::str::from_utf8(&bytes) {
        // The binary form starts with its version, whose other bytes are zero.
        Ok(text) if !text.contains('\0') => parse(text),
        _ => RootSignature::from_file(&bytes).context(file),
    }
}

fn list_devices() -> Result<()> {
    let style = style::Style::for_stdout();
    let mut text = String::new();
    let mut problem = None;
    for backend in Backend::ALL {
        match device::list_devices(backend) {
            Ok(devices) => {
                for info in devices {
                    text.push_str(&format!(
                        "{} {}  {}  ({}; {}; {})\n",
                        style.name(&format!("--backend {}", info.backend)),
                        style.name(&format!("--device {}", info.index)),
                        info.name,
                        info.kind,
                        info.driver,
                        info.api,
                    ));
                }
            }
            Err(error) => problem = Some(error),
        }
    }
    write_stdout(text.as_bytes())?;
    match problem {
        Some(error) if text.is_empty() => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes to standard output; a reader that has gone away (`| head`) is no error.
fn write_stdout(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::job(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}
