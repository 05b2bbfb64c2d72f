//! Reserved resources: buffers and textures whose first tiles have memory, and whose others have
//! none.
//!
//! D3D12's tiles are 64 KiB and numbered along rows, mip after mip; the mips of the packed tail
//! come last. Vulkan's standard block shapes are the same.

use ash::vk;

use super::gpu::Gpu;
use crate::error::{Error, Result};
use crate::job::{Dimension, Texture};

/// Bytes of a tile.
pub(super) const TILE: u64 = 1 << 16;

/// Returns the number of bytes of a buffer that have memory.
pub(super) fn mapped_bytes(tiles: u32, size: u64) -> u64 {
    size.min(u64::from(tiles) * TILE)
}

/// Refuses what the device cannot do.
pub(super) fn check(gpu: &Gpu, texture: Option<&Texture>) -> Result<()> {
    let core = &gpu.abilities.core;
    let can = gpu.abilities.sparse_binding
        && core.sparse_binding != 0
        && match texture.map(|texture| texture.dimension) {
            None => core.sparse_residency_buffer != 0,
            Some(Dimension::D2) => core.sparse_residency_image2_d != 0,
            Some(Dimension::D3) => core.sparse_residency_image3_d != 0,
            Some(Dimension::D1) => false,
        };
    if !can {
        let what = if texture.is_some() {
            "textures"
        } else {
            "buffers"
        };
        return Err(Error::Unsupported(format!("reserved {what}")));
    }
    if texture.is_some_and(|texture| texture.samples > 1) {
        return Err(Error::Unsupported(
            "reserved textures with several samples".into(),
        ));
    }
    // A warning and no error: many shaders never read such tiles, or ask first
    // (`CheckAccessFullyMapped`).
    if !gpu.abilities.strict_residency {
        log::warn!("reads of tiles without memory may give anything on this device, not zero");
    }
    Ok(())
}

/// Gives memory to the first tiles of a buffer.
pub(super) fn bind_buffer(
    gpu: &Gpu,
    raw: vk::Buffer,
    needs: &vk::MemoryRequirements,
    tiles: u32,
) -> Result<vk::DeviceMemory> {
    check_alignment(needs)?;
    let size = mapped_bytes(tiles, needs.size);
    if size == 0 {
        // `vkAllocateMemory` takes no size of zero, and a null handle is what `vkFreeMemory`
        // ignores.
        return Ok(vk::DeviceMemory::null());
    }
    let memory = allocate(gpu, needs, size)?;
    let binds = [vk::SparseMemoryBind::default().size(size).memory(memory)];
    let buffers = [vk::SparseBufferMemoryBindInfo::default()
        .buffer(raw)
        .binds(&binds)];
    bind(
        gpu,
        &vk::BindSparseInfo::default().buffer_binds(&buffers),
        memory,
    )
}

/// Gives memory to the first tiles of a texture.
pub(super) fn bind_image(
    gpu: &Gpu,
    raw: vk::Image,
    needs: &vk::MemoryRequirements,
    texture: &Texture,
    tiles: u32,
) -> Result<vk::DeviceMemory> {
    check_alignment(needs)?;
    // SAFETY: the image belongs to this device and is sparse.
    let requirements = unsafe { gpu.raw.get_image_sparse_memory_requirements(raw) };
    // A format with depth and stencil has one layout for each aspect, and possibly metadata
    // besides.
    let [layout] = requirements.as_slice() else {
        return Err(Error::Unsupported(format!(
            "reserved textures of format {}",
            texture.format
        )));
    };
    let properties = layout.format_properties;
    let block = properties.image_granularity;
    let mut binds = Vec::new();
    let mut left = tiles;
    let mut used = 0;
    // Mips from `imageMipTailFirstLod` on are packed, and have no tiles of their own.
    for mip in 0..texture.mips.min(layout.image_mip_tail_first_lod) {
        let [width, height, depth] = texture.mip_size(mip);
        for (z, y, x) in corners([width, height, depth], block) {
            if left == 0 {
                break;
            }
            left -= 1;
            binds.push(vk::SparseImageMemoryBind {
                subresource: vk::ImageSubresource {
                    aspect_mask: properties.aspect_mask,
                    mip_level: mip,
                    array_layer: 0,
                },
                offset: vk::Offset3D {
                    x: x as i32,
                    y: y as i32,
                    z: z as i32,
                },
                extent: vk::Extent3D {
                    // The last block of a row may be cut off by the edge, and only there
                    // (VUID-VkSparseImageMemoryBind-extent-01108 and the ones after it).
                    width: block.width.min(width - x),
                    height: block.height.min(height - y),
                    depth: block.depth.min(depth - z),
                },
                memory_offset: used,
                ..Default::default()
            });
            used += TILE;
        }
    }
    // The tail is one run of tiles after the others. D3D12 maps the packed mips as a whole as
    // well, so that one tile that is left is enough.
    let has_tail = layout.image_mip_tail_first_lod < texture.mips && left > 0;
    let tail_bytes = if has_tail {
        layout.image_mip_tail_size
    } else {
        0
    };
    let total = used + tail_bytes.next_multiple_of(TILE);
    if total == 0 {
        return Ok(vk::DeviceMemory::null());
    }
    let memory = allocate(gpu, needs, total)?;
    // The memory is made last, since its size is known only now.
    for bind in &mut binds {
        bind.memory = memory;
    }
    let tail = [vk::SparseMemoryBind::default()
        .resource_offset(layout.image_mip_tail_offset)
        .size(tail_bytes)
        .memory(memory)
        .memory_offset(used)];
    let images = [vk::SparseImageMemoryBindInfo::default()
        .image(raw)
        .binds(&binds)];
    let opaque = [vk::SparseImageOpaqueMemoryBindInfo::default()
        .image(raw)
        .binds(&tail)];
    // VUID-VkSparseImageMemoryBindInfo-bindCount-arraylength forbids an empty list.
    let mut info = vk::BindSparseInfo::default();
    if !binds.is_empty() {
        info = info.image_binds(&images);
    }
    if has_tail {
        info = info.image_opaque_binds(&opaque);
    }
    bind(gpu, &info, memory)
}

/// Binds memory, which is freed where that fails.
fn bind(
    gpu: &Gpu,
    info: &vk::BindSparseInfo<'_>,
    memory: vk::DeviceMemory,
) -> Result<vk::DeviceMemory> {
    gpu.bind_sparse(info).map(|()| memory).inspect_err(|_| {
        // SAFETY: it was allocated for this binding, which did not come about.
        unsafe { gpu.raw.free_memory(memory, None) };
    })
}

/// Returns the corners of the tiles of a mip, along rows.
fn corners(
    [width, height, depth]: [u32; 3],
    block: vk::Extent3D,
) -> impl Iterator<Item = (u32, u32, u32)> {
    let step = |length: u32, block: u32| (0..length).step_by(block.max(1) as usize);
    step(depth, block.depth).flat_map(move |z| {
        step(height, block.height)
            .flat_map(move |y| step(width, block.width).map(move |x| (z, y, x)))
    })
}

fn check_alignment(needs: &vk::MemoryRequirements) -> Result<()> {
    if needs.alignment == 0 || !TILE.is_multiple_of(needs.alignment) {
        return Err(Error::Unsupported(format!(
            "reserved resources in tiles of 64 KiB (its own have {} bytes)",
            needs.alignment
        )));
    }
    Ok(())
}

fn allocate(gpu: &Gpu, needs: &vk::MemoryRequirements, size: u64) -> Result<vk::DeviceMemory> {
    let mut flags = vk::MemoryAllocateFlagsInfo::default();
    // All buffers of a device with addresses can have one (see `create` in `run.rs`), and then
    // their memory must be allocated for it. Textures share the path; the flag does them no harm.
    if gpu.abilities.device_addresses {
        flags = flags.flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
    }
    let info = vk::MemoryAllocateInfo::default()
        .allocation_size(size)
        .push_next(&mut flags);
    let preferred = vk::MemoryPropertyFlags::DEVICE_LOCAL;
    let needed = vk::MemoryPropertyFlags::empty();
    gpu.allocate_memory(info, needs.memory_type_bits, needed, preferred)
}
