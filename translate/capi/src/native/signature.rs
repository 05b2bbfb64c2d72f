//! Signatures of a shader's entry point.

use std::ffi::{CString, c_char};

use dxil_frontend::dxil::SignatureElement;

/// An element of a signature, as the shader declares it. An element that is no system value has the
/// location `first_row` and the component `first_column`; patch constants and per-primitive outputs
/// begin at the location `patch_location` of the reflection.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitElement {
    /// Semantic name without index, as in the source. Lives as long as the translation.
    pub name: *const c_char,
    /// Semantic index of the first row.
    pub semantic_index: u32,
    /// System value by its number in DXIL; 0 for other elements.
    pub system_value: u32,
    /// Component type by its number in DXIL: 4 `int`, 5 `uint`, 8 `half`, 9 `float` ...
    pub component_type: u32,
    /// Interpolation by its number in DXIL: 0 none, 1 `nointerpolation`, 2 `linear` ...
    pub interpolation: u32,
    /// Number of rows.
    pub rows: u32,
    /// Number of columns, 1 to 4.
    pub columns: u32,
    /// First row in the packed signature; all ones if the element is not packed.
    pub first_row: u32,
    /// First column in the packed signature.
    pub first_column: u32,
    /// Geometry shader stream.
    pub stream: u32,
}

/// The elements of a signature with the strings that their names point to.
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

    /// Returns the approximate memory use in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.elements) + self.elements.len() * 16
    }
}
