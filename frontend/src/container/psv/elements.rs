//! Signature elements of PSV0.

use crate::container::signature::SignatureComponentType;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::{Reader, Strings, Words};

/// Bytes of a record.
pub(super) const MIN_BYTES: usize = 16;

/// One element: all rows of one semantic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PsvElement<'a> {
    /// Semantic name; empty for system values.
    pub semantic_name: &'a str,
    /// Offset of the name in the string table.
    pub name_offset: u32,
    /// Place of the first semantic index in the table.
    pub first_index: u32,
    /// Semantic index of each row.
    pub semantic_indices: Words<'a>,
    /// Rows that it takes, one per semantic index.
    pub rows: u8,
    /// Columns, 1 to 4.
    pub columns: u8,
    /// Place in the packed registers (row, column); `None` where it takes none.
    pub start: Option<(u8, u8)>,
    /// Semantic kind, DXIL's number.
    pub semantic_kind: u8,
    /// Component type.
    pub component_type: SignatureComponentType,
    /// Interpolation mode, DXIL's number.
    pub interpolation_mode: u8,
    /// Columns that are indexed dynamically, bit 0 is the first.
    pub dynamic_index_mask: u8,
    /// Output stream, 0 to 3.
    pub stream: u8,
}

pub(super) fn parse<'a>(
    mut record: Reader<'a>,
    strings: Strings<'a>,
    indices: Words<'a>,
) -> Result<PsvElement<'a>> {
    const WHAT: &str = "signature element";
    let name = record.u32(WHAT)?;
    let index_offset = record.offset();
    let first_index = record.u32(WHAT)?;
    let [
        rows,
        start_row,
        columns,
        semantic_kind,
        component_type,
        interpolation_mode,
        dynamic,
        _,
    ] = record.array::<8>(WHAT)?;
    let semantic_indices = indices
        .slice(first_index as usize, usize::from(rows))
        .ok_or_else(|| {
            Error::new(ErrorKind::BadValue {
                what: "start of the semantic indices",
                value: u64::from(first_index),
                rule: "one index per row lies inside the semantic index table",
            })
            .at_offset(index_offset)
        })?;
    Ok(PsvElement {
        semantic_name: strings.name(name, "semantic name")?,
        name_offset: name,
        first_index,
        semantic_indices,
        rows,
        columns: columns & 0xf,
        // One byte: columns in bits 0 to 3, first column in 4 and 5, and in 6 whether the element
        // is packed.
        start: (columns & 0x40 != 0).then_some((start_row, columns >> 4 & 3)),
        semantic_kind,
        component_type: SignatureComponentType::from_number(u32::from(component_type)),
        interpolation_mode,
        dynamic_index_mask: dynamic & 0xf,
        stream: dynamic >> 4 & 3,
    })
}
