//! Files of results.

use std::path::Path;

use anyhow::Context;

/// Writes a file.
///
/// # Errors
///
/// The file cannot be written; the error has its name.
pub(crate) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}
