//! Loops: header, body, continue target and merge block.

use crate::cfg::{CfgNodeId, Exit, LoopId, NodeList};
use crate::structurize::{LoopHint, Merge, StructuredBlockId};
use crate::{Error, Result};

use super::drafts::{DraftExit, IncomingEdge, PhiSource};
use super::state::{BranchForm, ConstructBuilder, ConstructKind, JumpTarget, Next};

impl ConstructBuilder<'_> {
    pub(super) fn place_loop(
        &mut self,
        header: StructuredBlockId,
        node: CfgNodeId,
    ) -> Result<Next> {
        let id = self
            .plan
            .loops
            .headed_by(node)
            .ok_or_else(|| Error::internal("not a loop header"))?;
        self.statistics.loops += 1;
        let merge = self.open_construct(
            ConstructKind::Loop,
            self.plan.loop_follows[id.0 as usize].clone(),
        );
        let index = self.open.len() - 1;
        let latch = self.plan.continues[id.0 as usize];
        // A loop of one block is its own continue target (2.11.3, "single-block loop").
        let continue_target = if latch == Some(node) {
            header
        } else {
            self.draft()
        };
        self.open[index].continue_target = continue_target;
        let jump = Some(JumpTarget {
            construct: index as u32,
            is_continue: true,
            case: None,
        });
        // In the body an edge to the header means `continue`, whether or not a block of the graph
        // is the continue target.
        self.jump_targets[node.index()] = jump;
        if let Some(latch) = latch {
            self.jump_targets[latch.index()] = jump;
        }
        let hint = self.loop_hint(id);
        self.at(header).phis_of = Some(node);
        self.at(header).merge = Merge::Loop {
            merge,
            continue_target,
            hint,
        };
        let next = match self.branch_form(node)? {
            BranchForm::NoConstruct | BranchForm::SameExit
                if !self.plan.needs_single_case_switch(node) =>
            {
                self.place_node(header, node)?
            }
            _ => {
                // A block has one merge instruction, as its second-to-last one (3.3.17): it cannot
                // head a loop and a selection.
                self.order.push(header);
                let body = self.draft();
                self.at(body).incoming.push(IncomingEdge {
                    from: header,
                    targets: NodeList::new(),
                    origin: PhiSource::Edge(node),
                });
                self.set_exit(header, DraftExit::Branch(body));
                if self.plan.needs_single_case_switch(node) {
                    self.place_in_single_case_switch(body, node)?
                } else {
                    self.place_node(body, node)?
                }
            }
        };
        self.sequence(next)?;
        if self.too_deep {
            return Ok(Next::End);
        }
        match latch {
            Some(latch) if latch == node => {}
            Some(latch) => {
                // The header and what follows the loop are the only targets from here.
                self.jump_targets[node.index()] = None;
                self.order.push(continue_target);
                self.at(continue_target).node = Some(latch);
                self.at(continue_target).phis_of = Some(latch);
                let mut to = Vec::with_capacity(2);
                for &target in &self.cfg.node(latch).successors {
                    to.push(if target == node {
                        self.add_edge(header, continue_target, &[node], PhiSource::Edge(latch));
                        header
                    } else {
                        self.edge(continue_target, target, PhiSource::Edge(latch))?
                    });
                }
                let exit = match (&self.cfg.node(latch).exit, to.as_slice()) {
                    (Exit::Branch { condition, .. }, &[a, b]) => {
                        DraftExit::CondBranch(*condition, a, b)
                    }
                    (_, &[only]) => DraftExit::Branch(only),
                    _ => return Err(Error::internal("a latch that is no continue target")),
                };
                self.set_exit(continue_target, exit);
                self.jump_targets[latch.index()] = None;
            }
            None => {
                self.order.push(continue_target);
                self.at(continue_target).route = vec![node];
                self.add_edge(
                    header,
                    continue_target,
                    &[node],
                    PhiSource::Route(continue_target),
                );
                self.set_exit(continue_target, DraftExit::Branch(header));
            }
        }
        self.jump_targets[node.index()] = None;
        self.close()
    }

    pub(super) fn loop_hint(&self, id: LoopId) -> LoopHint {
        let latches = &self.plan.loops.get(id).latches;
        let hints = latches.iter().map(|&latch| self.cfg.node(latch).loop_hint);
        hints
            .into_iter()
            .find(|&hint| hint != LoopHint::None)
            .unwrap_or_default()
    }
}
