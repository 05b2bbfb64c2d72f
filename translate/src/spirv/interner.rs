//! Finds an earlier instruction with the same words, by its offset in the section that holds the
//! instructions.

use super::word_table::{WordHash, WordTable};

/// Offsets of interned instructions, by hash of their words.
#[derive(Debug, Default)]
pub(super) struct Interner {
    offsets: WordTable<u32>,
}

impl Interner {
    /// Returns the offset of the instruction with that hash for which `is_same` holds.
    #[inline]
    pub(super) fn find(&self, hash: WordHash, is_same: impl Fn(usize) -> bool) -> Option<usize> {
        let found = self.offsets.find(hash, |offset| is_same(offset as usize))?;
        Some(found as usize)
    }

    /// Returns the offset of the instruction with that hash for which `is_same` holds. If there is
    /// none, remembers the one that comes next, at offset `next`.
    #[inline(always)]
    pub(super) fn find_or_put(
        &mut self,
        hash: WordHash,
        next: usize,
        is_same: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        // A section does not reach 2^32 words.
        let next = next as u32;
        let is_same = |offset| is_same(offset as usize);
        let found = self
            .offsets
            .find_or_put(hash, next, is_same, |_| true, |_| true)?;
        Some(found as usize)
    }
}
