//! Immediate dominators, and dominance queries in constant time.
//!
//! The method is SEMI-NCA (Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", section on
//! practical algorithms): semidominators by path compression as Lengauer and Tarjan find them, then the nearest common
//! ancestor. petgraph's dominators intersect paths instead, which costs a join of many edges at the end of a chain
//! (512 early returns) the length of the chain per edge, and live in a hash map.

/// Dominator tree of a graph whose nodes are numbered in reverse postorder from 0, the entry.
#[derive(Debug, Clone)]
pub struct Dominators {
    idom: Vec<u32>,
    enter: Vec<u32>,
    leave: Vec<u32>,
    children_start: Vec<u32>,
    children: Vec<u32>,
}

impl Dominators {
    /// Computes them; `predecessors(n)` lists the predecessors of node `n`.
    pub fn compute<'a>(count: usize, predecessors: impl Fn(u32) -> &'a [u32]) -> Dominators {
        let idom = immediate(count, &predecessors);
        let mut children_start = vec![0_u32; count + 1];
        for node in 1..count {
            if idom[node] != NONE {
                children_start[idom[node] as usize + 1] += 1;
            }
        }
        for index in 0..count {
            children_start[index + 1] += children_start[index];
        }
        let mut fill = children_start.clone();
        let mut children = vec![0_u32; count.saturating_sub(1)];
        for node in 1..count {
            if idom[node] != NONE {
                let slot = &mut fill[idom[node] as usize];
                children[*slot as usize] = node as u32;
                *slot += 1;
            }
        }
        let mut dominators = Dominators {
            idom,
            enter: vec![0; count],
            leave: vec![0; count],
            children_start,
            children,
        };
        dominators.number();
        dominators
    }

    fn number(&mut self) {
        if self.idom.is_empty() {
            return;
        }
        let mut clock = 0;
        let mut stack = vec![(0_u32, 0_usize)];
        self.enter[0] = clock;
        while let Some((node, next)) = stack.last_mut() {
            let (node, index) = (*node, *next);
            *next += 1;
            let child = self.children(node).get(index).copied();
            clock += 1;
            match child {
                Some(child) => {
                    self.enter[child as usize] = clock;
                    stack.push((child, 0));
                }
                None => {
                    self.leave[node as usize] = clock;
                    stack.pop();
                }
            }
        }
    }

    /// Immediate dominator; the entry is its own.
    pub fn idom(&self, node: u32) -> u32 {
        self.idom[node as usize]
    }

    /// Whether `a` dominates `b` (every node dominates itself).
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        self.enter[a as usize] <= self.enter[b as usize]
            && self.leave[b as usize] <= self.leave[a as usize]
    }

    /// Nodes whose immediate dominator this is, in reverse postorder.
    pub fn children(&self, node: u32) -> &[u32] {
        let range = self.children_start[node as usize] as usize
            ..self.children_start[node as usize + 1] as usize;
        &self.children[range]
    }
}

const NONE: u32 = u32::MAX;

/// Immediate dominator of each node; `NONE` for unreachable ones.
fn immediate<'a>(count: usize, predecessors: &impl Fn(u32) -> &'a [u32]) -> Vec<u32> {
    let mut idom = vec![NONE; count];
    if count == 0 {
        return idom;
    }
    let mut search = Search::new(count, predecessors);
    let reached = search.vertex.len();
    for index in (1..reached as u32).rev() {
        let mut least = index;
        for &from in predecessors(search.vertex[index as usize]) {
            let from = search.order[from as usize];
            if from != NONE {
                least = least.min(search.least_above(from));
            }
        }
        search.semi[index as usize] = least;
        search.ancestor[index as usize] = search.parent[index as usize];
    }
    // In the order of the search; a node's semidominator is an ancestor, and so is its dominator.
    let mut above = search.parent.clone();
    for index in 1..reached {
        while above[index] > search.semi[index] {
            above[index] = above[above[index] as usize];
        }
    }
    idom[0] = 0;
    for index in 1..reached {
        idom[search.vertex[index] as usize] = search.vertex[above[index] as usize];
    }
    idom
}

/// A depth-first search and the forest over it; nodes are named by the order they were found in.
struct Search {
    /// Order of each node.
    order: Vec<u32>,
    /// Node of each order.
    vertex: Vec<u32>,
    parent: Vec<u32>,
    semi: Vec<u32>,
    label: Vec<u32>,
    /// Parent in the forest of nodes that are done; paths are compressed.
    ancestor: Vec<u32>,
    path: Vec<u32>,
}

impl Search {
    fn new<'a>(count: usize, predecessors: &impl Fn(u32) -> &'a [u32]) -> Search {
        // Successors of node n: `targets[start[n]..start[n + 1]]`.
        let mut start = vec![0_u32; count + 1];
        for node in 0..count as u32 {
            for &from in predecessors(node) {
                start[from as usize + 1] += 1;
            }
        }
        for node in 0..count {
            start[node + 1] += start[node];
        }
        let mut fill = start.clone();
        let mut targets = vec![0_u32; start[count] as usize];
        for node in 0..count as u32 {
            for &from in predecessors(node) {
                let slot = &mut fill[from as usize];
                targets[*slot as usize] = node;
                *slot += 1;
            }
        }
        let mut order = vec![NONE; count];
        let mut vertex = Vec::with_capacity(count);
        let mut parent = Vec::with_capacity(count);
        let mut stack = vec![(0_u32, 0_u32)];
        while let Some((node, from)) = stack.pop() {
            if order[node as usize] != NONE {
                continue;
            }
            let this = vertex.len() as u32;
            order[node as usize] = this;
            vertex.push(node);
            parent.push(from);
            let range = start[node as usize] as usize..start[node as usize + 1] as usize;
            let open = targets[range]
                .iter()
                .filter(|&&to| order[to as usize] == NONE);
            stack.extend(open.map(|&to| (to, this)));
        }
        let reached: Vec<u32> = (0..vertex.len() as u32).collect();
        Search {
            order,
            parent,
            semi: reached.clone(),
            label: reached,
            ancestor: vec![NONE; vertex.len()],
            vertex,
            path: Vec::new(),
        }
    }

    /// Least semidominator on the forest path down to a node, its root left out.
    fn least_above(&mut self, node: u32) -> u32 {
        if self.ancestor[node as usize] == NONE {
            return self.semi[self.label[node as usize] as usize];
        }
        self.path.clear();
        let mut at = node;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(below) = self.path.pop() {
            let above = self.ancestor[below as usize] as usize;
            let (upper, own) = (self.label[above], self.label[below as usize]);
            if self.semi[upper as usize] < self.semi[own as usize] {
                self.label[below as usize] = upper;
            }
            self.ancestor[below as usize] = self.ancestor[above];
        }
        self.semi[self.label[node as usize] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::Cfg;

    fn of(text: &str) -> (Cfg, Dominators) {
        let cfg = Cfg::parse(text).unwrap();
        let dominators = cfg.dominators();
        (cfg, dominators)
    }

    #[test]
    fn both_arms_of_a_diamond_meet_below_its_head() {
        let (_, dominators) = of("b0: b1 b2; b1: b3; b2: b3; b3: ret");
        assert_eq!(dominators.idom(3), 0);
        assert!(dominators.dominates(0, 3));
        assert!(!dominators.dominates(1, 3));
        assert_eq!(dominators.children(0).len(), 3);
    }

    #[test]
    fn a_loop_header_dominates_its_latch_but_not_the_other_way() {
        let (_, dominators) = of("b0: b1; b1: b2 b3; b2: b1; b3: ret");
        assert!(dominators.dominates(1, 2));
        assert!(!dominators.dominates(2, 1));
    }
}
