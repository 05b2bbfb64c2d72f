//! Writes small modules, for tests.

use super::bit_writer::BitWriter;

/// Builds small modules: the type table below, one function `void (i32, i32)`, and its body.
#[derive(Debug, Default)]
pub(super) struct ModuleWriter {
    /// More types, as (code, numbers).
    pub(super) types: Vec<(u32, Vec<u64>)>,
    /// Module-level constants.
    pub(super) constants: Vec<(u32, Vec<u64>)>,
    /// Number of blocks of the body.
    pub(super) blocks: u64,
    /// The body's constants.
    pub(super) local_constants: Vec<(u32, Vec<u64>)>,
    /// The body.
    pub(super) body: Vec<(u32, Vec<u64>)>,
}

/// Numbers of the types that [`ModuleWriter`] writes.
pub(super) mod ty {
    pub(crate) const VOID: u64 = 0;
    pub(crate) const I32: u64 = 1;
    pub(crate) const I1: u64 = 2;
    pub(crate) const FLOAT: u64 = 3;
    /// Number of the first type of [`ModuleWriter::types`].
    pub(crate) const OWN: u64 = 5;
}

impl ModuleWriter {
    pub(super) fn finish(&self) -> Vec<u8> {
        let mut writer = BitWriter::with_magic();
        writer.enter(8, 3);
        writer.record(1, [1]);
        writer.enter(17, 4);
        writer.record(1, [ty::OWN + self.types.len() as u64]);
        writer.record(2, []);
        writer.record(7, [32]);
        writer.record(7, [1]);
        writer.record(3, []);
        writer.record(21, [0, ty::VOID, ty::I32, ty::I32]);
        for (code, ops) in &self.types {
            writer.record(*code, ops);
        }
        writer.leave();
        writer.record(8, [4, 0, 0, 0, 0, 0, 0, 0]);
        write_block(&mut writer, 11, &self.constants);
        writer.enter(12, 4);
        writer.record(1, [self.blocks]);
        write_block(&mut writer, 11, &self.local_constants);
        for (code, ops) in &self.body {
            writer.record(*code, ops);
        }
        writer.leave();
        writer.leave();
        writer.finish()
    }
}

fn write_block(writer: &mut BitWriter, id: u32, records: &[(u32, Vec<u64>)]) {
    if records.is_empty() {
        return;
    }
    writer.enter(id, 4);
    for (code, ops) in records {
        writer.record(*code, ops);
    }
    writer.leave();
}
