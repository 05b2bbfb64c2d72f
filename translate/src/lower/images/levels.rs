//! Levels of detail that code computes, where the target has no query for them.

use dxil_frontend::dxil::ResourceKind;

use crate::Result;
use crate::lower::context::Context;
use crate::lower::images::texels;
use crate::lower::resources::pointers;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::waves::derivatives;
use crate::spirv::{Capability, GLOp, Id, Op};

/// Returns the level of detail of an isotropic filter at these coordinates. The stage has
/// derivatives.
pub(super) fn level_from_derivatives<'a>(
    cx: &mut Context<'a>,
    texture: &ResourceHandle<'a>,
    coords: Id,
    clamped: bool,
) -> Result<Id> {
    let (space, _) = texels::coordinate_counts(texture)?;
    let gradient = derivatives::gradient(cx, space, coords)?;
    level_of_gradient(cx, texture, coords, gradient, clamped)
}

/// Returns the level of detail of an isotropic filter (D3D11.3 functional specification, 7.18.11):
/// the logarithm of the longer derivative in texels.
pub(super) fn level_of_gradient<'a>(
    cx: &mut Context<'a>,
    texture: &ResourceHandle<'a>,
    coords: Id,
    gradient: [Id; 2],
    clamped: bool,
) -> Result<Id> {
    cx.losses.levels_estimated += 1;
    cx.b.capability(Capability::ImageQuery);
    let kind = texture.view.kind;
    let is_cube = texels::is_cube(kind);
    let (space, count) = texels::coordinate_counts(texture)?;
    let (word, f32_ty) = (cx.b.u32(), cx.b.f32());
    let (image, _) = pointers::load_object(cx, texture)?;
    // Cubes have the width and height of a face.
    let (sides, count) = match kind {
        ResourceKind::TextureCube => (2, 2),
        ResourceKind::TextureCubeArray => (2, 3),
        _ => (space, count),
    };
    let size_ty = cx.b.vector_or_scalar(word, count);
    let zero = cx.b.const_u32(0);
    let size = cx.b.emit(Op::ImageQuerySizeLod, size_ty, &[image, zero]);
    let steps = if is_cube {
        derivatives_on_face(cx, coords, gradient)
    } else {
        gradient.map(|step| {
            let mut parts = [step; 3];
            if space > 1 {
                for (index, part) in (0..space).zip(&mut parts) {
                    *part = cx.b.extract(f32_ty, step, index);
                }
            }
            parts
        })
    };
    let mut squares = [Id::NONE; 2];
    for (parts, result) in steps.iter().zip(&mut squares) {
        let mut square = cx.b.const_f32(0.0);
        for (index, &step) in (0..sides).zip(parts) {
            let texels = match count {
                1 => size,
                _ => cx.b.extract(word, size, index),
            };
            let texels = cx.b.emit(Op::ConvertUToF, f32_ty, &[texels]);
            let step = cx.b.emit(Op::FMul, f32_ty, &[step, texels]);
            let part = cx.b.emit(Op::FMul, f32_ty, &[step, step]);
            square = cx.b.emit(Op::FAdd, f32_ty, &[square, part]);
        }
        *result = square;
    }
    let longer = cx.b.glsl(GLOp::NMax, f32_ty, &squares);
    let twice = cx.b.glsl(GLOp::Log2, f32_ty, &[longer]);
    // Half the logarithm of a square is the logarithm of the length.
    let half = cx.b.const_f32(0.5);
    let mut level = cx.b.emit(Op::FMul, f32_ty, &[twice, half]);
    if clamped {
        let levels = cx.b.emit(Op::ImageQueryLevels, word, &[image]);
        let levels = cx.b.emit(Op::ConvertUToF, f32_ty, &[levels]);
        let one = cx.b.const_f32(1.0);
        let last = cx.b.emit(Op::FSub, f32_ty, &[levels, one]);
        let zero = cx.b.const_f32(0.0);
        level = cx.b.glsl(GLOp::NClamp, f32_ty, &[level, zero, last]);
    }
    Ok(level)
}

/// Returns the derivatives of the coordinates on a cube's face, from those of a direction, up to
/// their signs (Vulkan, "Cube Map Derivative Transformation"): of `0.5 * s / r`, where `r` is the
/// longest component of the direction and `s` one of the others.
fn derivatives_on_face(cx: &mut Context<'_>, coords: Id, gradient: [Id; 2]) -> [[Id; 3]; 2] {
    let (f32_ty, bool_ty) = (cx.b.f32(), cx.b.bool());
    let split = |cx: &mut Context<'_>, vector: Id| {
        [0, 1, 2].map(|index| cx.b.extract(f32_ty, vector, index))
    };
    let direction = split(cx, coords);
    let [x, y, z] = direction.map(|part| cx.b.glsl(GLOp::FAbs, f32_ty, &[part]));
    let largest = cx.b.glsl(GLOp::NMax, f32_ty, &[x, y]);
    let on_z = cx.b.emit(Op::FOrdGreaterThanEqual, bool_ty, &[z, largest]);
    let on_y = cx.b.emit(Op::FOrdGreaterThanEqual, bool_ty, &[y, x]);
    // The longest component, and the other two.
    let arrange = |cx: &mut Context<'_>, [x, y, z]: [Id; 3]| {
        let longer = cx.b.select(f32_ty, on_y, y, x);
        let shorter = cx.b.select(f32_ty, on_y, x, y);
        let longest = cx.b.select(f32_ty, on_z, z, longer);
        let other = cx.b.select(f32_ty, on_z, longer, z);
        [longest, shorter, other]
    };
    let [r, s, t] = arrange(cx, direction);
    let square = cx.b.emit(Op::FMul, f32_ty, &[r, r]);
    let half = cx.b.const_f32(0.5);
    let scale = cx.b.emit(Op::FDiv, f32_ty, &[half, square]);
    gradient.map(|step| {
        let step = split(cx, step);
        let [dr, ds, dt] = arrange(cx, step);
        let [s, t] = [(s, ds), (t, dt)].map(|(value, step)| {
            // The quotient rule.
            let grown = cx.b.emit(Op::FMul, f32_ty, &[step, r]);
            let shrunk = cx.b.emit(Op::FMul, f32_ty, &[value, dr]);
            let part = cx.b.emit(Op::FSub, f32_ty, &[grown, shrunk]);
            cx.b.emit(Op::FMul, f32_ty, &[part, scale])
        });
        [s, t, t]
    })
}
