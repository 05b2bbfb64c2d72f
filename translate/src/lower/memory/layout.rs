//! How the IR lays out memory: sizes and offsets by the module's data layout.

use dxil_frontend::ir::{Module, Type, TypeId, TypeTable};

/// Alignments that differ between modules: without native 16-bit types, small scalars take a whole
/// 32-bit word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) struct Layout {
    small_scalars_are_words: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Layout {
            small_scalars_are_words: true,
        }
    }
}

/// Whether an item of the data layout is `i16:16`, or begins with `i16:16:`.
fn says_i16(layout: &[u8]) -> bool {
    const ITEM: &[u8] = b"i16:16";
    layout.windows(ITEM.len()).enumerate().any(|(at, window)| {
        window == ITEM
            && (at == 0 || layout[at - 1] == b'-')
            && matches!(layout.get(at + ITEM.len()), None | Some(b'-' | b':'))
    })
}

impl Layout {
    /// From the module's data layout string.
    pub(in crate::lower) fn of(module: &Module) -> Self {
        Layout {
            small_scalars_are_words: !says_i16(module.data_layout.as_bytes()),
        }
    }

    /// Bytes from one array element to the next.
    pub(in crate::lower) fn size(&self, types: &TypeTable, ty: TypeId) -> u64 {
        self.size_and_align(types, ty, 0).0
    }

    /// Offset of a struct's field in bytes.
    pub(in crate::lower) fn field_offset(
        &self,
        types: &TypeTable,
        ty: TypeId,
        field: usize,
    ) -> u64 {
        let Type::Struct { fields, packed, .. } = types.get(ty) else {
            return 0;
        };
        let mut offset: u64 = 0;
        for (index, &member) in fields.iter().enumerate() {
            let (size, align) = self.size_and_align(types, member, 0);
            if !packed {
                offset = offset.next_multiple_of(align);
            }
            if index == field {
                break;
            }
            offset = offset.saturating_add(size);
        }
        offset
    }

    /// Bits of the smallest scalar in a type, as it lies in memory.
    pub(in crate::lower) fn smallest_scalar(&self, types: &TypeTable, ty: TypeId) -> u32 {
        match types.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => {
                self.smallest_scalar(types, *element)
            }
            Type::Struct { fields, .. } => fields
                .iter()
                .map(|&field| self.smallest_scalar(types, field))
                .min()
                .unwrap_or(32),
            _ => (self.size(types, ty) * 8).clamp(8, 64) as u32,
        }
    }

    fn size_and_align(&self, types: &TypeTable, ty: TypeId, depth: u32) -> (u64, u64) {
        // The frontend bounds the depth of types; this is for types that were not checked.
        if depth > 64 {
            return (0, 1);
        }
        match types.get(ty) {
            Type::Array { element, count } => {
                let (size, align) = self.size_and_align(types, *element, depth + 1);
                (size.saturating_mul(*count), align)
            }
            Type::Vector { element, count } => {
                let (size, align) = self.size_and_align(types, *element, depth + 1);
                (size.saturating_mul(u64::from(*count)), align)
            }
            Type::Struct { fields, packed, .. } => {
                let mut end: u64 = 0;
                let mut most = 1;
                for &field in fields {
                    let (size, align) = self.size_and_align(types, field, depth + 1);
                    if !packed {
                        end = end.next_multiple_of(align);
                        most = most.max(align);
                    }
                    end = end.saturating_add(size);
                }
                (end.next_multiple_of(most), most)
            }
            Type::Int(1) => (4, 4),
            Type::Int(bits) if *bits <= 16 && self.small_scalars_are_words => (4, 4),
            Type::Half if self.small_scalars_are_words => (4, 4),
            Type::Half => (2, 2),
            Type::Int(bits) => {
                let size = u64::from(*bits).div_ceil(8).next_power_of_two();
                (size, size)
            }
            Type::Double => (8, 8),
            _ => (4, 4),
        }
    }
}
