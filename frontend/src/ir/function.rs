//! Function bodies.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::{
    BlockId, Constant, FuncId, Inst, InstData, InstId, List, MdId, Module, TypeId, ValueData,
    ValueDef, ValueId,
};

/// A function with a body.
#[derive(Debug, Clone)]
pub struct Function {
    /// Which function of the module this is.
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
    /// The instructions in order.
    pub fn insts(self) -> impl DoubleEndedIterator<Item = InstId> + ExactSizeIterator {
        (self.first.index()..self.end.index()).map(InstId::new)
    }
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
    /// The block's instructions.
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

    /// The block's terminator. Decoding guarantees one per block.
    pub fn terminator(&self, block: BlockId) -> &Inst {
        self.block_insts(block)
            .next_back()
            .and_then(|id| self.insts.get(id))
            .map_or(&Inst::Unreachable, |data| &data.inst)
    }

    /// Calls `each` with every value that an instruction uses: phis' and switches' included.
    #[inline]
    pub fn for_each_operand(&self, inst: &Inst, mut each: impl FnMut(ValueId)) {
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

    /// The node of that kind which is attached to an instruction.
    pub fn attachment(&self, inst: InstId, kind: u32) -> Option<MdId> {
        let first = self.attachments.partition_point(|(at, ..)| *at < inst);
        self.attachments
            .get(first..)?
            .iter()
            .take_while(|(at, ..)| *at == inst)
            .find(|(_, found, _)| *found == kind)
            .map(|(.., node)| *node)
    }

    /// Elements of a value list.
    #[inline]
    pub fn values_of(&self, list: List<ValueId>) -> &[ValueId] {
        self.value_pool.get(list.range()).unwrap_or_default()
    }

    /// Elements of a phi's or switch's list.
    #[inline]
    pub fn edges_of(&self, list: List<(ValueId, BlockId)>) -> &[(ValueId, BlockId)] {
        self.edge_pool.get(list.range()).unwrap_or_default()
    }

    /// Elements of an index list (extract/insert value).
    #[inline]
    pub fn indices_of(&self, list: List<u32>) -> &[u64] {
        self.number_pool.get(list.range()).unwrap_or_default()
    }
}

/// A function together with its module: resolves any [`ValueId`] that occurs in the function.
#[derive(Debug, Clone, Copy)]
pub struct FuncView<'a> {
    /// Where globals, constants and types are.
    pub module: &'a Module,
    /// Where the arguments, constants and instructions of the body are.
    pub function: &'a Function,
}

impl<'a> FuncView<'a> {
    /// The value's type and origin. Decoding guarantees that every id in a body resolves.
    #[inline]
    pub fn value(&self, id: ValueId) -> Option<&'a ValueData> {
        let index = id.index();
        let first = self.function.first_value as usize;
        if index < first {
            self.module.values.get(index)
        } else {
            self.function.values.get(index - first)
        }
    }

    /// The value's type (`void`'s id never occurs, so a dangling id gives `None`).
    #[inline]
    pub fn type_of(&self, id: ValueId) -> Option<TypeId> {
        self.value(id).map(|value| value.ty)
    }

    /// The value as a constant.
    #[inline]
    pub fn constant(&self, id: ValueId) -> Option<Constant> {
        match self.value(id)?.def {
            ValueDef::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// The value as a constant integer, zero-extended; `null` is 0.
    #[inline]
    pub fn constant_int(&self, id: ValueId) -> Option<u64> {
        match self.constant(id)? {
            Constant::Int(value) => Some(value),
            Constant::Null => Some(0),
            _ => None,
        }
    }

    /// The value as a function.
    #[inline]
    pub fn as_function(&self, id: ValueId) -> Option<FuncId> {
        match self.value(id)?.def {
            ValueDef::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Elements of a constant's value list; `owner` is the constant, which tells the pool.
    pub fn constant_elements(&self, owner: ValueId, list: List<ValueId>) -> &'a [ValueId] {
        if owner.index() < self.function.first_value as usize {
            self.module.value_pool.get(list.range()).unwrap_or_default()
        } else {
            self.function
                .value_pool
                .get(list.range())
                .unwrap_or_default()
        }
    }

    /// Raw elements of a constant's data list; `owner` is the constant, which tells the pool.
    pub fn constant_data(&self, owner: ValueId, list: List<u64>) -> &'a [u64] {
        if owner.index() < self.function.first_value as usize {
            self.module
                .number_pool
                .get(list.range())
                .unwrap_or_default()
        } else {
            self.function
                .number_pool
                .get(list.range())
                .unwrap_or_default()
        }
    }
}
