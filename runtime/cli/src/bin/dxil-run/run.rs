//! Runs a job, and reports.

use std::sync::Arc;
use std::time::Instant;

use dxil_frontend::shown::message;
use dxil_runtime::cache::Cache;
use dxil_runtime::device::Profile;
use dxil_runtime::job::{Job, Timing};
use dxil_runtime::{Finding, Program};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::messages::{warn, write_stdout};
use crate::opening::{open_device, with_target};
use crate::progress::Progress;
use crate::style::Style;
use crate::{cache, heap, output, planned, report};

/// Runs a job with the program that `compile` makes for the device, and reports.
pub(crate) fn run_planned(
    args: &Args,
    planned: planned::Planned,
    compile: impl FnOnce(&Profile, &Job, Option<&Arc<Cache>>) -> Result<Program>,
) -> Result<()> {
    let outs = output::resolve(&args.out, &planned.views)?;
    let style = Style::for_stdout();
    let progress = Progress::start("opening the device");
    let cache = cache::open(args)?;
    let device = open_device(args, cache.as_ref())?;
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
        constants: &planned.constants,
        translated,
        prepared: Some(prepared),
        args,
        cache: cache.map(|cache| cache.statistics()),
    };
    write_stdout(report.render().as_bytes())?;
    output::write(&outs, &job, &outcome)?;
    report_findings(args, &outcome.findings)
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
