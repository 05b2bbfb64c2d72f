//! Nodes of work graphs: the operations of shader model 6.8.
//!
//! Vulkan has no work graphs. A node becomes a compute shader that is dispatched for the records
//! that were sent to it ([`super::launch`]), and that writes its own outputs as commands
//! ([`crate::node_protocol`]). A node handle is the number of a node, a handle of output records
//! the byte offset of the first one in the memory for outputs.

use dxil_frontend::container::rdat::{NodeIoFlags, NodeLaunch};
use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::{MemoryTypes, calls};
use dxil_frontend::ir::ValueId;

use crate::lower::blocks;
use crate::lower::context::{Context, Input};
use crate::lower::graphs::node_handles::{self, Output, OutputIndex, Records};
use crate::lower::graphs::{launch, node, push_constants, records};
use crate::lower::memory::barrier;
use crate::lower::numbers::integers;
use crate::lower::signatures::{inputs, thread_ids};
use crate::lower::values::{Call, LoweredValue};
use crate::lower::waves::scope;
use crate::node_protocol::{
    ALLOCATION_ALIGNMENT, OUTPUT_BYTES, OUTPUT_COUNTERS, OUTPUT_OFFSET, RECURSION_LEFT, spec_id,
};
use crate::spirv::{Builder, BuiltIn, Capability, GroupOperation, Id, Op, Scope, StorageClass};
use crate::{Error, Result};

/// Lowers `createNodeOutputHandle`: the number of the node in the graph (of the first one of an
/// array).
pub(super) fn node_output(
    b: &mut Builder,
    input: &Input<'_>,
    op: &calls::CreateNodeOutputHandle,
) -> Result<LoweredValue> {
    let outputs = node::current_node(input)?.outputs.len();
    if op.metadata_index as usize >= outputs {
        return Err(Error::malformed(format!(
            "output {} of a node with {outputs}",
            op.metadata_index
        )));
    }
    Ok(LoweredValue::Id(output_number(b, op.metadata_index)))
}

/// Returns the specialization constant of an output. All bits are set where the node is missing.
fn output_number(b: &mut Builder, output: u32) -> Id {
    // The layer specializes the numbers when it builds the graph: the same shader can be in several
    // graphs.
    b.spec_u32_with(spec_id::FIRST_OUTPUT.wrapping_add(output), 0)
}

/// Lowers `indexNodeHandle`: nodes of an array have consecutive numbers.
pub(super) fn index_node(
    cx: &mut Context<'_>,
    op: &calls::IndexNodeHandle,
) -> Result<LoweredValue> {
    let node = cx.id(op.node)?;
    let index = integers::to_u32(cx, op.index)?;
    Ok(LoweredValue::Id(cx.b.u32_add(node, index)))
}

/// Lowers `createNodeInputRecordHandle`: there is one input, so the handle needs no value.
pub(super) fn node_input(
    b: &mut Builder,
    input: &Input<'_>,
    op: &calls::CreateNodeInputRecordHandle,
) -> Result<LoweredValue> {
    if op.metadata_index as usize >= node::current_node(input)?.inputs.len() {
        return Err(Error::malformed(format!(
            "input {} of a node",
            op.metadata_index
        )));
    }
    // Work graphs allow one input per node, although the metadata is a list.
    if op.metadata_index != 0 {
        return Err(Error::unsupported("a node with several inputs"));
    }
    Ok(LoweredValue::Id(b.const_u32(0)))
}

/// Lowers `allocateNodeOutputRecords`.
pub(super) fn allocate_records(
    cx: &mut Context<'_>,
    op: &calls::AllocateNodeOutputRecords,
) -> Result<LoweredValue> {
    let outputs = node_handles::outputs_of(cx, op.output)?;
    let stride = node_handles::stride_of(&cx.input, &outputs)?;
    // Empty records are only counted (`incrementOutputCount`).
    if stride == 0 {
        return Err(Error::unsupported(
            "memory for the records of an empty output",
        ));
    }
    // Threads diverge only where the index of an array does.
    let may_differ = match outputs.as_slice() {
        [one] => !matches!(one.index, None | Some(OutputIndex::Constant(_))),
        _ => true,
    };
    let node = cx.id(op.output)?;
    let count = integers::to_u32(cx, op.count)?;
    let offset = if op.per_thread {
        allocate_for_threads(cx, node, may_differ, count, stride)?
    } else {
        allocate_for_group(cx, node, count, stride)?
    };
    Ok(LoweredValue::Id(offset))
}

/// Allocates records for each thread, which may request any number; the active threads of a wave
/// that send to the same node share one command.
fn allocate_for_threads(
    cx: &mut Context<'_>,
    node: Id,
    may_differ: bool,
    count: Id,
    stride: u32,
) -> Result<Id> {
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformBallot);
    cx.b.capability(Capability::GroupNonUniformArithmetic);
    let first_of = |cx: &mut Context<'_>, value: Id| {
        cx.b.emit(Op::GroupNonUniformBroadcastFirst, word, &[scope, value])
    };
    let mut node = node;
    let mut count = count;
    let mut round = None;
    if may_differ {
        // One iteration per node: the threads of the wave that send to the same one leave together.
        let (begun, []) = blocks::begin_loop(cx, []);
        let chosen = first_of(cx, node);
        let mine = cx.b.emit(Op::IEqual, bool_ty, &[node, chosen]);
        let zero = cx.b.const_u32(0);
        count = cx.b.select(word, mine, count, zero);
        node = chosen;
        round = Some((begun, mine));
    }
    let sum = |cx: &mut Context<'_>, operation: GroupOperation| {
        let words = [scope.0, operation as u32, count.0];
        cx.b.emit(Op::GroupNonUniformIAdd, word, &words)
    };
    let total = sum(cx, GroupOperation::Reduce);
    let before = sum(cx, GroupOperation::ExclusiveScan);
    // One atomic for the whole wave instead of one per thread.
    let elected = cx.b.emit(Op::GroupNonUniformElect, bool_ty, &[scope]);
    let zero = cx.b.const_u32(0);
    let any = cx.b.emit(Op::INotEqual, bool_ty, &[total, zero]);
    let takes = cx.b.emit(Op::LogicalAnd, bool_ty, &[elected, any]);
    // No command for no records: the layer would dispatch empty groups.
    let part = blocks::begin_if(cx, takes);
    let taken = write_command(cx, node, total, stride)?;
    let taken = blocks::end_if_with(cx, part, word, taken, zero);
    let first = first_of(cx, taken);
    let own = cx.b.u32_mul(before, stride);
    let offset = cx.b.u32_add(first, own);
    if let Some((begun, mine)) = round {
        blocks::end_loop(cx, begun, mine);
    }
    Ok(offset)
}

/// Allocates records for the group: one thread does it and shares the result with the others.
fn allocate_for_group(cx: &mut Context<'_>, node: Id, count: Id, stride: u32) -> Result<Id> {
    let word = cx.b.u32();
    let bool_ty = cx.b.bool();
    let shared = shared_word(cx);
    let zero = cx.b.const_u32(0);
    let first = is_first_thread(cx);
    let any = cx.b.emit(Op::INotEqual, bool_ty, &[count, zero]);
    let takes = cx.b.emit(Op::LogicalAnd, bool_ty, &[first, any]);
    let part = blocks::begin_if(cx, takes);
    let taken = write_command(cx, node, count, stride)?;
    cx.b.store(shared, taken);
    blocks::end_if(cx, part);
    // The word has to be written before the other threads read it.
    barrier::group_barrier(cx);
    let offset = cx.b.load(word, shared);
    // The next write there has to wait until all threads have read.
    barrier::group_barrier(cx);
    Ok(offset)
}

/// Allocates memory for a number of records and writes the command for them; returns the byte
/// offset of the first.
fn write_command(cx: &mut Context<'_>, node: Id, records: Id, stride: u32) -> Result<Id> {
    let word = cx.b.u32();
    let counters = push_constants::push_member(cx, OUTPUT_COUNTERS)?;
    let bytes = cx.b.u32_mul(records, stride);
    let round_up = cx.b.const_u32(ALLOCATION_ALIGNMENT - 1);
    let bytes = cx.b.u32_add(bytes, round_up);
    // The next allocation has to be aligned for every scalar.
    let bytes = cx.b.u32_and(bytes, !(ALLOCATION_ALIGNMENT - 1));
    let first = count_at(cx, counters, bytes);
    count_records(cx, counters, node, records);
    let one = cx.b.const_u32(1);
    let commands = records::behind(&mut cx.b, counters, 4);
    let command = count_at(cx, commands, one);
    let begin = push_constants::push_member(cx, OUTPUT_OFFSET)?;
    let two = cx.b.u32_mul(command, 2);
    let entry = cx.b.u32_add(begin, two);
    let entry = word_behind(&mut cx.b, counters, entry);
    let number = cx.b.u32_shl(node, 8);
    let less = cx.b.u32_sub(records, one);
    // The command packs node and count into one word; counts begin at 1.
    let what = cx.b.emit(Op::BitwiseOr, word, &[number, less]);
    records::store_scalar_at(cx, entry, word, 4, what);
    let next = records::behind(&mut cx.b, entry, 4);
    records::store_scalar_at(cx, next, word, 4, first);
    Ok(first)
}

/// Adds to the number of records that a node has.
fn count_records(cx: &mut Context<'_>, counters: Id, node: Id, records: Id) {
    let address = word_behind(&mut cx.b, counters, node);
    count_at(cx, address, records);
}

/// Returns the address of a word after the two counters that come first.
fn word_behind(b: &mut Builder, counters: Id, index: Id) -> Id {
    let wide = b.uint(64);
    let index = b.emit(Op::UConvert, wide, &[index]);
    let four = b.const_uint(64, 4);
    let bytes = b.emit(Op::IMul, wide, &[index, four]);
    let address = b.emit(Op::IAdd, wide, &[counters, bytes]);
    records::behind(b, address, 8)
}

/// Adds to a word of the device's memory; returns the old value.
fn count_at(cx: &mut Context<'_>, address: Id, amount: Id) -> Id {
    let word = cx.b.u32();
    let pointer = records::scalar_at(cx, address, word);
    let scope = cx.b.const_u32(Scope::Device as u32);
    let relaxed = cx.b.const_u32(0);
    cx.b.emit(Op::AtomicIAdd, word, &[pointer, scope, relaxed, amount])
}

/// Lowers `incrementOutputCount`.
pub(super) fn increment_output(
    cx: &mut Context<'_>,
    op: &calls::IncrementOutputCount,
) -> Result<LoweredValue> {
    let node = cx.id(op.output)?;
    let count = integers::to_u32(cx, op.count)?;
    let counters = push_constants::push_member(cx, OUTPUT_COUNTERS)?;
    if op.per_thread {
        count_records(cx, counters, node, count);
        return Ok(LoweredValue::Unset);
    }
    // The group counts once, whatever the number of its threads.
    let first = is_first_thread(cx);
    let part = blocks::begin_if(cx, first);
    count_records(cx, counters, node, count);
    blocks::end_if(cx, part);
    Ok(LoweredValue::Unset)
}

/// Lowers `getNodeRecordPtr`.
pub(super) fn record_address(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::GetNodeRecordPtr,
) -> Result<LoweredValue> {
    let wide = cx.b.uint(64);
    let address = match node_handles::records_of(cx, op.record)? {
        Records::Output { stride } => {
            let first = cx.id(op.record)?;
            let index = integers::to_u32(cx, op.index)?;
            let step = cx.b.u32_mul(index, stride);
            let offset = cx.b.u32_add(first, step);
            let offset = cx.b.emit(Op::UConvert, wide, &[offset]);
            let base = push_constants::push_member(cx, OUTPUT_BYTES)?;
            cx.b.emit(Op::IAdd, wide, &[base, offset])
        }
        Records::Input => input_address(cx, op.index)?,
    };
    let pointer = records::record_pointer(&cx.input, address, call.ty)?;
    Ok(LoweredValue::Pointer(cx.module.memory.add(pointer)))
}

/// Returns the address of an input record.
fn input_address(cx: &mut Context<'_>, index: ValueId) -> Result<Id> {
    let node = node::current_node(&cx.input)?;
    if node.input_stride() == 0 {
        return Err(Error::unsupported("the address of an empty record"));
    }
    let wide = cx.b.uint(64);
    let payload = launch::payload_variable(cx);
    // Other launch modes have one record, whose address the entry point has computed.
    if node.launch != NodeLaunch::Coalescing {
        return Ok(cx.b.load(wide, payload));
    }
    let word = cx.b.u32();
    let first = launch::first_variable(cx);
    let first = cx.b.load(word, first);
    let index = integers::to_u32(cx, index)?;
    let number = cx.b.u32_add(first, index);
    let stride = launch::stride_variable(cx);
    let stride = cx.b.load(word, stride);
    let offset = launch::input_offset(cx, number, stride)?;
    let base = cx.b.load(wide, payload);
    let offset = cx.b.emit(Op::UConvert, wide, &[offset]);
    Ok(cx.b.emit(Op::IAdd, wide, &[base, offset]))
}

/// Lowers `getInputRecordCount`.
pub(super) fn input_count(cx: &mut Context<'_>) -> Result<LoweredValue> {
    if node::current_node(&cx.input)?.launch != NodeLaunch::Coalescing {
        return Ok(LoweredValue::Id(cx.b.const_u32(1)));
    }
    let word = cx.b.u32();
    let count = launch::count_variable(cx);
    Ok(LoweredValue::Id(cx.b.load(word, count)))
}

/// Lowers `finishedCrossGroupSharing`: the word after the record counts the groups that have not
/// finished with it.
pub(super) fn finished_sharing(cx: &mut Context<'_>) -> Result<LoweredValue> {
    let node = node::current_node(&cx.input)?;
    let tracked = node
        .input()
        .is_some_and(|input| input.flags.contains(NodeIoFlags::TRACK_RW_INPUT_SHARING));
    if !tracked {
        return Err(Error::malformed(
            "FinishedCrossGroupSharing on a record that is not tracked",
        ));
    }
    let Some(counter_at) = node.input_stride().checked_sub(4) else {
        return Err(Error::malformed(
            "FinishedCrossGroupSharing on an empty record",
        ));
    };
    let (word, wide, bool_ty) = (cx.b.u32(), cx.b.uint(64), cx.b.bool());
    let shared = shared_word(cx);
    let payload = launch::payload_variable(cx);
    let first = is_first_thread(cx);
    let part = blocks::begin_if(cx, first);
    let record = cx.b.load(wide, payload);
    let counter = records::behind(&mut cx.b, record, u64::from(counter_at));
    let minus_one = cx.b.const_u32(u32::MAX);
    let left = count_at(cx, counter, minus_one);
    cx.b.store(shared, left);
    blocks::end_if(cx, part);
    barrier::group_barrier(cx);
    let left = cx.b.load(word, shared);
    barrier::group_barrier(cx);
    let one = cx.b.const_u32(1);
    // The counter holds the old value, so 1 means that this group was the last.
    Ok(LoweredValue::Id(cx.b.emit(
        Op::IEqual,
        bool_ty,
        &[left, one],
    )))
}

/// Lowers `nodeOutputIsValid`: whether the graph has the node; for the node itself, whether it may
/// recurse.
pub(super) fn output_is_valid(
    cx: &mut Context<'_>,
    op: &calls::NodeOutputIsValid,
) -> Result<LoweredValue> {
    let outputs = node_handles::outputs_of(cx, op.output)?;
    if let [one] = outputs.as_slice() {
        return Ok(LoweredValue::Id(is_valid(cx, *one)?));
    }
    // The handle is the number of one of these.
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let node = cx.id(op.output)?;
    let missing = cx.b.const_u32(u32::MAX);
    let mut valid = cx.b.emit(Op::INotEqual, bool_ty, &[node, missing]);
    for output in outputs {
        let mut number = output_number(&mut cx.b, output.number as u32);
        if let Some(index) = index_of(cx, output)? {
            number = cx.b.emit(Op::IAdd, word, &[number, index]);
        }
        let is_other = cx.b.emit(Op::INotEqual, bool_ty, &[node, number]);
        let is_there = is_valid(cx, output)?;
        let either = cx.b.emit(Op::LogicalOr, bool_ty, &[is_other, is_there]);
        valid = cx.b.emit(Op::LogicalAnd, bool_ty, &[valid, either]);
    }
    Ok(LoweredValue::Id(valid))
}

/// Returns the index into the array of an output.
fn index_of(cx: &mut Context<'_>, output: Output) -> Result<Option<Id>> {
    Ok(match output.index {
        None => None,
        Some(OutputIndex::Constant(index)) => Some(cx.b.const_u32(index)),
        Some(OutputIndex::Value(index)) => Some(integers::to_u32(cx, index)?),
        Some(OutputIndex::Elsewhere) => {
            return Err(Error::unsupported(
                "IsValid on a node handle from several operations or another function, with an index that is not constant",
            ));
        }
    })
}

/// Returns whether the node of an output is present.
fn is_valid(cx: &mut Context<'_>, from: Output) -> Result<Id> {
    let output = node_handles::single_output(&cx.input, from)?;
    let node = node::current_node(&cx.input)?;
    let bool_ty = cx.b.bool();
    let base = output_number(&mut cx.b, from.number as u32);
    let missing = cx.b.const_u32(u32::MAX);
    let mut valid = cx.b.emit(Op::INotEqual, bool_ty, &[base, missing]);
    let index = index_of(cx, from)?;
    if let Some(index) = index
        && output.array_size != 0
        && output.array_size != u32::MAX
    {
        let size = cx.b.const_u32(output.array_size);
        let inside = cx.b.emit(Op::ULessThan, bool_ty, &[index, size]);
        valid = cx.b.emit(Op::LogicalAnd, bool_ty, &[valid, inside]);
    }
    if let (Some(index), true) = (index, output.allows_sparse) {
        let present = is_present(&mut cx.b, from.number as u32, output.array_size, index);
        valid = cx.b.emit(Op::LogicalAnd, bool_ty, &[valid, present]);
    }
    let Some(target) = &output.target else {
        return Ok(valid);
    };
    // A node that targets itself recurses, up to its declared depth: find the index of the node
    // itself in the array.
    let own = node.id.index.checked_sub(target.index);
    let own = own.filter(|_| target.name == node.id.name);
    let Some(own) = own.filter(|&own| own == 0 || index.is_some()) else {
        return Ok(valid);
    };
    let left = push_constants::push_member(cx, RECURSION_LEFT)?;
    let zero = cx.b.const_u32(0);
    let mut may = cx.b.emit(Op::INotEqual, bool_ty, &[left, zero]);
    if let Some(index) = index {
        let own = cx.b.const_u32(own);
        let other = cx.b.emit(Op::INotEqual, bool_ty, &[index, own]);
        may = cx.b.emit(Op::LogicalOr, bool_ty, &[may, other]);
    }
    Ok(cx.b.emit(Op::LogicalAnd, bool_ty, &[valid, may]))
}

/// Returns whether a node of a sparse output is present. Nodes without a bit count as present.
fn is_present(b: &mut Builder, output: u32, size: u32, index: Id) -> Id {
    let (word, bool_ty) = (b.u32(), b.bool());
    // The specialization constants reserve this many words; nodes beyond them count as present.
    let count = size.div_ceil(32).clamp(1, spec_id::PRESENT_WORDS);
    let first = spec_id::FIRST_PRESENT.wrapping_add(output.wrapping_mul(spec_id::PRESENT_WORDS));
    let word_index = b.u32_shr(index, 5);
    let mut bits = b.const_u32(u32::MAX);
    for number in 0..count {
        let part = b.spec_u32_with(first.wrapping_add(number), u32::MAX);
        let number = b.const_u32(number);
        let is_it = b.emit(Op::IEqual, bool_ty, &[word_index, number]);
        bits = b.select(word, is_it, part, bits);
    }
    let bit = b.u32_and(index, 31);
    let bits = b.emit(Op::ShiftRightLogical, word, &[bits, bit]);
    let bits = b.u32_and(bits, 1);
    let zero = b.const_u32(0);
    b.emit(Op::INotEqual, bool_ty, &[bits, zero])
}

/// Lowers `getRemainingRecursionLevels`.
pub(super) fn recursion_left(cx: &mut Context<'_>) -> Result<LoweredValue> {
    node::current_node(&cx.input)?;
    Ok(LoweredValue::Id(push_constants::push_member(
        cx,
        RECURSION_LEFT,
    )?))
}

/// Lowers `barrierByNodeRecordHandle`.
pub(in crate::lower) fn barrier_by_record(
    cx: &mut Context<'_>,
    op: &calls::BarrierByNodeRecordHandle,
) -> Result<LoweredValue> {
    let memory = match node_handles::records_of(cx, op.object)? {
        Records::Input => MemoryTypes::NODE_INPUT,
        Records::Output { .. } => MemoryTypes::NODE_OUTPUT,
    };
    barrier::by_memory(cx, memory, op.semantics)
}

/// Returns a component of `SV_GroupID` or `SV_DispatchThreadID`. A node gets them from its entry
/// point, unless a draw is the grid of one record (mesh nodes).
pub(in crate::lower) fn group_component(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    component: u32,
) -> Result<LoweredValue> {
    if !cx.input.is_node() || cx.input.entry.kind == ShaderKind::Mesh {
        return thread_ids::load_uvec3_component(cx, built_in, component);
    }
    let variable = match built_in {
        BuiltIn::WorkgroupId => launch::group_variable(cx),
        _ => launch::thread_variable(cx),
    };
    let word = cx.b.u32();
    let pointer_ty = cx.b.pointer(StorageClass::Private, word);
    // The clamp keeps a constant of a damaged file inside of the vector.
    let index = cx.b.const_u32(component.min(2));
    let pointer = cx.b.access_chain(pointer_ty, variable, &[index]);
    Ok(LoweredValue::Id(cx.b.load(word, pointer)))
}

fn is_first_thread(cx: &mut Context<'_>) -> Id {
    let bool_ty = cx.b.bool();
    let index = inputs::load_u32_built_in(cx, BuiltIn::LocalInvocationIndex);
    let zero = cx.b.const_u32(0);
    cx.b.emit(Op::IEqual, bool_ty, &[index, zero])
}

/// Returns a group-shared word.
fn shared_word(cx: &mut Context<'_>) -> Id {
    if let Some(shared) = cx.module.nodes.shared {
        return shared;
    }
    let word = cx.b.u32();
    let pointer = cx.b.pointer(StorageClass::Workgroup, word);
    let shared = cx.b.global_variable(StorageClass::Workgroup, pointer, None);
    cx.module.nodes.shared = Some(shared);
    shared
}
