//! Byte offsets of instructions, for messages about a module that decodes.
//!
//! The decoder keeps no offsets, because they are only needed once a fault is found. This walk goes
//! over the bitcode again and only counts records.

use super::bits::Bits;
use super::stream::{Event, Stream};
use super::wrapper;
use crate::error::Result;

const MAGIC: u32 = 0xdec0_4342;
const MODULE_BLOCK: u32 = 8;
const FUNCTION_BLOCK: u32 = 12;
/// Records of a function block that are not instructions: the number of blocks and positions in
/// the source (LLVM 3.7's `FUNC_CODE_DECLAREBLOCKS`, `DEBUG_LOC_AGAIN`, `DEBUG_LOC`).
const NO_INSTRUCTIONS: [u32; 3] = [1, 33, 35];

/// Returns the offset of each instruction's record, per function body in the order of the file.
/// `base_offset` is where `bytes` lie in the whole input.
///
/// # Errors
///
/// As [`decode_module`](super::decode_module) for the frame of the bitcode.
pub fn instruction_offsets(bytes: &[u8], base_offset: u64) -> Result<Vec<Vec<u64>>> {
    let (bytes, base) = wrapper::unwrap(bytes, base_offset)?;
    let mut stream = Stream::new(Bits::new(bytes, base));
    stream.skip_magic(MAGIC)?;
    let mut bodies = Vec::new();
    while !stream.is_at_end() {
        match stream.next()? {
            Event::Block(MODULE_BLOCK) => {
                stream.enter(MODULE_BLOCK)?;
                walk_module(&mut stream, &mut bodies)?;
                // A file has one module; `decode_module` reads the first, too.
                break;
            }
            Event::Block(_) => {
                stream.skip()?;
            }
            Event::Record(_) | Event::End => {}
        }
    }
    Ok(bodies)
}

fn walk_module(stream: &mut Stream<'_>, bodies: &mut Vec<Vec<u64>>) -> Result<()> {
    loop {
        match stream.next()? {
            Event::End => return Ok(()),
            Event::Record(_) => {}
            Event::Block(FUNCTION_BLOCK) => {
                stream.enter(FUNCTION_BLOCK)?;
                bodies.push(walk_body(stream)?);
            }
            Event::Block(_) => {
                stream.skip()?;
            }
        }
    }
}

fn walk_body(stream: &mut Stream<'_>) -> Result<Vec<u64>> {
    let mut offsets = Vec::new();
    loop {
        match stream.next()? {
            Event::End => return Ok(offsets),
            Event::Record(code) if NO_INSTRUCTIONS.contains(&code) => {}
            Event::Record(_) => offsets.push(stream.record().offset),
            Event::Block(_) => {
                stream.skip()?;
            }
        }
    }
}
