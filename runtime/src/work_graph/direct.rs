//! A node of a level on the CPU backend, which executes nodes as they are: groups and their records
//! are handed over, and what the groups sent comes back.

use std::collections::BTreeMap;

use dxil_cpu::{NodeGroup, NodeOutput, NodeRun};
use dxil_frontend::container::rdat::NodeLaunch;

use super::executor::Executor;
use super::level::{self, Room};
use super::{GraphNode, MISSING, WaitingRecords, check};
use crate::error::{Error, Result};

/// Maximum number of groups of a node in one level.
const MAX_GROUPS: u64 = 1 << 24;

/// Runs a node for the records that wait for it; gives the records for others by their numbers.
pub(super) fn run<'g>(
    executor: &mut Executor<'g>,
    node: &'g GraphNode,
    waiting: &WaitingRecords,
    left: u32,
) -> Result<BTreeMap<u32, WaitingRecords>> {
    let mut records = waiting.records.clone();
    let grids = level::grids(node, &records, waiting.count)?;
    level::count_sharers(node, &mut records, &grids);
    let lanes = node.program.stages.first();
    let lanes = lanes.and_then(|stage| stage.required_subgroup_size);
    let launch = node.node.launch;
    let groups = match launch {
        NodeLaunch::Broadcasting => broadcast(&grids)?,
        NodeLaunch::Coalescing => in_parts(waiting.count, level::max_per_group(node)),
        NodeLaunch::Thread => in_parts(waiting.count, lanes.unwrap_or(1)),
        launch @ (NodeLaunch::Invalid | NodeLaunch::Mesh | NodeLaunch::Other(_)) => {
            return Err(level::unknown_launch(launch));
        }
    };
    let senders = match launch {
        NodeLaunch::Thread => u64::from(waiting.count),
        _ => groups.len() as u64,
    };
    let room = Room::of(node, senders, executor.numbers())?;
    let outputs = node.node.outputs.iter().zip(&node.targets);
    let outputs = outputs.zip(&node.present).map(|((io, target), present)| {
        let mut present = *present;
        // A node that may not recurse further sees itself as missing (D3D12 Work Graphs
        // specification, "Node output IsValid method").
        if left == 0 && target.contains(&node.number) {
            let index = node.number - target.start;
            let words = present.get_or_insert([u32::MAX; 8]);
            if let Some(word) = words.get_mut(index as usize / 32) {
                *word &= !(1 << (index % 32));
            }
        }
        NodeOutput {
            stride: io.stride(),
            is_there: target.start != MISSING,
            present,
        }
    });
    let run = NodeRun {
        groups,
        records,
        stride: node.node.input_stride(),
        is_thread: launch == NodeLaunch::Thread,
        outputs: outputs.collect(),
        recursion_left: left,
    };
    let outcome = executor.run_node(node, run)?;
    let mut sent: BTreeMap<u32, WaitingRecords> = BTreeMap::new();
    let mut with_contents = 0;
    for records in &outcome.sent {
        let (Some(io), Some(target)) = (
            node.node.outputs.get(records.output as usize),
            node.targets.get(records.output as usize),
        ) else {
            continue;
        };
        // Records for a node that does not exist are dropped; shaders ask before (`IsValid`).
        if target.start == MISSING {
            continue;
        }
        let number = target.start.saturating_add(records.index);
        if !target.contains(&number) {
            return Err(Error::BadJob(format!(
                "{} sends records to node number {number}, which none of its outputs leads to",
                node.id()
            )));
        }
        let stride = u64::from(io.stride());
        let bytes = outcome
            .records
            .get(records.first as usize..)
            .unwrap_or_default();
        let length = (u64::from(records.count) * stride) as usize;
        let waiting = sent.entry(number).or_default();
        waiting.count += records.count;
        waiting
            .records
            .extend_from_slice(bytes.get(..length).unwrap_or_default());
        if stride != 0 {
            with_contents += u64::from(records.count);
        }
    }
    if with_contents > room.commands {
        return Err(Error::BadJob(format!(
            "{} sends more records than [MaxRecords] allows",
            node.id()
        )));
    }
    for (number, waiting) in &mut sent {
        waiting.sort(node.stride_to(*number).unwrap_or(0) as usize);
    }
    Ok(sent)
}

/// Returns a grid of groups for each record.
fn broadcast(grids: &[[u32; 3]]) -> Result<Vec<NodeGroup>> {
    let groups = grids.iter().map(check::groups_in);
    let need = groups.fold(0, u64::saturating_add);
    if need > MAX_GROUPS {
        return Err(Error::Limit {
            what: "thread groups of a node in one level",
            need,
            limit: MAX_GROUPS,
        });
    }
    let mut groups = Vec::with_capacity(need as usize);
    for (first, [width, height, depth]) in (0..).zip(grids.iter().copied()) {
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    groups.push(NodeGroup {
                        id: [x, y, z],
                        first,
                        count: 1,
                    });
                }
            }
        }
    }
    Ok(groups)
}

/// Splits records into groups of the given size.
fn in_parts(count: u32, each: u32) -> Vec<NodeGroup> {
    let groups = (0..count.div_ceil(each)).map(|number| NodeGroup {
        id: [number, 0, 0],
        first: number * each,
        count: each.min(count - number * each),
    });
    groups.collect()
}
