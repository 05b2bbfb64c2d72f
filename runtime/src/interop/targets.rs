//! Vulkan devices of applications.

use std::ffi::CStr;

use ash::vk;
use dxil_translate::Target;

use crate::error::Result;

/// The features and extensions that an application enabled when it created its instance and device.
#[derive(Debug, Clone, Copy)]
pub struct EnabledFeatures<'a> {
    /// `VkApplicationInfo::apiVersion`: the maximum version that the application uses.
    pub api_version: u32,
    /// The device's extensions.
    pub extensions: &'a [&'a CStr],
    /// The device's features, with the chain that `vkCreateDevice` got. Both the structures of
    /// Vulkan 1.1, 1.2 and 1.3 and those of single extensions count.
    pub features: &'a vk::PhysicalDeviceFeatures2<'a>,
}

/// Returns the target of translations for a device that an application made: what it enabled, and
/// the properties of the physical device that decide the rest (subgroup operations, float
/// controls).
///
/// [`Features::SPARSE_RESIDENCY`](dxil_translate::Features::SPARSE_RESIDENCY) is never set, since
/// only shaders that see reserved resources need it.
///
/// # Errors
///
/// [`Error::Unsupported`](crate::Error::Unsupported) if device or application use a Vulkan version
/// below 1.2.
///
/// # Safety
///
/// `physical_device` is one of `instance`. Each structure in the chain of `enabled.features` is
/// valid and has the type that its `sType` names.
#[allow(unsafe_code, reason = "only the caller knows handles and chain")]
pub unsafe fn vulkan_target(
    instance: &ash::Instance,
    physical_device: vk::PhysicalDevice,
    enabled: &EnabledFeatures<'_>,
) -> Result<Target> {
    let EnabledFeatures {
        api_version,
        extensions,
        features,
    } = *enabled;
    // SAFETY: the caller vouches for the same.
    unsafe {
        crate::vulkan::target_of(instance, physical_device, features, extensions, api_version)
    }
}
