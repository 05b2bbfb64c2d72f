//! A rotated loop, as the search finds it, and the test that goes to its head.

use dxil_frontend::ir::{InstId, ValueId};
use dxil_frontend::tables::HashSet;

use crate::cfg::{CfgNodeId, Operand};

/// Maximum number of instructions of a condition.
pub(super) const MAX_INSTRUCTIONS: usize = 16;

/// A rotated loop behind its guard.
pub(super) struct Rotated {
    pub(super) guard: CfgNodeId,
    /// Predecessor of the loop: an empty block, or the guard itself.
    pub(super) before: CfgNodeId,
    pub(super) first: CfgNodeId,
    pub(super) latch: CfgNodeId,
    /// The target of the latch's exit: an empty block, or the latch itself.
    pub(super) out: CfgNodeId,
    pub(super) after: CfgNodeId,
    pub(super) inside: HashSet<CfgNodeId>,
    /// The guard's condition, and its value if the loop is entered.
    pub(super) enters: (ValueId, bool),
    /// The latch's condition, and its value if there is another round.
    pub(super) again: (ValueId, bool),
}

/// A value that a loop carries: the phi, its first value, and its value in the next round.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoopValue {
    pub(super) phi: ValueId,
    pub(super) first: ValueId,
    pub(super) next: ValueId,
}

/// The code in the header of a loop.
pub(super) struct Test {
    /// The condition, and its value if there is another round.
    pub(super) condition: ValueId,
    pub(super) again: bool,
    /// Its instructions, operands before users.
    pub(super) insts: Vec<InstId>,
    /// Values of the next round or of the first one, and the phis that they are in the head.
    pub(super) renames: Vec<(ValueId, Operand)>,
    /// Values from outside of the loop.
    pub(super) outer: Vec<ValueId>,
}
