//! The loop nesting forest of a reducible graph.
//!
//! A back edge goes to a node that dominates its source; the loop of a header is everything that
//! reaches a back edge without passing the header. An edge that goes backwards in reverse postorder
//! without being a back edge makes the graph irreducible.

use petgraph::unionfind::UnionFind;

use super::{Cfg, CfgNodeId, Dominators};

/// Index of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u32);

/// A natural loop.
#[derive(Debug, Clone)]
pub struct Loop {
    /// The node that dominates the loop, where its back edges lead.
    pub header: CfgNodeId,
    /// Sources of the back edges.
    pub latches: Vec<CfgNodeId>,
    /// The enclosing loop.
    pub parent: Option<LoopId>,
    /// Maximum layout position of its nodes.
    pub last_layout: u32,
    /// Number of enclosing loops.
    pub depth: u32,
    /// Preorder number in the forest.
    enter: u32,
    /// Number of loops in it, itself included; their numbers begin at `enter`.
    size: u32,
}

/// All loops, outer ones before inner ones.
#[derive(Debug, Clone, Default)]
pub struct LoopForest {
    /// By [`LoopId`].
    pub loops: Vec<Loop>,
    /// Innermost loop of each node.
    innermost: Vec<Option<LoopId>>,
    /// Loop that a node is the header of.
    headed: Vec<Option<LoopId>>,
    /// An edge that makes the graph irreducible.
    pub irreducible: Option<(CfgNodeId, CfgNodeId)>,
}

impl LoopForest {
    /// Finds the loops. If `irreducible` is set, the rest of the result is meaningless.
    pub fn compute(cfg: &Cfg, dominators: &Dominators) -> LoopForest {
        let count = cfg.nodes.len();
        let mut forest = LoopForest {
            innermost: vec![None; count],
            headed: vec![None; count],
            ..LoopForest::default()
        };
        for node in cfg.ids() {
            let mut latches = Vec::new();
            for &from in &cfg.node(node).predecessors {
                if from >= node {
                    // An edge backwards to a node that does not dominate its source enters a cycle
                    // beside its header.
                    if !dominators.dominates(node.0, from.0) {
                        forest.irreducible = Some((from, node));
                        return forest;
                    }
                    latches.push(from);
                }
            }
            if !latches.is_empty() {
                forest.headed[node.index()] = Some(LoopId(forest.loops.len() as u32));
                forest.loops.push(Loop {
                    header: node,
                    latches,
                    parent: None,
                    last_layout: 0,
                    depth: 0,
                    enter: 0,
                    size: 1,
                });
            }
        }
        // Inner loops first: a loop that was already found is entered at its header and left above
        // it.
        let mut work = Vec::new();
        // Loops that one loop found so far holds are a set; each set's outermost loop is known by
        // its representative.
        let mut nests: UnionFind<u32> = UnionFind::new(forest.loops.len());
        let mut outermost: Vec<LoopId> = (0..forest.loops.len() as u32).map(LoopId).collect();
        for index in (0..forest.loops.len()).rev() {
            let this = LoopId(index as u32);
            let header = forest.loops[index].header;
            work.extend(forest.loops[index].latches.iter().copied());
            while let Some(node) = work.pop() {
                let mut node = node;
                if let Some(inner) = forest.innermost[node.index()] {
                    let inner = outermost[nests.find_mut(inner.0) as usize];
                    if inner == this {
                        continue;
                    }
                    // The outermost loop found so far that holds the node.
                    forest.loops[inner.0 as usize].parent = Some(this);
                    nests.union(inner.0, this.0);
                    outermost[nests.find_mut(this.0) as usize] = this;
                    node = forest.loops[inner.0 as usize].header;
                } else {
                    forest.innermost[node.index()] = Some(this);
                }
                if node != header {
                    let preds = &cfg.node(node).predecessors;
                    // Back edges of an inner loop lead into itself.
                    work.extend(preds.iter().copied().filter(|&from| from < node));
                }
            }
            forest.innermost[header.index()] = Some(this);
        }
        for node in cfg.ids() {
            let layout = cfg.node(node).layout;
            if let Some(id) = forest.innermost[node.index()] {
                let last = &mut forest.loops[id.0 as usize].last_layout;
                *last = layout.max(*last);
            }
        }
        for index in (0..forest.loops.len()).rev() {
            let Loop {
                parent,
                last_layout,
                ..
            } = forest.loops[index];
            if let Some(parent) = parent {
                let last = &mut forest.loops[parent.0 as usize].last_layout;
                *last = last_layout.max(*last);
            }
        }
        forest.number();
        forest
    }

    /// Numbers the loops, so that one comparison shows whether one contains another. Outer loops
    /// stand before inner ones.
    fn number(&mut self) {
        for index in (0..self.loops.len()).rev() {
            let Loop { parent, size, .. } = self.loops[index];
            if let Some(parent) = parent {
                self.loops[parent.0 as usize].size += size;
            }
        }
        // The next number that a loop gives to one in it; the last is for those that no loop holds.
        let mut next = vec![0; self.loops.len() + 1];
        for index in 0..self.loops.len() {
            let Loop { parent, size, .. } = self.loops[index];
            let slot = parent.map_or(self.loops.len(), |parent| parent.0 as usize);
            let enter = next[slot];
            next[slot] += size;
            next[index] = enter + 1;
            let depth = parent.map_or(0, |parent| self.loops[parent.0 as usize].depth + 1);
            let this = &mut self.loops[index];
            (this.enter, this.depth) = (enter, depth);
        }
    }

    /// Returns the innermost loop that contains the node.
    pub fn innermost(&self, node: CfgNodeId) -> Option<LoopId> {
        self.innermost[node.index()]
    }

    /// Returns the loop that the node is the header of.
    pub fn headed_by(&self, node: CfgNodeId) -> Option<LoopId> {
        self.headed[node.index()]
    }

    /// Returns the loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.0 as usize]
    }

    /// Returns the loop and the enclosing ones, innermost first.
    pub fn ancestors(&self, id: Option<LoopId>) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(id, |&id| self.get(id).parent)
    }

    /// Returns whether the loop contains the node.
    pub fn contains(&self, id: LoopId, node: CfgNodeId) -> bool {
        let outer = self.get(id);
        self.innermost(node)
            .is_some_and(|inner| self.get(inner).enter.wrapping_sub(outer.enter) < outer.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> LoopForest {
        let cfg = Cfg::parse(text).unwrap();
        LoopForest::compute(&cfg, &cfg.dominators())
    }

    #[test]
    fn an_inner_loop_knows_its_parent() {
        let forest = of("b0: b1; b1: b2; b2: b2 b3; b3: b1 b4; b4: ret");
        assert_eq!(forest.loops.len(), 2);
        assert_eq!(forest.loops[1].parent, Some(LoopId(0)));
        assert_eq!(forest.innermost(CfgNodeId(2)), Some(LoopId(1)));
        assert_eq!(forest.innermost(CfgNodeId(3)), Some(LoopId(0)));
        assert_eq!(forest.innermost(CfgNodeId(4)), None);
        assert_eq!(
            forest.loops.iter().map(|l| l.depth).collect::<Vec<_>>(),
            [0, 1]
        );
        assert!(
            forest.contains(LoopId(0), CfgNodeId(2)) && forest.contains(LoopId(1), CfgNodeId(2))
        );
        assert!(
            forest.contains(LoopId(0), CfgNodeId(3)) && !forest.contains(LoopId(1), CfgNodeId(3))
        );
        assert!(!forest.contains(LoopId(0), CfgNodeId(4)));
    }

    #[test]
    fn loops_beside_each_other_do_not_hold_each_other() {
        let forest = of("b0: b1; b1: b1 b2; b2: b3; b3: b3 b4; b4: b2 b5; b5: ret");
        assert_eq!(forest.loops.len(), 3);
        for (id, nodes) in [(0, vec![1]), (1, vec![2, 3, 4]), (2, vec![3])] {
            let held = (0..6).filter(|&node| forest.contains(LoopId(id), CfgNodeId(node)));
            assert_eq!(held.collect::<Vec<_>>(), nodes);
        }
    }

    #[test]
    fn two_entries_make_a_region_irreducible() {
        assert!(
            of("b0: b1 b2; b1: b2; b2: b1 b3; b3: ret")
                .irreducible
                .is_some()
        );
        assert!(of("b0: b1; b1: b1 b2; b2: ret").irreducible.is_none());
    }
}
