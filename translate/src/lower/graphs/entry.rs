//! The entry point around a node: which record a thread group (or a thread) is there for, and what the node's
//! function is told of it.
//!
//! [`crate::node_protocol`] says what the layer tells a node, and what a node tells the layer.

use dxil_frontend::container::rdat::NodeLaunch;
use dxil_frontend::dxil::{ComponentType, RecordGrid};
use dxil_frontend::ir::FuncId;

use super::nodes::Variables;
use crate::lower::Lowering;
use crate::node_protocol::{
    ADDRESSES, END_OF_RECORDS, FIRST_RECORD, GROUPS_PER_ROW, INPUT_BYTES, STRIDE_OR_OFFSETS,
    spec_id,
};
use crate::options::Features;
use crate::spirv::{BuiltIn, Decoration, GLOp, Id, Op, StorageClass};
use crate::{Error, Result};

impl Lowering<'_> {
    /// Loads a member of the push constants.
    pub(in crate::lower) fn push_member(&mut self, member: u32) -> Result<Id> {
        let (word, wide) = (self.b.u32(), self.b.uint(64));
        let block = match self.nodes.push {
            Some(block) => block,
            None => self.push_block()?,
        };
        let ty = if member < ADDRESSES { wide } else { word };
        let pointer_ty = self.b.pointer(StorageClass::PushConstant, ty);
        let index = self.b.const_u32(member);
        let pointer = self.b.access_chain(pointer_ty, block, &[index]);
        Ok(self.b.load(ty, pointer))
    }

    fn push_block(&mut self) -> Result<Id> {
        let what = || "a node of a work graph".to_owned();
        self.need_feature(Features::INT64, "shaderInt64", what)?;
        self.physical_addresses()?;
        let plan = &self.resources.plan.table;
        if plan.push_words > 0 && self.options.bindings.root_constants.is_none() {
            return Err(Error::unsupported(
                "root arguments of a node in push constants, which hold its records",
            ));
        }
        let (word, wide) = (self.b.u32(), self.b.uint(64));
        let mut members = [wide; 9];
        members[ADDRESSES as usize..].fill(word);
        let ty = self.b.unique_struct(&members);
        self.b.decorate(ty, Decoration::Block, &[]);
        for member in 0..9 {
            let offset = 8 * member.min(ADDRESSES) + 4 * member.saturating_sub(ADDRESSES);
            self.b
                .member_decorate(ty, member, Decoration::Offset, &[offset]);
        }
        let pointer_ty = self.b.pointer(StorageClass::PushConstant, ty);
        let id = self
            .b
            .global_variable(StorageClass::PushConstant, pointer_ty, None);
        if self.options.debug_info {
            self.b.name(id, "node_dispatch");
        }
        self.nodes.push = Some(id);
        Ok(id)
    }

    /// A variable between entry point and node, made on first use.
    fn told(&mut self, slot: fn(&mut Variables) -> &mut Option<Id>, ty: Id, name: &str) -> Id {
        if let Some(id) = *slot(&mut self.nodes.variables) {
            return id;
        }
        let pointer_ty = self.b.pointer(StorageClass::Private, ty);
        let id = self
            .b
            .global_variable(StorageClass::Private, pointer_ty, None);
        if self.options.debug_info {
            self.b.name(id, name);
        }
        *slot(&mut self.nodes.variables) = Some(id);
        id
    }

    pub(in crate::lower) fn payload_variable(&mut self) -> Id {
        let ty = self.b.uint(64);
        self.told(|v| &mut v.payload, ty, "input_record")
    }

    pub(in crate::lower) fn stride_variable(&mut self) -> Id {
        let ty = self.b.u32();
        self.told(|v| &mut v.stride, ty, "input_stride")
    }

    pub(in crate::lower) fn first_variable(&mut self) -> Id {
        let ty = self.b.u32();
        self.told(|v| &mut v.first, ty, "first_record")
    }

    pub(in crate::lower) fn count_variable(&mut self) -> Id {
        let ty = self.b.u32();
        self.told(|v| &mut v.count, ty, "record_count")
    }

    pub(in crate::lower) fn group_variable(&mut self) -> Id {
        let ty = self.uint3();
        self.told(|v| &mut v.group, ty, "group_id")
    }

    pub(in crate::lower) fn thread_variable(&mut self) -> Id {
        let ty = self.uint3();
        self.told(|v| &mut v.thread, ty, "dispatch_thread_id")
    }

    fn uint3(&mut self) -> Id {
        let word = self.b.u32();
        self.b.vector(word, 3)
    }

    /// Byte offset of an input record.
    pub(in crate::lower) fn input_offset(&mut self, number: Id, stride: Id) -> Result<Id> {
        let (word, wide, bool_ty) = (self.b.u32(), self.b.uint(64), self.b.bool());
        let linear = self.b.emit(Op::IMul, word, &[number, stride]);
        let entry = self.is_program_entry()?;
        let sent = self.b.emit(Op::LogicalNot, bool_ty, &[entry]);
        let part = self.begin_if(sent);
        let offsets = self.push_member(STRIDE_OR_OFFSETS)?;
        let index = self.b.emit(Op::UConvert, wide, &[number]);
        let four = self.b.const_uint(64, 4);
        let index = self.b.emit(Op::IMul, wide, &[index, four]);
        let place = self.b.emit(Op::IAdd, wide, &[offsets, index]);
        let offset = self.load_word_at(place);
        Ok(self.end_if_with(part, word, offset, linear))
    }

    fn is_program_entry(&mut self) -> Result<Id> {
        let default = self.node()?.is_program_entry;
        Ok(self.b.spec_bool(spec_id::IS_PROGRAM_ENTRY, default))
    }

    /// Threads per group, for SPIR-V and for the code.
    fn group_size(&mut self) -> Id {
        let threads = self.entry.num_threads.unwrap_or([1; 3]);
        self.b.spec_workgroup_size(spec_id::THREADS, threads)
    }

    /// The entry point.
    pub(in crate::lower) fn node_entry(&mut self, main: FuncId) -> Result<Id> {
        let node = self.node()?;
        let launch = node.launch;
        self.group_size();
        self.entry_around(|l| {
            match launch {
                NodeLaunch::Broadcasting => l.broadcast(main)?,
                NodeLaunch::Coalescing => l.coalesce(main)?,
                NodeLaunch::Thread => l.launch_thread(main)?,
                NodeLaunch::ReservedMesh => {
                    return Err(Error::unsupported(
                        "a mesh node (launch mode mesh): it ends a work graph with a draw",
                    ));
                }
                NodeLaunch::Invalid | NodeLaunch::Other(_) => {
                    return Err(Error::unsupported(format!(
                        "a node with launch type {launch:?}"
                    )));
                }
            }
            l.b.emit_void::<u32>(Op::Return, &[]);
            Ok(())
        })
    }

    /// Number of this group in the dispatch.
    fn linear_group(&mut self) -> Id {
        let word = self.b.u32();
        let group = self.load_group();
        let [x, y] = [0, 1].map(|i| self.b.extract(word, group, i));
        let rows = self.b.u32_mul(y, GROUPS_PER_ROW);
        self.b.u32_add(rows, x)
    }

    fn load_group(&mut self) -> Id {
        let ty = self.uint3();
        let variable = self.built_in(BuiltIn::WorkgroupId, ty);
        self.b.load(ty, variable)
    }

    /// Number of the first record of this dispatch.
    fn first_of_dispatch(&mut self) -> Result<Id> {
        let address = self.push_member(FIRST_RECORD)?;
        Ok(self.load_word_at(address))
    }

    /// Where records begin, and how far they are apart if they come from the command list.
    fn payload_base(&mut self) -> Result<(Id, Id)> {
        let (word, wide, bool_ty) = (self.b.u32(), self.b.uint(64), self.b.bool());
        let base = self.push_member(INPUT_BYTES)?;
        let place = self.push_member(STRIDE_OR_OFFSETS)?;
        let stride = self.b.emit(Op::UConvert, word, &[place]);
        let entry = self.is_program_entry()?;
        let indirect = self.b.spec_bool(spec_id::IS_INDIRECT, false);
        let both = self.b.emit(Op::LogicalAnd, bool_ty, &[entry, indirect]);
        let part = self.begin_if(both);
        let far_base = self.load_scalar_at(base, wide, 8);
        let far_stride = self.load_word_at(place);
        let mut values = [(wide, far_base, base), (word, far_stride, stride)];
        self.end_if_with_all(part, &mut values);
        Ok((values[0].2, values[1].2))
    }

    /// Tells the node where its record is; nothing if it has none.
    fn tell_payload(&mut self, number: Id) -> Result<()> {
        if self.node()?.input_stride() == 0 {
            return Ok(());
        }
        let wide = self.b.uint(64);
        let (base, stride) = self.payload_base()?;
        let offset = self.input_offset(number, stride)?;
        let offset = self.b.emit(Op::UConvert, wide, &[offset]);
        let address = self.b.emit(Op::IAdd, wide, &[base, offset]);
        let variable = self.payload_variable();
        self.b.store(variable, address);
        Ok(())
    }

    /// One thread per record.
    fn launch_thread(&mut self, main: FuncId) -> Result<()> {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let group = self.linear_group();
        let size = self.group_size();
        let threads = self.b.extract(word, size, 0);
        let before = self.b.emit(Op::IMul, word, &[group, threads]);
        let local = self.load_u32_built_in(BuiltIn::LocalInvocationIndex);
        let number = self.b.u32_add(before, local);
        let first = self.first_of_dispatch()?;
        let number = self.b.u32_add(number, first);
        let end = self.push_member(END_OF_RECORDS)?;
        let end = self.load_word_at(end);
        let is_there = self.b.emit(Op::ULessThan, bool_ty, &[number, end]);
        let part = self.begin_if(is_there);
        self.tell_payload(number)?;
        self.call_root(main)?;
        self.end_if(part);
        Ok(())
    }

    /// One group for several records.
    fn coalesce(&mut self, main: FuncId) -> Result<()> {
        let word = self.b.u32();
        let node = self.node()?;
        let most = node.input().map_or(0, |input| input.max_records).max(1);
        let has_records = node.input_stride() != 0;
        let group = self.linear_group();
        let before = self.b.u32_mul(group, most);
        let first = self.first_of_dispatch()?;
        let first = self.b.u32_add(before, first);
        let end = self.push_member(END_OF_RECORDS)?;
        let end = self.load_word_at(end);
        let left = self.b.u32_sub(end, first);
        let most = self.b.const_u32(most);
        let count = self.b.glsl(GLOp::UMin, word, &[left, most]);
        let variable = self.first_variable();
        self.b.store(variable, first);
        let variable = self.count_variable();
        self.b.store(variable, count);
        if has_records {
            let (base, stride) = self.payload_base()?;
            let variable = self.payload_variable();
            self.b.store(variable, base);
            let variable = self.stride_variable();
            self.b.store(variable, stride);
        }
        self.call_root(main)
    }

    /// A grid of groups for one record.
    fn broadcast(&mut self, main: FuncId) -> Result<()> {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let node = self.node()?;
        let default_grid = node.max_dispatch_grid.or(node.dispatch_grid);
        let is_upper_bound = node.max_dispatch_grid.is_some();
        let record_grid = node.input().and_then(|input| input.grid);
        let whole = self.b.spec_bool(spec_id::DISPATCH_IS_GRID, false);

        let group = self.linear_group();
        let first = self.first_of_dispatch()?;
        let number = self.b.u32_add(group, first);
        let number = self.b.select(word, whole, first, number);
        self.tell_payload(number)?;

        let one = self.b.const_u32(1);
        let zero = self.b.const_u32(0);
        let mut grid = [one; 3];
        for (axis, size) in (0..).zip(&mut grid) {
            let default = default_grid.map_or(1, |grid| grid[axis as usize]);
            *size = self.b.spec_u32_with(spec_id::GRID + axis, default);
        }
        if let Some(place) = record_grid {
            let in_record = self.b.spec_bool(spec_id::GRID_IS_IN_RECORD, is_upper_bound);
            let asked = self.load_grid(place)?;
            for (size, asked) in grid.iter_mut().zip(asked) {
                *size = self.b.select(word, in_record, asked, *size);
            }
        }
        let [x, y, z] = grid;
        let plane = self.b.emit(Op::IMul, word, &[x, y]);
        let groups = self.b.emit(Op::IMul, word, &[plane, z]);

        // Rounds of this group.
        let real = self.load_group();
        let counts_ty = self.uint3();
        let counts = self.built_in(BuiltIn::NumWorkgroups, counts_ty);
        let counts = self.b.load(counts_ty, counts);
        let begin = self.b.extract(word, real, 2);
        let begin = self.b.select(word, whole, zero, begin);
        let step = self.b.extract(word, counts, 2);
        let step = self.b.select(word, whole, one, step);
        let end = self.b.select(word, whole, one, groups);
        let any = self.b.emit(Op::ULessThan, bool_ty, &[begin, end]);
        let part = self.begin_if(any);
        let next = self.b.fresh();
        let (round, [place]) = self.begin_loop([(word, begin, next)]);
        // No side is 0 in here, unless the dispatch is the grid and nobody looks at these.
        let [x, y] = [x, y].map(|side| self.b.glsl(GLOp::UMax, word, &[side, one]));
        let column = self.b.emit(Op::UMod, word, &[place, x]);
        let rest = self.b.emit(Op::UDiv, word, &[place, x]);
        let row = self.b.emit(Op::UMod, word, &[rest, y]);
        let layer = self.b.emit(Op::UDiv, word, &[rest, y]);
        self.tell_group(whole, real, [column, row, layer]);
        self.call_root(main)?;
        // The next round writes to the same group-shared memory.
        self.group_barrier();
        self.b.emit_as(Op::IAdd, word, next, &[place, step]);
        let done = self.b.emit(Op::UGreaterThanEqual, bool_ty, &[next, end]);
        self.end_loop(round, done);
        self.end_if(part);
        Ok(())
    }

    /// Tells the node which group it is, if it asks.
    fn tell_group(&mut self, whole: Id, real: Id, [x, y, z]: [Id; 3]) {
        let Variables { group, thread, .. } = self.nodes.variables;
        if group.is_none() && thread.is_none() {
            return;
        }
        let word = self.b.u32();
        let ty = self.uint3();
        let mut parts = [x, y, z];
        for (axis, part) in (0..).zip(&mut parts) {
            let own = self.b.extract(word, real, axis);
            *part = self.b.select(word, whole, own, *part);
        }
        let id = self.b.construct(ty, &parts);
        if let Some(group) = group {
            self.b.store(group, id);
        }
        if let Some(thread) = thread {
            let size = self.group_size();
            let local = self.built_in(BuiltIn::LocalInvocationId, ty);
            let local = self.b.load(ty, local);
            let before = self.b.emit(Op::IMul, ty, &[id, size]);
            let all = self.b.emit(Op::IAdd, ty, &[before, local]);
            self.b.store(thread, all);
        }
    }

    /// The grid that the record asks for.
    fn load_grid(&mut self, grid: RecordGrid) -> Result<[Id; 3]> {
        let wide = self.b.uint(64);
        let variable = self.payload_variable();
        let record = self.b.load(wide, variable);
        let mut sides = [self.b.const_u32(1); 3];
        for (axis, side) in (0..grid.components).zip(&mut sides) {
            let offset = u64::from(grid.offset);
            *side = match grid.component {
                ComponentType::U16 => {
                    let address = self.behind(record, offset + 2 * u64::from(axis));
                    self.load_half_word_at(address)
                }
                _ => {
                    let address = self.behind(record, offset + 4 * u64::from(axis));
                    self.load_word_at(address)
                }
            };
        }
        Ok(sides)
    }

    /// Loads 16 bits as part of their word, so that the device needs no 16-bit types.
    fn load_half_word_at(&mut self, address: Id) -> Id {
        let (word, wide) = (self.b.u32(), self.b.uint(64));
        let mask = self.b.const_uint(64, !3);
        let whole = self.b.emit(Op::BitwiseAnd, wide, &[address, mask]);
        let loaded = self.load_word_at(whole);
        let low = self.b.emit(Op::UConvert, word, &[address]);
        let upper = self.b.u32_and(low, 2);
        let shift = self.b.u32_shl(upper, 3);
        let shifted = self.b.emit(Op::ShiftRightLogical, word, &[loaded, shift]);
        self.b.u32_and(shifted, 0xffff)
    }
}
