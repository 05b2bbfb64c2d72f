//! Writes bitstreams, for tests.

/// Appends bits, least significant first.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    position: usize,
    blocks: Vec<(usize, u32)>,
    width: u32,
}

impl BitWriter {
    pub(super) fn new() -> Self {
        BitWriter {
            width: 2,
            ..BitWriter::default()
        }
    }

    /// Returns a stream that begins with the bitcode magic.
    pub(super) fn with_magic() -> Self {
        let mut writer = BitWriter::new();
        writer.fixed(0xdec0_4342, 32);
        writer
    }

    pub(super) fn fixed(&mut self, value: u64, width: u32) {
        for bit in 0..width {
            if self.position.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let byte = self.position / 8;
            self.bytes[byte] |= u8::from(value >> bit & 1 == 1) << (self.position % 8);
            self.position += 1;
        }
    }

    pub(super) fn vbr(&mut self, mut value: u64, width: u32) {
        let payload = width - 1;
        while value >> payload != 0 {
            self.fixed(value & ((1 << payload) - 1) | 1 << payload, width);
            value >>= payload;
        }
        self.fixed(value, width);
    }

    pub(super) fn align32(&mut self) {
        while !self.position.is_multiple_of(32) {
            self.fixed(0, 1);
        }
    }

    /// Writes an abbreviation id in the width of the current block.
    pub(super) fn id(&mut self, id: u64) {
        self.fixed(id, self.width);
    }

    pub(super) fn enter(&mut self, block: u64, width: u32) {
        self.id(1);
        self.vbr(block, 8);
        self.vbr(u64::from(width), 4);
        self.align32();
        self.blocks.push((self.position, self.width));
        self.width = width;
        self.fixed(0, 32);
    }

    pub(super) fn leave(&mut self) {
        self.id(0);
        self.align32();
        let (start, width) = self.blocks.pop().unwrap();
        let words = (self.position - start) / 32 - 1;
        let at = start / 8;
        self.bytes[at..at + 4].copy_from_slice(&u32::try_from(words).unwrap().to_le_bytes());
        self.width = width;
    }

    /// Writes an unabbreviated record.
    pub(super) fn record(&mut self, code: u64, ops: &[u64]) {
        self.id(3);
        self.vbr(code, 6);
        self.vbr(ops.len() as u64, 6);
        for op in ops {
            self.vbr(*op, 6);
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.align32();
        self.bytes
    }
}

/// Builds small modules: the type table below, one function `void (i32, i32)`, and its body.
#[derive(Debug, Default)]
pub(super) struct ModuleWriter {
    /// More types, as (code, numbers).
    pub(super) types: Vec<(u64, Vec<u64>)>,
    /// Module-level constants.
    pub(super) constants: Vec<(u64, Vec<u64>)>,
    /// Number of blocks of the body.
    pub(super) blocks: u64,
    /// The body's constants.
    pub(super) local_constants: Vec<(u64, Vec<u64>)>,
    /// The body.
    pub(super) body: Vec<(u64, Vec<u64>)>,
}

/// Numbers of the types that [`ModuleWriter`] writes.
pub(super) mod ty {
    pub(crate) const VOID: u64 = 0;
    pub(crate) const I32: u64 = 1;
    pub(crate) const I1: u64 = 2;
    pub(crate) const FLOAT: u64 = 3;
    /// Number of the first type of one's own.
    pub(crate) const OWN: u64 = 5;
}

impl ModuleWriter {
    pub(super) fn finish(&self) -> Vec<u8> {
        let mut writer = BitWriter::with_magic();
        writer.enter(8, 3);
        writer.record(1, &[1]);
        writer.enter(17, 4);
        writer.record(1, &[ty::OWN + self.types.len() as u64]);
        writer.record(2, &[]);
        writer.record(7, &[32]);
        writer.record(7, &[1]);
        writer.record(3, &[]);
        writer.record(21, &[0, ty::VOID, ty::I32, ty::I32]);
        for (code, ops) in &self.types {
            writer.record(*code, ops);
        }
        writer.leave();
        writer.record(8, &[4, 0, 0, 0, 0, 0, 0, 0]);
        write_block(&mut writer, 11, &self.constants);
        writer.enter(12, 4);
        writer.record(1, &[self.blocks]);
        write_block(&mut writer, 11, &self.local_constants);
        for (code, ops) in &self.body {
            writer.record(*code, ops);
        }
        writer.leave();
        writer.leave();
        writer.finish()
    }
}

fn write_block(writer: &mut BitWriter, id: u64, records: &[(u64, Vec<u64>)]) {
    if records.is_empty() {
        return;
    }
    writer.enter(id, 4);
    for (code, ops) in records {
        writer.record(*code, ops);
    }
    writer.leave();
}
