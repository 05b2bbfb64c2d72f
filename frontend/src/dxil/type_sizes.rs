//! Sizes of types in memory, by DXIL's data layout.
//!
//! Scalars have the alignment of their size, but `i1` takes 4 bytes, and with min-precision types
//! the 16-bit scalars do as well (DXC's data layouts with and without native 16-bit types).

use std::cell::RefCell;

use cranelift_entity::EntityRef;

use crate::ir::{Type, TypeId, TypeTable};
use crate::limits::MAX_TYPE_DEPTH;

/// Size and alignment of a type in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    /// Bytes from element to element of an array of it.
    pub(crate) bytes: u64,
    align: u64,
}

/// Sizes of the types of a module; each is computed once.
pub(crate) struct TypeSizes<'a> {
    types: &'a TypeTable,
    min_precision: bool,
    known: RefCell<Vec<Option<Size>>>,
}

impl<'a> TypeSizes<'a> {
    pub(crate) fn new(types: &'a TypeTable, min_precision: bool) -> Self {
        TypeSizes {
            types,
            min_precision,
            known: RefCell::new(vec![None; types.len()]),
        }
    }

    /// Returns the number of bytes that a value of the type takes in memory; saturates.
    pub(crate) fn bytes(&self, ty: TypeId) -> u64 {
        self.size(ty, 0).bytes
    }

    /// Returns the byte offset of a field of a structure.
    pub(crate) fn field_offset(&self, ty: TypeId, field: usize) -> Option<u64> {
        let Type::Struct { fields, packed, .. } = self.types.get(ty) else {
            return None;
        };
        let mut offset = 0;
        for (index, &ty) in fields.iter().enumerate() {
            let size = self.size(ty, 0);
            offset = align(offset, if *packed { 1 } else { size.align });
            if index == field {
                return Some(offset);
            }
            offset = offset.saturating_add(size.bytes);
        }
        None
    }

    fn size(&self, ty: TypeId, depth: u32) -> Size {
        if let Some(size) = self.known.borrow().get(ty.index()).copied().flatten() {
            return size;
        }
        if depth > MAX_TYPE_DEPTH {
            return Size { bytes: 0, align: 1 };
        }
        let of = |bytes| Size {
            bytes,
            align: bytes,
        };
        let half = if self.min_precision { 4 } else { 2 };
        let size = match self.types.get(ty) {
            Type::Half => of(half),
            Type::Float | Type::Pointer { .. } => of(4),
            Type::Double => of(8),
            Type::Int(8) => of(1),
            Type::Int(16) => of(half),
            Type::Int(33..) => of(8),
            Type::Int(_) => of(4),
            Type::Array { element, count } => {
                let element = self.size(*element, depth + 1);
                Size {
                    bytes: element.bytes.saturating_mul(*count),
                    align: element.align,
                }
            }
            Type::Vector { element, count } => {
                let element = self.size(*element, depth + 1);
                let bytes = element.bytes.saturating_mul(u64::from(*count));
                Size {
                    bytes,
                    align: element.align,
                }
            }
            Type::Struct { fields, packed, .. } => {
                let (mut bytes, mut alignment) = (0u64, 1);
                for &field in fields {
                    let field = self.size(field, depth + 1);
                    let own = if *packed { 1 } else { field.align };
                    bytes = align(bytes, own).saturating_add(field.bytes);
                    alignment = alignment.max(own);
                }
                Size {
                    bytes: align(bytes, alignment),
                    align: alignment,
                }
            }
            Type::Void | Type::Label | Type::Metadata | Type::Function { .. } | Type::Other(_) => {
                Size { bytes: 0, align: 1 }
            }
        };
        if let Some(slot) = self.known.borrow_mut().get_mut(ty.index()) {
            *slot = Some(size);
        }
        size
    }
}

fn align(offset: u64, to: u64) -> u64 {
    offset.checked_next_multiple_of(to.max(1)).unwrap_or(offset)
}
