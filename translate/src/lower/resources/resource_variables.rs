//! Resource variables: one per view and element type, made on first use from the plan.

use dxil_frontend::dxil::{ResourceClass, ShaderFlags};

use crate::interface::{
    Representation, Usage, View, ViewId, has_storage_constants, is_one_variable,
};
use crate::lower::context::{Context, Input};
use crate::lower::images::image_types;
use crate::lower::resources::state::{BlockKind, BlockStruct, Leaf, Variable};
use crate::lower::resources::{descriptor_heaps, leaves};
use crate::lower::type_map::Scalar;
use crate::options::Features;
use crate::spirv::{
    Builder, Capability, Decoration, Dim, Id, ImageFormat, ImageType, StorageClass,
};
use crate::{Counter, DescriptorSlot, Error, Location, Result};

/// Maximum number of rows of a constant buffer in D3D12.
pub(in crate::lower) const MAX_CONSTANT_ROWS: u32 = 4096;

/// Maximum number of descriptors in a heap of D3D12 (tier 3, "Hardware Tiers").
const MAX_HEAP: u32 = 1_000_000;

/// A resource handle: a view and an index into its descriptors.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct ResourceHandle<'a> {
    /// Id of the view.
    pub(in crate::lower) id: ViewId,
    /// The view.
    pub(in crate::lower) view: &'a View,
    /// Index of the descriptor.
    pub(in crate::lower) index: Id,
    /// Whether the index may differ between lanes.
    pub(in crate::lower) non_uniform: bool,
}

/// Returns the variable of a view for that kind of element.
pub(super) fn variable_of<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    leaf: Leaf,
) -> Result<Variable> {
    let element = own_element(&cx.b, &cx.input, handle)?;
    let key = (handle.id, leaf, element);
    if let Some(&variable) = cx.module.resources.variables.get(&key) {
        return Ok(variable);
    }
    let variable = make_variable(cx, handle.view, leaf, element)?;
    cx.module.resources.variables.insert(key, variable);
    Ok(variable)
}

/// Returns the element of an array that has a variable of its own; 0 where the array is the
/// variable.
fn own_element<'a>(b: &Builder, input: &Input<'a>, handle: &ResourceHandle<'a>) -> Result<u32> {
    if is_one_variable(handle.view, input.options) || !is_arrayed(handle.view) {
        return Ok(0);
    }
    let element = b.literal(handle.index);
    // The end of the array in the binding; a range may begin inside of it.
    let end = match handle.view.location {
        Location::Descriptor { first_index, .. } => first_index,
        _ => 0,
    }
    .saturating_add(handle.view.count.unwrap_or(0));
    match element {
        Some(element) if element < end => Ok(element),
        // DXIL allows it and leaves the result open; an array would give some element.
        Some(element) => Err(Error::unsupported(format!(
            "element {element} of {}, which ends at {end}, in portable SPIR-V",
            handle.view.describe()
        ))),
        None => Err(Error::internal("an element that was not chosen")),
    }
}

fn make_variable(cx: &mut Context<'_>, view: &View, leaf: Leaf, element: u32) -> Result<Variable> {
    let descriptor = match view.location {
        Location::Descriptor {
            slot,
            first_index,
            counter,
            ..
        } => Some((slot, first_index, counter)),
        Location::Heap { slot, counter, .. } => Some((slot, 0, counter)),
        Location::PushConstants { .. }
        | Location::DeviceAddress { .. }
        | Location::AddressTable { .. } => None,
    };
    let physical = descriptor.is_none();
    let (class, ty, leaf_ty) = match leaf {
        Leaf::Object => {
            let ty = object_type(&mut cx.b, &cx.input, view)?;
            (StorageClass::UniformConstant, ty, ty)
        }
        _ => {
            // Uniform buffers are arrays of rows: without scalarBlockLayout, arrays there have
            // strides of 16 bytes.
            let has_words = leaf == Leaf::U32 && leaves::has_constant_words(cx.input.options, view);
            let uniform =
                has_words || leaf == Leaf::Row && view.representation == Representation::Constants;
            let stored = has_storage_constants(view, cx.input.options);
            let class = match (physical, uniform && !stored) {
                (true, _) => StorageClass::PhysicalStorageBuffer,
                (false, true) => StorageClass::Uniform,
                (false, false) => StorageClass::StorageBuffer,
            };
            // A storage buffer's length is that of the descriptor, so its array is a runtime array.
            // Nothing says how many rows are behind an address, and indices are in bounds.
            let count = match (uniform, physical) {
                (true, true) => MAX_CONSTANT_ROWS,
                (true, false) => {
                    let rows = view.cbuffer_size.div_ceil(16).max(1);
                    rows * if has_words { 4 } else { 1 }
                }
                (false, _) => 0,
            };
            let is_counter = leaf == Leaf::Counter;
            let words = leaves::word_scalar(cx, view);
            let kind = BlockKind {
                leaf,
                count,
                coherent: view.coherent && !is_counter,
                floats: words == Scalar::F32 && !is_counter,
                unchanging: physical && !is_counter && !view.usage.intersects(Usage::CHANGES),
            };
            let block = block_of(cx, kind);
            (class, block.ty, block.leaf)
        }
    };
    let mut variable = Variable {
        id: Id::NONE,
        class,
        ty,
        leaf: leaf_ty,
        arrayed: false,
        pseudo: None,
        heap: None,
    };
    if let Some(stride) = view.heap_stride
        && leaf != Leaf::Counter
    {
        let heap = descriptor_heaps::heap_of(cx, view, variable, stride);
        (variable.id, variable.heap) = (heap.variable, Some(heap.array));
        return Ok(variable);
    }
    // An address has no variable: the pointer is made where it is used.
    let Some((slot, first_index, counter)) = descriptor else {
        return Ok(variable);
    };
    let slot = match counter {
        _ if leaf != Leaf::Counter => slot,
        Some(Counter::Buffer(slot)) => slot,
        _ => return Err(Error::internal("a counter that is no storage buffer")),
    };
    let slot = DescriptorSlot {
        binding: slot.binding.saturating_add(element),
        ..slot
    };
    let is_array = is_arrayed(view) && is_one_variable(view, cx.input.options);
    if is_array && leaf == Leaf::Object && !cx.input.consumer().descriptor_arrays {
        let count = view.count.map(|count| count.saturating_add(first_index));
        variable.pseudo = Some((count.unwrap_or(0), slot));
    }
    variable.arrayed = is_array && variable.pseudo.is_none();
    let whole = match view.count.filter(|_| !is_heap(view)) {
        _ if !variable.arrayed => ty,
        // A range that begins inside of the binding's array shares its variable with others.
        Some(count) => cx.b.array(ty, count.saturating_add(first_index).max(1)),
        // naga has no arrays of uniform buffers without an end.
        None if class == StorageClass::Uniform && !cx.input.consumer().descriptor_arrays => {
            cx.b.array(ty, MAX_HEAP)
        }
        None => {
            cx.b.capability(Capability::RuntimeDescriptorArray);
            descriptor_indexing_extension(&mut cx.b);
            cx.b.runtime_array(ty)
        }
    };
    let pointer = cx.b.pointer(class, whole);
    let changes = view.usage.intersects(Usage::CHANGES) || leaf == Leaf::Counter;
    // Variables of one slot and type are one variable: ranges that share a heap.
    if let Some(&id) = cx.module.resources.by_slot.get(&(slot, pointer, changes)) {
        variable.id = id;
        return Ok(variable);
    }
    variable.id = cx.b.global_variable(class, pointer, None);
    cx.module
        .resources
        .by_slot
        .insert((slot, pointer, changes), variable.id);
    decorate_variable(&mut cx.b, &cx.input, view, leaf, variable, slot, changes);
    Ok(variable)
}

fn decorate_variable(
    b: &mut Builder,
    input: &Input<'_>,
    view: &View,
    leaf: Leaf,
    variable: Variable,
    slot: DescriptorSlot,
    changes: bool,
) {
    let id = variable.id;
    b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
    b.decorate(id, Decoration::Binding, &[slot.binding]);
    if let Representation::Attachment(Some(index)) = view.representation {
        b.decorate(id, Decoration::InputAttachmentIndex, &[index]);
    }
    let storage_image = leaf == Leaf::Object
        && view.class == ResourceClass::Uav
        && view.representation != Representation::AccelerationStructure;
    let buffer = variable.class == StorageClass::StorageBuffer;
    // Atomics take the place of loads where nothing else sees the writes of other groups, and
    // languages have them on memory that can be written alone.
    let has_atomic_loads = buffer && view.coherent && !input.consumer().coherent_memory;
    if (buffer || storage_image) && !changes && !has_atomic_loads {
        b.decorate(id, Decoration::NonWritable, &[]);
    }
    if (buffer || storage_image) && leaf != Leaf::Counter && is_only_written(input, view, slot) {
        b.decorate(id, Decoration::NonReadable, &[]);
    }
    if buffer && leaf != Leaf::Counter && is_restrict(input, view, slot) {
        b.decorate(id, Decoration::Restrict, &[]);
    }
    if storage_image && view.coherent {
        b.decorate(id, Decoration::Coherent, &[]);
    }
    // The variables of one buffer access the same memory as words of different widths.
    if buffer && changes && leaf != Leaf::Counter && is_aliased(input, view, slot) {
        b.decorate(id, Decoration::Aliased, &[]);
    }
    if input.options.debug_info {
        let name = match leaf {
            Leaf::U16 => format!("{}_u16", view.name),
            Leaf::U64 => format!("{}_u64", view.name),
            Leaf::Counter => format!("{}_counter", view.name),
            _ => view.name.to_string(),
        };
        b.name(id, &name);
    }
}

/// Returns whether nothing is read through the variable. Texels that the code converts, and halves
/// without 16-bit storage, are written by reading the words around them; the other contents of a
/// heap are not known.
fn is_only_written(input: &Input<'_>, view: &View, slot: DescriptorSlot) -> bool {
    view.is_only_stored_to(input.options.target.features)
        && !is_heap(view)
        && !input.plan.is_shared(slot)
}

/// Returns whether no other variable accesses the memory that this one reads or writes. The memory
/// of an SRV is not written while it can be read (D3D12's resource states). UAVs may alias, unless
/// the shader was compiled with the promise that they do not (`ResMayNotAlias`).
fn is_restrict(input: &Input<'_>, view: &View, slot: DescriptorSlot) -> bool {
    let promised = match view.class {
        ResourceClass::Srv => true,
        ResourceClass::Uav => {
            let flags = input.shader.flags_of(input.entry);
            flags.contains(ShaderFlags::RES_MAY_NOT_ALIAS)
        }
        ResourceClass::Cbv | ResourceClass::Sampler => false,
    };
    // Several variables of one SRV do no harm: none of them is written through.
    let is_alone = match view.class {
        ResourceClass::Srv => !input.plan.is_shared(slot),
        _ => !is_aliased(input, view, slot),
    };
    promised && is_alone && !is_heap(view)
}

/// Returns whether more than one variable may access the slot.
fn is_aliased(input: &Input<'_>, view: &View, slot: DescriptorSlot) -> bool {
    leaves::has_several(input.options, view) || input.plan.is_shared(slot)
}

/// Returns the block around an array of that element, whose 32-bit words are integers; count 0 is a
/// runtime array.
pub(in crate::lower) fn data_block(
    cx: &mut Context<'_>,
    leaf: Leaf,
    count: u32,
    coherent: bool,
) -> BlockStruct {
    let kind = BlockKind {
        leaf,
        count,
        coherent,
        floats: false,
        unchanging: false,
    };
    block_of(cx, kind)
}

/// Returns the block of that kind.
fn block_of(cx: &mut Context<'_>, kind: BlockKind) -> BlockStruct {
    if let Some(&block) = cx.module.resources.blocks.get(&kind) {
        return block;
    }
    let BlockKind {
        leaf,
        count,
        coherent,
        floats,
        unchanging,
    } = kind;
    let b = &mut cx.b;
    let word = if floats { b.f32() } else { b.u32() };
    let (leaf_ty, stride) = match leaf {
        Leaf::U16 | Leaf::Pair16 | Leaf::Triple16 | Leaf::Row16 => {
            b.capability(Capability::StorageBuffer16BitAccess);
            b.extension_before(0x0001_0300, "SPV_KHR_16bit_storage");
            let half = b.uint(16);
            match leaf {
                Leaf::Row16 => (b.vector(half, 4), 8),
                Leaf::Triple16 => (b.vector(half, 3), 6),
                Leaf::Pair16 => (b.vector(half, 2), 4),
                _ => (half, 2),
            }
        }
        Leaf::U64 => (b.uint(64), 8),
        Leaf::Row => (b.vector(word, 4), 16),
        Leaf::Triple => (b.vector(word, 3), 12),
        Leaf::Pair => (b.vector(word, 2), 8),
        Leaf::U32 | Leaf::Counter | Leaf::Object => (word, 4),
    };
    let member = if leaf == Leaf::Counter {
        word
    } else {
        b.strided_array(leaf_ty, count, stride)
    };
    // Two structs with the same members may not share decorations.
    let ty = b.unique_struct(&[member]);
    b.decorate(ty, Decoration::Block, &[]);
    b.member_decorate(ty, 0, Decoration::Offset, &[0]);
    if coherent {
        b.member_decorate(ty, 0, Decoration::Coherent, &[]);
    }
    if unchanging {
        b.member_decorate(ty, 0, Decoration::NonWritable, &[]);
    }
    let block = BlockStruct { ty, leaf: leaf_ty };
    cx.module.resources.blocks.insert(kind, block);
    block
}

/// Returns the type of an image, texel buffer, sampler or acceleration structure.
fn object_type(b: &mut Builder, input: &Input<'_>, view: &View) -> Result<Id> {
    match view.representation {
        Representation::Sampler => Ok(b.sampler()),
        Representation::AccelerationStructure => Ok(b.acceleration_structure()),
        _ => image_types::image_type(b, input, view),
    }
}

/// Returns the texel buffers of hidden counters in a slot, and the type of one.
pub(super) fn counter_image(cx: &mut Context<'_>, view: &View, slot: DescriptorSlot) -> (Id, Id) {
    if let Some(&image) = cx.module.resources.counter_images.get(&slot) {
        return image;
    }
    let word = cx.b.u32();
    cx.b.capability(Capability::ImageBuffer);
    let ty = cx.b.image(ImageType {
        sampled: word,
        dim: Dim::DimBuffer,
        arrayed: false,
        multisampled: false,
        storage: true,
        format: ImageFormat::R32ui,
    });
    let whole = match view.count.filter(|_| !is_heap(view)) {
        _ if !is_arrayed(view) => ty,
        Some(count) => cx.b.array(ty, count.max(1)),
        None => {
            cx.b.capability(Capability::RuntimeDescriptorArray);
            descriptor_indexing_extension(&mut cx.b);
            cx.b.runtime_array(ty)
        }
    };
    let pointer = cx.b.pointer(StorageClass::UniformConstant, whole);
    let id =
        cx.b.global_variable(StorageClass::UniformConstant, pointer, None);
    cx.b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
    cx.b.decorate(id, Decoration::Binding, &[slot.binding]);
    cx.module.resources.counter_images.insert(slot, (id, ty));
    (id, ty)
}

/// Returns whether the view's variables are arrays of descriptors.
pub(super) fn is_arrayed(view: &View) -> bool {
    match view.location {
        // A range that begins inside of a binding's array needs the array even for one descriptor.
        Location::Descriptor { first_index, .. } => view.count != Some(1) || first_index != 0,
        Location::Heap { .. } | Location::AddressTable { .. } => true,
        Location::PushConstants { .. } | Location::DeviceAddress { .. } => false,
    }
}

fn is_heap(view: &View) -> bool {
    matches!(view.location, Location::Heap { .. })
}

/// Declares the extension of descriptor indexing, which is core since SPIR-V 1.5.
pub(super) fn descriptor_indexing_extension(b: &mut Builder) {
    b.extension_before(0x0001_0500, "SPV_EXT_descriptor_indexing");
}

/// Declares the capability and extension of device addresses.
pub(in crate::lower) fn physical_addresses(b: &mut Builder, input: &Input<'_>) -> Result<()> {
    input.need_feature(
        Features::BUFFER_DEVICE_ADDRESS,
        "bufferDeviceAddress",
        || "a device address".to_owned(),
    )?;
    b.capability(Capability::PhysicalStorageBufferAddresses);
    b.extension_before(0x0001_0500, "SPV_KHR_physical_storage_buffer");
    let [_, memory] = b.current_memory_model();
    b.memory_model(
        rspirv::spirv::AddressingModel::PhysicalStorageBuffer64 as u32,
        memory,
    );
    Ok(())
}
