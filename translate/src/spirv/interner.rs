//! Finds an earlier instruction with the same words: an open-addressing table of offsets into the
//! section that holds the instructions, so a lookup allocates nothing.

use super::Word;

/// Offsets of interned instructions, by hash of their words.
#[derive(Debug, Default)]
pub(super) struct Interner {
    /// (hash, offset + 1); offset 0 is an empty slot. Length is a power of two or zero.
    slots: Vec<(u32, u32)>,
    used: usize,
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
    pub(super) fn find(&self, hash: u32, mut is_same: impl FnMut(usize) -> bool) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                (_, 0) => return None,
                (found, offset) if found == hash && is_same(offset as usize - 1) => {
                    return Some(offset as usize - 1);
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Adds an instruction that [`Self::find`] did not find.
    pub(super) fn insert(&mut self, hash: u32, offset: usize) {
        // Three quarters at most: open addressing needs empty slots to end a search.
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.place(hash, offset as u32 + 1);
        self.used += 1;
    }

    fn place(&mut self, hash: u32, entry: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = (hash, entry);
    }

    fn grow(&mut self) {
        let len = (self.slots.len() * 2).max(128);
        // Not `vec!`, which asks for zeroed memory: allocators are slower with that.
        let mut bigger = Vec::with_capacity(len);
        bigger.resize(len, (0, 0));
        for (hash, entry) in std::mem::replace(&mut self.slots, bigger) {
            if entry != 0 {
                self.place(hash, entry);
            }
        }
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
