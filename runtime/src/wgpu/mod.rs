//! The wgpu backend.
//!
//! SPIR-V goes to the driver as it is where the adapter offers that, and through naga elsewhere.
//! Habits of wgpu that the planner is told of in the device's profile:
//!
//! * there are no texel buffers, so typed buffers are storage buffers whose format the code knows;
//! * storage textures need a format in the layout;
//! * in SPIR-V that is passed through, binding numbers must be dense in each group, since wgpu-hal
//!   renumbers them.

mod bind;
mod compilation;
mod conv;
mod depth;
mod device;
mod draw;
mod gpu;
mod graphics;
mod layout;
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

/// The wgpu adapters of this machine.
pub(crate) fn list_devices() -> Result<Vec<DeviceInfo>> {
    device::list()
}

/// Opens a device.
pub(crate) fn open(options: &OpenOptions) -> Result<Arc<dyn Device>> {
    Ok(Arc::new(device::WgpuDevice::open(options)?))
}
