//! Writes bitstreams ("LLVM Bitcode File Format", "Bitstream Format"), for tests and fuzzing.

/// Appends bits, least significant first.
#[derive(Debug)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits in use of the last byte; 0 if all of them are.
    used: u32,
    /// Of each open block: the place of its length, in bytes, and the width of abbreviation ids
    /// around it.
    blocks: Vec<(usize, u32)>,
    /// Width of abbreviation ids.
    width: u32,
}

impl Default for BitWriter {
    fn default() -> Self {
        BitWriter::new()
    }
}

impl BitWriter {
    /// Returns an empty stream.
    pub fn new() -> Self {
        BitWriter {
            bytes: Vec::new(),
            used: 0,
            blocks: Vec::new(),
            width: 2,
        }
    }

    /// Returns a stream that begins with the bitcode magic.
    pub fn with_magic() -> Self {
        let mut writer = BitWriter::new();
        writer.fixed(0xdec0_4342, 32);
        writer
    }

    /// Appends the lowest `width` bits, at most 64.
    pub fn fixed(&mut self, mut value: u64, mut width: u32) {
        while width > 0 {
            if self.used == 0 {
                self.bytes.push(0);
            }
            let count = width.min(8 - self.used);
            let [low, ..] = (value & ((1 << count) - 1)).to_le_bytes();
            if let Some(last) = self.bytes.last_mut() {
                *last |= low << self.used;
            }
            self.used = (self.used + count) % 8;
            value >>= count;
            width -= count;
        }
    }

    /// Appends a number in pieces of `width` bits.
    pub fn vbr(&mut self, mut value: u64, width: u32) {
        let payload = width - 1;
        while value >> payload != 0 {
            self.fixed(value & ((1 << payload) - 1) | 1 << payload, width);
            value >>= payload;
        }
        self.fixed(value, width);
    }

    /// Fills up to a multiple of 32 bits.
    pub fn align32(&mut self) {
        self.used = 0;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    /// Appends an abbreviation id, in the present block's width.
    pub fn id(&mut self, id: u64) {
        self.fixed(id, self.width);
    }

    /// Enters a block whose abbreviation ids have `width` bits.
    pub fn enter(&mut self, block: u32, width: u32) {
        self.id(1);
        self.vbr(u64::from(block), 8);
        self.vbr(u64::from(width), 4);
        self.align32();
        self.blocks.push((self.bytes.len(), self.width));
        self.width = width;
        self.fixed(0, 32);
    }

    /// Ends the innermost block.
    pub fn leave(&mut self) {
        self.id(0);
        self.align32();
        let Some((start, width)) = self.blocks.pop() else {
            return;
        };
        let words = (self.bytes.len() - start) / 4 - 1;
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        // The length is known only now; `enter` has left its place.
        if let Some(length) = self.bytes.get_mut(start..start + 4) {
            length.copy_from_slice(&words.to_le_bytes());
        }
        self.width = width;
    }

    /// Appends an unabbreviated record.
    pub fn record(&mut self, code: u32, numbers: impl AsRef<[u64]>) {
        let numbers = numbers.as_ref();
        self.id(3);
        self.vbr(u64::from(code), 6);
        self.vbr(numbers.len() as u64, 6);
        for number in numbers {
            self.vbr(*number, 6);
        }
    }

    /// Returns the stream, filled up to a multiple of 32 bits.
    pub fn finish(mut self) -> Vec<u8> {
        self.align32();
        self.bytes
    }
}

/// Returns the form of a signed number in records, whose lowest bit is the sign.
pub fn rotate_sign(value: i64) -> u64 {
    value.unsigned_abs() << 1 | u64::from(value < 0)
}
