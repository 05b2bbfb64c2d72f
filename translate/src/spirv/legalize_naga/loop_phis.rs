//! Phis of loop headers.
//!
//! naga 30's front end turns a phi into a variable, and stores a value of the back edge to it in
//! the continue block. Some of naga's writers place that block before the body, where the value is
//! not declared. Such values therefore pass through a phi of the continue block: the stores to its
//! variable are in the body.

use dxil_frontend::tables::{HashMap, HashSet};

use super::state::{ContinuePhi, Legalizer};
use crate::spirv::reader::{ResultForm, instructions};
use crate::spirv::{Id, Op};

impl Legalizer<'_> {
    /// Finds the values of back edges that have to pass through a phi.
    pub(super) fn find_loop_phis(&mut self, functions: &[u32]) {
        // Most modules have no loops, and this takes several passes.
        let mut continues = HashMap::default();
        let mut label = Id::NONE;
        for (op, words) in instructions(functions) {
            match (op, words) {
                (Op::Label, &[_, id]) => label = Id(id),
                (Op::LoopMerge, &[_, _, target, ..]) if Id(target) != label => {
                    continues.insert(label, Id(target));
                }
                _ => {}
            }
        }
        if continues.is_empty() {
            return;
        }
        #[expect(clippy::disallowed_methods, reason = "collected into a set")]
        let targets: HashSet<Id> = continues.values().copied().collect();
        // What a continue block defines is declared where naga stores it.
        let mut own = HashSet::default();
        let mut local = HashSet::default();
        for (op, words) in instructions(functions) {
            match (op, words) {
                (Op::Label, &[_, id]) => label = Id(id),
                (Op::Branch, &[_, to]) => self.note_edge(&targets, label, Id(to)),
                (Op::BranchConditional, &[_, _, a, b, ..]) => {
                    self.note_edge(&targets, label, Id(a));
                    self.note_edge(&targets, label, Id(b));
                }
                (Op::Switch, &[_, selector, default, ref cases @ ..]) => {
                    self.note_edge(&targets, label, Id(default));
                    let is_wide = self.wide_selectors.contains(&Id(selector));
                    let length = if is_wide { 3 } else { 2 };
                    for case in cases.chunks_exact(length) {
                        self.note_edge(&targets, label, Id(case[length - 1]));
                    }
                }
                (op, &[_, _, result, ..]) if ResultForm::of(op) == ResultForm::Value => {
                    local.insert(Id(result));
                    if targets.contains(&label) {
                        own.insert(Id(result));
                    }
                }
                _ => {}
            }
        }
        for (op, words) in instructions(functions) {
            match (op, words) {
                (Op::Label, &[_, id]) => label = Id(id),
                (Op::Phi, &[_, ty, result, ref incoming @ ..]) => {
                    let Some(&target) = continues.get(&label) else {
                        continue;
                    };
                    for pair in incoming.chunks_exact(2) {
                        let (value, from) = (Id(pair[0]), Id(pair[1]));
                        // Constants are declared everywhere.
                        if from != target || own.contains(&value) || !local.contains(&value) {
                            continue;
                        }
                        let phi = self.b.fresh();
                        let carried = ContinuePhi {
                            phi,
                            ty: Id(ty),
                            value,
                        };
                        let phis = &mut self.loop_phis;
                        phis.carried.entry(target).or_default().push(carried);
                        phis.replaced.insert((Id(result), target), phi);
                    }
                }
                _ => {}
            }
        }
    }

    fn note_edge(&mut self, targets: &HashSet<Id>, from: Id, to: Id) {
        if targets.contains(&to) {
            // A branch may name a block twice, but a phi names each predecessor once.
            let known = self.loop_phis.predecessors.entry(to).or_default();
            if known.last() != Some(&from) {
                known.push(from);
            }
        }
    }

    /// Writes the phis of a block whose label was just written.
    pub(super) fn write_loop_phis(&mut self, label: Id) {
        let Some(carried) = self.loop_phis.carried.remove(&label) else {
            return;
        };
        let from = self.loop_phis.predecessors.remove(&label);
        let from = from.unwrap_or_default();
        for ContinuePhi { phi, ty, value } in carried {
            // The value dominates the block, and so each of its predecessors.
            let words: Vec<u32> = from.iter().flat_map(|from| [value.0, from.0]).collect();
            self.emit_as(Op::Phi, ty, phi, &words);
        }
    }

    /// Replaces operands of the phi of a loop header.
    pub(super) fn use_loop_phis(&self, result: Id, operands: &[u32]) -> Option<Vec<u32>> {
        if self.loop_phis.replaced.is_empty() {
            return None;
        }
        let mut operands = operands.to_vec();
        let mut is_changed = false;
        for pair in operands.chunks_exact_mut(2) {
            if let Some(phi) = self.loop_phis.replaced.get(&(result, Id(pair[1]))) {
                pair[0] = phi.0;
                is_changed = true;
            }
        }
        is_changed.then_some(operands)
    }
}
