//! Shorthands for the instructions that the lowering writes everywhere. Index arithmetic on
//! literals is folded, so constant offsets cost nothing.

use super::{Builder, GLOp, Id, Op, Word};

/// Number of indices from which on an address is not looked for among those that were written.
const MAX_SHARED_INDICES: usize = 8;

impl Builder {
    /// Writes an instruction of `GLSL.std.450`, and returns its result.
    pub(crate) fn glsl(&mut self, op: GLOp, ty: Id, operands: &[Id]) -> Id {
        let first = [self.glsl_import().0, op as u32];
        self.emit_parts(Op::ExtInst, ty, first, operands)
    }

    /// Returns a value with the same bits in another type. The caller makes sure that the types
    /// differ.
    pub(crate) fn bitcast(&mut self, ty: Id, value: Id) -> Id {
        self.emit(Op::Bitcast, ty, &[value])
    }

    /// Returns `condition ? if_true : if_false`.
    pub(crate) fn select(&mut self, ty: Id, condition: Id, if_true: Id, if_false: Id) -> Id {
        self.emit(Op::Select, ty, &[condition, if_true, if_false])
    }

    /// Returns a 32-bit sum; folds literals.
    pub(crate) fn u32_add(&mut self, a: Id, b: Id) -> Id {
        match (self.literal(a), self.literal(b)) {
            (Some(x), Some(y)) => self.const_u32(x.wrapping_add(y)),
            (Some(0), None) => b,
            (None, Some(0)) => a,
            _ => {
                let ty = self.u32();
                self.emit(Op::IAdd, ty, &[a, b])
            }
        }
    }

    /// Returns a 32-bit difference; folds literals.
    pub(crate) fn u32_sub(&mut self, a: Id, b: Id) -> Id {
        match (self.literal(a), self.literal(b)) {
            (Some(x), Some(y)) => self.const_u32(x.wrapping_sub(y)),
            (None, Some(0)) => a,
            _ => {
                let ty = self.u32();
                self.emit(Op::ISub, ty, &[a, b])
            }
        }
    }

    /// Returns a 32-bit product; folds literals, and powers of two become shifts.
    pub(crate) fn u32_mul(&mut self, a: Id, factor: u32) -> Id {
        if let Some(value) = self.literal(a) {
            return self.const_u32(value.wrapping_mul(factor));
        }
        let ty = self.u32();
        if factor == 1 {
            a
        } else if factor.is_power_of_two() {
            let shift = self.const_u32(factor.trailing_zeros());
            self.emit(Op::ShiftLeftLogical, ty, &[a, shift])
        } else {
            let factor = self.const_u32(factor);
            self.emit(Op::IMul, ty, &[a, factor])
        }
    }

    /// Returns a 32-bit logical shift right by a literal; folds.
    pub(crate) fn u32_shr(&mut self, a: Id, shift: u32) -> Id {
        match self.literal(a) {
            Some(value) => self.const_u32(value.checked_shr(shift).unwrap_or(0)),
            None if shift == 0 => a,
            None => {
                let ty = self.u32();
                let shift = self.const_u32(shift);
                self.emit(Op::ShiftRightLogical, ty, &[a, shift])
            }
        }
    }

    /// Returns a 32-bit logical shift left by a literal; folds.
    pub(crate) fn u32_shl(&mut self, a: Id, shift: u32) -> Id {
        self.u32_mul(a, 1_u32.checked_shl(shift).unwrap_or(0))
    }

    /// Returns a 32-bit bitwise and with a literal; folds.
    pub(crate) fn u32_and(&mut self, a: Id, mask: u32) -> Id {
        match self.literal(a) {
            Some(value) => self.const_u32(value & mask),
            None => {
                let ty = self.u32();
                let mask = self.const_u32(mask);
                self.emit(Op::BitwiseAnd, ty, &[a, mask])
            }
        }
    }

    /// Returns a member of a composite.
    #[inline(never)]
    pub(crate) fn extract(&mut self, ty: Id, composite: Id, index: u32) -> Id {
        self.emit_once_here(Op::CompositeExtract, ty, &[composite.0, index])
    }

    /// Returns a composite of its members.
    pub(crate) fn construct(&mut self, ty: Id, parts: &[Id]) -> Id {
        self.emit(Op::CompositeConstruct, ty, parts)
    }

    /// Returns the address of a member; `pointer_ty` is the type of the result.
    pub(crate) fn access_chain<W: Word>(&mut self, pointer_ty: Id, base: Id, indices: &[W]) -> Id {
        match *indices {
            [a] => self.short_chain(pointer_ty, [base.0, a.word()]),
            [a, b] => self.short_chain(pointer_ty, [base.0, a.word(), b.word()]),
            [a, b, c] => self.short_chain(pointer_ty, [base.0, a.word(), b.word(), c.word()]),
            _ => self.long_chain(pointer_ty, base, indices),
        }
    }

    /// Returns the address of a member that is known to be inside of the object, so that computing
    /// the address does not overflow.
    pub(crate) fn chain_in_bounds(&mut self, pointer_ty: Id, base: Id, indices: &[Id]) -> Id {
        match *indices {
            [a, b] => self.emit_once_here(Op::InBoundsAccessChain, pointer_ty, &[base, a, b]),
            [a, b, c] => self.emit_once_here(Op::InBoundsAccessChain, pointer_ty, &[base, a, b, c]),
            _ => self.long_chain(pointer_ty, base, indices),
        }
    }

    /// Returns the address of a member a few levels deep: nearly all addresses.
    #[inline(never)]
    fn short_chain<const N: usize>(&mut self, pointer_ty: Id, words: [u32; N]) -> Id {
        self.emit_once_here(Op::AccessChain, pointer_ty, &words)
    }

    #[inline(never)]
    fn long_chain<W: Word>(&mut self, pointer_ty: Id, base: Id, indices: &[W]) -> Id {
        let words: Vec<u32> = std::iter::once(base.0)
            .chain(indices.iter().map(|index| index.word()))
            .collect();
        if indices.len() < MAX_SHARED_INDICES {
            self.emit_once(Op::AccessChain, pointer_ty, &words)
        } else {
            self.emit(Op::AccessChain, pointer_ty, &words)
        }
    }

    /// Loads a value that does not change while the shader runs: a stage input, a descriptor, a
    /// root argument.
    #[inline(never)]
    pub(crate) fn load_unchanging(&mut self, ty: Id, pointer: Id) -> Id {
        self.emit_once_here(Op::Load, ty, &[pointer])
    }

    /// Loads.
    pub(crate) fn load(&mut self, ty: Id, pointer: Id) -> Id {
        self.emit(Op::Load, ty, &[pointer])
    }

    /// Stores.
    pub(crate) fn store(&mut self, pointer: Id, value: Id) {
        self.emit_void(Op::Store, &[pointer, value]);
    }
}
