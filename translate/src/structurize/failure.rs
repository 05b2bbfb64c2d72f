//! Why a graph did not become nested constructs.

use crate::Error;
use crate::budget::Exhausted;

/// Why constructs were not nested.
pub(super) enum Failure {
    /// The graph is flattened.
    TooMuch,
    /// The graph is wrong, or we are.
    Error(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Error(error)
    }
}

impl From<Exhausted> for Failure {
    fn from(_: Exhausted) -> Self {
        Failure::TooMuch
    }
}
