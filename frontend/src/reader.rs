//! Little-endian cursor over a byte slice. It knows its absolute offset in the input, so that
//! every error gets one for free.

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

    /// Absolute offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.position as u64)
    }

    /// Offset of the next byte from where this reader began.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Bytes that are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// An error at the present offset.
    pub fn err(&self, kind: ErrorKind) -> Error {
        Error::new(kind).at_offset(self.offset())
    }

    /// The next `len` bytes; `what` names the structure in the error.
    pub fn bytes(&mut self, len: usize, what: &'static str) -> Result<&'a [u8]> {
        let have = self.remaining();
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

    /// A fixed-size array.
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let slice = self.bytes(N, what)?;
        slice
            .try_into()
            .map_err(|_| self.err(ErrorKind::Internal("slice of N bytes is not N long")))
    }

    /// One byte.
    pub fn u8(&mut self, what: &'static str) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array(what)?))
    }

    /// Two bytes.
    pub fn u16(&mut self, what: &'static str) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    /// Four bytes.
    pub fn u32(&mut self, what: &'static str) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// Eight bytes.
    pub fn u64(&mut self, what: &'static str) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    /// A reader over the next `len` bytes, which are skipped here.
    pub fn sub(&mut self, len: usize, what: &'static str) -> Result<Reader<'a>> {
        let base = self.offset();
        Ok(Reader::new(self.bytes(len, what)?, base))
    }

    /// A reader over everything from `offset` (counted from this reader's start) on.
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

    /// The bytes that are left, without taking them.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }
}
