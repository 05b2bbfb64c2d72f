//! State of a run of a graph from dispatch to dispatch: resources, pipelines, local arguments.

use std::collections::BTreeMap;

use dxil_cpu::{NodeOutcome, NodeRun};
use dxil_frontend::dxil::ResourceClass;
use dxil_frontend::tables::HashMap;

use super::recorded::NodeRecorder;
use super::{GraphNode, WorkGraph, compile};
use crate::device::{Device, Pipeline};
use crate::error::Result;
use crate::graphics::Draw;
use crate::job::{Job, Outcome, ResourceId, ResourceView, Storage, Timing, Work};
use crate::program::Program;

/// A run of a graph.
pub(super) struct Executor<'a> {
    pub(super) graph: &'a WorkGraph,
    device: &'a dyn Device,
    /// The job of the nodes, with the resources as the last dispatch left them.
    pub(super) job: Job,
    /// The draw of mesh nodes, with the targets as the last one left them.
    pub(super) draw: Option<Draw>,
    /// Records of the local root arguments table, by node number.
    local: BTreeMap<u32, Vec<u8>>,
    pub(super) pipelines: Pipelines,
    /// What is recorded for a debugger.
    pub(super) recorder: Option<NodeRecorder<'a>>,
    /// The device's time so far.
    pub(super) time: std::time::Duration,
}

/// Pipelines by node number, and whether it runs as a program entry.
pub(super) type Pipelines = HashMap<(u32, bool), Box<dyn Pipeline>>;

impl<'a> Executor<'a> {
    pub(super) fn new(graph: &'a WorkGraph, device: &'a dyn Device, job: &Job) -> Result<Self> {
        let mut job = job.clone();
        for index in 0..job.resources.len() {
            job.resources[index].read_back |= is_kept(&job, index);
        }
        // Each dispatch runs once, so that run is the one to time.
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
            draw: match &job.work {
                Work::Draw(draw) => Some((**draw).clone()),
                _ => None,
            },
            job,
            local,
            pipelines: Pipelines::default(),
            recorder: None,
            time: std::time::Duration::ZERO,
        })
    }

    /// Numbers of nodes in all.
    pub(super) fn numbers(&self) -> u32 {
        self.graph.numbers
    }

    /// Returns the record of the local root arguments table that a node has; never empty, since it
    /// has an address.
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
        // A node may run on many levels: its pipeline is made once. Only the specialization for
        // program entries makes a difference.
        let pipeline = match self.pipelines.entry((node.number, is_entry)) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(place) => place.insert(self.device.prepare(&program())?),
        };
        let outcome = pipeline.run(&self.job)?;
        self.time += outcome.timings.iter().sum();
        Ok(outcome)
    }

    /// Runs a node for records, on a backend that has nodes as such.
    pub(super) fn run_node(&mut self, node: &'a GraphNode, run: NodeRun) -> Result<NodeOutcome> {
        use std::collections::hash_map::Entry;
        if let Some(recorder) = &mut self.recorder {
            recorder.before((self.device, node), &self.job, &run)?;
        }
        let pipeline = match self.pipelines.entry((node.number, false)) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(place) => place.insert(self.device.prepare(&node.program)?),
        };
        let (outcome, left) = pipeline.run_node(&self.job, run)?;
        self.time += outcome.timings.iter().sum();
        self.keep(&outcome);
        Ok(left)
    }

    /// Keeps the resources and hidden counters that a dispatch left for the next one.
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
                && let ResourceView::Buffer(view) = &mut binding.view
            {
                view.counter = Some(*value);
            }
        }
        for (slot, value) in &outcome.heap_counters {
            if let Some(heap) = self.job.resource_heap.get_mut(*slot as usize)
                && let ResourceView::Buffer(view) = &mut heap.view
            {
                view.counter = Some(*value);
            }
        }
    }

    /// Keeps what a draw left in its targets for the next draw, which does not clear them.
    pub(super) fn keep_targets(&mut self) {
        if let Some(draw) = &mut self.draw {
            for target in draw.targets.iter_mut().chain(&mut draw.depth) {
                target.clear = None;
            }
        }
    }

    /// Returns the results that the caller asked for.
    pub(super) fn results(&self, asked: &Job) -> Outcome {
        let resources = asked.resources.iter().zip(&self.job.resources);
        let resources = resources.map(|(asked, resource)| {
            asked.read_back.then(|| match &resource.storage {
                Storage::Buffer(bytes) => bytes.clone(),
                Storage::Texture(texture) => texture.data.clone(),
            })
        });
        let counter = |view: &ResourceView| match view {
            ResourceView::Buffer(view) => view.counter,
            ResourceView::Null
            | ResourceView::Texture(_)
            | ResourceView::Sampler(_)
            | ResourceView::Constants(_)
            | ResourceView::AccelerationStructure(_) => None,
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

/// Returns whether later nodes have to see what a node makes of a resource: buffers, and textures
/// that are UAVs or targets.
fn is_kept(job: &Job, index: usize) -> bool {
    let is_it = |view: &ResourceView| match view {
        ResourceView::Texture(view) => view.resource == ResourceId(index),
        ResourceView::Null
        | ResourceView::Buffer(_)
        | ResourceView::Sampler(_)
        | ResourceView::Constants(_)
        | ResourceView::AccelerationStructure(_) => false,
    };
    let resource = job.resources.get(index).map(|r| &r.storage);
    let is_target = match &job.work {
        Work::Draw(draw) => {
            let mut targets = draw.targets.iter().chain(&draw.depth);
            targets.any(|target| target.resource == ResourceId(index))
        }
        _ => false,
    };
    matches!(resource, Some(Storage::Buffer(_)))
        || is_target
        || job
            .bindings
            .iter()
            .any(|b| b.register.class == ResourceClass::Uav && is_it(&b.view))
        || job
            .resource_heap
            .iter()
            .any(|heap| heap.class == ResourceClass::Uav && is_it(&heap.view))
}
