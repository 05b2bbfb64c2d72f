// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Checks for floats that are not finite: in every result, or only in values that are written to
//! resources.

use dxil_frontend::dxil::ops::{Op as DxOp, OpFlags};
use dxil_frontend::ir::{CastOp, Inst, TypeId, ValueDef, ValueId};

use crate::lower::context::{Context, FunctionState};
use crate::lower::instrument::{report_buffers, reports};
use crate::lower::numbers::arithmetic;
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::lower::values::LoweredValue;
use crate::spirv::{Id, Op};
use crate::{InstructionCheck, Result};

/// All bits of a 32-bit float but the sign.
const MAGNITUDE: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
/// The upper words of 64-bit floats from infinity on.
const INFINITY_64: u32 = 0x7ff0_0000;

/// Checks the result of an instruction; returns the value that replaces it.
pub(in crate::lower) fn watched_result(
    cx: &mut Context<'_>,
    ty: TypeId,
    value: LoweredValue,
) -> Result<LoweredValue> {
    let reports = report_buffers::watches(&cx.input, InstructionCheck::NonFinite);
    let flushes = report_buffers::watches(&cx.input, InstructionCheck::FlushNan);
    let (LoweredValue::Id(id), true) = (value, reports || flushes) else {
        return Ok(value);
    };
    let Ok(shape) = types::shape_of_type(cx, ty) else {
        return Ok(value);
    };
    if !matches!(shape.scalar, Scalar::Float { .. }) {
        return Ok(value);
    }
    if reports {
        report_non_finite(cx, shape, id)?;
        return Ok(value);
    }
    let is_nan = arithmetic::is_nan(cx, shape, id)?;
    let ty = types::shape_ty(cx, shape)?;
    let zero = cx.b.const_null(ty);
    Ok(LoweredValue::Id(cx.b.select(ty, is_nan, zero, id)))
}

/// Checks the values that an operation writes to a resource. Constants are intended, so they are
/// not checked.
#[inline]
pub(in crate::lower) fn watch_written(cx: &mut Context<'_>, op: &DxOp) -> Result<()> {
    if !report_buffers::watches(&cx.input, InstructionCheck::WrittenNonFinite) {
        return Ok(());
    }
    report_written(cx, op)
}

#[inline(never)]
fn report_written(cx: &mut Context<'_>, op: &DxOp) -> Result<()> {
    // An atomic's operand does not replace the memory, so its bits are not a written value.
    let values = if op.opcode().flags().contains(OpFlags::ATOMIC) {
        &[]
    } else {
        op.resource_operands().data
    };
    let mut seen: Vec<ValueId> = Vec::new();
    for &value in values {
        let value = behind_bitcasts(&cx.function, value);
        // A store may name the same value several times, as a splatted vector does.
        if seen.contains(&value) || cx.function.view.constant(value).is_some() {
            continue;
        }
        seen.push(value);
        let Ok(shape) = types::shape_of(cx, value) else {
            continue;
        };
        if matches!(shape.scalar, Scalar::Float { .. }) {
            let id = cx.id(value)?;
            report_non_finite(cx, shape, id)?;
        }
    }
    Ok(())
}

/// Returns the value before bit casts: raw buffers take floats as integers.
fn behind_bitcasts(function: &FunctionState<'_>, mut value: ValueId) -> ValueId {
    while let Some(ValueDef::Inst(inst)) = function.view.value(value).map(|data| data.def)
        && let Some(data) = function.view.function.insts.get(inst)
        && let Inst::Cast {
            op: CastOp::Bitcast,
            value: from,
        } = data.inst
    {
        value = from;
    }
    value
}

fn report_non_finite(cx: &mut Context<'_>, shape: NumericShape, id: Id) -> Result<()> {
    let one = NumericShape::scalar(shape.scalar);
    let ty = types::shape_ty(cx, one)?;
    // A report takes one word, so components are reported one by one.
    for i in 0..shape.count {
        let component = match shape.count {
            1 => id,
            _ => cx.b.extract(ty, id, i),
        };
        let wide = match shape.scalar.width() {
            32 => component,
            _ => {
                let f32_ty = cx.b.f32();
                cx.b.emit(Op::FConvert, f32_ty, &[component])
            }
        };
        let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
        let bits = cx.b.bitcast(word, wide);
        // The comparison is of integers, because a driver may assume that there are no such floats.
        // A 64-bit one may be too large for 32.
        let (upper, infinity) = match shape.scalar.width() {
            64 => {
                let pair_ty = cx.b.vector(word, 2);
                let pair = cx.b.bitcast(pair_ty, component);
                (cx.b.extract(word, pair, 1), INFINITY_64)
            }
            _ => (bits, INFINITY),
        };
        let magnitude = cx.b.u32_and(upper, MAGNITUDE);
        let infinity = cx.b.const_u32(infinity);
        let wrong =
            cx.b.emit(Op::UGreaterThanEqual, bool_ty, &[magnitude, infinity]);
        reports::report_if(cx, wrong, bits);
    }
    Ok(())
}
