//! Merge blocks that send control on: to a follow node of their construct, or further out.

use crate::cfg::CfgNodeId;
use crate::structurize::{SelectionHint, StructuredBlockId};
use crate::{Error, Result};

use super::drafts::{DraftExit, PhiSource};
use super::state::{ConstructBuilder, ConstructKind, ExitEdge, Next};

impl ConstructBuilder<'_> {
    /// Places the merge block of a construct: a follow node, or a routing block.
    pub(super) fn merge(
        &mut self,
        block: StructuredBlockId,
        follows: Vec<CfgNodeId>,
        mut targets_beyond: Vec<CfgNodeId>,
    ) -> Result<Next> {
        // By node, so that the test comes in program order whatever edge was placed first.
        targets_beyond.sort_unstable();
        self.spend(targets_beyond.len() + follows.len());
        // The merge block of the construct and the follow node are one block: nothing is routed.
        if let (&[only], &[follow]) = (targets_beyond.as_slice(), follows.as_slice())
            && only == follow
        {
            return Ok(Next::Node(block, follow));
        }
        self.order.push(block);
        if targets_beyond.is_empty() {
            if !follows.is_empty() {
                return Err(Error::internal("a follow node that nothing reaches"));
            }
            self.set_exit(block, DraftExit::Unreachable);
            return Ok(Next::End);
        }
        let origin = PhiSource::Route(block);
        self.at(block).route = targets_beyond.clone();
        if targets_beyond.len() > 1 {
            self.statistics.routing_blocks += 1;
            self.statistics.selectors += 1;
        }
        match follows.split_first() {
            None => {
                self.route(block, targets_beyond)?;
                Ok(Next::End)
            }
            Some((&first, rest)) => {
                if !targets_beyond.contains(&first) {
                    return Err(Error::internal("a follow node that nothing reaches"));
                }
                let others: Vec<CfgNodeId> = targets_beyond
                    .iter()
                    .copied()
                    .filter(|&t| t != first)
                    .collect();
                if others.is_empty() {
                    return Err(Error::internal(
                        "follow nodes behind one that nothing else reaches",
                    ));
                }
                self.begin_selection(ConstructKind::If, block, rest.to_vec(), SelectionHint::None);
                let to = self.inline_successor(block, first, origin);
                let top = self.open.len() - 1;
                let merge = self.open[top].merge;
                self.open[top].targets_beyond = others.clone();
                self.add_edge(merge, block, &others, origin);
                self.set_exit(block, DraftExit::Selected(first, to, merge));
                self.sequence(Next::Node(to, first))?;
                self.close_unless_deep()
            }
        }
    }

    /// Ends a routing block whose targets all lie in constructs further out.
    pub(super) fn route(
        &mut self,
        mut block: StructuredBlockId,
        targets: Vec<CfgNodeId>,
    ) -> Result<()> {
        let mut exits: Vec<(ExitEdge, CfgNodeId)> = Vec::with_capacity(targets.len());
        for target in targets {
            exits.push((self.exit_edge(target)?, target));
        }
        self.spend(exits.len());
        // Targets that a conditional branch cannot reach directly come last: the last way out has
        // no test. Equal exits are neighbours, so that all of them share that way.
        exits.sort_by_key(|&(exit, _)| {
            (!exit.is_break, exit.construct, exit.is_continue, exit.case)
        });
        let Some(&(last, _)) = exits.last() else {
            return Err(Error::internal("a routing block without target"));
        };
        let tested = exits.iter().take_while(|(exit, _)| *exit != last).count();
        for index in 0..tested {
            let target = exits[index].1;
            let taken = self.edge(block, target, PhiSource::Route(block))?;
            self.spend(exits.len() - index);
            let left: Vec<CfgNodeId> = exits[index + 1..]
                .iter()
                .map(|&(_, target)| target)
                .collect();
            if index + 1 == tested {
                let to = self.edges(block, &left, PhiSource::Route(block))?;
                self.set_exit(block, DraftExit::Selected(target, taken, to));
                return Ok(());
            }
            let next = self.draft();
            self.add_edge(next, block, &left, PhiSource::Route(block));
            self.set_exit(block, DraftExit::Selected(target, taken, next));
            self.order.push(next);
            self.at(next).route = left;
            block = next;
        }
        let left: Vec<CfgNodeId> = exits.iter().map(|&(_, target)| target).collect();
        let to = self.edges(block, &left, PhiSource::Route(block))?;
        self.set_exit(block, DraftExit::Branch(to));
        Ok(())
    }
}
