//! Makes an irreducible graph reducible: entries of a region with several become cases of one dispatcher.
//!
//! ```text
//!   before: A -> X, A -> Y, X -> Y, Y -> X        after: A, X, Y -> D(selector); D: switch -> X, Y
//! ```
//!
//! The dispatcher becomes the only header of the region; which entry is meant travels in a phi. Phis of the
//! entries move to the dispatcher. No code is copied. The same rewriting flattens a graph whose constructs would
//! nest too deep: then every node is an entry.

use crate::cfg::{Cfg, CfgPhi, Exit, Node, NodeId, exit_targets, map_targets};
use crate::structurize::{LoopHint, Operand, PhiResult, SelectionHint};

/// Dispatches the first irreducible region, if there is one.
pub(super) fn irreducible_region(cfg: &mut Cfg) -> bool {
    let Some(entries) = find_region(cfg) else {
        return false;
    };
    dispatch(cfg, &entries);
    true
}

/// Dispatches every node with several predecessors and every case: nothing nests any more.
pub(super) fn everything(cfg: &mut Cfg) {
    let entries: Vec<NodeId> = cfg.ids().skip(1).collect();
    dispatch(cfg, &entries);
}

/// Entries of an innermost-first strongly connected region that has more than one.
fn find_region(cfg: &Cfg) -> Option<Vec<NodeId>> {
    let mut regions: Vec<Vec<NodeId>> = vec![cfg.ids().collect()];
    let mut region_of = vec![0_u32; cfg.nodes.len()];
    let mut stamp = 0;
    while let Some(region) = regions.pop() {
        stamp += 1;
        for &node in &region {
            region_of[node.index()] = stamp;
        }
        for component in components(cfg, &region, &region_of, stamp) {
            let is_loop = component.len() > 1
                || component
                    .iter()
                    .any(|&node| cfg.node(node).successors.contains(&node));
            if !is_loop {
                continue;
            }
            let inside: rustc_hash::FxHashSet<NodeId> = component.iter().copied().collect();
            let mut entries: Vec<NodeId> = component
                .iter()
                .copied()
                .filter(|&node| {
                    node == NodeId(0)
                        || cfg
                            .node(node)
                            .predecessors
                            .iter()
                            .any(|from| !inside.contains(from))
                })
                .collect();
            entries.sort_unstable();
            match entries.as_slice() {
                [] => {}
                [header] => {
                    let header = *header;
                    regions.push(
                        component
                            .into_iter()
                            .filter(|&node| node != header)
                            .collect(),
                    );
                }
                _ => return Some(entries),
            }
        }
    }
    None
}

/// Tarjan's strongly connected components of the part of the graph stamped `stamp`, without recursion.
fn components(cfg: &Cfg, region: &[NodeId], region_of: &[u32], stamp: u32) -> Vec<Vec<NodeId>> {
    let count = cfg.nodes.len();
    let mut index = vec![u32::MAX; count];
    let mut low = vec![0_u32; count];
    let mut on_stack = vec![false; count];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut next = 0;
    for &root in region {
        if index[root.index()] != u32::MAX {
            continue;
        }
        let mut calls = vec![(root, 0_usize)];
        index[root.index()] = next;
        low[root.index()] = next;
        next += 1;
        stack.push(root);
        on_stack[root.index()] = true;
        while let Some((node, position)) = calls.last_mut() {
            let node = *node;
            let successor = cfg.node(node).successors.get(*position).copied();
            *position += 1;
            match successor {
                Some(to) if region_of[to.index()] != stamp => {}
                Some(to) if index[to.index()] == u32::MAX => {
                    index[to.index()] = next;
                    low[to.index()] = next;
                    next += 1;
                    stack.push(to);
                    on_stack[to.index()] = true;
                    calls.push((to, 0));
                }
                Some(to) => {
                    if on_stack[to.index()] {
                        low[node.index()] = low[node.index()].min(index[to.index()]);
                    }
                }
                None => {
                    calls.pop();
                    if let Some(&(parent, _)) = calls.last() {
                        low[parent.index()] = low[parent.index()].min(low[node.index()]);
                    }
                    if low[node.index()] == index[node.index()] {
                        let mut component = Vec::new();
                        while let Some(member) = stack.pop() {
                            on_stack[member.index()] = false;
                            component.push(member);
                            if member == node {
                                break;
                            }
                        }
                        found.push(component);
                    }
                }
            }
        }
    }
    found
}

/// Puts a dispatcher in front of the entries; every edge to one of them goes through it.
fn dispatch(cfg: &mut Cfg, entries: &[NodeId]) {
    let is_entry: rustc_hash::FxHashMap<NodeId, u32> = entries
        .iter()
        .enumerate()
        .map(|(index, &node)| (node, index as u32))
        .collect();
    let dispatcher = NodeId(cfg.nodes.len() as u32);
    let layout = entries
        .iter()
        .map(|&node| cfg.node(node).layout)
        .min()
        .unwrap_or(0);
    let routing = |exit: Exit, layout: u32| Node {
        source: None,
        layout,
        size: 0,
        phis: Vec::new(),
        exit,
        successors: Vec::new(),
        predecessors: Vec::new(),
        selection_hint: SelectionHint::None,
        loop_hint: LoopHint::None,
    };
    cfg.nodes.push(routing(Exit::Unreachable, layout));
    let selector = cfg.fresh_synthetic();
    // One routing node per edge: (node, entry, routing node).
    let mut edges: Vec<(NodeId, NodeId, NodeId)> = Vec::new();
    for from in 0..dispatcher.0 {
        let from = NodeId(from);
        for target in exit_targets(&cfg.node(from).exit) {
            if is_entry.contains_key(&target) {
                let route = NodeId(cfg.nodes.len() as u32);
                let layout = cfg.node(from).layout;
                cfg.nodes.push(routing(Exit::Jump(dispatcher), layout));
                map_targets(&mut cfg.nodes[from.index()].exit, |old| {
                    if old == target { route } else { old }
                });
                edges.push((from, target, route));
            }
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
                let operand = match target == entry {
                    true => phi
                        .incoming
                        .iter()
                        .find(|&&(f, _)| f == from)
                        .map_or(Operand::Undef, |&(_, v)| v),
                    false => Operand::Undef,
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
    let cases: Vec<(u64, NodeId)> = entries
        .iter()
        .enumerate()
        .map(|(index, &node)| (index as u64, node))
        .collect();
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
}
