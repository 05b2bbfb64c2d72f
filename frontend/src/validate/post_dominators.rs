//! Where the ways from a branch meet: immediate post-dominators.

use cranelift_entity::EntityRef;

use crate::bitcode::verify::dominance::Graph;
use crate::ir::{BlockId, Function};

const NONE: u32 = u32::MAX;

/// Rounds over all blocks; a graph that takes more is hostile, and gives nothing.
const MAX_ROUNDS: usize = 64;

/// Steps of one comparison, so that a round stays linear in practice; a graph that takes more gives
/// nothing.
const STEPS_PER_BLOCK: usize = 256;

/// The immediate post-dominator of each block.
pub(super) struct PostDominators {
    /// Per block: its number in postorder from the exits, or `NONE` if no exit is reached.
    number: Vec<u32>,
    /// Per number: that of the immediate post-dominator. The exits' common one has the highest.
    parent: Vec<u32>,
    /// Per number: the block.
    block: Vec<u32>,
}

fn at(list: &[u32], index: u32) -> u32 {
    list.get(index as usize).copied().unwrap_or(NONE)
}

fn set(list: &mut [u32], index: u32, value: u32) {
    if let Some(slot) = list.get_mut(index as usize) {
        *slot = value;
    }
}

impl PostDominators {
    /// Computes them with Cooper, Harvey and Kennedy's algorithm ("A Simple, Fast Dominance
    /// Algorithm"); `None` if that takes too long.
    pub(super) fn of(function: &Function, graph: &Graph) -> Option<PostDominators> {
        let count = function.blocks.len();
        let mut number = vec![NONE; count];
        let mut block = Vec::with_capacity(count);
        let mut seen = vec![false; count];
        // A walk against the edges from all blocks without successors.
        for exit in function.blocks.keys() {
            let mut has_successor = false;
            function.for_each_successor(exit, |_| has_successor = true);
            if has_successor || seen.get(exit.index()) != Some(&false) {
                continue;
            }
            let mut stack = vec![(exit.as_u32(), 0usize)];
            set_seen(&mut seen, exit.as_u32());
            while let Some((own, edge)) = stack.last_mut() {
                let predecessors = graph.predecessors(BlockId::from_u32(*own));
                match predecessors.get(*edge) {
                    Some(&to) => {
                        *edge += 1;
                        if set_seen(&mut seen, to) {
                            stack.push((to, 0));
                        }
                    }
                    None => {
                        set(&mut number, *own, length(&block));
                        block.push(*own);
                        stack.pop();
                    }
                }
            }
        }
        let root = length(&block);
        let mut result = PostDominators {
            number,
            parent: vec![NONE; block.len() + 1],
            block,
        };
        set(&mut result.parent, root, root);
        let mut steps = STEPS_PER_BLOCK.saturating_mul(count + 1);
        for _ in 0..MAX_ROUNDS {
            if !result.round(function, root, &mut steps)? {
                return Some(result);
            }
        }
        None
    }

    /// Goes over all blocks once; returns whether anything changed.
    fn round(&mut self, function: &Function, root: u32, steps: &mut usize) -> Option<bool> {
        let mut changed = false;
        for own in (0..root).rev() {
            let mut meet = NONE;
            let mut is_exit = true;
            let mut ways = Vec::new();
            function.for_each_successor(BlockId::from_u32(at(&self.block, own)), |to| {
                is_exit = false;
                ways.push(at(&self.number, to.as_u32()));
            });
            if is_exit {
                meet = root;
            }
            for way in ways {
                // No exit behind it, or not known yet.
                if way == NONE || at(&self.parent, way) == NONE {
                    continue;
                }
                meet = if meet == NONE {
                    way
                } else {
                    self.common(meet, way, steps)?
                };
            }
            if meet != at(&self.parent, own) {
                set(&mut self.parent, own, meet);
                changed = true;
            }
        }
        Some(changed)
    }

    fn common(&self, mut a: u32, mut b: u32, steps: &mut usize) -> Option<u32> {
        while a != b {
            *steps = steps.checked_sub(1)?;
            if a < b {
                a = at(&self.parent, a);
            } else {
                b = at(&self.parent, b);
            }
        }
        Some(a)
    }

    /// Returns where all ways from a block meet, unless only behind the function's end.
    pub(super) fn of_block(&self, block: u32) -> Option<u32> {
        let parent = at(&self.parent, at(&self.number, block));
        self.block.get(parent as usize).copied()
    }
}

fn length(list: &[u32]) -> u32 {
    u32::try_from(list.len()).unwrap_or(NONE)
}

fn set_seen(seen: &mut [bool], block: u32) -> bool {
    match seen.get_mut(block as usize) {
        Some(slot) if !*slot => {
            *slot = true;
            true
        }
        _ => false,
    }
}
