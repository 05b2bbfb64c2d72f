//! A node with its exit: the construct that a conditional branch needs, if it needs one.

use crate::cfg::{CfgNodeId, Exit};
use crate::structurize::{Merge, SelectionHint, StructuredBlockId};
use crate::{Error, Result};

use super::drafts::{DraftExit, PhiSource};
use super::limits::MAX_NESTED_ARM;
use super::state::{BranchForm, ConstructBuilder, ConstructKind, ExitEdge, Next};

impl ConstructBuilder<'_> {
    /// Returns the form of the node's exit, given the constructs that are open.
    pub(super) fn branch_form(&self, node: CfgNodeId) -> Result<BranchForm> {
        // Those of a wide construct belong to the switch around it.
        let follows = if self.plan.needs_single_case_switch(node) {
            &[]
        } else {
            self.plan.follows(node)
        };
        let (a, b) = match self.cfg.node(node).exit {
            Exit::Branch {
                if_true, if_false, ..
            } if if_true != if_false => (if_true, if_false),
            Exit::Switch { .. } => return Ok(BranchForm::Selection(follows.to_vec())),
            _ => return Ok(BranchForm::NoConstruct),
        };
        if !follows.is_empty() {
            return Ok(BranchForm::Selection(follows.to_vec()));
        }
        let leaves = |target: CfgNodeId| -> Result<Option<ExitEdge>> {
            match self.jump_targets[target.index()] {
                Some(_) => self.exit_edge(target).map(Some),
                None => Ok(None),
            }
        };
        Ok(match (leaves(a)?, leaves(b)?) {
            // A conditional branch needs no merge instruction if one of its targets is a declared
            // merge block or continue target (2.16.2).
            (Some(a), Some(b)) if a != b => BranchForm::NoConstruct,
            (Some(_), Some(_)) => BranchForm::SameExit,
            (Some(exit), None) if exit.is_break => self.exit_form(b),
            (None, Some(exit)) if exit.is_break => self.exit_form(a),
            (Some(_), None) | (None, Some(_)) => BranchForm::Selection(Vec::new()),
            (None, None) => {
                // If one arm never returns to the join, the other arm follows the construct.
                let gone = |arm: CfgNodeId| -> Result<bool> {
                    let exits = self.plan.exits[arm.index()];
                    let mut gone = !exits.many;
                    for &target in exits.targets() {
                        let jump = self.jump_targets[target.index()];
                        gone &= jump.is_some_and(|jump| jump.case.is_none())
                            && self.exit_edge(target)?.is_break;
                    }
                    Ok(gone)
                };
                let layout = |n: CfgNodeId| self.cfg.node(n).layout;
                let (early, late) = if layout(a) <= layout(b) {
                    (a, b)
                } else {
                    (b, a)
                };
                // If neither arm returns to the join, a long one is not nested: a chain of them
                // would nest without bound.
                let dominated = |arm: CfgNodeId| self.plan.dominated[arm.index()];
                let is_long = dominated(early) > MAX_NESTED_ARM.max(dominated(late));
                if gone(early)? && !(is_long && gone(late)?) {
                    BranchForm::Selection(vec![late])
                } else if gone(late)? {
                    BranchForm::Selection(vec![early])
                } else {
                    BranchForm::Selection(Vec::new())
                }
            }
        })
    }

    /// Returns the form of a branch that either leaves by a break or continue, or goes on to a
    /// node.
    fn exit_form(&self, stays: CfgNodeId) -> BranchForm {
        if self.plan.support.conditional_exits {
            BranchForm::NoConstruct
        } else {
            BranchForm::Selection(vec![stays])
        }
    }

    /// Places a node's instructions and what its exit leads to.
    pub(super) fn place_node(&mut self, block: StructuredBlockId, node: CfgNodeId) -> Result<Next> {
        self.order.push(block);
        self.at(block).node = Some(node);
        let origin = PhiSource::Edge(node);
        // Before the node opens a construct: the form depends on those that are open around it.
        let form = self.branch_form(node)?;
        let cfg = self.cfg;
        match (&cfg.node(node).exit, form) {
            (Exit::Return(_), _) => {
                self.set_exit(block, DraftExit::Node);
                Ok(Next::End)
            }
            (Exit::Unreachable, _) => {
                self.set_exit(block, DraftExit::Unreachable);
                Ok(Next::End)
            }
            (&Exit::Jump(target), _)
            | (
                &Exit::Branch {
                    if_true: target, ..
                },
                BranchForm::NoConstruct,
            ) if cfg.node(node).successors.len() == 1 => {
                let (to, next) = self.go(block, target, origin)?;
                self.set_exit(block, DraftExit::Branch(to));
                Ok(next)
            }
            (
                &Exit::Branch {
                    condition,
                    if_true,
                    if_false,
                },
                BranchForm::NoConstruct,
            ) => {
                // At most one of the two is a node that follows; the other one leaves
                // (`branch_form`).
                let (a, next_a) = self.go(block, if_true, origin)?;
                let (b, next_b) = self.go(block, if_false, origin)?;
                self.set_exit(block, DraftExit::CondBranch(condition, a, b));
                Ok(if matches!(next_a, Next::End) {
                    next_b
                } else {
                    next_a
                })
            }
            (
                &Exit::Branch {
                    if_true, if_false, ..
                },
                BranchForm::SameExit,
            ) => {
                let to = self.edges(block, &[if_true, if_false], origin)?;
                self.set_exit(block, DraftExit::Branch(to));
                Ok(Next::End)
            }
            (
                &Exit::Branch {
                    condition,
                    if_true,
                    if_false,
                },
                BranchForm::Selection(follows),
            ) => {
                let hint = self.hint_of(node, [if_true, if_false], &follows);
                self.begin_selection(ConstructKind::If, block, follows, hint);
                let (a, next_a) = self.go(block, if_true, origin)?;
                let (b, next_b) = self.go(block, if_false, origin)?;
                self.set_exit(block, DraftExit::CondBranch(condition, a, b));
                self.sequence(next_a)?;
                self.sequence(next_b)?;
                self.close_unless_deep()
            }
            (
                Exit::Switch {
                    selector,
                    default,
                    cases,
                },
                BranchForm::Selection(follows),
            ) => self.place_switch(block, node, (*selector, *default, cases), follows),
            _ => Err(Error::internal("an exit without a form")),
        }
    }

    /// Returns the source's hint for a branch. Where both ways lead to the join without code, there
    /// is nothing to branch around but a choice of values.
    fn hint_of(
        &self,
        node: CfgNodeId,
        arms: [CfgNodeId; 2],
        follows: &[CfgNodeId],
    ) -> SelectionHint {
        let is_empty = |arm: CfgNodeId| {
            let node = self.cfg.node(arm);
            follows.contains(&arm) || node.size == 0 && matches!(node.exit, Exit::Jump(_))
        };
        if arms.into_iter().all(is_empty) {
            return SelectionHint::None;
        }
        self.cfg.node(node).selection_hint
    }

    pub(super) fn begin_selection(
        &mut self,
        kind: ConstructKind,
        block: StructuredBlockId,
        follows: Vec<CfgNodeId>,
        hint: SelectionHint,
    ) {
        self.statistics.selections += 1;
        let merge = self.open_construct(kind, follows);
        self.at(block).merge = Merge::Selection { merge, hint };
    }
}
