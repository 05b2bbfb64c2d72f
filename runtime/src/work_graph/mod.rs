//! Work graphs, executed by the host, level by level. The CPU backend runs nodes as they are.
//! Vulkan has no work graphs: each node of a library is a compute shader
//! ([`dxil_translate::node_protocol`]), and [`WorkGraph::run`] dispatches them level by level; mesh
//! nodes are mesh shaders, which it draws. It passes a node the records that were sent to it, reads
//! the records that the node sends, and continues until no records are left. Where D3D12 leaves a
//! choice to the implementation (the order of nodes, the distribution of records), the simplest one
//! is taken: this is for tests and for the inspection of graphs, not for speed.
//!
//! Records for a node are sorted, so that a graph has the same result each time unless its shaders
//! race.

mod check;
mod compile;
mod direct;
mod executor;
mod input;
mod level;
mod levels;
mod mesh;
mod record;
mod recorded;
mod specialize;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{EntryPoint, Node, NodeId, NodeIo};
use dxil_translate::Warning;
use dxil_translate::node_protocol::spec_id::PRESENT_WORDS;

use crate::device::Profile;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Outcome, Register};
use crate::program::{CompileOptions, Program};

pub use compile::NodeLibrary;
pub use input::{GraphEntry, GraphInput};
pub use mesh::MeshProgram;
pub use recorded::RecordedNode;
pub use specialize::specialize;

/// Number of a node that the graph does not have.
const MISSING: u32 = u32::MAX;

/// Minimum number of nodes of an unbounded output array. D3D12 does not define what a record for a
/// node after the last one does; here it is dropped.
const MIN_UNBOUNDED_NODES: u32 = 256;

/// Maximum number of nodes of a sparse output array.
const MAX_SPARSE_NODES: u32 = 1 << 16;

/// Nodes of libraries, translated and linked.
#[derive(Debug)]
pub struct WorkGraph {
    nodes: Vec<GraphNode>,
    /// Number of the first node of each name.
    first: BTreeMap<String, u32>,
    /// Numbers in all.
    numbers: u32,
    warnings: Vec<String>,
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
    /// Numbers of the nodes that the outputs lead to; for missing nodes, an empty range that begins
    /// with [`MISSING`].
    targets: Vec<Range<u32>>,
    /// Bits of the nodes that are there, of outputs that may lack some.
    present: Vec<Option<[u32; PRESENT_WORDS as usize]>>,
    local_root: Option<RootSignature>,
    program: Program,
    words: Arc<[u32]>,
}

/// The results of running a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphOutcome {
    /// The job's resources after the graph, hidden counters, and the device's time for all nodes
    /// together if the job asks for times.
    pub results: Outcome,
    /// Records that each node got, by the name of its entry point, level by level. Nodes that share
    /// an input are there too.
    pub levels: Vec<BTreeMap<String, u32>>,
    /// Records for nodes that the graph does not have, by node name and index.
    pub lost: BTreeMap<(String, u32), u32>,
}

/// Records that wait for a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct WaitingRecords {
    /// A stride apart, as the node has it; nothing for empty records.
    records: Vec<u8>,
    count: u32,
}

impl GraphNode {
    /// Returns the name and index.
    fn id(&self) -> String {
        check::show(&self.node.id)
    }
}

impl WorkGraph {
    /// Translates and links all nodes of some libraries for a device
    /// (`D3D12_WORK_GRAPH_FLAG_INCLUDE_ALL_AVAILABLE_NODES`). `root` is the global root signature,
    /// if there is one.
    ///
    /// # Errors
    ///
    /// [`Error::WorkGraph`] if the nodes do not form a valid graph, [`Error::Unsupported`] if the
    /// backend has no device addresses, or the error of a node that cannot be translated.
    pub fn compile(
        libraries: &[NodeLibrary<'_>],
        root: Option<&RootSignature>,
        profile: &Profile,
        formats: &dyn Fn(Register) -> Option<Format>,
        options: &CompileOptions,
    ) -> Result<Self> {
        if !profile.device_addresses && !profile.executes_dxil {
            return Err(Error::Unsupported(
                "this backend has no device addresses, which the records of work graphs live behind".into(),
            ));
        }
        let entries: Vec<(&NodeLibrary<'_>, &EntryPoint, &Node)> = libraries
            .iter()
            .flat_map(|library| {
                library
                    .nodes()
                    .map(move |(entry, node)| (library, entry, node))
            })
            .collect();
        if entries.is_empty() {
            return Err(Error::BadJob("the library has no work graph nodes".into()));
        }
        let all: Vec<&Node> = entries.iter().map(|(_, _, node)| *node).collect();
        // Checked before anything is translated: the messages speak of nodes, and translating takes
        // longest.
        let warnings = check::check(&all)?;
        let ranges = number_names(&all);
        let numbers = ranges.values().map(|range| range.end).max().unwrap_or(0);
        let ends: BTreeMap<&str, u32> = ranges.iter().map(|(n, range)| (&**n, range.end)).collect();
        let first: BTreeMap<String, u32> = ranges
            .iter()
            .map(|(name, range)| (name.clone(), range.start))
            .collect();
        let number = |id: &NodeId| match first.get(&*id.name) {
            Some(first) => first + id.index,
            None => MISSING,
        };
        let is_there = |output: &NodeIo| all.iter().any(|node| check::leads_to(output, &node.id));
        let mut nodes = Vec::with_capacity(entries.len());
        for (library, entry, node) in entries {
            let (program, words) =
                compile::compile(library, entry, root, profile, formats, options)?;
            let target = |output: &NodeIo| match &output.target {
                Some(target) if !output.allows_sparse || is_there(output) => {
                    let first = number(target);
                    let end = ends.get(&*target.name).copied().unwrap_or(first);
                    // An unbounded array is as long as the numbers of its name allow, so that its
                    // range does not reach into the next name's numbers.
                    first..end.min(first.saturating_add(output.array_size.max(1)))
                }
                // The range is empty: shaders ask whether the node is there (`IsValid`).
                _ => MISSING..MISSING,
            };
            nodes.push(GraphNode {
                name: entry.plain_name().to_owned(),
                threads: entry.num_threads.unwrap_or([1; 3]),
                number: number(&node.id),
                shares: node.shares_input_of.as_ref().map(number),
                targets: node.outputs.iter().map(target).collect(),
                present: node.outputs.iter().map(|io| present(io, &all)).collect(),
                local_root: library.local_root(entry).cloned(),
                words,
                node: node.clone(),
                program,
            });
        }
        Ok(WorkGraph {
            nodes,
            first,
            numbers,
            warnings,
        })
    }

    /// Returns the translated nodes: name of the entry point, and SPIR-V, which is
    /// empty on the CPU backend.
    pub fn modules(&self) -> impl Iterator<Item = (&str, &[u32])> {
        self.nodes.iter().map(|node| (&*node.name, &*node.words))
    }

    /// Returns the nodes with their programs, by the names of their entry points.
    pub fn programs(&self) -> impl Iterator<Item = (&str, &Program)> {
        self.nodes.iter().map(|node| (&*node.name, &node.program))
    }

    /// Returns the rules of D3D12 that the graph breaks although it can be executed here.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the warnings of the translations: features of nodes that were dropped.
    pub fn translation_warnings(&self) -> impl Iterator<Item = &Warning> {
        let stages = self.nodes.iter().flat_map(|node| &node.program.stages);
        stages.flat_map(|stage| &stage.warnings)
    }

    fn node(&self, number: u32) -> Option<&GraphNode> {
        self.nodes.iter().find(|node| node.number == number)
    }

    /// Returns the name and index that have a number.
    fn name_of(&self, number: u32) -> (String, u32) {
        let names = self.first.iter().filter(|&(_, &first)| first <= number);
        let last = names.max_by_key(|&(_, &first)| first);
        last.map_or_else(
            || (String::new(), number),
            |(name, &first)| (name.clone(), number - first),
        )
    }
}

/// Returns the nodes of an output that exist, if some may be missing.
fn present(output: &NodeIo, nodes: &[&Node]) -> Option<[u32; PRESENT_WORDS as usize]> {
    let target = output.target.as_ref().filter(|_| output.allows_sparse)?;
    let mut words = [0; PRESENT_WORDS as usize];
    for node in nodes
        .iter()
        .filter(|node| check::leads_to(output, &node.id))
    {
        let place = node.id.index - target.index;
        if let Some(word) = words.get_mut(place as usize / 32) {
            *word |= 1 << (place % 32);
        }
    }
    Some(words)
}

/// Gives each name as many numbers as its nodes have indices. Names of outputs have numbers even if
/// the graph lacks the nodes, so that records for them are counted as lost.
fn number_names(nodes: &[&Node]) -> BTreeMap<String, Range<u32>> {
    let there: BTreeSet<&str> = nodes.iter().map(|node| &*node.id.name).collect();
    let mut sizes: BTreeMap<String, u32> = BTreeMap::new();
    let mut reserve = |id: &NodeId, nodes: u32| {
        let size = sizes.entry(id.name.to_string()).or_default();
        *size = (*size).max(id.index.saturating_add(nodes));
    };
    for node in nodes {
        reserve(&node.id, 1);
        for output in &node.outputs {
            let Some(target) = &output.target else {
                continue;
            };
            match (output.allows_sparse, output.array_size) {
                (false, size) => reserve(target, size.max(1)),
                // A sparse output to a name without any node takes no numbers, since `IsValid` is
                // false for all of them.
                (true, _) if !there.contains(&*target.name) => {}
                (true, u32::MAX) => reserve(target, MIN_UNBOUNDED_NODES),
                // Bounded, since each number has a counter in memory for every dispatch.
                (true, size) => reserve(target, size.clamp(1, MAX_SPARSE_NODES)),
            }
        }
    }
    let mut next = 0u32;
    let mut range = |size: u32| {
        let first = next;
        next = next.saturating_add(size);
        first..next
    };
    sizes
        .into_iter()
        .map(|(name, size)| (name, range(size)))
        .collect()
}
