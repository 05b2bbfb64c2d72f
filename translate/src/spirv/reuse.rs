//! Reuse of results: an instruction that depends on its operands alone is written once per block.
//!
//! A table of positions, by a hash of the words, finds the earlier instruction. One in the
//! function's first block serves all blocks, which that block dominates (SPIR-V 1.6, 2.16.1
//! "Universal Validation Rules": a use is dominated by its definition). The table forgets nothing
//! within a function: what a table of fixed size would forget depends on the numbers of ids, and
//! so on names and debug information.

/// The instructions of the function under construction that may serve again.
#[derive(Debug)]
pub(super) struct Reuse {
    /// Open addressing: an instruction stands at its hash or behind it. The length is a power of
    /// two, or zero.
    slots: Vec<WrittenInst>,
    used: usize,
    /// Number of the block under construction.
    block: u32,
    /// Number of the first block of the function.
    first: u32,
    /// Whether results serve again at all.
    pub(super) is_on: bool,
}

/// An instruction that was written, or an empty slot.
#[derive(Debug, Clone, Copy)]
struct WrittenInst {
    hash: u32,
    /// Number of its block; 0 in an empty slot.
    block: u32,
    /// Position in the section of functions.
    at: u32,
}

impl Default for Reuse {
    fn default() -> Self {
        Reuse {
            slots: Vec::new(),
            used: 0,
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

    /// Forgets everything that was written so far: what is in the table stays there until it grows,
    /// but its blocks are none that serve.
    pub(super) fn forget(&mut self) {
        self.begin_block(true);
    }

    /// Returns the position of the instruction with that hash that may serve here, if there is one.
    pub(super) fn find(&self, hash: u32) -> Option<usize> {
        let slot = self.slots.get(self.place(hash)?)?;
        // Dominators are not known while blocks are written; these two dominate for certain.
        let serves = slot.block == self.block || slot.block == self.first;
        serves.then_some(slot.at as usize)
    }

    /// Remembers the instruction at that position, instead of an earlier one with that hash.
    pub(super) fn insert(&mut self, hash: u32, at: usize) {
        // Three quarters at most: open addressing needs empty slots to end a search.
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.put(WrittenInst {
            hash,
            block: self.block,
            at: at as u32,
        });
    }

    /// Returns where the instruction with that hash stands, or the empty slot where it would.
    fn place(&self, hash: u32) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots.get(place)?;
            if slot.block == 0 || slot.hash == hash {
                return Some(place);
            }
            place = (place + 1) & mask;
        }
    }

    fn put(&mut self, inst: WrittenInst) {
        let place = self.place(inst.hash);
        if let Some(slot) = place.and_then(|place| self.slots.get_mut(place)) {
            self.used += usize::from(slot.block == 0);
            *slot = inst;
        }
    }

    /// Makes room, and drops what earlier functions left.
    fn grow(&mut self) {
        let first = self.first;
        let old = std::mem::take(&mut self.slots);
        let live = || old.iter().filter(|slot| slot.block >= first);
        let len = (live().count() * 4).next_power_of_two().max(64);
        let empty = WrittenInst {
            hash: 0,
            block: 0,
            at: 0,
        };
        self.slots.resize(len, empty);
        self.used = 0;
        live().for_each(|&inst| self.put(inst));
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
            reuse.insert(at.wrapping_mul(0x9e37_79b9), at as usize);
        }
        reuse.begin_block(false);
        reuse.insert(7, 2000);
        assert_eq!(reuse.find(7), Some(2000));
        for at in 0..1000_u32 {
            let found = reuse.find(at.wrapping_mul(0x9e37_79b9));
            assert_eq!(found, Some(at as usize));
        }
        reuse.begin_block(false);
        assert_eq!(reuse.find(7), None);
        assert_eq!(reuse.find(0), Some(0));
    }

    #[test]
    fn nothing_serves_in_another_function() {
        let mut reuse = Reuse::default();
        for function in 0..100 {
            assert_eq!(reuse.find(function), None);
            for hash in 0..function {
                assert_eq!(reuse.find(hash), None);
                reuse.insert(hash, hash as usize);
                assert_eq!(reuse.find(hash), Some(hash as usize));
            }
            reuse.forget();
        }
        assert!(reuse.slots.len() <= 1024, "{}", reuse.slots.len());
    }
}
