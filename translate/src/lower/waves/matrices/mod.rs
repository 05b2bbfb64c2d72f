//! Wave matrices: cooperative matrices of SPV_KHR_cooperative_matrix.
//!
//! In the IR a matrix is the words that a lane has of it. How many elements a lane has is known to
//! the device alone (`OpCooperativeMatrixLengthKHR`), so words are put into a matrix, and taken out
//! of one, element by element through a variable: elements that the lane does not have are put
//! where a later one overwrites them, and are zero when taken out. Devices know the length when
//! they compile and keep matrices in registers, so that nothing of this is left. Words that only
//! come back together need no code at all (`whole`).
//!
//! Where the target's matrices have 8 rows and columns only, one of 16 is four of them.

pub(in crate::lower) mod float8;
pub(in crate::lower) mod memory;
mod operands;
pub(in crate::lower) mod types;
pub(in crate::lower) mod whole_matrices;

use dxil_frontend::ir::ValueId;

use crate::lower::context::Context;
use crate::lower::values::LoweredValue;
use crate::pseudo::matrix::{ElementwiseOp, MatrixType, ProductFormats, Role};
use crate::spirv::{Decoration, Id, Op};
use crate::{Error, Result};

pub(in crate::lower) use memory::{Memory, load, store};
use operands::ids;
use types::{Tiles, Wanted, cut, from_words, is_bytes, length_of, lower_type, to_words};

/// Lowers `a * b + c`; the operands are their words.
pub(in crate::lower) fn multiply(
    cx: &mut Context<'_>,
    formats: ProductFormats,
    operands: [&[ValueId]; 3],
    results: Wanted,
) -> Result<LoweredValue> {
    let malformed = || Error::internal("a multiplication of matrices without its operands");
    let roles = [Role::A, Role::B, Role::Accumulator];
    let mut matrices: Vec<Tiles> = Vec::new();
    let mut signs = 0;
    let mut ty = None;
    for (at, ((format, role), words)) in (0..).zip(formats.into_iter().zip(roles).zip(operands)) {
        let words = ids(cx, words)?;
        let lowered = lower_type(cx, format, role)?;
        matrices.push(from_words(cx, lowered, &words));
        signs |= u32::from(format.is_signed()) << at;
        ty = Some(lowered);
    }
    let (Some(ty), [a, b, c]) = (ty, &matrices[..]) else {
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

/// Lowers arithmetic on the elements of two matrices, which are given as their words.
pub(in crate::lower) fn elementwise(
    cx: &mut Context<'_>,
    operation: ElementwiseOp,
    matrix: MatrixType,
    operands: [&[ValueId]; 2],
    results: Wanted,
) -> Result<LoweredValue> {
    let ty = lower_type(cx, matrix.format, matrix.role)?;
    let [a, b] = [ids(cx, operands[0])?, ids(cx, operands[1])?];
    let a = from_words(cx, ty, &a);
    let b = from_words(cx, ty, &b);
    let op = match (operation, matrix.format.is_float()) {
        (ElementwiseOp::Add, true) => Op::FAdd,
        (ElementwiseOp::Add, false) => Op::IAdd,
        (ElementwiseOp::Subtract, true) => Op::FSub,
        (ElementwiseOp::Subtract, false) => Op::ISub,
        (ElementwiseOp::Multiply, true) => Op::FMul,
        (ElementwiseOp::Multiply, false) => Op::IMul,
        (ElementwiseOp::Divide, true) => Op::FDiv,
        (ElementwiseOp::Divide, false) => {
            return Err(Error::internal("a division of matrices of integers"));
        }
    };
    let result: Tiles = (a.iter().zip(&b))
        .map(|(&a, &b)| cx.b.emit(op, ty.tile, &[a, b]))
        .collect();
    Ok(to_words(cx, ty, &result, results))
}

/// Lowers a matrix whose elements are all the same.
pub(in crate::lower) fn fill(
    cx: &mut Context<'_>,
    matrix: MatrixType,
    value: ValueId,
    words: Wanted,
) -> Result<LoweredValue> {
    let ty = lower_type(cx, matrix.format, matrix.role)?;
    let value = cx.id(value)?;
    let parts = cut(&mut cx.b, ty, value);
    let first = parts.first().copied().unwrap_or(value);
    // A cooperative matrix is constructed from one constituent, which fills all components.
    let filled = cx.b.construct(ty.tile, &[first]);
    Ok(to_words(cx, ty, &vec![filled; ty.count() as usize], words))
}

/// Lowers the number of elements of a lane; four of 8 bits count as one.
pub(in crate::lower) fn length(cx: &mut Context<'_>, matrix: MatrixType) -> Result<LoweredValue> {
    let ty = lower_type(cx, matrix.format, matrix.role)?;
    let length = length_of(&mut cx.b, ty);
    Ok(LoweredValue::Id(match matrix.format.bits() {
        8 => cx.b.u32_shr(length, 2),
        _ => length,
    }))
}

/// Lowers a conversion to another format, another role, or both.
pub(in crate::lower) fn convert(
    cx: &mut Context<'_>,
    [old, new]: [MatrixType; 2],
    saturate: bool,
    words: &[ValueId],
    results: Wanted,
) -> Result<LoweredValue> {
    let words = ids(cx, words)?;
    let mut ty = lower_type(cx, old.format, old.role)?;
    let mut tiles = from_words(cx, ty, &words);
    if old.format != new.format {
        let from = ty;
        ty = lower_type(cx, new.format, old.role)?;
        let by_bits = [old, new].iter().any(|it| is_bytes(cx, it.format));
        // The instruction keeps the role: a change of format and one of role are two steps.
        for tile in &mut tiles {
            if by_bits {
                *tile = float8::converted(cx, [from, ty], saturate, *tile);
                continue;
            }
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
    Ok(to_words(cx, ty, &tiles, results))
}
