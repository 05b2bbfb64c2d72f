//! Selections and logical operations on vectors and structs.

use super::state::Legalizer;
use crate::spirv::{Id, Op};

impl Legalizer<'_> {
    /// Rewrites a selection or a logical operation that naga has no equal of.
    pub(super) fn selection(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        match (op, words) {
            (Op::Select, &[condition, a, b]) => self.select_parts(ty, Id(condition), [a, b]),
            // naga 30 has `&&` and `||` of scalars alone (its validator refuses vectors).
            (Op::LogicalAnd, &[a, b]) if ty != self.b.bool() => {
                Some(self.append(Op::Select, ty, &[a, b, a]))
            }
            (Op::LogicalOr, &[a, b]) if ty != self.b.bool() => {
                Some(self.append(Op::Select, ty, &[a, a, b]))
            }
            _ => None,
        }
    }

    /// Selects component by component: SPIR-V 1.4 selects composites by one condition; naga 30
    /// selects scalars, and vectors component by component.
    fn select_parts(&mut self, ty: Id, condition: Id, values: [u32; 2]) -> Option<Id> {
        let numeric = self.numeric(ty);
        if let Some(members) = self.structs.get(&ty).cloned() {
            let mut parts = Vec::with_capacity(members.len());
            for (index, &member) in (0..).zip(&members) {
                let [a, b] = values.map(|whole| self.extract(member, Id(whole), index));
                parts.push(self.select(member, condition, a, b));
            }
            return Some(self.construct(ty, &parts));
        }
        let count = if self.is_int64(ty) { 2 } else { numeric?.count };
        let bool_ty = self.b.bool();
        if count == 1 || self.type_of(condition) != Some(bool_ty) {
            return None;
        }
        let bools = self.b.vector(bool_ty, count);
        let all = self.construct(bools, &vec![condition; count as usize]);
        Some(self.append(Op::Select, ty, &[all.0, values[0], values[1]]))
    }
}
