//! Writes LLVM bitstreams ("LLVM Bitcode File Format", "Bitstream Format") without abbreviations of
//! its own.

/// Abbreviation id that ends a block.
const END_BLOCK: u64 = 0;
/// Abbreviation id that enters a block.
const ENTER_SUBBLOCK: u64 = 1;
/// Abbreviation id of a record without abbreviation.
const UNABBREV_RECORD: u64 = 3;

/// Appends bits, least significant first.
pub(crate) struct Bitstream {
    bytes: Vec<u8>,
    /// Bits that are not in `bytes` yet: fewer than 8.
    pending: u64,
    pending_bits: u32,
    /// Where the length of each open block stands, in bytes, and the width of abbreviation ids
    /// around it.
    blocks: Vec<(usize, u32)>,
    /// Width of abbreviation ids, in bits.
    width: u32,
}

impl Bitstream {
    /// Returns a stream that holds the magic number of LLVM bitcode.
    pub(crate) fn new() -> Bitstream {
        Bitstream {
            bytes: b"BC\xc0\xde".to_vec(),
            pending: 0,
            pending_bits: 0,
            blocks: Vec::new(),
            width: 2,
        }
    }

    /// Appends the lowest `width` (at most 32) bits.
    fn fixed(&mut self, value: u64, width: u32) {
        self.pending |= (value & ((1 << width) - 1)) << self.pending_bits;
        self.pending_bits += width;
        while self.pending_bits >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.pending_bits -= 8;
        }
    }

    fn vbr(&mut self, mut value: u64, width: u32) {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }

    fn align32(&mut self) {
        if self.pending_bits > 0 {
            self.fixed(0, 8 - self.pending_bits);
        }
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
    }

    /// Enters a block, whose abbreviation ids have 4 bits.
    pub(crate) fn enter(&mut self, block: u64) {
        self.fixed(ENTER_SUBBLOCK, self.width);
        self.vbr(block, 8);
        self.vbr(4, 4);
        self.align32();
        self.blocks.push((self.bytes.len(), self.width));
        self.width = 4;
        self.bytes.extend([0; 4]);
    }

    /// Ends the innermost block.
    pub(crate) fn leave(&mut self) {
        self.fixed(END_BLOCK, self.width);
        self.align32();
        if let Some((start, width)) = self.blocks.pop() {
            let words = (self.bytes.len() - start) / 4 - 1;
            self.bytes[start..start + 4].copy_from_slice(&(words as u32).to_le_bytes());
            self.width = width;
        }
    }

    /// Appends a record.
    pub(crate) fn record(&mut self, code: u64, numbers: impl IntoIterator<Item = u64>) {
        let numbers: Vec<u64> = numbers.into_iter().collect();
        self.fixed(UNABBREV_RECORD, self.width);
        self.vbr(code, 6);
        self.vbr(numbers.len() as u64, 6);
        for number in numbers {
            self.vbr(number, 6);
        }
    }

    /// Returns the stream's bytes, a multiple of four.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.align32();
        self.bytes
    }
}

/// Returns the form of a signed number that records hold: the sign is the lowest bit.
pub(crate) fn signed(value: i64) -> u64 {
    let magnitude = value.unsigned_abs() << 1;
    magnitude | u64::from(value < 0)
}
