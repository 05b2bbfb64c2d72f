//! Makes an irreducible graph reducible: entries of a region with several become cases of one
//! dispatcher.
//!
//! ```text
//!   before: A -> X, A -> Y, X -> Y, Y -> X        after: A, X, Y -> D(selector); D: switch -> X, Y
//! ```
//!
//! The dispatcher becomes the only header of the region; which entry is meant travels in a phi.
//! Phis of the entries move to the dispatcher. No code is copied; [`super::node_splitting`] copies
//! where that is cheap.

use crate::budget::{Budget, Exhausted};
use crate::cfg::{Cfg, CfgNodeId, CfgPhi, Exit, Node, exit_targets, map_targets};
use crate::structurize::{Operand, PhiResult};

/// Puts a dispatcher in front of the entries; every edge to one of them goes through it.
///
/// # Errors
///
/// [`Exhausted`] if the dispatcher's phis, which have an operand for each edge, are too many; the
/// graph stays as it is then.
pub(super) fn insert(
    cfg: &mut Cfg,
    entries: &[CfgNodeId],
    work: &mut Budget,
) -> Result<(), Exhausted> {
    let (mut phis, mut edge_count) = (1, 0);
    for &entry in entries {
        phis += cfg.node(entry).phis.len() as u64;
        edge_count += cfg.node(entry).predecessors.len() as u64;
    }
    work.spend(phis * edge_count)?;
    let is_entry: dxil_frontend::tables::HashMap<CfgNodeId, u32> = entries
        .iter()
        .enumerate()
        .map(|(index, &node)| (node, index as u32))
        .collect();
    let dispatcher = CfgNodeId(cfg.nodes.len() as u32);
    // The dispatcher stands where the first entry stood: `plan` takes what is written after a loop
    // for what follows it.
    let layout = entries
        .iter()
        .map(|&node| cfg.node(node).layout)
        .min()
        .unwrap_or(0);
    cfg.nodes.push(Node::routing(layout, Exit::Unreachable));
    let selector = cfg.fresh_synthetic();
    // One routing node per edge: (node, entry, routing node). A node may branch to two entries;
    // without routing nodes both edges would come from the same block, and a phi has one operand
    // per block (SPIR-V specification, 3.3.17, `OpPhi`).
    let mut edges: Vec<(CfgNodeId, CfgNodeId, CfgNodeId)> = Vec::new();
    let mut routes: Vec<(CfgNodeId, CfgNodeId)> = Vec::new();
    for from in 0..dispatcher.0 {
        let from = CfgNodeId(from);
        for target in exit_targets(&cfg.node(from).exit) {
            if is_entry.contains_key(&target) {
                let route = CfgNodeId(cfg.nodes.len() as u32);
                let layout = cfg.node(from).layout;
                cfg.nodes
                    .push(Node::routing(layout, Exit::Jump(dispatcher)));
                edges.push((from, target, route));
            }
        }
        let own = edges.partition_point(|&(earlier, _, _)| earlier < from);
        if own < edges.len() {
            // Sorted: a switch may lead to each of the entries.
            routes.clear();
            routes.extend(
                edges[own..]
                    .iter()
                    .map(|&(_, target, route)| (target, route)),
            );
            routes.sort_unstable();
            map_targets(&mut cfg.nodes[from.index()].exit, |old| {
                let found = routes.binary_search_by_key(&old, |&(target, _)| target);
                found.map_or(old, |index| routes[index].1)
            });
        }
    }
    let mut phis = vec![CfgPhi {
        result: PhiResult::SyntheticSelector(selector),
        incoming: edges
            .iter()
            .map(|(_, target, route)| (*route, Operand::Selector(is_entry[target])))
            .collect(),
    }];
    for &entry in entries {
        let mut own = std::mem::take(&mut cfg.nodes[entry.index()].phis);
        for phi in &mut own {
            let synthetic = cfg.fresh_synthetic();
            let result = match phi.result {
                PhiResult::Value(value) | PhiResult::SyntheticLike(_, value) => {
                    PhiResult::SyntheticLike(synthetic, value)
                }
                PhiResult::SyntheticSelector(_) => PhiResult::SyntheticSelector(synthetic),
                PhiResult::SyntheticBool(_) => PhiResult::SyntheticBool(synthetic),
            };
            let incoming = edges.iter().map(|&(from, target, route)| {
                let operand = if target == entry {
                    let position = phi.incoming.binary_search_by_key(&from, |&(f, _)| f);
                    position.map_or(Operand::Undef, |position| phi.incoming[position].1)
                } else {
                    Operand::Undef
                };
                (route, operand)
            });
            phis.push(CfgPhi {
                result,
                incoming: incoming.collect(),
            });
            phi.incoming = vec![(dispatcher, Operand::Synthetic(synthetic))];
        }
        cfg.nodes[entry.index()].phis = own;
    }
    let node = &mut cfg.nodes[dispatcher.index()];
    node.phis = phis;
    let cases: Vec<(u64, CfgNodeId)> = entries
        .iter()
        .enumerate()
        .map(|(index, &node)| (index as u64, node))
        .collect();
    // The selector is always one of the entries, so that the last one can be the default.
    node.exit = match cases.as_slice() {
        [] => Exit::Unreachable,
        &[(_, only)] => Exit::Jump(only),
        [rest @ .., (_, last)] => Exit::Switch {
            selector: Operand::Synthetic(selector),
            default: *last,
            cases: rest.to_vec(),
        },
    };
    cfg.renumber();
    Ok(())
}
