//! Which block leads to which without going around a loop, and which blocks a loop has.

use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of blocks of a function for which this is known: it takes the square of them in
/// bits.
const MAX_BLOCKS: usize = 4096;

/// Reachability in the graph without the edges that close loops. Empty for very large functions:
/// then nothing leads anywhere.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reach {
    /// Words of a row.
    width: usize,
    bits: Vec<u64>,
    /// Of each header the blocks from which edges close its loop.
    latches: FxHashMap<u32, Vec<u32>>,
    /// The edges that close loops.
    closing: FxHashSet<(u32, u32)>,
}

impl Reach {
    pub(crate) fn new(successors: &[Vec<u32>]) -> Reach {
        let count = successors.len();
        if count > MAX_BLOCKS {
            return Reach::default();
        }
        let width = count.div_ceil(64);
        let mut reach = Reach {
            width,
            bits: vec![0; width * count],
            latches: FxHashMap::default(),
            closing: FxHashSet::default(),
        };
        // A block is done before the ones that lead to it, but for edges to blocks that are still
        // open: those close loops.
        #[derive(Clone, Copy, PartialEq)]
        enum BlockState {
            New,
            Open,
            Done,
        }
        let mut states = vec![BlockState::New; count];
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if let Some(first) = states.first_mut() {
            *first = BlockState::Open;
            stack.push((0, 0));
        }
        while let Some((block, next)) = stack.last_mut() {
            let block = *block;
            let Some(&target) = successors[block].get(*next) else {
                states[block] = BlockState::Done;
                stack.pop();
                continue;
            };
            let target = target as usize;
            match states[target] {
                BlockState::Open => {
                    *next += 1;
                    // A branch may have both edges to it.
                    if reach.closing.insert((block as u32, target as u32)) {
                        let latches = reach.latches.entry(target as u32).or_default();
                        latches.push(block as u32);
                    }
                }
                BlockState::Done => {
                    *next += 1;
                    for word in 0..width {
                        let bits = reach.bits[target * width + word];
                        reach.bits[block * width + word] |= bits;
                    }
                    reach.bits[block * width + target / 64] |= 1 << (target % 64);
                }
                // It is looked at again once it is done.
                BlockState::New => {
                    states[target] = BlockState::Open;
                    stack.push((target, 0));
                }
            }
        }
        reach
    }

    /// Whether a path without the edges that close loops leads from a block to another one.
    pub(crate) fn leads(&self, from: u32, to: u32) -> bool {
        let word = from as usize * self.width + to as usize / 64;
        let bits = self.bits.get(word).copied().unwrap_or(0);
        bits >> (to % 64) & 1 != 0
    }

    /// Whether an edge closes a loop.
    pub(crate) fn closes(&self, from: u32, to: u32) -> bool {
        self.closing.contains(&(from, to))
    }

    /// Returns the blocks from which edges close a header's loop.
    pub(crate) fn latches(&self, header: u32) -> &[u32] {
        self.latches.get(&header).map_or(&[], Vec::as_slice)
    }

    /// Whether a block is in the loop of a header.
    pub(crate) fn in_loop(&self, header: u32, block: u32) -> bool {
        let mut latches = self.latches.get(&header).into_iter().flatten();
        (header == block || self.leads(header, block))
            && latches.any(|&latch| latch == block || self.leads(block, latch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_around_a_loop_does_not_count() {
        // 0 -> 1 (header) -> 2 | 4; 2 -> 3 | 4; 3 -> 1.
        let reach = Reach::new(&[vec![1], vec![2, 4], vec![3, 4], vec![1], vec![]]);
        assert!(reach.leads(0, 4) && reach.leads(1, 3) && reach.leads(2, 4));
        assert!(!reach.leads(3, 1) && !reach.leads(3, 4) && !reach.leads(4, 0));
        assert!(!reach.leads(1, 1));
        assert!(reach.closes(3, 1) && !reach.closes(0, 1));
        assert!(reach.in_loop(1, 1) && reach.in_loop(1, 3) && !reach.in_loop(1, 4));
    }
}
