//! Bitcode as a tree of blocks and records, for tests that change it and write it again.

use super::bit_writer::BitWriter;
use super::bits::Bits;
use super::module::MAGIC;
use super::stream::{Event, Stream};
use crate::error::Result;

/// A block or a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// Id and content of a block.
    Block(u32, Vec<Item>),
    /// Code and numbers of a record.
    Record(u32, Vec<u64>),
}

/// Reads bitcode; abbreviations are resolved.
///
/// # Errors
///
/// The bitstream is malformed.
pub fn read(bitcode: &[u8]) -> Result<Vec<Item>> {
    let mut stream = Stream::new(Bits::new(bitcode, 0));
    stream.skip_magic(MAGIC)?;
    let mut items = Vec::new();
    while !stream.is_at_end() {
        if let Event::Block(id) = stream.next()? {
            items.push(read_block(&mut stream, id)?);
        }
    }
    Ok(items)
}

/// Reads the block of the last event. Blocks nest at most
/// [`MAX_BLOCK_DEPTH`](crate::limits::MAX_BLOCK_DEPTH) levels.
fn read_block(stream: &mut Stream<'_>, id: u32) -> Result<Item> {
    stream.enter(id)?;
    let mut items = Vec::new();
    loop {
        match stream.next()? {
            Event::Record(code) => items.push(Item::Record(code, stream.record().ops.to_vec())),
            Event::Block(id) => items.push(read_block(stream, id)?),
            Event::End => return Ok(Item::Block(id, items)),
        }
    }
}

/// Writes bitcode without abbreviations.
pub fn write(items: &[Item]) -> Vec<u8> {
    let mut writer = BitWriter::with_magic();
    write_items(items, &mut writer);
    writer.finish()
}

fn write_items(items: &[Item], writer: &mut BitWriter) {
    for item in items {
        match item {
            Item::Block(id, items) => {
                // Four bits hold the built-in ids; without abbreviations no others are used.
                writer.enter(*id, 4);
                write_items(items, writer);
                writer.leave();
            }
            Item::Record(code, numbers) => writer.record(*code, numbers),
        }
    }
}
