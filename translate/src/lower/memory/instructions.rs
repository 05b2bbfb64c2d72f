//! LLVM's memory instructions: allocations, loads, stores, addresses, atomics and fences.

use dxil_frontend::ir::{AtomicRmwOp, Inst, InstData, InstId, ValueId};

use super::state::{GroupAccess, Pointer};
use super::{accesses, addresses, array_rows, bounds, cells, group_order, variables};
use crate::analysis::constant_copies::CopiedWords;
use crate::lower::buffers;
use crate::lower::context::Context;
use crate::lower::graphs::records;
use crate::lower::numbers::results;
use crate::lower::resources::atomics;
use crate::lower::type_map::Scalar;
use crate::lower::values::LoweredValue;
use crate::lower::{blocks, types};
use crate::options::Features;
use crate::spirv::{Capability, Id, MemorySemantics, Op, Scope, StorageClass};
use crate::{Error, ErrorKind, Result};

/// Lowers a memory instruction. Returns what its result becomes.
pub(super) fn lower(cx: &mut Context<'_>, inst: InstId, data: &InstData) -> Result<LoweredValue> {
    Ok(match data.inst {
        Inst::Alloca {
            allocated, count, ..
        } => match data.result.expand() {
            Some(result) => variables::alloca(cx, result, allocated, count)?,
            None => LoweredValue::Unset,
        },
        Inst::Load { .. } if let Some((copy, index)) = copied_element(cx, inst) => {
            LoweredValue::Id(buffers::load_copied(cx, copy, index, data.ty)?)
        }
        Inst::Load { pointer, .. } => {
            group_order::order_group_access(cx, pointer, GroupAccess::Load)?;
            match array_rows::load(cx, inst, pointer)? {
                Some(component) => LoweredValue::Id(component),
                None => LoweredValue::Id(accesses::load(cx, pointer, data.ty)?),
            }
        }
        Inst::Store { .. } if cx.function.copies.is_some_and(|it| it.is_store(inst)) => {
            LoweredValue::Unset
        }
        Inst::Store { pointer, value, .. } => {
            group_order::order_group_access(cx, pointer, GroupAccess::Store)?;
            if !array_rows::store(cx, inst, pointer)? {
                accesses::store(cx, pointer, value)?;
            }
            LoweredValue::Unset
        }
        Inst::Gep { operands, .. } => {
            let operands = cx.function.view.function.values_of(operands);
            if array_rows::is_row_component(cx, operands) {
                LoweredValue::Unset
            } else {
                LoweredValue::Pointer(addresses::gep(cx, operands)?)
            }
        }
        Inst::AtomicRmw {
            op, pointer, value, ..
        } => {
            group_order::order_group_access(cx, pointer, GroupAccess::Atomic)?;
            LoweredValue::Id(atomic_rmw(cx, op, pointer, value)?)
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
            // DXIL has barriers of its own; a plain `fence` is ordered as widely as a thread group
            // needs.
            let scope = cx.b.const_u32(Scope::Workgroup as u32);
            let semantics = MemorySemantics::ACQUIRE_RELEASE
                | MemorySemantics::WORKGROUP_MEMORY
                | MemorySemantics::UNIFORM_MEMORY
                | MemorySemantics::IMAGE_MEMORY;
            let semantics = cx.b.const_u32(semantics.bits());
            cx.b.emit_void(Op::MemoryBarrier, &[scope, semantics]);
            LoweredValue::Unset
        }
        _ => return Err(Error::internal("no memory instruction")),
    })
}

/// Returns the words of a constant buffer that a load reads instead of its array, and the number of
/// the element.
fn copied_element(cx: &Context<'_>, load: InstId) -> Option<(CopiedWords, ValueId)> {
    cx.function.copies?.of_load(load)
}

/// Returns the SPIR-V pointer of an atomic operation, the width of the integer, and the scope of
/// the threads that share it.
fn atomic_pointer(cx: &mut Context<'_>, pointer: ValueId, value: ValueId) -> Result<(Id, u32, Id)> {
    let ty = cx.function.type_of(value)?;
    let Scalar::Int { bits, width } = types::scalar(cx, ty)? else {
        return Err(Error::unsupported("atomics on floats in memory"));
    };
    // Narrow integers live in wider words here, whose other bits an atomic must not touch.
    if bits != width || bits < 32 {
        return Err(Error::unsupported(format!("atomics on i{bits}")));
    }
    let pointer = addresses::lower_pointer(cx, pointer)?;
    let data = variables::pointer_data(cx, pointer)?;
    if bits == 64 {
        // A physical address or a group's variable each have a feature of their own.
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
    // Vulkan allows atomics on memory that invocations share (VUID-StandaloneSpirv-None-04686).
    if !matches!(
        data.class(),
        StorageClass::Workgroup
            | StorageClass::StorageBuffer
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::TaskPayloadWorkgroupEXT
    ) {
        return Err(Error::unsupported(
            "an atomic on a variable that one thread alone has",
        ));
    }
    // A group's memory is shared by the group only; a smaller scope is cheaper.
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
    // The atomic must not run outside of its array, not even on the clamped element.
    let part = guard.map(|inside| blocks::begin_if(cx, inside));
    let old = atomics::lower_atomic(cx, op, ty, [address, scope, relaxed, operand]);
    Ok(bounds::end_guarded(cx, part, ty, old))
}

fn compare_exchange(
    cx: &mut Context<'_>,
    pointer: ValueId,
    compare: ValueId,
    value: ValueId,
) -> Result<LoweredValue> {
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
    // LLVM returns the old value and whether it was the expected one; SPIR-V returns the old value.
    let success = cx.b.emit(Op::IEqual, bool_ty, &[old, compare]);
    Ok(results::pair(&mut cx.function, old, success))
}
