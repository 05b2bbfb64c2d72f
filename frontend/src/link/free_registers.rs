//! Free registers of a space, given from the lowest one on.
//!
//! A resource gets the lowest registers that hold all of it. Since registers are always taken from
//! the start of a gap, gaps only become shorter, and a tree of the largest gaps finds the first one
//! that is long enough in logarithmic time.

/// One past the last register.
const END: u64 = 1 << 32;

/// Length of the gap after all resources: a resource that fits nowhere else goes there.
const UNBOUNDED: u64 = u64::MAX;

/// The gaps between resources.
pub(super) struct FreeRegisters {
    /// First register of each gap, in their order.
    starts: Vec<u64>,
    /// A binary tree of lengths: node `n` has the larger one of nodes `2n` and `2n + 1`. The second
    /// half are the gaps.
    longest: Vec<u64>,
}

impl FreeRegisters {
    /// Returns the gaps that ranges of registers (first, one past the last) leave.
    pub(super) fn between(mut taken: Vec<(u64, u64)>) -> FreeRegisters {
        taken.sort_unstable();
        let mut gaps: Vec<(u64, u64)> = Vec::new();
        let mut register = 0;
        for (first, end) in taken {
            if register < first {
                gaps.push((register, first - register));
            }
            register = register.max(end);
        }
        gaps.push((register, UNBOUNDED));
        let leaves = gaps.len().next_power_of_two();
        let mut longest = vec![0; leaves];
        longest.extend(gaps.iter().map(|&(_, length)| length));
        longest.resize(2 * leaves, 0);
        let starts = gaps.into_iter().map(|(start, _)| start).collect();
        let mut free = FreeRegisters { starts, longest };
        for node in (1..leaves).rev() {
            free.update(node);
        }
        free
    }

    /// Takes the first registers that hold `count` resources (at least one), or all that are after
    /// every resource if there is no count. Returns the first one; none if no register is left.
    pub(super) fn take(&mut self, count: Option<u32>) -> Option<u32> {
        let length = count.map_or(UNBOUNDED, |count| u64::from(count.max(1)));
        let leaves = self.longest.len() / 2;
        let mut node = 1;
        while node < leaves {
            // The left half is in front. The last gap is long enough for everything, so one half
            // always is.
            let left = self.longest.get(2 * node)?;
            node = if *left >= length {
                2 * node
            } else {
                2 * node + 1
            };
        }
        let gap = node - leaves;
        let start = self.starts.get_mut(gap)?;
        let first = u32::try_from(*start).ok()?;
        *start = if count.is_some() {
            *start + length
        } else {
            END
        };
        let left = self.longest.get_mut(node)?;
        if *left != UNBOUNDED {
            *left -= length;
        }
        while node > 1 {
            node /= 2;
            self.update(node);
        }
        Some(first)
    }

    fn update(&mut self, node: usize) {
        let of = |node: usize| self.longest.get(node).copied().unwrap_or(0);
        let longer = of(2 * node).max(of(2 * node + 1));
        if let Some(length) = self.longest.get_mut(node) {
            *length = longer;
        }
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Returns the registers that a search of all ranges finds.
    fn search(taken: &mut Vec<(u64, u64)>, count: Option<u32>) -> Option<u32> {
        let length = count.map_or(u64::MAX, |count| u64::from(count.max(1)));
        taken.sort_unstable();
        let mut register = 0;
        for &(first, end) in &*taken {
            if first.saturating_sub(register) >= length {
                break;
            }
            register = register.max(end);
        }
        let first = u32::try_from(register).ok()?;
        let end = if count.is_some() {
            register + length
        } else {
            END
        };
        taken.push((register, end));
        Some(first)
    }

    #[test]
    fn the_first_gap_that_is_long_enough_is_taken() {
        let mut numbers = fastrand::Rng::with_seed(7);
        let mut random = |below: u64| numbers.u64(..below);
        for _ in 0..200 {
            let count = random(20);
            let mut taken: Vec<(u64, u64)> = Vec::new();
            for _ in 0..count {
                let first = random(100);
                taken.push((first, first + random(8)));
            }
            let mut free = FreeRegisters::between(taken.clone());
            for turn in 0..30 {
                let count = (turn < 28).then(|| u32::try_from(random(6)).unwrap_or(0));
                assert_eq!(free.take(count), search(&mut taken, count));
            }
        }
    }
}
