//! Resources on the device: what they hold at first, and what they hold afterwards.
//!
//! A format with depth and stencil is copied one aspect at a time; a job's bytes hold both in one
//! texel.

use std::time::Duration;

use super::bind::DeviceStorage;
use super::conv;
use super::depth;
use super::gpu::Gpu;
use super::rows::{Rows, place};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Dimension, Job, ResourceView, Storage, Texture, Work};

pub(super) fn create(
    gpu: &Gpu,
    job: &Job,
    index: usize,
    storage: &Storage,
) -> Result<DeviceStorage> {
    match storage {
        Storage::Buffer(bytes) => {
            use wgpu::BufferUsages as U;
            // wgpu copies whole words, and makes no empty buffers.
            let size = (bytes.len() as u64).next_multiple_of(4).max(4);
            let limits = gpu.device.limits();
            if size > limits.max_buffer_size {
                return Err(Error::Limit {
                    what: "bytes of a buffer",
                    need: size,
                    limit: limits.max_buffer_size,
                });
            }
            let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage: U::COPY_SRC
                    | U::COPY_DST
                    | U::STORAGE
                    | U::UNIFORM
                    | U::INDIRECT
                    | U::VERTEX
                    | U::INDEX,
                mapped_at_creation: false,
            });
            let mut padded = bytes.clone();
            padded.resize(size as usize, 0);
            gpu.queue.write_buffer(&buffer, 0, &padded);
            Ok(DeviceStorage::Buffer(buffer))
        }
        Storage::Texture(texture) => {
            if !texture.data.is_empty() && texture.data.len() as u64 != texture.total_bytes() {
                return Err(Error::BadJob(format!(
                    "a texture has {} bytes of data and needs {}",
                    texture.data.len(),
                    texture.total_bytes()
                )));
            }
            create_texture(gpu, job, index, texture).map(DeviceStorage::Texture)
        }
    }
}

fn create_texture(gpu: &Gpu, job: &Job, index: usize, texture: &Texture) -> Result<wgpu::Texture> {
    let format = conv::format(texture.format)?;
    let allowed = gpu
        .adapter
        .get_texture_format_features(format)
        .allowed_usages;
    let mut usage = wgpu::TextureUsages::COPY_SRC
        | wgpu::TextureUsages::COPY_DST
        | wgpu::TextureUsages::TEXTURE_BINDING;
    if texture.samples <= 1 {
        usage |= wgpu::TextureUsages::STORAGE_BINDING;
        // Only naga's layouts ask for atomic access; see `layout::storage_texture`.
        if !gpu.passthrough {
            usage |= wgpu::TextureUsages::STORAGE_ATOMIC;
        }
    }
    if texture.samples > 1 {
        // wgpu wants multisampled textures to be render targets, and cannot copy them.
        usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT;
    }
    // Depth textures are always render targets: their first contents are drawn (`depth::fill`).
    if draws_to(job, index) || texture.format.is_depth() {
        usage |= wgpu::TextureUsages::RENDER_ATTACHMENT;
    }
    if texture.dimension == Dimension::D1 && texture.layers > 1 {
        return Err(Error::Unsupported(
            "layers of 1D textures (wgpu has none)".into(),
        ));
    }
    // wgpu wants the formats of all views to be named when the texture is made.
    let mut view_formats = Vec::new();
    for binding in &job.bindings {
        if let ResourceView::Texture(view) = &binding.view
            && view.resource.0 == index
            && let Some(other) = view.format.filter(|f| *f != texture.format)
        {
            view_formats.push(conv::format(other)?);
        }
    }
    let raw = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d {
            width: texture.width,
            height: texture.height,
            // A texture is 3D or has layers, never both; the other number is 1.
            depth_or_array_layers: texture.depth.max(texture.layers),
        },
        mip_level_count: texture.mips,
        sample_count: texture.samples.max(1),
        dimension: conv::dimension(texture.dimension),
        format,
        // A use that the format lacks would be an error, also if no view needs it.
        usage: usage & allowed,
        view_formats: &view_formats,
    });
    if texture.samples > 1 {
        if texture.data.iter().any(|byte| *byte != 0) {
            return Err(Error::Unsupported(
                "first contents of a multisampled texture (only zero)".into(),
            ));
        }
        return Ok(raw);
    }
    // wgpu cannot copy into the depth aspect of a format with float depth.
    let copies_no_depth = matches!(texture.format, Format::D32Float | Format::D32FloatS8Uint);
    if copies_no_depth && !texture.data.is_empty() {
        depth::fill(gpu, &raw, texture);
        return Ok(raw);
    }
    // wgpu initializes textures to zero by itself.
    let mut at = 0usize;
    for layer in 0..texture.layers {
        for mip in 0..texture.mips {
            let bytes = texture.mip_bytes(mip) as usize;
            if let Some(data) = texture.data.get(at..at + bytes).filter(|d| !d.is_empty()) {
                let rows = Rows::of(texture, mip, texture.format.block_bytes());
                gpu.queue.write_texture(
                    place(&raw, mip, layer),
                    data,
                    rows.packed_layout(),
                    rows.extent,
                );
            }
            at += bytes;
        }
    }
    Ok(raw)
}

/// Returns whether the job draws to a resource.
fn draws_to(job: &Job, index: usize) -> bool {
    let Work::Draw(draw) = &job.work else {
        return false;
    };
    let mut targets = draw.targets.iter().chain(&draw.depth);
    targets.any(|target| {
        target.resource.0 == index || target.resolve.is_some_and(|resolve| resolve.0 == index)
    })
}

/// One aspect of a format: its bytes in a buffer, and its offset in a job's texel.
struct Plane {
    aspect: wgpu::TextureAspect,
    bytes: u32,
    offset: usize,
}

/// Returns the aspects of a format, which are copied one at a time.
fn planes(format: Format) -> Vec<Plane> {
    let plane = |aspect, bytes, offset| Plane {
        aspect,
        bytes,
        offset,
    };
    match format {
        Format::D32FloatS8Uint => vec![
            plane(wgpu::TextureAspect::DepthOnly, 4, 0),
            plane(wgpu::TextureAspect::StencilOnly, 1, 4),
        ],
        _ => vec![plane(wgpu::TextureAspect::All, format.block_bytes(), 0)],
    }
}

pub(super) fn read_buffer(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: size.next_multiple_of(4).max(4),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    })
}

pub(super) fn record_read_back(
    gpu: &Gpu,
    encoder: &mut wgpu::CommandEncoder,
    storage: &Storage,
    source: &DeviceStorage,
) -> Result<wgpu::Buffer> {
    match (storage, source) {
        (Storage::Buffer(_), DeviceStorage::Buffer(buffer)) => {
            let target = read_buffer(gpu, buffer.size());
            encoder.copy_buffer_to_buffer(buffer, 0, &target, 0, buffer.size());
            Ok(target)
        }
        (Storage::Texture(texture), DeviceStorage::Texture(raw)) => {
            if texture.samples > 1 {
                return Err(Error::Unsupported(
                    "reading a multisampled texture back".into(),
                ));
            }
            let planes = planes(texture.format);
            let subresources =
                || (0..texture.mips).flat_map(|mip| planes.iter().map(move |p| (mip, p)));
            let layer_bytes: u64 = subresources()
                .map(|(mip, plane)| Rows::of(texture, mip, plane.bytes).padded_total())
                .sum();
            let target = read_buffer(gpu, layer_bytes * u64::from(texture.layers));
            let mut offset = 0;
            for layer in 0..texture.layers {
                for (mip, plane) in subresources() {
                    let rows = Rows::of(texture, mip, plane.bytes);
                    encoder.copy_texture_to_buffer(
                        wgpu::TexelCopyTextureInfo {
                            aspect: plane.aspect,
                            ..place(raw, mip, layer)
                        },
                        wgpu::TexelCopyBufferInfo {
                            buffer: &target,
                            layout: wgpu::TexelCopyBufferLayout {
                                offset,
                                bytes_per_row: Some(rows.padded),
                                rows_per_image: Some(rows.count),
                            },
                        },
                        rows.extent,
                    );
                    offset += rows.padded_total();
                }
            }
            Ok(target)
        }
        _ => Err(Error::BadJob("a resource changed its kind".into())),
    }
}

/// Returns the bytes of a mappable buffer, once the device has written it.
pub(super) fn read(gpu: &Gpu, buffer: &wgpu::Buffer) -> Result<Vec<u8>> {
    let (send, receive) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver waits below. If it is gone, the result is not needed.
        _ = send.send(result);
    });
    // The copy is done, so that one poll delivers the callback, unless another thread's poll
    // delivers it. The timeout is for a callback that never comes.
    let failed = |reason: String| {
        if gpu.is_lost() {
            Error::DeviceLost
        } else {
            Error::Api {
                call: "wgpu map_async",
                reason,
            }
        }
    };
    let poll = gpu.poll(wgpu::PollType::Poll)?;
    poll.map_err(|error| failed(error.to_string()))?;
    receive
        .recv_timeout(Duration::from_secs(10))
        .map_err(|error| failed(error.to_string()))?
        .map_err(|error| failed(error.to_string()))?;
    let range = buffer
        .get_mapped_range(..)
        .map_err(|error| failed(error.to_string()))?;
    let bytes = range.to_vec();
    drop(range);
    buffer.unmap();
    Ok(bytes)
}

/// Takes the padding out of what was read back.
pub(super) fn unpack(storage: &Storage, bytes: &[u8]) -> Vec<u8> {
    match storage {
        Storage::Buffer(original) => bytes.get(..original.len()).unwrap_or(bytes).to_vec(),
        Storage::Texture(texture) => {
            let mut packed = vec![0; texture.total_bytes() as usize];
            let texel = texture.format.block_bytes() as usize;
            let (mut from, mut to) = (bytes, packed.as_mut_slice());
            for _ in 0..texture.layers {
                for mip in 0..texture.mips {
                    let (this, after) = to.split_at_mut(texture.mip_bytes(mip) as usize);
                    to = after;
                    for plane in planes(texture.format) {
                        let rows = Rows::of(texture, mip, plane.bytes);
                        let (padded, after) = from.split_at(rows.padded_total() as usize);
                        from = after;
                        let texels = padded.chunks_exact(rows.padded as usize).flat_map(|row| {
                            row[..rows.bytes as usize].chunks_exact(plane.bytes as usize)
                        });
                        for (texel, part) in this.chunks_exact_mut(texel).zip(texels) {
                            texel[plane.offset..plane.offset + part.len()].copy_from_slice(part);
                        }
                    }
                }
            }
            packed
        }
    }
}
