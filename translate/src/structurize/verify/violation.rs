//! The error for a structured form that breaks a rule of SPIR-V.

use crate::{Error, Result};

/// Returns the error that the block breaks a rule: a fault of the structurizer, never of the input.
///
/// # Errors
///
/// Always.
pub(super) fn broken<T>(block: u32, what: &str) -> Result<T> {
    Err(Error::internal(format!("structured block {block} {what}")))
}
