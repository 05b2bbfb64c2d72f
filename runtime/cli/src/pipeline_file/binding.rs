//! Bindings of the resources of a file.

use dxil_frontend::dxil::ResourceClass;
use dxil_runtime::job::Register;

use super::document::{Resource, ResourceKind, VulkanBinding};
use super::{PipelineError, Result};

pub(super) fn class_of(kind: ResourceKind) -> ResourceClass {
    match kind {
        ResourceKind::Buffer
        | ResourceKind::StructuredBuffer
        | ResourceKind::ByteAddressBuffer
        | ResourceKind::Texture2D
        | ResourceKind::SampledTexture2D
        | ResourceKind::AccelerationStructure => ResourceClass::Srv,
        ResourceKind::RWBuffer
        | ResourceKind::RWStructuredBuffer
        | ResourceKind::RWByteAddressBuffer
        | ResourceKind::RWTexture2D => ResourceClass::Uav,
        ResourceKind::ConstantBuffer => ResourceClass::Cbv,
        ResourceKind::Sampler => ResourceClass::Sampler,
    }
}

/// Returns the register of a resource with set and binding: its element is the register, and set
/// and binding make the space.
pub(super) fn register_of(set: usize, binding: u32, class: ResourceClass) -> Register {
    let set = u32::try_from(set).unwrap_or(u32::MAX);
    let space = set.saturating_mul(1 << 16).saturating_add(binding);
    Register::new(class, 0).in_space(space)
}

/// Returns the position of the resource in its set.
pub(super) fn binding_of(resource: &Resource) -> Result<VulkanBinding> {
    resource.vulkan_binding.ok_or_else(|| {
        PipelineError::Invalid(format!(
            "resource `{}` needs a VulkanBinding for SPIR-V",
            resource.name
        ))
    })
}
