//! `llvm.*.with.overflow`: LLVM's optimizer produces them from overflow checks. DXIL does not allow
//! these intrinsics, but compilers have emitted them.

use dxil_frontend::ir::{Type, ValueId};

use crate::lower::context::Context;
use crate::lower::numbers::{arithmetic, results};
use crate::lower::values::LoweredValue;
use crate::spirv::Op;
use crate::{Error, Result};

/// The operation whose overflow is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum CheckedOperation {
    /// A sum.
    Add,
    /// A difference.
    Sub,
    /// A product.
    Mul,
}

impl CheckedOperation {
    /// Returns the operation that a function's name denotes.
    pub(in crate::lower) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "llvm.uadd.with.overflow.i32" => CheckedOperation::Add,
            "llvm.usub.with.overflow.i32" => CheckedOperation::Sub,
            "llvm.umul.with.overflow.i32" => CheckedOperation::Mul,
            _ => return None,
        })
    }
}

/// Returns a result and whether it overflowed.
pub(in crate::lower) fn checked(
    cx: &mut Context<'_>,
    what: CheckedOperation,
    args: &[ValueId],
) -> Result<LoweredValue> {
    let &[a, b] = args else {
        return Err(Error::malformed("an overflow check takes two operands"));
    };
    let ty = cx.function.type_of(a)?;
    // Only unsigned 32-bit forms occur: the names above end in `i32`.
    if *cx.input.types().get(ty) != Type::Int(32) || cx.function.type_of(b)? != ty {
        return Err(Error::malformed("an overflow check of no 32-bit integers"));
    }
    match what {
        CheckedOperation::Add => arithmetic::add_carry(cx, a, b),
        CheckedOperation::Sub => arithmetic::sub_borrow(cx, a, b),
        CheckedOperation::Mul => {
            let LoweredValue::Parts(halves) = arithmetic::extended_mul(cx, Op::UMulExtended, a, b)?
            else {
                return Err(Error::internal("a product without halves"));
            };
            let high = cx.part(halves, 0, ty)?;
            let low = cx.part(halves, 1, ty)?;
            let zero = cx.b.const_u32(0);
            let bool_ty = cx.b.bool();
            let overflow = cx.b.emit(Op::INotEqual, bool_ty, &[high, zero]);
            Ok(results::pair(&mut cx.function, low, overflow))
        }
    }
}
