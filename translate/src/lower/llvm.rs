//! Plain LLVM instructions: comparisons, selections, aggregates, vectors.

use dxil_frontend::ir::{CmpPredicate, Constant, List, Type, TypeId, ValueId};

use super::types;
use crate::lower::context::{Context, FunctionState};
use crate::lower::numbers::{arithmetic, bits, integers};
use crate::lower::type_map::Scalar;
use crate::lower::values::LoweredValue;
use crate::spirv::{Id, Op};
use crate::{Error, Result};

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
            cx.module.special_floats = true;
            // SPIR-V's OpOrdered and OpUnordered need the capability Kernel.
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
    // A number differs from itself only if it is NaN.
    cx.module.special_floats |= lhs == rhs && matches!(predicate, FOeq | FUne);
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
    // Comparisons look at the upper bits, which are undefined in widened integers.
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

/// Lowers `select`.
pub(super) fn select_value(
    cx: &mut Context<'_>,
    condition: ValueId,
    if_true: ValueId,
    if_false: ValueId,
) -> Result<Id> {
    let ty = cx.function.type_of(if_true)?;
    let [mut condition_id, a, b] = cx.ids([condition, if_true, if_false])?;
    // OpSelect takes scalars and vectors only before SPIR-V 1.4.
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
    if let Some(position) = bits::turned_scan(cx, condition, if_true, if_false)? {
        return Ok(position);
    }
    let shape = types::shape_of_type(cx, ty)?;
    // Before SPIR-V 1.4 a scalar condition cannot choose between vectors.
    if shape.count > 1 && cx.b.version() < 0x0001_0400 && types::shape_of(cx, condition)?.count == 1
    {
        let bools = types::shape_ty(cx, shape.bool())?;
        condition_id = cx.b.construct(bools, &types::copies(condition_id, shape));
    }
    let ty = types::shape_ty(cx, shape)?;
    let id = cx.b.select(ty, condition_id, a, b);
    types::mark_relaxed(&mut cx.b, &cx.input, shape, id);
    Ok(id)
}

/// Lowers `select` of structs member by member, before SPIR-V could do it as a whole.
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
) -> Result<LoweredValue> {
    let indices = cx.function.view.function.indices_of(indices);
    // The whole of a struct of parts is often never needed: its members are known one by one.
    if let (LoweredValue::Parts(parts), &[index]) = (cx.function.values.get(aggregate), indices) {
        return Ok(LoweredValue::Id(cx.part(parts, index as u32, ty)?));
    }
    let composite = cx.id(aggregate)?;
    let mut words = Vec::with_capacity(indices.len() + 1);
    words.push(composite.0);
    words.extend(indices.iter().map(|&index| index as u32));
    let ty = types::lower(cx, ty)?;
    Ok(LoweredValue::Id(cx.b.emit(
        Op::CompositeExtract,
        ty,
        &words,
    )))
}

/// Lowers `insertvalue`.
pub(super) fn insert_value(
    cx: &mut Context<'_>,
    aggregate: ValueId,
    value: ValueId,
    indices: List<u32>,
    ty: TypeId,
) -> Result<LoweredValue> {
    let indices = cx.function.view.function.indices_of(indices);
    let [composite, object] = cx.ids([aggregate, value])?;
    let mut words = Vec::with_capacity(indices.len() + 2);
    words.extend([object.0, composite.0]);
    words.extend(indices.iter().map(|&index| index as u32));
    let ty = types::lower(cx, ty)?;
    Ok(LoweredValue::Id(cx.b.emit(Op::CompositeInsert, ty, &words)))
}

/// Lowers `extractelement`.
pub(super) fn extract_element(cx: &mut Context<'_>, vector: ValueId, index: ValueId) -> Result<Id> {
    let shape = types::shape_of(cx, vector)?;
    let id = cx.id(vector)?;
    // A vector of one element is a scalar in SPIR-V, which has no vectors of one component.
    if shape.count == 1 {
        return Ok(id);
    }
    let ty = types::scalar_ty(cx, shape.scalar)?;
    if let Some(index) = cx.function.constant_int(index) {
        // LLVM leaves the result undefined for an index past the end; SPIR-V's instruction would be
        // invalid.
        let index = (index as u32).min(shape.count - 1);
        return Ok(cx.b.extract(ty, id, index));
    }
    let index = integers::to_u32(cx, index)?;
    Ok(cx.b.emit(Op::VectorExtractDynamic, ty, &[id, index]))
}

/// Lowers `insertelement`.
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
        // As for `extractelement`: an index past the end would make an invalid instruction.
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

/// Lowers `shufflevector`.
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
    let is_first = |pick: u32| pick < from.count;
    let first = cx.id(a)?;
    // An operand that gives no element need not exist.
    let second = if picks.iter().flatten().all(|&pick| is_first(pick)) {
        first
    } else {
        cx.id(b)?
    };
    if from.count > 1 && to.count > 1 {
        let mut words = vec![first.0, second.0];
        let last = 2 * from.count - 1;
        words.extend(picks.iter().map(|pick| match pick {
            Some(pick) => (*pick).min(last),
            // The component has no source and an undefined value (SPIR-V, "OpVectorShuffle").
            None => u32::MAX,
        }));
        let ty = types::shape_ty(cx, to)?;
        return Ok(cx.b.emit(Op::VectorShuffle, ty, &words));
    }
    let scalar = types::scalar_ty(cx, from.scalar)?;
    let mut elements = Vec::with_capacity(picks.len());
    for pick in picks {
        elements.push(match pick {
            Some(pick) => {
                let (vector, index) = if is_first(pick) {
                    (first, pick)
                } else {
                    (second, (pick - from.count).min(from.count - 1))
                };
                if from.count == 1 {
                    vector
                } else {
                    cx.b.extract(scalar, vector, index)
                }
            }
            None => cx.b.undef(scalar),
        });
    }
    match *elements {
        [only] => Ok(only),
        _ => {
            let ty = types::shape_ty(cx, to)?;
            Ok(cx.b.construct(ty, &elements))
        }
    }
}

/// Returns a vector of these elements; a constant if they are.
pub(super) fn vector_of(cx: &mut Context<'_>, elements: &[ValueId], ty: TypeId) -> Result<Id> {
    let is_constant = |&value: &ValueId| {
        let constant = cx.function.view.constant(value);
        !matches!(constant, None | Some(Constant::Expr(_)))
    };
    let are_constants = elements.iter().all(is_constant);
    let mut ids = Vec::with_capacity(elements.len());
    for &element in elements {
        ids.push(cx.id(element)?);
    }
    let ty = types::lower(cx, ty)?;
    Ok(if are_constants {
        cx.b.const_composite(ty, &ids)
    } else {
        cx.b.construct(ty, &ids)
    })
}

fn shuffle_mask(
    function: &FunctionState<'_>,
    mask: ValueId,
    count: u32,
) -> Result<Vec<Option<u32>>> {
    let mut picks = vec![None; count as usize];
    match function.view.constant(mask) {
        Some(Constant::Undef) => {}
        Some(Constant::Null) => picks.fill(Some(0)),
        Some(Constant::Data(list)) => {
            let data = function.view.constant_data(mask, list);
            for (slot, &pick) in picks.iter_mut().zip(data) {
                *slot = Some(pick as u32);
            }
        }
        Some(Constant::Aggregate(list)) => {
            let elements = function.view.constant_elements(mask, list);
            for (slot, &element) in picks.iter_mut().zip(elements) {
                *slot = function.constant_int(element).map(|pick| pick as u32);
            }
        }
        _ => return Err(Error::malformed("a shuffle whose mask is not a constant")),
    }
    Ok(picks)
}
