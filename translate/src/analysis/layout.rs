//! The memory layout of the IR: sizes and offsets by the module's data layout string (LLVM language
//! reference, "Data Layout").

use std::cell::Cell;

use cranelift_entity::EntityRef;
use dxil_frontend::ir::{Module, Type, TypeId, TypeTable};

/// Sizes of all types. Alignments differ between modules: without native 16-bit types, small
/// scalars take a whole 32-bit word.
#[derive(Debug)]
pub(crate) struct TypeLayouts {
    small_scalars_are_words: bool,
    /// By type. Structures share members, so each type is measured once, when it is asked for.
    measures: Vec<Cell<Option<Measure>>>,
}

/// The size and the alignment of a type.
#[derive(Debug, Clone, Copy)]
struct Measure {
    /// Bytes.
    size: u64,
    /// Bytes.
    align: u64,
    /// Bits of the smallest scalar.
    smallest: u32,
}

/// Returns whether an item of the data layout is `i16:16`, or begins with `i16:16:`.
fn says_i16(layout: &[u8]) -> bool {
    let mut items = layout.split(|&byte| byte == b'-');
    items.any(|item| item == b"i16:16" || item.starts_with(b"i16:16:"))
}

impl TypeLayouts {
    /// Returns the sizes of the module's types by its data layout string.
    pub(crate) fn of(module: &Module) -> Self {
        TypeLayouts {
            small_scalars_are_words: !says_i16(module.data_layout.as_bytes()),
            measures: vec![Cell::new(None); module.types.len()],
        }
    }

    /// Returns whether scalars of less than 32 bits take a word each.
    pub(crate) fn small_scalars_are_words(&self) -> bool {
        self.small_scalars_are_words
    }

    /// Returns the distance from one array element to the next in bytes.
    pub(crate) fn size(&self, types: &TypeTable, ty: TypeId) -> u64 {
        self.measure(types, ty, 0).size
    }

    /// Returns the offset of a struct's field in bytes.
    pub(crate) fn field_offset(&self, types: &TypeTable, ty: TypeId, field: usize) -> u64 {
        let offsets = self.field_offsets(types, ty);
        offsets.get(field).copied().unwrap_or(0)
    }

    /// Returns the offsets of a struct's fields in bytes.
    pub(crate) fn field_offsets(&self, types: &TypeTable, ty: TypeId) -> Vec<u64> {
        let Type::Struct { fields, packed, .. } = types.get(ty) else {
            return Vec::new();
        };
        let mut end: u64 = 0;
        let offsets = fields.iter().map(|&field| {
            let Measure { size, align, .. } = self.measure(types, field, 0);
            let offset = if *packed { end } else { aligned(end, align) };
            end = offset.saturating_add(size);
            offset
        });
        offsets.collect()
    }

    /// Returns the size of the smallest scalar in a type in bits, as it lies in memory.
    pub(crate) fn smallest_scalar(&self, types: &TypeTable, ty: TypeId) -> u32 {
        self.measure(types, ty, 0).smallest
    }

    /// Measures a type and those that it is made of.
    fn measure(&self, types: &TypeTable, ty: TypeId, depth: u32) -> Measure {
        let place = self.measures.get(ty.index());
        if let Some(known) = place.and_then(Cell::get) {
            return known;
        }
        // The frontend bounds the depth of types; this is for types that were not checked.
        if depth > 64 {
            return self.scalar(&Type::Void);
        }
        let measure = match types.get(ty) {
            Type::Array { element, count } => {
                let of_one = self.measure(types, *element, depth + 1);
                Measure {
                    size: of_one.size.saturating_mul(*count),
                    ..of_one
                }
            }
            Type::Vector { element, count } => {
                let of_one = self.measure(types, *element, depth + 1);
                Measure {
                    size: of_one.size.saturating_mul(u64::from(*count)),
                    ..of_one
                }
            }
            Type::Struct { fields, packed, .. } => {
                let (mut end, mut max_align): (u64, u64) = (0, 1);
                let mut smallest = None;
                for &field in fields {
                    let field = self.measure(types, field, depth + 1);
                    if !packed {
                        end = aligned(end, field.align);
                        max_align = max_align.max(field.align);
                    }
                    end = end.saturating_add(field.size);
                    smallest = Some(smallest.map_or(field.smallest, |s| field.smallest.min(s)));
                }
                Measure {
                    size: aligned(end, max_align),
                    align: max_align,
                    smallest: smallest.unwrap_or(32),
                }
            }
            scalar => self.scalar(scalar),
        };
        if let Some(place) = place {
            place.set(Some(measure));
        }
        measure
    }

    fn scalar(&self, ty: &Type) -> Measure {
        let bytes = match ty {
            // Both data layouts of DXC say `i1:32` (DxilModule.cpp).
            Type::Int(1) => 4,
            Type::Int(bits) if *bits <= 16 && self.small_scalars_are_words => 4,
            Type::Half if self.small_scalars_are_words => 4,
            Type::Half => 2,
            Type::Int(bits) => u64::from(*bits).div_ceil(8).next_power_of_two(),
            Type::Double => 8,
            _ => 4,
        };
        Measure {
            size: bytes,
            align: bytes,
            smallest: (bytes * 8).clamp(8, 64) as u32,
        }
    }
}

/// Returns the next multiple of an alignment; an offset beyond all memory saturates.
fn aligned(offset: u64, align: u64) -> u64 {
    offset.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}
