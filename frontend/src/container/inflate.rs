//! Unpacks zlib data. A multiple of the packed size bounds the memory.

use std::borrow::Cow;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use crate::error::{Error, ErrorKind, Result};
use crate::limits::MAX_INFLATE_RATIO;
use crate::reader::Reader;

/// Compression of a part's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    None,
    /// zlib (RFC 1950).
    Zlib,
}

impl Compression {
    /// Reads the 16-bit number that DXC uses.
    pub(super) fn read(reader: &mut Reader<'_>, what: &'static str) -> Result<Self> {
        let offset = reader.offset();
        match reader.u16(what)? {
            0 => Ok(Compression::None),
            1 => Ok(Compression::Zlib),
            other => Err(Error::new(ErrorKind::BadValue {
                what: "compression",
                value: u64::from(other),
                rule: "0 is none, 1 is zlib",
            })
            .at_offset(offset)),
        }
    }

    /// Returns the content of `packed`, whose size must come out as the header says.
    pub(super) fn unpack<'a>(self, packed: &Reader<'a>, size: u32) -> Result<Cow<'a, [u8]>> {
        let bytes = packed.rest();
        let content = match self {
            Compression::None => Cow::Borrowed(bytes),
            Compression::Zlib => {
                let limit = bytes.len().saturating_mul(MAX_INFLATE_RATIO);
                // The header's size is what will be allocated, so it is compared with what deflate
                // can reach.
                if size as usize > limit {
                    return Err(packed.err(ErrorKind::Limit {
                        what: "unpacked size",
                        value: u64::from(size),
                        limit: limit as u64,
                    }));
                }
                let unpacked = decompress_to_vec_zlib_with_limit(bytes, size as usize);
                Cow::Owned(unpacked.map_err(|e| {
                    packed.err(ErrorKind::Malformed(format!(
                        "bad zlib data: {}",
                        e.status as i8
                    )))
                })?)
            }
        };
        if content.len() != size as usize {
            return Err(packed.err(ErrorKind::BadValue {
                what: "unpacked size",
                value: content.len() as u64,
                rule: "it must be what the header says",
            }));
        }
        Ok(content)
    }
}
