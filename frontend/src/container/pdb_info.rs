//! PDBI: how a shader was compiled: sources, arguments, libraries. Occurs in the containers inside
//! shader PDB files; the content is RDAT, packed or not.

use std::borrow::Cow;

use super::fourcc::FourCc;
use super::header::{Container, Part};
use super::inflate::Compression;
use super::rdat::{
    BytesRef, Rdat, RdatRecord, RecordArrayRef, RecordReader, StringArrayRef, StringRef,
};
use crate::error::{Error, Result};
use crate::reader::Reader;

/// Content of the PDBI part, unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PdbInfo<'a> {
    /// Version of the part.
    pub version: u16,
    /// Compression of the content in the file.
    pub compression: Compression,
    content: Cow<'a, [u8]>,
    offset: u64,
}

impl<'a> PdbInfo<'a> {
    /// Reads the part and unpacks its content.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse(part: Part<'a>) -> Result<Self> {
        const WHAT: &str = "PDB info header";
        let read = || {
            let mut reader = part.reader();
            let version = reader.u16(WHAT)?;
            let compression = Compression::read(&mut reader, WHAT)?;
            let packed_size = reader.u32(WHAT)? as usize;
            let size = reader.u32(WHAT)?;
            let packed = reader.sub(packed_size, "PDB info")?;
            // In packed content the positions of errors count from its own start.
            let offset = match compression {
                Compression::None => packed.offset(),
                Compression::Zlib => 0,
            };
            Ok(PdbInfo {
                version,
                compression,
                content: compression.unpack(&packed, size)?,
                offset,
            })
        };
        read().map_err(|e: Error| e.in_part(part.name))
    }

    /// Returns the number of bytes of the content, unpacked.
    pub fn content_bytes(&self) -> usize {
        self.content.len()
    }

    /// Returns the content: tables [`PdbRecord`], [`PdbSource`] and [`PdbLibrary`].
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn rdat(&self) -> Result<Rdat<'_>> {
        Rdat::parse_reader(Reader::new(&self.content, self.offset), FourCc::PDBI)
    }
}

impl<'a> Container<'a> {
    /// Reads PDBI, where there is one.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn pdb_info(&self) -> Result<Option<PdbInfo<'a>>> {
        self.part(FourCc::PDBI).map(PdbInfo::parse).transpose()
    }
}

/// The only record of its table, which describes the whole compilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PdbRecord {
    /// Sources.
    pub sources: RecordArrayRef<PdbSource>,
    /// Libraries that were linked.
    pub libraries: RecordArrayRef<PdbLibrary>,
    /// Compiler arguments: names and values in turn.
    pub arguments: StringArrayRef,
    /// Digest.
    pub hash: BytesRef,
    /// Name of the PDB file.
    pub pdb_name: StringRef,
    /// Id of a tool chain that is not DXC.
    pub custom_toolchain_id: u32,
    /// Data of a tool chain that is not DXC.
    pub custom_toolchain_data: BytesRef,
    /// The whole container.
    pub whole_dxil: BytesRef,
}

impl RdatRecord for PdbRecord {
    const TABLE: u32 = 0x1_0001;
    const NAME: &'static str = "PDB info record";
    const MIN_BYTES: usize = 44;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        Ok(PdbRecord {
            sources: r.records()?,
            libraries: r.records()?,
            arguments: r.strings()?,
            hash: r.bytes()?,
            pdb_name: r.string()?,
            custom_toolchain_id: r.u32()?,
            custom_toolchain_data: r.bytes()?,
            whole_dxil: r.bytes()?,
        })
    }
}

/// A source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PdbSource {
    /// Path.
    pub name: StringRef,
    /// Text.
    pub content: StringRef,
}

impl RdatRecord for PdbSource {
    const TABLE: u32 = 0x1_0002;
    const NAME: &'static str = "PDB source record";
    const MIN_BYTES: usize = 8;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        Ok(PdbSource {
            name: r.string()?,
            content: r.string()?,
        })
    }
}

/// A linked library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PdbLibrary {
    /// Path.
    pub name: StringRef,
    /// Bytes.
    pub data: BytesRef,
}

impl RdatRecord for PdbLibrary {
    const TABLE: u32 = 0x1_0003;
    const NAME: &'static str = "PDB library record";
    const MIN_BYTES: usize = 12;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        Ok(PdbLibrary {
            name: r.string()?,
            data: r.bytes()?,
        })
    }
}
