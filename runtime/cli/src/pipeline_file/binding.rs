//! Where a resource of a file is bound.

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

/// Returns where a resource of set and binding is bound: its element is the register, set and
/// binding are the space.
pub(super) fn register_of(set: usize, binding: u32, class: ResourceClass) -> Register {
    let set = u32::try_from(set).unwrap_or(u32::MAX);
    let space = set.saturating_mul(1 << 16).saturating_add(binding);
    Register::new(class, 0).in_space(space)
}

/// Returns the resource's place in its set.
pub(super) fn binding_of(resource: &Resource) -> Result<VulkanBinding> {
    resource.vulkan_binding.ok_or_else(|| {
        PipelineError::Invalid(format!(
            "resource `{}` needs a VulkanBinding for SPIR-V",
            resource.name
        ))
    })
}
