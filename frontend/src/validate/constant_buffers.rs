//! Constant buffers: sizes, and the offsets of their fields (DXIL document, "Type System", layout
//! of constant buffers).

use super::context::ValidationContext;
use super::resources::ResourceName;
use super::rules::Rule;
use crate::dxil::{FieldAnnotation, Resource, StructAnnotation};
use crate::ir::{Type, TypeId};

/// Bytes of the largest constant buffer: 4096 registers.
const MAX_BYTES: u32 = 4096 * 16;
/// Fields that are looked at per buffer; structures share members.
const MAX_FIELDS: u32 = 4096;
/// The same for all buffers, which may share a structure.
const MAX_FIELDS_OF_ALL: u32 = 1 << 20;

/// Checks all constant buffers.
pub(super) fn check(cx: &ValidationContext<'_>) {
    let mut budget = MAX_FIELDS_OF_ALL;
    for buffer in &cx.shader.resources.cbvs {
        check_buffer(cx, buffer, &mut budget);
    }
}

fn check_buffer(cx: &ValidationContext<'_>, buffer: &Resource, left: &mut u32) {
    let types = cx.types();
    let Some(mut ty) = buffer.ty else {
        return;
    };
    if let (true, Type::Array { element, .. }) = (buffer.count != Some(1), types.get(ty)) {
        ty = *element;
    }
    while let Type::Array { element, .. } = *types.get(ty) {
        ty = element;
    }
    if !matches!(types.get(ty), Type::Struct { .. }) {
        let detail = format_args!("{}: the buffer is no structure", ResourceName(buffer));
        cx.report(Rule::SmCBufferTemplateTypeMustBeStruct, detail);
        return;
    }
    let bytes = buffer.detail.cbuffer_size;
    if bytes > MAX_BYTES {
        let detail = format_args!("{}: {bytes} bytes", ResourceName(buffer));
        cx.report(Rule::SmCBufferSize, detail);
        return;
    }
    let mut walk = FieldWalk {
        cx,
        buffer,
        spans: Vec::new(),
        budget: MAX_FIELDS.min(*left),
    };
    let before = walk.budget;
    walk.structure(ty, 0);
    let FieldWalk {
        mut spans, budget, ..
    } = walk;
    *left -= before - budget;
    spans.sort_unstable();
    for pair in spans.windows(2) {
        if let [(_, end), (start, _)] = *pair
            && start < end
        {
            let detail = format_args!("{}: byte {start}", ResourceName(buffer));
            cx.report(Rule::SmCBufferOffsetOverlap, detail);
        }
    }
}

struct FieldWalk<'a, 'c> {
    cx: &'c ValidationContext<'a>,
    buffer: &'c Resource,
    /// First byte and end of each field that is not a structure.
    spans: Vec<(u64, u64)>,
    budget: u32,
}

impl FieldWalk<'_, '_> {
    fn annotation(&self, ty: TypeId) -> Option<&StructAnnotation> {
        self.cx.shader.type_annotations.of_struct(ty)
    }

    fn report(&self, rule: Rule, offset: u64) {
        let detail = format_args!("{}: the field at byte {offset}", ResourceName(self.buffer));
        self.cx.report(rule, detail);
    }

    fn structure(&mut self, ty: TypeId, base: u64) {
        let Some(annotation) = self.annotation(ty) else {
            return;
        };
        let size = u64::from(annotation.size);
        let fields = annotation.fields.clone();
        let Type::Struct { fields: types, .. } = self.cx.types().get(ty) else {
            return;
        };
        for (field, &ty) in fields.iter().zip(types) {
            let Some(left) = self.budget.checked_sub(1) else {
                return;
            };
            self.budget = left;
            self.field(field, ty, base, size);
        }
    }

    fn field(&mut self, field: &FieldAnnotation, ty: TypeId, base: u64, size: u64) {
        let Some(offset) = field.offset.map(u64::from) else {
            return;
        };
        let (mut element, mut count) = (ty, 1u64);
        let is_array = matches!(self.cx.types().get(ty), Type::Array { .. });
        while let Type::Array {
            element: inner,
            count: own,
        } = *self.cx.types().get(element)
        {
            element = inner;
            count = count.saturating_mul(own);
        }
        if is_array && offset % 16 != 0 && field.matrix.is_none() {
            self.report(Rule::SmCBufferArrayOffsetAlignment, base + offset);
            return;
        }
        let Some(bytes) = self.element_bytes(field, element) else {
            return;
        };
        let stride = bytes.next_multiple_of(16);
        let all = match count {
            0 => 0,
            count => stride.saturating_mul(count - 1).saturating_add(bytes),
        };
        if offset.saturating_add(all) > size {
            self.report(Rule::SmCBufferElementOverflow, base + offset);
            return;
        }
        let is_struct = self.annotation(element).is_some();
        if is_struct {
            // All elements of an array look alike; the first and the last show where they lie.
            self.structure(element, base + offset);
            if count > 1 {
                self.structure(element, base + offset + stride * (count - 1));
            }
        } else if all > 0 {
            self.spans.push((base + offset, base + offset + all));
        }
    }

    /// Returns the number of bytes of a field, or of an element of it; `None` where its layout is
    /// not known.
    fn element_bytes(&self, field: &FieldAnnotation, ty: TypeId) -> Option<u64> {
        // Matrices are arrays of registers whose shape says how many.
        if field.matrix.is_some() || !field.bit_fields.is_empty() {
            return None;
        }
        match self.cx.types().get(ty) {
            Type::Struct { .. } => Some(u64::from(self.annotation(ty)?.size)),
            Type::Half | Type::Int(16) if self.cx.uses_min_precision() => Some(4),
            Type::Vector { element, count } => {
                let bits = self.cx.types().scalar_bits(*element)?.max(16);
                let bits = match (bits, self.cx.uses_min_precision()) {
                    (16, true) => 32,
                    _ => bits,
                };
                Some(u64::from(bits / 8) * u64::from(*count))
            }
            Type::Int(1) => Some(4),
            _ => Some(u64::from(self.cx.types().scalar_bits(ty)? / 8)),
        }
    }
}
