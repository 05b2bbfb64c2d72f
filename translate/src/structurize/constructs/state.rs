//! State of the builder of constructs: drafts, open constructs, and the jump targets of nodes.

use smallvec::SmallVec;

use crate::budget::Budget;
use crate::cfg::{Cfg, CfgNodeId};
use crate::structurize::plan::ConstructPlan;
use crate::structurize::{Merge, Statistics, StructuredBlockId};

use super::drafts::{Draft, DraftExit};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConstructKind {
    If,
    Switch,
    Loop,
}

pub(super) struct OpenConstruct {
    pub(super) merge: StructuredBlockId,
    /// Loop only: the continue target.
    pub(super) continue_target: StructuredBlockId,
    pub(super) follows: Vec<CfgNodeId>,
    /// Distinct targets that are reached through the merge block.
    pub(super) targets_beyond: Vec<CfgNodeId>,
    /// Index of the innermost loop in the stack, this construct included.
    pub(super) innermost_loop: Option<usize>,
    /// Index of the innermost switch within that loop.
    pub(super) innermost_switch: Option<usize>,
    /// Number of switches within that loop.
    pub(super) switches: u32,
}

/// The jump by which a block reaches a node that an open construct owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JumpTarget {
    pub(super) construct: u32,
    pub(super) is_continue: bool,
    /// The block of the node, if it is a case that another one falls through to.
    pub(super) case: Option<StructuredBlockId>,
}

/// First step of an edge that leaves constructs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ExitEdge {
    pub(super) construct: usize,
    pub(super) is_continue: bool,
    /// The case that the edge falls through to.
    pub(super) case: Option<StructuredBlockId>,
    /// Whether a conditional branch may take it without opening a construct.
    pub(super) is_break: bool,
}

pub(super) enum Next {
    Node(StructuredBlockId, CfgNodeId),
    Merge(StructuredBlockId, Vec<CfgNodeId>, Vec<CfgNodeId>),
    End,
}

/// The parts of a conditional branch.
pub(super) enum BranchForm {
    /// No construct: one side at least leaves by a break or continue.
    NoConstruct,
    /// Both sides leave by the same way: no branch, the routing block there decides.
    SameExit,
    /// A selection with these follow nodes.
    Selection(Vec<CfgNodeId>),
}

/// The drafts so far, and the constructs that are open.
pub(super) struct ConstructBuilder<'a> {
    pub(super) cfg: &'a Cfg,
    pub(super) plan: &'a ConstructPlan,
    pub(super) drafts: Vec<Draft>,
    pub(super) order: Vec<StructuredBlockId>,
    pub(super) open: Vec<OpenConstruct>,
    pub(super) jump_targets: Vec<Option<JumpTarget>>,
    pub(super) statistics: Statistics,
    pub(super) work: &'a mut Budget,
    pub(super) too_deep: bool,
}

impl ConstructBuilder<'_> {
    pub(super) fn draft(&mut self) -> StructuredBlockId {
        let id = StructuredBlockId(self.drafts.len() as u32);
        self.drafts.push(Draft {
            node: None,
            phis_of: None,
            route: Vec::new(),
            incoming: SmallVec::new(),
            merge: Merge::None,
            exit: DraftExit::Open,
        });
        id
    }

    pub(super) fn at(&mut self, id: StructuredBlockId) -> &mut Draft {
        &mut self.drafts[id.0 as usize]
    }

    /// Counts steps. What is over the budget ends the placing of nodes.
    pub(super) fn spend(&mut self, steps: usize) {
        self.too_deep |= self.work.spend(steps as u64).is_err();
    }

    pub(super) fn set_exit(&mut self, id: StructuredBlockId, exit: DraftExit) {
        self.at(id).exit = exit;
    }
}
