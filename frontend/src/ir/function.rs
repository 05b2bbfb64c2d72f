//! Function bodies.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::{
    BlockId, Constant, FuncId, Inst, InstData, InstId, List, MdId, TypeId, ValueData, ValueDef,
    ValueId,
};

/// A function with a body.
#[derive(Debug, Clone)]
pub struct Function {
    /// The function's id in the module.
    pub id: FuncId,
    /// Id of the first value that belongs to this function; equal to `module.values.len()`.
    pub first_value: u32,
    /// The function's own values, from `first_value` on: arguments, constants, results.
    pub values: Vec<ValueData>,
    /// Number of arguments: the first values.
    pub arg_count: u32,
    /// Instructions in program order.
    pub insts: PrimaryMap<InstId, InstData>,
    /// Blocks; the first is the entry.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// Pool of operand lists of values.
    pub value_pool: Vec<ValueId>,
    /// Pool of (value, block) pairs: phis and switches.
    pub edge_pool: Vec<(ValueId, BlockId)>,
    /// Pool of raw numbers: indices of extract/insert value, constant data.
    pub number_pool: Vec<u64>,
    /// Source positions, sparse: an instruction without one has none.
    pub debug_locs: SecondaryMap<InstId, Option<DebugLoc>>,
    /// Attributes and calling conventions of calls that have any, in program order.
    pub call_sites: Vec<(InstId, CallSite)>,
    /// Metadata attached to instructions: (instruction, kind name id, node), in program order.
    pub attachments: Vec<(InstId, u32, MdId)>,
    /// Metadata attached to the function: (kind name id, node).
    pub function_attachments: Vec<(u32, MdId)>,
    /// Names of values, where the bitcode keeps them: sorted by id.
    pub value_names: Vec<(ValueId, Box<str>)>,
    /// Names of blocks, where the bitcode keeps them: sorted by id.
    pub block_names: Vec<(BlockId, Box<str>)>,
}

/// A basic block: instructions `first..end`, the last of which is the terminator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// First instruction.
    pub first: InstId,
    /// One past the last instruction.
    pub end: InstId,
}

impl Block {
    /// Returns the instructions in order.
    pub fn insts(self) -> impl DoubleEndedIterator<Item = InstId> + ExactSizeIterator {
        (self.first.index()..self.end.index()).map(InstId::new)
    }
}

/// What a call has beside its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CallSite {
    /// Attribute set: index into [`super::Module::attribute_sets`] plus 1, 0 for none.
    pub attributes: u32,
    /// Calling convention, LLVM's number: 0 is C's, 8 `fastcc`.
    pub convention: u16,
}

/// A source position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DebugLoc {
    /// Line, from 1; 0 is unknown.
    pub line: u32,
    /// Column, from 1; 0 is unknown.
    pub column: u32,
    /// The scope node.
    pub scope: Option<MdId>,
    /// The location this was inlined at.
    pub inlined_at: Option<MdId>,
}

impl Function {
    /// Returns the instructions of a block, the terminator last; none for a block that the function
    /// does not have.
    #[inline]
    pub fn block_data(&self, block: BlockId) -> &[InstData] {
        let range = self.blocks.get(block);
        let range = range.map(|block| block.first.index()..block.end.index());
        let insts = self.insts.as_values_slice();
        range.and_then(|range| insts.get(range)).unwrap_or_default()
    }

    /// Returns the block's instructions.
    pub fn block_insts(
        &self,
        block: BlockId,
    ) -> impl DoubleEndedIterator<Item = InstId> + ExactSizeIterator + use<> {
        match self.blocks.get(block) {
            Some(block) => block.insts(),
            None => Block {
                first: InstId::new(0),
                end: InstId::new(0),
            }
            .insts(),
        }
    }

    /// Returns the block's terminator. Decoding guarantees one per block.
    pub fn terminator(&self, block: BlockId) -> &Inst {
        self.block_insts(block)
            .next_back()
            .and_then(|id| self.insts.get(id))
            // For an id of another function, whose block has no successors then.
            .map_or(&Inst::Unreachable, |data| &data.inst)
    }

    /// Calls `each` with every value that an instruction uses: phis' and switches' included.
    #[inline]
    pub fn for_each_operand(&self, inst: &Inst, mut each: impl FnMut(ValueId)) {
        // The visitor may replace operands, so it works on a copy.
        let mut own = *inst;
        own.for_each_own_operand(|value| each(*value));
        match *inst {
            Inst::Phi { incoming: pairs } | Inst::Switch { cases: pairs, .. } => {
                for (value, _) in self.edges_of(pairs) {
                    each(*value);
                }
            }
            Inst::Call { args: values, .. }
            | Inst::Gep {
                operands: values, ..
            } => {
                for value in self.values_of(values) {
                    each(*value);
                }
            }
            _ => {}
        }
    }

    /// Returns the number of operands that each value of the function is, from
    /// [`Function::first_value`] on.
    pub fn count_uses(&self) -> Vec<u32> {
        let mut counts = vec![0; self.values.len()];
        for data in self.insts.values() {
            self.for_each_operand(&data.inst, |value| {
                let index = value.index().wrapping_sub(self.first_value as usize);
                if let Some(count) = counts.get_mut(index) {
                    *count += 1;
                }
            });
        }
        counts
    }

    /// Calls `each` with every block that a terminator may go to, once per edge.
    #[inline]
    pub fn for_each_successor(&self, block: BlockId, mut each: impl FnMut(BlockId)) {
        match *self.terminator(block) {
            Inst::Br { target } => each(target),
            Inst::CondBr {
                if_true, if_false, ..
            } => {
                each(if_true);
                each(if_false);
            }
            Inst::Switch { default, cases, .. } => {
                each(default);
                for (_, target) in self.edges_of(cases) {
                    each(*target);
                }
            }
            _ => {}
        }
    }

    /// Returns the node of that kind which is attached to an instruction.
    pub fn attachment(&self, inst: InstId, kind: u32) -> Option<MdId> {
        // Sorted when the decoder finishes the body.
        let first = self.attachments.partition_point(|(at, ..)| *at < inst);
        self.attachments
            .get(first..)?
            .iter()
            .take_while(|(at, ..)| *at == inst)
            .find(|(_, found, _)| *found == kind)
            .map(|(.., node)| *node)
    }

    /// Returns attributes and calling convention of a call.
    pub fn call_site(&self, call: InstId) -> CallSite {
        let at = self.call_sites.binary_search_by_key(&call, |(at, _)| *at);
        let site = at.ok().and_then(|at| self.call_sites.get(at));
        site.map_or(CallSite::default(), |(_, site)| *site)
    }

    /// Replaces each id of a value that the body names: operands, results, and names.
    pub fn map_values(&mut self, value_of: impl Fn(ValueId) -> ValueId) {
        for value in &mut self.value_pool {
            *value = value_of(*value);
        }
        for (value, _) in &mut self.edge_pool {
            *value = value_of(*value);
        }
        for (value, _) in &mut self.value_names {
            *value = value_of(*value);
        }
        for data in &mut self.values {
            if let ValueDef::Constant(Constant::Expr(expression)) = &mut data.def {
                expression.for_each_own_operand(|value| *value = value_of(*value));
            }
        }
        for data in self.insts.values_mut() {
            data.result = data.result.expand().map(&value_of).into();
            data.inst
                .for_each_own_operand(|value| *value = value_of(*value));
        }
    }

    /// Adds a value, and returns it. Its definition may be set later.
    pub fn push_value(&mut self, ty: TypeId, def: ValueDef) -> ValueId {
        self.values.push(ValueData { ty, def });
        ValueId::new(self.first_value as usize + self.values.len() - 1)
    }

    /// Adds a list of values, and returns it.
    pub fn push_list(&mut self, values: &[ValueId]) -> List<ValueId> {
        let count = |values: &[ValueId]| u32::try_from(values.len()).unwrap_or(u32::MAX);
        let start = count(&self.value_pool);
        self.value_pool.extend_from_slice(values);
        List::new(start, count(values))
    }

    /// Returns the elements of a value list.
    #[inline]
    pub fn values_of(&self, list: List<ValueId>) -> &[ValueId] {
        self.value_pool.get(list.range()).unwrap_or_default()
    }

    /// Returns the elements of a phi's or switch's list.
    #[inline]
    pub fn edges_of(&self, list: List<(ValueId, BlockId)>) -> &[(ValueId, BlockId)] {
        self.edge_pool.get(list.range()).unwrap_or_default()
    }

    /// Returns the elements of an index list (extract/insert value).
    #[inline]
    pub fn indices_of(&self, list: List<u32>) -> &[u64] {
        self.number_pool.get(list.range()).unwrap_or_default()
    }
}
