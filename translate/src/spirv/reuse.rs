//! Reuse of results: an instruction that depends on its operands alone is written once per block.
//!
//! A table of positions, by a hash of the words, finds the earlier instruction. One in the
//! function's first block serves all blocks, which that block dominates (SPIR-V 1.6, 2.16.1
//! "Universal Validation Rules": a use is dominated by its definition). The table forgets nothing
//! within a function: what a table of fixed size would forget depends on the numbers of ids, and
//! so on names and debug information.

use std::num::NonZeroU32;

use super::word_table::{WordHash, WordTable};

/// The instructions of the function under construction that may serve again.
#[derive(Debug)]
pub(super) struct Reuse {
    /// The last of all equal instructions.
    written: WordTable<WrittenInst>,
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
            written: WordTable::default(),
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

    /// Returns the position of the instruction with that hash for which `is_same` holds, if it may
    /// serve here. If there is none, remembers the one that comes next, at position `next`.
    #[inline(always)]
    pub(super) fn find_or_put(
        &mut self,
        hash: WordHash,
        next: usize,
        is_same: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (block, first) = (self.block, self.first);
        let next = WrittenInst {
            block,
            at: next as u32,
        };
        let is_same = |inst: WrittenInst| is_same(inst.at as usize);
        // Dominators are not known while blocks are written; these two dominate for certain.
        let serves = |inst: WrittenInst| inst.block == block || inst.block == first;
        // What earlier functions left serves no more.
        let is_live = |inst: WrittenInst| inst.block >= first;
        let found = self
            .written
            .find_or_put(hash, next, is_same, serves, is_live)?;
        Some(found.at as usize)
    }
}

#[cfg(test)]
mod tests {
    use dxil_frontend::tables::Seeded;

    use super::*;

    /// Looks an instruction up, which is remembered at that position if it is new.
    fn find_or_put(reuse: &mut Reuse, word: u32, at: usize) -> Option<usize> {
        let hash = WordHash::new(Seeded::default(), word, 0, &[0_u32; 0]);
        reuse.find_or_put(hash, at, |_| true)
    }

    #[test]
    fn what_is_written_serves_in_its_block_and_from_the_first_block_on() {
        let mut reuse = Reuse::default();
        reuse.begin_block(true);
        for at in 0..1000 {
            assert_eq!(find_or_put(&mut reuse, at, at as usize), None);
        }
        reuse.begin_block(false);
        assert_eq!(find_or_put(&mut reuse, 1007, 2000), None);
        assert_eq!(find_or_put(&mut reuse, 1007, 2001), Some(2000));
        for at in 0..1000 {
            assert_eq!(find_or_put(&mut reuse, at, 2002), Some(at as usize));
        }
        reuse.begin_block(false);
        assert_eq!(find_or_put(&mut reuse, 1007, 3000), None);
        assert_eq!(find_or_put(&mut reuse, 1007, 3001), Some(3000));
        assert_eq!(find_or_put(&mut reuse, 0, 3002), Some(0));
    }

    #[test]
    fn nothing_serves_in_another_function() {
        let mut reuse = Reuse::default();
        for function in 0..100 {
            for word in 0..=function {
                assert_eq!(find_or_put(&mut reuse, word, word as usize), None);
                assert_eq!(find_or_put(&mut reuse, word, 1000), Some(word as usize));
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
