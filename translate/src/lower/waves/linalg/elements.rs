//! Single elements of matrices.

use dxil_frontend::ir::{TypeId, ValueId};

use super::memory::places_of;
use super::types::{Matrix, element, of_type, of_value, whole_of};
use crate::lower::context::Context;
use crate::lower::type_map::Scalar;
use crate::lower::types;
use crate::pseudo::matrix::Format;
use crate::spirv::{Id, Op};
use crate::{Error, Result};

/// The row and column of no element.
const NOWHERE: u32 = u32::MAX;

/// Lowers a matrix whose elements are all the same.
pub(super) fn fill(cx: &mut Context<'_>, ty: TypeId, value: ValueId) -> Result<Id> {
    let to = of_type(cx, ty)?;
    let value = to_component(cx, &to, value)?;
    // A cooperative matrix is constructed from one constituent, which fills all components.
    let tile = cx.b.construct(to.tile, &[value]);
    Ok(whole_of(cx, &to, &vec![tile; to.count() as usize]))
}

/// Lowers an element that the lane holds; 0 for one that it has not.
pub(super) fn get(cx: &mut Context<'_>, ty: TypeId, matrix: ValueId, index: ValueId) -> Result<Id> {
    let from = of_value(cx, matrix)?;
    let (whole, index) = (cx.id(matrix)?, cx.id(index)?);
    let element = element(cx, &from, whole, index);
    let value = cx.b.load(from.component, element.pointer);
    let value = from_component(cx, &from, value, ty)?;
    let result = types::lower(cx, ty)?;
    let zero = cx.b.const_null(result);
    Ok(cx.b.select(result, element.is_there, value, zero))
}

/// Lowers a matrix with another value for an element that the lane holds.
pub(super) fn set(
    cx: &mut Context<'_>,
    matrix: ValueId,
    index: ValueId,
    value: ValueId,
) -> Result<Id> {
    let ty = of_value(cx, matrix)?;
    let (whole, index) = (cx.id(matrix)?, cx.id(index)?);
    let new = to_component(cx, &ty, value)?;
    let element = element(cx, &ty, whole, index);
    let old = cx.b.load(ty.component, element.pointer);
    let new = cx.b.select(ty.component, element.is_there, new, old);
    cx.b.store(element.pointer, new);
    Ok(cx.b.load(ty.whole, element.variable))
}

/// Lowers row and column of an element that the lane holds. Which lane has which element is the
/// device's choice, so the wave loads a matrix whose elements are their own places.
pub(super) fn coordinate(cx: &mut Context<'_>, matrix: ValueId, index: ValueId) -> Result<Id> {
    let ty = of_value(cx, matrix)?;
    let index = cx.id(index)?;
    let tile = places_of(cx, &ty)?;
    let whole = whole_of(cx, &ty, &vec![tile; ty.count() as usize]);
    let element = element(cx, &ty, whole, index);
    let place = cx.b.load(ty.component, element.pointer);
    let place = bits_of(cx, &ty, place);
    let per_row = ty.tiles_per_row();
    let b = &mut cx.b;
    let word = b.u32();
    let [size, per_row] = [b.const_u32(ty.size), b.const_u32(per_row)];
    let parts = [(Op::UDiv, per_row), (Op::UMod, per_row)];
    let parts = parts.map(|(op, by)| {
        let first = b.emit(op, word, &[element.tile, by]);
        let first = b.u32_mul(first, ty.size);
        let within = b.emit(op, word, &[place, size]);
        let all = b.u32_add(first, within);
        let nowhere = b.const_u32(NOWHERE);
        b.select(word, element.is_there, all, nowhere)
    });
    let pair = b.vector(word, 2);
    Ok(b.construct(pair, &parts))
}

/// Returns the bits of an element as a word.
fn bits_of(cx: &mut Context<'_>, ty: &Matrix, element: Id) -> Id {
    let b = &mut cx.b;
    let word = b.u32();
    match ty.per_word() {
        1 if ty.format.is_float() => b.bitcast(word, element),
        1 => element,
        per_word => {
            let vector = b.vector(ty.component, per_word);
            let zero = b.const_null(ty.component);
            let mut parts = vec![zero; per_word as usize];
            if let Some(first) = parts.first_mut() {
                *first = element;
            }
            let vector = b.construct(vector, &parts);
            b.bitcast(word, vector)
        }
    }
}

fn mixed() -> Error {
    Error::unsupported("elements of matrices as numbers of another kind")
}

/// Returns a value as an element of a matrix.
fn to_component(cx: &mut Context<'_>, ty: &Matrix, value: ValueId) -> Result<Id> {
    let shape = types::shape_of(cx, value)?;
    let value = cx.id(value)?;
    Ok(match (shape.scalar, ty.format.is_float()) {
        (Scalar::Float { .. }, true) => {
            let same = shape.scalar.width() == ty.format.bits() && ty.format != Format::Bf16;
            if same {
                value
            } else {
                cx.b.emit(Op::FConvert, ty.component, &[value])
            }
        }
        (Scalar::Int { .. }, false) if shape.scalar.width() == ty.format.bits() => value,
        (Scalar::Int { .. }, false) => cx.b.emit(Op::UConvert, ty.component, &[value]),
        _ => return Err(mixed()),
    })
}

/// Returns an element of a matrix as a value of an IR type.
fn from_component(cx: &mut Context<'_>, ty: &Matrix, element: Id, to: TypeId) -> Result<Id> {
    let shape = types::shape_of_type(cx, to)?;
    let result = types::lower(cx, to)?;
    Ok(match (shape.scalar, ty.format.is_float()) {
        (Scalar::Float { .. }, true) => {
            let same = shape.scalar.width() == ty.format.bits() && ty.format != Format::Bf16;
            if same {
                element
            } else {
                cx.b.emit(Op::FConvert, result, &[element])
            }
        }
        (Scalar::Int { .. }, false) if shape.scalar.width() == ty.format.bits() => element,
        (Scalar::Int { .. }, false) => {
            let op = if ty.format.is_signed() {
                Op::SConvert
            } else {
                Op::UConvert
            };
            cx.b.emit(op, result, &[element])
        }
        _ => return Err(mixed()),
    })
}
