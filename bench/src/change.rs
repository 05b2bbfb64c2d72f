//! The change of a kernel's time since earlier runs, and whether it is more than noise.
//!
//! Two runs of the same code differ by more than their own turns show: the machine is warmer, memory
//! lies elsewhere, other programs run. How much tells only the history.

use crate::results::{KernelRow, Run};

/// Number of earlier runs from which on changes are told from noise.
pub(crate) const ENOUGH: usize = 10;
/// Number of the last earlier runs that count: older ones had other code.
const LAST: usize = 20;
/// A time is beyond noise if it lies outside of the earlier ones by this many times their range,
/// as logarithms. In simulations, after ten earlier runs, 0.4 % of the times of the same code with
/// exponential noise do, 1.1 % with log-normal noise (whose logarithm has the deviation 1), and
/// less than 0.05 % with normal noise.
const RANGES: f64 = 2.0;

/// What a change means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Faster,
    Slower,
    /// Noise explains it.
    Same,
    /// There are too few earlier runs.
    Unknown,
}

/// The change of our time of a kernel since the last earlier run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Change {
    /// Best time now divided by the best time then.
    pub(crate) ratio: f64,
    /// Relative difference that the noise within both runs explains.
    pub(crate) noise: f64,
    pub(crate) verdict: Verdict,
}

impl Change {
    /// Returns the change of a kernel; `None` if this run or the last one of `history` did not
    /// measure it. The history is ordered by date.
    pub(crate) fn of(now: &KernelRow, history: &[Run]) -> Option<Self> {
        let last = history.last()?.kernel(&now.kernel)?;
        let best = now.best_us("ours")?;
        let rows = history.iter().filter_map(|run| run.kernel(&now.kernel));
        let times: Vec<f64> = rows.filter_map(|row| row.best_us("ours")).collect();
        let ratio = best / last.best_us("ours")?;
        let noise = now.noise.unwrap_or(0.0) + last.noise.unwrap_or(0.0);
        let verdict = match verdict(best, &times) {
            Verdict::Faster | Verdict::Slower if (ratio - 1.0).abs() <= noise => Verdict::Same,
            verdict => verdict,
        };
        Some(Change {
            ratio,
            noise,
            verdict,
        })
    }

    /// Returns whether it is more than noise.
    pub(crate) fn is_significant(self) -> bool {
        matches!(self.verdict, Verdict::Faster | Verdict::Slower)
    }
}

/// Compares a time with those of earlier runs, the oldest first.
fn verdict(now: f64, earlier: &[f64]) -> Verdict {
    let earlier = &earlier[earlier.len().saturating_sub(LAST)..];
    if earlier.len() < ENOUGH {
        return Verdict::Unknown;
    }
    let logarithms = earlier.iter().map(|time| time.ln());
    let low = logarithms.clone().fold(f64::INFINITY, f64::min);
    let high = logarithms.fold(f64::NEG_INFINITY, f64::max);
    let margin = RANGES * (high - low);
    match now.ln() {
        time if time > high + margin => Verdict::Slower,
        time if time < low - margin => Verdict::Faster,
        _ => Verdict::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_beyond_twice_the_range_count_if_there_are_enough_runs() {
        let earlier = [
            100.0, 101.0, 102.0, 100.5, 101.5, 100.2, 101.1, 102.0, 100.9, 101.7,
        ];
        // The range is 2 %: changes below 96.1 and above 106.1 are beyond it.
        for (now, expected) in [
            (95.9, Verdict::Faster),
            (96.4, Verdict::Same),
            (101.0, Verdict::Same),
            (105.8, Verdict::Same),
            (106.5, Verdict::Slower),
        ] {
            assert_eq!(verdict(now, &earlier), expected, "{now}");
        }
        assert_eq!(verdict(500.0, &earlier[1..]), Verdict::Unknown);
    }

    #[test]
    fn the_same_code_differs_from_its_history_in_less_than_2_percent() {
        // Logarithms of noise: skewed, as times of a machine with other work are; normal; and
        // log-normal, which is heavier than either.
        let mut random = fastrand::Rng::with_seed(3);
        let mut uniform = move || random.f64();
        let normal =
            |uniform: &mut dyn FnMut() -> f64| (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        for kind in ["skewed", "normal", "heavy"] {
            let mut draw = || {
                let noise = match kind {
                    "skewed" => 0.05 * -uniform().ln(),
                    "normal" => 0.05 * normal(&mut uniform),
                    _ => 0.03 * normal(&mut uniform).exp(),
                };
                100.0 * noise.exp()
            };
            for runs in [ENOUGH, 15, 40] {
                let mut wrong = 0;
                for _ in 0..4000 {
                    let earlier: Vec<f64> = (0..runs).map(|_| draw()).collect();
                    let now = draw();
                    wrong += u32::from(verdict(now, &earlier) != Verdict::Same);
                }
                assert!(wrong <= 80, "{kind}, {runs} runs: {wrong} of 4000");
            }
        }
    }

    #[test]
    fn a_slow_half_is_noticed() {
        // 2 % of noise and a change by half.
        let earlier: Vec<f64> = (0..10).map(|run| 100.0 + f64::from(run % 3)).collect();
        assert_eq!(verdict(150.0, &earlier), Verdict::Slower);
    }
}
