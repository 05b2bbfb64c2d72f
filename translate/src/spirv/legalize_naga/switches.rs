//! Switches on integers of 64 bits.
//!
//! The literals of `OpSwitch` have the width of the selector (SPIR-V specification, 3.3.17
//! "Control-Flow Instructions"); naga 30 reads literals of 32 bits alone. Comparisons find the
//! number of the case, on which the switch branches instead.

use dxil_frontend::tables::HashSet;

use super::state::Legalizer;
use crate::spirv::reader::{ResultForm, instructions};
use crate::spirv::{Id, Op};

impl Legalizer<'_> {
    /// Finds the selectors of 64 bits among values of the functions.
    pub(super) fn find_wide_selectors(&mut self, functions: &[u32]) {
        let selectors: HashSet<u32> = instructions(functions)
            .filter(|(op, _)| *op == Op::Switch)
            .filter_map(|(_, words)| words.get(1).copied())
            .collect();
        if selectors.is_empty() {
            return;
        }
        for (op, words) in instructions(functions) {
            if let (ResultForm::Value, &[_, ty, result, ..]) = (ResultForm::of(op), words)
                && selectors.contains(&result)
                && self.numeric(Id(ty)).is_some_and(|ty| ty.bits == 64)
            {
                self.wide_selectors.insert(Id(result));
            }
        }
        // A selector may be a constant.
        #[expect(clippy::iter_over_hash_type, reason = "each selector by itself")]
        for selector in selectors {
            let constant = self.numeric_of(Id(selector));
            if constant.is_some_and(|ty| ty.bits == 64) {
                self.wide_selectors.insert(Id(selector));
            }
        }
    }

    /// Writes a merge instruction and the switch after it, if its selector has 64 bits. Nothing
    /// may stand between the two, so the comparisons come before both.
    pub(super) fn wide_switch(&mut self, merge: &[u32], switch: &[u32]) -> bool {
        let &[_, selector, default, ref cases @ ..] = switch else {
            return false;
        };
        if !self.wide_selectors.contains(&Id(selector)) {
            return false;
        }
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let cases = cases.chunks_exact(3);
        let mut words = vec![0, default];
        let mut number = self.b.const_u32(cases.len() as u32);
        for (index, case) in (0..).zip(cases) {
            let literal = u64::from(case[1]) << 32 | u64::from(case[0]);
            let literal = self.const_uint(64, literal);
            let hit = self.emit(Op::IEqual, bool_ty, &[selector, literal.0]);
            let own = self.b.const_u32(index);
            number = self.select(word, hit, own, number);
            words.extend([index, case[2]]);
        }
        words[0] = number.0;
        self.b.push_instruction(merge);
        self.b.emit_void(Op::Switch, &words);
        true
    }
}
