//! Integer representation: extension of widened integers, division and shifts as D3D defines them.

use dxil_frontend::ir::{BinaryOp, Constant, Inst, ValueDef, ValueId};

use crate::lower::context::{Context, FunctionState};
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::spirv::{Builder, Id, Op};
use crate::{Division, Error, Result};

/// Returns a mask of that many low bits.
pub(super) fn low_bits(bits: u32) -> u64 {
    // A shift by all 64 bits would overflow.
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}

/// Returns the value with its upper bits zero.
pub(in crate::lower) fn zero_extend(
    cx: &mut Context<'_>,
    shape: NumericShape,
    id: Id,
) -> Result<Id> {
    let Scalar::Int { bits, width } = shape.scalar else {
        return Ok(id);
    };
    if bits == width {
        return Ok(id);
    }
    // Constants fold here, so that indices and amounts stay literals for later tests.
    if let (1, 32, Some(literal)) = (shape.count, width, cx.b.literal(id)) {
        return Ok(cx.b.const_u32(literal & low_bits(bits) as u32));
    }
    let mask = types::const_int(cx, shape, low_bits(bits))?;
    let ty = types::shape_ty(cx, shape)?;
    Ok(cx.b.emit(Op::BitwiseAnd, ty, &[id, mask]))
}

/// Returns the value with its upper bits equal to its sign.
pub(in crate::lower) fn sign_extend(
    cx: &mut Context<'_>,
    shape: NumericShape,
    id: Id,
) -> Result<Id> {
    let Scalar::Int { bits, width } = shape.scalar else {
        return Ok(id);
    };
    if bits == width {
        return Ok(id);
    }
    if let (1, 32, Some(literal)) = (shape.count, width, cx.b.literal(id)) {
        let shift = 32 - bits;
        let value = ((literal << shift) as i32 >> shift) as u32;
        return Ok(cx.b.const_u32(value));
    }
    let ty = types::shape_ty(cx, shape)?;
    // One instruction for words; Vulkan's bit instructions take no 16-bit integers
    // (VUID-StandaloneSpirv-Base-04781).
    if width == 32 {
        let zero = cx.b.const_u32(0);
        let count = cx.b.const_u32(bits);
        return Ok(cx.b.emit(Op::BitFieldSExtract, ty, &[id, zero, count]));
    }
    let amount = types::const_int(cx, shape, u64::from(width - bits))?;
    let up = cx.b.emit(Op::ShiftLeftLogical, ty, &[id, amount]);
    Ok(cx.b.emit(Op::ShiftRightArithmetic, ty, &[up, amount]))
}

/// Returns an integer of any width as a 32-bit one (an index, a count).
pub(in crate::lower) fn to_u32(cx: &mut Context<'_>, value: ValueId) -> Result<Id> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    match shape.scalar {
        Scalar::Int { bits: 32, .. } => Ok(id),
        Scalar::Int { width, .. } => {
            // Address arithmetic takes indices as signed, whatever their width.
            let id = sign_extend(cx, shape, id)?;
            if width == 32 {
                return Ok(id);
            }
            let ty = cx.b.u32();
            let op = if width < 32 {
                Op::SConvert
            } else {
                Op::UConvert
            };
            Ok(cx.b.emit(op, ty, &[id]))
        }
        // `i1` is an integer of one bit, whose one is its sign.
        Scalar::Bool => {
            let ty = cx.b.u32();
            let all = cx.b.const_u32(u32::MAX);
            let zero = cx.b.const_u32(0);
            Ok(cx.b.select(ty, id, all, zero))
        }
        Scalar::Float { .. } => Err(Error::malformed("an index that is not an integer")),
    }
}

/// Returns a boolean as 0 or 1.
pub(in crate::lower) fn bool_to_u32(b: &mut Builder, value: Id) -> Id {
    let ty = b.u32();
    let one = b.const_u32(1);
    let zero = b.const_u32(0);
    b.select(ty, value, one, zero)
}

/// Returns the value as a constant that is the same in all elements.
fn uniform_constant(function: &FunctionState<'_>, value: ValueId) -> Option<u64> {
    match function.view.constant(value)? {
        Constant::Data(list) => {
            let data = function.view.constant_data(value, list);
            let first = *data.first()?;
            data.iter().all(|&x| x == first).then_some(first)
        }
        _ => function.constant_int(value),
    }
}

/// Returns an unsigned quotient or remainder. Division by zero gives all ones for both, as in D3D.
pub(super) fn unsigned_division(
    cx: &mut Context<'_>,
    op: Op,
    shape: NumericShape,
    a: Id,
    b: Id,
    divisor: Option<ValueId>,
) -> Result<Id> {
    let ty = types::shape_ty(cx, shape)?;
    let a = zero_extend(cx, shape, a)?;
    let b = zero_extend(cx, shape, b)?;
    let known = divisor.and_then(|value| uniform_constant(&cx.function, value));
    if known.is_some_and(|value| value != 0) {
        return Ok(cx.b.emit(op, ty, &[a, b]));
    }
    let is_zero = is_zero(cx, shape, b)?;
    let safe = if cx.input.numerics().division == Division::GivesNumber {
        b
    } else {
        one_where(cx, shape, is_zero, b)?
    };
    let result = cx.b.emit(op, ty, &[a, safe]);
    // D3D defines all ones (D3D11.3 functional specification, 22.12.9); OpUDiv by 0 is undefined.
    let ones = types::const_int(cx, shape, u64::MAX)?;
    Ok(cx.b.select(ty, is_zero, ones, result))
}

/// Returns a signed quotient or remainder. Division by zero gives all ones, like the unsigned one;
/// the overflow case wraps.
pub(super) fn signed_division(
    cx: &mut Context<'_>,
    op: Op,
    shape: NumericShape,
    a: Id,
    b: Id,
    divisor: ValueId,
) -> Result<Id> {
    let ty = types::shape_ty(cx, shape)?;
    let a = sign_extend(cx, shape, a)?;
    let b = sign_extend(cx, shape, b)?;
    let all_ones = low_bits(shape.scalar.bits());
    let known = uniform_constant(&cx.function, divisor);
    // Only 0 and -1 need a guard: the smallest number by -1 overflows, which is undefined in
    // SPIR-V.
    if known.is_some_and(|value| value != 0 && value & all_ones != all_ones) {
        return Ok(cx.b.emit(op, ty, &[a, b]));
    }
    let is_zero = is_zero(cx, shape, b)?;
    let minus_one = types::const_int(cx, shape, u64::MAX)?;
    if cx.input.numerics().division == Division::GivesNumber {
        let result = cx.b.emit(op, ty, &[a, b]);
        return Ok(cx.b.select(ty, is_zero, minus_one, result));
    }
    let safe = one_where(cx, shape, is_zero, b)?;
    // The minimum of the width, not of the narrow type: a sign-extended narrow minimum does not
    // overflow in a wider word.
    let min = types::const_int(cx, shape, 1 << (shape.scalar.width() - 1))?;
    let bool_ty = types::shape_ty(cx, shape.bool())?;
    let is_least = cx.b.emit(Op::IEqual, bool_ty, &[a, min]);
    let is_minus_one = cx.b.emit(Op::IEqual, bool_ty, &[b, minus_one]);
    let overflows =
        cx.b.emit(Op::LogicalAnd, bool_ty, &[is_least, is_minus_one]);
    // x / 1 and x % 1 are what the overflow wraps to.
    let safe = one_where(cx, shape, overflows, safe)?;
    let result = cx.b.emit(op, ty, &[a, safe]);
    Ok(cx.b.select(ty, is_zero, minus_one, result))
}

/// Returns whether an integer is zero.
fn is_zero(cx: &mut Context<'_>, shape: NumericShape, id: Id) -> Result<Id> {
    let bool_ty = types::shape_ty(cx, shape.bool())?;
    let zero = types::const_int(cx, shape, 0)?;
    Ok(cx.b.emit(Op::IEqual, bool_ty, &[id, zero]))
}

/// Returns a divisor, or 1 where it must not be used.
fn one_where(cx: &mut Context<'_>, shape: NumericShape, condition: Id, divisor: Id) -> Result<Id> {
    let ty = types::shape_ty(cx, shape)?;
    let one = types::const_int(cx, shape, 1)?;
    Ok(cx.b.select(ty, condition, one, divisor))
}

/// Returns a shift. D3D only uses the low bits of the amount.
pub(super) fn shift(
    cx: &mut Context<'_>,
    op: Op,
    shape: NumericShape,
    value: Id,
    amount: Id,
    amount_value: ValueId,
) -> Result<Id> {
    let bits = shape.scalar.bits();
    // Right shifts bring the upper bits down, so those must be right first.
    let value = match op {
        Op::ShiftRightLogical => zero_extend(cx, shape, value)?,
        Op::ShiftRightArithmetic => sign_extend(cx, shape, value)?,
        _ => value,
    };
    let ty = types::shape_ty(cx, shape)?;
    // D3D uses the low 5 bits of the amount (D3D11.3 functional specification, 22.11.7, 22.11.8 and
    // 22.11.12); in SPIR-V a shift by the width or more is undefined.
    let amount = if is_below(&cx.function, amount_value, u64::from(bits)) {
        amount
    } else if bits.is_power_of_two() {
        let mask = types::const_int(cx, shape, u64::from(bits - 1))?;
        cx.b.emit(Op::BitwiseAnd, ty, &[amount, mask])
    } else {
        zero_extend(cx, shape, amount)?
    };
    Ok(cx.b.emit(op, ty, &[value, amount]))
}

/// Returns whether a value is known to be below `limit`: a constant, or masked (as DXC does before
/// a shift).
fn is_below(function: &FunctionState<'_>, value: ValueId, limit: u64) -> bool {
    if let Some(known) = uniform_constant(function, value) {
        return known < limit;
    }
    let Some(ValueDef::Inst(inst)) = function.view.value(value).map(|data| data.def) else {
        return false;
    };
    match function.view.function.insts.get(inst).map(|data| data.inst) {
        Some(Inst::Binary {
            op: BinaryOp::And,
            lhs,
            rhs,
            ..
        }) => [lhs, rhs]
            .into_iter()
            .any(|operand| uniform_constant(function, operand).is_some_and(|mask| mask < limit)),
        _ => false,
    }
}

/// Returns an index as a 32-bit integer.
pub(in crate::lower) fn index_of(cx: &mut Context<'_>, value: ValueId) -> Result<Id> {
    if let Some(literal) = cx.function.constant_int(value) {
        return Ok(cx.b.const_u32(literal as u32));
    }
    to_u32(cx, value)
}
