//! Corners of primitives in clip space.

/// Edges of a clipped triangle that the triangle itself does not have.
pub(super) const NEW_EDGE: u8 = 3;

/// A corner of a primitive in clip space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// x, y, z and w.
    pub position: [f64; 4],
    /// Weights of the primitive's vertices, which add up to 1.
    pub weights: [f64; 3],
    /// The edge of the primitive that goes from here to the next corner: 0 to 2, or 3 for one that
    /// clipping has made.
    pub edge: u8,
}

impl Corner {
    /// Returns the corner of a vertex, 0 to 2.
    pub fn of_vertex(position: [f32; 4], vertex: usize) -> Corner {
        let mut weights = [0.0; 3];
        if let Some(weight) = weights.get_mut(vertex) {
            *weight = 1.0;
        }
        Corner {
            position: position.map(f64::from),
            weights,
            edge: vertex as u8,
        }
    }

    /// Returns the corner at a part of the way to another one.
    pub(super) fn towards(&self, other: &Corner, part: f64) -> Corner {
        let mix = |a: f64, b: f64| a + (b - a) * part;
        let mut corner = *self;
        for (value, end) in corner.position.iter_mut().zip(other.position) {
            *value = mix(*value, end);
        }
        for (value, end) in corner.weights.iter_mut().zip(other.weights) {
            *value = mix(*value, end);
        }
        corner
    }
}
