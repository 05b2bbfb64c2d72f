//! Predecessors, dominators and post-dominators of a flow graph.

mod tree;

pub use self::tree::Dominators;

use super::{BlockId, Function};

const NONE: u32 = u32::MAX;

fn at(list: &[u32], index: u32) -> u32 {
    list.get(index as usize).copied().unwrap_or(NONE)
}

fn set(list: &mut [u32], index: u32, value: u32) {
    if let Some(slot) = list.get_mut(index as usize) {
        *slot = value;
    }
}

/// Nodes numbered from 0, and the edges that leave them.
pub trait Successors {
    /// Returns the number of nodes.
    fn count(&self) -> usize;

    /// Visits the nodes that the edges of `node` lead to, once per edge.
    fn for_each_successor(&self, node: u32, visit: impl FnMut(u32));
}

impl Successors for Function {
    fn count(&self) -> usize {
        self.blocks.len()
    }

    fn for_each_successor(&self, node: u32, mut visit: impl FnMut(u32)) {
        Function::for_each_successor(self, BlockId::from_u32(node), |to| visit(to.as_u32()));
    }
}

impl Successors for [Vec<u32>] {
    fn count(&self) -> usize {
        self.len()
    }

    fn for_each_successor(&self, node: u32, visit: impl FnMut(u32)) {
        self.get(node as usize)
            .into_iter()
            .flatten()
            .copied()
            .for_each(visit);
    }
}

/// The predecessors of each node.
#[derive(Debug)]
pub struct Predecessors {
    /// Those of node n: `edges[starts[n]..starts[n + 1]]`, one per edge.
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Predecessors {
    /// Finds them: time and memory in proportion to nodes and edges.
    pub fn new(graph: &(impl Successors + ?Sized)) -> Predecessors {
        let count = graph.count();
        let nodes = 0..number_of(count);
        let mut starts = vec![0u32; count + 1];
        for node in nodes.clone() {
            graph.for_each_successor(node, |to| {
                if let Some(degree) = starts.get_mut(to as usize + 1) {
                    *degree += 1;
                }
            });
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        // A counting sort: all predecessors lie in one list, without one allocation per node.
        let mut next = starts.clone();
        let mut edges = vec![NONE; total as usize];
        for node in nodes {
            graph.for_each_successor(node, |to| {
                let slot = at(&next, to);
                set(&mut edges, slot, node);
                set(&mut next, to, slot.wrapping_add(1));
            });
        }
        Predecessors { starts, edges }
    }

    /// Returns the dominators of the graph; node 0 is its entry.
    pub fn dominators(&self) -> Dominators {
        let count = self.starts.len().saturating_sub(1);
        Dominators::compute(count, |node| self.of_node(node))
    }

    /// Returns the predecessors of a block, one per edge.
    pub(crate) fn of(&self, block: BlockId) -> &[u32] {
        self.of_node(block.as_u32())
    }

    /// Returns the predecessors of a node by its number, one per edge.
    pub fn of_node(&self, node: u32) -> &[u32] {
        let start = at(&self.starts, node) as usize;
        let end = at(&self.starts, node.wrapping_add(1)) as usize;
        self.edges.get(start..end).unwrap_or_default()
    }
}

fn number_of(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(NONE)
}

/// Returns the immediate post-dominator of each node: where all paths from it to an end meet.
/// `None` if they only meet after the last node, or if none of them ends.
pub fn immediate_post_dominators(graph: &(impl Successors + ?Sized)) -> Vec<Option<u32>> {
    let count = number_of(graph.count());
    // The graph against its edges, from one node more on, the end, which is node 0: all others are
    // numbered from 1. What leads to a node there are its successors here, or the end if it has
    // none.
    let mut edges: Vec<u32> = Vec::new();
    let mut starts = vec![0, 0];
    for node in 0..count {
        let mut is_exit = true;
        graph.for_each_successor(node, |to| {
            is_exit = false;
            if to < count {
                edges.push(to + 1);
            }
        });
        if is_exit {
            edges.push(0);
        }
        starts.push(edges.len());
    }
    let following = |node: u32| {
        let bounds = starts.get(node as usize..).unwrap_or_default();
        match bounds {
            [start, end, ..] => edges.get(*start..*end).unwrap_or_default(),
            _ => &[],
        }
    };
    let dominators = Dominators::compute(graph.count() + 1, following);
    (1..=count)
        .map(|node| match dominators.idom(node) {
            0 | NONE => None,
            meeting => Some(meeting - 1),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post_dominators(graph: &[&[u32]]) -> Vec<Option<u32>> {
        let rows: Vec<Vec<u32>> = graph.iter().map(|row| row.to_vec()).collect();
        immediate_post_dominators(rows.as_slice())
    }

    /// Returns the immediate post-dominators by a search of paths, for all pairs. A node
    /// post-dominates another if no path from that to an end avoids it; the immediate one is
    /// post-dominated by all the others.
    fn by_search(graph: &[Vec<u32>]) -> Vec<Option<u32>> {
        let ends = |from: usize, without: Option<usize>| {
            let mut seen = vec![false; graph.len()];
            let mut stack = vec![from];
            while let Some(node) = stack.pop() {
                if Some(node) == without || std::mem::replace(&mut seen[node], true) {
                    continue;
                }
                if graph[node].is_empty() {
                    return true;
                }
                stack.extend(graph[node].iter().map(|to| *to as usize));
            }
            false
        };
        let nodes = 0..graph.len();
        let all = |node: usize| {
            let others = nodes.clone().filter(move |other| *other != node);
            let found: Vec<usize> = others.filter(|other| !ends(node, Some(*other))).collect();
            found
        };
        nodes
            .clone()
            .map(|node| {
                if !ends(node, None) {
                    return None;
                }
                let own = all(node);
                let immediate = own
                    .iter()
                    .find(|candidate| own.len() == all(**candidate).len() + 1)?;
                u32::try_from(*immediate).ok()
            })
            .collect()
    }

    #[test]
    fn paths_of_a_diamond_meet_after_it() {
        let graph: &[&[u32]] = &[&[1, 2], &[3], &[3], &[]];
        assert_eq!(post_dominators(graph), [Some(3), Some(3), Some(3), None]);
    }

    #[test]
    fn several_ends_and_infinite_loops_have_none() {
        assert_eq!(
            post_dominators(&[&[1, 2], &[], &[2]]),
            [Some(1), None, None]
        );
        assert_eq!(post_dominators(&[&[1, 2], &[], &[]]), [None, None, None]);
        assert_eq!(post_dominators(&[&[0]]), [None]);
        assert_eq!(post_dominators(&[]), []);
    }

    #[test]
    fn random_graphs_agree_with_a_search_for_paths() {
        let mut numbers = fastrand::Rng::with_seed(1);
        let mut random = |below: u32| numbers.u32(..below);
        for _ in 0..2000 {
            let count = 1 + random(9);
            let graph: Vec<Vec<u32>> = (0..count)
                .map(|_| (0..random(4)).map(|_| random(count)).collect())
                .collect();
            let found = immediate_post_dominators(graph.as_slice());
            assert_eq!(found, by_search(&graph), "{graph:?}");
        }
    }
}
