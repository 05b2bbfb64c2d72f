//! Arrays of descriptors in the portable style: every element has a variable and a binding,
//! starting at the array's binding, since not all of naga's output languages have arrays of them
//! (those that have are told by `Features::PORTABLE_TEXTURE_ARRAYS` and its like).
//! An operation on an element that is chosen at run time is written once per element, in a switch;
//! `spirv/legalize_naga/element_functions.rs` makes functions of those that are the same.

use dxil_frontend::dxil::ops::{Memory, Op, OpFlags};
use dxil_frontend::ir::ValueId;

use super::resource_variables::is_arrayed;
use crate::interface::{View, handles_of, is_one_variable};
use crate::lower::context::Context;
use crate::lower::images::sample;
use crate::lower::instrument::synchronization;
use crate::lower::operations::lower_op;
use crate::lower::resources::handle_values;
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::lower::{blocks, source, types};
use crate::spirv::{Builder, Id, Op as SpirvOp};
use crate::{Error, Location, PortableForm, Result};

/// A handle whose element is only known at run time.
struct Choice {
    handle: ValueId,
    index: Id,
    /// The array's first index.
    first: u32,
    count: u32,
}

/// Lowers an operation, once per element where the element is only known at run time.
#[inline]
pub(super) fn op_on_elements(cx: &mut Context<'_>, call: &Call, op: &Op) -> Result<LoweredValue> {
    synchronization::watch_access(cx, call, op)?;
    if cx.input.consumer().descriptor_arrays {
        return lower_op(cx, call, op);
    }
    op_on_element(cx, call, op)
}

#[inline(never)]
fn op_on_element(cx: &mut Context<'_>, call: &Call, op: &Op) -> Result<LoweredValue> {
    match undecided(cx, call, op)? {
        Some(choice) => once_per_element(cx, call, op, &choice),
        None => lower_op(cx, call, op),
    }
}

fn undecided(cx: &mut Context<'_>, call: &Call, op: &Op) -> Result<Option<Choice>> {
    let Some(function) = cx.function.plan else {
        return Ok(None);
    };
    // Operations that create handles only compute the index.
    if call.result.is_some_and(|id| function.handle(id).is_some()) {
        return Ok(None);
    }
    for value in handles_of(op).into_iter().flatten() {
        let handle = handle_values::handle_of(cx, value)?;
        if !is_arrayed(handle.view)
            || cx.b.literal(handle.index).is_some()
            || is_one_variable(handle.view, cx.input.options)
        {
            continue;
        }
        // A switch makes lanes of a quad diverge, and derivatives need them together.
        if handle.non_uniform && sample::has_derivatives(&cx.input) && takes_derivatives(op) {
            let what = handle.view.describe();
            return Err(Error::portable(
                PortableForm::ElementLevel,
                format!("an implicit level of detail of {what}, chosen per lane,"),
            ));
        }
        let (first, count) = elements(handle.view);
        return Ok(Some(Choice {
            handle: value,
            index: handle.index,
            first,
            count,
        }));
    }
    Ok(None)
}

fn once_per_element(
    cx: &mut Context<'_>,
    call: &Call,
    op: &Op,
    choice: &Choice,
) -> Result<LoweredValue> {
    blocks::leave_loop_header(cx);
    let merge = cx.b.fresh();
    let labels: Vec<Id> = (0..choice.count).map(|_| cx.b.fresh()).collect();
    // An index past the end is undefined in D3D12, so it selects the last element.
    let mut words = vec![
        choice.index.0,
        labels.last().map_or(merge.0, |label| label.0),
    ];
    for (element, label) in (choice.first..).zip(&labels) {
        words.extend([element, label.0]);
    }
    cx.b.mark_element_switch(merge);
    cx.b.emit_void(SpirvOp::SelectionMerge, &[merge.0, 0]);
    cx.b.emit_void(SpirvOp::Switch, &words);
    let mut incoming: Vec<Vec<Id>> = Vec::new();
    let mut shape = LoweredValue::Unset;
    for (element, &label) in (choice.first..).zip(&labels) {
        blocks::start_block(cx, label);
        source::resume(cx);
        // The index is a constant now, so the operation finds the element's variable.
        let index = cx.b.const_u32(element);
        cx.module.resources.elements.insert(choice.handle, index);
        // An operation can take two such handles (texture and sampler), hence the recursion.
        let value = op_on_elements(cx, call, op)?;
        let ids = members_of(cx, call, value)?;
        let from = cx.block.label;
        incoming.resize_with(ids.len(), Vec::new);
        for (phi, id) in incoming.iter_mut().zip(ids) {
            phi.extend([id, from]);
        }
        shape = value;
        cx.b.emit_void(SpirvOp::Branch, &[merge]);
    }
    cx.module.resources.elements.remove(&choice.handle);
    blocks::start_block(cx, merge);
    match shape {
        LoweredValue::Parts(_) => {
            let fields = types::fields(&cx.input, call.ty)?;
            let mut parts = Vec::with_capacity(fields.len());
            for (&field, words) in fields.iter().zip(&incoming) {
                let ty = types::lower(cx, field)?;
                parts.push(StructMember::Id(joined(&mut cx.b, ty, words)));
            }
            Ok(cx.function.values.parts(parts))
        }
        LoweredValue::Id(_) => {
            let ty = types::lower(cx, call.ty)?;
            let words = incoming.first().map_or(&[][..], |words| words);
            Ok(LoweredValue::Id(joined(&mut cx.b, ty, words)))
        }
        LoweredValue::Unset | LoweredValue::Pointer(_) => Ok(LoweredValue::Unset),
    }
}

/// Returns the members of a value; unused ones are undefined.
fn members_of(cx: &mut Context<'_>, call: &Call, value: LoweredValue) -> Result<Vec<Id>> {
    Ok(match value {
        LoweredValue::Unset | LoweredValue::Pointer(_) => Vec::new(),
        LoweredValue::Id(id) => vec![id],
        LoweredValue::Parts(parts) => {
            let used = call
                .result
                .map_or(0, |result| cx.function.used_members(result));
            let fields = types::fields(&cx.input, call.ty)?;
            let mut ids = Vec::with_capacity(fields.len());
            for (index, &field) in (0..).zip(fields) {
                ids.push(if used >> index & 1 != 0 {
                    cx.part(parts, index, field)?
                } else {
                    let ty = types::lower(cx, field)?;
                    cx.b.undef(ty)
                });
            }
            ids
        }
    })
}

/// Returns a phi, or the value if all incoming ones are equal.
fn joined(b: &mut Builder, ty: Id, words: &[Id]) -> Id {
    match words {
        // A phi of equal values would be one more variable in naga.
        [one, _, rest @ ..] if rest.iter().step_by(2).all(|id| id == one) => *one,
        words => b.emit(SpirvOp::Phi, ty, words),
    }
}

/// Returns the first index and number of elements.
fn elements(view: &View) -> (u32, u32) {
    let first = match view.location {
        Location::Descriptor { first_index, .. } => first_index,
        _ => 0,
    };
    (first, view.count.unwrap_or(1))
}

/// Returns whether the operation takes derivatives of its coordinates, and only reads.
pub(super) fn takes_derivatives(op: &Op) -> bool {
    let row = op.opcode().properties();
    row.flags.contains(OpFlags::GRADIENT) && row.memory == Memory::ReadOnly
}
