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

    /// A combination of 64-bit integers or of halves out of those of words or floats; `None` for others, and where
    /// there is no such way (products of 64 bits).
    pub(in crate::lower) fn portable_group_operation(
        &mut self,
        op: Op,
        operation: GroupOperation,
        shape: Shape,
        id: Id,
    ) -> Result<Option<Id>> {
        match shape.scalar {
            Scalar::Float { width: 16, .. } => {
                // Sums of halves may be rounded once instead of in each step: their order is open too.
                let (narrow, wide) = (self.shape_ty(shape)?, self.b.f32());
                let value = self.b.emit(Op::FConvert, wide, &[id]);
                let single = shape.with(Scalar::F32);
                let combined = self.group_operation(op, operation, single, value)?;
                Ok(Some(self.b.emit(Op::FConvert, narrow, &[combined])))
            }
            Scalar::Int { width: 64, .. } => self.wide_group_operation(op, operation, shape, id),
            _ => Ok(None),
        }
    }

    fn wide_group_operation(
        &mut self,
        op: Op,
        operation: GroupOperation,
        shape: Shape,
        id: Id,
    ) -> Result<Option<Id>> {
        use Op::{
            GroupNonUniformBitwiseAnd, GroupNonUniformBitwiseOr, GroupNonUniformBitwiseXor,
            GroupNonUniformIAdd, GroupNonUniformSMax, GroupNonUniformSMin, GroupNonUniformUMax,
            GroupNonUniformUMin,
        };
        let word = Shape::scalar(Scalar::Int {
            bits: 32,
            width: 32,
        });
        let [low, high] = self.split_words(id, shape.scalar);
        let parts = match op {
            GroupNonUniformBitwiseAnd | GroupNonUniformBitwiseOr | GroupNonUniformBitwiseXor => [
                self.group_operation(op, operation, word, low)?,
                self.group_operation(op, operation, word, high)?,
            ],
            GroupNonUniformIAdd => {
                // Sums of 16 bits of each lane fit into words.
                let halves = [self.b.u32_and(low, 0xffff), self.b.u32_shr(low, 16)];
                let [first, second] = halves;
                let first = self.group_operation(op, operation, word, first)?;
                let second = self.group_operation(op, operation, word, second)?;
                let high = self.group_operation(op, operation, word, high)?;
                let carried = self.b.u32_shr(first, 16);
                let second = self.b.u32_add(second, carried);
                let upper = self.b.u32_shl(second, 16);
                let lower = self.b.u32_and(first, 0xffff);
                let ty = self.b.u32();
                let low = self.b.emit(Op::BitwiseOr, ty, &[upper, lower]);
                let carried = self.b.u32_shr(second, 16);
                [low, self.b.u32_add(high, carried)]
            }
            GroupNonUniformUMin | GroupNonUniformSMin | GroupNonUniformUMax
            | GroupNonUniformSMax
                if operation == GroupOperation::Reduce =>
            {
                // The lanes with the extreme upper word decide about the lower one.
                let extreme = self.group_operation(op, operation, word, high)?;
                let (bool_ty, ty) = (self.b.bool(), self.b.u32());
                let (of_lower, neutral) = match op {
                    GroupNonUniformUMin | GroupNonUniformSMin => (GroupNonUniformUMin, u32::MAX),
                    _ => (GroupNonUniformUMax, 0),
                };
                let decides = self.b.emit(Op::IEqual, bool_ty, &[high, extreme]);
                let neutral = self.b.const_u32(neutral);
                let low = self.b.select(ty, decides, low, neutral);
                [
                    self.group_operation(of_lower, operation, word, low)?,
                    extreme,
                ]
            }
            _ => return Ok(None),
        };
        let [low, high] = parts;
        Ok(Some(self.join_words(low, high, shape.scalar)?))
    }
}
