//! The quads of pixels that a convex area covers (D3D11.3 functional specification, 3.4.2 and
//! 3.4.6).

use super::line::line_quads;
use super::quad::Quad;
use super::setup::Shape;
use super::viewport::SUBPIXELS;
use crate::execute::sample_place;

/// An edge: `across * x + down * y + rest` is not negative inside.
#[derive(Debug, Clone, Copy)]
struct Edge {
    across: i64,
    down: i64,
    rest: i64,
}

impl Edge {
    /// Returns the edge from one place to the next, clockwise around the area. A sample on it is
    /// inside if it is a top or a left edge (3.4.2.1).
    fn new(from: [i64; 2], to: [i64; 2]) -> Edge {
        let [x, y] = [to[0] - from[0], to[1] - from[1]];
        // Clockwise, top edges run to the right, and left edges upwards.
        let is_top_left = (y == 0 && x > 0) || y < 0;
        Edge {
            across: -y,
            down: x,
            rest: y * from[0] - x * from[1] - i64::from(!is_top_left),
        }
    }

    fn at(&self, x: i64, y: i64) -> i64 {
        self.across * x + self.down * y + self.rest
    }
}

/// Finds the quads that an area covers, two rows at a time.
#[derive(Debug, Clone)]
pub struct Scan {
    edges: Vec<Edge>,
    /// Places of the samples in their pixel, in 256ths.
    samples: Vec<[i64; 2]>,
    /// Left, top, right and bottom in pixels, the last two not included.
    bounds: [i64; 4],
    /// The next row; even.
    row: i64,
    end: i64,
    /// Quads of a line.
    listed: Vec<Quad>,
}

impl Scan {
    /// Begins with an area. `bounds` are left, top, right and bottom in pixels, the last two not
    /// included.
    pub fn new(shape: &Shape, samples: u32, bounds: [u32; 4]) -> Scan {
        let bounds = bounds.map(i64::from);
        let corners: Vec<[i64; 2]> = match *shape {
            Shape::Triangle(corners) => corners.to_vec(),
            Shape::Point([x, y]) => {
                let half = SUBPIXELS / 2;
                let [left, right] = [x - half, x + half];
                let [top, bottom] = [y - half, y + half];
                vec![[left, top], [right, top], [right, bottom], [left, bottom]]
            }
            Shape::Line(_) => Vec::new(),
        };
        let listed = match shape {
            Shape::Line(ends) => line_quads(*ends, samples, bounds),
            Shape::Triangle(_) | Shape::Point(_) => Vec::new(),
        };
        let rows = corners.iter().map(|[_, y]| y.div_euclid(SUBPIXELS));
        let first = rows.clone().min().unwrap_or(0).max(bounds[1]);
        let last = rows.max().unwrap_or(-1).min(bounds[3] - 1);
        let next = corners.iter().cycle().skip(1);
        let sample = |sample| {
            sample_place(sample, samples)
                .map(|part| SUBPIXELS / 2 + (part * SUBPIXELS as f32) as i64)
        };
        Scan {
            edges: corners
                .iter()
                .zip(next)
                .map(|(from, to)| Edge::new(*from, *to))
                .collect(),
            samples: (0..samples.max(1)).map(sample).collect(),
            bounds,
            row: first & !1,
            end: last + 1,
            listed,
        }
    }

    /// Adds the quads of the next two rows; returns false where there are no more.
    pub fn next_rows(&mut self, out: &mut Vec<Quad>) -> bool {
        if !self.listed.is_empty() {
            out.append(&mut self.listed);
            return true;
        }
        if self.row >= self.end {
            return false;
        }
        let row = self.row;
        self.row += 2;
        let [mut left, mut right] = [self.bounds[0], self.bounds[2] - 1];
        let rows = [row * SUBPIXELS, (row + 2) * SUBPIXELS];
        for edge in &self.edges {
            // The least and the greatest x at which the edge may be met within the rows.
            let most = rows.map(|y| edge.down * y + edge.rest);
            let most = most[0].max(most[1]);
            match edge.across {
                0 if most < 0 => return true,
                0 => {}
                across if across > 0 => {
                    left = left.max((-most).div_euclid(across).div_euclid(SUBPIXELS));
                }
                across => {
                    right = right.min(most.div_euclid(-across).div_euclid(SUBPIXELS));
                }
            }
        }
        let mut column = left & !1;
        while column <= right {
            let quad = self.quad([column, row]);
            if quad.covered != [0; 4] {
                out.push(quad);
            }
            column += 2;
        }
        true
    }

    fn quad(&self, [column, row]: [i64; 2]) -> Quad {
        let mut covered = [0; 4];
        for (pixel, covered) in (0..).zip(&mut covered) {
            let (x, y) = (column + pixel % 2, row + pixel / 2);
            let [left, top, right, bottom] = self.bounds;
            if x < left || x >= right || y < top || y >= bottom {
                continue;
            }
            for (sample, [dx, dy]) in self.samples.iter().enumerate() {
                let place = [x * SUBPIXELS + dx, y * SUBPIXELS + dy];
                let is_inside = self
                    .edges
                    .iter()
                    .all(|edge| edge.at(place[0], place[1]) >= 0);
                *covered |= u32::from(is_inside) << sample;
            }
        }
        Quad {
            at: [column as u32, row as u32],
            covered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quads(shape: Shape, samples: u32, bounds: [u32; 4]) -> Vec<Quad> {
        let mut scan = Scan::new(&shape, samples, bounds);
        let mut all = Vec::new();
        while scan.next_rows(&mut all) {}
        all
    }

    /// Returns the covered samples of each pixel of a target of 8x8.
    fn picture(shape: Shape, samples: u32) -> [[u32; 8]; 8] {
        let mut picture = [[0; 8]; 8];
        for quad in quads(shape, samples, [0, 0, 8, 8]) {
            for (pixel, covered) in quad.covered.iter().enumerate() {
                let [x, y] = quad.at.map(|n| n as usize);
                let place = &mut picture[y + pixel / 2][x + pixel % 2];
                assert_eq!(*place & covered, 0, "a sample is covered once");
                *place |= covered;
            }
        }
        picture
    }

    /// The rule of 3.4.2 by its words: a sample is inside if it is on the inner side of all edges,
    /// or on a top or left edge.
    fn by_the_rule(corners: [[i64; 2]; 3], [x, y]: [i64; 2]) -> bool {
        [0, 1, 2].iter().all(|&i| {
            let (from, to) = (corners[i], corners[(i + 1) % 3]);
            let other = corners[(i + 2) % 3];
            let side = |p: [i64; 2]| {
                (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0])
            };
            let is_top = from[1] == to[1] && other[1] > from[1];
            // A left edge is not horizontal, and the third corner is right of it at its height.
            let is_left = from[1] != to[1] && {
                let at = from[0] as f64
                    + (to[0] - from[0]) as f64 * (other[1] - from[1]) as f64
                        / (to[1] - from[1]) as f64;
                other[0] as f64 > at
            };
            match side([x, y]) * side(other).signum() {
                0 => is_top || is_left,
                inner => inner > 0,
            }
        })
    }

    #[test]
    fn triangles_follow_the_top_left_rule() {
        let mut random = fastrand::Rng::with_seed(12345);
        let mut next = |limit: u32| random.i64(0..i64::from(limit));
        for round in 0..400 {
            // Half of them with corners on the grid of centres, where ties are.
            let unit = if round % 2 == 0 { 128 } else { 1 };
            let mut corner = || {
                [
                    next(2304 / unit) * unit as i64 - 128,
                    next(2304 / unit) * unit as i64 - 128,
                ]
            };
            let [a, b, c] = [corner(), corner(), corner()];
            let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            if area == 0 {
                continue;
            }
            let corners = if area > 0 { [a, b, c] } else { [a, c, b] };
            let found = picture(Shape::Triangle(corners), 1);
            for (y, row) in found.iter().enumerate() {
                for (x, found) in row.iter().enumerate() {
                    let place = [x as i64 * 256 + 128, y as i64 * 256 + 128];
                    let wanted = u32::from(by_the_rule(corners, place));
                    assert_eq!(*found, wanted, "{corners:?} at {x}, {y}");
                }
            }
        }
    }

    #[test]
    fn neighbours_cover_each_sample_once() {
        let [w, h] = [8 * 256, 8 * 256];
        for samples in [1, 2, 4, 8, 16] {
            let center = [1100, 700];
            let border = [[0, 0], [w, 0], [w, h], [0, h]];
            let mut all = [[0; 8]; 8];
            for side in 0..4 {
                let corners = [center, border[side], border[(side + 1) % 4]];
                let found = picture(Shape::Triangle(corners), samples);
                for (row, more) in all.iter_mut().zip(found) {
                    for (place, more) in row.iter_mut().zip(more) {
                        assert_eq!(*place & more, 0);
                        *place |= more;
                    }
                }
            }
            assert_eq!(all, [[u32::MAX >> (32 - samples); 8]; 8]);
        }
    }

    /// Samples are tested at their own places: of a half-plane left of x = 4.5 pixels those of
    /// column 4 with negative x offsets are inside (19.2.4 lists them).
    #[test]
    fn samples_are_tested_at_their_places() {
        let x = 4 * 256 + 128;
        let corners = [[0, -2048], [x, 0], [x, 8 * 256]];
        let left = picture(
            Shape::Triangle([[-20_000, 1024], corners[1], corners[2]]),
            4,
        );
        let wanted = (0..4).fold(0, |mask, sample| {
            mask | u32::from(sample_place(sample, 4)[0] < 0.0) << sample
        });
        assert_eq!((left[4][3], left[4][4], left[4][5]), (15, wanted, 0));
    }

    #[test]
    fn points_are_squares_of_a_pixel() {
        // Around a pixel's centre: that pixel. On a corner of pixels: left and top edges count, so
        // the centre of the lower right pixel is outside and that of the upper left one inside.
        let of = |x, y| {
            let found = picture(Shape::Point([x, y]), 1);
            let mut all = Vec::new();
            for (row, line) in found.iter().enumerate() {
                let there = line.iter().enumerate().filter(|(_, c)| **c != 0);
                all.extend(there.map(|(column, _)| (column, row)));
            }
            all
        };
        assert_eq!(of(3 * 256 + 128, 5 * 256 + 128), [(3, 5)]);
        assert_eq!(of(3 * 256, 5 * 256), [(2, 4)]);
        assert_eq!(of(3 * 256 + 1, 5 * 256 + 1), [(3, 5)]);
        // With samples a point covers parts of several pixels.
        let found = picture(Shape::Point([3 * 256, 5 * 256]), 4);
        let counts: u32 = found.iter().flatten().map(|mask| mask.count_ones()).sum();
        assert_eq!(counts, 4);
    }

    #[test]
    fn nothing_outside_of_the_bounds_is_covered() {
        let corners = [[-9000, -9000], [30_000, -9000], [-9000, 30_000]];
        let all = quads(Shape::Triangle(corners), 1, [3, 1, 6, 4]);
        let count: u32 = all
            .iter()
            .flat_map(|q| q.covered)
            .map(u32::count_ones)
            .sum();
        assert_eq!(count, 9);
        assert!(quads(Shape::Triangle(corners), 1, [3, 3, 3, 9]).is_empty());
    }
}
