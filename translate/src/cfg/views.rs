//! Graphs as petgraph sees them: [`Cfg`] and its successor lists implement petgraph's visit traits, so
//! that its algorithms run on them without a copy.
//!
//! petgraph numbers the nodes (depth-first search), finds strongly connected components
//! (`structurize`'s irreducible regions), keeps the sets of nested loops and writes DOT. Dominators
//! are our own ([`super::Dominators`] says why).

use petgraph::Direction;
use petgraph::visit::{
    DfsPostOrder, GraphBase, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, VisitMap,
    Visitable,
};

use super::graph::{Cfg, NodeId};

/// Set of visited nodes for petgraph's traversals. A number beyond the graph counts as visited.
#[derive(Debug, Clone, Default)]
pub struct Visited(Vec<bool>);

impl Visited {
    fn none(count: usize) -> Self {
        Visited(vec![false; count])
    }

    fn reset(&mut self, count: usize) {
        self.0.clear();
        self.0.resize(count, false);
    }
}

impl<N: Copy + Into<u32>> VisitMap<N> for Visited {
    fn visit(&mut self, node: N) -> bool {
        let flag = self.0.get_mut(node.into() as usize);
        flag.is_some_and(|flag| !std::mem::replace(flag, true))
    }

    fn is_visited(&self, node: &N) -> bool {
        let flag = self.0.get((*node).into() as usize);
        flag.is_none_or(|flag| *flag)
    }

    fn unvisit(&mut self, node: N) -> bool {
        let flag = self.0.get_mut(node.into() as usize);
        flag.is_some_and(|flag| std::mem::replace(flag, false))
    }
}

impl GraphBase for Cfg {
    type NodeId = NodeId;
    type EdgeId = (NodeId, NodeId);
}

impl Visitable for Cfg {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        Visited::none(self.nodes.len())
    }

    fn reset_map(&self, map: &mut Visited) {
        map.reset(self.nodes.len());
    }
}

/// Neighbours of a node: a list of the graph.
type Neighbours<'a> = std::iter::Copied<std::slice::Iter<'a, NodeId>>;

impl<'a> IntoNeighbors for &'a Cfg {
    type Neighbors = Neighbours<'a>;

    fn neighbors(self, node: NodeId) -> Self::Neighbors {
        self.node(node).successors.iter().copied()
    }
}

impl<'a> IntoNeighborsDirected for &'a Cfg {
    type NeighborsDirected = Neighbours<'a>;

    fn neighbors_directed(self, node: NodeId, direction: Direction) -> Self::NeighborsDirected {
        let node = self.node(node);
        let list = match direction {
            Direction::Outgoing => &node.successors,
            Direction::Incoming => &node.predecessors,
        };
        list.iter().copied()
    }
}

impl IntoNodeIdentifiers for &Cfg {
    type NodeIdentifiers = std::iter::Map<std::ops::Range<u32>, fn(u32) -> NodeId>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        (0..self.nodes.len() as u32).map(NodeId)
    }
}

/// The successors of all nodes, one list behind the other: a graph that is not connected yet.
pub(super) struct Successors {
    ends: Vec<u32>,
    targets: Vec<u32>,
}

impl Successors {
    /// `each` appends the successors of a node.
    pub(super) fn collect(count: usize, mut each: impl FnMut(usize, &mut Vec<u32>)) -> Self {
        let mut successors = Successors {
            ends: Vec::with_capacity(count),
            targets: Vec::with_capacity(if count > 1 { count * 2 } else { 0 }),
        };
        for node in 0..count {
            each(node, &mut successors.targets);
            successors.ends.push(successors.targets.len() as u32);
        }
        successors
    }

    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        &self.targets[start as usize..self.ends[node] as usize]
    }
}

impl GraphBase for Successors {
    type NodeId = u32;
    type EdgeId = (u32, u32);
}

impl Visitable for Successors {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        Visited::none(self.ends.len())
    }

    fn reset_map(&self, map: &mut Visited) {
        map.reset(self.ends.len());
    }
}

impl<'a> IntoNeighbors for &'a Successors {
    type Neighbors = std::iter::Copied<std::slice::Iter<'a, u32>>;

    fn neighbors(self, node: u32) -> Self::Neighbors {
        self.of(node).iter().copied()
    }
}

/// Reverse postorder from node 0. The search goes to the last successor first, so that the first
/// successor comes first in the order.
pub(super) fn reverse_postorder(successors: &Successors) -> Vec<u32> {
    let mut order = Vec::with_capacity(successors.ends.len());
    let mut search = DfsPostOrder::new(successors, 0);
    while let Some(node) = search.next(successors) {
        order.push(node);
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use petgraph::algo::dominators::simple_fast;

    use super::*;

    #[test]
    fn every_node_that_is_numbered_is_reached_and_the_entry_is_first() {
        let cfg = Cfg::parse("b0: b1 b2; b1: b3; b2: b1 b3; b3: b0 b4; b4: ret; b5: b4").unwrap();
        let mut search = DfsPostOrder::new(&cfg, NodeId(0));
        let mut order = Vec::new();
        while let Some(node) = search.next(&cfg) {
            order.push(node);
        }
        assert_eq!(order.last(), Some(&NodeId(0)));
        order.sort_unstable();
        assert_eq!(order, cfg.ids().collect::<Vec<_>>());
        assert_eq!(cfg.nodes.len(), 5);
    }

    #[test]
    fn dominators_are_those_that_petgraph_finds() {
        use crate::oracle::families::{GRAPH_FAMILIES, graph_of};
        use crate::oracle::graphs::{Random, random_graph};

        let random = (0..200).map(|seed| random_graph(&mut Random::new(seed), 40));
        let families = GRAPH_FAMILIES
            .into_iter()
            .map(|family| graph_of(family, 30));
        for graph in random.chain(families) {
            let (ours, theirs) = (graph.cfg.dominators(), simple_fast(&graph.cfg, NodeId(0)));
            for node in graph.cfg.ids().skip(1) {
                let idom = theirs.immediate_dominator(node);
                assert_eq!(
                    idom,
                    Some(NodeId(ours.idom(node.0))),
                    "{}",
                    graph.cfg.text()
                );
            }
        }
    }
}
