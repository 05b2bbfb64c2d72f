//! Level of detail: how many texels a sample covers (D3D11.3 functional specification, 7.18.11).

use super::context::Context;
use super::reduce::neighbours;
use super::sampled_view::{SampledView, is_cube};
use super::textures::axes;
use crate::decode::code::{Complex, Level, slot};

/// The gradients from which the level of detail is computed: for each coordinate its change to the
/// right and downwards.
#[derive(Clone, Copy)]
pub(super) struct Gradients {
    /// The coordinates.
    pub(super) at: [f32; 3],
    pub(super) dx: [f32; 3],
    pub(super) dy: [f32; 3],
}

/// The footprint of a sample: level of detail, and the axis along which several are taken.
#[derive(Clone, Copy)]
pub(super) struct Footprint {
    pub(super) lod: f32,
    pub(super) axis: [f32; 3],
    pub(super) count: u32,
}

impl Context<'_> {
    /// Returns the footprint of a lane's sample. The coordinates begin at the first of the two
    /// sources, what the level says of itself at the second one.
    pub(super) fn lane_footprint(
        &self,
        view: &SampledView<'_>,
        level: Level,
        complex: &Complex,
        (coords, how): (usize, usize),
        lane: usize,
    ) -> Footprint {
        let float = |index| self.registers.float(slot(&complex.src, index), lane);
        match level {
            Level::Zero => Footprint::at(0.0),
            Level::Explicit => Footprint::at(float(how) + view.sampler.lod_bias),
            Level::Gradient => {
                let gradients = Gradients {
                    at: [0, 1, 2].map(|axis| float(coords + axis)),
                    dx: [0, 1, 2].map(|axis| float(how + axis)),
                    dy: [3, 4, 5].map(|axis| float(how + axis)),
                };
                view.footprint(gradients).biased(view.sampler.lod_bias)
            }
            Level::Implicit | Level::Bias => {
                let bias = match level {
                    Level::Bias => float(how),
                    _ => 0.0,
                };
                // Without whole quads there are no differences of coordinates: the most detailed
                // level is taken.
                let footprint = if self.shared.kernel.has_whole_quads() {
                    view.footprint(self.gradients(complex, coords, lane))
                } else {
                    Footprint::at(0.0)
                };
                footprint.biased(view.sampler.lod_bias + bias)
            }
        }
    }

    /// Returns the gradients of a lane's coordinates in its quad.
    pub(super) fn gradients(&self, complex: &Complex, first: usize, lane: usize) -> Gradients {
        let at =
            |axis: usize, lane: usize| self.registers.float(slot(&complex.src, first + axis), lane);
        let change = |vertical: bool| {
            let (low, high) = neighbours(lane, vertical, true);
            if !self.has_difference(low, high) {
                return [0.0; 3];
            }
            [0, 1, 2].map(|axis| at(axis, high) - at(axis, low))
        };
        Gradients {
            at: [0, 1, 2].map(|axis| at(axis, lane)),
            dx: change(false),
            dy: change(true),
        }
    }
}

impl Footprint {
    pub(super) fn at(lod: f32) -> Footprint {
        Footprint {
            lod,
            axis: [0.0; 3],
            count: 1,
        }
    }

    pub(super) fn biased(mut self, bias: f32) -> Footprint {
        self.lod += bias;
        self
    }
}

impl SampledView<'_> {
    /// Returns the footprint of changes of the coordinates (D3D11.3, 7.18.11).
    pub(super) fn footprint(&self, gradients: Gradients) -> Footprint {
        let size = self.texture.texture.mip_size(self.texture.first_mip);
        let count = axes(self.kind).0;
        let scaled = |change: [f32; 3]| {
            if is_cube(self.kind) {
                // A cube's side goes from -1 to 1.
                return change_on_face(gradients.at, change)
                    .map(|part| part * size[0] as f32 * 0.5);
            }
            let mut texels = [0.0; 3];
            for axis in 0..count {
                texels[axis] = change[axis] * size[axis] as f32;
            }
            texels
        };
        let length = |v: [f32; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        let (x, y) = (length(scaled(gradients.dx)), length(scaled(gradients.dy)));
        let (major, minor) = (x.max(y), x.min(y));
        if self.sampler.anisotropy < 2 || is_cube(self.kind) || major <= 0.0 {
            return Footprint::at(major.log2());
        }
        let maximum = self.sampler.anisotropy.min(16) as f32;
        let ratio = (major / minor.max(f32::MIN_POSITIVE)).min(maximum);
        let axis = if x >= y { gradients.dx } else { gradients.dy };
        Footprint {
            lod: (major / ratio).log2(),
            axis,
            count: (ratio.ceil() as u32).max(1),
        }
    }
}

/// Returns the change of the coordinates on a cube's face, which are the direction divided by its
/// longest component, for a change of the direction. The longest axis has none.
fn change_on_face(direction: [f32; 3], change: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = direction.map(f32::abs);
    let longest = if z >= x && z >= y {
        2
    } else if y >= x {
        1
    } else {
        0
    };
    let length = direction[longest];
    [0, 1, 2].map(|axis| {
        let part = change[axis] * length - direction[axis] * change[longest];
        part / (length * length)
    })
}

#[cfg(test)]
mod tests {
    use super::change_on_face;

    #[test]
    fn changes_on_a_face_do_not_depend_on_the_length_of_the_direction() {
        // At (1, 0, 0.5) the face's coordinates are 0 and 0.5; both change by 0.25.
        for scale in [1.0_f32, 3.0, -2.0] {
            let scaled = |v: [f32; 3]| v.map(|part| part * scale);
            let change = change_on_face(scaled([1.0, 0.0, 0.5]), scaled([0.0, 0.25, 0.25]));
            assert_eq!(change.map(f32::abs), [0.0, 0.25, 0.25]);
        }
        // A longer direction is the same place.
        assert_eq!(change_on_face([0.5, -2.0, 1.0], [0.5, -2.0, 1.0]), [0.0; 3]);
    }
}
