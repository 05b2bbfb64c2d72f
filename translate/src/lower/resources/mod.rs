//! Resources: their variables, handles, and the operations that all kinds of them share.

pub(super) mod atomics;
pub(super) mod choices;
mod counters;
mod descriptor_arrays;
mod descriptor_heaps;
pub(super) mod device_addresses;
pub(super) mod float_atomics;
pub(super) mod handle_values;
mod handles;
pub(super) mod heap_indices;
pub(super) mod heap_tables;
pub(super) mod large_buffers;
pub(super) mod layer_words;
pub(super) mod leaves;
pub(super) mod pointers;
pub(super) mod resource_variables;
pub(super) mod root_arguments;
pub(super) mod signature_notes;
pub(super) mod state;
pub(super) mod texel_access;

use dxil_frontend::dxil::ops::{HandleOp, ResourceAtomicOp};

use crate::Result;
use crate::lower::context::Context;
use crate::lower::values::{Call, LoweredValue};

/// Lowers the creation of handles.
pub(super) fn lower_handle(
    cx: &mut Context<'_>,
    call: &Call,
    op: &HandleOp,
) -> Result<LoweredValue> {
    match op {
        HandleOp::CreateHandle(op) => handles::create(cx, call, op),
        HandleOp::CreateHandleFromBinding(op) => handles::create_from_binding(cx, call, op),
        HandleOp::CreateHandleFromHeap(op) => handles::create_from_heap(cx, call, op),
        HandleOp::CreateHandleForLib(_) => handles::create_for_lib(cx, call),
        HandleOp::AnnotateHandle(op) => handles::annotate(cx, op),
    }
}

/// Lowers atomic operations on resources, and counters.
pub(super) fn lower_atomic(
    cx: &mut Context<'_>,
    call: &Call,
    op: &ResourceAtomicOp,
) -> Result<LoweredValue> {
    match op {
        ResourceAtomicOp::BufferUpdateCounter(op) => atomics::update_counter(cx, op),
        ResourceAtomicOp::AtomicBinOp(op) => atomics::bin_op(cx, call, op),
        ResourceAtomicOp::AtomicCompareExchange(op) => atomics::compare_exchange(cx, op),
    }
}
