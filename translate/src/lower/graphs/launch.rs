//! The entry point around a node: it finds the record of the thread group (or thread) and passes it
//! to the node's function.
//!
//! [`crate::node_protocol`] documents what the layer and a node pass to each other.

use dxil_frontend::container::rdat::NodeLaunch;
use dxil_frontend::dxil::{ComponentType, RecordGrid};
use dxil_frontend::ir::FuncId;

use crate::lower::blocks;
use crate::lower::context::{Context, Input};
use crate::lower::graphs::state::Variables;
use crate::lower::graphs::{node, push_constants, records};
use crate::lower::memory::barrier;
use crate::lower::signatures::{inputs, system_inputs};
use crate::lower::stages::entry;
use crate::node_protocol::{
    END_OF_RECORDS, FIRST_RECORD, GROUPS_PER_ROW, INPUT_BYTES, STRIDE_OR_OFFSETS, spec_id,
};
use crate::options::Features;
use crate::spirv::{Builder, BuiltIn, Capability, GLOp, Id, Op, StorageClass};
use crate::{Error, Result};

/// Returns a variable between entry point and node, made on first use.
fn told(
    cx: &mut Context<'_>,
    slot: fn(&mut Variables) -> &mut Option<Id>,
    ty: Id,
    name: &str,
) -> Id {
    if let Some(id) = *slot(&mut cx.module.nodes.variables) {
        return id;
    }
    let pointer_ty = cx.b.pointer(StorageClass::Private, ty);
    let id =
        cx.b.global_variable(StorageClass::Private, pointer_ty, None);
    if cx.input.options.debug_info {
        cx.b.name(id, name);
    }
    *slot(&mut cx.module.nodes.variables) = Some(id);
    id
}

pub(super) fn payload_variable(cx: &mut Context<'_>) -> Id {
    let ty = cx.b.uint(64);
    told(cx, |v| &mut v.payload, ty, "input_record")
}

pub(super) fn stride_variable(cx: &mut Context<'_>) -> Id {
    let ty = cx.b.u32();
    told(cx, |v| &mut v.stride, ty, "input_stride")
}

pub(super) fn first_variable(cx: &mut Context<'_>) -> Id {
    let ty = cx.b.u32();
    told(cx, |v| &mut v.first, ty, "first_record")
}

pub(super) fn count_variable(cx: &mut Context<'_>) -> Id {
    let ty = cx.b.u32();
    told(cx, |v| &mut v.count, ty, "record_count")
}

pub(super) fn group_variable(cx: &mut Context<'_>) -> Id {
    let ty = uint3(&mut cx.b);
    told(cx, |v| &mut v.group, ty, "group_id")
}

pub(super) fn thread_variable(cx: &mut Context<'_>) -> Id {
    let ty = uint3(&mut cx.b);
    told(cx, |v| &mut v.thread, ty, "dispatch_thread_id")
}

fn uint3(b: &mut Builder) -> Id {
    let word = b.u32();
    b.vector(word, 3)
}

/// Returns the byte offset of an input record.
pub(super) fn input_offset(cx: &mut Context<'_>, number: Id, stride: Id) -> Result<Id> {
    let (word, wide, bool_ty) = (cx.b.u32(), cx.b.uint(64), cx.b.bool());
    let linear = cx.b.emit(Op::IMul, word, &[number, stride]);
    let entry = is_program_entry(&mut cx.b, &cx.input)?;
    let sent = cx.b.emit(Op::LogicalNot, bool_ty, &[entry]);
    // Records from the command list follow one another; those that nodes send lie anywhere, and the
    // layer passes their offsets.
    let part = blocks::begin_if(cx, sent);
    let offsets = push_constants::push_member(cx, STRIDE_OR_OFFSETS)?;
    let index = cx.b.emit(Op::UConvert, wide, &[number]);
    let four = cx.b.const_uint(64, 4);
    let index = cx.b.emit(Op::IMul, wide, &[index, four]);
    let address = cx.b.emit(Op::IAdd, wide, &[offsets, index]);
    let offset = records::load_word_at(cx, address);
    Ok(blocks::end_if_with(cx, part, word, offset, linear))
}

fn is_program_entry(b: &mut Builder, input: &Input<'_>) -> Result<Id> {
    let default = node::current_node(input)?.is_program_entry;
    Ok(b.spec_bool(spec_id::IS_PROGRAM_ENTRY, default))
}

/// Returns the number of threads per group, for SPIR-V and for the code.
fn group_size(b: &mut Builder, input: &Input<'_>) -> Id {
    let threads = input.entry.num_threads.unwrap_or([1; 3]);
    b.spec_workgroup_size(spec_id::THREADS, threads)
}

/// Returns the entry point.
pub(in crate::lower) fn entry_point(cx: &mut Context<'_>, main: FuncId) -> Result<Id> {
    let node = node::current_node(&cx.input)?;
    let launch = node.launch;
    // The threads of a mesh shader are fixed, since its outputs are.
    if launch != NodeLaunch::Mesh {
        group_size(&mut cx.b, &cx.input);
    }
    entry::wrap(cx, |cx| {
        match launch {
            NodeLaunch::Broadcasting => broadcast(cx, main)?,
            NodeLaunch::Coalescing => coalesce(cx, main)?,
            NodeLaunch::Thread => launch_thread(cx, main)?,
            NodeLaunch::Mesh => launch_mesh(cx, main)?,
            NodeLaunch::Invalid | NodeLaunch::Other(_) => {
                return Err(Error::unsupported(format!(
                    "a node with launch type {launch:?}"
                )));
            }
        }
        cx.b.emit_void::<u32>(Op::Return, &[]);
        Ok(())
    })
}

/// Returns the number of this group in the dispatch.
fn linear_group(cx: &mut Context<'_>) -> Id {
    let word = cx.b.u32();
    let group = load_group(cx);
    let [x, y] = [0, 1].map(|i| cx.b.extract(word, group, i));
    // The layer dispatches rows of a fixed length, because a side of a dispatch is limited.
    let rows = cx.b.u32_mul(y, GROUPS_PER_ROW);
    cx.b.u32_add(rows, x)
}

fn load_group(cx: &mut Context<'_>) -> Id {
    let ty = uint3(&mut cx.b);
    let variable = inputs::built_in_input(cx, BuiltIn::WorkgroupId, ty);
    cx.b.load(ty, variable)
}

/// Returns the number of the first record of this dispatch.
fn first_of_dispatch(cx: &mut Context<'_>) -> Result<Id> {
    let address = push_constants::push_member(cx, FIRST_RECORD)?;
    Ok(records::load_word_at(cx, address))
}

/// Returns the address of the records, and their distance if they come from the command list.
fn payload_base(cx: &mut Context<'_>) -> Result<(Id, Id)> {
    let (word, wide, bool_ty) = (cx.b.u32(), cx.b.uint(64), cx.b.bool());
    let base = push_constants::push_member(cx, INPUT_BYTES)?;
    let stride_or_offsets = push_constants::push_member(cx, STRIDE_OR_OFFSETS)?;
    let stride = cx.b.emit(Op::UConvert, word, &[stride_or_offsets]);
    let entry = is_program_entry(&mut cx.b, &cx.input)?;
    // Only with an indirect dispatch does the GPU memory hold base and stride.
    let indirect = cx.b.spec_bool(spec_id::IS_INDIRECT, false);
    let both = cx.b.emit(Op::LogicalAnd, bool_ty, &[entry, indirect]);
    let part = blocks::begin_if(cx, both);
    let far_base = records::load_scalar_at(cx, base, wide, 8);
    let far_stride = records::load_word_at(cx, stride_or_offsets);
    let mut values = [(wide, far_base, base), (word, far_stride, stride)];
    blocks::end_if_with_all(cx, part, &mut values);
    Ok((values[0].2, values[1].2))
}

/// Passes the address of its record to the node, if it has one.
fn tell_payload(cx: &mut Context<'_>, number: Id) -> Result<()> {
    if node::current_node(&cx.input)?.input_stride() == 0 {
        return Ok(());
    }
    let wide = cx.b.uint(64);
    let (base, stride) = payload_base(cx)?;
    let offset = input_offset(cx, number, stride)?;
    let offset = cx.b.emit(Op::UConvert, wide, &[offset]);
    let address = cx.b.emit(Op::IAdd, wide, &[base, offset]);
    let variable = payload_variable(cx);
    cx.b.store(variable, address);
    Ok(())
}

/// Launches one thread per record.
fn launch_thread(cx: &mut Context<'_>, main: FuncId) -> Result<()> {
    // Each thread is a group with memory of its own, and the threads of a workgroup share theirs.
    if cx.module.memory.has_group_memory() {
        return Err(Error::unsupported(
            "groupshared memory in a node with thread launch",
        ));
    }
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let group = linear_group(cx);
    let size = group_size(&mut cx.b, &cx.input);
    let threads = cx.b.extract(word, size, 0);
    let before = cx.b.emit(Op::IMul, word, &[group, threads]);
    let local = inputs::load_u32_built_in(cx, BuiltIn::LocalInvocationIndex);
    let number = cx.b.u32_add(before, local);
    let first = first_of_dispatch(cx)?;
    let number = cx.b.u32_add(number, first);
    let end = push_constants::push_member(cx, END_OF_RECORDS)?;
    let end = records::load_word_at(cx, end);
    // The last group has more threads than records.
    let is_there = cx.b.emit(Op::ULessThan, bool_ty, &[number, end]);
    let part = blocks::begin_if(cx, is_there);
    tell_payload(cx, number)?;
    entry::call_root(cx, main)?;
    blocks::end_if(cx, part);
    Ok(())
}

/// Launches a mesh node: the draw is the grid of one record.
fn launch_mesh(cx: &mut Context<'_>, main: FuncId) -> Result<()> {
    let node = node::current_node(&cx.input)?;
    if node.mesh.is_none() {
        return Err(Error::malformed(
            "a mesh node without the properties of a mesh shader",
        ));
    }
    if !node.outputs.is_empty() {
        return Err(Error::unsupported(
            "a mesh node that sends records: mesh nodes are leaves of their graph",
        ));
    }
    if node.input_stride() != 0 {
        let mut number = first_of_dispatch(cx)?;
        // The draws of an indirect command follow one another in its buffer, as records do.
        if cx.input.has(Features::DRAW_PARAMETERS) {
            let draw =
                system_inputs::load_input(cx, BuiltIn::DrawIndex, Capability::DrawParameters);
            number = cx.b.u32_add(number, draw);
        }
        tell_payload(cx, number)?;
    }
    entry::call_root(cx, main)
}

/// Launches one group for several records.
fn coalesce(cx: &mut Context<'_>, main: FuncId) -> Result<()> {
    let word = cx.b.u32();
    let node = node::current_node(&cx.input)?;
    let max = node.input().map_or(0, |input| input.max_records).max(1);
    let has_records = node.input_stride() != 0;
    let group = linear_group(cx);
    let before = cx.b.u32_mul(group, max);
    let first = first_of_dispatch(cx)?;
    let first = cx.b.u32_add(before, first);
    let end = push_constants::push_member(cx, END_OF_RECORDS)?;
    let end = records::load_word_at(cx, end);
    // The last group has fewer records than the maximum.
    let left = cx.b.u32_sub(end, first);
    let max = cx.b.const_u32(max);
    let count = cx.b.glsl(GLOp::UMin, word, &[left, max]);
    let variable = first_variable(cx);
    cx.b.store(variable, first);
    let variable = count_variable(cx);
    cx.b.store(variable, count);
    if has_records {
        let (base, stride) = payload_base(cx)?;
        let variable = payload_variable(cx);
        cx.b.store(variable, base);
        let variable = stride_variable(cx);
        cx.b.store(variable, stride);
    }
    entry::call_root(cx, main)
}

/// Launches a grid of groups for one record.
fn broadcast(cx: &mut Context<'_>, main: FuncId) -> Result<()> {
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let node = node::current_node(&cx.input)?;
    let default_grid = node.max_dispatch_grid.or(node.dispatch_grid);
    let is_upper_bound = node.max_dispatch_grid.is_some();
    let record_grid = node.input().and_then(|input| input.grid);
    let whole = cx.b.spec_bool(spec_id::DISPATCH_IS_GRID, false);

    let group = linear_group(cx);
    let first = first_of_dispatch(cx)?;
    let number = cx.b.u32_add(group, first);
    // If the dispatch is the grid, all groups work on the same record.
    let number = cx.b.select(word, whole, first, number);
    tell_payload(cx, number)?;

    let one = cx.b.const_u32(1);
    let zero = cx.b.const_u32(0);
    let mut grid = [one; 3];
    for (axis, size) in (0..).zip(&mut grid) {
        let default = default_grid.map_or(1, |grid| grid[axis as usize]);
        *size = cx.b.spec_u32_with(spec_id::GRID + axis, default);
    }
    if let Some(address) = record_grid {
        let in_record = cx.b.spec_bool(spec_id::GRID_IS_IN_RECORD, is_upper_bound);
        let asked = load_grid(cx, address)?;
        for (size, asked) in grid.iter_mut().zip(asked) {
            *size = cx.b.select(word, in_record, asked, *size);
        }
    }
    let [x, y, z] = grid;
    let plane = cx.b.emit(Op::IMul, word, &[x, y]);
    let groups = cx.b.emit(Op::IMul, word, &[plane, z]);

    // Iterations of this group.
    let real = load_group(cx);
    let counts_ty = uint3(&mut cx.b);
    let counts = inputs::built_in_input(cx, BuiltIn::NumWorkgroups, counts_ty);
    let counts = cx.b.load(counts_ty, counts);
    // The third side of the dispatch divides a record's groups among several real groups.
    let begin = cx.b.extract(word, real, 2);
    let begin = cx.b.select(word, whole, zero, begin);
    let step = cx.b.extract(word, counts, 2);
    let step = cx.b.select(word, whole, one, step);
    let end = cx.b.select(word, whole, one, groups);
    let any = cx.b.emit(Op::ULessThan, bool_ty, &[begin, end]);
    let part = blocks::begin_if(cx, any);
    let next = cx.b.fresh();
    let (round, [group]) = blocks::begin_loop(cx, [(word, begin, next)]);
    // Division by 0 is undefined. A side is 0 only if the dispatch is the grid, where the quotients
    // are unused.
    let [x, y] = [x, y].map(|side| cx.b.glsl(GLOp::UMax, word, &[side, one]));
    let column = cx.b.emit(Op::UMod, word, &[group, x]);
    let rest = cx.b.emit(Op::UDiv, word, &[group, x]);
    let row = cx.b.emit(Op::UMod, word, &[rest, y]);
    let layer = cx.b.emit(Op::UDiv, word, &[rest, y]);
    tell_group(cx, whole, real, [column, row, layer]);
    entry::call_root(cx, main)?;
    // The next iteration writes to the same group-shared memory.
    barrier::group_barrier(cx);
    cx.b.emit_as(Op::IAdd, word, next, &[group, step]);
    let done = cx.b.emit(Op::UGreaterThanEqual, bool_ty, &[next, end]);
    blocks::end_loop(cx, round, done);
    blocks::end_if(cx, part);
    Ok(())
}

/// Passes the group's id to the node, if the node uses it.
fn tell_group(cx: &mut Context<'_>, whole: Id, real: Id, [x, y, z]: [Id; 3]) {
    let Variables { group, thread, .. } = cx.module.nodes.variables;
    // The node's function was lowered before, so it is known what it reads.
    if group.is_none() && thread.is_none() {
        return;
    }
    let word = cx.b.u32();
    let ty = uint3(&mut cx.b);
    let mut parts = [x, y, z];
    for (axis, part) in (0..).zip(&mut parts) {
        let own = cx.b.extract(word, real, axis);
        *part = cx.b.select(word, whole, own, *part);
    }
    let id = cx.b.construct(ty, &parts);
    if let Some(group) = group {
        cx.b.store(group, id);
    }
    if let Some(thread) = thread {
        let size = group_size(&mut cx.b, &cx.input);
        let local = inputs::built_in_input(cx, BuiltIn::LocalInvocationId, ty);
        let local = cx.b.load(ty, local);
        let before = cx.b.emit(Op::IMul, ty, &[id, size]);
        let all = cx.b.emit(Op::IAdd, ty, &[before, local]);
        cx.b.store(thread, all);
    }
}

/// Returns the dispatch grid in the record.
fn load_grid(cx: &mut Context<'_>, grid: RecordGrid) -> Result<[Id; 3]> {
    let wide = cx.b.uint(64);
    let variable = payload_variable(cx);
    let record = cx.b.load(wide, variable);
    let mut sides = [cx.b.const_u32(1); 3];
    for (axis, side) in (0..grid.components).zip(&mut sides) {
        let offset = u64::from(grid.offset);
        *side = match grid.component {
            ComponentType::U16 => {
                let address = records::behind(&mut cx.b, record, offset + 2 * u64::from(axis));
                load_half_word_at(cx, address)
            }
            _ => {
                let address = records::behind(&mut cx.b, record, offset + 4 * u64::from(axis));
                records::load_word_at(cx, address)
            }
        };
    }
    Ok(sides)
}

/// Loads 16 bits as part of their word, so that the device needs no 16-bit types.
fn load_half_word_at(cx: &mut Context<'_>, address: Id) -> Id {
    let (word, wide) = (cx.b.u32(), cx.b.uint(64));
    let mask = cx.b.const_uint(64, !3);
    let whole = cx.b.emit(Op::BitwiseAnd, wide, &[address, mask]);
    let loaded = records::load_word_at(cx, whole);
    let low = cx.b.emit(Op::UConvert, word, &[address]);
    let upper = cx.b.u32_and(low, 2);
    let shift = cx.b.u32_shl(upper, 3);
    let shifted = cx.b.emit(Op::ShiftRightLogical, word, &[loaded, shift]);
    cx.b.u32_and(shifted, 0xffff)
}
