//! Program parts (DXIL, ILDB, STAT): the program header, the bitcode header, and the bitcode; and
//! the way to the bitcode of any input, container or bare bitcode file.

use super::fourcc::FourCc;
use super::header::{Container, Part};
use crate::dxil::ShaderKind;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::Reader;

/// `BC` 0xC0DE: the first word of an LLVM bitstream.
const BITCODE_MAGIC: u32 = 0xdec0_4342;

/// First word of LLVM's wrapper around a bitstream.
const WRAPPER_MAGIC: u32 = 0x0b17_c0de;

/// Bytes of the program header, up to the bitcode header.
const PROGRAM_HEADER_BYTES: usize = 8;

/// The kind of a file, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// A DXContainer.
    Container,
    /// A bare LLVM bitstream.
    Bitcode,
    /// A bitstream in LLVM's wrapper.
    WrappedBitcode,
}

/// Returns the kind of `bytes`, or `None` for an unknown one.
pub fn detect(bytes: &[u8]) -> Option<InputKind> {
    let word = Reader::new(bytes, 0).u32("magic").ok()?;
    Some(match word {
        BITCODE_MAGIC => InputKind::Bitcode,
        WRAPPER_MAGIC => InputKind::WrappedBitcode,
        _ if word.to_le_bytes() == FourCc::DXBC.0 => InputKind::Container,
        _ => return None,
    })
}

/// Returns the bitcode of any input: a container's program, or a bare bitcode file, wrapped or not.
///
/// # Errors
///
/// If there is no program, or its header is malformed.
pub fn open_program(bytes: &[u8]) -> Result<ProgramBitcode<'_>> {
    match detect(bytes) {
        Some(InputKind::Container) => Container::parse(bytes)?.program(),
        Some(InputKind::Bitcode) => Ok(ProgramBitcode {
            header: None,
            bitcode: bytes,
            bitcode_offset: 0,
        }),
        Some(InputKind::WrappedBitcode) => unwrap_bitcode(bytes),
        None => Err(Error::malformed(
            "this is neither a DXContainer (DXBC) nor LLVM bitcode (BC 0xc0de)",
        )
        .at_offset(0)),
    }
}

/// Version and stage as the program header states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramHeader {
    /// Stage.
    pub kind: ShaderKind,
    /// Major shader model.
    pub major: u8,
    /// Minor shader model.
    pub minor: u8,
    /// DXIL version (major, minor).
    pub dxil_version: (u8, u8),
    /// Size that the header claims, in 32-bit words. DXC writes the part's size here.
    pub size_in_words: u32,
}

/// Bitcode and where it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramBitcode<'a> {
    /// The program header; `None` for bare bitcode.
    pub header: Option<ProgramHeader>,
    /// The LLVM bitstream, magic included.
    pub bitcode: &'a [u8],
    /// Absolute offset of `bitcode` in the input.
    pub bitcode_offset: u64,
}

impl<'a> ProgramBitcode<'a> {
    /// Reads a program part (DXIL, ILDB, STAT).
    ///
    /// # Errors
    ///
    /// If the header of the program is malformed.
    pub fn parse(part: Part<'a>) -> Result<Self> {
        parse_program(part).map_err(|e| e.in_part(part.name))
    }
}

impl<'a> Container<'a> {
    /// Returns the program: the DXIL part, or ILDB (the one with debug information) where only that
    /// is there.
    ///
    /// # Errors
    ///
    /// If there is no program, or its header is malformed.
    pub fn program(&self) -> Result<ProgramBitcode<'a>> {
        if let Some(part) = self.dxbc_part() {
            return Err(ErrorKind::Dxbc { part }.into());
        }
        // DXIL first: it is what runs. ILDB is the same code and larger.
        match self.part(FourCc::DXIL).or_else(|| self.part(FourCc::ILDB)) {
            Some(part) => ProgramBitcode::parse(part),
            None => Err(ErrorKind::MissingPart { part: FourCc::DXIL }.into()),
        }
    }

    /// Returns the program with debug information (ILDB), where there is one.
    ///
    /// # Errors
    ///
    /// If the header of the program is malformed.
    pub fn debug_program(&self) -> Result<Option<ProgramBitcode<'a>>> {
        self.part(FourCc::ILDB)
            .map(ProgramBitcode::parse)
            .transpose()
    }

    /// Returns the program of the STAT part: the module with its reflection data, where there is
    /// one.
    ///
    /// # Errors
    ///
    /// If the header of the program is malformed.
    pub fn reflection_program(&self) -> Result<Option<ProgramBitcode<'a>>> {
        self.part(FourCc::STAT)
            .map(ProgramBitcode::parse)
            .transpose()
    }
}

fn parse_program(part: Part<'_>) -> Result<ProgramBitcode<'_>> {
    let mut reader = part.reader();
    let version_offset = reader.offset();
    let version = reader.u32("program header")?;
    let size_in_words = reader.u32("program header")?;
    let kind = ShaderKind::from_number(u64::from(version >> 16)).ok_or_else(|| {
        Error::new(ErrorKind::BadValue {
            what: "shader kind of the program header",
            value: u64::from(version >> 16),
            rule: "kinds are 0 to 15",
        })
        .at_offset(version_offset)
    })?;
    let [low, ..] = version.to_le_bytes();
    let (major, minor) = (low >> 4, low & 0xf);

    let magic_offset = reader.offset();
    let magic = FourCc(reader.array("bitcode header")?);
    if magic != FourCc::DXIL {
        return Err(Error::new(ErrorKind::BadValue {
            what: "magic of the bitcode header",
            value: u64::from(u32::from_le_bytes(magic.0)),
            rule: "it is DXIL",
        })
        .at_offset(magic_offset));
    }
    let [dxil_minor, dxil_major, ..] = reader.u32("bitcode header")?.to_le_bytes();
    let start_offset = reader.offset();
    let start = reader.u32("bitcode header")? as usize;
    let size = reader.u32("bitcode header")? as usize;
    // The start counts from the bitcode header.
    let mut body = part
        .reader()
        .at(PROGRAM_HEADER_BYTES.saturating_add(start), "bitcode")
        .map_err(|e| e.at_offset(start_offset))?;
    let bitcode_offset = body.offset();
    let bitcode = body.bytes(size, "bitcode")?;
    Ok(ProgramBitcode {
        header: Some(ProgramHeader {
            kind,
            major,
            minor,
            dxil_version: (dxil_major, dxil_minor),
            size_in_words,
        }),
        bitcode,
        bitcode_offset,
    })
}

/// Reads LLVM's wrapper: magic, version, offset, size, CPU type; then the bitstream.
fn unwrap_bitcode(bytes: &[u8]) -> Result<ProgramBitcode<'_>> {
    let mut reader = Reader::new(bytes, 0);
    reader.bytes(8, "bitcode wrapper")?;
    let start = reader.u32("bitcode wrapper")? as usize;
    let size = reader.u32("bitcode wrapper")? as usize;
    let mut body = Reader::new(bytes, 0)
        .at(start, "wrapped bitcode")
        .map_err(|e| e.at_offset(8))?;
    let bitcode_offset = body.offset();
    Ok(ProgramBitcode {
        header: None,
        bitcode: body.bytes(size, "wrapped bitcode")?,
        bitcode_offset,
    })
}
