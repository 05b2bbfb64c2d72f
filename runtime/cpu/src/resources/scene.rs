//! Acceleration structures: instances of triangles and boxes (DirectX Raytracing specification,
//! "Geometry and acceleration structures").

use std::sync::Arc;

/// Primitives of a geometry, in the space of the bottom level.
#[derive(Debug, Clone, PartialEq)]
pub enum Primitives {
    /// Corners of triangles.
    Triangles(Vec<[[f32; 3]; 3]>),
    /// Minimum and maximum corners of boxes around procedural primitives.
    Boxes(Vec<[[f32; 3]; 2]>),
}

/// A geometry of a bottom level.
#[derive(Debug, Clone, PartialEq)]
pub struct Geometry {
    /// `D3D12_RAYTRACING_GEOMETRY_FLAG_OPAQUE`.
    pub is_opaque: bool,
    /// Its primitives.
    pub primitives: Primitives,
}

/// An instance of a bottom level.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// The bottom level's geometries.
    pub geometries: Arc<[Geometry]>,
    /// Three rows of four columns, from the bottom level's space to the world's.
    pub object_to_world: [f32; 12],
    /// `InstanceID()`.
    pub id: u32,
    /// A ray sees the instance if the masks of both have a bit in common.
    pub mask: u8,
    /// `InstanceContributionToHitGroupIndex`.
    pub hit_group_offset: u32,
    /// `D3D12_RAYTRACING_INSTANCE_FLAGS`.
    pub flags: u8,
}

/// A top level: what a register sees.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AccelerationStructure {
    /// Its instances.
    pub instances: Vec<Instance>,
}

/// Returns the inverse of a matrix of three rows and four columns, in double precision.
pub(crate) fn inverse(m: &[f32; 12]) -> [f64; 12] {
    let at = |row: usize, column: usize| f64::from(m[row * 4 + column]);
    let column = |c: usize| [at(0, c), at(1, c), at(2, c)];
    let [a, b, c, moved] = [column(0), column(1), column(2), column(3)];
    let determinant = dot(a, cross(b, c));
    let rows = [cross(b, c), cross(c, a), cross(a, b)];
    let mut out = [0.0; 12];
    for (out, row) in out.chunks_exact_mut(4).zip(rows) {
        let row = row.map(|x| x / determinant);
        out[..3].copy_from_slice(&row);
        out[3] = -dot(row, moved);
    }
    out
}

/// Returns a matrix applied to a point (`w` is 1) or a direction (0).
pub(crate) fn transformed(m: &[f64; 12], v: [f64; 3], w: f64) -> [f64; 3] {
    [0, 4, 8].map(|row| m[row] * v[0] + m[row + 1] * v[1] + m[row + 2] * v[2] + m[row + 3] * w)
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_turning_scaling_and_moving() {
        let m = [0.0, -2.0, 0.0, 5.0, 3.0, 0.0, 0.0, -1.0, 0.0, 0.0, 4.0, 2.0];
        let there = transformed(&m.map(f64::from), [1.0, 2.0, 3.0], 1.0);
        assert_eq!(there, [1.0, 2.0, 14.0]);
        let back = transformed(&inverse(&m), there, 1.0);
        for (found, expected) in back.into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }
}
