//! Ids of threads and thread groups, whose order in the group may differ from the built-in's.

use crate::Result;
use crate::lower::context::{Context, Input};
use crate::lower::signatures::inputs;
use crate::lower::values::LoweredValue;
use crate::spirv::{BuiltIn, Id, Op, StorageClass};

/// Loads one component of a `uvec3` built-in.
pub(in crate::lower) fn load_uvec3_component(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    component: u32,
) -> Result<LoweredValue> {
    only_in_groups(&cx.input, built_in)?;
    if let Some(flattened) = flattened_component(cx, built_in, component)? {
        return Ok(flattened);
    }
    let scalar = cx.b.u32();
    let vector = cx.b.vector(scalar, 3);
    let variable = inputs::built_in_input(cx, built_in, vector);
    // A load of the whole vector serves all of its components.
    if cx.input.consumer().compact_code {
        let whole = cx.b.load_unchanging(vector, variable);
        return Ok(LoweredValue::Id(cx.b.extract(
            scalar,
            whole,
            component.min(2),
        )));
    }
    let pointer = cx.b.pointer(StorageClass::Input, scalar);
    let index = cx.b.const_u32(component.min(2));
    let address = cx.b.access_chain(pointer, variable, &[index]);
    Ok(LoweredValue::Id(cx.b.load(scalar, address)))
}

/// Lowers `SV_GroupIndex`.
pub(super) fn flattened_thread_id(cx: &mut Context<'_>) -> Result<LoweredValue> {
    only_in_groups(&cx.input, BuiltIn::LocalInvocationIndex)?;
    if let Some(index) = flattened_index(cx) {
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

/// Returns the sides of the thread group, if it is written as one row.
fn flattened_group(input: &Input<'_>) -> Option<[u32; 3]> {
    let [x, y, z] = input.entry.num_threads.unwrap_or([1; 3]);
    let is_compute = input.entry.kind == dxil_frontend::dxil::ShaderKind::Compute;
    // Only shaders that use lanes need the order of threads in waves to be defined.
    let wanted = !input.consumer().derivative_groups && is_compute && input.plan.lanes;
    (wanted && (y > 1 || z > 1)).then_some([x, y, z])
}

/// Returns the sides of the thread group in the module.
pub(in crate::lower) fn group_sides(input: &Input<'_>) -> [u32; 3] {
    match flattened_group(input) {
        Some([x, y, z]) => [x.saturating_mul(y).saturating_mul(z), 1, 1],
        None => input.entry.num_threads.unwrap_or([1; 3]),
    }
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

/// Returns `SV_DispatchThreadID` and `SV_GroupThreadID` of a thread group that is written as one
/// row; `None` for others.
fn flattened_component(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    component: u32,
) -> Result<Option<LoweredValue>> {
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
        return Ok(Some(LoweredValue::Id(thread)));
    }
    let LoweredValue::Id(group) = load_uvec3_component(cx, BuiltIn::WorkgroupId, component)? else {
        return Ok(None);
    };
    let side = sides.get(component as usize).copied().unwrap_or(1);
    let first = cx.b.u32_mul(group, side);
    Ok(Some(LoweredValue::Id(cx.b.u32_add(first, thread))))
}

/// Returns `SV_GroupIndex` of such a thread group.
fn flattened_index(cx: &mut Context<'_>) -> Option<Id> {
    let sides = flattened_group(&cx.input)?;
    // The index counts rows of the original group, not the flattened order.
    let [x, y, z] = [0, 1, 2].map(|component| flattened_thread(cx, sides, component));
    let layer = cx.b.u32_mul(z, sides[1]);
    let row = cx.b.u32_add(layer, y);
    let first = cx.b.u32_mul(row, sides[0]);
    Some(cx.b.u32_add(first, x))
}
