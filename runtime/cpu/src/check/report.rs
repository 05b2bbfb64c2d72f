//! The description of an access in a finding.

use super::words::WordAccess;

/// The details of a finding besides kind and thread.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) resource: String,
    pub(crate) byte: Option<u64>,
    pub(crate) texel: Option<[i64; 3]>,
    pub(crate) detail: String,
    /// The other access, with the number of its group.
    pub(crate) first: Option<(u32, WordAccess)>,
    /// Number of the origin in [`Kernel::origins`], or 0.
    pub(crate) origin: u32,
}
