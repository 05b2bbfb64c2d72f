//! One node of a level: memory for its dispatch, the dispatch, and what it sent on.

use std::collections::BTreeMap;

use dxil_frontend::container::rdat::{NodeIoFlags, NodeLaunch};
use dxil_frontend::dxil::{ComponentType, ResourceClass};
use dxil_translate::node_protocol::{
    ADDRESSES, ALLOCATION_ALIGNMENT, END_OF_RECORDS, FIRST_RECORD, GROUPS_PER_ROW, INPUT_BYTES,
    LOCAL_ROOT, OUTPUT_BYTES, OUTPUT_COUNTERS, STRIDE_OR_OFFSETS, spec_id,
};

use super::executor::Executor;
use super::{GraphNode, WaitingRecords, check, mesh, specialize};
use crate::error::{Error, Result};
use crate::job::{Register, ResourceId, ResourceView, Storage, Work};
use crate::program::{Program, PushConstant, PushSource, ShaderCode};

/// Register space of the graph's own memory. D3D12 keeps it from shaders.
const OWN_SPACE: u32 = 0xffff_fff1;

/// Threads per group of a thread node: with at most eight records per thread, a command has at most
/// 256.
const THREADS_OF_THREAD_NODES: u32 = 32;

/// Groups along z that share the grid of a record; the node goes round for the rest.
const GROUPS_PER_RECORD: u32 = 4;

/// Bytes of memory for output records at most.
const MAX_OUTPUT: u64 = 1 << 28;

/// Bytes after what a node may send. Records there are an error; without them the device would
/// write elsewhere.
const SPARE_OUTPUT: u64 = 1 << 16;

/// Runs a node for the records that wait for it. Returns the records for others by their numbers.
pub(super) fn run(
    executor: &mut Executor<'_>,
    node: &GraphNode,
    waiting: &WaitingRecords,
    is_entry: bool,
    left: u32,
) -> Result<BTreeMap<u32, WaitingRecords>> {
    let stride = node.node.input_stride();
    let mut records = waiting.records.clone();
    let grids = grids(node, &records, waiting.count)?;
    count_sharers(node, &mut records, &grids);
    let maximum = max_per_group(node);
    // How the records are launched: groups that may send, groups along x and y, and the records of
    // each of those.
    let (groups, launches, per_launch, depth) = match node.node.launch {
        NodeLaunch::Broadcasting => {
            let groups = grids
                .iter()
                .map(check::groups_in)
                .fold(0, u64::saturating_add);
            (groups, waiting.count, 1, GROUPS_PER_RECORD)
        }
        NodeLaunch::Coalescing => {
            let launches = waiting.count.div_ceil(maximum);
            (u64::from(launches), launches, maximum, 1)
        }
        NodeLaunch::Thread => {
            let threads = THREADS_OF_THREAD_NODES;
            let launches = waiting.count.div_ceil(threads);
            (u64::from(waiting.count), launches, threads, 1)
        }
        // A draw for each record; no record is sent.
        NodeLaunch::Mesh => (0, waiting.count, 1, 1),
        launch @ (NodeLaunch::Invalid | NodeLaunch::Other(_)) => {
            return Err(unknown_launch(launch));
        }
    };
    let room = Room::of(node, groups, executor.numbers())?;
    // Whole rows first, then the rest: one dispatch is a rectangle, and the count of records need
    // not fill one.
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
            grids: &grids,
            stride,
            first,
            end: waiting.count,
            size,
            is_entry,
            left,
        };
        dispatch.run(executor, node, &room, &mut output)?;
    }
    let mut sent = output.sent;
    for (number, waiting) in &mut sent {
        let stride = node.stride_to(*number).unwrap_or(0);
        waiting.sort(stride as usize);
    }
    Ok(sent)
}

impl GraphNode {
    /// Returns the bytes from record to record of what goes to a node.
    pub(super) fn stride_to(&self, number: u32) -> Option<u32> {
        let outputs = self.node.outputs.iter().zip(&self.targets);
        let mut to_it = outputs.filter(|(_, target)| target.contains(&number));
        to_it.next().map(|(io, _)| io.stride())
    }
}

impl WaitingRecords {
    /// Brings records into an order that does not depend on which thread came first.
    pub(super) fn sort(&mut self, stride: usize) {
        if stride == 0 {
            return;
        }
        let words = |record: &&[u8]| -> Vec<u32> {
            // By words and not by bytes: little-endian bytes would order numbers oddly.
            let words = record.chunks(4).map(|chunk| {
                let mut word = [0; 4];
                word[..chunk.len()].copy_from_slice(chunk);
                u32::from_le_bytes(word)
            });
            words.collect()
        };
        let mut records: Vec<&[u8]> = self.records.chunks(stride).collect();
        records.sort_by_cached_key(words);
        self.records = records.concat();
    }
}

/// The sent records, by node number.
#[derive(Default)]
struct Output {
    sent: BTreeMap<u32, WaitingRecords>,
}

pub(super) fn unknown_launch(launch: NodeLaunch) -> Error {
    Error::Unsupported(format!("a node with launch type {launch:?}"))
}

pub(super) fn max_per_group(node: &GraphNode) -> u32 {
    node.node.input().map_or(1, |io| io.max_records).max(1)
}

/// Returns the grids of groups that the records launch; nothing for nodes without grids.
pub(super) fn grids(node: &GraphNode, records: &[u8], count: u32) -> Result<Vec<[u32; 3]>> {
    if !matches!(
        node.node.launch,
        NodeLaunch::Broadcasting | NodeLaunch::Mesh
    ) {
        return Ok(Vec::new());
    }
    let stride = node.node.input_stride() as usize;
    let place = node.node.input().and_then(|io| io.grid);
    let (Some(place), Some(maximum)) = (place, node.node.max_dispatch_grid) else {
        let fixed = node.node.dispatch_grid.unwrap_or([1; 3]);
        return Ok(vec![fixed; count as usize]);
    };
    let (bytes, mask) = match place.component {
        ComponentType::U16 => (2, 0xffff),
        _ => (4, u32::MAX),
    };
    let mut grids = Vec::with_capacity(count as usize);
    for record in 0..count as usize {
        let at = record * stride + place.offset as usize;
        let mut grid = [1; 3];
        for (axis, side) in grid.iter_mut().enumerate().take(place.components as usize) {
            *side = word_at(records, at + axis * bytes) & mask;
        }
        // D3D12 leaves a larger grid undefined (WorkGraphs specification, "SV_DispatchGrid"); here
        // it is an error.
        if grid
            .iter()
            .zip(maximum)
            .any(|(side, maximum)| *side > maximum)
        {
            return Err(Error::BadJob(format!(
                "record {record} for {} asks for {} groups; [NodeMaxDispatchGrid] says {}",
                node.id(),
                check::show_grid(grid),
                check::show_grid(maximum)
            )));
        }
        grids.push(grid);
    }
    Ok(grids)
}

/// Writes how many groups share each record, where that is tracked.
pub(super) fn count_sharers(node: &GraphNode, records: &mut [u8], grids: &[[u32; 3]]) {
    let is_tracked = node
        .node
        .input()
        .is_some_and(|io| io.flags.contains(NodeIoFlags::TRACK_RW_INPUT_SHARING));
    let stride = node.node.input_stride() as usize;
    // The count lies in the last word of the stride, which the translator adds to such records.
    if !is_tracked || stride < 4 {
        return;
    }
    for (record, grid) in records.chunks_exact_mut(stride).zip(grids) {
        record[stride - 4..].copy_from_slice(&(check::groups_in(grid) as u32).to_le_bytes());
    }
}

/// Returns the word at a byte; what lies after the end is zero.
fn word_at(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    let there = bytes.get(at..).unwrap_or_default();
    let there = &there[..there.len().min(4)];
    word[..there.len()].copy_from_slice(there);
    u32::from_le_bytes(word)
}

/// Memory that the outputs of a dispatch may need.
pub(super) struct Room {
    bytes: u64,
    pub(super) commands: u64,
    /// Numbers of nodes.
    numbers: u32,
}

impl Room {
    pub(super) fn of(node: &GraphNode, groups: u64, numbers: u32) -> Result<Self> {
        let outputs = &node.node.outputs;
        let mut room = Room {
            bytes: 0,
            commands: 0,
            numbers,
        };
        for output in outputs {
            let shared = output.shares_max_records_with;
            let shared = shared.and_then(|index| outputs.get(index as usize));
            let maximum = u64::from(output.max_records.max(shared.map_or(0, |o| o.max_records)));
            let each = u64::from(output.stride().next_multiple_of(ALLOCATION_ALIGNMENT));
            let maximum = groups.saturating_mul(maximum);
            room.bytes = room.bytes.saturating_add(maximum.saturating_mul(each));
            room.commands = room.commands.saturating_add(maximum);
        }
        // Each command is two words, also of a record without bytes.
        if room.commands > MAX_OUTPUT / 8 {
            return Err(Error::Limit {
                what: "records that a node may send in one level",
                need: room.commands,
                limit: MAX_OUTPUT / 8,
            });
        }
        if room.bytes > MAX_OUTPUT {
            return Err(Error::Limit {
                what: "bytes of records that a node may send in one level",
                need: room.bytes,
                limit: MAX_OUTPUT,
            });
        }
        Ok(room)
    }
}

/// One dispatch.
struct Dispatch<'a> {
    records: &'a [u8],
    /// The grid of each record; nothing for nodes without grids.
    grids: &'a [[u32; 3]],
    stride: u32,
    first: u32,
    end: u32,
    /// Groups, or for a mesh node draws.
    size: [u32; 3],
    is_entry: bool,
    left: u32,
}

impl Dispatch<'_> {
    fn run(
        &self,
        executor: &mut Executor<'_>,
        node: &GraphNode,
        room: &Room,
        output: &mut Output,
    ) -> Result<()> {
        let local = executor.local_arguments(node);
        let job = &mut executor.job;
        let (resources, bindings) = (job.resources.len(), job.bindings.len());
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
        // After the two counters and the counts of the nodes lie the commands.
        let commands = room.numbers.next_multiple_of(2);
        let spare = SPARE_OUTPUT / u64::from(ALLOCATION_ALIGNMENT);
        let counters = vec![0; 8 + 4 * commands as usize + 8 * (room.commands + spare) as usize];
        let mut memory = |member: u32, bytes: Vec<u8>| {
            let id = job.add_resource("records", Storage::Buffer(bytes), false);
            job.bind(own_register(member), ResourceView::buffer(id));
            id
        };
        memory(INPUT_BYTES, input);
        memory(FIRST_RECORD, words(&[self.first, 0, 0, 0]));
        memory(END_OF_RECORDS, words(&[self.end, 0, 0, 0]));
        memory(STRIDE_OR_OFFSETS, words(&offsets));
        let records = memory(OUTPUT_BYTES, vec![0; (room.bytes + SPARE_OUTPUT) as usize]);
        let counters = memory(OUTPUT_COUNTERS, counters);
        memory(LOCAL_ROOT, local);
        for id in [records, counters] {
            job.resources[id.0].read_back = true;
        }
        job.bind_constants(own_register(ADDRESSES), words(&[commands, self.left]));
        job.bind_constants(own_register(ADDRESSES + 1), words(&[self.stride, 0]));
        let drawn = match node.node.launch {
            NodeLaunch::Mesh => {
                let first = self.first as usize;
                let count = self.size[0] as usize * self.size[1] as usize;
                let grids = self.grids.get(first..first + count).unwrap_or_default();
                mesh::draw(job, executor.draw.as_ref(), grids)
            }
            _ => {
                job.work = Work::Dispatch(self.size);
                Ok(())
            }
        };
        let result =
            drawn.and_then(|()| executor.dispatch(node, self.is_entry, || self.program(node)));
        executor.job.resources.truncate(resources);
        executor.job.bindings.truncate(bindings);
        let outcome = result?;
        let bytes = |id: ResourceId| outcome.bytes(id).unwrap_or_default();
        let received = Received {
            counters: bytes(counters),
            records: bytes(records),
            commands,
            room,
        };
        received.collect(node, output)?;
        executor.keep(&outcome);
        if node.node.launch == NodeLaunch::Mesh {
            executor.keep_targets();
        }
        Ok(())
    }

    /// Returns the node's program, specialized for this dispatch.
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
        let targets = node.targets.iter().map(|target| target.start);
        values.extend((spec_id::FIRST_OUTPUT..).zip(targets));
        for (first, words) in (spec_id::FIRST_PRESENT..)
            .step_by(spec_id::PRESENT_WORDS as usize)
            .zip(&node.present)
        {
            values.extend((first..).zip(words.iter().flatten().copied()));
        }
        let mut program = node.program.clone();
        if let Some(stage) = program.stages.first_mut() {
            stage.code = ShaderCode::SpirV(specialize(&node.words, &values).into());
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

/// Returns a register that is reserved for the graph.
fn own_register(member: u32) -> Register {
    let class = match member {
        OUTPUT_BYTES | OUTPUT_COUNTERS | INPUT_BYTES => ResourceClass::Uav,
        member if member >= ADDRESSES => ResourceClass::Cbv,
        _ => ResourceClass::Srv,
    };
    Register::new(class, member).in_space(OWN_SPACE)
}

/// The output of a dispatch.
struct Received<'a> {
    counters: &'a [u8],
    records: &'a [u8],
    /// Word at which the commands begin.
    commands: u32,
    room: &'a Room,
}

impl Received<'_> {
    /// Reads counters and commands.
    fn collect(&self, node: &GraphNode, output: &mut Output) -> Result<()> {
        let commands = word_at(self.counters, 4);
        let taken = word_at(self.counters, 0);
        if u64::from(taken) > self.room.bytes || u64::from(commands) > self.room.commands {
            return Err(Error::BadJob(format!(
                "{} sends more records than [MaxRecords] allows",
                node.id()
            )));
        }
        for number in 0..self.commands {
            let count = word_at(self.counters, 8 + 4 * number as usize);
            // Records with contents are counted with their commands.
            if count != 0 && node.stride_to(number) == Some(0) {
                output.sent.entry(number).or_default().count += count;
            }
        }
        for command in 0..commands as usize {
            let at = 8 + 4 * self.commands as usize + 8 * command;
            let (what, first) = (word_at(self.counters, at), word_at(self.counters, at + 4));
            let (number, count) = (what >> 8, (what & 0xff) + 1);
            let Some(stride) = node.stride_to(number) else {
                return Err(Error::BadJob(format!(
                    "{} sends records to node number {number}, which none of its outputs leads to",
                    node.id()
                )));
            };
            let from = first as usize;
            let bytes = self.records.get(from..from + (count * stride) as usize);
            let waiting = output.sent.entry(number).or_default();
            waiting.count += count;
            waiting.records.extend_from_slice(bytes.unwrap_or_default());
        }
        Ok(())
    }
}
