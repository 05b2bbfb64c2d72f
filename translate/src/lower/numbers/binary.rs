//! LLVM's binary operations: arithmetic, shifts and bitwise operations.

use dxil_frontend::ir::{BinaryOp, Constant, FastMath, Inst, Type, ValueDef, ValueId};

use super::{arithmetic, integers};
use crate::lower::context::{Context, FunctionState};
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::spirv::{Id, Op};
use crate::{Error, Quirks, Result};

/// Returns the result of a binary operation.
pub(in crate::lower) fn lower(
    cx: &mut Context<'_>,
    op: BinaryOp,
    fast_math: FastMath,
    lhs: ValueId,
    rhs: ValueId,
) -> Result<Id> {
    let operand_ty = cx.function.type_of(lhs)?;
    let shape = types::shape_of_type(cx, operand_ty)?;
    if shape.scalar == Scalar::Bool {
        return binary_bool(cx, op, shape, lhs, rhs);
    }
    let [a, b] = cx.ids([lhs, rhs])?;
    let ty = types::lower(cx, operand_ty)?;
    let simple = match op {
        BinaryOp::Add => Op::IAdd,
        BinaryOp::Sub => Op::ISub,
        BinaryOp::Mul => Op::IMul,
        BinaryOp::And => Op::BitwiseAnd,
        // LLVM turns `2 * i + 1` into an `or`, but drivers recognize addresses by their sums.
        BinaryOp::Or if has_no_bit_twice(&cx.function, lhs, rhs) => Op::IAdd,
        BinaryOp::Or => Op::BitwiseOr,
        BinaryOp::Xor => Op::BitwiseXor,
        BinaryOp::UDiv => return integers::unsigned_division(cx, Op::UDiv, shape, a, b, Some(rhs)),
        BinaryOp::URem => return integers::unsigned_division(cx, Op::UMod, shape, a, b, Some(rhs)),
        BinaryOp::SDiv => return integers::signed_division(cx, Op::SDiv, shape, a, b, rhs),
        BinaryOp::SRem => return integers::signed_division(cx, Op::SRem, shape, a, b, rhs),
        BinaryOp::Shl => return integers::shift(cx, Op::ShiftLeftLogical, shape, a, b, rhs),
        BinaryOp::LShr => return integers::shift(cx, Op::ShiftRightLogical, shape, a, b, rhs),
        BinaryOp::AShr => return integers::shift(cx, Op::ShiftRightArithmetic, shape, a, b, rhs),
        BinaryOp::FAdd => Op::FAdd,
        // `-0.0 - x` is how LLVM 3.7 writes a negation, which has no rounding and keeps NaN's bits.
        BinaryOp::FSub if is_minus_zero(cx, lhs) => {
            let id = cx.b.emit(Op::FNegate, ty, &[b]);
            types::mark_relaxed(&mut cx.b, &cx.input, shape, id);
            return Ok(id);
        }
        BinaryOp::FSub => Op::FSub,
        BinaryOp::FMul => Op::FMul,
        BinaryOp::FDiv => Op::FDiv,
        BinaryOp::FRem => Op::FRem,
    };
    if op == BinaryOp::FDiv
        // Only a division that may be approximated may become a product with a reciprocal.
        && fast_math.contains(FastMath::FAST)
        && let Some(quotient) = arithmetic::finite_quotient(cx, shape, a, rhs)?
    {
        return Ok(quotient);
    }
    let id = cx.b.emit(simple, ty, &[a, b]);
    if matches!(shape.scalar, Scalar::Float { .. }) {
        // LLVM's flag `fast` permits contraction; without it HLSL said `precise`.
        if !fast_math.contains(FastMath::FAST) || cx.input.has_quirk(Quirks::PRECISE) {
            arithmetic::no_contraction(cx, id);
        }
        types::mark_relaxed(&mut cx.b, &cx.input, shape, id);
    }
    Ok(id)
}

/// Returns a binary operation on `i1`: arithmetic modulo 2.
fn binary_bool(
    cx: &mut Context<'_>,
    op: BinaryOp,
    shape: NumericShape,
    lhs: ValueId,
    rhs: ValueId,
) -> Result<Id> {
    let [a, b] = cx.ids([lhs, rhs])?;
    let ty = types::shape_ty(cx, shape)?;
    let op = match op {
        BinaryOp::And | BinaryOp::Mul => Op::LogicalAnd,
        BinaryOp::Or => Op::LogicalOr,
        BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => {
            // `xor x, true` is how LLVM writes "not".
            for (known, other) in [(rhs, a), (lhs, b)] {
                if cx
                    .function
                    .constant_int(known)
                    .is_some_and(|value| value & 1 == 1)
                {
                    return Ok(cx.b.emit(Op::LogicalNot, ty, &[other]));
                }
            }
            Op::LogicalNotEqual
        }
        // A shift by 1 and a division by 0 are undefined, and the other ones give x.
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            return Ok(a);
        }
        BinaryOp::URem | BinaryOp::SRem => return types::const_int(cx, shape, 0),
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            return Err(Error::malformed("float arithmetic on i1"));
        }
    };
    Ok(cx.b.emit(op, ty, &[a, b]))
}

/// Returns whether a constant only has bits that a shift or a multiplication leaves zero: then `or`
/// equals `add`.
fn has_no_bit_twice(function: &FunctionState<'_>, value: ValueId, constant: ValueId) -> bool {
    let Some(constant) = function.constant_int(constant) else {
        return false;
    };
    let inst = match function.view.value(value).map(|value| value.def) {
        Some(ValueDef::Inst(inst)) => function.view.function.insts.get(inst),
        _ => None,
    };
    let zeros = match inst.map(|data| data.inst) {
        Some(Inst::Binary {
            op: op @ (BinaryOp::Shl | BinaryOp::Mul),
            rhs,
            ..
        }) => match (op, function.constant_int(rhs)) {
            (BinaryOp::Shl, Some(amount)) => amount.min(63) as u32,
            (_, Some(factor)) if factor != 0 => factor.trailing_zeros(),
            _ => 0,
        },
        _ => 0,
    };
    // There is no narrower type, so the shift amount is exact.
    zeros < 8 && constant >> zeros == 0
}

/// Returns whether a value is the constant -0.0, in all of its elements.
fn is_minus_zero(cx: &Context<'_>, value: ValueId) -> bool {
    let function = cx.function.view;
    let Some(data) = function.value(value) else {
        return false;
    };
    let types = cx.input.types();
    let (ty, bits) = match (data.def, types.get(data.ty)) {
        (ValueDef::Constant(Constant::Float(bits)), ty) => (ty, bits),
        (ValueDef::Constant(Constant::Data(list)), &Type::Vector { element, .. }) => {
            let data = function.constant_data(value, list);
            match data.first() {
                Some(&bits) if data.iter().all(|&other| other == bits) => {
                    (types.get(element), bits)
                }
                _ => return false,
            }
        }
        _ => return false,
    };
    // The sign of the zero matters: +0.0 - x is +0.0 for x = +0.0, and the negation is -0.0.
    match ty {
        Type::Half => bits == 0x8000,
        Type::Float => bits == 0x8000_0000,
        Type::Double => bits == 1 << 63,
        _ => false,
    }
}
