//! Setup of primitives: what changes linearly over the target, facing, and the depth bias (D3D11.3
//! functional specification, 3.4.1, 15.10 and 15.11).

use super::state::DepthBias;
use super::viewport::{Placed, SUBPIXELS};

/// A number that changes linearly over the target.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Plane {
    /// A place in pixels, and the number there.
    base: [f64; 2],
    value: f64,
    /// Change per pixel to the right and down.
    pub(super) gradient: [f64; 2],
}

impl Plane {
    pub(super) fn at(&self, place: [f64; 2]) -> f64 {
        let [x, y] = [place[0] - self.base[0], place[1] - self.base[1]];
        self.value + self.gradient[0] * x + self.gradient[1] * y
    }
}

/// What a primitive interpolates.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Planes {
    /// Weights of the vertices with perspective, divided by w.
    pub(super) perspective: [Plane; 3],
    /// Weights of the vertices on the screen.
    pub(super) linear: [Plane; 3],
    pub(super) inverse_w: Plane,
    pub(super) depth: Plane,
}

/// The area of a primitive: places in 256ths of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A triangle whose corners are in clockwise order.
    Triangle([[i64; 2]; 3]),
    /// A line from the first to the second place.
    Line([[i64; 2]; 2]),
    /// A square of one pixel around the place.
    Point([i64; 2]),
}

/// A primitive that is ready to be rasterized.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Primitive {
    /// The area.
    pub shape: Shape,
    /// What is interpolated over it.
    pub planes: Planes,
    /// Whether a triangle's vertices are in clockwise order on the screen.
    pub is_clockwise: bool,
}

/// The unit of a constant depth bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BiasedDepth {
    /// A depth buffer of normalized integers of that many bits, or none (24 bits count then).
    Unorm(u32),
    /// A depth buffer of floats of 32 bits.
    Float,
}

/// The corners of a part of a primitive, with how the number of each changes over the target.
struct Part<'a> {
    corners: &'a [&'a Placed],
    base: [f64; 2],
    /// Weight of each corner at the base, and its change.
    shares: [(f64, [f64; 2]); 3],
    /// w of the primitive's vertices.
    vertex_w: [f64; 3],
}

impl Part<'_> {
    fn plane(&self, value: impl Fn(&Placed) -> f64) -> Plane {
        let mut plane = Plane {
            base: self.base,
            ..Plane::default()
        };
        // Differences to the first corner: equal values give exactly that value.
        let first = self.corners.first().map_or(0.0, |corner| value(corner));
        plane.value = first;
        for (corner, (share, change)) in self.corners.iter().zip(&self.shares).skip(1) {
            let difference = value(corner) - first;
            plane.value += difference * share;
            for (gradient, change) in plane.gradient.iter_mut().zip(change) {
                *gradient += difference * change;
            }
        }
        plane
    }

    fn planes(&self) -> Planes {
        Planes {
            perspective: [0, 1, 2].map(|vertex| self.plane(|c| c.weights[vertex] * c.inverse_w)),
            linear: [0, 1, 2].map(|vertex| {
                // Of the product of weight and w, the screen sees the share.
                self.plane(|c| match c.weights[vertex] {
                    1.0 => 1.0,
                    weight => weight * self.vertex_w[vertex] * c.inverse_w,
                })
            }),
            inverse_w: self.plane(|c| c.inverse_w),
            depth: self.plane(|c| c.depth),
        }
    }
}

fn pixels(at: [i64; 2]) -> [f64; 2] {
    at.map(|part| part as f64 / SUBPIXELS as f64)
}

impl Primitive {
    /// Sets up a triangle, perhaps a part of a clipped one; `None` if it has no area. `vertex_w`
    /// has w of the three vertices that the weights refer to.
    pub fn triangle(corners: [&Placed; 3], vertex_w: [f64; 3]) -> Option<Primitive> {
        let [a, b, c] = corners.map(|corner| corner.at);
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if area == 0 {
            return None;
        }
        let scale = SUBPIXELS as f64 / area as f64;
        // The weight of a corner falls to 0 at the opposite edge.
        let change = |from: [i64; 2], to: [i64; 2]| {
            [
                (from[1] - to[1]) as f64 * scale,
                (to[0] - from[0]) as f64 * scale,
            ]
        };
        let part = Part {
            corners: &corners,
            base: pixels(a),
            shares: [
                (1.0, change(b, c)),
                (0.0, change(c, a)),
                (0.0, change(a, b)),
            ],
            vertex_w,
        };
        let is_clockwise = area > 0;
        Some(Primitive {
            shape: Shape::Triangle(if is_clockwise { [a, b, c] } else { [a, c, b] }),
            planes: part.planes(),
            is_clockwise,
        })
    }

    /// Sets up a line; `None` if it has no length.
    pub fn line(ends: [&Placed; 2], vertex_w: [f64; 3]) -> Option<Primitive> {
        let [a, b] = ends.map(|end| end.at);
        let [x, y] = [b[0] - a[0], b[1] - a[1]];
        let squared = x * x + y * y;
        if squared == 0 {
            return None;
        }
        let scale = SUBPIXELS as f64 / squared as f64;
        let change = [x as f64 * scale, y as f64 * scale];
        let part = Part {
            corners: &ends,
            base: pixels(a),
            shares: [
                (1.0, change.map(|part| -part)),
                (0.0, change),
                (0.0, [0.0; 2]),
            ],
            vertex_w,
        };
        Some(Primitive {
            shape: Shape::Line([a, b]),
            planes: part.planes(),
            is_clockwise: true,
        })
    }

    /// Sets up a point.
    pub fn point(corner: &Placed) -> Primitive {
        let part = Part {
            corners: &[corner],
            base: pixels(corner.at),
            shares: [(1.0, [0.0; 2]); 3],
            vertex_w: [corner.inverse_w.recip(); 3],
        };
        Primitive {
            shape: Shape::Point(corner.at),
            planes: part.planes(),
            is_clockwise: true,
        }
    }

    /// Returns what the depth bias adds to each depth of a triangle (15.10). `depths` are those of
    /// its corners.
    pub fn depth_bias(&self, bias: &DepthBias, unit: BiasedDepth, depths: &[f64]) -> f32 {
        let [across, down] = self.planes.depth.gradient.map(|part| part.abs() as f32);
        let slope = match bias.slope {
            0.0 => 0.0,
            slope => slope * across.max(down),
        };
        let unit = match unit {
            BiasedDepth::Unorm(bits) => 1.0 / ((1_u64 << bits) - 1) as f32,
            BiasedDepth::Float => {
                let greatest = depths
                    .iter()
                    .fold(0.0_f64, |most, depth| most.max(depth.abs()));
                // The exponent of a float is in the bits above its mantissa.
                let exponent = ((greatest as f32).to_bits() >> 23) as i32 - 127;
                2.0_f32.powi((exponent - 23).max(-149))
            }
        };
        let sum = bias.constant as f32 * unit + slope;
        match bias.clamp {
            clamp if clamp > 0.0 => sum.min(clamp),
            clamp if clamp < 0.0 => sum.max(clamp),
            _ => sum,
        }
    }

    /// Adds to the depth everywhere.
    pub fn add_depth(&mut self, bias: f32) {
        self.planes.depth.value += f64::from(bias);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::{Corner, Transform, Weights};

    fn placed(positions: [[f32; 4]; 3]) -> [Placed; 3] {
        let transform = Transform::new(&[0.0, 0.0, 8.0, 8.0].into());
        [0, 1, 2].map(|i| transform.place(&Corner::of_vertex(positions[i], i)))
    }

    fn triangle(positions: [[f32; 4]; 3]) -> Primitive {
        let [a, b, c] = &placed(positions);
        let w = positions.map(|p| f64::from(p[3]));
        Primitive::triangle([a, b, c], w).unwrap()
    }

    #[test]
    fn the_order_on_the_screen_tells_the_face() {
        let clockwise = [
            [-1.0, 1.0, 0.0, 1.0],
            [1.0, 1.0, 0.0, 1.0],
            [-1.0, -1.0, 0.0, 1.0],
        ];
        assert!(triangle(clockwise).is_clockwise);
        let [a, b, c] = clockwise;
        assert!(!triangle([a, c, b]).is_clockwise);
        let flat = placed([a, b, b]);
        assert!(Primitive::triangle([&flat[0], &flat[1], &flat[2]], [1.0; 3]).is_none());
    }

    /// Along the screen, 1/w is linear: with w = 1 on the left and 4 on the right, half way between
    /// them 1/w is 5/8, and the weight with perspective of the right side (1/2 * 1/4) / (5/8).
    #[test]
    fn perspective_follows_w() {
        let at = |x: f32, y: f32, w: f32| [x * w, y * w, 0.5 * w, w];
        let primitive = triangle([at(-1.0, 1.0, 1.0), at(1.0, 1.0, 4.0), at(-1.0, -1.0, 1.0)]);
        let weights = primitive.planes.weights([4.0, 0.0]);
        assert!((weights.perspective[1] - 0.2).abs() < 1e-12);
        assert!((weights.linear[1] - 0.5).abs() < 1e-12);
        assert!((weights.w - 1.6).abs() < 1e-12);
        assert_eq!(weights.depth, 0.5);
        // The quotient of the gradients meets the value at another place exactly.
        let values = [1.0, 2.0, 3.0];
        let [x, y, w_x, w_y] = primitive.planes.gradients([4.0, 1.0], values);
        let here = primitive.planes.weights([4.0, 1.0]).perspective;
        let there = primitive.planes.weights([4.5, 0.75]).perspective;
        let value = Weights::mix(&here, values) + 0.5 * x - 0.25 * y;
        let moved = value / (1.0 + 0.5 * w_x - 0.25 * w_y);
        assert!((moved - Weights::mix(&there, values)).abs() < 1e-6);
    }

    /// The formulas of 15.10.
    #[test]
    fn depth_bias_has_the_unit_of_the_format_and_the_greatest_slope() {
        // From 0 at the top to 1 at the bottom, over 8 pixels.
        let primitive = triangle([
            [-1.0, 1.0, 0.0, 1.0],
            [1.0, 1.0, 0.0, 1.0],
            [-1.0, -1.0, 1.0, 1.0],
        ]);
        let bias = |constant, slope, clamp| DepthBias {
            constant,
            slope,
            clamp,
        };
        let depths = [0.0, 0.0, 1.0];
        let of = |bias, unit| primitive.depth_bias(&bias, unit, &depths);
        assert_eq!(of(bias(2, 0.0, 0.0), BiasedDepth::Unorm(16)), 2.0 / 65535.0);
        assert_eq!(of(bias(0, 4.0, 0.0), BiasedDepth::Unorm(24)), 0.5);
        assert_eq!(of(bias(0, 4.0, 0.25), BiasedDepth::Unorm(24)), 0.25);
        assert_eq!(of(bias(0, -4.0, -0.25), BiasedDepth::Unorm(24)), -0.25);
        // The greatest depth is 1 = 2^0.
        assert_eq!(of(bias(8, 0.0, 0.0), BiasedDepth::Float), 8.0 / 8_388_608.0);
    }
}
