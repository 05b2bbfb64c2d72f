//! Reductions and scans over the active lanes.

use crate::Result;
use crate::lower::context::Context;
use crate::lower::numbers::word_pairs;
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::lower::waves::{helper_lanes, scope};
use crate::spirv::{Capability, GroupOperation, Id, Op};

/// Returns a reduction or scan of 64-bit integers or halves that is built from those of words or
/// floats. `None` for other types, and where there is no such way (products of 64 bits, scans of
/// minimum and maximum).
fn portable_group_operation(
    cx: &mut Context<'_>,
    op: Op,
    operation: GroupOperation,
    shape: NumericShape,
    id: Id,
) -> Result<Option<Id>> {
    match shape.scalar {
        Scalar::Float { width: 16, .. } => {
            // Sums of halves may be rounded once instead of in each step, because their order is
            // unspecified too.
            let (narrow, wide) = (types::shape_ty(cx, shape)?, cx.b.f32());
            let value = cx.b.emit(Op::FConvert, wide, &[id]);
            let single = shape.with(Scalar::F32);
            let combined = group_operation(cx, op, operation, single, value)?;
            Ok(Some(cx.b.emit(Op::FConvert, narrow, &[combined])))
        }
        Scalar::Int { width: 64, .. } => wide_group_operation(cx, op, operation, shape, id),
        _ => Ok(None),
    }
}

fn wide_group_operation(
    cx: &mut Context<'_>,
    op: Op,
    operation: GroupOperation,
    shape: NumericShape,
    id: Id,
) -> Result<Option<Id>> {
    use Op::{
        GroupNonUniformBitwiseAnd, GroupNonUniformBitwiseOr, GroupNonUniformBitwiseXor,
        GroupNonUniformIAdd, GroupNonUniformSMax, GroupNonUniformSMin, GroupNonUniformUMax,
        GroupNonUniformUMin,
    };
    let word = NumericShape::scalar(Scalar::Int {
        bits: 32,
        width: 32,
    });
    let [low, high] = word_pairs::split_words(&mut cx.b, id);
    let parts = match op {
        GroupNonUniformBitwiseAnd | GroupNonUniformBitwiseOr | GroupNonUniformBitwiseXor => [
            group_operation(cx, op, operation, word, low)?,
            group_operation(cx, op, operation, word, high)?,
        ],
        GroupNonUniformIAdd => {
            // Each lane adds at most 0xffff, and a wave has at most 128 lanes: partial sums of 16
            // bits fit into words.
            let halves = [cx.b.u32_and(low, 0xffff), cx.b.u32_shr(low, 16)];
            let [first, second] = halves;
            let first = group_operation(cx, op, operation, word, first)?;
            let second = group_operation(cx, op, operation, word, second)?;
            let high = group_operation(cx, op, operation, word, high)?;
            let carried = cx.b.u32_shr(first, 16);
            let second = cx.b.u32_add(second, carried);
            let upper = cx.b.u32_shl(second, 16);
            let lower = cx.b.u32_and(first, 0xffff);
            let ty = cx.b.u32();
            let low = cx.b.emit(Op::BitwiseOr, ty, &[upper, lower]);
            let carried = cx.b.u32_shr(second, 16);
            [low, cx.b.u32_add(high, carried)]
        }
        GroupNonUniformUMin | GroupNonUniformSMin | GroupNonUniformUMax | GroupNonUniformSMax
            if operation == GroupOperation::Reduce =>
        {
            // The lanes with the extreme upper word decide about the lower one. In a scan every
            // lane has an extreme of its own, so this works for reductions only.
            let extreme = group_operation(cx, op, operation, word, high)?;
            let (bool_ty, ty) = (cx.b.bool(), cx.b.u32());
            let (of_lower, neutral) = match op {
                GroupNonUniformUMin | GroupNonUniformSMin => (GroupNonUniformUMin, u32::MAX),
                _ => (GroupNonUniformUMax, 0),
            };
            let decides = cx.b.emit(Op::IEqual, bool_ty, &[high, extreme]);
            let neutral = cx.b.const_u32(neutral);
            let low = cx.b.select(ty, decides, low, neutral);
            [
                group_operation(cx, of_lower, operation, word, low)?,
                extreme,
            ]
        }
        // A product of 64 bits mixes the words of all lanes, so no reduction of words gives it.
        _ => return Ok(None),
    };
    let [low, high] = parts;
    Ok(Some(word_pairs::join_words(cx, low, high, shape.scalar)?))
}

pub(super) fn group_operation(
    cx: &mut Context<'_>,
    op: Op,
    operation: GroupOperation,
    shape: NumericShape,
    id: Id,
) -> Result<Id> {
    if !cx.input.consumer().subgroup_operations
        && shape.count == 1
        && let Some(id) = portable_group_operation(cx, op, operation, shape, id)?
    {
        return Ok(id);
    }
    scope::require_extended(&cx.input, shape)?;
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformArithmetic);
    let id = helper_lanes::neutral_if_excluded(cx, op, shape, id)?;
    let ty = types::shape_ty(cx, shape)?;
    Ok(cx.b.emit(op, ty, &[scope.0, operation as u32, id.0]))
}
