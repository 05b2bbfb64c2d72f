//! Code that flushes denormals of single precision.

use dxil_frontend::ir::{Inst, Type, TypeId, ValueId};

use super::code::RegisterSlot;
use super::denormals::{FIRST_MEMBER, MAX_MEMBERS, READ, UNFLUSHED, is_denormal};
use super::function::Decoder;
use super::lane_ops::LaneOp;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Notes what is known of an instruction's result, and flushes it where arithmetic reads it and
    /// it may be a denormal.
    pub(super) fn note_denormals(
        &mut self,
        value: ValueId,
        ty: TypeId,
        slots: &[RegisterSlot],
    ) -> Result<()> {
        let Some(denormals) = &self.denormals else {
            return Ok(());
        };
        let facts = denormals.of(value);
        if let Type::Struct { fields, .. } = self.layout.types().get(ty) {
            // What operations return: a register for each member.
            let fields = fields.clone();
            for (number, (field, &slot)) in fields.iter().zip(slots).enumerate() {
                let is_read = number < MAX_MEMBERS as usize && facts & FIRST_MEMBER << number != 0;
                if is_read && matches!(self.layout.types().get(*field), Type::Float) {
                    self.flush(slot)?;
                }
            }
            return Ok(());
        }
        let types = self.layout.types();
        let scalar = match types.get(ty) {
            Type::Vector { element, .. } => types.get(*element),
            scalar => scalar,
        };
        // Registers of integers may be read as floats after a bit cast.
        if !matches!(scalar, Type::Float) {
            return Ok(());
        }
        if facts & UNFLUSHED == 0 {
            self.flushed.extend(slots.iter().map(|&s| (s, s)));
            return Ok(());
        }
        // A copy shares its registers with values that other blocks may copy as well, where this
        // instruction has not run: it is flushed in each block that reads it.
        let inst = self
            .view
            .function
            .insts
            .get(self.inst)
            .map(|data| data.inst);
        let is_copy = matches!(
            inst,
            Some(
                Inst::Cast { .. }
                    | Inst::ExtractValue { .. }
                    | Inst::ExtractElement { .. }
                    | Inst::InsertValue { .. }
                    | Inst::InsertElement { .. }
                    | Inst::ShuffleVector { .. }
            )
        );
        if facts & READ != 0 && !is_copy {
            for &slot in slots {
                self.flush(slot)?;
            }
        }
        Ok(())
    }

    /// Flushes a register after the instruction that makes it.
    fn flush(&mut self, slot: RegisterSlot) -> Result<()> {
        if !self.flushed.contains_key(&slot) && self.known(slot).is_none() {
            let flushed = self.lane(LaneOp::Flush, &[slot])?;
            self.flushed.insert(slot, flushed);
        }
        Ok(())
    }

    /// Returns an operand of arithmetic in single precision.
    pub(super) fn flushed(&mut self, operand: RegisterSlot) -> Result<RegisterSlot> {
        if self.denormals.is_none() {
            return Ok(operand);
        }
        if let Some(bits) = self.known(operand) {
            return Ok(if is_denormal(bits as u32) {
                self.word(bits as u32 & 0x8000_0000)
            } else {
                operand
            });
        }
        let known = self.flushed.get(&operand);
        if let Some(&slot) = known.or_else(|| self.flushed_in_block.get(&operand)) {
            return Ok(slot);
        }
        let flushed = self.lane(LaneOp::Flush, &[operand])?;
        self.flushed_in_block.insert(operand, flushed);
        Ok(flushed)
    }

    /// Returns the result of a single-precision operation.
    pub(super) fn float_lane(
        &mut self,
        op: LaneOp,
        operands: &[RegisterSlot],
    ) -> Result<RegisterSlot> {
        use LaneOp as L;
        if self.denormals.is_none() {
            return self.lane(op, operands);
        }
        let mut flushed = [RegisterSlot::NONE; 3];
        for (flushed, &operand) in flushed.iter_mut().zip(operands) {
            *flushed = self.flushed(operand)?;
        }
        let operands = flushed.get(..operands.len()).unwrap_or(&flushed);
        let result = match op {
            // The result is a boolean.
            L::FOeq | L::FUne | L::FOlt | L::FOle | L::FOne | L::FUno => {
                return self.lane(op, operands);
            }
            // Numbers that are no denormals give none.
            L::FMin
            | L::FMax
            | L::FAbs
            | L::Saturate
            | L::RoundNe
            | L::RoundNi
            | L::RoundPi
            | L::RoundZ
            | L::Sqrt
            | L::Rsqrt => self.lane(op, operands)?,
            L::FAdd => self.lane(L::FAddFlush, operands)?,
            L::FSub => self.lane(L::FSubFlush, operands)?,
            L::FMul => self.lane(L::FMulFlush, operands)?,
            L::FDiv => self.lane(L::FDivFlush, operands)?,
            L::FMad => self.lane(L::FMadFlush, operands)?,
            _ => {
                let result = self.lane(op, operands)?;
                self.lane(L::Flush, &[result])?
            }
        };
        self.flushed.insert(result, result);
        Ok(result)
    }
}
