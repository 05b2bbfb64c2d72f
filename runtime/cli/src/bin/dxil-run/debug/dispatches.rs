//! Dispatches of compute shaders in a debugger.

use dxil_debug::{Lanes, Target};
use dxil_runtime::Program;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::watch::WatchedWave;

use super::client::{Client, Debuggee};
use crate::args::Args;
use crate::entries::{check_entry, must_be_dispatched};
use crate::failure::{Failure, Result};
use crate::linking::Linked;
use crate::opening::open_device;
use crate::run::Ran;
use crate::{job, names};

/// Debugs a thread of a dispatch.
pub(super) fn debug(args: &Args, target: Target, client: Client<'_>) -> Result<Option<Ran>> {
    let Linked {
        path,
        root,
        shader,
        reflection,
        ..
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
    let mut options = CompileOptions::default();
    options.preview = args.preview;
    options.entry.clone_from(&args.entry);
    options.watched = true;
    let stages = [&shaders[0]];
    let program = {
        let formats = formats_of(&planned.job);
        Program::compile_stages(&stages, root.as_ref(), device.profile(), &formats, &options)?
    };
    let debuggee = Debuggee {
        args,
        path,
        shader: &shaders[0],
        reflection: &reflections[0],
        device: &*device,
        program,
        planned,
    };
    let lanes = debuggee.kernel(None)?.wave_size();
    let number = thread.unwrap_or(0);
    let wave = number / lanes;
    let wave = WatchedWave { group, wave };
    let lane = (number % lanes) as usize;
    // A trace is of one thread.
    let follows = thread.is_some() || args.trace.is_some();
    debuggee.dispatch(Lanes::Threads, (wave, lane, follows), client)
}
