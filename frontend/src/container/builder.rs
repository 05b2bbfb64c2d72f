//! Puts containers together, part by part.

use std::borrow::Cow;

use super::fourcc::FourCc;
use super::header::Container;
use super::program::ProgramHeader;
use super::write::{Alignment, Signing, write_aligned};
use crate::error::{Error, ErrorKind, Result};

/// A container under construction: parts in their order. Several may have one name.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use dxil_frontend::FourCc;
/// use dxil_frontend::container::{Container, ContainerBuilder, Signing};
///
/// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/tests/data/saxpy.dxil");
/// let bytes = std::fs::read(file)?;
/// let mut builder = ContainerBuilder::of(&Container::parse(&bytes)?);
/// builder.remove(FourCc::STAT);
/// builder.set(FourCc::PRIV, b"notes");
/// let smaller = builder.build(Signing::Digest)?;
/// assert!(Container::parse(&smaller)?.part(FourCc::STAT).is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct ContainerBuilder<'a> {
    parts: Vec<(FourCc, Cow<'a, [u8]>)>,
    alignment: Alignment,
}

impl<'a> ContainerBuilder<'a> {
    /// Returns a container without parts.
    pub fn new() -> Self {
        ContainerBuilder::default()
    }

    /// Returns the parts of a container, to be changed. They will be aligned as they are.
    pub fn of(container: &Container<'a>) -> Self {
        let parts = container.parts().iter();
        let is_aligned = parts.clone().all(|part| part.offset % 4 == 0);
        ContainerBuilder {
            parts: parts
                .map(|part| (part.name, Cow::Borrowed(part.data)))
                .collect(),
            alignment: if is_aligned {
                Alignment::Words
            } else {
                Alignment::Bytes
            },
        }
    }

    /// Sets where parts begin.
    pub fn align(&mut self, alignment: Alignment) -> &mut Self {
        self.alignment = alignment;
        self
    }

    /// Returns names and contents, in order.
    pub fn parts(&self) -> impl Iterator<Item = (FourCc, &[u8])> {
        self.parts.iter().map(|(name, data)| (*name, &**data))
    }

    /// Returns the content of the first part of that name.
    pub fn part(&self, name: FourCc) -> Option<&[u8]> {
        let mut parts = self.parts();
        parts.find(|(part, _)| *part == name).map(|(_, data)| data)
    }

    /// Replaces the content of the first part of that name. A new part goes to the end, but in
    /// front of the program and of private data: DXC writes these last.
    pub fn set(&mut self, name: FourCc, data: impl Into<Cow<'a, [u8]>>) -> &mut Self {
        let data = data.into();
        if let Some((_, old)) = self.parts.iter_mut().find(|(part, _)| *part == name) {
            *old = data;
            return self;
        }
        let is_last = |part: FourCc| match name {
            FourCc::PRIV => false,
            FourCc::DXIL => part == FourCc::PRIV,
            _ => [FourCc::DXIL, FourCc::PRIV].contains(&part),
        };
        let behind = self.parts.iter().rposition(|(part, _)| !is_last(*part));
        let at = behind.map_or(0, |behind| behind + 1);
        self.parts.insert(at, (name, data));
        self
    }

    /// Adds a part at the end.
    pub fn push(&mut self, name: FourCc, data: impl Into<Cow<'a, [u8]>>) -> &mut Self {
        self.parts.push((name, data.into()));
        self
    }

    /// Removes all parts of that name. Returns whether there was one.
    pub fn remove(&mut self, name: FourCc) -> bool {
        let before = self.parts.len();
        self.parts.retain(|(part, _)| *part != name);
        self.parts.len() != before
    }

    /// Sorts parts: those that `order` names first, in that order, then the others as they are.
    pub fn reorder(&mut self, order: &[FourCc]) -> &mut Self {
        self.parts.sort_by_key(|(name, _)| {
            let place = order.iter().position(|wanted| wanted == name);
            place.unwrap_or(order.len())
        });
        self
    }

    /// Returns the container. Where parts begin at multiples of four bytes, zeros fill up a part of
    /// another size.
    ///
    /// # Errors
    ///
    /// If the container would be larger than 4 GiB, or have more parts than readers take.
    pub fn build(&self, signing: Signing) -> Result<Vec<u8>> {
        let limit = crate::limits::MAX_PARTS;
        if self.parts.len() > limit as usize {
            return Err(Error::new(ErrorKind::Limit {
                what: "part count",
                value: self.parts.len() as u64,
                limit: u64::from(limit),
            }));
        }
        let parts: Vec<(FourCc, &[u8])> = self.parts().collect();
        write_aligned(&parts, signing, self.alignment)
    }
}

impl ProgramHeader {
    /// Returns the content of a program part (DXIL, ILDB, STAT) with this header and that bitcode.
    /// The size in the header is that of the part, whatever [`size_in_words`](Self::size_in_words)
    /// is.
    ///
    /// # Errors
    ///
    /// If the part would be larger than 4 GiB, or the version does not fit into the header.
    pub fn with_bitcode(&self, bitcode: &[u8]) -> Result<Vec<u8>> {
        /// Bytes of the bitcode header.
        const BITCODE_HEADER_BYTES: u32 = 16;
        if self.major > 15 || self.minor > 15 {
            return Err(Error::malformed(
                "the program header has no room for a shader model of more than one digit",
            ));
        }
        let kind = self.kind.number();
        let version = kind << 16 | u32::from(self.major) << 4 | u32::from(self.minor);
        let too_large = || {
            Error::new(ErrorKind::Limit {
                what: "size of the program",
                value: bitcode.len() as u64,
                limit: u64::from(u32::MAX),
            })
        };
        let size = u32::try_from(bitcode.len()).map_err(|_| too_large())?;
        let padded = bitcode.len().next_multiple_of(4);
        let total = u32::try_from(padded + 24).map_err(|_| too_large())?;
        let (major, minor) = self.dxil_version;
        let mut part = Vec::with_capacity(padded + 24);
        for word in [
            version,
            total / 4,
            u32::from_le_bytes(FourCc::DXIL.0),
            u32::from(major) << 8 | u32::from(minor),
            BITCODE_HEADER_BYTES,
            size,
        ] {
            part.extend_from_slice(&word.to_le_bytes());
        }
        part.extend_from_slice(bitcode);
        part.resize(padded + 24, 0);
        Ok(part)
    }
}
