//! Structures and functions of VK_EXT_descriptor_heap and VK_KHR_shader_untyped_pointers, which ash
//! 0.38 does not have (Vulkan, "Descriptor Heaps").

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;

/// Name of the extension for heaps.
pub(in crate::vulkan) const DESCRIPTOR_HEAP_NAME: &CStr = c"VK_EXT_descriptor_heap";
/// Name of the extension for pointers without a type, which accesses to heaps are.
pub(in crate::vulkan) const UNTYPED_POINTERS_NAME: &CStr = c"VK_KHR_shader_untyped_pointers";

/// `VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT`.
pub(super) const DESCRIPTOR_HEAP_USAGE: vk::BufferUsageFlags =
    vk::BufferUsageFlags::from_raw(0x1000_0000);
/// `VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT`.
pub(super) const DESCRIPTOR_HEAP_PIPELINE: u64 = 0x10_0000_0000;
/// `VK_SPIRV_RESOURCE_TYPE_ALL_EXT`.
pub(super) const ALL_RESOURCES: u32 = 0x7fff_ffff;
/// `VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT`.
pub(super) const CONSTANT_OFFSET: i32 = 0;

/// `VkPhysicalDeviceDescriptorHeapFeaturesEXT`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(in crate::vulkan) struct DescriptorHeapFeatures {
    s_type: vk::StructureType,
    pub(in crate::vulkan) p_next: *mut c_void,
    pub(in crate::vulkan) descriptor_heap: vk::Bool32,
    pub(in crate::vulkan) descriptor_heap_capture_replay: vk::Bool32,
}

impl Default for DescriptorHeapFeatures {
    fn default() -> Self {
        DescriptorHeapFeatures {
            s_type: vk::StructureType::from_raw(1_000_135_009),
            p_next: ptr::null_mut(),
            descriptor_heap: vk::FALSE,
            descriptor_heap_capture_replay: vk::FALSE,
        }
    }
}

// SAFETY: the structure extends `VkPhysicalDeviceFeatures2` and begins with type and link.
unsafe impl vk::ExtendsPhysicalDeviceFeatures2 for DescriptorHeapFeatures {}

/// `VkPhysicalDeviceShaderUntypedPointersFeaturesKHR`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(in crate::vulkan) struct UntypedPointersFeatures {
    s_type: vk::StructureType,
    pub(in crate::vulkan) p_next: *mut c_void,
    pub(in crate::vulkan) shader_untyped_pointers: vk::Bool32,
}

impl Default for UntypedPointersFeatures {
    fn default() -> Self {
        UntypedPointersFeatures {
            s_type: vk::StructureType::from_raw(1_000_387_000),
            p_next: ptr::null_mut(),
            shader_untyped_pointers: vk::FALSE,
        }
    }
}

// SAFETY: as above.
unsafe impl vk::ExtendsPhysicalDeviceFeatures2 for UntypedPointersFeatures {}

/// `VkPhysicalDeviceDescriptorHeapPropertiesEXT`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct DescriptorHeapProperties {
    s_type: vk::StructureType,
    p_next: *mut c_void,
    pub(super) sampler_heap_alignment: u64,
    pub(super) resource_heap_alignment: u64,
    pub(super) max_sampler_heap_size: u64,
    pub(super) max_resource_heap_size: u64,
    pub(super) min_sampler_heap_reserved_range: u64,
    pub(super) min_sampler_heap_reserved_range_with_embedded: u64,
    pub(super) min_resource_heap_reserved_range: u64,
    pub(super) sampler_descriptor_size: u64,
    pub(super) image_descriptor_size: u64,
    pub(super) buffer_descriptor_size: u64,
    pub(super) sampler_descriptor_alignment: u64,
    pub(super) image_descriptor_alignment: u64,
    pub(super) buffer_descriptor_alignment: u64,
    pub(super) max_push_data_size: u64,
    pub(super) image_capture_replay_opaque_data_size: usize,
    pub(super) max_descriptor_heap_embedded_samplers: u32,
    pub(super) sampler_ycbcr_conversion_count: u32,
    pub(super) sparse_descriptor_heaps: vk::Bool32,
    pub(super) protected_descriptor_heaps: vk::Bool32,
}

impl DescriptorHeapProperties {
    /// Returns the alignment of a heap for resources of all types, as D3D12's are.
    pub(super) fn resource_alignment(&self) -> u64 {
        self.image_descriptor_alignment
            .max(self.buffer_descriptor_alignment)
    }
}

impl Default for DescriptorHeapProperties {
    fn default() -> Self {
        // SAFETY: numbers and a pointer, for all of which zero is a value.
        let zero: DescriptorHeapProperties = unsafe { std::mem::zeroed() };
        DescriptorHeapProperties {
            s_type: vk::StructureType::from_raw(1_000_135_008),
            ..zero
        }
    }
}

// SAFETY: nothing follows the link outside of the query.
unsafe impl Send for DescriptorHeapProperties {}
// SAFETY: as above.
unsafe impl Sync for DescriptorHeapProperties {}

// SAFETY: the structure extends `VkPhysicalDeviceProperties2` and begins with type and link.
unsafe impl vk::ExtendsPhysicalDeviceProperties2 for DescriptorHeapProperties {}

/// `VkDeviceAddressRangeEXT`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(in crate::vulkan) struct DeviceAddressRange {
    pub(in crate::vulkan) address: u64,
    pub(in crate::vulkan) size: u64,
}

/// `VkHostAddressRangeEXT` and `VkHostAddressRangeConstEXT`.
#[repr(C)]
pub(super) struct HostAddressRange {
    pub(super) address: *mut c_void,
    pub(super) size: usize,
}

/// `VkImageDescriptorInfoEXT`.
#[repr(C)]
pub(super) struct ImageDescriptorInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    view: *const vk::ImageViewCreateInfo<'static>,
    layout: vk::ImageLayout,
}

impl ImageDescriptorInfo {
    /// Returns an image in the layout `GENERAL`. The view must outlive the result.
    pub(super) fn new(view: &vk::ImageViewCreateInfo<'_>) -> Self {
        ImageDescriptorInfo {
            s_type: vk::StructureType::from_raw(1_000_135_001),
            p_next: ptr::null(),
            view: ptr::from_ref(view).cast(),
            layout: vk::ImageLayout::GENERAL,
        }
    }
}

/// `VkTexelBufferDescriptorInfoEXT`.
#[repr(C)]
pub(super) struct TexelBufferDescriptorInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    format: vk::Format,
    range: DeviceAddressRange,
}

impl TexelBufferDescriptorInfo {
    pub(super) fn new(format: vk::Format, range: DeviceAddressRange) -> Self {
        TexelBufferDescriptorInfo {
            s_type: vk::StructureType::from_raw(1_000_135_000),
            p_next: ptr::null(),
            format,
            range,
        }
    }
}

/// `VkResourceDescriptorInfoEXT`.
#[repr(C)]
pub(super) struct ResourceDescriptorInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    ty: vk::DescriptorType,
    /// A union of pointers: to one of the structures above, or null.
    data: *const c_void,
}

impl ResourceDescriptorInfo {
    pub(super) fn new(ty: vk::DescriptorType, data: *const c_void) -> Self {
        ResourceDescriptorInfo {
            s_type: vk::StructureType::from_raw(1_000_135_002),
            p_next: ptr::null(),
            ty,
            data,
        }
    }
}

/// `VkBindHeapInfoEXT`.
#[repr(C)]
pub(super) struct BindHeapInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    range: DeviceAddressRange,
    reserved_offset: u64,
    reserved_size: u64,
}

impl BindHeapInfo {
    /// Returns a heap whose last bytes are the implementation's.
    pub(super) fn new(range: DeviceAddressRange, reserved_size: u64) -> Self {
        BindHeapInfo {
            s_type: vk::StructureType::from_raw(1_000_135_003),
            p_next: ptr::null(),
            range,
            reserved_offset: match reserved_size {
                0 => 0,
                _ => range.size - reserved_size,
            },
            reserved_size,
        }
    }
}

/// `VkPushDataInfoEXT`.
#[repr(C)]
pub(super) struct PushDataInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    offset: u32,
    data: HostAddressRange,
}

impl PushDataInfo {
    /// Returns the bytes from offset 0 on, which must outlive the result.
    pub(super) fn new(bytes: &[u8]) -> Self {
        PushDataInfo {
            s_type: vk::StructureType::from_raw(1_000_135_004),
            p_next: ptr::null(),
            offset: 0,
            data: HostAddressRange {
                // Vulkan only reads it.
                address: bytes.as_ptr().cast_mut().cast(),
                size: bytes.len(),
            },
        }
    }
}

/// Words after the member for constant offsets. A pointer of 64 bits is preceded by one that only
/// aligns it.
const REST: usize = 6 + size_of::<usize>() / 4;

/// `VkDescriptorSetAndBindingMappingEXT` with a constant offset.
#[repr(C)]
pub(super) struct BindingMapping {
    s_type: vk::StructureType,
    p_next: *const c_void,
    set: u32,
    first_binding: u32,
    binding_count: u32,
    resource_mask: u32,
    source: i32,
    data: MappingData,
}

/// `VkDescriptorMappingSourceDataEXT`: the member for constant offsets, in a union whose largest
/// member has a pointer and eleven words.
#[repr(C)]
struct MappingData {
    heap_offset: u32,
    heap_array_stride: u32,
    embedded_sampler: *const c_void,
    sampler_heap_offset: u32,
    sampler_heap_array_stride: u32,
    rest: [u32; REST],
}

impl BindingMapping {
    /// Returns the place of the descriptors of a binding in their heap.
    pub(super) fn new(set: u32, binding: u32, offset: u32, stride: u32) -> Self {
        BindingMapping {
            s_type: vk::StructureType::from_raw(1_000_135_005),
            p_next: ptr::null(),
            set,
            first_binding: binding,
            binding_count: 1,
            resource_mask: ALL_RESOURCES,
            source: CONSTANT_OFFSET,
            data: MappingData {
                heap_offset: offset,
                heap_array_stride: stride,
                embedded_sampler: ptr::null(),
                sampler_heap_offset: 0,
                sampler_heap_array_stride: 0,
                rest: [0; REST],
            },
        }
    }
}

/// `VkShaderDescriptorSetAndBindingMappingInfoEXT`.
#[repr(C)]
pub(super) struct MappingInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    count: u32,
    mappings: *const BindingMapping,
}

impl MappingInfo {
    /// Returns the mappings of a shader, which must outlive the result.
    pub(super) fn new(mappings: &[BindingMapping]) -> Self {
        MappingInfo {
            s_type: vk::StructureType::from_raw(1_000_135_006),
            p_next: ptr::null(),
            count: mappings.len() as u32,
            mappings: mappings.as_ptr(),
        }
    }
}

/// `vkWriteSamplerDescriptorsEXT`.
pub(super) type WriteSamplers = unsafe extern "system" fn(
    vk::Device,
    u32,
    *const vk::SamplerCreateInfo<'_>,
    *const HostAddressRange,
) -> vk::Result;
/// `vkWriteResourceDescriptorsEXT`.
pub(super) type WriteResources = unsafe extern "system" fn(
    vk::Device,
    u32,
    *const ResourceDescriptorInfo,
    *const HostAddressRange,
) -> vk::Result;
/// `vkCmdBindSamplerHeapEXT` and `vkCmdBindResourceHeapEXT`.
pub(super) type BindHeap = unsafe extern "system" fn(vk::CommandBuffer, *const BindHeapInfo);
/// `vkCmdPushDataEXT`.
pub(super) type PushData = unsafe extern "system" fn(vk::CommandBuffer, *const PushDataInfo);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn the_layouts_are_those_of_vulkan() {
        assert_eq!(size_of::<DescriptorHeapFeatures>(), 24);
        assert_eq!(size_of::<UntypedPointersFeatures>(), 24);
        assert_eq!(size_of::<DescriptorHeapProperties>(), 152);
        assert_eq!(size_of::<ImageDescriptorInfo>(), 32);
        assert_eq!(size_of::<TexelBufferDescriptorInfo>(), 40);
        assert_eq!(size_of::<ResourceDescriptorInfo>(), 32);
        assert_eq!(size_of::<BindHeapInfo>(), 48);
        assert_eq!(size_of::<PushDataInfo>(), 40);
        assert_eq!(size_of::<MappingData>(), 56);
        assert_eq!(size_of::<BindingMapping>(), 96);
        assert_eq!(size_of::<MappingInfo>(), 32);
    }
}
