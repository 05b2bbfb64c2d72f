//! Ray tracing pipelines in a debugger.

use dxil_debug::{Lanes, Target, wave_of_ray};

use super::client::{Client, Debuggee};
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
) -> Result<Option<Ran>> {
    let first = Target::Thread {
        group: [0; 3],
        thread: None,
    };
    let (ray, follows) = match target {
        Target::Ray(ray) => (ray, true),
        target if target == first => ([0; 3], false),
        _ => {
            return Err(Failure::usage(
                "of a dispatch of rays a ray is debugged, like --debug=ray:120,80",
            ));
        }
    };
    let libraries = Libraries::read(args)?;
    let args = &names::resolve(args, &libraries.reflections)?;
    let ([path], [shader], [reflection]) = (
        args.shaders.as_slice(),
        libraries.shaders.as_slice(),
        libraries.reflections.as_slice(),
    ) else {
        return Err(Failure::unsupported(
            "debugging ray tracing pipelines of several libraries; dxil-edit links them into one",
        ));
    };
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
        program,
        planned,
    };
    let lanes = debuggee.kernel(None)?.wave_size();
    let (wave, lane) = wave_of_ray(size, ray, lanes)
        .ok_or_else(|| Failure::usage(format!("the dispatch has no ray {ray:?}")))?;
    debuggee.dispatch(Lanes::Rays(size), (wave, lane, follows), client)
}
