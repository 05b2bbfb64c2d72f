//! The host's part: levels, what waits for whom, and what stays between dispatches.

use std::collections::{BTreeMap, HashMap};

use dxil_frontend::dxil::ResourceClass;

use super::{GraphInput, GraphNode, GraphOutcome, Waiting, WorkGraph, check, compile, level};
use crate::device::{Device, Pipeline};
use crate::error::{Error, Result};
use crate::job::{Job, Outcome, ResourceId, Storage, Timing, View};
use crate::program::Program;

/// Levels after which a graph is taken to be endless. Valid graphs end before.
const MAX_LEVELS: usize = 64;

/// Waiting records by node number and levels of recursion that are left.
type Queue = BTreeMap<(u32, u32), Waiting>;

/// A run of a graph.
pub(super) struct Executor<'a> {
    graph: &'a WorkGraph,
    device: &'a dyn Device,
    /// What the nodes see, as the last dispatch left it.
    pub(super) job: Job,
    /// Records of the local root arguments table, by node number.
    local: BTreeMap<u32, Vec<u8>>,
    pipelines: Pipelines,
    /// The device's time so far.
    time: std::time::Duration,
}

/// Pipelines by node number, and whether it runs as a program entry.
type Pipelines = HashMap<(u32, bool), Box<dyn Pipeline>>;

/// Runs a graph, and again for its time if the job asks for that.
pub(super) fn execute(
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
        let mut again = Executor {
            pipelines: std::mem::take(&mut executor.pipelines),
            ..Executor::new(graph, device, job)?
        };
        again.levels(inputs)?;
        executor.pipelines = again.pipelines;
        if run >= timing.warm_up {
            outcome.results.timings.push(again.time);
        }
    }
    Ok(outcome)
}

impl<'a> Executor<'a> {
    fn new(graph: &'a WorkGraph, device: &'a dyn Device, job: &Job) -> Result<Self> {
        let mut job = job.clone();
        for index in 0..job.resources.len() {
            job.resources[index].read_back |= is_kept(&job, index);
        }
        // The only run of each dispatch is the one that is timed.
        job.timing = job.timing.map(|_| Timing {
            warm_up: 0,
            iterations: 0,
        });
        let mut local = BTreeMap::new();
        for node in &graph.nodes {
            if let Some(root) = &node.local_root {
                local.insert(node.number, compile::local_arguments(&mut job, root)?);
            }
        }
        Ok(Executor {
            graph,
            device,
            job,
            local,
            pipelines: Pipelines::new(),
            time: std::time::Duration::ZERO,
        })
    }

    /// Plays level by level until nobody has records.
    fn levels(&mut self, inputs: &[GraphInput]) -> Result<GraphOutcome> {
        let graph = self.graph;
        let mut queue = Queue::new();
        for input in inputs {
            let (node, records) = graph.accept(input)?;
            let place = (node.number, node.node.max_recursion_depth);
            queue.entry(place).or_default().append(&records);
        }
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
                    |node: &&GraphNode| node.number == number || node.shares == Some(number);
                for node in graph.nodes.iter().filter(takes) {
                    let sent = level::run(self, node, &waiting, is_first, left)?;
                    *ran.entry(node.name.clone()).or_default() += waiting.count;
                    for (target, records) in sent {
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

    /// Numbers of nodes in all.
    pub(super) fn numbers(&self) -> u32 {
        self.graph.numbers
    }

    /// The record of the local root arguments table that a node has; never empty, since it has an
    /// address.
    pub(super) fn local_arguments(&self, node: &GraphNode) -> Vec<u8> {
        let mut bytes = self.local.get(&node.number).cloned().unwrap_or_default();
        bytes.resize(bytes.len().max(16), 0);
        bytes
    }

    /// Runs the job as it is now with a node's pipeline.
    pub(super) fn dispatch(
        &mut self,
        node: &GraphNode,
        is_entry: bool,
        program: impl FnOnce() -> Program,
    ) -> Result<Outcome> {
        use std::collections::hash_map::Entry;
        let pipeline = match self.pipelines.entry((node.number, is_entry)) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(place) => place.insert(self.device.prepare(&program())?),
        };
        let outcome = pipeline.run(&self.job)?;
        self.time += outcome.timings.iter().sum();
        Ok(outcome)
    }

    /// What a dispatch left in resources and hidden counters is what the next one finds.
    pub(super) fn keep(&mut self, outcome: &Outcome) {
        let resources = self.job.resources.iter_mut();
        for (resource, bytes) in resources.zip(&outcome.resources) {
            let Some(bytes) = bytes else { continue };
            match &mut resource.storage {
                Storage::Buffer(old) => old.clone_from(bytes),
                Storage::Texture(texture) => texture.data.clone_from(bytes),
            }
        }
        for (register, value) in &outcome.counters {
            let mut bindings = self.job.bindings.iter_mut();
            if let Some(binding) = bindings.find(|binding| binding.register == *register)
                && let View::Buffer(view) = &mut binding.view
            {
                view.counter = Some(*value);
            }
        }
        for (slot, value) in &outcome.heap_counters {
            if let Some(heap) = self.job.resource_heap.get_mut(*slot as usize)
                && let View::Buffer(view) = &mut heap.view
            {
                view.counter = Some(*value);
            }
        }
    }

    /// What the caller asked for.
    fn results(&self, asked: &Job) -> Outcome {
        let resources = asked.resources.iter().zip(&self.job.resources);
        let resources = resources.map(|(asked, resource)| {
            asked.read_back.then(|| match &resource.storage {
                Storage::Buffer(bytes) => bytes.clone(),
                Storage::Texture(texture) => texture.data.clone(),
            })
        });
        let counter = |view: &View| match view {
            View::Buffer(view) => view.counter,
            View::Null
            | View::Texture(_)
            | View::Sampler(_)
            | View::Constants(_)
            | View::AccelerationStructure(_) => None,
        };
        let bindings = self.job.bindings.iter();
        let slots = (0..).zip(&self.job.resource_heap);
        Outcome {
            resources: resources.collect(),
            counters: bindings
                .filter_map(|binding| Some((binding.register, counter(&binding.view)?)))
                .collect(),
            heap_counters: slots
                .filter_map(|(slot, heap)| Some((slot, counter(&heap.view)?)))
                .collect(),
            ..Outcome::default()
        }
    }
}

impl Waiting {
    fn append(&mut self, records: &Waiting) {
        self.count += records.count;
        self.records.extend_from_slice(&records.records);
    }
}

/// Whether later nodes have to see what a node makes of a resource: buffers, and textures that are
/// UAVs.
fn is_kept(job: &Job, index: usize) -> bool {
    let is_it = |view: &View| match view {
        View::Texture(view) => view.resource == ResourceId(index),
        View::Null
        | View::Buffer(_)
        | View::Sampler(_)
        | View::Constants(_)
        | View::AccelerationStructure(_) => false,
    };
    let resource = job.resources.get(index).map(|r| &r.storage);
    matches!(resource, Some(Storage::Buffer(_)))
        || job
            .bindings
            .iter()
            .any(|b| b.register.class == ResourceClass::Uav && is_it(&b.view))
        || job
            .resource_heap
            .iter()
            .any(|heap| heap.class == ResourceClass::Uav && is_it(&heap.view))
}

/// Levels of recursion that a record's taker has left.
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
