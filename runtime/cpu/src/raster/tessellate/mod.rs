//! The tessellator: points and primitives of a patch (D3D11.3 functional specification, 11.7).

mod axis;
mod stitch;

use dxil_frontend::dxil::{DomainShape, TessellatorOutput, TessellatorPartitioning};

use axis::{Axis, ONE, fixed};

/// What is tessellated, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tessellator {
    /// Domain.
    pub domain: DomainShape,
    /// Partitioning.
    pub partitioning: TessellatorPartitioning,
    /// Output primitive.
    pub output: TessellatorOutput,
    /// The maximum factor that the hull shader declares (10.13).
    pub max_factor: f32,
}

/// Points and primitives of a patch.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tessellation {
    /// `SV_DomainLocation` of each point.
    pub points: Vec<[f32; 3]>,
    /// Vertices of a primitive: 1, 2 or 3.
    pub size: u32,
    /// Points of the primitives.
    pub vertices: Vec<u32>,
}

/// The greatest factor (11.7.10).
const MAX_FACTOR: f32 = 64.0;
/// The least positive fixed-point number.
const EPSILON: f32 = 1.0 / 65536.0;

/// Points and triangles as they are made.
#[derive(Default)]
struct Mesh {
    /// Two coordinates as fixed-point numbers.
    points: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    fn point(&mut self, at: [u32; 2]) -> u32 {
        self.points.push(at);
        self.points.len() as u32 - 1
    }
}

impl Tessellator {
    /// Tessellates a patch with its factors: those of the edges (of isolines density and detail),
    /// and those inside along u and v. Returns `None` if the patch is culled (11.7.12).
    pub fn tessellate(&self, edges: &[f32], inside: [f32; 2]) -> Option<Tessellation> {
        let count = match self.domain {
            DomainShape::IsoLine => 2,
            DomainShape::Tri => 3,
            _ => 4,
        };
        let edges = edges.get(..count)?;
        // A factor that is no number is not greater either.
        if edges.iter().any(|factor| factor.is_nan() || *factor <= 0.0) {
            return None;
        }
        let limited = |factor: f32| factor.min(self.max_factor);
        let edges: Vec<f32> = edges.iter().copied().map(limited).collect();
        let inside = inside.map(limited);
        match (self.domain, &edges[..]) {
            (DomainShape::IsoLine, &[density, detail]) => Some(self.lines(density, detail)),
            (DomainShape::Tri, &[u, v, w]) => {
                let mesh = self.triangle([u, v, w], inside[0]);
                Some(self.finish(&mesh, |[u, v]| [u, v, ONE - u - v]))
            }
            (_, &[left, top, right, bottom]) => {
                let mesh = self.quad([left, top, right, bottom], inside);
                Some(self.finish(&mesh, |[u, v]| [u, v, 0]))
            }
            _ => None,
        }
    }

    /// Returns the least and the greatest factor.
    fn range(&self) -> [f32; 2] {
        match self.partitioning {
            TessellatorPartitioning::FractionalOdd => [1.0, MAX_FACTOR - 1.0],
            TessellatorPartitioning::FractionalEven => [2.0, MAX_FACTOR],
            _ => [1.0, MAX_FACTOR],
        }
    }

    fn axis(&self, factor: f32) -> Axis {
        match self.partitioning {
            TessellatorPartitioning::FractionalOdd => Axis::new(fixed(factor), true),
            TessellatorPartitioning::FractionalEven => Axis::new(fixed(factor), false),
            _ => {
                let whole = factor.ceil();
                Axis::new(fixed(whole), whole % 2.0 == 1.0)
            }
        }
    }

    fn edge(&self, factor: f32) -> Axis {
        let [least, most] = self.range();
        self.axis(factor.max(least).min(most))
    }

    /// Returns an axis inside of a patch. Where any factor is greater than 1, there is something
    /// between the edges (11.7.11.3), and as many segments as the least odd number of them.
    fn inner(&self, factor: f32, is_whole: bool) -> Axis {
        let [least, most] = self.range();
        let factor = factor.max(least).min(most);
        if is_whole || self.axis(factor).segments > 1 {
            self.axis(factor)
        } else {
            Axis::new(fixed(1.0 + EPSILON), true)
        }
    }

    /// Returns whether no factor makes a second segment.
    fn is_whole(&self, factors: &[f32]) -> bool {
        factors
            .iter()
            .all(|factor| self.edge(*factor).segments == 1)
    }

    fn lines(&self, density: f32, detail: f32) -> Tessellation {
        let whole = density.clamp(1.0, MAX_FACTOR).ceil();
        let across = Axis::new(fixed(whole), whole % 2.0 == 1.0);
        let along = self.edge(detail);
        let mut tessellation = Tessellation {
            size: if self.output == TessellatorOutput::Point {
                1
            } else {
                2
            },
            ..Tessellation::default()
        };
        // None is drawn at v = 1 (11.7.8).
        for line in 0..across.segments {
            let first = tessellation.points.len() as u32;
            for point in 0..=along.segments {
                let [u, v] = [along.place(point), across.place(line)].map(number);
                tessellation.points.push([u, v, 0.0]);
                if tessellation.size == 1 {
                    tessellation.vertices.push(first + point);
                } else if point < along.segments {
                    tessellation
                        .vertices
                        .extend([first + point, first + point + 1]);
                }
            }
        }
        tessellation
    }

    fn triangle(&self, edges: [f32; 3], inside: f32) -> Mesh {
        let is_whole = self.is_whole(&[edges[0], edges[1], edges[2], inside]);
        let axes = edges.map(|factor| self.edge(factor));
        let inner = self.inner(inside, is_whole);
        let mut mesh = Mesh::default();
        // Clockwise, from (0, 1, 0) along u = 0 to (0, 0, 1), along v = 0 to (1, 0, 0), and back
        // along w = 0.
        let border = ring(&mut mesh, &axes, |edge, point| {
            let axis = &axes[edge];
            match edge {
                0 => [0, axis.place(axis.segments - point)],
                1 => [axis.place(point), 0],
                _ => {
                    let place = axis.place(axis.segments - point);
                    [place, ONE - place]
                }
            }
        });
        if is_whole {
            mesh.triangles
                .push([border[0][0], border[1][0], border[2][0]]);
            return mesh;
        }
        let mut outer = border;
        for depth in 1..=inner.segments / 2 {
            let left = inner.segments - 2 * depth;
            let rows = self.inner_ring(&mut mesh, &inner, depth, left);
            for (edge, axis) in axes.iter().enumerate() {
                let (from, to) = (&outer[edge], &rows[edge]);
                if depth == 1 {
                    stitch::frame((from, axis), (to, &inner), &mut mesh.triangles);
                } else {
                    stitch::regular(from, to, &mut mesh.triangles);
                }
            }
            if left == 1 {
                mesh.triangles.push([rows[0][0], rows[1][0], rows[2][0]]);
            }
            outer = rows;
        }
        mesh
    }

    /// Adds a ring inside of a triangle, which has that many segments along each edge.
    fn inner_ring(&self, mesh: &mut Mesh, axis: &Axis, depth: u32, segments: u32) -> Vec<Vec<u32>> {
        // The distance from the edge is two thirds of the place on the way to the opposite edge,
        // so that the middle is the centre.
        let apart = |place: u32| {
            let third = u64::from(place) * u64::from(2 * ONE / 3 + 1);
            ((third + u64::from(ONE / 2)) >> 16) as u32
        };
        let distance = apart(axis.place(depth));
        let along = |point: u32| axis.place(point).saturating_sub(distance.div_ceil(2));
        let at = |edge: usize, point: u32| {
            let (forth, back) = (along(depth + point), along(depth + segments - point));
            match edge {
                0 => [distance, back],
                1 => [forth, distance],
                _ => [back, (ONE - distance).saturating_sub(back)],
            }
        };
        if segments == 0 {
            let center = mesh.point(at(0, 0));
            return vec![vec![center]; 3];
        }
        let shape = Axis::new(segments * ONE, !segments.is_multiple_of(2));
        ring(mesh, &[shape; 3], at)
    }

    fn quad(&self, edges: [f32; 4], inside: [f32; 2]) -> Mesh {
        let all = [edges[0], edges[1], edges[2], edges[3], inside[0], inside[1]];
        let is_whole = self.is_whole(&all);
        let axes = edges.map(|factor| self.edge(factor));
        let [across, down] = inside.map(|factor| self.inner(factor, is_whole));
        let mut mesh = Mesh::default();
        // Clockwise, from (0, 1) along u = 0, v = 0, u = 1 and v = 1.
        let border = ring(&mut mesh, &axes, |edge, point| {
            let axis = &axes[edge];
            let (forth, back) = (axis.place(point), axis.place(axis.segments - point));
            match edge {
                0 => [0, back],
                1 => [forth, 0],
                2 => [ONE, forth],
                _ => [back, ONE],
            }
        });
        if is_whole {
            // The diagonal of a Z.
            let [bottom_left, top_left, top_right, bottom_right] =
                [0, 1, 2, 3].map(|edge: usize| border[edge][0]);
            mesh.triangles.push([top_left, top_right, bottom_left]);
            mesh.triangles.push([top_right, bottom_right, bottom_left]);
            return mesh;
        }
        let columns = across.segments - 1;
        let rows = down.segments - 1;
        let first = mesh.points.len() as u32;
        for row in 1..=rows {
            for column in 1..=columns {
                mesh.point([across.place(column), down.place(row)]);
            }
        }
        let point = |column: u32, row: u32| first + (row - 1) * columns + column - 1;
        let sides: [Vec<u32>; 4] = [
            (1..=rows).rev().map(|row| point(1, row)).collect(),
            (1..=columns).map(|column| point(column, 1)).collect(),
            (1..=rows).map(|row| point(columns, row)).collect(),
            (1..=columns)
                .rev()
                .map(|column| point(column, rows))
                .collect(),
        ];
        for (edge, side) in sides.iter().enumerate() {
            let inner = if edge % 2 == 0 { &down } else { &across };
            stitch::frame(
                (&border[edge], &axes[edge]),
                (side, inner),
                &mut mesh.triangles,
            );
        }
        for row in 1..rows {
            for column in 1..columns {
                let [a, b] = [point(column, row), point(column + 1, row)];
                let [c, d] = [point(column, row + 1), point(column + 1, row + 1)];
                let right = (2 * column + 1).cmp(&across.segments);
                let low = (2 * row + 1).cmp(&down.segments);
                if falls(right, low) {
                    mesh.triangles.extend([[a, b, d], [a, d, c]]);
                } else {
                    mesh.triangles.extend([[a, b, c], [b, d, c]]);
                }
            }
        }
        mesh
    }

    /// Returns the primitives of a mesh; `location` completes the coordinates.
    fn finish(&self, mesh: &Mesh, location: impl Fn([u32; 2]) -> [u32; 3]) -> Tessellation {
        let points = mesh
            .points
            .iter()
            .map(|at| location(*at).map(number))
            .collect();
        let vertices = match self.output {
            TessellatorOutput::Point => (0..mesh.points.len() as u32).collect(),
            TessellatorOutput::TriangleCcw => mesh
                .triangles
                .iter()
                .flat_map(|&[a, b, c]| [a, c, b])
                .collect(),
            _ => mesh.triangles.concat(),
        };
        Tessellation {
            points,
            size: if self.output == TessellatorOutput::Point {
                1
            } else {
                3
            },
            vertices,
        }
    }
}

/// Returns whether the diagonal of a square goes from its upper left to its lower right corner
/// (11.7.6): it points to the nearest corner of the patch; between two of them it goes the way of a
/// spiral, and in the centre that of a Z.
fn falls(right: std::cmp::Ordering, low: std::cmp::Ordering) -> bool {
    use std::cmp::Ordering::Equal;
    match (right, low) {
        (Equal, Equal) => false,
        (Equal, _) => true,
        (_, Equal) => false,
        (right, low) => right == low,
    }
}

fn number(place: u32) -> f32 {
    place as f32 / ONE as f32
}

/// Adds the points of a closed ring, whose edges share their ends; returns the points of each edge.
fn ring(mesh: &mut Mesh, axes: &[Axis], at: impl Fn(usize, u32) -> [u32; 2]) -> Vec<Vec<u32>> {
    let mut edges: Vec<Vec<u32>> = Vec::new();
    for (edge, axis) in axes.iter().enumerate() {
        let points = (0..axis.segments).map(|point| mesh.point(at(edge, point)));
        edges.push(points.collect());
    }
    let starts: Vec<u32> = edges
        .iter()
        .filter_map(|edge| edge.first().copied())
        .collect();
    for (edge, end) in edges.iter_mut().zip(starts.iter().cycle().skip(1)) {
        edge.push(*end);
    }
    edges
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use TessellatorPartitioning as P;

    fn tessellator(domain: DomainShape, partitioning: P) -> Tessellator {
        Tessellator {
            domain,
            partitioning,
            output: TessellatorOutput::TriangleCw,
            max_factor: 64.0,
        }
    }

    const FACTORS: [f32; 9] = [1.0, 1.5, 2.0, 3.0, 4.5, 5.0, 7.75, 8.0, 64.0];
    const PARTITIONINGS: [P; 4] = [P::Integer, P::Pow2, P::FractionalOdd, P::FractionalEven];

    /// Checks that triangles cover a domain of that area (twice it, in 2^-32) once, with no cracks.
    fn check(mesh: &Tessellation, border: usize, area: i64, what: &str) {
        let at = |point: u32| {
            let [u, v, _] = mesh.points[point as usize];
            [u, v].map(|part| (part * ONE as f32) as i64)
        };
        let mut sum = 0;
        let mut edges: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        for triangle in mesh.vertices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| at(triangle[corner]));
            let twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            // Clockwise with v downwards, but for what rounding does to slivers.
            assert!(twice >= -4 * i64::from(ONE), "{what}: {triangle:?} {twice}");
            sum += twice;
            for corner in 0..3 {
                let ends = [triangle[corner], triangle[(corner + 1) % 3]];
                *edges.entry(ends).or_default() += 1;
            }
        }
        assert_eq!(sum, area, "{what}");
        // Each edge has a triangle on either side, or is a part of the border.
        let open = edges.iter().filter(|([a, b], count)| {
            assert_eq!(**count, 1, "{what}");
            !edges.contains_key(&[*b, *a])
        });
        assert_eq!(open.count(), border, "{what}");
        let used: dxil_frontend::tables::HashSet<u32> = mesh.vertices.iter().copied().collect();
        assert_eq!(used.len(), mesh.points.len(), "{what}");
    }

    /// Returns how many segments an edge has (11.7.10 and 11.7.11.2).
    fn segments(partitioning: P, factor: f32) -> usize {
        let odd = |n: f32| 2.0 * ((n - 1.0) / 2.0).ceil() + 1.0;
        let segments = match partitioning {
            P::FractionalOdd => odd(factor.clamp(1.0, 63.0)),
            P::FractionalEven => 2.0 * (factor.clamp(2.0, 64.0) / 2.0).ceil(),
            _ => factor.clamp(1.0, 64.0).ceil(),
        };
        segments as usize
    }

    #[test]
    fn triangles_are_covered_once_by_any_factors() {
        for partitioning in PARTITIONINGS {
            for (number, &first) in FACTORS.iter().enumerate() {
                for &inside in &FACTORS {
                    let other = FACTORS[(number * 5 + 3) % 9];
                    let edges = [first, other, 2.0];
                    let tessellator = tessellator(DomainShape::Tri, partitioning);
                    let mesh = tessellator.tessellate(&edges, [inside; 2]).unwrap();
                    let border = edges.iter().map(|f| segments(partitioning, *f)).sum();
                    let what = format!("{partitioning:?} {edges:?} {inside}");
                    check(&mesh, border, i64::from(ONE) * i64::from(ONE), &what);
                    for [u, v, w] in &mesh.points {
                        assert_eq!(u + v + w, 1.0);
                    }
                }
            }
        }
    }

    #[test]
    fn quads_are_covered_once_by_any_factors() {
        for partitioning in PARTITIONINGS {
            for (number, &first) in FACTORS.iter().enumerate() {
                for (other, &inside) in FACTORS.iter().enumerate() {
                    let pick = |n: usize| FACTORS[n % 9];
                    let edges = [first, pick(number + other), pick(3 * other + 1), 1.0];
                    let both = [inside, pick(number * 2 + other)];
                    let tessellator = tessellator(DomainShape::Quad, partitioning);
                    let mesh = tessellator.tessellate(&edges, both).unwrap();
                    let border = edges.iter().map(|f| segments(partitioning, *f)).sum();
                    let what = format!("{partitioning:?} {edges:?} {both:?}");
                    check(&mesh, border, 2 * i64::from(ONE) * i64::from(ONE), &what);
                }
            }
        }
    }

    /// Factors of 1 leave a patch as it is.
    #[test]
    fn factors_of_one_do_not_tessellate() {
        for partitioning in [P::Integer, P::FractionalOdd] {
            let tri = tessellator(DomainShape::Tri, partitioning);
            let mesh = tri.tessellate(&[1.0; 3], [1.0; 2]).unwrap();
            assert_eq!((mesh.points.len(), mesh.vertices.len()), (3, 3));
            let quad = tessellator(DomainShape::Quad, partitioning);
            let mesh = quad.tessellate(&[1.0; 4], [1.0; 2]).unwrap();
            assert_eq!((mesh.points.len(), mesh.vertices.len()), (4, 6));
        }
    }

    #[test]
    fn a_factor_that_is_not_positive_culls() {
        let tri = tessellator(DomainShape::Tri, P::Integer);
        for factor in [0.0, -1.0, f32::NAN] {
            assert!(tri.tessellate(&[2.0, factor, 2.0], [2.0; 2]).is_none());
            // Those inside only have a least value.
            assert!(tri.tessellate(&[2.0; 3], [factor; 2]).is_some());
        }
    }

    /// An edge's points depend on its own factor alone, and are the same from either end, so that
    /// patches with a common edge meet (11.7.13).
    #[test]
    fn common_edges_meet() {
        for partitioning in PARTITIONINGS {
            for &factor in &FACTORS {
                let quad = tessellator(DomainShape::Quad, partitioning);
                let tri = tessellator(DomainShape::Tri, partitioning);
                let quad = quad
                    .tessellate(&[factor, 3.0, 9.0, 2.0], [5.0, 6.0])
                    .unwrap();
                let tri = tri.tessellate(&[7.0, factor, 1.0], [4.0; 2]).unwrap();
                let mut left: Vec<f32> = quad
                    .points
                    .iter()
                    .filter(|p| p[0] == 0.0)
                    .map(|p| p[1])
                    .collect();
                let mut upper: Vec<f32> = tri
                    .points
                    .iter()
                    .filter(|p| p[1] == 0.0)
                    .map(|p| 1.0 - p[0])
                    .collect();
                left.sort_by(f32::total_cmp);
                upper.sort_by(f32::total_cmp);
                assert_eq!(left, upper, "{partitioning:?} {factor}");
            }
        }
    }

    /// Lines of constant v = i / n, of which the last one is left out (11.7.8).
    #[test]
    fn isolines_are_lines_of_constant_v() {
        let mut lines = tessellator(DomainShape::IsoLine, P::Integer);
        lines.output = TessellatorOutput::Line;
        let mesh = lines.tessellate(&[3.5, 2.0], [0.0; 2]).unwrap();
        assert_eq!(
            (mesh.size, mesh.points.len(), mesh.vertices.len()),
            (2, 12, 16)
        );
        for pair in mesh.vertices.chunks(2) {
            let [from, to] = [0, 1].map(|end| mesh.points[pair[end] as usize]);
            assert_eq!(from[1], to[1]);
            assert_eq!(to[0] - from[0], 0.5);
        }
        let rows: Vec<f32> = mesh.points.iter().step_by(3).map(|p| p[1]).collect();
        assert_eq!(rows, [0.0, 0.25, 0.5, 0.75]);
    }

    #[test]
    fn points_come_once_and_the_declared_maximum_bounds() {
        let mut quad = tessellator(DomainShape::Quad, P::Integer);
        quad.output = TessellatorOutput::Point;
        quad.max_factor = 4.0;
        let mesh = quad.tessellate(&[9.0; 4], [9.0; 2]).unwrap();
        assert_eq!((mesh.size, mesh.points.len()), (1, 25));
        assert_eq!(mesh.vertices, (0..25).collect::<Vec<u32>>());
    }
}
