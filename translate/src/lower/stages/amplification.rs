//! Amplification shaders: `dispatchMesh` and its payload.
//!
//! SPIR-V's instruction ends the invocation and must be the last of the entry point, D3D's is a
//! call that code may follow. So the shader's function only stores the numbers of groups, and an
//! entry point around it, where all threads have converged, starts the mesh shaders:
//!
//! ```text
//! entry: call shader; [thread 0 copies the payload]; OpEmitMeshTasksEXT counts payload
//! ```
//!
//! A payload that the shader only writes *is* the variable that mesh shaders see. One that is also
//! read, with which threads may communicate, stays in groupshared memory and is copied.

use dxil_frontend::dxil::ops::calls;
use dxil_frontend::dxil::{ShaderKind, Stage};
use dxil_frontend::ir::{FuncId, ValueId};

use crate::analysis::addresses::root_of;
use crate::lower::context::Context;
use crate::lower::memory::state::Pointer;
use crate::lower::memory::{addresses, variables};
use crate::lower::numbers::integers;
use crate::lower::signatures::inputs;
use crate::lower::stages::entry;
use crate::lower::types;
use crate::lower::values::LoweredValue;
use crate::spirv::{BuiltIn, Id, MemorySemantics, Op, Scope, StorageClass};
use crate::{Error, Result};

/// Lowers `dispatchMesh`: stores the numbers of groups.
pub(super) fn dispatch_mesh(
    cx: &mut Context<'_>,
    op: &calls::DispatchMesh,
) -> Result<LoweredValue> {
    if cx.input.entry.kind != ShaderKind::Amplification {
        return Err(inputs::stage_unsupported(&cx.input, "DispatchMesh"));
    }
    let word = cx.b.u32();
    let vector = cx.b.vector(word, 3);
    let mut counts = [Id::NONE; 3];
    for (count, value) in counts.iter_mut().zip(op.group_count) {
        *count = integers::to_u32(cx, value)?;
    }
    let value = cx.b.construct(vector, &counts);
    let variable = group_counts(cx);
    cx.b.store(variable, value);
    send_payload(cx, op.payload)?;
    Ok(LoweredValue::Unset)
}

/// Returns the variable with the numbers of groups: 0 until the shader sets them.
fn group_counts(cx: &mut Context<'_>) -> Id {
    if let Some(variable) = cx.module.payload.counts {
        return variable;
    }
    let word = cx.b.u32();
    let vector = cx.b.vector(word, 3);
    let none = cx.b.const_null(vector);
    let pointer = cx.b.pointer(StorageClass::Private, vector);
    let variable =
        cx.b.global_variable(StorageClass::Private, pointer, Some(none));
    cx.module.payload.counts = Some(variable);
    variable
}

fn send_payload(cx: &mut Context<'_>, payload: ValueId) -> Result<()> {
    let Stage::Amplification { payload_bytes } = cx.input.entry.stage else {
        return Ok(());
    };
    if payload_bytes == 0 {
        return Ok(());
    }
    let root = root_of(cx.function.view, payload);
    let pointer = addresses::lower_pointer(cx, payload)?;
    let (variable, ty, class) = match variables::pointer_data(cx, pointer)? {
        Pointer::Typed {
            id, pointee, class, ..
        } => (id, types::lower(cx, pointee)?, class),
        Pointer::Cells { cell, .. } => {
            let array = cell.array;
            let element = cx.b.uint(array.width);
            // A reinterpreted payload is an array of cells; its size comes from the stage's
            // properties.
            let count = payload_bytes.div_ceil(array.width / 8);
            (array.variable, cx.b.array(element, count), array.class)
        }
        Pointer::Address { .. } => {
            return Err(Error::malformed("a payload in a node's record"));
        }
    };
    // The shader's variable is the payload itself: nothing to copy.
    if root.is_some() && root == cx.input.analyses.payload.shared {
        cx.module.payload.sent = Some(variable);
        return Ok(());
    }
    let is_copied = root.is_some() && root == cx.input.analyses.payload.copied;
    // D3D12 has one call of DispatchMesh per shader (MeshShader, "DispatchMesh intrinsic"), but its
    // operand may be chosen. SPIR-V's payload is one variable.
    if cx.input.analyses.payload.shared.is_some()
        || (cx.input.analyses.payload.copied.is_some() && !is_copied)
    {
        return Err(Error::unsupported("a choice among several payloads"));
    }
    let sent = match cx.module.payload.sent {
        Some(sent) => sent,
        None => {
            let class = StorageClass::TaskPayloadWorkgroupEXT;
            let pointer = cx.b.pointer(class, ty);
            let sent = cx.b.global_variable(class, pointer, None);
            cx.module.payload.sent = Some(sent);
            sent
        }
    };
    // One thread sends what other threads wrote into groupshared memory.
    if is_copied {
        return Ok(());
    }
    // Each thread has its own numbers, which D3D requires to be equal; groupshared memory is common
    // to all.
    if class == StorageClass::Workgroup {
        let group = cx.b.const_u32(Scope::Workgroup as u32);
        let semantics = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::ACQUIRE_RELEASE;
        let semantics = cx.b.const_u32(semantics.bits());
        cx.b.emit_void(Op::ControlBarrier, &[group, group, semantics]);
    }
    cx.b.emit_void(Op::CopyMemory, &[sent, variable]);
    Ok(())
}

/// Returns the function that an amplification shader starts with.
pub(super) fn entry_point(cx: &mut Context<'_>, body: FuncId) -> Result<Id> {
    entry::wrap(cx, |cx| {
        // All threads have returned from the shader here, so the barrier in the copy is in uniform
        // control flow.
        entry::call_root(cx, body)?;
        if let (Some(shared), Some(sent)) =
            (cx.input.analyses.payload.copied, cx.module.payload.sent)
        {
            copy_payload(cx, shared, sent)?;
        }
        let word = cx.b.u32();
        let vector = cx.b.vector(word, 3);
        let counts = group_counts(cx);
        let counts = cx.b.load(vector, counts);
        let mut operands = Vec::with_capacity(4);
        for index in 0..3 {
            operands.push(cx.b.extract(word, counts, index));
        }
        operands.extend(cx.module.payload.sent);
        // The instruction ends the invocation, so it cannot be in the shader's own function.
        cx.b.emit_void(Op::EmitMeshTasksEXT, &operands);
        Ok(())
    })
}

/// Copies the payload in thread 0 when all threads have written it.
fn copy_payload(cx: &mut Context<'_>, shared: ValueId, sent: Id) -> Result<()> {
    let pointer = addresses::lower_pointer(cx, shared)?;
    let shared = match variables::pointer_data(cx, pointer)? {
        Pointer::Typed { id, .. } => id,
        Pointer::Cells { cell, .. } => cell.array.variable,
        Pointer::Address { .. } => {
            return Err(Error::malformed("a payload in a node's record"));
        }
    };
    let group = cx.b.const_u32(Scope::Workgroup as u32);
    let semantics = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::ACQUIRE_RELEASE;
    let semantics = cx.b.const_u32(semantics.bits());
    cx.b.emit_void(Op::ControlBarrier, &[group, group, semantics]);
    let thread = inputs::load_u32_built_in(cx, BuiltIn::LocalInvocationIndex);
    entry::only_first(cx, thread, |cx| {
        cx.b.emit_void(Op::CopyMemory, &[sent, shared]);
        Ok(())
    })
}
