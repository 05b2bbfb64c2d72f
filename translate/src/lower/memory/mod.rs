//! The memory of a shader and its thread group: variables, pointers, and barriers.

pub(super) mod accesses;
pub(super) mod addresses;
pub(super) mod array_rows;
pub(super) mod barrier;
mod bounds;
pub(super) mod cells;
mod group_order;
mod instructions;
pub(super) mod merged_pointers;
pub(super) mod parameters;
mod registers;
pub(super) mod state;
pub(super) mod variable_groups;
pub(super) mod variables;

use dxil_frontend::dxil::ops::{BarrierOp, MemoryTypes, RegisterOp};
use dxil_frontend::ir::{InstData, InstId};

use crate::Result;
use crate::lower::context::Context;
use crate::lower::graphs::nodes;
use crate::lower::values::{Call, LoweredValue};

/// Lowers accesses to register files.
pub(super) fn lower_register(
    cx: &mut Context<'_>,
    call: &Call,
    op: &RegisterOp,
) -> Result<LoweredValue> {
    match op {
        RegisterOp::TempRegLoad(op) => registers::load(cx, call, op.index),
        RegisterOp::TempRegStore(op) => registers::store(cx, op),
        RegisterOp::MinPrecXRegLoad(op) => registers::load_indexable(cx, call, op),
        RegisterOp::MinPrecXRegStore(op) => registers::store_indexable(cx, op),
    }
}

/// Lowers barriers.
pub(super) fn lower_barrier(cx: &mut Context<'_>, op: &BarrierOp) -> Result<LoweredValue> {
    match op {
        BarrierOp::Barrier(op) => barrier::by_mode(cx, op.mode),
        BarrierOp::BarrierByMemoryType(op) => barrier::by_memory(cx, op.memory, op.semantics),
        BarrierOp::BarrierByMemoryHandle(op) => {
            barrier::by_memory(cx, MemoryTypes::UAV, op.semantics)
        }
        BarrierOp::BarrierByNodeRecordHandle(op) => nodes::barrier_by_record(cx, op),
    }
}

/// Lowers LLVM's memory instructions.
pub(super) fn lower_instruction(
    cx: &mut Context<'_>,
    inst: InstId,
    data: &InstData,
) -> Result<LoweredValue> {
    instructions::lower(cx, inst, data)
}
