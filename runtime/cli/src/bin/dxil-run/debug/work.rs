//! What the command line runs, in a debugger.

use super::client::Client;
use super::{dispatches, draws, rays};
use crate::args::Args;
use crate::draw;
use crate::failure::{Failure, Result};
use crate::options::BackendName;
use crate::run::Ran;

/// Debugs what the command line runs; returns the run, or nothing where the user has ended it.
pub(super) fn debug(args: &Args, client: Client<'_>) -> Result<Option<Ran>> {
    let Some(target) = args.debug.or(args.trace) else {
        return Err(Failure::usage("--debug says what to debug"));
    };
    if args.backend() != BackendName::Cpu {
        return Err(Failure::usage(
            "--debug runs on the CPU: leave --backend out",
        ));
    }
    if args.graph || args.pipeline.is_some() {
        return Err(Failure::unsupported(
            "debugging work graphs and pipeline files; dispatches, rays and draws are debugged",
        ));
    }
    if let Some(call) = draw::call(args)? {
        return draws::debug(args, (call, target), client);
    }
    if let Some(size) = args.rays {
        return rays::debug(args, (size, target), client);
    }
    dispatches::debug(args, target, client)
}
