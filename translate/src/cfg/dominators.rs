//! Immediate dominators, and dominance queries in constant time.
//!
//! The method is Cooper, Harvey and Kennedy's ("A Simple, Fast Dominance Algorithm"). petgraph has it
//! too, but over a hash map; here node numbers are reverse postorder numbers, so a vector does.

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
        const NONE: u32 = u32::MAX;
        let mut idom = vec![NONE; count];
        if let Some(entry) = idom.first_mut() {
            *entry = 0;
        }
        // In a reducible graph numbered in reverse postorder one round computes and a second one
        // confirms; irreducible graphs take as many more as they nest loops.
        let mut changed = true;
        while changed {
            changed = false;
            for node in 1..count as u32 {
                let mut new = NONE;
                // Deepest first: the walk up from there passes the others on its way, so that a join of many
                // edges along one chain costs the chain once, not once per edge.
                for &from in predecessors(node).iter().rev() {
                    if idom[from as usize] == NONE {
                        continue;
                    }
                    new = if new == NONE {
                        from
                    } else {
                        intersect(&idom, new, from)
                    };
                }
                if new != idom[node as usize] {
                    idom[node as usize] = new;
                    changed = true;
                }
            }
        }
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

fn intersect(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
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
