//! Measures figures on a device.

use std::time::{Duration, Instant};

use anyhow::Context;
use dxil_frontend::dxil::read_shader;
use dxil_runtime::job::{Job, Timing};
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Device, Pipeline, Program};

use super::figure::{Case, Clock, Figure};
use super::interval::Interval;
use super::results::Row;
use crate::failure::WrongResult;

/// A dispatch should take this long, so that its start and end do not count.
const LONG_ENOUGH: Duration = Duration::from_millis(2);
/// Dispatches of a run; the shortest counts, since others were disturbed.
const DISPATCHES: u32 = 3;

/// Measures a figure in some runs. What the device cannot do is a row with the reason.
///
/// # Errors
///
/// The results of the shader are wrong, or the device fails.
pub(crate) fn measure(device: &dyn Device, figure: &Figure, runs: u32) -> anyhow::Result<Row> {
    let mut row = Row {
        family: figure.family.name.to_owned(),
        name: figure.name.clone(),
        parameter: figure.parameter,
        unit: figure.unit.name().to_owned(),
        more_is_better: figure.unit.more_is_better(),
        value: None,
        runs: Vec::new(),
        theoretical: None,
        problem: None,
    };
    match values(device, figure, runs) {
        Ok(values) => {
            row.value = Interval::of(&values);
            row.runs = values;
        }
        Err(error) if crate::measure::is_unsupported(&error) => {
            row.problem = Some(format!("{error:#}"));
        }
        Err(error) => return Err(error.context(format!("{} {}", row.family, row.label()))),
    }
    Ok(row)
}

fn values(device: &dyn Device, figure: &Figure, runs: u32) -> anyhow::Result<Vec<f64>> {
    let shader = read_shader(figure.shader)?;
    let mut amount = 0;
    let mut case = (figure.case)(amount);
    let options = CompileOptions::default();
    let program = {
        let formats = formats_of(&case.job);
        Program::compile(&shader, None, device.profile(), &formats, &options)?
    };
    let pipeline = device.prepare(&program)?;
    let pipeline = &*pipeline;
    check(pipeline, figure, &mut case)?;
    if figure.clock == Clock::HostBeyondLeast {
        let mut most = (figure.case)(figure.most);
        check(pipeline, figure, &mut most)?;
        return beyond_least(pipeline, figure, [case, most], runs);
    }
    // Twice the work each time until the dispatch is long enough.
    let mut time = seconds(pipeline, &mut case.job, figure.clock)?;
    while time < LONG_ENOUGH.as_secs_f64() && amount < figure.most {
        let missing = LONG_ENOUGH.as_secs_f64() / time.max(1e-7);
        let further = missing.log2().ceil().clamp(1.0, 4.0) as u32;
        amount = (amount + further).min(figure.most);
        case = (figure.case)(amount);
        time = seconds(pipeline, &mut case.job, figure.clock)?;
    }
    let work = case.work * check(pipeline, figure, &mut case)?;
    let run = |_| {
        let time = seconds(pipeline, &mut case.job, figure.clock)?;
        Ok(figure.unit.value(work, time))
    };
    (0..runs).map(run).collect()
}

/// Runs a case once, and compares its results with those of the host. Returns the factor of its
/// work.
fn check(pipeline: &dyn Pipeline, figure: &Figure, case: &mut Case) -> anyhow::Result<f64> {
    case.job.timing = None;
    let outcome = pipeline.run(&case.job)?;
    (case.check)(&outcome).map_err(WrongResult)?;
    match figure.factor {
        Some(factor) => Ok(factor(&outcome).map_err(WrongResult)?),
        None => Ok(1.0),
    }
}

/// Returns the seconds that a job takes by a clock.
fn seconds(pipeline: &dyn Pipeline, job: &mut Job, clock: Clock) -> anyhow::Result<f64> {
    if clock != Clock::Device {
        job.timing = None;
        let mut best = Duration::MAX;
        for _ in 0..DISPATCHES {
            let begin = Instant::now();
            pipeline.run(job)?;
            best = best.min(begin.elapsed());
        }
        return Ok(best.as_secs_f64());
    }
    job.timing = Some(Timing {
        warm_up: 1,
        iterations: DISPATCHES,
    });
    let outcome = pipeline.run(job)?;
    let best = outcome.timings.iter().min();
    let best = best.context("the device gives no times")?;
    // Clocks of devices have steps; an empty dispatch may end within one.
    Ok(best.as_secs_f64().max(1e-9))
}

/// Returns the figures of the work beyond the least, of runs in turns.
fn beyond_least(
    pipeline: &dyn Pipeline,
    figure: &Figure,
    [mut least, mut most]: [Case; 2],
    runs: u32,
) -> anyhow::Result<Vec<f64>> {
    let run = |_| {
        let few = seconds(pipeline, &mut least.job, figure.clock)?;
        let many = seconds(pipeline, &mut most.job, figure.clock)?;
        // Noise can make the small job the slower one.
        let beyond = (many - few).max(many * 0.01);
        Ok(figure.unit.value(most.work - least.work, beyond))
    };
    (0..runs).map(run).collect()
}
