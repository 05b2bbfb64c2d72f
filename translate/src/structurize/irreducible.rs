//! Finds irreducible regions: cycles that control enters at several nodes.
//!
//! A strongly connected component of the graph with one entry is a loop; without its header it is
//! looked into again, so that a region inside of loops is found too. petgraph finds the components:
//! by Kosaraju's method, which does not recurse as its form of Tarjan's does.

use dxil_frontend::tables::HashSet;
use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::visit::{
    GraphBase, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, VisitMap, Visitable,
};

use crate::budget::{Budget, Exhausted};
use crate::cfg::{Cfg, CfgNodeId};

/// A strongly connected part of the graph with several entries.
pub(super) struct Region {
    /// Nodes with predecessors outside (or the function's entry), in order.
    pub(super) entries: Vec<CfgNodeId>,
    /// All nodes.
    pub(super) inside: HashSet<CfgNodeId>,
}

/// Returns the first irreducible region that is found from the outside in, if there is one.
///
/// # Errors
///
/// [`Exhausted`] if loops around it nest too deep: the search visits each level separately.
pub(super) fn find(cfg: &Cfg, work: &mut Budget) -> Result<Option<Region>, Exhausted> {
    let mut regions: Vec<Vec<CfgNodeId>> = vec![cfg.ids().collect()];
    let mut region_of = vec![0_u32; cfg.nodes.len()];
    let mut stamp = 0;
    while let Some(region) = regions.pop() {
        work.spend(region.len() as u64)?;
        // A new number for each part marks its nodes without clearing the marks of earlier parts.
        stamp += 1;
        for &node in &region {
            region_of[node.index()] = stamp;
        }
        let part = Subgraph {
            cfg,
            nodes: &region,
            region_of: &region_of,
            stamp,
        };
        for component in kosaraju_scc(&part) {
            let is_loop = component.len() > 1
                || component
                    .iter()
                    .any(|&node| cfg.node(node).successors.contains(&node));
            if !is_loop {
                continue;
            }
            let inside: HashSet<CfgNodeId> = component.iter().copied().collect();
            let mut entries: Vec<CfgNodeId> = component
                .iter()
                .copied()
                .filter(|&node| {
                    node == CfgNodeId(0)
                        || cfg
                            .node(node)
                            .predecessors
                            .iter()
                            .any(|from| !inside.contains(from))
                })
                .collect();
            // So that the result does not depend on the order in which petgraph finds nodes.
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

/// The subgraph of some nodes and the edges between them.
struct Subgraph<'a> {
    cfg: &'a Cfg,
    nodes: &'a [CfgNodeId],
    /// The number of the part that each node was in last.
    region_of: &'a [u32],
    /// The number of this part.
    stamp: u32,
}

/// Visited nodes. Parts get smaller from loop to inner loop, and a set is no larger than its part.
#[derive(Default)]
struct VisitedSet(HashSet<CfgNodeId>);

impl VisitMap<CfgNodeId> for VisitedSet {
    fn visit(&mut self, node: CfgNodeId) -> bool {
        self.0.insert(node)
    }

    fn is_visited(&self, node: &CfgNodeId) -> bool {
        self.0.contains(node)
    }

    fn unvisit(&mut self, node: CfgNodeId) -> bool {
        self.0.remove(&node)
    }
}

impl GraphBase for Subgraph<'_> {
    type NodeId = CfgNodeId;
    type EdgeId = (CfgNodeId, CfgNodeId);
}

impl Visitable for Subgraph<'_> {
    type Map = VisitedSet;

    fn visit_map(&self) -> VisitedSet {
        VisitedSet::default()
    }

    fn reset_map(&self, map: &mut VisitedSet) {
        map.0.clear();
    }
}

/// Neighbours within a part.
struct Neighbours<'a> {
    all: std::slice::Iter<'a, CfgNodeId>,
    part: &'a Subgraph<'a>,
}

impl Iterator for Neighbours<'_> {
    type Item = CfgNodeId;

    fn next(&mut self) -> Option<CfgNodeId> {
        let Subgraph {
            region_of, stamp, ..
        } = self.part;
        let inside = |node: &&CfgNodeId| region_of[node.index()] == *stamp;
        self.all.find(inside).copied()
    }
}

impl<'a> IntoNeighbors for &'a Subgraph<'a> {
    type Neighbors = Neighbours<'a>;

    fn neighbors(self, node: CfgNodeId) -> Neighbours<'a> {
        self.neighbors_directed(node, Direction::Outgoing)
    }
}

impl<'a> IntoNeighborsDirected for &'a Subgraph<'a> {
    type NeighborsDirected = Neighbours<'a>;

    fn neighbors_directed(self, node: CfgNodeId, direction: Direction) -> Neighbours<'a> {
        let node = self.cfg.node(node);
        let list = match direction {
            Direction::Outgoing => &node.successors,
            Direction::Incoming => &node.predecessors,
        };
        Neighbours {
            all: list.iter(),
            part: self,
        }
    }
}

impl<'a> IntoNodeIdentifiers for &'a Subgraph<'a> {
    type NodeIdentifiers = std::iter::Copied<std::slice::Iter<'a, CfgNodeId>>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        self.nodes.iter().copied()
    }
}
