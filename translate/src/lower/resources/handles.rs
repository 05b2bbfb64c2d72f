//! Handle operations: a handle's SPIR-V value is the index of its descriptor, as 32-bit integer.

use dxil_frontend::dxil::ResourceClass;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::ValueId;

use super::resource_variables::is_arrayed;
use crate::lower::context::Context;
use crate::lower::numbers::integers;
use crate::lower::rays::shader_record;
use crate::lower::resources::{handle_values, heap_indices, root_arguments};
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::Id;
use crate::{Error, Location, Result};

/// The unit of the index of a handle.
#[derive(Clone, Copy)]
enum HandleIndex<'a> {
    /// Registers: the range's lower bound is its first.
    Register(ValueId),
    /// Elements of the range: a sum of products (`FunctionPlan::lib_index`).
    Element(&'a [(ValueId, u32)]),
}

/// Lowers `createHandle`.
pub(super) fn create(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::CreateHandle,
) -> Result<LoweredValue> {
    descriptor_index(cx, call, HandleIndex::Register(op.index))
}

/// Lowers `createHandleFromBinding`.
pub(super) fn create_from_binding(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::CreateHandleFromBinding,
) -> Result<LoweredValue> {
    descriptor_index(cx, call, HandleIndex::Register(op.index))
}

/// Lowers `createHandleForLib`.
pub(super) fn create_for_lib(cx: &mut Context<'_>, call: &Call) -> Result<LoweredValue> {
    let plan = cx.function.plan.zip(call.result);
    let index = plan.map_or(&[][..], |(plan, result)| plan.lib_index(result));
    descriptor_index(cx, call, HandleIndex::Element(index))
}

/// Lowers `createHandleFromHeap`.
pub(super) fn create_from_heap(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::CreateHandleFromHeap,
) -> Result<LoweredValue> {
    let index = cx.id(op.index)?;
    let index = heap_indices::bounded_heap_index(cx, index, op.sampler_heap);
    Ok(LoweredValue::Id(handle_values::tagged(cx, call, index)))
}

/// Lowers `annotateHandle`: the plan has the properties; the index is unchanged.
pub(super) fn annotate(cx: &mut Context<'_>, op: &calls::AnnotateHandle) -> Result<LoweredValue> {
    Ok(LoweredValue::Id(cx.id(op.handle)?))
}

/// Returns a part of an index: a value times a number of elements.
fn element_index(cx: &mut Context<'_>, &(value, elements): &(ValueId, u32)) -> Result<Id> {
    // Addresses may have indices of any width.
    let value = integers::to_u32(cx, value)?;
    Ok(match elements {
        1 => value,
        _ => cx.b.u32_mul(value, elements),
    })
}

fn descriptor_index(
    cx: &mut Context<'_>,
    call: &Call,
    index: HandleIndex<'_>,
) -> Result<LoweredValue> {
    let plan = cx.input.plan;
    let Some(result) = call.result else {
        return Ok(LoweredValue::Unset);
    };
    let view = cx
        .function
        .plan
        .and_then(|function| function.handle(result)?.view)
        .ok_or_else(|| Error::internal(format!("handle {result} was not planned")))?;
    let view = plan.view(view)?;
    if !is_arrayed(view) {
        // A single descriptor has no index to compute, and the register may exceed what fits.
        let first = cx.b.const_u32(0);
        return Ok(LoweredValue::Id(handle_values::tagged(cx, call, first)));
    }
    // In a heap, the root signature's offset is that of the range in the table, and the table
    // begins where the root argument says.
    let (table_word, offset) = match view.location {
        Location::Descriptor { first_index, .. } => (None, first_index),
        Location::Heap {
            table_word, offset, ..
        }
        | Location::AddressTable {
            table_word, offset, ..
        } => (table_word, offset),
        Location::PushConstants { .. } | Location::DeviceAddress { .. } => (None, 0),
    };
    // Registers and bounds may exceed 2^31, so that differences may wrap.
    // `createHandle` counts registers, so the range's first register is subtracted.
    let (index, bias) = match index {
        HandleIndex::Register(index) => (cx.id(index)?, offset.wrapping_sub(view.lower_bound)),
        HandleIndex::Element([]) => (cx.b.const_u32(0), offset),
        HandleIndex::Element([first, rest @ ..]) => {
            let mut index = element_index(cx, first)?;
            for term in rest {
                let more = element_index(cx, term)?;
                index = cx.b.u32_add(index, more);
            }
            (index, offset)
        }
    };
    let bias = cx.b.const_u32(bias);
    let mut id = cx.b.u32_add(index, bias);
    if let Some(word) = table_word {
        let word = cx.b.const_u32(word);
        let base = root_arguments::root_word(cx, view, word)?;
        let base = shader_record::local_table(&mut cx.b, &cx.input, view, base);
        id = cx.b.u32_add(base, id);
    }
    // The root signature gives the location of a single descriptor.
    let in_heap = matches!(
        view.location,
        Location::Heap { .. } | Location::AddressTable { .. }
    );
    if in_heap && view.count != Some(1) {
        id = heap_indices::bounded_heap_index(cx, id, view.class == ResourceClass::Sampler);
    }
    Ok(LoweredValue::Id(handle_values::tagged(cx, call, id)))
}
