//! Converts formats to the executor's.

use super::blocks;
use crate::error::{Error, Result};
use crate::format::{Format, TexelLayout};

/// Returns the layout of the texels that the executor sees: of compressed formats, the decoded
/// ones.
pub(super) fn convert(format: Format) -> Result<TexelLayout> {
    format
        .layout()
        .or_else(|| blocks::decoded_layout(format))
        .ok_or_else(|| {
            Error::Unsupported(format!("textures of format {format} on the CPU backend"))
        })
}
