//! Entries of bind group layouts.

use std::num::NonZeroU32;

use dxil_frontend::dxil::ResourceKind;
use dxil_translate::DescriptorKind;

use super::conv;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::program::BindingSlot;

/// The form of a texture in naga.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImageUse {
    /// Nothing of note.
    Plain,
    /// It is compared with.
    Depth,
    /// Atomics act on it.
    Atomic,
}

/// The properties that determine the entries of layouts.
#[derive(Clone, Copy)]
pub(crate) struct LayoutDevice<'a> {
    pub(crate) adapter: &'a wgpu::Adapter,
    /// Features of the device.
    pub(crate) features: wgpu::Features,
    /// Whether SPIR-V is passed through to the driver.
    pub(crate) passthrough: bool,
}

/// Returns the entry of a slot, for stages that may look at it.
pub(crate) fn entry(
    device: LayoutDevice<'_>,
    slot: &BindingSlot,
    image: ImageUse,
    stages: wgpu::ShaderStages,
) -> Result<wgpu::BindGroupLayoutEntry> {
    if !slot.other_kinds.is_empty() {
        return Err(Error::Unsupported(
            "a descriptor heap with descriptors of several types (wgpu has none)".into(),
        ));
    }
    let is_array = slot.count > 1 || slot.unbounded;
    if is_array && slot.kind == DescriptorKind::UniformBuffer {
        return Err(Error::Unsupported(
            "an array of constant buffers (wgpu has none)".into(),
        ));
    }
    let buffer = |ty| wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let multisampled = matches!(
        slot.shape,
        ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
    );
    let ty = match slot.kind {
        DescriptorKind::UniformBuffer => buffer(wgpu::BufferBindingType::Uniform),
        DescriptorKind::StorageBuffer => buffer(wgpu::BufferBindingType::Storage {
            read_only: !slot.writable,
        }),
        DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer => {
            return Err(Error::Unsupported("texel buffers (wgpu has none)".into()));
        }
        DescriptorKind::SampledImage => wgpu::BindingType::Texture {
            sample_type: match image {
                ImageUse::Depth => wgpu::TextureSampleType::Depth,
                ImageUse::Plain | ImageUse::Atomic => {
                    conv::sample_type(slot.component, device.passthrough, multisampled)
                }
            },
            view_dimension: conv::view_dimension(slot.shape)?,
            multisampled,
        },
        DescriptorKind::StorageImage => storage_texture(device, slot, image)?,
        DescriptorKind::Sampler => wgpu::BindingType::Sampler(if slot.comparison {
            wgpu::SamplerBindingType::Comparison
        } else {
            wgpu::SamplerBindingType::Filtering
        }),
        DescriptorKind::AccelerationStructure => wgpu::BindingType::AccelerationStructure {
            vertex_return: false,
        },
        DescriptorKind::InputAttachment => {
            return Err(Error::Unsupported(
                "input attachments (wgpu has none)".into(),
            ));
        }
    };
    let mut visibility = stages;
    // Without the feature wgpu refuses storage that a vertex shader could write to. The pixel
    // shader may still use it.
    let vertex_writes = wgpu::Features::VERTEX_WRITABLE_STORAGE;
    if slot.writable && !device.features.contains(vertex_writes) {
        visibility -= wgpu::ShaderStages::VERTEX;
    }
    Ok(wgpu::BindGroupLayoutEntry {
        binding: slot.binding,
        visibility,
        ty,
        count: NonZeroU32::new(slot.count).filter(|_| is_array),
    })
}

fn storage_texture(
    device: LayoutDevice<'_>,
    slot: &BindingSlot,
    image: ImageUse,
) -> Result<wgpu::BindingType> {
    let format = slot.format.map(Format::from).ok_or_else(|| {
        Error::Unsupported(format!(
            "the read-write texture {} without a format",
            slot.name
        ))
    })?;
    let raw = conv::format(format)?;
    // What the adapter can do beyond WebGPU is there for devices with this feature.
    let every = wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;
    let flags = if device.features.contains(every) {
        device.adapter.get_texture_format_features(raw).flags
    } else {
        raw.guaranteed_format_features(device.features).flags
    };
    use wgpu::TextureFormatFeatureFlags as F;
    let access = if image == ImageUse::Atomic {
        if !flags.contains(F::STORAGE_ATOMIC) {
            return Err(Error::Unsupported(format!(
                "atomics on textures of format {format}"
            )));
        }
        wgpu::StorageTextureAccess::Atomic
    // The narrowest access comes first: fewer formats support reads and writes together.
    } else if !slot.writable && flags.contains(F::STORAGE_READ_ONLY) {
        wgpu::StorageTextureAccess::ReadOnly
    } else if !slot.readable && flags.contains(F::STORAGE_WRITE_ONLY) {
        wgpu::StorageTextureAccess::WriteOnly
    } else if flags.contains(F::STORAGE_READ_WRITE) {
        wgpu::StorageTextureAccess::ReadWrite
    } else {
        return Err(Error::Unsupported(format!(
            "read-write textures of format {format}"
        )));
    };
    Ok(wgpu::BindingType::StorageTexture {
        access,
        format: raw,
        view_dimension: conv::view_dimension(slot.shape)?,
    })
}
