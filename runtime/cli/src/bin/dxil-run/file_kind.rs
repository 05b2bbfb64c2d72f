//! Kinds of the files that `--out` writes.

use std::path::Path;

/// The format of a file of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Bytes,
    NumPy,
    Table,
    Png,
    Exr,
}

impl FileKind {
    /// Returns the kind of a file by its extension.
    pub(crate) fn of(file: &str) -> Result<Self, String> {
        let extension = Path::new(file).extension().and_then(|e| e.to_str());
        let extension = extension.unwrap_or("").to_ascii_lowercase();
        Ok(match extension.as_str() {
            "bin" => FileKind::Bytes,
            "npy" => FileKind::NumPy,
            "csv" => FileKind::Table,
            "png" => FileKind::Png,
            "exr" => FileKind::Exr,
            other => {
                return Err(format!(
                    "`.{other}` files are not written; use .bin, .npy, .png, .exr or .csv"
                ));
            }
        })
    }
}
