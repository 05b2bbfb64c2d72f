//! `llvm.*.with.overflow`: LLVM's optimizer writes checks for overflow this way. DXIL's rules have no such
//! intrinsics, but compilers have let them through.

use dxil_frontend::ir::{Type, ValueId};

use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::spirv::Op;
use crate::{Error, Result};

/// What is computed, and whether it was too large or below zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Checked {
    /// A sum.
    Add,
    /// A difference.
    Sub,
    /// A product.
    Mul,
}

impl Checked {
    /// By the function's name.
    pub(in crate::lower) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "llvm.uadd.with.overflow.i32" => Checked::Add,
            "llvm.usub.with.overflow.i32" => Checked::Sub,
            "llvm.umul.with.overflow.i32" => Checked::Mul,
            _ => return None,
        })
    }
}

impl Lowering<'_> {
    /// A result and whether it overflowed.
    pub(in crate::lower) fn checked(&mut self, what: Checked, args: &[ValueId]) -> Result<Value> {
        let &[a, b] = args else {
            return Err(Error::malformed("an overflow check takes two operands"));
        };
        let ty = self.type_of(a)?;
        if *self.view.module.types.get(ty) != Type::Int(32) || self.type_of(b)? != ty {
            return Err(Error::malformed("an overflow check of no 32-bit integers"));
        }
        match what {
            Checked::Add => self.add_carry(a, b),
            Checked::Sub => self.sub_borrow(a, b),
            Checked::Mul => {
                let Value::Parts(halves) = self.extended_mul(Op::UMulExtended, a, b)? else {
                    return Err(Error::internal("a product without halves"));
                };
                let high = self.part(halves, 0, ty)?;
                let low = self.part(halves, 1, ty)?;
                let zero = self.b.const_u32(0);
                let bool_ty = self.b.bool();
                let overflow = self.b.emit(Op::INotEqual, bool_ty, &[high, zero]);
                Ok(self.pair(low, overflow))
            }
        }
    }
}
