//! Drops blocks that only pass control on.
//!
//! ```text
//!   before: A -> E, B -> E, E (phis only) -> J, C -> J        after: A -> J, B -> J, C -> J
//! ```
//!
//! LLVM gives loops dedicated exit blocks that hold nothing but phis. Left in place each would count as
//! what follows its loop, and every `break` to the join behind it as a jump over that. An edge's values
//! simply move into the join's phis.
//!
//! Needs: reverse postorder. Gives: the same. Keeps: every block with instructions, loop headers and latches.

use dxil_frontend::ir::ValueId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfg::{Cfg, Exit, NodeId, exit_targets, map_targets};

use super::{Operand, PhiResult};

/// Drops them; gives their number.
pub(super) fn run(cfg: &mut Cfg) -> u32 {
    // Nodes that use a value, as far as it is one node only.
    let mut only_user: FxHashMap<ValueId, Option<NodeId>> = FxHashMap::default();
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
    let mut dropped = 0;
    for index in 1..cfg.nodes.len() {
        let node = NodeId(index as u32);
        let this = cfg.node(node);
        let Exit::Jump(target) = this.exit else {
            continue;
        };
        let is_header = |id: NodeId| cfg.node(id).predecessors.iter().any(|&from| from >= id);
        if this.size > 0 || target <= node || is_header(node) || is_header(target) {
            continue;
        }
        let join = cfg.node(target);
        let known: FxHashSet<NodeId> = join.predecessors.iter().copied().collect();
        if join.predecessors.len() < 2
            || this.predecessors.is_empty()
            || this.predecessors.iter().any(|from| known.contains(from))
        {
            continue;
        }
        // A join with another predecessor is not dominated by the block: only its phis can use the values.
        let local = this.phis.iter().all(|phi| match phi.result {
            PhiResult::Value(value) => only_user
                .get(&value)
                .is_none_or(|&user| user == Some(target)),
            _ => false,
        });
        if !local {
            continue;
        }
        bypass(cfg, node, target);
        dropped += 1;
    }
    if dropped > 0 {
        cfg.renumber();
    }
    dropped
}

fn bypass(cfg: &mut Cfg, node: NodeId, target: NodeId) {
    let froms = std::mem::take(&mut cfg.nodes[node.index()].predecessors);
    let phis = std::mem::take(&mut cfg.nodes[node.index()].phis);
    for phi in &mut cfg.nodes[target.index()].phis {
        let Some(position) = phi.incoming.iter().position(|&(from, _)| from == node) else {
            continue;
        };
        let (_, through) = phi.incoming.swap_remove(position);
        let inner = phis.iter().find(|inner| match (inner.result, through) {
            (PhiResult::Value(a), Operand::Value(b)) => a == b,
            _ => false,
        });
        for &from in &froms {
            let operand = match inner {
                Some(inner) => inner
                    .incoming
                    .iter()
                    .find(|&&(f, _)| f == from)
                    .map_or(Operand::Undef, |&(_, operand)| operand),
                None => through,
            };
            phi.incoming.push((from, operand));
        }
        phi.incoming.sort_unstable_by_key(|&(from, _)| from);
    }
    for &from in &froms {
        let exit = &mut cfg.nodes[from.index()].exit;
        map_targets(exit, |old| if old == node { target } else { old });
        cfg.nodes[from.index()].successors = exit_targets(&cfg.nodes[from.index()].exit);
    }
    let predecessors = &mut cfg.nodes[target.index()].predecessors;
    predecessors.retain(|from| *from != node);
    predecessors.extend(froms);
}
