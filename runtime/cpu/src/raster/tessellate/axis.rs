//! Points on an axis of a patch, in fixed-point numbers with 16 bits of fraction (D3D11.3
//! functional specification, 11.7.3, 11.7.4 and 11.7.14).

/// 1 as a fixed-point number.
pub(super) const ONE: u32 = 1 << 16;
const HALF: u32 = ONE / 2;

/// An axis with its partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) segments: u32,
    /// Points of one half, without the middle one.
    half_points: u32,
    /// Segments of the partitions between which the points move, and how far they are.
    floor_segments: u32,
    fraction: u32,
    /// The point of the smaller partition that is split.
    split: u32,
}

/// Returns a factor as a fixed-point number, rounded to the nearest.
pub(super) fn fixed(factor: f32) -> u32 {
    (f64::from(factor) * f64::from(ONE)).round_ties_even() as u32
}

/// Returns a number without its highest bit.
fn without_highest_bit(number: u32) -> u32 {
    match number.checked_ilog2() {
        Some(bit) => number & !(1 << bit),
        None => 0,
    }
}

impl Axis {
    /// Returns the partition of an axis by a fixed-point factor, into an odd or an even number of
    /// segments.
    pub(super) fn new(factor: u32, is_odd: bool) -> Axis {
        let mut half = factor.div_ceil(2);
        // With an odd number there is a segment around the middle, of which each half has a half.
        if is_odd {
            half += HALF;
        }
        let (floor, fraction) = (half / ONE, half % ONE);
        let ceil = floor + u32::from(fraction > 0);
        let odd = u32::from(is_odd);
        // Points split from the outside to the inside until their number is a power of two, and
        // then begin anew (11.7.5).
        let split = match (fraction, is_odd, floor) {
            (0, ..) => u32::MAX,
            (_, true, 1) => 0,
            (_, true, floor) => (without_highest_bit(floor - 1) << 1) + 1,
            (_, false, floor) => (without_highest_bit(floor) << 1) + 1,
        };
        Axis {
            segments: 2 * ceil - odd,
            half_points: ceil,
            floor_segments: 2 * floor - odd,
            fraction,
            split,
        }
    }

    /// Returns the place of a point, 0 to [`Axis::segments`]. Places are symmetric: those of two
    /// opposite points add up to 1 exactly (11.7.13).
    pub(super) fn place(&self, point: u32) -> u32 {
        let opposite = self.segments - point.min(self.segments);
        if opposite < point {
            return ONE - self.place(opposite);
        }
        if opposite == point {
            return HALF;
        }
        let on_floor = point - u32::from(point > self.split);
        let of = |index: u32, segments: u32| u64::from(index) * u64::from(reciprocal(segments));
        let from = of(on_floor, self.floor_segments);
        let to = of(point, self.segments);
        let fraction = u64::from(self.fraction);
        let mixed = from * (u64::from(ONE) - fraction) + to * fraction;
        ((mixed + u64::from(HALF)) >> 16) as u32
    }

    /// Returns whether, when an axis has as many points as it can, the segment after a point of its
    /// first half is one that this partition has as well. That tells which points of two edges
    /// belong together (11.7.6.2).
    pub(super) fn has_segment(&self, point: u32) -> bool {
        rank(point) < self.segments / 2
    }
}

/// Returns 1 / n.
fn reciprocal(segments: u32) -> u32 {
    let segments = segments.max(1);
    (ONE + segments / 2) / segments
}

/// Points of the first half of an axis with 64 segments, and one more.
pub(super) const HALF_POINTS: u32 = 33;

/// Returns when a point of the finest half came up: the corner first, then the middle of what is
/// there, from the outside to the inside, and last the point beside the corner.
fn rank(point: u32) -> u32 {
    match point {
        0 => 0,
        1 => HALF_POINTS - 1,
        point => {
            let place = point - 1;
            // Each number of points of a power of two fills the gaps of the one before.
            let level = place.trailing_zeros();
            (1 << (4_u32.saturating_sub(level))) + (place >> (level + 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(factor: f32, is_odd: bool) -> Vec<f64> {
        let axis = Axis::new(fixed(factor), is_odd);
        (0..=axis.segments)
            .map(|p| f64::from(axis.place(p)) / f64::from(ONE))
            .collect()
    }

    /// Whole factors of the right parity place points evenly, to the nearest of 2^-16 (11.7.10).
    #[test]
    fn whole_factors_are_uniform() {
        for factor in 1..=64_u32 {
            let found = places(factor as f32, factor % 2 == 1);
            assert_eq!(found.len() as u32, factor + 1);
            for (point, place) in found.iter().enumerate() {
                let wanted = point as f64 / f64::from(factor);
                // The reciprocal is rounded, and multiplied by at most 32.
                let error = (place - wanted).abs() * f64::from(ONE);
                assert!(
                    error <= 0.5 * f64::from(factor).max(2.0),
                    "{factor}: {point}"
                );
            }
        }
    }

    /// Between two whole factors there are as many segments as the greater one has (11.7.10), and
    /// the places go from those of the lesser one to those of the greater one.
    #[test]
    fn fractional_factors_move_points() {
        assert_eq!(places(3.25, true).len(), 6);
        assert_eq!(places(2.25, false).len(), 5);
        // From 1 to 3 the corners split: new points move from 0 to 1/3.
        let third = places(2.0, true)[1];
        assert!((third - 1.0 / 6.0).abs() < 1e-4, "{third}");
        // From 2 to 4 the middle splits: from 1/2 to 1/4.
        let quarter = places(3.0, false)[1];
        assert_eq!(quarter, 0.375);
        // From 3 to 5 the first inner point splits: 1/3 to 1/5 and 1/3 to 2/5.
        let found = places(4.0, true);
        for (point, wanted) in [(1, (1.0 / 3.0 + 0.2) / 2.0), (2, (1.0 / 3.0 + 0.4) / 2.0)] {
            assert!((found[point] - wanted).abs() < 1e-4);
        }
        // From 6 to 8 even: the half has 3 segments, whose outermost point is split already, so the
        // middle one is: 2/6 stays one point, and 3/6 becomes 3/8 and 4/8.
        let found = places(7.0, false);
        for (point, from, to) in [(1, 1.0, 1.0), (2, 2.0, 2.0), (3, 3.0, 3.0)] {
            let wanted = (from / 6.0 + to / 8.0) / 2.0;
            assert!((found[point] - wanted).abs() < 1e-4, "{point}: {found:?}");
        }
    }

    #[test]
    fn places_are_symmetric_and_rise() {
        for step in 64..=1024 {
            let factor = step as f32 / 16.0;
            for is_odd in [false, true] {
                let axis = Axis::new(fixed(factor), is_odd);
                for point in 0..=axis.segments {
                    let (place, other) = (axis.place(point), axis.place(axis.segments - point));
                    assert_eq!(place + other, ONE);
                    assert!(point == 0 || axis.place(point - 1) <= place);
                }
            }
        }
    }

    /// Of each number of points those with the lowest ranks are there, so that an edge has all
    /// points of a coarser one.
    #[test]
    fn ranks_are_an_order() {
        let mut all: Vec<u32> = (0..HALF_POINTS).map(rank).collect();
        // The middle comes first, then the quarters, from the outside to the inside.
        assert_eq!([all[17], all[9], all[25], all[5]], [1, 2, 3, 4]);
        all.sort_unstable();
        assert_eq!(all, (0..HALF_POINTS).collect::<Vec<_>>());
    }
}
