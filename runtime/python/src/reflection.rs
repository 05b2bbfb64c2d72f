//! Entry points, resources and layouts as JSON.

use dxil_frontend::dxil::{ComponentType, Resource, ResourceClass, ResourceKind, Shader};
use dxil_frontend::reflection::{Layout, LayoutField, LayoutType, Reflection};
use serde_json::{Value, json};

/// Returns the reflection of a shader. The Python part documents the keys (`_types.py`).
pub(crate) fn json(shader: &Shader, reflection: &Reflection) -> Value {
    let model = &shader.shader_model;
    let points = shader.entry_points.iter().filter(|p| p.has_code());
    let points = points.map(|point| {
        json!({
            "name": point.plain_name(),
            "stage": point.kind.prefix(),
            "threads": point.num_threads,
        })
    });
    let resources = shader.resources.iter().zip(&reflection.resources);
    let resources = resources.map(|(declared, found)| {
        let register = format!("{}{}", declared.class.letter(), declared.lower_bound);
        let register = match declared.space {
            0 => register,
            space => format!("{register},space{space}"),
        };
        let is_whole = !found.layout_is_of_elements();
        json!({
            "name": found.name,
            "class": class(declared.class),
            "kind": kind(declared.kind),
            "register": register,
            "index": declared.lower_bound,
            "space": declared.space,
            "count": declared.count,
            "component": declared.detail.component.map(component),
            "stride": stride(declared),
            "size": (declared.class == ResourceClass::Cbv).then_some(declared.detail.cbuffer_size),
            "layout": found.layout.as_ref().map(|found| layout(found, is_whole)),
        })
    });
    json!({
        "shader_model": format!("{}_{}_{}", model.kind.prefix(), model.major, model.minor),
        "entry_points": points.collect::<Vec<_>>(),
        "resources": resources.collect::<Vec<_>>(),
    })
}

fn stride(resource: &Resource) -> Option<u32> {
    resource
        .detail
        .stride
        .filter(|_| resource.kind == ResourceKind::StructuredBuffer)
}

fn class(class: ResourceClass) -> &'static str {
    match class {
        ResourceClass::Srv => "srv",
        ResourceClass::Uav => "uav",
        ResourceClass::Cbv => "cbv",
        ResourceClass::Sampler => "sampler",
    }
}

fn kind(kind: ResourceKind) -> &'static str {
    use ResourceKind as K;
    match kind {
        K::Invalid => "unknown",
        K::Texture1D => "Texture1D",
        K::Texture2D => "Texture2D",
        K::Texture2DMS => "Texture2DMS",
        K::Texture3D => "Texture3D",
        K::TextureCube => "TextureCube",
        K::Texture1DArray => "Texture1DArray",
        K::Texture2DArray => "Texture2DArray",
        K::Texture2DMSArray => "Texture2DMSArray",
        K::TextureCubeArray => "TextureCubeArray",
        K::TypedBuffer => "Buffer",
        K::RawBuffer => "ByteAddressBuffer",
        K::StructuredBuffer => "StructuredBuffer",
        K::CBuffer => "ConstantBuffer",
        K::Sampler => "SamplerState",
        K::TBuffer => "TextureBuffer",
        K::RtAccelerationStructure => "RaytracingAccelerationStructure",
        K::FeedbackTexture2D => "FeedbackTexture2D",
        K::FeedbackTexture2DArray => "FeedbackTexture2DArray",
    }
}

/// Returns NumPy's name of a component as it is in memory.
fn component(component: ComponentType) -> &'static str {
    use ComponentType as C;
    match component {
        C::I16 => "<i2",
        C::U16 => "<u2",
        C::I32 => "<i4",
        C::I64 => "<i8",
        C::U64 => "<u8",
        C::F16 | C::SNormF16 | C::UNormF16 => "<f2",
        C::F32 | C::SNormF32 | C::UNormF32 => "<f4",
        C::F64 | C::SNormF64 | C::UNormF64 => "<f8",
        C::Invalid | C::I1 | C::U32 | C::PackedS8x32 | C::PackedU8x32 => "<u4",
    }
}

fn layout(layout: &Layout, is_whole: bool) -> Value {
    json!({
        "bytes": layout.size,
        "of": if is_whole { "buffer" } else { "element" },
        "fields": layout.fields.iter().map(field).collect::<Vec<_>>(),
    })
}

fn field(found: &LayoutField) -> Value {
    let mut value = json!({
        "name": found.name,
        "type": found.type_name(),
        "offset": found.offset,
        "bytes": found.size,
        "array": found.array,
        "stride": found.stride,
    });
    match &found.ty {
        LayoutType::Struct { fields, .. } => {
            value["fields"] = fields.iter().map(field).collect();
        }
        LayoutType::Numeric {
            component: ty,
            rows,
            columns,
            row_major,
            vector_stride,
        } => {
            value["component"] = component(*ty).into();
            value["rows"] = (*rows).into();
            value["columns"] = (*columns).into();
            value["row_major"] = (*row_major).into();
            value["vector_stride"] = (*vector_stride).into();
        }
    }
    value
}
