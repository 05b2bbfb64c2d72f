//! Results that serve again: an instruction that depends on its operands alone is written once per
//! block.
//!
//! A small table of positions, indexed by a hash of the words, finds the earlier instruction. One
//! in the function's first block serves all blocks, which that block dominates (SPIR-V 1.6, 2.16.1
//! "Universal Validation Rules": a use is dominated by its definition).

use super::interner;

/// Number of instructions that are remembered; a power of two.
const SLOTS: usize = 256;

/// The instructions of the function under construction that may serve again.
#[derive(Debug)]
pub(super) struct Reuse {
    slots: [Slot; SLOTS],
    /// Number of the block under construction.
    block: u32,
    /// Number of the first block of the function.
    first: u32,
    /// Whether results serve again at all.
    pub(super) is_on: bool,
}

/// An instruction that was written.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    hash: u32,
    /// Number of its block; 0 is an empty slot.
    block: u32,
    /// Position in the section of functions.
    at: u32,
}

impl Default for Reuse {
    fn default() -> Self {
        Reuse {
            slots: [Slot::default(); SLOTS],
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
        self.slots = [Slot::default(); SLOTS];
    }

    /// Returns the hash of an instruction without its result.
    pub(super) fn hash(header: u32, ty: u32, operands: impl Iterator<Item = u32>) -> u32 {
        interner::hash([header, ty].into_iter().chain(operands))
    }

    /// Returns the position of the instruction with that hash that may serve here, if there is one.
    pub(super) fn find(&self, hash: u32) -> Option<usize> {
        let slot = self.slots[hash as usize % SLOTS];
        let serves = slot.block == self.block || slot.block == self.first;
        (slot.hash == hash && slot.block != 0 && serves).then_some(slot.at as usize)
    }

    /// Remembers the instruction at that position.
    pub(super) fn insert(&mut self, hash: u32, at: usize) {
        self.slots[hash as usize % SLOTS] = Slot {
            hash,
            block: self.block,
            at: at as u32,
        };
    }
}
