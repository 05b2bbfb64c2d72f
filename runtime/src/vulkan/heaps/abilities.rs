//! Entry points and limits for descriptor heaps.

use std::ffi::CStr;

use ash::vk;
use dxil_translate::DescriptorHeaps;

use super::declarations::{
    BindHeap, DescriptorHeapProperties, PushData, WriteResources, WriteSamplers,
};
use crate::error::{Error, Result};

/// The device's entry points and limits for descriptor heaps.
pub(in crate::vulkan) struct HeapAbilities {
    pub(super) write_samplers: WriteSamplers,
    pub(super) write_resources: WriteResources,
    pub(super) bind_sampler_heap: BindHeap,
    pub(super) bind_resource_heap: BindHeap,
    pub(super) push_data: PushData,
    pub(super) properties: DescriptorHeapProperties,
    /// Distances of descriptors in bytes.
    pub(in crate::vulkan) strides: DescriptorHeaps,
}

impl HeapAbilities {
    /// Returns the abilities of a device with the extension and its feature.
    pub(in crate::vulkan) fn new(
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        device: &ash::Device,
    ) -> Result<Self> {
        let mut properties = DescriptorHeapProperties::default();
        let mut head = vk::PhysicalDeviceProperties2::default().push_next(&mut properties);
        // SAFETY: the device has the extension that the structure belongs to.
        unsafe { instance.get_physical_device_properties2(physical, &mut head) };
        let find = |name: &CStr| {
            // SAFETY: the device comes from this instance.
            let found = unsafe { instance.get_device_proc_addr(device.handle(), name.as_ptr()) };
            found.ok_or_else(|| Error::Unsupported(format!("{}", name.to_string_lossy())))
        };
        let p = &properties;
        // One stride for all types of resources, as in D3D12's heaps.
        let size = p.image_descriptor_size.max(p.buffer_descriptor_size);
        let samplers = (p.sampler_descriptor_size, p.sampler_descriptor_alignment);
        let strides = DescriptorHeaps {
            resource_stride: size.next_multiple_of(p.resource_alignment().max(1)) as u32,
            sampler_stride: samplers.0.next_multiple_of(samplers.1.max(1)) as u32,
        };
        // SAFETY: each function has the type that the extension gives it.
        unsafe {
            use std::mem::transmute;
            type Found = unsafe extern "system" fn();
            Ok(HeapAbilities {
                write_samplers: transmute::<Found, WriteSamplers>(find(
                    c"vkWriteSamplerDescriptorsEXT",
                )?),
                write_resources: transmute::<Found, WriteResources>(find(
                    c"vkWriteResourceDescriptorsEXT",
                )?),
                bind_sampler_heap: transmute::<Found, BindHeap>(find(c"vkCmdBindSamplerHeapEXT")?),
                bind_resource_heap: transmute::<Found, BindHeap>(find(
                    c"vkCmdBindResourceHeapEXT",
                )?),
                push_data: transmute::<Found, PushData>(find(c"vkCmdPushDataEXT")?),
                properties,
                strides,
            })
        }
    }
}
