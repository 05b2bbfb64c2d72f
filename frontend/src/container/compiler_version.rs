//! VERS: version of the compiler (libraries only).

use super::fourcc::FourCc;
use super::header::{Container, Part};
use crate::error::{Error, Result};
use crate::reader::Strings;

/// Content of the VERS part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompilerVersion<'a> {
    /// Major version.
    pub major: u16,
    /// Minor version.
    pub minor: u16,
    /// Raw flags: bit 0 debug build, bit 1 internal build.
    pub flags: u32,
    /// Number of commits.
    pub commit_count: u32,
    /// Commit, hexadecimal; may be empty.
    pub commit: &'a str,
    /// Free text; may be empty.
    pub custom: &'a str,
}

impl<'a> CompilerVersion<'a> {
    /// Reads the part.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse(part: Part<'a>) -> Result<Self> {
        const WHAT: &str = "compiler version";
        let read = || {
            let mut reader = part.reader();
            let (major, minor) = (reader.u16(WHAT)?, reader.u16(WHAT)?);
            let flags = reader.u32(WHAT)?;
            let commit_count = reader.u32(WHAT)?;
            let size = reader.u32(WHAT)?;
            let base = reader.offset();
            let strings = Strings::new(reader.bytes(size as usize, WHAT)?, base);
            let at = |offset: usize| match u32::try_from(offset) {
                Ok(offset) if offset < size => strings.get(offset, WHAT),
                _ => Ok(""),
            };
            let commit = at(0)?;
            // The second string has no offset of its own: it follows the first one's zero.
            let custom = at(commit.len() + 1)?;
            Ok(CompilerVersion {
                major,
                minor,
                flags,
                commit_count,
                commit,
                custom,
            })
        };
        read().map_err(|e: Error| e.in_part(part.name))
    }
}

impl CompilerVersion<'_> {
    /// Returns the content of the part, of whole words.
    ///
    /// # Errors
    ///
    /// If the texts are larger than 4 GiB.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut texts = Vec::new();
        for text in [self.commit, self.custom] {
            texts.extend_from_slice(text.as_bytes());
            texts.push(0);
        }
        let size = u32::try_from(texts.len())
            .map_err(|_| Error::malformed("the texts of the compiler's version are too long"))?;
        let mut out = Vec::with_capacity(texts.len() + 20);
        out.extend_from_slice(&self.major.to_le_bytes());
        out.extend_from_slice(&self.minor.to_le_bytes());
        for word in [self.flags, self.commit_count, size] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out.extend_from_slice(&texts);
        out.resize(out.len().next_multiple_of(4), 0);
        Ok(out)
    }
}

impl<'a> Container<'a> {
    /// Reads VERS, where there is one.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn compiler_version(&self) -> Result<Option<CompilerVersion<'a>>> {
        let part = self.part(FourCc::VERS);
        part.map(CompilerVersion::parse).transpose()
    }
}
