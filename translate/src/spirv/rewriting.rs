//! Functions that passes over finished modules share: reading and rewriting sections.

use std::collections::BTreeSet;

use super::reader::instructions;
use super::{Builder, Capability, Id, Op};

impl Builder {
    /// Returns the functions; the module has none from here on.
    pub(super) fn take_functions(&mut self) -> Vec<u32> {
        let functions = std::mem::take(&mut self.functions);
        self.functions.reserve(functions.len() * 5 / 4);
        functions
    }

    /// Appends an instruction as it stands.
    pub(super) fn push_instruction(&mut self, words: &[u32]) {
        self.functions.extend_from_slice(words);
    }

    /// Gives the last instruction another result id, if it was written at or after `start` and has
    /// the result `from`; nothing else may refer to that.
    pub(super) fn rename_last_result(&mut self, start: usize, from: Id, to: Id) -> bool {
        let new = self.functions.get(start..).unwrap_or_default();
        let Some((_, last)) = instructions(new).last() else {
            return false;
        };
        let at = self.functions.len() - last.len() + 2;
        match self.functions.get_mut(at) {
            Some(result) if *result == from.0 => {
                *result = to.0;
                true
            }
            _ => false,
        }
    }

    /// Takes a capability back.
    pub(super) fn remove_capability(&mut self, capability: Capability) {
        self.capabilities.retain(|&declared| declared != capability);
    }

    /// Takes types, constants and variables; the module has none from here on.
    pub(super) fn take_globals(&mut self) -> Vec<u32> {
        // All of them hold offsets or ids of the section that is taken.
        self.interner = Default::default();
        self.strided_arrays.clear();
        self.literals.clear();
        self.small_literals = [Id::NONE; 64];
        self.common = Default::default();
        std::mem::take(&mut self.globals)
    }

    /// Removes types, constants and variables for which `keep` returns false. Comes last: types
    /// that are declared afterwards may repeat others.
    pub(super) fn retain_globals(&mut self, keep: impl Fn(Op, &[u32]) -> bool) {
        for (op, words) in instructions(&self.take_globals()) {
            if keep(op, words) {
                self.globals.extend_from_slice(words);
            }
        }
    }

    /// Removes names for which `keep` returns false.
    pub(super) fn retain_names(&mut self, keep: impl Fn(Op, &[u32]) -> bool) {
        let all = std::mem::take(&mut self.debug);
        for (op, words) in instructions(&all) {
            if keep(op, words) {
                self.debug.extend_from_slice(words);
            }
        }
    }

    /// Returns the types, constants and variables.
    pub(super) fn globals(&self) -> impl Iterator<Item = (Op, &[u32])> {
        instructions(&self.globals)
    }

    /// Returns the merge blocks of [`Self::mark_element_switch`], which are forgotten then.
    pub(super) fn take_element_switches(&mut self) -> BTreeSet<Id> {
        std::mem::take(&mut self.element_switches)
    }

    /// Removes decorations for which `keep` returns false.
    pub(super) fn retain_annotations(&mut self, keep: impl Fn(Op, &[u32]) -> bool) {
        let all = std::mem::take(&mut self.annotations);
        for (op, words) in instructions(&all) {
            if keep(op, words) {
                self.annotations.extend_from_slice(words);
            }
        }
    }

    /// Declares a type, constant or variable that was taken, with its id.
    pub(super) fn global_as(&mut self, op: Op, ty: Id, id: Id, operands: &[u32]) {
        if op != Op::Variable {
            self.find_or_intern_next(op, ty, operands);
        }
        self.push_global(op, ty, id, operands);
        if let (Op::Constant, &[value]) = (op, operands)
            && ty == self.u32()
        {
            self.note_literal(id, value);
        }
    }
}
