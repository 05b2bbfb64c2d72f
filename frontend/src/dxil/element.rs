//! The layout of one element of a declared resource, as in the HLSL source.
//!
//! For people and tools that show a buffer's content; translation never needs it. Types come from
//! the resource's variable, names and signs from `dx.typeAnnotations` and, for plain integers,
//! from the class's name (`class.RWStructuredBuffer<int>`).

use super::{ComponentType, Resource, ResourceKind, Shader};
use crate::ir::{Type, TypeId};

/// Maximum number of scalars that are listed; longer elements are cut.
const MAX_SCALARS: usize = 64;
/// Deepest nesting of types.
const MAX_DEPTH: u32 = 16;

/// A scalar of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementScalar {
    /// Path in the source, like `position.x` or `weights[2]`; empty where the element is a scalar.
    pub path: String,
    /// Byte offset in the element.
    pub offset: u32,
    /// Type.
    pub component: ComponentType,
}

/// An element of a structured buffer, typed buffer or texture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Element {
    /// Its scalars by rising offset.
    pub scalars: Vec<ElementScalar>,
    /// Bytes, as structured buffers lay it out.
    pub size: u32,
}

impl Shader {
    /// Returns the element type of a declared resource; `None` for raw buffers, constant buffers
    /// and samplers, and where the module does not say.
    pub fn element(&self, resource: &Resource) -> Option<Element> {
        let typed = resource.kind.is_texture()
            || matches!(
                resource.kind,
                ResourceKind::TypedBuffer | ResourceKind::StructuredBuffer
            );
        if !typed {
            return None;
        }
        let mut ty = resource.ty?;
        let types = &self.module.types;
        // Arrays of resources, and the pointer of the variable.
        for _ in 0..MAX_DEPTH {
            match types.get(ty) {
                Type::Pointer { pointee, .. } => ty = *pointee,
                Type::Array { element, .. } => ty = *element,
                _ => break,
            }
        }
        let Type::Struct { name, fields, .. } = types.get(ty) else {
            return None;
        };
        let mut walk = ElementSearch {
            shader: self,
            element: Element::default(),
            signed: name.as_deref().is_some_and(names_signed_element),
            fixed: resource.detail.component,
        };
        walk.add(*fields.first()?, "", None, 0);
        Some(walk.element)
    }
}

impl Shader {
    /// Returns the fields of a constant buffer by the layout of constant buffers, with the type of
    /// their scalars; nested structures are one field without a type. Empty where the module does
    /// not say.
    pub fn constants(&self, resource: &Resource) -> Vec<(u32, Option<ComponentType>)> {
        let types = &self.module.types;
        let Some(mut ty) = resource.ty else {
            return Vec::new();
        };
        for _ in 0..MAX_DEPTH {
            let annotation = self.type_annotations.of_struct(ty);
            // A buffer around one structure (`ConstantBuffer<T>`, `hostlayout`) is looked into.
            let inner = match types.get(ty) {
                Type::Pointer { pointee, .. } => Some(*pointee),
                Type::Array { element, .. } => Some(*element),
                Type::Struct { fields, .. } => match (&**fields, annotation) {
                    ([only], None) => Some(*only),
                    ([only], Some(a)) if matches!(types.get(*only), Type::Struct { .. }) => {
                        a.fields.first().map(|_| *only)
                    }
                    _ => None,
                },
                _ => None,
            };
            match (inner, annotation) {
                (Some(inner), _) => ty = inner,
                (None, Some(annotation)) => {
                    return annotation
                        .fields
                        .iter()
                        .filter_map(|field| Some((field.offset?, field.component)))
                        .collect();
                }
                (None, None) => break,
            }
        }
        Vec::new()
    }
}

/// Returns whether the first template argument of a resource class is a signed integer type, as in
/// `class.RWBuffer<int>`. IR types do not tell.
pub fn names_signed_element(class: &str) -> bool {
    let argument = class.split_once('<').map_or("", |(_, rest)| rest);
    let inner = argument
        .strip_prefix("vector<")
        .or_else(|| argument.strip_prefix("matrix<"));
    let name = inner.unwrap_or(argument).split(['>', ',']).next();
    // Names as DXC prints them: `int64_t` is `long long`.
    matches!(
        name,
        Some("int" | "int16_t" | "int64_t" | "long long" | "min16int" | "min12int")
    )
}

struct ElementSearch<'a> {
    shader: &'a Shader,
    element: Element,
    signed: bool,
    /// Component type of a typed resource, which says more than its IR type.
    fixed: Option<ComponentType>,
}

impl ElementSearch<'_> {
    fn add(&mut self, ty: TypeId, path: &str, named: Option<ComponentType>, depth: u32) {
        if depth > MAX_DEPTH || self.element.scalars.len() >= MAX_SCALARS {
            return;
        }
        let types = &self.shader.module.types;
        match types.get(ty) {
            Type::Vector { element, count } => {
                for i in 0..*count {
                    let letter = "xyzw".get(i as usize..i as usize + 1);
                    let part = match letter {
                        Some(letter) if path.is_empty() => letter.to_owned(),
                        Some(letter) => format!("{path}.{letter}"),
                        None => format!("{path}[{i}]"),
                    };
                    self.add(*element, &part, named, depth + 1);
                }
            }
            Type::Array { element, count } => {
                for i in 0..*count {
                    // The count is the file's: without this check the loop would go on to the end
                    // of a huge array.
                    if self.element.scalars.len() >= MAX_SCALARS {
                        break;
                    }
                    self.add(*element, &format!("{path}[{i}]"), named, depth + 1);
                }
            }
            Type::Struct { fields, .. } => {
                let annotation = self.shader.type_annotations.of_struct(ty);
                for (i, field) in fields.iter().enumerate() {
                    let annotated = annotation.and_then(|a| a.fields.get(i));
                    let name = match annotated {
                        Some(field) if !field.name.is_empty() => field.name.to_string(),
                        _ => format!("f{i}"),
                    };
                    let part = if path.is_empty() {
                        name
                    } else {
                        format!("{path}.{name}")
                    };
                    let component = annotated.and_then(|field| field.component);
                    self.add(*field, &part, component, depth + 1);
                }
            }
            _ => self.scalar(ty, path, named),
        }
    }

    fn scalar(&mut self, ty: TypeId, path: &str, named: Option<ComponentType>) {
        use ComponentType as C;
        let types = &self.shader.module.types;
        let own = match (types.get(ty), self.signed) {
            (Type::Half, _) => C::F16,
            (Type::Float, _) => C::F32,
            (Type::Double, _) => C::F64,
            (Type::Int(16), false) => C::U16,
            (Type::Int(16), true) => C::I16,
            (Type::Int(64), false) => C::U64,
            (Type::Int(64), true) => C::I64,
            (Type::Int(_), true) => C::I32,
            (Type::Int(_), false) => C::U32,
            _ => return,
        };
        // Structured buffers align each scalar to its own size, without the rows of constant
        // buffers.
        let bytes = types.scalar_bits(ty).unwrap_or(32).max(16) / 8;
        let offset = self.element.size.next_multiple_of(bytes);
        self.element.size = offset + bytes;
        self.element.scalars.push(ElementScalar {
            path: path.to_owned(),
            offset,
            // From the surest source to the weakest: LLVM integers have no sign.
            component: self.fixed.or(named).unwrap_or(own),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_come_from_the_class_name() {
        assert!(names_signed_element("class.RWStructuredBuffer<int>"));
        assert!(names_signed_element(
            "class.RWStructuredBuffer<vector<int, 4> >"
        ));
        for name in [
            "class.RWStructuredBuffer<int16_t>",
            "class.RWStructuredBuffer<vector<long long, 2> >",
            "hostlayout.class.RWStructuredBuffer<min16int>",
            "hostlayout.class.RWStructuredBuffer<vector<min12int, 2> >",
            "hostlayout.class.RWStructuredBuffer<matrix<min16int, 3, 2> >",
        ] {
            assert!(names_signed_element(name), "{name}");
        }
        assert!(!names_signed_element(
            "class.RWStructuredBuffer<unsigned int>"
        ));
        assert!(!names_signed_element(
            "class.RWStructuredBuffer<unsigned long long>"
        ));
        assert!(!names_signed_element(
            "hostlayout.class.RWStructuredBuffer<min16uint>"
        ));
        assert!(!names_signed_element("class.StructuredBuffer<float>"));
    }
}
