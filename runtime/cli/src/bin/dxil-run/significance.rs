//! Whether the times of two programs differ by more than chance.
//!
//! Runs of one program are not independent of each other: clocks and other load change over
//! seconds. So the programs take turns in pairs of short blocks, and chance decides which of the
//! two comes first in each pair. If they do not differ, the two blocks of a pair could as well have
//! been exchanged, whatever the noise is like: the randomization test counts how many of all such
//! exchanges give a difference as large as the measured one.

use std::time::Duration;

/// Probability below which a difference counts as significant.
pub(crate) const LEVEL: f64 = 0.01;

/// Pairs of blocks.
pub(crate) const PAIRS: u32 = 12;

/// Minimum number of pairs: with fewer no difference can be significant at [`LEVEL`].
pub(crate) const MINIMUM: u32 = 8;

/// The measured difference of two programs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Difference {
    /// Time of the second program in terms of the first one's.
    pub(crate) ratio: f64,
    /// Probability that chance alone makes them differ as much.
    pub(crate) p: f64,
    /// The change of time that chance exceeds with probability [`LEVEL`]: 0.02 is 2 %.
    pub(crate) noise: f64,
}

/// Returns the median of some times; zero for none.
pub(crate) fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Decides which program comes first in each pair.
pub(crate) struct Order(fastrand::Rng);

impl Order {
    /// Returns an order that nobody knows before.
    pub(crate) fn new() -> Order {
        Order(fastrand::Rng::new())
    }

    /// Returns whether the second program comes first.
    pub(crate) fn is_swapped(&mut self) -> bool {
        self.0.bool()
    }
}

/// Returns the difference of two programs by their times in each pair of blocks; `None` for fewer
/// than [`MINIMUM`] pairs.
pub(crate) fn difference(pairs: &[[Duration; 2]]) -> Option<Difference> {
    if pairs.len() < MINIMUM as usize || pairs.len() > 20 {
        return None;
    }
    let logarithm = |time: Duration| (time.as_secs_f64().max(1e-12)).ln();
    let logarithms: Vec<f64> = pairs
        .iter()
        .map(|[a, b]| logarithm(*b) - logarithm(*a))
        .collect();
    let count = logarithms.len() as f64;
    let mean = logarithms.iter().sum::<f64>() / count;
    let exchanged = |values: &[f64], which: u32| {
        let sum = values.iter().enumerate().fold(0.0, |sum, (i, value)| {
            sum + if which >> i & 1 != 0 { -value } else { *value }
        });
        (sum / count).abs()
    };
    let all = 1_u32 << logarithms.len();
    // Sums in another order may differ in their last bits.
    let limit = mean.abs() * (1.0 - 1e-9);
    let as_large = (0..all).filter(|which| exchanged(&logarithms, *which) >= limit);
    let p = as_large.count() as f64 / f64::from(all);
    // What is left without the difference is noise.
    let rest: Vec<f64> = logarithms.iter().map(|value| value - mean).collect();
    let mut by_chance: Vec<f64> = (0..all).map(|which| exchanged(&rest, which)).collect();
    by_chance.sort_unstable_by(f64::total_cmp);
    let at = (f64::from(all) * (1.0 - LEVEL)) as usize;
    let noise = by_chance.get(at).copied().unwrap_or_default();
    Some(Difference {
        ratio: mean.exp(),
        p,
        noise: noise.exp() - 1.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the programs differ on a loaded machine: its speed drifts, falls to a half
    /// for a while now and then, and single runs are late. `factor` is the time of the second one.
    fn is_significant(seed: u64, factor: f64) -> bool {
        let mut noise = fastrand::Rng::with_seed(seed);
        let mut order = Order(noise.fork());
        let (mut drift, mut slow) = (0.0, 0);
        let mut block = |factor: f64| {
            let runs: Vec<Duration> = (0..3)
                .map(|_| {
                    // Neighbouring runs are alike.
                    drift = 0.95 * drift + 0.1 * (noise.f64() - 0.5);
                    if slow == 0 && noise.f64() < 0.05 {
                        slow = (noise.f64() * 15.0) as u32;
                    }
                    slow = slow.saturating_sub(1);
                    let late = if noise.f64() < 0.1 {
                        3.0 * noise.f64()
                    } else {
                        0.0
                    };
                    let load = if slow > 0 { 2.0 } else { 1.0 };
                    Duration::from_secs_f64(1e-3 * factor * (load * f64::exp(drift) + late))
                })
                .collect();
            median(&runs)
        };
        let pairs: Vec<[Duration; 2]> = (0..PAIRS)
            .map(|_| {
                if order.is_swapped() {
                    let b = block(factor);
                    [block(1.0), b]
                } else {
                    let a = block(1.0);
                    [a, block(factor)]
                }
            })
            .collect();
        difference(&pairs).unwrap().p < LEVEL
    }

    #[test]
    fn a_program_seldom_differs_from_itself_on_a_loaded_machine() {
        let found = (0..2000).filter(|seed| is_significant(*seed, 1.0)).count();
        assert!(found <= 40, "{found} of 2000 are significant");
    }

    #[test]
    fn twice_the_time_is_found_there() {
        let found = (0..200).filter(|seed| is_significant(*seed, 2.0)).count();
        assert!(found >= 150, "{found} of 200 are significant");
    }

    /// Of eight pairs that all differ in the same direction, only two of 256 exchanges are as far
    /// apart.
    #[test]
    fn exchanges_are_counted() {
        let us = Duration::from_micros;
        let pairs: Vec<[Duration; 2]> = (0..8).map(|i| [us(100 + i), us(200 + 2 * i)]).collect();
        let found = difference(&pairs).unwrap();
        assert!((found.p - 2.0 / 256.0).abs() < 1e-12, "{found:?}");
        assert!((found.ratio - 2.0).abs() < 1e-9, "{found:?}");
        assert!(found.noise < 1e-9, "{found:?}");
        let same = [[us(5), us(5)]; 8];
        assert_eq!(difference(&same).unwrap().p, 1.0);
        assert_eq!(difference(&same[..7]), None);
    }
}
