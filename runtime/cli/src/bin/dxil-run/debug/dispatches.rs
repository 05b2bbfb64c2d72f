//! Dispatches of compute shaders in a debugger.

use dxil_debug::{Lanes, Target, wave_of_thread};
use dxil_runtime::Outcome;

use super::client::{Client, Debuggee};
use super::debugged::Debugged;
use crate::args::Args;
use crate::entries::{check_entry, must_be_dispatched};
use crate::failure::{Failure, Result};
use crate::linking::Linked;
use crate::opening::open_device;
use crate::run::Ran;
use crate::stage_program::compile_stages;
use crate::{job, names};

/// Debugs a thread of a dispatch.
pub(super) fn debug(args: &Args, target: Target, client: Client<'_>) -> Result<Option<Debugged>> {
    let Linked {
        path,
        root,
        shader,
        reflection,
        source,
    } = Linked::read(args)?;
    let reflections = [reflection];
    let args = &names::resolve(args, &reflections)?;
    check_entry(args, std::iter::once((path, &shader)))?;
    let Some(groups) = args.dispatch else {
        return Err(Failure::usage(
            "say what runs in the debugger: --dispatch X,Y,Z, --rays W,H or --draw N",
        ));
    };
    let Target::Thread { group, thread } = target else {
        return Err(Failure::usage(
            "of a dispatch a thread is debugged, like --debug=3,0,0:17",
        ));
    };
    must_be_dispatched(&shader, args.entry.as_deref())?;
    let shaders = [shader];
    let planned = job::plan(&shaders, &reflections, root.as_ref(), args, groups)?;
    let device = open_device(args, None)?;
    let program = compile_stages(
        args,
        (&[path.to_path_buf()], &shaders, &[source]),
        root.as_ref(),
        (device.profile(), &planned.job, None),
        None,
    )?;
    let debuggee = Debuggee {
        args,
        path,
        shader: &shaders[0],
        reflection: &reflections[0],
        device: &*device,
        program: &program,
        job: &planned.job,
    };
    let outcome = of_group(&debuggee, (group, thread), client)?;
    Ok(outcome.map(|outcome| {
        let ran = Ran::of_debugger(args, device.info(), program, planned, outcome);
        Debugged::Ran(Box::new(ran))
    }))
}

/// Debugs a thread of a group.
pub(super) fn of_group(
    debuggee: &Debuggee<'_>,
    (group, thread): ([u32; 3], Option<u32>),
    client: Client<'_>,
) -> Result<Option<Outcome>> {
    let lanes = debuggee.kernel(None)?.wave_size();
    let (wave, lane) = wave_of_thread(group, thread.unwrap_or(0), lanes);
    // A trace is of one thread.
    let follows = thread.is_some() || debuggee.args.trace.is_some();
    debuggee.dispatch(Lanes::Threads, (wave, lane, follows), client)
}
