//! Texels of images and typed buffers: conversion between the shader's type and the image's.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::ir::ValueId;

use crate::lower::context::{Context, FunctionState};
use crate::lower::images::image_types::{TexelClass, dimensions, texel_scalar};
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::type_map::Scalar;
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::spirv::{Builder, Dim, GLOp, Id, Op};
use crate::{Error, Result};

/// Returns an integer of 16 or 32 bits in its representation as a full word.
pub(in crate::lower) fn extend_to_word(
    b: &mut Builder,
    id: Id,
    bits: u32,
    width: u32,
    signed: bool,
) -> Id {
    let word = b.u32();
    if width == 16 {
        let instruction = if signed { Op::SConvert } else { Op::UConvert };
        return b.emit(instruction, word, &[id]);
    }
    if bits >= 32 {
        return id;
    }
    // The upper bits of a widened integer are undefined.
    if !signed {
        return b.u32_and(id, (1 << bits) - 1);
    }
    let up = b.u32_shl(id, 32 - bits);
    let down = b.const_u32(32 - bits);
    b.emit(Op::ShiftRightArithmetic, word, &[up, down])
}

/// Returns the vector type of a texel as image instructions give and take it.
pub(super) fn texel_vector_ty<'a>(b: &mut Builder, handle: &ResourceHandle<'a>) -> Id {
    let scalar = texel_scalar_ty(b, handle);
    b.vector(scalar, 4)
}

/// Returns the scalar type of a texel's components.
pub(super) fn texel_scalar_ty<'a>(b: &mut Builder, handle: &ResourceHandle<'a>) -> Id {
    use crate::lower::images::image_types::TexelClass;
    let texels = texel_scalar(handle.view);
    match texels.class {
        TexelClass::Float => b.f32(),
        TexelClass::Uint => b.uint(texels.bits),
        TexelClass::Sint => b.int(texels.bits),
    }
}

/// Returns the number of coordinates of an image: of its space, and with the layer.
pub(super) fn coordinate_counts<'a>(handle: &ResourceHandle<'a>) -> Result<(u32, u32)> {
    let (dim, arrayed, _) = dimensions(handle.view.kind).ok_or_else(|| {
        Error::malformed(format!("{} is used as a texture", handle.view.describe()))
    })?;
    let space = match dim {
        Dim::Dim1D | Dim::DimBuffer => 1,
        Dim::Dim2D => 2,
        _ => 3,
    };
    Ok((space, space + u32::from(arrayed)))
}

/// Returns whether the status member of a texel struct is used.
pub(super) fn wants_residency(function: &FunctionState<'_>, call: &Call) -> bool {
    call.result
        .is_some_and(|result| function.used_members(result) >> 4 & 1 != 0)
}

/// Returns a texel vector and a status as the struct that DXIL's loads give.
pub(super) fn texel_result<'a>(
    cx: &mut Context<'a>,
    call: &Call,
    handle: &ResourceHandle<'a>,
    texel: Id,
    status: Id,
) -> Result<LoweredValue> {
    let fields = types::fields(&cx.input, call.ty)?;
    let Some(&first) = fields.first() else {
        return Err(Error::malformed("a texture operation gives nothing"));
    };
    // Four components and the status; other structs come from damaged files.
    let is_texel = match fields.get(4) {
        Some(&status) => types::scalar(cx, status)? == Scalar::U32,
        None => false,
    };
    if !is_texel {
        return Err(Error::malformed("a texture operation gives no texel"));
    }
    let scalar = types::scalar(cx, first)?;
    let composite = from_texel(&mut cx.b, handle, texel, scalar, 4)?;
    let member = |index| StructMember::Member { composite, index };
    let parts = [
        member(0),
        member(1),
        member(2),
        member(3),
        StructMember::Id(status),
    ];
    Ok(cx
        .function
        .values
        .parts(parts.iter().copied().take(fields.len())))
}

/// Returns the texel components in the representation of the shader's type.
fn from_texel<'a>(
    b: &mut Builder,
    handle: &ResourceHandle<'a>,
    texel: Id,
    scalar: Scalar,
    count: u32,
) -> Result<Id> {
    let texels = texel_scalar(handle.view);
    let word = b.u32();
    let f32_ty = b.f32();
    if handle.view.is_pair_of_halves() {
        return halves_of_texel(b, texel, scalar, count);
    }
    Ok(match (texels.class, scalar) {
        (TexelClass::Float, Scalar::Float { width: 32, .. }) => texel,
        (TexelClass::Float, Scalar::Float { width: 16, .. }) => {
            let half = b.float(16);
            let ty = b.vector_or_scalar(half, count);
            b.emit(Op::FConvert, ty, &[texel])
        }
        // The IR has no signs, so an image of signed integers is cast.
        (TexelClass::Uint, Scalar::Int { width, .. }) if width == texels.bits => texel,
        (TexelClass::Sint, Scalar::Int { width, .. }) if width == texels.bits => {
            let scalar_ty = b.uint(width);
            let ty = b.vector_or_scalar(scalar_ty, count);
            b.bitcast(ty, texel)
        }
        (TexelClass::Uint | TexelClass::Sint, Scalar::Int { width: 16, .. })
            if texels.bits == 32 =>
        {
            let short = b.uint(16);
            let ty = b.vector_or_scalar(short, count);
            b.emit(Op::UConvert, ty, &[texel])
        }
        (TexelClass::Uint | TexelClass::Sint, Scalar::Int { width: 32, .. })
            if texels.bits == 64 =>
        {
            wide_texel_as_pair(b, handle, texel)
        }
        // An integer view of a float resource (for its atomics), or the reverse.
        (TexelClass::Uint | TexelClass::Sint, Scalar::Float { width: 32, .. })
            if texels.bits == 32 =>
        {
            let ty = b.vector_or_scalar(f32_ty, count);
            b.bitcast(ty, texel)
        }
        (TexelClass::Float, Scalar::Int { width: 32, .. }) => {
            let ty = b.vector_or_scalar(word, count);
            b.bitcast(ty, texel)
        }
        _ => {
            return Err(Error::unsupported(format!(
                "{} read as {scalar:?}",
                handle.view.describe()
            )));
        }
    })
}

/// Returns a texel of one word as the two halves that the shader declares.
fn halves_of_texel(b: &mut Builder, texel: Id, scalar: Scalar, count: u32) -> Result<Id> {
    if count != 4 {
        return Err(Error::unsupported("a gather of halves with atomics"));
    }
    let (word, float) = (b.u32(), b.f32());
    let pair_ty = b.vector(float, 2);
    let four_ty = b.vector(float, 4);
    let bits = b.extract(word, texel, 0);
    let pair = b.glsl(GLOp::UnpackHalf2x16, pair_ty, &[bits]);
    let [zero, one] = [0.0, 1.0].map(|number| b.const_float(32, number));
    // D3D fills components that the format lacks with 0 and 1.
    let four = b.construct(four_ty, &[pair, zero, one]);
    Ok(match scalar {
        Scalar::Float { width: 16, .. } => {
            let half = b.float(16);
            let ty = b.vector(half, 4);
            b.emit(Op::FConvert, ty, &[four])
        }
        _ => four,
    })
}

/// Returns two values as the texel of one word that has both as halves.
fn texel_of_halves(cx: &mut Context<'_>, values: [ValueId; 4], scalar: Scalar) -> Result<Id> {
    let [word, float] = [cx.b.u32(), cx.b.f32()];
    let zero = cx.b.const_null(float);
    let mut pair = [zero; 2];
    for (slot, value) in pair.iter_mut().zip(values) {
        // Components that the shader leaves out may hold anything.
        if !cx.function.is_undef(value) {
            let id = cx.id(value)?;
            *slot = match scalar {
                Scalar::Float { width: 16, .. } => cx.b.emit(Op::FConvert, float, &[id]),
                _ => id,
            };
        }
    }
    let pair_ty = cx.b.vector(float, 2);
    let pair = cx.b.construct(pair_ty, &pair);
    let bits = cx.b.glsl(GLOp::PackHalf2x16, word, &[pair]);
    let zero = cx.b.const_u32(0);
    let four_ty = cx.b.vector(word, 4);
    Ok(cx.b.construct(four_ty, &[bits, zero, zero, zero]))
}

/// Returns a 64-bit texel as the pair of 32-bit components that the shader declares.
fn wide_texel_as_pair<'a>(b: &mut Builder, handle: &ResourceHandle<'a>, texel: Id) -> Id {
    let wide = texel_scalar_ty(b, handle);
    let word = b.u32();
    let pair_ty = b.vector(word, 2);
    let four_ty = b.vector(word, 4);
    let bits = b.extract(wide, texel, 0);
    let pair = b.bitcast(pair_ty, bits);
    let zero = b.const_u32(0);
    let one = b.const_u32(1);
    // D3D fills components that the format lacks with 0, 0, 1.
    b.construct(four_ty, &[pair, zero, one])
}

/// Returns four values as the texel vector that an image store takes.
pub(super) fn texel_operand<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    values: [ValueId; 4],
) -> Result<Id> {
    let scalar = types::scalar(cx, cx.function.type_of(values[0])?)?;
    let texels = texel_scalar(handle.view);
    if handle.view.is_pair_of_halves() {
        return texel_of_halves(cx, values, scalar);
    }
    let target = texel_scalar_ty(&mut cx.b, handle);
    let f32_ty = cx.b.f32();
    if texels.bits == 64 && scalar.width() == 32 {
        let word = cx.b.u32();
        let pair_ty = cx.b.vector(word, 2);
        let [low, high, ..] = values;
        let parts = [low, high].map(|value| {
            // Components that the shader leaves out may hold anything.
            if cx.function.is_undef(value) {
                Ok(cx.b.const_u32(0))
            } else {
                cx.id(value)
            }
        });
        let [low, high] = parts;
        let (low, high) = (low?, high?);
        let pair = cx.b.construct(pair_ty, &[low, high]);
        let wide = cx.b.bitcast(target, pair);
        // The format has one component, but drivers that keep such an image as two words take the
        // second word from the next component.
        let unsigned = cx.b.uint(64);
        let second = cx.b.emit(Op::UConvert, unsigned, &[high]);
        let second = as_texel_int(&mut cx.b, second, texels.class, target);
        let zero = cx.b.const_null(target);
        let vector = cx.b.vector(target, 4);
        return Ok(cx.b.construct(vector, &[wide, second, zero, zero]));
    }
    let mut ids = [Id::NONE; 4];
    for (slot, value) in ids.iter_mut().zip(values) {
        if cx.function.is_undef(value) {
            *slot = cx.b.const_null(target);
            continue;
        }
        let id = cx.id(value)?;
        *slot = match (texels.class, scalar) {
            (TexelClass::Float, Scalar::Float { width: 16, .. }) => {
                cx.b.emit(Op::FConvert, f32_ty, &[id])
            }
            (TexelClass::Float, Scalar::Float { width: 32, .. }) => id,
            (TexelClass::Uint | TexelClass::Sint, Scalar::Int { bits, width })
                if texels.bits == 32 =>
            {
                let signed = texels.class == TexelClass::Sint;
                // A texel's component has 32 bits, so the upper ones of narrow integers have to be
                // right.
                let word = extend_to_word(&mut cx.b, id, bits, width, signed);
                as_texel_int(&mut cx.b, word, texels.class, target)
            }
            (TexelClass::Uint | TexelClass::Sint, Scalar::Int { width: 64, .. }) => {
                as_texel_int(&mut cx.b, id, texels.class, target)
            }
            (_, Scalar::Float { width: 32, .. } | Scalar::Int { width: 32, .. })
                if texels.bits == 32 =>
            {
                cx.b.bitcast(target, id)
            }
            _ => {
                return Err(Error::unsupported(format!(
                    "{scalar:?} written to {}",
                    handle.view.describe()
                )));
            }
        };
    }
    let vector = cx.b.vector(target, 4);
    Ok(cx.b.construct(vector, &ids))
}

fn as_texel_int(b: &mut Builder, id: Id, class: TexelClass, ty: Id) -> Id {
    if class == TexelClass::Sint {
        b.bitcast(ty, id)
    } else {
        id
    }
}

/// Returns whether a texture is a cube or an array of them.
pub(super) fn is_cube(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::TextureCube | ResourceKind::TextureCubeArray
    )
}

/// Returns whether a texture has several samples.
pub(super) fn is_multisampled(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
    )
}
