//! Blending and logic operations (D3D11.3 functional specification, 17.1 to 17.7, 17.18).

use super::state::{Blend, BlendFactor, BlendOp, LogicOp};
use super::target::{Place, Target};
use crate::resources::Component;

/// What becomes of the colours of pixels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Merge {
    /// An operation on bits in place of blending.
    pub logic: Option<LogicOp>,
    /// For [`BlendFactor::Constant`].
    pub constants: [f32; 4],
}

/// A render target with its part of the state.
#[derive(Debug, Clone, Copy)]
pub struct TargetMerge<'a> {
    /// The target.
    pub target: Target<'a>,
    /// Blending; `None` replaces.
    pub blend: Option<Blend>,
    /// Components that are written: red 1, green 2, blue 4, alpha 8.
    pub write_mask: u8,
}

/// The colours of a blend.
struct Colors {
    source: [f32; 4],
    /// Of the second output (17.6).
    source1: [f32; 4],
    destination: [f32; 4],
    constants: [f32; 4],
}

impl Merge {
    /// Merges colours with a sample of a target: the output of the pixel shader for the target and
    /// its second one, as bits of floats or as integers.
    pub fn write(&self, to: &TargetMerge<'_>, place: Place, source: [u32; 4], source1: [u32; 4]) {
        let target = &to.target;
        let component = target.format().component;
        if let Some(operation) = self.logic {
            let old = target.load(place);
            let fields = target.format().fields();
            let parts = [0, 1, 2, 3].map(|part| {
                // As many bits as the component has (17.7.1).
                let mask = u64::MAX >> (64 - u64::from(fields[part].width.max(1)));
                logic(operation, source[part], old[part]) & mask as u32
            });
            target.store(place, parts, to.write_mask);
            return;
        }
        let Some(blend) = to.blend else {
            target.store(place, source, to.write_mask);
            return;
        };
        // What goes into the blend has the range of the target (17.5).
        let in_range = |all: [f32; 4]| match component {
            Component::Unorm | Component::Srgb => all.map(|value| clamp(value, 0.0)),
            Component::Snorm => all.map(|value| clamp(value, -1.0)),
            Component::Float | Component::Uint | Component::Sint => all,
        };
        let colors = Colors {
            source: in_range(source.map(f32::from_bits)),
            source1: in_range(source1.map(f32::from_bits)),
            destination: target.load(place).map(f32::from_bits),
            constants: in_range(self.constants),
        };
        let parts = [0, 1, 2, 3].map(|part| colors.blended(&blend, part).to_bits());
        target.store(place, parts, to.write_mask);
    }
}

/// Clamps to 1; no number becomes the minimum of 0 or the middle of the range.
fn clamp(value: f32, least: f32) -> f32 {
    if value.is_nan() {
        return 0.0;
    }
    value.clamp(least, 1.0)
}

impl Colors {
    fn blended(&self, blend: &Blend, part: usize) -> f32 {
        let ((first, second), operation) = match part {
            3 => (blend.alpha, blend.alpha_op),
            _ => (blend.color, blend.color_op),
        };
        let (source, destination) = (self.source[part], self.destination[part]);
        let scaled = || {
            [
                source * self.factor(first, part),
                destination * self.factor(second, part),
            ]
        };
        match operation {
            BlendOp::Add => {
                let [source, destination] = scaled();
                source + destination
            }
            BlendOp::Subtract => {
                let [source, destination] = scaled();
                source - destination
            }
            BlendOp::ReverseSubtract => {
                let [source, destination] = scaled();
                destination - source
            }
            // These ignore the factors.
            BlendOp::Min => source.min(destination),
            BlendOp::Max => source.max(destination),
        }
    }

    fn factor(&self, factor: BlendFactor, part: usize) -> f32 {
        use BlendFactor as F;
        match factor {
            F::Zero => 0.0,
            F::One => 1.0,
            F::SourceColor => self.source[part],
            F::InverseSourceColor => 1.0 - self.source[part],
            F::SourceAlpha => self.source[3],
            F::InverseSourceAlpha => 1.0 - self.source[3],
            F::DestinationColor => self.destination[part],
            F::InverseDestinationColor => 1.0 - self.destination[part],
            F::DestinationAlpha => self.destination[3],
            F::InverseDestinationAlpha => 1.0 - self.destination[3],
            F::SourceAlphaSaturate if part == 3 => 1.0,
            F::SourceAlphaSaturate => self.source[3].min(1.0 - self.destination[3]),
            F::Constant => self.constants[part],
            F::InverseConstant => 1.0 - self.constants[part],
            F::ConstantAlpha => self.constants[3],
            F::InverseConstantAlpha => 1.0 - self.constants[3],
            F::Source1Color => self.source1[part],
            F::InverseSource1Color => 1.0 - self.source1[part],
            F::Source1Alpha => self.source1[3],
            F::InverseSource1Alpha => 1.0 - self.source1[3],
        }
    }
}

fn logic(operation: LogicOp, source: u32, destination: u32) -> u32 {
    let (s, d) = (source, destination);
    match operation {
        LogicOp::Clear => 0,
        LogicOp::Set => u32::MAX,
        LogicOp::Copy => s,
        LogicOp::CopyInverted => !s,
        LogicOp::Noop => d,
        LogicOp::Invert => !d,
        LogicOp::And => s & d,
        LogicOp::Nand => !(s & d),
        LogicOp::Or => s | d,
        LogicOp::Nor => !(s | d),
        LogicOp::Xor => s ^ d,
        LogicOp::Equivalent => !(s ^ d),
        LogicOp::AndReverse => s & !d,
        LogicOp::AndInverted => !s & d,
        LogicOp::OrReverse => s | !d,
        LogicOp::OrInverted => !s | d,
    }
}

/// Returns the samples that alpha to coverage leaves of a pixel (17.18): as many of the first ones
/// as alpha is of 1, rounded; none for what is no number.
pub fn alpha_coverage(alpha: f32, samples: u32) -> u32 {
    let count = (alpha.clamp(0.0, 1.0) * samples as f32).round() as u32;
    u32::MAX.checked_shr(32 - count.min(32)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{Dimension, Packing, Storage, TexelLayout, Texture};

    const PLACE: Place = Place {
        pixel: [0, 0],
        layer: 0,
        sample: 0,
    };

    fn texel(component: Component, bits: u32, texel: &[u8]) -> Storage {
        let texture = Texture {
            dimension: Dimension::D2,
            format: TexelLayout {
                component,
                packing: Packing::Plain { bits, count: 4 },
            },
            size: [1, 1, 1],
            layers: 1,
            mips: 1,
            samples: 1,
        };
        Storage::texture(texture, texel)
    }

    fn merged(storage: &Storage, blend: Blend, constants: [f32; 4], colors: [[f32; 4]; 2]) {
        let merge = Merge {
            logic: None,
            constants,
        };
        let to = TargetMerge {
            target: Target::new(storage, 0, 0).unwrap(),
            blend: Some(blend),
            write_mask: 15,
        };
        let [source, source1] = colors.map(|color| color.map(f32::to_bits));
        merge.write(&to, PLACE, source, source1);
    }

    const S: [f32; 4] = [0.5, 0.25, 2.0, 0.75];
    const S1: [f32; 4] = [0.125, 0.5, 1.5, 0.25];
    const D: [f32; 4] = [1.0, 0.5, 0.25, 0.5];
    const K: [f32; 4] = [0.25, 0.75, 1.25, 0.375];

    /// Each factor of the table in 17.1, with the source alone.
    #[test]
    fn every_factor_multiplies() {
        use BlendFactor as F;
        let inverse = |all: [f32; 4]| all.map(|value| 1.0 - value);
        let least = S[3].min(1.0 - D[3]);
        for (factor, by) in [
            (F::Zero, [0.0; 4]),
            (F::One, [1.0; 4]),
            (F::SourceColor, S),
            (F::InverseSourceColor, inverse(S)),
            (F::SourceAlpha, [S[3]; 4]),
            (F::InverseSourceAlpha, [1.0 - S[3]; 4]),
            (F::DestinationColor, D),
            (F::InverseDestinationColor, inverse(D)),
            (F::DestinationAlpha, [D[3]; 4]),
            (F::InverseDestinationAlpha, [1.0 - D[3]; 4]),
            (F::SourceAlphaSaturate, [least, least, least, 1.0]),
            (F::Constant, K),
            (F::InverseConstant, inverse(K)),
            (F::ConstantAlpha, [K[3]; 4]),
            (F::InverseConstantAlpha, [1.0 - K[3]; 4]),
            (F::Source1Color, S1),
            (F::InverseSource1Color, inverse(S1)),
            (F::Source1Alpha, [S1[3]; 4]),
            (F::InverseSource1Alpha, [1.0 - S1[3]; 4]),
        ] {
            let storage = texel(Component::Float, 32, &D.map(f32::to_le_bytes).concat());
            let pair = (factor, F::Zero);
            let blend = Blend {
                color: pair,
                color_op: BlendOp::Add,
                alpha: pair,
                alpha_op: BlendOp::Add,
            };
            merged(&storage, blend, K, [S, S1]);
            let wanted = [0, 1, 2, 3].map(|part| S[part] * by[part]);
            let bytes = wanted.map(f32::to_le_bytes).concat();
            assert_eq!(storage.to_bytes(), bytes, "{factor:?}");
        }
    }

    #[test]
    fn operations_combine() {
        use BlendFactor::One;
        type Operation = fn(f32, f32) -> f32;
        let all: [(BlendOp, Operation); 5] = [
            (BlendOp::Add, |s, d| s + d),
            (BlendOp::Subtract, |s, d| s - d),
            (BlendOp::ReverseSubtract, |s, d| d - s),
            (BlendOp::Min, f32::min),
            (BlendOp::Max, f32::max),
        ];
        for (operation, wanted) in all {
            let storage = texel(Component::Float, 32, &D.map(f32::to_le_bytes).concat());
            let blend = Blend {
                color: (One, One),
                color_op: operation,
                alpha: (One, One),
                alpha_op: operation,
            };
            merged(&storage, blend, K, [S, S1]);
            let wanted = [0, 1, 2, 3].map(|part| wanted(S[part], D[part]));
            assert_eq!(storage.to_bytes(), wanted.map(f32::to_le_bytes).concat());
        }
    }

    /// Colours and constants are clamped before they are blended, if the target has a range (17.5).
    #[test]
    fn normalized_targets_clamp_what_is_blended() {
        use BlendFactor::{Constant, One, Zero};
        let blend = |factors| Blend {
            color: factors,
            color_op: BlendOp::Subtract,
            alpha: factors,
            alpha_op: BlendOp::Subtract,
        };
        let storage = texel(Component::Unorm, 8, &[255, 51, 102, 0]);
        // 3 counts as 1, -1 and no number as 0.
        let source = [3.0, 1.0, -1.0, f32::NAN];
        merged(&storage, blend((One, One)), K, [source, S1]);
        assert_eq!(storage.to_bytes(), [0, 204, 0, 0]);
        let storage = texel(Component::Unorm, 8, &[0; 4]);
        merged(&storage, blend((Constant, Zero)), [2.0; 4], [[0.2; 4], S1]);
        assert_eq!(storage.to_bytes(), [51; 4]);
    }

    #[test]
    fn logic_operations_work_on_the_components_bits() {
        let (s, d) = (0b1100_u32, 0b1010_u32);
        for (operation, wanted) in [
            (LogicOp::Clear, 0),
            (LogicOp::Set, 0xff),
            (LogicOp::Copy, s),
            (LogicOp::CopyInverted, !s & 0xff),
            (LogicOp::Noop, d),
            (LogicOp::Invert, !d & 0xff),
            (LogicOp::And, 0b1000),
            (LogicOp::Nand, 0xf7),
            (LogicOp::Or, 0b1110),
            (LogicOp::Nor, 0xf1),
            (LogicOp::Xor, 0b0110),
            (LogicOp::Equivalent, 0xf9),
            (LogicOp::AndReverse, 0b0100),
            (LogicOp::AndInverted, 0b0010),
            (LogicOp::OrReverse, 0xfd),
            (LogicOp::OrInverted, 0xfb),
        ] {
            let storage = texel(Component::Uint, 8, &[d as u8; 4]);
            let merge = Merge {
                logic: Some(operation),
                constants: [0.0; 4],
            };
            let to = TargetMerge {
                target: Target::new(&storage, 0, 0).unwrap(),
                blend: None,
                write_mask: 15,
            };
            merge.write(&to, PLACE, [s; 4], [0; 4]);
            assert_eq!(storage.to_bytes(), [wanted as u8; 4], "{operation:?}");
        }
    }

    #[test]
    fn alpha_covers_more_samples_the_greater_it_is() {
        assert_eq!(alpha_coverage(0.0, 4), 0);
        assert_eq!(alpha_coverage(-1.0, 4), 0);
        assert_eq!(alpha_coverage(f32::NAN, 4), 0);
        assert_eq!(alpha_coverage(0.5, 4).count_ones(), 2);
        assert_eq!(alpha_coverage(1.0, 16), 0xffff);
        assert_eq!(alpha_coverage(9.0, 1), 1);
    }
}
