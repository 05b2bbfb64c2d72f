//! Division of emulated 64-bit integers, by a function that divides bit by bit.

use super::state::Legalizer;
use crate::spirv::{Id, Op};

impl Legalizer<'_> {
    /// Returns the quotient and the remainder, as a vector of four words.
    pub(super) fn divided(&mut self, a: Id, b: Id) -> Id {
        let word = self.b.u32();
        let four = self.b.vector(word, 4);
        let function = match self.int64.as_ref().and_then(|int64| int64.divide) {
            Some(function) => function,
            None => {
                let function = self.b.fresh();
                if let Some(int64) = &mut self.int64 {
                    int64.divide = Some(function);
                }
                function
            }
        };
        self.append(Op::FunctionCall, four, &[function.0, a.0, b.0])
    }

    pub(super) fn part_of_division(&mut self, quotient: bool, pair: Id, both: Id) -> Id {
        let word = self.b.u32();
        let first = if quotient { 0 } else { 2 };
        let parts = [first, first + 1]
            .map(|index| self.append(Op::CompositeExtract, word, &[both.0, index]));
        self.join(pair, parts)
    }

    /// Writes the function that divides, if it is called.
    pub(super) fn write_division(&mut self) {
        let Some(int64) = &self.int64 else {
            return;
        };
        if let (Some(id), Some(&pair)) = (int64.divide, int64.types.first()) {
            self.division(id, pair);
        }
    }

    /// Writes long division, one bit per iteration.
    pub(super) fn division(&mut self, id: Id, pair: Id) {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let four = self.b.vector(word, 4);
        let written = self.written(pair);
        let function_ty = self.b.function_type(four, &[written, written]);
        let [zero, one, rounds] = [0, 1, 64].map(|value| self.b.const_u32(value));
        let function = self.b.begin_function(id, four, function_ty);
        let [dividend, divisor] =
            [pair, pair].map(|ty| self.append(Op::FunctionParameter, ty, &[]));
        let [entry, head, test, body, next, merge] = [(); 6].map(|()| self.b.fresh());
        self.b.entry_label(entry);
        let start = self.halves(dividend);
        let divisor = self.halves(divisor);
        self.b.emit_void(Op::Branch, &[head]);
        self.b.label(head);
        // The dividend moves out of the quotient's words at the top while the quotient comes in
        // below.
        let phis = [(); 5].map(|()| self.b.fresh());
        let news = [(); 5].map(|()| self.b.fresh());
        let starts = [start[0], start[1], zero, zero, zero];
        for ((phi, start), new) in phis.into_iter().zip(starts).zip(news) {
            self.emit_as(Op::Phi, word, phi, &[start.0, entry.0, new.0, next.0]);
        }
        let [quotient, rest] = [[phis[0], phis[1]], [phis[2], phis[3]]];
        let round = phis[4];
        self.b.emit_void(Op::LoopMerge, &[merge.0, next.0, 0]);
        self.b.emit_void(Op::Branch, &[test]);
        self.b.label(test);
        let more = self.append(Op::ULessThan, bool_ty, &[round.0, rounds.0]);
        self.b
            .emit_void(Op::BranchConditional, &[more, body, merge]);
        self.b.label(body);
        let top = self.u32_shr(quotient[1], 31);
        let out = self.u32_shr(rest[1], 31);
        let [low, high] = self.shift_halves(Op::ShiftLeftLogical, rest, one);
        let low = self.append(Op::BitwiseOr, word, &[low.0, top.0]);
        let rest = [low, high];
        let less = self.less_halves(false, rest, divisor);
        let wide = self.append(Op::INotEqual, bool_ty, &[out.0, zero.0]);
        let fits = self.append(Op::LogicalNot, bool_ty, &[less.0]);
        let fits = self.append(Op::LogicalOr, bool_ty, &[fits.0, wide.0]);
        let bit = self.one_if(fits);
        let [low, high] = self.shift_halves(Op::ShiftLeftLogical, quotient, one);
        let low = self.append(Op::BitwiseOr, word, &[low.0, bit.0]);
        let left = self.subtract_halves(rest, divisor);
        self.b.emit_void(Op::Branch, &[next]);
        self.b.label(next);
        self.emit_as(Op::CopyObject, word, news[0], &[low.0]);
        self.emit_as(Op::CopyObject, word, news[1], &[high.0]);
        for half in [0, 1] {
            let operands = [fits.0, left[half].0, rest[half].0];
            self.emit_as(Op::Select, word, news[2 + half], &operands);
        }
        self.emit_as(Op::IAdd, word, news[4], &[round.0, one.0]);
        self.b.emit_void(Op::Branch, &[head]);
        self.b.label(merge);
        let result = self.construct(four, &phis[..4]);
        self.b.emit_void(Op::ReturnValue, &[result]);
        self.b.end_function(function);
    }
}
