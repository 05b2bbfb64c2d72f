//! Plain LLVM instructions: arithmetic, comparisons, selections, aggregates, vectors.

use dxil_frontend::ir::{
    BinaryOp, CmpPredicate, Constant, FastMath, Inst, List, Type, TypeId, ValueDef, ValueId,
};

use super::types;
use crate::lower::context::{Context, FunctionState};
use crate::lower::numbers::{arithmetic, integers};
use crate::lower::type_map::{Scalar, Shape};
use crate::lower::values::Value;
use crate::spirv::{Id, Op};
use crate::{Error, Quirks, Result};

/// Returns a binary operation.
pub(super) fn binary(
    cx: &mut Context<'_>,
    op: BinaryOp,
    fast_math: FastMath,
    lhs: ValueId,
    rhs: ValueId,
) -> Result<Id> {
    let shape = types::shape_of(cx, lhs)?;
    if shape.scalar == Scalar::Bool {
        return binary_bool(cx, op, shape, lhs, rhs);
    }
    let [a, b] = cx.ids([lhs, rhs])?;
    let ty = types::shape_ty(cx, shape)?;
    let simple = match op {
        BinaryOp::Add => Op::IAdd,
        BinaryOp::Sub => Op::ISub,
        BinaryOp::Mul => Op::IMul,
        BinaryOp::And => Op::BitwiseAnd,
        // LLVM turns `2 * i + 1` into an `or`, but drivers recognize addresses by their sums.
        BinaryOp::Or if has_no_bit_twice(&cx.function, lhs, rhs) => Op::IAdd,
        BinaryOp::Or => Op::BitwiseOr,
        BinaryOp::Xor => Op::BitwiseXor,
        BinaryOp::UDiv => return integers::unsigned_division(cx, Op::UDiv, shape, a, b, Some(rhs)),
        BinaryOp::URem => return integers::unsigned_division(cx, Op::UMod, shape, a, b, Some(rhs)),
        BinaryOp::SDiv => return integers::signed_division(cx, Op::SDiv, shape, a, b, rhs),
        BinaryOp::SRem => return integers::signed_division(cx, Op::SRem, shape, a, b, rhs),
        BinaryOp::Shl => return integers::shift(cx, Op::ShiftLeftLogical, shape, a, b, rhs),
        BinaryOp::LShr => return integers::shift(cx, Op::ShiftRightLogical, shape, a, b, rhs),
        BinaryOp::AShr => return integers::shift(cx, Op::ShiftRightArithmetic, shape, a, b, rhs),
        BinaryOp::FAdd => Op::FAdd,
        BinaryOp::FSub if is_minus_zero(cx, lhs) => {
            let id = cx.b.emit(Op::FNegate, ty, &[b]);
            types::mark_relaxed(cx, shape, id);
            return Ok(id);
        }
        BinaryOp::FSub => Op::FSub,
        BinaryOp::FMul => Op::FMul,
        BinaryOp::FDiv => Op::FDiv,
        BinaryOp::FRem => Op::FRem,
    };
    if op == BinaryOp::FDiv
        && fast_math.contains(FastMath::FAST)
        && let Some(quotient) = arithmetic::finite_quotient(cx, shape, a, rhs)?
    {
        return Ok(quotient);
    }
    let id = cx.b.emit(simple, ty, &[a, b]);
    if matches!(shape.scalar, Scalar::Float { .. }) {
        if !fast_math.contains(FastMath::FAST) || cx.input.has_quirk(Quirks::PRECISE) {
            arithmetic::no_contraction(cx, id);
        }
        types::mark_relaxed(cx, shape, id);
    }
    Ok(id)
}

/// Arithmetic modulo 2.
fn binary_bool(
    cx: &mut Context<'_>,
    op: BinaryOp,
    shape: Shape,
    lhs: ValueId,
    rhs: ValueId,
) -> Result<Id> {
    let [a, b] = cx.ids([lhs, rhs])?;
    let ty = types::shape_ty(cx, shape)?;
    let op = match op {
        BinaryOp::And | BinaryOp::Mul => Op::LogicalAnd,
        BinaryOp::Or => Op::LogicalOr,
        BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => {
            // `xor x, true` is how LLVM writes "not".
            for (known, other) in [(rhs, a), (lhs, b)] {
                if cx
                    .function
                    .constant_int(known)
                    .is_some_and(|value| value & 1 == 1)
                {
                    return Ok(cx.b.emit(Op::LogicalNot, ty, &[other]));
                }
            }
            Op::LogicalNotEqual
        }
        // A shift or division by 1 is undefined or gives x, so all of them become x.
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            return Ok(a);
        }
        BinaryOp::URem | BinaryOp::SRem => return Ok(cx.b.const_bool(false)),
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            return Err(Error::malformed("float arithmetic on i1"));
        }
    };
    Ok(cx.b.emit(op, ty, &[a, b]))
}

/// Whether a constant only has bits that a shift or a multiplication leaves zero: then `or` equals
/// `add`.
fn has_no_bit_twice(function: &FunctionState<'_>, value: ValueId, constant: ValueId) -> bool {
    let Some(constant) = function.constant_int(constant) else {
        return false;
    };
    let inst = match function.view.value(value).map(|value| value.def) {
        Some(ValueDef::Inst(inst)) => function.view.function.insts.get(inst),
        _ => None,
    };
    let zeros = match inst.map(|data| data.inst) {
        Some(Inst::Binary {
            op: op @ (BinaryOp::Shl | BinaryOp::Mul),
            rhs,
            ..
        }) => match (op, function.constant_int(rhs)) {
            (BinaryOp::Shl, Some(places)) => places.min(63) as u32,
            (_, Some(factor)) if factor != 0 => factor.trailing_zeros(),
            _ => 0,
        },
        _ => 0,
    };
    // There is no narrower type, so the shift amount is exact.
    zeros < 8 && constant >> zeros == 0
}

fn is_minus_zero(cx: &Context<'_>, value: ValueId) -> bool {
    let Some(data) = cx.function.view.value(value) else {
        return false;
    };
    let ValueDef::Constant(Constant::Float(bits)) = data.def else {
        return false;
    };
    match cx.input.types().get(data.ty) {
        Type::Half => bits == 0x8000,
        Type::Float => bits == 0x8000_0000,
        Type::Double => bits == 1 << 63,
        _ => false,
    }
}

/// Returns a comparison.
pub(super) fn compare(
    cx: &mut Context<'_>,
    predicate: CmpPredicate,
    lhs: ValueId,
    rhs: ValueId,
) -> Result<Id> {
    use CmpPredicate::*;
    let mut shape = types::shape_of(cx, lhs)?;
    let ty = types::shape_ty(cx, shape.bool())?;
    let [mut a, mut b] = cx.ids([lhs, rhs])?;
    let op = match predicate {
        FFalse | FTrue => {
            let value = cx.b.const_bool(predicate == FTrue);
            return types::splat(cx, shape.bool(), value);
        }
        FOrd | FUno => {
            let a = arithmetic::is_nan(cx, shape, a)?;
            let b = arithmetic::is_nan(cx, shape, b)?;
            let either = cx.b.emit(Op::LogicalOr, ty, &[a, b]);
            return Ok(if predicate == FUno {
                either
            } else {
                cx.b.emit(Op::LogicalNot, ty, &[either])
            });
        }
        FOeq => Op::FOrdEqual,
        FOgt => Op::FOrdGreaterThan,
        FOge => Op::FOrdGreaterThanEqual,
        FOlt => Op::FOrdLessThan,
        FOle => Op::FOrdLessThanEqual,
        FOne => Op::FOrdNotEqual,
        FUeq => Op::FUnordEqual,
        FUgt => Op::FUnordGreaterThan,
        FUge => Op::FUnordGreaterThanEqual,
        FUlt => Op::FUnordLessThan,
        FUle => Op::FUnordLessThanEqual,
        FUne => Op::FUnordNotEqual,
        IEq if shape.scalar == Scalar::Bool => Op::LogicalEqual,
        INe if shape.scalar == Scalar::Bool => Op::LogicalNotEqual,
        IEq => Op::IEqual,
        INe => Op::INotEqual,
        IUgt => Op::UGreaterThan,
        IUge => Op::UGreaterThanEqual,
        IUlt => Op::ULessThan,
        IUle => Op::ULessThanEqual,
        ISgt => Op::SGreaterThan,
        ISge => Op::SGreaterThanEqual,
        ISlt => Op::SLessThan,
        ISle => Op::SLessThanEqual,
    };
    let signed = matches!(predicate, ISgt | ISge | ISlt | ISle);
    if shape.scalar == Scalar::Bool && !matches!(predicate, IEq | INe) {
        // Order of booleans: as numbers; true is -1 when signed.
        let number = shape.u32();
        let number_ty = types::shape_ty(cx, number)?;
        let one = types::const_int(cx, number, if signed { u64::MAX } else { 1 })?;
        let zero = types::const_int(cx, number, 0)?;
        a = cx.b.select(number_ty, a, one, zero);
        b = cx.b.select(number_ty, b, one, zero);
        shape = number;
    }
    if shape.scalar.is_widened() {
        if signed {
            a = integers::sign_extend(cx, shape, a)?;
            b = integers::sign_extend(cx, shape, b)?;
        } else {
            a = integers::zero_extend(cx, shape, a)?;
            b = integers::zero_extend(cx, shape, b)?;
        }
    }
    Ok(cx.b.emit(op, ty, &[a, b]))
}

/// `select`.
pub(super) fn select_value(
    cx: &mut Context<'_>,
    condition: ValueId,
    if_true: ValueId,
    if_false: ValueId,
) -> Result<Id> {
    let ty = cx.function.type_of(if_true)?;
    let [mut condition_id, a, b] = cx.ids([condition, if_true, if_false])?;
    if !matches!(
        cx.input.types().get(ty),
        Type::Int(_) | Type::Half | Type::Float | Type::Double | Type::Vector { .. }
    ) {
        if cx.b.version() < 0x0001_0400 && !types::is_object(&cx.input, ty) {
            return select_members(cx, ty, condition_id, a, b);
        }
        let ty = types::lower(cx, ty)?;
        return Ok(cx.b.select(ty, condition_id, a, b));
    }
    let shape = types::shape_of_type(cx, ty)?;
    if shape.count > 1 && types::shape_of(cx, condition)?.count == 1 {
        let bools = types::shape_ty(cx, shape.bool())?;
        let copies = [condition_id; 4];
        condition_id = cx.b.construct(bools, &copies[..shape.count as usize]);
    }
    let ty = types::shape_ty(cx, shape)?;
    let id = cx.b.select(ty, condition_id, a, b);
    types::mark_relaxed(cx, shape, id);
    Ok(id)
}

/// `select` of structs member by member, before SPIR-V could do it as a whole.
fn select_members(cx: &mut Context<'_>, ty: TypeId, condition: Id, a: Id, b: Id) -> Result<Id> {
    let mut members = Vec::new();
    for (index, &field) in types::fields(&cx.input, ty)?.iter().enumerate() {
        let field = types::lower(cx, field)?;
        let [a, b] = [a, b].map(|whole| cx.b.extract(field, whole, index as u32));
        members.push(cx.b.select(field, condition, a, b));
    }
    let ty = types::lower(cx, ty)?;
    Ok(cx.b.construct(ty, &members))
}

/// Lowers `extractvalue`.
pub(super) fn extract_value(
    cx: &mut Context<'_>,
    aggregate: ValueId,
    indices: List<u32>,
    ty: TypeId,
) -> Result<Value> {
    let indices = cx.function.view.function.indices_of(indices);
    if let (Value::Parts(parts), &[index]) = (cx.function.values.get(aggregate), indices) {
        return Ok(Value::Id(cx.part(parts, index as u32, ty)?));
    }
    let composite = cx.id(aggregate)?;
    let mut words = Vec::with_capacity(indices.len() + 1);
    words.push(composite.0);
    words.extend(indices.iter().map(|&index| index as u32));
    let ty = types::lower(cx, ty)?;
    Ok(Value::Id(cx.b.emit(Op::CompositeExtract, ty, &words)))
}

/// Lowers `insertvalue`.
pub(super) fn insert_value(
    cx: &mut Context<'_>,
    aggregate: ValueId,
    value: ValueId,
    indices: List<u32>,
    ty: TypeId,
) -> Result<Value> {
    let indices = cx.function.view.function.indices_of(indices);
    let [composite, object] = cx.ids([aggregate, value])?;
    let mut words = Vec::with_capacity(indices.len() + 2);
    words.extend([object.0, composite.0]);
    words.extend(indices.iter().map(|&index| index as u32));
    let ty = types::lower(cx, ty)?;
    Ok(Value::Id(cx.b.emit(Op::CompositeInsert, ty, &words)))
}

/// `extractelement`.
pub(super) fn extract_element(cx: &mut Context<'_>, vector: ValueId, index: ValueId) -> Result<Id> {
    let shape = types::shape_of(cx, vector)?;
    let id = cx.id(vector)?;
    if shape.count == 1 {
        return Ok(id);
    }
    let ty = types::scalar_ty(cx, shape.scalar)?;
    if let Some(index) = cx.function.constant_int(index) {
        let index = (index as u32).min(shape.count - 1);
        return Ok(cx.b.extract(ty, id, index));
    }
    let index = integers::to_u32(cx, index)?;
    Ok(cx.b.emit(Op::VectorExtractDynamic, ty, &[id, index]))
}

/// `insertelement`.
pub(super) fn insert_element(
    cx: &mut Context<'_>,
    vector: ValueId,
    element: ValueId,
    index: ValueId,
) -> Result<Id> {
    let shape = types::shape_of(cx, vector)?;
    let element = cx.id(element)?;
    if shape.count == 1 {
        return Ok(element);
    }
    let id = cx.id(vector)?;
    let ty = types::shape_ty(cx, shape)?;
    if let Some(index) = cx.function.constant_int(index) {
        let index = (index as u32).min(shape.count - 1);
        return Ok(cx
            .b
            .emit(Op::CompositeInsert, ty, &[element.0, id.0, index]));
    }
    let index = integers::to_u32(cx, index)?;
    Ok(cx
        .b
        .emit(Op::VectorInsertDynamic, ty, &[id, element, index]))
}

/// `shufflevector`.
pub(super) fn shuffle_vector(
    cx: &mut Context<'_>,
    a: ValueId,
    b: ValueId,
    mask: ValueId,
    ty: TypeId,
) -> Result<Id> {
    let from = types::shape_of(cx, a)?;
    let to = types::shape_of_type(cx, ty)?;
    let picks = shuffle_mask(&cx.function, mask, to.count)?;
    let [a, b] = cx.ids([a, b])?;
    let scalar = types::scalar_ty(cx, from.scalar)?;
    let mut elements = [Id::NONE; 4];
    for (element, pick) in elements.iter_mut().zip(&picks[..to.count as usize]) {
        *element = match *pick {
            Some(pick) => {
                let (vector, index) = if pick < from.count {
                    (a, pick)
                } else {
                    (b, (pick - from.count).min(from.count - 1))
                };
                if from.count == 1 {
                    vector
                } else {
                    cx.b.extract(scalar, vector, index)
                }
            }
            None => cx.b.undef(scalar),
        };
    }
    if to.count == 1 {
        return Ok(elements[0]);
    }
    let ty = types::shape_ty(cx, to)?;
    Ok(cx.b.construct(ty, &elements[..to.count as usize]))
}

fn shuffle_mask(
    function: &FunctionState<'_>,
    mask: ValueId,
    count: u32,
) -> Result<[Option<u32>; 4]> {
    let mut picks = [None; 4];
    let slots = &mut picks[..count as usize];
    match function.view.constant(mask) {
        Some(Constant::Undef) => {}
        Some(Constant::Null) => slots.fill(Some(0)),
        Some(Constant::Data(list)) => {
            let data = function.view.constant_data(mask, list);
            for (slot, &pick) in slots.iter_mut().zip(data) {
                *slot = Some(pick as u32);
            }
        }
        Some(Constant::Aggregate(list)) => {
            let elements = function.view.constant_elements(mask, list);
            for (slot, &element) in slots.iter_mut().zip(elements) {
                *slot = function.constant_int(element).map(|pick| pick as u32);
            }
        }
        _ => return Err(Error::malformed("a shuffle whose mask is not a constant")),
    }
    Ok(picks)
}
