//! Derivatives: instructions where the stage and the target have them, and differences between the
//! lanes of a quad elsewhere.

use dxil_frontend::ir::ValueId;

use crate::lower::context::Context;
use crate::lower::signatures::inputs;
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::lower::values::LoweredValue;
use crate::lower::waves::quad_layout::{self, Derivatives};
use crate::lower::waves::{helper_lanes, quad, scope};
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, Id, Op};
use crate::{Error, ErrorKind, Result};

/// Lowers a derivative.
pub(super) fn derivative(cx: &mut Context<'_>, op: Op, value: ValueId) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, value)?;
    if quad_layout::has_partial_quads(&cx.input) {
        // The result is undefined in D3D; a lane without neighbours gets 0.
        return Ok(LoweredValue::Id(types::const_float(cx, shape, 0.0)?));
    }
    let source = require_derivatives(cx)?;
    let mut id = cx.id(value)?;
    // SPIR-V takes derivatives of 32-bit floats only.
    let wide = shape.with(Scalar::F32);
    let wide_ty = types::shape_ty(cx, wide)?;
    if shape.scalar.width() == 16 {
        id = cx.b.emit(Op::FConvert, wide_ty, &[id]);
    }
    let mut result = if source == Derivatives::Native {
        cx.b.capability(Capability::DerivativeControl);
        cx.b.emit(op, wide_ty, &[id])
    } else {
        difference(cx, op, wide, id)?
    };
    // Coarse derivatives are differences between the quad's first lane and one neighbour. Where one
    // of them is inactive, SPIR-V leaves the result undefined and the quirk asks for 0.
    let neighbour = match op {
        Op::DPdxCoarse => Some(1),
        Op::DPdyCoarse => Some(2),
        _ => None,
    };
    if let Some(neighbour) = neighbour
        && let Some(active) = quad::quad_lanes_are_active(cx, &[0, neighbour])
    {
        let zero = cx.b.const_null(wide_ty);
        let active = helper_lanes::condition_of(&mut cx.b, wide, active);
        result = cx.b.select(wide_ty, active, result, zero);
    }
    if shape.scalar.width() == 16 {
        let ty = types::shape_ty(cx, shape)?;
        result = cx.b.emit(Op::FConvert, ty, &[result]);
    }
    types::mark_relaxed(&mut cx.b, &cx.input, shape, result);
    Ok(LoweredValue::Id(result))
}

/// Makes sure that this stage has derivatives (and implicit levels of detail), and returns where
/// they come from: never [`Derivatives::None`].
pub(in crate::lower) fn require_derivatives(cx: &mut Context<'_>) -> Result<Derivatives> {
    cx.module.stage_io.gradients |= !cx.function.flow.has_all_lanes();
    let source = quad_layout::derivatives(&cx.input);
    if source == Derivatives::None {
        if quad_layout::has_partial_quads(&cx.input) {
            // Callers ask for whole quads first, and have a result of their own without them.
            return Err(Error::internal("derivatives without whole quads"));
        }
        return Err(Error::new(ErrorKind::TargetLacks {
            feature: "computeDerivativeGroupLinear and subgroup operations",
            user: "derivatives in a compute shader".to_owned(),
        }));
    }
    // Other stages than pixel shaders form quads from thread groups.
    cx.module.stage_io.derivatives = !cx.input.is_pixel();
    Ok(source)
}

/// Returns the derivatives in x and y of that many floats, a scalar or vector. The stage has
/// derivatives.
pub(in crate::lower) fn gradient(cx: &mut Context<'_>, count: u32, value: Id) -> Result<[Id; 2]> {
    let shape = NumericShape {
        scalar: Scalar::F32,
        count,
    };
    if require_derivatives(cx)? == Derivatives::Native {
        let ty = types::shape_ty(cx, shape)?;
        return Ok([Op::DPdx, Op::DPdy].map(|op| cx.b.emit(op, ty, &[value])));
    }
    // One level of detail for the whole quad is what devices choose, too.
    let across = difference(cx, Op::DPdxCoarse, shape, value)?;
    Ok([across, difference(cx, Op::DPdyCoarse, shape, value)?])
}

/// Returns a derivative of 32-bit floats: the difference between two lanes of the quad.
fn difference(cx: &mut Context<'_>, op: Op, shape: NumericShape, value: Id) -> Result<Id> {
    let ty = types::shape_ty(cx, shape)?;
    let across = match op {
        Op::DPdxCoarse | Op::DPdxFine => 1,
        _ => 2,
    };
    // A coarse derivative is the same in the whole quad, so it is taken at the quad's first lane; a
    // fine one pairs the lanes of each row or column.
    let coarse = matches!(op, Op::DPdxCoarse | Op::DPdyCoarse);
    if !cx.input.consumer().subgroup_operations || !cx.input.has(Features::SUBGROUP_QUAD) {
        return Ok(shuffled_difference(cx, ty, value, across, coarse));
    }
    let scope = quad::quad_scope(cx);
    if coarse {
        let [first, second] = [0, across].map(|lane| {
            let lane = cx.b.const_u32(lane);
            cx.b.emit(Op::GroupNonUniformQuadBroadcast, ty, &[scope, value, lane])
        });
        return Ok(cx.b.emit(Op::FSub, ty, &[second, first]));
    }
    // Directions are numbered from 0: across x, across y.
    let direction = cx.b.const_u32(across - 1);
    let other =
        cx.b.emit(Op::GroupNonUniformQuadSwap, ty, &[scope, value, direction]);
    let forward = cx.b.emit(Op::FSub, ty, &[other, value]);
    let backward = cx.b.emit(Op::FSub, ty, &[value, other]);
    let lane = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
    let bit = cx.b.u32_and(lane, across);
    let (zero, bool_ty) = (cx.b.const_u32(0), cx.b.bool());
    let is_second = cx.b.emit(Op::INotEqual, bool_ty, &[bit, zero]);
    let is_second = helper_lanes::condition_of(&mut cx.b, shape, is_second);
    Ok(cx.b.select(ty, is_second, backward, forward))
}

/// Returns the same for targets without operations of quads.
fn shuffled_difference(cx: &mut Context<'_>, ty: Id, value: Id, across: u32, coarse: bool) -> Id {
    let scope = scope::subgroup_scope(cx);
    let word = cx.b.u32();
    let lane = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
    cx.b.capability(Capability::GroupNonUniformShuffle);
    let first = if coarse {
        cx.b.u32_and(lane, !3)
    } else {
        cx.b.u32_and(lane, !across)
    };
    let bit = cx.b.const_u32(across);
    let second = cx.b.emit(Op::BitwiseOr, word, &[first, bit]);
    let [first, second] = [first, second].map(|lane| {
        cx.b.emit(Op::GroupNonUniformShuffle, ty, &[scope, value, lane])
    });
    cx.b.emit(Op::FSub, ty, &[second, first])
}
