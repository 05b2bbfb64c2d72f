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
    let mut places = vec![Place::default(); cfg.nodes.len()];
    // A new number for each part and component marks its nodes without clearing earlier marks.
    let mut stamp = 0;
    while let Some(region) = regions.pop() {
        work.spend(region.len() as u64)?;
        stamp += 1;
        for (&node, position) in region.iter().zip(0..) {
            let place = &mut places[node.index()];
            place.part = stamp;
            place.position = position;
        }
        let part = Subgraph {
            cfg,
            nodes: &region,
            places: &places,
            stamp,
        };
        let components = kosaraju_scc(&part);
        for component in components {
            if let [node] = component[..]
                && !cfg.node(node).successors.contains(&node)
            {
                continue;
            }
            stamp += 1;
            for &node in &component {
                places[node.index()].component = stamp;
            }
            let is_entry = |&node: &CfgNodeId| {
                let mut from = cfg.node(node).predecessors.iter();
                node == CfgNodeId(0) || from.any(|from| places[from.index()].component != stamp)
            };
            let mut entries: Vec<CfgNodeId> = component.iter().copied().filter(is_entry).collect();
            // So that the result does not depend on the order in which petgraph finds nodes.
            entries.sort_unstable();
            match entries[..] {
                [] => {}
                [header] => {
                    let mut inner = component;
                    inner.retain(|&node| node != header);
                    regions.push(inner);
                }
                _ => {
                    let inside = component.into_iter().collect();
                    return Ok(Some(Region { entries, inside }));
                }
            }
        }
    }
    Ok(None)
}

/// Where the search met a node last.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The number of the part.
    part: u32,
    /// The node's position in it.
    position: u32,
    /// The number of the component.
    component: u32,
}

/// The subgraph of some nodes and the edges between them.
struct Subgraph<'a> {
    cfg: &'a Cfg,
    nodes: &'a [CfgNodeId],
    /// Of all nodes.
    places: &'a [Place],
    /// The number of this part.
    stamp: u32,
}

/// Visited nodes, a flag for each node of a part: parts get smaller from loop to inner loop.
struct Visited<'a> {
    flags: Vec<bool>,
    places: &'a [Place],
}

impl VisitMap<CfgNodeId> for Visited<'_> {
    fn visit(&mut self, node: CfgNodeId) -> bool {
        let position = self.places[node.index()].position as usize;
        !std::mem::replace(&mut self.flags[position], true)
    }

    fn is_visited(&self, node: &CfgNodeId) -> bool {
        self.flags[self.places[node.index()].position as usize]
    }

    fn unvisit(&mut self, node: CfgNodeId) -> bool {
        let position = self.places[node.index()].position as usize;
        std::mem::take(&mut self.flags[position])
    }
}

impl GraphBase for Subgraph<'_> {
    type NodeId = CfgNodeId;
    type EdgeId = (CfgNodeId, CfgNodeId);
}

impl<'a> Visitable for Subgraph<'a> {
    type Map = Visited<'a>;

    fn visit_map(&self) -> Visited<'a> {
        Visited {
            flags: vec![false; self.nodes.len()],
            places: self.places,
        }
    }

    fn reset_map(&self, map: &mut Visited<'a>) {
        map.flags.fill(false);
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
        let Subgraph { places, stamp, .. } = self.part;
        let inside = |node: &&CfgNodeId| places[node.index()].part == *stamp;
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
