//! Contents of resources to the device and back, through staging buffers.
//!
//! A format with depth and stencil travels as two planes, as Vulkan copies one aspect at a time; a
//! job's bytes hold both in one texel, as D3D12 does.

use std::sync::Arc;

use ash::vk;

use super::commands::Commands;
use super::gpu::Gpu;
use super::memory::{Buffer, Image, MemoryLocation};
use super::sparse;
use super::storage::DeviceStorage;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Resource, Storage, Texture};

/// Offset alignment of a subresource in a staging buffer, in bytes. `bufferOffset` must be a
/// multiple of the texel block's size (VUID-vkCmdCopyBufferToImage-pRegions-07273), of 4 for depth
/// and stencil (VUID-vkCmdCopyBufferToImage-srcImage-04053): 16 is one of each size that is a power
/// of two.
const SUBRESOURCE_ALIGNMENT: u64 = 16;

/// Returns the bytes of a buffer that have memory: all but those of a reserved buffer's last tiles.
fn with_memory<'a>(resource: &Resource, bytes: &'a [u8]) -> &'a [u8] {
    // The device drops writes to tiles without memory, so their bytes need not be copied.
    let mapped = resource.mapped_tiles.map_or(bytes.len(), |tiles| {
        sparse::mapped_bytes(tiles, bytes.len() as u64) as usize
    });
    bytes.get(..mapped).unwrap_or(bytes)
}

/// Records the upload of a resource's first contents; the staging buffers must live until it is
/// done.
pub(super) fn upload(
    gpu: &Arc<Gpu>,
    commands: &Commands,
    resource: &Resource,
    target: &DeviceStorage,
    staging: &mut Vec<Buffer>,
) -> Result<()> {
    let source = vk::BufferUsageFlags::TRANSFER_SRC;
    match (&resource.storage, target) {
        (Storage::Buffer(bytes), DeviceStorage::Buffer(buffer))
            if !with_memory(resource, bytes).is_empty() =>
        {
            let bytes = with_memory(resource, bytes);
            let from = Buffer::with_bytes(gpu, bytes, source, MemoryLocation::Upload)?;
            let region = [vk::BufferCopy {
                src_offset: 0,
                dst_offset: 0,
                size: bytes.len() as u64,
            }];
            // SAFETY: both buffers have that many bytes and live until the commands are done.
            unsafe {
                gpu.raw
                    .cmd_copy_buffer(commands.raw, from.raw, buffer.raw, &region);
            }
            staging.push(from);
        }
        (Storage::Texture(texture), DeviceStorage::Image(image)) => {
            commands.make_general(image);
            if texture.samples > 1 {
                clear_multisampled(gpu, commands, texture, image)?;
                return Ok(());
            }
            let places = subresources(texture);
            let total = places.last().map_or(0, |p| p.staging + p.bytes);
            let mut bytes = vec![0u8; total as usize];
            for place in &places {
                if let Some(from) = texture.data.get(place.packed_range()) {
                    place
                        .plane
                        .take(texture.format, from, &mut bytes[place.staging_range()]);
                }
            }
            let from = Buffer::with_bytes(gpu, &bytes, source, MemoryLocation::Upload)?;
            let regions = copy_regions(texture, &places);
            // SAFETY: the regions lie inside of buffer and image; both live until the commands
            // are done.
            unsafe {
                gpu.raw.cmd_copy_buffer_to_image(
                    commands.raw,
                    from.raw,
                    image.raw,
                    vk::ImageLayout::GENERAL,
                    &regions,
                );
            }
            staging.push(from);
        }
        _ => {}
    }
    Ok(())
}

/// Clears a multisampled image, which cannot be copied to, to zero.
fn clear_multisampled(
    gpu: &Gpu,
    commands: &Commands,
    texture: &Texture,
    image: &Image,
) -> Result<()> {
    if texture.data.iter().any(|byte| *byte != 0) {
        return Err(Error::Unsupported(
            "first contents of a multisampled texture (only zero)".into(),
        ));
    }
    // The draw clears or loads depth; `vkCmdClearColorImage` takes colour aspects only
    // (VUID-vkCmdClearColorImage-aspectMask-02498).
    if texture.format.is_depth() {
        return Ok(());
    }
    let range = [vk::ImageSubresourceRange {
        aspect_mask: image.aspects(),
        base_mip_level: 0,
        level_count: vk::REMAINING_MIP_LEVELS,
        base_array_layer: 0,
        layer_count: vk::REMAINING_ARRAY_LAYERS,
    }];
    // SAFETY: the image is alive, in the general layout, and a colour image.
    unsafe {
        gpu.raw.cmd_clear_color_image(
            commands.raw,
            image.raw,
            vk::ImageLayout::GENERAL,
            &vk::ClearColorValue::default(),
            &range,
        );
    }
    Ok(())
}

/// The part of a texel that a plane holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plane {
    /// All of a colour format.
    Color,
    /// The depth.
    Depth,
    /// The stencil, where the format has one.
    Stencil,
}

impl Plane {
    /// Returns the planes of a format.
    fn of(format: Format) -> &'static [Plane] {
        match format {
            Format::D16Unorm | Format::D32Float => &[Plane::Depth],
            Format::D24UnormS8Uint | Format::D32FloatS8Uint => &[Plane::Depth, Plane::Stencil],
            _ => &[Plane::Color],
        }
    }

    fn aspect(self) -> vk::ImageAspectFlags {
        match self {
            Plane::Color => vk::ImageAspectFlags::COLOR,
            Plane::Depth => vk::ImageAspectFlags::DEPTH,
            Plane::Stencil => vk::ImageAspectFlags::STENCIL,
        }
    }

    /// Returns the bytes of the plane's part of a texel in a staging buffer, of a format with depth
    /// and stencil its offset in the texel as well. Vulkan copies 24 bits of depth as the low bits
    /// of a word.
    fn part(self, format: Format) -> Option<(usize, usize)> {
        match (self, format) {
            (Plane::Depth, Format::D24UnormS8Uint | Format::D32FloatS8Uint) => Some((0, 4)),
            (Plane::Stencil, Format::D24UnormS8Uint) => Some((3, 1)),
            (Plane::Stencil, Format::D32FloatS8Uint) => Some((4, 1)),
            _ => None,
        }
    }

    /// Copies the plane out of packed texels.
    fn take(self, format: Format, packed: &[u8], plane: &mut [u8]) {
        let Some((offset, bytes)) = self.part(format) else {
            plane.copy_from_slice(packed);
            return;
        };
        let texels = packed.chunks_exact(format.block_bytes() as usize);
        for (texel, part) in texels.zip(plane.chunks_exact_mut(bytes)) {
            part.copy_from_slice(&texel[offset..offset + bytes]);
            // The depth travels as a word whose top byte is undefined (Vulkan specification,
            // "Copies", buffer to image): it must not carry the stencil along.
            if format == Format::D24UnormS8Uint && bytes == 4 {
                part[3] = 0;
            }
        }
    }

    /// Copies the plane into packed texels.
    fn put(self, format: Format, plane: &[u8], packed: &mut [u8]) {
        let Some((offset, bytes)) = self.part(format) else {
            packed.copy_from_slice(plane);
            return;
        };
        // The fourth byte of the packed texel is the stencil's, and what was read there is
        // undefined.
        let used = match format {
            Format::D24UnormS8Uint => bytes.min(3),
            _ => bytes,
        };
        let texels = packed.chunks_exact_mut(format.block_bytes() as usize);
        for (texel, part) in texels.zip(plane.chunks_exact(bytes)) {
            texel[offset..offset + used].copy_from_slice(&part[..used]);
        }
    }
}

/// One plane of a mip of a layer: its place in packed data and in a staging buffer.
struct Subresource {
    plane: Plane,
    mip: u32,
    layer: u32,
    packed: u64,
    packed_bytes: u64,
    staging: u64,
    bytes: u64,
}

impl Subresource {
    fn packed_range(&self) -> std::ops::Range<usize> {
        self.packed as usize..(self.packed + self.packed_bytes) as usize
    }

    fn staging_range(&self) -> std::ops::Range<usize> {
        self.staging as usize..(self.staging + self.bytes) as usize
    }
}

fn subresources(texture: &Texture) -> Vec<Subresource> {
    let mut list = Vec::new();
    let (mut packed, mut staging) = (0u64, 0u64);
    let texel_bytes = u64::from(texture.format.block_bytes());
    // The offset must be a multiple of the texel's size too, and 12 does not divide 16: 48 is the
    // least common multiple.
    let alignment = match texel_bytes {
        12 => SUBRESOURCE_ALIGNMENT * 3,
        _ => SUBRESOURCE_ALIGNMENT,
    };
    for layer in 0..texture.layers {
        for mip in 0..texture.mips {
            let packed_bytes = texture.mip_bytes(mip);
            // One region for each aspect: VUID-VkBufferImageCopy-aspectMask-00212.
            for plane in Plane::of(texture.format) {
                let part = plane.part(texture.format);
                let bytes = part.map_or(packed_bytes, |(_, part)| {
                    packed_bytes / texel_bytes * part as u64
                });
                list.push(Subresource {
                    plane: *plane,
                    mip,
                    layer,
                    packed,
                    packed_bytes,
                    staging,
                    bytes,
                });
                staging = (staging + bytes).next_multiple_of(alignment);
            }
            packed += packed_bytes;
        }
    }
    list
}

fn copy_regions(texture: &Texture, places: &[Subresource]) -> Vec<vk::BufferImageCopy> {
    places
        .iter()
        .map(|place| {
            let [width, height, depth] = texture.mip_size(place.mip);
            vk::BufferImageCopy::default()
                .buffer_offset(place.staging)
                .image_subresource(vk::ImageSubresourceLayers {
                    aspect_mask: place.plane.aspect(),
                    mip_level: place.mip,
                    base_array_layer: place.layer,
                    layer_count: 1,
                })
                .image_extent(vk::Extent3D {
                    width,
                    height,
                    depth,
                })
        })
        .collect()
}

/// Records the copy of a resource into a buffer that the host reads.
pub(super) fn record_read_back(
    gpu: &Arc<Gpu>,
    commands: &Commands,
    storage: &Storage,
    source: &DeviceStorage,
) -> Result<Buffer> {
    let usage = vk::BufferUsageFlags::TRANSFER_DST;
    match (storage, source) {
        (Storage::Texture(texture), DeviceStorage::Image(image)) => {
            if texture.samples > 1 {
                return Err(Error::Unsupported(
                    "reading a multisampled texture back".into(),
                ));
            }
            let places = subresources(texture);
            let total = places.last().map_or(0, |p| p.staging + p.bytes);
            let buffer = Buffer::new(gpu, total, usage, MemoryLocation::ReadBack)?;
            let regions = copy_regions(texture, &places);
            // SAFETY: the regions lie inside of image and buffer; both live until the commands
            // are done.
            unsafe {
                gpu.raw.cmd_copy_image_to_buffer(
                    commands.raw,
                    image.raw,
                    vk::ImageLayout::GENERAL,
                    buffer.raw,
                    &regions,
                );
            }
            Ok(buffer)
        }
        (Storage::Buffer(bytes), DeviceStorage::Buffer(from)) => {
            let size = bytes.len() as u64;
            let buffer = Buffer::new(gpu, size, usage, MemoryLocation::ReadBack)?;
            if size > 0 {
                let region = [vk::BufferCopy {
                    src_offset: 0,
                    dst_offset: 0,
                    size,
                }];
                // SAFETY: both buffers have that many bytes and live until the commands are done.
                unsafe {
                    gpu.raw
                        .cmd_copy_buffer(commands.raw, from.raw, buffer.raw, &region);
                }
            }
            Ok(buffer)
        }
        _ => Err(Error::BadJob("a resource changed its kind".into())),
    }
}

/// Returns the bytes of a resource out of its read-back buffer, tightly packed.
pub(super) fn read_bytes(resource: &Resource, buffer: &Buffer) -> Result<Vec<u8>> {
    match &resource.storage {
        Storage::Buffer(bytes) => {
            let mut read = buffer.read(bytes.len() as u64)?;
            // Tiles without memory read as zero (D3D11.3 functional specification, 5.9.4.1); what
            // the device copied from there may be anything unless it has
            // `residencyNonResidentStrict`.
            let mapped = with_memory(resource, bytes).len();
            if let Some(rest) = read.get_mut(mapped..) {
                rest.fill(0);
            }
            Ok(read)
        }
        Storage::Texture(texture) => {
            let places = subresources(texture);
            let all = buffer.read(buffer.size)?;
            let mut packed = vec![0; texture.total_bytes() as usize];
            for place in &places {
                let target = &mut packed[place.packed_range()];
                place
                    .plane
                    .put(texture.format, &all[place.staging_range()], target);
            }
            Ok(packed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_come_apart_and_together() {
        for format in [Format::D24UnormS8Uint, Format::D32FloatS8Uint] {
            let size = format.block_bytes() as usize;
            let mut texels: Vec<u8> = (1..=2 * size as u8).collect();
            if format == Format::D32FloatS8Uint {
                // Bytes that no plane holds.
                texels[5..8].fill(0);
                texels[13..16].fill(0);
            }
            let mut back = vec![0; texels.len()];
            for plane in Plane::of(format) {
                let (_, bytes) = plane.part(format).unwrap();
                let mut part = vec![0; bytes * 2];
                plane.take(format, &texels, &mut part);
                plane.put(format, &part, &mut back);
            }
            assert_eq!(back, texels, "{format}");
        }
    }
}
