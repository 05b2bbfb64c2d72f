//! Descriptors in heaps (VK_EXT_descriptor_heap) in place of sets.

use ash::vk;
use dxil_frontend::dxil::{ResourceClass, ResourceKind};
use dxil_translate::DescriptorKind;

use super::binder::{Binder, Descriptor, Placed};
use crate::error::{Error, Result};
use crate::job::{HeapView, Register, ResourceView};
use crate::program::{BindingSlot, SlotSource};
use crate::vulkan::gpu::Gpu;
use crate::vulkan::heaps::declarations::DeviceAddressRange;
use crate::vulkan::heaps::memory::HeapDescriptor;
use crate::vulkan::memory::with_sampler_info;

impl Binder<'_> {
    /// Writes the descriptors of a binding at its place in a heap.
    pub(super) fn write_to_heap(
        &mut self,
        set: u32,
        slot: &BindingSlot,
        descriptors: &[Option<Placed>],
    ) -> Result<()> {
        for (element, descriptor) in descriptors.iter().enumerate() {
            let (Some((kind, descriptor)), Some((layout, _))) = (descriptor, &self.heaps) else {
                continue;
            };
            let place = layout.place(set, slot, element);
            self.put(*kind, place, descriptor)?;
        }
        Ok(())
    }

    /// Writes the descriptors that shaders index directly, and brings the heaps to the device.
    pub(super) fn fill_heaps(&mut self) -> Result<()> {
        let Some((layout, _)) = self.heaps else {
            return Ok(());
        };
        let job = self.job;
        let longest = job.resource_heap.len().max(job.sampler_heap.len());
        if longest > layout.direct as usize {
            return Err(Error::Limit {
                what: "slots of a descriptor heap",
                need: longest as u64,
                limit: u64::from(layout.direct),
            });
        }
        for (heap, index) in job.resource_heap.iter().zip(0u32..) {
            let kind = kind_of(heap);
            let source = SlotSource::ResourceHeap;
            let slot = BindingSlot::new(index, kind, source, ResourceKind::Invalid);
            let register = Register::new(heap.class, index);
            if let Some((kind, descriptor)) = self.resolve(register, &slot, &heap.view)? {
                self.put(kind, layout.direct_place(kind, index as usize), &descriptor)?;
            }
        }
        for (index, sampler) in job.sampler_heap.iter().enumerate() {
            let kind = DescriptorKind::Sampler;
            let descriptor = self.sampler(sampler)?;
            self.put(kind, layout.direct_place(kind, index), &descriptor)?;
        }
        if let Some((_, contents)) = self.heaps.take() {
            self.bound.heaps = Some(contents.upload(self.gpu)?);
        }
        Ok(())
    }

    fn put(&mut self, kind: DescriptorKind, place: u64, descriptor: &Descriptor) -> Result<()> {
        let gpu = &**self.gpu;
        let Some((_, heap)) = &mut self.heaps else {
            return Ok(());
        };
        let mut write = |descriptor: &HeapDescriptor<'_>| heap.write(gpu, kind, place, descriptor);
        match descriptor {
            Descriptor::Buffer(part) => write(&match range_of(gpu, part) {
                Some(range) => HeapDescriptor::Range(range),
                None => HeapDescriptor::Null,
            }),
            Descriptor::Texel(texels) => write(&match range_of(gpu, &texels.part) {
                Some(range) => HeapDescriptor::Texels(texels.format, range),
                None => HeapDescriptor::Null,
            }),
            Descriptor::Image(part) if part.image == vk::Image::null() => {
                write(&HeapDescriptor::Null)
            }
            Descriptor::Image(part) => part.with_info(|info| write(&HeapDescriptor::Image(info))),
            Descriptor::Sampler(_, sampler) => {
                with_sampler_info(gpu, sampler, |info| write(&HeapDescriptor::Sampler(info)))
            }
            Descriptor::Structure(structure) => {
                let address = gpu.structures.as_ref().map_or(0, |able| {
                    let info = vk::AccelerationStructureDeviceAddressInfoKHR::default()
                        .acceleration_structure(*structure);
                    // SAFETY: the structure belongs to this device.
                    unsafe { able.raw.get_acceleration_structure_device_address(&info) }
                });
                write(&HeapDescriptor::Range(DeviceAddressRange {
                    address,
                    size: 0,
                }))
            }
        }
    }
}

/// Returns the addresses of a part of a buffer; `None` without a buffer.
fn range_of(gpu: &Gpu, part: &vk::DescriptorBufferInfo) -> Option<DeviceAddressRange> {
    if part.buffer == vk::Buffer::null() {
        return None;
    }
    let info = vk::BufferDeviceAddressInfo::default().buffer(part.buffer);
    // SAFETY: on devices with heaps, all buffers of a job have addresses.
    let address = unsafe { gpu.raw.get_buffer_device_address(&info) };
    Some(DeviceAddressRange {
        address: address + part.offset,
        size: part.range,
    })
}

/// Returns the type of the descriptor of a heap's slot: the class and the view decide it.
fn kind_of(heap: &HeapView) -> DescriptorKind {
    use DescriptorKind as K;
    let is_uav = heap.class == ResourceClass::Uav;
    match &heap.view {
        ResourceView::AccelerationStructure(_) => K::AccelerationStructure,
        ResourceView::Sampler(_) => K::Sampler,
        ResourceView::Texture(_) if is_uav => K::StorageImage,
        ResourceView::Texture(_) => K::SampledImage,
        _ if heap.class == ResourceClass::Cbv => K::UniformBuffer,
        ResourceView::Buffer(view) if view.format.is_some() && is_uav => K::StorageTexelBuffer,
        ResourceView::Buffer(view) if view.format.is_some() => K::UniformTexelBuffer,
        ResourceView::Buffer(_) | ResourceView::Constants(_) | ResourceView::Null => {
            K::StorageBuffer
        }
    }
}
