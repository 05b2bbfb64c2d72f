//! From clip space to places in the target (D3D11.3 functional specification, 15.5, 15.6 and
//! 3.4.1).

use super::corner::Corner;
use super::state::Viewport;

/// Units of a place in a pixel: fixed-point numbers have eight bits of fraction.
pub const SUBPIXELS: i64 = 256;

/// Places reach from minus this many pixels up to it (15.16.1: 16.8 bits).
const RANGE: f64 = 32767.0;

/// A corner in the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// x and y in 256ths of a pixel, from the target's upper left corner.
    pub at: [i64; 2],
    /// Depth in the viewport's range.
    pub depth: f64,
    /// 1 / w.
    pub inverse_w: f64,
    /// Weights of the primitive's vertices.
    pub weights: [f64; 3],
    /// [`Corner::edge`].
    pub edge: u8,
}

/// The transformation of a viewport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Pixels of half the width and height, and of the centre.
    half: [f64; 2],
    center: [f64; 2],
    depths: [f64; 2],
}

impl Transform {
    /// Returns the transformation of a viewport.
    pub fn new(viewport: &Viewport) -> Transform {
        let [left, top, width, height] = viewport.area.map(f64::from);
        let half = [width / 2.0, height / 2.0];
        Transform {
            half,
            center: [left + half[0], top + half[1]],
            depths: viewport.depths.map(f64::from),
        }
    }

    /// Returns the planes in clip space outside of which places have no fixed-point number.
    pub(super) fn guard_band(&self) -> [[f64; 4]; 4] {
        let [x, y] = self.half;
        let [right, down] = self.center;
        [
            [x, 0.0, 0.0, RANGE + right],
            [-x, 0.0, 0.0, RANGE - right],
            [0.0, -y, 0.0, RANGE + down],
            [0.0, y, 0.0, RANGE - down],
        ]
    }

    /// Returns a corner's place, snapped to the nearest fixed-point number.
    pub fn place(&self, corner: &Corner) -> Placed {
        let [x, y, z, w] = corner.position;
        let inverse_w = w.recip();
        // Corners beyond the range come only from viewports beyond it: of huge numbers no
        // difference would be exact.
        let snapped = |pixels: f64| {
            let pixels = pixels.clamp(-RANGE, RANGE);
            (pixels * SUBPIXELS as f64).round_ties_even() as i64
        };
        let [near, far] = self.depths;
        Placed {
            at: [
                snapped(self.center[0] + x / w * self.half[0]),
                snapped(self.center[1] - y / w * self.half[1]),
            ],
            depth: near + z / w * (far - near),
            inverse_w,
            weights: corner.weights,
            edge: corner.edge,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_clip_space_are_those_of_the_viewport() {
        let viewport = Viewport {
            area: [10.0, 20.0, 40.0, 60.0],
            depths: [0.25, 0.75],
        };
        let transform = Transform::new(&viewport);
        let place = |position| transform.place(&Corner::of_vertex(position, 0));
        let upper_left = place([-1.0, 1.0, 0.0, 1.0]);
        assert_eq!(upper_left.at, [10 * 256, 20 * 256]);
        assert_eq!(upper_left.depth, 0.25);
        let lower_right = place([2.0, -2.0, 2.0, 2.0]);
        assert_eq!(lower_right.at, [50 * 256, 80 * 256]);
        assert_eq!((lower_right.depth, lower_right.inverse_w), (0.75, 0.5));
    }

    #[test]
    fn places_snap_to_the_nearest_256th() {
        let transform = Transform::new(&[0.0, 0.0, 2.0, 2.0].into());
        // 1 + x pixels.
        for (x, units) in [(0.4 / 256.0, 256), (0.6 / 256.0, 257), (-0.6 / 256.0, 255)] {
            let corner = Corner::of_vertex([x, 0.0, 0.0, 1.0], 0);
            assert_eq!(transform.place(&corner).at, [units, 256]);
        }
    }
}
