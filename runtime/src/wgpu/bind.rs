//! From a job's views to bind groups and immediates.

use dxil_frontend::tables::HashMap;
use dxil_translate::DescriptorKind;

use super::conv;
use super::gpu::Gpu;
use super::pipeline::WgpuPipeline;
use super::structures::Structures;
use crate::error::{Error, Result};
use crate::job::{Job, Register, ResourceView, Sampler};
use crate::program::{BindingSlot, PushSource, SlotSource};

/// A job's resource on the device.
pub(super) enum DeviceStorage {
    /// A buffer.
    Buffer(wgpu::Buffer),
    /// A texture.
    Texture(wgpu::Texture),
}

/// Bind groups with the counters that they hold.
pub(super) struct Bound {
    /// Groups by number.
    pub(super) groups: Vec<wgpu::BindGroup>,
    /// Immediate data.
    pub(super) immediates: Vec<u8>,
    /// Hidden counters, one buffer each.
    pub(super) counters: Vec<(Register, wgpu::Buffer)>,
}

/// A bound resource.
enum BoundResource {
    Buffer {
        buffer: wgpu::Buffer,
        offset: u64,
        size: u64,
    },
    View(wgpu::TextureView),
    Sampler(wgpu::Sampler),
    Structure(wgpu::Tlas),
}

/// Makes the bind groups of a pipeline for a job.
pub(super) fn bind(
    pipeline: &WgpuPipeline,
    job: &Job,
    storages: &[DeviceStorage],
    structures: &Structures,
) -> Result<Bound> {
    let mut binder = Binder {
        gpu: &pipeline.gpu,
        job,
        storages,
        structures,
        by_register: job.by_register(),
        counters: Vec::new(),
    };
    let mut groups = Vec::with_capacity(pipeline.groups.len());
    for (set, layout) in pipeline.layout.sets.iter().zip(&pipeline.groups) {
        let parts = set
            .slots
            .iter()
            .map(|slot| binder.parts(slot))
            .collect::<Result<Vec<_>>>()?;
        groups.push(binder.group(&set.slots, layout, &parts)?);
    }
    let immediates = binder.immediates(pipeline)?;
    Ok(Bound {
        groups,
        immediates,
        counters: binder.counters,
    })
}

struct Binder<'a> {
    gpu: &'a Gpu,
    job: &'a Job,
    storages: &'a [DeviceStorage],
    structures: &'a Structures,
    by_register: HashMap<Register, &'a ResourceView>,
    counters: Vec<(Register, wgpu::Buffer)>,
}

impl Binder<'_> {
    fn parts(&mut self, slot: &BindingSlot) -> Result<Vec<BoundResource>> {
        let mut parts = Vec::new();
        match &slot.source {
            SlotSource::Registers(first) | SlotSource::Counters(first) => {
                let counters = matches!(slot.source, SlotSource::Counters(_));
                for i in 0..self.length(*first, slot)? {
                    let register = Register {
                        index: first.index.saturating_add(i),
                        ..*first
                    };
                    let view = self.by_register.get(&register).copied();
                    let view = view.unwrap_or(&ResourceView::Null);
                    parts.push(if counters {
                        self.counter(register, view)
                    } else {
                        self.part(register, slot, view)?
                    });
                }
            }
            SlotSource::StaticSampler(sampler) => parts.push(self.sampler(sampler)?),
            // A group's bindings have no gaps here, so what no shader uses is filled with the
            // cheapest object.
            SlotSource::Unused => parts.push(self.sampler(&Sampler::default())?),
            SlotSource::SamplerHeap => {
                for sampler in &self.job.sampler_heap {
                    parts.push(self.sampler(sampler)?);
                }
            }
            SlotSource::ResourceHeap | SlotSource::HeapCounters => {
                return Err(Error::Unsupported(
                    "directly indexed descriptor heaps (wgpu has none)".into(),
                ));
            }
        }
        Ok(parts)
    }

    /// Returns the number of descriptors of a slot that are bound: up to the last one that the job
    /// names.
    fn length(&self, first: Register, slot: &BindingSlot) -> Result<u32> {
        let last = first.index.saturating_add(slot.count - 1);
        #[expect(clippy::disallowed_methods, reason = "a maximum")]
        let bound = self
            .by_register
            .keys()
            .filter(|r| {
                r.class == first.class
                    && r.space == first.space
                    && (first.index..=last).contains(&r.index)
            })
            .map(|r| r.index - first.index + 1)
            .max()
            .ok_or_else(|| Error::Unbound {
                register: first,
                what: if slot.name.is_empty() {
                    "which the shader declares".to_owned()
                } else {
                    slot.name.clone()
                },
            })?;
        // Without partially bound arrays every element needs a resource, and null ones are bound
        // for what the job leaves out.
        let partial = self.gpu.has(wgpu::Features::PARTIALLY_BOUND_BINDING_ARRAY);
        Ok(if partial { bound } else { slot.count })
    }

    fn counter(&mut self, register: Register, view: &ResourceView) -> BoundResource {
        let start = match view {
            ResourceView::Buffer(view) => view.counter.unwrap_or(0),
            _ => 0,
        };
        let buffer = self.buffer_of_bytes(&start.to_le_bytes());
        self.counters.push((register, buffer.clone()));
        BoundResource::Buffer {
            buffer,
            offset: 0,
            size: 4,
        }
    }

    fn buffer_of_bytes(&self, bytes: &[u8]) -> wgpu::Buffer {
        let mut padded = bytes.to_vec();
        padded.resize(bytes.len().max(16).next_multiple_of(16), 0);
        let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: padded.len() as u64,
            usage: wgpu::BufferUsages::UNIFORM
                | wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.gpu.queue.write_buffer(&buffer, 0, &padded);
        buffer
    }

    fn part(
        &self,
        register: Register,
        slot: &BindingSlot,
        view: &ResourceView,
    ) -> Result<BoundResource> {
        use DescriptorKind as K;
        let bad = |problem: &str| Error::BadView {
            register,
            problem: problem.to_owned(),
        };
        match (slot.kind, view) {
            (K::UniformBuffer | K::StorageBuffer, ResourceView::Constants(bytes)) => {
                let mut bytes = bytes.clone();
                let minimum = (slot.stride as usize).max(bytes.len()).max(4);
                bytes.resize(minimum.next_multiple_of(16), 0);
                Ok(BoundResource::Buffer {
                    size: bytes.len() as u64,
                    buffer: self.buffer_of_bytes(&bytes),
                    offset: 0,
                })
            }
            (K::UniformBuffer | K::StorageBuffer, ResourceView::Buffer(view)) => {
                let part = self.job.buffer_part(register, view)?;
                let Some(DeviceStorage::Buffer(buffer)) = self.storages.get(view.resource.0) else {
                    return Err(bad("its resource is not on the device"));
                };
                let size = part.end - part.start;
                // wgpu refuses empty bindings (`BufferBinding::size` is not zero).
                if size == 0 {
                    return self.part(register, slot, &ResourceView::Null);
                }
                let limits = self.gpu.device.limits();
                let (size, alignment) = match slot.kind {
                    // A constant buffer is seen as far as the shader declares it.
                    K::UniformBuffer => (
                        size.min(limits.max_uniform_buffer_binding_size),
                        limits.min_uniform_buffer_offset_alignment,
                    ),
                    _ => (size, limits.min_storage_buffer_offset_alignment),
                };
                if size > limits.max_storage_buffer_binding_size {
                    return Err(Error::Limit {
                        what: "bytes of a buffer",
                        need: size,
                        limit: limits.max_storage_buffer_binding_size,
                    });
                }
                if !part.start.is_multiple_of(u64::from(alignment.max(1))) {
                    return Err(bad(&format!(
                        "its offset {} is not a multiple of {alignment}",
                        part.start
                    )));
                }
                Ok(BoundResource::Buffer {
                    buffer: buffer.clone(),
                    offset: part.start,
                    // The buffer itself is a multiple of four bytes long (`transfer::create`), so
                    // the rounded size does not leave it.
                    size: size.next_multiple_of(4),
                })
            }
            // wgpu has no null descriptors: a buffer of zeros, as large as one element, takes the
            // place of one.
            (K::UniformBuffer | K::StorageBuffer, ResourceView::Null) => {
                let bytes = vec![0; (slot.stride as usize).max(16)];
                Ok(BoundResource::Buffer {
                    buffer: self.buffer_of_bytes(&bytes),
                    offset: 0,
                    size: bytes.len().next_multiple_of(16) as u64,
                })
            }
            (K::SampledImage | K::StorageImage, ResourceView::Texture(view)) => {
                let part = self.job.texture_part(register, view)?;
                let Some(DeviceStorage::Texture(raw)) = self.storages.get(view.resource.0) else {
                    return Err(bad("its resource is not on the device"));
                };
                let dimension = conv::view_dimension(slot.shape)?;
                let storage = slot.kind == K::StorageImage;
                use wgpu::TextureViewDimension as V;
                let layers = match dimension {
                    V::D1 | V::D2 | V::D3 => Some(1),
                    V::Cube => Some(6),
                    V::D2Array | V::CubeArray => view.layers,
                };
                let format = part.format;
                Ok(BoundResource::View(raw.create_view(
                    &wgpu::TextureViewDescriptor {
                        label: None,
                        format: Some(conv::format(format)?),
                        dimension: Some(dimension),
                        usage: Some(if storage {
                            wgpu::TextureUsages::STORAGE_BINDING
                                | raw.usage() & wgpu::TextureUsages::STORAGE_ATOMIC
                        } else {
                            wgpu::TextureUsages::TEXTURE_BINDING
                        }),
                        // A sampled depth texture shows one aspect; wgpu makes a view of both only
                        // to draw to.
                        aspect: if format.is_depth() {
                            wgpu::TextureAspect::DepthOnly
                        } else {
                            wgpu::TextureAspect::All
                        },
                        base_mip_level: view.first_mip,
                        mip_level_count: if storage { Some(1) } else { view.mips },
                        base_array_layer: view.first_layer,
                        array_layer_count: layers,
                    },
                )))
            }
            (K::SampledImage | K::StorageImage, ResourceView::Null) => {
                Err(Error::Unsupported("null textures (wgpu has none)".into()))
            }
            (
                K::AccelerationStructure,
                ResourceView::AccelerationStructure(_) | ResourceView::Null,
            ) => {
                let index = match view {
                    ResourceView::AccelerationStructure(index) => Some(*index),
                    _ => None,
                };
                let top = self.structures.top(index);
                let top = top.ok_or_else(|| bad("its acceleration structure does not exist"))?;
                Ok(BoundResource::Structure(top.clone()))
            }
            (K::Sampler, ResourceView::Sampler(sampler)) => self.sampler(sampler),
            (K::Sampler, ResourceView::Null) => self.sampler(&Sampler::default()),
            _ => Err(bad("what the job binds is not what the shader declares")),
        }
    }

    fn sampler(&self, sampler: &Sampler) -> Result<BoundResource> {
        let descriptor = conv::sampler(sampler)?;
        Ok(BoundResource::Sampler(
            self.gpu.device.create_sampler(&descriptor),
        ))
    }

    fn group(
        &self,
        slots: &[BindingSlot],
        layout: &wgpu::BindGroupLayout,
        parts: &[Vec<BoundResource>],
    ) -> Result<wgpu::BindGroup> {
        // The entries borrow from arrays of references, so those are all made first.
        let buffers: Vec<Vec<wgpu::BufferBinding<'_>>> = parts
            .iter()
            .map(|parts| {
                parts
                    .iter()
                    .filter_map(|part| match part {
                        BoundResource::Buffer {
                            buffer,
                            offset,
                            size,
                        } => Some(wgpu::BufferBinding {
                            buffer,
                            offset: *offset,
                            size: std::num::NonZeroU64::new(*size),
                        }),
                        BoundResource::View(_)
                        | BoundResource::Sampler(_)
                        | BoundResource::Structure(_) => None,
                    })
                    .collect()
            })
            .collect();
        let views: Vec<Vec<&wgpu::TextureView>> = parts
            .iter()
            .map(|parts| {
                parts
                    .iter()
                    .filter_map(|part| match part {
                        BoundResource::View(view) => Some(view),
                        BoundResource::Buffer { .. }
                        | BoundResource::Sampler(_)
                        | BoundResource::Structure(_) => None,
                    })
                    .collect()
            })
            .collect();
        let samplers: Vec<Vec<&wgpu::Sampler>> = parts
            .iter()
            .map(|parts| {
                parts
                    .iter()
                    .filter_map(|part| match part {
                        BoundResource::Sampler(sampler) => Some(sampler),
                        BoundResource::Buffer { .. }
                        | BoundResource::View(_)
                        | BoundResource::Structure(_) => None,
                    })
                    .collect()
            })
            .collect();
        let structures: Vec<Vec<&wgpu::Tlas>> = parts
            .iter()
            .map(|parts| {
                let structures = parts.iter().filter_map(|part| match part {
                    BoundResource::Structure(structure) => Some(structure),
                    BoundResource::Buffer { .. }
                    | BoundResource::View(_)
                    | BoundResource::Sampler(_) => None,
                });
                structures.collect()
            })
            .collect();
        let mut entries = Vec::with_capacity(slots.len());
        for (i, slot) in slots.iter().enumerate() {
            use wgpu::BindingResource as R;
            let is_array = slot.count > 1 || slot.unbounded;
            let resource = match (
                structures[i].as_slice(),
                buffers[i].as_slice(),
                views[i].as_slice(),
                samplers[i].as_slice(),
            ) {
                ([one], ..) if !is_array => R::AccelerationStructure(one),
                (many, ..) if !many.is_empty() => R::AccelerationStructureArray(many),
                (_, [one], [], []) if !is_array => R::Buffer(one.clone()),
                (_, [], [one], []) if !is_array => R::TextureView(one),
                (_, [], [], [one]) if !is_array => R::Sampler(one),
                (_, many, [], []) if !many.is_empty() => R::BufferArray(many),
                (_, [], many, []) if !many.is_empty() => R::TextureViewArray(many),
                (_, [], [], many) if !many.is_empty() => R::SamplerArray(many),
                _ => {
                    return Err(Error::BadJob(format!(
                        "nothing is bound to the array {}",
                        slot.name
                    )));
                }
            };
            entries.push(wgpu::BindGroupEntry {
                binding: slot.binding,
                resource,
            });
        }
        Ok(self
            .gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout,
                entries: &entries,
            }))
    }

    fn immediates(&self, pipeline: &WgpuPipeline) -> Result<Vec<u8>> {
        let size = pipeline.layout.push_constant_bytes();
        // The pipeline's layout has immediates in rows of 16 bytes, and all of them must be set.
        let mut bytes = vec![0u8; size.next_multiple_of(16) as usize];
        for run in &pipeline.layout.push_constants {
            let PushSource::Constants { register, words } = run.source else {
                return Err(Error::Unsupported(
                    "device addresses (wgpu has none)".into(),
                ));
            };
            let source: &[u8] = match self.by_register.get(&register) {
                Some(ResourceView::Constants(bytes)) => bytes,
                Some(ResourceView::Null) => &[],
                Some(_) => {
                    return Err(Error::BadView {
                        register,
                        problem: "root constants are there; bind constants".into(),
                    });
                }
                None => {
                    return Err(Error::Unbound {
                        register,
                        what: "root constants".into(),
                    });
                }
            };
            let first = run.first_word as usize * 4;
            let count = (words as usize * 4).min(source.len());
            if let Some(target) = bytes.get_mut(first..first + count) {
                target.copy_from_slice(&source[..count]);
            }
        }
        Ok(bytes)
    }
}
