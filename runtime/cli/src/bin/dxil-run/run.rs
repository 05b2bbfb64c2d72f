//! Runs a job, and reports.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dxil_frontend::dxil::debug::Sources;
use dxil_runtime::cache::{Cache, Statistics};
use dxil_runtime::device::{DeviceInfo, Profile};
use dxil_runtime::job::{Job, Outcome, Timing};
use dxil_runtime::{Events, Program};

use crate::args::Args;
use crate::failure::Result;
use crate::findings::Findings;
use crate::messages::{say_warning, warn, write_stdout};
use crate::opening::{open_device, with_target};
use crate::planned::{Constants, Declared, Planned};
use crate::progress::Progress;
use crate::report::{RunReport, Subject};
use crate::style::Style;
use crate::{cache, heap, no_effect, output, vertex_outputs};

/// A finished run with everything that is reported.
pub(crate) struct Ran {
    /// The command line, with registers in the places of names.
    pub(crate) args: Args,
    pub(crate) device: DeviceInfo,
    pub(crate) program: Program,
    pub(crate) job: Job,
    pub(crate) outcome: Outcome,
    /// The views of registers, and the render targets.
    pub(crate) views: Vec<Declared>,
    pub(crate) constants: Vec<Constants>,
    /// The source, as far as the shaders hold it.
    pub(crate) sources: Sources,
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
    let outs = output::resolve(&args.out, &planned.views)?;
    output::check(&outs, &planned.job)?;
    no_effect::refuse_of_places(args, &planned.views)?;
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
        sources: Sources::default(),
        translated,
        prepared,
        cache: cache.map(|cache| cache.statistics()),
    })
}

impl Ran {
    /// Returns a run on the CPU that was debugged.
    pub(crate) fn of_debugger(
        args: &Args,
        device: &DeviceInfo,
        program: Program,
        planned: Planned,
        outcome: Outcome,
    ) -> Ran {
        Ran {
            args: args.clone(),
            device: device.clone(),
            program,
            job: planned.job,
            outcome,
            views: planned.views,
            constants: planned.constants,
            sources: Sources::default(),
            translated: Duration::ZERO,
            prepared: Duration::ZERO,
            cache: None,
        }
    }

    /// Returns the report of the run.
    pub(crate) fn report(&self) -> RunReport<'_> {
        RunReport {
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
        let has_checks = !self.args.check.is_empty();
        let findings = Findings::new(&self.args, &self.outcome.findings, &self.sources)?;
        let report = self.report();
        let text = if self.args.json && has_checks {
            report.json_with(("findings", findings.json()))
        } else {
            report.render()
        };
        write_stdout(text.as_bytes())?;
        self.write_outputs()?;
        if has_checks {
            return findings.report(&self.args);
        }
        print_events(self.outcome.events);
        Ok(())
    }

    /// Writes what `--out` asks for.
    pub(crate) fn write_outputs(&self) -> Result<()> {
        let outs = output::resolve(&self.args.out, &self.views)?;
        output::write(&outs, &self.job, &self.outcome)
    }
}

/// Prints the events that a run on the CPU has counted without checks.
fn print_events(events: Events) {
    if events.is_empty() {
        return;
    }
    let counts = [
        (events.out_of_bounds, "accesses out of bounds"),
        (events.null_descriptors, "accesses through null descriptors"),
        (
            events.divergent_barriers,
            "barriers that not all threads reach",
        ),
    ];
    let some = counts.iter().filter(|(count, _)| *count > 0);
    let list: Vec<String> = some
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let warning = format!("{}; --check tells where", list.join(", "));
    say_warning(Style::for_stderr(), &warning);
}
