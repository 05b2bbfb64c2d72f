//! Wave operations built from the few subgroup instructions that naga's SPIR-V front end accepts.

use crate::Result;
use crate::lower::context::Context;
use crate::lower::numbers::integers;
use crate::lower::signatures::inputs;
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::spirv::{Builder, BuiltIn, Capability, GroupOperation, Id, Op};

/// Returns a word of the first active lane.
fn first_lane_word(b: &mut Builder, scope: Id, word: Id) -> Id {
    b.capability(Capability::GroupNonUniformBallot);
    let ty = b.u32();
    b.emit(Op::GroupNonUniformBroadcastFirst, ty, &[scope, word])
}

/// Returns whether this lane is the first active one.
pub(super) fn first_lane(cx: &mut Context<'_>, scope: Id) -> Id {
    let lane = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
    let first = first_lane_word(&mut cx.b, scope, lane);
    let ty = cx.b.bool();
    cx.b.emit(Op::IEqual, ty, &[lane, first])
}

/// Returns whether all lanes hold the same value: all of them equal the first one's.
pub(super) fn all_equal(
    cx: &mut Context<'_>,
    scope: Id,
    shape: NumericShape,
    id: Id,
) -> Result<Id> {
    cx.b.capability(Capability::GroupNonUniformBallot);
    cx.b.capability(Capability::GroupNonUniformVote);
    let ty = types::shape_ty(cx, shape)?;
    let bool_ty = cx.b.bool();
    // naga broadcasts numbers only.
    let same = if shape.scalar == Scalar::Bool {
        let word = integers::bool_to_u32(&mut cx.b, id);
        let first = first_lane_word(&mut cx.b, scope, word);
        cx.b.emit(Op::IEqual, bool_ty, &[word, first])
    } else {
        let first =
            cx.b.emit(Op::GroupNonUniformBroadcastFirst, ty, &[scope, id]);
        // NaN equals nothing, so a wave of NaN is not equal.
        let equal = if matches!(shape.scalar, Scalar::Float { .. }) {
            Op::FOrdEqual
        } else {
            Op::IEqual
        };
        cx.b.emit(equal, bool_ty, &[id, first])
    };
    Ok(cx.b.emit(Op::GroupNonUniformAll, bool_ty, &[scope, same]))
}

/// Returns the bits of a ballot: all of them, or those of the lanes before this one.
pub(super) fn bit_count(cx: &mut Context<'_>, operation: GroupOperation, ballot: Id) -> Id {
    let ty = cx.b.u32();
    let bool_ty = cx.b.bool();
    let lane = (operation == GroupOperation::ExclusiveScan)
        .then(|| inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId));
    let mut sum = cx.b.const_u32(0);
    for index in 0..4 {
        let mut word = cx.b.extract(ty, ballot, index);
        if let Some(lane) = lane {
            // Lanes of this word that lie before this one: a mask of (lane - 32 * index) bits.
            let ones = cx.b.const_u32(u32::MAX);
            let zero = cx.b.const_u32(0);
            let begin = cx.b.const_u32(index * 32);
            let end = cx.b.const_u32(index * 32 + 32);
            let bit = cx.b.u32_and(lane, 31);
            // A shift by 32 or more is undefined, so the amount is cut to 5 bits and the two
            // selects below handle lanes outside of this word.
            let shifted = cx.b.emit(Op::ShiftLeftLogical, ty, &[ones, bit]);
            let below = cx.b.emit(Op::Not, ty, &[shifted]);
            let after = cx.b.emit(Op::UGreaterThanEqual, bool_ty, &[lane, end]);
            let before = cx.b.emit(Op::ULessThan, bool_ty, &[lane, begin]);
            let mask = cx.b.select(ty, after, ones, below);
            let mask = cx.b.select(ty, before, zero, mask);
            word = cx.b.emit(Op::BitwiseAnd, ty, &[word, mask]);
        }
        let count = cx.b.emit(Op::BitCount, ty, &[word]);
        sum = cx.b.u32_add(sum, count);
    }
    sum
}

/// Returns the value of the lane whose number differs in the bits of `mask`.
pub(super) fn swap(b: &mut Builder, scope: Id, ty: Id, id: Id, mask: u32) -> Id {
    b.capability(Capability::GroupNonUniformShuffle);
    let mask = b.const_u32(mask);
    b.emit(Op::GroupNonUniformShuffleXor, ty, &[scope, id, mask])
}
