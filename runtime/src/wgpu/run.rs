//! One run of a job: upload, bind, dispatch or draw, read back, and time it again if asked.

use std::time::Duration;

use super::bind::{Bound, DeviceStorage, bind};
use super::draw::{Drawing, buffer_of};
use super::pipeline::{Ready, WgpuPipeline};
use super::query::Queries;
use super::structures::Structures;
use super::transfer::{create, read, read_buffer, record_read_back, unpack};
use crate::device::Pipeline;
use crate::draw_check::{check_groups, check_indirect_groups};
use crate::error::{Error, Result};
use crate::job::{Job, Outcome, Work};
use crate::job_check;

impl Pipeline for WgpuPipeline {
    fn run(&self, job: &Job) -> Result<Outcome> {
        run(self, job)
    }
}

/// Runs a job.
fn run(pipeline: &WgpuPipeline, job: &Job) -> Result<Outcome> {
    let gpu = &*pipeline.gpu;
    check(pipeline, job)?;
    job_check::check(&pipeline.layout, job)?;
    if job.has_reserved_resources() {
        return Err(Error::Unsupported("reserved resources on wgpu".into()));
    }
    // The calls up to the submission share one error scope. The wait is outside, since a scope
    // belongs to the thread and not to the device.
    let (storages, bound, drawing, read_backs, counters, submission) = gpu.checked(|| {
        let storages = job
            .resources
            .iter()
            .enumerate()
            .map(|(i, resource)| create(gpu, job, i, &resource.storage))
            .collect::<Result<Vec<_>>>()?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let needed = !job.scene.top.is_empty() || pipeline.layout.sees_structures();
        let structures = Structures::build(gpu, &mut encoder, job, needed)?;
        let bound = bind(pipeline, job, &storages, &structures)?;
        let drawing = record(pipeline, job, &mut encoder, &bound, &storages, None)?;
        let mut read_backs = Vec::with_capacity(storages.len());
        for (resource, storage) in job.resources.iter().zip(&storages) {
            read_backs.push(if resource.read_back {
                Some(record_read_back(
                    gpu,
                    &mut encoder,
                    &resource.storage,
                    storage,
                )?)
            } else {
                None
            });
        }
        let mut counters = Vec::with_capacity(bound.counters.len());
        for (register, buffer) in &bound.counters {
            let target = read_buffer(gpu, 4);
            encoder.copy_buffer_to_buffer(buffer, 0, &target, 0, 4);
            counters.push((*register, target));
        }
        let submission = gpu.queue.submit([encoder.finish()]);
        Ok((storages, bound, drawing, read_backs, counters, submission))
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
    if let Some(drawing) = drawing {
        outcome.queries = drawing.results(gpu)?;
    }
    if let Some(timing) = job.timing {
        for i in 0..timing.warm_up + timing.iterations {
            let time = time_again(pipeline, job, &bound, &storages)?;
            if i >= timing.warm_up {
                outcome.timings.push(time);
            }
        }
    }
    Ok(outcome)
}

/// Refuses what does not fit before anything is made.
fn check(pipeline: &WgpuPipeline, job: &Job) -> Result<()> {
    let limits = pipeline.gpu.device.limits();
    let limits = [limits.max_compute_workgroups_per_dimension; 3];
    match (&job.work, &pipeline.ready) {
        (Work::Stages(_), _) => Err(Error::stages_alone()),
        (Work::Dispatch(groups), Ready::Compute(_)) => check_groups(*groups, limits),
        (Work::DispatchIndirect { arguments, offset }, Ready::Compute(_)) => {
            check_indirect_groups(job, *arguments, *offset, limits)
        }
        (Work::Draw(_), Ready::Render(_)) => Ok(()),
        (Work::DispatchRays(_), _) => Err(no_rays()),
        (Work::Draw(_), Ready::Compute(_)) => {
            Err(Error::BadJob("a draw with a compute shader".into()))
        }
        (_, Ready::Render(_)) => Err(Error::BadJob("a dispatch without a compute shader".into())),
    }
}

fn no_rays() -> Error {
    Error::Unsupported("ray tracing pipelines (wgpu has none)".into())
}

/// Records the work; timestamps go to the first two queries of the set.
fn record(
    pipeline: &WgpuPipeline,
    job: &Job,
    encoder: &mut wgpu::CommandEncoder,
    bound: &Bound,
    storages: &[DeviceStorage],
    timestamps: Option<&wgpu::QuerySet>,
) -> Result<Option<Drawing>> {
    match (&pipeline.ready, &job.work) {
        (Ready::Render(render), Work::Draw(draw)) => {
            let drawing = Drawing::new(&pipeline.gpu, render, draw, job, storages)?;
            drawing.record(render, draw, storages, encoder, bound, timestamps)?;
            Ok(Some(drawing))
        }
        (Ready::Compute(raw), work) => {
            dispatch(raw, work, encoder, bound, storages, timestamps)?;
            Ok(None)
        }
        (Ready::Render(_), _) => Err(Error::BadJob("a dispatch without a compute shader".into())),
    }
}

fn dispatch(
    raw: &wgpu::ComputePipeline,
    work: &Work,
    encoder: &mut wgpu::CommandEncoder,
    bound: &Bound,
    storages: &[DeviceStorage],
    timestamps: Option<&wgpu::QuerySet>,
) -> Result<()> {
    let timestamp_writes = timestamps.map(|query_set| wgpu::ComputePassTimestampWrites {
        query_set,
        beginning_of_pass_write_index: Some(0),
        end_of_pass_write_index: Some(1),
    });
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: None,
        timestamp_writes,
    });
    pass.set_pipeline(raw);
    for (number, group) in (0u32..).zip(&bound.groups) {
        pass.set_bind_group(number, group, &[]);
    }
    if !bound.immediates.is_empty() {
        pass.set_immediates(0, &bound.immediates);
    }
    match work {
        Work::Dispatch([x, y, z]) => pass.dispatch_workgroups(*x, *y, *z),
        Work::DispatchIndirect { arguments, offset } => {
            pass.dispatch_workgroups_indirect(buffer_of(storages, *arguments)?, *offset);
        }
        Work::Draw(_) => return Err(Error::BadJob("a draw with a compute shader".into())),
        Work::DispatchRays(_) => return Err(no_rays()),
        Work::Stages(_) => return Err(Error::stages_alone()),
    }
    Ok(())
}

/// Runs the work once more between two timestamps.
fn time_again(
    pipeline: &WgpuPipeline,
    job: &Job,
    bound: &Bound,
    storages: &[DeviceStorage],
) -> Result<Duration> {
    let gpu = &*pipeline.gpu;
    let (queries, submission) = gpu.checked(|| {
        let queries = Queries::new(gpu, wgpu::QueryType::Timestamp, 2)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let set = Some(&queries.set);
        record(pipeline, job, &mut encoder, bound, storages, set)?;
        queries.resolve(&mut encoder);
        Ok((queries, gpu.queue.submit([encoder.finish()])))
    })?;
    gpu.wait(submission)?;
    let ticks = queries.read(gpu)?;
    let elapsed = match ticks[..] {
        [before, after] => after.wrapping_sub(before) as f64,
        _ => 0.0,
    };
    let nanoseconds = elapsed * f64::from(gpu.queue.get_timestamp_period());
    Ok(Duration::from_nanos(nanoseconds as u64))
}
