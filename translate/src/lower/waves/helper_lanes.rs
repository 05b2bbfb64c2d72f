//! Helper lanes of pixel shaders take no part in wave operations (DirectX specs, "HLSL Shader Model
//! 6.7", helper lanes), unless the shader asks for them with `WaveOpsIncludeHelperLanes`. In SPIR-V
//! they may be active, so their operands are replaced by the neutral element. They get the same
//! results as other lanes: code after the operation often branches the same way in a whole quad.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::ops::Sign;
use dxil_frontend::ir::{Inst, InstId, ValueId};

use crate::Result;
use crate::lower::context::{Context, FunctionState, Input};
use crate::lower::numbers::integers;
use crate::lower::signatures::inputs;
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue};
use crate::lower::waves::scope;
use crate::options::{Features, VulkanVersion};
use crate::spirv::{Builder, BuiltIn, Capability, Id, Op};

/// Maximum distance of a comparison from the value that it compares, in instructions. DXC puts both
/// close together; the bound keeps long shaders linear.
const COMPARED_WITHIN: usize = 256;

/// The value that a helper lane reads from the first lane if no lane of the wave takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Otherwise {
    /// Zero, as on D3D12 drivers.
    Zero,
    /// Its own value. A loop that lanes of equal values leave together ends then.
    Own,
}

/// Function attribute of shaders whose helper lanes take part.
const INCLUDED: &str = "waveops-include-helper-lanes";

/// Returns whether a discarded lane continues as a helper. Every Vulkan 1.3 device supports that.
pub(super) fn demotes(input: &Input<'_>) -> bool {
    input.has(Features::DEMOTE_TO_HELPER) || input.options.target.vulkan >= VulkanVersion::V1_3
}

/// Returns whether this lane is a helper now, in a pixel shader.
fn helper(cx: &mut Context<'_>) -> Id {
    if let Some(known) = cx.block.lanes().is_helper {
        return known;
    }
    let helper = load_helper(cx);
    cx.block.lanes().is_helper = Some(helper);
    helper
}

fn load_helper(cx: &mut Context<'_>) -> Id {
    let ty = cx.b.bool();
    // Without a demotion the set of helpers never changes, and the input variable tells it.
    if !cx.input.plan.discards || !demotes(&cx.input) {
        // Lanes are helpers from the beginning or never.
        let variable = inputs::built_in_input(cx, BuiltIn::HelperInvocation, ty);
        return cx.b.load(ty, variable);
    }
    if cx.b.version() >= 0x0001_0600 {
        let variable = inputs::built_in_input(cx, BuiltIn::HelperInvocation, ty);
        // A demoted lane becomes a helper while the shader runs: hence volatile.
        return cx.b.emit(Op::Load, ty, &[variable.0, 1]);
    }
    cx.b.capability(Capability::DemoteToHelperInvocation);
    cx.b.extension("SPV_EXT_demote_to_helper_invocation");
    cx.b.emit::<u32>(Op::IsHelperInvocationEXT, ty, &[])
}

/// Lowers `IsHelperLane`: false outside pixel shaders.
pub(super) fn is_helper_lane(cx: &mut Context<'_>) -> Result<LoweredValue> {
    Ok(LoweredValue::Id(if cx.input.is_pixel() {
        helper(cx)
    } else {
        cx.b.const_bool(false)
    }))
}

/// Returns whether this lane is a helper that must not take part in wave operations; `None` where
/// there are no such lanes.
pub(super) fn excluded_lane(cx: &mut Context<'_>) -> Option<Id> {
    let included = || {
        let main = cx.input.entry.function?;
        cx.input.shader.module.function_attribute(main, INCLUDED)
    };
    if !cx.input.is_pixel()
        || !cx.input.consumer().helper_lanes
        || cx.input.options.helper_lanes_in_waves
        || included().is_some()
    {
        return None;
    }
    Some(helper(cx))
}

/// Returns the condition, or false in lanes that take no part.
pub(super) fn of_included_lanes(cx: &mut Context<'_>, condition: Id) -> Id {
    let Some(helper) = excluded_lane(cx) else {
        return condition;
    };
    let ty = cx.b.bool();
    let included = cx.b.emit(Op::LogicalNot, ty, &[helper]);
    cx.b.emit(Op::LogicalAnd, ty, &[condition, included])
}

/// Returns the condition, or true in lanes that take no part.
pub(super) fn or_excluded_lane(cx: &mut Context<'_>, condition: Id) -> Id {
    let Some(helper) = excluded_lane(cx) else {
        return condition;
    };
    let ty = cx.b.bool();
    cx.b.emit(Op::LogicalOr, ty, &[condition, helper])
}

/// Returns the number of the first lane that takes part, and whether there is one.
fn first_included_lane(cx: &mut Context<'_>, helper: Id) -> (Id, Id) {
    if let Some(known) = cx.block.lanes().first {
        return known;
    }
    // The ballot and the vote serve every wave operation of the block, so they are kept with it.
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let mask_ty = scope::mask_ty(&mut cx.b);
    let included = cx.b.emit(Op::LogicalNot, bool_ty, &[helper]);
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformBallot);
    cx.b.capability(Capability::GroupNonUniformVote);
    let mask =
        cx.b.emit(Op::GroupNonUniformBallot, mask_ty, &[scope, included]);
    let first =
        cx.b.emit(Op::GroupNonUniformBallotFindLSB, word, &[scope, mask]);
    let any =
        cx.b.emit(Op::GroupNonUniformAny, bool_ty, &[scope, included]);
    cx.block.lanes().first = Some((first, any));
    (first, any)
}

/// Returns whether this is the first lane that takes part. If none does, it is the first active
/// lane: loops that one lane leaves at a time have to end.
pub(super) fn is_first_included_lane(cx: &mut Context<'_>, helper: Id) -> Id {
    let bool_ty = cx.b.bool();
    let (first, any) = first_included_lane(cx, helper);
    let me = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
    // With the vote alone, a wave of helpers would elect nobody and a loop over the lanes would
    // spin.
    let is_first = cx.b.emit(Op::IEqual, bool_ty, &[me, first]);
    let scope = scope::subgroup_scope(cx);
    let elected = cx.b.emit(Op::GroupNonUniformElect, bool_ty, &[scope]);
    cx.b.select(bool_ty, any, is_first, elected)
}

/// Returns the value of the first lane that takes part.
pub(super) fn read_first_included_lane(
    cx: &mut Context<'_>,
    value: ValueId,
    helper: Id,
    otherwise: Otherwise,
) -> Result<Id> {
    let (first, any) = first_included_lane(cx, helper);
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformShuffle);
    let source = match otherwise {
        Otherwise::Zero => first,
        Otherwise::Own => {
            let me = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
            // A shuffle from lane `first` is undefined where the ballot was empty, so such lanes
            // read their own value.
            let word = cx.b.u32();
            cx.b.select(word, any, first, me)
        }
    };
    let read = scope::cross_lane_read(cx, value, |cx, ty, id| {
        cx.b.emit(Op::GroupNonUniformShuffle, ty, &[scope, id, source])
    })?;
    if otherwise == Otherwise::Own {
        return Ok(read);
    }
    // OpSelect drops the undefined result of a shuffle from a lane that does not take part.
    let shape = types::shape_of(cx, value)?;
    let ty = types::shape_ty(cx, shape)?;
    let zero = cx.b.const_null(ty);
    let any = condition_of(&mut cx.b, shape, any);
    Ok(cx.b.select(ty, any, read, zero))
}

/// Returns whether the result of reading the first lane is compared with the lane's own value:
/// lanes stay in such a loop until their turn comes.
pub(super) fn is_compared(function: &FunctionState<'_>, call: &Call, value: ValueId) -> bool {
    let Some(result) = call.result else {
        return false;
    };
    // LLVM numbers a block's instructions in order; a loop that peels off equal lanes compares
    // right after the read.
    let insts = &function.view.function.insts;
    let first = call.inst.index() + 1;
    (first..first + COMPARED_WITHIN).any(|index| {
        insts.get(InstId::new(index)).is_some_and(|data| {
            matches!(data.inst, Inst::Cmp { lhs, rhs, .. }
                    if (lhs, rhs) == (result, value) || (rhs, lhs) == (result, value))
        })
    })
}

/// Returns a condition for a select between values of a shape.
pub(super) fn condition_of(b: &mut Builder, shape: NumericShape, condition: Id) -> Id {
    if shape.count == 1 {
        return condition;
    }
    let bool_ty = b.bool();
    let flags = b.vector(bool_ty, shape.count);
    b.construct(flags, &types::copies(condition, shape))
}

/// Returns whether all lanes that take part hold the same value.
pub(super) fn all_included_equal(
    cx: &mut Context<'_>,
    value: ValueId,
    shape: NumericShape,
    id: Id,
    helper: Id,
) -> Result<Id> {
    let first = read_first_included_lane(cx, value, helper, Otherwise::Own)?;
    let first = integers::zero_extend(cx, shape, first)?;
    let bool_ty = cx.b.bool();
    let same = is_equal(&mut cx.b, shape, first, id);
    let same = cx.b.emit(Op::LogicalOr, bool_ty, &[same, helper]);
    let scope = scope::subgroup_scope(cx);
    cx.b.capability(Capability::GroupNonUniformVote);
    Ok(cx.b.emit(Op::GroupNonUniformAll, bool_ty, &[scope, same]))
}

/// Returns whether a lane's value is another lane's. NaN equals nothing, not even itself.
pub(super) fn is_equal(b: &mut Builder, shape: NumericShape, lhs: Id, rhs: Id) -> Id {
    let equal = match shape.scalar {
        Scalar::Bool => Op::LogicalEqual,
        Scalar::Int { .. } => Op::IEqual,
        Scalar::Float { .. } => Op::FOrdEqual,
    };
    let bool_ty = b.bool();
    b.emit(equal, bool_ty, &[lhs, rhs])
}

/// Returns the operand of a reduction or scan: neutral in lanes that take no part.
pub(super) fn neutral_if_excluded(
    cx: &mut Context<'_>,
    op: Op,
    shape: NumericShape,
    id: Id,
) -> Result<Id> {
    let Some(helper) = excluded_lane(cx) else {
        return Ok(id);
    };
    let neutral = neutral_element(cx, op, shape)?;
    let ty = types::shape_ty(cx, shape)?;
    let condition = condition_of(&mut cx.b, shape, helper);
    Ok(cx.b.select(ty, condition, neutral, id))
}

/// Returns the neutral element of a reduction or scan.
fn neutral_element(cx: &mut Context<'_>, op: Op, shape: NumericShape) -> Result<Id> {
    let width = shape.scalar.width();
    let extreme = |sign| match sign {
        Sign::Unsigned => u64::MAX >> (64 - width),
        Sign::Signed => (u64::MAX >> (64 - width)) >> 1,
    };
    match op {
        // -0.0 is the neutral element of addition: 0.0 would turn a sum of negative zeros into
        // +0.0.
        Op::GroupNonUniformFAdd => types::const_float(cx, shape, -0.0),
        Op::GroupNonUniformFMul => types::const_float(cx, shape, 1.0),
        Op::GroupNonUniformFMin => types::const_float(cx, shape, f64::INFINITY),
        Op::GroupNonUniformFMax => types::const_float(cx, shape, f64::NEG_INFINITY),
        Op::GroupNonUniformIMul => types::const_int(cx, shape, 1),
        Op::GroupNonUniformUMin | Op::GroupNonUniformBitwiseAnd => {
            types::const_int(cx, shape, extreme(Sign::Unsigned))
        }
        // 0x7fff... is the maximum; adding 1 wraps to the minimum.
        Op::GroupNonUniformSMin => types::const_int(cx, shape, extreme(Sign::Signed)),
        Op::GroupNonUniformSMax => types::const_int(cx, shape, extreme(Sign::Signed) + 1),
        Op::GroupNonUniformLogicalAnd => types::const_int(cx, shape, 1),
        // Sums, unsigned maxima, bitwise and logical "or" and "exclusive or".
        _ => types::const_int(cx, shape, 0),
    }
}
