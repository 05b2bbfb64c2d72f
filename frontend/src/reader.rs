//! Little-endian cursor over a byte slice. It knows its absolute offset in the input, so that
//! every error gets one for free.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};

/// A cursor over `&[u8]`.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    base: u64,
}

impl<'a> Reader<'a> {
    /// Reads `bytes`, which start at offset `base` of the whole input.
    pub fn new(bytes: &'a [u8], base: u64) -> Self {
        Reader {
            bytes,
            position: 0,
            base,
        }
    }

    /// Returns the absolute offset of the next byte.
    pub fn offset(&self) -> u64 {
        // Saturates: the caller chooses `base`, and an offset only appears in messages.
        self.base.saturating_add(self.position as u64)
    }

    /// Returns the offset of the next byte from where this reader began.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns the number of bytes that are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    /// Returns whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// Returns an error at the present offset.
    pub fn err(&self, kind: ErrorKind) -> Error {
        Error::new(kind).at_offset(self.offset())
    }

    /// Returns the next `len` bytes; `what` names the structure in the error.
    ///
    /// # Errors
    ///
    /// If fewer bytes are left.
    pub fn bytes(&mut self, len: usize, what: &'static str) -> Result<&'a [u8]> {
        let have = self.remaining();
        // `len` may come from the file: the sum can overflow where `usize` has 32 bits.
        let end = self.position.checked_add(len);
        match end.and_then(|end| self.bytes.get(self.position..end)) {
            Some(slice) => {
                self.position += len;
                Ok(slice)
            }
            None => Err(self.err(ErrorKind::Truncated {
                what,
                need: len as u64,
                have: have as u64,
            })),
        }
    }

    /// Returns a fixed-size array.
    ///
    /// # Errors
    ///
    /// If fewer bytes are left.
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let slice = self.bytes(N, what)?;
        slice
            .try_into()
            .map_err(|_| self.err(ErrorKind::Internal("slice of N bytes is not N long")))
    }

    /// Reads one byte.
    ///
    /// # Errors
    ///
    /// If fewer bytes are left.
    pub fn u8(&mut self, what: &'static str) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array(what)?))
    }

    /// Reads two bytes.
    ///
    /// # Errors
    ///
    /// If fewer bytes are left.
    pub fn u16(&mut self, what: &'static str) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    /// Reads four bytes.
    ///
    /// # Errors
    ///
    /// If fewer bytes are left.
    pub fn u32(&mut self, what: &'static str) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// Reads eight bytes.
    ///
    /// # Errors
    ///
    /// If fewer bytes are left.
    pub fn u64(&mut self, what: &'static str) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    /// Returns a reader over the next `len` bytes, which are skipped here.
    ///
    /// # Errors
    ///
    /// If fewer bytes are left.
    pub fn sub(&mut self, len: usize, what: &'static str) -> Result<Reader<'a>> {
        let base = self.offset();
        Ok(Reader::new(self.bytes(len, what)?, base))
    }

    /// Returns a reader over everything from `offset` (counted from this reader's start) on.
    ///
    /// # Errors
    ///
    /// If the offset lies beyond the end.
    pub fn at(&self, offset: usize, what: &'static str) -> Result<Reader<'a>> {
        match self.bytes.get(offset..) {
            Some(rest) => Ok(Reader::new(rest, self.base.saturating_add(offset as u64))),
            None => Err(self.err(ErrorKind::Truncated {
                what,
                need: offset as u64,
                have: self.bytes.len() as u64,
            })),
        }
    }

    /// Returns the bytes that are left, without taking them.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }
}

/// 32-bit little-endian words, read where they lie.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    /// Returns the words of `bytes`; up to three bytes at the end that make no word are left out.
    pub fn new(bytes: &'a [u8]) -> Self {
        Words(bytes.get(..bytes.len() / 4 * 4).unwrap_or_default())
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.0.len() / 4
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the word at `index`.
    pub fn get(&self, index: usize) -> Option<u32> {
        let start = index.checked_mul(4)?;
        let bytes = self.0.get(start..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Returns the words `start` to `start + len`.
    pub fn slice(&self, start: usize, len: usize) -> Option<Words<'a>> {
        let end = start.checked_add(len)?.checked_mul(4)?;
        Some(Words(self.0.get(start.checked_mul(4)?..end)?))
    }

    /// Returns all words in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        // Not a cast to `&[u32]`: parts need not be aligned, and the host may be big-endian.
        let (chunks, _) = self.0.as_chunks::<4>();
        chunks.iter().map(|bytes| u32::from_le_bytes(*bytes))
    }
}

impl fmt::Debug for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Zero-terminated UTF-8 strings in one block, named by byte offset. A string ends at its zero or
/// at the block's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Strings<'a> {
    bytes: &'a [u8],
    base: u64,
}

impl<'a> Strings<'a> {
    /// Returns the strings in `bytes`, which lie at absolute offset `base`.
    pub fn new(bytes: &'a [u8], base: u64) -> Self {
        Strings { bytes, base }
    }

    /// Returns the bytes of the block.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the string at `offset`, of any length. Costs its length: keep the offset where many
    /// may name the same bytes.
    ///
    /// # Errors
    ///
    /// If the offset lies beyond the table, or the string does not end in it.
    pub fn get(&self, offset: u32, what: &'static str) -> Result<&'a str> {
        self.find(offset, usize::MAX, what)
    }

    /// Returns the string at `offset`; an error if it is longer than
    /// [`crate::limits::MAX_NAME_BYTES`].
    ///
    /// # Errors
    ///
    /// As [`Self::get`], and if the string is too long.
    pub fn name(&self, offset: u32, what: &'static str) -> Result<&'a str> {
        self.find(offset, crate::limits::MAX_NAME_BYTES, what)
    }

    fn find(&self, offset: u32, limit: usize, what: &'static str) -> Result<&'a str> {
        let at = |e: Error| e.at_offset(self.base.saturating_add(u64::from(offset)));
        let rest = self.bytes.get(offset as usize..).ok_or_else(|| {
            at(Error::new(ErrorKind::BadValue {
                what,
                value: u64::from(offset),
                rule: "it must lie inside the string table",
            }))
        })?;
        // The search stops at the limit: many names may point into one long run without a zero, and
        // scanning it for each of them would cost quadratic time.
        let window = rest.get(..limit).unwrap_or(rest);
        let length = match window.iter().position(|&byte| byte == 0) {
            Some(length) => length,
            None if window.len() < rest.len() => {
                return Err(at(Error::new(ErrorKind::Limit {
                    what,
                    value: rest.len() as u64,
                    limit: limit as u64,
                })));
            }
            None => window.len(),
        };
        let text = window.get(..length).unwrap_or_default();
        std::str::from_utf8(text).map_err(|_| at(Error::malformed(format!("{what} is not UTF-8"))))
    }
}
