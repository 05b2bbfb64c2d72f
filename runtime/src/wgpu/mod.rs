//! The wgpu backend.
//!
//! SPIR-V is passed through to the driver where the adapter supports that, and goes through naga
//! elsewhere. The device's profile tells the planner about these properties of wgpu:
//!
//! * it has no texel buffers, so typed buffers are storage buffers whose format the code knows;
//! * storage textures need a format in the layout;
//! * wgpu-hal renumbers bindings, so binding numbers in SPIR-V that is passed through must be dense
//!   in each group.

mod bind;
mod compilation;
mod conv;
mod depth;
pub(crate) mod device;
mod draw;
mod gpu;
mod graphics;
pub(crate) mod layout;
mod pipeline;
mod pipeline_cache;
mod query;
mod rows;
mod run;
mod structures;
mod transfer;

use std::sync::Arc;

use crate::device::{Device, DeviceInfo, OpenOptions};
use crate::error::Result;

/// Returns the wgpu adapters of this machine.
pub(crate) fn list_devices() -> Result<Vec<DeviceInfo>> {
    device::list()
}

/// Opens a device.
pub(crate) fn open(options: &OpenOptions) -> Result<Arc<dyn Device>> {
    Ok(Arc::new(device::WgpuDevice::open(options)?))
}
