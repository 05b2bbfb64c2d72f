//! Products of 64 bits.
//!
//! naga 30 has no `OpUMulExtended` and `OpSMulExtended`. The upper word of a product comes from
//! products of 16 by 16 bits.

use super::state::Legalizer;
use crate::spirv::{Id, Op};

impl Legalizer<'_> {
    /// Rewrites a product of two words; the result is a struct of the low and the high word.
    pub(super) fn product(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        let (Op::UMulExtended | Op::SMulExtended, &[a, b]) = (op, words) else {
            return None;
        };
        let word = self.b.u32();
        // Only products of words are lowered to these instructions.
        if self.type_of(Id(a)) != Some(word) {
            return None;
        }
        let members = self.structs.get(&ty)?;
        if members.iter().any(|&member| member != word) {
            return None;
        }
        let low = self.append(Op::IMul, word, words);
        let high = self.high_product(op == Op::SMulExtended, [Id(a), Id(b)]);
        let parts = [low, high];
        let whole = self.construct(ty, &parts);
        self.parts.insert(whole, parts);
        Some(whole)
    }

    /// Returns the upper word of a product.
    fn high_product(&mut self, signed: bool, [lhs, rhs]: [Id; 2]) -> Id {
        let [a_low, a_high] = self.half_words(lhs);
        let [b_low, b_high] = self.half_words(rhs);
        let low = self.on_words(Op::IMul, a_low, b_low);
        let middle = self.on_words(Op::IMul, a_high, b_low);
        // Each partial product plus a carry of 16 bits still fits into 32 bits.
        let [_, carried] = self.half_words(low);
        let middle = self.on_words(Op::IAdd, middle, carried);
        let [middle_low, middle_high] = self.half_words(middle);
        let other = self.on_words(Op::IMul, a_low, b_high);
        let other = self.on_words(Op::IAdd, other, middle_low);
        let [_, carried] = self.half_words(other);
        let high = self.on_words(Op::IMul, a_high, b_high);
        let high = self.on_words(Op::IAdd, high, middle_high);
        let mut high = self.on_words(Op::IAdd, high, carried);
        if signed {
            // A negative factor counts 2^32 too much of the other.
            let (word, zero, bool_ty) = (self.b.u32(), self.b.const_u32(0), self.b.bool());
            for (factor, other) in [(lhs, rhs), (rhs, lhs)] {
                let negative = self.emit(Op::SLessThan, bool_ty, &[factor.0, zero.0]);
                let surplus = self.select(word, negative, other, zero);
                high = self.on_words(Op::ISub, high, surplus);
            }
        }
        high
    }

    /// Returns the lower and the upper 16 bits of a word.
    fn half_words(&mut self, value: Id) -> [Id; 2] {
        let [mask, shift] = [0xffff, 16].map(|word| self.b.const_u32(word));
        [
            self.on_words(Op::BitwiseAnd, value, mask),
            self.on_words(Op::ShiftRightLogical, value, shift),
        ]
    }

    fn on_words(&mut self, op: Op, a: Id, b: Id) -> Id {
        let word = self.b.u32();
        self.append(op, word, &[a.0, b.0])
    }
}
