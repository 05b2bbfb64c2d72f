//! One run of a job: upload, bind, dispatch, read back, and time it again if asked.

use std::time::Duration;

use super::bind::{Bound, DeviceStorage, bind};
use super::conv;
use super::device::Gpu;
use super::pipeline::WgpuPipeline;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Job, Outcome, Storage, Texture, View, Work};

/// Runs a job.
pub(super) fn run(pipeline: &WgpuPipeline, job: &Job) -> Result<Outcome> {
    let gpu = &*pipeline.gpu;
    let groups = match job.work {
        Work::Dispatch(groups) => groups,
        Work::DispatchIndirect { .. } => {
            return Err(Error::Unsupported(
                "indirect dispatches through wgpu".into(),
            ));
        }
        Work::Draw(_) => return Err(Error::Unsupported("draws through wgpu".into())),
    };
    let limit = gpu.device.limits().max_compute_workgroups_per_dimension;
    for need in groups {
        if need > limit {
            return Err(Error::Limit {
                what: "thread groups in one direction",
                need: u64::from(need),
                limit: u64::from(limit),
            });
        }
    }
    // Everything up to the submission under one error scope; the wait stands outside, since a
    // scope belongs to a thread and not to the device.
    let (bound, read_backs, counters, submission) = gpu.checked(|| {
        let storages = job
            .resources
            .iter()
            .enumerate()
            .map(|(i, resource)| create(gpu, job, i, &resource.storage))
            .collect::<Result<Vec<_>>>()?;
        let bound = bind(pipeline, job, &storages)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        record(pipeline, &mut encoder, &bound, groups, None);
        let mut read_backs = Vec::with_capacity(storages.len());
        for (resource, storage) in job.resources.iter().zip(&storages) {
            read_backs.push(match resource.read_back {
                true => Some(record_read_back(
                    gpu,
                    &mut encoder,
                    &resource.storage,
                    storage,
                )?),
                false => None,
            });
        }
        let mut counters = Vec::with_capacity(bound.counters.len());
        for (register, buffer) in &bound.counters {
            let target = read_buffer(gpu, 4);
            encoder.copy_buffer_to_buffer(buffer, 0, &target, 0, 4);
            counters.push((*register, target));
        }
        let submission = gpu.queue.submit([encoder.finish()]);
        Ok((bound, read_backs, counters, submission))
    })?;
    gpu.wait(submission)?;

    let mut outcome = Outcome::default();
    for (resource, buffer) in job.resources.iter().zip(&read_backs) {
        outcome.resources.push(match buffer {
            Some(buffer) => Some(unpack(&resource.storage, &read(gpu, buffer)?)),
            None => None,
        });
    }
    for (register, buffer) in &counters {
        let bytes = read(gpu, buffer)?;
        let word = bytes
            .first_chunk::<4>()
            .map_or(0, |b| u32::from_le_bytes(*b));
        outcome.counters.push((*register, word));
    }
    if let Some(timing) = job.timing {
        for i in 0..timing.warm_up + timing.iterations {
            let time = time_dispatch(pipeline, &bound, groups)?;
            if i >= timing.warm_up {
                outcome.timings.push(time);
            }
        }
    }
    Ok(outcome)
}

fn create(gpu: &Gpu, job: &Job, index: usize, storage: &Storage) -> Result<DeviceStorage> {
    match storage {
        Storage::Buffer(bytes) => {
            use wgpu::BufferUsages as U;
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
                usage: U::COPY_SRC | U::COPY_DST | U::STORAGE | U::UNIFORM | U::INDIRECT,
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
    }
    if texture.samples > 1 {
        // wgpu wants multisampled textures to be render targets, and cannot copy them.
        usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT;
    }
    let mut view_formats = Vec::new();
    for binding in &job.bindings {
        if let View::Texture(view) = &binding.view
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
            depth_or_array_layers: texture.depth.max(texture.layers),
        },
        mip_level_count: texture.mips,
        sample_count: texture.samples.max(1),
        dimension: conv::dimension(texture.dimension),
        format,
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
    if texture.format == Format::D32Float && !texture.data.is_empty() {
        return Err(Error::Unsupported(
            "first contents of a D32_FLOAT texture (wgpu copies none)".into(),
        ));
    }
    // Textures start as zero without being told.
    let mut at = 0usize;
    for layer in 0..texture.layers {
        for mip in 0..texture.mips {
            let bytes = texture.mip_bytes(mip) as usize;
            if let Some(data) = texture.data.get(at..at + bytes).filter(|d| !d.is_empty()) {
                let rows = Rows::of(texture, mip);
                gpu.queue.write_texture(
                    place(&raw, mip, layer),
                    data,
                    wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(rows.bytes),
                        rows_per_image: Some(rows.count),
                    },
                    rows.extent,
                );
            }
            at += bytes;
        }
    }
    Ok(raw)
}

fn place(texture: &wgpu::Texture, mip: u32, layer: u32) -> wgpu::TexelCopyTextureInfo<'_> {
    wgpu::TexelCopyTextureInfo {
        texture,
        mip_level: mip,
        origin: wgpu::Origin3d {
            x: 0,
            y: 0,
            z: layer,
        },
        aspect: wgpu::TextureAspect::All,
    }
}

/// Rows of blocks of a mip.
struct Rows {
    /// Bytes of one row, tightly packed.
    bytes: u32,
    /// Bytes of one row in a buffer that textures are copied to.
    padded: u32,
    /// Rows of a slice.
    count: u32,
    /// Slices.
    slices: u32,
    /// Extent of the copy, in whole blocks.
    extent: wgpu::Extent3d,
}

impl Rows {
    fn of(texture: &Texture, mip: u32) -> Self {
        let [width, height, depth] = texture.mip_size(mip);
        let (block_width, block_height) = texture.format.block_size();
        let bytes = width.div_ceil(block_width) * texture.format.block_bytes();
        Rows {
            bytes,
            padded: bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT),
            count: height.div_ceil(block_height),
            slices: depth,
            extent: wgpu::Extent3d {
                width: width.next_multiple_of(block_width),
                height: height.next_multiple_of(block_height),
                depth_or_array_layers: depth,
            },
        }
    }

    fn padded_total(&self) -> u64 {
        u64::from(self.padded) * u64::from(self.count) * u64::from(self.slices)
    }
}

fn read_buffer(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: size.next_multiple_of(4).max(4),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    })
}

fn record_read_back(
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
            let layer_bytes: u64 = (0..texture.mips)
                .map(|mip| Rows::of(texture, mip).padded_total())
                .sum();
            let target = read_buffer(gpu, layer_bytes * u64::from(texture.layers));
            let mut offset = 0;
            for layer in 0..texture.layers {
                for mip in 0..texture.mips {
                    let rows = Rows::of(texture, mip);
                    encoder.copy_texture_to_buffer(
                        place(raw, mip, layer),
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

/// The bytes of a mappable buffer, once the device has written it.
fn read(gpu: &Gpu, buffer: &wgpu::Buffer) -> Result<Vec<u8>> {
    let (send, receive) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver waits below; if it is gone, nobody wants to know.
        _ = send.send(result);
    });
    // The copy is done, so one poll delivers the callback; wait only if another thread polls.
    let failed = |reason: String| Error::Api {
        call: "wgpu map_async",
        reason,
    };
    let poll = gpu.device.poll(wgpu::PollType::Poll);
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
fn unpack(storage: &Storage, bytes: &[u8]) -> Vec<u8> {
    match storage {
        Storage::Buffer(original) => bytes.get(..original.len()).unwrap_or(bytes).to_vec(),
        Storage::Texture(texture) => {
            let mut packed = Vec::with_capacity(texture.total_bytes() as usize);
            let mut rest = bytes;
            for _ in 0..texture.layers {
                for mip in 0..texture.mips {
                    let rows = Rows::of(texture, mip);
                    let (this, after) = rest.split_at(rows.padded_total() as usize);
                    for row in this.chunks_exact(rows.padded as usize) {
                        packed.extend_from_slice(&row[..rows.bytes as usize]);
                    }
                    rest = after;
                }
            }
            packed
        }
    }
}

fn record(
    pipeline: &WgpuPipeline,
    encoder: &mut wgpu::CommandEncoder,
    bound: &Bound,
    groups: [u32; 3],
    queries: Option<&wgpu::QuerySet>,
) {
    let timestamp_writes = queries.map(|query_set| wgpu::ComputePassTimestampWrites {
        query_set,
        beginning_of_pass_write_index: Some(0),
        end_of_pass_write_index: Some(1),
    });
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: None,
        timestamp_writes,
    });
    pass.set_pipeline(&pipeline.pipeline);
    for (number, group) in (0u32..).zip(&bound.groups) {
        pass.set_bind_group(number, group, &[]);
    }
    if !bound.immediates.is_empty() {
        pass.set_immediates(0, &bound.immediates);
    }
    pass.dispatch_workgroups(groups[0], groups[1], groups[2]);
}

/// Runs the dispatch once more between two timestamps.
fn time_dispatch(pipeline: &WgpuPipeline, bound: &Bound, groups: [u32; 3]) -> Result<Duration> {
    let gpu = &*pipeline.gpu;
    if !gpu.has(wgpu::Features::TIMESTAMP_QUERY) {
        return Err(Error::Unsupported("timestamps".into()));
    }
    let (target, submission) = gpu.checked(|| {
        let queries = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty: wgpu::QueryType::Timestamp,
            count: 2,
        });
        let resolved = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 16,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let target = read_buffer(gpu, 16);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        record(pipeline, &mut encoder, bound, groups, Some(&queries));
        encoder.resolve_query_set(&queries, 0..2, &resolved, 0);
        encoder.copy_buffer_to_buffer(&resolved, 0, &target, 0, 16);
        Ok((target, gpu.queue.submit([encoder.finish()])))
    })?;
    gpu.wait(submission)?;
    let bytes = read(gpu, &target)?;
    let tick = |at: usize| {
        bytes
            .get(at..)
            .and_then(|b| b.first_chunk::<8>())
            .map_or(0, |b| u64::from_le_bytes(*b))
    };
    let elapsed = tick(8).wrapping_sub(tick(0)) as f64;
    let nanoseconds = elapsed * f64::from(gpu.queue.get_timestamp_period());
    Ok(Duration::from_nanos(nanoseconds as u64))
}
