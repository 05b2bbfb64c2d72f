//! Signs of integers.
//!
//! In SPIR-V the opcode says whether an integer has a sign (2.8.1 "Unsigned Versus Signed
//! Integers"); naga 30 looks at the operand's type, and modules before this pass declare unsigned
//! types only. So operands and results of signed instructions are cast to signed types and back.

use super::state::{Legalizer, NumericType};
use crate::spirv::{GLOp, Id, Op};

/// Operands with a sign, and whether the result has one.
type Signs = (&'static [usize], bool);

impl Legalizer<'_> {
    /// Rewrites an instruction on signed integers.
    pub(super) fn signed(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        let (operands, result): Signs = match op {
            Op::SDiv => (&[0, 1], true),
            Op::ShiftRightArithmetic | Op::BitFieldSExtract | Op::SConvert => (&[0], true),
            Op::ConvertSToF => (&[0], false),
            // naga's casts of 64-bit operands to signed types do not survive its WGSL writer.
            Op::SLessThan | Op::SLessThanEqual | Op::SGreaterThan | Op::SGreaterThanEqual
                if self.is_64_bit(words) =>
            {
                (&[0, 1], false)
            }
            Op::ConvertFToS => (&[], true),
            Op::GroupNonUniformSMin | Op::GroupNonUniformSMax => (&[2], true),
            Op::SRem => return self.remainder(ty, words),
            Op::ExtInst => {
                let operands = signed_operands(*words.get(1)?)?;
                (operands, true)
            }
            _ => return None,
        };
        self.with_signs(op, ty, words, (operands, result))
    }

    /// Returns the remainder with the sign of the dividend, as a difference: GLSL leaves `%`
    /// undefined for negative numbers (4.60, 5.9), and glslang takes the divisor's sign.
    fn remainder(&mut self, ty: Id, words: &[u32]) -> Option<Id> {
        let &[a, b] = words else {
            return None;
        };
        let quotient = self.emit(Op::SDiv, ty, words);
        let whole = self.append(Op::IMul, ty, &[quotient.0, b]);
        Some(self.append(Op::ISub, ty, &[a, whole.0]))
    }

    /// Returns whether the first operand is an integer of 64 bits.
    fn is_64_bit(&mut self, words: &[u32]) -> bool {
        let numeric = words.first().and_then(|&word| self.numeric_of(Id(word)));
        numeric.is_some_and(|numeric| numeric.bits == 64)
    }

    /// Returns the instruction with some operands cast to signed integers, and the result cast
    /// back. None if it has these types.
    fn with_signs(
        &mut self,
        op: Op,
        ty: Id,
        words: &[u32],
        (operands, result): Signs,
    ) -> Option<Id> {
        let unsigned = |numeric: &NumericType| !numeric.is_float && !numeric.is_signed;
        let mut cast = words.to_vec();
        for &index in operands {
            let Some(word) = cast.get_mut(index) else {
                continue;
            };
            if let Some(numeric) = self.numeric_of(Id(*word)).filter(unsigned) {
                let signed = self.signed_type(numeric);
                *word = self.emit(Op::Bitcast, signed, &[*word]).0;
            }
        }
        let result = self.numeric(ty).filter(|n| result && unsigned(n));
        match result {
            Some(numeric) => {
                let signed = self.signed_type(numeric);
                let value = self.append(op, signed, &cast);
                Some(self.emit(Op::Bitcast, ty, &[value.0]))
            }
            None if cast == words => None,
            None => Some(self.append(op, ty, &cast)),
        }
    }

    fn signed_type(&mut self, numeric: NumericType) -> Id {
        if self.int64.is_some() && numeric.bits == 64 {
            return self.uint(64);
        }
        let scalar = self.b.int(numeric.bits);
        self.b.vector_or_scalar(scalar, numeric.count)
    }
}

/// Returns the signed operands of a function of `GLSL.std.450`, in the words of `OpExtInst`; the
/// result of such a function is signed, too.
fn signed_operands(function: u32) -> Option<&'static [usize]> {
    const S_MIN: u32 = GLOp::SMin as u32;
    const S_MAX: u32 = GLOp::SMax as u32;
    const S_CLAMP: u32 = GLOp::SClamp as u32;
    const FIND_S_MSB: u32 = GLOp::FindSMsb as u32;
    match function {
        S_MIN | S_MAX => Some(&[2, 3]),
        S_CLAMP => Some(&[2, 3, 4]),
        FIND_S_MSB => Some(&[2]),
        _ => None,
    }
}
