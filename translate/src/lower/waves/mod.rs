//! Waves and quads: cross-lane operations, derivatives, helper lanes.

pub(super) mod derivatives;
mod helper_lanes;
pub(super) mod linalg;
pub(super) mod matrices;
mod portable_waves;
pub(super) mod quad;
pub(super) mod quad_layout;
mod reductions;
pub(super) mod scope;
pub(super) mod state;
pub(super) mod wave;

use dxil_frontend::dxil::ops::{CrossLaneOp, DerivativeOp};

use crate::Result;
use crate::lower::context::Context;
use crate::lower::signatures::inputs;
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::{BuiltIn, GroupOperation, Op};

/// Lowers operations of waves and quads, and the cycle counter.
pub(super) fn lower_cross_lane(
    cx: &mut Context<'_>,
    call: &Call,
    op: &CrossLaneOp,
) -> Result<LoweredValue> {
    match op {
        CrossLaneOp::WaveIsFirstLane(_) => wave::is_first_lane(cx),
        CrossLaneOp::WaveGetLaneIndex(_) => Ok(LoweredValue::Id(inputs::load_subgroup_built_in(
            cx,
            BuiltIn::SubgroupLocalInvocationId,
        ))),
        CrossLaneOp::WaveGetLaneCount(_) => Ok(LoweredValue::Id(wave::lane_count(cx))),
        CrossLaneOp::WaveAnyTrue(op) => wave::any_lane(cx, op.condition),
        CrossLaneOp::WaveAllTrue(op) => wave::all_lanes(cx, op.condition),
        CrossLaneOp::WaveActiveAllEqual(op) => wave::all_equal(cx, op.value),
        CrossLaneOp::WaveActiveBallot(op) => wave::active_ballot(cx, op.condition),
        CrossLaneOp::WaveReadLaneAt(op) => wave::read_lane_at(cx, op.value, op.lane),
        CrossLaneOp::WaveReadLaneFirst(op) => wave::read_first_lane(cx, call, op.value),
        CrossLaneOp::WaveActiveOp(op) => {
            wave::reduce(cx, GroupOperation::Reduce, op.value, op.op, op.sign)
        }
        CrossLaneOp::WaveActiveBit(op) => wave::reduce_bits(cx, op.value, op.op),
        CrossLaneOp::WavePrefixOp(op) => {
            wave::reduce(cx, GroupOperation::ExclusiveScan, op.value, op.op, op.sign)
        }
        CrossLaneOp::WaveAllBitCount(op) => wave::bit_count(cx, GroupOperation::Reduce, op.value),
        CrossLaneOp::WavePrefixBitCount(op) => {
            wave::bit_count(cx, GroupOperation::ExclusiveScan, op.value)
        }
        CrossLaneOp::WaveMatch(op) => wave::match_lanes(cx, op.value),
        CrossLaneOp::WaveMultiPrefixOp(op) => wave::multi_prefix(cx, op),
        CrossLaneOp::WaveMultiPrefixBitCount(op) => wave::multi_prefix_bit_count(cx, op),
        CrossLaneOp::QuadReadLaneAt(op) => quad::read(cx, op.value, op.lane),
        CrossLaneOp::QuadOp(op) => quad::swap(cx, op.value, op.op),
        CrossLaneOp::QuadVote(op) => quad::vote(cx, op.condition, op.op),
        CrossLaneOp::CycleCounterLegacy(_) => wave::cycle_counter(cx),
    }
}

/// Lowers derivatives, and the operations on helper lanes.
pub(super) fn lower_derivative(cx: &mut Context<'_>, op: &DerivativeOp) -> Result<LoweredValue> {
    match op {
        DerivativeOp::DerivCoarseX(op) => derivatives::derivative(cx, Op::DPdxCoarse, op.value),
        DerivativeOp::DerivCoarseY(op) => derivatives::derivative(cx, Op::DPdyCoarse, op.value),
        DerivativeOp::DerivFineX(op) => derivatives::derivative(cx, Op::DPdxFine, op.value),
        DerivativeOp::DerivFineY(op) => derivatives::derivative(cx, Op::DPdyFine, op.value),
        DerivativeOp::Discard(op) => quad::discard(cx, op.condition),
        DerivativeOp::IsHelperLane(_) => helper_lanes::is_helper_lane(cx),
    }
}
