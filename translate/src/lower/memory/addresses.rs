//! Address arithmetic: `getelementptr` and casts of pointers, in variables that keep their type and
//! in cells.

use dxil_frontend::ir::{CastOp, Constant, ConstantExpr, Inst, Type, TypeId, ValueDef, ValueId};

use smallvec::SmallVec;

use super::bounds::{self, Bounds};
use super::{cells, variables};
use crate::analysis::addresses::first_member_depth;
use crate::lower::context::{Context, Input};
use crate::lower::graphs::records;
use crate::lower::memory::array_rows;
use crate::lower::memory::state::{Pointer, PointerId};
use crate::lower::numbers::integers;
use crate::lower::types;
use crate::lower::values::LoweredValue;
use crate::spirv::{Builder, Id, StorageClass};
use crate::{Error, Result};

/// Lowers `getelementptr`: base pointer, then indices.
pub(super) fn gep(cx: &mut Context<'_>, operands: &[ValueId]) -> Result<PointerId> {
    // Arrays of vectors have their own addresses, which name a row and a component.
    if let Some(component) = array_rows::row_component(cx, operands)? {
        return Ok(cx.module.memory.add(component));
    }
    let Some((&base, indices)) = operands.split_first() else {
        return Err(Error::malformed("getelementptr without operands"));
    };
    let root = base;
    let base = lower_pointer(cx, base)?;
    let data = variables::pointer_data(cx, base)?;
    let mut own = bounds::bounds_of(cx, root, base, data.class());
    let bounds = &mut own;
    let pointer = match data {
        Pointer::Typed {
            id,
            pointee,
            array_element,
            class,
        } => typed_gep(cx, id, pointee, array_element, class, indices, bounds)?,
        Pointer::Cells { cell, pointee } => {
            cells::check_view(cell)?;
            let width = cell.array.width;
            let (index, pointee) = cell_gep(cx, cell.index, width, pointee, indices, bounds)?;
            let cell = bounds::within(cx, cell.array.at(index), pointee, bounds);
            Pointer::Cells { cell, pointee }
        }
        Pointer::Address { address, pointee } => {
            // Records lie at device addresses, where address arithmetic is arithmetic on integers.
            let (address, pointee) = records::address_gep(cx, address, pointee, indices)?;
            Pointer::Address { address, pointee }
        }
    };
    let pointer = cx.module.memory.add(pointer);
    cx.module.memory.guard(pointer, own.inside);
    Ok(pointer)
}

fn typed_gep(
    cx: &mut Context<'_>,
    mut id: Id,
    mut pointee: TypeId,
    mut array_element: Option<(Id, Id, u64)>,
    class: StorageClass,
    indices: &[ValueId],
    bounds: &mut Bounds,
) -> Result<Pointer> {
    let Some((&first, rest)) = indices.split_first() else {
        return Err(Error::malformed("getelementptr without indices"));
    };
    let mut past_the_end = None;
    // The first index moves the whole pointee; SPIR-V's access chains only step into it.
    if cx.function.constant_int(first) != Some(0) {
        if let Some((array, at, count)) = array_element {
            let step = integers::index_of(cx, first)?;
            let at = cx.b.u32_add(at, step);
            let at = bounds::bounded(cx, at, None, count, bounds);
            let ty = types::lower(cx, pointee)?;
            let pointer_ty = cx.b.pointer(class, ty);
            id = cx.b.access_chain(pointer_ty, array, &[at]);
            array_element = Some((array, at, count));
        } else if rest.is_empty() {
            return Err(Error::unsupported("pointer arithmetic outside of an array"));
        } else if !bounds::leave_variable(cx, first, bounds)? {
            past_the_end = Some(last_element(&mut cx.b, &cx.input, pointee)?);
        }
    }
    if rest.is_empty() {
        return Ok(Pointer::Typed {
            id,
            pointee,
            array_element,
            class,
        });
    }
    // All but the last index go into the address of the innermost aggregate, so that pointer
    // arithmetic on the last one stays possible; it costs nothing where there is just one.
    let mut chain: SmallVec<[Id; 4]> = SmallVec::with_capacity(rest.len());
    let mut count = 0;
    for &index in rest {
        count = element_count(&cx.input, pointee);
        let (element, index) = step_into(cx, pointee, index, bounds)?;
        pointee = element;
        chain.push(past_the_end.take().unwrap_or(index));
    }
    let ty = types::lower(cx, pointee)?;
    let pointer_ty = cx.b.pointer(class, ty);
    let address = cx.b.access_chain(pointer_ty, id, &chain);
    // Arithmetic on the last index restarts from the array: OpPtrAccessChain would need
    // VariablePointers.
    let array_element = match chain.as_slice() {
        [only] => Some((id, *only, count)),
        _ => None,
    };
    Ok(Pointer::Typed {
        id: address,
        pointee,
        array_element,
        class,
    })
}

/// Returns the index of the last element of a variable whose address is left by the first index of
/// a `getelementptr`. Compilers make such addresses of constant indices that are too large, in code
/// that rarely runs. Such accesses are undefined in D3D12; here they are clamped.
fn last_element(b: &mut Builder, input: &Input<'_>, variable: TypeId) -> Result<Id> {
    let Type::Array { count, .. } = input.types().get(variable) else {
        return Err(Error::unsupported("pointer arithmetic outside of an array"));
    };
    let last = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
    Ok(b.const_u32(last))
}

/// Returns the type and SPIR-V index of a member.
fn step_into(
    cx: &mut Context<'_>,
    ty: TypeId,
    index: ValueId,
    bounds: &mut Bounds,
) -> Result<(TypeId, Id)> {
    let (element, count) = match cx.input.types().get(ty) {
        Type::Array { element, count } => (*element, *count),
        Type::Vector { element, count } => (*element, u64::from(*count)),
        Type::Struct { fields, .. } => {
            let member = cx.function.constant_int(index).unwrap_or(u64::MAX);
            let field = usize::try_from(member).ok().and_then(|m| fields.get(m));
            // LLVM wants a constant as the index of a struct's field.
            let Some(&field) = field else {
                return Err(Error::malformed(
                    "getelementptr to a field that does not exist",
                ));
            };
            return Ok((field, cx.b.const_u32(member as u32)));
        }
        other => return Err(Error::malformed(format!("getelementptr into {other:?}"))),
    };
    let value = index;
    let index = integers::index_of(cx, index)?;
    let index = bounds::bounded(cx, index, Some(value), count, bounds);
    Ok((element, index))
}

/// Returns the number of elements of an array or vector, 1 for another type.
fn element_count(input: &Input<'_>, ty: TypeId) -> u64 {
    match *input.types().get(ty) {
        Type::Array { count, .. } => count,
        Type::Vector { count, .. } => u64::from(count),
        _ => 1,
    }
}

/// Returns the cell index and the type after `getelementptr`.
fn cell_gep(
    cx: &mut Context<'_>,
    mut cell: Id,
    width: u32,
    mut pointee: TypeId,
    indices: &[ValueId],
    bounds: &mut Bounds,
) -> Result<(Id, TypeId)> {
    let bytes = u64::from(width / 8);
    for (position, &index) in indices.iter().enumerate() {
        let mut count = None;
        if position > 0 {
            if let Type::Struct { fields, .. } = cx.input.types().get(pointee) {
                let member = cx.function.constant_int(index).unwrap_or(u64::MAX) as usize;
                let Some(&field) = fields.get(member) else {
                    return Err(Error::malformed(
                        "getelementptr to a field that does not exist",
                    ));
                };
                let offset =
                    cx.input
                        .analyses
                        .layout
                        .field_offset(cx.input.types(), pointee, member);
                if !offset.is_multiple_of(bytes) {
                    return Err(Error::unsupported("a field between two memory cells"));
                }
                let step = cx.b.const_u32((offset / bytes) as u32);
                cell = cx.b.u32_add(cell, step);
                pointee = field;
                continue;
            }
            pointee = match cx.input.types().get(pointee) {
                Type::Array {
                    element,
                    count: all,
                } => {
                    count = Some(*all);
                    *element
                }
                Type::Vector { element, .. } => *element,
                other => {
                    return Err(Error::malformed(format!("getelementptr into {other:?}")));
                }
            };
        }
        let size = cx.input.analyses.layout.size(cx.input.types(), pointee);
        let mut at = integers::index_of(cx, index)?;
        if let Some(count) = count {
            at = bounds::bounded(cx, at, Some(index), count, bounds);
        }
        // Sizes are multiples of a cell or divide it, since both are powers of two.
        let step = if size.is_multiple_of(bytes) {
            cx.b.u32_mul(at, (size / bytes) as u32)
        } else if bytes.is_multiple_of(size.max(1)) {
            // Byte arithmetic in wider cells: the whole offset is a multiple of a cell.
            cx.b.u32_shr(at, (bytes / size.max(1)).trailing_zeros())
        } else {
            return Err(Error::unsupported("an element between two memory cells"));
        };
        cell = cx.b.u32_add(cell, step);
    }
    Ok((cell, pointee))
}

/// Returns a pointer as a pointer to another type.
pub(in crate::lower) fn cast_pointer(
    cx: &mut Context<'_>,
    value: ValueId,
    to: TypeId,
) -> Result<PointerId> {
    let Some(target) = cx.input.types().pointee(to) else {
        return Err(Error::unsupported("a pointer as a number"));
    };
    let pointer = lower_pointer(cx, value)?;
    let mut guard = cx.module.memory.guard_of(pointer);
    let new = match variables::pointer_data(cx, pointer)? {
        Pointer::Cells { mut cell, pointee } => {
            let types = cx.input.types();
            let bits = |ty| types.scalar_bits(types.first_scalar(ty)).unwrap_or(0);
            let (from, to) = (bits(pointee), bits(target));
            let layout = &cx.input.analyses.layout;
            let is_small = to == 8 || to < 32 && layout.small_scalars_are_words();
            if from != to {
                cell.array.is_narrower_view = is_small && to < from;
            }
            let mut own = bounds::bounds_of(cx, value, pointer, cell.array.class);
            let cell = bounds::within(cx, cell, target, &mut own);
            guard = own.inside;
            Pointer::Cells {
                cell,
                pointee: target,
            }
        }
        Pointer::Address { address, .. } => Pointer::Address {
            address,
            pointee: target,
        },
        Pointer::Typed {
            id,
            pointee,
            array_element,
            class,
        } => match first_member_depth(cx.function.view, pointee, target) {
            Some(0) => Pointer::Typed {
                id,
                pointee: target,
                array_element,
                class,
            },
            Some(depth) => {
                let zero = cx.b.const_u32(0);
                let mut base = id;
                let mut inner = pointee;
                // The last level gets a chain of its own, so that arithmetic on it can continue
                // from its aggregate.
                for _ in 1..depth {
                    inner = first_member(&cx.input, inner)?;
                }
                if depth > 1 {
                    let ty = types::lower(cx, inner)?;
                    let pointer_ty = cx.b.pointer(class, ty);
                    base = cx.b.access_chain(pointer_ty, id, &vec![zero; depth - 1]);
                }
                let ty = types::lower(cx, target)?;
                let pointer_ty = cx.b.pointer(class, ty);
                Pointer::Typed {
                    id: cx.b.access_chain(pointer_ty, base, &[zero]),
                    pointee: target,
                    array_element: Some((base, zero, element_count(&cx.input, inner))),
                    class,
                }
            }
            // Only ignored calls (lifetimes) use such a pointer, or it would be in cells; a load
            // through it is refused where it happens.
            None => Pointer::Typed {
                id,
                pointee,
                array_element: None,
                class,
            },
        },
    };
    let new = cx.module.memory.add(new);
    cx.module.memory.guard(new, guard);
    Ok(new)
}

fn first_member(input: &Input<'_>, ty: TypeId) -> Result<TypeId> {
    match input.types().get(ty) {
        Type::Array { element, .. } | Type::Vector { element, .. } => Ok(*element),
        Type::Struct { fields, .. } => fields
            .first()
            .copied()
            .ok_or_else(|| Error::malformed("the first field of an empty struct")),
        other => Err(Error::malformed(format!("the first member of {other:?}"))),
    }
}

/// Message for pointers that lead to no variable.
const NO_VARIABLE: &str = "a pointer that is neither a variable nor an address in one";

/// Returns the pointer that an IR value is.
pub(in crate::lower) fn lower_pointer(cx: &mut Context<'_>, value: ValueId) -> Result<PointerId> {
    if let LoweredValue::Pointer(pointer) = cx.function.values.get(value) {
        return Ok(pointer);
    }
    // A value without a pointer was not lowered as an instruction: a global, a constant expression,
    // or an address that is written where it is used.
    let data = cx
        .function
        .view
        .value(value)
        .ok_or_else(|| Error::malformed(format!("{value} is not defined")))?;
    match data.def {
        ValueDef::Global(global) => variables::global_pointer(cx, global),
        ValueDef::Inst(inst) => match cx.function.view.function.insts.get(inst).map(|i| i.inst) {
            Some(Inst::Gep { operands, .. })
                if array_rows::is_row_component(
                    cx,
                    cx.function.view.function.values_of(operands),
                ) =>
            {
                gep(cx, cx.function.view.function.values_of(operands))
            }
            _ => Err(Error::unsupported(NO_VARIABLE)),
        },
        ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
            let operands = cx.function.view.constant_elements(value, operands);
            gep(cx, operands)
        }
        ValueDef::Constant(Constant::Expr(ConstantExpr::Cast {
            op: CastOp::Bitcast | CastOp::AddrSpaceCast,
            value: operand,
        })) => cast_pointer(cx, operand, data.ty),
        _ => Err(Error::unsupported(NO_VARIABLE)),
    }
}
