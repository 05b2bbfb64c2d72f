//! A table of instructions that were written, by the hash of their words. It holds positions, so
//! that a lookup allocates nothing.

use std::hash::{BuildHasher, Hasher};

use dxil_frontend::tables::Seeded;
use hashbrown::HashTable;

use super::Word;

/// The hash of an instruction without its result id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WordHash(u32);

impl WordHash {
    /// Returns the hash of an instruction's first word, the type of its result, and its operands.
    /// Modules do not depend on the seed.
    #[inline(always)]
    pub(super) fn new<W: Word>(seed: Seeded, header: u32, ty: u32, operands: &[W]) -> WordHash {
        let mut hasher = seed.build_hasher();
        hasher.write_u64(u64::from(header) << 32 | u64::from(ty));
        for operand in operands {
            hasher.write_u32(operand.word());
        }
        WordHash(hasher.finish() as u32)
    }

    /// Returns the hash for the table, which takes the place of an entry from the low bits, and a
    /// mark from the highest seven.
    #[inline]
    fn wide(self) -> u64 {
        u64::from(self.0) << 32 | u64::from(self.0)
    }
}

/// Entries by the hash of their words. Entries with the same hash may be different ones.
#[derive(Debug)]
pub(super) struct WordTable<T> {
    entries: HashTable<(WordHash, T)>,
}

impl<T> Default for WordTable<T> {
    fn default() -> Self {
        WordTable {
            entries: HashTable::new(),
        }
    }
}

impl<T: Copy> WordTable<T> {
    /// Returns the entry with that hash for which `is_same` holds.
    #[inline]
    pub(super) fn find(&self, hash: WordHash, is_same: impl Fn(T) -> bool) -> Option<T> {
        let is_same = |&(known, entry): &(WordHash, T)| known == hash && is_same(entry);
        let (_, entry) = self.entries.find(hash.wide(), is_same)?;
        Some(*entry)
    }

    /// Returns the entry with that hash for which `is_same` and `serves` hold. If there is none,
    /// puts `new` into the table; it takes the place of a same one that does not serve. Entries for
    /// which `is_live` fails are dropped when the table grows.
    #[inline(always)]
    pub(super) fn find_or_put(
        &mut self,
        hash: WordHash,
        new: T,
        is_same: impl Fn(T) -> bool,
        serves: impl Fn(T) -> bool,
        is_live: impl Fn(T) -> bool,
    ) -> Option<T> {
        if self.entries.len() == self.entries.capacity() {
            self.grow(is_live);
        }
        let is_same = |&(known, entry): &(WordHash, T)| known == hash && is_same(entry);
        match self.entries.find_entry(hash.wide(), is_same) {
            Ok(mut place) => {
                let old = &mut place.get_mut().1;
                if serves(*old) {
                    return Some(*old);
                }
                *old = new;
            }
            Err(_) => {
                let widen = |&(hash, _): &(WordHash, T)| hash.wide();
                self.entries.insert_unique(hash.wide(), (hash, new), widen);
            }
        }
        None
    }

    /// Makes room for as many entries as live.
    #[cold]
    fn grow(&mut self, is_live: impl Fn(T) -> bool) {
        self.entries.retain(|&mut (_, entry)| is_live(entry));
        let more = self.entries.len().max(56);
        self.entries.reserve(more, |&(hash, _)| hash.wide());
    }

    /// Returns the number of entries for which there is room.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.entries.capacity()
    }
}

#[cfg(test)]
mod tests {
    use dxil_frontend::tables::HashSet;

    use super::*;

    fn put(table: &mut WordTable<u32>, hash: u32, entry: u32) -> Option<u32> {
        let is_same = |known| known == entry;
        table.find_or_put(WordHash(hash), entry, is_same, |_| true, |_| true)
    }

    #[test]
    fn entries_with_the_same_hash_survive_growth() {
        let mut table = WordTable::default();
        for i in 0..1000 {
            assert_eq!(put(&mut table, i / 2, i), None);
        }
        for i in 0..1000 {
            assert_eq!(put(&mut table, i / 2, i), Some(i));
            assert_eq!(table.find(WordHash(i / 2), |entry| entry == i), Some(i));
        }
        assert_eq!(table.find(WordHash(500), |_| true), None);
    }

    #[test]
    fn an_entry_takes_the_place_of_the_same_one_and_the_dead_are_dropped() {
        let mut table = WordTable::default();
        let replace = |table: &mut WordTable<u32>, hash: u32, entry: u32, oldest: u32| {
            let is_live = |entry| entry >= oldest;
            table.find_or_put(WordHash(hash), entry, |_| true, |_| false, is_live)
        };
        for i in 0..10_000 {
            assert_eq!(replace(&mut table, i % 50, i, 0), None);
        }
        assert!(table.capacity() <= 128, "{}", table.capacity());
        assert_eq!(table.find(WordHash(49), |_| true), Some(9999));
        for i in 0..10_000_u32 {
            replace(
                &mut table,
                i.wrapping_mul(0x9e37_79b9),
                i,
                i.saturating_sub(10),
            );
        }
        // Sixty live at a time: the fifty of before, and the last ten.
        assert!(table.capacity() < 512, "{}", table.capacity());
    }

    #[test]
    fn constants_that_collide_for_one_seed_spread_for_another() {
        // The place in a table of 1024.
        let place = |seed, value: u32| WordHash::new(seed, 43, 7, &[value]).0 & 1023;
        let known = Seeded::with_seed(1);
        let chosen: Vec<u32> = (0..1 << 20).filter(|&v| place(known, v) == 0).collect();
        assert!(chosen.len() > 512);
        for seed in [2, 0x5555_7000_1234, 1 << 63].map(Seeded::with_seed) {
            let places: HashSet<u32> = chosen.iter().map(|&value| place(seed, value)).collect();
            assert!(places.len() > 256, "{seed:?}: {}", places.len());
        }
    }
}
