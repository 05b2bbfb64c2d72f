//! The graph as petgraph sees it: [`Cfg`] implements petgraph's visit traits, so that its
//! algorithms run on it without a copy.
//!
//! petgraph numbers the nodes (`numbering`), finds strongly connected components
//! (`structurize`'s irreducible regions), keeps the sets of nested loops and writes DOT. Dominators
//! are our own ([`super::Dominators`] says why).

use petgraph::Direction;
use petgraph::visit::{
    GraphBase, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, Visitable,
};

use super::graph::{Cfg, CfgNodeId};
use super::numbering::Visited;

impl GraphBase for Cfg {
    type NodeId = CfgNodeId;
    type EdgeId = (CfgNodeId, CfgNodeId);
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
type Neighbours<'a> = std::iter::Copied<std::slice::Iter<'a, CfgNodeId>>;

impl<'a> IntoNeighbors for &'a Cfg {
    type Neighbors = Neighbours<'a>;

    fn neighbors(self, node: CfgNodeId) -> Self::Neighbors {
        self.node(node).successors.iter().copied()
    }
}

impl<'a> IntoNeighborsDirected for &'a Cfg {
    type NeighborsDirected = Neighbours<'a>;

    fn neighbors_directed(self, node: CfgNodeId, direction: Direction) -> Self::NeighborsDirected {
        let node = self.node(node);
        let list = match direction {
            Direction::Outgoing => &node.successors,
            Direction::Incoming => &node.predecessors,
        };
        list.iter().copied()
    }
}

impl IntoNodeIdentifiers for &Cfg {
    type NodeIdentifiers = std::iter::Map<std::ops::Range<u32>, fn(u32) -> CfgNodeId>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        (0..self.nodes.len() as u32).map(CfgNodeId)
    }
}

#[cfg(test)]
mod tests {
    use petgraph::algo::dominators::simple_fast;
    use petgraph::visit::DfsPostOrder;

    use super::*;

    #[test]
    fn every_node_that_is_numbered_is_reached_and_the_entry_is_first() {
        let cfg = Cfg::parse("b0: b1 b2; b1: b3; b2: b1 b3; b3: b0 b4; b4: ret; b5: b4").unwrap();
        let mut search = DfsPostOrder::new(&cfg, CfgNodeId(0));
        let mut order = Vec::new();
        while let Some(node) = search.next(&cfg) {
            order.push(node);
        }
        assert_eq!(order.last(), Some(&CfgNodeId(0)));
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
            let (ours, theirs) = (
                graph.cfg.dominators(),
                simple_fast(&graph.cfg, CfgNodeId(0)),
            );
            for node in graph.cfg.ids().skip(1) {
                let idom = theirs.immediate_dominator(node);
                assert_eq!(
                    idom,
                    Some(CfgNodeId(ours.idom(node.0))),
                    "{}",
                    graph.cfg.text()
                );
            }
        }
    }
}
