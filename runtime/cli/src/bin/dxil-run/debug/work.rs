//! What the command line runs, in a debugger.

use super::client::Client;
use super::debugged::Debugged;
use super::{dispatches, draws, file, graphs, rays};
use crate::args::Args;
use crate::draw;
use crate::failure::{Failure, Result};
use crate::options::BackendName;

/// Debugs what the command line runs; returns the run, or nothing where the user has ended it.
pub(super) fn debug(args: &Args, client: Client<'_>) -> Result<Option<Debugged>> {
    let Some(target) = args.debug.clone().or_else(|| args.trace.clone()) else {
        return Err(Failure::usage("--debug says what to debug"));
    };
    if args.backend() != BackendName::Cpu {
        return Err(Failure::usage(
            "--debug runs on the CPU: leave --backend out",
        ));
    }
    if args.graph {
        return graphs::debug(args, target, client);
    }
    if let Some(path) = &args.pipeline {
        return file::debug(args, (path, target), client);
    }
    if let Some(call) = draw::call(args)? {
        return draws::debug(args, (call, target), client);
    }
    if let Some(size) = args.rays {
        return rays::debug(args, (size, target), client);
    }
    dispatches::debug(args, target, client)
}
