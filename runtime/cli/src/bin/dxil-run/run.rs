//! Runs a job, and reports.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dxil_frontend::shown::message;
use dxil_runtime::cache::{Cache, Statistics};
use dxil_runtime::device::{DeviceInfo, Profile};
use dxil_runtime::job::{Job, Outcome, Timing};
use dxil_runtime::{Finding, Program};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::messages::{warn, write_stdout};
use crate::opening::{open_device, with_target};
use crate::planned::{Constants, Declared, Planned};
use crate::progress::Progress;
use crate::report::{Report, Subject};
use crate::style::Style;
use crate::{cache, heap, output, vertex_outputs};

/// A finished run with everything that is reported.
pub(crate) struct Ran {
    /// The command line, with registers in the places of names.
    pub(crate) args: Args,
    pub(crate) device: DeviceInfo,
    pub(crate) program: Program,
    pub(crate) job: Job,
    pub(crate) outcome: Outcome,
    /// What is bound to registers, and the render targets.
    pub(crate) views: Vec<Declared>,
    pub(crate) constants: Vec<Constants>,
    translated: Duration,
    prepared: Duration,
    cache: Option<Statistics>,
}

/// Runs a job with the program that `compile` makes for the device.
pub(crate) fn perform(
    args: &Args,
    planned: Planned,
    compile: impl FnOnce(&Profile, &Job, Option<&Arc<Cache>>) -> Result<Program>,
) -> Result<Ran> {
    // What --out names must exist before anything runs: a long run must not end in a usage error.
    output::resolve(&args.out, &planned.views)?;
    let progress = Progress::start("opening the device");
    let cache = cache::open(args)?;
    let device = open_device(args, cache.as_ref())?;
    let Planned {
        mut job,
        mut views,
        constants,
    } = planned;
    let profile = with_target(device.profile(), args);
    vertex_outputs::drop_if_unable(&profile, &mut job, &mut views);
    if let Some(iterations) = args.time {
        job.timing = Some(Timing {
            // A tenth of the runs warm caches and clocks up, and at least one pays for lazy work of
            // the driver.
            warm_up: (iterations / 10).clamp(1, 10),
            iterations,
        });
    }

    progress.say("translating");
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
    Ok(Ran {
        args: args.clone(),
        device: device.info().clone(),
        program,
        job,
        outcome,
        views,
        constants,
        translated,
        prepared,
        cache: cache.map(|cache| cache.statistics()),
    })
}

impl Ran {
    /// Returns the report of the run.
    pub(crate) fn report(&self) -> Report<'_> {
        Report {
            style: Style::for_stdout(),
            device: &self.device,
            subject: Subject::Program(&self.program),
            job: &self.job,
            outcome: &self.outcome,
            views: &self.views,
            constants: &self.constants,
            translated: self.translated,
            prepared: Some(self.prepared),
            args: &self.args,
            cache: self.cache,
        }
    }

    /// Prints the report, writes what `--out` asks for, and prints what `--check` has found.
    pub(crate) fn finish(&self) -> Result<()> {
        write_stdout(self.report().render().as_bytes())?;
        self.write_outputs()?;
        report_findings(&self.args, &self.outcome.findings)
    }

    /// Writes what `--out` asks for.
    pub(crate) fn write_outputs(&self) -> Result<()> {
        let outs = output::resolve(&self.args.out, &self.views)?;
        output::write(&outs, &self.job, &self.outcome)
    }
}

/// Prints what --check has found. Findings are a failure.
fn report_findings(args: &Args, findings: &[Finding]) -> Result<()> {
    if args.check.is_empty() {
        return Ok(());
    }
    let mut text = String::from("\n");
    for finding in findings {
        let line = format!("{}: {finding}", finding.kind.code());
        text.push_str(&message(&line));
        text.push('\n');
    }
    if findings.is_empty() {
        text.push_str("check: no defects found\n");
    }
    write_stdout(text.as_bytes())?;
    match findings.len() {
        0 => Ok(()),
        1 => Err(Failure::defects("1 defect found")),
        count => Err(Failure::defects(format!("{count} defects found"))),
    }
}
