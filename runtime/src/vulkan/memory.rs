//! Buffers, images, views and samplers that free themselves.

use std::sync::Arc;

use ash::vk;

use super::conv::{self, api};
use super::gpu::Gpu;
use super::sparse;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Dimension, Sampler, Texture};

/// The kind of memory that a buffer lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemoryLocation {
    /// Device memory.
    Device,
    /// Memory that the host writes and the device reads.
    Upload,
    /// Memory that the device writes and the host reads.
    ReadBack,
}

/// A buffer with its memory.
pub(super) struct Buffer {
    gpu: Arc<Gpu>,
    pub(super) raw: vk::Buffer,
    memory: vk::DeviceMemory,
    pub(super) size: u64,
    /// Device address, 0 where buffers have none.
    pub(super) address: u64,
}

impl Buffer {
    /// Returns a buffer of at least one byte.
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        size: u64,
        usage: vk::BufferUsageFlags,
        place: MemoryLocation,
    ) -> Result<Self> {
        Buffer::create(gpu, size, usage, place, None)
    }

    /// Returns a buffer in device memory of which only the first tiles have memory.
    pub(super) fn reserved(
        gpu: &Arc<Gpu>,
        size: u64,
        usage: vk::BufferUsageFlags,
        tiles: u32,
    ) -> Result<Self> {
        sparse::check(gpu, None)?;
        Buffer::create(gpu, size, usage, MemoryLocation::Device, Some(tiles))
    }

    fn create(
        gpu: &Arc<Gpu>,
        size: u64,
        usage: vk::BufferUsageFlags,
        place: MemoryLocation,
        tiles: Option<u32>,
    ) -> Result<Self> {
        // VUID-VkBufferCreateInfo-size-00912 forbids empty buffers. Four bytes rather than one, so
        // that copies and fills by words fit.
        let size = size.max(4);
        let addressable = usage.contains(vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS);
        use vk::BufferCreateFlags as C;
        let flags = tiles.map_or(C::empty(), |_| C::SPARSE_BINDING | C::SPARSE_RESIDENCY);
        let info = vk::BufferCreateInfo::default()
            .flags(flags)
            .size(size)
            .usage(usage);
        // SAFETY: the device is alive and the size is not zero.
        let raw = unsafe { gpu.raw.create_buffer(&info, None) }.map_err(api("vkCreateBuffer"))?;
        let mut buffer = Buffer {
            gpu: Arc::clone(gpu),
            raw,
            memory: vk::DeviceMemory::null(),
            size,
            address: 0,
        };
        // SAFETY: the buffer belongs to this device.
        let needs = unsafe { gpu.raw.get_buffer_memory_requirements(raw) };
        if let Some(tiles) = tiles {
            buffer.memory = sparse::bind_buffer(gpu, raw, &needs, tiles)?;
        } else {
            buffer.memory = buffer_memory(gpu, &needs, addressable, place)?;
            // SAFETY: buffer and memory are new, and the memory has the size and type asked for.
            unsafe { gpu.raw.bind_buffer_memory(raw, buffer.memory, 0) }
                .map_err(api("vkBindBufferMemory"))?;
        }
        // After the binding: a buffer that is not sparse has no address before it has memory.
        if addressable {
            let info = vk::BufferDeviceAddressInfo::default().buffer(raw);
            // SAFETY: the buffer has the usage and memory that addresses ask for.
            buffer.address = unsafe { gpu.raw.get_buffer_device_address(&info) };
        }
        Ok(buffer)
    }

    /// Returns a buffer in host-visible memory that holds those bytes.
    pub(super) fn with_bytes(
        gpu: &Arc<Gpu>,
        bytes: &[u8],
        usage: vk::BufferUsageFlags,
        place: MemoryLocation,
    ) -> Result<Self> {
        let buffer = Buffer::new(gpu, bytes.len() as u64, usage, place)?;
        buffer.write(0, bytes)?;
        Ok(buffer)
    }

    /// Puts bytes into a buffer in host-visible memory, which the device does not use yet.
    pub(super) fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let first = usize::try_from(offset).map_err(|_| Error::OutOfMemory("host"))?;
        if offset.saturating_add(bytes.len() as u64) > self.size {
            return Err(Error::BadJob("bytes beyond the end of a buffer".into()));
        }
        let target = self.map()?;
        // SAFETY: the mapping covers the whole buffer, which is longer than `bytes` from there on,
        // and no one else has it.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), target.add(first), bytes.len());
            self.gpu.raw.unmap_memory(self.memory);
        }
        Ok(())
    }

    /// Returns the first bytes of a read-back buffer.
    pub(super) fn read(&self, bytes: u64) -> Result<Vec<u8>> {
        let count =
            usize::try_from(bytes.min(self.size)).map_err(|_| Error::OutOfMemory("host"))?;
        let source = self.map()?;
        // SAFETY: the mapping covers the whole buffer; the device is done with it, since each
        // submission is waited for.
        unsafe {
            let bytes = std::slice::from_raw_parts(source, count).to_vec();
            self.gpu.raw.unmap_memory(self.memory);
            Ok(bytes)
        }
    }

    fn map(&self) -> Result<*mut u8> {
        // SAFETY: only host-visible buffers are mapped, each by its one owner.
        let mapped: *mut u8 = unsafe {
            self.gpu
                .raw
                .map_memory(self.memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())
        }
        .map(<*mut std::ffi::c_void>::cast)
        .map_err(api("vkMapMemory"))?;
        // Lavapipe reports success when the system refused the memory, and hands out what `mmap`
        // returned: null, or `MAP_FAILED`, which is all ones.
        if mapped.is_null() || mapped.addr() == usize::MAX {
            return Err(Error::OutOfMemory("device"));
        }
        Ok(mapped)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.gpu.is_stuck() {
            return;
        }
        // SAFETY: the device does not use them any more; both belong to it.
        unsafe {
            self.gpu.raw.destroy_buffer(self.raw, None);
            self.gpu.raw.free_memory(self.memory, None);
        }
    }
}

fn buffer_memory(
    gpu: &Gpu,
    needs: &vk::MemoryRequirements,
    addressable: bool,
    place: MemoryLocation,
) -> Result<vk::DeviceMemory> {
    use vk::MemoryPropertyFlags as M;
    // Coherent memory spares `vkFlushMappedMemoryRanges` and `vkInvalidateMappedMemoryRanges`.
    // Every device has a type that is both host-visible and coherent (Vulkan specification, "Device
    // Memory"), while a cached one is only a preference: without it reads are slow, not wrong.
    let (needed, preferred) = match place {
        MemoryLocation::Device => (M::empty(), M::DEVICE_LOCAL),
        MemoryLocation::Upload => (M::HOST_VISIBLE | M::HOST_COHERENT, M::empty()),
        MemoryLocation::ReadBack => (M::HOST_VISIBLE | M::HOST_COHERENT, M::HOST_CACHED),
    };
    let mut flags =
        vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
    let mut allocate = vk::MemoryAllocateInfo::default().allocation_size(needs.size);
    // VUID-vkBindBufferMemory-bufferDeviceAddress-03339.
    if addressable {
        allocate = allocate.push_next(&mut flags);
    }
    gpu.allocate_memory(allocate, needs.memory_type_bits, needed, preferred)
}

/// Returns whether images of a format have a feature.
pub(super) fn format_has(gpu: &Gpu, format: Format, flag: vk::FormatFeatureFlags) -> bool {
    // `VK_FORMAT_A8_UNORM_KHR` comes with `VK_KHR_maintenance5`; to ask a device without it about
    // the format is invalid usage.
    if format == Format::A8Unorm && !gpu.abilities.alpha_alone {
        return false;
    }
    // SAFETY: `physical` is the device's.
    let properties = unsafe {
        gpu.instance
            .raw
            .get_physical_device_format_properties(gpu.physical, conv::format(format))
    };
    properties.optimal_tiling_features.contains(flag)
}

/// An image with its memory.
pub(super) struct Image {
    gpu: Arc<Gpu>,
    pub(super) raw: vk::Image,
    memory: vk::DeviceMemory,
    pub(super) format: Format,
    pub(super) layers: u32,
    pub(super) usage: vk::ImageUsageFlags,
}

impl Image {
    /// Returns an image for a texture. `reinterpreted` says that a view has another format.
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        texture: &Texture,
        reinterpreted: bool,
        mapped_tiles: Option<u32>,
    ) -> Result<Self> {
        let format = conv::format(texture.format);
        let has = |flag| format_has(gpu, texture.format, flag);
        use vk::{FormatFeatureFlags as F, ImageUsageFlags as U};
        // Every use that the format allows, for the same reason as with buffers: views are made
        // later. A use that the format lacks would make the query of the limits below fail.
        let mut usage = U::TRANSFER_SRC | U::TRANSFER_DST;
        if has(F::SAMPLED_IMAGE) {
            usage |= U::SAMPLED;
        }
        // A storage image must have the identity swizzle
        // (VUID-VkWriteDescriptorSet-descriptorType-00336), so that the alpha byte of these formats
        // could not be hidden from the shader.
        let has_all = !matches!(texture.format, Format::Bgrx8Unorm | Format::Bgrx8Srgb);
        if has_all
            && has(F::STORAGE_IMAGE)
            && (texture.samples <= 1 || gpu.abilities.stores_samples)
        {
            usage |= U::STORAGE;
        }
        if has(F::COLOR_ATTACHMENT) {
            usage |= U::COLOR_ATTACHMENT;
        }
        if has(F::DEPTH_STENCIL_ATTACHMENT) {
            usage |= U::DEPTH_STENCIL_ATTACHMENT;
        }
        if texture.format == Format::A8Unorm && !gpu.abilities.alpha_alone {
            return Err(Error::Unsupported("textures of format A8_UNORM".into()));
        }
        let mut flags = vk::ImageCreateFlags::empty();
        if mapped_tiles.is_some() {
            sparse::check(gpu, Some(texture))?;
            flags |= vk::ImageCreateFlags::SPARSE_BINDING | vk::ImageCreateFlags::SPARSE_RESIDENCY;
        }
        // Only on demand: drivers may give up compression for an image with a mutable format. The
        // extended usage lets the view's format have uses that the image's own format lacks.
        if reinterpreted {
            flags |= vk::ImageCreateFlags::MUTABLE_FORMAT | vk::ImageCreateFlags::EXTENDED_USAGE;
        }
        let single = texture.samples <= 1;
        // Any such texture may be viewed as a cube (VUID-VkImageViewCreateInfo-image-01003). The
        // conditions are those of VUID-VkImageCreateInfo-imageType-00954 and
        // VUID-VkImageCreateInfo-samples-02257.
        if texture.dimension == Dimension::D2
            && texture.width == texture.height
            && texture.layers >= 6
            && single
        {
            flags |= vk::ImageCreateFlags::CUBE_COMPATIBLE;
        }
        if texture.dimension == Dimension::D3 && usage.contains(U::COLOR_ATTACHMENT) {
            // Draws go to its slices, through 2D views (VUID-VkImageViewCreateInfo-image-06723).
            flags |= vk::ImageCreateFlags::TYPE_2D_ARRAY_COMPATIBLE;
        }
        let image_type = match texture.dimension {
            Dimension::D1 => vk::ImageType::TYPE_1D,
            Dimension::D2 => vk::ImageType::TYPE_2D,
            Dimension::D3 => vk::ImageType::TYPE_3D,
        };
        // The limits depend on the combination of format, type, use and flags; those of the device
        // alone would promise too much.
        // SAFETY: `physical` is the device's.
        let limits = unsafe {
            gpu.instance
                .raw
                .get_physical_device_image_format_properties(
                    gpu.physical,
                    format,
                    image_type,
                    vk::ImageTiling::OPTIMAL,
                    usage,
                    flags,
                )
        }
        .map_err(|_| {
            Error::Unsupported(format!(
                "textures of format {} with the uses this job needs",
                texture.format
            ))
        })?;
        let largest = limits.max_extent;
        let samples = vk::SampleCountFlags::from_raw(texture.samples.max(1));
        let fits = texture.width <= largest.width
            && texture.height <= largest.height
            && texture.depth <= largest.depth
            && texture.layers <= limits.max_array_layers
            && texture.mips <= limits.max_mip_levels
            && limits.sample_counts.contains(samples)
            && texture.samples.max(1).is_power_of_two();
        // VUID-VkImageCreateInfo-extent-00944 and the ones after it forbid images without texels.
        let empty = [
            texture.width,
            texture.height,
            texture.depth,
            texture.layers,
            texture.mips,
        ]
        .contains(&0);
        if empty || !fits {
            return Err(Error::Unsupported(format!(
                "a texture of {}x{}x{}, {} layer(s), {} mip(s) and {} sample(s) (at most {}x{}x{}, {} layers, {} mips)",
                texture.width,
                texture.height,
                texture.depth,
                texture.layers,
                texture.mips,
                texture.samples,
                largest.width,
                largest.height,
                largest.depth,
                limits.max_array_layers,
                limits.max_mip_levels,
            )));
        }
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(image_type)
            .format(format)
            .extent(vk::Extent3D {
                width: texture.width,
                height: texture.height,
                depth: texture.depth,
            })
            .mip_levels(texture.mips)
            .array_layers(texture.layers)
            .samples(samples)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        // SAFETY: the device said that it takes images of this kind and size.
        let raw = unsafe { gpu.raw.create_image(&info, None) }.map_err(api("vkCreateImage"))?;
        let mut image = Image {
            gpu: Arc::clone(gpu),
            raw,
            memory: vk::DeviceMemory::null(),
            format: texture.format,
            layers: texture.layers,
            usage,
        };
        // SAFETY: the image belongs to this device.
        let needs = unsafe { gpu.raw.get_image_memory_requirements(raw) };
        if let Some(tiles) = mapped_tiles {
            image.memory = sparse::bind_image(gpu, raw, &needs, texture, tiles)?;
            return Ok(image);
        }
        image.memory = gpu.allocate_memory(
            vk::MemoryAllocateInfo::default().allocation_size(needs.size),
            needs.memory_type_bits,
            vk::MemoryPropertyFlags::empty(),
            vk::MemoryPropertyFlags::DEVICE_LOCAL,
        )?;
        // SAFETY: image and memory are new, and the memory has the size and type asked for.
        unsafe { gpu.raw.bind_image_memory(raw, image.memory, 0) }
            .map_err(api("vkBindImageMemory"))?;
        Ok(image)
    }

    /// Returns the aspects that a copy or barrier names.
    pub(super) fn aspects(&self) -> vk::ImageAspectFlags {
        aspects_of(self.format)
    }
}

/// Returns the aspects of an image of that format.
pub(super) fn aspects_of(format: Format) -> vk::ImageAspectFlags {
    match format {
        Format::D16Unorm | Format::D32Float => vk::ImageAspectFlags::DEPTH,
        Format::D24UnormS8Uint | Format::D32FloatS8Uint => {
            vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL
        }
        _ => vk::ImageAspectFlags::COLOR,
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        if self.gpu.is_stuck() {
            return;
        }
        // SAFETY: the device does not use them any more; both belong to it.
        unsafe {
            self.gpu.raw.destroy_image(self.raw, None);
            self.gpu.raw.free_memory(self.memory, None);
        }
    }
}

macro_rules! owned {
    ($($(#[$doc:meta])* $name:ident($raw:ty) by $destroy:ident;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name {
            gpu: Arc<Gpu>,
            pub(super) raw: $raw,
        }

        impl $name {
            /// Takes ownership of a handle of that device.
            pub(super) fn own(gpu: &Arc<Gpu>, raw: $raw) -> Self {
                $name { gpu: Arc::clone(gpu), raw }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if !self.gpu.is_stuck() {
                    // SAFETY: it belongs to the device, which does not use it any more.
                    unsafe { self.gpu.raw.$destroy(self.raw, None) };
                }
            }
        }
    )*};
}

owned! {
    /// A view of an image.
    ImageView(vk::ImageView) by destroy_image_view;
    /// A typed view of a buffer.
    TexelView(vk::BufferView) by destroy_buffer_view;
    /// A sampler.
    SamplerState(vk::Sampler) by destroy_sampler;
    /// The driver's data for pipelines.
    DriverCache(vk::PipelineCache) by destroy_pipeline_cache;
    /// A descriptor pool with its sets.
    DescriptorPool(vk::DescriptorPool) by destroy_descriptor_pool;
    /// A descriptor set layout.
    DescriptorSetLayout(vk::DescriptorSetLayout) by destroy_descriptor_set_layout;
    /// A pipeline layout.
    PipelineLayout(vk::PipelineLayout) by destroy_pipeline_layout;
    /// A shader module.
    ShaderModule(vk::ShaderModule) by destroy_shader_module;
    /// A pipeline.
    RawPipeline(vk::Pipeline) by destroy_pipeline;
    /// A command pool with its buffers.
    CommandPool(vk::CommandPool) by destroy_command_pool;
    /// A query pool.
    QueryPool(vk::QueryPool) by destroy_query_pool;
}

/// Makes a sampler.
pub(super) fn create_sampler(gpu: &Arc<Gpu>, sampler: &Sampler) -> Result<SamplerState> {
    with_sampler_info(gpu, sampler, |info| {
        // SAFETY: the features that the sampler uses were checked.
        let raw = unsafe { gpu.raw.create_sampler(info, None) }.map_err(api("vkCreateSampler"))?;
        Ok(SamplerState::own(gpu, raw))
    })
}

/// Calls `make` with the description of a sampler.
pub(super) fn with_sampler_info<R>(
    gpu: &Gpu,
    sampler: &Sampler,
    make: impl FnOnce(&vk::SamplerCreateInfo<'_>) -> Result<R>,
) -> Result<R> {
    use crate::job::{AddressMode, Reduction};
    let able = &gpu.abilities;
    if sampler.address.contains(&AddressMode::MirrorOnce) && !able.mirror_once {
        return Err(Error::Unsupported("mirror-once addressing".into()));
    }
    if sampler.reduction != Reduction::Average && !able.reductions {
        return Err(Error::Unsupported("minimum and maximum filters".into()));
    }
    let mut reduction = vk::SamplerReductionModeCreateInfo::default()
        .reduction_mode(conv::reduction(sampler.reduction));
    let [u, v, w] = sampler.address.map(conv::address_mode);
    let anisotropic = sampler.anisotropy > 1 && able.anisotropy;
    use vk::BorderColor as B;
    // The six colours that every device has. All others need `VK_EXT_custom_border_color`.
    let fixed = match (sampler.border, sampler.integer_border) {
        ([0.0, 0.0, 0.0, 0.0], false) => Some(B::FLOAT_TRANSPARENT_BLACK),
        ([0.0, 0.0, 0.0, 1.0], false) => Some(B::FLOAT_OPAQUE_BLACK),
        ([1.0, 1.0, 1.0, 1.0], false) => Some(B::FLOAT_OPAQUE_WHITE),
        ([0.0, 0.0, 0.0, 0.0], true) => Some(B::INT_TRANSPARENT_BLACK),
        ([0.0, 0.0, 0.0, 1.0], true) => Some(B::INT_OPAQUE_BLACK),
        ([1.0, 1.0, 1.0, 1.0], true) => Some(B::INT_OPAQUE_WHITE),
        _ => None,
    };
    let uses_border = sampler.address.contains(&AddressMode::Border);
    let mut custom = vk::SamplerCustomBorderColorCreateInfoEXT::default()
        .custom_border_color(if sampler.integer_border {
            vk::ClearColorValue {
                uint32: sampler.border.map(|value| value as u32),
            }
        } else {
            vk::ClearColorValue {
                float32: sampler.border,
            }
        })
        // The sampler's views are not known here, so the colour has no format
        // (VUID-VkSamplerCustomBorderColorCreateInfoEXT-format-04014; `Abilities::border_colors`
        // includes the feature).
        .format(vk::Format::UNDEFINED);
    let mut info = vk::SamplerCreateInfo::default()
        .mag_filter(conv::filter(sampler.mag_filter))
        .min_filter(conv::filter(sampler.min_filter))
        .mipmap_mode(conv::mipmap_mode(sampler.mip_filter))
        .address_mode_u(u)
        .address_mode_v(v)
        .address_mode_w(w)
        // VUID-VkSamplerCreateInfo-mipLodBias-01069 bounds the bias by the device's limit, while
        // D3D12 takes any value.
        .mip_lod_bias(sampler.lod_bias.clamp(
            -gpu.limits.max_sampler_lod_bias,
            gpu.limits.max_sampler_lod_bias,
        ))
        .anisotropy_enable(anisotropic)
        .max_anisotropy(
            (sampler.anisotropy as f32).clamp(1.0, gpu.limits.max_sampler_anisotropy.max(1.0)),
        )
        .compare_enable(sampler.comparison.is_some())
        .compare_op(
            sampler
                .comparison
                .map_or(vk::CompareOp::NEVER, conv::compare_op),
        )
        .min_lod(sampler.min_lod)
        // VUID-VkSamplerCreateInfo-maxLod-01973: the maximum is not less than the minimum.
        .max_lod(sampler.max_lod.max(sampler.min_lod));
    if sampler.reduction != Reduction::Average {
        info = info.push_next(&mut reduction);
    }
    match fixed {
        Some(color) => info = info.border_color(color),
        // Without border addressing no fetch returns the colour, so the device need not have it.
        None if !uses_border => {}
        // A sampler in a heap would need an index of a registered colour.
        None if able.border_colors && gpu.heaps.is_none() => {
            info = info
                .border_color(if sampler.integer_border {
                    B::INT_CUSTOM_EXT
                } else {
                    B::FLOAT_CUSTOM_EXT
                })
                .push_next(&mut custom);
        }
        None => {
            return Err(Error::Unsupported(format!(
                "the border colour {:?}",
                sampler.border
            )));
        }
    }
    make(&info)
}
