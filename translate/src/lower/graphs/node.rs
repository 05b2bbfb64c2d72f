//! The node that an entry point is.

use dxil_frontend::dxil::{Node, Stage};

use crate::Result;
use crate::lower::context::{Context, Input};
use crate::lower::signatures::inputs;
use crate::spirv::{MemorySemantics, Op, Scope};

/// Returns the node that the entry point is.
pub(super) fn current_node<'a>(input: &Input<'a>) -> Result<&'a Node> {
    match &input.entry.stage {
        Stage::Node(node) => Ok(node),
        _ => Err(inputs::stage_unsupported(input, "an operation of nodes")),
    }
}

/// Synchronizes the group and makes its writes to group-shared memory visible.
pub(super) fn group_barrier(cx: &mut Context<'_>) {
    cx.module.stage_io.convergent = true;
    let scope = cx.b.const_u32(Scope::Workgroup as u32);
    let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
    let semantics = cx.b.const_u32(semantics.bits());
    cx.b.emit_void(Op::ControlBarrier, &[scope, scope, semantics]);
}
