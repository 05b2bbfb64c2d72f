//! Wave matrices: cooperative matrices of SPV_KHR_cooperative_matrix.
//!
//! In the IR a matrix is the words that a lane has of it. How many elements a lane has is known to
//! the device alone (`OpCooperativeMatrixLengthKHR`), so words are put into a matrix, and taken out
//! of one, element by element through a variable: elements that the lane does not have are put
//! where a later one overwrites them, and are zero when taken out. Devices know the length when
//! they compile and keep matrices in registers, so that nothing of this is left.
//!
//! Where the target's matrices have 8 rows and columns only, one of 16 is four of them.

mod memory;
mod operands;
mod types;

use dxil_frontend::ir::ValueId;

use crate::lower::context::Context;
use crate::lower::values::LoweredValue;
use crate::spirv::{Decoration, Id, Op};
use crate::vendor::matrix::{ElementwiseOp, Role, formats_of};
use crate::{Error, Result};

pub(in crate::lower) use memory::{
    load, load_global, load_shared, store, store_global, store_shared,
};
use operands::{constant, ids, type_of};
use types::{Tiles, cut, from_words, length_of, lower_type, to_words};

/// Lowers `(opcode, count, words of A, count, words of B, count, words of C) -> words`.
pub(in crate::lower) fn multiply(
    cx: &mut Context<'_>,
    args: &[ValueId],
    results: u32,
) -> Result<LoweredValue> {
    let malformed = || Error::internal("a multiplication of matrices without its operands");
    let (&opcode, mut rest) = args.split_first().ok_or_else(malformed)?;
    let formats = formats_of(constant(cx.function.view, opcode)?).ok_or_else(malformed)?;
    let mut operands: Vec<Tiles> = Vec::new();
    let mut signs = 0;
    let mut ty = None;
    for (at, (format, role)) in
        (0..).zip(
            formats
                .into_iter()
                .zip([Role::A, Role::B, Role::Accumulator]),
        )
    {
        let (&count, behind) = rest.split_first().ok_or_else(malformed)?;
        let count = constant(cx.function.view, count)? as usize;
        let (words, behind) = behind.split_at_checked(count).ok_or_else(malformed)?;
        rest = behind;
        let words = ids(cx, words)?;
        let lowered = lower_type(cx, format, role)?;
        operands.push(from_words(cx, lowered, &words));
        signs |= u32::from(format.is_signed()) << at;
        ty = Some(lowered);
    }
    let (Some(ty), [a, b, c]) = (ty, &operands[..]) else {
        return Err(malformed());
    };
    // SPIR-V takes the signs as flags, because integer components have none
    // (SPV_KHR_cooperative_matrix, "Cooperative Matrix Operands").
    if ty.format.is_signed() {
        // The result is of the accumulator's type: bit 3 is its sign.
        signs |= 8;
    }
    // Each tile of the result is the sum over the products of a row of A and a column of B.
    let per_row = ty.per_row() as usize;
    let mut product = Tiles::new();
    for (number, &initial) in c.iter().enumerate() {
        let (row, column) = (number / per_row, number % per_row);
        let mut sum = initial;
        for k in 0..per_row {
            let (Some(&left), Some(&right)) =
                (a.get(row * per_row + k), b.get(k * per_row + column))
            else {
                return Err(malformed());
            };
            let mut operands = vec![left, right, sum];
            if signs != 0 {
                operands.push(Id(signs));
            }
            sum =
                cx.b.emit(Op::CooperativeMatrixMulAddKHR, ty.tile, &operands);
        }
        product.push(sum);
    }
    Ok(to_words(cx, ty, &product, results))
}

/// Lowers `(operation, type, count, words of A, words of B) -> words`.
pub(in crate::lower) fn elementwise(
    cx: &mut Context<'_>,
    [operation, ty, count]: [ValueId; 3],
    words: &[ValueId],
    results: u32,
) -> Result<LoweredValue> {
    let malformed = || Error::internal("arithmetic on matrices without its operands");
    let operation = constant(cx.function.view, operation)?;
    let operation = ElementwiseOp::of(operation).ok_or_else(malformed)?;
    let matrix = type_of(cx.function.view, ty)?;
    let ty = lower_type(cx, matrix.format, matrix.role)?;
    let count = constant(cx.function.view, count)? as usize;
    let words = ids(cx, words)?;
    let (a, b) = words.split_at_checked(count).ok_or_else(malformed)?;
    let a = from_words(cx, ty, a);
    let b = from_words(cx, ty, b);
    let op = match (operation, matrix.format.is_float()) {
        (ElementwiseOp::Add, true) => Op::FAdd,
        (ElementwiseOp::Add, false) => Op::IAdd,
        (ElementwiseOp::Subtract, true) => Op::FSub,
        (ElementwiseOp::Subtract, false) => Op::ISub,
        (ElementwiseOp::Multiply, true) => Op::FMul,
        (ElementwiseOp::Multiply, false) => Op::IMul,
        (ElementwiseOp::Divide, true) => Op::FDiv,
        (ElementwiseOp::Divide, false) => return Err(malformed()),
    };
    let result: Tiles = (a.iter().zip(&b))
        .map(|(&a, &b)| cx.b.emit(op, ty.tile, &[a, b]))
        .collect();
    Ok(to_words(cx, ty, &result, results))
}

/// Lowers `(type, value) -> words`.
pub(in crate::lower) fn fill(
    cx: &mut Context<'_>,
    ty: ValueId,
    value: ValueId,
    count: u32,
) -> Result<LoweredValue> {
    let matrix = type_of(cx.function.view, ty)?;
    let ty = lower_type(cx, matrix.format, matrix.role)?;
    let value = cx.id(value)?;
    let parts = cut(&mut cx.b, ty, value);
    let first = parts.first().copied().unwrap_or(value);
    // A cooperative matrix is constructed from one constituent, which fills all components.
    let filled = cx.b.construct(ty.tile, &[first]);
    Ok(to_words(cx, ty, &vec![filled; ty.count() as usize], count))
}

/// Lowers `(type) -> elements of a lane`; four of 8 bits count as one.
pub(in crate::lower) fn length(cx: &mut Context<'_>, ty: ValueId) -> Result<LoweredValue> {
    let matrix = type_of(cx.function.view, ty)?;
    let ty = lower_type(cx, matrix.format, matrix.role)?;
    let length = length_of(&mut cx.b, ty);
    Ok(LoweredValue::Id(match matrix.format.bits() {
        8 => cx.b.u32_shr(length, 2),
        _ => length,
    }))
}

/// Lowers `(type, new type, saturate, words) -> words`: another format, another role, or both.
pub(in crate::lower) fn convert(
    cx: &mut Context<'_>,
    [old, new, saturate]: [ValueId; 3],
    words: &[ValueId],
    count: u32,
) -> Result<LoweredValue> {
    let (old, new) = (
        type_of(cx.function.view, old)?,
        type_of(cx.function.view, new)?,
    );
    let saturate = constant(cx.function.view, saturate)? != 0;
    let words = ids(cx, words)?;
    let mut ty = lower_type(cx, old.format, old.role)?;
    let mut tiles = from_words(cx, ty, &words);
    if old.format != new.format {
        ty = lower_type(cx, new.format, old.role)?;
        // The instruction keeps the role: a change of format and one of role are two steps.
        for tile in &mut tiles {
            *tile = cx.b.emit(Op::FConvert, ty.tile, &[*tile]);
            if saturate && ty.format.bits() == 8 {
                let decoration = Decoration::SaturatedToLargestFloat8NormalConversionEXT;
                cx.b.decorate(*tile, decoration, &[]);
            }
        }
    }
    if old.role != new.role {
        let to = lower_type(cx, new.format, new.role)?;
        tiles = memory::in_another_role(cx, &tiles, to)?;
        ty = to;
    }
    Ok(to_words(cx, ty, &tiles, count))
}
