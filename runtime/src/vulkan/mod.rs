//! The Vulkan backend, through ash.
//!
//! Objects are owned by small wrappers that hold an `Arc` of the device and destroy what they own
//! when dropped. A submission is always waited for before its objects may go; if it never ends,
//! they are leaked on purpose, since destroying them would be undefined.

#![allow(
    unsafe_code,
    reason = "every Vulkan call is unsafe; each block says why it is sound"
)]

mod abilities;
mod commands;
mod conv;
mod descriptors;
mod device;
mod draw;
mod enabled;
mod executables;
mod features;
pub(crate) mod fixed_state;
pub(crate) mod float_controls;
mod gpu;
mod graphics;
mod heaps;
mod instance;
mod long_vector;
mod memory;
mod pipeline;
mod pipeline_cache;
mod query;
mod rays;
mod run;
pub(crate) mod set_bindings;
mod shader_module;
mod sparse;
mod storage;
mod stream_output;
mod structures;
mod substitutes;
mod transfer;

#[cfg(feature = "wgpu")]
pub(crate) use instance::loader;

use std::ffi::CStr;
use std::sync::Arc;

use dxil_translate::Target;

use crate::device::{Device, DeviceInfo, OpenOptions};
use crate::error::Result;

/// Returns the Vulkan devices of this machine.
pub(crate) fn list_devices() -> Result<Vec<DeviceInfo>> {
    let instance = instance::VulkanInstance::new(false)?;
    Ok(instance
        .devices()?
        .into_iter()
        .map(|(_, info)| info)
        .collect())
}

/// Returns the target of translations for a device of an application, which enabled these features
/// and extensions and uses this version of Vulkan.
///
/// # Safety
///
/// `device` is one of `instance`. Each structure in the chain of `enabled` is valid and has the
/// type that its `sType` names.
pub(crate) unsafe fn target_of(
    instance: &ash::Instance,
    device: ash::vk::PhysicalDevice,
    enabled: &ash::vk::PhysicalDeviceFeatures2<'_>,
    extensions: &[&CStr],
    api_version: u32,
) -> Result<Target> {
    let properties = features::Properties::query(instance, device);
    let version = properties.core.api_version.min(api_version);
    features::check_version(version)?;
    // SAFETY: the caller vouches for the chain.
    let features = unsafe { features::FeatureSet::of_chain(enabled, extensions, version) };
    Ok(features.target(&properties))
}

/// Opens a device.
pub(crate) fn open(options: &OpenOptions) -> Result<Arc<dyn Device>> {
    Ok(Arc::new(device::VulkanDevice::open(options)?))
}
