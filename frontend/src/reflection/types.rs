//! Layouts from the types of a module and its annotations.
//!
//! Constant buffers follow HLSL's packing rules, whose offsets `dx.typeAnnotations` has; structured
//! buffers align each scalar to its size, and a structure to its largest scalar.

use crate::dxil::{
    ComponentType, FieldAnnotation, MatrixAnnotation, Resource, ResourceKind, Shader,
    StructAnnotation, names_signed_element,
};
use crate::ir::{Type, TypeId};
use crate::tables::HashMap;

use super::layout::{Layout, LayoutField, LayoutType, component_bytes};

/// Deepest nesting of types.
const MAX_DEPTH: u32 = 16;
/// Maximum number of fields of a layout, those of nested structures included: types that share
/// structures could make a small module large.
const MAX_FIELDS: u32 = 4096;
/// Bytes of a register of a constant buffer.
const REGISTER: u32 = 16;

/// Returns the layout of a constant buffer, or of the elements of a structured buffer; `None` for
/// other resources, and where the module does not say. DXC takes names and annotations out of the
/// shader: [`Reflection`](super::Reflection) looks for them elsewhere too.
pub fn layout_of(shader: &Shader, resource: &Resource) -> Option<Layout> {
    match resource.kind {
        ResourceKind::CBuffer | ResourceKind::TBuffer => constant_layout(shader, resource),
        ResourceKind::StructuredBuffer => element_layout(shader, resource),
        _ => None,
    }
}

/// Returns the type behind arrays of resources and the pointer of the variable.
fn declared_type(shader: &Shader, resource: &Resource) -> Option<TypeId> {
    let mut ty = resource.ty?;
    for _ in 0..MAX_DEPTH {
        match shader.module.types.get(ty) {
            Type::Pointer { pointee, .. } => ty = *pointee,
            Type::Array { element, .. } => ty = *element,
            _ => break,
        }
    }
    Some(ty)
}

fn constant_layout(shader: &Shader, resource: &Resource) -> Option<Layout> {
    let mut ty = declared_type(shader, resource)?;
    // `ConstantBuffer<T> name` is a structure with one field of that name.
    let annotation = annotation_of(shader, ty)?;
    if let (Type::Struct { fields, .. }, [only]) =
        (shader.module.types.get(ty), annotation.fields.as_slice())
        && let [inner] = &**fields
        && only.name == resource.name
        && annotation_of(shader, *inner).is_some()
    {
        ty = *inner;
    }
    let mut walk = LayoutWalk::new(shader, LayoutRules::Constants);
    let fields = walk.fields(ty, 0)?;
    Some(Layout {
        size: resource.detail.cbuffer_size,
        fields,
    })
}

fn element_layout(shader: &Shader, resource: &Resource) -> Option<Layout> {
    let ty = declared_type(shader, resource)?;
    let Type::Struct { name, fields, .. } = shader.module.types.get(ty) else {
        return None;
    };
    let mut walk = LayoutWalk::new(shader, LayoutRules::Structured);
    walk.is_signed = name.as_deref().is_some_and(names_signed_element);
    let element = *fields.first()?;
    let fields = match shader.module.types.get(element) {
        Type::Struct { .. } => walk.fields(element, 0)?,
        _ => vec![walk.field(element, String::new(), None, 0, 0)?],
    };
    let ends = fields
        .iter()
        .map(|field| field.offset.saturating_add(field.size));
    let end = ends.max().unwrap_or(0);
    let end = end.checked_next_multiple_of(walk.alignment(element, 0))?;
    let stride = resource.detail.stride.filter(|stride| *stride > 0);
    Some(Layout {
        size: stride.unwrap_or(end),
        fields,
    })
}

fn annotation_of(shader: &Shader, ty: TypeId) -> Option<&StructAnnotation> {
    shader.type_annotations.of_struct(ty)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LayoutRules {
    Constants,
    Structured,
}

struct LayoutWalk<'a> {
    shader: &'a Shader,
    rules: LayoutRules,
    /// Whether plain integers are signed, which only the class's name says.
    is_signed: bool,
    fields_left: u32,
    /// Alignments that are known: structures may share others.
    alignments: HashMap<TypeId, u32>,
}

impl<'a> LayoutWalk<'a> {
    fn new(shader: &'a Shader, rules: LayoutRules) -> Self {
        LayoutWalk {
            shader,
            rules,
            is_signed: false,
            fields_left: MAX_FIELDS,
            alignments: HashMap::default(),
        }
    }

    /// Returns the fields of a structure; `None` where there are too many, or one has no place.
    fn fields(&mut self, ty: TypeId, depth: u32) -> Option<Vec<LayoutField>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let Type::Struct { fields, .. } = self.shader.module.types.get(ty) else {
            return None;
        };
        let annotation = annotation_of(self.shader, ty);
        let mut found = Vec::with_capacity(fields.len());
        let mut end = 0u32;
        for (index, inner) in fields.iter().enumerate() {
            // Counted here and not by depth: types may share structures.
            self.fields_left = self.fields_left.checked_sub(1)?;
            let annotated = annotation.and_then(|a| a.fields.get(index));
            let name = match annotated {
                Some(field) if !field.name.is_empty() => field.name.to_string(),
                _ => format!("f{index}"),
            };
            let offset = match self.rules {
                // HLSL's packing cannot be had from the types alone (`packoffset`), so the
                // annotation must say it.
                LayoutRules::Constants => annotated.and_then(|field| field.offset)?,
                LayoutRules::Structured => {
                    end.checked_next_multiple_of(self.alignment(*inner, depth))?
                }
            };
            let field = self.field(*inner, name, annotated, offset, depth)?;
            end = offset.saturating_add(match self.rules {
                LayoutRules::Constants => field.size,
                // The padding of a nested structure belongs to it.
                LayoutRules::Structured => self.padded(*inner, field.size, depth)?,
            });
            found.push(field);
        }
        Some(found)
    }

    /// Returns the size with padding: a structure in a structured buffer ends at a multiple of its
    /// alignment.
    fn padded(&mut self, ty: TypeId, size: u32, depth: u32) -> Option<u32> {
        match self.shader.module.types.get(ty) {
            Type::Struct { .. } => size.checked_next_multiple_of(self.alignment(ty, depth)),
            _ => Some(size),
        }
    }

    fn field(
        &mut self,
        ty: TypeId,
        name: String,
        annotated: Option<&FieldAnnotation>,
        offset: u32,
        depth: u32,
    ) -> Option<LayoutField> {
        let types = &self.shader.module.types;
        let mut array: Vec<u32> = Vec::new();
        let mut inner = ty;
        while let Type::Array { element, count } = types.get(inner) {
            array.push(u32::try_from(*count).ok()?);
            inner = *element;
            if array.len() > MAX_DEPTH as usize {
                return None;
            }
        }
        let matrix = annotated.and_then(|field| field.matrix);
        // `class.matrix.float.2.3` is a structure around the rows.
        if let (Some(_), Type::Struct { fields, .. }) = (matrix, types.get(inner))
            && let [only] = &**fields
        {
            inner = *only;
            while let Type::Array { element, count } = types.get(inner) {
                array.push(u32::try_from(*count).ok()?);
                inner = *element;
            }
        }
        let ty = match (types.get(inner), matrix) {
            (Type::Struct { name, .. }, _) => LayoutType::Struct {
                name: source_name(name.as_deref().unwrap_or_default()).to_owned(),
                fields: self.fields(inner, depth + 1)?,
            },
            (Type::Vector { element, count }, Some(matrix)) => {
                // The last array is that of the rows or columns.
                array.pop()?;
                self.matrix(*element, *count, matrix, annotated)?
            }
            (Type::Vector { element, count }, None) => self.vector(*element, *count, annotated)?,
            _ => self.vector(inner, 1, annotated)?,
        };
        let size = ty.size();
        // Elements of an array in a constant buffer begin at a register of their own; the last one
        // has no padding after it.
        let stride = match (array.is_empty(), self.rules) {
            (true, _) => 0,
            (false, LayoutRules::Constants) => size.checked_next_multiple_of(REGISTER)?,
            (false, LayoutRules::Structured) => self.padded(inner, size, depth)?,
        };
        let elements = array
            .iter()
            .try_fold(1u32, |count, length| count.checked_mul(*length))?;
        let gaps = stride.checked_mul(elements.saturating_sub(1))?;
        Some(LayoutField {
            name,
            offset,
            size: match elements {
                0 => 0,
                _ => gaps.checked_add(size)?,
            },
            array,
            stride,
            ty,
            is_used: annotated.and_then(|field| field.used),
        })
    }

    fn vector(
        &self,
        scalar: TypeId,
        columns: u32,
        annotated: Option<&FieldAnnotation>,
    ) -> Option<LayoutType> {
        Some(LayoutType::Numeric {
            component: self.component(scalar, annotated)?,
            rows: 1,
            columns,
            row_major: true,
            vector_stride: 0,
        })
    }

    /// Returns a matrix of vectors of that length: rows where it is row-major, columns otherwise.
    fn matrix(
        &self,
        scalar: TypeId,
        length: u32,
        matrix: MatrixAnnotation,
        annotated: Option<&FieldAnnotation>,
    ) -> Option<LayoutType> {
        let component = self.component(scalar, annotated)?;
        let tight = length.checked_mul(component_bytes(component))?;
        Some(LayoutType::Numeric {
            component,
            rows: matrix.rows,
            columns: matrix.columns,
            row_major: matrix.row_major,
            vector_stride: match self.rules {
                LayoutRules::Constants => tight.checked_next_multiple_of(REGISTER)?,
                LayoutRules::Structured => tight,
            },
        })
    }

    /// Returns the component type in memory. The annotation tells signs and booleans; where it says
    /// 16 bits (`min16float`) and the type has 32, the value takes 32.
    fn component(&self, ty: TypeId, annotated: Option<&FieldAnnotation>) -> Option<ComponentType> {
        use ComponentType as C;
        let own = match (self.shader.module.types.get(ty), self.is_signed) {
            (Type::Half, _) => C::F16,
            (Type::Float, _) => C::F32,
            (Type::Double, _) => C::F64,
            (Type::Int(16), false) => C::U16,
            (Type::Int(16), true) => C::I16,
            (Type::Int(64), false) => C::U64,
            (Type::Int(64), true) => C::I64,
            (Type::Int(_), true) => C::I32,
            (Type::Int(_), false) => C::U32,
            _ => return None,
        };
        let Some(named) = annotated.and_then(|field| field.component) else {
            return Some(own);
        };
        Some(
            match (component_bytes(named) == component_bytes(own), named) {
                (true, named) => named,
                (false, C::I16) if own == C::U32 => C::I32,
                (false, _) => own,
            },
        )
    }

    /// Returns the alignment in a structured buffer: that of the largest scalar, at least 1.
    fn alignment(&mut self, ty: TypeId, depth: u32) -> u32 {
        // Without this, structures that share others would be walked once for every path to them.
        if let Some(known) = self.alignments.get(&ty) {
            return *known;
        }
        if depth > MAX_DEPTH {
            return 1;
        }
        let shader = self.shader;
        let alignment = match shader.module.types.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => {
                self.alignment(*element, depth + 1)
            }
            Type::Struct { fields, .. } => {
                let inner = fields.iter().map(|field| self.alignment(*field, depth + 1));
                inner.max().unwrap_or(1)
            }
            _ => self.component(ty, None).map_or(1, component_bytes),
        };
        self.alignments.insert(ty, alignment);
        alignment
    }
}

/// Returns `Light` of `hostlayout.struct.Light`.
fn source_name(name: &str) -> &str {
    let name = name.strip_prefix("hostlayout.").unwrap_or(name);
    let name = name.strip_prefix("struct.").unwrap_or(name);
    name.strip_prefix("class.").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_structures_are_those_of_the_source() {
        assert_eq!(source_name("hostlayout.struct.Light"), "Light");
        assert_eq!(source_name("struct.ns::Light"), "ns::Light");
        assert_eq!(source_name("Light"), "Light");
    }
}
