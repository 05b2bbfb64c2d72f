//! A cursor over the bits of a bitstream: little-endian, least significant bit first.
//!
//! The position is one number; every read loads eight bytes at the position's byte and shifts.
//! That gives at least 57 valid bits, enough for any fixed field of a real file and for nine chunks
//! of a six-bit variable-width field, without state to refill.

use crate::error::{Error, ErrorKind, Result};

/// Cursor over bits.
#[derive(Debug, Clone)]
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// Position in bits.
    position: usize,
    /// Nothing at or beyond this bit may be read.
    end: usize,
    /// Offset of `bytes` in the whole input, for errors.
    base: u64,
}

/// The low `width` bits set; `width` is at most 64.
#[inline]
fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1u64 << width) - 1
    }
}

impl<'a> Bits<'a> {
    /// A cursor at the first bit of `bytes`, which lie at `base` in the whole input.
    pub(super) fn new(bytes: &'a [u8], base: u64) -> Self {
        Bits {
            bytes,
            position: 0,
            end: bytes.len().saturating_mul(8),
            base,
        }
    }

    /// Position in bits.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The bit that may not be read.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Bits that are left.
    #[inline]
    pub(super) fn remaining(&self) -> usize {
        self.end.saturating_sub(self.position)
    }

    /// Moves to another position; reads beyond `end` fail as ever.
    pub(super) fn seek(&mut self, position: usize) {
        self.position = position;
    }

    /// Sets the bit that may not be read. The caller has checked that it lies within the bytes.
    pub(super) fn set_end(&mut self, end: usize) {
        self.end = end.min(self.bytes.len().saturating_mul(8));
    }

    /// Offset of the present byte in the whole input.
    pub(super) fn offset(&self) -> u64 {
        self.offset_of(self.position)
    }

    /// Offset of a bit's byte in the whole input.
    #[inline]
    pub(super) fn offset_of(&self, position: usize) -> u64 {
        self.base.saturating_add((position / 8) as u64)
    }

    /// An error at the present position.
    #[cold]
    pub(super) fn err(&self, kind: ErrorKind) -> Error {
        Error::new(kind).at_offset(self.offset())
    }

    #[cold]
    fn past_end(&self, need: usize) -> Error {
        self.err(ErrorKind::Truncated {
            what: "bitstream block (in bits)",
            need: need as u64,
            have: self.remaining() as u64,
        })
    }

    /// At least 57 bits from the position on; zeros beyond the last byte. [`Bits::advance`] takes them.
    #[inline]
    pub(super) fn window(&self) -> u64 {
        self.window_at(self.position)
    }

    #[inline]
    fn window_at(&self, position: usize) -> u64 {
        let byte = position >> 3;
        let shift = position & 7;
        let rest = self.bytes.get(byte..).unwrap_or_default();
        match rest.first_chunk::<8>() {
            Some(chunk) => u64::from_le_bytes(*chunk) >> shift,
            None => tail_window(rest) >> shift,
        }
    }

    /// Moves on by `width` bits.
    #[inline]
    pub(super) fn advance(&mut self, width: u32) -> Result<()> {
        let next = self.position + width as usize;
        if next > self.end {
            return Err(self.past_end(width as usize));
        }
        self.position = next;
        Ok(())
    }

    /// A field of `width` bits, at most 64.
    #[inline]
    pub(super) fn fixed(&mut self, width: u32) -> Result<u64> {
        if width <= 56 {
            let value = self.window() & mask(width);
            self.advance(width)?;
            Ok(value)
        } else {
            self.fixed_wide(width)
        }
    }

    /// A field that may not fit the window.
    #[cold]
    fn fixed_wide(&mut self, width: u32) -> Result<u64> {
        let low = self.window() & mask(32);
        self.advance(32)?;
        let high = self.window() & mask(width - 32);
        self.advance(width - 32)?;
        Ok(low | high << 32)
    }

    /// `count` fields of `width` bits each, at most 32, each passed through `map`. The caller has
    /// checked that they lie within the end.
    #[inline]
    pub(super) fn fixed_run(
        &mut self,
        width: u32,
        count: usize,
        out: &mut Vec<u64>,
        map: impl Fn(u64) -> u64,
    ) -> Result<()> {
        let per_window = (56 / width.max(1)).max(1) as usize;
        let mask = mask(width);
        let start = out.len();
        out.resize(start + count, 0);
        for slots in out
            .get_mut(start..)
            .unwrap_or_default()
            .chunks_mut(per_window)
        {
            let mut window = self.window();
            for slot in &mut *slots {
                *slot = map(window & mask);
                window >>= width;
            }
            self.advance(width * u32::try_from(slots.len()).unwrap_or(0))?;
        }
        Ok(())
    }

    /// `count` variable-width fields of chunks of six bits: the form of every record without
    /// abbreviation. The caller has checked that as many chunks lie within the end.
    pub(super) fn vbr6_run(&mut self, count: usize, out: &mut Vec<u64>) -> Result<()> {
        let start = out.len();
        out.resize(start + count, 0);
        // Where the next window begins, and what is left of the present one.
        let mut position = self.position;
        let mut window = 0;
        let mut left = 0;
        let mut too_long = false;
        for slot in out.get_mut(start..).unwrap_or_default() {
            if left < 12 {
                position -= left;
                window = self.window_at(position);
                left = 57;
                position += left;
            }
            if window & 0x20 == 0 {
                *slot = window & 0x1f;
                window >>= 6;
                left -= 6;
            } else if window & 0x800 == 0 {
                // Letters take two chunks.
                *slot = window & 0x1f | window >> 1 & 0x3e0;
                window >>= 12;
                left -= 12;
            } else {
                position -= left;
                left = 0;
                let (value, chunks) = self.chunks6(position);
                *slot = value;
                position += chunks * 6;
                too_long |= chunks > 13;
            }
        }
        self.position = position - left;
        if too_long {
            return Err(self.too_long());
        }
        if self.position > self.end {
            let missing = self.position - self.end;
            self.position = self.end;
            return Err(self.past_end(missing));
        }
        Ok(())
    }

    /// A field of chunks of six bits, and the number of its chunks: more than 13 are too many.
    #[inline(never)]
    fn chunks6(&self, position: usize) -> (u64, usize) {
        let mut value = 0;
        for chunks in 0..13 {
            let chunk = self.window_at(position + chunks * 6) & 0x3f;
            value |= (chunk & 0x1f) << (chunks * 5);
            if chunk < 0x20 {
                return (value, chunks + 1);
            }
        }
        (value, 14)
    }

    #[cold]
    fn too_long(&self) -> Error {
        self.err(ErrorKind::Malformed(
            "a variable-width number has more than 64 bits".into(),
        ))
    }

    /// A variable-width field of chunks of `width` bits, 2 to 32.
    #[inline]
    pub(super) fn vbr(&mut self, width: u32) -> Result<u64> {
        let chunk = self.window() & mask(width);
        if chunk >> (width - 1) == 0 {
            self.advance(width)?;
            return Ok(chunk);
        }
        self.vbr_chunks(width)
    }

    /// The general case: more than one chunk.
    fn vbr_chunks(&mut self, width: u32) -> Result<u64> {
        let payload = width - 1;
        let mut value = 0u64;
        let mut shift = 0;
        let mut window = self.window();
        let mut in_window = 57;
        loop {
            if in_window < width {
                window = self.window();
                in_window = 57;
            }
            let chunk = window & mask(width);
            window >>= width;
            in_window -= width;
            self.advance(width)?;
            value |= (chunk & mask(payload)) << shift;
            if chunk >> payload == 0 {
                return Ok(value);
            }
            shift += payload;
            if shift >= 64 {
                return Err(self.too_long());
            }
        }
    }

    /// Skips to the next multiple of 32 bits.
    pub(super) fn align32(&mut self) -> Result<()> {
        let next = self.position.next_multiple_of(32);
        if next > self.end {
            return Err(self.past_end(next - self.position));
        }
        self.position = next;
        Ok(())
    }
}

/// The last bytes of the input, padded with zeros.
#[cold]
fn tail_window(rest: &[u8]) -> u64 {
    rest.iter()
        .take(8)
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitcode::writer::BitWriter;

    #[test]
    fn fixed_fields_of_every_width_come_back() {
        let mut writer = BitWriter::new();
        for width in 1..=64 {
            writer.fixed(0x9e37_79b9_7f4a_7c15 & mask(width), width);
        }
        let bytes = writer.finish();
        let mut bits = Bits::new(&bytes, 0);
        for width in 1..=64 {
            assert_eq!(
                bits.fixed(width),
                Ok(0x9e37_79b9_7f4a_7c15 & mask(width)),
                "{width}"
            );
        }
    }

    #[test]
    fn variable_fields_of_every_width_come_back() {
        let values = [0, 1, 31, 32, 0xffff_ffff, 1 << 40, u64::MAX];
        let mut writer = BitWriter::new();
        for width in 2..=32 {
            for value in values {
                writer.vbr(value, width);
            }
        }
        let bytes = writer.finish();
        let mut bits = Bits::new(&bytes, 0);
        for width in 2..=32 {
            for value in values {
                assert_eq!(bits.vbr(width), Ok(value), "vbr{width}");
            }
        }
    }

    #[test]
    fn runs_give_what_single_reads_give() {
        let values = [
            0,
            31,
            32,
            1 << 20,
            u64::MAX,
            7,
            7,
            1 << 63,
            5,
            5,
            5,
            5,
            5,
            5,
            5,
        ];
        let mut writer = BitWriter::new();
        writer.fixed(1, 3);
        for value in values {
            writer.vbr(value, 6);
        }
        for value in values {
            writer.fixed(value & mask(7), 7);
        }
        let bytes = writer.finish();
        let mut bits = Bits::new(&bytes, 0);
        bits.fixed(3).unwrap();
        let mut out = Vec::new();
        bits.vbr6_run(values.len(), &mut out).unwrap();
        assert_eq!(out, values);
        out.clear();
        bits.fixed_run(7, values.len(), &mut out, |v| v + 1)
            .unwrap();
        let expected: Vec<_> = values.iter().map(|v| (v & mask(7)) + 1).collect();
        assert_eq!(out, expected);
    }

    #[test]
    fn runs_end_with_the_bytes() {
        let bytes = [0xff; 16];
        assert!(Bits::new(&bytes, 0).vbr6_run(1, &mut Vec::new()).is_err());
        let bytes = [0; 4];
        assert!(Bits::new(&bytes, 0).vbr6_run(6, &mut Vec::new()).is_err());
        assert!(Bits::new(&bytes, 0).vbr6_run(5, &mut Vec::new()).is_ok());
    }

    #[test]
    fn endless_variable_field_is_an_error() {
        let bytes = [0xff; 64];
        assert!(Bits::new(&bytes, 0).vbr(6).is_err());
    }

    #[test]
    fn reading_past_the_end_names_the_offset() {
        let mut bits = Bits::new(&[1, 2, 3, 4], 0x100);
        bits.fixed(24).unwrap();
        let error = bits.fixed(16).unwrap_err();
        assert_eq!(error.location().offset, Some(0x103));
    }
}
