//! One node of a level: memory for its dispatch, the dispatch, and what it sent on.

use std::collections::BTreeMap;

use dxil_frontend::container::rdat::{NodeIoFlags, NodeLaunch};
use dxil_frontend::dxil::{ComponentType, ResourceClass};
use dxil_translate::node_protocol::{
    ADDRESSES, ALLOCATION_ALIGNMENT, END_OF_RECORDS, FIRST_RECORD, GROUPS_PER_ROW, INPUT_BYTES,
    LOCAL_ROOT, OUTPUT_BYTES, OUTPUT_COUNTERS, STRIDE_OR_OFFSETS, spec_id,
};

use super::{GraphNode, MISSING, Waiting, specialize};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::job::{Job, Register, ResourceId, Storage, View, Work};
use crate::program::{Code, Program, PushConstant, PushSource};

/// Register space of the graph's own memory. D3D12 keeps it from shaders.
const OWN_SPACE: u32 = 0xffff_fff1;

/// Threads per group of a thread node: with at most eight records per thread, a command has at most 256.
const THREADS_OF_THREAD_NODES: u32 = 32;

/// Groups along z that share the grid of a record; the node goes round for the rest.
const GROUPS_PER_RECORD: u32 = 4;

/// Bytes of memory for output records at most.
const MOST_OUTPUT: u64 = 1 << 28;

/// Runs a node for the records that wait for it; gives the records for others by their numbers.
pub(super) fn run(
    node: &GraphNode,
    device: &dyn Device,
    job: &mut Job,
    waiting: &Waiting,
    is_entry: bool,
    left: u32,
) -> Result<Vec<(u32, Waiting)>> {
    let stride = node.node.input_stride();
    let mut records = waiting.records.clone();
    let grids = grids(node, &records, waiting.count);
    count_sharers(node, &mut records, &grids);
    let groups: u64 = match node.node.launch {
        NodeLaunch::Broadcasting => grids.iter().sum(),
        NodeLaunch::Coalescing => u64::from(waiting.count.div_ceil(most_per_group(node))),
        _ => u64::from(waiting.count),
    };
    let room = Room::of(node, groups)?;
    let launches = match node.node.launch {
        NodeLaunch::Broadcasting => waiting.count,
        NodeLaunch::Coalescing => waiting.count.div_ceil(most_per_group(node)),
        NodeLaunch::Thread => waiting.count.div_ceil(THREADS_OF_THREAD_NODES),
        launch => {
            return Err(Error::Unsupported(format!(
                "a node with launch type {launch:?}"
            )));
        }
    };
    let per_launch = match node.node.launch {
        NodeLaunch::Broadcasting => 1,
        NodeLaunch::Coalescing => most_per_group(node),
        _ => THREADS_OF_THREAD_NODES,
    };
    let depth = match node.node.launch {
        NodeLaunch::Broadcasting => GROUPS_PER_RECORD,
        _ => 1,
    };
    // Whole rows first, then the rest.
    let rows = launches / GROUPS_PER_ROW;
    let rest = launches % GROUPS_PER_ROW;
    let in_rows = rows * GROUPS_PER_ROW;
    let mut output = Output::default();
    for (first, size) in [
        (0, [GROUPS_PER_ROW, rows, depth]),
        (in_rows * per_launch, [rest, 1, depth]),
    ] {
        if size.contains(&0) {
            continue;
        }
        let dispatch = Dispatch {
            records: &records,
            stride,
            first,
            end: waiting.count,
            size,
            is_entry,
            left,
        };
        dispatch.run(node, device, job, &room, &mut output)?;
    }
    Ok(output.sent.into_iter().collect())
}

/// What was sent, by node number.
#[derive(Default)]
struct Output {
    sent: BTreeMap<u32, Waiting>,
}

fn most_per_group(node: &GraphNode) -> u32 {
    node.node.input().map_or(1, |io| io.max_records).max(1)
}

/// Groups that each record launches; nothing for nodes without grids.
fn grids(node: &GraphNode, records: &[u8], count: u32) -> Vec<u64> {
    if node.node.launch != NodeLaunch::Broadcasting {
        return Vec::new();
    }
    let stride = node.node.input_stride() as usize;
    let grid = node.node.input().and_then(|io| io.grid);
    let (Some(grid), true) = (grid, node.node.max_dispatch_grid.is_some()) else {
        let fixed = node.node.dispatch_grid.unwrap_or([1; 3]);
        return vec![fixed.map(u64::from).iter().product(); count as usize];
    };
    let side = |at: usize| match grid.component {
        ComponentType::U16 => records
            .get(at..at + 2)
            .map_or(0, |b| u64::from(u16::from_le_bytes([b[0], b[1]]))),
        _ => u64::from(word_at(records, at)),
    };
    let bytes = if grid.component == ComponentType::U16 {
        2
    } else {
        4
    };
    (0..count as usize)
        .map(|record| {
            let at = record * stride + grid.offset as usize;
            (0..grid.components as usize)
                .map(|axis| side(at + axis * bytes))
                .product()
        })
        .collect()
}

/// Writes how many groups share each record, where that is tracked.
fn count_sharers(node: &GraphNode, records: &mut [u8], grids: &[u64]) {
    let is_tracked = node
        .node
        .input()
        .is_some_and(|io| io.flags.contains(NodeIoFlags::TRACK_RW_INPUT_SHARING));
    let stride = node.node.input_stride() as usize;
    if !is_tracked || stride < 4 {
        return;
    }
    for (record, groups) in records.chunks_exact_mut(stride).zip(grids) {
        record[stride - 4..].copy_from_slice(&(*groups as u32).to_le_bytes());
    }
}

fn word_at(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..at + 4)
        .map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

/// Memory that the outputs of a dispatch may need.
struct Room {
    bytes: u64,
    commands: u64,
    /// Numbers of nodes, one more than the greatest.
    numbers: u32,
}

impl Room {
    fn of(node: &GraphNode, groups: u64) -> Result<Self> {
        let outputs = &node.node.outputs;
        let mut room = Room {
            bytes: 16,
            commands: 1,
            numbers: 1,
        };
        for (output, &target) in outputs.iter().zip(&node.targets) {
            let shared = output.shares_max_records_with;
            let shared = shared.and_then(|index| outputs.get(index as usize));
            let most = u64::from(output.max_records.max(shared.map_or(0, |o| o.max_records)));
            let each = u64::from(output.stride().next_multiple_of(ALLOCATION_ALIGNMENT));
            room.bytes += groups * most * each;
            room.commands += groups * most;
            if target != MISSING {
                // An unbounded array may be asked for any node that is there; the graph checks.
                let size = match output.array_size {
                    0 | u32::MAX => 1024,
                    size => size,
                };
                room.numbers = room.numbers.max(target.saturating_add(size));
            }
        }
        if room.bytes > MOST_OUTPUT {
            return Err(Error::Limit {
                what: "bytes of records that a node may send in one level",
                need: room.bytes,
                limit: MOST_OUTPUT,
            });
        }
        Ok(room)
    }
}

/// One dispatch.
struct Dispatch<'a> {
    records: &'a [u8],
    stride: u32,
    first: u32,
    end: u32,
    size: [u32; 3],
    is_entry: bool,
    left: u32,
}

impl Dispatch<'_> {
    fn run(
        &self,
        node: &GraphNode,
        device: &dyn Device,
        job: &mut Job,
        room: &Room,
        output: &mut Output,
    ) -> Result<()> {
        let mut own_job = job.clone();
        let words = |values: &[u32]| -> Vec<u8> {
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect()
        };
        let count = self.records.len() as u32 / self.stride.max(1);
        let offsets: Vec<u32> = (0..count.max(1)).map(|i| i * self.stride).collect();
        let mut input = self.records.to_vec();
        input.resize(input.len().max(16), 0);
        // Behind the two counters and the counts of the nodes lie the commands.
        let commands = room.numbers.next_multiple_of(2);
        let counters = vec![0; 8 + 4 * commands as usize + 8 * room.commands as usize];
        let mut memory = |member: u32, bytes: Vec<u8>| {
            let id = own_job.add_resource("records", Storage::Buffer(bytes), true);
            own_job.bind(own_register(member), View::buffer(id));
            id
        };
        memory(INPUT_BYTES, input);
        memory(FIRST_RECORD, words(&[self.first, 0, 0, 0]));
        memory(END_OF_RECORDS, words(&[self.end, 0, 0, 0]));
        memory(STRIDE_OR_OFFSETS, words(&offsets));
        let records = memory(OUTPUT_BYTES, vec![0; room.bytes as usize]);
        let counters = memory(OUTPUT_COUNTERS, counters);
        memory(LOCAL_ROOT, words(&[0; 4]));
        own_job.bind_constants(own_register(ADDRESSES), words(&[commands, self.left]));
        own_job.bind_constants(own_register(ADDRESSES + 1), words(&[self.stride, 0]));
        own_job.work = Work::Dispatch(self.size);
        own_job.timing = None;

        let outcome = device.run(&self.program(node), &own_job)?;
        for (resource, bytes) in job.resources.iter_mut().zip(&outcome.resources) {
            if let Some(bytes) = bytes {
                match &mut resource.storage {
                    Storage::Buffer(old) => old.clone_from(bytes),
                    Storage::Texture(texture) => texture.data.clone_from(bytes),
                }
            }
        }
        let bytes = |id: ResourceId| outcome.bytes(id).unwrap_or_default();
        collect(node, bytes(counters), bytes(records), commands, output)
    }

    /// The node's program, told what it is in this dispatch.
    fn program(&self, node: &GraphNode) -> Program {
        let mut values = vec![
            (spec_id::IS_PROGRAM_ENTRY, u32::from(self.is_entry)),
            (spec_id::IS_INDIRECT, 0),
            (spec_id::DISPATCH_IS_GRID, 0),
        ];
        if node.node.launch == NodeLaunch::Thread {
            values.push((spec_id::THREADS, THREADS_OF_THREAD_NODES));
        } else {
            for (id, threads) in (spec_id::THREADS..).zip(node.threads) {
                values.push((id, threads));
            }
        }
        values.extend((spec_id::FIRST_OUTPUT..).zip(node.targets.iter().copied()));
        let mut program = node.program.clone();
        if let Some(stage) = program.stages.first_mut() {
            stage.code = Code::SpirV(specialize(&node.words, &values).into());
        }
        let pushed = &mut program.layout.push_constants;
        pushed.clear();
        for member in 0..ADDRESSES {
            let source = match member {
                // Program entries have the stride itself there.
                STRIDE_OR_OFFSETS if self.is_entry => PushSource::Constants {
                    register: own_register(ADDRESSES + 1),
                    words: 2,
                },
                _ => PushSource::Address(own_register(member)),
            };
            pushed.push(PushConstant {
                first_word: member * 2,
                source,
            });
        }
        pushed.push(PushConstant {
            first_word: ADDRESSES * 2,
            source: PushSource::Constants {
                register: own_register(ADDRESSES),
                words: 2,
            },
        });
        program
    }
}

/// A register of the graph's own.
fn own_register(member: u32) -> Register {
    let class = match member {
        OUTPUT_BYTES | OUTPUT_COUNTERS | INPUT_BYTES => ResourceClass::Uav,
        member if member >= ADDRESSES => ResourceClass::Cbv,
        _ => ResourceClass::Srv,
    };
    Register::new(class, member).in_space(OWN_SPACE)
}

/// Reads the counters and commands that a dispatch has written.
fn collect(
    node: &GraphNode,
    counters: &[u8],
    records: &[u8],
    commands: u32,
    output: &mut Output,
) -> Result<()> {
    let strides = |number: u32| {
        let outputs = node.node.outputs.iter().zip(&node.targets);
        outputs
            .filter(|&(io, &target)| {
                let size = match io.array_size {
                    0 => 1,
                    size => size,
                };
                target != MISSING && (target..target.saturating_add(size)).contains(&number)
            })
            .map(|(io, _)| io.stride())
            .next()
    };
    for number in 0..commands {
        let count = word_at(counters, 8 + 4 * number as usize);
        // Records with contents are counted with their commands.
        if count != 0 && strides(number) == Some(0) {
            output.sent.entry(number).or_default().count += count;
        }
    }
    for command in 0..word_at(counters, 4) as usize {
        let at = 8 + 4 * commands as usize + 8 * command;
        let (what, first) = (word_at(counters, at), word_at(counters, at + 4));
        let (number, count) = (what >> 8, (what & 0xff) + 1);
        let Some(stride) = strides(number) else {
            return Err(Error::BadJob(format!(
                "{} sends records to node number {number}, which none of its outputs leads to",
                node.name
            )));
        };
        let from = first as usize;
        let Some(bytes) = records.get(from..from + (count * stride) as usize) else {
            return Err(Error::BadJob(format!(
                "{} sends more records than [MaxRecords] allows",
                node.name
            )));
        };
        let waiting = output.sent.entry(number).or_default();
        waiting.count += count;
        waiting.records.extend_from_slice(bytes);
    }
    Ok(())
}
