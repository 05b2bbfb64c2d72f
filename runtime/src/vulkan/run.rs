//! One run of a job: upload, bind, dispatch, read back, and time it again if asked.

use std::sync::Arc;
use std::time::Duration;

use ash::vk;

use super::commands::Commands;
use super::conv::api;
use super::descriptors::{BoundSets, bind};
use super::draw::Attachments;
use super::gpu::Gpu;
use super::memory::{Buffer, Image, MemoryLocation, QueryPool};
use super::pipeline::VulkanPipeline;
use super::rays::{ShaderBindingTables, check_count};
use super::storage::DeviceStorage;
use super::structures::Structures;
use super::substitutes;
use super::transfer::{read_bytes, record_read_back, upload};
use crate::device::Pipeline;
use crate::draw_check::{check_arguments, check_groups, check_indirect_groups};
use crate::error::{Error, Result};
use crate::job::{Job, Outcome, Resource, ResourceView, Storage, Work};
use crate::job_check;
use crate::program::{BindingSlot, Layout, SlotSource};
use crate::ray_tracing::RayCount;

/// The needs of the work except for resources.
enum Targets {
    /// Nothing.
    None,
    /// The targets of a draw.
    Attachments(Box<Attachments>),
    /// The shaders that rays call.
    ShaderBindingTables(ShaderBindingTables),
}

impl Pipeline for VulkanPipeline {
    fn run(&self, job: &Job) -> Result<Outcome> {
        run(self, job)
    }
}

/// Runs a job.
fn run(pipeline: &VulkanPipeline, job: &Job) -> Result<Outcome> {
    let gpu = &pipeline.gpu;
    check_work(pipeline, job)?;
    job_check::check(&pipeline.layout, job)?;
    // Resources that stand in for null descriptors are appended to the job's own. The caller must
    // not see them, so the outcome is cut back to this length.
    let asked = job.resources.len();
    let job = &*substitutes::fill_in(gpu, &pipeline.layout, job)?;
    let storages = job
        .resources
        .iter()
        .enumerate()
        .map(|(i, resource)| create(gpu, resource, is_reinterpreted(&pipeline.layout, job, i)))
        .collect::<Result<Vec<_>>>()?;

    let commands = Commands::begin(gpu)?;
    let mut staging = Vec::new();
    for (resource, storage) in job.resources.iter().zip(&storages) {
        upload(gpu, &commands, resource, storage, &mut staging)?;
    }
    // Builds of acceleration structures, shaders and vertex fetches all read what was just copied.
    commands.full_barrier();
    // A shader that declares a structure needs one even if the job's scene is empty: a structure
    // without instances stands for null.
    let needed = !job.scene.top.is_empty() || pipeline.layout.sees_structures();
    let structures = if needed {
        Structures::build(gpu, &commands, job, &storages)?
    } else {
        Structures::none()
    };
    let bound = bind(pipeline, job, &storages, &structures)?;
    let targets = match (&job.work, &pipeline.graphics, &pipeline.rays) {
        (Work::Draw(draw), Some(state), _) => {
            let is_mesh = pipeline.is_mesh;
            let attachments = Attachments::new(gpu, state, is_mesh, draw, job, &storages)?;
            Targets::Attachments(Box::new(attachments))
        }
        (Work::DispatchRays(rays), _, Some(groups)) => {
            let table = &rays.table;
            Targets::ShaderBindingTables(ShaderBindingTables::new(
                gpu,
                groups,
                table,
                job,
                &storages,
                &structures,
            )?)
        }
        _ => Targets::None,
    };
    // With no iterations asked for, the one run of the job is timed itself. Otherwise the first run
    // gives the results and warms the driver up; the timed ones follow.
    let only_run = job.timing.filter(|t| t.warm_up + t.iterations == 0);
    let watch = match only_run {
        Some(_) => Some(TimestampQuery::start(gpu, &commands)?),
        None => None,
    };
    record_work(pipeline, &commands, &bound, job, &storages, &targets)?;
    if let Some(watch) = &watch {
        watch.stop(&commands);
    }
    // The copies below read what the work wrote.
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
    // The host reads the copies after the fence, and a fence alone makes nothing visible to the
    // host.
    commands.full_barrier();
    commands.submit_and_wait()?;
    // Before the results are read: where a rule was violated, they mean nothing.
    gpu.instance.check_messages()?;

    let mut outcome = Outcome::default();
    bound.read_counters(&mut outcome)?;
    for (resource, buffer) in job.resources.iter().zip(read_backs) {
        outcome.resources.push(match buffer {
            Some(buffer) => Some(read_bytes(resource, &buffer)?),
            None => None,
        });
    }
    outcome.resources.truncate(asked);
    if let Targets::Attachments(attachments) = &targets {
        outcome.queries = attachments.queries.read()?;
    }
    if let Some(watch) = watch {
        outcome.timings.push(watch.read()?);
    }
    if let Some(timing) = job.timing {
        // Work that adds to its resources goes on from what the last iteration left; the results
        // were read before, so they are those of exactly one run.
        for i in 0..timing.warm_up + timing.iterations {
            let time = time_work(pipeline, &bound, job, &storages, &targets)?;
            if i >= timing.warm_up {
                outcome.timings.push(time);
            }
        }
    }
    Ok(outcome)
}

/// Checks that the work is of the program's kind, and that the device supports its size.
fn check_work(pipeline: &VulkanPipeline, job: &Job) -> Result<()> {
    let gpu = &pipeline.gpu;
    match (&job.work, &pipeline.graphics, &pipeline.rays) {
        (Work::Stages(_), ..) => Err(Error::stages_alone()),
        (Work::Dispatch(groups), None, None) => {
            check_groups(*groups, gpu.limits.max_compute_work_group_count)
        }
        (Work::DispatchIndirect { arguments, offset }, None, None) => {
            let limits = gpu.limits.max_compute_work_group_count;
            check_indirect_groups(job, *arguments, *offset, limits)
        }
        (Work::Draw(_), Some(_), _) => Ok(()),
        (Work::DispatchRays(rays), None, Some(_)) => {
            if let RayCount::Indirect { arguments, offset } = rays.count {
                check_arguments(job, arguments, offset, offset.saturating_add(12))?;
            }
            check_count(gpu, rays.count)
        }
        (_, Some(_), _) => Err(Error::BadJob(
            "a graphics program draws, it is not dispatched".into(),
        )),
        (_, None, Some(_)) => Err(Error::BadJob(
            "a ray tracing program dispatches rays, and nothing else".into(),
        )),
        (Work::Draw(_), None, None) => Err(Error::BadJob(
            "a compute program is dispatched, it does not draw".into(),
        )),
        (Work::DispatchRays(_), None, None) => {
            Err(Error::BadJob("a compute program dispatches no rays".into()))
        }
    }
}

/// Returns whether a view or a descriptor sees a texture in another format than its own.
fn is_reinterpreted(layout: &Layout, job: &Job, index: usize) -> bool {
    let Some(Storage::Texture(texture)) = job.resources.get(index).map(|r| &r.storage) else {
        return false;
    };
    // The format of a view of this texture.
    let format_of = |view: &ResourceView| match view {
        ResourceView::Texture(view) if view.resource.0 == index => {
            Some(view.format.unwrap_or(texture.format))
        }
        ResourceView::Texture(_)
        | ResourceView::Null
        | ResourceView::Buffer(_)
        | ResourceView::Sampler(_)
        | ResourceView::Constants(_)
        | ResourceView::AccelerationStructure(_) => None,
    };
    let slots = || layout.sets.iter().flat_map(|set| &set.slots);
    let differs = |slot: &BindingSlot, format| slot.descriptor_format(format) != texture.format;
    let bound = job.bindings.iter().any(|binding| {
        format_of(&binding.view).is_some_and(|format| {
            format != texture.format
                || slots().any(|slot| slot.holds(binding.register) && differs(slot, format))
        })
    });
    let mut heap = job.resource_heap.iter();
    bound
        || heap.any(|heap| {
            format_of(&heap.view).is_some_and(|format| {
                let heaps = || slots().filter(|slot| slot.source == SlotSource::ResourceHeap);
                format != texture.format || heaps().any(|slot| differs(slot, format))
            })
        })
}

fn create(gpu: &Arc<Gpu>, resource: &Resource, reinterpreted: bool) -> Result<DeviceStorage> {
    let tiles = resource.mapped_tiles;
    Ok(match &resource.storage {
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
            // Every buffer gets every use that the device allows, since any view, draw or shader
            // record of the job may refer to it.
            if gpu.abilities.device_addresses {
                usage |= U::SHADER_DEVICE_ADDRESS;
            }
            if gpu.structures.is_some() {
                usage |= U::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR;
            }
            if gpu.abilities.stream_output {
                usage |= U::TRANSFORM_FEEDBACK_BUFFER_EXT;
            }
            let size = bytes.len() as u64;
            DeviceStorage::Buffer(match tiles {
                Some(tiles) => Buffer::reserved(gpu, size, usage, tiles)?,
                None => Buffer::new(gpu, size, usage, MemoryLocation::Device)?,
            })
        }
        Storage::Texture(texture) => {
            // No data at all stands for zeros.
            if !texture.data.is_empty() && texture.data.len() as u64 != texture.total_bytes() {
                return Err(Error::BadJob(format!(
                    "a texture has {} bytes of data and needs {}",
                    texture.data.len(),
                    texture.total_bytes()
                )));
            }
            DeviceStorage::Image(Image::new(gpu, texture, reinterpreted, tiles)?)
        }
    })
}

fn record_work(
    pipeline: &VulkanPipeline,
    commands: &Commands,
    bound: &BoundSets,
    job: &Job,
    storages: &[DeviceStorage],
    targets: &Targets,
) -> Result<()> {
    let raw = &pipeline.gpu.raw;
    let point = match (&pipeline.graphics, &pipeline.rays) {
        (Some(_), _) => vk::PipelineBindPoint::GRAPHICS,
        (None, Some(_)) => vk::PipelineBindPoint::RAY_TRACING_KHR,
        (None, None) => vk::PipelineBindPoint::COMPUTE,
    };
    // SAFETY: pipeline, layout and sets belong together and live until the commands are done.
    unsafe {
        raw.cmd_bind_pipeline(commands.raw, point, pipeline.pipeline.raw);
    }
    if let Some(heaps) = &bound.heaps {
        heaps.record(&pipeline.gpu, commands.raw, &bound.push_constants)?;
    }
    // SAFETY: as above.
    unsafe {
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
        // VUID-VkPushConstantRange-size-00296 forbids an empty range, so a layout may have none.
        if !bound.push_constants.is_empty() && bound.heaps.is_none() {
            raw.cmd_push_constants(
                commands.raw,
                pipeline.pipeline_layout.raw,
                vk::ShaderStageFlags::ALL,
                0,
                &bound.push_constants,
            );
        }
    }
    match (&job.work, targets) {
        (Work::Draw(draw), Targets::Attachments(attachments)) => {
            super::draw::record(&pipeline.gpu, commands, draw, storages, attachments)
        }
        (Work::Dispatch([x, y, z]), _) => {
            // SAFETY: a compute pipeline is bound, and the group counts were checked.
            unsafe { raw.cmd_dispatch(commands.raw, *x, *y, *z) };
            Ok(())
        }
        (Work::DispatchIndirect { arguments, offset }, _) => {
            let Some(DeviceStorage::Buffer(buffer)) = storages.get(arguments.0) else {
                return Err(Error::BadJob(
                    "indirect arguments come from a buffer".into(),
                ));
            };
            // SAFETY: a compute pipeline is bound, and the arguments lie inside of the buffer.
            unsafe { raw.cmd_dispatch_indirect(commands.raw, buffer.raw, *offset) };
            Ok(())
        }
        (Work::DispatchRays(rays), Targets::ShaderBindingTables(tables)) => {
            tables.record(&pipeline.gpu, commands.raw, rays.count, storages)
        }
        (Work::Draw(_), _) => Err(Error::BadJob("a draw without render targets".into())),
        (Work::DispatchRays(_), _) => Err(Error::BadJob("rays without shader tables".into())),
        (Work::Stages(_), _) => Err(Error::stages_alone()),
    }
}

/// Runs the work once more between two timestamps.
fn time_work(
    pipeline: &VulkanPipeline,
    bound: &BoundSets,
    job: &Job,
    storages: &[DeviceStorage],
    targets: &Targets,
) -> Result<Duration> {
    let commands = Commands::begin(&pipeline.gpu)?;
    let watch = TimestampQuery::start(&pipeline.gpu, &commands)?;
    record_work(pipeline, &commands, bound, job, storages, targets)?;
    watch.stop(&commands);
    commands.full_barrier();
    commands.submit_and_wait()?;
    watch.read()
}

/// Two timestamps.
struct TimestampQuery<'a> {
    gpu: &'a Gpu,
    pool: QueryPool,
}

impl<'a> TimestampQuery<'a> {
    /// Writes the first one.
    fn start(gpu: &'a Arc<Gpu>, commands: &Commands) -> Result<Self> {
        if gpu.timestamp_bits == 0 {
            return Err(Error::Unsupported("timestamps".into()));
        }
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::TIMESTAMP)
            .query_count(2);
        // SAFETY: the device is alive.
        let pool =
            unsafe { gpu.raw.create_query_pool(&info, None) }.map_err(api("vkCreateQueryPool"))?;
        let watch = TimestampQuery {
            gpu,
            pool: QueryPool::own(gpu, pool),
        };
        // SAFETY: the pool has two queries, which are reset before they are written.
        unsafe {
            gpu.raw
                .cmd_reset_query_pool(commands.raw, watch.pool.raw, 0, 2);
        }
        watch.write(commands, 0);
        Ok(watch)
    }

    /// Writes the second one.
    fn stop(&self, commands: &Commands) {
        self.write(commands, 1);
    }

    fn write(&self, commands: &Commands, query: u32) {
        // SAFETY: the pool has two queries, and each is written once after it was reset.
        unsafe {
            self.gpu.raw.cmd_write_timestamp(
                commands.raw,
                // The latest stage for both: the first timestamp then waits for the uploads before
                // it, and the second one for the work.
                vk::PipelineStageFlags::BOTTOM_OF_PIPE,
                self.pool.raw,
                query,
            );
        }
    }

    /// Returns the time between the timestamps, once the device is done.
    fn read(&self) -> Result<Duration> {
        let mut ticks = [0u64; 2];
        // SAFETY: both queries are written, and the device is done.
        unsafe {
            self.gpu.raw.get_query_pool_results(
                self.pool.raw,
                0,
                &mut ticks,
                vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT,
            )
        }
        .map_err(api("vkGetQueryPoolResults"))?;
        // Bits above `timestampValidBits` are zero, so a counter that wraps between the two
        // timestamps differs by more than its width allows; the mask undoes that.
        let mask = u64::MAX >> (64 - self.gpu.timestamp_bits.min(64));
        let elapsed = ticks[1].wrapping_sub(ticks[0]) & mask;
        let nanoseconds = elapsed as f64 * f64::from(self.gpu.limits.timestamp_period);
        Ok(Duration::from_nanos(nanoseconds as u64))
    }
}
