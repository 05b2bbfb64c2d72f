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
    Dds,
    Ktx2,
}

impl FileKind {
    /// Returns whether the file holds all levels of a texture.
    pub(crate) fn has_levels(self) -> bool {
        matches!(self, FileKind::Bytes | FileKind::Dds | FileKind::Ktx2)
    }

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
            "dds" => FileKind::Dds,
            "ktx2" => FileKind::Ktx2,
            other => {
                return Err(format!(
                    "`.{other}` files are not written; use .bin, .npy, .png, .exr, .dds, .ktx2 or .csv"
                ));
            }
        })
    }
}
