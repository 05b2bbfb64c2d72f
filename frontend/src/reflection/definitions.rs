//! Layouts from the resource definitions (RDEF) of DXBC.

use crate::container::ResourceDefinitions;
use crate::container::rdef::{BufferDefinition, VariableDefinition};
use crate::dxil::{ComponentType, Resource, ResourceClass, ResourceKind};

use super::layout::{Layout, LayoutField, LayoutType, component_bytes};

/// Bytes of a register of a constant buffer.
const REGISTER: u32 = 16;

/// Returns the name and the layout of a resource, as far as the definitions have it.
pub(super) fn find(
    definitions: &ResourceDefinitions<'_>,
    resource: &Resource,
) -> Option<(String, Option<Layout>)> {
    let is_it = |letter: char, register: u32, count: u32, space: u32| {
        let last = match count {
            0 => u32::MAX,
            count => register.saturating_add(count - 1),
        };
        letter == resource.class.letter()
            && space == resource.space
            && (register..=last).contains(&resource.lower_bound)
    };
    let binding = definitions
        .bindings
        .iter()
        .find(|b| is_it(b.letter(), b.register, b.count, b.space))?;
    let is_constant = resource.class == ResourceClass::Cbv;
    let structured = resource.kind == ResourceKind::StructuredBuffer;
    let buffer = definitions.buffers.iter().find(|buffer| {
        buffer.name == binding.name
            && matches!((buffer.kind, is_constant), (0, true) | (1 | 3, false))
    });
    let layout = buffer.filter(|_| is_constant || structured);
    Some((
        binding.name.to_owned(),
        layout.and_then(|b| layout_of(b, structured)),
    ))
}

/// Returns the layout of a constant or structured buffer that the definitions have.
pub(crate) fn declared_layout(
    definitions: &ResourceDefinitions<'_>,
    resource: &Resource,
) -> Option<Layout> {
    find(definitions, resource)?.1
}

fn layout_of(buffer: &BufferDefinition<'_>, is_tight: bool) -> Option<Layout> {
    let fields = match buffer.variables.as_slice() {
        // The element of a structured buffer is one variable of that name.
        [only] if only.name == "$Element" && !only.members.is_empty() => &only.members,
        all => all,
    };
    let fields = fields.iter().map(|variable| field(variable, is_tight));
    let mut fields = fields.collect::<Option<Vec<LayoutField>>>()?;
    for field in fields.iter_mut().filter(|field| field.name == "$Element") {
        field.name.clear();
    }
    Some(Layout {
        size: buffer.bytes,
        fields,
    })
}

fn field(variable: &VariableDefinition<'_>, is_tight: bool) -> Option<LayoutField> {
    let ty = if variable.members.is_empty() {
        numeric(&variable.ty, is_tight)?
    } else {
        let members = variable
            .members
            .iter()
            .map(|member| field(member, is_tight));
        LayoutType::Struct {
            name: String::new(),
            fields: members.collect::<Option<Vec<_>>>()?,
        }
    };
    let size = ty.size();
    let elements = u32::from(variable.elements);
    let (array, stride) = match (elements, is_tight) {
        (0, _) => (Vec::new(), 0),
        (_, false) => (vec![elements], size.checked_next_multiple_of(REGISTER)?),
        (_, true) => (vec![elements], size),
    };
    let gaps = stride.checked_mul(elements.saturating_sub(1))?;
    Some(LayoutField {
        name: variable.name.to_owned(),
        offset: variable.offset,
        size: gaps.checked_add(size)?,
        array,
        stride,
        ty,
        is_used: (variable.bytes > 0).then_some(variable.is_used),
    })
}

/// Returns the type that [`VariableDefinition::ty`] names, like `row_major float3x4`.
fn numeric(name: &str, is_tight: bool) -> Option<LayoutType> {
    use ComponentType as C;
    let (name, row_major) = match name.strip_prefix("row_major ") {
        Some(name) => (name, true),
        None => (name, false),
    };
    // Min-precision types take 32 bits.
    let (scalar, shape) = [
        ("float", C::F32),
        ("uint", C::U32),
        ("int", C::I32),
        ("bool", C::I1),
        ("double", C::F64),
        ("min16float", C::F32),
        ("min10float", C::F32),
        ("min16uint", C::U32),
        ("min16int", C::I32),
        ("min12int", C::I32),
    ]
    .into_iter()
    .find_map(|(word, component)| Some((component, name.strip_prefix(word)?)))?;
    let (rows, columns): (u32, u32) = match shape.split_once('x') {
        Some((rows, columns)) => (rows.parse().ok()?, columns.parse().ok()?),
        None if shape.is_empty() => (1, 1),
        None => (1, shape.parse().ok()?),
    };
    let length = if row_major || rows == 1 {
        columns
    } else {
        rows
    };
    let tight = length.checked_mul(component_bytes(scalar))?;
    Some(LayoutType::Numeric {
        component: scalar,
        rows,
        columns,
        row_major: row_major || rows == 1,
        vector_stride: match (rows, is_tight) {
            (1, _) => 0,
            (_, true) => tight,
            (_, false) => tight.checked_next_multiple_of(REGISTER)?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_names_give_shapes() {
        let size = |name: &str| numeric(name, false).map(|ty| ty.size());
        assert_eq!(size("float"), Some(4));
        assert_eq!(size("uint3"), Some(12));
        assert_eq!(size("float4x4"), Some(64));
        // Three columns of two, each in a register; two rows of three.
        assert_eq!(size("float2x3"), Some(40));
        assert_eq!(size("row_major float2x3"), Some(28));
        assert_eq!(size("double2"), Some(16));
        assert_eq!(size("object"), None);
    }
}
