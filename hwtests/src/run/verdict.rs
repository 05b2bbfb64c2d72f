//! Compares results with expectations and with the lists of refusals.

use dxil_runtime::{Device, Outcome, Program};

use crate::Case;
use crate::shader::Failure;

/// Returns the verdict on a result: a case that expects a refusal succeeds with the right error.
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

/// Returns the verdict on a result under a list of refusals. A case succeeds with the right pixels,
/// or with the error of its line in the list: `case: error`, or `*: error` for all cases. A line
/// for a case that can be drawn is a failure.
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
        Ok(()) => Err(Failure(format!(
            "{name} succeeds: remove its line from {file}"
        ))),
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

    /// Returns an error if the list has a line for a case that has a text.
    pub(super) fn is_done(&self) -> Result<(), Failure> {
        if self.reasons.is_empty() {
            return Ok(());
        }
        Err(Failure(format!(
            "{} has a text: remove its line from text_refusals.txt",
            self.name
        )))
    }

    /// Returns an error unless the list has a line for a case that has no text.
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

/// Compares an outcome with the expectations of a case.
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
