//! wgpu devices of applications.

use crate::device::Profile;
use crate::error::Result;
use crate::program::SetLayout;
use crate::wgpu::device::{Driver, profile};
use crate::wgpu::layout::{ImageUse, LayoutDevice, entry};

/// Returns the profile of a wgpu device for SPIR-V that is passed through to the driver. The device
/// must have [`PASSTHROUGH_SHADERS`](wgpu::Features::PASSTHROUGH_SHADERS).
///
/// In programs for it, the bindings of a group are numbered 0, 1, 2 ..., as wgpu numbers them for
/// the driver.
pub fn passthrough_profile(adapter: &wgpu::Adapter, device: &wgpu::Device) -> Profile {
    profile(adapter, device, &Driver::of(adapter), true)
}

/// Returns the entries of the bind group layout for a set of a program that was compiled for
/// [`passthrough_profile`]. `stages` are the shader stages that use the bindings.
///
/// # Errors
///
/// [`Error::Unsupported`](crate::Error::Unsupported) for what wgpu lacks: arrays of constant
/// buffers, descriptors of several types, and read-write textures of some formats.
pub fn layout_entries(
    adapter: &wgpu::Adapter,
    device: &wgpu::Device,
    set: &SetLayout,
    stages: wgpu::ShaderStages,
) -> Result<Vec<wgpu::BindGroupLayoutEntry>> {
    let device = LayoutDevice {
        adapter,
        features: device.features(),
        passthrough: true,
    };
    let slots = set.slots.iter();
    slots
        .map(|slot| entry(device, slot, ImageUse::Plain, stages))
        .collect()
}
