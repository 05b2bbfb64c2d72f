//! Checks of a dispatch while it runs: data races, accesses out of bounds, reads of groupshared
//! memory that nothing has written, and barriers that not all threads reach.
//!
//! What is found follows from the accesses and the barriers of the run, not from the order in which
//! the executor happens to run threads: two accesses of different threads to the same bytes race if
//! one of them writes, they are not both atomic, and no barrier orders them.

mod checker;
mod finding;
mod words;

pub(crate) use checker::{Checker, Subject};
pub use finding::{AccessKind, Checks, Finding, FindingKind, Participant};
pub(crate) use words::{Access, Site};
