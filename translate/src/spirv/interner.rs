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

/// Where hashes start. Shaders cannot know it, so none can be written for instructions that collide,
/// which would make a search through the table quadratic. Modules do not depend on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seed(u64);

impl Seed {
    /// Returns a seed that depends on where the system has placed code and stack: it needs no
    /// source of random numbers, which some hosts of the library lack.
    pub(super) fn of_process() -> Seed {
        static CODE: u8 = 0;
        let stack = 0_u8;
        let places = [(&raw const CODE).addr(), (&raw const stack).addr()];
        Seed(
            places
                .iter()
                .fold(0, |state, &place| mix(state, place as u64)),
        )
    }

    /// Returns the hash of an instruction without its result id: its first word, the type of its
    /// result, its operands.
    #[inline]
    pub(super) fn hash<W: Word>(self, header: u32, ty: u32, operands: &[W]) -> u32 {
        let start = mix(mix(self.0, header.into()), ty.into());
        let state = operands
            .iter()
            .fold(start, |state, operand| mix(state, operand.word().into()));
        // Differences in few bits of the seed must not leave most collisions as they are.
        (mix(state, state >> 32) >> 32) as u32
    }
}

#[inline]
fn mix(state: u64, word: u64) -> u64 {
    (state.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}

impl Interner {
    /// Returns the slot of the instruction with that hash for which `is_same` holds, and its offset;
    /// an empty slot if there is none.
    #[inline(always)]
    pub(super) fn slot(
        &mut self,
        hash: u32,
        mut is_same: impl FnMut(usize) -> bool,
    ) -> (usize, Option<usize>) {
        let offset = |after: NonZeroU32| after.get() as usize - 1;
        let is_same = |after| is_same(offset(after));
        let slot = self.offsets.slot(hash, is_same, |_| true);
        (slot, self.offsets.get(slot).map(offset))
    }

    /// Puts an instruction into the slot that [`Self::slot`] has just returned for its hash.
    #[inline]
    pub(super) fn put(&mut self, slot: usize, hash: u32, offset: usize) {
        // A section does not reach 2^32 words.
        let after = NonZeroU32::MIN.saturating_add(offset as u32);
        self.offsets.put(slot, hash, after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_growth() {
        let seed = Seed::of_process();
        let hash = |i: u32| seed.hash(i, 0, &[i]);
        let mut interner = Interner::default();
        for i in 0..1000 {
            let (slot, _) = interner.slot(hash(i), |_| false);
            interner.put(slot, hash(i), i as usize);
        }
        for i in 0..1000 {
            let (_, found) = interner.slot(hash(i), |offset| offset == i as usize);
            assert_eq!(found, Some(i as usize));
        }
        assert_eq!(interner.slot(hash(1000), |_| false).1, None);
    }

    #[test]
    fn constants_that_collide_for_one_seed_spread_for_another() {
        // The slot in a table of 1024.
        let slot = |seed: Seed, value: u32| seed.hash(43, 7, &[value]) & 1023;
        let known = Seed(0);
        let chosen: Vec<u32> = (0..1 << 20).filter(|&v| slot(known, v) == 0).collect();
        assert!(chosen.len() > 512);
        for seed in [1, 0x5555_7000_1234, u64::MAX].map(Seed) {
            let slots: std::collections::HashSet<u32> =
                chosen.iter().map(|&value| slot(seed, value)).collect();
            assert!(slots.len() > 256, "{seed:?}: {}", slots.len());
        }
    }
}
