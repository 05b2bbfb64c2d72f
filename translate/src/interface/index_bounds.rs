//! Upper bounds of indices into arrays of descriptors.
//!
//! The portable style gives an array without an end a number of elements, which the caller may not
//! have promised to be all. Then only indices that are provably among them can be translated.

use dxil_frontend::dxil::ops::{CalleeTable, IntegerOp, Op, op_giving};
use dxil_frontend::ir::{BinaryOp, CastOp, FuncView, Inst, ValueId};

/// Steps from an index to what bounds it.
const MAX_DEPTH: u32 = 8;

/// Returns a number that an unsigned 32-bit value does not exceed; `u32::MAX` if nothing is known.
pub(super) fn largest(view: FuncView<'_>, callees: &CalleeTable, value: ValueId) -> u32 {
    bounded(view, callees, value, MAX_DEPTH)
}

fn bounded(view: FuncView<'_>, callees: &CalleeTable, value: ValueId, depth: u32) -> u32 {
    if let Some(constant) = view.constant_int(value) {
        return u32::try_from(constant).unwrap_or(u32::MAX);
    }
    let inst = view
        .inst_of(value)
        .and_then(|inst| view.function.insts.get(inst));
    let (Some(inst), Some(depth)) = (inst, depth.checked_sub(1)) else {
        return u32::MAX;
    };
    let of = |value| bounded(view, callees, value, depth);
    match inst.inst {
        Inst::Binary { op, lhs, rhs, .. } => match op {
            // A sum that exceeds 32 bits wraps, to any value.
            BinaryOp::Add => of(lhs).saturating_add(of(rhs)),
            BinaryOp::Mul => of(lhs).saturating_mul(of(rhs)),
            BinaryOp::And => of(lhs).min(of(rhs)),
            BinaryOp::Or | BinaryOp::Xor => all_bits_of(of(lhs) | of(rhs)),
            BinaryOp::URem => match of(rhs) {
                0 => u32::MAX,
                divisor => of(lhs).min(divisor - 1),
            },
            BinaryOp::UDiv => match view.constant_int(rhs).map(u32::try_from) {
                Some(Ok(divisor @ 1..)) => of(lhs) / divisor,
                _ => u32::MAX,
            },
            BinaryOp::LShr => match view.constant_int(rhs) {
                // The lowest five bits count.
                Some(shift) => of(lhs) >> (shift & 31),
                None => of(lhs),
            },
            BinaryOp::Sub
            | BinaryOp::SDiv
            | BinaryOp::SRem
            | BinaryOp::Shl
            | BinaryOp::AShr
            | BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FRem => u32::MAX,
        },
        Inst::Select {
            if_true, if_false, ..
        } => of(if_true).max(of(if_false)),
        Inst::Cast {
            op: CastOp::ZExt,
            value,
        } => match view
            .value(value)
            .and_then(|data| view.module.types.scalar_bits(data.ty))
        {
            Some(bits @ 1..32) => of(value).min((1 << bits) - 1),
            _ => u32::MAX,
        },
        Inst::Call { .. } => match op_giving(view, callees, value) {
            Some(Op::Integer(IntegerOp::UMin(op))) => of(op.a).min(of(op.b)),
            Some(Op::Integer(IntegerOp::UMax(op))) => of(op.a).max(of(op.b)),
            _ => u32::MAX,
        },
        _ => u32::MAX,
    }
}

/// Returns the number with all bits up to the highest one of a number.
fn all_bits_of(number: u32) -> u32 {
    u32::MAX.checked_shr(number.leading_zeros()).unwrap_or(0)
}
