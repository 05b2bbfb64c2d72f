//! RDAT: runtime data of a library: its functions, resources, subobjects and work graph nodes.
//!
//! The part is a list of sub-parts: a string block, index arrays, raw bytes, and tables of records.
//! Records name strings, arrays and other records by number; those numbers are kept as small types
//! ([`StringRef`], [`IndexArrayRef`] ...) and looked up when asked, so reading costs no more than
//! the part's size however often its records point at the same thing. Records longer than known are
//! stepped over by the table's stride; unknown sub-parts are listed.

mod library;
mod nodes;
mod stages;
mod subobjects;

pub use library::{
    FunctionFlags, FunctionRecord, FunctionStage, ResourceRecord, ResourceRecordFlags, WaveLanes,
};
pub use nodes::{
    IoNode, NodeFunctionAttribute, NodeIdRecord, NodeIoAttribute, NodeIoFlags, NodeLaunch,
    NodeShader,
};
pub use stages::{
    AmplificationInfo, ComputeInfo, DomainInfo, GeometryInfo, HullInfo, MeshInfo, PixelInfo,
    RdatSignatureElement, VertexInfo,
};
pub use subobjects::{HitGroupKind, Subobject, SubobjectKind};

use std::fmt;
use std::marker::PhantomData;

use super::header::{Container, Part};
use crate::container::fourcc::FourCc;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::{Reader, Strings, Words};

/// Number that stands for "nothing" in references.
const NULL: u32 = u32::MAX;

/// The only version of the format.
const VERSION: u32 = 0x10;

/// A string by its offset in the string block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StringRef(pub u32);

/// An index array by its place; its first word is the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IndexArrayRef(pub u32);

/// An array of strings: an index array of string offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StringArrayRef(pub IndexArrayRef);

/// Raw bytes by offset and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BytesRef {
    /// Offset in the raw bytes.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

/// A record of another table by its row.
pub struct RecordRef<T> {
    /// Row; `None` points at nothing.
    pub row: Option<u32>,
    table: PhantomData<fn() -> T>,
}

/// An array of records: an index array of rows.
pub struct RecordArrayRef<T> {
    /// Row numbers in the table of `T`.
    pub rows: IndexArrayRef,
    table: PhantomData<fn() -> T>,
}

/// Implements what `derive` would, without its bounds on the record type, which is only a marker
/// here.
macro_rules! plain_reference {
    ($($name:ident: $field:ident),*) => {$(
        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({:?})", stringify!($name), self.$field)
            }
        }
        impl<T> PartialEq for $name<T> {
            fn eq(&self, other: &Self) -> bool {
                self.$field == other.$field
            }
        }
        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $name<T> {}
        impl<T> Eq for $name<T> {}
    )*};
}
plain_reference!(RecordRef: row, RecordArrayRef: rows);

/// A type of record: which table holds it and how it is read.
pub trait RdatRecord: Sized {
    /// Number of the sub-part that holds the table.
    const TABLE: u32;
    /// Its name in errors.
    const NAME: &'static str;
    /// Bytes of the first version of the record.
    const MIN_BYTES: usize;

    /// Reads one record; the reader holds exactly the table's stride.
    ///
    /// # Errors
    ///
    /// If a field is malformed.
    fn read(record: &mut RecordReader<'_>) -> Result<Self>;
}

/// Reads the fields of one record.
#[derive(Debug)]
pub struct RecordReader<'a> {
    reader: Reader<'a>,
    name: &'static str,
}

impl RecordReader<'_> {
    pub(in crate::container) fn remaining(&self) -> usize {
        self.reader.remaining()
    }

    pub(in crate::container) fn u8(&mut self) -> Result<u8> {
        self.reader.u8(self.name)
    }

    pub(in crate::container) fn u16(&mut self) -> Result<u16> {
        self.reader.u16(self.name)
    }

    pub(in crate::container) fn u32(&mut self) -> Result<u32> {
        self.reader.u32(self.name)
    }

    pub(in crate::container) fn string(&mut self) -> Result<StringRef> {
        Ok(StringRef(self.u32()?))
    }

    pub(in crate::container) fn indices(&mut self) -> Result<IndexArrayRef> {
        Ok(IndexArrayRef(self.u32()?))
    }

    pub(in crate::container) fn strings(&mut self) -> Result<StringArrayRef> {
        Ok(StringArrayRef(self.indices()?))
    }

    pub(in crate::container) fn bytes(&mut self) -> Result<BytesRef> {
        Ok(BytesRef {
            offset: self.u32()?,
            size: self.u32()?,
        })
    }

    pub(in crate::container) fn record<T>(&mut self) -> Result<RecordRef<T>> {
        Ok(RecordRef {
            row: Some(self.u32()?).filter(|&row| row != NULL),
            table: PhantomData,
        })
    }

    pub(in crate::container) fn records<T>(&mut self) -> Result<RecordArrayRef<T>> {
        Ok(RecordArrayRef {
            rows: self.indices()?,
            table: PhantomData,
        })
    }

    /// Returns an error about the field that was read last (four bytes back).
    pub(in crate::container) fn bad(&self, what: &'static str, value: u32) -> Error {
        Error::new(ErrorKind::BadValue {
            what,
            value: u64::from(value),
            rule: "the format has no such number",
        })
        .at_offset(self.reader.offset().saturating_sub(4))
    }
}

/// A sub-part: its number and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubPart<'a> {
    /// Number of the type; group in the upper 16 bits.
    pub ty: u32,
    /// Absolute offset of `data`.
    pub offset: u64,
    /// Content.
    pub data: &'a [u8],
}

/// A table of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Table<'a> {
    ty: u32,
    count: u32,
    stride: usize,
    rows: Rows<'a>,
}

/// Bytes of a table with their absolute offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rows<'a> {
    bytes: &'a [u8],
    offset: u64,
}

/// Content of the RDAT part (or of PDBI, which uses the same format).
#[derive(Debug, Clone)]
pub struct Rdat<'a> {
    part: FourCc,
    sub_parts: Vec<SubPart<'a>>,
    /// Numbers of the sub-parts that are in use; at most one of each.
    known: Vec<u32>,
    tables: Vec<Table<'a>>,
    strings: Strings<'a>,
    indices: Words<'a>,
    indices_offset: u64,
    raw_bytes: &'a [u8],
    raw_bytes_offset: u64,
}

impl<'a> Container<'a> {
    /// Reads RDAT, where there is one.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn rdat(&self) -> Result<Option<Rdat<'a>>> {
        self.part(FourCc::RDAT).map(Rdat::parse).transpose()
    }
}

impl<'a> Rdat<'a> {
    /// Reads the part's frame: sub-parts and table headers.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse(part: Part<'a>) -> Result<Self> {
        Self::parse_reader(part.reader(), part.name)
    }

    /// Reads the same format from anywhere; `part` is named in errors.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse_reader(reader: Reader<'a>, part: FourCc) -> Result<Self> {
        parse_frame(reader, part).map_err(|e| e.in_part(part))
    }

    /// Returns all sub-parts in file order, unknown ones too.
    pub fn sub_parts(&self) -> &[SubPart<'a>] {
        &self.sub_parts
    }

    /// Returns the number of records of a type.
    pub fn count<T: RdatRecord>(&self) -> u32 {
        self.table::<T>().map_or(0, |table| table.count)
    }

    /// Returns the bytes of each record of a type, where there is a table.
    pub fn stride<T: RdatRecord>(&self) -> Option<usize> {
        self.table::<T>().map(|table| table.stride)
    }

    /// Returns all records of a type in order.
    pub fn iter<T: RdatRecord>(&self) -> impl Iterator<Item = Result<T>> + use<'_, 'a, T> {
        (0..self.count::<T>()).map(|row| self.row(row))
    }

    /// Returns the record in a row of its table.
    ///
    /// # Errors
    ///
    /// If the reference or the record is malformed.
    pub fn row<T: RdatRecord>(&self, row: u32) -> Result<T> {
        self.read_row(row).map_err(|e| e.in_part(self.part))
    }

    /// Returns the record that a reference names; `None` where it names nothing.
    ///
    /// # Errors
    ///
    /// If the reference or the record is malformed.
    pub fn record<T: RdatRecord>(&self, reference: RecordRef<T>) -> Result<Option<T>> {
        reference.row.map(|row| self.row(row)).transpose()
    }

    /// Returns the records that an array names.
    ///
    /// # Errors
    ///
    /// If the reference or the record is malformed.
    pub fn records<T: RdatRecord>(
        &self,
        reference: RecordArrayRef<T>,
    ) -> Result<impl Iterator<Item = Result<T>> + use<'_, 'a, T>> {
        let rows = self.index_array(reference.rows)?;
        Ok(rows.iter().map(|row| self.row(row)))
    }

    /// Returns the string that a reference names. Costs its length.
    ///
    /// # Errors
    ///
    /// If the reference or the record is malformed.
    pub fn string(&self, reference: StringRef) -> Result<&'a str> {
        self.strings
            .get(reference.0, "string")
            .map_err(|e| e.in_part(self.part))
    }

    /// Returns the strings that an array names.
    ///
    /// # Errors
    ///
    /// If the reference or the record is malformed.
    pub fn string_array(
        &self,
        reference: StringArrayRef,
    ) -> Result<impl Iterator<Item = Result<&'a str>> + use<'_, 'a>> {
        let offsets = self.index_array(reference.0)?;
        Ok(offsets.iter().map(|offset| self.string(StringRef(offset))))
    }

    /// Returns the numbers of an index array; none for the null reference.
    ///
    /// # Errors
    ///
    /// If the reference or the record is malformed.
    pub fn index_array(&self, reference: IndexArrayRef) -> Result<Words<'a>> {
        if reference.0 == NULL {
            return Ok(Words::default());
        }
        let start = reference.0 as usize;
        let found = self
            .indices
            .get(start)
            .and_then(|count| self.indices.slice(start.checked_add(1)?, count as usize));
        found.ok_or_else(|| {
            let at = u64::from(reference.0).saturating_mul(4);
            Error::new(ErrorKind::BadValue {
                what: "index array",
                value: u64::from(reference.0),
                rule: "count and numbers lie inside the index arrays",
            })
            .at_offset(self.indices_offset.saturating_add(at))
            .in_part(self.part)
        })
    }

    /// Returns the bytes that a reference names.
    ///
    /// # Errors
    ///
    /// If the reference or the record is malformed.
    pub fn bytes(&self, reference: BytesRef) -> Result<&'a [u8]> {
        Ok(self.bytes_reader(reference)?.rest())
    }

    /// Returns the bytes that a reference names, with their absolute offset.
    ///
    /// # Errors
    ///
    /// If the reference or the record is malformed.
    pub fn bytes_reader(&self, reference: BytesRef) -> Result<Reader<'a>> {
        let (start, size) = (reference.offset as usize, reference.size as usize);
        Reader::new(self.raw_bytes, self.raw_bytes_offset)
            .at(start, "raw bytes")
            .and_then(|mut reader| reader.sub(size, "raw bytes"))
            .map_err(|e| e.in_part(self.part))
    }

    fn table<T: RdatRecord>(&self) -> Option<&Table<'a>> {
        self.tables.iter().find(|table| table.ty == T::TABLE)
    }

    fn read_row<T: RdatRecord>(&self, row: u32) -> Result<T> {
        let out_of_range = || {
            Error::new(ErrorKind::BadValue {
                what: T::NAME,
                value: u64::from(row),
                rule: "it must be a row of its table",
            })
        };
        let table = self.table::<T>().ok_or_else(out_of_range)?;
        if row >= table.count {
            return Err(out_of_range().at_offset(table.rows.offset));
        }
        // Only on access: a table that nothing reads must not make the part unreadable.
        if table.stride < T::MIN_BYTES {
            return Err(Error::new(ErrorKind::Truncated {
                what: T::NAME,
                need: T::MIN_BYTES as u64,
                have: table.stride as u64,
            })
            .at_offset(table.rows.offset));
        }
        let start = (row as usize).saturating_mul(table.stride);
        let mut reader = Reader::new(table.rows.bytes, table.rows.offset).at(start, T::NAME)?;
        T::read(&mut RecordReader {
            reader: reader.sub(table.stride, T::NAME)?,
            name: T::NAME,
        })
    }
}

fn parse_frame(mut reader: Reader<'_>, part: FourCc) -> Result<Rdat<'_>> {
    let whole = reader;
    let version_offset = reader.offset();
    let version = reader.u32("runtime data header")?;
    if version != VERSION {
        return Err(Error::new(ErrorKind::BadValue {
            what: "runtime data version",
            value: u64::from(version),
            rule: "only version 0x10 is known",
        })
        .at_offset(version_offset));
    }
    let count = reader.u32("runtime data header")? as usize;
    let mut offsets = reader.sub(count.saturating_mul(4), "runtime data offsets")?;
    let mut rdat = Rdat {
        part,
        sub_parts: Vec::with_capacity(count),
        known: Vec::new(),
        tables: Vec::new(),
        strings: Strings::default(),
        indices: Words::default(),
        indices_offset: 0,
        raw_bytes: &[],
        raw_bytes_offset: 0,
    };
    while !offsets.is_empty() {
        let offset = offsets.u32("runtime data offsets")?;
        let mut header = whole.at(offset as usize, "runtime data sub-part")?;
        let ty = header.u32("runtime data sub-part")?;
        let size = header.u32("runtime data sub-part")? as usize;
        let offset = header.offset();
        let data = header.bytes(size, "runtime data sub-part")?;
        rdat.add(SubPart { ty, offset, data })?;
    }
    Ok(rdat)
}

impl<'a> Rdat<'a> {
    /// Notes a sub-part. Of several with one number the first counts.
    fn add(&mut self, sub_part: SubPart<'a>) -> Result<()> {
        let SubPart { ty, offset, data } = sub_part;
        let is_table = is_table(ty);
        // 1 the string block, 2 the index arrays, 5 raw bytes.
        let known = is_table || matches!(ty, 1 | 2 | 5);
        self.sub_parts.push(sub_part);
        if !known || self.known.contains(&ty) {
            return Ok(());
        }
        self.known.push(ty);
        match ty {
            1 => self.strings = Strings::new(data, offset),
            2 => {
                self.indices = Words::new(data);
                self.indices_offset = offset;
            }
            5 => {
                self.raw_bytes = data;
                self.raw_bytes_offset = offset;
            }
            _ if is_table => {
                let mut reader = Reader::new(data, offset);
                let count = reader.u32("table header")?;
                let stride = reader.u32("table header")? as usize;
                let size = (count as usize).saturating_mul(stride);
                let offset = reader.offset();
                let bytes = reader.bytes(size, "table")?;
                self.tables.push(Table {
                    ty,
                    // A stride of 0 would make any count fit.
                    count: if stride == 0 { 0 } else { count },
                    stride,
                    rows: Rows { bytes, offset },
                });
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns whether the sub-part is a table of a type that is known here.
fn is_table(ty: u32) -> bool {
    matches!(ty, 3 | 4 | 6..=11 | 13..=21 | 0x1_0001..=0x1_0003)
}
