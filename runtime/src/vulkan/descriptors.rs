//! From a job's views to written descriptor sets and push-constant bytes.

use std::sync::Arc;

use ash::vk;
use dxil_frontend::dxil::{ResourceClass, ResourceKind};
use dxil_translate::DescriptorKind;
use rustc_hash::FxHashMap;

use super::conv::{self, api};
use super::device::Gpu;
use super::memory::{
    Buffer, DescriptorPool, Image, ImageView, Place, SamplerState, TexelView, aspects_of,
    create_sampler,
};
use super::pipeline::VulkanPipeline;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{
    BufferView, Dimension, HeapView, Job, Register, Sampler, Storage, TextureView, View,
};
use crate::program::{PushSource, Slot, SlotSource};

/// A job's resource on the device.
pub(super) enum DeviceStorage {
    /// A buffer.
    Buffer(Buffer),
    /// An image.
    Image(Image),
}

/// Written descriptor sets with everything they point to besides the job's resources.
pub(super) struct BoundSets {
    /// The sets, by number.
    pub(super) sets: Vec<vk::DescriptorSet>,
    /// Push-constant bytes.
    pub(super) push_constants: Vec<u8>,
    counters: Vec<(Register, u64, usize)>,
    buffers: Vec<Buffer>,
    _views: Vec<ImageView>,
    _texel_views: Vec<TexelView>,
    _samplers: Vec<SamplerState>,
    _pool: Option<DescriptorPool>,
}

impl BoundSets {
    /// The hidden UAV counters as they are now.
    pub(super) fn read_counters(&self) -> Result<Vec<(Register, u32)>> {
        let mut values = Vec::with_capacity(self.counters.len());
        for &(register, offset, buffer) in &self.counters {
            let bytes = self.buffers[buffer].read(offset + 4)?;
            let word = bytes
                .get(offset as usize..)
                .and_then(|b| b.first_chunk::<4>())
                .map_or(0, |b| u32::from_le_bytes(*b));
            values.push((register, word));
        }
        Ok(values)
    }
}

/// Writes the descriptor sets of a pipeline for a job.
pub(super) fn bind(
    pipeline: &VulkanPipeline,
    job: &Job,
    storages: &[DeviceStorage],
) -> Result<BoundSets> {
    let mut binder = Binder {
        gpu: &pipeline.gpu,
        job,
        storages,
        by_register: job
            .bindings
            .iter()
            .map(|binding| (binding.register, &binding.view))
            .collect(),
        bound: BoundSets {
            sets: Vec::new(),
            push_constants: Vec::new(),
            counters: Vec::new(),
            buffers: Vec::new(),
            _views: Vec::new(),
            _texel_views: Vec::new(),
            _samplers: Vec::new(),
            _pool: None,
        },
    };
    binder.allocate(pipeline)?;
    for (number, set) in pipeline.layout.sets.iter().enumerate() {
        for slot in &set.slots {
            let raw = binder.bound.sets[number];
            binder.write_slot(raw, slot)?;
        }
    }
    binder.push_constants(pipeline)?;
    Ok(binder.bound)
}

/// A descriptor with the type under which it is written.
type Placed = (DescriptorKind, Descriptor);

/// A descriptor ready to be written.
#[derive(Clone, Copy)]
enum Descriptor {
    Buffer(vk::DescriptorBufferInfo),
    Texel(vk::BufferView),
    Image(vk::DescriptorImageInfo),
}

struct Binder<'a> {
    gpu: &'a Arc<Gpu>,
    job: &'a Job,
    storages: &'a [DeviceStorage],
    by_register: FxHashMap<Register, &'a View>,
    bound: BoundSets,
}

impl<'a> Binder<'a> {
    fn allocate(&mut self, pipeline: &VulkanPipeline) -> Result<()> {
        let mut counts: Vec<vk::DescriptorPoolSize> = Vec::new();
        for slot in pipeline.layout.sets.iter().flat_map(|set| &set.slots) {
            let ty = if slot.other_kinds.is_empty() {
                conv::descriptor_type(slot.kind)
            } else {
                vk::DescriptorType::MUTABLE_EXT
            };
            match counts.iter_mut().find(|count| count.ty == ty) {
                Some(count) => count.descriptor_count += slot.count,
                None => counts.push(vk::DescriptorPoolSize {
                    ty,
                    descriptor_count: slot.count,
                }),
            }
        }
        if pipeline.set_layouts.is_empty() {
            return Ok(());
        }
        if counts.is_empty() {
            // Sets without bindings still come from a pool, and pools want a size.
            counts.push(vk::DescriptorPoolSize {
                ty: vk::DescriptorType::STORAGE_BUFFER,
                descriptor_count: 1,
            });
        }
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(pipeline.set_layouts.len() as u32)
            .pool_sizes(&counts);
        // SAFETY: the device is alive.
        let pool = unsafe { self.gpu.raw.create_descriptor_pool(&info, None) }
            .map_err(api("vkCreateDescriptorPool"))?;
        let pool = DescriptorPool::own(self.gpu, pool);
        let layouts: Vec<_> = pipeline.set_layouts.iter().map(|l| l.raw).collect();
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(pool.raw)
            .set_layouts(&layouts);
        // SAFETY: the pool is new, only this thread uses it, and it is large enough.
        self.bound.sets = unsafe { self.gpu.raw.allocate_descriptor_sets(&info) }
            .map_err(api("vkAllocateDescriptorSets"))?;
        self.bound._pool = Some(pool);
        Ok(())
    }

    fn write_slot(&mut self, set: vk::DescriptorSet, slot: &Slot) -> Result<()> {
        let mut descriptors: Vec<Option<Placed>> = Vec::with_capacity(slot.count as usize);
        match &slot.source {
            SlotSource::Registers(first) => {
                self.check_bound(*first, slot)?;
                for i in 0..slot.count {
                    let register = Register {
                        index: first.index.saturating_add(i),
                        ..*first
                    };
                    let view = self.by_register.get(&register).copied();
                    descriptors.push(self.resolve(register, slot, view.unwrap_or(&View::Null))?);
                }
            }
            SlotSource::Counters(first) => self.counters(*first, slot, &mut descriptors)?,
            SlotSource::ResourceHeap | SlotSource::SamplerHeap | SlotSource::HeapCounters => {
                self.heap(slot, &mut descriptors)?;
            }
            SlotSource::StaticSampler(sampler) => {
                for _ in 0..slot.count {
                    descriptors.push(Some((slot.kind, self.sampler(sampler)?)));
                }
            }
            SlotSource::Unused => descriptors.push(self.null(slot)?),
        }
        self.write(set, slot, &descriptors);
        Ok(())
    }

    /// A register without a view is an error; of an array, at least one must have one.
    fn check_bound(&self, first: Register, slot: &Slot) -> Result<()> {
        let last = first.index.saturating_add(slot.count - 1);
        let inside = |r: &Register| {
            r.class == first.class
                && r.space == first.space
                && (first.index..=last).contains(&r.index)
        };
        if self.by_register.keys().any(inside) {
            Ok(())
        } else {
            Err(Error::Unbound {
                register: first,
                what: describe(slot),
            })
        }
    }

    fn heap(&mut self, slot: &Slot, out: &mut Vec<Option<Placed>>) -> Result<()> {
        let job = self.job;
        let length = match slot.source {
            SlotSource::SamplerHeap => job.sampler_heap.len(),
            _ => job.resource_heap.len(),
        };
        if length > slot.count as usize {
            return Err(Error::Limit {
                what: "slots of a descriptor heap",
                need: length as u64,
                limit: u64::from(slot.count),
            });
        }
        if length == 0 {
            return Err(Error::BadJob(
                "the shader indexes a descriptor heap directly, and the job's heap is empty".into(),
            ));
        }
        match slot.source {
            SlotSource::SamplerHeap => {
                for sampler in &job.sampler_heap {
                    out.push(Some((slot.kind, self.sampler(sampler)?)));
                }
            }
            SlotSource::HeapCounters => {
                let initial: Vec<_> = job
                    .resource_heap
                    .iter()
                    .zip(0u32..)
                    .map(|(heap, i)| (Register::uav(i), counter_start(Some(&heap.view))))
                    .collect();
                self.counter_buffer(&initial, slot, out)?;
            }
            _ => {
                for (heap, i) in job.resource_heap.iter().zip(0u32..) {
                    let kind = std::iter::once(&slot.kind)
                        .chain(&slot.other_kinds)
                        .copied()
                        .find(|kind| fits_heap(*kind, heap));
                    // What no array of the shader can see stays null.
                    let view = if kind.is_some() {
                        &heap.view
                    } else {
                        &View::Null
                    };
                    let slot = Slot {
                        kind: kind.unwrap_or(slot.kind),
                        ..slot.clone()
                    };
                    let register = Register::new(heap.class, i);
                    out.push(self.resolve(register, &slot, view)?);
                }
            }
        }
        Ok(())
    }

    fn counters(
        &mut self,
        first: Register,
        slot: &Slot,
        out: &mut Vec<Option<Placed>>,
    ) -> Result<()> {
        let initial: Vec<_> = (0..slot.count)
            .map(|i| {
                let register = Register {
                    index: first.index.saturating_add(i),
                    ..first
                };
                let view = self.by_register.get(&register).copied();
                (register, counter_start(view))
            })
            .collect();
        self.counter_buffer(&initial, slot, out)
    }

    /// One buffer that holds the counters, one per view.
    fn counter_buffer(
        &mut self,
        initial: &[(Register, Option<u32>)],
        slot: &Slot,
        out: &mut Vec<Option<Placed>>,
    ) -> Result<()> {
        let step = self.gpu.limits.min_storage_buffer_offset_alignment.max(4);
        let used = initial.iter().filter(|(_, start)| start.is_some()).count();
        let mut bytes = vec![0u8; step as usize * used.max(1)];
        let mut starts = bytes.chunks_exact_mut(step as usize);
        let mut places = Vec::with_capacity(initial.len());
        let mut offset = 0;
        for (register, start) in initial {
            let place = start.zip(starts.next().filter(|_| start.is_some()));
            places.push(place.map(|(start, chunk)| {
                if let Some(word) = chunk.first_chunk_mut::<4>() {
                    *word = start.to_le_bytes();
                }
                let place = (*register, offset);
                offset += step;
                place
            }));
        }
        let buffer = Buffer::with_bytes(
            self.gpu,
            &bytes,
            vk::BufferUsageFlags::STORAGE_BUFFER,
            Place::ReadBack,
        )?;
        let raw = buffer.raw;
        let index = self.bound.buffers.len();
        self.bound.buffers.push(buffer);
        for i in 0..slot.count as usize {
            match places.get(i).copied().flatten() {
                Some((register, offset)) => {
                    self.bound.counters.push((register, offset, index));
                    let info = vk::DescriptorBufferInfo {
                        buffer: raw,
                        offset,
                        range: 4,
                    };
                    out.push(Some((slot.kind, Descriptor::Buffer(info))));
                }
                None => out.push(self.null(slot)?),
            }
        }
        Ok(())
    }

    /// The descriptor of a view; `None` leaves it unwritten.
    fn resolve(&mut self, register: Register, slot: &Slot, view: &View) -> Result<Option<Placed>> {
        let bad = |problem: String| Error::BadView { register, problem };
        if !matches!(view, View::Null) && !fits(slot.kind, view) {
            return Err(bad(format!(
                "the shader declares {} there, the job binds {}",
                describe(slot),
                describe_view(view)
            )));
        }
        match view {
            View::Null => self.null(slot),
            View::Sampler(sampler) => Ok(Some((slot.kind, self.sampler(sampler)?))),
            View::Constants(bytes) => {
                let mut bytes = bytes.clone();
                let least = (slot.stride as usize).max(bytes.len()).max(4);
                bytes.resize(least.next_multiple_of(16), 0);
                let buffer = self.internal(&bytes)?;
                self.buffer_range(register, slot, buffer, 0, bytes.len() as u64)
            }
            View::Buffer(view) => {
                let (buffer, offset, size) = self.buffer_of(register, view)?;
                if size == 0 {
                    return self.null(slot);
                }
                if super::pipeline::is_plain_buffer(slot.kind) {
                    self.buffer_range(register, slot, buffer, offset, size)
                } else {
                    let format = view
                        .format
                        .or_else(|| slot.format.map(Format::from))
                        .ok_or_else(|| bad("a typed buffer needs a format".into()))?;
                    self.texel_view(register, slot, format, buffer, offset, size)
                }
            }
            View::Texture(view) => Ok(Some((slot.kind, self.image_view(register, slot, view)?))),
        }
    }

    /// A buffer of this binder's own.
    fn internal(&mut self, bytes: &[u8]) -> Result<vk::Buffer> {
        let mut usage = vk::BufferUsageFlags::UNIFORM_BUFFER | vk::BufferUsageFlags::STORAGE_BUFFER;
        if self.gpu.abilities.device_addresses {
            usage |= vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        }
        let buffer = Buffer::with_bytes(self.gpu, bytes, usage, Place::Upload)?;
        let raw = buffer.raw;
        self.bound.buffers.push(buffer);
        Ok(raw)
    }

    fn buffer_of(&self, register: Register, view: &BufferView) -> Result<(vk::Buffer, u64, u64)> {
        let bad = |problem: String| Error::BadView { register, problem };
        let resource = self
            .job
            .resources
            .get(view.resource.0)
            .ok_or_else(|| bad("its resource does not exist".into()))?;
        let (Storage::Buffer(bytes), Some(DeviceStorage::Buffer(buffer))) =
            (&resource.storage, self.storages.get(view.resource.0))
        else {
            return Err(bad(format!("{} is a texture, not a buffer", resource.name)));
        };
        let total = bytes.len() as u64;
        let size = view.size.unwrap_or(total.saturating_sub(view.offset));
        if view.offset.saturating_add(size) > total {
            return Err(bad(format!(
                "bytes {}..{} lie outside of {}, which has {total}",
                view.offset,
                view.offset.saturating_add(size),
                resource.name
            )));
        }
        Ok((buffer.raw, view.offset, size))
    }

    fn buffer_range(
        &self,
        register: Register,
        slot: &Slot,
        buffer: vk::Buffer,
        offset: u64,
        size: u64,
    ) -> Result<Option<Placed>> {
        let limits = &self.gpu.limits;
        let (alignment, largest, what) = if slot.kind == DescriptorKind::UniformBuffer {
            (
                limits.min_uniform_buffer_offset_alignment,
                limits.max_uniform_buffer_range,
                "bytes of a constant buffer",
            )
        } else {
            (
                limits.min_storage_buffer_offset_alignment,
                limits.max_storage_buffer_range,
                "bytes of a buffer",
            )
        };
        if !offset.is_multiple_of(alignment.max(1)) {
            return Err(Error::BadView {
                register,
                problem: format!("its offset {offset} is not a multiple of {alignment}"),
            });
        }
        // A constant buffer is seen as far as the shader declares it.
        let size = if slot.kind == DescriptorKind::UniformBuffer {
            size.min(u64::from(largest))
        } else {
            size
        };
        if size > u64::from(largest) {
            return Err(Error::Limit {
                what,
                need: size,
                limit: u64::from(largest),
            });
        }
        let info = vk::DescriptorBufferInfo {
            buffer,
            offset,
            range: size,
        };
        Ok(Some((slot.kind, Descriptor::Buffer(info))))
    }

    fn texel_view(
        &mut self,
        register: Register,
        slot: &Slot,
        format: Format,
        buffer: vk::Buffer,
        offset: u64,
        size: u64,
    ) -> Result<Option<Placed>> {
        let texel = u64::from(format.block_bytes());
        let elements = size / texel;
        let alignment = self.gpu.limits.min_texel_buffer_offset_alignment.max(1);
        if !offset.is_multiple_of(alignment) {
            return Err(Error::BadView {
                register,
                problem: format!("its offset {offset} is not a multiple of {alignment}"),
            });
        }
        if elements > u64::from(self.gpu.limits.max_texel_buffer_elements) {
            return Err(Error::Limit {
                what: "elements of a typed buffer",
                need: elements,
                limit: u64::from(self.gpu.limits.max_texel_buffer_elements),
            });
        }
        let raw_format = conv::format(format);
        // SAFETY: `physical` is the device's.
        let properties = unsafe {
            self.gpu
                .instance
                .raw
                .get_physical_device_format_properties(self.gpu.physical, raw_format)
        };
        use vk::FormatFeatureFlags as F;
        if !properties
            .buffer_features
            .intersects(F::UNIFORM_TEXEL_BUFFER | F::STORAGE_TEXEL_BUFFER)
        {
            return Err(Error::Unsupported(format!("typed buffers of {format}")));
        }
        let info = vk::BufferViewCreateInfo::default()
            .buffer(buffer)
            .format(raw_format)
            .offset(offset)
            .range(elements * texel);
        // SAFETY: buffer, format and range were checked.
        let view = unsafe { self.gpu.raw.create_buffer_view(&info, None) }
            .map_err(api("vkCreateBufferView"))?;
        self.bound._texel_views.push(TexelView::own(self.gpu, view));
        Ok(Some((slot.kind, Descriptor::Texel(view))))
    }

    fn image_view(
        &mut self,
        register: Register,
        slot: &Slot,
        view: &TextureView,
    ) -> Result<Descriptor> {
        let bad = |problem: String| Error::BadView { register, problem };
        let resource = self
            .job
            .resources
            .get(view.resource.0)
            .ok_or_else(|| bad("its resource does not exist".into()))?;
        let (Storage::Texture(texture), Some(DeviceStorage::Image(image))) =
            (&resource.storage, self.storages.get(view.resource.0))
        else {
            return Err(bad(format!("{} is a buffer, not a texture", resource.name)));
        };
        let storage = slot.kind == DescriptorKind::StorageImage;
        let needed = if storage {
            vk::ImageUsageFlags::STORAGE
        } else {
            vk::ImageUsageFlags::SAMPLED
        };
        let format = view.format.unwrap_or(texture.format);
        if format == texture.format && !image.usage.contains(needed) {
            return Err(Error::Unsupported(format!(
                "{} textures of format {format} ({register})",
                if storage { "read-write" } else { "sampled" }
            )));
        }
        if view.first_mip >= image.mips || view.first_layer >= image.layers {
            return Err(bad("it starts after the texture's last mip or layer".into()));
        }
        let mips = view.mips.unwrap_or(image.mips - view.first_mip);
        let layers = view.layers.unwrap_or(image.layers - view.first_layer);
        if mips == 0
            || layers == 0
            || mips > image.mips - view.first_mip
            || layers > image.layers - view.first_layer
        {
            return Err(bad("it has more mips or layers than the texture".into()));
        }
        let ty = view_type(slot.shape, texture.dimension, layers);
        let layers = match ty {
            vk::ImageViewType::TYPE_1D
            | vk::ImageViewType::TYPE_2D
            | vk::ImageViewType::TYPE_3D => 1,
            vk::ImageViewType::CUBE => 6,
            _ => layers,
        };
        if view.first_layer + layers > image.layers {
            return Err(bad("a cube needs six layers".into()));
        }
        let aspects = aspects_of(format) & !vk::ImageAspectFlags::STENCIL;
        let mut usage = vk::ImageViewUsageCreateInfo::default().usage(needed);
        let info = vk::ImageViewCreateInfo::default()
            .image(image.raw)
            .view_type(ty)
            .format(conv::format(format))
            .subresource_range(vk::ImageSubresourceRange {
                aspect_mask: aspects,
                base_mip_level: view.first_mip,
                level_count: if storage { 1 } else { mips },
                base_array_layer: view.first_layer,
                layer_count: layers,
            })
            .push_next(&mut usage);
        // SAFETY: the view lies inside of the image, which has the usage that it asks for.
        let raw = unsafe { self.gpu.raw.create_image_view(&info, None) }
            .map_err(api("vkCreateImageView"))?;
        self.bound._views.push(ImageView::own(self.gpu, raw));
        Ok(Descriptor::Image(vk::DescriptorImageInfo {
            sampler: vk::Sampler::null(),
            image_view: raw,
            image_layout: vk::ImageLayout::GENERAL,
        }))
    }

    fn sampler(&mut self, sampler: &Sampler) -> Result<Descriptor> {
        let state = create_sampler(self.gpu, sampler)?;
        let raw = state.raw;
        self.bound._samplers.push(state);
        Ok(Descriptor::Image(vk::DescriptorImageInfo {
            sampler: raw,
            ..Default::default()
        }))
    }

    /// A descriptor that reads zero and drops writes.
    fn null(&mut self, slot: &Slot) -> Result<Option<Placed>> {
        let may_skip = slot.count > 1 && self.gpu.abilities.partially_bound;
        if slot.kind == DescriptorKind::Sampler {
            // Samplers cannot be null.
            return if may_skip {
                Ok(None)
            } else {
                Ok(Some((slot.kind, self.sampler(&Sampler::default())?)))
            };
        }
        if !self.gpu.abilities.null_descriptors {
            if may_skip {
                return Ok(None);
            }
            if super::pipeline::is_plain_buffer(slot.kind) {
                let buffer = self.internal(&[0; 16])?;
                let info = vk::DescriptorBufferInfo {
                    buffer,
                    offset: 0,
                    range: 16,
                };
                return Ok(Some((slot.kind, Descriptor::Buffer(info))));
            }
            return Err(Error::Unsupported("null descriptors".into()));
        }
        let descriptor = match slot.kind {
            DescriptorKind::UniformBuffer | DescriptorKind::StorageBuffer => {
                Descriptor::Buffer(vk::DescriptorBufferInfo {
                    buffer: vk::Buffer::null(),
                    offset: 0,
                    range: vk::WHOLE_SIZE,
                })
            }
            DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer => {
                Descriptor::Texel(vk::BufferView::null())
            }
            DescriptorKind::SampledImage | DescriptorKind::StorageImage => {
                Descriptor::Image(vk::DescriptorImageInfo {
                    image_layout: vk::ImageLayout::GENERAL,
                    ..Default::default()
                })
            }
            DescriptorKind::Sampler | DescriptorKind::AccelerationStructure => {
                return Err(Error::Unsupported(format!("null for {}", describe(slot))));
            }
        };
        Ok(Some((slot.kind, descriptor)))
    }

    /// Writes the descriptors, run by run of one type.
    fn write(&self, set: vk::DescriptorSet, slot: &Slot, descriptors: &[Option<Placed>]) {
        let mut start = 0;
        while let Some(rest) = descriptors.get(start..).filter(|rest| !rest.is_empty()) {
            let Some(Some((kind, _))) = rest.first() else {
                start += 1;
                continue;
            };
            let run = rest
                .iter()
                .take_while(|d| d.is_some_and(|(k, _)| k == *kind))
                .count();
            let (mut buffers, mut texels, mut images) = (Vec::new(), Vec::new(), Vec::new());
            for (_, descriptor) in rest[..run].iter().flatten() {
                match descriptor {
                    Descriptor::Buffer(info) => buffers.push(*info),
                    Descriptor::Texel(view) => texels.push(*view),
                    Descriptor::Image(info) => images.push(*info),
                }
            }
            let mut write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(slot.binding)
                .dst_array_element(start as u32)
                .descriptor_type(conv::descriptor_type(*kind));
            if !buffers.is_empty() {
                write = write.buffer_info(&buffers);
            } else if !texels.is_empty() {
                write = write.texel_buffer_view(&texels);
            } else {
                write = write.image_info(&images);
            }
            // SAFETY: the set has this binding with as many descriptors of this type, it is not
            // in use yet, and what the descriptors point to lives as long as the set.
            unsafe { self.gpu.raw.update_descriptor_sets(&[write], &[]) };
            start += run;
        }
    }

    fn push_constants(&mut self, pipeline: &VulkanPipeline) -> Result<()> {
        let mut bytes = vec![0u8; pipeline.push_constant_bytes as usize];
        for run in &pipeline.layout.push_constants {
            let first = run.first_word as usize * 4;
            match run.source {
                PushSource::Constants { register, words } => {
                    let source = self.constant_bytes(register)?;
                    let count = (words as usize * 4).min(source.len());
                    if let Some(target) = bytes.get_mut(first..first + count) {
                        target.copy_from_slice(&source[..count]);
                    }
                }
                PushSource::Address(register) => {
                    let address = self.address(register)?;
                    if let Some(target) = bytes.get_mut(first..first + 8) {
                        target.copy_from_slice(&address.to_le_bytes());
                    }
                }
            }
        }
        self.bound.push_constants = bytes;
        Ok(())
    }

    fn constant_bytes(&self, register: Register) -> Result<&'a [u8]> {
        match self.by_register.get(&register) {
            Some(View::Constants(bytes)) => Ok(bytes),
            Some(View::Buffer(view)) => {
                match self.job.resources.get(view.resource.0).map(|r| &r.storage) {
                    Some(Storage::Buffer(bytes)) => {
                        Ok(bytes.get(view.offset as usize..).unwrap_or_default())
                    }
                    _ => Err(Error::BadView {
                        register,
                        problem: "root constants come from a buffer".into(),
                    }),
                }
            }
            Some(View::Null) => Ok(&[]),
            Some(view) => Err(Error::BadView {
                register,
                problem: format!(
                    "root constants are there, the job binds {}",
                    describe_view(view)
                ),
            }),
            None => Err(Error::Unbound {
                register,
                what: "root constants".into(),
            }),
        }
    }

    fn address(&mut self, register: Register) -> Result<u64> {
        match self.by_register.get(&register).copied() {
            Some(View::Constants(bytes)) => {
                let mut bytes = bytes.clone();
                bytes.resize(bytes.len().max(16).next_multiple_of(256), 0);
                self.internal(&bytes)?;
                Ok(self.bound.buffers.last().map_or(0, |buffer| buffer.address))
            }
            Some(View::Buffer(view)) => {
                let (_, offset, _) = self.buffer_of(register, view)?;
                match self.storages.get(view.resource.0) {
                    Some(DeviceStorage::Buffer(buffer)) => Ok(buffer.address + offset),
                    _ => Ok(0),
                }
            }
            Some(View::Null) => Ok(0),
            Some(view) => Err(Error::BadView {
                register,
                problem: format!(
                    "a root descriptor is there, the job binds {}",
                    describe_view(view)
                ),
            }),
            None => Err(Error::Unbound {
                register,
                what: "a root descriptor".into(),
            }),
        }
    }
}

/// First value of a view's counter; `None` for what has no counter.
fn counter_start(view: Option<&View>) -> Option<u32> {
    match view {
        Some(View::Buffer(view)) => Some(view.counter.unwrap_or(0)),
        _ => None,
    }
}

/// Whether a view can be seen through a descriptor of that type.
fn fits(kind: DescriptorKind, view: &View) -> bool {
    match kind {
        DescriptorKind::UniformBuffer | DescriptorKind::StorageBuffer => {
            matches!(view, View::Buffer(_) | View::Constants(_))
        }
        DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer => {
            matches!(view, View::Buffer(_))
        }
        DescriptorKind::SampledImage | DescriptorKind::StorageImage => {
            matches!(view, View::Texture(_))
        }
        DescriptorKind::Sampler => matches!(view, View::Sampler(_)),
        DescriptorKind::AccelerationStructure => false,
    }
}

/// Whether a heap's slot can be seen through a descriptor of that type.
fn fits_heap(kind: DescriptorKind, heap: &HeapView) -> bool {
    use DescriptorKind as K;
    let typed = matches!(&heap.view, View::Buffer(view) if view.format.is_some());
    let class = match kind {
        K::UniformBuffer => heap.class == ResourceClass::Cbv,
        K::StorageBuffer => heap.class != ResourceClass::Cbv && !typed,
        K::UniformTexelBuffer | K::SampledImage | K::AccelerationStructure => {
            heap.class == ResourceClass::Srv
        }
        K::StorageTexelBuffer | K::StorageImage => heap.class == ResourceClass::Uav,
        K::Sampler => false,
    };
    class && fits(kind, &heap.view)
}

fn describe(slot: &Slot) -> String {
    let what = match slot.kind {
        DescriptorKind::UniformBuffer => "a constant buffer",
        DescriptorKind::StorageBuffer => "a raw or structured buffer",
        DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer => "a typed buffer",
        DescriptorKind::SampledImage => "a texture",
        DescriptorKind::StorageImage => "a read-write texture",
        DescriptorKind::Sampler => "a sampler",
        DescriptorKind::AccelerationStructure => "an acceleration structure",
    };
    if slot.name.is_empty() {
        what.to_owned()
    } else {
        format!("{what} named {}", slot.name)
    }
}

fn describe_view(view: &View) -> &'static str {
    match view {
        View::Null => "nothing",
        View::Buffer(_) => "a buffer",
        View::Texture(_) => "a texture",
        View::Sampler(_) => "a sampler",
        View::Constants(_) => "constants",
    }
}

/// The view type that the shader declares, or else the one that the texture suggests.
fn view_type(shape: ResourceKind, dimension: Dimension, layers: u32) -> vk::ImageViewType {
    use vk::ImageViewType as V;
    match shape {
        ResourceKind::Texture1D => V::TYPE_1D,
        ResourceKind::Texture1DArray => V::TYPE_1D_ARRAY,
        ResourceKind::Texture2D | ResourceKind::Texture2DMS => V::TYPE_2D,
        ResourceKind::Texture2DArray | ResourceKind::Texture2DMSArray => V::TYPE_2D_ARRAY,
        ResourceKind::Texture3D => V::TYPE_3D,
        ResourceKind::TextureCube => V::CUBE,
        ResourceKind::TextureCubeArray => V::CUBE_ARRAY,
        _ => match (dimension, layers) {
            (Dimension::D1, 1) => V::TYPE_1D,
            (Dimension::D1, _) => V::TYPE_1D_ARRAY,
            (Dimension::D2, 1) => V::TYPE_2D,
            (Dimension::D2, _) => V::TYPE_2D_ARRAY,
            (Dimension::D3, _) => V::TYPE_3D,
        },
    }
}
