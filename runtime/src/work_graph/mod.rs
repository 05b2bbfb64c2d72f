//! Work graphs, played by the host. Vulkan has none: each node of a library is a compute shader
//! ([`dxil_translate::node_protocol`]), and [`WorkGraph::run`] dispatches them level by level. It hands a node the
//! records that it was sent, reads what it sends on, and goes on until nobody has records. What D3D12 leaves to the
//! implementation (in which order nodes run, how records are shared out) is as simple as can be here; this is for
//! tests and for looking at graphs, and not fast.

mod level;
mod specialize;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{EntryPoint, Node, NodeId, Shader, ShaderKind, Stage};

use crate::device::{Device, Profile};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Job, Register, Storage};
use crate::program::{Code, CompileOptions, Program};

pub use specialize::specialize;

/// Number of a node that the graph does not have.
const MISSING: u32 = u32::MAX;

/// Levels after which a graph is taken to be endless.
const MOST_LEVELS: usize = 256;

/// A library's nodes, translated and linked.
#[derive(Debug)]
pub struct WorkGraph {
    nodes: Vec<GraphNode>,
    /// Number of the first node of each name.
    first: BTreeMap<String, u32>,
}

/// A node of a graph.
#[derive(Debug)]
struct GraphNode {
    /// Name of the entry point in the source.
    name: String,
    node: Node,
    threads: [u32; 3],
    /// Nodes of one name have consecutive numbers.
    number: u32,
    /// Number of the node whose input this one shares.
    shares: Option<u32>,
    /// Numbers that the outputs lead to.
    targets: Vec<u32>,
    program: Program,
    words: Arc<[u32]>,
}

/// Records from the host for a program entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphInput {
    /// Name of the node.
    pub node: String,
    /// Place in an array of nodes.
    pub index: u32,
    /// The records, one behind the other; nothing for empty ones.
    pub records: Vec<u8>,
    /// How many.
    pub count: u32,
}

/// What running a graph gives.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphOutcome {
    /// Bytes of each resource of the job after the graph.
    pub resources: Vec<Option<Vec<u8>>>,
    /// Records that each node got, by the name of its entry point, level by level. Nodes that share an input are
    /// there too.
    pub levels: Vec<BTreeMap<String, u32>>,
    /// Records for nodes that the library does not have, by node name and index.
    pub lost: BTreeMap<(String, u32), u32>,
}

/// Records that wait for a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Waiting {
    /// A stride apart, as the node has it; nothing for empty records.
    records: Vec<u8>,
    count: u32,
}

/// Waiting records by node number and levels of recursion that are left.
type Queue = BTreeMap<(u32, u32), Waiting>;

impl GraphNode {
    /// Numbers of the nodes that each output leads to.
    fn reaches(&self) -> impl Iterator<Item = Range<u32>> {
        let outputs = self.node.outputs.iter().zip(&self.targets);
        outputs.map(|(output, &target)| target..target.saturating_add(output.array_size.max(1)))
    }
}

impl WorkGraph {
    /// Translates the nodes of a library for a device. `root` is the global root signature, if there is one.
    pub fn compile(
        shader: &Shader,
        root: Option<&RootSignature>,
        profile: &Profile,
        formats: &dyn Fn(Register) -> Option<Format>,
        options: &CompileOptions,
    ) -> Result<Self> {
        if !profile.device_addresses {
            return Err(Error::Unsupported(
                "this backend has no device addresses, which the records of work graphs live behind".into(),
            ));
        }
        let mut entries: Vec<(&EntryPoint, &Node)> = Vec::new();
        for entry in &shader.entry_points {
            if let (ShaderKind::Node, Stage::Node(node)) = (entry.kind, &entry.stage) {
                entries.push((entry, node));
            }
        }
        if entries.is_empty() {
            return Err(Error::BadJob("the library has no work graph nodes".into()));
        }
        let first = number_names(&entries);
        let mut nodes = Vec::with_capacity(entries.len());
        for (entry, node) in entries {
            let mut program = Program::compile(
                shader,
                root,
                profile,
                formats,
                &CompileOptions {
                    entry: Some(entry.name.to_string()),
                    ..options.clone()
                },
            )?;
            let [stage] = program.stages.as_mut_slice() else {
                return Err(Error::BadJob("a node of several stages".into()));
            };
            stage.kind = ShaderKind::Compute;
            let Code::SpirV(words) = &stage.code else {
                return Err(Error::Unsupported("work graphs in WGSL".into()));
            };
            let number = |id: &NodeId| match first.get(&*id.name) {
                Some(first) => first + id.index,
                None => MISSING,
            };
            nodes.push(GraphNode {
                name: entry.plain_name().to_owned(),
                threads: entry.num_threads.unwrap_or([1; 3]),
                number: number(&node.id),
                shares: node.shares_input_of.as_ref().map(number),
                targets: node
                    .outputs
                    .iter()
                    .map(|output| output.target.as_ref().map_or(MISSING, number))
                    .collect(),
                words: Arc::clone(words),
                node: node.clone(),
                program,
            });
        }
        Ok(WorkGraph { nodes, first })
    }

    /// The translated nodes: name of the entry point, and SPIR-V.
    pub fn modules(&self) -> impl Iterator<Item = (&str, &[u32])> {
        self.nodes.iter().map(|node| (&*node.name, &*node.words))
    }

    /// Runs the graph. The job's resources and bindings are what the nodes see; its work is not looked at.
    /// Hidden counters of UAVs begin anew with each node.
    pub fn run(
        &self,
        device: &dyn Device,
        job: &Job,
        inputs: &[GraphInput],
    ) -> Result<GraphOutcome> {
        let mut job = job.clone();
        for resource in &mut job.resources {
            resource.read_back |= matches!(resource.storage, Storage::Buffer(_));
        }
        let mut queue = self.first_queue(inputs)?;
        let mut levels = Vec::new();
        let mut lost = BTreeMap::new();
        while !queue.is_empty() {
            if levels.len() == MOST_LEVELS {
                return Err(Error::BadJob(format!(
                    "the work graph has records after {MOST_LEVELS} levels"
                )));
            }
            let is_first = levels.is_empty();
            let mut ran: BTreeMap<String, u32> = BTreeMap::new();
            let mut next = Queue::new();
            for ((number, left), waiting) in std::mem::take(&mut queue) {
                let takers = self
                    .nodes
                    .iter()
                    .filter(|node| node.number == number || node.shares == Some(number));
                for node in takers {
                    let sent = level::run(node, device, &mut job, &waiting, is_first, left)?;
                    *ran.entry(node.name.clone()).or_default() += waiting.count;
                    for (target, records) in sent {
                        match self.node(target) {
                            Some(to) => enqueue(&mut next, to, node, left, &records)?,
                            None => *lost.entry(self.name_of(target)).or_default() += records.count,
                        }
                    }
                }
            }
            levels.push(ran);
            queue = next;
        }
        let resources = job
            .resources
            .into_iter()
            .map(|resource| match resource.storage {
                Storage::Buffer(bytes) => Some(bytes),
                Storage::Texture(texture) => resource.read_back.then_some(texture.data),
            })
            .collect();
        Ok(GraphOutcome {
            resources,
            levels,
            lost,
        })
    }

    fn node(&self, number: u32) -> Option<&GraphNode> {
        self.nodes.iter().find(|node| node.number == number)
    }

    fn first_queue(&self, inputs: &[GraphInput]) -> Result<Queue> {
        let mut queue = Queue::new();
        for input in inputs {
            let number = self.first.get(&input.node).map(|n| n + input.index);
            let node = number.and_then(|number| self.node(number)).ok_or_else(|| {
                let names: Vec<&str> = self.nodes.iter().map(|n| &*n.node.id.name).collect();
                Error::BadJob(format!(
                    "the graph has no node {}[{}], only {}",
                    input.node,
                    input.index,
                    names.join(", ")
                ))
            })?;
            // A node that no other sends to is a program entry, whether it says so or not.
            let mut targets = self.nodes.iter().flat_map(GraphNode::reaches);
            if !node.node.is_program_entry && targets.any(|to| to.contains(&node.number)) {
                return Err(Error::BadJob(format!(
                    "{} is no program entry ([NodeIsProgramEntry])",
                    input.node
                )));
            }
            let size = node.node.input().map_or(0, |io| io.record_size) as usize;
            if input.records.len() != size * input.count as usize {
                return Err(Error::BadJob(format!(
                    "{} takes records of {size} bytes, {} of them are {} bytes",
                    input.node,
                    input.count,
                    input.records.len()
                )));
            }
            let waiting = queue
                .entry((node.number, node.node.max_recursion_depth))
                .or_default();
            waiting.count += input.count;
            for record in input.records.chunks(size.max(1)) {
                push_record(waiting, record, node.node.input_stride() as usize);
            }
        }
        queue.retain(|_, waiting| waiting.count != 0);
        Ok(queue)
    }

    /// Name and index that a number stands for.
    fn name_of(&self, number: u32) -> (String, u32) {
        let names = self.first.iter().filter(|&(_, &first)| first <= number);
        let last = names.max_by_key(|&(_, &first)| first);
        last.map_or_else(
            || (String::new(), number),
            |(name, &first)| (name.clone(), number - first),
        )
    }
}

/// Puts what a node sent on into the queue of the next level.
fn enqueue(
    queue: &mut Queue,
    to: &GraphNode,
    from: &GraphNode,
    left: u32,
    sent: &Waiting,
) -> Result<()> {
    let left = match (to.number == from.number, left) {
        (false, _) => to.node.max_recursion_depth,
        (true, 0) => {
            return Err(Error::BadJob(format!(
                "{} recurses more often than [NodeMaxRecursionDepth] allows",
                from.name
            )));
        }
        (true, left) => left - 1,
    };
    let waiting = queue.entry((to.number, left)).or_default();
    waiting.count += sent.count;
    waiting.records.extend_from_slice(&sent.records);
    Ok(())
}

/// Gives each name as many numbers as its nodes have indices. Names of outputs have numbers even if the library lacks
/// the nodes, unless it may ([`NodeIo::allows_sparse`](dxil_frontend::dxil::NodeIo::allows_sparse)).
fn number_names(entries: &[(&EntryPoint, &Node)]) -> BTreeMap<String, u32> {
    let mut sizes: BTreeMap<String, u32> = BTreeMap::new();
    let mut reserve = |id: &NodeId, nodes: u32| {
        let size = sizes.entry(id.name.to_string()).or_default();
        *size = (*size).max(id.index.saturating_add(nodes));
    };
    for (_, node) in entries {
        reserve(&node.id, 1);
        for output in node.outputs.iter().filter(|output| !output.allows_sparse) {
            if let Some(target) = &output.target {
                reserve(target, output.array_size.max(1));
            }
        }
    }
    let mut next = 0u32;
    for size in sizes.values_mut() {
        let first = next;
        next = next.saturating_add(*size);
        *size = first;
    }
    sizes
}

fn push_record(waiting: &mut Waiting, record: &[u8], stride: usize) {
    let end = waiting.records.len() + stride;
    waiting.records.extend_from_slice(record);
    waiting.records.resize(end, 0);
}
