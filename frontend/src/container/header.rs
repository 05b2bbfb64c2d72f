//! The frame of a DXContainer: file header, part table, part headers.

use super::fourcc::FourCc;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::reader::Reader;

/// Bytes of the file header, up to the part table.
pub(crate) const HEADER_BYTES: usize = 32;

/// Bytes of a part header (name and size).
pub(crate) const PART_HEADER_BYTES: usize = 8;

/// Parts that only shader model 5 and before have.
const DXBC_PARTS: [FourCc; 8] = [
    FourCc::SHDR,
    FourCc::SHEX,
    FourCc::RDEF,
    FourCc::IFCE,
    FourCc::AON9,
    FourCc::LIBF,
    FourCc::LIBH,
    FourCc::LFS0,
];

/// A part: a name and its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'a> {
    /// FourCC: which kind of part it is.
    pub name: FourCc,
    /// Absolute offset of the first byte of `data`.
    pub offset: u64,
    /// Content, without the part header.
    pub data: &'a [u8],
}

impl<'a> Part<'a> {
    /// Returns a reader over the content that knows its absolute offset.
    pub fn reader(&self) -> Reader<'a> {
        Reader::new(self.data, self.offset)
    }
}

/// A parsed container. Borrows the input.
#[derive(Debug, Clone)]
pub struct Container<'a> {
    bytes: &'a [u8],
    digest: [u8; 16],
    version: (u16, u16),
    parts: Vec<Part<'a>>,
}

impl<'a> Container<'a> {
    /// Checks the frame of `bytes` and lists the parts. Bytes after the size that the header
    /// states are ignored.
    ///
    /// # Errors
    ///
    /// If the header or the table of parts is malformed.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut header = Reader::new(bytes, 0);
        let magic = FourCc(header.array("container magic")?);
        if magic != FourCc::DXBC {
            return Err(Error::new(ErrorKind::BadValue {
                what: "container magic",
                value: u64::from(u32::from_le_bytes(magic.0)),
                rule: "a DXContainer begins with DXBC",
            })
            .at_offset(0));
        }
        let digest = header.array("container digest")?;
        let version = (
            header.u16("container version")?,
            header.u16("container version")?,
        );
        if version.0 != 1 {
            return Err(Error::new(ErrorKind::BadValue {
                what: "major version of the container",
                value: u64::from(version.0),
                rule: "only version 1 is known",
            })
            .at_offset(20));
        }
        let size_offset = header.offset();
        let size = header.u32("container size")?;
        let bytes = usize::try_from(size)
            .ok()
            .and_then(|size| bytes.get(..size))
            .filter(|b| b.len() >= HEADER_BYTES)
            .ok_or_else(|| {
                Error::new(ErrorKind::Truncated {
                    what: "container",
                    need: u64::from(size).max(HEADER_BYTES as u64),
                    have: bytes.len() as u64,
                })
                .at_offset(size_offset)
            })?;
        let count_offset = header.offset();
        let count = header.u32("part count")?;
        // Checked before the list is allocated: the count is the file's.
        if count > limits::MAX_PARTS {
            return Err(Error::new(ErrorKind::Limit {
                what: "part count",
                value: u64::from(count),
                limit: u64::from(limits::MAX_PARTS),
            })
            .at_offset(count_offset));
        }
        let whole = Reader::new(bytes, 0);
        let mut table = whole.at(HEADER_BYTES, "part table")?;
        // Cannot overflow: the count is limited above.
        let mut table = table.sub(count as usize * 4, "part table")?;
        let mut parts = Vec::with_capacity(count as usize);
        while !table.is_empty() {
            let entry_offset = table.offset();
            let offset = table.u32("part offset")?;
            let part = parse_part(&whole, offset).map_err(|e| e.at_offset(entry_offset))?;
            parts.push(part);
        }
        refuse_overlaps(&parts, table.offset())?;
        Ok(Container {
            bytes,
            digest,
            version,
            parts,
        })
    }

    /// Returns the whole container, cut to the size that its header states.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the digest in the header; all zero where the container is not signed.
    pub fn stored_digest(&self) -> [u8; 16] {
        self.digest
    }

    /// Returns the version of the container format (major, minor).
    pub fn version(&self) -> (u16, u16) {
        self.version
    }

    /// Returns all parts in file order, unknown ones too.
    pub fn parts(&self) -> &[Part<'a>] {
        &self.parts
    }

    /// Returns the first part of that name.
    pub fn part(&self, name: FourCc) -> Option<Part<'a>> {
        self.parts.iter().find(|p| p.name == name).copied()
    }

    /// Returns the first part of that name.
    ///
    /// # Errors
    ///
    /// If there is no such part.
    pub fn require(&self, name: FourCc) -> Result<Part<'a>> {
        self.part(name)
            .ok_or_else(|| ErrorKind::MissingPart { part: name }.into())
    }

    /// Returns the part that marks this container as DXBC, where it holds no DXIL.
    pub fn dxbc_part(&self) -> Option<FourCc> {
        let is_dxil = |p: &Part<'_>| matches!(p.name, FourCc::DXIL | FourCc::ILDB);
        if self.parts.iter().any(is_dxil) {
            return None;
        }
        let mut names = self.parts.iter().map(|p| p.name);
        names.find(|name| DXBC_PARTS.contains(name))
    }

    /// Returns whether it holds a program of shader model 4 or 5, and no DXIL.
    pub fn has_dxbc_program(&self) -> bool {
        let is_program = |p: &Part<'_>| matches!(p.name, FourCc::SHEX | FourCc::SHDR);
        self.dxbc_part().is_some() && self.parts.iter().any(is_program)
    }
}

fn parse_part<'a>(whole: &Reader<'a>, offset: u32) -> Result<Part<'a>> {
    let mut reader = whole.at(offset as usize, "part header")?;
    let name = FourCc(reader.array("part header")?);
    let size = reader.u32("part header").map_err(|e| e.in_part(name))?;
    let offset = reader.offset();
    let data = reader
        .bytes(size as usize, "part")
        .map_err(|e| e.in_part(name))?;
    Ok(Part { name, offset, data })
}

/// Refuses parts that overlap: they would let a small file cost its size once per part.
fn refuse_overlaps(parts: &[Part<'_>], table_end: u64) -> Result<()> {
    let spans = parts.iter().map(|p| {
        let start = p.offset - PART_HEADER_BYTES as u64;
        (start, p.offset + p.data.len() as u64, p.name)
    });
    // Nearly all files have them in order.
    if first_overlap(spans.clone(), table_end).is_none() {
        return Ok(());
    }
    let mut spans: Vec<_> = spans.collect();
    // Sorted by start, any two that overlap are neighbors: O(n log n) instead of every pair.
    spans.sort_unstable();
    match first_overlap(spans.into_iter(), table_end) {
        None => Ok(()),
        Some((start, name)) => Err(Error::new(ErrorKind::BadValue {
            what: "part offset",
            value: start,
            rule: "parts may not overlap each other or the header",
        })
        .in_part(name)
        .at_offset(start)),
    }
}

/// Returns the first of the spans (start, end, name) that begins before the one in front of it
/// ends.
fn first_overlap(
    spans: impl Iterator<Item = (u64, u64, FourCc)>,
    mut end: u64,
) -> Option<(u64, FourCc)> {
    for (start, next_end, name) in spans {
        if start < end {
            return Some((start, name));
        }
        end = next_end;
    }
    None
}
