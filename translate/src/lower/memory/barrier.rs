//! Barriers. D3D's modes name memory and scope; SPIR-V takes scopes and memory semantics.

use dxil_frontend::dxil::ops::{BarrierMode, BarrierSemantics, MemoryTypes};

use crate::lower::context::Context;
use crate::lower::memory::state::GroupAccess;
use crate::lower::values::LoweredValue;
use crate::spirv::{MemorySemantics, Op, Scope};
use crate::{Error, Result};

/// Lowers `barrier` of SM 6.0.
pub(super) fn by_mode(cx: &mut Context<'_>, mode: BarrierMode) -> Result<LoweredValue> {
    let uav = mode.intersects(BarrierMode::UAV_FENCE_GLOBAL | BarrierMode::UAV_FENCE_THREAD_GROUP);
    emit(
        cx,
        mode.contains(BarrierMode::SYNC_THREAD_GROUP),
        mode.contains(BarrierMode::UAV_FENCE_GLOBAL),
        uav,
        mode.contains(BarrierMode::TGSM_FENCE),
    )
}

/// Returns the barriers of SM 6.8 on kinds of memory.
pub(in crate::lower) fn by_memory(
    cx: &mut Context<'_>,
    memory: MemoryTypes,
    semantics: BarrierSemantics,
) -> Result<LoweredValue> {
    emit(
        cx,
        semantics.contains(BarrierSemantics::GROUP_SYNC),
        semantics.contains(BarrierSemantics::DEVICE_SCOPE),
        memory.intersects(MemoryTypes::UAV | MemoryTypes::NODE_INPUT | MemoryTypes::NODE_OUTPUT),
        memory.contains(MemoryTypes::GROUP_SHARED),
    )
}

fn emit(
    cx: &mut Context<'_>,
    synchronise: bool,
    device: bool,
    uav: bool,
    groupshared: bool,
) -> Result<LoweredValue> {
    let has_groups = cx.input.has_groups();
    if synchronise && !has_groups {
        let stage = cx.input.entry.kind.prefix();
        let what = format!("a barrier of the thread group in a {stage} shader");
        return Err(Error::unsupported(what));
    }
    // "All memory" includes groupshared memory also if there is none.
    let groupshared = groupshared && has_groups;
    let mut semantics = MemorySemantics::empty();
    // The quirk is for shaders that rely on barriers of the group to order UAV accesses that they
    // do not fence.
    let uav = uav || synchronise && cx.input.plan.orders_uavs;
    if uav {
        semantics |= MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
    }
    if groupshared {
        semantics |= MemorySemantics::WORKGROUP_MEMORY;
    }
    // Memory semantics without an order would have no effect, and an order without memory is
    // invalid.
    if !semantics.is_empty() {
        semantics |= MemorySemantics::ACQUIRE_RELEASE;
    }
    // A fence of groupshared memory never needs more than the group.
    let scope = if uav && (device || !has_groups) {
        Scope::Device
    } else {
        Scope::Workgroup
    };
    let workgroup = cx.b.const_u32(Scope::Workgroup as u32);
    let scope = cx.b.const_u32(scope as u32);
    let semantics_id = cx.b.const_u32(semantics.bits());
    if synchronise {
        // The barrier has ordered all accesses before, so the lockstep emulation begins anew.
        if groupshared {
            cx.block.group_access = GroupAccess::None;
        }
        cx.b.emit_void(Op::ControlBarrier, &[workgroup, scope, semantics_id]);
    } else if !semantics.is_empty() {
        cx.b.emit_void(Op::MemoryBarrier, &[scope, semantics_id]);
    }
    Ok(LoweredValue::Unset)
}

/// Synchronizes the group and makes its writes to group-shared memory visible.
pub(in crate::lower) fn group_barrier(cx: &mut Context<'_>) {
    let scope = cx.b.const_u32(Scope::Workgroup as u32);
    let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
    let semantics = cx.b.const_u32(semantics.bits());
    cx.b.emit_void(Op::ControlBarrier, &[scope, scope, semantics]);
}
