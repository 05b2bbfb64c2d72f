//! Operations on matrices of the preview shader model 6.10, as cooperative matrices of
//! SPV_KHR_cooperative_matrix.
//!
//! A matrix of a wave is a cooperative matrix, or the tiles of a grid where the target has smaller
//! ones. `crate::matrices` has taken apart those of single threads and of thread groups.

mod elements;
mod memory;
pub(in crate::lower) mod types;

use dxil_frontend::dxil::ops::LinAlgOp;
use dxil_frontend::ir::{TypeId, ValueId};

use crate::lower::context::Context;
use crate::lower::values::{Call, LoweredValue};
use crate::pseudo::matrix::Format;
use crate::spirv::{Id, Op};
use crate::{Error, Result};

use memory::{Memory, load, store, through_memory};
use types::{Matrix, of_type, of_value, tiles_of, whole_of};

/// Lowers an operation on matrices.
pub(in crate::lower) fn lower(
    cx: &mut Context<'_>,
    call: &Call,
    op: &LinAlgOp,
) -> Result<LoweredValue> {
    let result = match op {
        LinAlgOp::LinAlgFillMatrix(op) => elements::fill(cx, call.ty, op.value)?,
        LinAlgOp::LinAlgCopyConvertMatrix(op) => {
            let source = cx.id(op.source)?;
            let from = of_value(cx, op.source)?;
            let to = of_type(cx, call.ty)?;
            convert(cx, [&from, &to], source, op.transpose)?
        }
        LinAlgOp::LinAlgMatrixLoadFromDescriptor(op) => {
            let ty = of_type(cx, call.ty)?;
            let memory = Memory::Buffer(op.buffer);
            load(cx, &ty, memory, [op.offset, op.stride], op.layout)?
        }
        LinAlgOp::LinAlgMatrixLoadFromMemory(op) => {
            let ty = of_type(cx, call.ty)?;
            let memory = Memory::Array(op.memory);
            load(cx, &ty, memory, [op.offset, op.stride], op.layout)?
        }
        LinAlgOp::LinAlgMatrixStoreToDescriptor(op) => {
            let (ty, whole) = (of_value(cx, op.matrix)?, cx.id(op.matrix)?);
            let place = [op.offset, op.stride];
            store(cx, &ty, whole, Memory::Buffer(op.buffer), place, op.layout)?;
            return Ok(LoweredValue::Unset);
        }
        LinAlgOp::LinAlgMatrixStoreToMemory(op) => {
            let (ty, whole) = (of_value(cx, op.matrix)?, cx.id(op.matrix)?);
            let place = [op.offset, op.stride];
            store(cx, &ty, whole, Memory::Array(op.memory), place, op.layout)?;
            return Ok(LoweredValue::Unset);
        }
        LinAlgOp::LinAlgMatrixLength(op) => {
            let ty = of_value(cx, op.matrix)?;
            let length = types::tile_length(cx, &ty);
            cx.b.u32_mul(length, ty.count())
        }
        LinAlgOp::LinAlgMatrixGetCoordinate(op) => elements::coordinate(cx, op.matrix, op.index)?,
        LinAlgOp::LinAlgMatrixGetElement(op) => elements::get(cx, call.ty, op.matrix, op.index)?,
        LinAlgOp::LinAlgMatrixSetElement(op) => elements::set(cx, op.matrix, op.index, op.value)?,
        // Of left operands: what a device may choose lies row by row.
        LinAlgOp::LinAlgMatrixQueryAccumulatorLayout(_) => cx.b.const_u32(0),
        LinAlgOp::LinAlgMatrixMultiply(op) => multiply(cx, call.ty, [op.a, op.b], None)?,
        LinAlgOp::LinAlgMatrixMultiplyAccumulate(op) => {
            multiply(cx, call.ty, [op.a, op.b], Some(op.c))?
        }
        LinAlgOp::LinAlgMatrixAccumulate(op) => sum(cx, call.ty, [op.a, op.b])?,
        LinAlgOp::LinAlgMatVecMul(_)
        | LinAlgOp::LinAlgMatVecMulAdd(_)
        | LinAlgOp::LinAlgMatrixAccumulateToDescriptor(_)
        | LinAlgOp::LinAlgMatrixAccumulateToMemory(_)
        | LinAlgOp::LinAlgMatrixOuterProduct(_)
        | LinAlgOp::LinAlgConvert(_)
        | LinAlgOp::LinAlgVectorAccumulateToDescriptor(_) => {
            return Err(Error::unsupported(format!(
                "{} of the preview shader model 6.10: cooperative matrices have no such operation; \
                 the CPU executes it",
                op.opcode().name()
            )));
        }
    };
    Ok(LoweredValue::Id(result))
}

/// Lowers the product of two matrices, added to a third one.
fn multiply(
    cx: &mut Context<'_>,
    ty: TypeId,
    [a, b]: [ValueId; 2],
    c: Option<ValueId>,
) -> Result<Id> {
    let to = of_type(cx, ty)?;
    let [left_ty, right_ty] = [of_value(cx, a)?, of_value(cx, b)?];
    let inner = left_ty.tiles_per_row();
    let is_product = right_ty.rows == left_ty.columns
        && [left_ty.rows, right_ty.columns] == [to.rows, to.columns];
    if !is_product {
        return Err(Error::malformed("a product of matrices of other sizes"));
    }
    let (left, right) = (cx.id(a)?, cx.id(b)?);
    let left = tiles_of(cx, &left_ty, left);
    let right = tiles_of(cx, &right_ty, right);
    let sums = match c {
        Some(c) => {
            let (from, c) = (of_value(cx, c)?, cx.id(c)?);
            let c = convert(cx, [&from, &to], c, false)?;
            tiles_of(cx, &to, c)
        }
        None => vec![cx.b.const_null(to.tile); to.count() as usize],
    };
    // SPIR-V takes the signs as flags, because integer components have none
    // (SPV_KHR_cooperative_matrix, "Cooperative Matrix Operands").
    let signed = [left_ty.format, right_ty.format, to.format, to.format];
    let signs = (0..)
        .zip(signed)
        .map(|(bit, of)| u32::from(of.is_signed()) << bit);
    let signs: u32 = signs.sum();
    let columns = to.tiles_per_row();
    let mut product = Vec::new();
    for (number, mut sum) in (0..).zip(sums) {
        let (row, column) = (number / columns, number % columns);
        for k in 0..inner {
            let tile = |tiles: &[Id], at: u32| tiles.get(at as usize).copied();
            let left = tile(&left, row * inner + k);
            let right = tile(&right, k * columns + column);
            let (Some(left), Some(right)) = (left, right) else {
                return Err(Error::internal("a product of matrices without its tiles"));
            };
            let mut operands = vec![left, right, sum];
            if signs != 0 {
                operands.push(Id(signs));
            }
            sum =
                cx.b.emit(Op::CooperativeMatrixMulAddKHR, to.tile, &operands);
        }
        product.push(sum);
    }
    Ok(whole_of(cx, &to, &product))
}

/// Lowers the sum of two matrices of any uses.
fn sum(cx: &mut Context<'_>, ty: TypeId, matrices: [ValueId; 2]) -> Result<Id> {
    let to = of_type(cx, ty)?;
    let op = match to.format {
        Format::F16 | Format::F32 => Op::FAdd,
        Format::I8 | Format::U8 | Format::I32 | Format::U32 => Op::IAdd,
        Format::Bf16 | Format::Fp8 | Format::Bf8 => {
            return Err(Error::unsupported(
                "sums of matrices of bfloat16 and floats of 8 bits",
            ));
        }
    };
    let mut terms = Vec::new();
    for matrix in matrices {
        let (from, whole) = (of_value(cx, matrix)?, cx.id(matrix)?);
        let whole = convert(cx, [&from, &to], whole, false)?;
        terms.push(tiles_of(cx, &to, whole));
    }
    let [left, right] = &terms[..] else {
        return Err(Error::internal("a sum of two matrices without them"));
    };
    let tiles: Vec<Id> = (left.iter().zip(right))
        .map(|(&left, &right)| cx.b.emit(op, to.tile, &[left, right]))
        .collect();
    Ok(whole_of(cx, &to, &tiles))
}

/// Returns a matrix with other components, in another role, or transposed.
fn convert(
    cx: &mut Context<'_>,
    [from, to]: [&Matrix; 2],
    whole: Id,
    transpose: bool,
) -> Result<Id> {
    let size = if transpose {
        [from.columns, from.rows]
    } else {
        [from.rows, from.columns]
    };
    if size != [to.rows, to.columns] {
        return Err(Error::malformed("a conversion to a matrix of another size"));
    }
    let mut tiles = tiles_of(cx, from, whole);
    // The instructions keep the role: a change of components and one of role are two steps.
    let between = types::with_format(cx, from, to);
    if let Some(op) = conversion(from.format, to.format) {
        for tile in &mut tiles {
            *tile = cx.b.emit(op, between.tile, &[*tile]);
        }
    }
    if from.role != to.role || transpose {
        tiles = through_memory(cx, &between, to, &tiles, transpose)?;
    }
    Ok(whole_of(cx, to, &tiles))
}

/// Returns the instruction that converts components; `None` where they are the same numbers.
fn conversion(from: Format, to: Format) -> Option<Op> {
    Some(match (from.is_float(), to.is_float()) {
        _ if from == to => return None,
        (true, true) => Op::FConvert,
        (true, false) if to.is_signed() => Op::ConvertFToS,
        (true, false) => Op::ConvertFToU,
        (false, true) if from.is_signed() => Op::ConvertSToF,
        (false, true) => Op::ConvertUToF,
        (false, false) if from.bits() == to.bits() => return None,
        (false, false) if from.is_signed() => Op::SConvert,
        (false, false) => Op::UConvert,
    })
}
