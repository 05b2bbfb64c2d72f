//! Turns placed drafts into structured blocks: emission order, phis, selectors.
//!
//! A routing block gets one phi per phi of each of its targets, so that values travel with control; where a
//! value does not matter (the edge is bound for another target) the operand is undefined.

use dxil_frontend::ir::ValueId;
use rustc_hash::FxHashMap;

use crate::cfg::{Cfg, CfgPhi, Exit, NodeId};
use crate::{Error, Result};

use super::place::{Arrival, Draft, DraftExit, Origin, Placed};
use super::{
    Merge, Operand, PhiResult, Statistics, StructuredBlock, StructuredBlockId, StructuredPhi,
    SyntheticId, Terminator,
};

/// Blocks in emission order, and the node of each.
pub(super) struct Finished {
    pub(super) blocks: Vec<StructuredBlock>,
    pub(super) nodes: Vec<Option<NodeId>>,
    /// Node whose phis stand in each block.
    pub(super) phis_of: Vec<Option<NodeId>>,
    pub(super) statistics: Statistics,
    pub(super) synthetics: u32,
}

struct Finisher<'a> {
    cfg: &'a Cfg,
    drafts: &'a [Draft],
    /// Emission index of each draft.
    number: Vec<u32>,
    /// What a routing block hands on: (routing block, target, index of the target's phi).
    carried: FxHashMap<(u32, u32, u32), Operand>,
    selectors: FxHashMap<u32, Operand>,
    synthetics: u32,
}

type Renames = Vec<(ValueId, Operand)>;
type Exports = Vec<(ValueId, SyntheticId)>;

/// Finishes a placement.
pub(super) fn run(cfg: &Cfg, placed: &Placed) -> Result<Finished> {
    let mut number = vec![u32::MAX; placed.drafts.len()];
    for (index, id) in placed.order.iter().enumerate() {
        number[id.0 as usize] = index as u32;
    }
    let mut finisher = Finisher {
        cfg,
        drafts: &placed.drafts,
        number,
        carried: FxHashMap::default(),
        selectors: FxHashMap::default(),
        synthetics: cfg.synthetics,
    };
    // Routing blocks first: others name what they carry, whatever the order.
    let mut routed = vec![Vec::new(); placed.drafts.len()];
    for &id in &placed.order {
        if !placed.drafts[id.0 as usize].route.is_empty() {
            routed[id.0 as usize] = finisher.route_phis(id)?;
        }
    }
    let mut blocks = Vec::with_capacity(placed.order.len());
    for &id in &placed.order {
        let phis = std::mem::take(&mut routed[id.0 as usize]);
        blocks.push(finisher.block(id, phis)?);
    }
    let draft = |id: &StructuredBlockId| &placed.drafts[id.0 as usize];
    Ok(Finished {
        blocks,
        nodes: placed.order.iter().map(|id| draft(id).node).collect(),
        phis_of: placed.order.iter().map(|id| draft(id).phis_of).collect(),
        statistics: placed.statistics,
        synthetics: finisher.synthetics,
    })
}

impl Finisher<'_> {
    fn fresh(&mut self) -> SyntheticId {
        self.synthetics += 1;
        SyntheticId(self.synthetics - 1)
    }

    fn emitted(&self, id: StructuredBlockId) -> Result<StructuredBlockId> {
        match self.number[id.0 as usize] {
            u32::MAX => Err(Error::internal(format!("block {} was never placed", id.0))),
            index => Ok(StructuredBlockId(index)),
        }
    }

    /// Value that the `index`-th phi of `target` has on an edge.
    fn incoming(&self, arrival: &Arrival, target: NodeId, index: usize) -> Result<Operand> {
        if !arrival.targets.contains(&target) {
            return Ok(Operand::Undef);
        }
        match arrival.origin {
            Origin::Edge(node) => {
                let phi = &self.cfg.node(target).phis[index];
                match phi.incoming.binary_search_by_key(&node, |&(from, _)| from) {
                    Ok(found) => Ok(phi.incoming[found].1),
                    Err(_) => Err(Error::malformed(
                        "a phi has no value for one of the block's predecessors",
                    )),
                }
            }
            Origin::Route(block) => self
                .carried
                .get(&(block.0, target.0, index as u32))
                .copied()
                .ok_or_else(|| Error::internal("a routing block lost a value")),
        }
    }

    fn selector(&self, arrival: &Arrival) -> Result<Operand> {
        match (arrival.targets.as_slice(), arrival.origin) {
            (&[only], _) => Ok(Operand::Selector(only.0)),
            (_, Origin::Route(block)) => self
                .selectors
                .get(&block.0)
                .copied()
                .ok_or_else(|| Error::internal("a routing block lost its selector")),
            (_, Origin::Edge(_)) => {
                Err(Error::internal("an edge of the graph with several targets"))
            }
        }
    }

    fn route_phis(&mut self, id: StructuredBlockId) -> Result<Vec<StructuredPhi>> {
        let drafts = self.drafts;
        let draft = &drafts[id.0 as usize];
        let mut phis = Vec::new();
        if let [only] = draft.arrivals.as_slice() {
            // One way in: everything passes through.
            for &target in &draft.route {
                for index in 0..self.cfg.node(target).phis.len() {
                    let operand = self.incoming(only, target, index)?;
                    self.carried.insert((id.0, target.0, index as u32), operand);
                }
            }
            if draft.route.len() > 1 {
                let selector = self.selector(only)?;
                self.selectors.insert(id.0, selector);
            }
            return Ok(phis);
        }
        if draft.route.len() > 1 {
            let synthetic = self.fresh();
            self.selectors.insert(id.0, Operand::Synthetic(synthetic));
            let mut incoming = Vec::with_capacity(draft.arrivals.len());
            for arrival in &draft.arrivals {
                incoming.push((self.selector(arrival)?, self.emitted(arrival.from)?));
            }
            phis.push(StructuredPhi {
                result: PhiResult::SyntheticSelector(synthetic),
                incoming,
            });
        }
        for &target in &draft.route {
            for index in 0..self.cfg.node(target).phis.len() {
                let mut incoming = Vec::with_capacity(draft.arrivals.len());
                for arrival in &draft.arrivals {
                    incoming.push((
                        self.incoming(arrival, target, index)?,
                        self.emitted(arrival.from)?,
                    ));
                }
                let synthetic = self.fresh();
                self.carried.insert(
                    (id.0, target.0, index as u32),
                    Operand::Synthetic(synthetic),
                );
                let result = match self.cfg.node(target).phis[index].result {
                    PhiResult::Value(value) | PhiResult::SyntheticLike(_, value) => {
                        PhiResult::SyntheticLike(synthetic, value)
                    }
                    PhiResult::SyntheticSelector(_) => PhiResult::SyntheticSelector(synthetic),
                    PhiResult::SyntheticBool(_) => PhiResult::SyntheticBool(synthetic),
                };
                phis.push(StructuredPhi { result, incoming });
            }
        }
        Ok(phis)
    }

    /// Names of a copy's results: its phis' are known from the start, the others' once they are computed.
    fn names(&self, node: NodeId) -> (Renames, Exports) {
        let node = self.cfg.node(node);
        let (phis, computed): (Exports, Exports) = node.names.iter().partition(|(_, name)| {
            let is_result =
                |phi: &CfgPhi| matches!(phi.result, PhiResult::SyntheticLike(id, _) if id == *name);
            node.phis.iter().any(is_result)
        });
        let rename = |(value, name)| (value, Operand::Synthetic(name));
        (phis.into_iter().map(rename).collect(), computed)
    }

    fn node_phis(&self, draft: &Draft, node: NodeId, phis: &mut Vec<StructuredPhi>) -> Result<()> {
        for (index, CfgPhi { result, .. }) in self.cfg.node(node).phis.iter().enumerate() {
            let mut incoming = Vec::with_capacity(draft.arrivals.len());
            for arrival in &draft.arrivals {
                incoming.push((
                    self.incoming(arrival, node, index)?,
                    self.emitted(arrival.from)?,
                ));
            }
            phis.push(StructuredPhi {
                result: *result,
                incoming,
            });
        }
        Ok(())
    }

    fn block(
        &mut self,
        id: StructuredBlockId,
        mut phis: Vec<StructuredPhi>,
    ) -> Result<StructuredBlock> {
        let drafts = self.drafts;
        let draft = &drafts[id.0 as usize];
        if let Some(node) = draft.phis_of {
            self.node_phis(draft, node, &mut phis)?;
        }
        let merge = match draft.merge {
            Merge::None => Merge::None,
            Merge::Selection { merge, hint } => Merge::Selection {
                merge: self.emitted(merge)?,
                hint,
            },
            Merge::Loop {
                merge,
                continue_target,
                hint,
            } => Merge::Loop {
                merge: self.emitted(merge)?,
                continue_target: self.emitted(continue_target)?,
                hint,
            },
        };
        let terminator = match &draft.exit {
            DraftExit::Open => return Err(Error::internal("a block without terminator")),
            DraftExit::Branch(to) => Terminator::Branch(self.emitted(*to)?),
            DraftExit::CondBranch(condition, a, b) => Terminator::CondBranch {
                condition: *condition,
                if_true: self.emitted(*a)?,
                if_false: self.emitted(*b)?,
            },
            DraftExit::Switch(selector, default, cases) => Terminator::Switch {
                selector: *selector,
                default: self.emitted(*default)?,
                cases: cases
                    .iter()
                    .map(|&(literal, to)| Ok((literal, self.emitted(to)?)))
                    .collect::<Result<_>>()?,
            },
            DraftExit::Selected(target, yes, no) => Terminator::SelectorBranch {
                selector: self
                    .selectors
                    .get(&id.0)
                    .copied()
                    .ok_or_else(|| Error::internal("a routing block without selector"))?,
                value: target.0,
                if_equal: self.emitted(*yes)?,
                if_not: self.emitted(*no)?,
            },
            DraftExit::Node => match draft.node.map(|node| &self.cfg.node(node).exit) {
                Some(Exit::Return(value)) => Terminator::Return(*value),
                _ => {
                    return Err(Error::internal(
                        "a block that ends like a node that does not return",
                    ));
                }
            },
            DraftExit::Unreachable => Terminator::Unreachable,
        };
        let (renames, exports) = match draft.node {
            Some(node) if !self.cfg.node(node).names.is_empty() => self.names(node),
            _ => Default::default(),
        };
        Ok(StructuredBlock {
            source: draft.node.and_then(|node| self.cfg.node(node).source),
            phis,
            renames,
            exports,
            merge,
            terminator,
        })
    }
}
