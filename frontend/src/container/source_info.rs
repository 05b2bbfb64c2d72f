//! SRCI: source names, source texts and compiler arguments; the older sibling of PDBI.
//!
//! A header, then sections of a common shape: `{ aligned size, flags, type }` and a body.

use std::borrow::Cow;

use super::fourcc::FourCc;
use super::header::{Container, Part};
use super::inflate::Compression;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::Reader;

/// Content of the SRCI part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceInfo<'a> {
    /// Names of the sources.
    pub names: Vec<SourceName<'a>>,
    /// Texts of the sources, in the order of the names.
    pub contents: Option<SourceContents<'a>>,
    /// Compiler arguments: name and value.
    pub arguments: Vec<(&'a str, &'a str)>,
}

/// A source's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceName<'a> {
    /// Path.
    pub name: &'a str,
    /// Bytes of the text, its final zero included.
    pub content_bytes: u32,
}

/// The texts of the sources, unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceContents<'a> {
    /// Compression of the sources in the file.
    pub compression: Compression,
    entries: Cow<'a, [u8]>,
    count: u32,
}

impl<'a> SourceInfo<'a> {
    /// Reads the part.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse(part: Part<'a>) -> Result<Self> {
        parse_sections(part).map_err(|e| e.in_part(part.name))
    }
}

impl<'a> Container<'a> {
    /// Reads SRCI, where there is one.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn source_info(&self) -> Result<Option<SourceInfo<'a>>> {
        self.part(FourCc::SRCI).map(SourceInfo::parse).transpose()
    }
}

impl SourceContents<'_> {
    /// Returns each text, its final zero left out. Offsets in errors count from the unpacked texts'
    /// start.
    pub fn texts(&self) -> impl Iterator<Item = Result<&str>> {
        let mut reader = Reader::new(&self.entries, 0);
        (0..self.count).map_while(move |_| {
            if reader.is_empty() {
                return None;
            }
            let text = parse_text(&mut reader).map_err(|e| e.in_part(FourCc::SRCI));
            if text.is_err() {
                // Nothing after a broken entry can be found.
                reader = Reader::new(&[], 0);
            }
            Some(text)
        })
    }
}

fn parse_sections(part: Part<'_>) -> Result<SourceInfo<'_>> {
    const WHAT: &str = "source info header";
    let mut reader = part.reader();
    reader.u32(WHAT)?;
    reader.u16(WHAT)?;
    let count = reader.u16(WHAT)?;
    let mut info = SourceInfo::default();
    for _ in 0..count {
        let mut section = sized(&mut reader, "source info section")?;
        section.u16("source info section")?;
        match section.u16("source info section")? {
            0 => info.contents = Some(parse_contents(section)?),
            1 => parse_names(section, &mut info.names)?,
            2 => parse_arguments(section, &mut info.arguments)?,
            _ => {}
        }
    }
    Ok(info)
}

/// Reads a record that begins with its own size, padding included; the rest of it.
fn sized<'a>(reader: &mut Reader<'a>, what: &'static str) -> Result<Reader<'a>> {
    let offset = reader.offset();
    let size = reader.u32(what)?;
    let Some(rest) = (size as usize).checked_sub(4) else {
        return Err(Error::new(ErrorKind::BadValue {
            what,
            value: u64::from(size),
            rule: "its size counts itself",
        })
        .at_offset(offset));
    };
    reader.sub(rest, what)
}

/// Reads the text of `size` bytes that ends with a zero.
fn text<'a>(reader: &mut Reader<'a>, size: u32, what: &'static str) -> Result<&'a str> {
    let offset = reader.offset();
    let bytes = reader.bytes(size as usize, what)?;
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    std::str::from_utf8(bytes)
        .map_err(|_| Error::malformed(format!("{what} is not UTF-8")).at_offset(offset))
}

fn parse_names<'a>(mut section: Reader<'a>, names: &mut Vec<SourceName<'a>>) -> Result<()> {
    const WHAT: &str = "source names";
    section.u32(WHAT)?;
    let count = section.u32(WHAT)?;
    // The total size of the entries is 16 bits wide and wraps; the section's size counts.
    section.u16(WHAT)?;
    for _ in 0..count {
        let mut entry = sized(&mut section, "source name")?;
        entry.u32("source name")?;
        let size = entry.u32("source name")?;
        let content_bytes = entry.u32("source name")?;
        names.push(SourceName {
            name: text(&mut entry, size, "source name")?,
            content_bytes,
        });
    }
    Ok(())
}

fn parse_contents(mut section: Reader<'_>) -> Result<SourceContents<'_>> {
    const WHAT: &str = "source contents";
    // DXC leaves the size at 0; the section's own size counts then.
    let mut behind = section;
    let mut section = match behind.u32(WHAT)? {
        0 => behind,
        _ => sized(&mut section, WHAT)?,
    };
    section.u16(WHAT)?;
    let compression = Compression::read(&mut section, WHAT)?;
    let packed_size = section.u32(WHAT)?;
    let size = section.u32(WHAT)?;
    let count = section.u32(WHAT)?;
    let packed = section.sub(packed_size as usize, WHAT)?;
    Ok(SourceContents {
        compression,
        entries: compression.unpack(&packed, size)?,
        count,
    })
}

fn parse_text<'a>(reader: &mut Reader<'a>) -> Result<&'a str> {
    let mut entry = sized(reader, "source content")?;
    entry.u32("source content")?;
    let size = entry.u32("source content")?;
    text(&mut entry, size, "source content")
}

fn parse_arguments<'a>(
    mut section: Reader<'a>,
    arguments: &mut Vec<(&'a str, &'a str)>,
) -> Result<()> {
    const WHAT: &str = "compiler arguments";
    section.u32(WHAT)?;
    let size = section.u32(WHAT)?;
    let count = section.u32(WHAT)? as usize;
    let offset = section.offset();
    let bytes = section.bytes(size as usize, WHAT)?;
    let all = std::str::from_utf8(bytes)
        .map_err(|_| Error::malformed("compiler arguments are not UTF-8").at_offset(offset))?;
    let mut texts = all.split_terminator('\0');
    // Names and values alternate, and an empty value is an empty text, so pairs stay in step.
    while let (true, Some(name)) = (arguments.len() < count, texts.next()) {
        arguments.push((name, texts.next().unwrap_or_default()));
    }
    Ok(())
}
