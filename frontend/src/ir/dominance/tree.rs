//! Immediate dominators, and dominance queries in constant time: O(m log n) for any graph, since
//! hostile files must not be able to make a check slow.
//!
//! The method is SEMI-NCA (Georgiadis, "Linear-Time Algorithms for Dominators and Related
//! Problems", section on practical algorithms): semidominators by path compression as Lengauer and
//! Tarjan find them, then the nearest common ancestor. petgraph's dominators intersect paths
//! instead, which costs a join of many edges at the end of a chain (512 early returns) the length
//! of the chain per edge, and live in a hash map.

#![allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "numbers of nodes are checked where they come in; there are fewer than 2^32 nodes"
)]

/// Dominator tree of a graph.
#[derive(Debug, Clone)]
pub struct Dominators {
    nodes: Vec<TreeNode>,
    /// Children of all nodes, list by list.
    children: Vec<u32>,
}

/// A node of the tree.
#[derive(Debug, Clone, Copy)]
struct TreeNode {
    idom: u32,
    /// Preorder number in the dominator tree.
    enter: u32,
    /// Number of nodes in its subtree, itself included; their numbers begin at `enter`.
    size: u32,
    first_child: u32,
    children: u32,
}

const NONE: u32 = u32::MAX;

impl Dominators {
    /// Computes the dominators of a graph whose nodes are numbered from 0, the entry;
    /// `predecessors(n)` returns the predecessors of node `n`, all of them below `count`.
    pub fn compute<'a, P: Copy + Into<u32> + 'a>(
        count: usize,
        predecessors: impl Fn(u32) -> &'a [P],
    ) -> Dominators {
        let mut tree = Dominators {
            nodes: vec![TreeNode::UNREACHED; count],
            children: vec![0; count.saturating_sub(1)],
        };
        if count > 0 {
            let mut search = Search::new(count, &predecessors);
            search.find_dominators(&predecessors);
            search.number_tree();
            tree.take(&search.found);
        }
        tree
    }

    fn take(&mut self, found: &[DiscoveredNode]) {
        for vertex in found {
            let node = &mut self.nodes[vertex.node as usize];
            node.idom = found[vertex.above as usize].node;
            node.enter = vertex.enter;
            node.size = vertex.size;
        }
        // Lists of children: first their lengths, then their offsets, then the children.
        for node in 1..self.nodes.len() {
            if let Some(parent) = self.parent(node) {
                self.nodes[parent].children += 1;
            }
        }
        let mut first = 0;
        for node in &mut self.nodes {
            node.first_child = first;
            first += std::mem::take(&mut node.children);
        }
        for node in 1..self.nodes.len() {
            if let Some(parent) = self.parent(node) {
                let parent = &mut self.nodes[parent];
                self.children[(parent.first_child + parent.children) as usize] = node as u32;
                parent.children += 1;
            }
        }
    }

    fn parent(&self, node: usize) -> Option<usize> {
        let idom = self.nodes[node].idom;
        (idom != NONE).then_some(idom as usize)
    }

    /// Returns whether a path leads from the entry to the node.
    pub fn is_reachable(&self, node: u32) -> bool {
        self.idom(node) != NONE
    }

    /// Returns the immediate dominator; the entry is its own. `u32::MAX` for an unreachable node.
    pub fn idom(&self, node: u32) -> u32 {
        self.nodes[node as usize].idom
    }

    /// Returns whether `a` dominates `b` (every node dominates itself).
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (above, below) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        a == b || below.enter.wrapping_sub(above.enter) < above.size
    }

    /// Returns the nodes whose immediate dominator this is, in the order of their numbers.
    pub fn children(&self, node: u32) -> &[u32] {
        let node = &self.nodes[node as usize];
        let first = node.first_child as usize;
        &self.children[first..first + node.children as usize]
    }
}

impl TreeNode {
    const UNREACHED: TreeNode = TreeNode {
        idom: NONE,
        enter: 0,
        size: 0,
        first_child: 0,
        children: 0,
    };
}

/// A depth-first search and the forest over it; nodes are identified by discovery order.
struct Search {
    /// Discovery order of each node.
    order: Vec<u32>,
    found: Vec<DiscoveredNode>,
    path: Vec<u32>,
}

/// A discovered node. All fields but `node` are discovery orders.
#[derive(Debug, Clone, Copy)]
struct DiscoveredNode {
    node: u32,
    parent: u32,
    semi: u32,
    label: u32,
    /// Parent in the forest of processed nodes, with path compression.
    ancestor: u32,
    /// Immediate dominator, once the algorithm has finished.
    above: u32,
    /// See [`TreeNode`].
    enter: u32,
    size: u32,
}

impl Search {
    fn new<'a, P: Copy + Into<u32> + 'a>(
        count: usize,
        predecessors: &impl Fn(u32) -> &'a [P],
    ) -> Search {
        // Successors of node n: `targets[start[n]..start[n + 1]]`. Filling them in from the end
        // moves each start from the end of its list to the beginning.
        let mut start = vec![0_u32; count + 1];
        for node in 0..count as u32 {
            for &from in predecessors(node) {
                start[from.into() as usize] += 1;
            }
        }
        let mut total = 0;
        for start in &mut start {
            total += *start;
            *start = total;
        }
        let mut targets = vec![0_u32; total as usize];
        for node in (0..count as u32).rev() {
            for &from in predecessors(node).iter().rev() {
                let slot = &mut start[from.into() as usize];
                *slot -= 1;
                targets[*slot as usize] = node;
            }
        }
        let mut search = Search {
            order: vec![NONE; count],
            found: Vec::with_capacity(count),
            path: Vec::new(),
        };
        let mut stack = Vec::with_capacity(count);
        stack.push((0_u32, 0_u32));
        while let Some((node, parent)) = stack.pop() {
            // A node is numbered when it leaves the stack, not when it is pushed: only then is the
            // order that of a depth-first search, which semidominators require.
            if search.order[node as usize] != NONE {
                continue;
            }
            let this = search.found.len() as u32;
            search.order[node as usize] = this;
            search.found.push(DiscoveredNode {
                node,
                parent,
                semi: this,
                label: this,
                ancestor: NONE,
                above: parent,
                enter: 0,
                size: 1,
            });
            let range = start[node as usize] as usize..start[node as usize + 1] as usize;
            let open = targets[range]
                .iter()
                .filter(|&&to| search.order[to as usize] == NONE);
            stack.extend(open.map(|&to| (to, this)));
        }
        search
    }

    fn find_dominators<'a, P: Copy + Into<u32> + 'a>(
        &mut self,
        predecessors: &impl Fn(u32) -> &'a [P],
    ) {
        for index in (1..self.found.len()).rev() {
            let mut min_semi = index as u32;
            for &from in predecessors(self.found[index].node) {
                let from = self.order[from.into() as usize];
                if from != NONE {
                    min_semi = min_semi.min(self.min_above(from));
                }
            }
            let vertex = &mut self.found[index];
            vertex.semi = min_semi;
            vertex.ancestor = vertex.parent;
        }
        // In discovery order: a node's semidominator and dominator are ancestors.
        for index in 1..self.found.len() {
            let DiscoveredNode { semi, parent, .. } = self.found[index];
            // By then every node above has its dominator. SEMI-NCA: the dominator is the nearest
            // ancestor that is not deeper than the semidominator.
            let mut above = parent;
            while above > semi {
                above = self.found[above as usize].above;
            }
            self.found[index].above = above;
        }
    }

    /// Numbers the dominator tree. A node is discovered after its dominator.
    fn number_tree(&mut self) {
        for index in (1..self.found.len()).rev() {
            let DiscoveredNode { above, size, .. } = self.found[index];
            self.found[above as usize].size += size;
        }
        // From here on `label` counts the numbers that a node used up: its own and those of
        // subtrees.
        for vertex in &mut self.found {
            vertex.label = 1;
        }
        for index in 1..self.found.len() {
            let DiscoveredNode { above, size, .. } = self.found[index];
            let parent = &mut self.found[above as usize];
            let enter = parent.enter + parent.label;
            parent.label += size;
            self.found[index].enter = enter;
        }
    }

    /// Returns the minimum semidominator on the forest path to a node, without its root.
    fn min_above(&mut self, node: u32) -> u32 {
        let found = &mut self.found;
        let ancestor = |found: &[DiscoveredNode], node: u32| found[node as usize].ancestor;
        let semi =
            |found: &[DiscoveredNode], node: u32| found[found[node as usize].label as usize].semi;
        if ancestor(found, node) == NONE {
            return semi(found, node);
        }
        // A loop instead of recursion: the path can be as long as the graph.
        self.path.clear();
        let mut at = node;
        while ancestor(found, ancestor(found, at)) != NONE {
            self.path.push(at);
            at = ancestor(found, at);
        }
        while let Some(below) = self.path.pop() {
            let above = ancestor(found, below);
            if semi(found, above) < semi(found, below) {
                found[below as usize].label = found[above as usize].label;
            }
            found[below as usize].ancestor = ancestor(found, above);
        }
        semi(found, node)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Predecessors;
    use super::*;

    fn of(graph: &[&[u32]]) -> Dominators {
        let rows: Vec<Vec<u32>> = graph.iter().map(|row| row.to_vec()).collect();
        Predecessors::new(rows.as_slice()).dominators()
    }

    #[test]
    fn both_arms_of_a_diamond_meet_below_its_head() {
        let dominators = of(&[&[1, 2], &[3], &[3], &[]]);
        assert_eq!(dominators.idom(3), 0);
        assert!(dominators.dominates(0, 3));
        assert!(!dominators.dominates(1, 3));
        assert_eq!(dominators.children(0), [1, 2, 3]);
    }

    #[test]
    fn a_loop_header_dominates_its_latch_but_not_the_other_way() {
        let dominators = of(&[&[1], &[2, 3], &[1], &[]]);
        assert!(dominators.dominates(1, 2));
        assert!(!dominators.dominates(2, 1));
    }

    #[test]
    fn nodes_without_a_path_from_the_entry_are_told_apart() {
        let dominators = of(&[&[2], &[2], &[]]);
        assert!(dominators.is_reachable(2));
        assert!(!dominators.is_reachable(1));
        assert_eq!(dominators.idom(2), 0);
    }
}
