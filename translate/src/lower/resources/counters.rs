//! Hidden counters of UAVs.

use crate::lower::blocks;
use crate::lower::context::Context;
use crate::lower::instrument::descriptor_checks;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::state::Leaf;
use crate::lower::resources::{heap_tables, pointers, resource_variables};
use crate::spirv::{Builder, Capability, Id, Op, StorageClass};
use crate::{Counter, DescriptorSlot, Error, ErrorKind, Location, Result};

/// Increments or decrements the hidden counter: an increment returns the old value, a decrement the
/// new one. Both return 0 if the UAV has no counter.
pub(super) fn count<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>, up: bool) -> Result<Id> {
    // Only UAVs in descriptors have counters; root arguments have no place for one.
    let counter = match handle.view.location {
        Location::Descriptor { counter, .. } | Location::Heap { counter, .. } => counter,
        Location::PushConstants { .. }
        | Location::DeviceAddress { .. }
        | Location::AddressTable { .. } => None,
    };
    let counter = counter.ok_or_else(|| {
        Error::new(ErrorKind::Unbound(format!(
            "the counter of {}",
            handle.view.describe()
        )))
    })?;
    match counter {
        Counter::Buffer(_) => {
            let zero = cx.b.const_u32(0);
            let pointer = pointers::element_pointer(cx, handle, Leaf::Counter, zero, None)?;
            Ok(step_counter(&mut cx.b, up, pointer))
        }
        Counter::TexelBuffer(slot) => {
            let pointer = counter_texel(cx, handle, slot)?;
            Ok(step_counter(&mut cx.b, up, pointer))
        }
        Counter::Addresses {
            slot,
            stride,
            offset,
        } => {
            let index = descriptor_checks::checked_counter(cx, handle.index);
            let address = heap_tables::load_pair(cx, slot, index, stride, offset);
            counter_behind_address(cx, up, address)
        }
        Counter::AddressesBehind {
            slot,
            stride,
            offset,
        } => {
            let index = descriptor_checks::checked_counter(cx, handle.index);
            let address = heap_tables::load_pair_behind(cx, slot, index, stride, offset)?;
            counter_behind_address(cx, up, address)
        }
    }
}

fn step_counter(b: &mut Builder, up: bool, pointer: Id) -> Id {
    let instruction = if up { Op::AtomicIAdd } else { Op::AtomicISub };
    let word = b.u32();
    let scope = b.const_u32(crate::spirv::Scope::Device as u32);
    let relaxed = b.const_u32(0);
    let one = b.const_u32(1);
    let old = b.emit(instruction, word, &[pointer, scope, relaxed, one]);
    if up {
        old
    } else {
        // A decrement returns the new value in D3D12, the atomic returns the old one.
        b.emit(Op::ISub, word, &[old, one])
    }
}

/// Increments or decrements the counter at an address. An address of 0 means that there is none,
/// and gives 0.
fn counter_behind_address(cx: &mut Context<'_>, up: bool, address: Id) -> Result<Id> {
    resource_variables::physical_addresses(&mut cx.b, &cx.input)?;
    let word = cx.b.u32();
    let bool_ty = cx.b.bool();
    let halves = [0, 1].map(|i| cx.b.extract(word, address, i));
    let any = cx.b.emit(Op::BitwiseOr, word, &halves);
    let zero = cx.b.const_u32(0);
    let there = cx.b.emit(Op::INotEqual, bool_ty, &[any, zero]);
    let guard = blocks::begin_if(cx, there);
    let block = resource_variables::data_block(cx, Leaf::Counter, 0, false);
    let block_ty = cx.b.pointer(StorageClass::PhysicalStorageBuffer, block.ty);
    let base = cx.b.bitcast(block_ty, address);
    let pointer_ty = cx.b.pointer(StorageClass::PhysicalStorageBuffer, word);
    let pointer = cx.b.access_chain(pointer_ty, base, &[zero]);
    let counted = step_counter(&mut cx.b, up, pointer);
    Ok(blocks::end_if_with(cx, guard, word, counted, zero))
}

/// Returns a texel pointer to a counter in a texel buffer.
fn counter_texel<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    slot: DescriptorSlot,
) -> Result<Id> {
    let (variable, image_ty) = resource_variables::counter_image(cx, handle.view, slot);
    let word = cx.b.u32();
    let zero = cx.b.const_u32(0);
    let mut image = variable;
    if resource_variables::is_arrayed(handle.view) {
        cx.b.capability(if handle.non_uniform {
            Capability::StorageTexelBufferArrayNonUniformIndexing
        } else {
            Capability::StorageTexelBufferArrayDynamicIndexing
        });
        resource_variables::descriptor_indexing_extension(&mut cx.b);
        let pointer_ty = cx.b.pointer(StorageClass::UniformConstant, image_ty);
        image = cx.b.access_chain(pointer_ty, variable, &[handle.index]);
        if handle.non_uniform {
            cx.b.capability(Capability::ShaderNonUniform);
        }
        pointers::mark_non_uniform_in_array(&mut cx.b, &cx.input, handle, image);
    }
    let pointer_ty = cx.b.pointer(StorageClass::Image, word);
    let pointer =
        cx.b.emit(Op::ImageTexelPointer, pointer_ty, &[image, zero, zero]);
    pointers::mark_non_uniform_in_array(&mut cx.b, &cx.input, handle, pointer);
    Ok(pointer)
}
