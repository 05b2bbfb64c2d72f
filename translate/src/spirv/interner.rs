//! Finds an earlier instruction with the same words, by its offset in the section that holds the
//! instructions.

use std::num::NonZeroU32;

use super::Word;
use super::hash_slots::HashSlots;

/// Offsets of interned instructions, by hash of their words.
#[derive(Debug, Default)]
pub(super) struct Interner {
    /// Offsets plus one, so that an empty slot takes no more room.
    offsets: HashSlots<NonZeroU32>,
}

/// Returns the hash of an instruction without its result id: its first word, the type of its
/// result, its operands.
#[inline]
pub(super) fn hash<W: Word>(header: u32, ty: u32, operands: &[W]) -> u32 {
    let mix = |state: u64, word: u32| {
        (state.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95)
    };
    let start = mix(mix(0x9e37_79b9_7f4a_7c15, header), ty);
    let state = operands
        .iter()
        .fold(start, |state, operand| mix(state, operand.word()));
    (state >> 32) as u32
}

impl Interner {
    /// Returns the offset of an instruction with that hash for which `is_same` holds.
    #[inline]
    pub(super) fn find(&self, hash: u32, mut is_same: impl FnMut(usize) -> bool) -> Option<usize> {
        let found = self
            .offsets
            .find(hash, |after| is_same(after.get() as usize - 1))?;
        Some(found.get() as usize - 1)
    }

    /// Adds an instruction that [`Self::find`] did not find.
    #[inline]
    pub(super) fn insert(&mut self, hash: u32, offset: usize) {
        // A section does not reach 2^32 words.
        let after = NonZeroU32::MIN.saturating_add(offset as u32);
        self.offsets.insert(hash, after, |_| false, |_| true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_growth() {
        let mut interner = Interner::default();
        for i in 0..1000_u32 {
            interner.insert(hash(i, 0, &[i]), i as usize);
        }
        for i in 0..1000_u32 {
            let found = interner.find(hash(i, 0, &[i]), |offset| offset == i as usize);
            assert_eq!(found, Some(i as usize));
        }
        assert_eq!(interner.find(hash(1000, 0, &[1000]), |_| false), None);
    }
}
