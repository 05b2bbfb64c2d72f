//! Predecessors and dominators of a body's blocks, for the checks of [`super::flow`].
//!
//! Dominators after Lengauer and Tarjan with path compression, O(m log n) for any graph: hostile
//! files must not be able to make a check slow.

use cranelift_entity::EntityRef;

use crate::ir::{BlockId, Function};

const NONE: u32 = u32::MAX;

/// The graph of a body.
pub(crate) struct Graph {
    /// Predecessors of block b: `edges[starts[b]..starts[b + 1]]`, one per edge.
    starts: Vec<u32>,
    edges: Vec<u32>,
}

fn at(list: &[u32], index: u32) -> u32 {
    list.get(index as usize).copied().unwrap_or(NONE)
}

fn set(list: &mut [u32], index: u32, value: u32) {
    if let Some(slot) = list.get_mut(index as usize) {
        *slot = value;
    }
}

impl Graph {
    pub(crate) fn new(function: &Function) -> Graph {
        let count = function.blocks.len();
        let mut starts = vec![0u32; count + 1];
        for block in function.blocks.keys() {
            function.for_each_successor(block, |to| {
                if let Some(degree) = starts.get_mut(to.index() + 1) {
                    *degree += 1;
                }
            });
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        // A counting sort: all predecessors lie in one list, without one allocation per block.
        let mut next = starts.clone();
        let mut edges = vec![NONE; total as usize];
        for block in function.blocks.keys() {
            function.for_each_successor(block, |to| {
                let slot = at(&next, to.as_u32());
                set(&mut edges, slot, block.as_u32());
                set(&mut next, to.as_u32(), slot.wrapping_add(1));
            });
        }
        Graph { starts, edges }
    }

    /// Predecessors, one per edge.
    pub(crate) fn predecessors(&self, block: BlockId) -> &[u32] {
        let start = at(&self.starts, block.as_u32()) as usize;
        let end = at(&self.starts, block.as_u32() + 1) as usize;
        self.edges.get(start..end).unwrap_or_default()
    }
}

/// Which block dominates which.
pub(crate) struct Dominators {
    /// Per block: its number in a walk of the dominator tree; `NONE` if it is unreachable.
    first: Vec<u32>,
    /// Per block: number of blocks it dominates, itself included.
    size: Vec<u32>,
}

impl Dominators {
    pub(crate) fn compute(function: &Function, graph: &Graph) -> Dominators {
        let count = function.blocks.len();
        let walk = DepthFirstTree::new(function, count);
        let idom = immediate_dominators(&walk, graph);
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
    /// Blocks in order of the walk.
    order: Vec<u32>,
    /// Per block: its number in the walk.
    number: Vec<u32>,
    /// Per number: the number it was reached from.
    parent: Vec<u32>,
}

impl DepthFirstTree {
    fn new(function: &Function, count: usize) -> DepthFirstTree {
        let mut walk = DepthFirstTree {
            order: Vec::with_capacity(count),
            number: vec![NONE; count],
            parent: Vec::with_capacity(count),
        };
        // Blocks with the number they are reached from. A block may be pushed once per edge.
        let mut stack = vec![(0u32, 0u32)];
        while let Some((block, from)) = stack.pop() {
            if block as usize >= count || at(&walk.number, block) != NONE {
                continue;
            }
            // Numbered when it is taken off the stack and not when it is pushed: only then is the
            // walk depth-first, which the algorithm requires.
            let number = u32::try_from(walk.order.len()).unwrap_or(NONE);
            set(&mut walk.number, block, number);
            walk.order.push(block);
            walk.parent.push(from);
            function.for_each_successor(BlockId::from_u32(block), |to| {
                stack.push((to.as_u32(), number));
            });
        }
        walk
    }
}

/// Returns the immediate dominators, by number in the walk; the entry's is itself.
fn immediate_dominators(walk: &DepthFirstTree, graph: &Graph) -> Vec<u32> {
    let count = walk.order.len();
    let numbers = || (0..u32::try_from(count).unwrap_or(NONE)).collect::<Vec<u32>>();
    let mut forest = Forest {
        ancestor: vec![NONE; count],
        label: numbers(),
        semi: numbers(),
        path: Vec::new(),
    };
    let mut idom = vec![0u32; count];
    // Blocks by semidominator, as chains.
    let mut bucket = vec![NONE; count];
    let mut next_in_bucket = vec![NONE; count];
    // Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", steps 2 and 3:
    // in reverse order of the walk, since a semidominator depends on those of blocks with higher
    // numbers only.
    for w in (1..u32::try_from(count).unwrap_or(0)).rev() {
        let block = BlockId::from_u32(at(&walk.order, w));
        let mut semi = w;
        for pred in graph.predecessors(block) {
            let v = at(&walk.number, *pred);
            // Unreachable predecessors do not count: no path from the entry leads through them.
            if v != NONE {
                let u = forest.eval(v);
                semi = semi.min(at(&forest.semi, u));
            }
        }
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
        // A loop instead of the textbook's recursion, since a path is as long as the function has
        // blocks.
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
