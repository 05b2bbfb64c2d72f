//! An open-addressing table from 32-bit hashes to small entries, so that a lookup allocates nothing.

/// Entries by hash. Entries with the same hash may be different ones.
#[derive(Debug)]
pub(super) struct HashSlots<T> {
    /// The length is a power of two, or zero.
    slots: Vec<(u32, Option<T>)>,
    used: usize,
}

impl<T> Default for HashSlots<T> {
    fn default() -> Self {
        HashSlots {
            slots: Vec::new(),
            used: 0,
        }
    }
}

impl<T: Copy> HashSlots<T> {
    /// Returns the slot of the entry with that hash for which `is_same` holds, or an empty one for
    /// it. Entries for which `is_live` fails are dropped when the table grows.
    #[inline(always)]
    pub(super) fn slot(
        &mut self,
        hash: u32,
        is_same: impl FnMut(T) -> bool,
        is_live: impl Fn(T) -> bool,
    ) -> usize {
        // Three quarters at most: open addressing needs empty slots to end a search.
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow(is_live);
        }
        self.search(hash, is_same)
    }

    /// Returns the entry in a slot.
    #[inline]
    pub(super) fn get(&self, slot: usize) -> Option<T> {
        self.slots[slot].1
    }

    /// Puts an entry into the slot that [`Self::slot`] has just returned for its hash.
    #[inline]
    pub(super) fn put(&mut self, slot: usize, hash: u32, entry: T) {
        let old = std::mem::replace(&mut self.slots[slot], (hash, Some(entry)));
        self.used += usize::from(old.1.is_none());
    }

    /// Searches a table that has empty slots.
    #[inline(always)]
    fn search(&self, hash: u32, mut is_same: impl FnMut(T) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                (_, None) => return slot,
                (found, Some(entry)) if found == hash && is_same(entry) => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    #[cold]
    fn grow(&mut self, is_live: impl Fn(T) -> bool) {
        let mut old = std::mem::take(&mut self.slots);
        old.retain(|&(_, entry)| entry.is_some_and(&is_live));
        self.used = old.len();
        let length = (self.used * 2).next_power_of_two().max(128);
        // Not `vec!`, which asks for zeroed memory: allocators are slower with that.
        self.slots = Vec::with_capacity(length);
        self.slots.resize(length, (0, None));
        for (hash, entry) in old {
            let slot = self.search(hash, |_| false);
            self.slots[slot] = (hash, entry);
        }
    }

    /// Returns the number of slots, empty ones included.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.slots.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(
        table: &mut HashSlots<u32>,
        hash: u32,
        is_same: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let slot = table.slot(hash, is_same, |_| true);
        table.get(slot)
    }

    #[test]
    fn entries_with_the_same_hash_survive_growth() {
        let mut table = HashSlots::default();
        for i in 0..1000_u32 {
            let slot = table.slot(i / 2, |_| false, |_| true);
            table.put(slot, i / 2, i);
        }
        for i in 0..1000_u32 {
            assert_eq!(find(&mut table, i / 2, |entry| entry == i), Some(i));
        }
        assert_eq!(find(&mut table, 500, |_| true), None);
    }

    #[test]
    fn an_entry_takes_the_place_of_the_same_one_and_the_dead_are_dropped() {
        let mut table = HashSlots::default();
        for i in 0..10_000_u32 {
            let slot = table.slot(i % 50, |_| true, |_| true);
            table.put(slot, i % 50, i);
        }
        assert_eq!(table.capacity(), 128);
        assert_eq!(find(&mut table, 49, |_| true), Some(9999));
        for i in 0..10_000_u32 {
            let slot = table.slot(i, |_| true, |entry| entry + 10 > i);
            table.put(slot, i, i);
        }
        assert_eq!(table.capacity(), 128);
        assert_eq!(find(&mut table, 9999, |_| true), Some(9999));
    }
}
