//! Depth and stencil test (D3D11.3 functional specification, 17.8 to 17.12).

use super::state::{StencilFace, StencilOp, StencilState};
use super::target::{Place, Target};
use crate::resources::Comparison;

/// What is tested of each sample.
#[derive(Debug, Clone, Copy)]
pub struct DepthTest<'a> {
    /// The buffer.
    pub target: Target<'a>,
    /// The comparison with the stored depth; `None` passes always and writes nothing.
    pub comparison: Option<Comparison>,
    /// Whether depths of samples that pass are written.
    pub writes: bool,
    /// The stencil test, of a format with stencil.
    pub stencil: Option<StencilState>,
}

/// A sample that is tested.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tested {
    /// The sample's place.
    pub place: Place,
    /// Its depth.
    pub depth: f32,
    /// Depths of the viewport, to which the depth is clamped (17.10).
    pub range: [f32; 2],
    /// Whether it belongs to a front face, a point or a line.
    pub is_front: bool,
    /// The stencil reference.
    pub reference: u8,
}

impl DepthTest<'_> {
    /// Tests a sample, updates depth and stencil, and returns whether it passes both tests.
    pub fn pass(&self, sample: &Tested) -> bool {
        let old = self.target.depth(sample.place);
        let [near, far] = sample.range;
        // A viewport may have its depths the other way around.
        let (near, far) = (near.min(far), near.max(far));
        let depth = self.target.depth_in_format(sample.depth.max(near).min(far));
        let mut new = old;
        let is_nearer = self
            .comparison
            .is_none_or(|test| test.holds(depth, old.depth));
        let passes = match &self.stencil {
            None => is_nearer,
            Some(state) => {
                let face = if sample.is_front {
                    &state.front
                } else {
                    &state.back
                };
                let (passes, changed) =
                    stencil(face, state, sample.reference, old.stencil, is_nearer);
                let mask = state.write_mask;
                new.stencil = old.stencil & !mask | changed & mask;
                passes
            }
        };
        if passes && self.writes && self.comparison.is_some() {
            new.depth = depth;
        }
        let is_changed = new.stencil != old.stencil || new.depth.to_bits() != old.depth.to_bits();
        if is_changed {
            self.target.set_depth(sample.place, new);
        }
        passes
    }
}

/// Returns whether a sample passes both tests, and the new stencil.
fn stencil(
    face: &StencilFace,
    state: &StencilState,
    reference: u8,
    old: u8,
    is_nearer: bool,
) -> (bool, u8) {
    let [wanted, there] = [reference, old].map(|value| f32::from(value & state.read_mask));
    if !face.test.holds(wanted, there) {
        return (false, changed(face.fail, old, reference));
    }
    let operation = if is_nearer {
        face.pass
    } else {
        face.depth_fail
    };
    (is_nearer, changed(operation, old, reference))
}

fn changed(operation: StencilOp, old: u8, reference: u8) -> u8 {
    match operation {
        StencilOp::Keep => old,
        StencilOp::Zero => 0,
        StencilOp::Replace => reference,
        StencilOp::IncrementSaturate => old.saturating_add(1),
        StencilOp::DecrementSaturate => old.saturating_sub(1),
        StencilOp::Invert => !old,
        StencilOp::Increment => old.wrapping_add(1),
        StencilOp::Decrement => old.wrapping_sub(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{Component, Dimension, Packing, Storage, TexelLayout, Texture};

    const PLACE: Place = Place {
        pixel: [0, 0],
        layer: 0,
        sample: 0,
    };

    fn buffer(packing: Packing) -> Storage {
        let texture = Texture {
            dimension: Dimension::D2,
            format: TexelLayout {
                component: Component::Float,
                packing,
            },
            size: [1, 1, 1],
            layers: 1,
            mips: 1,
            samples: 1,
        };
        Storage::texture(texture, &[])
    }

    fn sample(depth: f32) -> Tested {
        Tested {
            place: PLACE,
            depth,
            range: [0.0, 1.0],
            is_front: true,
            reference: 5,
        }
    }

    #[test]
    fn depths_are_clamped_and_compared_as_the_buffer_has_them() {
        let storage = buffer(Packing::D16);
        let target = Target::new(&storage, 0, 0).unwrap();
        target.clear_depth(0.5, 0);
        let test = DepthTest {
            target,
            comparison: Some(Comparison::Equal),
            writes: true,
            stencil: None,
        };
        // Half a unit of 65535 around the stored 32768 counts as equal.
        assert!(test.pass(&sample(32768.4 / 65535.0)));
        assert!(!test.pass(&sample(32768.6 / 65535.0)));
        let test = DepthTest {
            comparison: Some(Comparison::Always),
            ..test
        };
        let mut clamped = sample(0.9);
        clamped.range = [0.25, 0.75];
        assert!(test.pass(&clamped));
        assert_eq!(
            target.depth(PLACE).depth,
            (0.75_f32 * 65535.0 + 0.5).floor()
        );
        clamped.depth = f32::NAN;
        assert!(test.pass(&clamped));
        assert_eq!(
            target.depth(PLACE).depth,
            (0.25_f32 * 65535.0 + 0.5).floor()
        );
    }

    #[test]
    fn a_buffer_that_is_not_tested_is_not_written() {
        let storage = buffer(Packing::D32);
        let target = Target::new(&storage, 0, 0).unwrap();
        let test = DepthTest {
            target,
            comparison: None,
            writes: true,
            stencil: None,
        };
        assert!(test.pass(&sample(0.5)));
        assert_eq!(target.depth(PLACE).depth, 0.0);
    }

    #[test]
    fn each_outcome_has_its_stencil_operation() {
        let storage = buffer(Packing::D32S8X24);
        let target = Target::new(&storage, 0, 0).unwrap();
        let face = StencilFace {
            test: Comparison::LessEqual,
            fail: StencilOp::Invert,
            depth_fail: StencilOp::IncrementSaturate,
            pass: StencilOp::Replace,
        };
        let test = DepthTest {
            target,
            comparison: Some(Comparison::Less),
            writes: false,
            stencil: Some(StencilState {
                front: face,
                back: StencilFace::default(),
                read_mask: 0x0f,
                write_mask: 0xf7,
            }),
        };
        // Stored stencil, depth, and what comes of it: the reference is 5.
        for (stored, depth, passes, left) in [
            // 5 <= 6: the depth decides between replacing and counting.
            (0x16, 0.25, true, 0x05),
            (0x16, 0.75, false, 0x17),
            (0xff, 0.75, false, 0xff),
            // 5 <= 4 fails: inverted but for the bit that is not written.
            (0x14, 0.25, false, 0xe3),
            // That bit stays as it was when it is replaced as well.
            (0x18, 0.25, true, 0x0d),
        ] {
            target.clear_depth(0.5, stored);
            assert_eq!(test.pass(&sample(depth)), passes);
            assert_eq!(target.depth(PLACE).stencil, left, "{stored:#x} {depth}");
        }
        target.clear_depth(0.5, 0x14);
        let mut back = sample(0.25);
        back.is_front = false;
        assert!(test.pass(&back));
        assert_eq!(target.depth(PLACE).stencil, 0x14);
    }

    #[test]
    fn operations_wrap_and_saturate() {
        let of = |operation, old| changed(operation, old, 9);
        assert_eq!(of(StencilOp::Increment, 255), 0);
        assert_eq!(of(StencilOp::Decrement, 0), 255);
        assert_eq!(of(StencilOp::IncrementSaturate, 255), 255);
        assert_eq!(of(StencilOp::DecrementSaturate, 0), 0);
        assert_eq!(of(StencilOp::Zero, 3), 0);
        assert_eq!(of(StencilOp::Replace, 3), 9);
    }
}
