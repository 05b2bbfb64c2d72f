//! Whether nodes make a graph: what D3D12 looks at when a state object is created (D3D12 Work
//! Graphs specification, "Recursion", "Node limits", "Node array constraints", "Sharing input
//! records across nodes", and the attributes of shader functions and node outputs).
//!
//! A graph that cannot be executed is an error. A graph that D3D12 refuses to keep drivers simple,
//! and that can be executed here, is a warning.

use std::collections::{BTreeMap, BTreeSet};

use dxil_frontend::container::rdat::{NodeIoFlags, NodeLaunch};
use dxil_frontend::dxil::{Node, NodeId, NodeIo};

use crate::error::{Error, Result};

/// Maximum number of nodes in a chain, including recursion (`D3D12_WORK_GRAPHS_MAX_NODE_DEPTH`).
const MAX_LEVELS: u32 = 32;

/// Maximum number of nodes.
const MAX_NODES: u64 = 0xff_ffff;

/// Maximum number of nodes that share an input.
const MAX_SHARERS: usize = 256;

/// Maximum number of groups of a record along one axis, and in all.
const MAX_GROUPS: (u32, u64) = (65_535, (1 << 24) - 1);

/// Maximum number of groups of a record of a mesh node in all.
const MAX_MESH_GROUPS: u64 = 1 << 22;

/// Returns the name and index, as HLSL says them.
pub(super) fn show(id: &NodeId) -> String {
    match id.index {
        0 => id.name.to_string(),
        index => format!("{}[{index}]", id.name),
    }
}

fn bad<T>(text: String) -> Result<T> {
    Err(Error::WorkGraph(text))
}

/// Returns whether an output leads to a node.
pub(super) fn leads_to(output: &NodeIo, node: &NodeId) -> bool {
    let Some(target) = &output.target else {
        return false;
    };
    let place = node.index.checked_sub(target.index);
    // Zero is the size of an output that is not an array.
    let size = output.array_size.max(1);
    target.name == node.name && place.is_some_and(|place| place < size)
}

fn is_array(output: &NodeIo) -> bool {
    output.array_size != 0 || output.flags.contains(NodeIoFlags::NODE_ARRAY)
}

fn recurses(node: &Node) -> bool {
    node.outputs.iter().any(|output| leads_to(output, &node.id))
}

/// Looks at a graph of these nodes. Returns the warnings.
pub(super) fn check(nodes: &[&Node]) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    check_names(nodes)?;
    for node in nodes {
        check_grid(node)?;
        // The pipeline after a mesh node ends in the rasterizer (WorkGraphs specification, "Mesh
        // nodes").
        if node.launch == NodeLaunch::Mesh && !node.outputs.is_empty() {
            return bad(format!(
                "{} is a mesh node and sends records; mesh nodes are leaves",
                show(&node.id)
            ));
        }
        check_outputs(node, nodes)?;
        check_sharing(node, nodes)?;
        // A node that targets itself must declare its depth (WorkGraphs specification,
        // "Recursion").
        if recurses(node) && node.max_recursion_depth == 0 {
            return bad(format!(
                "{} sends records to itself and does not say how often ([NodeMaxRecursionDepth])",
                show(&node.id)
            ));
        }
        if node.max_recursion_depth > MAX_LEVELS {
            return bad(format!(
                "[NodeMaxRecursionDepth({})] of {} is more than the {MAX_LEVELS} levels of a graph",
                node.max_recursion_depth,
                show(&node.id)
            ));
        }
        warn_of_tracking(node, nodes, &mut warnings);
    }
    warn_of_arrays(nodes, &mut warnings);
    check_depth(nodes)?;
    Ok(warnings)
}

/// Checks that each node has a place of its own, and that there are not too many places.
fn check_names(nodes: &[&Node]) -> Result<()> {
    let mut places = BTreeSet::new();
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    let mut levels = 0u64;
    for node in nodes {
        if !places.insert((&*node.id.name, node.id.index)) {
            return bad(format!("there are two nodes {}", show(&node.id)));
        }
        let size = sizes.entry(&node.id.name).or_default();
        *size = (*size).max(u64::from(node.id.index) + 1);
        levels += u64::from(node.max_recursion_depth);
    }
    // Gaps in arrays count, and so do levels of recursion (WorkGraphs specification, "Node count
    // limits").
    let need = sizes.values().sum::<u64>() + levels;
    if need > MAX_NODES {
        bad(format!(
            "the graph has {need} places for nodes (gaps in arrays and levels of recursion count), {MAX_NODES} are allowed"
        ))
    } else {
        Ok(())
    }
}

/// Checks that the dispatch grid is given once, and is not too large.
fn check_grid(node: &Node) -> Result<()> {
    let name = show(&node.id);
    let grids = [node.dispatch_grid, node.max_dispatch_grid];
    let (launch, most) = match node.launch {
        NodeLaunch::Broadcasting => ("launches broadcasting", MAX_GROUPS.1),
        NodeLaunch::Mesh => ("launches meshes", MAX_MESH_GROUPS),
        _ => return Ok(()),
    };
    match grids {
        [None, None] => {
            return bad(format!(
                "{name} {launch} and has neither [NodeDispatchGrid] nor [NodeMaxDispatchGrid]"
            ));
        }
        [Some(_), Some(_)] => {
            return bad(format!(
                "{name} has both [NodeDispatchGrid] and [NodeMaxDispatchGrid]"
            ));
        }
        [None, Some(_)] if node.input().is_none_or(|input| input.grid.is_none()) => {
            return bad(format!(
                "{name} has [NodeMaxDispatchGrid], and its records no SV_DispatchGrid"
            ));
        }
        _ => {}
    }
    for grid in grids.into_iter().flatten() {
        if grid.iter().any(|side| *side > MAX_GROUPS.0) || groups_in(&grid) > most {
            return bad(format!(
                "the dispatch grid {} of {name} has more than {} groups along a side, or {} in all",
                show_grid(grid),
                MAX_GROUPS.0,
                most
            ));
        }
    }
    Ok(())
}

/// Returns the number of groups in a grid.
pub(super) fn groups_in(grid: &[u32; 3]) -> u64 {
    let sides = grid.iter().map(|side| u64::from(*side));
    sides.fold(1, u64::saturating_mul)
}

pub(super) fn show_grid([x, y, z]: [u32; 3]) -> String {
    format!("{x}x{y}x{z}")
}

/// Checks that outputs lead to nodes that take their records, and that no group sends too many.
fn check_outputs(node: &Node, nodes: &[&Node]) -> Result<()> {
    let name = show(&node.id);
    let (mut records, mut bytes) = (0u64, 0u64);
    for (place, output) in node.outputs.iter().enumerate() {
        let Some(target) = &output.target else {
            return bad(format!(
                "output {place} of {name} does not say where it leads"
            ));
        };
        let takers: Vec<&&Node> = nodes
            .iter()
            .filter(|taker| leads_to(output, &taker.id))
            .collect();
        // An array may have gaps, of which shaders must not make use; a single node has to be
        // there.
        if takers.is_empty() && !output.allows_sparse && !is_array(output) {
            return bad(format!(
                "{name} sends records to {}, which is not in the graph and need not be missing ([AllowSparseNodes])",
                show(target)
            ));
        }
        let mut sharers = 1;
        for taker in takers {
            check_record(node, output, taker)?;
            let with = nodes
                .iter()
                .filter(|other| other.shares_input_of.as_ref() == Some(&taker.id));
            sharers = sharers.max(1 + with.count());
        }
        // Nodes that share a record count as if each had its own. Empty records have no storage, so
        // they count for neither limit.
        if output.stride() != 0 {
            let sharers = u64::try_from(sharers).unwrap_or(u64::MAX);
            let maximum = u64::from(output.max_records).saturating_mul(sharers);
            records = records.saturating_add(maximum);
            bytes = bytes.saturating_add(maximum.saturating_mul(output.stride().into()));
        }
    }
    // The limits of a group and of a thread (WorkGraphs specification, "Node output limits").
    let (max_records, max_bytes) = match node.launch {
        NodeLaunch::Thread => (8, 128),
        _ => (256, 32 * 1024),
    };
    if records > max_records || bytes > max_bytes {
        bad(format!(
            "{name} may send {records} records of {bytes} bytes; {} may send {max_records} of {max_bytes} bytes",
            match node.launch {
                NodeLaunch::Thread => "a thread",
                _ => "a group",
            }
        ))
    } else {
        Ok(())
    }
}

/// Checks that the records of an output have the size that the target node takes.
fn check_record(from: &Node, output: &NodeIo, to: &Node) -> Result<()> {
    let sent = record_size(Some(output));
    let taken = record_size(to.input());
    if sent == taken {
        return Ok(());
    }
    let text = |size: u32| match size {
        0 => "empty records".to_owned(),
        size => format!("records of {size} bytes"),
    };
    bad(format!(
        "{} sends {} to {}, which takes {}",
        show(&from.id),
        text(sent),
        show(&to.id),
        text(taken)
    ))
}

fn record_size(io: Option<&NodeIo>) -> u32 {
    match io {
        Some(io) if !io.flags.contains(NodeIoFlags::EMPTY_RECORD) => io.record_size,
        _ => 0,
    }
}

/// Checks that a node which shares an input has no other, and that the owner does not share its
/// own.
fn check_sharing(node: &Node, nodes: &[&Node]) -> Result<()> {
    let Some(owner) = &node.shares_input_of else {
        return Ok(());
    };
    let (name, of) = (show(&node.id), show(owner));
    let Some(owner) = nodes.iter().find(|other| other.id == *owner) else {
        return bad(format!(
            "{name} shares the input of {of} ([NodeShareInputOf]), which is not in the graph"
        ));
    };
    let targets = |node: &Node| {
        nodes
            .iter()
            .flat_map(|other| &other.outputs)
            .any(|output| leads_to(output, &node.id))
    };
    let writes = |node: &Node| {
        node.input()
            .is_some_and(|input| input.flags.contains(NodeIoFlags::READ_WRITE))
    };
    // These restrictions exist to keep drivers simple (WorkGraphs specification, "Sharing input
    // records across nodes"), but an input that is shared and written to would make results depend
    // on the order.
    let why = if node.id == owner.id {
        "are one node"
    } else if owner.shares_input_of.is_some() {
        "both share an input"
    } else if node.is_program_entry {
        "cannot, since the first is a program entry"
    } else if targets(node) {
        "cannot, since other nodes send records to the first"
    } else if recurses(owner) {
        "cannot, since the second recurses"
    } else if owner.is_program_entry && targets(owner) {
        "cannot, since the second gets records both from the graph and from outside"
    } else if writes(node) || writes(owner) {
        "cannot, since one of them writes to its records"
    } else if record_size(node.input()) != record_size(owner.input()) {
        "take records of different sizes"
    } else {
        let all = nodes
            .iter()
            .filter(|other| other.shares_input_of.as_ref() == Some(&owner.id));
        if all.count() >= MAX_SHARERS {
            return bad(format!(
                "more than {MAX_SHARERS} nodes share the input of {of}"
            ));
        } else {
            return Ok(());
        }
    };
    bad(format!(
        "{name} is to share the input of {of} ([NodeShareInputOf]); they {why}"
    ))
}

/// Checks that cycles have one node, and that no chain is too long. Arrays are as deep as their
/// deepest node.
fn check_depth(nodes: &[&Node]) -> Result<()> {
    // By name and not by node: the depth of an array is that of its deepest node (WorkGraphs
    // specification, "Node array constraints").
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut levels: BTreeMap<&str, u32> = BTreeMap::new();
    for node in nodes {
        let own = if recurses(node) {
            node.max_recursion_depth.max(1)
        } else {
            1
        };
        let level = levels.entry(&node.id.name).or_default();
        *level = (*level).max(own);
        let to = next.entry(&node.id.name).or_default();
        for taker in nodes {
            let shared = taker.shares_input_of.as_ref();
            let leads = |output: &NodeIo| {
                leads_to(output, &taker.id) || shared.is_some_and(|owner| leads_to(output, owner))
            };
            if taker.id == node.id || !node.outputs.iter().any(leads) {
                continue;
            }
            if taker.id.name == node.id.name {
                return bad(format!(
                    "{} may send records to {}, another node of its own array",
                    show(&node.id),
                    show(&taker.id)
                ));
            }
            to.insert(&taker.id.name);
        }
    }
    let mut depths = BTreeMap::new();
    for name in next.keys() {
        let mut path = Vec::new();
        let depth = depth_of(name, &next, &levels, &mut depths, &mut path)?;
        if depth > MAX_LEVELS {
            return bad(format!(
                "the chain of nodes that begins with {name} is {depth} nodes long (levels of recursion count), {MAX_LEVELS} are allowed"
            ));
        }
    }
    Ok(())
}

/// Returns the nodes of the longest chain that begins with one; `path` leads to it.
fn depth_of<'a>(
    name: &'a str,
    next: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    levels: &BTreeMap<&'a str, u32>,
    depths: &mut BTreeMap<&'a str, u32>,
    path: &mut Vec<&'a str>,
) -> Result<u32> {
    if let Some(depth) = depths.get(name) {
        return Ok(*depth);
    }
    // The path holds the chain that leads here, so meeting a name again is a cycle.
    if let Some(first) = path.iter().position(|earlier| *earlier == name) {
        path.push(name);
        return bad(format!(
            "nodes send records in a cycle: {}",
            path[first..].join(" -> ")
        ));
    }
    path.push(name);
    let mut deepest = 0;
    for follower in next.get(name).into_iter().flatten() {
        // A chain that is too long is refused in any case. Refusing it here bounds the depth of the
        // recursion.
        if path.len() > MAX_LEVELS as usize && !path.contains(follower) {
            return bad(format!(
                "the chain of nodes {} ... is longer than {MAX_LEVELS} nodes",
                path[..4.min(path.len())].join(" -> ")
            ));
        }
        deepest = deepest.max(depth_of(follower, next, levels, depths, path)?);
    }
    path.pop();
    let depth = deepest.saturating_add(levels.get(name).copied().unwrap_or(1));
    // The memo makes the search linear: without it a graph with many joins has exponentially many
    // chains.
    depths.insert(name, depth);
    Ok(depth)
}

/// Warns of arrays whose nodes differ, which D3D12 does not allow.
fn warn_of_arrays(nodes: &[&Node], warnings: &mut Vec<String>) {
    let mut first: BTreeMap<&str, &Node> = BTreeMap::new();
    for node in nodes {
        let Some(other) = first.get(&*node.id.name) else {
            first.insert(&node.id.name, node);
            continue;
        };
        let access = |node: &Node| {
            node.input()
                .is_some_and(|io| io.flags.contains(NodeIoFlags::READ_WRITE))
        };
        let what = if node.launch != other.launch {
            "launch in different ways"
        } else if record_size(node.input()) != record_size(other.input()) {
            "take records of different sizes"
        } else if access(node) != access(other) {
            "differ in whether they write to their records"
        } else if node.dispatch_grid.is_some() != other.dispatch_grid.is_some() {
            "differ in whether their dispatch grid is fixed"
        } else {
            continue;
        };
        warnings.push(format!(
            "{} and {} are of one array and {what}, which D3D12 refuses",
            show(&other.id),
            show(&node.id)
        ));
    }
}

/// Warns of tracked sharing of records that no other node sends, and of tracking that only one side
/// declares.
fn warn_of_tracking(node: &Node, nodes: &[&Node], warnings: &mut Vec<String>) {
    let tracks = |io: &NodeIo| io.flags.contains(NodeIoFlags::TRACK_RW_INPUT_SHARING);
    if !node.input().is_some_and(tracks) {
        return;
    }
    if node.is_program_entry {
        warnings.push(format!(
            "{} is a program entry and its records are tracked ([NodeTrackRWInputSharing]): in D3D12 it must not call FinishedCrossGroupSharing",
            show(&node.id)
        ));
    }
    for from in nodes {
        let mut to_it = from.outputs.iter().filter(|io| leads_to(io, &node.id));
        if to_it.any(|output| !tracks(output)) {
            warnings.push(format!(
                "{} tracks its records ([NodeTrackRWInputSharing]) and {} sends them without",
                show(&node.id),
                show(&from.id)
            ));
        }
    }
}

#[cfg(test)]
mod tests;
