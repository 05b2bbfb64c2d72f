//! Pointers as parameters of functions that are not inlined, and as arguments of their calls.

use dxil_frontend::ir::{Type, TypeId, ValueId, address_space};

use super::variables;
use crate::analysis::addresses::is_record_type;
use crate::lower::context::{Context, Input};
use crate::lower::graphs::records;
use crate::lower::memory::state::Pointer;
use crate::lower::memory::{addresses, variable_groups};
use crate::lower::types;
use crate::lower::values::LoweredValue;
use crate::spirv::{Builder, Id, Op, StorageClass};
use crate::{Error, Result};

/// An argument that was copied for a call.
#[derive(Debug, Clone, Copy)]
struct CopyBack {
    ty: Id,
    from: Id,
    to: Id,
}

/// Returns the SPIR-V type of a parameter: a pointer becomes one to the storage class of its
/// variables.
pub(in crate::lower) fn parameter_type(cx: &mut Context<'_>, ty: TypeId) -> Result<Id> {
    if is_record_type(cx.input.types(), ty) {
        return Ok(cx.b.uint(64));
    }
    match parameter_pointee(&cx.input, ty)? {
        Some((class, pointee)) => {
            let pointee = types::lower(cx, pointee)?;
            Ok(cx.b.pointer(class, pointee))
        }
        None => types::lower(cx, ty),
    }
}

/// Returns the value of a parameter in the function's body.
pub(in crate::lower) fn parameter_value(
    cx: &mut Context<'_>,
    ty: TypeId,
    id: Id,
) -> Result<LoweredValue> {
    if is_record_type(cx.input.types(), ty) {
        let pointer = records::record_pointer(&cx.input, id, ty)?;
        return Ok(LoweredValue::Pointer(cx.module.memory.add(pointer)));
    }
    Ok(match parameter_pointee(&cx.input, ty)? {
        Some((class, pointee)) => LoweredValue::Pointer(cx.module.memory.add(Pointer::Typed {
            id,
            pointee,
            array_element: None,
            class,
        })),
        None => LoweredValue::Id(id),
    })
}

fn parameter_pointee(input: &Input<'_>, ty: TypeId) -> Result<Option<(StorageClass, TypeId)>> {
    match *input.types().get(ty) {
        Type::Pointer {
            pointee,
            address_space: address_space::DEFAULT,
        } => Ok(Some((StorageClass::Function, pointee))),
        Type::Pointer {
            pointee,
            address_space: address_space::GROUP_SHARED,
        } => Ok(Some((StorageClass::Workgroup, pointee))),
        Type::Pointer { address_space, .. } => Err(Error::unsupported(format!(
            "a parameter that points into address space {address_space}"
        ))),
        _ => Ok(None),
    }
}

/// Returns an argument of a call. SPIR-V takes whole variables only, so the address of a part of
/// one is passed as a copy. Returns the argument, and the copy to write back after the call.
fn argument(cx: &mut Context<'_>, value: ValueId) -> Result<(Id, Option<CopyBack>)> {
    let ty = cx.function.type_of(value)?;
    if is_record_type(cx.input.types(), ty) {
        return Ok((cx.id(value)?, None));
    }
    let Some((want, _)) = parameter_pointee(&cx.input, ty)? else {
        return Ok((cx.id(value)?, None));
    };
    let pointer = addresses::lower_pointer(cx, value)?;
    let Pointer::Typed {
        id,
        pointee,
        array_element,
        class,
    } = variables::pointer_data(cx, pointer)?
    else {
        return Err(Error::unsupported(
            "a pointer into reinterpreted memory as an argument",
        ));
    };
    // Under logical addressing a pointer argument has to be a whole variable (SPIR-V specification,
    // "Universal Validation Rules"), not an access chain.
    if class == want && array_element.is_none() && cx.module.memory.is_variable(id) {
        return Ok((id, None));
    }
    // A copy of groupshared memory would hide the writes of other lanes from the function.
    if want != StorageClass::Function {
        return Err(Error::unsupported(
            "a part of a groupshared variable as an argument",
        ));
    }
    let ty = types::lower(cx, pointee)?;
    let copy = variable_groups::new_variable(cx, ty, StorageClass::Function, None)?;
    let now = cx.b.load(ty, id);
    cx.b.store(copy, now);
    Ok((
        copy,
        Some(CopyBack {
            ty,
            from: copy,
            to: id,
        }),
    ))
}

/// Lowers a call of a function that is not inlined.
pub(in crate::lower) fn call(
    cx: &mut Context<'_>,
    function: Id,
    args: &[ValueId],
    result: TypeId,
) -> Result<LoweredValue> {
    let mut words = Vec::with_capacity(args.len() + 1);
    words.push(function);
    let mut copies = Vec::new();
    for &arg in args {
        let (id, copy) = argument(cx, arg)?;
        words.push(id);
        copies.extend(copy);
    }
    let ty = types::lower(cx, result)?;
    let result = cx.b.emit(Op::FunctionCall, ty, &words);
    // The callee may discard lanes.
    cx.block.forget_lanes();
    for copy in copies {
        copy_back(&mut cx.b, copy);
    }
    Ok(LoweredValue::Id(result))
}

/// Copies an argument back after a call.
fn copy_back(b: &mut Builder, copy: CopyBack) {
    let value = b.load(copy.ty, copy.from);
    b.store(copy.to, value);
}
