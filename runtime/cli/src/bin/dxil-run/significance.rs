//! Whether two sets of times differ by more than chance.

use std::time::Duration;

/// Probability below which a difference counts as significant.
pub(crate) const LEVEL: f64 = 0.01;

/// Minimum number of times of each side: with fewer no difference can be significant at [`LEVEL`].
pub(crate) const MINIMUM: usize = 5;

/// Returns the median of some times; zero for none.
pub(crate) fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Returns the probability that chance alone makes the times differ as much as they do: the
/// two-sided Mann-Whitney U test, which asks nothing of their distribution, with the normal
/// approximation and the correction for ties. Returns `None` for fewer than [`MINIMUM`] times.
pub(crate) fn p_value(a: &[Duration], b: &[Duration]) -> Option<f64> {
    if a.len() < MINIMUM || b.len() < MINIMUM {
        return None;
    }
    let mut all: Vec<(Duration, bool)> = Vec::with_capacity(a.len() + b.len());
    all.extend(a.iter().map(|time| (*time, true)));
    all.extend(b.iter().map(|time| (*time, false)));
    // The side takes part in the order, but equal times share a rank, so it does not matter.
    all.sort_unstable();
    let (n, m) = (a.len() as f64, b.len() as f64);
    let total = n + m;
    let mut ranks_of_a = 0.0;
    let mut ties = 0.0;
    let mut rest = all.as_slice();
    let mut rank = 0.0;
    while let Some((time, _)) = rest.first() {
        let same = rest.iter().take_while(|(other, _)| other == time).count();
        let (tied, others) = rest.split_at(same);
        let count = same as f64;
        // Equal times share the mean of their ranks.
        let mean = rank + (count + 1.0) / 2.0;
        ranks_of_a += mean * tied.iter().filter(|(_, is_a)| *is_a).count() as f64;
        ties += count.powi(3) - count;
        rank += count;
        rest = others;
    }
    let u = ranks_of_a - n * (n + 1.0) / 2.0;
    let variance = n * m / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
    // All times are equal.
    if variance <= 0.0 {
        return Some(1.0);
    }
    // Half a rank of continuity correction.
    let distance = ((u - n * m / 2.0).abs() - 0.5).max(0.0);
    Some(2.0 * upper_tail(distance / variance.sqrt()))
}

/// Returns the probability that a normally distributed value is above `z`.
fn upper_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(values: &[u64]) -> Vec<Duration> {
        values.iter().map(|us| Duration::from_micros(*us)).collect()
    }

    #[test]
    fn tails_are_those_of_the_normal_distribution() {
        for (z, p) in [
            (0.0, 0.5),
            (1.0, 0.158_655),
            (1.959_964, 0.025),
            (3.0, 0.001_35),
        ] {
            assert!((upper_tail(z) - p).abs() < 1e-6, "{z}: {}", upper_tail(z));
        }
    }

    #[test]
    fn separate_times_differ_and_interleaved_times_do_not() {
        let low = times(&[10, 11, 12, 13, 14, 15, 16, 17]);
        let high = times(&[20, 21, 22, 23, 24, 25, 26, 27]);
        // SciPy: mannwhitneyu(low, high).pvalue with method="asymptotic".
        let p = p_value(&low, &high).unwrap();
        assert!((p - 0.000_939).abs() < 1e-5, "{p}");
        let even = times(&[10, 12, 14, 16, 18, 20]);
        let odd = times(&[11, 13, 15, 17, 19, 21]);
        assert!(p_value(&even, &odd).unwrap() > 0.3);
        assert_eq!(p_value(&times(&[5; 6]), &times(&[5; 6])), Some(1.0));
        assert_eq!(p_value(&low, &times(&[1])), None);
    }
}
