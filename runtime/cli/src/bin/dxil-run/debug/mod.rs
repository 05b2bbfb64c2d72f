//! `--debug` and `--trace`: a dispatch, rays, a draw or a node in a debugger, in the terminal or
//! for an editor, or line by line.
//!
//! ```text
//! client      what drives a session, and the program that is debugged
//! dispatches, rays, draws, graphs, file   each kind of work -> work   what the command line runs
//! debugged    what is left at the end
//! terminal, editor, tracing   the front ends
//! ```

mod client;
mod debugged;
mod dispatches;
mod draws;
mod editor;
mod file;
mod graphs;
mod rays;
mod terminal;
mod tracing;
mod work;

pub(crate) use editor::serve;
pub(crate) use terminal::in_terminal;
pub(crate) use tracing::trace;
