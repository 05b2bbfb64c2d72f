//! The structured form of a function: SPIR-V blocks with merge instructions, in an order that
//! SPIR-V accepts, still in terms of the IR's values.

use dxil_frontend::ir::{BlockId, InstId, ValueId};

use crate::cfg::{LoopHint, Operand, PhiResult, SelectionHint, SyntheticId};

/// Blocks in emission order.
#[derive(Debug, Clone)]
pub struct StructuredCfg {
    /// The blocks; the first is the entry and has no predecessor.
    pub blocks: Vec<StructuredBlock>,
    /// Variables that carry values from block to block; a graph that was not flattened has none.
    pub slots: Vec<SlotType>,
    /// Counts of the structurizer's rewrites.
    pub statistics: Statistics,
}

/// The role of a variable that carries values between blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlotType {
    /// Values with the type of this one.
    Like(ValueId),
    /// A 32-bit selector.
    Selector,
    /// A boolean.
    Bool,
}

/// Index into [`StructuredCfg::slots`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotId(pub u32);

/// The slots that a block reads and writes.
#[derive(Debug, Clone, Default)]
pub struct BlockMemory {
    /// Loads, after the phis.
    pub loads: Vec<(PhiResult, SlotId)>,
    /// Stores at the end of the block.
    pub stores: Vec<(SlotId, Operand)>,
    /// Values of other blocks that instructions among [`StructuredBlock::lifted`] compute here
    /// again.
    pub recomputed: Vec<ValueId>,
}

/// Index into [`StructuredCfg::blocks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructuredBlockId(pub u32);

impl StructuredCfg {
    /// Returns the predecessors of each block.
    pub(crate) fn predecessors(&self) -> Vec<Vec<u32>> {
        block_predecessors(&self.blocks)
    }
}

/// One block of the output.
#[derive(Debug, Clone)]
pub struct StructuredBlock {
    /// The IR block whose instructions (phis and terminator apart) stand here; `None` for a block
    /// that only routes control.
    pub source: Option<BlockId>,
    /// Instructions of other blocks that stand here, and whether they remain in their own blocks,
    /// too.
    pub lifted: Vec<(InstId, bool)>,
    /// All phis of the block, those of the IR included.
    pub phis: Vec<StructuredPhi>,
    /// Values that have another name in this block: a use of the value here names the operand
    /// instead.
    pub renames: Vec<(ValueId, Operand)>,
    /// Selectors that the condition of this block determines; control diverges only later.
    pub selects: Vec<Select>,
    /// Names that the results of this block have in other blocks, if it is a copy.
    pub exports: Vec<(ValueId, SyntheticId)>,
    /// Slots that it reads and writes.
    pub memory: Option<Box<BlockMemory>>,
    /// Merge instruction.
    pub merge: Merge,
    /// The terminator.
    pub terminator: Terminator,
}

/// One of two constants, by a condition.
#[derive(Debug, Clone, Copy)]
pub struct Select {
    /// The value that it defines.
    pub result: SyntheticId,
    /// An `i1`.
    pub condition: Operand,
    /// [`Operand::Bool`] or [`Operand::Selector`].
    pub if_true: Operand,
    /// The same kind.
    pub if_false: Operand,
}

/// A phi.
#[derive(Debug, Clone)]
pub struct StructuredPhi {
    /// Its result.
    pub result: PhiResult,
    /// One operand per predecessor.
    pub incoming: Vec<(Operand, StructuredBlockId)>,
}

/// Merge instruction of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// Not a header.
    None,
    /// `OpSelectionMerge`.
    Selection {
        /// Merge block.
        merge: StructuredBlockId,
        /// `[branch]` / `[flatten]`.
        hint: SelectionHint,
    },
    /// `OpLoopMerge`.
    Loop {
        /// Merge block.
        merge: StructuredBlockId,
        /// Continue target.
        continue_target: StructuredBlockId,
        /// `[loop]` / `[unroll]`.
        hint: LoopHint,
    },
}

/// Terminator of a block.
#[derive(Debug, Clone)]
pub enum Terminator {
    /// `OpBranch`.
    Branch(StructuredBlockId),
    /// `OpBranchConditional`.
    CondBranch {
        /// An `i1`, or a synthetic boolean.
        condition: Operand,
        /// If true.
        if_true: StructuredBlockId,
        /// If false.
        if_false: StructuredBlockId,
    },
    /// `OpSwitch`. The selector's type determines the width of the literals.
    Switch {
        /// The selector.
        selector: Operand,
        /// Default target.
        default: StructuredBlockId,
        /// Cases in the order that fall-through requires (2.11.3).
        cases: Vec<(u64, StructuredBlockId)>,
    },
    /// `OpBranchConditional` on whether a selector has a value.
    SelectorBranch {
        /// The selector.
        selector: Operand,
        /// The value to compare with.
        value: u32,
        /// If it has that value.
        if_equal: StructuredBlockId,
        /// If it has another one.
        if_not: StructuredBlockId,
    },
    /// Return from the function; the value is the IR terminator's.
    Return(Option<ValueId>),
    /// `OpUnreachable`.
    Unreachable,
}

impl Terminator {
    /// Shows `visit` each target, in the order of the instruction's operands; one may come several
    /// times.
    pub fn for_each_target(&self, mut visit: impl FnMut(StructuredBlockId)) {
        match self {
            Terminator::Branch(to) => visit(*to),
            Terminator::CondBranch {
                if_true: a,
                if_false: b,
                ..
            }
            | Terminator::SelectorBranch {
                if_equal: a,
                if_not: b,
                ..
            } => {
                visit(*a);
                visit(*b);
            }
            Terminator::Switch { default, cases, .. } => {
                visit(*default);
                cases.iter().for_each(|&(_, to)| visit(to));
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }
}

/// Counts of the structurizer's rewrites; zeros mean that the source's shape was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Statistics {
    /// Blocks in (reachable ones).
    pub blocks_in: u32,
    /// Blocks out.
    pub blocks_out: u32,
    /// `if`s and switches.
    pub selections: u32,
    /// Loop constructs.
    pub loops: u32,
    /// Routing blocks that serve several targets: exits over more than one level. (A construct's
    /// own merge block that passes on to the join of the construct around it is not counted: SPIR-V
    /// requires one merge block per construct.)
    pub routing_blocks: u32,
    /// Selector values.
    pub selectors: u32,
    /// Irreducible regions that became a dispatch loop, and functions that did.
    pub dispatchers: u32,
    /// Blocks that were copied.
    pub duplicated_blocks: u32,
    /// Phis that were added to keep SSA after rerouting.
    pub repaired_phis: u32,
}

impl Statistics {
    /// Adds the numbers of another function.
    pub fn add(&mut self, other: Statistics) {
        self.blocks_in += other.blocks_in;
        self.blocks_out += other.blocks_out;
        self.selections += other.selections;
        self.loops += other.loops;
        self.routing_blocks += other.routing_blocks;
        self.selectors += other.selectors;
        self.dispatchers += other.dispatchers;
        self.duplicated_blocks += other.duplicated_blocks;
        self.repaired_phis += other.repaired_phis;
    }
}

/// Returns the distinct predecessors of each block.
pub(super) fn block_predecessors(blocks: &[StructuredBlock]) -> Vec<Vec<u32>> {
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); blocks.len()];
    for (from, block) in blocks.iter().enumerate() {
        let from = from as u32;
        block.terminator.for_each_target(|to| {
            if let Some(list) = lists.get_mut(to.0 as usize)
                && list.last() != Some(&from)
            {
                list.push(from);
            }
        });
    }
    lists
}
