//! One instruction of the IR.

use dxil_frontend::dxil::ops::{self, Callee};
use dxil_frontend::ir::{
    AtomicRmwOp, CastOp, Constant, FuncId, Inst, InstData, InstId, Type, ValueDef, ValueId,
};

use super::memory::{group_order, variables};
use super::numbers::overflow::{self, Checked};
use super::types;
use crate::lower::context::Context;
use crate::lower::graphs::records;
use crate::lower::instrument::non_finite;
use crate::lower::memory::state::{GroupAccess, Pointer};
use crate::lower::memory::{
    accesses, addresses, bounds, cells, merged_pointers, parameters, shared_rows,
};
use crate::lower::numbers::{convert, half, results};
use crate::lower::resources::{atomics, choices};
use crate::lower::type_map::Scalar;
use crate::lower::values::{Call, Value};
use crate::lower::waves::quad;
use crate::lower::{blocks, llvm, source, vendor};
use crate::options::Features;
use crate::spirv::{Capability, Id, MemorySemantics, Op, Scope, StorageClass};
use crate::vendor::pseudo::PseudoOp;
use crate::{Error, ErrorKind, Result};

/// Lowers an instruction that is neither phi nor terminator.
pub(super) fn lower(cx: &mut Context<'_>, inst: InstId, data: &InstData) -> Result<()> {
    if let Some(result) = data.result.expand()
        && cx.function.names_resource(result)
    {
        return Ok(());
    }
    let value = match data.inst {
        Inst::Binary {
            op,
            fast_math,
            lhs,
            rhs,
        } => Value::Id(llvm::binary(cx, op, fast_math, lhs, rhs)?),
        Inst::Cast { op, value } => cast_instruction(cx, op, value, data)?,
        Inst::Cmp {
            predicate,
            lhs,
            rhs,
            ..
        } => Value::Id(llvm::compare(cx, predicate, lhs, rhs)?),
        Inst::Select {
            condition,
            if_true,
            if_false,
        } => match data.result.expand() {
            Some(result) if merged_pointers::is_pointer(cx, result) => {
                merged_pointers::select_pointer(cx, result, condition, if_true, if_false)?
            }
            _ => Value::Id(llvm::select_value(cx, condition, if_true, if_false)?),
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
        Inst::Alloca {
            allocated, count, ..
        } => match data.result.expand() {
            Some(result) => variables::alloca(cx, result, allocated, count)?,
            None => Value::Unset,
        },
        Inst::Load { pointer, .. } => {
            group_order::order_group_access(cx, pointer, GroupAccess::Load)?;
            match shared_rows::load(cx, inst, pointer)? {
                Some(component) => Value::Id(component),
                None => Value::Id(accesses::load(cx, pointer, data.ty)?),
            }
        }
        Inst::Store { pointer, value, .. } => {
            group_order::order_group_access(cx, pointer, GroupAccess::Store)?;
            if !shared_rows::store(cx, inst, pointer)? {
                accesses::store(cx, pointer, value)?;
            }
            Value::Unset
        }
        Inst::Gep { operands, .. } => {
            let operands = cx.function.view.function.values_of(operands);
            if shared_rows::is_shared_component(cx, operands) {
                Value::Unset
            } else {
                Value::Pointer(addresses::gep(cx, operands)?)
            }
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
            Value::Id(llvm::extract_element(cx, vector, index)?)
        }
        Inst::InsertElement {
            vector,
            value,
            index,
        } => Value::Id(llvm::insert_element(cx, vector, value, index)?),
        Inst::ShuffleVector { a, b, mask } => {
            Value::Id(llvm::shuffle_vector(cx, a, b, mask, data.ty)?)
        }
        Inst::AtomicRmw {
            op, pointer, value, ..
        } => {
            group_order::order_group_access(cx, pointer, GroupAccess::Atomic)?;
            Value::Id(atomic_rmw(cx, op, pointer, value)?)
        }
        Inst::CmpXchg {
            pointer,
            compare,
            value,
            ..
        } => {
            group_order::order_group_access(cx, pointer, GroupAccess::Atomic)?;
            compare_exchange(cx, pointer, compare, value)?
        }
        Inst::Fence { .. } => {
            let scope = cx.b.const_u32(Scope::Workgroup as u32);
            let semantics = MemorySemantics::ACQUIRE_RELEASE
                | MemorySemantics::WORKGROUP_MEMORY
                | MemorySemantics::UNIFORM_MEMORY
                | MemorySemantics::IMAGE_MEMORY;
            let semantics = cx.b.const_u32(semantics.bits());
            cx.b.emit_void(Op::MemoryBarrier, &[scope, semantics]);
            Value::Unset
        }
        Inst::Phi { .. }
        | Inst::Ret { .. }
        | Inst::Br { .. }
        | Inst::CondBr { .. }
        | Inst::Switch { .. }
        | Inst::Unreachable => return Err(Error::internal("control flow as an instruction")),
    };
    if let Some(result) = data.result.expand()
        && value != Value::Unset
    {
        let computes = matches!(
            data.inst,
            Inst::Binary { .. } | Inst::Cast { .. } | Inst::Call { .. }
        );
        let value = match value {
            Value::Id(id) if cx.module.types.rounded_half && computes => {
                match types::shape_of_type(cx, data.ty) {
                    Ok(shape) => Value::Id(half::round_half(cx, shape, id)?),
                    Err(_) => value,
                }
            }
            value => value,
        };
        let value = non_finite::watched_result(cx, data.ty, value)?;
        cx.function.values.set(result, value);
        // A phi can only name a value: the struct is constructed here.
        if matches!(value, Value::Parts(_)) && cx.function.values.is_whole(result) {
            let whole = cx.id(result)?;
            cx.function.values.set(result, Value::Id(whole));
        }
    }
    Ok(())
}

fn cast_instruction(
    cx: &mut Context<'_>,
    op: CastOp,
    value: ValueId,
    data: &InstData,
) -> Result<Value> {
    let is_pointer = matches!(cx.input.types().get(data.ty), Type::Pointer { .. });
    if is_pointer && matches!(op, CastOp::Bitcast | CastOp::AddrSpaceCast) {
        return Ok(Value::Pointer(addresses::cast_pointer(cx, value, data.ty)?));
    }
    Ok(Value::Id(convert::cast(cx, op, value, data.ty)?))
}

fn lower_call(
    cx: &mut Context<'_>,
    callee: ValueId,
    args: &[ValueId],
    mut call: Call,
) -> Result<Value> {
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
            Ok(Value::Unset)
        }
        Callee::DxOp(overload) => {
            call.overload = overload;
            let op = ops::decode(cx.function.view, args)?;
            check_callee(cx, function, &op, overload)?;
            non_finite::watch_written(cx, &op)?;
            quad::assume_whole_quads(cx, &op);
            choices::op_on_choices(cx, &call, &op)
        }
        Callee::Function => {
            let Some(&id) = cx.module.functions.get(&function) else {
                let name = cx
                    .function
                    .view
                    .module
                    .functions
                    .get(function)
                    .map_or("?", |decl| &decl.name);
                if let Some(what) = Checked::named(name) {
                    return overflow::checked(cx, what, args);
                }
                if let Some(op) = PseudoOp::named(name) {
                    return vendor::pseudo_operation(cx, op, args, call.ty);
                }
                // The byte 1 marks names that LLVM must not mangle.
                let name = name.trim_start_matches('\u{1}');
                return Err(Error::unsupported(format!(
                    "a call of the undefined function {name}"
                )));
            };
            let mut words = Vec::with_capacity(args.len() + 1);
            words.push(id);
            let mut copies = Vec::new();
            for &arg in args {
                let (id, copy) = parameters::argument(cx, arg)?;
                words.push(id);
                copies.extend(copy);
            }
            let ty = types::lower(cx, call.ty)?;
            let result = cx.b.emit(Op::FunctionCall, ty, &words);
            cx.block.forget_lanes();
            for copy in copies {
                parameters::copy_back(&mut cx.b, copy);
            }
            Ok(Value::Id(result))
        }
    }
}

/// Returns the SPIR-V pointer of an atomic operation, the width of the integer, and the scope of
/// the threads that share it.
fn atomic_pointer(cx: &mut Context<'_>, pointer: ValueId, value: ValueId) -> Result<(Id, u32, Id)> {
    let ty = cx.function.type_of(value)?;
    let Scalar::Int { bits, width } = types::scalar(cx, ty)? else {
        return Err(Error::unsupported("atomics on floats in memory"));
    };
    if bits != width || bits < 32 {
        return Err(Error::unsupported(format!("atomics on i{bits}")));
    }
    let pointer = addresses::lower_pointer(cx, pointer)?;
    let data = variables::pointer_data(cx, pointer)?;
    if bits == 64 {
        cx.b.capability(Capability::Int64Atomics);
        let has = cx
            .input
            .options
            .target
            .features
            .contains(Features::SHARED_INT64_ATOMICS);
        if data.class() == StorageClass::Workgroup && !has {
            return Err(Error::new(ErrorKind::TargetLacks {
                feature: "shaderSharedInt64Atomics",
                user: "a 64-bit atomic on groupshared memory".to_owned(),
            }));
        }
    }
    let id = match data {
        Pointer::Typed { id, .. } => id,
        Pointer::Address { address, .. } => {
            let has = cx.input.has(Features::BUFFER_INT64_ATOMICS);
            if bits == 64 && !has {
                return Err(Error::new(ErrorKind::TargetLacks {
                    feature: "shaderBufferInt64Atomics",
                    user: "a 64-bit atomic on a node's record".to_owned(),
                }));
            }
            let ty = cx.b.uint(width);
            records::scalar_at(cx, address, ty)
        }
        Pointer::Cells { cell, .. } if cell.array.width == width => {
            cells::cell_address(&mut cx.b, cell)
        }
        Pointer::Cells { .. } => {
            return Err(Error::unsupported(
                "an atomic on memory that is also accessed as a smaller type",
            ));
        }
    };
    if data.class() == StorageClass::Function {
        return Err(Error::unsupported("an atomic on a local variable"));
    }
    let scope = match data.class() {
        StorageClass::PhysicalStorageBuffer => Scope::Device,
        _ => Scope::Workgroup,
    };
    Ok((id, width, cx.b.const_u32(scope as u32)))
}

fn atomic_rmw(
    cx: &mut Context<'_>,
    op: AtomicRmwOp,
    pointer: ValueId,
    value: ValueId,
) -> Result<Id> {
    let (address, width, scope) = atomic_pointer(cx, pointer, value)?;
    let operand = cx.id(value)?;
    let guard = accesses::guard_of_value(cx, pointer)?;
    let op = match op {
        AtomicRmwOp::Xchg => Op::AtomicExchange,
        AtomicRmwOp::Add => Op::AtomicIAdd,
        AtomicRmwOp::Sub => Op::AtomicISub,
        AtomicRmwOp::And => Op::AtomicAnd,
        AtomicRmwOp::Or => Op::AtomicOr,
        AtomicRmwOp::Xor => Op::AtomicXor,
        AtomicRmwOp::Max => Op::AtomicSMax,
        AtomicRmwOp::Min => Op::AtomicSMin,
        AtomicRmwOp::UMax => Op::AtomicUMax,
        AtomicRmwOp::UMin => Op::AtomicUMin,
        AtomicRmwOp::Nand => return Err(Error::unsupported("atomicrmw nand")),
    };
    let ty = cx.b.uint(width);
    // D3D's atomics have relaxed memory order.
    let relaxed = cx.b.const_u32(0);
    let part = guard.map(|inside| blocks::begin_if(cx, inside));
    let old = atomics::lower_atomic(cx, op, ty, [address, scope, relaxed, operand]);
    Ok(bounds::end_guarded(cx, part, ty, old))
}

fn compare_exchange(
    cx: &mut Context<'_>,
    pointer: ValueId,
    compare: ValueId,
    value: ValueId,
) -> Result<Value> {
    let (address, width, scope) = atomic_pointer(cx, pointer, value)?;
    let [compare, value] = cx.ids([compare, value])?;
    let ty = cx.b.uint(width);
    let relaxed = cx.b.const_u32(0);
    let part = accesses::guard_of_value(cx, pointer)?.map(|inside| blocks::begin_if(cx, inside));
    let old = cx.b.emit(
        Op::AtomicCompareExchange,
        ty,
        &[address, scope, relaxed, relaxed, value, compare],
    );
    let old = bounds::end_guarded(cx, part, ty, old);
    let bool_ty = cx.b.bool();
    let success = cx.b.emit(Op::IEqual, bool_ty, &[old, compare]);
    Ok(results::pair(&mut cx.function, old, success))
}

/// Checks that the called function has the types of the operation. Otherwise the SPIR-V instruction
/// would get operands of the wrong type.
fn check_callee(
    cx: &Context<'_>,
    function: FuncId,
    op: &ops::Op,
    overload: ops::Overload,
) -> Result<()> {
    let opcode = op.opcode();
    let decl = cx.function.view.module.functions.get(function);
    let name = decl.map_or("", |decl| &decl.name);
    if opcode.is_called_by(name) && opcode.properties().overloads.allows(overload) {
        return Ok(());
    }
    Err(Error::malformed(format!(
        "operation {} is called through {name}",
        opcode.name()
    )))
}
