//! The descriptor that a handle names: its view, and its index as the shader computes it.

use dxil_frontend::ir::ValueId;

use crate::interface::CHOICE_SHIFT;
use crate::lower::context::Context;
use crate::lower::instrument::descriptor_checks;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::values::Call;
use crate::spirv::Id;
use crate::{Error, Result};

/// Mask of the index in an integer that also holds a view.
pub(super) const INDEX_BITS: u32 = (1 << CHOICE_SHIFT) - 1;

/// Returns the integer of a created handle: it holds the view where the handle may be one of
/// several.
pub(super) fn tagged(cx: &mut Context<'_>, call: &Call, index: Id) -> Id {
    let tag = call.result.and_then(|result| cx.function.plan?.tag(result));
    let Some(view) = tag else {
        return index;
    };
    let index = cx.b.u32_and(index, INDEX_BITS);
    let high = cx.b.const_u32(view.0 << CHOICE_SHIFT);
    cx.b.u32_add(index, high)
}

/// Returns the index of the descriptor that a handle names.
fn descriptor_of(cx: &mut Context<'_>, handle: ValueId) -> Result<Id> {
    let id = cx.id(handle)?;
    let says_view = cx.function.plan.is_some_and(|plan| plan.has_choices());
    Ok(if says_view {
        cx.b.u32_and(id, INDEX_BITS)
    } else {
        id
    })
}

/// Returns the handle of a value.
pub(in crate::lower) fn handle_of<'a>(
    cx: &mut Context<'a>,
    value: ValueId,
) -> Result<ResourceHandle<'a>> {
    let handle = unchecked_handle(cx, value)?;
    Ok(descriptor_checks::checked_handle(cx, handle))
}

fn unchecked_handle<'a>(cx: &mut Context<'a>, value: ValueId) -> Result<ResourceHandle<'a>> {
    let plan = cx.input.plan;
    let known = cx
        .function
        .plan
        .and_then(|function| function.handle(value))
        .ok_or_else(|| Error::malformed(format!("{value} is not a resource handle")))?;
    // In the portable style a switch has chosen the element, see `descriptor_arrays`.
    let element = cx.module.resources.elements.get(&value).copied();
    let chosen = &cx.module.resources.chosen;
    if let Some(&(_, id, index)) = chosen.iter().find(|(handle, ..)| *handle == value) {
        return Ok(ResourceHandle {
            id,
            view: plan.view(id)?,
            index: element.unwrap_or(index),
            non_uniform: true,
        });
    }
    let id = known.view.ok_or_else(|| {
        Error::malformed(format!("handle {value} is used without annotateHandle"))
    })?;
    let index = match element {
        Some(element) => element,
        None => descriptor_of(cx, value)?,
    };
    Ok(ResourceHandle {
        id,
        view: plan.view(id)?,
        index,
        non_uniform: known.non_uniform,
    })
}
