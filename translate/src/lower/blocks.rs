//! Control flow that a single operation needs: a condition around a store, a small loop.
//!
//! Such code splits its block. Phis of later blocks name their predecessors, so the lowering keeps
//! the current label. A loop header cannot be split, because its merge instruction is its second
//! last one (SPIR-V specification, "Structured Control Flow"): the merge instruction is written
//! first, and the header's code continues in a separate block.

use crate::lower::block_state::{BlockState, Lanes};
use crate::lower::context::Context;
use crate::lower::source;
use crate::spirv::{Id, LoopControl, Op};

impl BlockState {
    /// Returns the known facts about the lanes of this block.
    pub(super) fn lanes(&mut self) -> &mut Lanes {
        // Another block may run with other lanes, so facts do not pass from block to block.
        if self.lanes.label != self.label {
            self.lanes = Lanes {
                label: self.label,
                ..Lanes::default()
            };
        }
        &mut self.lanes
    }

    /// Forgets the known facts about lanes: some may be helpers now.
    pub(super) fn forget_lanes(&mut self) {
        self.lanes = Lanes::default();
    }
}

/// A conditional part that has been begun.
#[must_use]
pub(super) struct If {
    before: Id,
    merge: Id,
}

/// A loop that has been begun. Its body is one block after the header.
#[must_use]
pub(super) struct OpenLoop {
    header: Id,
    continue_target: Id,
    merge: Id,
}

/// Ends a loop header, so that the code that follows may branch.
pub(super) fn leave_loop_header(cx: &mut Context<'_>) {
    if let Some(mut operands) = cx.block.loop_merge.take() {
        let header = cx.block.label;
        // A loop of one block is its own continue target. After the split the back edge leaves from
        // another block, and the continue target must not be the header any more.
        if operands[1] == header.0 {
            let target = cx.b.fresh();
            operands[1] = target.0;
            cx.block.own_continue = Some((header, target));
        }
        cx.b.emit_void(Op::LoopMerge, &operands);
        let next = cx.b.fresh();
        cx.b.emit_void(Op::Branch, &[next]);
        // OpLine ends with its block (SPIR-V specification, OpLine), so a new block repeats the
        // position.
        start_block(cx, next);
        source::resume(cx);
    }
}

/// Begins a block.
pub(super) fn start_block(cx: &mut Context<'_>, label: Id) {
    cx.b.label(label);
    cx.block.label = label;
    if let Some(source) = &mut cx.source {
        source.label_written();
    }
}

/// Begins a conditional part: the code that follows runs only if the condition holds.
pub(super) fn begin_if(cx: &mut Context<'_>, condition: Id) -> If {
    leave_loop_header(cx);
    let before = cx.block.label;
    let then = cx.b.fresh();
    let merge = cx.b.fresh();
    cx.function.flow.begin_part();
    // The IR has no branch here, so there are no hints for the driver: control 0 is none.
    cx.b.emit_void(Op::SelectionMerge, &[merge.0, 0]);
    cx.b.emit_void(Op::BranchConditional, &[condition, then, merge]);
    start_block(cx, then);
    source::resume(cx);
    If { before, merge }
}

/// Ends a conditional part.
pub(super) fn end_if(cx: &mut Context<'_>, part: If) {
    leave_if(cx, part);
    source::resume(cx);
}

/// Ends a conditional part; phis may follow immediately.
fn leave_if(cx: &mut Context<'_>, part: If) {
    cx.function.flow.end_part();
    cx.b.emit_void(Op::Branch, &[part.merge]);
    // Phis must come first in a block, so the position is resumed by the caller, after them.
    start_block(cx, part.merge);
}

/// Ends a conditional part whose own block has a terminator already.
pub(super) fn end_if_at_end(cx: &mut Context<'_>, part: If) {
    cx.function.flow.end_part();
    cx.function.flow.lose_lanes();
    start_block(cx, part.merge);
    source::resume(cx);
}

/// Ends a conditional part with the result `value`, or `otherwise` if it did not run.
pub(super) fn end_if_with(cx: &mut Context<'_>, part: If, ty: Id, value: Id, otherwise: Id) -> Id {
    let from = cx.block.label;
    let before = part.before;
    leave_if(cx, part);
    let words = [value, from, otherwise, before];
    let joined = cx.b.emit(Op::Phi, ty, &words);
    source::resume(cx);
    joined
}

/// Ends a conditional part with several results. Each entry is type, value, and the value if the
/// part did not run, which is replaced by the result.
pub(super) fn end_if_with_all(cx: &mut Context<'_>, part: If, values: &mut [(Id, Id, Id)]) {
    let from = cx.block.label;
    let before = part.before;
    leave_if(cx, part);
    for (ty, value, otherwise) in values {
        let words = [*value, from, *otherwise, before];
        *otherwise = cx.b.emit(Op::Phi, *ty, &words);
    }
    source::resume(cx);
}

/// Begins a loop with carried values: type, initial value, and the id that the value of the next
/// iteration will have. Returns the values inside of the loop.
pub(super) fn begin_loop<const N: usize>(
    cx: &mut Context<'_>,
    carried: [(Id, Id, Id); N],
) -> (OpenLoop, [Id; N]) {
    leave_loop_header(cx);
    let before = cx.block.label;
    // The phis of the header name these labels before the blocks exist.
    let header = cx.b.fresh();
    let continue_target = cx.b.fresh();
    let merge = cx.b.fresh();
    let body = cx.b.fresh();
    cx.function.flow.begin_part();
    cx.b.emit_void(Op::Branch, &[header]);
    start_block(cx, header);
    let values = carried.map(|(ty, first, next)| {
        cx.b.emit(Op::Phi, ty, &[first, before, next, continue_target])
    });
    // OpLoopMerge is the second last instruction of its block, so the body needs a block of its
    // own.
    // These loops go over lanes or wait for them: copies of the body for each of up to 128 lanes
    // would be longer and no faster.
    let control = LoopControl::DONT_UNROLL.bits();
    cx.b.emit_void(Op::LoopMerge, &[merge.0, continue_target.0, control]);
    cx.b.emit_void(Op::Branch, &[body]);
    start_block(cx, body);
    source::resume(cx);
    let begun = OpenLoop {
        header,
        continue_target,
        merge,
    };
    (begun, values)
}

/// Ends a loop: exits if `leave` holds, otherwise takes the back edge.
pub(super) fn end_loop(cx: &mut Context<'_>, begun: OpenLoop, leave: Id) {
    cx.function.flow.end_part();
    cx.b.emit_void(
        Op::BranchConditional,
        &[leave, begun.merge, begun.continue_target],
    );
    start_block(cx, begun.continue_target);
    cx.b.emit_void(Op::Branch, &[begun.header]);
    start_block(cx, begun.merge);
    source::resume(cx);
}
