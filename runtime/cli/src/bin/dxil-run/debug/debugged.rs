//! What is left when the program that was debugged has ended.

use std::path::PathBuf;

use dxil_jit::pipeline_file::{Pipeline, PlannedJob};
use dxil_runtime::Outcome;

use crate::args::Args;
use crate::failure::Result;
use crate::graph::ReadyGraph;
use crate::messages::write_stdout;
use crate::run::Ran;
use crate::verdicts::Verdicts;

/// A run that was debugged.
pub(super) enum Debugged {
    /// What the options of the command line say.
    Ran(Box<Ran>),
    /// A pipeline file.
    File(Box<FileRun>),
    /// A work graph, with its report and its results.
    Graph(Box<(ReadyGraph, String, Outcome)>),
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
            Debugged::Graph(run) => {
                write_stdout(run.1.as_bytes())?;
                self.write_outputs()
            }
        }
    }

    /// Writes what `--out` asks for.
    pub(super) fn write_outputs(&self) -> Result<()> {
        match self {
            Debugged::Ran(ran) => ran.write_outputs(),
            Debugged::File(run) => run.verdicts()?.write_outputs(),
            Debugged::Graph(run) => run.0.write_outputs(&run.2),
        }
    }

    /// Returns the results as text.
    pub(super) fn text(&self) -> Result<String> {
        let (mut text, outcome) = match self {
            Debugged::Ran(ran) => (ran.report().render(), &ran.outcome),
            Debugged::File(run) => (run.verdicts()?.text, &run.outcome),
            Debugged::Graph(run) => (run.1.clone(), &run.2),
        };
        for finding in &outcome.findings {
            text.push_str(&format!("{finding}\n"));
        }
        Ok(text)
    }
}
