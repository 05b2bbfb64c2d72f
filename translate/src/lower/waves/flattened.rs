//! Thread groups of several dimensions in one, for naga: it supports subgroups in one-dimensional
//! groups only, since WGSL does not define how others are divided into subgroups.
//!
//! The threads of such a group are in D3D's order: row by row, or, where the group has quads of two
//! by two threads, quad by quad. That makes four lanes a quad, so that derivatives are differences
//! between lanes.

use crate::lower::context::Context;
use crate::lower::signatures::inputs;
use crate::lower::waves::scope;
use crate::spirv::{BuiltIn, Capability, Id, Op};

/// Returns a derivative of a 32-bit float in a thread group: the difference between two lanes of
/// the quad.
pub(super) fn derivative_of_lanes(cx: &mut Context<'_>, op: Op, ty: Id, value: Id) -> Id {
    let across = match op {
        Op::DPdxCoarse | Op::DPdxFine => 1,
        _ => 2,
    };
    let coarse = matches!(op, Op::DPdxCoarse | Op::DPdyCoarse);
    let scope = scope::subgroup_scope(cx);
    let word = cx.b.u32();
    let lane = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
    cx.b.capability(Capability::GroupNonUniformShuffle);
    // A coarse derivative is the same in the whole quad, so it is taken at the quad's first lane; a
    // fine one pairs the lanes of each row or column.
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
