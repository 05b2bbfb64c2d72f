//! `dx.typeAnnotations` of structures (DXIL document, "Type annotations").

use super::nodes::NodeWriter;
use crate::dxil::type_annotations::{self, tag};
use crate::dxil::{FieldAnnotation, StructAnnotation};
use crate::error::Result;
use crate::ir::{Constant, MdId};

/// Returns the list of annotated structures.
pub(super) fn structures(out: &mut NodeWriter, structures: &[StructAnnotation]) -> Result<MdId> {
    let mut list = vec![Some(out.u32(0)?)];
    for structure in structures {
        let key = out.constant(structure.ty, Constant::Undef);
        list.push(Some(out.value(key)));
        let mut fields = vec![Some(out.u32(structure.size)?)];
        for item in &structure.fields {
            fields.push(Some(field(out, item)?));
        }
        list.push(Some(out.tuple(&fields)?));
    }
    out.tuple(&list)
}

fn field(out: &mut NodeWriter, field: &FieldAnnotation) -> Result<MdId> {
    let mut list: Vec<(u32, MdId)> = Vec::new();
    for (tag, flag) in [(tag::SNORM, field.snorm), (tag::UNORM, field.unorm)] {
        if flag {
            list.push((tag, out.bool(true)?));
        }
    }
    if let Some(matrix) = field.matrix {
        let order = if matrix.row_major {
            type_annotations::ROW_MAJOR
        } else {
            type_annotations::COLUMN_MAJOR
        };
        let mut shape = Vec::new();
        for number in [matrix.rows, matrix.columns, order] {
            shape.push(Some(out.u32(number)?));
        }
        list.push((tag::MATRIX, out.tuple(&shape)?));
    }
    if let Some(offset) = field.offset {
        list.push((tag::OFFSET, out.u32(offset)?));
    }
    if !field.semantic.is_empty() {
        list.push((tag::SEMANTIC, out.text(&field.semantic)?));
    }
    if let Some(mode) = field.interpolation {
        list.push((tag::INTERPOLATION, out.u32(mode as u32)?));
    }
    if !field.name.is_empty() {
        list.push((tag::NAME, out.text(&field.name)?));
    }
    if let Some(component) = field.component {
        list.push((tag::COMPONENT, out.u32(component as u32)?));
    }
    for (tag, flag) in [
        (tag::PRECISE, Some(field.precise).filter(|it| *it)),
        (tag::USED, field.used),
    ] {
        if let Some(flag) = flag {
            list.push((tag, out.bool(flag)?));
        }
    }
    if !field.bit_fields.is_empty() {
        let mut inner = Vec::new();
        for item in &field.bit_fields {
            inner.push(Some(self::field(out, item)?));
        }
        list.push((tag::BIT_FIELDS, out.tuple(&inner)?));
    }
    for (tag, number) in [
        (tag::BIT_WIDTH, field.bit_width),
        (tag::VECTOR_SIZE, field.vector_size),
    ] {
        if let Some(number) = number {
            list.push((tag, out.u32(number)?));
        }
    }
    let mut operands = Vec::with_capacity(list.len() * 2);
    for (tag, value) in list {
        operands.extend([Some(out.u32(tag)?), Some(value)]);
    }
    out.tuple(&operands)
}
