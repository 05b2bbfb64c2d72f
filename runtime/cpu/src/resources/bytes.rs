//! Bytes that many threads may read and write: words, each atomic by itself.

use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes in little-endian words.
#[derive(Debug)]
pub(crate) struct Bytes {
    words: Box<[AtomicU32]>,
    len: usize,
}

impl Bytes {
    /// Returns `len` bytes: first these, then zeros.
    pub(crate) fn new(bytes: &[u8], len: usize) -> Bytes {
        let words = len.div_ceil(4);
        let mut all = Vec::with_capacity(words);
        let bytes = &bytes[..bytes.len().min(len)];
        let (whole, rest) = bytes.as_chunks::<4>();
        all.extend(
            whole
                .iter()
                .map(|word| AtomicU32::new(u32::from_le_bytes(*word))),
        );
        if !rest.is_empty() {
            let mut last = [0; 4];
            last[..rest.len()].copy_from_slice(rest);
            all.push(AtomicU32::new(u32::from_le_bytes(last)));
        }
        all.resize_with(words, || AtomicU32::new(0));
        Bytes {
            words: all.into(),
            len,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.words.len() * 4);
        for word in &self.words {
            bytes.extend_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
        }
        bytes.truncate(self.len);
        bytes
    }

    /// Returns the word at a byte address that is a multiple of 4; 0 beyond the end.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> u32 {
        self.words
            .get(at / 4)
            .map_or(0, |word| word.load(Ordering::Relaxed))
    }

    /// Stores the word at a byte address that is a multiple of 4; nothing beyond the end.
    #[inline]
    pub(crate) fn set_word(&self, at: usize, value: u32) {
        if let Some(word) = self.words.get(at / 4) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// Returns up to 8 bytes at any address, as the low bytes of a number.
    pub(crate) fn load(&self, at: usize, bytes: u32) -> u64 {
        if at.is_multiple_of(4) {
            return match bytes {
                4 => u64::from(self.word(at)),
                8 => u64::from(self.word(at)) | u64::from(self.word(at + 4)) << 32,
                _ => u64::from(self.word(at)) & ((1_u64 << (8 * bytes)) - 1),
            };
        }
        let mut value = 0;
        for byte in 0..bytes as usize {
            let at = at + byte;
            let word = self.word(at & !3);
            value |= u64::from((word >> (8 * (at & 3))) as u8) << (8 * byte);
        }
        value
    }

    /// Stores up to 8 bytes at any address; what lies beyond the end is dropped.
    pub(crate) fn store(&self, at: usize, bytes: u32, value: u64) {
        if at.is_multiple_of(4) && bytes.is_multiple_of(4) {
            for part in 0..bytes as usize / 4 {
                if let Some(word) = self.words.get(at / 4 + part) {
                    word.store((value >> (32 * part)) as u32, Ordering::Relaxed);
                }
            }
            return;
        }
        let mut byte = 0;
        while byte < bytes as usize {
            let place = at + byte;
            let shift = 8 * (place & 3) as u32;
            // As many bytes as this word still has.
            let count = (4 - (place & 3)).min(bytes as usize - byte) as u32;
            let mask = if count == 4 {
                u32::MAX
            } else {
                ((1_u32 << (8 * count)) - 1) << shift
            };
            let new = ((value >> (8 * byte)) as u32) << shift & mask;
            if let Some(word) = self.words.get(place / 4) {
                let old = word.load(Ordering::Relaxed);
                // Not atomic: groups that run at the same time do not write to one word (see
                // `ownership`).
                word.store(old & !mask | new, Ordering::Relaxed);
            }
            byte += count as usize;
        }
    }

    /// Replaces the 4 or 8 bytes at a multiple of 4 by what `change` makes of them; returns the old
    /// ones. For 4 bytes this is atomic. Groups that run at the same time do not both change the
    /// same 8 bytes (see `ownership`).
    pub(crate) fn update(&self, at: usize, bytes: u32, change: impl Fn(u64) -> u64) -> u64 {
        if bytes == 4 {
            let change = |old| Some(change(u64::from(old)) as u32);
            let word = self.words.get(at / 4);
            let old =
                word.map(|word| word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change));
            return old.and_then(Result::ok).map_or(0, u64::from);
        }
        let old = self.load(at, bytes);
        self.store(at, bytes, change(old));
        old
    }

    /// Returns a copy of all words.
    pub(crate) fn words(&self) -> Vec<u32> {
        let words = self.words.iter();
        words.map(|word| word.load(Ordering::Relaxed)).collect()
    }

    /// Sets all words to those of a copy.
    pub(crate) fn set_words(&self, words: &[u32]) {
        for (word, &value) in self.words.iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_lie_in_little_endian_order_and_what_is_beyond_the_end_is_dropped() {
        let bytes = Bytes::new(&[1, 2, 3, 4, 5, 6, 7], 7);
        assert_eq!(bytes.load(0, 4), 0x0403_0201);
        assert_eq!(bytes.load(2, 2), 0x0403);
        assert_eq!(bytes.load(3, 2), 0x0504);
        bytes.store(3, 2, 0xbbaa);
        assert_eq!(bytes.to_vec(), [1, 2, 3, 0xaa, 0xbb, 6, 7]);
        bytes.store(100, 4, 9);
        assert_eq!(bytes.load(100, 8), 0);
        assert_eq!(bytes.to_vec().len(), 7);
    }

    #[test]
    fn updates_give_the_old_value() {
        let bytes = Bytes::new(&[5, 0, 0, 0], 4);
        assert_eq!(bytes.update(0, 4, |old| old + 1), 5);
        assert_eq!(bytes.word(0), 6);
    }
}
