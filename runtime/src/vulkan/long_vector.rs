//! The feature structure of VK_EXT_shader_long_vector, which ash 0.38 does not have.

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;

/// Name of the extension.
pub(super) const LONG_VECTOR_NAME: &CStr = c"VK_EXT_shader_long_vector";

/// `VkPhysicalDeviceShaderLongVectorFeaturesEXT`. Devices with the feature have vectors of 1024
/// components at least (`maxVectorComponents`; Vulkan, "Limits").
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct LongVectorFeatures {
    s_type: vk::StructureType,
    pub(super) p_next: *mut c_void,
    pub(super) long_vector: vk::Bool32,
}

impl Default for LongVectorFeatures {
    fn default() -> Self {
        LongVectorFeatures {
            s_type: vk::StructureType::from_raw(1_000_635_000),
            p_next: ptr::null_mut(),
            long_vector: vk::FALSE,
        }
    }
}

// SAFETY: the structure extends `VkPhysicalDeviceFeatures2` and begins with type and link.
unsafe impl vk::ExtendsPhysicalDeviceFeatures2 for LongVectorFeatures {}
