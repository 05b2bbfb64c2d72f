//! Shadow registers: which values are undefined, and since where.
//!
//! With checks that follow values, a value that may be undefined has a second register, its shadow:
//! 0 in lanes where the value is defined, else the number of the origin that made it undefined
//! ([`Kernel::origins`]). Operations carry shadows from operands to results, and private memory has
//! a shadow word for each word. A finding is reported only where an undefined value decides
//! something: a branch, an address, or what is stored for others. A value that a `select` drops, or
//! a copy of a variable of which only a part is set, is not a defect. What is read from outside of
//! something is followed in the same way.
//!
//! [`Kernel::origins`]: super::Kernel::origins

use dxil_frontend::ir::{BlockId, Inst as IrInst, InstId};

use super::code::{ComplexOp, LaneSource, Probe, RegisterSlot, Shadow};
use super::function::Decoder;
use super::lane_ops::{LaneOp, RegisterKind};
use super::origins::{Origin, UNDEF_ORIGIN};
use crate::check::{Check, FindingKind};
use crate::error::Result;

impl Decoder<'_, '_> {
    pub(super) fn has_check(&self, check: Check) -> bool {
        self.module.checks.contains(check)
    }

    /// Returns whether values have shadows.
    pub(super) fn follows_values(&self) -> bool {
        self.module.follows_values
    }

    /// Returns the number of a new origin at the current instruction.
    fn new_origin(&mut self, kind: FindingKind) -> u32 {
        let place = Some(*self.place());
        self.module.origins.push(Origin { kind, place });
        self.module.origins.len() as u32
    }

    /// Returns the number of a new origin, or that of defined values if the check is off.
    fn origin_of(&mut self, check: Check, kind: FindingKind) -> u32 {
        if self.has_check(check) {
            self.new_origin(kind)
        } else {
            0
        }
    }

    /// Returns the number of a new origin: a read without a value.
    fn read_origin(&mut self) -> u32 {
        self.new_origin(FindingKind::OutOfBounds)
    }

    fn shadow_of(&self, slot: RegisterSlot) -> Option<RegisterSlot> {
        self.shadows.get(&slot).copied()
    }

    /// Gives a value a shadow that other code fills.
    pub(super) fn new_shadow(&mut self, slot: RegisterSlot) -> RegisterSlot {
        let shadow = self.new_slot(RegisterKind::W);
        self.shadows.insert(slot, shadow);
        shadow
    }

    /// Gives the parameters shadows. A call fills them; what calls a function in another way leaves
    /// them at 0.
    pub(super) fn follow_parameters(&mut self) {
        for slot in self.code.parameters.clone() {
            let shadow = self.new_shadow(slot);
            self.code.constants.push((shadow, 0));
            self.code.parameters.push(shadow);
        }
    }

    /// Returns a register of an undefined constant. It is not shared with the constant 0.
    pub(super) fn undefined(&mut self, kind: RegisterKind) -> RegisterSlot {
        let slot = self.new_slot(kind);
        self.code.constants.push((slot, 0));
        if self.has_check(Check::Uninitialized) {
            let origin = self.word(UNDEF_ORIGIN);
            self.shadows.insert(slot, origin);
        }
        slot
    }

    /// Returns the shadows of values, with the shadow of a defined value where one has none.
    pub(super) fn shadows_of(&mut self, slots: &[RegisterSlot]) -> Vec<RegisterSlot> {
        let defined = self.word(0);
        let shadow = |slot: &RegisterSlot| self.shadows.get(slot).copied().unwrap_or(defined);
        slots.iter().map(shadow).collect()
    }

    /// Returns the shadow of a result of several values.
    fn either(
        &mut self,
        a: Option<RegisterSlot>,
        b: Option<RegisterSlot>,
    ) -> Result<Option<RegisterSlot>> {
        Ok(match (a, b) {
            (Some(a), Some(b)) if a != b => Some(self.plain_lane(LaneOp::Either, &[a, b])?),
            (a, b) => a.or(b),
        })
    }

    /// Returns the shadow of a value that is undefined, by `origin`, where a condition does not
    /// hold.
    fn unless(
        &mut self,
        condition: RegisterSlot,
        kind: FindingKind,
    ) -> Result<Option<RegisterSlot>> {
        let origin = self.new_origin(kind);
        let (origin, defined) = (self.word(origin), self.word(0));
        self.plain_lane(LaneOp::SelectW, &[condition, defined, origin])
            .map(Some)
    }

    /// Gives the result of an operation its shadow.
    pub(super) fn follow_lane(
        &mut self,
        op: LaneOp,
        operands: &[RegisterSlot],
        result: RegisterSlot,
    ) -> Result<()> {
        let own = self.own_origin(op, operands)?;
        let shadows: Vec<_> = operands.iter().map(|slot| self.shadow_of(*slot)).collect();
        if own.is_none() && shadows.iter().all(Option::is_none) {
            return Ok(());
        }
        let defined = self.word(0);
        let mut shadow = own;
        match (op, operands, shadows.as_slice()) {
            // The operand that is not chosen does not matter.
            (LaneOp::SelectW | LaneOp::SelectD, &[condition, ..], &[chosen_by, a, b]) => {
                let (a, b) = (a.unwrap_or(defined), b.unwrap_or(defined));
                let chosen = self.plain_lane(LaneOp::SelectW, &[condition, a, b])?;
                shadow = self.either(Some(chosen), chosen_by)?;
            }
            // A zero decides: HLSL 2018 computes both operands of `&&`.
            (LaneOp::And32, &[a, b], &[of_a, of_b]) => {
                let (of_a, of_b) = (of_a.unwrap_or(defined), of_b.unwrap_or(defined));
                let first = self.plain_lane(LaneOp::SelectW, &[a, of_b, defined])?;
                let second = self.plain_lane(LaneOp::SelectW, &[b, of_a, defined])?;
                shadow = self.either(Some(first), Some(second))?;
            }
            _ => {
                for other in shadows {
                    shadow = self.either(shadow, other)?;
                }
            }
        }
        if let Some(shadow) = shadow {
            self.shadows.insert(result, shadow);
        }
        Ok(())
    }

    /// Adds the shadow of `a || b`: an operand that is true decides.
    pub(super) fn follow_boolean_or(
        &mut self,
        a: RegisterSlot,
        b: RegisterSlot,
        result: RegisterSlot,
    ) -> Result<()> {
        let (of_a, of_b) = (self.shadow_of(a), self.shadow_of(b));
        if of_a.is_none() && of_b.is_none() {
            return Ok(());
        }
        let defined = self.word(0);
        let (of_a, of_b) = (of_a.unwrap_or(defined), of_b.unwrap_or(defined));
        let first = self.plain_lane(LaneOp::SelectW, &[a, defined, of_b])?;
        let second = self.plain_lane(LaneOp::SelectW, &[b, defined, of_a])?;
        if let Some(shadow) = self.either(Some(first), Some(second))? {
            self.shadows.insert(result, shadow);
        }
        Ok(())
    }

    /// Returns the origin if the operation itself makes its result undefined.
    fn own_origin(
        &mut self,
        op: LaneOp,
        operands: &[RegisterSlot],
    ) -> Result<Option<RegisterSlot>> {
        use LaneOp as L;
        match (op, operands) {
            (L::UDiv32 | L::URem32 | L::SDiv32 | L::SRem32, &[_, divisor])
                if self.has_check(Check::Division) =>
            {
                match self.known(divisor) {
                    Some(value) if value != 0 => Ok(None),
                    _ => self.unless(divisor, FindingKind::DivisionByZero),
                }
            }
            (L::UDiv64 | L::URem64 | L::SDiv64 | L::SRem64, &[_, divisor])
                if self.has_check(Check::Division) =>
            {
                if self.known(divisor).is_some_and(|value| value != 0) {
                    return Ok(None);
                }
                let zero = self.constant(RegisterKind::D, 0);
                let is_valid = self.plain_lane(L::Ne64, &[divisor, zero])?;
                self.unless(is_valid, FindingKind::DivisionByZero)
            }
            (L::Shl32 | L::LShr32 | L::AShr32, &[_, count]) if self.has_check(Check::Shift) => {
                // DXC masks the counts of shifts itself.
                match self.masked.get(&count).copied() {
                    Some((count, width)) => {
                        let width = self.word(width);
                        let is_valid = self.plain_lane(L::ULt32, &[count, width])?;
                        self.unless(is_valid, FindingKind::ShiftWidth)
                    }
                    None => Ok(None),
                }
            }
            (op, &[value]) if self.has_check(Check::Conversion) => {
                let Some((minimum, maximum, is_double)) = converted_range(op) else {
                    return Ok(None);
                };
                let (is_valid, above) = if is_double {
                    let minimum = self.constant(RegisterKind::D, minimum.to_bits());
                    let maximum = self.constant(RegisterKind::D, maximum.to_bits());
                    let above = self.plain_lane(L::DOlt, &[minimum, value])?;
                    (self.plain_lane(L::DOlt, &[value, maximum])?, above)
                } else {
                    let minimum = self.word((minimum as f32).to_bits());
                    let maximum = self.word((maximum as f32).to_bits());
                    let above = self.plain_lane(L::FOlt, &[minimum, value])?;
                    (self.plain_lane(L::FOlt, &[value, maximum])?, above)
                };
                let is_valid = self.plain_lane(L::And32, &[is_valid, above])?;
                self.unless(is_valid, FindingKind::ConversionOverflow)
            }
            _ => Ok(None),
        }
    }

    /// Remembers what a shift count was before it was masked, if the shift itself does that.
    pub(super) fn note_mask(
        &mut self,
        op: LaneOp,
        operands: &[RegisterSlot],
        result: RegisterSlot,
    ) {
        let (LaneOp::And32, &[value, mask]) = (op, operands) else {
            return;
        };
        let width = match self.known(mask) {
            Some(7) => 8,
            Some(15) => 16,
            Some(31) => 32,
            _ => return,
        };
        let before = self.masked.get(&value).map_or(value, |(before, _)| *before);
        self.masked.insert(result, (before, width));
    }

    /// Requires a value that decides something to be defined.
    pub(super) fn require_defined(&mut self, slots: impl IntoIterator<Item = RegisterSlot>) {
        let mut shadows: Vec<RegisterSlot> = Vec::new();
        for slot in slots {
            if let Some(shadow) = self.shadow_of(slot)
                && !shadows.contains(&shadow)
            {
                shadows.push(shadow);
            }
        }
        if !shadows.is_empty() {
            self.push_complex(ComplexOp::Probe(Probe::Defined), &[], &shadows);
        }
    }

    /// Requires the condition of a block's terminator to be defined.
    pub(super) fn follow_terminator(&mut self, block: BlockId) -> Result<()> {
        let value = match *self.view.function.terminator(block) {
            IrInst::CondBr { condition, .. } => condition,
            IrInst::Switch { value, .. } => value,
            _ => return Ok(()),
        };
        if let Some(inst) = self.view.function.block_insts(block).next_back() {
            self.inst = inst;
        }
        let slot = self.one(value)?;
        self.require_defined([slot]);
        Ok(())
    }

    /// Adds the shadows to the moves of an edge.
    pub(super) fn follow_moves(&mut self, moves: &mut Vec<(RegisterSlot, RegisterSlot, InstId)>) {
        for at in 0..moves.len() {
            let Some(&(to, from, inst)) = moves.get(at) else {
                return;
            };
            if let Some(to) = self.shadow_of(to) {
                let from = match self.shadow_of(from) {
                    Some(shadow) => shadow,
                    None => self.word(0),
                };
                if to != from {
                    moves.push((to, from, inst));
                }
            }
        }
    }

    /// Emits what comes before an instruction: lanes that a value is read from are looked at before
    /// the result may take the operand's register.
    pub(super) fn follow_before(
        &mut self,
        op: &ComplexOp,
        dst: &[RegisterSlot],
        src: &[RegisterSlot],
    ) {
        self.require_uses(op, src);
        let (kind, from, index, values) = match (op, src) {
            (ComplexOp::ReadLaneAt, [lane, values @ ..]) => {
                (FindingKind::InactiveLane, LaneSource::Wave, *lane, values)
            }
            (ComplexOp::QuadReadLaneAt, [lane, values @ ..]) => {
                (FindingKind::IncompleteQuad, LaneSource::Quad, *lane, values)
            }
            (ComplexOp::QuadSwap(direction), values) => {
                let from = LaneSource::Across(*direction);
                (
                    FindingKind::IncompleteQuad,
                    from,
                    RegisterSlot::NONE,
                    values,
                )
            }
            (ComplexOp::ReadFirstLane, values) => {
                let from = LaneSource::First;
                (FindingKind::InactiveLane, from, RegisterSlot::NONE, values)
            }
            (ComplexOp::Derivative(_), values) => {
                let from = LaneSource::WholeQuad;
                (
                    FindingKind::IncompleteQuad,
                    from,
                    RegisterSlot::NONE,
                    values,
                )
            }
            (op, _) if op.looks_at_quad() && !matches!(op, ComplexOp::QuadVote(_)) => {
                let from = LaneSource::WholeQuad;
                (
                    FindingKind::IncompleteQuad,
                    from,
                    RegisterSlot::NONE,
                    &[][..],
                )
            }
            _ => return,
        };
        let origin = self.origin_of(Check::Lanes, kind);
        let mut shadow_src = vec![index];
        shadow_src.extend(values.iter().filter_map(|slot| self.shadow_of(*slot)));
        let shadow = self.new_slot(RegisterKind::W);
        for slot in dst {
            self.shadows.insert(*slot, shadow);
        }
        let op = ComplexOp::Shadow(Shadow::Lanes { from, origin });
        self.push_complex(op, &[shadow], &shadow_src);
    }

    /// Emits what comes after an instruction: accesses to shadow memory, and shadows of results.
    pub(super) fn follow_after(
        &mut self,
        op: &ComplexOp,
        dst: &[RegisterSlot],
        src: &[RegisterSlot],
    ) {
        use super::code::Space::Private;
        match (op, src) {
            (ComplexOp::Load(Private), &[address]) => {
                let origin = self.origin_of(Check::Uninitialized, FindingKind::UndefinedValue);
                let wide = dst
                    .iter()
                    .map(|slot| slot.kind() == RegisterKind::D)
                    .collect();
                let shadows: Vec<_> = dst.iter().map(|slot| self.new_shadow(*slot)).collect();
                let outside = self.read_origin();
                let op = Shadow::Load {
                    origin,
                    outside,
                    wide,
                };
                let op = ComplexOp::Shadow(op);
                self.push_complex(op, &shadows, &[address]);
            }
            (op, _) if op.is_followed_read() && self.module.checks.look_at_reads() => {
                let values = match op {
                    // The last result is the status.
                    ComplexOp::BufferLoad { .. } | ComplexOp::TextureLoad { .. } => {
                        dst.split_last().map_or(dst, |(_, values)| values)
                    }
                    _ => dst,
                };
                let shadow = self.new_slot(RegisterKind::W);
                for slot in values.iter().filter(|slot| !slot.is_none()) {
                    self.shadows.insert(*slot, shadow);
                }
                let origin = self.read_origin();
                let op = ComplexOp::Shadow(Shadow::Read { origin });
                self.push_complex(op, &[shadow], &[]);
            }
            (ComplexOp::Store(Private), [address, values @ ..]) => {
                let wide = values
                    .iter()
                    .map(|slot| slot.kind() == RegisterKind::D)
                    .collect();
                let mut all = vec![*address];
                all.extend(self.shadows_of(values));
                self.push_complex(ComplexOp::Shadow(Shadow::Store { wide }), &[], &all);
            }
            (ComplexOp::Unpack(..) | ComplexOp::Pack(..), src) => {
                // All results depend on all operands: an approximation that these operations on
                // packed colours do not need to be better than.
                let shadow = src.iter().find_map(|slot| self.shadow_of(*slot));
                if let Some(shadow) = shadow {
                    for slot in dst {
                        self.shadows.insert(*slot, shadow);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns the open interval of floats that a conversion takes, and whether they are doubles.
fn converted_range(op: LaneOp) -> Option<(f64, f64, bool)> {
    use LaneOp as L;
    let unsigned = |bits: i32| (-1.0, 2_f64.powi(bits));
    // One below the least integer, as far as the float type has such a number; a float of single
    // precision then excludes the least integer itself only where it cannot tell them apart.
    let signed = |bits: i32| (-2_f64.powi(bits - 1) * (1.0 + 1e-6), 2_f64.powi(bits - 1));
    let ((minimum, maximum), is_double) = match op {
        L::FloatToU32 => (unsigned(32), false),
        L::FloatToS32 => (signed(32), false),
        L::FloatToU16 => (unsigned(16), false),
        L::FloatToS16 => (signed(16), false),
        L::FloatToU64 => (unsigned(64), false),
        L::FloatToS64 => (signed(64), false),
        L::DoubleToU32 => (unsigned(32), true),
        L::DoubleToS32 => (signed(32), true),
        L::DoubleToU16 => (unsigned(16), true),
        L::DoubleToS16 => (signed(16), true),
        L::DoubleToU64 => (unsigned(64), true),
        L::DoubleToS64 => (signed(64), true),
        _ => return None,
    };
    Some((minimum, maximum, is_double))
}
