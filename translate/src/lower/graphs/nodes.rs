//! Nodes of work graphs: the operations of shader model 6.8.
//!
//! Vulkan has no work graphs. A node becomes a compute shader that is dispatched for the records it was sent
//! ([`super::entry`]), and writes down what it sends on ([`crate::node_protocol`]). A node handle is the number
//! of a node, a handle of output records the byte offset of the first one in the memory for outputs.

use dxil_frontend::container::rdat::{NodeIoFlags, NodeLaunch};
use dxil_frontend::dxil::ops::{self, MemoryTypes, Op as DxOp, calls};
use dxil_frontend::dxil::{Node, Stage};
use dxil_frontend::ir::ValueId;
use rustc_hash::FxHashMap;

use crate::lower::Lowering;
use crate::lower::context::{Call, Value};
use crate::lower::graphs::handles::{HandleArguments, Index, Output, Records};
use crate::node_protocol::{
    ALLOCATION_ALIGNMENT, OUTPUT_BYTES, OUTPUT_COUNTERS, OUTPUT_OFFSET, RECURSION_LEFT, spec_id,
};
use crate::spirv::{
    BuiltIn, Capability, GroupOperation, Id, MemorySemantics, Op, Scope, StorageClass,
};
use crate::{Error, Result};

/// What the lowering of a node has made.
#[derive(Debug, Default)]
pub(in crate::lower) struct Nodes {
    /// Records are handed from thread to thread.
    pub(in crate::lower) coherent: bool,
    /// Blocks of one scalar, by the scalar's type.
    pub(in crate::lower) blocks: FxHashMap<Id, Id>,
    /// The block of push constants.
    pub(in crate::lower) push: Option<Id>,
    /// Variables of the entry point and the node's own function.
    pub(in crate::lower) variables: Variables,
    /// Arguments of calls that are handles of nodes and records.
    pub(in crate::lower) arguments: HandleArguments,
    /// Group-shared word through which one thread tells the others.
    shared: Option<Id>,
}

/// What the entry point tells the node's function, made on first use.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::lower) struct Variables {
    /// Address of the input record, or of what coalesced records are counted from.
    pub(in crate::lower) payload: Option<Id>,
    /// Bytes from record to record (program entries that coalesce).
    pub(in crate::lower) stride: Option<Id>,
    /// Number of the group's first record.
    pub(in crate::lower) first: Option<Id>,
    /// Records of the group.
    pub(in crate::lower) count: Option<Id>,
    /// `SV_GroupID`.
    pub(in crate::lower) group: Option<Id>,
    /// `SV_DispatchThreadID`.
    pub(in crate::lower) thread: Option<Id>,
}

impl<'a> Lowering<'a> {
    /// The node that the entry point is.
    pub(in crate::lower) fn node(&self) -> Result<&'a Node> {
        match &self.entry.stage {
            Stage::Node(node) => Ok(node),
            _ => Err(self.stage_unsupported("an operation of nodes")),
        }
    }

    /// Whether the entry point is a node.
    pub(in crate::lower) fn is_node(&self) -> bool {
        matches!(self.entry.stage, Stage::Node(_))
    }

    /// Finds out whether the current function hands records from thread to thread. Runs over all functions
    /// before the first is lowered.
    pub(in crate::lower) fn find_shared_records(&mut self) -> Result<()> {
        if !self.is_node() {
            return Ok(());
        }
        let node = self.node()?;
        self.note_handle_arguments();
        let mut coherent = node
            .inputs
            .iter()
            .any(|input| input.flags.contains(NodeIoFlags::GLOBALLY_COHERENT));
        let view = self.view;
        for data in view.function.insts.values() {
            let Some(args) = ops::op_arguments(view, &self.shader.callees, &data.inst) else {
                continue;
            };
            coherent |= match ops::decode_opcode(view, args) {
                Ok(ops::Opcode::BarrierByNodeRecordHandle) => true,
                Ok(ops::Opcode::BarrierByMemoryType) => match ops::decode(view, args) {
                    Ok(DxOp::BarrierByMemoryType(op)) => op
                        .memory
                        .intersects(MemoryTypes::NODE_INPUT | MemoryTypes::NODE_OUTPUT),
                    _ => false,
                },
                _ => false,
            };
        }
        self.nodes.coherent |= coherent;
        Ok(())
    }

    /// `createNodeOutputHandle`: the number that the graph has given the node (the first one of an array).
    pub(in crate::lower) fn node_output(
        &mut self,
        op: &calls::CreateNodeOutputHandle,
    ) -> Result<Value> {
        let outputs = self.node()?.outputs.len();
        if op.metadata_index as usize >= outputs {
            return Err(Error::malformed(format!(
                "output {} of a node with {outputs}",
                op.metadata_index
            )));
        }
        Ok(Value::Id(self.output_number(op.metadata_index)))
    }

    /// The specialization constant of an output. Of outputs whose nodes are not there, all bits are set.
    fn output_number(&mut self, output: u32) -> Id {
        self.b
            .spec_u32_with(spec_id::FIRST_OUTPUT.wrapping_add(output), 0)
    }

    /// `indexNodeHandle`: nodes of an array have consecutive numbers.
    pub(in crate::lower) fn index_node(&mut self, op: &calls::IndexNodeHandle) -> Result<Value> {
        let node = self.id(op.node)?;
        let index = self.to_u32(op.index)?;
        Ok(Value::Id(self.b.u32_add(node, index)))
    }

    /// `createNodeInputRecordHandle`: there is one input, so the handle says nothing.
    pub(in crate::lower) fn node_input(
        &mut self,
        op: &calls::CreateNodeInputRecordHandle,
    ) -> Result<Value> {
        if op.metadata_index as usize >= self.node()?.inputs.len() {
            return Err(Error::malformed(format!(
                "input {} of a node",
                op.metadata_index
            )));
        }
        if op.metadata_index != 0 {
            return Err(Error::unsupported("a node with several inputs"));
        }
        Ok(Value::Id(self.b.const_u32(0)))
    }

    /// `allocateNodeOutputRecords`.
    pub(in crate::lower) fn allocate_records(
        &mut self,
        op: &calls::AllocateNodeOutputRecords,
    ) -> Result<Value> {
        let outputs = self.outputs_of(op.output)?;
        let stride = self.stride_of(&outputs)?;
        if stride == 0 {
            return Err(Error::malformed("memory for empty records"));
        }
        // Threads part only where the index of an array does.
        let may_differ = match outputs.as_slice() {
            [one] => !matches!(one.index, None | Some(Index::Constant(_))),
            _ => true,
        };
        let node = self.id(op.output)?;
        let count = self.to_u32(op.count)?;
        let offset = match op.per_thread {
            true => self.allocate_for_threads(node, may_differ, count, stride)?,
            false => self.allocate_for_group(node, count, stride)?,
        };
        Ok(Value::Id(offset))
    }

    /// Each thread asks for as many as it likes; the active threads of a wave that send to the same node get one
    /// command.
    fn allocate_for_threads(
        &mut self,
        node: Id,
        may_differ: bool,
        count: Id,
        stride: u32,
    ) -> Result<Id> {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformBallot);
        self.b.capability(Capability::GroupNonUniformArithmetic);
        let first_of = |l: &mut Self, value: Id| {
            l.b.emit(Op::GroupNonUniformBroadcastFirst, word, &[scope, value])
        };
        let mut node = node;
        let mut count = count;
        let mut round = None;
        if may_differ {
            let (begun, []) = self.begin_loop([]);
            let chosen = first_of(self, node);
            let mine = self.b.emit(Op::IEqual, bool_ty, &[node, chosen]);
            let zero = self.b.const_u32(0);
            count = self.b.select(word, mine, count, zero);
            node = chosen;
            round = Some((begun, mine));
        }
        let sum = |l: &mut Self, operation: GroupOperation| {
            let words = [scope.0, operation as u32, count.0];
            l.b.emit(Op::GroupNonUniformIAdd, word, &words)
        };
        let total = sum(self, GroupOperation::Reduce);
        let before = sum(self, GroupOperation::ExclusiveScan);
        let elected = self.b.emit(Op::GroupNonUniformElect, bool_ty, &[scope]);
        let zero = self.b.const_u32(0);
        let any = self.b.emit(Op::INotEqual, bool_ty, &[total, zero]);
        let takes = self.b.emit(Op::LogicalAnd, bool_ty, &[elected, any]);
        let part = self.begin_if(takes);
        let taken = self.write_command(node, total, stride)?;
        let taken = self.end_if_with(part, word, taken, zero);
        let first = first_of(self, taken);
        let own = self.b.u32_mul(before, stride);
        let offset = self.b.u32_add(first, own);
        if let Some((begun, mine)) = round {
            self.end_loop(begun, mine);
        }
        Ok(offset)
    }

    /// The group asks once; one thread does it and tells the others.
    fn allocate_for_group(&mut self, node: Id, count: Id, stride: u32) -> Result<Id> {
        let word = self.b.u32();
        let bool_ty = self.b.bool();
        let shared = self.shared_word();
        let zero = self.b.const_u32(0);
        let first = self.is_first_thread();
        let any = self.b.emit(Op::INotEqual, bool_ty, &[count, zero]);
        let takes = self.b.emit(Op::LogicalAnd, bool_ty, &[first, any]);
        let part = self.begin_if(takes);
        let taken = self.write_command(node, count, stride)?;
        self.b.store(shared, taken);
        self.end_if(part);
        self.group_barrier();
        let offset = self.b.load(word, shared);
        // The next one to write there waits for all to have read.
        self.group_barrier();
        Ok(offset)
    }

    /// Takes memory for so many records and tells the graph of them; gives the byte offset of the first.
    fn write_command(&mut self, node: Id, records: Id, stride: u32) -> Result<Id> {
        let word = self.b.u32();
        let counters = self.push_member(OUTPUT_COUNTERS)?;
        let bytes = self.b.u32_mul(records, stride);
        let round_up = self.b.const_u32(ALLOCATION_ALIGNMENT - 1);
        let bytes = self.b.u32_add(bytes, round_up);
        let bytes = self.b.u32_and(bytes, !(ALLOCATION_ALIGNMENT - 1));
        let first = self.count_at(counters, bytes);
        self.count_records(counters, node, records);
        let one = self.b.const_u32(1);
        let commands = self.behind(counters, 4);
        let command = self.count_at(commands, one);
        let begin = self.push_member(OUTPUT_OFFSET)?;
        let two = self.b.u32_mul(command, 2);
        let place = self.b.u32_add(begin, two);
        let place = self.word_behind(counters, place);
        let number = self.b.u32_shl(node, 8);
        let less = self.b.u32_sub(records, one);
        let what = self.b.emit(Op::BitwiseOr, word, &[number, less]);
        self.store_scalar_at(place, word, 4, what);
        let next = self.behind(place, 4);
        self.store_scalar_at(next, word, 4, first);
        Ok(first)
    }

    /// Adds to the number of records that a node has.
    fn count_records(&mut self, counters: Id, node: Id, records: Id) {
        let address = self.word_behind(counters, node);
        self.count_at(address, records);
    }

    /// The address of a word behind the two counters that come first.
    fn word_behind(&mut self, counters: Id, index: Id) -> Id {
        let wide = self.b.uint(64);
        let index = self.b.emit(Op::UConvert, wide, &[index]);
        let four = self.b.const_uint(64, 4);
        let bytes = self.b.emit(Op::IMul, wide, &[index, four]);
        let address = self.b.emit(Op::IAdd, wide, &[counters, bytes]);
        self.behind(address, 8)
    }

    /// Adds to a word of the device's memory; gives what was there.
    fn count_at(&mut self, address: Id, amount: Id) -> Id {
        let word = self.b.u32();
        let pointer = self.scalar_at(address, word);
        let scope = self.b.const_u32(Scope::Device as u32);
        let relaxed = self.b.const_u32(0);
        self.b
            .emit(Op::AtomicIAdd, word, &[pointer, scope, relaxed, amount])
    }

    /// `incrementOutputCount`.
    pub(in crate::lower) fn increment_output(
        &mut self,
        op: &calls::IncrementOutputCount,
    ) -> Result<Value> {
        let node = self.id(op.output)?;
        let count = self.to_u32(op.count)?;
        let counters = self.push_member(OUTPUT_COUNTERS)?;
        if op.per_thread {
            self.count_records(counters, node, count);
            return Ok(Value::Unset);
        }
        let first = self.is_first_thread();
        let part = self.begin_if(first);
        self.count_records(counters, node, count);
        self.end_if(part);
        Ok(Value::Unset)
    }

    /// `getNodeRecordPtr`.
    pub(in crate::lower) fn record_address(
        &mut self,
        call: &Call,
        op: &calls::GetNodeRecordPtr,
    ) -> Result<Value> {
        let wide = self.b.uint(64);
        let address = match self.records_of(op.record)? {
            Records::Output { stride } => {
                let first = self.id(op.record)?;
                let index = self.to_u32(op.index)?;
                let step = self.b.u32_mul(index, stride);
                let offset = self.b.u32_add(first, step);
                let offset = self.b.emit(Op::UConvert, wide, &[offset]);
                let base = self.push_member(OUTPUT_BYTES)?;
                self.b.emit(Op::IAdd, wide, &[base, offset])
            }
            Records::Input => self.input_address(op.index)?,
        };
        let pointer = self.record_pointer(address, call.ty)?;
        Ok(Value::Pointer(self.memory.add(pointer)))
    }

    /// The address of an input record.
    fn input_address(&mut self, index: ValueId) -> Result<Id> {
        let node = self.node()?;
        if node.input_stride() == 0 {
            return Err(Error::malformed("the address of an empty record"));
        }
        let wide = self.b.uint(64);
        let payload = self.payload_variable();
        if node.launch != NodeLaunch::Coalescing {
            return Ok(self.b.load(wide, payload));
        }
        let word = self.b.u32();
        let first = self.first_variable();
        let first = self.b.load(word, first);
        let index = self.to_u32(index)?;
        let number = self.b.u32_add(first, index);
        let stride = self.stride_variable();
        let stride = self.b.load(word, stride);
        let offset = self.input_offset(number, stride)?;
        let base = self.b.load(wide, payload);
        let offset = self.b.emit(Op::UConvert, wide, &[offset]);
        Ok(self.b.emit(Op::IAdd, wide, &[base, offset]))
    }

    /// `getInputRecordCount`.
    pub(in crate::lower) fn input_count(&mut self) -> Result<Value> {
        if self.node()?.launch != NodeLaunch::Coalescing {
            return Ok(Value::Id(self.b.const_u32(1)));
        }
        let word = self.b.u32();
        let count = self.count_variable();
        Ok(Value::Id(self.b.load(word, count)))
    }

    /// `finishedCrossGroupSharing`: the word behind the record counts the groups that are not done with it.
    pub(in crate::lower) fn finished_sharing(&mut self) -> Result<Value> {
        let node = self.node()?;
        let tracked = node
            .input()
            .is_some_and(|input| input.flags.contains(NodeIoFlags::TRACK_RW_INPUT_SHARING));
        if !tracked {
            return Err(Error::malformed(
                "the end of sharing of a record that is not tracked",
            ));
        }
        let (word, wide, bool_ty) = (self.b.u32(), self.b.uint(64), self.b.bool());
        let shared = self.shared_word();
        let payload = self.payload_variable();
        let first = self.is_first_thread();
        let part = self.begin_if(first);
        let record = self.b.load(wide, payload);
        let counter = self.behind(record, u64::from(node.input_stride() - 4));
        let minus_one = self.b.const_u32(u32::MAX);
        let left = self.count_at(counter, minus_one);
        self.b.store(shared, left);
        self.end_if(part);
        self.group_barrier();
        let left = self.b.load(word, shared);
        self.group_barrier();
        let one = self.b.const_u32(1);
        Ok(Value::Id(self.b.emit(Op::IEqual, bool_ty, &[left, one])))
    }

    /// `nodeOutputIsValid`: whether the graph has the node, and for the node itself whether it may recurse.
    pub(in crate::lower) fn output_is_valid(
        &mut self,
        op: &calls::NodeOutputIsValid,
    ) -> Result<Value> {
        let outputs = self.outputs_of(op.output)?;
        if let [one] = outputs.as_slice() {
            return Ok(Value::Id(self.is_valid(*one)?));
        }
        // The handle is the number of one of these.
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let node = self.id(op.output)?;
        let missing = self.b.const_u32(u32::MAX);
        let mut valid = self.b.emit(Op::INotEqual, bool_ty, &[node, missing]);
        for output in outputs {
            let mut number = self.output_number(output.number as u32);
            if let Some(index) = self.index_of(output)? {
                number = self.b.emit(Op::IAdd, word, &[number, index]);
            }
            let is_other = self.b.emit(Op::INotEqual, bool_ty, &[node, number]);
            let is_there = self.is_valid(output)?;
            let either = self.b.emit(Op::LogicalOr, bool_ty, &[is_other, is_there]);
            valid = self.b.emit(Op::LogicalAnd, bool_ty, &[valid, either]);
        }
        Ok(Value::Id(valid))
    }

    /// The index into the array of an output.
    fn index_of(&mut self, output: Output) -> Result<Option<Id>> {
        Ok(match output.index {
            None => None,
            Some(Index::Constant(index)) => Some(self.b.const_u32(index)),
            Some(Index::Value(index)) => Some(self.to_u32(index)?),
            Some(Index::Elsewhere) => {
                return Err(Error::unsupported(
                    "whether a node is there, of a handle that several operations or another function give, with an index that is no constant",
                ));
            }
        })
    }

    /// Whether the node of an output is there.
    fn is_valid(&mut self, from: Output) -> Result<Id> {
        let output = self.output(from)?;
        let node = self.node()?;
        let bool_ty = self.b.bool();
        let base = self.output_number(from.number as u32);
        let missing = self.b.const_u32(u32::MAX);
        let mut valid = self.b.emit(Op::INotEqual, bool_ty, &[base, missing]);
        let index = self.index_of(from)?;
        if let Some(index) = index
            && output.array_size != 0
            && output.array_size != u32::MAX
        {
            let size = self.b.const_u32(output.array_size);
            let inside = self.b.emit(Op::ULessThan, bool_ty, &[index, size]);
            valid = self.b.emit(Op::LogicalAnd, bool_ty, &[valid, inside]);
        }
        if let (Some(index), true) = (index, output.allows_sparse) {
            let present = self.is_present(from.number as u32, output.array_size, index);
            valid = self.b.emit(Op::LogicalAnd, bool_ty, &[valid, present]);
        }
        let Some(target) = &output.target else {
            return Ok(valid);
        };
        // The place in the array that is the node itself.
        let own = node.id.index.checked_sub(target.index);
        let own = own.filter(|_| target.name == node.id.name);
        let Some(own) = own.filter(|&own| own == 0 || index.is_some()) else {
            return Ok(valid);
        };
        let left = self.push_member(RECURSION_LEFT)?;
        let zero = self.b.const_u32(0);
        let mut may = self.b.emit(Op::INotEqual, bool_ty, &[left, zero]);
        if let Some(index) = index {
            let own = self.b.const_u32(own);
            let other = self.b.emit(Op::INotEqual, bool_ty, &[index, own]);
            may = self.b.emit(Op::LogicalOr, bool_ty, &[may, other]);
        }
        Ok(self.b.emit(Op::LogicalAnd, bool_ty, &[valid, may]))
    }

    /// Whether a node of an output is there that may lack some. All that the graph says nothing of are.
    fn is_present(&mut self, output: u32, size: u32, index: Id) -> Id {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let count = size.div_ceil(32).clamp(1, spec_id::PRESENT_WORDS);
        let first =
            spec_id::FIRST_PRESENT.wrapping_add(output.wrapping_mul(spec_id::PRESENT_WORDS));
        let place = self.b.u32_shr(index, 5);
        let mut bits = self.b.const_u32(u32::MAX);
        for number in 0..count {
            let part = self.b.spec_u32_with(first.wrapping_add(number), u32::MAX);
            let number = self.b.const_u32(number);
            let is_it = self.b.emit(Op::IEqual, bool_ty, &[place, number]);
            bits = self.b.select(word, is_it, part, bits);
        }
        let bit = self.b.u32_and(index, 31);
        let bits = self.b.emit(Op::ShiftRightLogical, word, &[bits, bit]);
        let bits = self.b.u32_and(bits, 1);
        let zero = self.b.const_u32(0);
        self.b.emit(Op::INotEqual, bool_ty, &[bits, zero])
    }

    /// `getRemainingRecursionLevels`.
    pub(in crate::lower) fn recursion_left(&mut self) -> Result<Value> {
        self.node()?;
        Ok(Value::Id(self.push_member(RECURSION_LEFT)?))
    }

    /// `barrierByNodeRecordHandle`.
    pub(in crate::lower) fn barrier_by_record(
        &mut self,
        op: &calls::BarrierByNodeRecordHandle,
    ) -> Result<Value> {
        let memory = match self.records_of(op.object)? {
            Records::Input => MemoryTypes::NODE_INPUT,
            Records::Output { .. } => MemoryTypes::NODE_OUTPUT,
        };
        self.barrier_by_memory(memory, op.semantics)
    }

    /// A component of `SV_GroupID` or `SV_DispatchThreadID`; a node is told them by its entry point.
    pub(in crate::lower) fn group_component(
        &mut self,
        built_in: BuiltIn,
        component: u32,
    ) -> Result<Value> {
        if !self.is_node() {
            return self.load_uvec3_component(built_in, component);
        }
        let variable = match built_in {
            BuiltIn::WorkgroupId => self.group_variable(),
            _ => self.thread_variable(),
        };
        let word = self.b.u32();
        let pointer_ty = self.b.pointer(StorageClass::Private, word);
        let index = self.b.const_u32(component.min(2));
        let pointer = self.b.access_chain(pointer_ty, variable, &[index]);
        Ok(Value::Id(self.b.load(word, pointer)))
    }

    fn is_first_thread(&mut self) -> Id {
        let bool_ty = self.b.bool();
        let index = self.load_u32_built_in(BuiltIn::LocalInvocationIndex);
        let zero = self.b.const_u32(0);
        self.b.emit(Op::IEqual, bool_ty, &[index, zero])
    }

    /// A group-shared word.
    fn shared_word(&mut self) -> Id {
        if let Some(shared) = self.nodes.shared {
            return shared;
        }
        let word = self.b.u32();
        let pointer = self.b.pointer(StorageClass::Workgroup, word);
        let shared = self
            .b
            .global_variable(StorageClass::Workgroup, pointer, None);
        self.nodes.shared = Some(shared);
        shared
    }

    /// Waits for the group; what it wrote to group-shared memory is visible.
    pub(in crate::lower) fn group_barrier(&mut self) {
        self.inputs.convergent = true;
        let scope = self.b.const_u32(Scope::Workgroup as u32);
        let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
        let semantics = self.b.const_u32(semantics.bits());
        self.b
            .emit_void(Op::ControlBarrier, &[scope, scope, semantics]);
    }
}
