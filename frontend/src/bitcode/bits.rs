//! A cursor over the bits of a bitstream: little-endian, least significant bit first.
//!
//! [`Bits`] is a position and an end. Fields are read by a [`Run`], which keeps up to 64 bits in a
//! window and loads the next eight bytes when a field asks for more than are left. It reads zeros
//! beyond the last byte and does not look at the end; [`Bits::finish`] does that once for all
//! fields of a record.

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

impl<'a> Bits<'a> {
    /// Returns a cursor at the first bit of `bytes`, which lie at `base` in the whole input.
    pub(super) fn new(bytes: &'a [u8], base: u64) -> Self {
        Bits {
            bytes,
            position: 0,
            end: bytes.len().saturating_mul(8),
            base,
        }
    }

    /// Returns the position in bits.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Returns the bit that may not be read.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Returns the number of bits that are left.
    #[inline]
    pub(super) fn remaining(&self) -> usize {
        self.end.saturating_sub(self.position)
    }

    /// Moves to another position. It may lie beyond the end: reads there fail.
    pub(super) fn seek(&mut self, position: usize) {
        self.position = position;
    }

    /// Sets the bit that may not be read. The caller has checked that it lies within the bytes.
    pub(super) fn set_end(&mut self, end: usize) {
        self.end = end.min(self.bytes.len().saturating_mul(8));
    }

    /// Returns the offset of the present byte in the whole input.
    pub(super) fn offset(&self) -> u64 {
        self.offset_of(self.position)
    }

    /// Returns the offset of a bit's byte in the whole input.
    #[inline]
    pub(super) fn offset_of(&self, position: usize) -> u64 {
        self.base.saturating_add((position / 8) as u64)
    }

    /// Returns an error at the present position.
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

    /// Reads fields from the position on; [`Bits::finish`] moves it.
    #[inline]
    pub(super) fn run(&self) -> Run<'a> {
        Run {
            bytes: self.bytes,
            window: 0,
            left: 0,
            next: self.position,
            too_long: false,
        }
    }

    /// Moves to where a run of fields ends, if that is not beyond the end.
    #[inline]
    pub(super) fn finish(&mut self, run: Run<'a>) -> Result<()> {
        let position = run.position();
        if run.too_long {
            return Err(self.too_long());
        }
        // `Run` reads zeros past the end; nothing that it has read counts before this check.
        if position > self.end {
            return Err(self.past_end(position - self.position));
        }
        self.position = position;
        Ok(())
    }

    #[cold]
    fn too_long(&self) -> Error {
        self.err(ErrorKind::Malformed(
            "a variable-width number has more than 64 bits".into(),
        ))
    }

    /// Checks a count of fields of at least `bits` bits each, which must fit what is left after
    /// `run`.
    #[inline]
    pub(super) fn check_count(&self, run: &Run<'a>, count: u64, bits: usize) -> Result<usize> {
        let have = self.end.saturating_sub(run.position());
        match usize::try_from(count) {
            // A product, as divisions are slow.
            Ok(fields) if fields.saturating_mul(bits) <= have => Ok(fields),
            _ => Err(self.err(ErrorKind::Truncated {
                what: "fields of a record",
                need: count,
                have: (have / bits) as u64,
            })),
        }
    }

    /// Reads a field of `width` bits, at most 64.
    #[inline]
    pub(super) fn fixed(&mut self, width: u32) -> Result<u64> {
        let mut run = self.run();
        let value = run.fixed(width);
        self.finish(run)?;
        Ok(value)
    }

    /// Reads a variable-width field of chunks of `width` bits, 2 to 32.
    #[inline]
    pub(super) fn vbr(&mut self, width: u32) -> Result<u64> {
        let mut run = self.run();
        let value = run.vbr(width);
        self.finish(run)?;
        Ok(value)
    }

    /// Skips to the next multiple of 32 bits.
    pub(super) fn align32(&mut self) -> Result<()> {
        // LLVM Bitcode File Format, "Word Alignment": the padding is zeros. As LLVM's reader, this
        // one does not check them.
        let next = self.position.next_multiple_of(32);
        if next > self.end {
            return Err(self.past_end(next - self.position));
        }
        self.position = next;
        Ok(())
    }
}

/// Fields in a row. All of it is inlined, so that it stays in registers while a record is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    bytes: &'a [u8],
    /// Bits that were loaded and not taken; those above `left` are zero.
    window: u64,
    left: u32,
    /// The bit after those in the window.
    next: usize,
    /// Whether a variable-width field had more than 64 bits.
    too_long: bool,
}

impl<'a> Run<'a> {
    /// Returns the bit that comes next.
    #[inline(always)]
    pub(super) fn position(&self) -> usize {
        self.next - self.left as usize
    }

    /// Loads the window anew: at least 57 bits.
    #[inline(always)]
    fn refill(&mut self) {
        let position = self.position();
        self.window = load(self.bytes, position);
        self.left = 64 - u32::try_from(position & 7).unwrap_or_default();
        self.next = (position & !7) + 64;
    }

    /// Reads the first field of the run, of `width` bits, at most 56. What is not yet read of the
    /// 57 bits that a window has at least needs no look at whether it is there.
    #[inline(always)]
    pub(super) fn first(&mut self, width: u32) -> u64 {
        self.refill();
        let value = self.window & ((1 << width) - 1);
        self.drop_bits(width);
        value
    }

    /// Reads the next `bits` bits, at most 56, and more above them; [`Run::drop_bits`] takes them.
    #[inline(always)]
    pub(super) fn peek(&mut self, bits: u32) -> u64 {
        if self.left < bits {
            self.refill();
        }
        self.window
    }

    /// Takes bits that were peeked at.
    #[inline(always)]
    pub(super) fn drop_bits(&mut self, bits: u32) {
        self.window >>= bits;
        self.left -= bits;
    }

    /// Reads a field of `width` bits, at most 56.
    #[inline(always)]
    fn narrow(&mut self, width: u32) -> u64 {
        let value = self.peek(width) & ((1 << width) - 1);
        self.drop_bits(width);
        value
    }

    /// Reads a field of `width` bits, at most 64.
    #[inline(always)]
    pub(super) fn fixed(&mut self, width: u32) -> u64 {
        if width <= 56 {
            self.narrow(width)
        } else {
            // A refill guarantees 57 bits only, so wider fields take two reads.
            let low = self.narrow(32);
            low | self.narrow(width - 32) << 32
        }
    }

    /// Reads a variable-width field of chunks of `width` bits, 2 to 32.
    #[inline(always)]
    pub(super) fn vbr(&mut self, width: u32) -> u64 {
        let chunk = self.narrow(width);
        match chunk >> (width - 1) {
            0 => chunk,
            _ => self.more_chunks(chunk, width),
        }
    }

    /// Reads a variable-width field of chunks of six bits: the form of every record without
    /// abbreviation.
    #[inline(always)]
    pub(super) fn vbr6(&mut self) -> u64 {
        if self.left < 12 {
            self.refill();
        }
        self.vbr6_in_window()
    }

    /// As [`Run::vbr6`], if the window has 12 bits or more.
    #[inline(always)]
    pub(super) fn vbr6_in_window(&mut self) -> u64 {
        // Decodes the two commonest lengths without a loop: most numbers fit one chunk of five
        // payload bits, and most others two.
        let window = self.window;
        if window & 0x20 == 0 {
            self.drop_bits(6);
            window & 0x1f
        } else if window & 0x800 == 0 {
            // Letters take two chunks.
            self.drop_bits(12);
            window & 0x1f | window >> 1 & 0x3e0
        } else {
            let (value, bits) = long6(self.bytes, self.position());
            if bits == 0 {
                // Nine chunks or more: large constants.
                let first = self.narrow(6);
                return self.more_chunks(first, 6);
            }
            self.next = self.position() + bits as usize;
            self.window = 0;
            self.left = 0;
            value
        }
    }

    /// Reads a variable-width field whose first chunk says that there are more.
    #[inline(always)]
    fn more_chunks(&mut self, first: u64, width: u32) -> u64 {
        // By value: a run whose address is taken would live in memory.
        let (run, value) = self.long(first, width);
        *self = run;
        value
    }

    #[inline(never)]
    fn long(mut self, first: u64, width: u32) -> (Run<'a>, u64) {
        let payload = width - 1;
        let mask = (1 << payload) - 1;
        let mut value = first & mask;
        let mut shift = payload;
        while shift < 64 {
            let chunk = self.narrow(width);
            value |= (chunk & mask) << shift;
            if chunk >> payload == 0 {
                return (self, value);
            }
            shift += payload;
        }
        // LLVM Bitcode File Format, "Data Records": values have up to 64 bits. A chunk with the
        // continuation bit beyond them is malformed. `finish` reports it, so that the hot path
        // returns plain numbers.
        self.too_long = true;
        (self, value)
    }

    /// Fills `places` with fields of variable width, in chunks of six bits. The caller has checked
    /// that one chunk for each is before the end.
    #[inline(always)]
    pub(super) fn vbr6_run(&mut self, places: &mut [u64]) {
        for place in places {
            *place = self.vbr6();
        }
    }

    /// Reads one field of `width` bits, 1 to 32, for each place, passed through `map`. The caller
    /// has checked that they are before the end.
    #[inline(always)]
    pub(super) fn fixed_run(&mut self, width: u32, places: &mut [u64], map: impl Fn(u64) -> u64) {
        let mask = (1 << width) - 1;
        // One refill serves as many fields as surely fit the window.
        for places in places.chunks_mut(56 / width as usize) {
            self.refill();
            let mut window = self.window;
            for place in &mut *places {
                *place = map(window & mask);
                window >>= width;
            }
            self.window = window;
            self.left -= width * u32::try_from(places.len()).unwrap_or(0);
        }
    }

    /// Skips to the next multiple of 32 bits.
    pub(super) fn align32(&mut self) {
        // The window must be dropped: it may hold bits from before the boundary.
        self.next = self.position().next_multiple_of(32);
        self.window = 0;
        self.left = 0;
    }
}

/// Returns the bits from a position on: at least 57, since one load of eight bytes at a byte
/// boundary leaves as many whatever the position in the byte is. That is why `peek` and `narrow`
/// stop at 56.
#[inline(always)]
fn load(bytes: &[u8], position: usize) -> u64 {
    let byte = position >> 3;
    let word = match bytes.get(byte..byte.wrapping_add(8)) {
        Some(&[a, b, c, d, e, f, g, h]) => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => tail_word(bytes.get(byte..).unwrap_or_default()),
    };
    word >> (position & 7)
}

/// Reads a variable-width field of chunks of six bits. Returns the number and the bits that it
/// takes; no bits if these are more than nine chunks. Takes and returns what fits registers: a run
/// would go through memory.
#[inline(never)]
fn long6(bytes: &[u8], position: usize) -> (u64, u32) {
    /// The highest bit of each of nine chunks: it is zero in the last chunk of a number.
    const MORE: u64 = 0x0020_8208_2082_0820;
    let window = load(bytes, position);
    let ends = !window & MORE;
    if ends == 0 {
        return (0, 0);
    }
    let bits = ends.trailing_zeros() + 1;
    // The payloads move together: in pairs of chunks, in fours, then all nine.
    let chunks = window & ((1 << bits) - 1) & !MORE;
    let pairs = chunks & 0x001f_01f0_1f01_f01f | chunks >> 1 & 0x0000_3e03_e03e_03e0;
    let fours = pairs & 0x001f_0003_ff00_03ff | pairs >> 2 & 0x0000_0ffc_000f_fc00;
    let value = fours & 0xf_ffff | fours >> 4 & 0xff_fff0_0000 | fours >> 8 & 0x1f00_0000_0000;
    (value, bits)
}

/// Returns the last bytes of the input, padded with zeros.
#[cold]
#[inline(never)]
fn tail_word(rest: &[u8]) -> u64 {
    rest.iter()
        .take(8)
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitcode::bit_writer::BitWriter;

    /// Returns the low `width` bits set; `width` is at most 64.
    fn mask(width: u32) -> u64 {
        u64::MAX >> (64 - width)
    }

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
        let mut out = [0; 15];
        let mut run = bits.run();
        run.vbr6_run(&mut out);
        assert_eq!(out, values);
        run.fixed_run(7, &mut out, |v| v + 1);
        let expected: Vec<_> = values.iter().map(|v| (v & mask(7)) + 1).collect();
        assert_eq!(out, *expected);
        bits.finish(run).unwrap();
    }

    #[test]
    fn numbers_of_any_number_of_chunks_come_back() {
        let mut writer = BitWriter::new();
        let values: Vec<u64> = (0..64)
            .flat_map(|bits| [1, 0x9e37_79b9_7f4a_7c15, u64::MAX].map(|v| v >> (63 - bits)))
            .collect();
        for value in &values {
            writer.vbr(*value, 6);
        }
        let bytes = writer.finish();
        let mut bits = Bits::new(&bytes, 0);
        for value in values {
            let mut run = bits.run();
            assert_eq!(run.vbr6(), value);
            bits.finish(run).unwrap();
        }
    }

    #[test]
    fn runs_end_with_the_bytes() {
        let read = |bytes: &[u8], fields: usize| {
            let mut bits = Bits::new(bytes, 0);
            let mut run = bits.run();
            run.vbr6_run(&mut vec![0; fields]);
            bits.finish(run)
        };
        assert!(read(&[0xff; 16], 1).is_err());
        assert!(read(&[0; 4], 6).is_err());
        assert!(read(&[0; 4], 5).is_ok());
    }

    #[test]
    fn an_unterminated_variable_field_is_an_error() {
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
