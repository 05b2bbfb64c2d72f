//! Primitives of a topology (D3D11.3 functional specification, 8.10).

use super::state::Topology;

/// The primitives that vertices form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assembled {
    /// Vertices of a primitive, with adjacent ones.
    pub size: u32,
    /// Positions of the vertices in their sequence, primitive by primitive.
    pub vertices: Vec<u32>,
}

impl Assembled {
    /// Returns the number of primitives.
    pub fn count(&self) -> u32 {
        self.vertices
            .len()
            .checked_div(self.size as usize)
            .unwrap_or(0) as u32
    }

    /// Returns the primitives without adjacent vertices, as they are drawn without a geometry
    /// shader.
    #[must_use]
    pub fn without_adjacency(&self, topology: Topology) -> Assembled {
        let own: &[usize] = match topology {
            Topology::LineListAdjacency | Topology::LineStripAdjacency => &[1, 2],
            Topology::TriangleListAdjacency | Topology::TriangleStripAdjacency => &[0, 2, 4],
            _ => return self.clone(),
        };
        let primitives = self.vertices.chunks_exact(self.size.max(1) as usize);
        Assembled {
            size: own.len() as u32,
            vertices: primitives
                .flat_map(|all| own.iter().filter_map(|at| all.get(*at)))
                .copied()
                .collect(),
        }
    }
}

/// Returns the primitives of a sequence of vertices. Strips, and lists too, begin anew after a
/// position that `is_cut` names; incomplete primitives are left out. The first vertex of each
/// primitive is its leading vertex (8.14), but for adjacency, where it is the first that is not
/// adjacent.
pub fn assemble(topology: Topology, count: u32, is_cut: impl Fn(u32) -> bool) -> Assembled {
    let mut all = Assembled {
        size: size_of(topology),
        vertices: Vec::new(),
    };
    let mut first = 0;
    for end in 0..=count {
        if end == count || is_cut(end) {
            add(topology, first, end - first, &mut all.vertices);
            first = end.saturating_add(1);
        }
    }
    all
}

fn size_of(topology: Topology) -> u32 {
    match topology {
        Topology::PointList => 1,
        Topology::LineList | Topology::LineStrip => 2,
        Topology::TriangleList | Topology::TriangleStrip => 3,
        Topology::LineListAdjacency | Topology::LineStripAdjacency => 4,
        Topology::TriangleListAdjacency | Topology::TriangleStripAdjacency => 6,
        Topology::PatchList(points) => points.max(1),
    }
}

/// Adds the primitives of vertices without a cut.
fn add(topology: Topology, first: u32, count: u32, out: &mut Vec<u32>) {
    let mut primitive = |places: &[u32]| out.extend(places.iter().map(|place| first + place));
    match topology {
        Topology::LineStrip => (1..count).for_each(|end| primitive(&[end - 1, end])),
        Topology::LineStripAdjacency => {
            (3..count).for_each(|end| primitive(&[end - 3, end - 2, end - 1, end]));
        }
        Topology::TriangleStrip => {
            for end in 2..count {
                let start = end - 2;
                // Every other triangle is turned around, so that all face the same way.
                if start.is_multiple_of(2) {
                    primitive(&[start, start + 1, start + 2]);
                } else {
                    primitive(&[start, start + 2, start + 1]);
                }
            }
        }
        Topology::TriangleStripAdjacency => {
            let triangles = count.saturating_sub(4) / 2;
            for triangle in 0..triangles {
                primitive(&strip_with_adjacency(triangle, triangles));
            }
        }
        _ => {
            let size = size_of(topology);
            out.extend(first..first.saturating_add(count - count % size));
        }
    }
}

/// Returns the vertices of a triangle of a strip with adjacency; every other vertex is adjacent to
/// the edge between its neighbours.
fn strip_with_adjacency(triangle: u32, triangles: u32) -> [u32; 6] {
    let start = 2 * triangle;
    let before = if triangle == 0 { 1 } else { start - 2 };
    let is_last = triangle + 1 == triangles;
    let after = start + if is_last { 5 } else { 6 };
    let beside = start + 3;
    if triangle.is_multiple_of(2) {
        [start, before, start + 2, after, start + 4, beside]
    } else {
        [start, beside, start + 4, after, start + 2, before]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(topology: Topology, count: u32) -> Vec<Vec<u32>> {
        let all = assemble(topology, count, |_| false);
        let size = all.size as usize;
        all.vertices.chunks(size).map(<[u32]>::to_vec).collect()
    }

    #[test]
    fn lists_drop_what_is_incomplete() {
        assert_eq!(whole(Topology::PointList, 2), [[0], [1]]);
        assert_eq!(whole(Topology::LineList, 5), [[0, 1], [2, 3]]);
        assert_eq!(whole(Topology::TriangleList, 5), [[0, 1, 2]]);
        assert_eq!(
            whole(Topology::PatchList(4), 9),
            [[0, 1, 2, 3], [4, 5, 6, 7]]
        );
    }

    #[test]
    fn strips_share_vertices_and_keep_their_winding() {
        assert_eq!(whole(Topology::LineStrip, 3), [[0, 1], [1, 2]]);
        assert_eq!(
            whole(Topology::TriangleStrip, 5),
            [[0, 1, 2], [1, 3, 2], [2, 3, 4]]
        );
        assert_eq!(
            whole(Topology::LineStripAdjacency, 5),
            [[0, 1, 2, 3], [1, 2, 3, 4]]
        );
        assert!(whole(Topology::TriangleStrip, 2).is_empty());
    }

    /// The neighbour of each edge of a strip with adjacency must be the vertex that the edge's
    /// other triangle has beyond it, or the adjacent vertex at the strip's border.
    #[test]
    fn neighbours_in_a_strip_are_the_other_triangles() {
        for triangles in 1..6 {
            let count = 4 + 2 * triangles;
            let all = whole(Topology::TriangleStripAdjacency, count);
            assert_eq!(all.len() as u32, triangles);
            let corners = |t: &[u32]| [t[0], t[2], t[4]];
            for triangle in &all {
                let own = corners(triangle);
                for edge in 0..3 {
                    let ends = [own[edge], own[(edge + 1) % 3]];
                    let neighbour = triangle[2 * edge + 1];
                    let shared = all
                        .iter()
                        .map(|t| corners(t))
                        .find(|other| *other != own && ends.iter().all(|end| other.contains(end)));
                    match shared {
                        Some(other) => {
                            assert!(other.contains(&neighbour) && !ends.contains(&neighbour));
                        }
                        // No triangle has it as a corner.
                        None => assert!(all.iter().all(|t| !corners(t).contains(&neighbour))),
                    }
                }
            }
            // Each adjacent vertex of a border belongs to one edge.
            let mut adjacent: Vec<u32> = all
                .iter()
                .flat_map(|t| [t[1], t[3], t[5]])
                .filter(|v| all.iter().all(|t| !corners(t).contains(v)))
                .collect();
            adjacent.sort_unstable();
            let count_before = adjacent.len();
            adjacent.dedup();
            assert_eq!(adjacent.len(), count_before);
            assert_eq!(adjacent.len() as u32, count - (triangles + 2));
        }
    }

    #[test]
    fn a_cut_begins_a_strip_anew() {
        let all = assemble(Topology::TriangleStrip, 9, |place| place == 4);
        assert_eq!(all.vertices, [0, 1, 2, 1, 3, 2, 5, 6, 7, 6, 8, 7]);
        let lines = assemble(Topology::LineStrip, 6, |place| place == 1 || place == 2);
        assert_eq!(lines.vertices, [3, 4, 4, 5]);
    }

    #[test]
    fn adjacent_vertices_are_not_drawn() {
        let topology = Topology::TriangleListAdjacency;
        let all = assemble(topology, 12, |_| false);
        let own = all.without_adjacency(topology);
        assert_eq!((own.size, own.vertices), (3, vec![0, 2, 4, 6, 8, 10]));
        let topology = Topology::LineStripAdjacency;
        let all = assemble(topology, 5, |_| false);
        assert_eq!(all.without_adjacency(topology).vertices, [1, 2, 2, 3]);
    }
}
