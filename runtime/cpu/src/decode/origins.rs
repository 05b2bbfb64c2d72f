//! Origins of undefined values, and the marks of shadows (`shadow`).

use crate::check::FindingKind;
use crate::error::CodeLocation;

/// An instruction that makes a value undefined.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) kind: FindingKind,
    /// The instruction; none for `undef`.
    pub(crate) place: Option<CodeLocation>,
}

/// The origin of `undef`, the first of every kernel.
pub(crate) const UNDEF_ORIGIN: u32 = 1;

/// A shadow word of private memory that nothing has written.
pub(crate) const UNWRITTEN: u32 = u32::MAX;
