//! From a job's views to written descriptor sets and push-constant bytes.

mod binder;
mod heap;
mod push;
mod views;

pub(super) use binder::BoundSets;

use ash::vk;
use dxil_frontend::dxil::ResourceClass;
use dxil_translate::DescriptorKind;

use crate::error::{Error, Result};
use crate::job::{HeapView, Job, Register, ResourceView};
use crate::program::{BindingSlot, SlotSource};
use crate::vulkan::conv::{self, api};
use crate::vulkan::heaps::memory::HeapContents;
use crate::vulkan::memory::{Buffer, DescriptorPool, MemoryLocation};
use crate::vulkan::pipeline::VulkanPipeline;
use crate::vulkan::storage::DeviceStorage;
use crate::vulkan::structures::Structures;
use binder::{Binder, CounterOf, Descriptor, Placed, describe};
use views::fits;

/// Writes the descriptor sets of a pipeline for a job.
pub(super) fn bind(
    pipeline: &VulkanPipeline,
    job: &Job,
    storages: &[DeviceStorage],
    structures: &Structures,
) -> Result<BoundSets> {
    let mut binder = Binder {
        gpu: &pipeline.gpu,
        job,
        storages,
        structures,
        by_register: job.by_register(),
        bound: BoundSets {
            sets: Vec::new(),
            push_constants: Vec::new(),
            counters: Vec::new(),
            buffers: Vec::new(),
            _views: Vec::new(),
            _texel_views: Vec::new(),
            _samplers: Vec::new(),
            _pool: None,
            heaps: None,
        },
        heaps: pipeline
            .heaps
            .as_ref()
            .map(|layout| (layout, HeapContents::new(layout))),
    };
    if binder.heaps.is_none() {
        binder.allocate(pipeline)?;
    }
    for (set, number) in pipeline.layout.sets.iter().zip(0u32..) {
        for slot in &set.slots {
            if binder.heaps.is_some() && slot.source.is_heap() {
                binder.check_heap(slot)?;
                continue;
            }
            let descriptors = binder.descriptors(slot)?;
            if binder.heaps.is_some() {
                binder.write_to_heap(number, slot, &descriptors)?;
            } else {
                let raw = binder.bound.sets[number as usize];
                binder.write(raw, slot, &descriptors);
            }
        }
    }
    binder.fill_heaps()?;
    binder.push_constants(pipeline)?;
    Ok(binder.bound)
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
            // A set without bindings still comes from a pool, and a pool of no size at all is not
            // worth a case of its own.
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

    /// Returns the descriptors of a binding; `None` leaves one unwritten.
    fn descriptors(&mut self, slot: &BindingSlot) -> Result<Vec<Option<Placed>>> {
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
                    descriptors.push(self.resolve(
                        register,
                        slot,
                        view.unwrap_or(&ResourceView::Null),
                    )?);
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
        Ok(descriptors)
    }

    /// Refuses a register without a view; of an array, at least one must have one.
    fn check_bound(&self, first: Register, slot: &BindingSlot) -> Result<()> {
        let last = first.index.saturating_add(slot.count - 1);
        let inside = |r: &Register| {
            r.class == first.class
                && r.space == first.space
                && (first.index..=last).contains(&r.index)
        };
        #[expect(clippy::disallowed_methods, reason = "whether there is one")]
        let bound = self.by_register.keys().any(inside);
        if bound {
            Ok(())
        } else {
            Err(Error::Unbound {
                register: first,
                what: describe(slot),
            })
        }
    }

    /// Refuses a heap that is longer than its binding, or empty.
    fn check_heap(&self, slot: &BindingSlot) -> Result<()> {
        let job = self.job;
        let length = match slot.source {
            SlotSource::SamplerHeap => job.sampler_heap.len(),
            _ => job.resource_heap.len(),
        };
        // A longer heap would be cut off silently: the binding has as many descriptors as the
        // layout says.
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
        Ok(())
    }

    fn heap(&mut self, slot: &BindingSlot, out: &mut Vec<Option<Placed>>) -> Result<()> {
        let job = self.job;
        self.check_heap(slot)?;
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
                    .map(|(heap, i)| {
                        let uav = Some(&heap.view).filter(|_| heap.class == ResourceClass::Uav);
                        (CounterOf::Slot(i), counter_start(uav))
                    })
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
                        &ResourceView::Null
                    };
                    let slot = BindingSlot {
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
        slot: &BindingSlot,
        out: &mut Vec<Option<Placed>>,
    ) -> Result<()> {
        let initial: Vec<_> = (0..slot.count)
            .map(|i| {
                let register = Register {
                    index: first.index.saturating_add(i),
                    ..first
                };
                let view = self.by_register.get(&register).copied();
                (CounterOf::Register(register), counter_start(view))
            })
            .collect();
        self.counter_buffer(&initial, slot, out)
    }

    /// Creates one buffer that holds the counters, one per view.
    fn counter_buffer(
        &mut self,
        initial: &[(CounterOf, Option<u32>)],
        slot: &BindingSlot,
        out: &mut Vec<Option<Placed>>,
    ) -> Result<()> {
        // Each counter has its own descriptor, and descriptors start at multiples of this limit
        // (VUID-VkWriteDescriptorSet-descriptorType-00328).
        let step = self.gpu.limits.min_storage_buffer_offset_alignment.max(4);
        let used = initial.iter().filter(|(_, start)| start.is_some()).count();
        let mut bytes = vec![0u8; step as usize * used.max(1)];
        let mut starts = bytes.chunks_exact_mut(step as usize);
        let mut places = Vec::with_capacity(initial.len());
        let mut offset = 0;
        for (of, start) in initial {
            // Only views with a counter take a word.
            let place = start.and_then(|start| Some((start, starts.next()?)));
            places.push(place.map(|(start, chunk)| {
                if let Some(word) = chunk.first_chunk_mut::<4>() {
                    *word = start.to_le_bytes();
                }
                let place = (*of, offset);
                offset += step;
                place
            }));
        }
        // Memory for reading back is host-visible, so the initial values are written into it
        // directly, and the final ones read from it without a copy.
        let mut usage = vk::BufferUsageFlags::STORAGE_BUFFER;
        if self.heaps.is_some() {
            usage |= vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        }
        let buffer = Buffer::with_bytes(self.gpu, &bytes, usage, MemoryLocation::ReadBack)?;
        let raw = buffer.raw;
        let index = self.bound.buffers.len();
        self.bound.buffers.push(buffer);
        for i in 0..slot.count as usize {
            match places.get(i).copied().flatten() {
                Some((of, offset)) => {
                    self.bound.counters.push((of, offset, index));
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

    /// Returns a buffer that belongs to this binder.
    fn internal(&mut self, bytes: &[u8]) -> Result<vk::Buffer> {
        let mut usage = vk::BufferUsageFlags::UNIFORM_BUFFER | vk::BufferUsageFlags::STORAGE_BUFFER;
        if self.gpu.abilities.device_addresses {
            usage |= vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        }
        let buffer = Buffer::with_bytes(self.gpu, bytes, usage, MemoryLocation::Upload)?;
        let raw = buffer.raw;
        self.bound.buffers.push(buffer);
        Ok(raw)
    }

    /// Writes the descriptors, run by run of one type.
    fn write(&self, set: vk::DescriptorSet, slot: &BindingSlot, descriptors: &[Option<Placed>]) {
        let mut start = 0;
        while let Some(rest) = descriptors.get(start..).filter(|rest| !rest.is_empty()) {
            // `None` leaves a descriptor unwritten, which a partially bound binding allows.
            let Some(Some((kind, _))) = rest.first() else {
                start += 1;
                continue;
            };
            // One write has one descriptor type; a mutable binding may change the type from one to
            // the next.
            let run = rest
                .iter()
                .take_while(|d| d.is_some_and(|(k, _)| k == *kind))
                .count();
            let (mut buffers, mut texels) = (Vec::new(), Vec::new());
            let (mut images, mut structures) = (Vec::new(), Vec::new());
            for (_, descriptor) in rest[..run].iter().flatten() {
                match descriptor {
                    Descriptor::Buffer(info) => buffers.push(*info),
                    Descriptor::Texel(texel) => texels.push(texel.view),
                    Descriptor::Image(part) => images.push(vk::DescriptorImageInfo {
                        sampler: vk::Sampler::null(),
                        image_view: part.view,
                        image_layout: vk::ImageLayout::GENERAL,
                    }),
                    Descriptor::Sampler(sampler, _) => images.push(vk::DescriptorImageInfo {
                        sampler: *sampler,
                        ..Default::default()
                    }),
                    Descriptor::Structure(raw) => structures.push(*raw),
                }
            }
            // Structures have no array in `VkWriteDescriptorSet`: they are chained, and the count
            // is given explicitly (VUID-VkWriteDescriptorSet-descriptorType-02382).
            let mut structure_write = vk::WriteDescriptorSetAccelerationStructureKHR::default()
                .acceleration_structures(&structures);
            let mut write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(slot.binding)
                .dst_array_element(start as u32)
                .descriptor_type(conv::descriptor_type(*kind));
            if !buffers.is_empty() {
                write = write.buffer_info(&buffers);
            } else if !texels.is_empty() {
                write = write.texel_buffer_view(&texels);
            } else if !structures.is_empty() {
                write = write
                    .push_next(&mut structure_write)
                    .descriptor_count(structures.len() as u32);
            } else {
                write = write.image_info(&images);
            }
            // SAFETY: the set has this binding with as many descriptors of this type, it is not
            // in use yet, and what the descriptors point to lives as long as the set.
            unsafe { self.gpu.raw.update_descriptor_sets(&[write], &[]) };
            start += run;
        }
    }
}

/// Returns the first value of a view's counter; `None` if there is none.
fn counter_start(view: Option<&ResourceView>) -> Option<u32> {
    match view {
        Some(ResourceView::Buffer(view)) => Some(view.counter.unwrap_or(0)),
        _ => None,
    }
}

/// Returns whether the shader can see a heap's slot through a descriptor of that type. The class
/// decides which of the shader's arrays reach it.
fn fits_heap(kind: DescriptorKind, heap: &HeapView) -> bool {
    use DescriptorKind as K;
    let typed = matches!(&heap.view, ResourceView::Buffer(view) if view.format.is_some());
    let class = match kind {
        K::UniformBuffer => heap.class == ResourceClass::Cbv,
        K::StorageBuffer => heap.class != ResourceClass::Cbv && !typed,
        K::UniformTexelBuffer | K::SampledImage | K::AccelerationStructure => {
            heap.class == ResourceClass::Srv
        }
        K::StorageTexelBuffer | K::StorageImage => heap.class == ResourceClass::Uav,
        K::Sampler | K::InputAttachment => false,
    };
    class && fits(kind, &heap.view)
}
