//! Writes bitstreams ("LLVM Bitcode File Format", "Bitstream Format").

use super::abbrev::{AbbrevOp, ScalarEncoding};

/// Appends bits, least significant first.
#[derive(Debug)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that are not yet in `bytes`; fewer than 32.
    pending: u64,
    /// Number of bits in `pending`.
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
            pending: 0,
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
    pub fn fixed(&mut self, value: u64, width: u32) {
        if width > 32 {
            self.fixed(value & 0xffff_ffff, 32);
            return self.fixed(value >> 32, width - 32);
        }
        // At most 31 bits wait and 32 are added.
        self.pending |= (value & ((1 << width) - 1)) << self.used;
        self.used += width;
        if self.used >= 32 {
            let word = (self.pending & 0xffff_ffff) as u32;
            self.bytes.extend_from_slice(&word.to_le_bytes());
            self.pending >>= 32;
            self.used -= 32;
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
        if self.used > 0 {
            self.fixed(0, 32 - self.used);
        }
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

    /// Defines an abbreviation, whose first operation stands for the record's code.
    pub(super) fn define(&mut self, ops: &[AbbrevOp]) {
        self.id(2);
        // An array counts for two: itself, and the encoding of its elements.
        let is_array = |op: &&AbbrevOp| matches!(op, AbbrevOp::Array(_));
        let count = ops.len() + ops.iter().filter(is_array).count();
        self.vbr(count as u64, 5);
        for op in ops {
            match *op {
                AbbrevOp::Literal(value) => {
                    self.fixed(1, 1);
                    self.vbr(u64::from(value), 8);
                }
                AbbrevOp::Vbr6 => self.define_scalar(ScalarEncoding::Vbr(6)),
                AbbrevOp::Scalar(scalar) => self.define_scalar(scalar),
                AbbrevOp::Array(element) => {
                    self.fixed(0, 1);
                    self.fixed(3, 3);
                    self.define_scalar(element);
                }
                AbbrevOp::Blob => {
                    self.fixed(0, 1);
                    self.fixed(5, 3);
                }
            }
        }
    }

    fn define_scalar(&mut self, scalar: ScalarEncoding) {
        self.fixed(0, 1);
        match scalar {
            ScalarEncoding::Fixed(width) => {
                self.fixed(1, 3);
                self.vbr(u64::from(width), 5);
            }
            ScalarEncoding::Vbr(width) => {
                self.fixed(2, 3);
                self.vbr(u64::from(width), 5);
            }
            ScalarEncoding::Char6 => self.fixed(4, 3),
        }
    }

    /// Appends a record by the abbreviation with that id, or unabbreviated where its numbers do not
    /// fit.
    pub(super) fn abbreviated(&mut self, id: u64, ops: &[AbbrevOp], code: u32, numbers: &[u64]) {
        if !fits(ops, code, numbers) {
            return self.record(code, numbers);
        }
        self.id(id);
        let code = u64::from(code);
        let mut fields = std::iter::once(&code).chain(numbers);
        for op in ops {
            match *op {
                AbbrevOp::Array(element) => {
                    self.vbr(fields.clone().count() as u64, 6);
                    for number in fields.by_ref() {
                        self.scalar(element, *number);
                    }
                }
                AbbrevOp::Literal(_) => {
                    fields.next();
                }
                AbbrevOp::Vbr6 => self.vbr(fields.next().copied().unwrap_or(0), 6),
                AbbrevOp::Scalar(scalar) => {
                    self.scalar(scalar, fields.next().copied().unwrap_or(0));
                }
                // `fits` refuses these.
                AbbrevOp::Blob => {}
            }
        }
    }

    fn scalar(&mut self, encoding: ScalarEncoding, value: u64) {
        match encoding {
            ScalarEncoding::Fixed(width) => self.fixed(value, u32::from(width)),
            ScalarEncoding::Vbr(width) => self.vbr(value, u32::from(width)),
            ScalarEncoding::Char6 => self.fixed(char6(value).unwrap_or(0), 6),
        }
    }

    /// Returns the stream, filled up to a multiple of 32 bits.
    pub fn finish(mut self) -> Vec<u8> {
        self.align32();
        self.bytes
    }
}

/// Returns whether an abbreviation can hold a record.
fn fits(ops: &[AbbrevOp], code: u32, numbers: &[u64]) -> bool {
    let code = u64::from(code);
    let mut fields = std::iter::once(&code).chain(numbers);
    for op in ops {
        let holds = match *op {
            AbbrevOp::Array(element) => fields.by_ref().all(|number| scalar_fits(element, *number)),
            AbbrevOp::Literal(value) => fields.next() == Some(&u64::from(value)),
            AbbrevOp::Vbr6 => fields.next().is_some(),
            AbbrevOp::Scalar(scalar) => fields.next().is_some_and(|n| scalar_fits(scalar, *n)),
            AbbrevOp::Blob => false,
        };
        if !holds {
            return false;
        }
    }
    fields.next().is_none()
}

fn scalar_fits(encoding: ScalarEncoding, value: u64) -> bool {
    match encoding {
        ScalarEncoding::Fixed(width) => width >= 64 || value >> width == 0,
        ScalarEncoding::Vbr(_) => true,
        ScalarEncoding::Char6 => char6(value).is_some(),
    }
}

/// Returns the six bits of a character ("LLVM Bitcode File Format", "6-bit characters").
pub(super) fn char6(character: u64) -> Option<u64> {
    let character = u8::try_from(character).ok()?;
    Some(u64::from(match character {
        b'a'..=b'z' => character - b'a',
        b'A'..=b'Z' => character - b'A' + 26,
        b'0'..=b'9' => character - b'0' + 52,
        b'.' => 62,
        b'_' => 63,
        _ => return None,
    }))
}

/// Returns the form of a signed number in records, whose lowest bit is the sign.
pub fn rotate_sign(value: i64) -> u64 {
    value.unsigned_abs() << 1 | u64::from(value < 0)
}

/// Returns the bytes of a text, one number each.
pub(super) fn bytes_of(text: &str) -> Vec<u64> {
    text.bytes().map(u64::from).collect()
}
