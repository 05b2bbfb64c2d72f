//! VALUE_SYMTAB blocks: names of values and basic blocks.

use super::stream::Stream;
use crate::error::Result;

pub(super) const ENTRY: u32 = 1;
pub(super) const BLOCK_ENTRY: u32 = 2;

/// A name.
pub(super) enum Symbol {
    /// Of a value, by number.
    Value(u32, Box<str>),
    /// Of a basic block, by number.
    Block(u32, Box<str>),
}

/// Decodes the block that was just entered; each name goes to `sink`.
pub(super) fn decode(stream: &mut Stream<'_>, mut sink: impl FnMut(Symbol)) -> Result<()> {
    while let Some(code) = stream.next_record()? {
        let record = stream.record();
        match code {
            ENTRY => sink(Symbol::Value(
                record.u32(0, "name of a value")?,
                record.text(1),
            )),
            BLOCK_ENTRY => sink(Symbol::Block(
                record.u32(0, "name of a block")?,
                record.text(1),
            )),
            // Other records belong to later LLVM versions; names are never needed to understand
            // code.
            _ => {}
        }
    }
    Ok(())
}
