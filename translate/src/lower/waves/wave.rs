//! Wave operations: D3D's waves are SPIR-V's subgroups.

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::{
    CrossLaneOp, Op as DxOp, Sign, WaveBitOp, WaveMultiPrefixOp, WaveOp, calls, op_giving,
};
use dxil_frontend::ir::{BinaryOp, Inst, ValueDef, ValueId};

use super::helper_lanes::{self, Otherwise};
use crate::lower::context::Context;
use crate::lower::numbers::{arithmetic, integers};
use crate::lower::signatures::inputs;
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::values::{Call, LoweredValue};
use crate::lower::waves::{portable_waves, reductions, scope};
use crate::lower::{blocks, types};
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, GLOp, GroupOperation, Id, Op, Scope};
use crate::{Error, Quirks, Result};

/// Thread groups of 32 threads were written for waves of 32 lanes.
const NARROW: u32 = 32;

/// Lowers `WaveGetLaneCount`.
pub(super) fn lane_count(cx: &mut Context<'_>) -> Id {
    // The workaround wins: it is for shaders that only work with one wave size.
    if let Some(count) = cx.input.options.workarounds.lane_count {
        return cx.b.const_u32(count);
    }
    let count = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupSize);
    // In a group of 32 threads the other lanes of a wider wave are never active.
    let [x, y, z] = cx.input.entry.num_threads.unwrap_or([0; 3]);
    let narrow = x.saturating_mul(y).saturating_mul(z) == NARROW;
    if !narrow
        || !cx.input.has_groups()
        || !cx.input.has_quirk(Quirks::NARROW_WAVES_IN_NARROW_GROUPS)
    {
        return count;
    }
    let ty = cx.b.u32();
    let max = cx.b.const_u32(NARROW);
    cx.b.glsl(GLOp::UMin, ty, &[count, max])
}

/// Returns whether this lane is the first active one.
pub(super) fn is_first_lane(cx: &mut Context<'_>) -> Result<LoweredValue> {
    let scope = scope::subgroup_scope(cx);
    let ty = cx.b.bool();
    if !cx.input.consumer().subgroup_operations {
        return Ok(LoweredValue::Id(portable_waves::first_lane(cx, scope)));
    }
    if let Some(helper) = helper_lanes::excluded_lane(cx) {
        return Ok(LoweredValue::Id(helper_lanes::is_first_included_lane(
            cx, helper,
        )));
    }
    Ok(LoweredValue::Id(cx.b.emit(
        Op::GroupNonUniformElect,
        ty,
        &[scope],
    )))
}

/// Returns whether any lane's condition holds.
pub(super) fn any_lane(cx: &mut Context<'_>, condition: ValueId) -> Result<LoweredValue> {
    // Helper lanes vote "false" for "any" and "true" for "all", which decides nothing.
    let condition = cx.id(condition)?;
    let condition = helper_lanes::of_included_lanes(cx, condition);
    Ok(LoweredValue::Id(vote(
        cx,
        Op::GroupNonUniformAny,
        condition,
    )))
}

/// Returns whether all lanes' conditions hold.
pub(super) fn all_lanes(cx: &mut Context<'_>, condition: ValueId) -> Result<LoweredValue> {
    let condition = cx.id(condition)?;
    let condition = helper_lanes::or_excluded_lane(cx, condition);
    Ok(LoweredValue::Id(vote(
        cx,
        Op::GroupNonUniformAll,
        condition,
    )))
}

fn vote(cx: &mut Context<'_>, op: Op, condition: Id) -> Id {
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformVote);
    let ty = cx.b.bool();
    cx.b.emit(op, ty, &[scope, condition])
}

/// Returns whether all lanes hold the same value.
pub(super) fn all_equal(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let (shape, id) = scope::operand(cx, value)?;
    if shape.count != 1 {
        return Err(Error::unsupported("WaveActiveAllEqual of a vector"));
    }
    // Upper bits of widened integers are undefined, and would make equal values differ.
    let id = integers::zero_extend(cx, shape, id)?;
    if !cx.input.consumer().subgroup_operations {
        let scope = scope::subgroup_scope(cx);
        return Ok(LoweredValue::Id(portable_waves::all_equal(
            cx, scope, shape, id,
        )?));
    }
    if let Some(helper) = helper_lanes::excluded_lane(cx) {
        let equal = helper_lanes::all_included_equal(cx, value, shape, id, helper)?;
        return Ok(LoweredValue::Id(equal));
    }
    let id = match shape.scalar {
        // Equality of vectors is as good, and needs no 64-bit subgroup operations.
        Scalar::Int { width: 64, .. } if !scope::has_extended_types(&cx.input) => {
            let word = cx.b.u32();
            let pair = cx.b.vector(word, 2);
            cx.b.bitcast(pair, id)
        }
        _ => id,
    };
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformVote);
    let ty = cx.b.bool();
    Ok(LoweredValue::Id(cx.b.emit(
        Op::GroupNonUniformAllEqual,
        ty,
        &[scope, id],
    )))
}

/// Returns the lanes whose condition holds: a vector of four words.
fn emit_ballot(cx: &mut Context<'_>, condition: Id) -> Id {
    let condition = helper_lanes::of_included_lanes(cx, condition);
    ballot_with_helpers(cx, condition)
}

/// Returns the same with helper lanes, where they take part.
pub(super) fn ballot_with_helpers(cx: &mut Context<'_>, condition: Id) -> Id {
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformBallot);
    let ty = scope::mask_ty(&mut cx.b);
    cx.b.emit(Op::GroupNonUniformBallot, ty, &[scope, condition])
}

/// Lowers `WaveActiveBallot`.
pub(super) fn active_ballot(cx: &mut Context<'_>, condition: ValueId) -> Result<LoweredValue> {
    let condition = cx.id(condition)?;
    let ballot = emit_ballot(cx, condition);
    Ok(arithmetic::vector_parts(&mut cx.function, ballot, 4))
}

/// Returns the number of lanes whose condition holds: of all lanes, or of those before this one.
pub(super) fn bit_count(
    cx: &mut Context<'_>,
    operation: GroupOperation,
    condition: ValueId,
) -> Result<LoweredValue> {
    let condition = cx.id(condition)?;
    let ballot = emit_ballot(cx, condition);
    Ok(LoweredValue::Id(ballot_bit_count(cx, operation, ballot)))
}

fn ballot_bit_count(cx: &mut Context<'_>, operation: GroupOperation, ballot: Id) -> Id {
    if !cx.input.consumer().subgroup_operations {
        return portable_waves::bit_count(cx, operation, ballot);
    }
    let scope = scope::subgroup_scope(cx);
    let ty = cx.b.u32();
    cx.b.emit(
        Op::GroupNonUniformBallotBitCount,
        ty,
        &[scope.0, operation as u32, ballot.0],
    )
}

/// Returns the value of a lane.
pub(super) fn read_lane_at(
    cx: &mut Context<'_>,
    value: ValueId,
    lane: ValueId,
) -> Result<LoweredValue> {
    let scope = scope::subgroup_scope(cx);
    if let Some(mask) = lane_mask(cx, lane) {
        let id = exchange(cx, scope, value, mask)?;
        return Ok(LoweredValue::Id(id));
    }
    if let Some(number) = lane_of_quad(cx, lane) {
        cx.b.capability(Capability::GroupNonUniformQuad);
        let number = cx.b.const_u32(number);
        let id = scope::cross_lane_read(cx, value, |cx, ty, id| {
            cx.b.emit(Op::GroupNonUniformQuadBroadcast, ty, &[scope, id, number])
        })?;
        return Ok(LoweredValue::Id(id));
    }
    let constant = cx.function.constant_int(lane).is_some();
    let lane = integers::to_u32(cx, lane)?;
    // A broadcast takes a lane that is the same in the whole wave, and a constant before SPIR-V
    // 1.5; a shuffle takes any.
    let op = if constant {
        cx.b.capability(Capability::GroupNonUniformBallot);
        Op::GroupNonUniformBroadcast
    } else {
        cx.b.capability(Capability::GroupNonUniformShuffle);
        Op::GroupNonUniformShuffle
    };
    let id = scope::cross_lane_read(cx, value, |cx, ty, id| {
        cx.b.emit(op, ty, &[scope, id, lane])
    })?;
    Ok(LoweredValue::Id(id))
}

/// Returns the constant by which a lane's number differs from that of the lane that reads it:
/// `WaveGetLaneIndex() ^ 4`.
fn lane_mask(cx: &Context<'_>, lane: ValueId) -> Option<u32> {
    let (op, own, mask) = with_constant(cx, lane)?;
    (op == BinaryOp::Xor && is_lane_index(cx, own)).then_some(mask)
}

/// Returns the number of a lane in the quad of the lane that reads it, as [`exchange`] understands
/// quads: `WaveGetLaneIndex() & ~3 | 1`. An exchange in a quad costs less than one in the wave.
fn lane_of_quad(cx: &Context<'_>, lane: ValueId) -> Option<u32> {
    if !cx.input.has(Features::SUBGROUP_QUAD) || !cx.input.consumer().subgroup_operations {
        return None;
    }
    let is_first = |value: ValueId| {
        matches!(with_constant(cx, value), Some((BinaryOp::And, own, mask))
            if mask == !3 && is_lane_index(cx, own))
    };
    if is_first(lane) {
        return Some(0);
    }
    let (op, base, number) = with_constant(cx, lane)?;
    let is_of_quad = match op {
        BinaryOp::Or => is_first(base) || number == 3 && is_lane_index(cx, base),
        BinaryOp::Add => is_first(base),
        _ => false,
    };
    (is_of_quad && number < 4).then_some(number)
}

/// Returns an operation of a value and a constant.
fn with_constant(cx: &Context<'_>, value: ValueId) -> Option<(BinaryOp, ValueId, u32)> {
    let ValueDef::Inst(inst) = cx.function.view.value(value)?.def else {
        return None;
    };
    let Inst::Binary { op, lhs, rhs, .. } = cx.function.view.function.insts.get(inst)?.inst else {
        return None;
    };
    match (cx.function.constant_int(lhs), cx.function.constant_int(rhs)) {
        (None, Some(constant)) => Some((op, lhs, constant as u32)),
        (Some(constant), None) => Some((op, rhs, constant as u32)),
        _ => None,
    }
}

fn is_lane_index(cx: &Context<'_>, value: ValueId) -> bool {
    matches!(
        op_giving(cx.function.view, &cx.input.shader.callees, value),
        Some(DxOp::CrossLane(CrossLaneOp::WaveGetLaneIndex(_)))
    )
}

/// Exchanges values between lanes whose numbers differ by a mask. Lanes of a quad have numbers that
/// follow on one another (Vulkan, "Quad Group Operations").
fn exchange(cx: &mut Context<'_>, scope: Id, value: ValueId, mask: u32) -> Result<Id> {
    let in_quad = (1..=3).contains(&mask) && cx.input.has(Features::SUBGROUP_QUAD);
    let (op, by) = if in_quad {
        cx.b.capability(Capability::GroupNonUniformQuad);
        (Op::GroupNonUniformQuadSwap, mask - 1)
    } else {
        cx.b.capability(Capability::GroupNonUniformShuffle);
        (Op::GroupNonUniformShuffleXor, mask)
    };
    let by = cx.b.const_u32(by);
    scope::cross_lane_read(cx, value, |cx, ty, id| cx.b.emit(op, ty, &[scope, id, by]))
}

/// Returns the value of the first active lane.
pub(super) fn read_first_lane(
    cx: &mut Context<'_>,
    call: &Call,
    value: ValueId,
) -> Result<LoweredValue> {
    // A broadcast of the first lane may come from a helper lane, which D3D12 excludes.
    if let Some(helper) = helper_lanes::excluded_lane(cx) {
        let otherwise = if helper_lanes::is_compared(&cx.function, call, value) {
            Otherwise::Own
        } else {
            Otherwise::Zero
        };
        let id = helper_lanes::read_first_included_lane(cx, value, helper, otherwise)?;
        return Ok(LoweredValue::Id(id));
    }
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformBallot);
    let id = scope::cross_lane_read(cx, value, |cx, ty, id| {
        cx.b.emit(Op::GroupNonUniformBroadcastFirst, ty, &[scope, id])
    })?;
    Ok(LoweredValue::Id(id))
}

/// Returns a reduction or scan.
pub(in crate::lower) fn reduce(
    cx: &mut Context<'_>,
    operation: GroupOperation,
    value: ValueId,
    op: WaveOp,
    sign: Sign,
) -> Result<LoweredValue> {
    let (shape, mut id) = scope::operand(cx, value)?;
    let op = match shape.scalar {
        Scalar::Float { .. } => match op {
            WaveOp::Sum => Op::GroupNonUniformFAdd,
            WaveOp::Product => Op::GroupNonUniformFMul,
            WaveOp::Min => Op::GroupNonUniformFMin,
            WaveOp::Max => Op::GroupNonUniformFMax,
        },
        Scalar::Int { .. } => match (op, sign) {
            (WaveOp::Sum, _) => Op::GroupNonUniformIAdd,
            (WaveOp::Product, _) => Op::GroupNonUniformIMul,
            (WaveOp::Min, Sign::Signed) => Op::GroupNonUniformSMin,
            (WaveOp::Max, Sign::Signed) => Op::GroupNonUniformSMax,
            (WaveOp::Min, Sign::Unsigned) => Op::GroupNonUniformUMin,
            (WaveOp::Max, Sign::Unsigned) => Op::GroupNonUniformUMax,
        },
        Scalar::Bool => {
            // Minimum and product of booleans are "and", maximum is "or", a sum is parity. Signed
            // minimum and maximum change places, because true is -1.
            let op = match (op, sign) {
                (WaveOp::Min, Sign::Unsigned)
                | (WaveOp::Max, Sign::Signed)
                | (WaveOp::Product, _) => Op::GroupNonUniformLogicalAnd,
                (WaveOp::Max, Sign::Unsigned) | (WaveOp::Min, Sign::Signed) => {
                    Op::GroupNonUniformLogicalOr
                }
                (WaveOp::Sum, _) => Op::GroupNonUniformLogicalXor,
            };
            return Ok(LoweredValue::Id(reductions::group_operation(
                cx, op, operation, shape, id,
            )?));
        }
    };
    // Widened integers have undefined upper bits. Sums and bitwise operations do not mind, but
    // extending costs one instruction and keeps the cases few.
    if matches!(op, Op::GroupNonUniformSMin | Op::GroupNonUniformSMax) {
        id = integers::sign_extend(cx, shape, id)?;
    } else {
        id = integers::zero_extend(cx, shape, id)?;
    }
    let id = reductions::group_operation(cx, op, operation, shape, id)?;
    types::mark_relaxed(&mut cx.b, &cx.input, shape, id);
    Ok(LoweredValue::Id(id))
}

/// Returns a bitwise reduction.
pub(super) fn reduce_bits(
    cx: &mut Context<'_>,
    value: ValueId,
    op: WaveBitOp,
) -> Result<LoweredValue> {
    let (shape, id) = scope::operand(cx, value)?;
    let bool_ = shape.scalar == Scalar::Bool;
    let op = match op {
        WaveBitOp::And if bool_ => Op::GroupNonUniformLogicalAnd,
        WaveBitOp::Or if bool_ => Op::GroupNonUniformLogicalOr,
        WaveBitOp::Xor if bool_ => Op::GroupNonUniformLogicalXor,
        WaveBitOp::And => Op::GroupNonUniformBitwiseAnd,
        WaveBitOp::Or => Op::GroupNonUniformBitwiseOr,
        WaveBitOp::Xor => Op::GroupNonUniformBitwiseXor,
    };
    Ok(LoweredValue::Id(reductions::group_operation(
        cx,
        op,
        GroupOperation::Reduce,
        shape,
        id,
    )?))
}

/// Returns the lanes that hold the same value as this one. Each round takes the first lane's value;
/// the lanes that hold it leave with the ballot of that round.
pub(super) fn match_lanes(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let (shape, id) = scope::operand(cx, value)?;
    let id = integers::zero_extend(cx, shape, id)?;
    let scope = scope::subgroup_scope(cx);
    if cx
        .input
        .options
        .target
        .features
        .contains(Features::SUBGROUP_PARTITIONED)
        // The instruction takes the types of other wave operations, so wide ones need the same
        // feature.
        && (shape.scalar.width() == 32 || scope::has_extended_types(&cx.input))
    {
        cx.b.capability(Capability::GroupNonUniformPartitionedNV);
        cx.b.extension("SPV_NV_shader_subgroup_partitioned");
        let ty = scope::mask_ty(&mut cx.b);
        let mut mask = cx.b.emit(Op::GroupNonUniformPartitionNV, ty, &[id]);
        if cx.input.entry.kind == ShaderKind::Pixel {
            // The instruction counts helper lanes, whose bits are 0 in D3D12 (HLSL Shader Model
            // 6.5, "WaveMatch").
            let active = active_lanes(cx);
            mask = cx.b.emit(Op::BitwiseAnd, ty, &[mask, active]);
        }
        return Ok(arithmetic::vector_parts(&mut cx.function, mask, 4));
    }
    cx.b.capability(Capability::GroupNonUniformBallot);
    // The loop ends, because each round removes at least the lane whose value it took.
    let (round, []) = blocks::begin_loop(cx, []);
    let first = scope::cross_lane_read(cx, value, |cx, ty, id| {
        cx.b.emit(Op::GroupNonUniformBroadcastFirst, ty, &[scope, id])
    })?;
    let first = integers::zero_extend(cx, shape, first)?;
    let bool_ty = cx.b.bool();
    let mut same = helper_lanes::is_equal(&mut cx.b, shape, first, id);
    if matches!(shape.scalar, Scalar::Float { .. }) {
        // NaN equals nothing, not even itself: a lane with NaN has to leave the loop by itself, or
        // the loop would not end.
        let nan = arithmetic::is_nan(cx, shape, id)?;
        let elected = if !cx.input.consumer().subgroup_operations {
            portable_waves::first_lane(cx, scope)
        } else {
            cx.b.emit(Op::GroupNonUniformElect, bool_ty, &[scope])
        };
        let alone = cx.b.emit(Op::LogicalAnd, bool_ty, &[nan, elected]);
        same = cx.b.emit(Op::LogicalOr, bool_ty, &[same, alone]);
    }
    // The ballot is inside of the loop, so that it counts the lanes of this round alone.
    let mask = emit_ballot(cx, same);
    blocks::end_loop(cx, round, same);
    Ok(arithmetic::vector_parts(&mut cx.function, mask, 4))
}

/// Returns the mask of the lanes that take part.
fn active_lanes(cx: &mut Context<'_>) -> Id {
    cx.b.capability(Capability::GroupNonUniformBallot);
    let yes = cx.b.const_bool(true);
    emit_ballot(cx, yes)
}

fn partition_mask(cx: &mut Context<'_>, mask: [ValueId; 4]) -> Result<Id> {
    let words = cx.ids(mask)?;
    let ty = scope::mask_ty(&mut cx.b);
    Ok(cx.b.construct(ty, &words))
}

/// Returns the number of set conditions before this lane, among the lanes of a mask.
pub(super) fn multi_prefix_bit_count(
    cx: &mut Context<'_>,
    op: &calls::WaveMultiPrefixBitCount,
) -> Result<LoweredValue> {
    let condition = cx.id(op.value)?;
    let mask = partition_mask(cx, op.mask)?;
    let ballot = emit_ballot(cx, condition);
    let ty = scope::mask_ty(&mut cx.b);
    // Bits of lanes that do not take part are 0 in the ballot, so the mask may name them.
    let counted = cx.b.emit(Op::BitwiseAnd, ty, &[ballot, mask]);
    Ok(LoweredValue::Id(ballot_bit_count(
        cx,
        GroupOperation::ExclusiveScan,
        counted,
    )))
}

/// Emits exclusive scans over the groups of lanes that masks describe.
///
/// The masks of a group are equal in all of its lanes (HLSL Shader Model 6.5, "Multi-Prefix
/// Operations"), so each round of a loop scans the group of the first lane that is left.
pub(super) fn multi_prefix(
    cx: &mut Context<'_>,
    op: &calls::WaveMultiPrefixOp,
) -> Result<LoweredValue> {
    let (shape, id) = scope::operand(cx, op.value)?;
    let mask = partition_mask(cx, op.mask)?;
    // Bits of inactive and helper lanes count as 0 (HLSL Shader Model 6.5, "Multi-Prefix
    // Operations"): there is nothing to read from them.
    let active = active_lanes(cx);
    let words_ty = scope::mask_ty(&mut cx.b);
    let mask = cx.b.emit(Op::BitwiseAnd, words_ty, &[mask, active]);
    let has_scans = cx.input.consumer().subgroup_operations
        && (shape.scalar.width() == 32 || scope::has_extended_types(&cx.input));
    if !has_scans {
        return multi_prefix_by_lane(cx, op, shape, mask);
    }
    let identity = multi_prefix_identity(cx, shape, op.op)?;
    let float = matches!(shape.scalar, Scalar::Float { .. });
    let combine = match op.op {
        WaveMultiPrefixOp::Sum if float => Op::GroupNonUniformFAdd,
        WaveMultiPrefixOp::Product if float => Op::GroupNonUniformFMul,
        WaveMultiPrefixOp::Sum => Op::GroupNonUniformIAdd,
        WaveMultiPrefixOp::Product => Op::GroupNonUniformIMul,
        WaveMultiPrefixOp::And => Op::GroupNonUniformBitwiseAnd,
        WaveMultiPrefixOp::Or => Op::GroupNonUniformBitwiseOr,
        WaveMultiPrefixOp::Xor => Op::GroupNonUniformBitwiseXor,
    };
    let scope = scope::subgroup_scope(cx);
    let bool_ty = cx.b.bool();
    let bools_ty = cx.b.vector(bool_ty, 4);
    let ty = types::shape_ty(cx, shape)?;
    // The loop ends, because each round removes at least the lane whose mask it took.
    let (round, []) = blocks::begin_loop(cx, []);
    let words = [scope, mask];
    let first =
        cx.b.emit(Op::GroupNonUniformBroadcastFirst, words_ty, &words);
    let equal = cx.b.emit(Op::IEqual, bools_ty, &[first, mask]);
    let same = cx.b.emit(Op::All, bool_ty, &[equal]);
    let group = blocks::begin_if(cx, same);
    let scan = GroupOperation::ExclusiveScan;
    let scanned = reductions::group_operation(cx, combine, scan, shape, id)?;
    let result = blocks::end_if_with(cx, group, ty, scanned, identity);
    blocks::end_loop(cx, round, same);
    Ok(LoweredValue::Id(result))
}

/// Does the same without scans: iterates over all lanes of the wave and combines those of the mask
/// before this one.
fn multi_prefix_by_lane(
    cx: &mut Context<'_>,
    op: &calls::WaveMultiPrefixOp,
    shape: NumericShape,
    mask: Id,
) -> Result<LoweredValue> {
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformShuffle);
    let ty = types::shape_ty(cx, shape)?;
    let word = cx.b.u32();
    let bool_ty = cx.b.bool();
    let me = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
    let size = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupSize);
    let identity = multi_prefix_identity(cx, shape, op.op)?;
    let zero = cx.b.const_u32(0);
    let one = cx.b.const_u32(1);
    // The loop's phis need the ids of values that the loop body computes later.
    let next_lane = cx.b.fresh();
    let next_result = cx.b.fresh();
    let (round, [lane, result]) =
        blocks::begin_loop(cx, [(word, zero, next_lane), (ty, identity, next_result)]);
    let other = scope::cross_lane_read(cx, op.value, |cx, ty, id| {
        cx.b.emit(Op::GroupNonUniformShuffle, ty, &[scope, id, lane])
    })?;
    // The mask is four words; a dynamic index selects the one that holds the lane's bit.
    let word_index = cx.b.u32_shr(lane, 5);
    let bits =
        cx.b.emit(Op::VectorExtractDynamic, word, &[mask, word_index]);
    let bit = cx.b.u32_and(lane, 31);
    let shifted = cx.b.emit(Op::ShiftRightLogical, word, &[bits, bit]);
    let low = cx.b.u32_and(shifted, 1);
    let in_mask = cx.b.emit(Op::INotEqual, bool_ty, &[low, zero]);
    let before = cx.b.emit(Op::ULessThan, bool_ty, &[lane, me]);
    let counts = cx.b.emit(Op::LogicalAnd, bool_ty, &[in_mask, before]);
    let float = matches!(shape.scalar, Scalar::Float { .. });
    let combine = match op.op {
        WaveMultiPrefixOp::Sum if float => Op::FAdd,
        WaveMultiPrefixOp::Product if float => Op::FMul,
        WaveMultiPrefixOp::Sum => Op::IAdd,
        WaveMultiPrefixOp::Product => Op::IMul,
        WaveMultiPrefixOp::And => Op::BitwiseAnd,
        WaveMultiPrefixOp::Or => Op::BitwiseOr,
        WaveMultiPrefixOp::Xor => Op::BitwiseXor,
    };
    let combined = cx.b.emit(combine, ty, &[result, other]);
    cx.b.emit_as(Op::Select, ty, next_result, &[counts, combined, result]);
    cx.b.emit_as(Op::IAdd, word, next_lane, &[lane, one]);
    let done =
        cx.b.emit(Op::UGreaterThanEqual, bool_ty, &[next_lane, size]);
    blocks::end_loop(cx, round, done);
    Ok(LoweredValue::Id(next_result))
}

fn multi_prefix_identity(
    cx: &mut Context<'_>,
    shape: NumericShape,
    op: WaveMultiPrefixOp,
) -> Result<Id> {
    match (shape.scalar, op) {
        (Scalar::Bool, _) => Err(Error::unsupported("WaveMultiPrefixOp of booleans")),
        (Scalar::Float { .. }, WaveMultiPrefixOp::Product) => types::const_float(cx, shape, 1.0),
        (Scalar::Float { .. }, _) => types::const_float(cx, shape, 0.0),
        (Scalar::Int { .. }, WaveMultiPrefixOp::Product) => types::const_int(cx, shape, 1),
        (Scalar::Int { .. }, WaveMultiPrefixOp::And) => types::const_int(cx, shape, u64::MAX),
        (Scalar::Int { .. }, _) => types::const_int(cx, shape, 0),
    }
}

/// Returns a clock that counts up while the wave runs: low word, then high word.
pub(super) fn cycle_counter(cx: &mut Context<'_>) -> Result<LoweredValue> {
    let lacks = (Features::SHADER_CLOCK, "shaderSubgroupClock");
    read_clock(cx, Scope::Subgroup, lacks, "CycleCounterLegacy")
}

/// Returns a clock that all waves of the device read: low word, then high word.
pub(in crate::lower) fn realtime_clock(cx: &mut Context<'_>) -> Result<LoweredValue> {
    let lacks = (Features::DEVICE_CLOCK, "shaderDeviceClock");
    read_clock(cx, Scope::Device, lacks, "ShaderRealtimeClock")
}

fn read_clock(
    cx: &mut Context<'_>,
    scope: Scope,
    (needed, feature): (Features, &'static str),
    user: &'static str,
) -> Result<LoweredValue> {
    cx.input.need_feature(needed, feature, || user.to_owned())?;
    cx.b.capability(Capability::ShaderClockKHR);
    cx.b.extension("SPV_KHR_shader_clock");
    let scope = cx.b.const_u32(scope as u32);
    let word = cx.b.u32();
    let pair = cx.b.vector(word, 2);
    let clock = cx.b.emit(Op::ReadClockKHR, pair, &[scope]);
    Ok(arithmetic::vector_parts(&mut cx.function, clock, 2))
}
