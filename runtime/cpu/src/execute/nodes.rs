//! Runs a node of a work graph for the records that wait for it (D3D12 Work Graphs specification,
//! "Node types").

use super::budget::{Budget, Watching};
use super::group::Group;
use super::kept_memory::KeptMemory;
use super::moment::{Watch, WatchedWave};
use super::node_memory::{MAX_BYTES, NodeMemory};
use super::node_run::{NodeGroup, NodeRun, SentRecords};
use super::recorder::Recorded;
use super::shared::Limits;
use super::{Dispatch, Outcome};
use crate::error::{Error, Result};

/// The results of a node.
#[derive(Debug, Clone, Default)]
pub struct NodeOutcome {
    /// The results of the dispatch.
    pub outcome: Outcome,
    /// Bytes of all records.
    pub records: Vec<u8>,
    /// The sent records.
    pub sent: Vec<SentRecords>,
}

impl Dispatch<'_> {
    /// Runs a node's groups one after the other.
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run`], and [`Error::Memory`] where the records take more than 256 MiB.
    pub fn run_node(&self, run: NodeRun, limits: &Limits<'_>) -> Result<NodeOutcome> {
        let counters = self.first_counters();
        let shared = self.shared(&counters, limits);
        let mut budget = Budget::new(limits, None);
        let mut group = self.node_group(&run, limits)?;
        for (number, node_group) in (0..).zip(&run.groups) {
            begin(&mut group, *node_group);
            group.run(node_group.id, number, &shared, &mut budget)?;
            if group.node().is_some_and(|node| node.overflows()) {
                return Err(Error::Memory {
                    what: "the records of a node",
                    need: MAX_BYTES as u64 + 1,
                    limit: MAX_BYTES as u64,
                });
            }
        }
        let (records, sent) = group.node().map(NodeMemory::take).unwrap_or_default();
        let outcome = Outcome::of(group, &mut budget);
        Ok(NodeOutcome {
            outcome: self.with_counters(outcome, &counters),
            records,
            sent,
        })
    }

    /// Records a group of a node's run, with memory as it is before the run: what runs again by
    /// [`Dispatch::run_recorded`].
    ///
    /// # Errors
    ///
    /// [`Error::BadInput`] for a group that the run does not have.
    pub fn record_node(&self, run: &NodeRun, number: usize) -> Result<Recorded> {
        if number >= run.groups.len() {
            return Err(Error::BadInput(format!("the node has no group {number}")));
        }
        let counters = self.first_counters();
        let shared = self.shared(&counters, &Limits::default());
        let kept = KeptMemory::of(shared.storages, shared.counters, |number| {
            shared.table.is_written(number)
        });
        Ok(Recorded::of_node(run, number, kept))
    }

    /// Runs the groups of a recorded run up to the one that is watched.
    pub(super) fn run_node_again(
        &self,
        (run, watched): (&NodeRun, usize),
        (wave, watch): (WatchedWave, &mut dyn Watch),
        memory: &KeptMemory,
        limits: &Limits<'_>,
    ) -> Result<Outcome> {
        let counters = self.first_counters();
        memory.restore_counters(&counters);
        let shared = self.shared(&counters, limits);
        let mut budget = Budget::new(limits, None);
        let mut group = self.node_group(run, limits)?;
        let mut watch = Some(watch);
        for (number, node_group) in run.groups.iter().enumerate().take(watched + 1) {
            // Groups of several records may have the same place in their grids.
            if number == watched
                && let Some(watch) = watch.take()
            {
                budget.watch(Some(Watching {
                    watch,
                    group: node_group.id,
                    first_thread: wave.wave * self.kernel.wave_size(),
                }));
            }
            begin(&mut group, *node_group);
            group.run(node_group.id, number as u32, &shared, &mut budget)?;
        }
        let outcome = Outcome::of(group, &mut budget);
        Ok(self.with_counters(outcome, &counters))
    }

    /// Returns the memory of a group with the records of a run.
    fn node_group(&self, run: &NodeRun, limits: &Limits<'_>) -> Result<Group> {
        let mut group = Group::new(self.kernel, limits)?;
        let how = (run.stride, run.is_thread, run.recursion_left);
        let memory = NodeMemory::new(run.records.clone(), run.outputs.clone(), how);
        group.set_node(memory);
        Ok(group)
    }
}

fn begin(group: &mut Group, node_group: NodeGroup) {
    if let Some(node) = group.node() {
        node.begin(node_group);
    }
}
