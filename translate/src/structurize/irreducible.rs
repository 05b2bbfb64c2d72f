//! Finds irreducible regions: cycles that control enters at several nodes.
//!
//! A strongly connected part of the graph with one entry is a loop; without its header it is looked
//! into again, so that a region inside of loops is found too.

use rustc_hash::FxHashSet;

use crate::budget::{Budget, Exhausted};
use crate::cfg::{Cfg, NodeId};

/// A strongly connected part of the graph with several entries.
pub(super) struct Region {
    /// Nodes with predecessors outside (or the function's entry), in order.
    pub(super) entries: Vec<NodeId>,
    /// All nodes.
    pub(super) inside: FxHashSet<NodeId>,
}

/// The first irreducible region that is found from the outside in, if there is one.
///
/// # Errors
///
/// [`Exhausted`] if loops around it nest too deep: each is looked into for itself.
pub(super) fn find(cfg: &Cfg, work: &mut Budget) -> Result<Option<Region>, Exhausted> {
    let mut search = Search {
        index: vec![u32::MAX; cfg.nodes.len()],
        low: vec![0; cfg.nodes.len()],
        on_stack: vec![false; cfg.nodes.len()],
    };
    let mut regions: Vec<Vec<NodeId>> = vec![cfg.ids().collect()];
    let mut region_of = vec![0_u32; cfg.nodes.len()];
    let mut stamp = 0;
    while let Some(region) = regions.pop() {
        work.spend(region.len() as u64)?;
        stamp += 1;
        for &node in &region {
            region_of[node.index()] = stamp;
            search.index[node.index()] = u32::MAX;
        }
        for component in search.components(cfg, &region, &region_of, stamp) {
            let is_loop = component.len() > 1
                || component
                    .iter()
                    .any(|&node| cfg.node(node).successors.contains(&node));
            if !is_loop {
                continue;
            }
            let inside: FxHashSet<NodeId> = component.iter().copied().collect();
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
                _ => return Ok(Some(Region { entries, inside })),
            }
        }
    }
    Ok(None)
}

/// What Tarjan's search knows of each node.
struct Search {
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

impl Search {
    /// Tarjan's strongly connected components of the part of the graph stamped `stamp`, without
    /// recursion.
    fn components(
        &mut self,
        cfg: &Cfg,
        region: &[NodeId],
        region_of: &[u32],
        stamp: u32,
    ) -> Vec<Vec<NodeId>> {
        let Search {
            index,
            low,
            on_stack,
        } = self;
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
}
