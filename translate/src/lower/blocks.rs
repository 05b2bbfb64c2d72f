//! Control flow that a single operation needs: a condition around a store, a small loop.
//!
//! Such code splits the block it stands in. Phis of later blocks name the block that control comes
//! from, so the lowering keeps the label it is at; and a loop header may not be split, so its merge
//! instruction is written first and the header's code goes on in a block of its own.

use super::Lowering;
use super::memory::group_order::GroupAccess;
use crate::spirv::{Id, Op};

/// Where the code being written stands.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// Label of the block under construction.
    pub(super) label: Id,
    /// Operands of the `OpLoopMerge` of the block under construction, until it is written.
    pub(super) loop_merge: Option<[u32; 3]>,
    /// The block under construction is a whole loop, header and continue target in one, and has
    /// been split: its header, and the continue target that it needs now.
    pub(super) own_continue: Option<(Id, Id)>,
    /// The block under construction has its last instruction, which is not the terminator that the IR has.
    pub(super) has_ended: bool,
    /// The last access to group-shared memory.
    pub(super) group_access: GroupAccess,
}

/// A conditional part that has been begun.
#[must_use]
pub(super) struct If {
    before: Id,
    merge: Id,
}

/// A loop that has been begun. Its body is one block after the header.
#[must_use]
pub(super) struct Loop {
    header: Id,
    continue_target: Id,
    merge: Id,
    /// Phis of the continue block: type, result, value (portable style).
    rounds: Vec<[Id; 3]>,
}

impl Lowering<'_> {
    /// Ends a loop header, so that what follows may branch.
    pub(super) fn leave_loop_header(&mut self) {
        if let Some(mut operands) = self.place.loop_merge.take() {
            let header = self.place.label;
            if operands[1] == header.0 {
                let target = self.b.fresh();
                operands[1] = target.0;
                self.place.own_continue = Some((header, target));
            }
            self.b.emit_void(Op::LoopMerge, &operands);
            let next = self.b.fresh();
            self.b.emit_void(Op::Branch, &[next]);
            self.start_block(next);
            self.resume_source();
        }
    }

    /// Begins a block.
    pub(super) fn start_block(&mut self, label: Id) {
        self.b.label(label);
        self.place.label = label;
        if let Some(source) = &mut self.source {
            source.label_written();
        }
    }

    /// What follows runs only if the condition holds.
    pub(super) fn begin_if(&mut self, condition: Id) -> If {
        self.leave_loop_header();
        let before = self.place.label;
        let then = self.b.fresh();
        let merge = self.b.fresh();
        self.b.emit_void(Op::SelectionMerge, &[merge.0, 0]);
        self.b
            .emit_void(Op::BranchConditional, &[condition, then, merge]);
        self.start_block(then);
        self.resume_source();
        If { before, merge }
    }

    /// Ends a conditional part.
    pub(super) fn end_if(&mut self, part: If) {
        self.leave_if(part);
        self.resume_source();
    }

    /// Phis may follow, in front of anything else.
    fn leave_if(&mut self, part: If) {
        self.b.emit_void(Op::Branch, &[part.merge]);
        self.start_block(part.merge);
    }

    /// Ends a conditional part that does not go on.
    pub(super) fn end_if_at_end(&mut self, part: If) {
        self.start_block(part.merge);
        self.resume_source();
    }

    /// Ends a conditional part that gives `value`, `otherwise` being the value if it did not run.
    pub(super) fn end_if_with(&mut self, part: If, ty: Id, value: Id, otherwise: Id) -> Id {
        let from = self.place.label;
        let before = part.before;
        self.leave_if(part);
        let words = [value, from, otherwise, before];
        let joined = self.b.emit(Op::Phi, ty, &words);
        self.resume_source();
        joined
    }

    /// Ends a conditional part that gives several values. Each comes with its type and with what stands for
    /// it where the part did not run, which becomes the result.
    pub(super) fn end_if_with_all(&mut self, part: If, values: &mut [(Id, Id, Id)]) {
        let from = self.place.label;
        let before = part.before;
        self.leave_if(part);
        for (ty, value, otherwise) in values {
            let words = [*value, from, *otherwise, before];
            *otherwise = self.b.emit(Op::Phi, *ty, &words);
        }
        self.resume_source();
    }

    /// Begins a loop that carries values around: pairs of type and initial value. Gives the values
    /// inside; the ids of the next ones must be made before (`next`).
    pub(super) fn begin_loop<const N: usize>(
        &mut self,
        carried: [(Id, Id, Id); N],
    ) -> (Loop, [Id; N]) {
        self.leave_loop_header();
        let before = self.place.label;
        let header = self.b.fresh();
        let continue_target = self.b.fresh();
        let merge = self.b.fresh();
        let body = self.b.fresh();
        self.b.emit_void(Op::Branch, &[header]);
        self.start_block(header);
        let mut rounds = Vec::new();
        let portable = self.is_portable();
        let values = carried.map(|(ty, first, mut next)| {
            if portable {
                // See `goes_round` in `control_flow.rs`.
                let round = self.b.fresh();
                rounds.push([ty, round, next]);
                next = round;
            }
            self.b
                .emit(Op::Phi, ty, &[first, before, next, continue_target])
        });
        self.b
            .emit_void(Op::LoopMerge, &[merge.0, continue_target.0, 0]);
        self.b.emit_void(Op::Branch, &[body]);
        self.start_block(body);
        self.resume_source();
        let begun = Loop {
            header,
            continue_target,
            merge,
            rounds,
        };
        (begun, values)
    }

    /// Ends a loop: leaves it if `leave` holds, and goes round otherwise.
    pub(super) fn end_loop(&mut self, begun: Loop, leave: Id) {
        self.b.emit_void(
            Op::BranchConditional,
            &[leave, begun.merge, begun.continue_target],
        );
        let body = self.place.label;
        self.start_block(begun.continue_target);
        for [ty, round, next] in begun.rounds {
            self.b.emit_as(Op::Phi, ty, round, &[next, body]);
        }
        self.b.emit_void(Op::Branch, &[begun.header]);
        self.start_block(begun.merge);
        self.resume_source();
    }
}
