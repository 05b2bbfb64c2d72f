//! Lists and opens the devices of all backends that this build has.

use std::sync::Arc;

use super::info::{Backend, DeviceInfo};
use super::interface::{Device, OpenOptions};
use crate::cpu;
#[cfg(any(not(feature = "vulkan"), not(feature = "wgpu")))]
use crate::error::Error;
use crate::error::Result;
#[cfg(feature = "vulkan")]
use crate::vulkan;
#[cfg(feature = "wgpu")]
use crate::wgpu;

/// Returns the devices of a backend.
///
/// # Errors
///
/// [`Error::NoLoader`](crate::Error::NoLoader) without a Vulkan loader, and
/// [`Error::NoBackend`](crate::Error::NoBackend) where the backend's feature is switched off.
pub fn list_devices(backend: Backend) -> Result<Vec<DeviceInfo>> {
    match backend {
        #[cfg(feature = "vulkan")]
        Backend::Vulkan => vulkan::list_devices(),
        #[cfg(feature = "wgpu")]
        Backend::Wgpu => wgpu::list_devices(),
        Backend::Cpu => Ok(vec![cpu::info()]),
        #[cfg(any(not(feature = "vulkan"), not(feature = "wgpu")))]
        missing => Err(Error::NoBackend(missing)),
    }
}

/// Opens a device.
///
/// # Errors
///
/// As [`list_devices`], and [`Error::NoDevice`](crate::Error::NoDevice) or
/// [`Error::NoSuchDevice`](crate::Error::NoSuchDevice) if there is none with that index.
pub fn open(options: &OpenOptions) -> Result<Arc<dyn Device>> {
    match options.backend {
        #[cfg(feature = "vulkan")]
        Backend::Vulkan => vulkan::open(options),
        #[cfg(feature = "wgpu")]
        Backend::Wgpu => wgpu::open(options),
        Backend::Cpu => cpu::open(options),
        #[cfg(any(not(feature = "vulkan"), not(feature = "wgpu")))]
        missing => Err(Error::NoBackend(missing)),
    }
}
