//! Thread groups of several dimensions in one, for naga: it has lanes of a subgroup in groups of
//! one dimension alone, since WGSL does not say how others are cut into subgroups.
//!
//! The threads of such a group come in D3D's order then: row by row, or, where the group has quads
//! of two by two threads, quad by quad. That makes four lanes a quad, so that derivatives are
//! differences between lanes.

use crate::Result;
use crate::lower::context::{Context, Input};
use crate::lower::signatures::inputs;
use crate::lower::values::Value;
use crate::lower::waves::wave;
use crate::spirv::{BuiltIn, Capability, Id, Op};

/// The sides of the thread group, if it is written as one row.
fn flattened_group(input: &Input<'_>) -> Option<[u32; 3]> {
    let [x, y, z] = input.entry.num_threads.unwrap_or([1; 3]);
    let is_compute = input.entry.kind == dxil_frontend::dxil::ShaderKind::Compute;
    let wanted = input.is_portable() && is_compute && input.plan.lanes;
    (wanted && (y > 1 || z > 1)).then_some([x, y, z])
}

/// The sides of the thread group in the module.
pub(in crate::lower) fn group_sides(input: &Input<'_>) -> [u32; 3] {
    match flattened_group(input) {
        Some([x, y, z]) => [x.saturating_mul(y).saturating_mul(z), 1, 1],
        None => input.entry.num_threads.unwrap_or([1; 3]),
    }
}

/// A component of a thread's number in its group.
fn flattened_thread(cx: &mut Context<'_>, [x, y, _]: [u32; 3], component: u32) -> Id {
    let word = cx.b.u32();
    let index = inputs::load_u32_built_in(cx, BuiltIn::LocalInvocationIndex);
    let quads = y > 1 && x.is_multiple_of(2) && y.is_multiple_of(2);
    // Quads count like threads of a group with half the sides.
    let (index, x, y, within) = match quads {
        true => {
            let quad = cx.b.u32_shr(index, 2);
            (quad, x / 2, y / 2, Some(index))
        }
        false => (index, x, y, None),
    };
    let [row, layer] = [x, x.saturating_mul(y)].map(|size| cx.b.const_u32(size.max(1)));
    let id = match component {
        0 => cx.b.emit(Op::UMod, word, &[index, row]),
        1 => {
            let rest = cx.b.emit(Op::UMod, word, &[index, layer]);
            cx.b.emit(Op::UDiv, word, &[rest, row])
        }
        _ => return cx.b.emit(Op::UDiv, word, &[index, layer]),
    };
    let Some(thread) = within else {
        return id;
    };
    let doubled = cx.b.u32_shl(id, 1);
    let bit = cx.b.u32_shr(thread, component);
    let bit = cx.b.u32_and(bit, 1);
    cx.b.u32_add(doubled, bit)
}

/// `SV_DispatchThreadID` and `SV_GroupThreadID` of a thread group that is written as one row;
/// `None` for others.
pub(in crate::lower) fn component(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    component: u32,
) -> Result<Option<Value>> {
    let Some(sides) = flattened_group(&cx.input) else {
        return Ok(None);
    };
    let component = component.min(2);
    let thread = match built_in {
        BuiltIn::LocalInvocationId | BuiltIn::GlobalInvocationId => {
            flattened_thread(cx, sides, component)
        }
        _ => return Ok(None),
    };
    if built_in == BuiltIn::LocalInvocationId {
        return Ok(Some(Value::Id(thread)));
    }
    let Value::Id(group) = inputs::load_uvec3_component(cx, BuiltIn::WorkgroupId, component)?
    else {
        return Ok(None);
    };
    let side = sides.get(component as usize).copied().unwrap_or(1);
    let first = cx.b.u32_mul(group, side);
    Ok(Some(Value::Id(cx.b.u32_add(first, thread))))
}

/// `SV_GroupIndex` of such a thread group.
pub(in crate::lower) fn index(cx: &mut Context<'_>) -> Option<Id> {
    let sides = flattened_group(&cx.input)?;
    let [x, y, z] = [0, 1, 2].map(|component| flattened_thread(cx, sides, component));
    let layer = cx.b.u32_mul(z, sides[1]);
    let row = cx.b.u32_add(layer, y);
    let first = cx.b.u32_mul(row, sides[0]);
    Some(cx.b.u32_add(first, x))
}

/// A derivative of a 32-bit float in a thread group: the difference between two lanes of the quad.
pub(super) fn derivative_of_lanes(cx: &mut Context<'_>, op: Op, ty: Id, value: Id) -> Id {
    let across = match op {
        Op::DPdxCoarse | Op::DPdxFine => 1,
        _ => 2,
    };
    let coarse = matches!(op, Op::DPdxCoarse | Op::DPdyCoarse);
    let scope = wave::subgroup_scope(cx);
    let word = cx.b.u32();
    let lane = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
    cx.b.capability(Capability::GroupNonUniformShuffle);
    let first = match coarse {
        true => cx.b.u32_and(lane, !3),
        false => cx.b.u32_and(lane, !across),
    };
    let bit = cx.b.const_u32(across);
    let second = cx.b.emit(Op::BitwiseOr, word, &[first, bit]);
    let [first, second] = [first, second].map(|lane| {
        cx.b.emit(Op::GroupNonUniformShuffle, ty, &[scope, value, lane])
    });
    cx.b.emit(Op::FSub, ty, &[second, first])
}
