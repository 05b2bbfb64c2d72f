//! Edges between drafts: those to a node that follows, and those that leave constructs.

use crate::cfg::{CfgNodeId, NodeList};
use crate::structurize::StructuredBlockId;
use crate::{Error, Result};

use super::drafts::{DraftExit, IncomingEdge, PhiSource};
use super::limits::MAX_SWITCHES_CONTINUED;
use super::state::{ConstructBuilder, ExitEdge, Next, OpenConstruct};

impl ConstructBuilder<'_> {
    pub(super) fn exit_edge(&self, target: CfgNodeId) -> Result<ExitEdge> {
        let jump = self.jump_targets[target.index()].ok_or_else(|| {
            Error::internal(format!(
                "an edge to node {} that no construct owns",
                target.0
            ))
        })?;
        // An edge leaves the innermost construct to its merge block, the innermost loop to its
        // merge block or continue target, or the innermost switch to its merge block if no loop
        // lies between (2.11.3). An edge to a construct further out begins with the outermost of
        // these steps; the merge block there sends it on.
        let owner = jump.construct as usize;
        let top = self.open.len() - 1;
        let OpenConstruct {
            innermost_loop,
            innermost_switch,
            switches,
            ..
        } = self.open[top];
        let breaks = |construct: usize| ExitEdge {
            construct,
            is_continue: false,
            case: None,
            is_break: true,
        };
        if jump.case.is_some() {
            return Ok(match (innermost_loop, innermost_switch) {
                // Only the case itself falls through, not a construct in it.
                _ if owner == top => ExitEdge {
                    case: jump.case,
                    ..breaks(top)
                },
                (Some(inner), _) if inner > owner => breaks(inner),
                (_, Some(inner)) if inner > owner => breaks(inner),
                _ => ExitEdge {
                    is_break: false,
                    ..breaks(top)
                },
            });
        }
        if let Some(inner) = innermost_loop
            && owner <= inner
        {
            let continues = owner == inner && jump.is_continue;
            // The edge leaves the switch first; a selector after the switch leads on.
            if let Some(switch) = innermost_switch
                && (if continues {
                    switches > MAX_SWITCHES_CONTINUED
                } else {
                    !self.plan.support.loop_exits_in_switches
                })
            {
                return Ok(breaks(switch));
            }
            return Ok(if owner == inner {
                ExitEdge {
                    is_continue: jump.is_continue,
                    ..breaks(owner)
                }
            } else {
                breaks(inner)
            });
        }
        Ok(match innermost_switch {
            Some(switch) if switch >= owner => breaks(switch),
            _ => ExitEdge {
                is_break: false,
                ..breaks(top)
            },
        })
    }

    /// Makes an edge out of `from`, and returns the block to branch to.
    pub(super) fn edge(
        &mut self,
        from: StructuredBlockId,
        target: CfgNodeId,
        origin: PhiSource,
    ) -> Result<StructuredBlockId> {
        self.edges(from, &[target], origin)
    }

    /// Makes one edge for several targets that share their exit edge.
    pub(super) fn edges(
        &mut self,
        from: StructuredBlockId,
        targets: &[CfgNodeId],
        origin: PhiSource,
    ) -> Result<StructuredBlockId> {
        let Some(&first) = targets.first() else {
            return Err(Error::internal("an edge without target"));
        };
        let exit = self.exit_edge(first)?;
        self.spend(targets.len() * self.open[exit.construct].targets_beyond.len());
        let construct = &mut self.open[exit.construct];
        let to = if let Some(case) = exit.case {
            case
        } else if exit.is_continue {
            construct.continue_target
        } else {
            for &target in targets {
                if !construct.targets_beyond.contains(&target) {
                    construct.targets_beyond.push(target);
                }
            }
            construct.merge
        };
        if !self.has_edge_from(to, from) {
            self.add_edge(to, from, targets, origin);
            return Ok(to);
        }
        // A phi has one operand per predecessor (3.3.17, `OpPhi`): it cannot distinguish two edges
        // from the same block.
        let between = self.draft();
        self.order.push(between);
        self.set_exit(between, DraftExit::Branch(to));
        self.at(between).incoming.push(IncomingEdge {
            from,
            targets: NodeList::new(),
            origin,
        });
        self.add_edge(to, between, targets, origin);
        Ok(between)
    }

    pub(super) fn add_edge(
        &mut self,
        to: StructuredBlockId,
        from: StructuredBlockId,
        targets: &[CfgNodeId],
        origin: PhiSource,
    ) {
        self.spend(targets.len());
        self.at(to).incoming.push(IncomingEdge {
            from,
            targets: NodeList::from_slice(targets),
            origin,
        });
    }

    /// Returns whether `to` has an edge from `from`. A block makes all its edges in one go, so that
    /// the last arrival decides: it comes from the block itself or from one put between.
    pub(super) fn has_edge_from(&self, to: StructuredBlockId, from: StructuredBlockId) -> bool {
        let Some(last) = self.drafts[to.0 as usize].incoming.last() else {
            return false;
        };
        let between = &self.drafts[last.from.0 as usize];
        let is_between = between.node.is_none()
            && between
                .incoming
                .first()
                .is_some_and(|a| a.from == from && a.targets.is_empty());
        last.from == from || is_between
    }

    /// Returns the block that a simple successor will be placed in.
    pub(super) fn inline_successor(
        &mut self,
        from: StructuredBlockId,
        target: CfgNodeId,
        origin: PhiSource,
    ) -> StructuredBlockId {
        let to = self.draft();
        self.add_edge(to, from, &[target], origin);
        to
    }

    /// Returns an edge that leaves the construct, or a node to be placed next.
    pub(super) fn go(
        &mut self,
        from: StructuredBlockId,
        target: CfgNodeId,
        origin: PhiSource,
    ) -> Result<(StructuredBlockId, Next)> {
        if self.jump_targets[target.index()].is_some() {
            Ok((self.edge(from, target, origin)?, Next::End))
        } else {
            let to = self.inline_successor(from, target, origin);
            Ok((to, Next::Node(to, target)))
        }
    }
}
