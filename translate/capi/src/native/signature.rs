//! Signatures of a shader's entry point.

use std::ffi::{CString, c_char};

use dxil_frontend::dxil::SignatureElement;

/// An element of a signature, as the shader declares it. A user's element lives at location
/// `first_row`, component `first_column`; patch constants and per-primitive outputs begin at the
/// reflection's `patch_location`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitElement {
    /// Semantic name without index, as in the source. Lives as long as the translation.
    pub name: *const c_char,
    /// Semantic index of the first row.
    pub semantic_index: u32,
    /// System value, DXIL's number; 0 for elements of the user.
    pub system_value: u32,
    /// Component type, DXIL's number: 4 `int`, 5 `uint`, 8 `half`, 9 `float` ...
    pub component_type: u32,
    /// Interpolation, DXIL's number: 0 none, 1 `nointerpolation`, 2 `linear` ...
    pub interpolation: u32,
    /// Rows.
    pub rows: u32,
    /// Columns, 1 to 4.
    pub columns: u32,
    /// First row of its place in the packed signature; all ones if it has none.
    pub first_row: u32,
    /// First column of its place.
    pub first_column: u32,
    /// Geometry shader stream.
    pub stream: u32,
}

/// The elements of a signature with what their names point at.
pub(super) struct Signature {
    _names: Vec<CString>,
    pub(super) elements: Vec<DxilJitElement>,
}

impl Signature {
    pub(super) fn new(elements: &[SignatureElement]) -> Signature {
        let names: Vec<CString> = elements
            .iter()
            .map(|element| crate::compat::c_string(&element.name))
            .collect();
        let elements = elements
            .iter()
            .zip(&names)
            .map(|(element, name)| DxilJitElement {
                name: name.as_ptr(),
                semantic_index: element.semantic_indices.first().copied().unwrap_or(0),
                system_value: element.semantic as u32,
                component_type: element.component as u32,
                interpolation: element.interpolation as u32,
                rows: element.rows,
                columns: element.columns,
                first_row: element.start_row.unwrap_or(u32::MAX),
                first_column: element.start_column,
                stream: element.stream,
            })
            .collect();
        Signature {
            _names: names,
            elements,
        }
    }

    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.elements) + self.elements.len() * 16
    }
}
