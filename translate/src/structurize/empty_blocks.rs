//! Drops blocks that only pass control on.
//!
//! ```text
//!   before: A -> E, B -> E, E (phis only) -> J, C -> J        after: A -> J, B -> J, C -> J
//! ```
//!
//! LLVM gives loops dedicated exit blocks that hold nothing but phis. Left in place each would
//! count as what follows its loop, and every `break` to the join after it as a jump over that. An
//! edge's values simply move into the join's phis.
//!
//! Needs: reverse postorder. Gives: the same. Keeps: every block with instructions, loop headers
//! and latches.

use dxil_frontend::ir::ValueId;
use dxil_frontend::tables::{HashMap, HashSet};

use crate::budget::Budget;
use crate::cfg::{Cfg, CfgNodeId, CfgPhi, Exit, NodeList, map_targets};

use super::{Operand, PhiResult};

/// Steps that are taken for each node before the rest stays as it is: along a chain of joins that
/// only pass control on, edges are moved from each to the next.
const STEPS_PER_NODE: u64 = 32;

/// Drops the blocks, and returns their number.
pub(super) fn run(cfg: &mut Cfg) -> u32 {
    // Nodes that use a value, as far as it is one node only.
    let mut only_user: HashMap<ValueId, Option<CfgNodeId>> = HashMap::default();
    let mut work = Budget::for_input(cfg.nodes.len(), STEPS_PER_NODE);
    let mut joins: HashMap<CfgNodeId, Join> = HashMap::default();
    // The replacement of each dropped node.
    let mut redirected: HashMap<CfgNodeId, CfgNodeId> = HashMap::default();
    for index in 1..cfg.nodes.len() {
        let node = CfgNodeId(index as u32);
        if let Some(join) = joins.remove(&node) {
            join.apply(cfg, node, &mut work);
        }
        let this = cfg.node(node);
        let Exit::Jump(target) = this.exit else {
            continue;
        };
        let is_header = |id: CfgNodeId| cfg.node(id).predecessors.iter().any(|&from| from >= id);
        if this.size > 0 || target <= node || this.predecessors.is_empty() || work.is_exhausted() {
            continue;
        }
        let join = joins.entry(target).or_insert_with(|| {
            let sources = &cfg.node(target).predecessors;
            Join {
                is_header: is_header(target),
                sources: sources.iter().copied().collect(),
                dropped: Vec::new(),
            }
        });
        // A predecessor of both blocks would have two edges to the join, for which a phi has one
        // operand (SPIR-V specification, 3.3.17, `OpPhi`).
        if join.is_header
            || join.sources.len() < 2
            || is_header(node)
            || this
                .predecessors
                .iter()
                .any(|from| join.sources.contains(from))
        {
            continue;
        }
        // Computed on first use: most graphs have no such block with phis.
        if only_user.is_empty() && !this.phis.is_empty() {
            for used in &cfg.uses {
                only_user
                    .entry(used.value)
                    .and_modify(|user| {
                        if *user != Some(used.at) {
                            *user = None;
                        }
                    })
                    .or_insert(Some(used.at));
            }
        }
        // A join with another predecessor is not dominated by the block: only its phis can use the
        // values.
        let local = this.phis.iter().all(|phi| match phi.result {
            PhiResult::Value(value) => only_user
                .get(&value)
                .is_none_or(|&user| user == Some(target)),
            _ => false,
        });
        if !local {
            continue;
        }
        join.sources.remove(&node);
        join.sources.extend(&this.predecessors);
        join.dropped.push(node);
        redirected.insert(node, target);
    }
    if !redirected.is_empty() {
        // A node comes before its replacement in the order.
        let mut stands: Vec<CfgNodeId> = cfg.ids().collect();
        for node in cfg.ids().rev() {
            if let Some(&target) = redirected.get(&node) {
                stands[node.index()] = stands[target.index()];
            }
        }
        for node in &mut cfg.nodes {
            map_targets(&mut node.exit, |to| stands[to.index()]);
        }
        cfg.renumber();
    }
    redirected.len() as u32
}

/// A join, and the nodes in front of it that are dropped.
struct Join {
    is_header: bool,
    /// The sources of the edges to the join.
    sources: HashSet<CfgNodeId>,
    dropped: Vec<CfgNodeId>,
}

impl Join {
    /// Moves the edges into the dropped nodes to the join.
    fn apply(self, cfg: &mut Cfg, target: CfgNodeId, work: &mut Budget) {
        if self.dropped.is_empty() {
            return;
        }
        let mut moved: HashMap<CfgNodeId, (NodeList, HashMap<PhiResult, CfgPhi>)> =
            HashMap::default();
        for &node in &self.dropped {
            let this = &mut cfg.nodes[node.index()];
            let froms = std::mem::take(&mut this.predecessors);
            let phis = std::mem::take(&mut this.phis).into_iter();
            moved.insert(node, (froms, phis.map(|phi| (phi.result, phi)).collect()));
        }
        let phis = &mut cfg.nodes[target.index()].phis;
        let steps = self.sources.len() * (1 + phis.len());
        // What is over the budget ends the pass, not this step.
        let _ = work.spend(steps as u64);
        for phi in phis {
            let mut incoming = Vec::with_capacity(self.sources.len());
            for &(by, through) in &phi.incoming {
                let Some((froms, inner)) = moved.get(&by) else {
                    incoming.push((by, through));
                    continue;
                };
                let inner = match through {
                    Operand::Value(value) => inner.get(&PhiResult::Value(value)),
                    _ => None,
                };
                match inner {
                    Some(inner) => incoming.extend_from_slice(&inner.incoming),
                    None => incoming.extend(froms.iter().map(|&from| (from, through))),
                }
            }
            incoming.sort_unstable_by_key(|&(from, _)| from);
            phi.incoming = incoming;
        }
        let predecessors = &mut cfg.nodes[target.index()].predecessors;
        predecessors.retain(|from| !moved.contains_key(from));
        for node in &self.dropped {
            predecessors.extend_from_slice(&moved[node].0);
        }
    }
}
