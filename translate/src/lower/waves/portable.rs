//! Wave operations out of the few subgroup instructions that naga's SPIR-V front end takes.

use crate::Result;
use crate::lower::Lowering;
use crate::lower::types::{Scalar, Shape};
use crate::options::Style;
use crate::spirv::{BuiltIn, Capability, GroupOperation, Id, Op};

impl Lowering<'_> {
    /// Whether the output must stay inside what naga takes.
    pub(in crate::lower) fn is_portable(&self) -> bool {
        self.options.target.style == Style::Portable
    }

    /// A word of the first active lane.
    pub(in crate::lower) fn first_lane_word(&mut self, scope: Id, word: Id) -> Id {
        self.b.capability(Capability::GroupNonUniformBallot);
        let ty = self.b.u32();
        self.b
            .emit(Op::GroupNonUniformBroadcastFirst, ty, &[scope, word])
    }

    /// Whether this lane is the first active one.
    pub(in crate::lower) fn portable_first_lane(&mut self, scope: Id) -> Id {
        let lane = self.load_subgroup_built_in(BuiltIn::SubgroupLocalInvocationId);
        let first = self.first_lane_word(scope, lane);
        let ty = self.b.bool();
        self.b.emit(Op::IEqual, ty, &[lane, first])
    }

    /// Whether all lanes hold the same value: all of them equal the first one's.
    pub(in crate::lower) fn portable_all_equal(
        &mut self,
        scope: Id,
        shape: Shape,
        id: Id,
    ) -> Result<Id> {
        self.b.capability(Capability::GroupNonUniformBallot);
        self.b.capability(Capability::GroupNonUniformVote);
        let ty = self.shape_ty(shape)?;
        let bool_ty = self.b.bool();
        let same = if shape.scalar == Scalar::Bool {
            let word = self.bool_to_u32(id);
            let first = self.first_lane_word(scope, word);
            self.b.emit(Op::IEqual, bool_ty, &[word, first])
        } else {
            let first = self
                .b
                .emit(Op::GroupNonUniformBroadcastFirst, ty, &[scope, id]);
            let equal = if matches!(shape.scalar, Scalar::Float { .. }) {
                Op::FOrdEqual
            } else {
                Op::IEqual
            };
            self.b.emit(equal, bool_ty, &[id, first])
        };
        Ok(self.b.emit(Op::GroupNonUniformAll, bool_ty, &[scope, same]))
    }

    /// Bits of a ballot: all of them, or those of the lanes before this one.
    pub(in crate::lower) fn portable_bit_count(
        &mut self,
        operation: GroupOperation,
        ballot: Id,
    ) -> Id {
        let ty = self.b.u32();
        let bool_ty = self.b.bool();
        let lane = (operation == GroupOperation::ExclusiveScan)
            .then(|| self.load_subgroup_built_in(BuiltIn::SubgroupLocalInvocationId));
        let mut sum = self.b.const_u32(0);
        for index in 0..4 {
            let mut word = self.b.extract(ty, ballot, index);
            if let Some(lane) = lane {
                // Lanes of this word that lie before this one: a mask of (lane - 32 * index) bits.
                let ones = self.b.const_u32(u32::MAX);
                let zero = self.b.const_u32(0);
                let begin = self.b.const_u32(index * 32);
                let end = self.b.const_u32(index * 32 + 32);
                let bit = self.b.u32_and(lane, 31);
                let shifted = self.b.emit(Op::ShiftLeftLogical, ty, &[ones, bit]);
                let below = self.b.emit(Op::Not, ty, &[shifted]);
                let after = self.b.emit(Op::UGreaterThanEqual, bool_ty, &[lane, end]);
                let before = self.b.emit(Op::ULessThan, bool_ty, &[lane, begin]);
                let mask = self.b.select(ty, after, ones, below);
                let mask = self.b.select(ty, before, zero, mask);
                word = self.b.emit(Op::BitwiseAnd, ty, &[word, mask]);
            }
            let count = self.b.emit(Op::BitCount, ty, &[word]);
            sum = self.b.u32_add(sum, count);
        }
        sum
    }

    /// The value of the lane whose number differs in the bits of `mask`.
    pub(in crate::lower) fn portable_swap(&mut self, scope: Id, ty: Id, id: Id, mask: u32) -> Id {
        self.b.capability(Capability::GroupNonUniformShuffle);
        let mask = self.b.const_u32(mask);
        self.b
            .emit(Op::GroupNonUniformShuffleXor, ty, &[scope, id, mask])
    }
}
