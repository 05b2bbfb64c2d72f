//! Ray tracing pipelines in a debugger.

use std::path::Path;

use dxil_debug::{Lanes, Target, wave_of_ray};
use dxil_frontend::dxil::Shader;
use dxil_frontend::reflection::Reflection;
use dxil_runtime::Outcome;

use super::client::{Client, Debuggee};
use super::debugged::Debugged;
use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::libraries::{Libraries, PlannedRays};
use crate::names;
use crate::opening::open_device;
use crate::run::Ran;

/// Debugs a ray of a dispatch, through all shaders that it runs.
pub(super) fn debug(
    args: &Args,
    (size, target): ([u32; 3], Target),
    client: Client<'_>,
) -> Result<Option<Debugged>> {
    let (ray, follows) = ray_of(target)?;
    let libraries = Libraries::read(args)?;
    let args = &names::resolve(args, &libraries.reflections)?;
    let (path, shader, reflection) = only_one(args, &libraries)?;
    let PlannedRays {
        planned,
        stages,
        state,
        ..
    } = libraries.plan(args, size)?;
    let device = open_device(args, None)?;
    let program = libraries.compile(args, &stages, state, device.profile(), &planned.job, None)?;
    let debuggee = Debuggee {
        args,
        path,
        shader,
        reflection,
        device: &*device,
        program: &program,
        job: &planned.job,
    };
    let outcome = of_ray(&debuggee, size, (ray, follows), client)?;
    Ok(outcome.map(|outcome| {
        let ran = Ran::of_debugger(args, device.info(), program, planned, outcome);
        Debugged::Ran(Box::new(ran))
    }))
}

/// Returns the library with its file; several are not debugged.
pub(super) fn only_one<'a>(
    args: &'a Args,
    libraries: &'a Libraries,
) -> Result<(&'a Path, &'a Shader, &'a Reflection)> {
    match (
        args.shaders.as_slice(),
        libraries.shaders.as_slice(),
        libraries.reflections.as_slice(),
    ) {
        ([path], [shader], [reflection]) => Ok((path, shader, reflection)),
        _ => Err(Failure::unsupported(
            "debugging ray tracing pipelines of several libraries; compile their sources into one",
        )),
    }
}

/// Returns the ray that a user names, and whether it alone stops.
pub(super) fn ray_of(target: Target) -> Result<([u32; 3], bool)> {
    let first = Target::Thread {
        group: [0; 3],
        thread: None,
    };
    match target {
        Target::Ray(ray) => Ok((ray, true)),
        target if target == first => Ok(([0; 3], false)),
        _ => Err(Failure::usage(
            "of a dispatch of rays a ray is debugged, like --debug=ray:120,80",
        )),
    }
}

/// Debugs a ray.
pub(super) fn of_ray(
    debuggee: &Debuggee<'_>,
    size: [u32; 3],
    (ray, follows): ([u32; 3], bool),
    client: Client<'_>,
) -> Result<Option<Outcome>> {
    let lanes = debuggee.kernel(None)?.wave_size();
    let (wave, lane) = wave_of_ray(size, ray, lanes)
        .ok_or_else(|| Failure::usage(format!("the dispatch has no ray {ray:?}")))?;
    debuggee.dispatch(Lanes::Rays(size), (wave, lane, follows), client)
}
