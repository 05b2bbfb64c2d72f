//! Predecessors, dominators and post-dominators of a flow graph.
//!
//! Dominators after Lengauer and Tarjan with path compression, O(m log n) for any graph: hostile
//! files must not be able to make a check slow.

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

/// A graph that can be walked both ways, from one node on.
trait FlowGraph {
    fn count(&self) -> usize;
    fn entry(&self) -> u32;
    fn for_each_successor(&self, node: u32, visit: impl FnMut(u32));
    fn for_each_predecessor(&self, node: u32, visit: impl FnMut(u32));
}

/// A graph along its edges, from node 0 on.
struct Forward<'a, G: ?Sized> {
    graph: &'a G,
    predecessors: &'a Predecessors,
}

impl<G: Successors + ?Sized> FlowGraph for Forward<'_, G> {
    fn count(&self) -> usize {
        self.graph.count()
    }

    fn entry(&self) -> u32 {
        0
    }

    fn for_each_successor(&self, node: u32, visit: impl FnMut(u32)) {
        self.graph.for_each_successor(node, visit);
    }

    fn for_each_predecessor(&self, node: u32, visit: impl FnMut(u32)) {
        let nodes = self.predecessors.of_node(node);
        nodes.iter().copied().for_each(visit);
    }
}

/// A graph against its edges, from one node more on: the end, after all nodes without successors.
struct Backward<'a, G: ?Sized> {
    graph: &'a G,
    predecessors: &'a Predecessors,
    /// Nodes without successors.
    exits: &'a [u32],
}

impl<G: Successors + ?Sized> FlowGraph for Backward<'_, G> {
    fn count(&self) -> usize {
        self.graph.count() + 1
    }

    fn entry(&self) -> u32 {
        number_of(self.graph.count())
    }

    fn for_each_successor(&self, node: u32, visit: impl FnMut(u32)) {
        let nodes = if node == self.entry() {
            self.exits
        } else {
            self.predecessors.of_node(node)
        };
        nodes.iter().copied().for_each(visit);
    }

    fn for_each_predecessor(&self, node: u32, mut visit: impl FnMut(u32)) {
        let mut is_exit = true;
        self.graph.for_each_successor(node, |to| {
            is_exit = false;
            visit(to);
        });
        if is_exit {
            visit(self.entry());
        }
    }
}

/// Returns the immediate post-dominator of each node: where all paths from it to an end meet.
/// `None` if they only meet after the last node, or if none of them ends.
pub fn immediate_post_dominators(graph: &(impl Successors + ?Sized)) -> Vec<Option<u32>> {
    let predecessors = Predecessors::new(graph);
    let end = number_of(graph.count());
    let exits: Vec<u32> = (0..end)
        .filter(|node| {
            let mut is_exit = true;
            graph.for_each_successor(*node, |_| is_exit = false);
            is_exit
        })
        .collect();
    let backward = Backward {
        graph,
        predecessors: &predecessors,
        exits: &exits,
    };
    let walk = DepthFirstTree::new(&backward);
    let idom = immediate_dominators(&walk, &backward);
    (0..end)
        .map(|node| {
            let dominator = at(&idom, at(&walk.number, node));
            let node = at(&walk.order, dominator);
            (node < end).then_some(node)
        })
        .collect()
}

/// The dominators of all blocks of a function.
pub(crate) struct Dominators {
    /// Per block: its number in a walk of the dominator tree; `NONE` if it is unreachable.
    first: Vec<u32>,
    /// Per block: number of blocks it dominates, itself included.
    size: Vec<u32>,
}

impl Dominators {
    pub(crate) fn compute(function: &Function, predecessors: &Predecessors) -> Dominators {
        let count = function.blocks.len();
        let forward = Forward {
            graph: function,
            predecessors,
        };
        let walk = DepthFirstTree::new(&forward);
        let idom = immediate_dominators(&walk, &forward);
        // Preorder numbers of the tree from the sizes of its subtrees.
        let reached = walk.order.len();
        let mut size = vec![1u32; reached];
        // A dominator has a lower number in the walk than what it dominates, so going backward
        // every subtree is complete when it is added to its parent.
        for (number, parent) in idom.iter().enumerate().skip(1).rev() {
            let own = size.get(number).copied().unwrap_or(0);
            if let Some(slot) = size.get_mut(*parent as usize) {
                *slot += own;
            }
        }
        let mut result = Dominators {
            first: vec![NONE; count],
            size: vec![0; count],
        };
        let mut next = vec![1u32; reached];
        for (number, block) in walk.order.iter().enumerate() {
            let number_u32 = u32::try_from(number).unwrap_or(NONE);
            let own = at(&size, number_u32);
            let first = if number == 0 {
                0
            } else {
                let parent = at(&idom, number_u32);
                let first = at(&next, parent);
                set(&mut next, parent, first.wrapping_add(own));
                first
            };
            set(&mut next, number_u32, first.wrapping_add(1));
            set(&mut result.first, *block, first);
            set(&mut result.size, *block, own);
        }
        result
    }

    pub(crate) fn is_reachable(&self, block: BlockId) -> bool {
        at(&self.first, block.as_u32()) != NONE
    }

    /// Returns whether every way to `b` leads through `a`; both are reachable.
    pub(crate) fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let first = at(&self.first, a.as_u32());
        let inner = at(&self.first, b.as_u32());
        // `b` lies in the subtree of `a` if its preorder number lies in the range of that subtree.
        // The wrap makes one comparison of two.
        inner.wrapping_sub(first) < at(&self.size, a.as_u32())
    }
}

/// A depth-first walk from the entry.
struct DepthFirstTree {
    /// Nodes in order of the walk.
    order: Vec<u32>,
    /// Per node: its number in the walk.
    number: Vec<u32>,
    /// Per number: the number it was reached from.
    parent: Vec<u32>,
}

impl DepthFirstTree {
    fn new(graph: &impl FlowGraph) -> DepthFirstTree {
        let count = graph.count();
        let mut walk = DepthFirstTree {
            order: Vec::with_capacity(count),
            number: vec![NONE; count],
            parent: Vec::with_capacity(count),
        };
        // Nodes with the number they are reached from. A node may be pushed once per edge.
        let mut stack = vec![(graph.entry(), 0u32)];
        while let Some((node, from)) = stack.pop() {
            if node as usize >= count || at(&walk.number, node) != NONE {
                continue;
            }
            // Numbered when it is taken off the stack and not when it is pushed: only then is the
            // walk depth-first, which the algorithm requires.
            let number = number_of(walk.order.len());
            set(&mut walk.number, node, number);
            walk.order.push(node);
            walk.parent.push(from);
            graph.for_each_successor(node, |to| stack.push((to, number)));
        }
        walk
    }
}

/// Returns the immediate dominators, by number in the walk; the entry's is itself.
fn immediate_dominators(walk: &DepthFirstTree, graph: &impl FlowGraph) -> Vec<u32> {
    let count = walk.order.len();
    let numbers = || (0..number_of(count)).collect::<Vec<u32>>();
    let mut forest = Forest {
        ancestor: vec![NONE; count],
        label: numbers(),
        semi: numbers(),
        path: Vec::new(),
    };
    let mut idom = vec![0u32; count];
    // Nodes by semidominator, as chains.
    let mut bucket = vec![NONE; count];
    let mut next_in_bucket = vec![NONE; count];
    // Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", steps 2 and 3:
    // in reverse order of the walk, since a semidominator depends on those of nodes with higher
    // numbers only.
    for w in (1..u32::try_from(count).unwrap_or(0)).rev() {
        let mut semi = w;
        graph.for_each_predecessor(at(&walk.order, w), |predecessor| {
            let v = at(&walk.number, predecessor);
            // Unreachable predecessors do not count: no path from the entry leads through them.
            if v != NONE {
                let u = forest.eval(v);
                semi = semi.min(at(&forest.semi, u));
            }
        });
        set(&mut forest.semi, w, semi);
        set(&mut next_in_bucket, w, at(&bucket, semi));
        set(&mut bucket, semi, w);
        let parent = at(&walk.parent, w);
        set(&mut forest.ancestor, w, parent);
        let mut v = at(&bucket, parent);
        set(&mut bucket, parent, NONE);
        while v != NONE {
            let u = forest.eval(v);
            let dominator = if at(&forest.semi, u) < at(&forest.semi, v) {
                u
            } else {
                parent
            };
            set(&mut idom, v, dominator);
            v = at(&next_in_bucket, v);
        }
    }
    // Step 4: in order of the walk, so that the immediate dominator of `dominator` is final.
    for w in 1..u32::try_from(count).unwrap_or(0) {
        let dominator = at(&idom, w);
        if dominator != at(&forest.semi, w) {
            let further = at(&idom, dominator);
            set(&mut idom, w, further);
        }
    }
    idom
}

/// The forest of Lengauer and Tarjan.
struct Forest {
    ancestor: Vec<u32>,
    label: Vec<u32>,
    semi: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    /// Returns the vertex of least semidominator on the way from `v` to its root.
    fn eval(&mut self, v: u32) -> u32 {
        if at(&self.ancestor, v) == NONE {
            return v;
        }
        // Walk up to just below the root, then compress on the way back.
        let mut x = v;
        self.path.clear();
        // A loop instead of the textbook's recursion, since a path is as long as the graph has
        // nodes.
        while at(&self.ancestor, at(&self.ancestor, x)) != NONE {
            self.path.push(x);
            x = at(&self.ancestor, x);
        }
        while let Some(x) = self.path.pop() {
            let above = at(&self.ancestor, x);
            let (best, own) = (at(&self.label, above), at(&self.label, x));
            if at(&self.semi, best) < at(&self.semi, own) {
                set(&mut self.label, x, best);
            }
            let further = at(&self.ancestor, above);
            set(&mut self.ancestor, x, further);
        }
        at(&self.label, v)
    }
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
    fn paths_of_a_diamond_meet_behind_it() {
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
        let mut state = 1u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
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
