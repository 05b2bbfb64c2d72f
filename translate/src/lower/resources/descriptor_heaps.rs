//! The heaps of VK_EXT_descriptor_heap: built-in pointers to memory that holds descriptors
//! (SPV_EXT_descriptor_heap). A heap has no type. An access names the type of the descriptor that
//! it expects, so that one heap holds resources of all kinds. Accesses need no `NonUniform` and no
//! capability of descriptor indexing (Vulkan, "Descriptor Heap Interface").

use dxil_frontend::dxil::ResourceClass;
use rspirv::spirv::BuiltIn;

use crate::interface::{Usage, View};
use crate::lower::context::Context;
use crate::lower::resources::state::Variable;
use crate::spirv::{Builder, Capability, Decoration, Id, Op, StorageClass};

/// A heap, as the accesses of one type of descriptor see it.
pub(super) struct Heap {
    pub(super) variable: Id,
    /// The heap's type: an array of these descriptors.
    pub(super) array: Id,
}

/// Returns the heap that holds the descriptors of a view. `variable` has the storage class and type
/// of what they describe.
pub(super) fn heap_of(cx: &mut Context<'_>, view: &View, variable: Variable, stride: u32) -> Heap {
    let b = &mut cx.b;
    b.capability(Capability::UntypedPointersKHR);
    b.extension("SPV_KHR_untyped_pointers");
    b.capability(Capability::DescriptorHeapEXT);
    b.extension("SPV_EXT_descriptor_heap");
    let is_sampler = view.class == ResourceClass::Sampler;
    let heaps = &mut cx.module.resources.descriptor_heaps;
    let (built_in, name, known) = if is_sampler {
        (BuiltIn::SamplerHeapEXT, "sampler_heap", &mut heaps.samplers)
    } else {
        let known = &mut heaps.resources;
        (BuiltIn::ResourceHeapEXT, "resource_heap", known)
    };
    let heap = *known.get_or_insert_with(|| {
        let id = b.untyped_variable(StorageClass::UniformConstant);
        b.decorate(id, Decoration::BuiltIn, &[built_in as u32]);
        if cx.input.options.debug_info {
            b.name(id, name);
        }
        id
    });
    let is_object = variable.class == StorageClass::UniformConstant;
    if is_object && view.coherent {
        // There is no variable of the image alone.
        b.decorate_once(heap, Decoration::Coherent);
    }
    let descriptor = if is_object {
        variable.ty
    } else {
        b.buffer_descriptor(variable.class)
    };
    let array = *heaps
        .arrays
        .entry((descriptor, stride))
        .or_insert_with(|| descriptor_array(b, descriptor, stride));
    Heap {
        variable: heap,
        array,
    }
}

/// Returns the type of an array of descriptors with that stride.
fn descriptor_array(b: &mut Builder, descriptor: Id, stride: u32) -> Id {
    if stride != 0 {
        return b.strided_array(descriptor, 0, stride);
    }
    let size = b.size_of_descriptor(descriptor);
    let array = b.runtime_array(descriptor);
    b.decorate_id(array, Decoration::ArrayStrideIdEXT, size);
    array
}

/// Returns the pointer to a descriptor of the heap `variable`.
pub(super) fn descriptor_pointer(b: &mut Builder, variable: Variable, array: Id, index: Id) -> Id {
    let pointer_ty = b.untyped_pointer(StorageClass::UniformConstant);
    b.emit_once(
        Op::UntypedAccessChainKHR,
        pointer_ty,
        &[array, variable.id, index],
    )
}

/// Returns the pointer to the memory that a buffer descriptor of the heap describes: a block.
pub(super) fn buffer_pointer(
    b: &mut Builder,
    view: &View,
    variable: Variable,
    array: Id,
    index: Id,
) -> Id {
    let descriptor = descriptor_pointer(b, variable, array, index);
    let pointer_ty = b.pointer(variable.class, variable.ty);
    let pointer = b.emit_once(Op::BufferPointerEXT, pointer_ty, &[descriptor]);
    if variable.class == StorageClass::StorageBuffer {
        if !view.usage.intersects(Usage::CHANGES) {
            b.decorate_once(pointer, Decoration::NonWritable);
        }
        // Each of these pointers counts as a variable of its own (SPIR-V, 2.18.2), and two of them
        // may come from one descriptor.
        if view.class == ResourceClass::Uav {
            b.decorate_once(pointer, Decoration::Aliased);
        }
    }
    pointer
}
