//! The memory of the heaps: descriptors are written on the host and copied as bytes.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use ash::vk;
use dxil_translate::DescriptorKind;

use super::abilities::HeapAbilities;
use super::declarations::{
    BindHeapInfo, DESCRIPTOR_HEAP_USAGE, DeviceAddressRange, HostAddressRange, ImageDescriptorInfo,
    PushDataInfo, ResourceDescriptorInfo, TexelBufferDescriptorInfo,
};
use super::layout::HeapLayout;
use crate::error::{Error, Result};
use crate::vulkan::conv::{self, api};
use crate::vulkan::gpu::Gpu;
use crate::vulkan::memory::{Buffer, MemoryLocation};

/// A descriptor for a heap.
pub(in crate::vulkan) enum HeapDescriptor<'a> {
    /// One that reads zero and drops writes.
    Null,
    /// A buffer, or an acceleration structure.
    Range(DeviceAddressRange),
    /// A buffer with a texel format.
    Texels(vk::Format, DeviceAddressRange),
    /// An image.
    Image(&'a vk::ImageViewCreateInfo<'a>),
    /// A sampler.
    Sampler(&'a vk::SamplerCreateInfo<'a>),
}

/// The descriptors of both heaps, on the host.
pub(in crate::vulkan) struct HeapContents {
    resources: Vec<u8>,
    samplers: Vec<u8>,
}

/// Heaps that a command buffer can bind.
pub(in crate::vulkan) struct BoundHeaps {
    resources: Buffer,
    samplers: Buffer,
}

impl HeapContents {
    /// Returns heaps without descriptors.
    pub(in crate::vulkan) fn new(layout: &HeapLayout) -> Self {
        let zeros = |bytes: u64| vec![0; bytes as usize];
        HeapContents {
            resources: zeros(layout.resource_bytes),
            samplers: zeros(layout.sampler_bytes),
        }
    }

    /// Writes a descriptor of that type at a place in its heap.
    pub(in crate::vulkan) fn write(
        &mut self,
        gpu: &Gpu,
        kind: DescriptorKind,
        place: u64,
        descriptor: &HeapDescriptor<'_>,
    ) -> Result<()> {
        let able = able(gpu)?;
        let (heap, stride) = match kind {
            DescriptorKind::Sampler => (&mut self.samplers, able.strides.sampler_stride),
            _ => (&mut self.resources, able.strides.resource_stride),
        };
        let target = heap
            .get_mut(place as usize..)
            .and_then(|rest| rest.get_mut(..stride as usize))
            .ok_or_else(|| Error::BadJob("a descriptor beyond the end of its heap".into()))?;
        let target = HostAddressRange {
            address: target.as_mut_ptr().cast(),
            size: target.len(),
        };
        if let HeapDescriptor::Sampler(info) = descriptor {
            // SAFETY: one sampler, and memory of its size.
            return unsafe { (able.write_samplers)(gpu.raw.handle(), 1, *info, &raw const target) }
                .result()
                .map_err(api("vkWriteSamplerDescriptorsEXT"));
        }
        let (texels, image);
        let data: *const c_void = match descriptor {
            HeapDescriptor::Null | HeapDescriptor::Sampler(_) => ptr::null(),
            HeapDescriptor::Range(range) => ptr::from_ref(range).cast(),
            HeapDescriptor::Texels(format, range) => {
                texels = TexelBufferDescriptorInfo::new(*format, *range);
                ptr::from_ref(&texels).cast()
            }
            HeapDescriptor::Image(view) => {
                image = ImageDescriptorInfo::new(view);
                ptr::from_ref(&image).cast()
            }
        };
        let info = ResourceDescriptorInfo::new(conv::descriptor_type(kind), data);
        // SAFETY: one resource, data of its type, and memory of its size.
        unsafe { (able.write_resources)(gpu.raw.handle(), 1, &raw const info, &raw const target) }
            .result()
            .map_err(api("vkWriteResourceDescriptorsEXT"))
    }

    /// Returns the heaps on the device.
    pub(in crate::vulkan) fn upload(mut self, gpu: &Arc<Gpu>) -> Result<BoundHeaps> {
        let p = &able(gpu)?.properties;
        reserve(
            &mut self.resources,
            p.resource_alignment(),
            p.min_resource_heap_reserved_range,
        );
        reserve(
            &mut self.samplers,
            p.sampler_descriptor_alignment,
            p.min_sampler_heap_reserved_range,
        );
        let usage = DESCRIPTOR_HEAP_USAGE | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let upload = |bytes: &[u8]| Buffer::with_bytes(gpu, bytes, usage, MemoryLocation::Upload);
        Ok(BoundHeaps {
            resources: upload(&self.resources)?,
            samplers: upload(&self.samplers)?,
        })
    }
}

/// Adds the range that the implementation reserves.
fn reserve(heap: &mut Vec<u8>, alignment: u64, bytes: u64) {
    let start = heap.len().next_multiple_of(alignment.max(1) as usize);
    // An empty buffer does not exist.
    heap.resize((start + bytes as usize).max(1), 0);
}

impl BoundHeaps {
    /// Binds the heaps to a command buffer, and passes the push constants.
    pub(in crate::vulkan) fn record(
        &self,
        gpu: &Gpu,
        commands: vk::CommandBuffer,
        push_constants: &[u8],
    ) -> Result<()> {
        let able = able(gpu)?;
        let p = &able.properties;
        let info = |buffer: &Buffer, reserved| {
            let range = DeviceAddressRange {
                address: buffer.address,
                size: buffer.size,
            };
            BindHeapInfo::new(range, reserved)
        };
        let resources = info(&self.resources, p.min_resource_heap_reserved_range);
        let samplers = info(&self.samplers, p.min_sampler_heap_reserved_range);
        // SAFETY: the buffers have the usage, and live until the commands are done.
        unsafe {
            (able.bind_resource_heap)(commands, &raw const resources);
            (able.bind_sampler_heap)(commands, &raw const samplers);
        }
        if !push_constants.is_empty() {
            if push_constants.len() as u64 > p.max_push_data_size {
                return Err(Error::Limit {
                    what: "bytes of push constants",
                    need: push_constants.len() as u64,
                    limit: p.max_push_data_size,
                });
            }
            let data = PushDataInfo::new(push_constants);
            // SAFETY: the size is within the limit and a multiple of 4.
            unsafe { (able.push_data)(commands, &raw const data) };
        }
        Ok(())
    }
}

fn able(gpu: &Gpu) -> Result<&HeapAbilities> {
    let able = gpu.heaps.as_ref();
    able.ok_or_else(|| Error::Unsupported("descriptor heaps (VK_EXT_descriptor_heap)".into()))
}
