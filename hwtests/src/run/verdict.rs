//! Compares results with what cases expect and with the lists of refusals.

use dxil_runtime::{Device, Outcome, Program};

use crate::Case;
use crate::shader::Failure;

/// Judges a result: a case that must be refused succeeds with the right error.
pub(super) fn judge(case: &Case, result: Result<(), Failure>) -> Result<(), Failure> {
    match (case.refusal(), result) {
        // The device lacks what the case needs, and said so: the case is not run.
        (None, Err(Failure(error))) if case.lacking().is_some_and(|text| error.contains(text)) => {
            eprintln!("not run: {error}");
            Ok(())
        }
        (None, result) => result,
        (Some(text), Err(Failure(error))) if error.contains(text) => Ok(()),
        (Some(text), Err(Failure(error))) => Err(Failure(format!(
            "refused, but not because of '{text}': {error}"
        ))),
        (Some(text), Ok(())) => Err(Failure(format!("not refused because of '{text}'"))),
    }
}

/// A case succeeds by the right pixels, or by the error that a line of the list says: `case:
/// error`, or `*: error` for what no case can do. A line of a case that can be drawn is a failure
/// too.
pub(crate) fn judge_listed(
    case: &Case,
    result: Result<(), Failure>,
    name: &str,
    (file, refusals): (&str, &str),
) -> Result<(), Failure> {
    let mut own = reasons_of(refusals, name);
    match result {
        Ok(()) if own.next().is_none() => judge(case, Ok(())),
        // The list must shrink with what works, so a line that is no longer true fails.
        Ok(()) => Err(Failure(format!("{name} is done: take it from {file}"))),
        Err(Failure(error)) => {
            if own
                .chain(reasons_of(refusals, "*"))
                .any(|reason| error.contains(reason))
            {
                return Ok(());
            }
            judge(case, Err(Failure(error)))
                .map_err(|Failure(error)| Failure(format!("{name}: {error}")))
        }
    }
}

/// Returns the reasons of the lines `name: reason` of a list.
fn reasons_of<'a>(refusals: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let lines = refusals.lines().filter_map(|line| line.split_once(": "));
    lines
        .filter(move |(listed, _)| *listed == name)
        .map(|(_, reason)| reason)
}

/// The lines `name: reason` of a case in `text_refusals.txt`.
pub(super) struct Listed<'a> {
    name: String,
    reasons: Vec<&'a str>,
}

impl<'a> Listed<'a> {
    pub(super) fn of(refusals: &'a str, name: String) -> Self {
        let reasons = reasons_of(refusals, &name).collect();
        Listed { name, reasons }
    }

    /// Says that the case has a text. A line that is no longer true fails.
    pub(super) fn is_done(&self) -> Result<(), Failure> {
        if self.reasons.is_empty() {
            return Ok(());
        }
        Err(Failure(format!(
            "{} has a text: take it from text_refusals.txt",
            self.name
        )))
    }

    /// Says that the case has no text. Where no line says so, that fails.
    pub(super) fn is_refused(&self, error: &str) -> Result<(), Failure> {
        if self.reasons.iter().any(|reason| error.contains(reason)) {
            return Ok(());
        }
        Err(Failure(format!("{}: {error}", self.name)))
    }
}

pub(super) fn run_program(
    device: &dyn Device,
    name: &str,
    program: &Program,
    case: &Case,
) -> Result<(), Failure> {
    results(name, case, &device.run(program, &case.job)?)
}

/// Runs a case, and returns the outcome if it is the expected one.
pub(crate) fn outcome_of(
    device: &dyn Device,
    name: &str,
    program: &Program,
    case: &Case,
) -> Result<Outcome, Failure> {
    let outcome = device.run(program, &case.job)?;
    results(name, case, &outcome).map(|()| outcome)
}

/// Compares an outcome with what a case expects.
pub(super) fn results(name: &str, case: &Case, outcome: &Outcome) -> Result<(), Failure> {
    let failures = case.failures(outcome);
    if failures.is_empty() {
        return Ok(());
    }
    Err(Failure(format!(
        "{name}: wrong results\n{}",
        failures.join("\n")
    )))
}
