//! Shift amounts of 64 bits.
//!
//! SPIR-V accepts shift amounts of any width (3.3.14 "Bit Instructions"); naga 30 accepts only 32
//! bits, as WGSL does (8.9 "Bit Expressions").

use super::state::Legalizer;
use crate::spirv::{Id, Op};

impl Legalizer<'_> {
    /// Returns the operands of a shift with an amount of 32 bits, if it has one of 64.
    pub(super) fn narrow_shift(&mut self, op: Op, words: &[u32]) -> Option<[u32; 2]> {
        use Op::{ShiftLeftLogical, ShiftRightArithmetic, ShiftRightLogical};
        let (ShiftLeftLogical | ShiftRightArithmetic | ShiftRightLogical, &[value, amount]) =
            (op, words)
        else {
            return None;
        };
        let amount = Id(amount);
        let numeric = self.numeric_of(amount).filter(|amount| amount.bits == 64)?;
        let narrow = match self.constants.get(&amount) {
            // The result of a shift by the width or more is undefined in SPIR-V (3.3.14 "Bit
            // Instructions"), so any amount that large will do.
            Some(&amount) => self.b.const_u32(u32::try_from(amount).unwrap_or(u32::MAX)),
            None => {
                let scalar = self.b.u32();
                let ty = self.b.vector_or_scalar(scalar, numeric.count);
                self.emit(Op::UConvert, ty, &[amount.0])
            }
        };
        Some([value, narrow.0])
    }
}
