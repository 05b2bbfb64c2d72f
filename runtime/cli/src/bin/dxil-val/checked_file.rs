//! The result for one file.

use std::io;
use std::path::PathBuf;

use dxil_frontend::validate::ValidationReport;

/// A file with its report, or the reason why there is none.
pub(crate) struct CheckedFile {
    pub(crate) file: PathBuf,
    pub(crate) report: io::Result<ValidationReport>,
}
