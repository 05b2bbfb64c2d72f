//! Draft blocks: what is known of a block before its phis and its position in the output.

use smallvec::SmallVec;

use crate::cfg::{CfgNodeId, NodeList};
use crate::structurize::{Merge, Operand, Statistics, StructuredBlockId};

/// The source of the value of a target's phi on an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::structurize) enum PhiSource {
    /// From the edge that the graph has from this node.
    Edge(CfgNodeId),
    /// From a routing block's phis.
    Route(StructuredBlockId),
}

/// An edge into a block.
#[derive(Debug, Clone)]
pub(in crate::structurize) struct IncomingEdge {
    pub(in crate::structurize) from: StructuredBlockId,
    /// The nodes that this edge leads to: one, or several between routing blocks.
    pub(in crate::structurize) targets: NodeList,
    pub(in crate::structurize) origin: PhiSource,
}

/// Terminator in the making.
#[derive(Debug, Clone)]
pub(in crate::structurize) enum DraftExit {
    Open,
    Branch(StructuredBlockId),
    CondBranch(Operand, StructuredBlockId, StructuredBlockId),
    Switch(Operand, StructuredBlockId, Vec<(u64, StructuredBlockId)>),
    /// Whether the routing block's selector names the node.
    Selected(CfgNodeId, StructuredBlockId, StructuredBlockId),
    Node,
    Unreachable,
}

/// A block in the making.
#[derive(Debug, Clone)]
pub(in crate::structurize) struct Draft {
    /// Node whose instructions stand here.
    pub(in crate::structurize) node: Option<CfgNodeId>,
    /// Node whose phis stand here.
    pub(in crate::structurize) phis_of: Option<CfgNodeId>,
    /// Targets of a routing block.
    pub(in crate::structurize) route: Vec<CfgNodeId>,
    /// Edges into the block; most blocks have one.
    pub(in crate::structurize) incoming: SmallVec<[IncomingEdge; 1]>,
    pub(in crate::structurize) merge: Merge,
    pub(in crate::structurize) exit: DraftExit,
}

/// Result: blocks and the order to emit them in.
pub(in crate::structurize) struct DraftBlocks {
    pub(in crate::structurize) drafts: Vec<Draft>,
    pub(in crate::structurize) order: Vec<StructuredBlockId>,
    pub(in crate::structurize) statistics: Statistics,
}
