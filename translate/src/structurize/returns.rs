//! Copies the `return` of a function for its early returns.
//!
//! ```text
//!   before: many blocks jump to one block that only returns     after: each of them returns
//! ```
//!
//! DXC merges all returns of a function into one block. Left alone, each early return of the source
//! would become another `else` around the rest of the function, and a return out of a loop a chain
//! of exits. Only blocks that do nothing but return void are copied, so the cost is one two-word
//! block per copy.

use crate::cfg::{Cfg, CfgNodeId, Dominators, Exit, LoopForest, Node, map_targets};

/// Joins of up to this many returns outside of loops stay joins: a plain `if` or `if`-`else` at the
/// end of a function keeps its shape.
const MAX_JOINED: usize = 3;

/// Copies bare returns, and returns the number of copies. Needs: a reducible graph and its loops.
pub(super) fn run(cfg: &mut Cfg, dominators: &Dominators, loops: &LoopForest) -> u32 {
    let mut copies = 0;
    // Edges that go to a copy: from, old and new target.
    let mut moved: Vec<(CfgNodeId, CfgNodeId, CfgNodeId)> = Vec::new();
    for index in 0..cfg.nodes.len() {
        let node = &cfg.nodes[index];
        if node.exit != Exit::Return(None) || node.size > 0 || !node.phis.is_empty() {
            continue;
        }
        let target = CfgNodeId(index as u32);
        let predecessors = node.predecessors.clone();
        let template = Node {
            predecessors: Default::default(),
            ..node.clone()
        };
        let is_few = predecessors.len() <= MAX_JOINED;
        // The last one in program order is the normal end of the function.
        let layout = |from: CfgNodeId| cfg.node(from).layout;
        let last = predecessors.iter().copied().max_by_key(|&n| layout(n));
        for &from in &predecessors {
            // In a loop, or on a way out of one.
            let is_inside = |node: u32| loops.innermost(CfgNodeId(node)).is_some();
            let is_early = is_inside(from.0) || is_inside(dominators.idom(from.0));
            if Some(from) == last || (is_few && !is_early) {
                continue;
            }
            let copy = CfgNodeId(cfg.nodes.len() as u32);
            let layout = cfg.node(from).layout;
            cfg.nodes.push(Node {
                layout,
                ..template.clone()
            });
            moved.push((from, target, copy));
            copies += 1;
        }
    }
    if copies > 0 {
        // All edges of a node at once: its exit may go to several of the blocks that were copied.
        moved.sort_unstable();
        for of_node in moved.chunk_by(|a, b| a.0 == b.0) {
            map_targets(&mut cfg.nodes[of_node[0].0.index()].exit, |old| {
                let found = of_node.binary_search_by_key(&old, |&(_, target, _)| target);
                found.map_or(old, |at| of_node[at].2)
            });
        }
        cfg.renumber();
    }
    copies
}
