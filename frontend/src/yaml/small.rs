//! Parts of a few fields: DXIL and ILDB, SFI0, HASH, ILDN, VERS.

use super::fields::{Io, Record};
use super::names;
use crate::FourCc;
use crate::container::{CompilerVersion, DebugName, FeatureFlags, Part, ShaderHash};
use crate::error::{Error, Result};
use crate::reader::Reader;

/// Bytes of the program header, up to the bitcode header.
const PROGRAM_HEADER_BYTES: u32 = 8;
/// Bytes of the bitcode header.
const BITCODE_HEADER_BYTES: u32 = 16;

/// A program part.
#[derive(Debug, Default)]
pub(super) struct ProgramText {
    major: u8,
    minor: u8,
    kind: u16,
    words: Option<u32>,
    dxil_major: u8,
    dxil_minor: u8,
    bytes: Option<u32>,
    bitcode: Option<Vec<u8>>,
}

impl Record for ProgramText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("MajorVersion", &mut self.major)?;
        io.required("MinorVersion", &mut self.minor)?;
        io.required("ShaderKind", &mut self.kind)?;
        io.optional("Size", &mut self.words)?;
        io.required("DXILMajorVersion", &mut self.dxil_major)?;
        io.required("DXILMinorVersion", &mut self.dxil_minor)?;
        io.optional("DXILSize", &mut self.bytes)?;
        io.maybe_numbers("DXIL", &mut self.bitcode, true)
    }
}

impl ProgramText {
    pub(super) fn of(part: &Part<'_>) -> Result<Self> {
        const WHAT: &str = "program header";
        let mut reader = part.reader();
        let version = reader.u8(WHAT)?;
        reader.u8(WHAT)?;
        let kind = reader.u16(WHAT)?;
        let words = reader.u32(WHAT)?;
        reader.u32(WHAT)?;
        let (dxil_minor, dxil_major) = (reader.u8(WHAT)?, reader.u8(WHAT)?);
        reader.u16(WHAT)?;
        let (start, bytes) = (reader.u32(WHAT)?, reader.u32(WHAT)?);
        let start = PROGRAM_HEADER_BYTES.saturating_add(start) as usize;
        let bitcode = part.reader().at(start, "bitcode")?;
        let bitcode = bitcode.clone().bytes(bytes as usize, "bitcode")?;
        Ok(ProgramText {
            major: version >> 4,
            minor: version & 0xf,
            kind,
            words: Some(words),
            dxil_major,
            dxil_minor,
            bytes: Some(bytes),
            bitcode: Some(bitcode.to_vec()),
        })
    }

    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let bitcode = self.bitcode.as_deref().unwrap_or_default();
        let bytes = match self.bytes {
            Some(bytes) => bytes,
            None => {
                u32::try_from(bitcode.len()).map_err(|_| Error::malformed("DXIL is too long"))?
            }
        };
        // Without a number LLVM counts bytes here, DXC words.
        let header = PROGRAM_HEADER_BYTES + BITCODE_HEADER_BYTES;
        let words = self.words.unwrap_or_else(|| header.saturating_add(bytes));
        if self.major > 15 || self.minor > 15 {
            return Err(Error::malformed("a shader model has numbers of up to 15"));
        }
        let mut out = Vec::with_capacity(bitcode.len() + 24);
        out.extend_from_slice(&[self.major << 4 | self.minor, 0]);
        out.extend_from_slice(&self.kind.to_le_bytes());
        out.extend_from_slice(&words.to_le_bytes());
        out.extend_from_slice(&FourCc::DXIL.0);
        out.extend_from_slice(&[self.dxil_minor, self.dxil_major, 0, 0]);
        out.extend_from_slice(&BITCODE_HEADER_BYTES.to_le_bytes());
        out.extend_from_slice(&bytes.to_le_bytes());
        out.extend_from_slice(bitcode);
        Ok(out)
    }
}

/// SFI0.
#[derive(Debug, Default)]
pub(super) struct FeaturesText {
    bits: u64,
}

impl Record for FeaturesText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.flags(&mut self.bits, names::FEATURES, true)
    }
}

impl FeaturesText {
    /// Returns the flags; `None` where no bit is set.
    pub(super) fn of(part: &Part<'_>) -> Result<Option<Self>> {
        let bits = FeatureFlags::parse(*part)?.bits();
        Ok((bits != 0).then_some(FeaturesText { bits }))
    }

    pub(super) fn write(&self) -> Result<Vec<u8>> {
        Ok(self.bits.to_le_bytes().to_vec())
    }
}

/// HASH.
#[derive(Debug, Default)]
pub(super) struct HashText {
    includes_source: bool,
    digest: [u8; 16],
}

impl Record for HashText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("IncludesSource", &mut self.includes_source)?;
        io.bytes("Digest", &mut self.digest, true)
    }
}

impl HashText {
    /// Returns the hash; `None` where all its bytes are zero.
    pub(super) fn of(part: &Part<'_>) -> Result<Option<Self>> {
        let hash = ShaderHash::parse(*part)?;
        let is_there = hash.flags != 0 || hash.digest != [0; 16];
        Ok(is_there.then_some(HashText {
            includes_source: hash.includes_source(),
            digest: hash.digest,
        }))
    }

    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let mut out = u32::from(self.includes_source).to_le_bytes().to_vec();
        out.extend_from_slice(&self.digest);
        Ok(out)
    }
}

/// ILDN.
#[derive(Debug, Default)]
pub(super) struct DebugNameText {
    flags: Option<u16>,
    length: Option<u16>,
    name: String,
}

impl Record for DebugNameText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.optional("Flags", &mut self.flags)?;
        io.optional("NameLength", &mut self.length)?;
        io.required("DebugName", &mut self.name)
    }
}

impl DebugNameText {
    pub(super) fn of(part: &Part<'_>) -> Result<Self> {
        let name = DebugName::parse(*part)?;
        Ok(DebugNameText {
            flags: Some(name.flags),
            length: u16::try_from(name.name.len()).ok(),
            name: name.name.to_owned(),
        })
    }

    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let length = match self.length {
            Some(length) => length,
            None => u16::try_from(self.name.len())
                .map_err(|_| Error::malformed("DebugName is longer than 65,535 bytes"))?,
        };
        let mut out = self.flags.unwrap_or(0).to_le_bytes().to_vec();
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(self.name.as_bytes());
        out.push(0);
        Ok(out)
    }
}

/// VERS.
#[derive(Debug, Default)]
pub(super) struct VersionText {
    major: Option<u16>,
    minor: Option<u16>,
    is_debug: Option<bool>,
    is_internal: Option<bool>,
    commit_count: Option<u32>,
    bytes: Option<u32>,
    commit: Option<String>,
    custom: Option<String>,
}

impl Record for VersionText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.optional("Major", &mut self.major)?;
        io.optional("Minor", &mut self.minor)?;
        io.optional("IsDebugBuild", &mut self.is_debug)?;
        // LLVM's name for the bit that says that a build is not a release.
        io.optional("IsValidated", &mut self.is_internal)?;
        io.optional("CommitCount", &mut self.commit_count)?;
        io.optional("ContentSizeInBytes", &mut self.bytes)?;
        io.optional("CommitSha", &mut self.commit)?;
        io.optional("CustomVersionString", &mut self.custom)
    }
}

impl VersionText {
    pub(super) fn of(part: &Part<'_>) -> Result<Self> {
        let version = CompilerVersion::parse(*part)?;
        // Behind two numbers of 16 bits, flags and a count stands the size of the texts.
        let mut reader: Reader<'_> = part.reader();
        reader.bytes(12, "compiler version")?;
        Ok(VersionText {
            major: Some(version.major),
            minor: Some(version.minor),
            is_debug: Some(version.flags & 1 != 0),
            is_internal: Some(version.flags & 2 != 0),
            commit_count: Some(version.commit_count),
            bytes: Some(reader.u32("compiler version")?),
            commit: Some(version.commit.to_owned()),
            custom: Some(version.custom.to_owned()),
        })
    }

    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let commit = self.commit.as_deref().unwrap_or_default();
        let custom = self.custom.as_deref().unwrap_or_default();
        let flags = u32::from(self.is_debug.unwrap_or(false))
            | u32::from(self.is_internal.unwrap_or(false)) << 1;
        let mut texts = Vec::new();
        for text in [commit, custom] {
            texts.extend_from_slice(text.as_bytes());
            texts.push(0);
        }
        let bytes = match self.bytes {
            Some(bytes) => bytes,
            None => u32::try_from(texts.len())
                .map_err(|_| Error::malformed("the texts are longer than 4 GiB"))?,
        };
        let mut out = Vec::with_capacity(texts.len() + 16);
        out.extend_from_slice(&self.major.unwrap_or(0).to_le_bytes());
        out.extend_from_slice(&self.minor.unwrap_or(0).to_le_bytes());
        for word in [flags, self.commit_count.unwrap_or(0), bytes] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out.extend_from_slice(&texts);
        Ok(out)
    }
}
