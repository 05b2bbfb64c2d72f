//! `dx.typeAnnotations`: annotations of structures and function parameters from the HLSL source.

use super::metadata::{Meta, operand};
use super::{ComponentType, InterpolationMode};
use crate::error::{Error, Result};
use crate::ir::{FuncId, MdId, Type, TypeId};

/// Deepest nesting of annotations in annotations (bit fields).
const MAX_DEPTH: u32 = 4;

/// Tags of the properties of fields.
pub(super) mod tag {
    pub(crate) const SNORM: u32 = 0;
    pub(crate) const UNORM: u32 = 1;
    pub(crate) const MATRIX: u32 = 2;
    pub(crate) const OFFSET: u32 = 3;
    pub(crate) const SEMANTIC: u32 = 4;
    pub(crate) const INTERPOLATION: u32 = 5;
    pub(crate) const NAME: u32 = 6;
    pub(crate) const COMPONENT: u32 = 7;
    pub(crate) const PRECISE: u32 = 8;
    pub(crate) const USED: u32 = 9;
    pub(crate) const BIT_FIELDS: u32 = 11;
    pub(crate) const BIT_WIDTH: u32 = 12;
    pub(crate) const VECTOR_SIZE: u32 = 13;
}

/// Orientations of matrices; 0 is undefined.
pub(super) const ROW_MAJOR: u32 = 1;
pub(super) const COLUMN_MAJOR: u32 = 2;

/// All annotations of a module.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TypeAnnotations {
    /// Of structures, in the order of their types.
    pub structs: Vec<StructAnnotation>,
    /// Of functions: entry points of libraries, exported functions, patch-constant functions.
    pub functions: Vec<FunctionAnnotation>,
}

impl TypeAnnotations {
    /// Returns the annotation of a structure, the first one where there are several.
    pub fn of_struct(&self, ty: TypeId) -> Option<&StructAnnotation> {
        let first = self.structs.partition_point(|one| one.ty < ty);
        self.structs.get(first).filter(|one| one.ty == ty)
    }
}

/// Annotation of a structure.
#[derive(Debug, Clone, PartialEq)]
pub struct StructAnnotation {
    /// The structure.
    pub ty: TypeId,
    /// Its size in bytes by the layout of constant buffers.
    pub size: u32,
    /// One per field; empty for a structure without fields in HLSL.
    pub fields: Vec<FieldAnnotation>,
}

/// Annotation of a field or parameter. Properties that the module does not state are `None` or
/// empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldAnnotation {
    /// Name in the source.
    pub name: Box<str>,
    /// Offset in bytes by the layout of constant buffers.
    pub offset: Option<u32>,
    /// Component type.
    pub component: Option<ComponentType>,
    /// For a matrix, its shape.
    pub matrix: Option<MatrixAnnotation>,
    /// Elements, where the field is a vector and its type does not tell.
    pub vector_size: Option<u32>,
    /// Semantic of the field as the source spells it; empty without one.
    pub semantic: Box<str>,
    /// Interpolation modifier, where the source has one.
    pub interpolation: Option<InterpolationMode>,
    /// `precise`.
    pub precise: bool,
    /// `snorm`.
    pub snorm: bool,
    /// `unorm`.
    pub unorm: bool,
    /// Whether the shader uses it (members of constant buffers).
    pub used: Option<bool>,
    /// Width of a bit field.
    pub bit_width: Option<u32>,
    /// The bit fields that share this field.
    pub bit_fields: Vec<FieldAnnotation>,
}

/// Shape of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MatrixAnnotation {
    /// Rows of the matrix, 1 to 4.
    pub rows: u32,
    /// Columns of the matrix, 1 to 4.
    pub columns: u32,
    /// Whether a row lies together in memory.
    pub row_major: bool,
}

/// Annotation of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionAnnotation {
    /// The annotated function.
    pub function: FuncId,
    /// Annotation of the result.
    pub result: ParameterAnnotation,
    /// Annotations of the parameters, in order.
    pub parameters: Vec<ParameterAnnotation>,
}

/// Annotation of a parameter or result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParameterAnnotation {
    /// Direction or role, DXIL's number: 0 in, 1 out, 2 inout, then patches, streams, mesh arrays,
    /// payload (13) and node records (14).
    pub qualifier: u32,
    /// The properties that fields have as well.
    pub field: FieldAnnotation,
    /// Semantic indices.
    pub semantic_indices: Vec<u32>,
}

/// Reads `dx.typeAnnotations`.
pub(super) fn decode(meta: &Meta<'_>) -> Result<TypeAnnotations> {
    let mut annotations = TypeAnnotations::default();
    for node in meta.module.metadata.named("dx.typeAnnotations") {
        let operands = meta.tuple(Some(node), "type annotations")?;
        let is_structs = meta.u32(operand(operands, 0), "kind of type annotations")? == 0;
        let entries = operands.get(1..).unwrap_or_default();
        // Pairs: what is annotated, and the annotation.
        for entry in entries.chunks_exact(2) {
            let (what, annotation) = (operand(entry, 0), operand(entry, 1));
            if is_structs {
                let structure = decode_struct(meta, what, annotation)?;
                annotations.structs.push(structure);
            } else if let Some(function) = meta.function(what, "annotated function")? {
                let function = decode_function(meta, function, annotation)?;
                annotations.functions.push(function);
            }
        }
    }
    annotations.structs.sort_by_key(|structure| structure.ty);
    Ok(annotations)
}

fn decode_struct(
    meta: &Meta<'_>,
    what: Option<MdId>,
    annotation: Option<MdId>,
) -> Result<StructAnnotation> {
    // The key of a structure is an `undef` value of its type.
    let ty = meta
        .type_of(what)
        .ok_or_else(|| Error::malformed("metadata: an annotated structure has no type"))?;
    let count = match meta.module.types.get(ty) {
        Type::Struct { fields, .. } => fields.len(),
        _ => {
            return Err(Error::malformed(
                "metadata: an annotated structure is of another type",
            ));
        }
    };
    let operands = meta.tuple(annotation, "annotation of a structure")?;
    let mut fields = Vec::new();
    // After the fields may come template arguments, which tell nothing about layout.
    for field in operands.iter().skip(1).take(count) {
        fields.push(decode_field(meta, *field, 0)?);
    }
    Ok(StructAnnotation {
        ty,
        size: meta.u32(operand(operands, 0), "size of a structure")?,
        fields,
    })
}

fn decode_field(meta: &Meta<'_>, node: Option<MdId>, depth: u32) -> Result<FieldAnnotation> {
    // Annotations nest by reference, so a node could contain itself.
    if depth > MAX_DEPTH {
        return Err(Error::malformed("metadata: bit fields nest too deeply"));
    }
    let mut field = FieldAnnotation::default();
    for (tag, value) in meta.pairs(node, "annotation of a field")? {
        let tag = meta.int(tag, "tag of a field's annotation")?;
        match u32::try_from(tag).unwrap_or(u32::MAX) {
            tag::SNORM => field.snorm = meta.bool(value, "snorm")?,
            tag::UNORM => field.unorm = meta.bool(value, "unorm")?,
            tag::MATRIX => {
                let shape = meta.tuple(value, "shape of a matrix")?;
                field.matrix = Some(MatrixAnnotation {
                    rows: meta.u32(operand(shape, 0), "rows of a matrix")?,
                    columns: meta.u32(operand(shape, 1), "columns of a matrix")?,
                    row_major: meta.u32(operand(shape, 2), "orientation of a matrix")? == ROW_MAJOR,
                });
            }
            tag::OFFSET => field.offset = Some(meta.u32(value, "offset of a field")?),
            tag::SEMANTIC => field.semantic = meta.text(value, "semantic of a field")?,
            tag::INTERPOLATION => {
                let mode = meta.int(value, "interpolation of a field")?;
                field.interpolation = InterpolationMode::from_number(mode);
            }
            tag::NAME => field.name = meta.text(value, "name of a field")?,
            tag::COMPONENT => {
                let component = meta.int(value, "component type of a field")?;
                field.component = ComponentType::from_number(component);
            }
            tag::PRECISE => field.precise = meta.bool(value, "precise")?,
            tag::USED => field.used = Some(meta.bool(value, "use of a field")?),
            tag::BIT_FIELDS => {
                for inner in meta.tuple(value, "bit fields")? {
                    field
                        .bit_fields
                        .push(decode_field(meta, *inner, depth + 1)?);
                }
            }
            tag::BIT_WIDTH => field.bit_width = Some(meta.u32(value, "width of a bit field")?),
            tag::VECTOR_SIZE => field.vector_size = Some(meta.u32(value, "size of a vector")?),
            // 10 are properties of resources in structures; they repeat what the handle says.
            _ => {}
        }
    }
    Ok(field)
}

fn decode_function(
    meta: &Meta<'_>,
    function: FuncId,
    annotation: Option<MdId>,
) -> Result<FunctionAnnotation> {
    let operands = meta.tuple(annotation, "annotation of a function")?;
    let mut parameters = Vec::new();
    for parameter in operands.iter().skip(1) {
        parameters.push(decode_parameter(meta, *parameter)?);
    }
    Ok(FunctionAnnotation {
        function,
        result: decode_parameter(meta, operand(operands, 0))?,
        parameters,
    })
}

fn decode_parameter(meta: &Meta<'_>, node: Option<MdId>) -> Result<ParameterAnnotation> {
    let operands = meta.tuple(node, "annotation of a parameter")?;
    let mut semantic_indices = Vec::new();
    for index in meta.tuple_or_null(operand(operands, 2), "semantic indices of a parameter")? {
        semantic_indices.push(meta.u32(*index, "semantic index")?);
    }
    Ok(ParameterAnnotation {
        qualifier: meta.u32(operand(operands, 0), "role of a parameter")?,
        field: decode_field(meta, operand(operands, 1), 0)?,
        semantic_indices,
    })
}
