//! The change of a kernel's time since earlier runs, and whether it is more than noise.
//!
//! Two runs of the same code differ by more than their own turns show: the machine is warmer,
//! memory lies elsewhere, other programs run. How much tells only the history.

use crate::results::{KernelRow, Run};

/// Number of the last earlier runs that count, and that there must be: older ones had other code,
/// and fewer do not tell changes from noise. A machine that is slow in one of `n` runs, by whatever
/// factor, is first seen slow in a run after `k` quick ones with a probability of at most `1 / (k +
/// 1) * (k / (k + 1)) ^ k`, which is below 2 % from 18 on.
pub(crate) const ENOUGH: usize = 20;
/// A time is beyond noise if it lies outside of the earlier ones by this many times their range,
/// as logarithms. The test has the kinds of noise for which it holds.
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
    let earlier = &earlier[earlier.len().saturating_sub(ENOUGH)..];
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
            100.0, 101.0, 102.0, 100.5, 101.5, 100.2, 101.1, 102.0, 100.9, 101.7, 100.3, 100.8,
            101.2, 101.9, 100.1, 100.6, 101.4, 100.7, 100.4, 101.3,
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

    /// Returns the logarithms of the times of one program in runs one after another.
    ///
    /// `skewed` is noise as other work makes it, `heavy` is log-normal. The others are not
    /// independent from run to run: `drift` is a machine whose speed wanders, `day` one that is
    /// slower by day than by night, with a run each 100 minutes, `loaded` one that takes twice the
    /// time in one run of ten, and `seldom` one that does so in one of 21, the worst share for 20
    /// runs.
    fn noise(kind: &str, runs: usize, random: &mut fastrand::Rng) -> Vec<f64> {
        let normal = |random: &mut fastrand::Rng| (0..12).map(|_| random.f64()).sum::<f64>() - 6.0;
        let mut drift = normal(random);
        let start = random.f64();
        let each = |run: usize| {
            drift = 0.8 * drift + 0.6 * normal(random);
            let hour = start + run as f64 * 100.0 / 1440.0;
            let doubled = |random: &mut fastrand::Rng, share: f64| {
                let load = if random.f64() < share {
                    2.0_f64.ln()
                } else {
                    0.0
                };
                load + 0.02 * normal(random).abs()
            };
            match kind {
                "skewed" => 0.05 * -random.f64().ln(),
                "normal" => 0.05 * normal(random),
                "heavy" => 0.03 * normal(random).exp(),
                "drift" => 0.03 * drift + 0.01 * normal(random),
                "day" => 0.05 * (hour * std::f64::consts::TAU).sin() + 0.01 * normal(random),
                "loaded" => doubled(random, 0.1),
                "seldom" => doubled(random, 1.0 / 21.0),
                _ => panic!("{kind}"),
            }
        };
        (0..runs).map(each).collect()
    }

    #[test]
    fn the_same_code_differs_from_its_history_in_at_most_2_percent() {
        let mut random = fastrand::Rng::with_seed(3);
        for kind in [
            "skewed", "normal", "heavy", "drift", "day", "loaded", "seldom",
        ] {
            for earlier in [ENOUGH, 40] {
                let mut wrong = 0;
                for _ in 0..4000 {
                    let runs = noise(kind, earlier + 1, &mut random);
                    let runs: Vec<f64> = runs.iter().map(|run| 100.0 * run.exp()).collect();
                    let (now, earlier) = runs.split_last().unwrap();
                    wrong += u32::from(verdict(*now, earlier) != Verdict::Same);
                }
                assert!(wrong <= 80, "{kind}, {earlier} runs: {wrong} of 4000");
            }
        }
        let chance = |k: f64| 1.0 / (k + 1.0) * (k / (k + 1.0)).powf(k);
        assert!(chance(ENOUGH as f64) < 0.02);
    }

    #[test]
    fn a_slow_half_is_noticed() {
        // 2 % of noise and a change by half.
        let earlier: Vec<f64> = (0..20).map(|run| 100.0 + f64::from(run % 3)).collect();
        assert_eq!(verdict(150.0, &earlier), Verdict::Slower);
    }
}
