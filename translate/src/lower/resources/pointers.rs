//! Pointers to descriptors and into them, and the capabilities of indexing an array of descriptors.

use dxil_frontend::dxil::ResourceClass;

use super::resource_variables::{self, ResourceHandle, is_arrayed};
use crate::interface::{Representation, is_one_variable};
use crate::lower::context::{Context, Input};
use crate::lower::resources::state::{Leaf, Variable};
use crate::lower::resources::{
    descriptor_heaps, heap_tables, large_buffers, leaves, root_arguments,
};
use crate::pseudo_arrays::MARKER;
use crate::spirv::{Builder, Capability, Decoration, Id, Op, StorageClass};
use crate::{DescriptorSlot, Location, Result};

/// Declares the capabilities of indexing a descriptor array.
fn indexing_capabilities<'a>(
    b: &mut Builder,
    input: &Input<'a>,
    handle: &ResourceHandle<'a>,
    variable: Variable,
) {
    use Capability as C;
    if b.literal(handle.index).is_some() {
        return;
    }
    let storage = handle.view.class == ResourceClass::Uav;
    // Vulkan has a feature per kind of descriptor, and SPIR-V two capabilities for each.
    let (uniform, non_uniform) = match (variable.class, handle.view.representation, storage) {
        (StorageClass::Uniform, ..) => (
            C::UniformBufferArrayDynamicIndexing,
            C::UniformBufferArrayNonUniformIndexing,
        ),
        (StorageClass::StorageBuffer, ..) => (
            C::StorageBufferArrayDynamicIndexing,
            C::StorageBufferArrayNonUniformIndexing,
        ),
        (_, Representation::TexelBuffer, true) => (
            C::StorageTexelBufferArrayDynamicIndexing,
            C::StorageTexelBufferArrayNonUniformIndexing,
        ),
        (_, Representation::TexelBuffer, false) => (
            C::UniformTexelBufferArrayDynamicIndexing,
            C::UniformTexelBufferArrayNonUniformIndexing,
        ),
        (_, Representation::Image, true) => (
            C::StorageImageArrayDynamicIndexing,
            C::StorageImageArrayNonUniformIndexing,
        ),
        // Indexing arrays of acceleration structures needs no further capability.
        (_, Representation::AccelerationStructure, _) => {
            if handle.non_uniform {
                b.capability(C::ShaderNonUniform);
                resource_variables::descriptor_indexing_extension(b);
            }
            return;
        }
        _ => (
            C::SampledImageArrayDynamicIndexing,
            C::SampledImageArrayNonUniformIndexing,
        ),
    };
    if !input.consumer().non_uniform {
        // It takes the capabilities for buffers, and indexes other arrays without any.
        if matches!(
            variable.class,
            StorageClass::Uniform | StorageClass::StorageBuffer
        ) {
            b.capability(uniform);
        }
    } else if handle.non_uniform {
        b.capability(C::ShaderNonUniform);
        b.capability(non_uniform);
        resource_variables::descriptor_indexing_extension(b);
    } else {
        // For texel buffers even uniform indexing came with descriptor indexing; for others it is
        // core.
        if matches!(
            uniform,
            C::StorageTexelBufferArrayDynamicIndexing | C::UniformTexelBufferArrayDynamicIndexing
        ) {
            resource_variables::descriptor_indexing_extension(b);
        }
        b.capability(uniform);
    }
}

/// Marks a value that depends on a divergent descriptor index.
pub(in crate::lower) fn mark_non_uniform<'a>(
    b: &mut Builder,
    input: &Input<'a>,
    handle: &ResourceHandle<'a>,
    id: Id,
) {
    // The decoration belongs to the pointer and to what is loaded through it:
    // SPV_EXT_descriptor_indexing looks at the operands of the instruction that accesses memory.
    if handle.view.heap_stride.is_none() {
        mark_non_uniform_in_array(b, input, handle, id);
    }
}

/// Does the same for a value that depends on an index into a descriptor array, even if the resource
/// itself is in a heap of VK_EXT_descriptor_heap: the descriptors of counters are in arrays.
pub(super) fn mark_non_uniform_in_array<'a>(
    b: &mut Builder,
    input: &Input<'a>,
    handle: &ResourceHandle<'a>,
    id: Id,
) {
    if handle.non_uniform
        && input.consumer().non_uniform
        && b.literal(handle.index).is_none()
        && is_arrayed(handle.view)
    {
        b.decorate_once(id, Decoration::NonUniform);
    }
}

/// Returns the pointer to a descriptor's object, and its type.
pub(in crate::lower) fn object_pointer<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
) -> Result<(Id, Id)> {
    let variable = resource_variables::variable_of(cx, handle, Leaf::Object)?;
    if let Some(heap) = variable.heap {
        let index = handle.index;
        let pointer = descriptor_heaps::descriptor_pointer(&mut cx.b, variable, heap, index);
        return Ok((pointer, variable.ty));
    }
    if let Some(array) = variable.pseudo {
        mark_element(cx, handle, array);
    }
    if !variable.arrayed {
        return Ok((variable.id, variable.ty));
    }
    indexing_capabilities(&mut cx.b, &cx.input, handle, variable);
    let pointer_ty = cx.b.pointer(variable.class, variable.ty);
    let pointer = cx.b.access_chain(pointer_ty, variable.id, &[handle.index]);
    mark_non_uniform(&mut cx.b, &cx.input, handle, pointer);
    Ok((pointer, variable.ty))
}

/// Says which element of a pseudo-array the next instruction accesses ([`pseudo_arrays`]).
///
/// [`pseudo_arrays`]: crate::pseudo_arrays
fn mark_element(cx: &mut Context<'_>, handle: &ResourceHandle<'_>, array: (u32, DescriptorSlot)) {
    let (count, slot) = array;
    let word = cx.b.u32();
    let ty = cx.b.vector(word, 4);
    let variable = match cx.module.resources.element_words {
        Some(variable) => variable,
        None => {
            let words = MARKER.map(|word| cx.b.const_u32(word));
            let initial = cx.b.const_composite(ty, &words);
            let pointer = cx.b.pointer(StorageClass::Private, ty);
            let variable =
                cx.b.global_variable(StorageClass::Private, pointer, Some(initial));
            cx.module.resources.element_words = Some(variable);
            variable
        }
    };
    let [count, set, binding] = [count, slot.set, slot.binding].map(|word| cx.b.const_u32(word));
    let words = [handle.index, count, set, binding];
    let words = cx.b.emit(Op::CompositeConstruct, ty, &words);
    cx.b.store(variable, words);
    cx.b.load(ty, variable);
}

/// Returns the image, sampler or acceleration structure itself, and its type.
pub(in crate::lower) fn load_object<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
) -> Result<(Id, Id)> {
    let (pointer, ty) = object_pointer(cx, handle)?;
    let is_pseudo = !cx.input.consumer().descriptor_arrays
        && is_arrayed(handle.view)
        && is_one_variable(handle.view, cx.input.options);
    let id = if is_pseudo {
        // The same load would be of another element.
        cx.b.load(ty, pointer)
    } else {
        // A descriptor does not change while the shader runs, so the load may be shared.
        cx.b.load_unchanging(ty, pointer)
    };
    mark_non_uniform(&mut cx.b, &cx.input, handle, id);
    Ok((id, ty))
}

/// Returns the pointer to a texel of a storage image, for atomics. `image` is what
/// [`object_pointer`] returns, as the instruction takes the variable and no loaded image; `ty` is
/// the integer there.
pub(in crate::lower) fn texel_pointer<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    image: (Id, Id),
    ty: Id,
    coords: Id,
) -> Id {
    let (image, image_ty) = image;
    let in_heap = handle.view.heap_stride.is_some();
    let pointer_ty = if in_heap {
        cx.b.untyped_pointer(StorageClass::Image)
    } else {
        cx.b.pointer(StorageClass::Image, ty)
    };
    // Sample 0 is the only one of an image that is not multisampled.
    let sample = cx.b.const_u32(0);
    if in_heap {
        let words = [image_ty, image, coords, sample];
        return cx
            .b
            .emit(Op::UntypedImageTexelPointerEXT, pointer_ty, &words);
    }
    let words = [image, coords, sample];
    let pointer = cx.b.emit(Op::ImageTexelPointer, pointer_ty, &words);
    mark_non_uniform(&mut cx.b, &cx.input, handle, pointer);
    pointer
}

/// Returns the pointer to an element of a buffer; `component` goes into a row.
pub(in crate::lower) fn element_pointer<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    leaf: Leaf,
    element: Id,
    component: Option<Id>,
) -> Result<Id> {
    let variable = resource_variables::variable_of(cx, handle, leaf)?;
    // A range table moves the element, but never the descriptor.
    let element = heap_tables::placed_word(cx, handle, leaf, element);
    let element = large_buffers::element_index(cx, handle.view, leaf, element);
    let zero = cx.b.const_u32(0);
    let base = match handle.view.location {
        Location::DeviceAddress { first_word } => {
            root_arguments::address_pointer(cx, handle, first_word, variable.ty)?
        }
        _ => base_pointer(cx, handle, variable),
    };
    let target = match component {
        Some(_) => leaves::word_type(cx, handle.view),
        None => variable.leaf,
    };
    let pointer_ty = cx.b.pointer(variable.class, target);
    let mut indices = [Id::NONE; 4];
    let mut count = 0;
    let parts = [
        // The order is that of the types: array of descriptors, block, array of elements,
        // component.
        variable.arrayed.then_some(handle.index),
        Some(zero),
        Some(element).filter(|_| leaf != Leaf::Counter),
        component,
    ];
    for (slot, id) in indices.iter_mut().zip(parts.into_iter().flatten()) {
        *slot = id;
        count += 1;
    }
    let indices = indices.get(..count).unwrap_or(&indices);
    // A root descriptor has no size, so D3D12 leaves accesses beyond its memory undefined (Direct3D
    // 12 programming guide, "Using descriptors directly in the root signature"). Drivers then put
    // constant parts of an index into the instruction.
    let pointer = if variable.class == StorageClass::PhysicalStorageBuffer {
        cx.b.chain_in_bounds(pointer_ty, base, indices)
    } else {
        cx.b.access_chain(pointer_ty, base, indices)
    };
    if variable.arrayed {
        indexing_capabilities(&mut cx.b, &cx.input, handle, variable);
        mark_non_uniform_in_array(&mut cx.b, &cx.input, handle, pointer);
    }
    Ok(pointer)
}

/// Returns the variable, or the buffer that a descriptor of a heap describes.
fn base_pointer(cx: &mut Context<'_>, handle: &ResourceHandle<'_>, variable: Variable) -> Id {
    match variable.heap {
        Some(heap) => {
            let index = handle.index;
            descriptor_heaps::buffer_pointer(&mut cx.b, handle.view, variable, heap, index)
        }
        None => variable.id,
    }
}

/// Returns the pointer to one descriptor's block, for `OpArrayLength`.
pub(in crate::lower) fn block_pointer<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    leaf: Leaf,
) -> Result<Id> {
    let variable = resource_variables::variable_of(cx, handle, leaf)?;
    if !variable.arrayed {
        return Ok(base_pointer(cx, handle, variable));
    }
    indexing_capabilities(&mut cx.b, &cx.input, handle, variable);
    let pointer_ty = cx.b.pointer(variable.class, variable.ty);
    let pointer = cx.b.access_chain(pointer_ty, variable.id, &[handle.index]);
    mark_non_uniform(&mut cx.b, &cx.input, handle, pointer);
    Ok(pointer)
}
