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
    /// Returns the entry with that hash for which `is_same` holds.
    #[inline]
    pub(super) fn find(&self, hash: u32, is_same: impl FnMut(T) -> bool) -> Option<T> {
        self.slots[self.place(hash, is_same)?].1
    }

    /// Adds an entry, in the place of the one with that hash for which `is_same` holds. Entries for
    /// which `is_live` fails are dropped when the table grows.
    #[inline]
    pub(super) fn insert(
        &mut self,
        hash: u32,
        entry: T,
        is_same: impl FnMut(T) -> bool,
        is_live: impl Fn(T) -> bool,
    ) {
        // Three quarters at most: open addressing needs empty slots to end a search.
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow(is_live);
        }
        if let Some(place) = self.place(hash, is_same) {
            self.used += usize::from(self.slots[place].1.is_none());
            self.slots[place] = (hash, Some(entry));
        }
    }

    /// Returns the slot of the entry with that hash for which `is_same` holds, or the empty slot
    /// that ends the search.
    #[inline]
    fn place(&self, hash: u32, mut is_same: impl FnMut(T) -> bool) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut place = hash as usize & mask;
        loop {
            match self.slots[place] {
                (_, None) => return Some(place),
                (found, Some(entry)) if found == hash && is_same(entry) => return Some(place),
                _ => place = (place + 1) & mask,
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
            if let Some(place) = self.place(hash, |_| false) {
                self.slots[place] = (hash, entry);
            }
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

    #[test]
    fn entries_with_the_same_hash_survive_growth() {
        let mut table = HashSlots::default();
        for i in 0..1000_u32 {
            table.insert(i / 2, i, |_| false, |_| true);
        }
        for i in 0..1000_u32 {
            assert_eq!(table.find(i / 2, |entry| entry == i), Some(i));
        }
        assert_eq!(table.find(500, |_| true), None);
    }

    #[test]
    fn an_entry_takes_the_place_of_the_same_one_and_the_dead_are_dropped() {
        let mut table = HashSlots::default();
        for i in 0..10_000_u32 {
            table.insert(i % 50, i, |_| true, |_| true);
        }
        assert_eq!(table.capacity(), 128);
        assert_eq!(table.find(49, |_| true), Some(9999));
        for i in 0..10_000_u32 {
            table.insert(i, i, |_| true, |entry| entry + 10 > i);
        }
        assert_eq!(table.capacity(), 128);
        assert_eq!(table.find(9999, |_| true), Some(9999));
    }
}
