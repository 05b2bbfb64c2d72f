//! Records a group of a node, which then runs again by itself: what a debugger of work graphs is
//! made of.

use dxil_cpu::NodeRun;
use dxil_cpu::watch::{Recorded, Watch};

use super::GraphNode;
use crate::device::{Device, Pipeline};
use crate::error::Result;
use crate::job::Job;
use crate::program::Program;

/// A group of a node of the CPU backend, with everything that it reads.
pub struct RecordedNode<'g> {
    program: &'g Program,
    pipeline: Box<dyn Pipeline>,
    job: Job,
    recorded: Recorded,
}

/// What is recorded in the run of a graph.
pub(super) struct NodeRecorder<'g> {
    /// Name of the entry point.
    node: String,
    /// Number of the group among all that the node launches.
    number: usize,
    /// Groups that the node has launched so far.
    seen: usize,
    found: Option<RecordedNode<'g>>,
}

impl<'g> NodeRecorder<'g> {
    /// Returns what records the group of a number, from 0, among all that a node launches.
    pub(super) fn new(node: &str, number: usize) -> Self {
        NodeRecorder {
            node: node.to_owned(),
            number,
            seen: 0,
            found: None,
        }
    }

    /// Returns the group, if the node has launched as many.
    pub(super) fn into_found(self) -> Option<RecordedNode<'g>> {
        self.found
    }

    /// Looks whether the run of a node has the group; `job` has the resources as they are before
    /// it.
    pub(super) fn before(
        &mut self,
        (device, node): (&dyn Device, &'g GraphNode),
        job: &Job,
        run: &NodeRun,
    ) -> Result<()> {
        if node.name != self.node {
            return Ok(());
        }
        let first = self.seen;
        self.seen += run.groups.len();
        let number = self.number.checked_sub(first);
        if let Some(number) = number.filter(|number| *number < run.groups.len()) {
            let pipeline = device.prepare(&node.program)?;
            let recorded = pipeline.record_node(job, run, number)?;
            self.found = Some(RecordedNode {
                program: &node.program,
                pipeline,
                job: job.clone(),
                recorded,
            });
        }
        Ok(())
    }
}

impl RecordedNode<'_> {
    /// Returns the node's program.
    pub fn program(&self) -> &Program {
        self.program
    }

    /// Returns the place of the group in its dispatch grid.
    pub fn group(&self) -> [u32; 3] {
        self.recorded.node_group().unwrap_or_default()
    }

    /// Runs the group again, and shows a wave of it before each instruction.
    ///
    /// # Errors
    ///
    /// Those of [`Pipeline::run_watched`].
    pub fn run(&self, watch: &mut dyn Watch) -> Result<()> {
        self.pipeline.run_recorded(&self.job, &self.recorded, watch)
    }
}
