//! Records from the host.

use dxil_frontend::dxil::NodeIo;

use super::check;
use super::{GraphNode, WaitingRecords, WorkGraph};
use crate::error::{Error, Result};

/// Records from the host for a program entry (`D3D12_NODE_CPU_INPUT`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphInput {
    /// Name of the node.
    pub node: String,
    /// Place in an array of nodes.
    pub index: u32,
    /// The records, a stride apart; nothing for empty ones.
    pub records: Vec<u8>,
    /// Number of records.
    pub count: u32,
    /// Bytes from record to record; 0 sends the first one again and again. Default: their size.
    pub stride: Option<u32>,
}

impl WorkGraph {
    /// Returns the program entries: nodes with that attribute, and nodes to which no other node
    /// sends. Sharers of an input come with its owner.
    pub fn entries(&self) -> impl Iterator<Item = GraphEntry<'_>> {
        let entries = self.nodes.iter().filter(|node| self.is_entry(node));
        entries.map(|node| GraphEntry {
            entry: &node.name,
            node: &node.node.id.name,
            index: node.node.id.index,
            input: node.node.input(),
        })
    }

    fn is_entry(&self, node: &GraphNode) -> bool {
        let is_target = self.nodes.iter().any(|from| {
            let mut outputs = from.node.outputs.iter();
            from.number != node.number && outputs.any(|io| check::leads_to(io, &node.node.id))
        });
        node.node.is_program_entry || !is_target && node.shares.is_none()
    }

    /// Returns the node that an input is for, and its records as the node has them.
    pub(super) fn accept(&self, input: &GraphInput) -> Result<(&GraphNode, WaitingRecords)> {
        let of_name = |node: &&GraphNode| {
            *node.node.id.name == *input.node && node.node.id.index == input.index
        };
        let node = self.nodes.iter().find(of_name).ok_or_else(|| {
            let names: Vec<String> = self.nodes.iter().map(GraphNode::id).collect();
            Error::BadJob(format!(
                "the graph has no node {}[{}], only {}",
                input.node,
                input.index,
                names.join(", ")
            ))
        })?;
        if !self.is_entry(node) {
            return Err(Error::BadJob(format!(
                "{} is no program entry ([NodeIsProgramEntry])",
                node.id()
            )));
        }
        Ok((node, records(node, input)?))
    }
}

/// A program entry of a graph.
#[derive(Debug, Clone, Copy)]
pub struct GraphEntry<'a> {
    /// Name of the entry point.
    pub entry: &'a str,
    /// Name of the node.
    pub node: &'a str,
    /// Place in an array of nodes.
    pub index: u32,
    /// The input of the node.
    pub input: Option<&'a NodeIo>,
}

impl GraphEntry<'_> {
    /// Returns the size of a record in bytes; 0 for empty ones.
    pub fn record_bytes(&self) -> u32 {
        self.input.map_or(0, |io| io.record_size)
    }
}

fn records(node: &GraphNode, input: &GraphInput) -> Result<WaitingRecords> {
    let name = check::show(&node.node.id);
    let size = node.node.input().map_or(0, |io| io.record_size) as usize;
    let count = input.count as usize;
    let mut waiting = WaitingRecords {
        records: Vec::new(),
        count: input.count,
    };
    if size == 0 {
        if !input.records.is_empty() {
            return Err(Error::BadJob(format!(
                "{name} takes empty records, which have no bytes"
            )));
        }
        return Ok(waiting);
    }
    let stride = input.stride.map_or(size, |stride| stride as usize);
    // D3D12 wants strides that are multiples of a word. Without a stride the records are packed.
    if stride != 0 && (stride < size || input.stride.is_some() && !stride.is_multiple_of(4)) {
        return Err(Error::BadJob(format!(
            "a stride of {stride} bytes for records of {size} bytes of {name}: it is 0, or no less and a multiple of 4"
        )));
    }
    // The gap after the last record may be missing.
    let minimum = stride.saturating_mul(count.saturating_sub(1));
    let minimum = minimum.saturating_add(size);
    let maximum = stride.saturating_mul(count).max(minimum);
    if count != 0 && !(minimum..=maximum).contains(&input.records.len()) {
        return Err(Error::BadJob(format!(
            "{name} takes records of {size} bytes, {count} of them, {stride} bytes apart, are {minimum} bytes, not {}",
            input.records.len()
        )));
    }
    let own = node.node.input_stride() as usize;
    for number in 0..count {
        let end = waiting.records.len() + own;
        let from = number * stride;
        waiting
            .records
            .extend_from_slice(&input.records[from..from + size]);
        waiting.records.resize(end, 0);
    }
    Ok(waiting)
}
