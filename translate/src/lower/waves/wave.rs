//! Wave operations: D3D's waves are SPIR-V's subgroups.

use dxil_frontend::dxil::ops::{Sign, WaveBitOp, WaveMultiPrefixOp, WaveOp, calls};
use dxil_frontend::ir::ValueId;

use super::helper_lanes::Otherwise;
use crate::lower::Lowering;
use crate::lower::context::{Call, Value};
use crate::lower::types::{Scalar, Shape};
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, GLOp, GroupOperation, Id, Op, Scope};
use crate::{Error, ErrorKind, Quirks, Result};

/// Threads of a group that was made for waves of that size.
const NARROW: u32 = 32;

impl Lowering<'_> {
    /// Declares that waves are used; the scope operand of their instructions.
    pub(in crate::lower) fn subgroup_scope(&mut self) -> Id {
        self.inputs.convergent = true;
        self.b.capability(Capability::GroupNonUniform);
        self.b.const_u32(Scope::Subgroup as u32)
    }

    /// `WaveGetLaneCount`.
    pub(in crate::lower) fn lane_count(&mut self) -> Id {
        if let Some(count) = self.options.workarounds.lane_count {
            return self.b.const_u32(count);
        }
        let count = self.load_subgroup_built_in(BuiltIn::SubgroupSize);
        let [x, y, z] = self.entry.num_threads.unwrap_or([0; 3]);
        let narrow = x.saturating_mul(y).saturating_mul(z) == NARROW;
        if !narrow || !self.has_groups() || !self.has_quirk(Quirks::NARROW_WAVES_IN_NARROW_GROUPS) {
            return count;
        }
        let ty = self.b.u32();
        let most = self.b.const_u32(NARROW);
        self.b.glsl(GLOp::UMin, ty, &[count, most])
    }

    /// Whether this lane is the first active one.
    pub(in crate::lower) fn is_first_lane(&mut self) -> Result<Value> {
        let scope = self.subgroup_scope();
        let ty = self.b.bool();
        if self.is_portable() {
            return Ok(Value::Id(self.portable_first_lane(scope)));
        }
        if let Some(helper) = self.excluded_lane() {
            return Ok(Value::Id(self.is_first_included_lane(helper)));
        }
        Ok(Value::Id(self.b.emit(
            Op::GroupNonUniformElect,
            ty,
            &[scope],
        )))
    }

    /// Whether any lane's condition holds.
    pub(in crate::lower) fn any_lane(&mut self, condition: ValueId) -> Result<Value> {
        let condition = self.id(condition)?;
        let condition = self.of_included_lanes(condition);
        Ok(Value::Id(self.vote(Op::GroupNonUniformAny, condition)))
    }

    /// Whether all lanes' conditions hold.
    pub(in crate::lower) fn all_lanes(&mut self, condition: ValueId) -> Result<Value> {
        let condition = self.id(condition)?;
        let condition = self.or_excluded_lane(condition);
        Ok(Value::Id(self.vote(Op::GroupNonUniformAll, condition)))
    }

    fn vote(&mut self, op: Op, condition: Id) -> Id {
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformVote);
        let ty = self.b.bool();
        self.b.emit(op, ty, &[scope, condition])
    }

    /// Whether all lanes hold the same value.
    pub(in crate::lower) fn all_equal(&mut self, value: ValueId) -> Result<Value> {
        let (shape, id) = self.wave_operand(value)?;
        if shape.count != 1 {
            return Err(Error::unsupported("WaveActiveAllEqual of a vector"));
        }
        let id = self.zero_extend(shape, id)?;
        if self.is_portable() {
            let scope = self.subgroup_scope();
            return Ok(Value::Id(self.portable_all_equal(scope, shape, id)?));
        }
        if let Some(helper) = self.excluded_lane() {
            let equal = self.all_included_equal(value, shape, id, helper)?;
            return Ok(Value::Id(equal));
        }
        let id = match shape.scalar {
            // Equality of vectors is as good, and needs no 64-bit subgroup operations.
            Scalar::Int { width: 64, .. } if !self.has_extended_types() => {
                let word = self.b.u32();
                let pair = self.b.vector(word, 2);
                self.b.bitcast(pair, id)
            }
            _ => id,
        };
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformVote);
        let ty = self.b.bool();
        Ok(Value::Id(self.b.emit(
            Op::GroupNonUniformAllEqual,
            ty,
            &[scope, id],
        )))
    }

    fn has_extended_types(&self) -> bool {
        self.options
            .target
            .features
            .contains(Features::SUBGROUP_EXTENDED_TYPES)
    }

    fn wave_operand(&mut self, value: ValueId) -> Result<(Shape, Id)> {
        let shape = self.shape_of(value)?;
        Ok((shape, self.id(value)?))
    }

    /// Refuses arithmetic on types that need shaderSubgroupExtendedTypes.
    fn require_extended(&self, shape: Shape) -> Result<()> {
        let extended = match shape.scalar {
            Scalar::Int { width, .. } => width != 32,
            Scalar::Float { width, .. } => width == 16,
            Scalar::Bool => false,
        };
        if extended && !self.has_extended_types() {
            return Err(Error::new(ErrorKind::TargetLacks {
                feature: "shaderSubgroupExtendedTypes",
                user: "a wave operation on 16- or 64-bit integers or halves".to_owned(),
            }));
        }
        Ok(())
    }

    /// The lanes whose condition holds: a vector of four words.
    pub(in crate::lower) fn ballot(&mut self, condition: Id) -> Id {
        let condition = self.of_included_lanes(condition);
        self.ballot_with_helpers(condition)
    }

    /// The same with helper lanes, where they take part.
    pub(in crate::lower) fn ballot_with_helpers(&mut self, condition: Id) -> Id {
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformBallot);
        let word = self.b.u32();
        let ty = self.b.vector(word, 4);
        self.b
            .emit(Op::GroupNonUniformBallot, ty, &[scope, condition])
    }

    /// `WaveActiveBallot`.
    pub(in crate::lower) fn active_ballot(&mut self, condition: ValueId) -> Result<Value> {
        let condition = self.id(condition)?;
        let ballot = self.ballot(condition);
        Ok(self.vector_parts(ballot, 4))
    }

    /// Number of lanes whose condition holds: of all lanes, or of those before this one.
    pub(in crate::lower) fn bit_count(
        &mut self,
        operation: GroupOperation,
        condition: ValueId,
    ) -> Result<Value> {
        let condition = self.id(condition)?;
        let ballot = self.ballot(condition);
        Ok(Value::Id(self.ballot_bit_count(operation, ballot)))
    }

    fn ballot_bit_count(&mut self, operation: GroupOperation, ballot: Id) -> Id {
        if self.is_portable() {
            return self.portable_bit_count(operation, ballot);
        }
        let scope = self.subgroup_scope();
        let ty = self.b.u32();
        self.b.emit(
            Op::GroupNonUniformBallotBitCount,
            ty,
            &[scope.0, operation as u32, ballot.0],
        )
    }

    /// Moves a value between lanes: `read` writes the instruction for a type that every target
    /// moves (booleans and 32-bit values, and vectors of them).
    pub(in crate::lower) fn move_between_lanes(
        &mut self,
        value: ValueId,
        mut read: impl FnMut(&mut Self, Id, Id) -> Id,
    ) -> Result<Id> {
        let (shape, id) = self.wave_operand(value)?;
        let ty = self.shape_ty(shape)?;
        let width = shape.scalar.width();
        let direct = match shape.scalar {
            Scalar::Bool => true,
            Scalar::Float { width: 64, .. } => true,
            _ => width == 32,
        };
        if direct || self.has_extended_types() {
            return Ok(read(self, ty, id));
        }
        if shape.count != 1 {
            return Err(Error::unsupported("a wave operation on a vector"));
        }
        let bits = self.b.uint(width);
        let is_float = matches!(shape.scalar, Scalar::Float { .. });
        let raw = if is_float {
            self.b.bitcast(bits, id)
        } else {
            id
        };
        let word = self.b.u32();
        let moved = if width == 64 && self.is_portable() {
            let wide = Scalar::Int { bits: 64, width };
            let [low, high] = self.split_words(raw, wide);
            let [low, high] = [low, high].map(|half| read(self, word, half));
            self.join_words(low, high, wide)?
        } else if width == 64 {
            let pair = self.b.vector(word, 2);
            let raw = self.b.bitcast(pair, raw);
            let moved = read(self, pair, raw);
            self.b.bitcast(bits, moved)
        } else {
            let raw = self.b.emit(Op::UConvert, word, &[raw]);
            let moved = read(self, word, raw);
            self.b.emit(Op::UConvert, bits, &[moved])
        };
        Ok(if is_float {
            self.b.bitcast(ty, moved)
        } else {
            moved
        })
    }

    /// The value of a lane.
    pub(in crate::lower) fn read_lane_at(
        &mut self,
        value: ValueId,
        lane: ValueId,
    ) -> Result<Value> {
        let constant = self.constant_int(lane).is_some();
        let lane = self.to_u32(lane)?;
        let scope = self.subgroup_scope();
        // The lane may differ between lanes; a broadcast's may not.
        let op = if constant {
            self.b.capability(Capability::GroupNonUniformBallot);
            Op::GroupNonUniformBroadcast
        } else {
            self.b.capability(Capability::GroupNonUniformShuffle);
            Op::GroupNonUniformShuffle
        };
        let id =
            self.move_between_lanes(value, |l, ty, id| l.b.emit(op, ty, &[scope, id, lane]))?;
        Ok(Value::Id(id))
    }

    /// The value of the first active lane.
    pub(in crate::lower) fn read_first_lane(
        &mut self,
        call: &Call,
        value: ValueId,
    ) -> Result<Value> {
        if let Some(helper) = self.excluded_lane() {
            let otherwise = if self.is_compared(call, value) {
                Otherwise::Own
            } else {
                Otherwise::Zero
            };
            let id = self.read_first_included_lane(value, helper, otherwise)?;
            return Ok(Value::Id(id));
        }
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformBallot);
        let id = self.move_between_lanes(value, |l, ty, id| {
            l.b.emit(Op::GroupNonUniformBroadcastFirst, ty, &[scope, id])
        })?;
        Ok(Value::Id(id))
    }

    /// A reduction or scan.
    pub(in crate::lower) fn wave_op(
        &mut self,
        operation: GroupOperation,
        value: ValueId,
        op: WaveOp,
        sign: Sign,
    ) -> Result<Value> {
        let (shape, mut id) = self.wave_operand(value)?;
        let op = match shape.scalar {
            Scalar::Float { .. } => match op {
                WaveOp::Sum => Op::GroupNonUniformFAdd,
                WaveOp::Product => Op::GroupNonUniformFMul,
                WaveOp::Min => Op::GroupNonUniformFMin,
                WaveOp::Max => Op::GroupNonUniformFMax,
            },
            Scalar::Int { .. } => match (op, sign) {
                (WaveOp::Sum, _) => Op::GroupNonUniformIAdd,
                (WaveOp::Product, _) => Op::GroupNonUniformIMul,
                (WaveOp::Min, Sign::Signed) => Op::GroupNonUniformSMin,
                (WaveOp::Max, Sign::Signed) => Op::GroupNonUniformSMax,
                (WaveOp::Min, Sign::Unsigned) => Op::GroupNonUniformUMin,
                (WaveOp::Max, Sign::Unsigned) => Op::GroupNonUniformUMax,
            },
            Scalar::Bool => {
                // Minimum and product of booleans are "and", maximum is "or", a sum is parity.
                let op = match (op, sign) {
                    (WaveOp::Min, Sign::Unsigned)
                    | (WaveOp::Max, Sign::Signed)
                    | (WaveOp::Product, _) => Op::GroupNonUniformLogicalAnd,
                    (WaveOp::Max, Sign::Unsigned) | (WaveOp::Min, Sign::Signed) => {
                        Op::GroupNonUniformLogicalOr
                    }
                    (WaveOp::Sum, _) => Op::GroupNonUniformLogicalXor,
                };
                return Ok(Value::Id(self.group_operation(op, operation, shape, id)?));
            }
        };
        if matches!(op, Op::GroupNonUniformSMin | Op::GroupNonUniformSMax) {
            id = self.sign_extend(shape, id)?;
        } else {
            id = self.zero_extend(shape, id)?;
        }
        let id = self.group_operation(op, operation, shape, id)?;
        self.relax(shape, id);
        Ok(Value::Id(id))
    }

    pub(in crate::lower) fn group_operation(
        &mut self,
        op: Op,
        operation: GroupOperation,
        shape: Shape,
        id: Id,
    ) -> Result<Id> {
        if self.is_portable()
            && shape.count == 1
            && let Some(id) = self.portable_group_operation(op, operation, shape, id)?
        {
            return Ok(id);
        }
        self.require_extended(shape)?;
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformArithmetic);
        let id = self.neutral_if_excluded(op, shape, id)?;
        let ty = self.shape_ty(shape)?;
        Ok(self.b.emit(op, ty, &[scope.0, operation as u32, id.0]))
    }

    /// A bitwise reduction.
    pub(in crate::lower) fn wave_bit_op(&mut self, value: ValueId, op: WaveBitOp) -> Result<Value> {
        let (shape, id) = self.wave_operand(value)?;
        let bool_ = shape.scalar == Scalar::Bool;
        let op = match op {
            WaveBitOp::And if bool_ => Op::GroupNonUniformLogicalAnd,
            WaveBitOp::Or if bool_ => Op::GroupNonUniformLogicalOr,
            WaveBitOp::Xor if bool_ => Op::GroupNonUniformLogicalXor,
            WaveBitOp::And => Op::GroupNonUniformBitwiseAnd,
            WaveBitOp::Or => Op::GroupNonUniformBitwiseOr,
            WaveBitOp::Xor => Op::GroupNonUniformBitwiseXor,
        };
        Ok(Value::Id(self.group_operation(
            op,
            GroupOperation::Reduce,
            shape,
            id,
        )?))
    }

    /// The lanes that hold the same value as this one. Each round takes the first lane's value; the
    /// lanes that hold it leave with the ballot of that round.
    pub(in crate::lower) fn wave_match(&mut self, value: ValueId) -> Result<Value> {
        let (shape, id) = self.wave_operand(value)?;
        let id = self.zero_extend(shape, id)?;
        let scope = self.subgroup_scope();
        if self
            .options
            .target
            .features
            .contains(Features::SUBGROUP_PARTITIONED)
            && (shape.scalar.width() == 32 || self.has_extended_types())
        {
            self.b.capability(Capability::GroupNonUniformPartitionedNV);
            self.b.extension("SPV_NV_shader_subgroup_partitioned");
            let word = self.b.u32();
            let ty = self.b.vector(word, 4);
            let mask = self.b.emit(Op::GroupNonUniformPartitionNV, ty, &[id]);
            return Ok(self.vector_parts(mask, 4));
        }
        self.b.capability(Capability::GroupNonUniformBallot);
        let (round, []) = self.begin_loop([]);
        let first = self.move_between_lanes(value, |l, ty, id| {
            l.b.emit(Op::GroupNonUniformBroadcastFirst, ty, &[scope, id])
        })?;
        let first = self.zero_extend(shape, first)?;
        let bool_ty = self.b.bool();
        let mut same = self.is_equal(shape, first, id);
        if matches!(shape.scalar, Scalar::Float { .. }) {
            // NaN equals nothing, not even itself: such lanes leave one by one or for ever stay.
            let nan = self.is_nan(shape, id)?;
            let elected = if self.is_portable() {
                self.portable_first_lane(scope)
            } else {
                self.b.emit(Op::GroupNonUniformElect, bool_ty, &[scope])
            };
            let alone = self.b.emit(Op::LogicalAnd, bool_ty, &[nan, elected]);
            same = self.b.emit(Op::LogicalOr, bool_ty, &[same, alone]);
        }
        let mask = self.ballot(same);
        self.end_loop(round, same);
        Ok(self.vector_parts(mask, 4))
    }

    fn mask(&mut self, mask: [ValueId; 4]) -> Result<Id> {
        let words = self.ids(mask)?;
        let word = self.b.u32();
        let ty = self.b.vector(word, 4);
        Ok(self.b.construct(ty, &words))
    }

    /// Number of set conditions before this lane, among the lanes of a mask.
    pub(in crate::lower) fn multi_prefix_bit_count(
        &mut self,
        op: &calls::WaveMultiPrefixBitCount,
    ) -> Result<Value> {
        let condition = self.id(op.value)?;
        let mask = self.mask(op.mask)?;
        let ballot = self.ballot(condition);
        let word = self.b.u32();
        let ty = self.b.vector(word, 4);
        let counted = self.b.emit(Op::BitwiseAnd, ty, &[ballot, mask]);
        Ok(Value::Id(
            self.ballot_bit_count(GroupOperation::ExclusiveScan, counted),
        ))
    }

    /// Exclusive scan over the lanes of a mask: goes over all lanes of the wave and takes those of
    /// the mask that lie before this one.
    pub(in crate::lower) fn multi_prefix(
        &mut self,
        op: &calls::WaveMultiPrefixOp,
    ) -> Result<Value> {
        let (shape, _) = self.wave_operand(op.value)?;
        let mask = self.mask(op.mask)?;
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformShuffle);
        let ty = self.shape_ty(shape)?;
        let word = self.b.u32();
        let bool_ty = self.b.bool();
        let me = self.load_subgroup_built_in(BuiltIn::SubgroupLocalInvocationId);
        let size = self.load_subgroup_built_in(BuiltIn::SubgroupSize);
        let identity = self.multi_prefix_identity(shape, op.op)?;
        let zero = self.b.const_u32(0);
        let one = self.b.const_u32(1);
        let next_lane = self.b.fresh();
        let next_result = self.b.fresh();
        let (round, [lane, result]) =
            self.begin_loop([(word, zero, next_lane), (ty, identity, next_result)]);
        let other = self.move_between_lanes(op.value, |l, ty, id| {
            l.b.emit(Op::GroupNonUniformShuffle, ty, &[scope, id, lane])
        })?;
        let word_index = self.b.u32_shr(lane, 5);
        let bits = self
            .b
            .emit(Op::VectorExtractDynamic, word, &[mask, word_index]);
        let bit = self.b.u32_and(lane, 31);
        let shifted = self.b.emit(Op::ShiftRightLogical, word, &[bits, bit]);
        let low = self.b.u32_and(shifted, 1);
        let in_mask = self.b.emit(Op::INotEqual, bool_ty, &[low, zero]);
        let before = self.b.emit(Op::ULessThan, bool_ty, &[lane, me]);
        let counts = self.b.emit(Op::LogicalAnd, bool_ty, &[in_mask, before]);
        let float = matches!(shape.scalar, Scalar::Float { .. });
        let combine = match op.op {
            WaveMultiPrefixOp::Sum if float => Op::FAdd,
            WaveMultiPrefixOp::Product if float => Op::FMul,
            WaveMultiPrefixOp::Sum => Op::IAdd,
            WaveMultiPrefixOp::Product => Op::IMul,
            WaveMultiPrefixOp::And => Op::BitwiseAnd,
            WaveMultiPrefixOp::Or => Op::BitwiseOr,
            WaveMultiPrefixOp::Xor => Op::BitwiseXor,
        };
        let combined = self.b.emit(combine, ty, &[result, other]);
        self.b
            .emit_as(Op::Select, ty, next_result, &[counts, combined, result]);
        self.b.emit_as(Op::IAdd, word, next_lane, &[lane, one]);
        let done = self
            .b
            .emit(Op::UGreaterThanEqual, bool_ty, &[next_lane, size]);
        self.end_loop(round, done);
        Ok(Value::Id(next_result))
    }

    fn multi_prefix_identity(&mut self, shape: Shape, op: WaveMultiPrefixOp) -> Result<Id> {
        match (shape.scalar, op) {
            (Scalar::Bool, _) => Err(Error::unsupported("WaveMultiPrefixOp of booleans")),
            (Scalar::Float { .. }, WaveMultiPrefixOp::Product) => self.const_float(shape, 1.0),
            (Scalar::Float { .. }, _) => self.const_float(shape, 0.0),
            (Scalar::Int { .. }, WaveMultiPrefixOp::Product) => self.const_int(shape, 1),
            (Scalar::Int { .. }, WaveMultiPrefixOp::And) => self.const_int(shape, u64::MAX),
            (Scalar::Int { .. }, _) => self.const_int(shape, 0),
        }
    }

    /// A clock that counts up while the wave runs: low word, then high word.
    pub(in crate::lower) fn cycle_counter(&mut self) -> Result<Value> {
        if !self
            .options
            .target
            .features
            .contains(Features::SHADER_CLOCK)
        {
            return Err(Error::new(ErrorKind::TargetLacks {
                feature: "shaderSubgroupClock",
                user: "CycleCounterLegacy".to_owned(),
            }));
        }
        self.b.capability(Capability::ShaderClockKHR);
        self.b.extension("SPV_KHR_shader_clock");
        let scope = self.b.const_u32(Scope::Subgroup as u32);
        let word = self.b.u32();
        let pair = self.b.vector(word, 2);
        let clock = self.b.emit(Op::ReadClockKHR, pair, &[scope]);
        Ok(self.vector_parts(clock, 2))
    }
}
