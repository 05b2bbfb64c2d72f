//! Signatures (DXIL document, "Shader Parameters and Signatures").

use super::nodes::NodeWriter;
use crate::dxil::SignatureElement;
use crate::error::Result;
use crate::ir::MdId;

/// Tags of an element's properties.
mod tag {
    pub(super) const STREAM: u32 = 0;
    pub(super) const DYNAMIC_INDEX_MASK: u32 = 2;
    pub(super) const USAGE_MASK: u32 = 3;
}

/// Returns a signature; `None` if it has no elements.
pub(super) fn list(out: &mut NodeWriter, elements: &[SignatureElement]) -> Result<Option<MdId>> {
    let mut nodes = Vec::with_capacity(elements.len());
    for item in elements {
        nodes.push(Some(element(out, item)?));
    }
    out.tuple_or_null(&nodes)
}

fn element(out: &mut NodeWriter, element: &SignatureElement) -> Result<MdId> {
    let mut indices = Vec::new();
    for index in &element.semantic_indices {
        indices.push(Some(out.u32(*index)?));
    }
    let column = |value: u32| (value & 0xff) as u8;
    // Without a place in the packed signature, both are -1.
    let (row, first_column) = match element.start_row {
        Some(row) => (row, column(element.start_column)),
        None => (u32::MAX, u8::MAX),
    };
    let mut properties = Vec::new();
    if element.stream != 0 {
        properties.push(Some(out.u32(tag::STREAM)?));
        properties.push(Some(out.u32(element.stream)?));
    }
    if element.dynamic_index_mask != 0 {
        properties.push(Some(out.u32(tag::DYNAMIC_INDEX_MASK)?));
        properties.push(Some(out.u32(u32::from(element.dynamic_index_mask))?));
    }
    if let Some(mask) = element.usage_mask {
        properties.push(Some(out.u32(tag::USAGE_MASK)?));
        properties.push(Some(out.u8(mask)?));
    }
    let operands = [
        Some(out.u32(element.id)?),
        Some(out.text(&element.name)?),
        Some(out.u8(element.component as u8)?),
        Some(out.u8(element.semantic as u8)?),
        Some(out.tuple(&indices)?),
        Some(out.u8(element.interpolation as u8)?),
        Some(out.u32(element.rows)?),
        Some(out.u8(column(element.columns))?),
        Some(out.u32(row)?),
        Some(out.u8(first_column)?),
        out.tuple_or_null(&properties)?,
    ];
    out.tuple(&operands)
}
