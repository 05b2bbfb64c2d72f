//! Quads and discard: operations on the 2x2 blocks of pixel shaders (and of compute
//! shaders, where the target lays out threads in quads).

use dxil_frontend::dxil::ops::{Op as DxOp, OpFlags, QuadDirection, QuadVoteKind};
use dxil_frontend::ir::ValueId;

use crate::lower::context::Context;
use crate::lower::instrument::assumptions;
use crate::lower::numbers::integers;
use crate::lower::rays::ray_stages;
use crate::lower::signatures::inputs;
use crate::lower::values::LoweredValue;
use crate::lower::waves::{helper_lanes, portable_waves, quad_layout, scope, wave};
use crate::lower::{blocks, types};
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, ExecutionMode, Id, Op};
use crate::{Assumption, Quirks, Result};

pub(in crate::lower) fn quad_scope(cx: &mut Context<'_>) -> Id {
    cx.b.capability(Capability::GroupNonUniformQuad);
    lay_out_quads(cx);
    scope::subgroup_scope(cx)
}

/// Requires that the thread group is laid out in quads, where the shader model asks for it.
fn lay_out_quads(cx: &mut Context<'_>) {
    // From shader model 6.6 on, a thread group's quads are those of its derivatives; before,
    // they are four lanes in a row.
    if cx.input.has_groups() && cx.input.shader.shader_model.minor >= 6 {
        cx.module.stage_io.derivatives = true;
    }
}

/// Returns whether these lanes of the quad are active; `None` where that is not needed.
pub(super) fn quad_lanes_are_active(cx: &mut Context<'_>, lanes: &[u32]) -> Option<Id> {
    // Pixel shaders have whole quads until the last derivative, because helper lanes fill them.
    if cx.input.is_pixel() || !cx.input.has_quirk(Quirks::ZERO_FROM_INACTIVE_QUAD_LANES) {
        return None;
    }
    Some(active_lanes_of_quad(cx, lanes))
}

/// Returns whether these lanes of the quad are active.
fn active_lanes_of_quad(cx: &mut Context<'_>, lanes: &[u32]) -> Id {
    // Helper lanes take part in quad operations, so the ballot includes them.
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let all = cx.b.const_bool(true);
    let mask = wave::ballot_with_helpers(cx, all);
    let scope = scope::subgroup_scope(cx);
    let me = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
    // A quad is four consecutive lanes that begin at a multiple of four (HLSL, "Derivative
    // Operations in Compute, Mesh and Amplification Shaders").
    let first = cx.b.u32_and(me, !3);
    let mut together = all;
    for &lane in lanes {
        let offset = cx.b.const_u32(lane);
        let index = cx.b.emit(Op::BitwiseOr, word, &[first, offset]);
        let active = cx.b.emit(
            Op::GroupNonUniformBallotBitExtract,
            bool_ty,
            &[scope, mask, index],
        );
        together = if together == all {
            active
        } else {
            cx.b.emit(Op::LogicalAnd, bool_ty, &[together, active])
        };
    }
    together
}

/// Returns the value of a neighbour in the quad.
pub(super) fn swap(
    cx: &mut Context<'_>,
    value: ValueId,
    direction: QuadDirection,
) -> Result<LoweredValue> {
    if !cx.input.consumer().subgroup_operations {
        let scope = scope::subgroup_scope(cx);
        let mask = quad_mask(direction);
        let id = scope::cross_lane_read(cx, value, |cx, ty, id| {
            portable_waves::swap(&mut cx.b, scope, ty, id, mask)
        })?;
        return Ok(LoweredValue::Id(id));
    }
    let scope = quad_scope(cx);
    let direction = cx.b.const_u32(direction as u32);
    let id = scope::cross_lane_read(cx, value, |cx, ty, id| {
        cx.b.emit(Op::GroupNonUniformQuadSwap, ty, &[scope, id, direction])
    })?;
    Ok(LoweredValue::Id(id))
}

/// Returns the value of a lane of the quad, by its index in it.
pub(super) fn read(cx: &mut Context<'_>, value: ValueId, lane: ValueId) -> Result<LoweredValue> {
    if let Some(lane) = cx.function.constant_int(lane)
        && cx.input.consumer().subgroup_operations
    {
        let scope = quad_scope(cx);
        // The mask keeps the index inside of the quad, as the shuffle below does.
        let number = lane as u32 & 3;
        let lane = cx.b.const_u32(number);
        let mut id = scope::cross_lane_read(cx, value, |cx, ty, id| {
            cx.b.emit(Op::GroupNonUniformQuadBroadcast, ty, &[scope, id, lane])
        })?;
        if let Some(active) = quad_lanes_are_active(cx, &[number]) {
            let shape = types::shape_of(cx, value)?;
            let ty = types::shape_ty(cx, shape)?;
            let zero = cx.b.const_null(ty);
            let active = helper_lanes::condition_of(&mut cx.b, shape, active);
            id = cx.b.select(ty, active, id, zero);
        }
        return Ok(LoweredValue::Id(id));
    }
    // A broadcast's index must be the same in all lanes; a shuffle's need not.
    let lane = integers::to_u32(cx, lane)?;
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformShuffle);
    let me = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
    let first = cx.b.u32_and(me, !3);
    let offset = cx.b.u32_and(lane, 3);
    let ty = cx.b.u32();
    let target = cx.b.emit(Op::BitwiseOr, ty, &[first, offset]);
    let id = scope::cross_lane_read(cx, value, |cx, ty, id| {
        cx.b.emit(Op::GroupNonUniformShuffle, ty, &[scope, id, target])
    })?;
    Ok(LoweredValue::Id(id))
}

/// Returns whether any or all lanes of the quad hold a condition.
pub(super) fn vote(
    cx: &mut Context<'_>,
    condition: ValueId,
    kind: QuadVoteKind,
) -> Result<LoweredValue> {
    let condition = cx.id(condition)?;
    let ty = cx.b.bool();
    if cx
        .input
        .options
        .target
        .features
        .contains(Features::QUAD_CONTROL)
    {
        // The vote reads all four lanes, so divergent lanes have to reconverge first.
        cx.module.stage_io.convergent |= cx.function.flow.has_branched();
        lay_out_quads(cx);
        cx.b.capability(Capability::QuadControlKHR);
        cx.b.extension("SPV_KHR_quad_control");
        let op = match kind {
            QuadVoteKind::Any => Op::GroupNonUniformQuadAnyKHR,
            QuadVoteKind::All => Op::GroupNonUniformQuadAllKHR,
        };
        return Ok(LoweredValue::Id(cx.b.emit(op, ty, &[condition])));
    }
    let portable = !cx.input.consumer().subgroup_operations;
    let scope = if portable {
        scope::subgroup_scope(cx)
    } else {
        quad_scope(cx)
    };
    let combine = match kind {
        QuadVoteKind::Any => Op::LogicalOr,
        QuadVoteKind::All => Op::LogicalAnd,
    };
    let mut result = condition;
    // Combining across x and then across y reaches all four lanes in two steps.
    for direction in [QuadDirection::AcrossX, QuadDirection::AcrossY] {
        if portable {
            // naga moves numbers only.
            let word = cx.b.u32();
            let number = integers::bool_to_u32(&mut cx.b, result);
            let moved = portable_waves::swap(&mut cx.b, scope, word, number, quad_mask(direction));
            let zero = cx.b.const_u32(0);
            let other = cx.b.emit(Op::INotEqual, ty, &[moved, zero]);
            result = cx.b.emit(combine, ty, &[result, other]);
            continue;
        }
        let direction = cx.b.const_u32(direction as u32);
        let other =
            cx.b.emit(Op::GroupNonUniformQuadSwap, ty, &[scope, result, direction]);
        result = cx.b.emit(combine, ty, &[result, other]);
    }
    Ok(LoweredValue::Id(result))
}

/// Declares how a thread group forms quads, and where lanes reconverge.
pub(in crate::lower) fn declare_modes(cx: &mut Context<'_>, function: Id) {
    if cx.module.stage_io.derivatives
        && let Some((capability, mode)) = quad_layout::mode(&cx.input)
    {
        cx.b.capability(capability);
        cx.b.extension(if cx.input.has(Features::COMPUTE_DERIVATIVES_KHR) {
            "SPV_KHR_compute_shader_derivatives"
        } else {
            "SPV_NV_compute_shader_derivatives"
        });
        cx.b.execution_mode(function, mode, &[]);
    }
    declare_reconvergence(cx, function);
}

/// Requires lanes to reconverge as in the source (SPV_KHR_maximal_reconvergence) if they exchange
/// values after a branch, and derivatives of whole quads whatever branch other quads took
/// (SPV_KHR_quad_control) if a derivative stands where not all lanes come. Elsewhere the modes
/// would only hinder the driver.
fn declare_reconvergence(cx: &mut Context<'_>, function: Id) {
    let features = cx.input.options.target.features;
    let gradients = cx.module.stage_io.gradients;
    if (cx.module.stage_io.convergent || gradients)
        && !ray_stages::invokes_shaders(cx)
        && features.contains(Features::MAXIMAL_RECONVERGENCE)
    {
        cx.b.extension("SPV_KHR_maximal_reconvergence");
        cx.b.execution_mode(function, ExecutionMode::MaximallyReconvergesKHR, &[]);
    }
    if gradients && cx.input.is_pixel() && features.contains(Features::QUAD_CONTROL) {
        cx.b.capability(Capability::QuadControlKHR);
        cx.b.extension("SPV_KHR_quad_control");
        cx.b.execution_mode(function, ExecutionMode::QuadDerivativesKHR, &[]);
    }
}

/// Lowers `discard`: the lane becomes a helper and goes on, so that derivatives stay defined.
pub(super) fn discard(cx: &mut Context<'_>, condition: ValueId) -> Result<LoweredValue> {
    let always = cx.function.constant_int(condition);
    if always.is_some_and(|value| value & 1 == 0) {
        return Ok(LoweredValue::Unset);
    }
    if !cx.input.consumer().helper_lanes || !helper_lanes::demotes(&cx.input) {
        // It ends the lane, except that naga translates it to `discard`, which keeps a helper lane.
        let condition = cx.id(condition)?;
        let part = blocks::begin_if(cx, condition);
        cx.b.emit_void::<u32>(Op::Kill, &[]);
        blocks::end_if_at_end(cx, part);
        return Ok(LoweredValue::Unset);
    }
    cx.b.capability(Capability::DemoteToHelperInvocation);
    cx.b.extension_before(0x0001_0600, "SPV_EXT_demote_to_helper_invocation");
    if always.is_some() {
        cx.b.emit_void::<u32>(Op::DemoteToHelperInvocation, &[]);
        // The set of helper lanes has changed, so the values that depend on it are stale.
        cx.block.forget_lanes();
        return Ok(LoweredValue::Unset);
    }
    // `begin_if` and `end_if` start new blocks, which forget the lanes by themselves.
    let condition = cx.id(condition)?;
    let part = blocks::begin_if(cx, condition);
    cx.b.emit_void::<u32>(Op::DemoteToHelperInvocation, &[]);
    blocks::end_if(cx, part);
    Ok(LoweredValue::Unset)
}

/// Returns the bits of the lane number that differ in a neighbour.
fn quad_mask(direction: QuadDirection) -> u32 {
    match direction {
        QuadDirection::AcrossX => 1,
        QuadDirection::AcrossY => 2,
        QuadDirection::AcrossDiagonal => 3,
    }
}

/// Writes a check that all lanes of a pixel's quad take part in operations that read their
/// neighbours.
#[inline]
pub(in crate::lower) fn assume_whole_quads(cx: &mut Context<'_>, op: &DxOp) {
    // The ballot makes the shader larger, so only builds that report broken assumptions have it.
    if !assumptions::watches(&cx.input) || !cx.input.is_pixel() {
        return;
    }
    let flags = op.opcode().flags();
    if flags.intersects(OpFlags::GRADIENT | OpFlags::QUAD) {
        cx.module.stage_io.convergent |= cx.function.flow.has_branched();
        let whole = active_lanes_of_quad(cx, &[0, 1, 2, 3]);
        assumptions::assume(cx, whole, Assumption::QuadIsWhole);
    }
}
