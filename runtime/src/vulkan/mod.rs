//! The Vulkan backend, through ash.

use std::sync::Arc;

use crate::device::{Device, DeviceInfo, OpenOptions};
use crate::error::{Error, Result};

/// The Vulkan devices of this machine.
pub(crate) fn list_devices() -> Result<Vec<DeviceInfo>> {
    Err(Error::Unsupported(
        "the Vulkan backend is not there yet".into(),
    ))
}

/// Opens a device.
pub(crate) fn open(_options: &OpenOptions) -> Result<Arc<dyn Device>> {
    Err(Error::Unsupported(
        "the Vulkan backend is not there yet".into(),
    ))
}
