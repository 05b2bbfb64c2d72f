//! Numbers the nodes of a graph in reverse postorder, by petgraph's depth-first search.

use petgraph::visit::{DfsPostOrder, GraphBase, IntoNeighbors, VisitMap, Visitable};

/// Set of visited nodes for petgraph's traversals. A number beyond the graph counts as visited.
#[derive(Debug, Clone, Default)]
pub struct Visited(Vec<bool>);

impl Visited {
    pub(super) fn none(count: usize) -> Self {
        Visited(vec![false; count])
    }

    pub(super) fn reset(&mut self, count: usize) {
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

/// The successors of all nodes, one list after the other: a graph before its nodes are connected.
pub(super) struct Successors {
    ends: Vec<u32>,
    targets: Vec<u32>,
}

impl Successors {
    /// Collects the successors of all nodes; `each` appends those of a node.
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

/// Returns the reverse postorder from node 0. The search goes to the last successor first, so that
/// the first successor comes first in the order.
pub(super) fn reverse_postorder(successors: &Successors) -> Vec<u32> {
    let mut order = Vec::with_capacity(successors.ends.len());
    let mut search = DfsPostOrder::new(successors, 0);
    while let Some(node) = search.next(successors) {
        order.push(node);
    }
    order.reverse();
    order
}
