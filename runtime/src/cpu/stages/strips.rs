//! Strips of a geometry shader as lists of primitives (D3D11.3 functional specification, 14.1).

use dxil_frontend::dxil::OutputTopology;

/// A strip that grows.
#[derive(Debug, Clone, Default)]
pub(super) struct Strip {
    vertices: Vec<Vec<u32>>,
}

impl Strip {
    /// Adds a vertex; hands over the vertices of the primitive that it completes.
    pub(super) fn add(
        &mut self,
        topology: OutputTopology,
        vertex: &[u32],
        mut give: impl FnMut(&[u32]),
    ) {
        self.vertices.push(vertex.to_vec());
        let number = self.vertices.len();
        let all = &self.vertices;
        let ends = |each: usize| number.is_multiple_of(each);
        match topology {
            OutputTopology::PointList | OutputTopology::Undefined => give(&all[number - 1]),
            OutputTopology::LineList if ends(2) => all[number - 2..].iter().for_each(|v| give(v)),
            OutputTopology::LineStrip if number >= 2 => {
                all[number - 2..].iter().for_each(|v| give(v));
            }
            OutputTopology::TriangleList if ends(3) => {
                all[number - 3..].iter().for_each(|v| give(v));
            }
            OutputTopology::TriangleStrip if number >= 3 => {
                // Every other triangle is turned around, so that all face the same way; its first
                // vertex stays the leading one.
                let turns = number.is_multiple_of(2);
                let order = if turns { [3, 1, 2] } else { [3, 2, 1] };
                order.iter().for_each(|back| give(&all[number - back]));
            }
            _ => {}
        }
    }

    /// Ends the strip.
    pub(super) fn cut(&mut self) {
        self.vertices.clear();
    }
}
