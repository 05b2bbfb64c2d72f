//! Pipeline files in a debugger.

use std::path::Path;

use dxil_debug::Target;
use dxil_jit::pipeline_file::{Pipeline, PipelineKind, PlannedJob};
use dxil_runtime::Device;
use dxil_runtime::job::{Outcome, Work};
use dxil_runtime::ray_tracing::RayCount;

use super::client::{Client, Debuggee};
use super::debugged::{Debugged, FileRun};
use super::{dispatches, draws, rays};
use crate::args::Args;
use crate::failure::{Context, Failure, Result};
use crate::libraries::Libraries;
use crate::opening::open_device;
use crate::pipeline::{compile, plan, read};

/// What a pipeline file runs, and its outcome; none where the user has ended the session.
type Done = Option<(PlannedJob, Outcome)>;

/// Debugs what a pipeline file runs.
pub(super) fn debug(
    args: &Args,
    (file, target): (&Path, Target),
    client: Client<'_>,
) -> Result<Option<Debugged>> {
    let pipeline = read(args, file)?;
    let device = open_device(args, None)?;
    let with = (&*device, target);
    let done = match pipeline.kind {
        PipelineKind::RayTracing => of_rays(args, (file, &pipeline), with, client)?,
        _ => of_stages(args, (file, &pipeline), with, client)?,
    };
    Ok(done.map(|(planned, outcome)| {
        Debugged::File(Box::new(FileRun {
            args: args.clone(),
            file: file.to_path_buf(),
            pipeline,
            planned,
            outcome,
        }))
    }))
}

fn of_stages(
    args: &Args,
    (file, pipeline): (&Path, &Pipeline),
    (device, target): (&dyn Device, Target),
    client: Client<'_>,
) -> Result<Done> {
    let (stages, planned) = plan(args, file, pipeline)?;
    planned.check(device.info().backend).context(file)?;
    let program = compile(args, &stages, (pipeline, &planned), (device, None))?;
    if program.graphics.is_some() {
        let with = (device, &program, &planned.job);
        let outcome = draws::of_draw(args, &stages, with, target, client)?;
        return Ok(outcome.map(|outcome| (planned, outcome)));
    }
    let (Some(path), Some(shader), Some(reflection)) = (
        args.shaders.first(),
        stages.shaders.first(),
        stages.reflections.first(),
    ) else {
        return Err(Failure::unsupported("debugging this pipeline file"));
    };
    let Target::Thread { group, thread } = target else {
        return Err(Failure::usage(
            "of a dispatch a thread is debugged, like --debug=3,0,0:17",
        ));
    };
    let debuggee = Debuggee {
        args,
        path,
        shader,
        reflection,
        device,
        program: &program,
        job: &planned.job,
    };
    let outcome = dispatches::of_group(&debuggee, (group, thread), client)?;
    Ok(outcome.map(|outcome| (planned, outcome)))
}

fn of_rays(
    args: &Args,
    (file, pipeline): (&Path, &Pipeline),
    (device, target): (&dyn Device, Target),
    client: Client<'_>,
) -> Result<Done> {
    let ray = rays::ray_of(target)?;
    let libraries = Libraries::read(args)?;
    let (path, shader, reflection) = rays::only_one(args, &libraries)?;
    let (planned, stages) = libraries.plan_file(file, pipeline)?;
    planned.check(device.info().backend).context(file)?;
    let state = planned.ray_tracing.clone().unwrap_or_default();
    let job = &planned.job;
    let program = libraries.compile(args, &stages, state, device.profile(), job, None)?;
    let size = match &job.work {
        Work::DispatchRays(rays) => match rays.count {
            RayCount::Direct(size) => size,
            RayCount::Indirect { .. } => {
                return Err(Failure::unsupported(
                    "debugging rays whose number is in a buffer",
                ));
            }
        },
        _ => return Err(Failure::unsupported("debugging this pipeline file")),
    };
    let debuggee = Debuggee {
        args,
        path,
        shader,
        reflection,
        device,
        program: &program,
        job,
    };
    let outcome = rays::of_ray(&debuggee, size, ray, client)?;
    Ok(outcome.map(|outcome| (planned, outcome)))
}
