//! Resource variables: one per view and way of looking at it, made on first use from the plan.

use rustc_hash::FxHashMap;

use dxil_frontend::dxil::{ResourceClass, ResourceKind};
use dxil_frontend::ir::ValueId;

use super::heap_tables::HeapTables;
use super::layer_words::LayerWords;
use crate::interface::{FunctionPlan, Plan, Shape, Usage, View, ViewId, has_storage_constants};
use crate::lower::Lowering;
use crate::options::{Features, Style};
use crate::spirv::{
    Builder, Capability, Decoration, Dim, Id, ImageFormat, ImageType, StorageClass,
};
use crate::{Counter, DescriptorSlot, Error, ErrorKind, Location, Quirks, Result};

/// Resource variables of the module under construction.
#[derive(Debug)]
pub(in crate::lower) struct ResourceState<'a> {
    /// What the scan found.
    pub(in crate::lower) plan: &'a Plan,
    /// The part of it about the current function.
    pub(in crate::lower) function: Option<&'a FunctionPlan>,
    variables: FxHashMap<(ViewId, Leaf, u32), Variable>,
    /// Handles of arrays in the portable style whose element is known here.
    pub(in crate::lower) elements: FxHashMap<ValueId, Id>,
    by_slot: FxHashMap<(DescriptorSlot, Id, bool), Id>,
    blocks: FxHashMap<(Leaf, u32, bool), Block>,
    push_block: Option<Id>,
    pub(in crate::lower) record: Option<Id>,
    /// Copies of operations that were written for them.
    pub(in crate::lower) copies: u32,
    /// Views that handles have been narrowed to, in the code being written.
    pub(in crate::lower) chosen: Vec<(ValueId, ViewId, Id)>,
    /// Tables beside the heaps.
    pub(in crate::lower) heap_tables: HeapTables,
    /// What only the layer knows.
    pub(in crate::lower) layer_words: LayerWords,
    counter_images: Vec<(DescriptorSlot, Id, Id)>,
    /// Results of operations that give nothing back in the portable style.
    pub(in crate::lower) without_result: Vec<ValueId>,
}

/// What a variable's innermost element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lower) enum Leaf {
    /// 16-bit words.
    U16,
    /// 32-bit words.
    U32,
    /// 64-bit words.
    U64,
    /// Rows of four 32-bit words.
    Row,
    /// Rows of two 32-bit words.
    Pair,
    /// The hidden counter: one 32-bit word.
    Counter,
    /// An image, sampler or acceleration structure.
    Object,
}

/// A block: a struct around an array.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Block {
    /// The struct.
    pub(in crate::lower) ty: Id,
    leaf: Id,
}

/// A variable with what it takes to reach into it.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Variable {
    /// The variable (none behind a device address).
    pub(in crate::lower) id: Id,
    /// Storage class.
    pub(in crate::lower) class: StorageClass,
    /// Type of one descriptor: block struct, image, sampler.
    pub(in crate::lower) ty: Id,
    /// Type of the innermost element; `ty` for objects.
    pub(in crate::lower) leaf: Id,
    /// Whether it is an array of descriptors.
    pub(in crate::lower) arrayed: bool,
}

/// A resource handle: a view and an index into its descriptors.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Handle<'a> {
    /// Id of the view.
    pub(in crate::lower) id: ViewId,
    /// The view.
    pub(in crate::lower) view: &'a View,
    /// Index of the descriptor.
    pub(in crate::lower) index: Id,
    /// Whether the index may differ between lanes.
    pub(in crate::lower) non_uniform: bool,
}

impl<'a> ResourceState<'a> {
    /// Nothing made yet.
    pub(in crate::lower) fn new(plan: &'a Plan) -> Self {
        ResourceState {
            plan,
            function: None,
            variables: FxHashMap::default(),
            elements: FxHashMap::default(),
            by_slot: FxHashMap::default(),
            blocks: FxHashMap::default(),
            push_block: None,
            record: None,
            chosen: Vec::new(),
            copies: 0,
            layer_words: LayerWords::default(),
            heap_tables: HeapTables::default(),
            counter_images: Vec::new(),
            without_result: Vec::new(),
        }
    }

    /// Turns to another function.
    pub(in crate::lower) fn begin_function(&mut self, function: dxil_frontend::ir::FuncId) {
        self.function = self.plan.function(function);
    }

    /// Whether the value only names a library's resource and needs no code.
    pub(in crate::lower) fn names_resource(&self, value: ValueId) -> bool {
        self.function
            .is_some_and(|plan| plan.is_resource_name(value))
    }

    /// Bit per member of an aggregate value that is ever taken.
    pub(in crate::lower) fn used_members(&self, value: ValueId) -> u8 {
        self.function
            .map_or(u8::MAX, |plan| plan.used_members(value))
    }
}

impl<'a> Lowering<'a> {
    /// The handle that a value is.
    pub(in crate::lower) fn handle(&mut self, value: ValueId) -> Result<Handle<'a>> {
        let plan = self.resources.plan;
        let known = self
            .resources
            .function
            .and_then(|function| function.handle(value))
            .ok_or_else(|| Error::malformed(format!("{value} is not a resource handle")))?;
        let element = self.resources.elements.get(&value).copied();
        let chosen = &self.resources.chosen;
        if let Some(&(_, id, index)) = chosen.iter().find(|(handle, ..)| *handle == value) {
            return Ok(Handle {
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
            None => self.descriptor_of(value)?,
        };
        Ok(Handle {
            id,
            view: plan.view(id)?,
            index,
            non_uniform: known.non_uniform,
        })
    }

    /// Whether a feature is there; a typed error if not.
    pub(in crate::lower) fn need_feature(
        &self,
        feature: Features,
        name: &'static str,
        user: impl FnOnce() -> String,
    ) -> Result<()> {
        if self.has(feature) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::TargetLacks {
            feature: name,
            user: user(),
        }))
    }

    /// Whether the target has the feature.
    pub(in crate::lower) fn has(&self, feature: Features) -> bool {
        self.options.target.features.contains(feature)
    }

    /// Whether the shader may rely on more than D3D12 promises.
    pub(in crate::lower) fn has_quirk(&self, quirk: Quirks) -> bool {
        self.options.workarounds.quirks.contains(quirk)
    }

    /// Whether the code checks buffer bounds itself.
    pub(in crate::lower) fn checks_bounds(&self) -> bool {
        self.options.bounds_checks && !self.has(Features::ROBUSTNESS2)
    }

    /// The variable of a view for that kind of element.
    pub(in crate::lower) fn resource_variable(
        &mut self,
        handle: &Handle<'a>,
        leaf: Leaf,
    ) -> Result<Variable> {
        let element = self.own_element(handle)?;
        let key = (handle.id, leaf, element);
        if let Some(&variable) = self.resources.variables.get(&key) {
            return Ok(variable);
        }
        let variable = self.make_variable(handle.view, leaf, element)?;
        self.resources.variables.insert(key, variable);
        Ok(variable)
    }

    /// The element of an array that has a variable of its own; 0 where the array is the variable.
    fn own_element(&self, handle: &Handle<'a>) -> Result<u32> {
        if !self.is_portable() || !is_arrayed(handle.view) {
            return Ok(0);
        }
        let element = self.b.literal(handle.index);
        let end = match handle.view.location {
            Location::Descriptor { first_index, .. } => first_index,
            _ => 0,
        }
        .saturating_add(handle.view.count.unwrap_or(0));
        match element {
            Some(element) if element < end => Ok(element),
            Some(element) => Err(Error::malformed(format!(
                "element {element} of {}, which ends at {end}",
                handle.view.describe()
            ))),
            None => Err(Error::internal("an element that was not chosen")),
        }
    }

    fn make_variable(&mut self, view: &View, leaf: Leaf, element: u32) -> Result<Variable> {
        let place = match view.location {
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
        let physical = place.is_none();
        let (class, ty, leaf_ty) = match leaf {
            Leaf::Object => {
                let ty = self.object_type(view)?;
                (StorageClass::UniformConstant, ty, ty)
            }
            _ => {
                let uniform = leaf == Leaf::Row && view.shape == Shape::Constants;
                let stored = has_storage_constants(view, self.options);
                let class = match (physical, uniform && !stored) {
                    (true, _) => StorageClass::PhysicalStorageBuffer,
                    (false, true) => StorageClass::Uniform,
                    (false, false) => StorageClass::StorageBuffer,
                };
                let count = if uniform {
                    view.cbuffer_size.div_ceil(16).max(1)
                } else {
                    0
                };
                let block = self.data_block(leaf, count, view.coherent && leaf != Leaf::Counter);
                (class, block.ty, block.leaf)
            }
        };
        let mut variable = Variable {
            id: Id::NONE,
            class,
            ty,
            leaf: leaf_ty,
            arrayed: false,
        };
        let Some((slot, first_index, counter)) = place else {
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
        variable.arrayed = is_arrayed(view) && !self.is_portable();
        let whole = match view.count.filter(|_| !is_heap(view)) {
            _ if !variable.arrayed => ty,
            Some(count) => self.b.array(ty, count.saturating_add(first_index).max(1)),
            None => {
                self.b.capability(Capability::RuntimeDescriptorArray);
                self.descriptor_indexing_extension();
                self.b.runtime_array(ty)
            }
        };
        let pointer = self.b.pointer(class, whole);
        let changes = view.usage.intersects(Usage::CHANGES) || leaf == Leaf::Counter;
        // Variables of one slot and type are one variable: ranges that share a heap.
        if let Some(&id) = self.resources.by_slot.get(&(slot, pointer, changes)) {
            variable.id = id;
            return Ok(variable);
        }
        variable.id = self.b.global_variable(class, pointer, None);
        self.resources
            .by_slot
            .insert((slot, pointer, changes), variable.id);
        self.decorate_variable(view, leaf, variable, slot, changes);
        Ok(variable)
    }

    fn decorate_variable(
        &mut self,
        view: &View,
        leaf: Leaf,
        variable: Variable,
        slot: DescriptorSlot,
        changes: bool,
    ) {
        let id = variable.id;
        self.b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
        self.b.decorate(id, Decoration::Binding, &[slot.binding]);
        let storage_image = leaf == Leaf::Object
            && view.class == ResourceClass::Uav
            && view.shape != Shape::AccelerationStructure;
        let buffer = variable.class == StorageClass::StorageBuffer;
        if (buffer || storage_image) && !changes {
            self.b.decorate(id, Decoration::NonWritable, &[]);
        }
        if storage_image && view.coherent {
            self.b.decorate(id, Decoration::Coherent, &[]);
        }
        if buffer && changes && leaf != Leaf::Counter && self.is_aliased(view, slot) {
            self.b.decorate(id, Decoration::Aliased, &[]);
        }
        if self.options.debug_info {
            let name = match leaf {
                Leaf::U16 => format!("{}_u16", view.name),
                Leaf::U64 => format!("{}_u64", view.name),
                Leaf::Counter => format!("{}_counter", view.name),
                _ => view.name.to_string(),
            };
            self.b.name(id, &name);
        }
    }

    /// Whether more than one variable may look at the slot.
    fn is_aliased(&self, view: &View, slot: DescriptorSlot) -> bool {
        let widths = view.usage & (Usage::WIDTH_16 | Usage::WIDTH_32 | Usage::ATOMIC_64);
        let several = widths.bits().count_ones() > 1;
        several
            || self
                .resources
                .plan
                .views
                .iter()
                .filter(|other| slot_of(other) == Some(slot))
                .count()
                > 1
    }

    /// The block around an array of that element; count 0 is a runtime array.
    pub(in crate::lower) fn data_block(&mut self, leaf: Leaf, count: u32, coherent: bool) -> Block {
        let key = (leaf, count, coherent);
        if let Some(&block) = self.resources.blocks.get(&key) {
            return block;
        }
        let b = &mut self.b;
        let word = b.u32();
        let (leaf_ty, stride) = match leaf {
            Leaf::U16 => {
                b.capability(Capability::StorageBuffer16BitAccess);
                b.extension_before(0x0001_0300, "SPV_KHR_16bit_storage");
                (b.uint(16), 2)
            }
            Leaf::U64 => (b.uint(64), 8),
            Leaf::Row => (b.vector(word, 4), 16),
            Leaf::Pair => (b.vector(word, 2), 8),
            Leaf::U32 | Leaf::Counter | Leaf::Object => (word, 4),
        };
        let member = if leaf == Leaf::Counter {
            word
        } else {
            b.strided_array(leaf_ty, count, stride)
        };
        let ty = b.unique_struct(&[member]);
        b.decorate(ty, Decoration::Block, &[]);
        b.member_decorate(ty, 0, Decoration::Offset, &[0]);
        if coherent {
            b.member_decorate(ty, 0, Decoration::Coherent, &[]);
        }
        let block = Block { ty, leaf: leaf_ty };
        self.resources.blocks.insert(key, block);
        block
    }

    /// Type of an image, texel buffer, sampler or acceleration structure.
    fn object_type(&mut self, view: &View) -> Result<Id> {
        match view.shape {
            Shape::Sampler => return Ok(self.b.sampler()),
            Shape::AccelerationStructure => return Ok(self.b.acceleration_structure()),
            _ => {}
        }
        let storage = view.class == ResourceClass::Uav;
        let (dim, arrayed, multisampled) = dimensions(view.kind)
            .ok_or_else(|| Error::internal(format!("{} is no image", view.describe())))?;
        let sampled = self.sampled_type(view)?;
        let mut format = ImageFormat::Unknown;
        if storage {
            if let Some(texel) = view.format {
                format = texel.image_format().ok_or_else(|| {
                    Error::unsupported(format!("{texel:?} as format of a storage image"))
                })?;
                if !texel.is_basic_storage_format() {
                    self.b.capability(if texel_scalar(view).bits == 64 {
                        Capability::Int64ImageEXT
                    } else {
                        Capability::StorageImageExtendedFormats
                    });
                }
            } else {
                if view.usage.contains(Usage::READ) {
                    self.b.capability(Capability::StorageImageReadWithoutFormat);
                }
                if view.usage.contains(Usage::WRITE) {
                    self.b
                        .capability(Capability::StorageImageWriteWithoutFormat);
                }
            }
        }
        image_capabilities(&mut self.b, dim, arrayed, multisampled, storage);
        if storage && multisampled {
            self.need_feature(
                Features::STORAGE_MULTISAMPLE,
                "shaderStorageImageMultisample",
                || view.describe(),
            )?;
        }
        Ok(self.b.image(ImageType {
            sampled,
            dim,
            arrayed,
            multisampled,
            storage,
            format,
        }))
    }

    /// Scalar type of an image's texels.
    fn sampled_type(&mut self, view: &View) -> Result<Id> {
        let texels = texel_scalar(view);
        if texels.bits == 64 {
            self.need_feature(
                Features::INT64 | Features::IMAGE_INT64_ATOMICS,
                "shaderImageInt64Atomics",
                || view.describe(),
            )?;
            self.b.capability(Capability::Int64ImageEXT);
            self.b.extension("SPV_EXT_shader_image_int64");
        }
        Ok(match texels.class {
            TexelClass::Float => self.b.f32(),
            TexelClass::Uint => self.b.uint(texels.bits),
            TexelClass::Sint => self.b.int(texels.bits),
        })
    }

    pub(in crate::lower) fn descriptor_indexing_extension(&mut self) {
        self.b
            .extension_before(0x0001_0500, "SPV_EXT_descriptor_indexing");
    }

    /// Declares what indexing a descriptor array takes.
    fn indexing_capabilities(&mut self, handle: &Handle<'a>, variable: Variable) {
        use Capability as C;
        if self.b.literal(handle.index).is_some() {
            return;
        }
        let storage = handle.view.class == ResourceClass::Uav;
        let (uniform, non_uniform) = match (variable.class, handle.view.shape, storage) {
            (StorageClass::Uniform, ..) => (
                C::UniformBufferArrayDynamicIndexing,
                C::UniformBufferArrayNonUniformIndexing,
            ),
            (StorageClass::StorageBuffer, ..) => (
                C::StorageBufferArrayDynamicIndexing,
                C::StorageBufferArrayNonUniformIndexing,
            ),
            (_, Shape::TexelBuffer, true) => (
                C::StorageTexelBufferArrayDynamicIndexing,
                C::StorageTexelBufferArrayNonUniformIndexing,
            ),
            (_, Shape::TexelBuffer, false) => (
                C::UniformTexelBufferArrayDynamicIndexing,
                C::UniformTexelBufferArrayNonUniformIndexing,
            ),
            (_, Shape::Image, true) => (
                C::StorageImageArrayDynamicIndexing,
                C::StorageImageArrayNonUniformIndexing,
            ),
            // Arrays of acceleration structures may be indexed in any way without one of their own.
            (_, Shape::AccelerationStructure, _) => {
                if handle.non_uniform {
                    self.b.capability(C::ShaderNonUniform);
                    self.descriptor_indexing_extension();
                }
                return;
            }
            _ => (
                C::SampledImageArrayDynamicIndexing,
                C::SampledImageArrayNonUniformIndexing,
            ),
        };
        if self.options.target.style == Style::Portable {
            // naga knows the buffers' capabilities and indexes the other arrays without any.
            if matches!(
                variable.class,
                StorageClass::Uniform | StorageClass::StorageBuffer
            ) {
                self.b.capability(uniform);
            }
        } else if handle.non_uniform {
            self.b.capability(C::ShaderNonUniform);
            self.b.capability(non_uniform);
            self.descriptor_indexing_extension();
        } else {
            if matches!(
                uniform,
                C::StorageTexelBufferArrayDynamicIndexing
                    | C::UniformTexelBufferArrayDynamicIndexing
            ) {
                self.descriptor_indexing_extension();
            }
            self.b.capability(uniform);
        }
    }

    /// Marks a value that depends on a divergent descriptor index.
    pub(in crate::lower) fn mark_non_uniform(&mut self, handle: &Handle<'a>, id: Id) {
        if handle.non_uniform
            && self.options.target.style == Style::Native
            && self.b.literal(handle.index).is_none()
            && is_arrayed(handle.view)
        {
            self.b.decorate(id, Decoration::NonUniform, &[]);
        }
    }

    /// Pointer to a descriptor's object, and its type.
    pub(in crate::lower) fn object_pointer(&mut self, handle: &Handle<'a>) -> Result<(Id, Id)> {
        let variable = self.resource_variable(handle, Leaf::Object)?;
        if !variable.arrayed {
            return Ok((variable.id, variable.ty));
        }
        self.indexing_capabilities(handle, variable);
        let pointer_ty = self.b.pointer(variable.class, variable.ty);
        let pointer = self
            .b
            .access_chain(pointer_ty, variable.id, &[handle.index]);
        self.mark_non_uniform(handle, pointer);
        Ok((pointer, variable.ty))
    }

    /// The image, sampler or acceleration structure itself, and its type.
    pub(in crate::lower) fn object(&mut self, handle: &Handle<'a>) -> Result<(Id, Id)> {
        let (pointer, ty) = self.object_pointer(handle)?;
        let id = self.b.load(ty, pointer);
        self.mark_non_uniform(handle, id);
        Ok((id, ty))
    }

    /// Pointer to an element of a buffer; `component` goes into a row.
    pub(in crate::lower) fn element_pointer(
        &mut self,
        handle: &Handle<'a>,
        leaf: Leaf,
        element: Id,
        component: Option<Id>,
    ) -> Result<Id> {
        let variable = self.resource_variable(handle, leaf)?;
        let element = self.placed_word(handle, leaf, element);
        let zero = self.b.const_u32(0);
        let base = match handle.view.location {
            Location::DeviceAddress { first_word } => {
                self.address_pointer(handle, first_word, variable.ty)?
            }
            _ => variable.id,
        };
        let target = match component {
            Some(_) => self.b.u32(),
            None => variable.leaf,
        };
        let pointer_ty = self.b.pointer(variable.class, target);
        let mut indices = [Id::NONE; 4];
        let mut count = 0;
        let parts = [
            variable.arrayed.then_some(handle.index),
            Some(zero),
            Some(element).filter(|_| leaf != Leaf::Counter),
            component,
        ];
        for (slot, id) in indices.iter_mut().zip(parts.into_iter().flatten()) {
            *slot = id;
            count += 1;
        }
        let pointer =
            self.b
                .access_chain(pointer_ty, base, indices.get(..count).unwrap_or(&indices));
        if variable.arrayed {
            self.indexing_capabilities(handle, variable);
            self.mark_non_uniform(handle, pointer);
        }
        Ok(pointer)
    }

    /// Pointer to one descriptor's block, for `OpArrayLength`.
    pub(in crate::lower) fn block_pointer(
        &mut self,
        handle: &Handle<'a>,
        leaf: Leaf,
    ) -> Result<Id> {
        let variable = self.resource_variable(handle, leaf)?;
        if !variable.arrayed {
            return Ok(variable.id);
        }
        self.indexing_capabilities(handle, variable);
        let pointer_ty = self.b.pointer(variable.class, variable.ty);
        let pointer = self
            .b
            .access_chain(pointer_ty, variable.id, &[handle.index]);
        self.mark_non_uniform(handle, pointer);
        Ok(pointer)
    }

    /// A root descriptor's address: two words, the low one first.
    pub(in crate::lower) fn root_address(
        &mut self,
        handle: &Handle<'a>,
        first_word: u32,
    ) -> Result<Id> {
        let low = self.b.const_u32(first_word);
        let high = self.b.const_u32(first_word.wrapping_add(1));
        let low = self.root_word(handle.view, low)?;
        let high = self.root_word(handle.view, high)?;
        let word = self.b.u32();
        let pair_ty = self.b.vector(word, 2);
        Ok(self.b.construct(pair_ty, &[low, high]))
    }

    /// A root descriptor's address as a pointer to that block.
    fn address_pointer(&mut self, handle: &Handle<'a>, first_word: u32, block: Id) -> Result<Id> {
        self.physical_addresses()?;
        let pair = self.root_address(handle, first_word)?;
        let pointer_ty = self.b.pointer(StorageClass::PhysicalStorageBuffer, block);
        Ok(self.b.bitcast(pointer_ty, pair))
    }

    /// Declares what pointers into physical memory take.
    pub(in crate::lower) fn physical_addresses(&mut self) -> Result<()> {
        self.need_feature(
            Features::BUFFER_DEVICE_ADDRESS,
            "bufferDeviceAddress",
            || "a device address".to_owned(),
        )?;
        self.b
            .capability(Capability::PhysicalStorageBufferAddresses);
        self.b
            .extension_before(0x0001_0500, "SPV_KHR_physical_storage_buffer");
        let [_, memory] = self.b.current_memory_model();
        self.b.memory_model(
            rspirv::spirv::AddressingModel::PhysicalStorageBuffer64 as u32,
            memory,
        );
        Ok(())
    }

    /// The texel buffers of hidden counters in a slot, and the type of one.
    pub(in crate::lower) fn counter_image(
        &mut self,
        view: &View,
        slot: DescriptorSlot,
    ) -> (Id, Id) {
        let known = &self.resources.counter_images;
        if let Some(&(_, id, ty)) = known.iter().find(|(other, ..)| *other == slot) {
            return (id, ty);
        }
        let word = self.b.u32();
        self.b.capability(Capability::ImageBuffer);
        let ty = self.b.image(ImageType {
            sampled: word,
            dim: Dim::DimBuffer,
            arrayed: false,
            multisampled: false,
            storage: true,
            format: ImageFormat::R32ui,
        });
        let whole = match view.count.filter(|_| !is_heap(view)) {
            _ if !is_arrayed(view) => ty,
            Some(count) => self.b.array(ty, count.max(1)),
            None => {
                self.b.capability(Capability::RuntimeDescriptorArray);
                self.descriptor_indexing_extension();
                self.b.runtime_array(ty)
            }
        };
        let pointer = self.b.pointer(StorageClass::UniformConstant, whole);
        let id = self
            .b
            .global_variable(StorageClass::UniformConstant, pointer, None);
        self.b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
        self.b.decorate(id, Decoration::Binding, &[slot.binding]);
        self.resources.counter_images.push((slot, id, ty));
        (id, ty)
    }

    /// A word of the root arguments that a view's location names.
    pub(in crate::lower) fn root_word(&mut self, view: &View, index: Id) -> Result<Id> {
        match view.local {
            true => self.record_word(view, index),
            false => self.push_word(index),
        }
    }

    /// A word of the push constants, or of the uniform buffer that stands for them.
    fn push_word(&mut self, index: Id) -> Result<Id> {
        let uniform = self.options.bindings.root_constants;
        let class = match uniform {
            Some(_) => StorageClass::Uniform,
            None => StorageClass::PushConstant,
        };
        let block = match self.resources.push_block {
            Some(block) => block,
            None => {
                let words = self.resources.plan.table.push_words.max(1);
                // A uniform buffer's arrays have elements of 16 bytes.
                let (leaf, count) = match uniform {
                    Some(_) => (Leaf::Row, words.div_ceil(4)),
                    None => (Leaf::U32, words),
                };
                let block = self.data_block(leaf, count, false);
                let pointer = self.b.pointer(class, block.ty);
                let id = self.b.global_variable(class, pointer, None);
                if let Some(slot) = uniform {
                    self.b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
                    self.b.decorate(id, Decoration::Binding, &[slot.binding]);
                }
                if self.options.debug_info {
                    self.b.name(id, "push_constants");
                }
                self.resources.push_block = Some(id);
                id
            }
        };
        let word = self.b.u32();
        let pointer_ty = self.b.pointer(class, word);
        let zero = self.b.const_u32(0);
        let pointer = if uniform.is_some() {
            let row = self.b.u32_shr(index, 2);
            let component = self.b.u32_and(index, 3);
            self.b
                .access_chain(pointer_ty, block, &[zero, row, component])
        } else {
            self.b.access_chain(pointer_ty, block, &[zero, index])
        };
        Ok(self.b.load(word, pointer))
    }
}

/// Whether the view's variables are arrays of descriptors.
pub(in crate::lower) fn is_arrayed(view: &View) -> bool {
    match view.location {
        Location::Descriptor { first_index, .. } => view.count != Some(1) || first_index != 0,
        Location::Heap { .. } | Location::AddressTable { .. } => true,
        Location::PushConstants { .. } | Location::DeviceAddress { .. } => false,
    }
}

fn is_heap(view: &View) -> bool {
    matches!(view.location, Location::Heap { .. })
}

fn slot_of(view: &View) -> Option<DescriptorSlot> {
    match view.location {
        Location::Descriptor { slot, .. }
        | Location::Heap { slot, .. }
        | Location::AddressTable { slot, .. } => Some(slot),
        Location::PushConstants { .. } | Location::DeviceAddress { .. } => None,
    }
}

/// Numeric class of a texel's components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum TexelClass {
    /// Floats, the normalised ones included.
    Float,
    /// Unsigned integers.
    Uint,
    /// Signed integers.
    Sint,
}

/// Scalar of an image type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) struct TexelScalar {
    /// Numeric class.
    pub(in crate::lower) class: TexelClass,
    /// 32 or 64.
    pub(in crate::lower) bits: u32,
}

/// The scalar that an image's texels are read as. It follows the component type, except where
/// atomics force an integer format on a float resource.
pub(in crate::lower) fn texel_scalar(view: &View) -> TexelScalar {
    use crate::Numeric;
    // DXC declares what 64-bit atomics act on as pairs of 32-bit components.
    let wide = view.is_64_bit() || view.usage.contains(Usage::ATOMIC_64);
    let bits = if wide { 64 } else { 32 };
    let storage = view.class == ResourceClass::Uav;
    let class = match view.format.filter(|_| storage).map(|f| f.numeric()) {
        Some(Numeric::Uint) => TexelClass::Uint,
        Some(Numeric::Sint) => TexelClass::Sint,
        Some(Numeric::Float | Numeric::Unorm | Numeric::Snorm) => TexelClass::Float,
        None if view.is_signed() => TexelClass::Sint,
        None if view.is_integer() => TexelClass::Uint,
        None => TexelClass::Float,
    };
    TexelScalar { class, bits }
}

/// Dimensionality, layers and samples of a resource kind.
pub(in crate::lower) fn dimensions(kind: ResourceKind) -> Option<(Dim, bool, bool)> {
    Some(match kind {
        ResourceKind::Texture1D => (Dim::Dim1D, false, false),
        ResourceKind::Texture2D | ResourceKind::FeedbackTexture2D => (Dim::Dim2D, false, false),
        ResourceKind::Texture2DMS => (Dim::Dim2D, false, true),
        ResourceKind::Texture3D => (Dim::Dim3D, false, false),
        ResourceKind::TextureCube => (Dim::DimCube, false, false),
        ResourceKind::Texture1DArray => (Dim::Dim1D, true, false),
        ResourceKind::Texture2DArray | ResourceKind::FeedbackTexture2DArray => {
            (Dim::Dim2D, true, false)
        }
        ResourceKind::Texture2DMSArray => (Dim::Dim2D, true, true),
        ResourceKind::TextureCubeArray => (Dim::DimCube, true, false),
        ResourceKind::TypedBuffer => (Dim::DimBuffer, false, false),
        _ => return None,
    })
}

/// Declares what an image's dimensionality takes.
fn image_capabilities(b: &mut Builder, dim: Dim, arrayed: bool, multisampled: bool, storage: bool) {
    match (dim, storage) {
        (Dim::Dim1D, true) => b.capability(Capability::Image1D),
        (Dim::Dim1D, false) => b.capability(Capability::Sampled1D),
        (Dim::DimBuffer, true) => b.capability(Capability::ImageBuffer),
        (Dim::DimBuffer, false) => b.capability(Capability::SampledBuffer),
        (Dim::DimCube, true) if arrayed => b.capability(Capability::ImageCubeArray),
        (Dim::DimCube, false) if arrayed => b.capability(Capability::SampledCubeArray),
        _ => {}
    }
    if multisampled && storage {
        b.capability(Capability::StorageImageMultisample);
        if arrayed {
            b.capability(Capability::ImageMSArray);
        }
    }
}
