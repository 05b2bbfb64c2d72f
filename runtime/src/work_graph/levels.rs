//! Runs a graph on the host, level by level.

use std::collections::BTreeMap;

use super::executor::Executor;
use super::{GraphInput, GraphNode, GraphOutcome, WaitingRecords, WorkGraph, check, direct, level};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::job::{Job, Outcome};

/// Maximum number of levels. Valid graphs end before.
const MAX_LEVELS: usize = 64;

/// Waiting records by node number and levels of recursion that are left.
type Queue = BTreeMap<(u32, u32), WaitingRecords>;

impl WorkGraph {
    /// Runs the graph with the resources and bindings of the job. `inputs` are the records from the
    /// host. Of the job's work only a draw matters, for mesh nodes: its targets, viewports and
    /// scissors. The first draw of the graph clears the targets that the job clears.
    ///
    /// # Errors
    ///
    /// An input does not fit its node, a dispatch fails, or the graph exceeds a limit of the device
    /// or of D3D12.
    pub fn run(
        &self,
        device: &dyn Device,
        job: &Job,
        inputs: &[GraphInput],
    ) -> Result<GraphOutcome> {
        execute(self, device, job, inputs)
    }
}

/// Runs a graph, and again for its time if the job asks for that.
fn execute(
    graph: &WorkGraph,
    device: &dyn Device,
    job: &Job,
    inputs: &[GraphInput],
) -> Result<GraphOutcome> {
    let mut executor = Executor::new(graph, device, job)?;
    let mut outcome = executor.levels(inputs)?;
    outcome.results = executor.results(job);
    let Some(timing) = job.timing else {
        return Ok(outcome);
    };
    for run in 0..timing.warm_up + timing.iterations {
        let mut again = Executor::new(graph, device, job)?;
        // Pipelines are kept, so that the time is that of the runs alone.
        again.pipelines = std::mem::take(&mut executor.pipelines);
        again.levels(inputs)?;
        executor.pipelines = again.pipelines;
        if run >= timing.warm_up {
            outcome.results.timings.push(again.time);
        }
    }
    Ok(outcome)
}

impl Executor<'_> {
    /// Runs level by level until no records are left.
    pub(super) fn levels(&mut self, inputs: &[GraphInput]) -> Result<GraphOutcome> {
        let graph = self.graph;
        let mut queue = Queue::new();
        for input in inputs {
            let (node, records) = graph.accept(input)?;
            let place = (node.number, node.node.max_recursion_depth);
            queue.entry(place).or_default().append(&records);
        }
        // Inputs without records start nothing.
        queue.retain(|_, waiting| waiting.count != 0);
        let mut levels = Vec::new();
        let mut lost = BTreeMap::new();
        while !queue.is_empty() {
            if levels.len() == MAX_LEVELS {
                return Err(Error::BadJob(format!(
                    "the work graph has records after {MAX_LEVELS} levels"
                )));
            }
            let is_first = levels.is_empty();
            let mut ran: BTreeMap<String, u32> = BTreeMap::new();
            let mut next = Queue::new();
            for ((number, left), waiting) in std::mem::take(&mut queue) {
                let takes =
                    // Nodes that share the input of another one get the same records.
                    |node: &&GraphNode| node.number == number || node.shares == Some(number);
                for node in graph.nodes.iter().filter(takes) {
                    // Without words it is a node of the CPU backend, which runs nodes as they are.
                    let sent = if node.words.is_empty() {
                        direct::run(self, node, &waiting, left)?
                    } else {
                        level::run(self, node, &waiting, is_first, left)?
                    };
                    *ran.entry(node.name.clone()).or_default() += waiting.count;
                    for (target, records) in sent {
                        // Records for nodes that the graph lacks are counted, so that the caller
                        // can report them.
                        let Some(to) = graph.node(target) else {
                            *lost.entry(graph.name_of(target)).or_default() += records.count;
                            continue;
                        };
                        let left = left_for(to, node, left)?;
                        next.entry((target, left)).or_default().append(&records);
                    }
                }
            }
            levels.push(ran);
            queue = next;
        }
        Ok(GraphOutcome {
            results: Outcome::default(),
            levels,
            lost,
        })
    }
}

impl WaitingRecords {
    fn append(&mut self, records: &WaitingRecords) {
        self.count += records.count;
        self.records.extend_from_slice(&records.records);
    }
}

/// Returns the levels of recursion that a record's taker has left.
fn left_for(to: &GraphNode, from: &GraphNode, left: u32) -> Result<u32> {
    match (to.number == from.number, left) {
        (false, _) => Ok(to.node.max_recursion_depth),
        (true, 0) => Err(Error::BadJob(format!(
            "{} recurses more often than [NodeMaxRecursionDepth({})] allows",
            check::show(&from.node.id),
            from.node.max_recursion_depth
        ))),
        (true, left) => Ok(left - 1),
    }
}
