//! Runs a node of a work graph for the records that wait for it (D3D12 Work Graphs specification,
//! "Node types").

use super::budget::Budget;
use super::group::Group;
use super::node_memory::{MAX_BYTES, NodeMemory};
use super::node_run::{NodeRun, SentRecords};
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
        let mut group = Group::new(self.kernel, limits)?;
        let how = (run.stride, run.is_thread, run.recursion_left);
        group.set_node(NodeMemory::new(run.records, run.outputs, how));
        for (number, node_group) in (0..).zip(&run.groups) {
            if let Some(node) = group.node() {
                node.begin(*node_group);
            }
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
}
