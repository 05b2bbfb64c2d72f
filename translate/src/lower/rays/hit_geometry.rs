//! What a ray hit, for NVAPI: the vertices of the triangle (SPV_KHR_ray_tracing_position_fetch),
//! and spheres and linear swept spheres (SPV_NV_linear_swept_spheres).

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::ir::{TypeId, ValueId};

use super::hit_object_extensions::is_of_nv;
use super::hit_objects;
use super::query;
use crate::lower::context::Context;
use crate::lower::rays::state::Intersection;
use crate::lower::signatures::inputs;
use crate::lower::types;
use crate::lower::values::LoweredValue;
use crate::options::Features;
use crate::pseudo::HitGeometry;
use crate::spirv::{BuiltIn, Capability, Id, Op};
use crate::{Error, ErrorKind, Result};

/// A part of a property: what SPIR-V has of it.
#[derive(Debug, Clone, Copy)]
struct Part {
    built_in: Option<BuiltIn>,
    of_query: Op,
    of_object: Option<Op>,
    form: Form,
}

/// The type of a part.
#[derive(Debug, Clone, Copy)]
enum Form {
    Bool,
    Float,
    Floats(u32),
    Vector,
    Vectors(u32),
}

const fn part(built_in: BuiltIn, of_query: Op, of_object: Op, form: Form) -> Part {
    Part {
        built_in: Some(built_in),
        of_query,
        of_object: Some(of_object),
        form,
    }
}

/// Returns the parts of a property, in the order of NVAPI's words: each position with its radius.
fn parts(property: HitGeometry) -> Vec<Part> {
    match property {
        HitGeometry::TrianglePositions => vec![part(
            BuiltIn::HitTriangleVertexPositionsKHR,
            Op::RayQueryGetIntersectionTriangleVertexPositionsKHR,
            Op::HitObjectGetIntersectionTriangleVertexPositionsEXT,
            Form::Vectors(3),
        )],
        HitGeometry::Sphere => vec![
            part(
                BuiltIn::HitSpherePositionNV,
                Op::RayQueryGetIntersectionSpherePositionNV,
                Op::HitObjectGetSpherePositionNV,
                Form::Vector,
            ),
            part(
                BuiltIn::HitSphereRadiusNV,
                Op::RayQueryGetIntersectionSphereRadiusNV,
                Op::HitObjectGetSphereRadiusNV,
                Form::Float,
            ),
        ],
        HitGeometry::SweptSphere => vec![
            part(
                BuiltIn::HitLSSPositionsNV,
                Op::RayQueryGetIntersectionLSSPositionsNV,
                Op::HitObjectGetLSSPositionsNV,
                Form::Vectors(2),
            ),
            part(
                BuiltIn::HitLSSRadiiNV,
                Op::RayQueryGetIntersectionLSSRadiiNV,
                Op::HitObjectGetLSSRadiiNV,
                Form::Floats(2),
            ),
        ],
        HitGeometry::IsSphere => vec![part(
            BuiltIn::HitIsSphereNV,
            Op::RayQueryIsSphereHitNV,
            Op::HitObjectIsSphereHitNV,
            Form::Bool,
        )],
        HitGeometry::IsSweptSphere => vec![part(
            BuiltIn::HitIsLSSNV,
            Op::RayQueryIsLSSHitNV,
            Op::HitObjectIsLSSHitNV,
            Form::Bool,
        )],
        HitGeometry::Parameter => vec![Part {
            built_in: None,
            of_query: Op::RayQueryGetIntersectionLSSHitValueNV,
            of_object: None,
            form: Form::Float,
        }],
        HitGeometry::Distance => vec![Part {
            built_in: None,
            of_query: Op::RayQueryGetIntersectionTKHR,
            of_object: None,
            form: Form::Float,
        }],
    }
}

/// Where a property is read.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) enum Source {
    /// The hit that a shader is called for.
    Shader,
    /// A query's candidate or committed hit.
    Query(ValueId, Intersection),
    /// The hit of a hit object.
    Object(ValueId),
}

/// Returns the vertices of a triangle as a composite of nine floats; zeros where there is none.
pub(in crate::lower) fn vertices(
    cx: &mut Context<'_>,
    ty: TypeId,
    source: Source,
) -> Result<LoweredValue> {
    if let Source::Shader = source {
        in_hit_shader(cx)?;
    }
    let values = read(cx, HitGeometry::TrianglePositions, source)?;
    let values: Vec<Id> = values.into_iter().flatten().collect();
    let ty = types::lower(cx, ty)?;
    Ok(LoweredValue::Id(cx.b.construct(ty, &values)))
}

fn in_hit_shader(cx: &Context<'_>) -> Result<()> {
    use ShaderKind::{AnyHit, ClosestHit};
    match cx.input.entry.kind {
        AnyHit | ClosestHit => Ok(()),
        _ => Err(inputs::stage_unsupported(
            &cx.input,
            "the geometry that was hit",
        )),
    }
}

/// Returns the words of a property of what the ray of a hit shader met.
pub(in crate::lower) fn of_hit(
    cx: &mut Context<'_>,
    property: HitGeometry,
) -> Result<LoweredValue> {
    in_hit_shader(cx)?;
    words(cx, property, Source::Shader)
}

/// Returns the words of a property of a query's candidate or committed hit.
pub(in crate::lower) fn of_query(
    cx: &mut Context<'_>,
    query: ValueId,
    of: Intersection,
    property: HitGeometry,
) -> Result<LoweredValue> {
    words(cx, property, Source::Query(query, of))
}

/// Returns the words of a property of a hit object's hit; zeros where there is none.
pub(in crate::lower) fn of_object(
    cx: &mut Context<'_>,
    hit: ValueId,
    property: HitGeometry,
) -> Result<LoweredValue> {
    words(cx, property, Source::Object(hit))
}

/// Returns the scalars of each part of a property.
fn read(cx: &mut Context<'_>, property: HitGeometry, source: Source) -> Result<Vec<Vec<Id>>> {
    declare(cx, property, source)?;
    let mut read: Vec<Vec<Id>> = Vec::new();
    for part in parts(property) {
        let ty = type_of(cx, part.form);
        let value = match (source, part.built_in) {
            (Source::Shader, Some(built_in)) => {
                let variable = inputs::built_in_input(cx, built_in, ty);
                cx.b.load(ty, variable)
            }
            (Source::Query(query, of), _) => {
                query::query_state(cx, ty, query, part.of_query, Some(of))?
            }
            (Source::Object(hit), _) => {
                let op = part.of_object;
                let op = op.ok_or_else(|| Error::internal("a property of queries alone"))?;
                hit_objects::geometry(cx, hit, op, ty)?
            }
            (Source::Shader, None) => return Err(Error::internal("a property of queries alone")),
        };
        read.push(scalars(cx, part.form, value));
    }
    Ok(read)
}

fn words(cx: &mut Context<'_>, property: HitGeometry, source: Source) -> Result<LoweredValue> {
    let read = read(cx, property, source)?;
    // Radii stand after their positions.
    let mut words = Vec::with_capacity(property.words() as usize);
    match <[Vec<Id>; 2]>::try_from(read) {
        Ok([positions, radii]) => {
            for (position, radius) in positions.chunks(3).zip(radii) {
                words.extend_from_slice(position);
                words.push(radius);
            }
        }
        Err(read) => words.extend(read.into_iter().flatten()),
    }
    let word = cx.b.u32();
    let bits: Vec<Id> = words
        .into_iter()
        .map(|id| match property {
            HitGeometry::IsSphere | HitGeometry::IsSweptSphere => {
                let [zero, one] = [0, 1].map(|value| cx.b.const_u32(value));
                cx.b.select(word, id, one, zero)
            }
            _ => cx.b.bitcast(word, id),
        })
        .collect();
    if let [only] = bits[..] {
        return Ok(LoweredValue::Id(only));
    }
    let fields = vec![word; bits.len()];
    let ty = cx.b.struct_type(&fields);
    Ok(LoweredValue::Id(cx.b.construct(ty, &bits)))
}

fn type_of(cx: &mut Context<'_>, form: Form) -> Id {
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    match form {
        Form::Bool => cx.b.bool(),
        Form::Float => float,
        Form::Floats(count) => cx.b.array(float, count),
        Form::Vector => vector,
        Form::Vectors(count) => cx.b.array(vector, count),
    }
}

/// Returns the scalars of a part.
fn scalars(cx: &mut Context<'_>, form: Form, value: Id) -> Vec<Id> {
    let float = cx.b.f32();
    let mut element = |path: &[u32]| {
        let words: Vec<u32> = std::iter::once(value.0)
            .chain(path.iter().copied())
            .collect();
        cx.b.emit(Op::CompositeExtract, float, &words)
    };
    match form {
        Form::Bool | Form::Float => vec![value],
        Form::Floats(count) => (0..count).map(|at| element(&[at])).collect(),
        Form::Vector => (0..3).map(|at| element(&[at])).collect(),
        Form::Vectors(count) => (0..count * 3)
            .map(|at| element(&[at / 3, at % 3]))
            .collect(),
    }
}

fn declare(cx: &mut Context<'_>, property: HitGeometry, source: Source) -> Result<()> {
    let what = || "the geometry that a ray hit".to_owned();
    if property != HitGeometry::TrianglePositions {
        cx.input
            .need_feature(Features::LINEAR_SWEPT_SPHERES, "spheres", what)?;
        cx.b.capability(match property {
            HitGeometry::Sphere | HitGeometry::IsSphere => Capability::RayTracingSpheresGeometryNV,
            _ => Capability::RayTracingLinearSweptSpheresGeometryNV,
        });
        cx.b.extension("SPV_NV_linear_swept_spheres");
        return Ok(());
    }
    cx.input.need_feature(
        Features::RAY_TRACING_POSITION_FETCH,
        "rayTracingPositionFetch",
        what,
    )?;
    cx.b.capability(match source {
        Source::Query(..) => Capability::RayQueryPositionFetchKHR,
        _ => Capability::RayTracingPositionFetchKHR,
    });
    cx.b.extension("SPV_KHR_ray_tracing_position_fetch");
    if matches!(source, Source::Object(_)) && is_of_nv(&cx.input) {
        return Err(Error::new(ErrorKind::TargetLacks {
            feature: "rayTracingInvocationReorder of VK_EXT_ray_tracing_invocation_reorder",
            user: "the positions of a hit object's triangle".to_owned(),
        }));
    }
    Ok(())
}
