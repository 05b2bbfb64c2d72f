//! The memory layout of records of work graph nodes: by the data layout string of the module, from
//! which DXC computes their sizes (LLVM language reference, "Data Layout").

use dxil_frontend::ir::{Module, Type, TypeId, TypeTable};

/// Maximum number of scalars of one access.
const MAX_SCALARS: usize = 1 << 10;
/// Deepest nesting of types.
const MAX_DEPTH: u32 = 64;

/// Place of a scalar in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordScalar {
    pub(crate) offset: u32,
    pub(crate) bytes: u32,
}

/// Sizes of types in records.
pub(super) struct RecordLayout<'a> {
    types: &'a TypeTable,
    /// Without native 16-bit types small scalars take a word.
    small_scalars_are_words: bool,
}

impl<'a> RecordLayout<'a> {
    pub(super) fn new(module: &'a Module) -> RecordLayout<'a> {
        let mut items = module.data_layout.split('-');
        RecordLayout {
            types: &module.types,
            small_scalars_are_words: !items
                .any(|item| item == "i16:16" || item.starts_with("i16:16:")),
        }
    }

    /// Returns size and alignment of a type in bytes.
    fn measure(&self, ty: TypeId, depth: u32) -> (u64, u64) {
        if depth > MAX_DEPTH {
            return (4, 4);
        }
        match self.types.get(ty) {
            Type::Array { element, count } => {
                let (size, align) = self.measure(*element, depth + 1);
                (size.saturating_mul(*count), align)
            }
            Type::Vector { element, count } => {
                let (size, align) = self.measure(*element, depth + 1);
                (size.saturating_mul(u64::from(*count)), align)
            }
            Type::Struct { fields, packed, .. } => {
                let (mut end, mut maximum) = (0_u64, 1);
                for &field in fields {
                    let (size, align) = self.measure(field, depth + 1);
                    if !packed {
                        end = aligned(end, align);
                        maximum = maximum.max(align);
                    }
                    end = end.saturating_add(size);
                }
                (aligned(end, maximum), maximum)
            }
            scalar => {
                let bytes = self.scalar(scalar);
                (bytes, bytes)
            }
        }
    }

    fn scalar(&self, ty: &Type) -> u64 {
        match ty {
            // Both data layouts of DXC say `i1:32`.
            Type::Int(1) => 4,
            Type::Int(bits) if *bits <= 16 && self.small_scalars_are_words => 4,
            Type::Half if self.small_scalars_are_words => 4,
            Type::Half => 2,
            Type::Int(bits) => u64::from(*bits).div_ceil(8).next_power_of_two(),
            Type::Double => 8,
            _ => 4,
        }
    }

    /// Returns the distance from one element of an array to the next.
    pub(super) fn size(&self, ty: TypeId) -> u64 {
        self.measure(ty, 0).0
    }

    /// Returns type and offset of a field of a structure.
    pub(super) fn field(&self, ty: TypeId, number: u64) -> Option<(TypeId, u64)> {
        let Type::Struct { fields, packed, .. } = self.types.get(ty) else {
            return None;
        };
        let mut end = 0;
        for (index, &field) in (0..).zip(fields) {
            let (size, align) = self.measure(field, 0);
            let start = if *packed { end } else { aligned(end, align) };
            if index == number {
                return Some((field, start));
            }
            end = start.saturating_add(size);
        }
        None
    }

    /// Returns the places of a value's scalars, in order; none if there are too many.
    pub(super) fn scalars(&self, ty: TypeId) -> Option<Vec<RecordScalar>> {
        let mut all = Vec::new();
        self.add(ty, 0, 0, &mut all)?;
        Some(all)
    }

    fn add(&self, ty: TypeId, at: u64, depth: u32, all: &mut Vec<RecordScalar>) -> Option<()> {
        if depth > MAX_DEPTH || all.len() > MAX_SCALARS {
            return None;
        }
        match self.types.get(ty) {
            Type::Array { element, count } => {
                let size = self.size(*element);
                for index in 0..*count {
                    self.add(*element, at + index * size, depth + 1, all)?;
                }
            }
            Type::Vector { element, count } => {
                let size = self.size(*element);
                for index in 0..u64::from(*count) {
                    self.add(*element, at + index * size, depth + 1, all)?;
                }
            }
            Type::Struct { fields, .. } => {
                for number in 0..fields.len() as u64 {
                    let (field, offset) = self.field(ty, number)?;
                    self.add(field, at + offset, depth + 1, all)?;
                }
            }
            scalar => all.push(RecordScalar {
                offset: u32::try_from(at).ok()?,
                bytes: self.scalar(scalar) as u32,
            }),
        }
        Some(())
    }
}

/// Returns the next multiple of an alignment; an offset beyond all memory saturates.
fn aligned(offset: u64, align: u64) -> u64 {
    offset.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}
