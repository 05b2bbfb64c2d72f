//! ILDN: file name of the debug information.

use super::fourcc::FourCc;
use super::header::{Container, Part};
use crate::error::{Error, Result};

/// Content of the ILDN part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DebugName<'a> {
    /// Raw flags; 0 so far.
    pub flags: u16,
    /// File name, usually a digest and `.pdb`.
    pub name: &'a str,
}

impl<'a> DebugName<'a> {
    /// Reads the part.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse(part: Part<'a>) -> Result<Self> {
        let read = || {
            let mut reader = part.reader();
            let flags = reader.u16("debug name")?;
            let length = usize::from(reader.u16("debug name")?);
            let offset = reader.offset();
            let bytes = reader.bytes(length, "debug name")?;
            let name = std::str::from_utf8(bytes)
                .map_err(|_| Error::malformed("debug name is not UTF-8").at_offset(offset))?;
            Ok(DebugName { flags, name })
        };
        read().map_err(|e: Error| e.in_part(part.name))
    }
}

impl DebugName<'_> {
    /// Returns the content of the part, of whole words.
    ///
    /// # Errors
    ///
    /// If the name is longer than 65,535 bytes.
    pub fn write(&self) -> Result<Vec<u8>> {
        let length = u16::try_from(self.name.len())
            .map_err(|_| Error::malformed("the debug name is longer than 65,535 bytes"))?;
        let mut out = Vec::with_capacity(self.name.len() + 8);
        out.extend_from_slice(&self.flags.to_le_bytes());
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(self.name.as_bytes());
        out.push(0);
        out.resize(out.len().next_multiple_of(4), 0);
        Ok(out)
    }
}

impl<'a> Container<'a> {
    /// Reads ILDN, where there is one.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn debug_name(&self) -> Result<Option<DebugName<'a>>> {
        self.part(FourCc::ILDN).map(DebugName::parse).transpose()
    }

    /// Reads HASH, where there is one.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn shader_hash(&self) -> Result<Option<super::ShaderHash>> {
        let part = self.part(FourCc::HASH);
        part.map(super::ShaderHash::parse).transpose()
    }

    /// Reads SFI0, where there is one.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn features(&self) -> Result<Option<super::FeatureFlags>> {
        let part = self.part(FourCc::SFI0);
        part.map(super::FeatureFlags::parse).transpose()
    }

    /// Returns the bytes of PRIV, where there is one: private data of the tool that built the
    /// container.
    pub fn private_data(&self) -> Option<&'a [u8]> {
        self.part(FourCc::PRIV).map(|part| part.data)
    }
}
