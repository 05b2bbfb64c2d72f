//! Reachability of blocks without going around a loop, and the blocks of each loop.

use std::collections::hash_map::Entry;

use dxil_frontend::ir::dominance::Predecessors;
use dxil_frontend::tables::{HashMap, HashSet};

/// Maximum number of blocks of a function for which this is known: it takes the square of them in
/// bits.
const MAX_BLOCKS: usize = 4096;

/// Maximum of the sum of the sizes of all loops, in blocks, which grows with the square of a
/// function of nested loops.
const MAX_BODIES: usize = 1 << 18;

/// Reachability in the graph without the edges that close loops. Empty for very large functions
/// and for hundreds of nested loops: then nothing leads anywhere.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reach {
    /// Words of a row.
    width: usize,
    bits: Vec<u64>,
    /// The headers of loops; a loop's number is its header's place.
    headers: Vec<u32>,
    /// Of each header the number of its loop.
    loops: HashMap<u32, u32>,
    /// The blocks of each loop, a row of bits for each number.
    bodies: Vec<u64>,
    /// The edges that close loops.
    closing: HashSet<(u32, u32)>,
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
            headers: Vec::new(),
            loops: HashMap::default(),
            bodies: Vec::new(),
            closing: HashSet::default(),
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
                    reach.closing.insert((block as u32, target as u32));
                    let number = reach.headers.len() as u32;
                    if let Entry::Vacant(new) = reach.loops.entry(target as u32) {
                        new.insert(number);
                        reach.headers.push(target as u32);
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
        match reach.find_bodies(successors) {
            Some(bodies) => Reach { bodies, ..reach },
            None => Reach::default(),
        }
    }

    /// Returns the blocks of each loop, a row of bits for each: those from which the header is
    /// reached again without leaving what it leads to. Paths around loops further inside count.
    /// None if they are too many.
    fn find_bodies(&self, successors: &[Vec<u32>]) -> Option<Vec<u64>> {
        if self.headers.is_empty() {
            return Some(Vec::new());
        }
        let mut left = MAX_BODIES;
        let predecessors = Predecessors::new(successors);
        let mut bodies = vec![0; self.width * self.headers.len()];
        let mut open: Vec<u32> = Vec::new();
        for (&header, row) in self.headers.iter().zip(bodies.chunks_exact_mut(self.width)) {
            let mut add = |block: u32| {
                let (word, bit) = (&mut row[block as usize / 64], 1 << (block % 64));
                let is_new = *word & bit == 0;
                *word |= bit;
                is_new
            };
            add(header);
            open.push(header);
            let reached = Body {
                row: &self.bits[header as usize * self.width..][..self.width],
            };
            while let Some(block) = open.pop() {
                left = left.checked_sub(1)?;
                for &before in predecessors.of_node(block) {
                    if reached.contains(before) && add(before) {
                        open.push(before);
                    }
                }
            }
        }
        Some(bodies)
    }

    /// Returns whether a path without the edges that close loops leads from a block to another one.
    pub(crate) fn leads(&self, from: u32, to: u32) -> bool {
        let word = from as usize * self.width + to as usize / 64;
        let bits = self.bits.get(word).copied().unwrap_or(0);
        bits >> (to % 64) & 1 != 0
    }

    /// Returns whether an edge closes a loop.
    pub(crate) fn closes(&self, from: u32, to: u32) -> bool {
        self.closing.contains(&(from, to))
    }

    /// Returns the headers of loops, in the order of the loops' numbers.
    pub(crate) fn headers(&self) -> &[u32] {
        &self.headers
    }

    /// Returns the number of a header's loop; none if the block is not a header.
    pub(crate) fn loop_of(&self, header: u32) -> Option<u32> {
        self.loops.get(&header).copied()
    }

    /// Returns the blocks of a header's loop; none if the block is not a header.
    pub(crate) fn body(&self, header: u32) -> Body<'_> {
        let row = self.loop_of(header).map_or(&[][..], |number| {
            &self.bodies[number as usize * self.width..][..self.width]
        });
        Body { row }
    }

    /// Returns whether a block is in the loop of a header.
    pub(crate) fn in_loop(&self, header: u32, block: u32) -> bool {
        self.body(header).contains(block)
    }
}

/// The blocks of a loop.
#[derive(Clone, Copy)]
pub(crate) struct Body<'a> {
    /// A bit for each block.
    row: &'a [u64],
}

impl<'a> Body<'a> {
    pub(crate) fn contains(self, block: u32) -> bool {
        let word = self.row.get(block as usize / 64).copied().unwrap_or(0);
        word >> (block % 64) & 1 != 0
    }

    /// Returns the blocks in ascending order.
    pub(crate) fn blocks(self) -> impl Iterator<Item = u32> + use<'a> {
        (0..).zip(self.row).flat_map(|(word, &bits)| {
            // Each time without the lowest bit.
            let rests = std::iter::successors(Some(bits), |rest| Some(rest & rest.wrapping_sub(1)));
            rests
                .take_while(|rest| *rest != 0)
                .map(move |rest| word * 64 + rest.trailing_zeros())
        })
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

    #[test]
    fn a_loop_has_the_blocks_of_the_loops_inside_it() {
        // 0 (header) -> 1 (header) -> 2 | 3; 2 -> 1; 3 -> 0 | 4; 4 ends.
        let reach = Reach::new(&[vec![1], vec![2, 3], vec![1], vec![0, 4], vec![]]);
        assert_eq!(reach.body(0).blocks().collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(reach.body(1).blocks().collect::<Vec<_>>(), [1, 2]);
        assert!(reach.in_loop(0, 2) && !reach.in_loop(1, 3) && !reach.in_loop(0, 4));
        assert_eq!(reach.body(2).blocks().count(), 0);
    }

    #[test]
    fn many_nested_loops_are_given_up() {
        // Block k is the header of loop k; 2n - 1 - k closes it; 2n ends.
        let nested = |n: u32| {
            let mut graph: Vec<Vec<u32>> = (0..n).map(|k| vec![k + 1]).collect();
            graph.extend((0..n).rev().map(|k| vec![k, 2 * n - k]));
            graph.push(Vec::new());
            Reach::new(&graph)
        };
        assert!(nested(500).in_loop(0, 999));
        assert!(nested(600).headers().is_empty());
    }
}
