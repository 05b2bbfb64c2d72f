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

    /// Returns the slot of the instruction with that hash for which `is_same` holds, or an empty
    /// one for it, and the position of the instruction if it may serve here.
    #[inline(always)]
    pub(super) fn slot(
        &mut self,
        hash: u32,
        is_same: impl Fn(usize) -> bool,
    ) -> (usize, Option<usize>) {
        // What earlier functions left serves no more.
        let first = self.first;
        let is_live = |inst: WrittenInst| inst.block >= first;
        let is_same = |inst: WrittenInst| is_same(inst.at as usize);
        let slot = self.written.slot(hash, is_same, is_live);
        // Dominators are not known while blocks are written; these two dominate for certain.
        let serves = |inst: &WrittenInst| inst.block == self.block || inst.block == self.first;
        let serving = self.written.get(slot).filter(serves);
        (slot, serving.map(|inst| inst.at as usize))
    }

    /// Remembers the instruction at that position, in the slot that [`Self::slot`] has just returned
    /// for its hash.
    #[inline]
    pub(super) fn put(&mut self, slot: usize, hash: u32, at: usize) {
        let inst = WrittenInst {
            block: self.block,
            at: at as u32,
        };
        self.written.put(slot, hash, inst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(reuse: &mut Reuse, hash: u32) -> Option<usize> {
        reuse.slot(hash, |_| true).1
    }

    fn insert(reuse: &mut Reuse, hash: u32, at: usize) {
        let (slot, _) = reuse.slot(hash, |_| true);
        reuse.put(slot, hash, at);
    }

    #[test]
    fn what_is_written_serves_in_its_block_and_from_the_first_block_on() {
        let mut reuse = Reuse::default();
        reuse.begin_block(true);
        for at in 0..1000_u32 {
            insert(&mut reuse, at.wrapping_mul(0x9e37_79b9), at as usize);
        }
        reuse.begin_block(false);
        insert(&mut reuse, 7, 2000);
        assert_eq!(find(&mut reuse, 7), Some(2000));
        for at in 0..1000_u32 {
            let found = find(&mut reuse, at.wrapping_mul(0x9e37_79b9));
            assert_eq!(found, Some(at as usize));
        }
        reuse.begin_block(false);
        assert_eq!(find(&mut reuse, 7), None);
        assert_eq!(find(&mut reuse, 0), Some(0));
    }

    #[test]
    fn nothing_serves_in_another_function() {
        let mut reuse = Reuse::default();
        for function in 0..100 {
            assert_eq!(find(&mut reuse, function), None);
            for hash in 0..function {
                assert_eq!(find(&mut reuse, hash), None);
                insert(&mut reuse, hash, hash as usize);
                assert_eq!(find(&mut reuse, hash), Some(hash as usize));
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
