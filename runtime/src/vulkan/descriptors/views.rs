//! Descriptors of views: the descriptor type is the one that the shader declares, the contents are
//! those of the job's view.

use std::ops::Range;

use ash::vk;
use dxil_frontend::dxil::ResourceKind;
use dxil_translate::DescriptorKind;

use super::binder::{Binder, Descriptor, ImagePart, Placed, TexelRange, describe, describe_view};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{BufferView, Dimension, Register, ResourceView, Sampler, TextureView};
use crate::program::BindingSlot;
use crate::vulkan::conv::{self, api};
use crate::vulkan::memory::{Buffer, ImageView, TexelView, aspects_of, create_sampler};
use crate::vulkan::storage::DeviceStorage;

impl Binder<'_> {
    /// Returns the descriptor of a view; `None` leaves it unwritten.
    pub(super) fn resolve(
        &mut self,
        register: Register,
        slot: &BindingSlot,
        view: &ResourceView,
    ) -> Result<Option<Placed>> {
        let bad = |problem: String| Error::BadView { register, problem };
        if !matches!(view, ResourceView::Null) && !fits(slot.kind, view) {
            return Err(bad(format!(
                "the shader declares {} there, the job binds {}",
                describe(slot),
                describe_view(view)
            )));
        }
        match view {
            ResourceView::Null => self.null(slot),
            ResourceView::Sampler(sampler) => Ok(Some((slot.kind, self.sampler(sampler)?))),
            ResourceView::Constants(bytes) => {
                // A block that the shader declares larger than the constants reads zeros after
                // them. Members of a uniform block are rows of 16 bytes.
                let mut bytes = bytes.clone();
                let minimum = (slot.stride as usize).max(bytes.len()).max(4);
                bytes.resize(minimum.next_multiple_of(16), 0);
                let buffer = self.internal(&bytes)?;
                self.buffer_range(register, slot, buffer, 0, bytes.len() as u64)
            }
            ResourceView::Buffer(view) => {
                let (buffer, part) = self.buffer_of(register, view)?;
                let (buffer, offset, size) = (buffer.raw, part.start, part.end - part.start);
                // VUID-VkDescriptorBufferInfo-range-00341 forbids an empty range.
                if size == 0 {
                    return self.null(slot);
                }
                let is_short =
                    size < u64::from(slot.stride) && !self.gpu.abilities.null_descriptors;
                if slot.kind == DescriptorKind::UniformBuffer && is_short {
                    // Without robust access, what lies beyond the end of this view is undefined,
                    // and the shader may read there: a copy that is followed by zeros takes its
                    // place.
                    let bytes = self.job.buffer_bytes(register, view)?.to_vec();
                    return self.resolve(register, slot, &ResourceView::Constants(bytes));
                }
                if is_plain_buffer(slot.kind) {
                    self.buffer_range(register, slot, buffer, offset, size)
                } else {
                    let wanted = slot.format.map(Format::from);
                    let format = match view.format {
                        Some(format) => Some(slot.descriptor_format(format)),
                        None => wanted,
                    };
                    let format =
                        format.ok_or_else(|| bad("a typed buffer needs a format".into()))?;
                    self.texel_view(register, slot, format, buffer, offset, size)
                }
            }
            ResourceView::Texture(view) => {
                Ok(Some((slot.kind, self.image_view(register, slot, view)?)))
            }
            ResourceView::AccelerationStructure(index) => {
                let structure = self.structures.top(Some(*index));
                let structure = structure.ok_or_else(|| no_structure(register))?;
                Ok(Some((slot.kind, Descriptor::Structure(structure))))
            }
        }
    }

    /// Returns the buffer of a view on the device, and the bytes that the view sees.
    pub(super) fn buffer_of(
        &self,
        register: Register,
        view: &BufferView,
    ) -> Result<(&Buffer, Range<u64>)> {
        let part = self.job.buffer_part(register, view)?;
        match self.storages.get(view.resource.0) {
            Some(DeviceStorage::Buffer(buffer)) => Ok((buffer, part)),
            _ => Err(missing(register)),
        }
    }

    fn buffer_range(
        &self,
        register: Register,
        slot: &BindingSlot,
        buffer: vk::Buffer,
        offset: u64,
        size: u64,
    ) -> Result<Option<Placed>> {
        let limits = &self.gpu.limits;
        let (alignment, largest, what) = if slot.kind == DescriptorKind::UniformBuffer {
            (
                limits.min_uniform_buffer_offset_alignment,
                limits.max_uniform_buffer_range,
                "bytes of a constant buffer",
            )
        } else {
            (
                limits.min_storage_buffer_offset_alignment,
                limits.max_storage_buffer_range,
                "bytes of a buffer",
            )
        };
        // VUID-VkWriteDescriptorSet-descriptorType-00327 and -00328.
        if !offset.is_multiple_of(alignment.max(1)) {
            return Err(Error::BadView {
                register,
                problem: format!("its offset {offset} is not a multiple of {alignment}"),
            });
        }
        // A constant buffer is visible up to the shader's declaration and no further, so that
        // cutting it at the limit loses nothing.
        let size = if slot.kind == DescriptorKind::UniformBuffer {
            size.min(u64::from(largest))
        } else {
            size
        };
        if size > u64::from(largest) {
            return Err(Error::Limit {
                what,
                need: size,
                limit: u64::from(largest),
            });
        }
        let info = vk::DescriptorBufferInfo {
            buffer,
            offset,
            range: size,
        };
        Ok(Some((slot.kind, Descriptor::Buffer(info))))
    }

    fn texel_view(
        &mut self,
        register: Register,
        slot: &BindingSlot,
        format: Format,
        buffer: vk::Buffer,
        offset: u64,
        size: u64,
    ) -> Result<Option<Placed>> {
        let texel = u64::from(format.block_bytes());
        // A partial element at the end is not part of the view
        // (VUID-VkBufferViewCreateInfo-range-00929).
        let elements = size / texel;
        let alignment = self.gpu.limits.min_texel_buffer_offset_alignment.max(1);
        if !offset.is_multiple_of(alignment) {
            return Err(Error::BadView {
                register,
                problem: format!("its offset {offset} is not a multiple of {alignment}"),
            });
        }
        if elements > u64::from(self.gpu.limits.max_texel_buffer_elements) {
            return Err(Error::Limit {
                what: "elements of a typed buffer",
                need: elements,
                limit: u64::from(self.gpu.limits.max_texel_buffer_elements),
            });
        }
        let raw_format = conv::format(format);
        // SAFETY: `physical` is the device's.
        let properties = unsafe {
            self.gpu
                .instance
                .raw
                .get_physical_device_format_properties(self.gpu.physical, raw_format)
        };
        // All buffers are made for both uses; the format must have at least the one of the view.
        use vk::FormatFeatureFlags as F;
        if !properties
            .buffer_features
            .intersects(F::UNIFORM_TEXEL_BUFFER | F::STORAGE_TEXEL_BUFFER)
        {
            return Err(Error::Unsupported(format!("typed buffers of {format}")));
        }
        let info = vk::BufferViewCreateInfo::default()
            .buffer(buffer)
            .format(raw_format)
            .offset(offset)
            .range(elements * texel);
        // SAFETY: buffer, format and range were checked.
        let view = unsafe { self.gpu.raw.create_buffer_view(&info, None) }
            .map_err(api("vkCreateBufferView"))?;
        self.bound._texel_views.push(TexelView::own(self.gpu, view));
        let texels = TexelRange {
            view,
            format: raw_format,
            part: vk::DescriptorBufferInfo {
                buffer,
                offset,
                range: elements * texel,
            },
        };
        Ok(Some((slot.kind, Descriptor::Texel(texels))))
    }

    fn image_view(
        &mut self,
        register: Register,
        slot: &BindingSlot,
        view: &TextureView,
    ) -> Result<Descriptor> {
        let bad = |problem: String| Error::BadView { register, problem };
        let part = self.job.texture_part(register, view)?;
        let Some(DeviceStorage::Image(image)) = self.storages.get(view.resource.0) else {
            return Err(missing(register));
        };
        let storage = slot.kind == DescriptorKind::StorageImage;
        let needed = if storage {
            vk::ImageUsageFlags::STORAGE
        } else {
            vk::ImageUsageFlags::SAMPLED
        };
        let format = slot.descriptor_format(part.format);
        // A view in another format was checked when the image was made, with the extended usage
        // flag.
        if format == part.texture.format && !image.usage.contains(needed) {
            return Err(Error::Unsupported(format!(
                "{} textures of format {format} ({register})",
                if storage { "read-write" } else { "sampled" }
            )));
        }
        let ty = view_type(slot.shape, part.texture.dimension, part.layers);
        let layers = match ty {
            vk::ImageViewType::TYPE_1D
            | vk::ImageViewType::TYPE_2D
            | vk::ImageViewType::TYPE_3D => 1,
            // A cube has exactly six layers (VUID-VkImageViewCreateInfo-viewType-02960).
            vk::ImageViewType::CUBE => 6,
            _ => part.layers,
        };
        if view.first_layer + layers > image.layers {
            return Err(bad("a cube needs six layers".into()));
        }
        // A descriptor sees depth or stencil, not both
        // (VUID-VkDescriptorImageInfo-imageView-01976).
        let aspects = aspects_of(format) & !vk::ImageAspectFlags::STENCIL;
        let mut part = ImagePart {
            view: vk::ImageView::null(),
            image: image.raw,
            ty,
            format: conv::format(format),
            components: components_of(format),
            range: vk::ImageSubresourceRange {
                aspect_mask: aspects,
                base_mip_level: view.first_mip,
                // A read-write texture is one mip: D3D12's UAVs have a `MipSlice`.
                level_count: if storage { 1 } else { part.mips },
                base_array_layer: view.first_layer,
                layer_count: layers,
            },
            usage: needed,
        };
        let gpu = self.gpu;
        // SAFETY: the view lies inside of the image, which has the usage that it asks for.
        part.view = part
            .with_info(|info| unsafe { gpu.raw.create_image_view(info, None) })
            .map_err(api("vkCreateImageView"))?;
        self.bound._views.push(ImageView::own(gpu, part.view));
        Ok(Descriptor::Image(part))
    }

    pub(super) fn sampler(&mut self, sampler: &Sampler) -> Result<Descriptor> {
        let state = create_sampler(self.gpu, sampler)?;
        let raw = state.raw;
        self.bound._samplers.push(state);
        Ok(Descriptor::Sampler(raw, *sampler))
    }

    /// Returns a descriptor that reads zero and drops writes.
    pub(super) fn null(&mut self, slot: &BindingSlot) -> Result<Option<Placed>> {
        if slot.kind == DescriptorKind::AccelerationStructure {
            // One without instances does the same everywhere.
            let nothing = self.structures.top(None);
            return Ok(nothing.map(|raw| (slot.kind, Descriptor::Structure(raw))));
        }
        let may_skip = slot.count > 1 && self.gpu.abilities.partially_bound;
        if slot.kind == DescriptorKind::Sampler {
            // Samplers cannot be null.
            return if may_skip {
                Ok(None)
            } else {
                Ok(Some((slot.kind, self.sampler(&Sampler::default())?)))
            };
        }
        if !self.gpu.abilities.null_descriptors {
            if is_plain_buffer(slot.kind) {
                let is_constant = slot.kind == DescriptorKind::UniformBuffer;
                let bytes = if is_constant {
                    slot.stride.next_multiple_of(16).max(16)
                } else {
                    16
                };
                let info = vk::DescriptorBufferInfo {
                    buffer: self.internal(&vec![0; bytes as usize])?,
                    offset: 0,
                    // One byte holds no element of any kind: the shader's own checks find nothing
                    // there.
                    range: if is_constant { u64::from(bytes) } else { 1 },
                };
                return Ok(Some((slot.kind, Descriptor::Buffer(info))));
            }
            if may_skip {
                return Ok(None);
            }
            return Err(Error::Unsupported("null descriptors".into()));
        }
        let descriptor = match slot.kind {
            DescriptorKind::UniformBuffer | DescriptorKind::StorageBuffer => {
                Descriptor::Buffer(vk::DescriptorBufferInfo {
                    buffer: vk::Buffer::null(),
                    offset: 0,
                    range: vk::WHOLE_SIZE,
                })
            }
            DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer => {
                Descriptor::Texel(TexelRange::default())
            }
            DescriptorKind::SampledImage | DescriptorKind::StorageImage => {
                Descriptor::Image(ImagePart::default())
            }
            DescriptorKind::Sampler
            | DescriptorKind::AccelerationStructure
            | DescriptorKind::InputAttachment => {
                return Err(Error::Unsupported(format!("null for {}", describe(slot))));
            }
        };
        Ok(Some((slot.kind, descriptor)))
    }
}

/// Returns whether a descriptor type is a buffer after a byte range (not a texel buffer).
fn is_plain_buffer(kind: DescriptorKind) -> bool {
    matches!(
        kind,
        DescriptorKind::UniformBuffer | DescriptorKind::StorageBuffer
    )
}

/// Returns the component mapping of a format.
fn components_of(format: Format) -> vk::ComponentMapping {
    match format {
        Format::Bgrx8Unorm | Format::Bgrx8Srgb => {
            vk::ComponentMapping::default().a(vk::ComponentSwizzle::ONE)
        }
        _ => vk::ComponentMapping::default(),
    }
}

/// Returns the error for a resource that the job has and the device has not. It never occurs, since
/// each is made for the other.
fn missing(register: Register) -> Error {
    Error::BadView {
        register,
        problem: "its resource is not on the device".into(),
    }
}

/// Returns the error for a view of a top level that the job does not have.
pub(super) fn no_structure(register: Register) -> Error {
    Error::BadView {
        register,
        problem: "its acceleration structure does not exist".into(),
    }
}

/// Returns whether a view can be seen through a descriptor of that type.
pub(super) fn fits(kind: DescriptorKind, view: &ResourceView) -> bool {
    match kind {
        DescriptorKind::UniformBuffer | DescriptorKind::StorageBuffer => {
            matches!(view, ResourceView::Buffer(_) | ResourceView::Constants(_))
        }
        DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer => {
            matches!(view, ResourceView::Buffer(_))
        }
        DescriptorKind::SampledImage | DescriptorKind::StorageImage => {
            matches!(view, ResourceView::Texture(_))
        }
        DescriptorKind::Sampler => matches!(view, ResourceView::Sampler(_)),
        DescriptorKind::AccelerationStructure => {
            matches!(view, ResourceView::AccelerationStructure(_))
        }
        // The runtime's binding maps have none.
        DescriptorKind::InputAttachment => false,
    }
}

/// Returns the view type that the shader declares, or else the one that the texture suggests.
fn view_type(shape: ResourceKind, dimension: Dimension, layers: u32) -> vk::ImageViewType {
    use vk::ImageViewType as V;
    match shape {
        ResourceKind::Texture1D => V::TYPE_1D,
        ResourceKind::Texture1DArray => V::TYPE_1D_ARRAY,
        ResourceKind::Texture2D | ResourceKind::Texture2DMS => V::TYPE_2D,
        ResourceKind::Texture2DArray | ResourceKind::Texture2DMSArray => V::TYPE_2D_ARRAY,
        ResourceKind::Texture3D => V::TYPE_3D,
        ResourceKind::TextureCube => V::CUBE,
        ResourceKind::TextureCubeArray => V::CUBE_ARRAY,
        _ => match (dimension, layers) {
            (Dimension::D1, 1) => V::TYPE_1D,
            (Dimension::D1, _) => V::TYPE_1D_ARRAY,
            (Dimension::D2, 1) => V::TYPE_2D,
            (Dimension::D2, _) => V::TYPE_2D_ARRAY,
            (Dimension::D3, _) => V::TYPE_3D,
        },
    }
}
