//! One instruction of the IR.

use dxil_frontend::dxil::ops::{self, Callee, Opcode};
use dxil_frontend::ir::{
    CastOp, Constant, FuncId, Inst, InstData, InstId, Module, Type, ValueDef, ValueId,
};

use super::memory;
use super::numbers::overflow::{self, CheckedOperation};
use super::types;
use crate::lower::context::Context;
use crate::lower::instrument::non_finite;
use crate::lower::memory::{addresses, merged_pointers, parameters};
use crate::lower::numbers::{binary, convert, half, sums};
use crate::lower::resources::choices;
use crate::lower::signatures::output_rows;
use crate::lower::values::{Call, LoweredValue};
use crate::lower::waves::quad;
use crate::lower::{llvm, pseudo_operations, source};
use crate::pseudo::{PseudoCall, PseudoOp};
use crate::{Error, Result};

/// Lowers an instruction that is neither phi nor terminator.
pub(super) fn lower(cx: &mut Context<'_>, inst: InstId, data: &InstData) -> Result<()> {
    let sums = cx.function.sums;
    if sums.is_some_and(|sums| sums.is_part(inst)) {
        return Ok(());
    }
    let value = match data.inst {
        Inst::Binary { .. } | Inst::Call { .. }
            if let Some(sum) = sums.and_then(|sums| sums.of(inst)) =>
        {
            LoweredValue::Id(sums::lower(cx, sum)?)
        }
        Inst::Binary { .. } if let Some(same) = sums.and_then(|sums| sums.same_as(inst)) => {
            LoweredValue::Id(cx.id(same)?)
        }
        Inst::Binary {
            op,
            fast_math,
            lhs,
            rhs,
        } => LoweredValue::Id(binary::lower(cx, op, fast_math, lhs, rhs)?),
        Inst::Load { .. } | Inst::Gep { .. } | Inst::Cast { .. } if names_resource(cx, data) => {
            return Ok(());
        }
        Inst::Cast { op, value } => cast_instruction(cx, op, value, data)?,
        Inst::Cmp {
            predicate,
            lhs,
            rhs,
            ..
        } => LoweredValue::Id(llvm::compare(cx, predicate, lhs, rhs)?),
        Inst::Select {
            condition,
            if_true,
            if_false,
        } => match data.result.expand() {
            Some(result) if merged_pointers::is_pointer(cx, result) => {
                merged_pointers::select_pointer(cx, result, condition, if_true, if_false)?
            }
            _ => LoweredValue::Id(llvm::select_value(cx, condition, if_true, if_false)?),
        },
        Inst::Call { callee, args, .. } => {
            let args = cx.function.view.function.values_of(args);
            let call = Call {
                inst,
                result: data.result.expand(),
                ty: data.ty,
                overload: ops::Overload::Void,
            };
            lower_call(cx, callee, args, call)?
        }
        Inst::ExtractValue { aggregate, indices } => {
            llvm::extract_value(cx, aggregate, indices, data.ty)?
        }
        Inst::InsertValue {
            aggregate,
            value,
            indices,
        } => llvm::insert_value(cx, aggregate, value, indices, data.ty)?,
        Inst::ExtractElement { vector, index } => {
            LoweredValue::Id(llvm::extract_element(cx, vector, index)?)
        }
        Inst::InsertElement {
            vector,
            value,
            index,
        } => LoweredValue::Id(llvm::insert_element(cx, vector, value, index)?),
        Inst::ShuffleVector { a, b, mask } => {
            LoweredValue::Id(llvm::shuffle_vector(cx, a, b, mask, data.ty)?)
        }
        Inst::Alloca { .. }
        | Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::Gep { .. }
        | Inst::AtomicRmw { .. }
        | Inst::CmpXchg { .. }
        | Inst::Fence { .. } => memory::lower_instruction(cx, inst, data)?,
        Inst::Phi { .. }
        | Inst::Ret { .. }
        | Inst::Br { .. }
        | Inst::CondBr { .. }
        | Inst::Switch { .. }
        | Inst::Unreachable => return Err(Error::internal("control flow as an instruction")),
    };
    if let Some(result) = data.result.expand()
        && value != LoweredValue::Unset
    {
        // Only these compute; loads and phis pass halves on that are rounded already.
        let computes = cx.module.types.rounded_half
            && matches!(
                data.inst,
                Inst::Binary { .. } | Inst::Cast { .. } | Inst::Call { .. }
            );
        let value = match value {
            LoweredValue::Id(id) if computes => match types::shape_of_type(cx, data.ty) {
                Ok(shape) => LoweredValue::Id(half::round_half(cx, shape, id)?),
                Err(_) => value,
            },
            value => value,
        };
        // After rounding, so that the check sees the value that the shader goes on with.
        let value = non_finite::watched_result(cx, data.ty, value)?;
        cx.function.values.set(result, value);
        // A phi can only name a value: the struct is constructed here.
        if matches!(value, LoweredValue::Parts(_)) && cx.function.values.is_whole(result) {
            let whole = cx.id(result)?;
            cx.function.values.set(result, LoweredValue::Id(whole));
        }
    }
    Ok(())
}

/// Returns whether an instruction only names a resource of a library: it needs no code.
fn names_resource(cx: &Context<'_>, data: &InstData) -> bool {
    let result = data.result.expand();
    result.is_some_and(|result| cx.function.names_resource(result))
}

fn cast_instruction(
    cx: &mut Context<'_>,
    op: CastOp,
    value: ValueId,
    data: &InstData,
) -> Result<LoweredValue> {
    let is_pointer = matches!(cx.input.types().get(data.ty), Type::Pointer { .. });
    if is_pointer && matches!(op, CastOp::Bitcast | CastOp::AddrSpaceCast) {
        return Ok(LoweredValue::Pointer(addresses::cast_pointer(
            cx, value, data.ty,
        )?));
    }
    Ok(LoweredValue::Id(convert::cast(cx, op, value, data.ty)?))
}

fn lower_call(
    cx: &mut Context<'_>,
    callee: ValueId,
    args: &[ValueId],
    mut call: Call,
) -> Result<LoweredValue> {
    let function = match cx.function.view.value(callee).map(|data| data.def) {
        Some(ValueDef::Function(function)) => function,
        Some(ValueDef::Constant(Constant::Undef)) => {
            return Err(Error::malformed("a call of an undefined function"));
        }
        _ => return Err(Error::unsupported("a call through a pointer")),
    };
    match cx.input.shader.callees[function] {
        Callee::Ignored => {
            if cx.source.is_some() {
                source::declare_variable(cx, call.inst);
            }
            Ok(LoweredValue::Unset)
        }
        Callee::DxOp(overload) => {
            call.overload = overload;
            let opcode = ops::decode_opcode(cx.function.view, args)?;
            // Decoding checks the operands once; lowering relies on their types and ranges.
            let decoded;
            let op = match cx.function.plan.and_then(|plan| plan.operation(call.inst)) {
                Some(op) => op,
                None => {
                    decoded = ops::decode_known(cx.function.view, opcode, args)?;
                    &decoded
                }
            };
            if cx.module.checked_callees.get(function) != Some(&Some(opcode)) {
                check_callee(cx.function.view.module, function, opcode, overload)?;
                cx.module.checked_callees[function] = Some(opcode);
            }
            // Before the operation, whose result would be too late for what it writes.
            non_finite::watch_written(cx, op)?;
            quad::assume_whole_quads(cx, op);
            choices::op_on_choices(cx, &call, op)
        }
        Callee::Function => {
            // A function without a body is an intrinsic, or a pseudo-operation of a vendor's
            // extension.
            let Some(id) = cx.module.functions[function] else {
                let name = cx
                    .function
                    .view
                    .module
                    .functions
                    .get(function)
                    .map_or("?", |decl| &decl.name);
                if let Some(what) = CheckedOperation::named(name) {
                    return overflow::checked(cx, what, args);
                }
                if let Some(op) = PseudoOp::named(name) {
                    let op = PseudoCall::decode(cx.function.view, op, args)?;
                    return pseudo_operations::lower(cx, op, &call);
                }
                // The byte 1 marks names that LLVM must not mangle.
                let name = name.trim_start_matches('\u{1}');
                return Err(Error::unsupported(format!(
                    "a call of the undefined function {name}"
                )));
            };
            // The callee may read or emit the outputs.
            output_rows::store_waiting(cx)?;
            parameters::call(cx, id, args, call.ty)
        }
    }
}

/// Checks that the called function has the types of the operation. Otherwise the SPIR-V instruction
/// would get operands of the wrong type.
fn check_callee(
    module: &Module,
    function: FuncId,
    opcode: Opcode,
    overload: ops::Overload,
) -> Result<()> {
    let decl = module.functions.get(function);
    let name = decl.map_or("", |decl| &decl.name);
    if opcode.may_be_called_by(name) && opcode.properties().overloads.allows(overload) {
        return Ok(());
    }
    Err(Error::malformed(format!(
        "operation {} is called through {name}",
        opcode.name()
    )))
}
