//! Types of constant and structured buffers: DXBC has their fields in RDEF, DXIL in the types of
//! its variables and in `dx.typeAnnotations` (DXIL document, "Type annotations").

use crate::container::ResourceDefinitions;
use crate::dxil::{
    ComponentType, FieldAnnotation, MatrixAnnotation, Resource, ResourceKind, Shader,
    StructAnnotation,
};
use crate::ir::{Type, TypeId, TypeList};
use crate::reflection::{Layout, LayoutField, LayoutType, declared_layout};
use crate::tables::HashMap;

/// Bytes of a register of a constant buffer.
const REGISTER: u32 = 16;

/// Gives resources types with the fields that the definitions name. A buffer whose fields lie as no
/// compiler of DXIL would place them keeps the type that says its size alone.
pub(super) fn set(shader: &mut Shader, definitions: &ResourceDefinitions<'_>) {
    let types = shader.module.types.types.iter();
    let mut writer = TypeWriter {
        known: types.map(|(id, ty)| (ty.clone(), id)).collect(),
        names: HashMap::default(),
        shader,
        annotations: Vec::new(),
    };
    let resources = std::mem::take(&mut writer.shader.resources);
    let mut changed = resources.clone();
    let lists = [&mut changed.srvs, &mut changed.uavs, &mut changed.cbvs];
    for resource in lists.into_iter().flatten() {
        if let Some(layout) = declared_layout(definitions, resource) {
            resource.ty = writer.resource(resource, &layout);
        }
    }
    let mut annotations = writer.annotations;
    annotations.sort_by_key(|annotation| annotation.ty);
    shader.resources = changed;
    shader.type_annotations.structs = annotations;
}

struct TypeWriter<'a> {
    shader: &'a mut Shader,
    known: HashMap<Type, TypeId>,
    /// Names of structures: no two may have one. The number is that of the next one called so.
    names: HashMap<Box<str>, u32>,
    annotations: Vec<StructAnnotation>,
}

impl TypeWriter<'_> {
    fn ty(&mut self, ty: Type) -> TypeId {
        let types = &mut self.shader.module.types.types;
        *self
            .known
            .entry(ty)
            .or_insert_with_key(|ty| types.push(ty.clone()))
    }

    fn structure(&mut self, name: &str, fields: &[TypeId]) -> TypeId {
        let mut unique: Box<str> = name.into();
        while self.names.contains_key(&unique) {
            // Counted on, so that many structures of one name take linear time.
            let number = self.names.entry(name.into()).or_insert(0);
            unique = format!("{name}.{number}").into();
            *number += 1;
        }
        self.names.insert(unique.clone(), 0);
        self.ty(Type::Struct {
            name: Some(unique),
            fields: TypeList::from_slice(fields),
            packed: false,
            opaque: false,
        })
    }

    /// Returns the type of a resource's variable, arrays of resources included.
    fn resource(&mut self, resource: &Resource, layout: &Layout) -> Option<TypeId> {
        let ty = match resource.kind {
            ResourceKind::CBuffer => {
                if !is_regular(&layout.fields, layout.size) {
                    return None;
                }
                self.fields(&resource.name, &resource.name, &layout.fields, layout.size)
            }
            ResourceKind::StructuredBuffer => self.element(resource, layout)?,
            _ => return None,
        };
        Some(match resource.count {
            Some(1) => ty,
            count => self.ty(Type::Array {
                element: ty,
                count: u64::from(count.unwrap_or(0)),
            }),
        })
    }

    /// Returns the class around the element of a structured buffer.
    fn element(&mut self, resource: &Resource, layout: &Layout) -> Option<TypeId> {
        let (element, name) = match layout.fields.as_slice() {
            [] => return None,
            [only] if only.name.is_empty() && only.array.is_empty() => {
                let name = match only.ty {
                    LayoutType::Numeric {
                        component,
                        rows: 1,
                        columns,
                        ..
                    } => numeric_name(component, columns),
                    // The class of a matrix is a separate structure.
                    _ => return None,
                };
                (self.field_type(&resource.name, only), name)
            }
            fields => {
                let name = format!("struct.{}.Element", resource.name);
                let ty = self.fields(&name, &resource.name, fields, layout.size);
                (ty, name)
            }
        };
        let class = if resource.class == crate::dxil::ResourceClass::Uav {
            "RWStructuredBuffer"
        } else {
            "StructuredBuffer"
        };
        Some(self.structure(&format!("class.{class}<{name}>"), &[element]))
    }

    /// Returns an annotated structure.
    fn fields(&mut self, name: &str, path: &str, fields: &[LayoutField], size: u32) -> TypeId {
        let mut types = Vec::with_capacity(fields.len());
        let mut annotations = Vec::with_capacity(fields.len());
        for field in fields {
            types.push(self.field_type(path, field));
            annotations.push(annotation(field));
        }
        let ty = self.structure(name, &types);
        self.annotations.push(StructAnnotation {
            ty,
            size,
            fields: annotations,
        });
        ty
    }

    fn field_type(&mut self, path: &str, field: &LayoutField) -> TypeId {
        let mut ty = match &field.ty {
            LayoutType::Struct { fields, .. } => {
                let path = format!("{path}.{}", field.name);
                let size = field.ty.size();
                self.fields(&format!("struct.{path}"), &path, fields, size)
            }
            LayoutType::Numeric {
                component,
                rows,
                columns,
                row_major,
                ..
            } => {
                let scalar = self.ty(scalar(*component));
                let (vectors, length) = match (*rows, row_major) {
                    (1, _) => (None, *columns),
                    (_, true) => (Some(*rows), *columns),
                    (_, false) => (Some(*columns), *rows),
                };
                // A matrix is an array of vectors, of whatever length.
                let vector = match (vectors, length) {
                    (None, 1) => scalar,
                    _ => self.ty(Type::Vector {
                        element: scalar,
                        count: length,
                    }),
                };
                match vectors {
                    None => vector,
                    Some(count) => self.ty(Type::Array {
                        element: vector,
                        count: u64::from(count),
                    }),
                }
            }
        };
        for count in field.array.iter().rev() {
            ty = self.ty(Type::Array {
                element: ty,
                count: u64::from(*count),
            });
        }
        ty
    }
}

/// Returns the type of a component in memory.
fn scalar(component: ComponentType) -> Type {
    match component {
        ComponentType::F64 => Type::Double,
        ComponentType::F32 => Type::Float,
        _ => Type::Int(32),
    }
}

/// Returns a scalar or vector as names of classes have it.
fn numeric_name(component: ComponentType, columns: u32) -> String {
    let scalar = match component {
        ComponentType::F64 => "double",
        ComponentType::F32 => "float",
        ComponentType::I32 => "int",
        ComponentType::I1 => "bool",
        _ => "unsigned int",
    };
    match columns {
        1 => scalar.to_owned(),
        _ => format!("vector<{scalar}, {columns}>"),
    }
}

fn annotation(field: &LayoutField) -> FieldAnnotation {
    let (component, matrix) = match field.ty {
        LayoutType::Struct { .. } => (None, None),
        LayoutType::Numeric {
            component,
            rows,
            columns,
            row_major,
            ..
        } => {
            let shape = MatrixAnnotation {
                rows,
                columns,
                row_major,
            };
            (Some(component), (rows > 1).then_some(shape))
        }
    };
    FieldAnnotation {
        name: field.name.as_str().into(),
        offset: Some(field.offset),
        component,
        matrix,
        used: field.is_used.filter(|is_used| *is_used),
        ..FieldAnnotation::default()
    }
}

/// Returns whether fields lie as HLSL's packing places them, within so many bytes: in order,
/// without overlap, arrays, matrices and structures at the start of a register, and vectors in one.
fn is_regular(fields: &[LayoutField], size: u32) -> bool {
    let mut end = 0;
    !fields.is_empty()
        && fields.iter().all(|field| {
            let (start, is_first) = (field.offset, field.offset % REGISTER == 0);
            let is_in_place = match &field.ty {
                LayoutType::Struct { fields, .. } => is_first && is_regular(fields, field.size),
                LayoutType::Numeric { rows, .. } if *rows > 1 => is_first,
                LayoutType::Numeric { .. } => {
                    is_first || start % REGISTER + field.ty.size() <= REGISTER
                }
            };
            let fits = start >= end
                && start.checked_add(field.size).is_some_and(|end| end <= size)
                && (field.array.is_empty() || is_first);
            end = start.saturating_add(field.size);
            is_in_place && fits
        })
}
