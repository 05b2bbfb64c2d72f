//! SPIR-V types of IR types, and how a scalar is represented.
//!
//! Integers of a width that the target (or SPIR-V) does not have live in the next wider one with
//! *undefined upper bits*: sums, products and bitwise operations ignore them, and operations that
//! depend on the upper bits (comparisons, divisions, right shifts, extensions, conversions) extend
//! first. Min-precision `half` lives in a relaxed-precision 32-bit float.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::{ShaderFlags, matrix_name};
use dxil_frontend::ir::{FuncId, Type, TypeId, TypeList, TypeTable};
use smallvec::{SmallVec, smallvec};

use crate::lower::context::{Context, Input};
use crate::lower::type_map::{NumericShape, PackedShape, Scalar, TypeMap};
use crate::lower::waves::linalg::types as matrix_types;
use crate::options::Features;
use crate::spirv::{Builder, Decoration, Id, half_value};
use crate::vectors::max_vector_size;
use crate::{Error, ErrorKind, HalfPacking, Numerics, Options, Result};

impl TypeMap {
    /// Decides how 16-bit types are represented.
    pub(super) fn new(
        flags: ShaderFlags,
        options: &Options,
        numerics: Numerics,
        types: &TypeTable,
    ) -> Self {
        // Min-precision types may have more than 16 bits, native 16-bit types may not.
        let strict = flags.contains(ShaderFlags::USE_NATIVE_LOW_PRECISION);
        let features = options.target.features;
        let wanted = strict || options.native_min_precision;
        let native_half = wanted && features.contains(Features::FLOAT16);
        // The mode is about all arithmetic in halves, and some devices have one mode for halves and
        // doubles (VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY).
        let is_other_user = |ty: &Type| match ty {
            Type::Half => native_half,
            Type::Double => true,
            _ => false,
        };
        TypeMap {
            ids: vec![Id::NONE; types.len()],
            native_half,
            packing_can_round_toward_zero: numerics.half_packing == HalfPacking::FollowsMode
                && features.contains(Features::ROUND_RTZ_F16)
                && !types.types.values().any(is_other_user),
            packing_rounds_toward_zero: false,
            native_short: wanted && features.contains(Features::INT16),
            strict_16bit: strict,
            rounded_half: strict
                && options.consumer().emulates_half
                && !features.contains(Features::FLOAT16),
        }
    }
}

/// Returns the SPIR-V type of an IR type.
#[inline]
pub(super) fn lower(cx: &mut Context<'_>, ty: TypeId) -> Result<Id> {
    if let Some(&id) = cx.module.types.ids.get(ty.index())
        // Types are looked up per operand; the table makes that an index.
        && !id.is_none()
    {
        return Ok(id);
    }
    lower_first(cx, ty)
}

/// Returns the SPIR-V type of an IR type that has none yet.
#[inline(never)]
fn lower_first(cx: &mut Context<'_>, ty: TypeId) -> Result<Id> {
    let id = make_type(cx, ty)?;
    if let Some(slot) = cx.module.types.ids.get_mut(ty.index()) {
        *slot = id;
    }
    Ok(id)
}

fn make_type(cx: &mut Context<'_>, ty: TypeId) -> Result<Id> {
    let types = cx.input.types();
    Ok(match types.get(ty) {
        Type::Void => cx.b.void(),
        Type::Half | Type::Float | Type::Double | Type::Int(_) | Type::Vector { .. } => {
            let shape = shape_of_type(cx, ty)?;
            shape_ty(cx, shape)?
        }
        Type::Array { element, count } => {
            let count = u32::try_from(*count)
                .map_err(|_| Error::unsupported(format!("an array of {count} elements")))?;
            let element = lower(cx, *element)?;
            // SPIR-V has no arrays without elements; the one element is never accessed.
            cx.b.array(element, count.max(1))
        }
        Type::Struct { .. } if is_object(&cx.input, ty) => cx.b.u32(),
        Type::Struct { .. } if matrix_name(types, ty).is_some() => matrix_types::type_of(cx, ty)?,
        Type::Struct { fields, .. } => {
            let mut members = Vec::with_capacity(fields.len());
            for &field in fields {
                members.push(lower(cx, field)?);
            }
            cx.b.struct_type(&members)
        }
        other => return Err(Error::unsupported(format!("values of type {other:?}"))),
    })
}

/// Returns the types of a struct's fields.
pub(super) fn fields<'a>(input: &Input<'a>, ty: TypeId) -> Result<&'a [TypeId]> {
    match input.types().get(ty) {
        Type::Struct { fields, .. } => Ok(fields),
        other => Err(Error::malformed(format!("{other:?} is not a struct"))),
    }
}

/// Returns the scalar of an IR type.
pub(super) fn scalar(cx: &Context<'_>, ty: TypeId) -> Result<Scalar> {
    Ok(match *cx.input.types().get(ty) {
        Type::Int(1) => Scalar::Bool,
        Type::Int(bits) => int_scalar(cx, u32::from(bits))?,
        Type::Half => half_scalar(cx),
        Type::Float => Scalar::F32,
        Type::Double => Scalar::Float {
            bits: 64,
            width: 64,
        },
        ref other => return Err(Error::unsupported(format!("arithmetic on {other:?}"))),
    })
}

/// Returns an integer scalar of that many bits.
fn int_scalar(cx: &Context<'_>, bits: u32) -> Result<Scalar> {
    let width = match bits {
        // 8-bit integers would need a capability, and other widths do not exist in SPIR-V: they
        // live in words.
        16 if cx.module.types.native_short => 16,
        0..=32 => 32,
        33..=64 => 64,
        _ => return Err(Error::unsupported(format!("integers of {bits} bits"))),
    };
    Ok(Scalar::Int { bits, width })
}

/// Returns the scalar that represents `half`.
fn half_scalar(cx: &Context<'_>) -> Scalar {
    Scalar::Float {
        bits: 16,
        width: if cx.module.types.native_half { 16 } else { 32 },
    }
}

/// Returns the shape of a scalar or vector type.
#[inline]
pub(super) fn shape_of_type(cx: &Context<'_>, ty: TypeId) -> Result<NumericShape> {
    // Of nearly all operands.
    match *cx.input.types().get(ty) {
        Type::Float => Ok(NumericShape::scalar(Scalar::F32)),
        Type::Int(32) => Ok(NumericShape::scalar(Scalar::U32)),
        _ => shape_of_other_type(cx, ty).map(PackedShape::unpack),
    }
}

#[inline(never)]
fn shape_of_other_type(cx: &Context<'_>, ty: TypeId) -> Result<PackedShape> {
    Ok(PackedShape::new(match *cx.input.types().get(ty) {
        Type::Vector { element, count: 1 } => NumericShape::scalar(scalar(cx, element)?),
        Type::Vector { element, count } if count <= max_vector_size(cx.input.options) => {
            NumericShape {
                scalar: scalar(cx, element)?,
                count,
            }
        }
        Type::Vector { count, .. } => {
            return Err(Error::unsupported(format!("vectors of {count} elements")));
        }
        _ => NumericShape::scalar(scalar(cx, ty)?),
    }))
}

/// Returns whether values of the type are handles. Handles are numbers here: the index of a
/// descriptor, the number of a node, the byte offset of its records (`graphs/nodes.rs`), or the
/// number of a hit object's variable.
pub(super) fn is_object(input: &Input<'_>, ty: TypeId) -> bool {
    let Type::Struct {
        name: Some(name), ..
    } = input.types().get(ty)
    else {
        return false;
    };
    matches!(
        &**name,
        "dx.types.Handle"
            | "dx.types.NodeHandle"
            | "dx.types.NodeRecordHandle"
            | "dx.types.HitObject"
    )
}

/// Returns the shape of a value.
pub(super) fn shape_of(
    cx: &Context<'_>,
    value: dxil_frontend::ir::ValueId,
) -> Result<NumericShape> {
    shape_of_type(cx, cx.function.type_of(value)?)
}

/// Returns the shape of a value that must be a vector.
pub(super) fn vector_shape(
    cx: &Context<'_>,
    value: dxil_frontend::ir::ValueId,
) -> Result<NumericShape> {
    let shape = shape_of(cx, value)?;
    match shape.count {
        1 => Err(Error::malformed("an operation on vectors without a vector")),
        _ => Ok(shape),
    }
}

/// Returns the SPIR-V type of a scalar.
pub(super) fn scalar_ty(cx: &mut Context<'_>, scalar: Scalar) -> Result<Id> {
    require_width(cx, scalar)?;
    Ok(match scalar {
        Scalar::Bool => cx.b.bool(),
        Scalar::Int { width, .. } => cx.b.uint(width),
        Scalar::Float { width, .. } => cx.b.float(width),
    })
}

/// Returns the SPIR-V type of a shape.
#[inline]
pub(super) fn shape_ty(cx: &mut Context<'_>, shape: NumericShape) -> Result<Id> {
    match shape {
        // Nearly all shapes.
        NumericShape {
            scalar: Scalar::F32,
            count: 1,
        } => Ok(cx.b.f32()),
        _ => other_shape_ty(cx, shape),
    }
}

#[inline(never)]
fn other_shape_ty(cx: &mut Context<'_>, shape: NumericShape) -> Result<Id> {
    let scalar = scalar_ty(cx, shape.scalar)?;
    Ok(cx.b.vector_or_scalar(scalar, shape.count))
}

/// Refuses a scalar that the target does not have.
#[inline]
fn require_width(cx: &Context<'_>, scalar: Scalar) -> Result<()> {
    match scalar {
        // Every target has these.
        Scalar::Bool | Scalar::U32 | Scalar::F32 => Ok(()),
        _ => require_other_width(cx, scalar),
    }
}

#[inline(never)]
fn require_other_width(cx: &Context<'_>, scalar: Scalar) -> Result<()> {
    let (feature, name, user) = match scalar {
        Scalar::Int { width: 64, .. } if cx.input.consumer().emulates_int64 => return Ok(()),
        Scalar::Int { width: 64, .. } => (Features::INT64, "shaderInt64", "64-bit integers"),
        Scalar::Float { width: 64, .. } => (Features::FLOAT64, "shaderFloat64", "double"),
        Scalar::Float {
            bits: 16,
            width: 32,
        } if cx.module.types.strict_16bit && !cx.module.types.rounded_half => {
            // Native 16-bit types promise exact halves, which a float only is if it is rounded.
            (Features::FLOAT16, "shaderFloat16", "half")
        }
        _ => return Ok(()),
    };
    if cx.input.options.target.features.contains(feature) {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::TargetLacks {
            feature: name,
            user: user.to_owned(),
        }))
    }
}

/// Returns the integer `value` in every element.
pub(super) fn const_int(cx: &mut Context<'_>, shape: NumericShape, value: u64) -> Result<Id> {
    require_width(cx, shape.scalar)?;
    let scalar = match shape.scalar {
        Scalar::Bool => cx.b.const_bool(value & 1 != 0),
        Scalar::Int { width, .. } => cx.b.const_uint(width, value),
        Scalar::Float { .. } => {
            return Err(Error::internal("an integer constant of a float type"));
        }
    };
    splat(cx, shape, scalar)
}

/// Returns the float `value` in every element; it must be exact in the shape's width.
pub(super) fn const_float(cx: &mut Context<'_>, shape: NumericShape, value: f64) -> Result<Id> {
    require_width(cx, shape.scalar)?;
    let scalar = cx.b.const_float(shape.scalar.width(), value);
    splat(cx, shape, scalar)
}

/// Returns a constant in every element.
pub(super) fn splat(cx: &mut Context<'_>, shape: NumericShape, scalar: Id) -> Result<Id> {
    if shape.count == 1 {
        return Ok(scalar);
    }
    let ty = shape_ty(cx, shape)?;
    Ok(cx.b.const_composite(ty, &copies(scalar, shape)))
}

/// Returns the elements of a vector that are all the same value.
pub(super) fn copies(scalar: Id, shape: NumericShape) -> SmallVec<[Id; 4]> {
    smallvec![scalar; shape.count as usize]
}

/// Marks a result as relaxed precision if its shape has min precision.
pub(super) fn mark_relaxed(b: &mut Builder, input: &Input<'_>, shape: NumericShape, id: Id) {
    if shape.scalar.is_relaxed() && !input.options.workarounds.full_min_precision {
        relax(b, id);
    }
}

fn relax(b: &mut Builder, id: Id) {
    b.decorate(id, Decoration::RelaxedPrecision, &[]);
}

/// Returns the result and parameter types.
pub(super) fn function_type(cx: &Context<'_>, func: FuncId) -> Result<(TypeId, TypeList)> {
    let ty = cx
        .function
        .view
        .module
        .functions
        .get(func)
        .map(|decl| decl.ty);
    match ty.map(|ty| cx.input.types().get(ty)) {
        Some(Type::Function { ret, params, .. }) => Ok((*ret, params.clone())),
        _ => Err(Error::malformed("a function without function type")),
    }
}

/// Returns a scalar that the target has from its bits in the IR.
pub(super) fn constant_of(cx: &mut Context<'_>, scalar: Scalar, bits: u64) -> Id {
    match scalar {
        Scalar::Bool => cx.b.const_bool(bits & 1 != 0),
        Scalar::Int { width, .. } => cx.b.const_uint(width, bits),
        Scalar::Float {
            bits: 16,
            width: 32,
        } => cx.b.const_f32(half_value(bits as u16)),
        Scalar::Float { width, .. } => cx.b.const_float_bits(width, bits),
    }
}
