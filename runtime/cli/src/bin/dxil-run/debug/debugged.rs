//! What is left when the program that was debugged has ended.

use std::path::PathBuf;

use dxil_jit::pipeline_file::{Pipeline, PlannedJob};
use dxil_runtime::Outcome;

use crate::args::Args;
use crate::failure::Result;
use crate::run::Ran;
use crate::verdicts::Verdicts;

/// A run that was debugged.
pub(super) enum Debugged {
    /// What the options of the command line say.
    Ran(Box<Ran>),
    /// A pipeline file.
    File(Box<FileRun>),
}

/// A pipeline file that was run.
pub(super) struct FileRun {
    pub(super) args: Args,
    pub(super) file: PathBuf,
    pub(super) pipeline: Pipeline,
    pub(super) planned: PlannedJob,
    pub(super) outcome: Outcome,
}

impl FileRun {
    fn verdicts(&self) -> Result<Verdicts<'_>> {
        Verdicts::of(&self.args, &self.pipeline, &self.planned, &self.outcome)
    }
}

impl Debugged {
    /// Prints the results as without a debugger, and writes what `--out` asks for.
    pub(super) fn finish(&self) -> Result<()> {
        match self {
            Debugged::Ran(ran) => ran.finish(),
            Debugged::File(run) => run.verdicts()?.show(&run.file),
        }
    }

    /// Writes what `--out` asks for.
    pub(super) fn write_outputs(&self) -> Result<()> {
        match self {
            Debugged::Ran(ran) => ran.write_outputs(),
            Debugged::File(run) => run.verdicts()?.write_outputs(),
        }
    }

    /// Returns the results as text.
    pub(super) fn text(&self) -> Result<String> {
        let (mut text, outcome) = match self {
            Debugged::Ran(ran) => (ran.report().render(), &ran.outcome),
            Debugged::File(run) => (run.verdicts()?.text, &run.outcome),
        };
        for finding in &outcome.findings {
            text.push_str(&format!("{finding}\n"));
        }
        Ok(text)
    }
}
