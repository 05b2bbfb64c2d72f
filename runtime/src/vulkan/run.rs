//! One run of a job: upload, bind, dispatch, read back, and time it again if asked.

use std::sync::Arc;
use std::time::Duration;

use ash::vk;

use super::commands::Commands;
use super::conv::api;
use super::descriptors::{BoundSets, DeviceStorage, bind};
use super::device::Gpu;
use super::graphics::Attachments;
use super::memory::{Buffer, Image, Place, QueryPool};
use super::pipeline::VulkanPipeline;
use crate::error::{Error, Result};
use crate::job::{Job, Outcome, Storage, Texture, View, Work};

/// Offset alignment of a subresource in a staging buffer: enough for every format.
const SUBRESOURCE_ALIGNMENT: u64 = 16;

/// Runs a job.
pub(super) fn run(pipeline: &VulkanPipeline, job: &Job) -> Result<Outcome> {
    let gpu = &pipeline.gpu;
    match (&job.work, &pipeline.graphics) {
        (Work::Dispatch(groups), None) => check_groups(gpu, *groups)?,
        (Work::Draw(_), Some(_)) => {}
        (Work::Dispatch(_), Some(_)) => {
            return Err(Error::BadJob(
                "a graphics program draws, it is not dispatched".into(),
            ));
        }
        (Work::Draw(_), None) => {
            return Err(Error::BadJob(
                "a compute program is dispatched, it does not draw".into(),
            ));
        }
    }
    let storages = job
        .resources
        .iter()
        .enumerate()
        .map(|(i, resource)| create(gpu, &resource.storage, is_reinterpreted(job, i)))
        .collect::<Result<Vec<_>>>()?;

    let commands = Commands::begin(gpu)?;
    let mut staging = Vec::new();
    for (resource, storage) in job.resources.iter().zip(&storages) {
        upload(gpu, &commands, &resource.storage, storage, &mut staging)?;
    }
    commands.full_barrier();
    let bound = bind(pipeline, job, &storages)?;
    let attachments = match (&job.work, &pipeline.graphics) {
        (Work::Draw(draw), Some(state)) => {
            Some(Attachments::new(gpu, state, draw, job, &storages)?)
        }
        _ => None,
    };
    record_work(
        pipeline,
        &commands,
        &bound,
        job,
        &storages,
        attachments.as_ref(),
    )?;
    commands.full_barrier();
    let mut read_backs = Vec::with_capacity(storages.len());
    for (resource, storage) in job.resources.iter().zip(&storages) {
        read_backs.push(if resource.read_back {
            Some(record_read_back(
                gpu,
                &commands,
                &resource.storage,
                storage,
            )?)
        } else {
            None
        });
    }
    commands.full_barrier();
    commands.submit_and_wait()?;
    gpu.instance.check_messages()?;

    let mut outcome = Outcome {
        counters: bound.read_counters()?,
        ..Outcome::default()
    };
    for (resource, buffer) in job.resources.iter().zip(read_backs) {
        outcome.resources.push(match buffer {
            Some(buffer) => Some(read_bytes(&resource.storage, &buffer)?),
            None => None,
        });
    }
    if let Some(timing) = job.timing {
        for i in 0..timing.warm_up + timing.iterations {
            let time = time_work(pipeline, &bound, job, &storages, attachments.as_ref())?;
            if i >= timing.warm_up {
                outcome.timings.push(time);
            }
        }
    }
    Ok(outcome)
}

fn check_groups(gpu: &Gpu, groups: [u32; 3]) -> Result<()> {
    for (need, limit) in groups.iter().zip(gpu.limits.max_compute_work_group_count) {
        if *need > limit {
            return Err(Error::Limit {
                what: "thread groups in one direction",
                need: u64::from(*need),
                limit: u64::from(limit),
            });
        }
    }
    Ok(())
}

/// Whether a view sees a texture in another format than its own.
fn is_reinterpreted(job: &Job, index: usize) -> bool {
    let Some(Storage::Texture(texture)) = job.resources.get(index).map(|r| &r.storage) else {
        return false;
    };
    job.bindings
        .iter()
        .map(|binding| &binding.view)
        .chain(job.resource_heap.iter().map(|heap| &heap.view))
        .any(|view| match view {
            View::Texture(view) => {
                view.resource.0 == index && view.format.is_some_and(|f| f != texture.format)
            }
            View::Null | View::Buffer(_) | View::Sampler(_) | View::Constants(_) => false,
        })
}

fn create(gpu: &Arc<Gpu>, storage: &Storage, reinterpreted: bool) -> Result<DeviceStorage> {
    Ok(match storage {
        Storage::Buffer(bytes) => {
            use vk::BufferUsageFlags as U;
            let mut usage = U::TRANSFER_SRC
                | U::TRANSFER_DST
                | U::UNIFORM_BUFFER
                | U::STORAGE_BUFFER
                | U::UNIFORM_TEXEL_BUFFER
                | U::STORAGE_TEXEL_BUFFER
                | U::INDEX_BUFFER
                | U::VERTEX_BUFFER
                | U::INDIRECT_BUFFER;
            if gpu.abilities.device_addresses {
                usage |= U::SHADER_DEVICE_ADDRESS;
            }
            if gpu.abilities.stream_output {
                usage |= U::TRANSFORM_FEEDBACK_BUFFER_EXT;
            }
            DeviceStorage::Buffer(Buffer::new(gpu, bytes.len() as u64, usage, Place::Device)?)
        }
        Storage::Texture(texture) => {
            if !texture.data.is_empty() && texture.data.len() as u64 != texture.total_bytes() {
                return Err(Error::BadJob(format!(
                    "a texture has {} bytes of data and needs {}",
                    texture.data.len(),
                    texture.total_bytes()
                )));
            }
            DeviceStorage::Image(Image::new(gpu, texture, reinterpreted)?)
        }
    })
}

fn upload(
    gpu: &Arc<Gpu>,
    commands: &Commands,
    storage: &Storage,
    target: &DeviceStorage,
    staging: &mut Vec<Buffer>,
) -> Result<()> {
    let source = vk::BufferUsageFlags::TRANSFER_SRC;
    match (storage, target) {
        (Storage::Buffer(bytes), DeviceStorage::Buffer(buffer)) if !bytes.is_empty() => {
            let from = Buffer::with_bytes(gpu, bytes, source, Place::Upload)?;
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
                let from = texture
                    .data
                    .get(place.packed as usize..(place.packed + place.bytes) as usize);
                if let Some(from) = from {
                    bytes[place.staging as usize..(place.staging + place.bytes) as usize]
                        .copy_from_slice(from);
                }
            }
            let from = Buffer::with_bytes(gpu, &bytes, source, Place::Upload)?;
            let regions = copy_regions(texture, image, &places)?;
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

/// Multisampled images cannot be copied to; they start as zero.
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

/// One mip of one layer: its place in packed data and in a staging buffer.
struct Subresource {
    mip: u32,
    layer: u32,
    packed: u64,
    staging: u64,
    bytes: u64,
}

fn subresources(texture: &Texture) -> Vec<Subresource> {
    let mut list = Vec::new();
    let (mut packed, mut staging) = (0u64, 0u64);
    for layer in 0..texture.layers {
        for mip in 0..texture.mips {
            let bytes = texture.mip_bytes(mip);
            list.push(Subresource {
                mip,
                layer,
                packed,
                staging,
                bytes,
            });
            packed += bytes;
            // Offsets are multiples of the block's bytes too, of which 12 does not divide 16.
            let alignment = if texture.format.block_bytes() == 12 {
                SUBRESOURCE_ALIGNMENT * 3
            } else {
                SUBRESOURCE_ALIGNMENT
            };
            staging = (staging + bytes).next_multiple_of(alignment);
        }
    }
    list
}

fn copy_regions(
    texture: &Texture,
    image: &Image,
    places: &[Subresource],
) -> Result<Vec<vk::BufferImageCopy>> {
    let aspects = image.aspects();
    if aspects.contains(vk::ImageAspectFlags::STENCIL) {
        return Err(Error::Unsupported(format!(
            "copying textures of format {}",
            texture.format
        )));
    }
    Ok(places
        .iter()
        .map(|place| {
            let [width, height, depth] = texture.mip_size(place.mip);
            vk::BufferImageCopy::default()
                .buffer_offset(place.staging)
                .image_subresource(vk::ImageSubresourceLayers {
                    aspect_mask: aspects,
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
        .collect())
}

fn record_read_back(
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
            let buffer = Buffer::new(gpu, total, usage, Place::ReadBack)?;
            let regions = copy_regions(texture, image, &places)?;
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
            let buffer = Buffer::new(gpu, size, usage, Place::ReadBack)?;
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

/// Bytes of a resource out of its read-back buffer, tightly packed.
fn read_bytes(storage: &Storage, buffer: &Buffer) -> Result<Vec<u8>> {
    match storage {
        Storage::Buffer(bytes) => buffer.read(bytes.len() as u64),
        Storage::Texture(texture) => {
            let places = subresources(texture);
            let all = buffer.read(buffer.size)?;
            let mut packed = Vec::with_capacity(texture.total_bytes() as usize);
            for place in &places {
                packed.extend_from_slice(
                    &all[place.staging as usize..(place.staging + place.bytes) as usize],
                );
            }
            Ok(packed)
        }
    }
}

fn record_work(
    pipeline: &VulkanPipeline,
    commands: &Commands,
    bound: &BoundSets,
    job: &Job,
    storages: &[DeviceStorage],
    attachments: Option<&Attachments>,
) -> Result<()> {
    let raw = &pipeline.gpu.raw;
    let point = if pipeline.graphics.is_some() {
        vk::PipelineBindPoint::GRAPHICS
    } else {
        vk::PipelineBindPoint::COMPUTE
    };
    // SAFETY: pipeline, layout and sets belong together and live until the commands are done.
    unsafe {
        raw.cmd_bind_pipeline(commands.raw, point, pipeline.pipeline.raw);
        if !bound.sets.is_empty() {
            raw.cmd_bind_descriptor_sets(
                commands.raw,
                point,
                pipeline.pipeline_layout.raw,
                0,
                &bound.sets,
                &[],
            );
        }
        if !bound.push_constants.is_empty() {
            raw.cmd_push_constants(
                commands.raw,
                pipeline.pipeline_layout.raw,
                vk::ShaderStageFlags::ALL,
                0,
                &bound.push_constants,
            );
        }
    }
    match (&job.work, attachments) {
        (Work::Draw(draw), Some(attachments)) => {
            super::graphics::record(&pipeline.gpu, commands, draw, storages, attachments)
        }
        (Work::Dispatch([x, y, z]), _) => {
            // SAFETY: a compute pipeline is bound, and the group counts were checked.
            unsafe { raw.cmd_dispatch(commands.raw, *x, *y, *z) };
            Ok(())
        }
        (Work::Draw(_), None) => Err(Error::BadJob("a draw without render targets".into())),
    }
}

/// Runs the work once more between two timestamps.
fn time_work(
    pipeline: &VulkanPipeline,
    bound: &BoundSets,
    job: &Job,
    storages: &[DeviceStorage],
    attachments: Option<&Attachments>,
) -> Result<Duration> {
    let gpu = &pipeline.gpu;
    if gpu.timestamp_bits == 0 {
        return Err(Error::Unsupported("timestamps".into()));
    }
    let info = vk::QueryPoolCreateInfo::default()
        .query_type(vk::QueryType::TIMESTAMP)
        .query_count(2);
    // SAFETY: the device is alive.
    let pool =
        unsafe { gpu.raw.create_query_pool(&info, None) }.map_err(api("vkCreateQueryPool"))?;
    let pool = QueryPool::own(gpu, pool);
    let commands = Commands::begin(gpu)?;
    // SAFETY: the pool has two queries, which are reset before they are written.
    unsafe {
        gpu.raw.cmd_reset_query_pool(commands.raw, pool.raw, 0, 2);
        gpu.raw.cmd_write_timestamp(
            commands.raw,
            vk::PipelineStageFlags::BOTTOM_OF_PIPE,
            pool.raw,
            0,
        );
    }
    record_work(pipeline, &commands, bound, job, storages, attachments)?;
    // SAFETY: as above.
    unsafe {
        gpu.raw.cmd_write_timestamp(
            commands.raw,
            vk::PipelineStageFlags::BOTTOM_OF_PIPE,
            pool.raw,
            1,
        );
    }
    commands.full_barrier();
    commands.submit_and_wait()?;
    let mut ticks = [0u64; 2];
    // SAFETY: both queries are written, and the device is done.
    unsafe {
        gpu.raw.get_query_pool_results(
            pool.raw,
            0,
            &mut ticks,
            vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT,
        )
    }
    .map_err(api("vkGetQueryPoolResults"))?;
    let mask = u64::MAX >> (64 - gpu.timestamp_bits.min(64));
    let elapsed = ticks[1].wrapping_sub(ticks[0]) & mask;
    let nanoseconds = elapsed as f64 * f64::from(gpu.limits.timestamp_period);
    Ok(Duration::from_nanos(nanoseconds as u64))
}
