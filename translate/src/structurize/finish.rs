//! Turns drafts into structured blocks: emission order, phis, selectors.
//!
//! A routing block gets one phi per phi of each of its targets, so that values travel with control;
//! where a value does not matter (the edge is bound for another target) the operand is undefined.

use dxil_frontend::ir::ValueId;
use dxil_frontend::tables::HashMap;

use crate::budget::Budget;
use crate::cfg::{Cfg, CfgNodeId, CfgPhi, Exit};
use crate::{Error, Result};

use super::constructs::{Draft, DraftBlocks, DraftExit, IncomingEdge, PhiSource};
use super::failure::NestingFailure;
use super::{
    Merge, Operand, PhiResult, Select, Statistics, StructuredBlock, StructuredBlockId,
    StructuredPhi, SyntheticId, Terminator,
};

/// Blocks in emission order, and the node of each.
pub(super) struct Finished {
    pub(super) blocks: Vec<StructuredBlock>,
    pub(super) nodes: Vec<Option<CfgNodeId>>,
    /// Node whose phis stand in each block.
    pub(super) phis_of: Vec<Option<CfgNodeId>>,
    pub(super) statistics: Statistics,
    pub(super) synthetics: u32,
}

struct Finisher<'a> {
    cfg: &'a Cfg,
    drafts: &'a [Draft],
    /// Emission index of each draft.
    number: Vec<u32>,
    /// Values that routing blocks pass on, by routing block, target, and index of the target's phi.
    carried: HashMap<(u32, u32, u32), Operand>,
    selectors: HashMap<u32, (Operand, SelectorKind)>,
    /// Selectors that conditions compute, by block.
    selects: HashMap<u32, Vec<Select>>,
    synthetics: u32,
}

/// The kind of a selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SelectorKind {
    /// A boolean: whether control goes to this one of two targets.
    Is(CfgNodeId),
    /// The target's number.
    Number,
}

impl SelectorKind {
    /// Returns the constant for a target.
    fn constant(self, target: CfgNodeId) -> Operand {
        match self {
            SelectorKind::Is(one) => Operand::Bool(one == target),
            SelectorKind::Number => Operand::Selector(target.0),
        }
    }
}

type Renames = Vec<(ValueId, Operand)>;
type Exports = Vec<(ValueId, SyntheticId)>;

/// Turns drafts into blocks.
///
/// # Errors
///
/// [`NestingFailure::TooMuch`] for more operands of phis than the budget has steps.
pub(super) fn run(
    cfg: &Cfg,
    drafts: &DraftBlocks,
    work: &mut Budget,
) -> Result<Finished, NestingFailure> {
    for draft in &drafts.drafts {
        // Counted before any phi is made: a graph with too many of them must not take the memory.
        // Values that pass through a block with one predecessor need no phi, only names.
        let phis: u64 = draft
            .route
            .iter()
            .map(|target| 1 + cfg.node(*target).phis.len() as u64)
            .sum();
        work.spend(phis * draft.incoming.len() as u64)?;
    }
    let mut number = vec![u32::MAX; drafts.drafts.len()];
    for (index, id) in drafts.order.iter().enumerate() {
        number[id.0 as usize] = index as u32;
    }
    let mut finisher = Finisher {
        cfg,
        drafts: &drafts.drafts,
        number,
        carried: HashMap::default(),
        selectors: HashMap::default(),
        selects: HashMap::default(),
        synthetics: cfg.synthetics,
    };
    // Routing blocks first: others name what they carry, whatever the order.
    let mut routed = vec![Vec::new(); drafts.drafts.len()];
    for &id in &drafts.order {
        if !drafts.drafts[id.0 as usize].route.is_empty() {
            routed[id.0 as usize] = finisher.route_phis(id)?;
        }
    }
    let mut blocks = Vec::with_capacity(drafts.order.len());
    for &id in &drafts.order {
        let phis = std::mem::take(&mut routed[id.0 as usize]);
        blocks.push(finisher.block(id, phis)?);
    }
    let draft = |id: &StructuredBlockId| &drafts.drafts[id.0 as usize];
    Ok(Finished {
        blocks,
        nodes: drafts.order.iter().map(|id| draft(id).node).collect(),
        phis_of: drafts.order.iter().map(|id| draft(id).phis_of).collect(),
        statistics: drafts.statistics,
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
            u32::MAX => Err(Error::internal(format!("block {} was never drafts", id.0))),
            index => Ok(StructuredBlockId(index)),
        }
    }

    /// Returns the value that the `index`-th phi of `target` has on an edge.
    fn incoming(&self, edge: &IncomingEdge, target: CfgNodeId, index: usize) -> Result<Operand> {
        if !edge.targets.contains(&target) {
            return Ok(Operand::Undef);
        }
        match edge.origin {
            PhiSource::Edge(node) => {
                let phi = &self.cfg.node(target).phis[index];
                // `Cfg::renumber` keeps the operands of a phi sorted by predecessor. A missing one
                // is an error of the input: the frontend does not compare phis with edges.
                match phi.incoming.binary_search_by_key(&node, |&(from, _)| from) {
                    Ok(found) => Ok(phi.incoming[found].1),
                    Err(_) => Err(Error::malformed(
                        "a phi has no value for one of the block's predecessors",
                    )),
                }
            }
            PhiSource::Route(block) => self
                .carried
                .get(&(block.0, target.0, index as u32))
                .copied()
                .ok_or_else(|| Error::internal("a routing block lost a value")),
        }
    }

    /// Returns the kind of selector for a routing block: a boolean for two targets, unless a number
    /// comes in already.
    fn kind(&self, draft: &Draft) -> SelectorKind {
        let is_number = |edge: &IncomingEdge| match edge.origin {
            PhiSource::Route(block) if edge.targets.len() > 1 => {
                matches!(
                    self.selectors.get(&block.0),
                    Some((_, SelectorKind::Number))
                )
            }
            _ => false,
        };
        match draft.route.as_slice() {
            // A boolean is branched on as it is, where a number is first compared.
            &[a, b] if !draft.incoming.iter().any(is_number) => SelectorKind::Is(a.min(b)),
            _ => SelectorKind::Number,
        }
    }

    /// Returns a selector's value on an edge.
    fn selector(&mut self, edge: &IncomingEdge, kind: SelectorKind) -> Result<Operand> {
        match (edge.targets.as_slice(), edge.origin) {
            (&[only], _) => Ok(kind.constant(only)),
            (_, PhiSource::Route(block)) => match self.selectors.get(&block.0) {
                Some(&(selector, before)) if before == kind => Ok(selector),
                Some(&(condition, SelectorKind::Is(one))) => {
                    // A boolean from a routing block with two targets becomes a number here, where
                    // there are more.
                    let other = edge.targets.iter().copied().find(|&to| to != one);
                    let other = other.unwrap_or(one);
                    Ok(self.select(edge, condition, [one, other], kind))
                }
                Some(_) => Err(Error::internal("a number becomes a boolean")),
                None => Err(Error::internal("a routing block lost its selector")),
            },
            (_, PhiSource::Edge(node)) => {
                let &Exit::Branch {
                    condition,
                    if_true,
                    if_false,
                } = &self.cfg.node(node).exit
                else {
                    return Err(Error::internal("an edge of the graph with several targets"));
                };
                Ok(self.select(edge, condition, [if_true, if_false], kind))
            }
        }
    }

    /// Computes a selector from a condition in the block that an edge comes from.
    fn select(
        &mut self,
        edge: &IncomingEdge,
        condition: Operand,
        targets: [CfgNodeId; 2],
        kind: SelectorKind,
    ) -> Operand {
        let result = self.fresh();
        let [if_true, if_false] = targets.map(|target| kind.constant(target));
        let selects = self.selects.entry(edge.from.0).or_default();
        selects.push(Select {
            result,
            condition,
            if_true,
            if_false,
        });
        Operand::Synthetic(result)
    }

    fn route_phis(&mut self, id: StructuredBlockId) -> Result<Vec<StructuredPhi>> {
        let drafts = self.drafts;
        let draft = &drafts[id.0 as usize];
        let mut phis = Vec::new();
        if let [only] = draft.incoming.as_slice() {
            // One predecessor: all values pass through.
            for &target in &draft.route {
                for index in 0..self.cfg.node(target).phis.len() {
                    let operand = self.incoming(only, target, index)?;
                    self.carried.insert((id.0, target.0, index as u32), operand);
                }
            }
            if draft.route.len() > 1 {
                let kind = self.kind(draft);
                let selector = self.selector(only, kind)?;
                self.selectors.insert(id.0, (selector, kind));
            }
            return Ok(phis);
        }
        if draft.route.len() > 1 {
            let (synthetic, kind) = (self.fresh(), self.kind(draft));
            self.selectors
                .insert(id.0, (Operand::Synthetic(synthetic), kind));
            let mut incoming = Vec::with_capacity(draft.incoming.len());
            for edge in &draft.incoming {
                incoming.push((self.selector(edge, kind)?, self.emitted(edge.from)?));
            }
            let result = match kind {
                SelectorKind::Is(_) => PhiResult::SyntheticBool(synthetic),
                SelectorKind::Number => PhiResult::SyntheticSelector(synthetic),
            };
            phis.push(StructuredPhi { result, incoming });
        }
        for &target in &draft.route {
            for index in 0..self.cfg.node(target).phis.len() {
                let mut incoming = Vec::with_capacity(draft.incoming.len());
                for edge in &draft.incoming {
                    incoming.push((
                        self.incoming(edge, target, index)?,
                        self.emitted(edge.from)?,
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

    /// Returns the names of a copy's results: those of phis are known from the start, others once
    /// they are computed.
    fn names(&self, node: CfgNodeId) -> (Renames, Exports) {
        let node = self.cfg.node(node);
        let (phis, computed): (Exports, Exports) = node.names.iter().partition(|(_, name)| {
            let is_result =
                |phi: &CfgPhi| matches!(phi.result, PhiResult::SyntheticLike(id, _) if id == *name);
            node.phis.iter().any(is_result)
        });
        let rename = |(value, name)| (value, Operand::Synthetic(name));
        (phis.into_iter().map(rename).collect(), computed)
    }

    fn node_phis(
        &self,
        draft: &Draft,
        node: CfgNodeId,
        phis: &mut Vec<StructuredPhi>,
    ) -> Result<()> {
        let own = &self.cfg.node(node).phis;
        phis.reserve(own.len());
        for (index, CfgPhi { result, .. }) in own.iter().enumerate() {
            let mut incoming = Vec::with_capacity(draft.incoming.len());
            for edge in &draft.incoming {
                incoming.push((self.incoming(edge, node, index)?, self.emitted(edge.from)?));
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
            DraftExit::Selected(target, yes, no) => {
                let (yes, no) = (self.emitted(*yes)?, self.emitted(*no)?);
                match self.selectors.get(&id.0).copied() {
                    Some((condition, SelectorKind::Is(one))) => Terminator::CondBranch {
                        condition,
                        if_true: if one == *target { yes } else { no },
                        if_false: if one == *target { no } else { yes },
                    },
                    Some((selector, SelectorKind::Number)) => Terminator::SelectorBranch {
                        selector,
                        value: target.0,
                        if_equal: yes,
                        if_not: no,
                    },
                    None => return Err(Error::internal("a routing block without selector")),
                }
            }
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
        let (mut renames, exports) = match draft.node {
            Some(node) if !self.cfg.node(node).names.is_empty() => self.names(node),
            _ => Default::default(),
        };
        let node = draft.node.map(|node| self.cfg.node(node));
        renames.extend(node.into_iter().flat_map(|node| &node.renames));
        Ok(StructuredBlock {
            source: node.and_then(|node| node.source),
            lifted: node.map_or_else(Vec::new, |node| node.lifted.clone()),
            phis,
            renames,
            selects: self.selects.remove(&id.0).unwrap_or_default(),
            exports,
            memory: None,
            merge,
            terminator,
        })
    }
}
