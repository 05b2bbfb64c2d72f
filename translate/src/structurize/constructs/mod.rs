//! Places the nodes of a planned graph into constructs: the step from a graph to structured blocks.
//!
//! Nodes are placed in dominator order. A stack holds the open constructs; each owns follow
//! nodes, which stand after it. An edge is one of two things:
//!
//! * to a node that simply follows: placed right there;
//! * to a follow node or continue target of an open construct: a branch, if SPIR-V allows it from
//!   here (own merge block, merge block of the innermost switch, merge block or continue target of
//!   the innermost loop). If it does not, the edge goes to the merge block of the outermost
//!   construct that it may leave, which becomes a **routing block** and sends it on from there.
//!
//! A routing block that serves one target needs nothing but phis. One that serves several carries a
//! selector and tests it: `if (selector == first) { first ... }`, then the others after.
//!
//! ```text
//!   if (a) { if (b) goto J; }  K;  J;          merge:  s = phi(J from inner, K else)
//!                                              if (s == K) { K }
//!                                              J
//! ```

mod branches;
mod drafts;
mod edges;
mod limits;
mod loops;
mod open_constructs;
mod routing;
mod state;
mod switches;

use crate::Result;
use crate::budget::Budget;
use crate::cfg::{Cfg, CfgNodeId};

use self::state::{ConstructBuilder, Next};
use super::Statistics;
use super::plan::ConstructPlan;

pub(super) use self::drafts::{Draft, DraftBlocks, DraftExit, IncomingEdge, PhiSource};
pub(super) use self::limits::MAX_SWITCHES_CONTINUED;

/// Places all nodes. `None`: constructs would nest deeper than [`limits::MAX_DEPTH`], or edges have
/// too many targets.
pub(super) fn run(
    cfg: &Cfg,
    plan: &ConstructPlan,
    work: &mut Budget,
) -> Result<Option<DraftBlocks>> {
    let mut builder = ConstructBuilder {
        cfg,
        plan,
        drafts: Vec::with_capacity(cfg.nodes.len() + 8),
        order: Vec::with_capacity(cfg.nodes.len() + 8),
        open: Vec::new(),
        jump_targets: vec![None; cfg.nodes.len()],
        statistics: Statistics::default(),
        work,
        too_deep: false,
    };
    let mut first = builder.draft();
    if plan.loops.headed_by(CfgNodeId(0)).is_some() {
        // SPIR-V's entry block must not be the target of a branch (2.16.1), and a loop header is.
        let entry = first;
        builder.order.push(entry);
        first = builder.draft();
        builder.add_edge(first, entry, &[CfgNodeId(0)], PhiSource::Edge(CfgNodeId(0)));
        builder.set_exit(entry, DraftExit::Branch(first));
    }
    builder.sequence(Next::Node(first, CfgNodeId(0)))?;
    if builder.too_deep || builder.work.is_exhausted() {
        return Ok(None);
    }
    Ok(Some(DraftBlocks {
        drafts: builder.drafts,
        order: builder.order,
        statistics: builder.statistics,
    }))
}

impl ConstructBuilder<'_> {
    pub(super) fn sequence(&mut self, mut next: Next) -> Result<()> {
        loop {
            if self.too_deep {
                return Ok(());
            }
            next = match next {
                Next::Node(block, node) if self.plan.loops.headed_by(node).is_some() => {
                    self.place_loop(block, node)?
                }
                Next::Node(block, node) => {
                    // The phis belong to the first block of the node, which is the header of the
                    // switch around it if there is one.
                    self.at(block).phis_of = Some(node);
                    if self.plan.needs_single_case_switch(node) {
                        self.place_in_single_case_switch(block, node)?
                    } else {
                        self.place_node(block, node)?
                    }
                }
                Next::Merge(block, follows, targets_beyond) => {
                    self.merge(block, follows, targets_beyond)?
                }
                Next::End => return Ok(()),
            };
        }
    }
}
