//! Checks of a dispatch while it runs: see [`Check`].
//!
//! The findings follow from the accesses and the barriers of the run, not from the order in which
//! the executor runs threads: two accesses of different threads to the same bytes race if one of
//! them writes, they are not both atomic, and no barrier orders them.
//!
//! A kernel that is decoded with checks has probes among its instructions, and shadow registers
//! that follow undefined values ([`crate::decode`]). A kernel without checks has neither.

mod checker;
mod finding;
mod kinds;
mod reads;
mod report;
mod words;

pub(crate) use checker::{Checker, Subject};
pub use finding::{AccessKind, Finding, Participant};
pub use kinds::{Check, Checks, FindingKind};
pub(crate) use reads::Missing;
pub(crate) use report::Report;
pub(crate) use words::{Site, WordAccess};
