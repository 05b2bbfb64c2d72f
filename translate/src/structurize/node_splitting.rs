//! Makes an irreducible region reducible by copying what little code lies after all entries but
//! one.
//!
//! ```text
//!   before: A -> X, A -> Y, X -> Y, Y -> X        after: A -> X, A -> Y', Y' -> X, X -> Y, Y -> X
//! ```
//!
//! One entry (X) stays and becomes the header of a loop. What can be reached from the others (Y)
//! without passing it is copied, and ways in from outside go to the copies. A value of a copied
//! node then has two definitions; the copy's has a different name
//! ([`Node::names`](crate::cfg::Node::names)), and `repair` puts the right one, or a phi of both,
//! where the value is used.
//!
//! This beats a dispatcher where it is cheap: the loop keeps its shape and needs no selector. The
//! budget keeps the output linear in the input. Pinned nodes (wave operations, barriers,
//! derivatives ...) are never copied.

use dxil_frontend::tables::{HashMap, HashSet};

use crate::cfg::{Cfg, CfgNodeId, CfgPhi, Node, map_targets};
use crate::structurize::{Operand, PhiResult};

use super::irreducible::Region;

/// Maximum number of blocks and instructions that are copied for one region.
const MAX_REGION: Cost = Cost {
    blocks: 4,
    instructions: 32,
};

/// Maximum number of blocks and instructions that are copied in a function.
const MAX_FUNCTION: Cost = Cost {
    blocks: 16,
    instructions: 128,
};

/// Regions with more entries are not worth a try.
const MAX_ENTRIES: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    instructions: u32,
    blocks: u32,
}

/// The remaining budget of copies of a function.
pub(super) struct CopyBudget {
    left: Cost,
}

impl Default for CopyBudget {
    fn default() -> Self {
        CopyBudget { left: MAX_FUNCTION }
    }
}

impl CopyBudget {
    /// Returns the number of copied blocks.
    pub(super) fn spent(&self) -> u32 {
        MAX_FUNCTION.blocks - self.left.blocks
    }
}

/// Splits a region, and returns whether that was within the budget.
pub(super) fn run(cfg: &mut Cfg, region: &Region, budget: &mut CopyBudget) -> bool {
    if region.entries.len() > MAX_ENTRIES {
        return false;
    }
    let candidates = region.entries.iter().copied();
    let plans = candidates.filter_map(|header| plan(cfg, region, header, budget));
    // Ties go to the first header, so that equal input gives equal output.
    let Some((cost, _, nodes)) = plans.min_by_key(|&(cost, header, _)| (cost, header)) else {
        return false;
    };
    budget.left.blocks -= cost.blocks;
    budget.left.instructions -= cost.instructions;
    copy(cfg, region, &nodes);
    true
}

/// Returns the nodes to copy if `header` stays, unless they are more than the budget.
fn plan(
    cfg: &Cfg,
    region: &Region,
    header: CfgNodeId,
    budget: &CopyBudget,
) -> Option<(Cost, CfgNodeId, Vec<CfgNodeId>)> {
    let mut nodes: Vec<CfgNodeId> = Vec::new();
    let mut cost = Cost {
        instructions: 0,
        blocks: 0,
    };
    let mut seen = HashSet::default();
    let mut work: Vec<CfgNodeId> = region.entries.clone();
    while let Some(id) = work.pop() {
        if id == header || !region.inside.contains(&id) || !seen.insert(id) {
            continue;
        }
        let node = cfg.node(id);
        // Only values of the IR can have the second name that a copy needs, so that routing nodes
        // and copies are not copied. Control enters the entry by no edge that could lead to a copy.
        let is_plain = |phi: &CfgPhi| matches!(phi.result, PhiResult::Value(_));
        if id == CfgNodeId(0)
            || node.pinned
            || node.source.is_none()
            || !node.names.is_empty()
            || !node.phis.iter().all(is_plain)
        {
            return None;
        }
        cost.blocks += 1;
        cost.instructions += node.size + node.phis.len() as u32;
        let fits =
            |limit: Cost| cost.blocks <= limit.blocks && cost.instructions <= limit.instructions;
        if !fits(MAX_REGION) || !fits(budget.left) {
            return None;
        }
        nodes.push(id);
        work.extend(node.successors.iter().copied());
    }
    nodes.sort_unstable();
    Some((cost, header, nodes))
}

fn copy(cfg: &mut Cfg, region: &Region, nodes: &[CfgNodeId]) {
    let first = cfg.nodes.len() as u32;
    let copies: HashMap<CfgNodeId, CfgNodeId> = nodes
        .iter()
        .zip(first..)
        .map(|(&node, copy)| (node, CfgNodeId(copy)))
        .collect();
    let crossing = crossing_values(cfg);
    for &id in nodes {
        let mut copy: Node = cfg.node(id).clone();
        map_targets(&mut copy.exit, |to| copies.get(&to).copied().unwrap_or(to));
        for phi in &mut copy.phis {
            if let PhiResult::Value(value) = phi.result {
                let name = cfg.fresh_synthetic();
                phi.result = PhiResult::SyntheticLike(name, value);
                copy.names.push((value, name));
            }
            // Edges from outside and from the copies lead here.
            phi.incoming.retain_mut(|(from, _)| match copies.get(from) {
                Some(&copy) => {
                    *from = copy;
                    true
                }
                None => !region.inside.contains(from),
            });
        }
        let is_phi = |value| copy.names.iter().any(|&(phi, _)| phi == value);
        let computed: Vec<_> = cfg
            .definitions
            .of(id.0)
            .filter(|&value| crossing.contains(&value) && !is_phi(value))
            .collect();
        for value in computed {
            copy.names.push((value, cfg.fresh_synthetic()));
        }
        cfg.nodes.push(copy);
    }
    for &id in nodes {
        for phi in &mut cfg.nodes[id.index()].phis {
            phi.incoming
                .retain(|(from, _)| region.inside.contains(from));
        }
        for to in cfg.node(id).successors.clone() {
            if copies.contains_key(&to) {
                continue;
            }
            for phi in &mut cfg.nodes[to.index()].phis {
                let operand = phi.incoming.iter().find(|(from, _)| *from == id);
                if let Some(&(_, operand)) = operand {
                    phi.incoming.push((copies[&id], operand));
                }
            }
        }
    }
    for from in 0..first {
        if !region.inside.contains(&CfgNodeId(from)) {
            let exit = &mut cfg.nodes[from as usize].exit;
            map_targets(exit, |to| copies.get(&to).copied().unwrap_or(to));
        }
    }
    let of_copies: Vec<_> = cfg
        .uses
        .iter()
        .filter_map(|used| {
            let at = *copies.get(&used.at)?;
            Some(crate::cfg::Use { at, ..*used })
        })
        .collect();
    cfg.uses.extend(of_copies);
    cfg.uses.sort_unstable_by_key(|used| (used.value, used.at));
    cfg.renumber();
}

/// Returns the values that are used outside of the node that defines them, or by a phi.
fn crossing_values(cfg: &Cfg) -> HashSet<dxil_frontend::ir::ValueId> {
    let mut values: HashSet<_> = cfg.uses.iter().map(|used| used.value).collect();
    for phi in cfg.nodes.iter().flat_map(|node| &node.phis) {
        for &(_, operand) in &phi.incoming {
            if let Operand::Value(value) = operand {
                values.insert(value);
            }
        }
    }
    values
}
