//! Reuse of results: an instruction that depends on its operands alone is written once per block.
//!
//! A table of positions, by a hash of the words, finds the earlier instruction. One in the
//! function's first block serves all blocks, which that block dominates (SPIR-V 1.6, 2.16.1
//! "Universal Validation Rules": a use is dominated by its definition). The table forgets nothing
//! within a function: what a table of fixed size would forget depends on the numbers of ids, and
//! so on names and debug information.

use std::num::NonZeroU32;

use super::hash_slots::HashSlots;

/// The instructions of the function under construction that may serve again.
#[derive(Debug)]
pub(super) struct Reuse {
    /// The last of all equal instructions.
    written: HashSlots<WrittenInst>,
    /// Number of the block under construction.
    block: NonZeroU32,
    /// Number of the first block of the function.
    first: NonZeroU32,
    /// Whether results serve again at all.
    pub(super) is_on: bool,
}

/// An instruction that was written.
#[derive(Debug, Clone, Copy)]
struct WrittenInst {
    /// Number of its block.
    block: NonZeroU32,
    /// Position in the section of functions.
    at: u32,
}

impl Default for Reuse {
    fn default() -> Self {
        Reuse {
            written: HashSlots::default(),
            block: NonZeroU32::MIN,
            first: NonZeroU32::MIN,
            is_on: false,
        }
    }
}

impl Reuse {
    /// Begins another block; `is_first` if it is the function's first one.
    pub(super) fn begin_block(&mut self, is_first: bool) {
        self.block = self.block.saturating_add(1);
        if is_first {
            self.first = self.block;
        }
    }

    /// Forgets everything that was written so far: what is in the table stays there until it grows,
    /// but its blocks are none that serve.
    pub(super) fn forget(&mut self) {
        self.begin_block(true);
    }

    /// Returns the position of an instruction with that hash that may serve here, if `is_same` holds
    /// for it.
    #[inline]
    pub(super) fn find(&self, hash: u32, is_same: impl Fn(usize) -> bool) -> Option<usize> {
        let inst = self.written.find(hash, |inst| is_same(inst.at as usize))?;
        // Dominators are not known while blocks are written; these two dominate for certain.
        let serves = inst.block == self.block || inst.block == self.first;
        serves.then_some(inst.at as usize)
    }

    /// Remembers the instruction at that position, instead of the earlier one with that hash for
    /// which `is_same` holds.
    #[inline]
    pub(super) fn insert(&mut self, hash: u32, at: usize, is_same: impl Fn(usize) -> bool) {
        let inst = WrittenInst {
            block: self.block,
            at: at as u32,
        };
        // What earlier functions left serves no more.
        let first = self.first;
        let is_live = |inst: WrittenInst| inst.block >= first;
        self.written
            .insert(hash, inst, |inst| is_same(inst.at as usize), is_live);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_serves_in_its_block_and_from_the_first_block_on() {
        let mut reuse = Reuse::default();
        reuse.begin_block(true);
        for at in 0..1000_u32 {
            reuse.insert(at.wrapping_mul(0x9e37_79b9), at as usize, |_| true);
        }
        reuse.begin_block(false);
        reuse.insert(7, 2000, |_| true);
        assert_eq!(reuse.find(7, |_| true), Some(2000));
        for at in 0..1000_u32 {
            let found = reuse.find(at.wrapping_mul(0x9e37_79b9), |_| true);
            assert_eq!(found, Some(at as usize));
        }
        reuse.begin_block(false);
        assert_eq!(reuse.find(7, |_| true), None);
        assert_eq!(reuse.find(0, |_| true), Some(0));
    }

    #[test]
    fn nothing_serves_in_another_function() {
        let mut reuse = Reuse::default();
        for function in 0..100 {
            assert_eq!(reuse.find(function, |_| true), None);
            for hash in 0..function {
                assert_eq!(reuse.find(hash, |_| true), None);
                reuse.insert(hash, hash as usize, |_| true);
                assert_eq!(reuse.find(hash, |_| true), Some(hash as usize));
            }
            reuse.forget();
        }
        assert!(
            reuse.written.capacity() <= 1024,
            "{}",
            reuse.written.capacity()
        );
    }
}
