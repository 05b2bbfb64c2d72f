//! Reuse of results: an instruction that depends on its operands alone is written once per block.
//!
//! A table of positions, by a hash of the words, finds the earlier instruction. One in the
//! function's first block serves all blocks, which that block dominates (SPIR-V 1.6, 2.16.1
//! "Universal Validation Rules": a use is dominated by its definition). The table forgets nothing
//! within a function: what a table of fixed size would forget depends on the numbers of ids, and
//! so on names and debug information.

use rustc_hash::FxHashMap;

use super::interner;

/// The instructions of the function under construction that may serve again.
#[derive(Debug)]
pub(super) struct Reuse {
    slots: FxHashMap<u32, WrittenInst>,
    /// Number of the block under construction.
    block: u32,
    /// Number of the first block of the function.
    first: u32,
    /// Whether results serve again at all.
    pub(super) is_on: bool,
}

/// An instruction that was written.
#[derive(Debug, Clone, Copy)]
struct WrittenInst {
    /// Number of its block.
    block: u32,
    /// Position in the section of functions.
    at: u32,
}

impl Default for Reuse {
    fn default() -> Self {
        Reuse {
            slots: FxHashMap::default(),
            block: 1,
            first: 1,
            is_on: false,
        }
    }
}

impl Reuse {
    /// Begins another block; `is_first` if it is the function's first one.
    pub(super) fn begin_block(&mut self, is_first: bool) {
        self.block += 1;
        if is_first {
            self.first = self.block;
        }
    }

    /// Forgets everything that was written so far.
    pub(super) fn forget(&mut self) {
        self.slots.clear();
    }

    /// Returns the hash of an instruction without its result.
    pub(super) fn hash(header: u32, ty: u32, operands: impl Iterator<Item = u32>) -> u32 {
        interner::hash([header, ty].into_iter().chain(operands))
    }

    /// Returns the position of the instruction with that hash that may serve here, if there is one.
    pub(super) fn find(&self, hash: u32) -> Option<usize> {
        let slot = self.slots.get(&hash)?;
        // Dominators are not known while blocks are written; these two dominate for certain.
        let serves = slot.block == self.block || slot.block == self.first;
        serves.then_some(slot.at as usize)
    }

    /// Remembers the instruction at that position.
    pub(super) fn insert(&mut self, hash: u32, at: usize) {
        let slot = WrittenInst {
            block: self.block,
            at: at as u32,
        };
        self.slots.insert(hash, slot);
    }
}
