//! Shader PDB files (`dxc -Zi -Fd shader.pdb`): a DXContainer with the program that has debug
//! information, and with the sources, wrapped into the file format that Microsoft's debuggers know.
//!
//! The wrapping is a multi-stream file (MSF 7.00, "The MSF File Format" in LLVM's documentation):
//! blocks of equal size, and a directory, in blocks itself, that lists each stream's blocks. DXC
//! writes the container as the sixth stream; the ones in front of it are those of any PDB, all but
//! empty.

use crate::error::{Error, ErrorKind, Result};
use crate::reader::Reader;

/// First bytes of a multi-stream file.
const MAGIC: &[u8; 32] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";

/// The stream that holds the container.
const CONTAINER_STREAM: usize = 5;

/// Size that marks an absent stream.
const ABSENT: u32 = u32::MAX;

/// Returns whether these are the bytes of a PDB file.
pub fn is_pdb(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Returns the DXContainer in a PDB file. Positions of errors in it count from its own start.
///
/// # Errors
///
/// If the bytes are not a PDB file, or it holds no container.
pub fn container_in_pdb(bytes: &[u8]) -> Result<Vec<u8>> {
    const WHAT: &str = "PDB header";
    let mut header = Reader::new(bytes, 0);
    if header.array::<32>(WHAT)? != *MAGIC {
        return Err(Error::malformed("this is no PDB file").at_offset(0));
    }
    let block_size = header.u32(WHAT)?;
    let file = Blocks {
        bytes,
        size: match block_size {
            512 | 1024 | 2048 | 4096 | 8192 | 16384 | 32768 => block_size as usize,
            _ => {
                return Err(Error::new(ErrorKind::BadValue {
                    what: "block size of the PDB file",
                    value: u64::from(block_size),
                    rule: "it is a power of two from 512 to 32768",
                })
                .at_offset(32));
            }
        },
    };
    header.u32(WHAT)?;
    header.u32(WHAT)?;
    let directory_bytes = header.u32(WHAT)?;
    header.u32(WHAT)?;
    let map = header.u32(WHAT)? as usize;
    // The numbers of the directory's blocks lie side by side.
    let map = Reader::new(bytes, 0).at(map.saturating_mul(file.size), "PDB block map")?;
    let directory = file.stream(map, directory_bytes, "PDB directory")?;
    let mut directory = Reader::new(&directory, 0);
    let count = directory.u32("PDB directory")? as usize;
    let sizes = directory.sub(count.saturating_mul(4), "PDB directory")?;
    let mut blocks = directory;
    let mut sizes = sizes;
    for stream in 0..count {
        let size = match sizes.u32("PDB directory")? {
            ABSENT => 0,
            size => size,
        };
        if stream == CONTAINER_STREAM {
            return file.stream(blocks, size, "PDB stream");
        }
        // Streams before the container are not copied, only stepped over.
        let numbers = file.blocks_of(size).saturating_mul(4);
        blocks.bytes(numbers, "PDB directory")?;
    }
    Err(Error::malformed("the PDB file holds no shader"))
}

struct Blocks<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Blocks<'_> {
    fn blocks_of(&self, bytes: u32) -> usize {
        (bytes as usize).div_ceil(self.size)
    }

    /// Returns the bytes of a stream; `numbers` are those of its blocks.
    fn stream(&self, mut numbers: Reader<'_>, bytes: u32, what: &'static str) -> Result<Vec<u8>> {
        let mut left = bytes as usize;
        // Blocks may be named again and again.
        if left > self.bytes.len() {
            return Err(Error::new(ErrorKind::Truncated {
                what,
                need: u64::from(bytes),
                have: self.bytes.len() as u64,
            }));
        }
        let mut stream = Vec::with_capacity(left);
        while left > 0 {
            let number = numbers.u32(what)? as usize;
            let mut block =
                Reader::new(self.bytes, 0).at(number.saturating_mul(self.size), what)?;
            // Only what the stream needs: the file may end within the last block.
            let part = block.bytes(left.min(self.size), what)?;
            stream.extend_from_slice(part);
            left -= part.len();
        }
        Ok(stream)
    }
}
