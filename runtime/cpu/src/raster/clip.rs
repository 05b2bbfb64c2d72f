//! Clipping in clip space (D3D11.3 functional specification, 15.4).

use super::corner::{Corner, NEW_EDGE};
use super::viewport::Transform;

/// Components of `SV_ClipDistance` and `SV_CullDistance` together (15.4.3).
pub const CLIP_DISTANCES: usize = 8;

/// A plane: the side where the sum of products is not negative remains.
#[derive(Debug, Clone, Copy)]
enum Plane {
    /// Of the position.
    Space([f64; 4]),
    /// Of the vertices' clip distances, one each.
    Distances([f64; 3]),
}

impl Plane {
    fn distance(&self, corner: &Corner) -> f64 {
        let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum();
        match self {
            Plane::Space(plane) => sum(plane, &corner.position),
            // A vertex by itself has its own distance, even if another one is infinite.
            Plane::Distances(all) => {
                let used = all.iter().zip(corner.weights).filter(|(_, w)| *w != 0.0);
                used.map(|(distance, weight)| distance * weight).sum()
            }
        }
    }
}

/// The volume that primitives are clipped to.
#[derive(Debug, Clone)]
pub struct Clipper {
    planes: Vec<Plane>,
}

impl Clipper {
    /// Returns the volume of a viewport. x and y are clipped only where places in the target would
    /// not fit their fixed-point numbers; z is not, if depths are clamped.
    pub fn new(transform: &Transform, clamps_depth: bool) -> Clipper {
        // A point with w = 0 has no place; this is less than any w that a float has.
        let mut planes = vec![Plane::Space([0.0, 0.0, 0.0, 1.0])];
        if !clamps_depth {
            planes.push(Plane::Space([0.0, 0.0, 1.0, 0.0]));
            planes.push(Plane::Space([0.0, 0.0, -1.0, 1.0]));
        }
        planes.extend(transform.guard_band().map(Plane::Space));
        Clipper { planes }
    }

    /// Returns the convex polygon that remains of a primitive: nothing, a point, the ends of a
    /// line, or a triangle with up to as many more corners as there are planes. `distances` has the
    /// clip distances of each vertex.
    pub fn clip(&self, corners: &[Corner], distances: &[[f32; 3]]) -> Vec<Corner> {
        let bad = |value: &f64| value.is_nan();
        if corners.iter().any(|c| c.position.iter().any(bad)) {
            return Vec::new();
        }
        let count = corners.len().min(3);
        if distances
            .iter()
            .any(|all| all.iter().take(count).any(|d| d.is_nan()))
        {
            return Vec::new();
        }
        let mut polygon = corners.to_vec();
        let more = distances
            .iter()
            .map(|all| Plane::Distances(all.map(f64::from)));
        for plane in self.planes.iter().copied().chain(more) {
            polygon = cut(&polygon, plane);
            if polygon.is_empty() {
                break;
            }
        }
        // All of it at w = 0.
        polygon.retain(|corner| corner.position[3] > 0.0);
        polygon
    }

    /// Returns whether cull distances cull a primitive of that many vertices: all that it has of
    /// one component are negative or no numbers (15.4.2).
    pub fn is_culled(distances: &[[f32; 3]], vertices: usize) -> bool {
        let is_out = |all: &[f32; 3]| all.iter().take(vertices).all(|d| *d < 0.0 || d.is_nan());
        distances.iter().any(is_out)
    }
}

/// Returns the part of a point, line or convex polygon on the right side of a plane.
fn cut(corners: &[Corner], plane: Plane) -> Vec<Corner> {
    let distances: Vec<f64> = corners
        .iter()
        .map(|corner| plane.distance(corner))
        .collect();
    if distances.iter().all(|distance| *distance >= 0.0) {
        return corners.to_vec();
    }
    let mut out = Vec::with_capacity(corners.len() + 1);
    let count = corners.len();
    for (at, corner) in corners.iter().enumerate() {
        let next = (at + 1) % count;
        let (here, there) = (distances[at], distances[next]);
        if here >= 0.0 {
            out.push(*corner);
        }
        // A line has one edge only.
        if count < 3 && next == 0 {
            break;
        }
        if (here >= 0.0) == (there >= 0.0) {
            continue;
        }
        // From the inner end, so that two primitives with a common edge get the same corner.
        let (inner, outer) = if here >= 0.0 { (at, next) } else { (next, at) };
        let part = distances[inner] / (distances[inner] - distances[outer]);
        let mut crossing = corners[inner].towards(&corners[outer], part);
        crossing.edge = if here >= 0.0 { NEW_EDGE } else { corner.edge };
        out.push(crossing);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Viewport;

    fn clipper(clamps_depth: bool) -> Clipper {
        let viewport = Viewport::from([0.0, 0.0, 8.0, 8.0]);
        Clipper::new(&Transform::new(&viewport), clamps_depth)
    }

    fn triangle(positions: [[f32; 4]; 3]) -> [Corner; 3] {
        [0, 1, 2].map(|vertex| Corner::of_vertex(positions[vertex], vertex))
    }

    const WHOLE: [[f32; 4]; 3] = [
        [-1.0, -1.0, 0.5, 1.0],
        [0.0, 1.0, 0.5, 1.0],
        [1.0, -1.0, 0.5, 1.0],
    ];

    #[test]
    fn what_lies_inside_stays_as_it_is() {
        let corners = triangle(WHOLE);
        assert_eq!(clipper(false).clip(&corners, &[]), corners);
    }

    /// The near plane halves the edges from the vertex after it: two new corners with z = 0.
    #[test]
    fn the_near_and_the_far_plane_cut() {
        let mut behind = WHOLE;
        behind[1][2] = -0.5;
        let polygon = clipper(false).clip(&triangle(behind), &[]);
        assert_eq!(polygon.len(), 4);
        let made: Vec<_> = polygon.iter().filter(|c| c.position[2] == 0.0).collect();
        assert_eq!(made.len(), 2);
        for corner in made {
            assert_eq!(corner.weights[1], 0.5);
            assert_eq!(corner.weights.iter().sum::<f64>(), 1.0);
        }
        assert_eq!(clipper(true).clip(&triangle(behind), &[]).len(), 3);
        let mut beyond = WHOLE;
        beyond.iter_mut().for_each(|p| p[2] = 1.5);
        assert!(clipper(false).clip(&triangle(beyond), &[]).is_empty());
        // z = w is inside (15.4).
        beyond.iter_mut().for_each(|p| p[2] = 1.0);
        assert_eq!(clipper(false).clip(&triangle(beyond), &[]).len(), 3);
    }

    #[test]
    fn nothing_without_a_positive_w_remains() {
        let mut behind = WHOLE;
        behind[0][3] = -1.0;
        for corner in clipper(true).clip(&triangle(behind), &[]) {
            assert!(corner.position[3] > 0.0);
        }
        let none = WHOLE.map(|[x, y, z, _]| [x, y, z, 0.0]);
        assert!(clipper(true).clip(&triangle(none), &[]).is_empty());
        let mut nan = WHOLE;
        nan[2][0] = f32::NAN;
        assert!(clipper(false).clip(&triangle(nan), &[]).is_empty());
    }

    #[test]
    fn clip_distances_cut_where_they_are_zero() {
        let distances = [[1.0, -1.0, 1.0]];
        let polygon = clipper(false).clip(&triangle(WHOLE), &distances);
        assert_eq!(polygon.len(), 4);
        assert!(polygon.iter().all(|c| c.weights[1] <= 0.5));
        let nan = [[1.0, f32::NAN, 1.0]];
        assert!(clipper(false).clip(&triangle(WHOLE), &nan).is_empty());
    }

    #[test]
    fn edges_that_clipping_makes_are_known() {
        let distances = [[1.0, -1.0, 1.0]];
        let polygon = clipper(false).clip(&triangle(WHOLE), &distances);
        let edges: Vec<u8> = polygon.iter().map(|c| c.edge).collect();
        // From vertex 0 along edge 0, the new edge, along edge 1 to vertex 2, and edge 2.
        assert_eq!(edges, [0, 3, 1, 2]);
    }

    #[test]
    fn lines_and_points_are_clipped() {
        let ends = [[0.0, 0.0, 0.5, 1.0], [0.0, 0.0, 1.5, 1.0]];
        let ends = [0, 1].map(|vertex| Corner::of_vertex(ends[vertex], vertex));
        let rest = clipper(false).clip(&ends, &[]);
        assert_eq!(rest.len(), 2);
        assert_eq!((rest[1].position[2], rest[1].weights[1]), (1.0, 0.5));
        let point = [Corner::of_vertex([0.0, 0.0, -0.1, 1.0], 0)];
        assert!(clipper(false).clip(&point, &[]).is_empty());
        assert_eq!(clipper(false).clip(&ends[..1], &[[0.0; 3]]).len(), 1);
    }

    #[test]
    fn cull_distances_cull_if_all_are_out() {
        assert!(Clipper::is_culled(&[[1.0; 3], [-1.0, -0.5, f32::NAN]], 3));
        assert!(!Clipper::is_culled(&[[-1.0, 0.0, -1.0]], 3));
        assert!(Clipper::is_culled(&[[-1.0, 0.0, -1.0]], 1));
    }
}
