//! HASH: digest of the program, for caches and debuggers.

use super::header::Part;
use crate::error::Result;

/// Content of the HASH part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShaderHash {
    /// Raw flags.
    pub flags: u32,
    /// Plain MD5 of the bitcode (or of the debug bitcode where `includes_source`).
    pub digest: [u8; 16],
}

impl ShaderHash {
    /// Reads the part.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse(part: Part<'_>) -> Result<Self> {
        let mut reader = part.reader();
        let mut read = || {
            Ok(ShaderHash {
                flags: reader.u32("shader hash")?,
                digest: reader.array("shader hash")?,
            })
        };
        read().map_err(|e: crate::Error| e.in_part(part.name))
    }

    /// Returns whether source information went into the digest (`-Zss`).
    pub fn includes_source(&self) -> bool {
        self.flags & 1 != 0
    }
}
