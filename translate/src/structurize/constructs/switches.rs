//! Switches: cases that fall through, and switches of one case around conditions that nest deep.

use crate::Result;
use crate::cfg::{CfgNodeId, NodeList};
use crate::structurize::{Operand, SelectionHint, StructuredBlockId};

use super::drafts::{DraftExit, IncomingEdge, PhiSource};
use super::state::{ConstructBuilder, ConstructKind, JumpTarget, Next};

impl ConstructBuilder<'_> {
    /// Places a node in a switch of one case: its follow nodes are reached from many levels.
    pub(super) fn place_in_single_case_switch(
        &mut self,
        block: StructuredBlockId,
        node: CfgNodeId,
    ) -> Result<Next> {
        self.order.push(block);
        let follows = self.plan.follows(node).to_vec();
        self.begin_selection(ConstructKind::Switch, block, follows, SelectionHint::None);
        let body = self.draft();
        self.at(body).incoming.push(IncomingEdge {
            from: block,
            targets: NodeList::new(),
            origin: PhiSource::Edge(node),
        });
        let selector = Operand::Selector(0);
        self.set_exit(block, DraftExit::Switch(selector, body, Vec::new()));
        let next = self.place_node(body, node)?;
        self.sequence(next)?;
        self.close_unless_deep()
    }

    /// Gives cases that others fall through to their blocks.
    pub(super) fn begin_cases(&mut self, order: &[(CfgNodeId, bool)]) {
        let construct = self.open.len() as u32 - 1;
        for (case, _) in order.iter().filter(|(_, is_fallen_into)| *is_fallen_into) {
            let block = self.draft();
            self.jump_targets[case.index()] = Some(JumpTarget {
                construct,
                is_continue: false,
                case: Some(block),
            });
        }
    }

    /// Goes to a case of a switch, as [`Self::go`] does. Its targets are its own blocks or its
    /// merge block.
    pub(super) fn case(
        &mut self,
        from: StructuredBlockId,
        target: CfgNodeId,
        origin: PhiSource,
    ) -> Result<(StructuredBlockId, Next)> {
        let top = self.open.len() - 1;
        // The header of a switch must dominate each of its cases (2.11.3), so that a target outside
        // of the switch needs a block inside that branches to it.
        let leaves =
            self.jump_targets[target.index()].is_some() && self.exit_edge(target)?.construct != top;
        if !leaves {
            return self.go(from, target, origin);
        }
        let between = self.draft();
        self.order.push(between);
        self.at(between).incoming.push(IncomingEdge {
            from,
            targets: NodeList::new(),
            origin,
        });
        let to = self.edge(between, target, origin)?;
        self.set_exit(between, DraftExit::Branch(to));
        Ok((between, Next::End))
    }

    /// Places the cases of a switch in the order that fall-through requires.
    pub(super) fn place_switch(
        &mut self,
        block: StructuredBlockId,
        node: CfgNodeId,
        (selector, default, cases): (Operand, CfgNodeId, &[(u64, CfgNodeId)]),
        follows: Vec<CfgNodeId>,
    ) -> Result<Next> {
        let origin = PhiSource::Edge(node);

        self.begin_selection(
            ConstructKind::Switch,
            block,
            follows,
            self.cfg.node(node).selection_hint,
        );
        let order =
            crate::structurize::fallthrough::in_order(self.cfg, node, &self.plan.fallthroughs);
        self.begin_cases(&order);
        let mut arms = dxil_frontend::tables::HashMap::default();
        let mut inside = Vec::new();
        for (rank, &(target, _)) in order.iter().enumerate() {
            let (to, next) = self.case(block, target, origin)?;
            arms.insert(target, (to, rank));
            inside.push(next);
        }
        let mut ranked: Vec<_> = cases
            .iter()
            .map(|&(literal, target)| (literal, arms[&target]))
            .collect();
        // All labels of one target stand together, and those of a case right before those of the
        // case that it falls through to (2.11.3). Without fall-through the source's order stays.
        if order.iter().any(|&(_, is_fallen_into)| is_fallen_into) {
            ranked.sort_by_key(|&(_, (_, rank))| rank);
        }
        let cases = ranked.iter().map(|&(l, (to, _))| (l, to)).collect();
        self.set_exit(block, DraftExit::Switch(selector, arms[&default].0, cases));
        for (next, (target, is_fallen_into)) in inside.into_iter().zip(order) {
            if is_fallen_into {
                self.jump_targets[target.index()] = None;
                self.sequence(Next::Node(arms[&target].0, target))?;
            } else {
                self.sequence(next)?
            }
        }
        self.close_unless_deep()
    }
}
