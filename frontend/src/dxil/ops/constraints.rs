//! What the shader model decides beside the row of an operation: overloads and stages that came
//! later than the operation.

use super::{OpFlags, Opcode, Overloads, Stages};
use crate::dxil::ShaderKind;

/// The overloads and stages that an operation has from a shader model on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constraint {
    /// The first shader model (major, minor).
    pub shader_model: (u8, u8),
    /// Types that the function may be overloaded for.
    pub overloads: Overloads,
    /// Stages that may call it.
    pub stages: Stages,
}

/// The newest minor version of shader model 6 that is released.
const NEWEST: u8 = 9;
/// Native vectors (HLSL proposal 0030).
const VECTORS: (u8, u8) = (6, 9);
/// Atomic operations on 64 bits, and derivatives in shaders with thread groups (HLSL Shader Model
/// 6.6, "64-bit Atomic Operations" and "Derivatives in Compute, Mesh and Amplification Shaders").
const ATOMICS_OF_64_BITS: (u8, u8) = (6, 6);
const DERIVATIVES_IN_GROUPS: (u8, u8) = (6, 6);

impl Opcode {
    /// Returns the overloads and stages of the operation by shader model, in ascending order: the
    /// first entry is that of the operation's own shader model, and each further one has more.
    pub fn constraints(self) -> Vec<Constraint> {
        let (major, first) = self.properties().shader_model;
        let mut constraints: Vec<Constraint> = Vec::new();
        for minor in first..=NEWEST.max(first) {
            let now = self.constraint_at((major, minor));
            let is_new = constraints
                .last()
                .is_none_or(|last| (last.overloads, last.stages) != (now.overloads, now.stages));
            if is_new {
                constraints.push(now);
            }
        }
        constraints
    }

    fn constraint_at(self, shader_model: (u8, u8)) -> Constraint {
        let row = self.properties();
        let (mut overloads, mut stages) = (row.overloads, row.stages);
        if shader_model < VECTORS {
            overloads.remove(Overloads::VECTOR);
        }
        if shader_model < ATOMICS_OF_64_BITS && row.flags.contains(OpFlags::ATOMIC) {
            overloads.remove(Overloads::I64);
        }
        if shader_model < DERIVATIVES_IN_GROUPS
            && (row.flags).intersects(OpFlags::DERIVATIVE | OpFlags::GRADIENT)
        {
            stages.remove(Stages::THREAD_GROUP);
        }
        for kind in ShaderKind::ALL {
            if shader_model < kind.min_shader_model() {
                stages.remove(Stages::from_bits_retain(1 << kind as u16));
            }
        }
        Constraint {
            shader_model,
            overloads,
            stages,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dxil::ops::Overload;

    #[test]
    fn the_first_constraint_is_of_the_operation_s_shader_model_and_the_last_is_its_row() {
        for &op in Opcode::ALL.iter().chain(Opcode::PREVIEW) {
            let row = op.properties();
            let constraints = op.constraints();
            assert_eq!(constraints[0].shader_model, row.shader_model, "{op}");
            let last = constraints[constraints.len() - 1];
            assert_eq!(last.overloads, row.overloads, "{op}");
            let kinds = |stages: Stages| ShaderKind::ALL.map(|kind| stages.allows(kind));
            assert_eq!(kinds(last.stages), kinds(row.stages), "{op}");
            for pair in constraints.windows(2) {
                assert!(pair[0].shader_model < pair[1].shader_model, "{op}");
                assert!(pair[1].overloads.contains(pair[0].overloads), "{op}");
                assert!(pair[1].stages.contains(pair[0].stages), "{op}");
            }
        }
    }

    #[test]
    fn later_overloads_and_stages_have_their_shader_model() {
        let at = |op: Opcode, minor| {
            let constraints = op.constraints();
            let found = constraints.iter().rfind(|it| it.shader_model <= (6, minor));
            *found.unwrap()
        };
        let ddx = Opcode::DerivCoarseX;
        assert!(!at(ddx, 5).stages.allows(ShaderKind::Compute));
        assert!(at(ddx, 6).stages.allows(ShaderKind::Compute));
        assert!(at(ddx, 0).stages.allows(ShaderKind::Pixel));
        let sample = Opcode::Sample;
        assert!(!at(sample, 5).stages.allows(ShaderKind::Compute));
        let atomic = Opcode::AtomicBinOp;
        assert!(!at(atomic, 5).overloads.allows(Overload::I64));
        assert!(at(atomic, 6).overloads.allows(Overload::I64));
        let abs = Opcode::FAbs;
        assert!(!at(abs, 8).overloads.allows_vectors_of(Overload::F32));
        assert!(at(abs, 9).overloads.allows_vectors_of(Overload::F32));
        assert!(!at(abs, 7).stages.allows(ShaderKind::Node));
        assert!(at(abs, 8).stages.allows(ShaderKind::Node));
    }
}
