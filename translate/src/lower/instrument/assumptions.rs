// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Rules of D3D12 that hardware does not check.

use dxil_frontend::ir::{BinaryOp, Inst, ValueDef, ValueId};

use crate::lower::context::{Context, FunctionState, Input};
use crate::lower::instrument::{report_buffers, reports};
use crate::lower::waves::scope;
use crate::spirv::{Capability, Id, Op};
use crate::{Assumption, InstructionCheck};

/// Returns whether the module checks these rules.
pub(in crate::lower) fn watches(input: &Input<'_>) -> bool {
    report_buffers::watches(input, InstructionCheck::Assumptions)
}

/// Writes a report for the case that a condition does not hold.
pub(in crate::lower) fn assume(cx: &mut Context<'_>, holds: Id, what: Assumption) {
    let bool_ty = cx.b.bool();
    let wrong = cx.b.emit(Op::LogicalNot, bool_ty, &[holds]);
    let what = cx.b.const_u32(what as u32);
    reports::report_if(cx, wrong, what);
}

/// Writes a report of a number above its maximum. A constant within it needs no code.
pub(in crate::lower) fn assume_at_most(
    cx: &mut Context<'_>,
    number: Id,
    max: u32,
    what: Assumption,
) {
    if !watches(&cx.input) || cx.b.literal(number).is_some_and(|n| n <= max) {
        return;
    }
    let bool_ty = cx.b.bool();
    let max = cx.b.const_u32(max);
    let holds = cx.b.emit(Op::ULessThanEqual, bool_ty, &[number, max]);
    assume(cx, holds, what);
}

/// Returns whether a word is the same in all active lanes.
pub(super) fn same_in_all_lanes(cx: &mut Context<'_>, value: Id) -> Id {
    cx.b.capability(Capability::GroupNonUniformVote);
    let bool_ty = cx.b.bool();
    // The vote makes the module depend on reconvergence, which `subgroup_scope` notes.
    let scope = scope::subgroup_scope(cx);
    cx.b.emit(Op::GroupNonUniformAllEqual, bool_ty, &[scope, value])
}

/// Writes a check that the byte offset into a raw buffer, `x * n + m`, has not wrapped around.
pub(in crate::lower) fn assume_raw_offset(
    cx: &mut Context<'_>,
    offset: ValueId,
) -> crate::Result<()> {
    if !watches(&cx.input) {
        return Ok(());
    }
    let mut product = offset;
    // DXC writes `or` for `add` where no bit can carry.
    if let Some((BinaryOp::Add | BinaryOp::Or, a, b)) = binary_of(&cx.function, offset) {
        product = match (cx.function.constant_int(a), cx.function.constant_int(b)) {
            (None, Some(_)) => a,
            (Some(_), None) => b,
            _ => return Ok(()),
        };
    }
    let Some((op, a, b)) = binary_of(&cx.function, product) else {
        return Ok(());
    };
    let (factor, constant) = match (cx.function.constant_int(a), cx.function.constant_int(b)) {
        // A product with a constant wraps if the factor exceeds the quotient; other forms are not
        // recognized.
        (None, Some(constant)) => (a, constant),
        (Some(constant), None) if op == BinaryOp::Mul => (b, constant),
        _ => return Ok(()),
    };
    let times = match op {
        BinaryOp::Mul => constant as u32,
        BinaryOp::Shl if constant < 32 => 1 << constant,
        _ => return Ok(()),
    };
    if times > 1 {
        let factor = cx.id(factor)?;
        assume_at_most(cx, factor, u32::MAX / times, Assumption::RawOffset);
    }
    Ok(())
}

fn binary_of(function: &FunctionState<'_>, value: ValueId) -> Option<(BinaryOp, ValueId, ValueId)> {
    let ValueDef::Inst(inst) = function.view.value(value)?.def else {
        return None;
    };
    match function.view.function.insts.get(inst)?.inst {
        Inst::Binary { op, lhs, rhs, .. } => Some((op, lhs, rhs)),
        _ => None,
    }
}
