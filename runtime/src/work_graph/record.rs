//! Runs a graph for a debugger.

use super::executor::Executor;
use super::recorded::{NodeRecorder, RecordedNode};
use super::{GraphInput, GraphOutcome, WorkGraph};
use crate::device::Device;
use crate::error::Result;
use crate::job::Job;

impl WorkGraph {
    /// Runs the graph on the CPU backend, with [`CompileOptions::watched`], and records a group of
    /// the node whose entry point has the name: that of the number, from 0, among all groups that
    /// the node launches. Nothing is recorded if it launches fewer.
    ///
    /// # Errors
    ///
    /// Those of [`WorkGraph::run`]; [`Error::Unsupported`](crate::Error::Unsupported) on other
    /// backends.
    ///
    /// [`CompileOptions::watched`]: crate::program::CompileOptions::watched
    pub fn record<'g>(
        &'g self,
        (device, job): (&'g dyn Device, &'g Job),
        inputs: &[GraphInput],
        (node, number): (&str, usize),
    ) -> Result<(GraphOutcome, Option<RecordedNode<'g>>)> {
        let mut executor = Executor::new(self, device, job)?;
        executor.recorder = Some(NodeRecorder::new(node, number));
        let mut outcome = executor.levels(inputs)?;
        outcome.results = executor.results(job);
        let found = executor.recorder.and_then(NodeRecorder::into_found);
        Ok((outcome, found))
    }
}
