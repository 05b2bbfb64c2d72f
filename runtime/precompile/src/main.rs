//! `dxil-precompile`: translates a game's whole shader library ahead of time.

#![allow(
    rustdoc::broken_intra_doc_links,
    rustdoc::invalid_html_tags,
    reason = "the comments of arguments are help texts, not Markdown"
)]

mod args;
mod opened;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory, Parser};
use dxil_frontend::escape::message;
use dxil_jit::console;
use dxil_jit::exit::Exit;
use dxil_jit::json;
use dxil_jit::process_exit::exit_now;
use dxil_precompile::error::Problem;
use dxil_precompile::foz::Recorder;
use dxil_precompile::report::Report;
use dxil_precompile::run::{Plan, run};
use dxil_precompile::shard::Shard;
use dxil_precompile::sodb::Writer;
use dxil_precompile::source::Sources;
use dxil_precompile::spirv_val::SpirvVal;
use dxil_precompile::target::{self, Target};
use dxil_precompile::work::Workshop;
use dxil_runtime::isa::Selection;
use dxil_translate::VulkanVersion;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::{Args, ShardChoice, Validation};
use crate::opened::Opened;

fn main() -> ExitCode {
    dxil_runtime::isa::serve_if_worker();
    let args = Args::parse();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .format(|out, record| {
            use std::io::Write as _;
            let level = record.level().as_str().to_lowercase();
            writeln!(out, "{level}: {}", message(&record.args().to_string()))
        })
        .init();
    match args.pages.print(Args::command()) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => {}
        Err(error) => return failed(&Problem::file("standard output".as_ref(), &error)),
    }
    let done = match &args.make {
        Some(path) => make(&args, path.clone()),
        None => precompile(&args),
    };
    match done {
        Ok((text, exit)) => {
            let is_silent = args.quiet && !args.json && exit == Exit::Done;
            let text = if is_silent { String::new() } else { text };
            if let Err(error) = console::write(text.as_bytes()) {
                return failed(&Problem::file("standard output".as_ref(), &error));
            }
            // A driver's threads may still be busy with a pipeline that failed.
            exit_now(exit.code())
        }
        Err(problem) => {
            failed(&problem);
            exit_now(problem.exit.code())
        }
    }
}

fn failed(problem: &Problem) -> ExitCode {
    console::report(&format!("dxil-precompile: {problem}"));
    problem.exit.into()
}

/// Writes a database. Sources that have no place in it are errors, which do not end the run.
fn make(args: &Args, path: PathBuf) -> Result<(String, Exit), Problem> {
    let sources = Sources::open(&args.sources, args.root_signature.as_deref())?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut writer = Writer::create(&path, &format!("{stem}.exe"), &stem)?;
    let (mut count, mut exit) = (0u64, Exit::Done);
    let bar = progress(args, sources.count()?);
    sources.each(|item| {
        let added = item.and_then(|pipeline| {
            writer
                .add(&pipeline)
                .map_err(|problem| (pipeline.name, problem))
        });
        match added {
            Ok(()) => count += 1,
            Err((name, problem)) => {
                exit = exit.max(problem.exit);
                bar.suspend(|| console::report(&format!("error: {}: {problem}", message(&name))));
            }
        }
        bar.inc(1);
        true
    })?;
    bar.finish_and_clear();
    writer.finish()?;
    let text = if args.json {
        json::document(&serde_json::json!({ "pipelines": count, "exit_code": exit.code() }))
    } else {
        format!("{count} pipelines in {}\n", path.display())
    };
    Ok((text, exit))
}

fn precompile(args: &Args) -> Result<(String, Exit), Problem> {
    let shard = shard(args)?;
    let gpus = gpus(args)?;
    let sources = Sources::open(&args.sources, args.root_signature.as_deref())?;
    let total = sources.count()?;
    let (target, profile) = target(args)?;
    let opened = Opened::new(args)?;
    let cache = &opened.cache;
    let mut workshop = Workshop::new(profile, Arc::clone(cache));
    if args.pipelines {
        let index = target.device().unwrap_or(0);
        workshop.device = Some(target::open(index, Some(cache), false)?);
    }
    workshop.validates_dxil = matches!(args.validate, Some(Validation::All | Validation::Dxil));
    if matches!(args.validate, Some(Validation::All | Validation::Spirv)) {
        workshop.spirv_val = Some(SpirvVal::find()?);
    }
    workshop.makes_pipelines = args.pipelines || args.foz.is_some();
    workshop.completes = args.complete;
    let recorder = match &args.foz {
        Some(path) => Some(Recorder::create(
            path,
            profile.target.vulkan,
            profile.robust,
        )?),
        None => None,
    };
    let threads = match args.threads {
        Some(threads) => usize::from(threads),
        None => opened.threads(),
    };
    let bar = progress(args, total);
    let mut plan = Plan::new(threads);
    plan.shard = shard;
    plan.recorder = recorder.as_ref();
    plan.gpus = &gpus;
    let step = || bar.inc(1);
    plan.progress = &step;
    let obstacle = || opened.given_up();
    plan.obstacle = &obstacle;
    let mut summary = run(&sources, &workshop, &plan)?;
    bar.finish_and_clear();
    let recorded = match recorder {
        Some(recorder) => Some(recorder.finish()?),
        None => None,
    };
    let store = opened.finish()?;
    if store.as_ref().is_some_and(|store| store.unwritten > 0) {
        summary.exit = summary.exit.max(Some(Exit::File));
    }
    let report = Report {
        summary: &summary,
        cache: cache.statistics(),
        recorded,
        store,
    };
    let text = if args.json {
        json::document(&report.json())
    } else {
        report.text()
    };
    Ok((text, summary.exit.unwrap_or(Exit::Done)))
}

/// Returns a bar with the rate and the time that is left; nothing is drawn unless standard error is
/// a terminal, and with --quiet.
fn progress(args: &Args, total: u64) -> ProgressBar {
    if args.quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    let template = "{bar:40} {pos} of {len} pipelines, {per_sec}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

fn shard(args: &Args) -> Result<Option<Shard>, Problem> {
    let usage = |message: String| Problem::new(Exit::Usage, message);
    match args.shard {
        None => Ok(None),
        Some(ShardChoice::One(shard)) => Ok(Some(shard)),
        Some(ShardChoice::Auto) => {
            let found = Shard::from_scheduler(|name| std::env::var(name).ok()).map_err(usage)?;
            let (shard, scheduler) = found.ok_or_else(|| {
                usage("--shard auto: no variables of Kubernetes, Slurm or AWS Batch".into())
            })?;
            log::info!("{scheduler}: part {} of {}", shard.index, shard.count);
            Ok(Some(shard))
        }
    }
}

fn gpus(args: &Args) -> Result<Vec<Selection>, Problem> {
    let names = args.gpus.iter().map(|name| name.parse());
    let gpus: Result<Vec<Selection>, dxil_runtime::Error> = names.collect();
    gpus.map_err(|error| Problem::new(Exit::Usage, format!("--gpus: {error}")))
}

/// Returns the target and its profile: of a pipeline that is created, that of the device.
fn target(args: &Args) -> Result<(Target, dxil_runtime::Profile), Problem> {
    let default = if args.pipelines {
        Target::Gpu(Selection::Present(0))
    } else {
        Target::Version(VulkanVersion::V1_3)
    };
    let target = args.target.clone().unwrap_or(default);
    if args.pipelines && target.device().is_none() {
        return Err(Problem::new(
            Exit::Usage,
            "--pipelines creates pipelines on a device of this machine: leave --target out, or \
             name one (device:N)",
        ));
    }
    let profile = target.profile()?;
    Ok((target, profile))
}
