//! The header with offset and size that Apple's tools put in front of bitcode ("LLVM Bitcode File
//! Format", section Bitcode Wrapper Format).

use crate::error::Result;
use crate::reader::Reader;

const MAGIC: u32 = 0x0b17_c0de;

/// Returns the bitcode after the wrapper, if there is one, and its offset in the file.
///
/// # Errors
///
/// If the bytes end before the wrapped bitcode does.
pub(super) fn unwrap(bytes: &[u8], base: u64) -> Result<(&[u8], u64)> {
    let mut reader = Reader::new(bytes, base);
    if reader.u32("bitcode magic")? != MAGIC {
        return Ok((bytes, base));
    }
    // The version says nothing about the layout, so it is not checked.
    reader.u32("bitcode wrapper")?;
    let offset = reader.u32("bitcode wrapper")? as usize;
    let size = reader.u32("bitcode wrapper")? as usize;
    let mut inner = Reader::new(bytes, base).at(offset, "wrapped bitcode")?;
    let base = inner.offset();
    Ok((inner.bytes(size, "wrapped bitcode")?, base))
}
