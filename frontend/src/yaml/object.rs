//! The whole file: header and parts.

use super::fields::{Io, Record};
use super::psv::PsvText;
use super::root_signature::RootSignatureText;
use super::signature::SignatureText;
use super::small::{DebugNameText, FeaturesText, HashText, ProgramText, VersionText};
use super::sources::SourcesText;
use crate::container::{Container, Part, ProgramBitcode};
use crate::error::{Error, ErrorKind, Result};
use crate::{FourCc, limits};

/// Bytes of the file header, up to the part table.
const HEADER_BYTES: u32 = 32;
/// Bytes of a part header.
const PART_HEADER_BYTES: u32 = 8;

/// A container as text.
#[derive(Debug, Default)]
pub(super) struct Object {
    header: Header,
    parts: Vec<PartText>,
}

#[derive(Debug, Default)]
struct Header {
    hash: [u8; 16],
    version: ContainerVersion,
    file_size: Option<u32>,
    part_count: u32,
    part_offsets: Option<Vec<u32>>,
}

#[derive(Debug, Default)]
struct ContainerVersion {
    major: u16,
    minor: u16,
}

/// A part. Only what its name asks for is there; the others have nothing but their size.
#[derive(Debug, Default)]
struct PartText {
    name: String,
    size: u32,
    program: Option<ProgramText>,
    features: Option<FeaturesText>,
    hash: Option<HashText>,
    psv: Option<PsvText>,
    signature: Option<SignatureText>,
    root_signature: Option<RootSignatureText>,
    debug_name: Option<DebugNameText>,
    version: Option<VersionText>,
    sources: Option<SourcesText>,
    private: Option<Vec<u8>>,
}

impl Record for Object {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.record("Header", &mut self.header)?;
        io.records("Parts", &mut self.parts)
    }
}

impl Record for Header {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.bytes("Hash", &mut self.hash, true)?;
        io.record("Version", &mut self.version)?;
        io.optional("FileSize", &mut self.file_size)?;
        io.required("PartCount", &mut self.part_count)?;
        io.maybe_numbers("PartOffsets", &mut self.part_offsets, false)
    }
}

impl Record for ContainerVersion {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("Major", &mut self.major)?;
        io.required("Minor", &mut self.minor)
    }
}

impl Record for PartText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("Name", &mut self.name)?;
        io.required("Size", &mut self.size)?;
        io.maybe("Program", &mut self.program)?;
        io.maybe("Flags", &mut self.features)?;
        io.maybe("Hash", &mut self.hash)?;
        io.maybe("PSVInfo", &mut self.psv)?;
        io.maybe("Signature", &mut self.signature)?;
        io.maybe("RootSignature", &mut self.root_signature)?;
        io.maybe("DebugName", &mut self.debug_name)?;
        io.maybe("CompilerVersion", &mut self.version)?;
        io.maybe("SourceInfo", &mut self.sources)?;
        io.maybe_numbers("PrivateData", &mut self.private, true)
    }
}

impl Object {
    /// Describes a container.
    pub(super) fn of(container: &Container<'_>) -> Result<Self> {
        let parts = container.parts();
        let mut offsets = Vec::with_capacity(parts.len());
        let mut texts = Vec::with_capacity(parts.len());
        for part in parts {
            offsets.push(word(part.offset)?.saturating_sub(PART_HEADER_BYTES));
            let text = PartText::of(part, container);
            texts.push(text.map_err(|error| error.in_part(part.name))?);
        }
        let (major, minor) = container.version();
        Ok(Object {
            header: Header {
                hash: container.stored_digest(),
                version: ContainerVersion { major, minor },
                file_size: Some(word(container.bytes().len() as u64)?),
                part_count: word(parts.len() as u64)?,
                part_offsets: Some(offsets),
            },
            parts: texts,
        })
    }

    /// Returns the bytes of the container.
    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let count = self.header.part_count;
        if count > limits::MAX_PARTS || count as usize != self.parts.len() {
            return Err(Error::malformed(format!(
                "PartCount is {count}, and there are {} parts",
                self.parts.len()
            )));
        }
        let given = self.header.part_offsets.as_deref();
        if given.is_some_and(|offsets| offsets.len() != self.parts.len()) {
            return Err(Error::malformed("PartOffsets has one number for each part"));
        }
        let mut end = HEADER_BYTES + count * 4;
        let mut offsets = Vec::with_capacity(self.parts.len());
        let too_large = || Error::malformed("the container would be larger than 4 GiB");
        for (place, part) in self.parts.iter().enumerate() {
            let offset = given.and_then(|given| given.get(place)).copied();
            let offset = offset.unwrap_or(end);
            if offset < end {
                return Err(Error::malformed(format!(
                    "part {}: its offset {offset} lies within what is before it",
                    part.name
                )));
            }
            offsets.push(offset);
            let after = offset.checked_add(PART_HEADER_BYTES);
            let after = after.and_then(|start| start.checked_add(part.size));
            end = after.ok_or_else(too_large)?;
        }
        // A few lines must not ask for gigabytes.
        if u64::from(end) > MAX_BYTES {
            return Err(Error::new(ErrorKind::Limit {
                what: "bytes of the container",
                value: end.into(),
                limit: MAX_BYTES,
            }));
        }
        let file_size = self.header.file_size.unwrap_or(end);
        if file_size < end {
            return Err(Error::malformed(format!(
                "FileSize is {file_size}, and the parts end at {end}"
            )));
        }
        let mut out = Vec::with_capacity(end as usize);
        out.extend_from_slice(&FourCc::DXBC.0);
        out.extend_from_slice(&self.header.hash);
        out.extend_from_slice(&self.header.version.major.to_le_bytes());
        out.extend_from_slice(&self.header.version.minor.to_le_bytes());
        out.extend_from_slice(&file_size.to_le_bytes());
        out.extend_from_slice(&count.to_le_bytes());
        for offset in &offsets {
            out.extend_from_slice(&offset.to_le_bytes());
        }
        for (part, offset) in self.parts.iter().zip(offsets) {
            out.resize(offset as usize, 0);
            let name = part.fourcc()?;
            let contents = part.contents(name);
            let contents = contents.map_err(|error| error.in_part(name))?;
            if contents.len() > part.size as usize {
                return Err(Error::malformed(format!(
                    "Size is {}, and its contents have {} bytes",
                    part.size,
                    contents.len()
                ))
                .in_part(name));
            }
            out.extend_from_slice(&name.0);
            out.extend_from_slice(&part.size.to_le_bytes());
            let end = out.len() + part.size as usize;
            out.extend_from_slice(&contents);
            out.resize(end, 0);
        }
        Ok(out)
    }
}

/// Most bytes of a container that is written.
const MAX_BYTES: u64 = 1 << 30;

fn word(value: u64) -> Result<u32> {
    u32::try_from(value).map_err(|_| Error::malformed("the container is larger than 4 GiB"))
}

impl PartText {
    fn of(part: &Part<'_>, container: &Container<'_>) -> Result<Self> {
        let name = String::from_utf8(part.name.0.to_vec());
        let name = name.map_err(|_| Error::malformed("the name of a part is not text"))?;
        let mut text = PartText {
            name,
            size: word(part.data.len() as u64)?,
            ..PartText::default()
        };
        match part.name {
            FourCc::DXIL | FourCc::ILDB => text.program = Some(ProgramText::of(part)?),
            FourCc::SFI0 => text.features = FeaturesText::of(part)?,
            FourCc::HASH => text.hash = HashText::of(part)?,
            FourCc::PSV0 => {
                // Version 0 does not state its stage.
                let program = container.part(FourCc::DXIL);
                let program = program.or_else(|| container.part(FourCc::ILDB));
                let program = program.map(ProgramBitcode::parse).transpose()?;
                let header = program.and_then(|program| program.header);
                let kind = header.map(|header| header.kind.number());
                text.psv = Some(PsvText::of(part, kind)?);
            }
            FourCc::ISG1 | FourCc::OSG1 | FourCc::PSG1 => {
                text.signature = Some(SignatureText::of(part)?);
            }
            FourCc::RTS0 => text.root_signature = Some(RootSignatureText::of(part)?),
            FourCc::ILDN => text.debug_name = Some(DebugNameText::of(part)?),
            FourCc::VERS => text.version = Some(VersionText::of(part)?),
            FourCc::SRCI => text.sources = Some(SourcesText::of(part)?),
            FourCc::PRIV => text.private = Some(part.data.to_vec()),
            _ => {}
        }
        Ok(text)
    }

    fn fourcc(&self) -> Result<FourCc> {
        let name = self.name.as_bytes().try_into();
        name.map(FourCc).map_err(|_| {
            Error::malformed(format!("part {}: its name has not four bytes", self.name))
        })
    }

    /// Returns the contents, zeros at their end left out.
    fn contents(&self, name: FourCc) -> Result<Vec<u8>> {
        match name {
            FourCc::DXIL | FourCc::ILDB => written(self.program.as_ref(), ProgramText::write),
            FourCc::SFI0 => written(self.features.as_ref(), FeaturesText::write),
            FourCc::HASH => written(self.hash.as_ref(), HashText::write),
            FourCc::PSV0 => written(self.psv.as_ref(), PsvText::write),
            // Without parameters, too, there is a header.
            FourCc::ISG1 | FourCc::OSG1 | FourCc::PSG1 => match &self.signature {
                Some(signature) => signature.write(),
                None => SignatureText::default().write(),
            },
            FourCc::RTS0 => written(self.root_signature.as_ref(), RootSignatureText::write),
            FourCc::ILDN => written(self.debug_name.as_ref(), DebugNameText::write),
            FourCc::VERS => written(self.version.as_ref(), VersionText::write),
            FourCc::SRCI => written(self.sources.as_ref(), SourcesText::write),
            FourCc::PRIV => Ok(self.private.clone().unwrap_or_default()),
            _ => Ok(Vec::new()),
        }
    }
}

fn written<T>(text: Option<&T>, write: fn(&T) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    text.map_or_else(|| Ok(Vec::new()), write)
}
