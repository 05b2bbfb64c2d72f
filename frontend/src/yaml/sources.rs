//! SRCI: names and texts of the sources, and the compiler's arguments.
//!
//! Sizes and counts are computed when the part is written; what the text says of them is not used.

use super::fields::{Io, Names, Record};
use crate::container::{Part, SourceInfo};
use crate::error::{Error, Result};
use crate::reader::Reader;

/// Kinds of sections.
const SECTIONS: Names = &[(0, "SourceContents"), (1, "SourceNames"), (2, "Args")];
/// Kinds of compression.
const COMPRESSIONS: Names = &[(0, "None"), (1, "Zlib")];
const ZLIB: u32 = 1;
/// Level of zlib at which DXC packs.
const LEVEL: u8 = 6;

/// The three sections.
#[derive(Debug, Default)]
pub(super) struct SourcesText {
    header: PartHeader,
    names: NamesSection,
    contents: ContentsSection,
    arguments: ArgumentsSection,
}

#[derive(Debug, Default)]
struct PartHeader {
    bytes: Option<u32>,
    flags: Option<u16>,
    sections: Option<u16>,
}

#[derive(Debug, Default)]
struct SectionHeader {
    bytes: u32,
    flags: u16,
    ty: u32,
}

#[derive(Debug, Default)]
struct NamesSection {
    section: Option<SectionHeader>,
    header: Option<NamesHeader>,
    entries: Vec<NameEntry>,
}

#[derive(Debug, Default)]
struct NamesHeader {
    flags: Option<u32>,
    count: Option<u32>,
    bytes: Option<u16>,
}

#[derive(Debug, Default)]
struct NameEntry {
    bytes: Option<u32>,
    flags: Option<u32>,
    name_bytes: Option<u32>,
    content_bytes: Option<u32>,
    name: String,
}

#[derive(Debug, Default)]
struct ContentsSection {
    section: Option<SectionHeader>,
    header: ContentsHeader,
    entries: Vec<ContentEntry>,
}

#[derive(Debug, Default)]
struct ContentsHeader {
    bytes: Option<u32>,
    flags: Option<u16>,
    compression: u32,
    packed: Option<u32>,
    unpacked: Option<u32>,
    count: Option<u32>,
}

#[derive(Debug, Default)]
struct ContentEntry {
    bytes: Option<u32>,
    flags: Option<u32>,
    content_bytes: Option<u32>,
    content: String,
}

#[derive(Debug, Default)]
struct ArgumentsSection {
    section: Option<SectionHeader>,
    header: Option<ArgumentsHeader>,
    arguments: Vec<Argument>,
}

#[derive(Debug, Default)]
struct ArgumentsHeader {
    flags: Option<u32>,
    bytes: Option<u32>,
    count: Option<u32>,
}

#[derive(Debug, Default)]
struct Argument {
    name: String,
    value: String,
}

impl Record for SourcesText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.record("Header", &mut self.header)?;
        io.record("Names", &mut self.names)?;
        io.record("Contents", &mut self.contents)?;
        io.record("Args", &mut self.arguments)
    }
}

impl Record for PartHeader {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.optional("AlignedSizeInBytes", &mut self.bytes)?;
        io.optional("Flags", &mut self.flags)?;
        io.optional("SectionCount", &mut self.sections)
    }
}

impl Record for SectionHeader {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.or_kept("AlignedSizeInBytes", &mut self.bytes)?;
        io.or_kept("Flags", &mut self.flags)?;
        io.named_or("Type", &mut self.ty, SECTIONS)
    }
}

impl Record for NamesSection {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.maybe("SectionHeader", &mut self.section)?;
        io.maybe("Header", &mut self.header)?;
        io.records("Entries", &mut self.entries)
    }
}

impl Record for NamesHeader {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.optional("Flags", &mut self.flags)?;
        io.optional("Count", &mut self.count)?;
        io.optional("EntriesSizeInBytes", &mut self.bytes)
    }
}

impl Record for NameEntry {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.optional("AlignedSizeInBytes", &mut self.bytes)?;
        io.optional("Flags", &mut self.flags)?;
        io.optional("NameSizeInBytes", &mut self.name_bytes)?;
        io.optional("ContentSizeInBytes", &mut self.content_bytes)?;
        io.required("FileName", &mut self.name)
    }
}

impl Record for ContentsSection {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.maybe("SectionHeader", &mut self.section)?;
        io.record("Header", &mut self.header)?;
        io.records("Entries", &mut self.entries)
    }
}

impl Record for ContentsHeader {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.optional("AlignedSizeInBytes", &mut self.bytes)?;
        io.optional("Flags", &mut self.flags)?;
        io.named("Type", &mut self.compression, COMPRESSIONS)?;
        io.optional("EntriesSizeInBytes", &mut self.packed)?;
        io.optional("UncompressedEntriesSizeInBytes", &mut self.unpacked)?;
        io.optional("Count", &mut self.count)
    }
}

impl Record for ContentEntry {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.optional("AlignedSizeInBytes", &mut self.bytes)?;
        io.optional("Flags", &mut self.flags)?;
        io.optional("ContentSizeInBytes", &mut self.content_bytes)?;
        io.required("FileContent", &mut self.content)
    }
}

impl Record for ArgumentsSection {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.maybe("SectionHeader", &mut self.section)?;
        io.maybe("Header", &mut self.header)?;
        io.records("Args", &mut self.arguments)
    }
}

impl Record for ArgumentsHeader {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.optional("Flags", &mut self.flags)?;
        io.optional("SizeInBytes", &mut self.bytes)?;
        io.optional("Count", &mut self.count)
    }
}

impl Record for Argument {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("Arg", &mut self.name)?;
        io.required("Value", &mut self.value)
    }
}

const WHAT: &str = "source info";

impl SourcesText {
    pub(super) fn of(part: &Part<'_>) -> Result<Self> {
        // Texts are unpacked and checked there; the sizes are read here.
        let info = SourceInfo::parse(*part)?;
        let mut reader = part.reader();
        let mut text = SourcesText {
            header: PartHeader {
                bytes: Some(reader.u32(WHAT)?),
                flags: Some(reader.u16(WHAT)?),
                sections: Some(reader.u16(WHAT)?),
            },
            ..SourcesText::default()
        };
        for _ in 0..text.header.sections.unwrap_or(0) {
            let header = SectionHeader {
                bytes: reader.u32(WHAT)?,
                flags: reader.u16(WHAT)?,
                ty: reader.u16(WHAT)?.into(),
            };
            let body = reader.sub((header.bytes as usize).saturating_sub(8), WHAT)?;
            match header.ty {
                0 => text.contents = ContentsSection::of(header, body, &info)?,
                1 => text.names = NamesSection::of(header, body, &info)?,
                2 => text.arguments = ArgumentsSection::of(header, body, &info)?,
                _ => {}
            }
        }
        Ok(text)
    }

    /// Returns the part: names, contents, arguments.
    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let mut sections = Vec::new();
        section(&mut sections, 1, self.names.write()?)?;
        section(&mut sections, 0, self.contents.write()?)?;
        section(&mut sections, 2, self.arguments.write()?)?;
        let mut out = Vec::with_capacity(sections.len() + 8);
        put(&mut out, word(sections.len() + 8)?);
        put(
            &mut out,
            3 << 16 | u32::from(self.header.flags.unwrap_or(0)),
        );
        out.extend_from_slice(&sections);
        Ok(out)
    }
}

fn section(out: &mut Vec<u8>, ty: u32, mut body: Vec<u8>) -> Result<()> {
    pad(&mut body);
    put(out, word(body.len() + 8)?);
    put(out, ty << 16);
    out.extend_from_slice(&body);
    Ok(())
}

/// Returns the size in whole words of a record of a header and a text with its final zero.
fn record_bytes(header: usize, text: usize) -> Result<u32> {
    word((header + text + 1).next_multiple_of(4))
}

impl NamesSection {
    fn of(section: SectionHeader, mut body: Reader<'_>, info: &SourceInfo<'_>) -> Result<Self> {
        let header = NamesHeader {
            flags: Some(body.u32(WHAT)?),
            count: Some(body.u32(WHAT)?),
            bytes: Some(body.u16(WHAT)?),
        };
        let entries = info.names.iter().map(|source| {
            Ok(NameEntry {
                bytes: Some(record_bytes(16, source.name.len())?),
                flags: Some(0),
                name_bytes: Some(word(source.name.len() + 1)?),
                content_bytes: Some(source.content_bytes),
                name: source.name.to_owned(),
            })
        });
        Ok(NamesSection {
            section: Some(section),
            header: Some(header),
            entries: entries.collect::<Result<_>>()?,
        })
    }

    fn write(&self) -> Result<Vec<u8>> {
        let mut entries = Vec::new();
        for entry in &self.entries {
            let name = entry.name.as_bytes();
            put(&mut entries, record_bytes(16, name.len())?);
            put(&mut entries, entry.flags.unwrap_or(0));
            put(&mut entries, word(name.len() + 1)?);
            put(&mut entries, entry.content_bytes.unwrap_or(0));
            entries.extend_from_slice(name);
            entries.push(0);
            pad(&mut entries);
        }
        let mut out = Vec::with_capacity(entries.len() + 10);
        let flags = self.header.as_ref().and_then(|header| header.flags);
        put(&mut out, flags.unwrap_or(0));
        put(&mut out, word(self.entries.len())?);
        // 16 bits of it, as DXC has it.
        let [low, high, ..] = word(entries.len())?.to_le_bytes();
        out.extend_from_slice(&[low, high]);
        out.extend_from_slice(&entries);
        Ok(out)
    }
}

impl ContentsSection {
    fn of(section: SectionHeader, mut body: Reader<'_>, info: &SourceInfo<'_>) -> Result<Self> {
        let header = ContentsHeader {
            bytes: Some(body.u32(WHAT)?),
            flags: Some(body.u16(WHAT)?),
            compression: body.u16(WHAT)?.into(),
            packed: Some(body.u32(WHAT)?),
            unpacked: Some(body.u32(WHAT)?),
            count: Some(body.u32(WHAT)?),
        };
        let texts = info.contents.iter().flat_map(|contents| contents.texts());
        let entries = texts.map(|text| {
            let text = text?;
            Ok(ContentEntry {
                bytes: Some(record_bytes(12, text.len())?),
                flags: Some(0),
                content_bytes: Some(word(text.len() + 1)?),
                content: text.to_owned(),
            })
        });
        Ok(ContentsSection {
            section: Some(section),
            header,
            entries: entries.collect::<Result<_>>()?,
        })
    }

    fn write(&self) -> Result<Vec<u8>> {
        let mut entries = Vec::new();
        for entry in &self.entries {
            let text = entry.content.as_bytes();
            put(&mut entries, record_bytes(12, text.len())?);
            put(&mut entries, entry.flags.unwrap_or(0));
            put(&mut entries, word(text.len() + 1)?);
            entries.extend_from_slice(text);
            entries.push(0);
            pad(&mut entries);
        }
        let unpacked = word(entries.len())?;
        if self.header.compression == ZLIB {
            entries = miniz_oxide::deflate::compress_to_vec_zlib(&entries, LEVEL);
        }
        let mut out = Vec::with_capacity(entries.len() + 20);
        // DXC leaves the size of this header at 0.
        put(
            &mut out,
            self.header.bytes.filter(|bytes| *bytes == 0).unwrap_or(20),
        );
        let flags = u32::from(self.header.flags.unwrap_or(0));
        put(&mut out, flags | self.header.compression << 16);
        put(&mut out, word(entries.len())?);
        put(&mut out, unpacked);
        put(&mut out, word(self.entries.len())?);
        out.extend_from_slice(&entries);
        Ok(out)
    }
}

impl ArgumentsSection {
    fn of(section: SectionHeader, mut body: Reader<'_>, info: &SourceInfo<'_>) -> Result<Self> {
        let header = ArgumentsHeader {
            flags: Some(body.u32(WHAT)?),
            bytes: Some(body.u32(WHAT)?),
            count: Some(body.u32(WHAT)?),
        };
        let arguments = info.arguments.iter().map(|(name, value)| Argument {
            name: (*name).to_owned(),
            value: (*value).to_owned(),
        });
        Ok(ArgumentsSection {
            section: Some(section),
            header: Some(header),
            arguments: arguments.collect(),
        })
    }

    fn write(&self) -> Result<Vec<u8>> {
        let mut texts = Vec::new();
        for argument in &self.arguments {
            for text in [&argument.name, &argument.value] {
                texts.extend_from_slice(text.as_bytes());
                texts.push(0);
            }
        }
        let mut out = Vec::with_capacity(texts.len() + 12);
        let flags = self.header.as_ref().and_then(|header| header.flags);
        put(&mut out, flags.unwrap_or(0));
        put(&mut out, word(texts.len())?);
        put(&mut out, word(self.arguments.len())?);
        out.extend_from_slice(&texts);
        Ok(out)
    }
}

fn put(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_le_bytes());
}

fn pad(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(4), 0);
}

fn word(value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| Error::malformed("the sources are larger than 4 GiB"))
}
