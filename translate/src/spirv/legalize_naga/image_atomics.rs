//! Atomics on images.
//!
//! naga 30's IR has atomics on images that return nothing; its SPIR-V front end has no
//! `OpImageTexelPointer` and no storage class `Image`. Where the reader of the module implements
//! them, atomics become the stores that [`crate::pseudo_atomics`] describes. The results are gone
//! then: the lowering refuses shaders that use one.

use std::ops::RangeInclusive;

use super::state::{Legalizer, Refusal, TexelPointer};
use crate::pseudo_atomics::PseudoAtomic;
use crate::spirv::{Id, Op, StorageClass};

/// The opcodes of atomic instructions.
const ATOMICS: RangeInclusive<u32> = Op::AtomicLoad as u32..=Op::AtomicXor as u32;

impl Legalizer<'_> {
    /// Rewrites an instruction that points to a texel, or is an atomic on one. Returns whether the
    /// instruction was one of these.
    pub(super) fn image_atomic(&mut self, op: Op, result: Id, operands: &[u32]) -> bool {
        match (op, operands) {
            // A sample is 0, since multisampled images have no atomics in D3D12.
            (Op::ImageTexelPointer, &[image, coords, _]) => {
                let [image, coords] = [image, coords].map(Id);
                self.texel_pointers
                    .insert(result, TexelPointer { image, coords });
                true
            }
            (op, &[pointer, ref rest @ ..]) if ATOMICS.contains(&(op as u32)) => {
                let Some(&texel) = self.texel_pointers.get(&Id(pointer)) else {
                    return false;
                };
                if self.image_store(op, texel, rest).is_none() {
                    self.refused.get_or_insert(Refusal::ImageAtomic(op));
                }
                true
            }
            _ => false,
        }
    }

    /// Writes the store of an atomic. Returns `None` if naga has no such atomic.
    fn image_store(&mut self, op: Op, texel: TexelPointer, operands: &[u32]) -> Option<()> {
        let &[_scope, _semantics, value] = operands else {
            return None;
        };
        let pointer_ty = self.type_of(texel.image)?;
        let image_ty = *self.pointees.get(&pointer_ty)?;
        let scalar = *self.texels.get(&image_ty)?;
        let numeric = self.numeric(scalar)?;
        if numeric.is_float || numeric.bits != 32 || !self.image_atomics {
            return None;
        }
        // naga takes the order of numbers from the image's format.
        let atomic = match (op, numeric.is_signed) {
            (Op::AtomicIAdd, _) => PseudoAtomic::Add,
            (Op::AtomicAnd, _) => PseudoAtomic::And,
            (Op::AtomicOr, _) => PseudoAtomic::Or,
            (Op::AtomicXor, _) => PseudoAtomic::Xor,
            (Op::AtomicSMin, true) | (Op::AtomicUMin, false) => PseudoAtomic::Min,
            (Op::AtomicSMax, true) | (Op::AtomicUMax, false) => PseudoAtomic::Max,
            _ => return None,
        };
        let number = if numeric.is_signed {
            self.b.const_i32(atomic as i32)
        } else {
            self.b.const_u32(atomic as u32)
        };
        let pair = self.b.vector(scalar, 2);
        let texels = self.construct(pair, &[Id(value), number]);
        let image = self.append(Op::Load, image_ty, &[texel.image.0]);
        self.b
            .emit_void(Op::ImageWrite, &[image, texel.coords, texels]);
        Some(())
    }

    /// Removes the types of pointers to texels, which nothing refers to after the last function.
    pub(super) fn remove_texel_pointer_types(&mut self) {
        if self.texel_pointers.is_empty() {
            return;
        }
        self.b.retain_globals(|op, words| {
            op != Op::TypePointer || words.get(2) != Some(&(StorageClass::Image as u32))
        });
    }
}
