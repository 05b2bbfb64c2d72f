//! The stack of a wave's lanes in one function: who runs now, and who waits where.

use super::Reach;

/// Lanes of a wave, a bit each.
pub(crate) type Mask = u128;

/// Lanes that run together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    /// Block that they enter next.
    block: u32,
    /// Block at which they wait for the others.
    meets: Option<u32>,
    lanes: Mask,
    /// Whether they have come to the block, a loop's header, by going around the loop.
    around: bool,
}

impl Entry {
    /// Returns whether others come first: they may still come to the same block in the same round
    /// of all loops that it is in, or are in the round before.
    fn waits_for(&self, other: &Entry, reach: &Reach) -> bool {
        if self.around && reach.in_loop(self.block, other.block) && self.block != other.block {
            return true;
        }
        let next_round = other.around && reach.in_loop(other.block, self.block);
        !next_round && reach.leads(other.block, self.block)
    }
}

/// Groups of lanes; the topmost runs. Below it wait those that have parted from it, and those that
/// will be continued where all of them meet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stack {
    entries: Vec<Entry>,
}

impl Stack {
    /// Forgets everything and puts all `lanes` at the entry block.
    pub(crate) fn start(&mut self, lanes: Mask) {
        self.entries.clear();
        if lanes != 0 {
            self.entries.push(Entry {
                block: 0,
                meets: None,
                lanes,
                around: false,
            });
        }
    }

    /// Returns the lanes that run and the block that they are at; none when all have returned.
    pub(crate) fn current(&self) -> Option<(u32, Mask)> {
        self.entries.last().map(|entry| (entry.block, entry.lanes))
    }

    /// Returns the block that a lane enters next, and whether it is among those that run; none for
    /// lanes that have left the function.
    pub(crate) fn place_of(&self, lane: usize) -> Option<(u32, bool)> {
        let top = self.entries.len().checked_sub(1)?;
        let entries = self.entries.iter().enumerate().rev();
        let mut entries = entries.filter(|(_, entry)| entry.lanes >> lane & 1 != 0);
        entries.next().map(|(at, entry)| (entry.block, at == top))
    }

    /// Returns the block where the running lanes wait for others, and whether they may go from
    /// block to block without a look at the others until then.
    #[cfg(feature = "native")]
    pub(crate) fn way(&self) -> (Option<u32>, bool) {
        let mut entries = self.entries.iter().rev();
        let top = entries.next().and_then(|top| top.meets);
        let is_alone = entries.next().is_none_or(|below| below.meets != top);
        (top, is_alone)
    }

    /// Puts the running lanes, which have gone alone, into a block that they came to from another.
    #[cfg(feature = "native")]
    pub(crate) fn went(&mut self, previous: u32, block: u32, reach: &Reach) {
        if let Some(top) = self.entries.last_mut() {
            top.around = reach.closes(previous, block);
            top.block = block;
        }
    }

    /// Moves all running lanes to a block.
    pub(crate) fn go(&mut self, block: u32, reach: &Reach) {
        if let Some(top) = self.entries.last_mut() {
            top.around = reach.closes(top.block, block);
            top.block = block;
        }
        self.meet(reach);
    }

    /// Splits the running lanes: each list of lanes goes to its block, and they reconverge at
    /// `meets`. The first list runs first.
    pub(crate) fn part(&mut self, ways: &[(u32, Mask)], meets: Option<u32>, reach: &Reach) {
        let Some(top) = self.entries.pop() else {
            return;
        };
        // Where they meet is where this entry waits anyway: what lies below holds all of its lanes.
        if let Some(block) = meets
            && top.meets != meets
        {
            self.entries.push(Entry {
                block,
                around: false,
                ..top
            });
        }
        // In reverse, since the last entry runs first.
        for &(block, lanes) in ways.iter().rev() {
            // Lanes that go straight to the meeting place wait there, in the entry below.
            if lanes != 0 && Some(block) != meets {
                self.entries.push(Entry {
                    block,
                    meets,
                    lanes,
                    around: reach.closes(top.block, block),
                });
            }
        }
        self.meet(reach);
    }

    /// Removes the running lanes, which leave the function.
    pub(crate) fn leave(&mut self, reach: &Reach) {
        let Some(top) = self.entries.pop() else {
            return;
        };
        // The entries where they would have met others hold them as well.
        for entry in &mut self.entries {
            entry.lanes &= !top.lanes;
        }
        self.meet(reach);
    }

    /// Removes these lanes from all blocks; returns whether the running lanes have changed.
    pub(crate) fn remove(&mut self, lanes: Mask, reach: &Reach) -> bool {
        for entry in &mut self.entries {
            entry.lanes &= !lanes;
        }
        let ends = self.entries.last().is_some_and(|top| top.lanes == 0);
        if ends {
            self.meet(reach);
        }
        ends
    }

    /// Reconverges lanes that have reached the block where they wait, and runs the next ones.
    fn meet(&mut self, reach: &Reach) {
        while let Some(top) = self.entries.last() {
            if top.lanes != 0 && Some(top.block) != top.meets {
                break;
            }
            self.entries.pop();
        }
        self.arrange(reach);
    }

    /// Moves the lists to the top that no other waits for, among those that reconverge at the same
    /// block, and joins lists at the same block.
    fn arrange(&mut self, reach: &Reach) {
        let Some(mut top) = self.entries.len().checked_sub(1) else {
            return;
        };
        let meets = self.entries[top].meets;
        let mut at = top;
        // In a loop with several entries, lanes may wait for each other in a cycle. Everywhere else
        // there are fewer swaps than entries.
        let mut swaps = self.entries.len();
        while let Some(below) = at.checked_sub(1) {
            at = below;
            let (entry, best) = (self.entries[at], self.entries[top]);
            if entry.meets != meets {
                break;
            }
            if entry.lanes != 0 && entry.block == best.block {
                self.entries[at].lanes |= best.lanes;
                self.entries.remove(top);
                top -= 1;
                // What was joined runs next.
                self.entries.swap(at, top);
                at = top;
                swaps = self.entries.len();
            } else if entry.lanes != 0 && swaps != 0 && best.waits_for(&entry, reach) {
                swaps -= 1;
                self.entries.swap(at, top);
                at = top;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_run_and_meet() {
        let reach = &Reach::default();
        let mut stack = Stack::default();
        stack.start(0b1111);
        stack.part(&[(1, 0b0011), (2, 0b1100)], Some(3), reach);
        assert_eq!(stack.current(), Some((1, 0b0011)));
        stack.go(3, reach);
        assert_eq!(stack.current(), Some((2, 0b1100)));
        stack.go(3, reach);
        assert_eq!(stack.current(), Some((3, 0b1111)));
        stack.leave(reach);
        assert_eq!(stack.current(), None);
    }

    #[test]
    fn lanes_that_leave_a_loop_early_wait_and_the_stack_stays_small() {
        let reach = &Reach::default();
        let mut stack = Stack::default();
        stack.start(u128::MAX);
        stack.go(1, reach);
        for lane in 0..127 {
            let gone: Mask = 1 << lane;
            let Some((1, lanes)) = stack.current() else {
                unreachable!("the loop's header");
            };
            stack.part(&[(1, lanes & !gone), (4, gone)], Some(4), reach);
            assert!(stack.entries.len() <= 2);
        }
        stack.go(4, reach);
        assert_eq!(stack.current(), Some((4, u128::MAX)));
    }

    #[test]
    fn lanes_in_an_inner_loop_go_before_those_that_went_around_the_outer_one() {
        // 0 (header) -> 1 (header) -> 2 | 3; 2 -> 1; 3 -> 0 | 4; 4 ends.
        let reach = &Reach::new(&[vec![1], vec![2, 3], vec![1], vec![0, 4], vec![]]);
        let mut stack = Stack::default();
        stack.start(0b111);
        stack.go(1, reach);
        stack.part(&[(2, 0b011), (3, 0b100)], None, reach);
        assert_eq!(stack.current(), Some((2, 0b011)));
        // One lane goes around the inner loop, one stays in it, one goes around the outer loop.
        stack.part(&[(1, 0b001), (2, 0b010)], None, reach);
        assert_eq!(stack.current(), Some((2, 0b010)));
        stack.go(1, reach);
        assert_eq!(stack.current(), Some((1, 0b011)));
        stack.part(&[(2, 0b001), (3, 0b010)], None, reach);
        assert_eq!(stack.current(), Some((2, 0b001)));
        stack.go(1, reach);
        stack.go(3, reach);
        assert_eq!(stack.current(), Some((3, 0b111)));
    }

    #[test]
    fn lanes_that_wait_for_each_other_go_on() {
        // 0 -> 1 | 2 | 3; 1 -> 2 | 3; 2 -> 1 | 3; 3 -> 1 | 2: a loop with three entries.
        let graph = [vec![1, 2, 3], vec![2, 3], vec![1, 3], vec![1, 2]];
        let reach = &Reach::new(&graph);
        let mut stack = Stack::default();
        stack.start(0b111);
        stack.part(&[(1, 0b001), (2, 0b010), (3, 0b100)], None, reach);
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..10_000 {
            let Some((block, lanes)) = stack.current() else {
                unreachable!("no lane returns");
            };
            let some = lanes & Mask::from(random.u32(..8));
            let [first, second, ..] = graph[block as usize][..] else {
                unreachable!("each block has two successors");
            };
            let lists = [(first, some), (second, lanes & !some)];
            stack.part(&lists, None, reach);
            let all = stack.entries.iter().fold(0, |all, entry| all | entry.lanes);
            assert_eq!(all, 0b111);
        }
    }

    #[test]
    fn lanes_that_returned_do_not_come_back() {
        let reach = &Reach::default();
        let mut stack = Stack::default();
        stack.start(0b11);
        stack.part(&[(1, 0b01), (2, 0b10)], Some(3), reach);
        stack.leave(reach);
        assert_eq!(stack.current(), Some((2, 0b10)));
        stack.go(3, reach);
        assert_eq!(stack.current(), Some((3, 0b10)));
    }
}
