//! The median of runs and its confidence interval.

use serde::{Deserialize, Serialize};

/// Minimum number of runs for an interval of 95 %: all of six runs lie on one side of the median
/// in 2 · 2⁻⁶ = 3.1 % of all cases.
pub(crate) const MIN_RUNS: u32 = 6;

/// A median with an interval that contains that of the whole distribution with a probability of
/// 95 % or more, whatever the distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Interval {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Interval {
    /// Returns the interval of some runs by their order (Conover, "Practical Nonparametric
    /// Statistics", 3.2); `None` if there are fewer than [`MIN_RUNS`].
    pub(crate) fn of(runs: &[f64]) -> Option<Self> {
        let mut sorted = runs.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        if count < MIN_RUNS as usize {
            return None;
        }
        // The number of runs below the median is binomial with p = 1/2. `left_out` runs on each
        // side may be left out as long as that many or fewer below it are rarer than 2.5 %.
        let mut term = 0.5f64.powi(count as i32);
        let mut tail = term;
        let mut left_out = 0;
        loop {
            term *= (count - left_out) as f64 / (left_out + 1) as f64;
            if tail + term > 0.025 {
                break;
            }
            tail += term;
            left_out += 1;
        }
        let middle = count / 2;
        let median = match count % 2 {
            1 => sorted[middle],
            _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
        };
        Some(Interval {
            median,
            low: sorted[left_out],
            high: sorted[count - 1 - left_out],
        })
    }

    /// Returns whether two intervals have no number in common.
    pub(crate) fn differs_from(&self, other: &Interval) -> bool {
        self.low > other.high || other.low > self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranks_are_those_of_the_binomial_distribution() {
        // (runs, rank of the lower end from 1): tables of the sign test at 5 %, two-sided.
        for (count, rank) in [(6, 1), (8, 1), (9, 2), (12, 3), (15, 4), (20, 6), (25, 8)] {
            let runs: Vec<f64> = (1..=count).map(f64::from).collect();
            let interval = Interval::of(&runs).unwrap();
            assert_eq!(interval.low, f64::from(rank), "{count}");
            assert_eq!(interval.high, f64::from(count + 1 - rank), "{count}");
            assert_eq!(interval.median, f64::from(count + 1) / 2.0);
        }
        assert_eq!(Interval::of(&[1.0; 5]), None);
    }

    #[test]
    fn intervals_of_the_same_device_seldom_differ() {
        // Skewed noise of simulated runs: two sets of nine from the same distribution.
        let mut random = fastrand::Rng::with_seed(1);
        let mut draw = || -> Vec<f64> {
            let time = |_| 100.0 - random.f64().ln() * 5.0;
            (0..9).map(time).collect()
        };
        let mut differ = 0;
        for _ in 0..2000 {
            let [a, b] = [draw(), draw()].map(|runs| Interval::of(&runs).unwrap());
            differ += u32::from(a.differs_from(&b));
        }
        // Both must miss on opposite sides: far rarer than 2 %.
        assert!(differ <= 40, "{differ} of 2000");
    }
}
