//! From a control-flow graph to structured control flow.
//!
//! This file fixes the contract with the lowering: [`StructuredCfg`] is a list of SPIR-V blocks in
//! an order that SPIR-V accepts (a block after its immediate dominator), each with its merge
//! instruction and terminator, still in terms of the IR's values.

use dxil_frontend::ir::{BlockId, ValueId};

/// Blocks in emission order.
#[derive(Debug, Clone)]
pub struct StructuredCfg {
    /// The blocks; the first is the entry and has no predecessor.
    pub blocks: Vec<StructuredBlock>,
    /// What it took.
    pub statistics: Statistics,
}

/// Index into [`StructuredCfg::blocks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructuredBlockId(pub u32);

/// A value that only the structured form has (a selector, a repaired phi).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SyntheticId(pub u32);

/// An operand of a phi or terminator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A value of the function.
    Value(ValueId),
    /// The result of a [`StructuredPhi`].
    Synthetic(SyntheticId),
    /// A 32-bit constant (selectors).
    Selector(u32),
    /// A boolean constant.
    Bool(bool),
    /// Whatever (a value that is never looked at on this path).
    Undef,
}

/// One block of the output.
#[derive(Debug, Clone)]
pub struct StructuredBlock {
    /// The IR block whose instructions (phis and terminator apart) stand here; `None` for a block
    /// that only routes control.
    pub source: Option<BlockId>,
    /// All phis of the block, those of the IR included.
    pub phis: Vec<StructuredPhi>,
    /// Values that have another name in this block: uses of the first are uses of the second.
    pub renames: Vec<(ValueId, Operand)>,
    /// Merge instruction.
    pub merge: Merge,
    /// Terminator.
    pub terminator: Terminator,
}

/// A phi.
#[derive(Debug, Clone)]
pub struct StructuredPhi {
    /// What it defines.
    pub result: PhiResult,
    /// One operand per predecessor.
    pub incoming: Vec<(Operand, StructuredBlockId)>,
}

/// What a phi defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PhiResult {
    /// A phi of the IR.
    Value(ValueId),
    /// A new value with the type of that IR value.
    SyntheticLike(SyntheticId, ValueId),
    /// A new 32-bit selector.
    SyntheticSelector(SyntheticId),
    /// A new boolean.
    SyntheticBool(SyntheticId),
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

/// Hint of an `if` or `switch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SelectionHint {
    /// Nothing said.
    #[default]
    None,
    /// `[branch]`, `[forcecase]`, `[call]`: keep the branch.
    Branch,
    /// `[flatten]`.
    Flatten,
}

/// Hint of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LoopHint {
    /// Nothing said.
    #[default]
    None,
    /// `[loop]`.
    DontUnroll,
    /// `[unroll]`.
    Unroll,
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
    /// `OpSwitch`. The selector's type tells the width of the literals.
    Switch {
        /// The selector.
        selector: Operand,
        /// Default target.
        default: StructuredBlockId,
        /// Cases in the order that fall-through asks for.
        cases: Vec<(u64, StructuredBlockId)>,
    },
    /// Return from the function; the value is the IR terminator's.
    Return(Option<ValueId>),
    /// `OpUnreachable`.
    Unreachable,
}

/// What the structurizer had to do; zeros mean that the source's shape was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Blocks in (reachable ones).
    pub blocks_in: u32,
    /// Blocks out.
    pub blocks_out: u32,
    /// `if`s and switches.
    pub selections: u32,
    /// Loops.
    pub loops: u32,
    /// Multi-level exits that were routed step by step.
    pub ladders: u32,
    /// Selector values.
    pub selectors: u32,
    /// Irreducible regions that became a dispatch loop.
    pub dispatchers: u32,
    /// Blocks that were copied.
    pub duplicated_blocks: u32,
    /// Phis that were added to keep SSA after rerouting.
    pub repaired_phis: u32,
}
