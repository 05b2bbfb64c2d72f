//! A dispatch that a kernel is measured with.

use dxil_runtime::job::Job;

use super::checks::Check;

/// A dispatch with its inputs and the check of its results.
pub(crate) struct Workload {
    pub(crate) job: Job,
    /// Minimum number of bytes that the dispatch moves; 0 where bandwidth is not a measure of it.
    pub(crate) bytes: f64,
    /// Number of floating-point operations; 0 if there are none.
    pub(crate) operations: f64,
    pub(crate) check: Check,
}
