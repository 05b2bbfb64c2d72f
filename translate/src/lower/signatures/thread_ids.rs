//! Ids of threads and thread groups, whose order in the group may differ from the built-in's.
//!
//! For naga a group that uses lanes is one row of threads: it supports subgroups in one-dimensional
//! groups only, since WGSL does not define how others are divided into subgroups. The threads are
//! in D3D's order, row by row, or, where the group has quads of two by two threads, quad by quad:
//! four lanes are a quad. For other targets see `quad_layout`.

use crate::Result;
use crate::lower::context::{Context, Input};
use crate::lower::signatures::inputs;
use crate::lower::values::LoweredValue;
use crate::lower::waves::quad_layout::{self, Derivatives};
use crate::spirv::{BuiltIn, Id, Op, StorageClass};

/// Loads one component of a `uvec3` built-in.
pub(in crate::lower) fn load_uvec3_component(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    component: u32,
) -> Result<LoweredValue> {
    only_in_groups(&cx.input, built_in)?;
    if let Some(ordered) = ordered_component(cx, built_in, component)? {
        return Ok(LoweredValue::Id(ordered));
    }
    Ok(LoweredValue::Id(built_in_component(
        cx, built_in, component,
    )?))
}

/// Loads a component of the module's own built-in.
fn built_in_component(cx: &mut Context<'_>, built_in: BuiltIn, component: u32) -> Result<Id> {
    let scalar = cx.b.u32();
    let vector = cx.b.vector(scalar, 3);
    let variable = inputs::built_in_input(cx, built_in, vector);
    // A load of the whole vector serves all of its components.
    if cx.input.consumer().compact_code {
        let whole = cx.b.load_unchanging(vector, variable);
        return Ok(cx.b.extract(scalar, whole, component.min(2)));
    }
    let pointer = cx.b.pointer(StorageClass::Input, scalar);
    let index = cx.b.const_u32(component.min(2));
    let address = cx.b.access_chain(pointer, variable, &[index]);
    Ok(cx.b.load(scalar, address))
}

/// Lowers `SV_GroupIndex`.
pub(super) fn flattened_thread_id(cx: &mut Context<'_>) -> Result<LoweredValue> {
    only_in_groups(&cx.input, BuiltIn::LocalInvocationIndex)?;
    if let Some(index) = ordered_index(cx)? {
        return Ok(LoweredValue::Id(index));
    }
    Ok(LoweredValue::Id(inputs::load_u32_built_in(
        cx,
        BuiltIn::LocalInvocationIndex,
    )))
}

/// Refuses numbers of threads in stages that have no thread groups.
fn only_in_groups(input: &Input<'_>, built_in: BuiltIn) -> Result<()> {
    let of_rays = matches!(built_in, BuiltIn::LaunchIdKHR | BuiltIn::LaunchSizeKHR);
    if of_rays || input.has_groups() {
        Ok(())
    } else {
        Err(inputs::stage_unsupported(input, &format!("{built_in:?}")))
    }
}

/// Order of the threads in a group whose sides differ from D3D12's.
#[derive(Clone, Copy)]
enum Order {
    /// One row.
    Row,
    /// Twice as wide and half as high: four threads in a row are a quad of two by two.
    Quads,
}

/// Returns the order of the threads, and the sides of the group in D3D12; `None` where the module
/// has the same sides.
fn other_order(input: &Input<'_>) -> Option<(Order, [u32; 3])> {
    let sides = input.entry.num_threads.unwrap_or([1; 3]);
    if quad_layout::is_rearranged(input) {
        return Some((Order::Quads, sides));
    }
    let is_compute = input.entry.kind == dxil_frontend::dxil::ShaderKind::Compute;
    // Only shaders that use lanes need the order of threads in waves to be defined.
    let lanes = input.plan.lanes
        || input.plan.quads && quad_layout::derivatives(input) == Derivatives::Lanes;
    let wanted = !input.consumer().derivative_groups && is_compute && lanes;
    let [_, y, z] = sides;
    (wanted && (y > 1 || z > 1)).then_some((Order::Row, sides))
}

/// Returns the sides of the thread group in the module.
pub(in crate::lower) fn group_sides(input: &Input<'_>) -> [u32; 3] {
    match other_order(input) {
        Some((Order::Row, [x, y, z])) => [x.saturating_mul(y).saturating_mul(z), 1, 1],
        Some((Order::Quads, [x, y, z])) => [x.saturating_mul(2), y / 2, z],
        None => input.entry.num_threads.unwrap_or([1; 3]),
    }
}

/// Returns a component of a thread's number in its group.
fn ordered_thread(
    cx: &mut Context<'_>,
    (order, sides): (Order, [u32; 3]),
    component: u32,
) -> Result<Id> {
    match order {
        Order::Row => Ok(flattened_thread(cx, sides, component)),
        Order::Quads => thread_of_quads(cx, component),
    }
}

/// Returns the same for a group that is twice as wide and half as high: the lowest two bits of x
/// are the place in the quad.
fn thread_of_quads(cx: &mut Context<'_>, component: u32) -> Result<Id> {
    let wide = built_in_component(cx, BuiltIn::LocalInvocationId, 0)?;
    Ok(match component {
        0 => {
            let half = cx.b.u32_shr(wide, 1);
            let first = cx.b.u32_and(half, !1);
            let bit = cx.b.u32_and(wide, 1);
            cx.b.u32_add(first, bit)
        }
        1 => {
            let row = built_in_component(cx, BuiltIn::LocalInvocationId, 1)?;
            let first = cx.b.u32_shl(row, 1);
            let half = cx.b.u32_shr(wide, 1);
            let bit = cx.b.u32_and(half, 1);
            cx.b.u32_add(first, bit)
        }
        _ => built_in_component(cx, BuiltIn::LocalInvocationId, 2)?,
    })
}

/// Returns a component of a thread's number in its group.
fn flattened_thread(cx: &mut Context<'_>, [x, y, _]: [u32; 3], component: u32) -> Id {
    let word = cx.b.u32();
    let index = inputs::load_u32_built_in(cx, BuiltIn::LocalInvocationIndex);
    // Only even sides can be cut into quads of two by two.
    let quads = y > 1 && x.is_multiple_of(2) && y.is_multiple_of(2);
    // Quads count like threads of a group with half the sides.
    let (index, x, y, within) = if quads {
        let quad = cx.b.u32_shr(index, 2);
        (quad, x / 2, y / 2, Some(index))
    } else {
        (index, x, y, None)
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

/// Returns `SV_DispatchThreadID` and `SV_GroupThreadID` of a thread group in another order; `None`
/// for others.
fn ordered_component(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    component: u32,
) -> Result<Option<Id>> {
    let Some(order) = other_order(&cx.input) else {
        return Ok(None);
    };
    let component = component.min(2);
    let thread = match built_in {
        BuiltIn::LocalInvocationId | BuiltIn::GlobalInvocationId => {
            ordered_thread(cx, order, component)?
        }
        _ => return Ok(None),
    };
    if built_in == BuiltIn::LocalInvocationId {
        return Ok(Some(thread));
    }
    let group = built_in_component(cx, BuiltIn::WorkgroupId, component)?;
    let side = order.1.get(component as usize).copied().unwrap_or(1);
    let first = cx.b.u32_mul(group, side);
    Ok(Some(cx.b.u32_add(first, thread)))
}

/// Returns `SV_GroupIndex` of such a thread group.
fn ordered_index(cx: &mut Context<'_>) -> Result<Option<Id>> {
    let Some(order) = other_order(&cx.input) else {
        return Ok(None);
    };
    // The index counts rows of the original group.
    let sides = order.1;
    let mut components = [Id::NONE; 3];
    for (component, id) in (0..).zip(&mut components) {
        *id = ordered_thread(cx, order, component)?;
    }
    let [x, y, z] = components;
    let layer = cx.b.u32_mul(z, sides[1]);
    let row = cx.b.u32_add(layer, y);
    let first = cx.b.u32_mul(row, sides[0]);
    Ok(Some(cx.b.u32_add(first, x)))
}
