//! Stages of draws in a debugger.
//!
//! The draw runs once, which records the wave of the invocation; then that wave runs in the
//! debugger, by itself.

use dxil_debug::{Lanes, Session, Target, Wanted};
use dxil_frontend::dxil::ShaderKind;
use dxil_runtime::graphics::GraphicsState;
use dxil_runtime::job::Outcome;
use dxil_runtime::watch::{Invocation, Recorded, Recorder};
use dxil_runtime::{Device, Job, Pipeline, Program};

use super::client::{Client, Debuggee};
use super::debugged::Debugged;
use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::opening::open_device;
use crate::planned::Planned;
use crate::run::Ran;
use crate::stage_program::{compile_stages, plan_draw};
use crate::stages::Stages;
use crate::{names, vertex_outputs};

/// Debugs an invocation of a draw's stage.
pub(super) fn debug(
    args: &Args,
    (call, target): ([u32; 2], Target),
    client: Client<'_>,
) -> Result<Option<Debugged>> {
    let stages = Stages::read(args, &|_| &[])?;
    let args = &names::resolve(args, &stages.reflections)?;
    let (planned, state): (Planned, GraphicsState) = plan_draw(args, &stages, call)?;
    let device = open_device(args, None)?;
    let Planned {
        mut job,
        mut views,
        constants,
    } = planned;
    vertex_outputs::drop_if_unable(device.profile(), &mut job, &mut views);
    let planned = Planned {
        job,
        views,
        constants,
    };
    let program = compile_stages(
        args,
        (&args.shaders, &stages.shaders, &stages.sources),
        stages.root.as_ref(),
        (device.profile(), &planned.job, None),
        Some(state),
    )?;
    let outcome = of_draw(
        args,
        &stages,
        (&*device, &program, &planned.job),
        target,
        client,
    )?;
    Ok(outcome.map(|outcome| {
        let ran = Ran::of_debugger(args, device.info(), program, planned, outcome);
        Debugged::Ran(Box::new(ran))
    }))
}

/// Debugs an invocation of a draw's stage; returns the outcome of the draw, or nothing where the
/// user has ended the session.
pub(super) fn of_draw(
    args: &Args,
    stages: &Stages,
    (device, program, job): (&dyn Device, &Program, &Job),
    target: Target,
    client: Client<'_>,
) -> Result<Option<Outcome>> {
    let kinds: Vec<ShaderKind> = program.stages.iter().map(|stage| stage.kind).collect();
    let wanted = wanted_of(target, &kinds)?;
    let number = kinds.iter().position(|kind| *kind == wanted.stage());
    let file = number.and_then(|number| {
        let of_file = args.shaders.get(number).zip(stages.shaders.get(number));
        of_file.zip(stages.reflections.get(number))
    });
    let Some(((path, shader), reflection)) = file else {
        return Err(Failure::usage(format!(
            "--debug names {wanted}; the draw has no {} shader",
            wanted.stage().prefix()
        )));
    };
    let debuggee = Debuggee {
        args,
        path,
        shader,
        reflection,
        device,
        program,
        job,
    };
    let pipeline = device.prepare(program)?;
    sessions(&debuggee, &*pipeline, wanted, client)
}

/// Returns what is debugged: without a name it is the first invocation of the first stage.
fn wanted_of(target: Target, kinds: &[ShaderKind]) -> Result<Wanted> {
    let first = Target::Thread {
        group: [0; 3],
        thread: None,
    };
    match target {
        Target::Invocation(wanted) => Ok(wanted),
        target if target == first => {
            let text = match kinds.first() {
                Some(ShaderKind::Amplification) => "amplification:0",
                Some(ShaderKind::Mesh) => "mesh:0",
                Some(ShaderKind::Hull) => "control-point:0,0",
                Some(ShaderKind::Domain) => "domain-point:0,0",
                Some(ShaderKind::Geometry) => "primitive:0",
                Some(ShaderKind::Pixel) => "pixel:0,0",
                _ => "vertex:0",
            };
            match text.parse() {
                Ok(Target::Invocation(wanted)) => Ok(wanted),
                _ => Err(Failure::unsupported("debugging this program")),
            }
        }
        _ => Err(Failure::usage(
            "of a draw an invocation is debugged, like --debug=pixel:120,80 or --debug=vertex:2",
        )),
    }
}

/// Runs the draw, and records the wave of an invocation; none where the draw does not have it.
fn record(
    debuggee: &Debuggee<'_>,
    pipeline: &dyn Pipeline,
    wanted: Wanted,
) -> Result<(Outcome, Option<Recorded>)> {
    let is_it = |invocation: &Invocation| wanted.is(invocation);
    let recorder = Recorder::new(&is_it, wanted.is_last());
    let outcome = pipeline.run_recorder(debuggee.job, &recorder)?;
    Ok((outcome, recorder.into_recorded()))
}

/// Debugs one invocation after the other, as the user chooses; returns the outcome of the draw, or
/// nothing where the user has ended the session.
fn sessions(
    debuggee: &Debuggee<'_>,
    pipeline: &dyn Pipeline,
    mut wanted: Wanted,
    client: Client<'_>,
) -> Result<Option<Outcome>> {
    let absent = |wanted: &Wanted| format!("the draw has no {wanted}, or runs no shader for it");
    let kernel = debuggee.kernel(Some(wanted.stage()))?;
    let threads: u32 = kernel.num_threads().iter().product();
    let (outcome, recorded) = record(debuggee, pipeline, wanted)?;
    let Some(mut recorded) = recorded.filter(|_| wanted.has_thread(threads)) else {
        return Err(Failure::usage(absent(&wanted)));
    };
    let mut code = debuggee.code(kernel, lanes_of(&recorded))?;
    let Some((front, mut breakpoints, stops_on_entry)) = client.begin(debuggee.args, &code) else {
        return Ok(None);
    };
    let mut stops = stops_on_entry;
    loop {
        let wave = wanted.wave(recorded.lane, kernel.wave_size());
        let mut session = Session::new(&code, &mut *front, breakpoints, wave, (stops, true));
        let done = pipeline.run_recorded(debuggee.job, &recorded, &mut session);
        breakpoints = std::mem::take(&mut session.breakpoints);
        let picked = session.picked.take();
        match (done, picked) {
            (Ok(()), _) => return Ok(Some(outcome)),
            (Err(error), Some(Target::Invocation(other))) if error.code() == "stopped" => {
                stops = true;
                match record(debuggee, pipeline, other)? {
                    (_, Some(found)) if other.has_thread(threads) => {
                        (wanted, recorded) = (other, found);
                        code.lanes = lanes_of(&recorded);
                    }
                    // The one before is shown again.
                    _ => front.output(&absent(&other)),
                }
            }
            (Err(error), _) if error.code() == "stopped" => return Ok(None),
            (Err(error), _) => return Err(error.into()),
        }
    }
}

fn lanes_of(recorded: &Recorded) -> Lanes {
    match recorded.invocation() {
        Some(Invocation::Group { .. }) => Lanes::Threads,
        _ => Lanes::Invocations(recorded.invocations.clone(), recorded.helpers()),
    }
}
