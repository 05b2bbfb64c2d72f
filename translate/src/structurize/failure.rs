//! Reasons why a graph has no nested constructs.

use crate::Error;
use crate::budget::Exhausted;

/// The reason why constructs were not nested.
pub(super) enum NestingFailure {
    /// Too many steps or too deep a nesting: the graph is flattened instead.
    TooMuch,
    /// An error in the input, or an internal error.
    Error(Error),
}

impl From<Error> for NestingFailure {
    fn from(error: Error) -> Self {
        NestingFailure::Error(error)
    }
}

impl From<Exhausted> for NestingFailure {
    fn from(_: Exhausted) -> Self {
        NestingFailure::TooMuch
    }
}
