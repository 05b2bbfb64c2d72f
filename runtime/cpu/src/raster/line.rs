//! Aliased lines (D3D11.3 functional specification, 3.4.3): a pixel is drawn where the line leaves
//! the diamond of half a pixel around its centre.

use super::quad::Quad;
use super::viewport::SUBPIXELS;

const HALF: i64 = SUBPIXELS / 2;

/// A line along its major axis: the axis comes first in all places.
struct Line {
    ends: [[i64; 2]; 2],
    is_steep: bool,
}

impl Line {
    /// Returns whether a place is inside of the diamond around a pixel's centre. Its lower edges
    /// and its lower corner belong to it, and of steep lines the right corner as well.
    fn is_inside(&self, place: [i64; 2], center: [i64; 2]) -> bool {
        let [major, minor] = [place[0] - center[0], place[1] - center[1]];
        let (x, y) = if self.is_steep {
            (minor, major)
        } else {
            (major, minor)
        };
        match x.abs() + y.abs() {
            HALF => y > 0 || (self.is_steep && x == HALF),
            sum => sum < HALF,
        }
    }

    /// Returns the pixel across the major axis that the line is in at the centre of a pixel on that
    /// axis. A place between two pixels belongs to the left or upper one.
    fn minor_pixel(&self, center: i64) -> i64 {
        let [[x, y], [to_x, to_y]] = self.ends;
        let (run, rise) = (to_x - x, to_y - y);
        // The quotient rounded up, less one: run is not 0.
        let numerator = (y * run + rise * (center - x)) * run.signum();
        let denominator = run.abs() * SUBPIXELS;
        -(-numerator).div_euclid(denominator) - 1
    }

    fn is_drawn(&self, pixel: [i64; 2]) -> bool {
        let center = pixel.map(|n| n * SUBPIXELS + HALF);
        let [start, end] = self.ends;
        let reaches = (start[0].min(end[0])..=start[0].max(end[0])).contains(&center[0]);
        !self.is_inside(end, center) && (reaches || self.is_inside(start, center))
    }
}

/// Returns the quads of a line's pixels from its start to its end; all samples of a pixel are
/// covered (15.14.1). `bounds` are left, top, right and bottom in pixels, the last two not
/// included.
pub(super) fn line_quads(ends: [[i64; 2]; 2], samples: u32, bounds: [i64; 4]) -> Vec<Quad> {
    let all = u32::MAX >> (32 - samples.clamp(1, 32));
    let [from, to] = ends;
    let is_steep = (to[1] - from[1]).abs() > (to[0] - from[0]).abs();
    let swapped = |[x, y]: [i64; 2]| if is_steep { [y, x] } else { [x, y] };
    let line = Line {
        ends: ends.map(swapped),
        is_steep,
    };
    if line.ends[0][0] == line.ends[1][0] {
        return Vec::new();
    }
    let [left, top, right, bottom] = bounds;
    let (first, last) = if is_steep {
        (top, bottom)
    } else {
        (left, right)
    };
    let majors = line.ends.map(|end| end[0].div_euclid(SUBPIXELS));
    let (low, high) = (majors[0].min(majors[1]), majors[0].max(majors[1]));
    let pixels = low.max(first)..=high.min(last - 1);
    let mut quads: Vec<Quad> = Vec::new();
    let mut add = |major: i64| {
        let pixel = [major, line.minor_pixel(major * SUBPIXELS + HALF)];
        if !line.is_drawn(pixel) {
            return;
        }
        let [x, y] = swapped(pixel);
        if x < left || x >= right || y < top || y >= bottom {
            return;
        }
        let at = [x & !1, y & !1].map(|n| n as u32);
        let place = ((y & 1) * 2 + (x & 1)) as usize;
        if quads.last().is_none_or(|quad| quad.at != at) {
            quads.push(Quad {
                at,
                covered: [0; 4],
            });
        }
        if let Some(covered) = quads.last_mut().and_then(|q| q.covered.get_mut(place)) {
            *covered = all;
        }
    };
    if majors[0] <= majors[1] {
        pixels.for_each(&mut add);
    } else {
        pixels.rev().for_each(&mut add);
    }
    quads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(from: [i64; 2], to: [i64; 2]) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        for quad in line_quads([from, to], 1, [0, 0, 8, 8]) {
            for (place, covered) in (0..).zip(quad.covered) {
                if covered != 0 {
                    all.push((quad.at[0] + place % 2, quad.at[1] + place / 2));
                }
            }
        }
        all.sort_unstable();
        all
    }

    fn center(x: i64, y: i64) -> [i64; 2] {
        [x * 256 + 128, y * 256 + 128]
    }

    #[test]
    fn the_last_pixel_is_left_out_where_the_line_ends_in_its_diamond() {
        assert_eq!(pixels(center(1, 2), center(4, 2)), [(1, 2), (2, 2), (3, 2)]);
        assert_eq!(pixels(center(4, 2), center(1, 2)), [(2, 2), (3, 2), (4, 2)]);
        assert_eq!(pixels(center(3, 1), center(3, 3)), [(3, 1), (3, 2)]);
        assert_eq!(pixels(center(0, 0), center(2, 2)), [(0, 0), (1, 1)]);
        // From the left border of pixel 1 to the right border of pixel 2.
        assert_eq!(pixels([256, 640], [768, 640]), [(1, 2), (2, 2)]);
        assert!(pixels(center(1, 1), center(1, 1)).is_empty());
    }

    #[test]
    fn lines_end_to_end_draw_each_pixel_once() {
        let ends = [center(0, 1), [900, 500], [1500, 1210], center(7, 7)];
        let mut all: Vec<_> = ends.windows(2).flat_map(|w| pixels(w[0], w[1])).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    /// By the words of the rule: the line passes through a place in the diamond, and its end is
    /// outside. Places along it are sampled densely.
    #[test]
    fn pixels_are_those_whose_diamond_the_line_leaves() {
        let mut random = fastrand::Rng::with_seed(99);
        let mut next = || random.i64(0..2048);
        for _ in 0..60 {
            let (from, to) = ([next(), next()], [next(), next()]);
            let found = pixels(from, to);
            for y in 0..8 {
                for x in 0..8 {
                    let middle = center(x, y);
                    // How deep the line gets into the diamond, in 256ths of a pixel.
                    let depth = |place: [f64; 2]| {
                        let part = |axis: usize| (place[axis] - middle[axis] as f64).abs();
                        128.0 - part(0) - part(1)
                    };
                    let steps = 1024;
                    let at = |step: i32| {
                        let t = f64::from(step) / f64::from(steps);
                        [0, 1].map(|a| from[a] as f64 + (to[a] - from[a]) as f64 * t)
                    };
                    let deepest = (0..=steps).map(|s| depth(at(s))).fold(f64::MIN, f64::max);
                    let end = depth(at(steps));
                    // Where it is close, the steps do not tell.
                    if deepest.abs() < 4.0 || end.abs() < 4.0 {
                        continue;
                    }
                    let wanted = deepest > 0.0 && end < 0.0;
                    let is_drawn = found.contains(&(x as u32, y as u32));
                    assert_eq!(is_drawn, wanted, "{from:?} to {to:?} at {x}, {y}");
                }
            }
        }
    }
}
