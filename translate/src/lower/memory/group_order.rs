//! Barriers for shaders without them, whose thread groups are one wave and which assume that its
//! lanes run in lockstep: between reads, writes and atomics of group-shared memory, among the
//! active lanes. A barrier of the whole group could hang, since not all of its lanes need to reach
//! it.

use dxil_frontend::ir::{Type, ValueId, address_space};

use crate::lower::blocks;
use crate::lower::context::Context;
use crate::lower::memory::state::GroupAccess;
use crate::lower::waves::scope;
use crate::spirv::{MemorySemantics, Op};
use crate::{Quirks, Result};

impl GroupAccess {
    /// Returns the state at the beginning of the next block.
    pub(in crate::lower) fn in_next_block(self) -> GroupAccess {
        match self {
            // Blocks have several predecessors, so only the fact that there was an access is known.
            GroupAccess::None => GroupAccess::None,
            _ => GroupAccess::Some,
        }
    }
}

/// Synchronizes the lanes if this access is of another kind than the last one.
pub(super) fn order_group_access(
    cx: &mut Context<'_>,
    pointer: ValueId,
    access: GroupAccess,
) -> Result<()> {
    if !cx.input.has_quirk(Quirks::LOCKSTEP_GROUP_MEMORY) || !cx.input.has_groups() {
        return Ok(());
    }
    let ty = cx.function.type_of(pointer)?;
    let Type::Pointer { address_space, .. } = *cx.input.types().get(ty) else {
        return Ok(());
    };
    // Other address spaces are private to the lane.
    if address_space != address_space::GROUP_SHARED {
        return Ok(());
    }
    let before = std::mem::replace(&mut cx.block.group_access, access);
    // Accesses of one kind in a row need no order: lanes in lockstep make them at the same time.
    if before == GroupAccess::None || before == access {
        return Ok(());
    }
    blocks::leave_loop_header(cx);
    let scope = scope::subgroup_scope(cx);
    let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
    let semantics = cx.b.const_u32(semantics.bits());
    cx.b.emit_void(Op::ControlBarrier, &[scope, scope, semantics]);
    Ok(())
}
