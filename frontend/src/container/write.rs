//! Writes a DXContainer from parts, with its digest.

use super::digest::digest_of;
use super::fourcc::FourCc;
use super::header::{HEADER_BYTES, PART_HEADER_BYTES};
use crate::error::{ErrorKind, Result};

/// Whether the digest of a written container is computed or left zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Signing {
    /// Compute it.
    Digest,
    /// Leave it zero.
    None,
}

/// Where the parts of a written container begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Alignment {
    /// At multiples of four bytes, as DXC writes them for validators from version 1.7 on.
    #[default]
    Words,
    /// Right after the part before, as DXC writes them for earlier validators: the names at the end
    /// of a signature have any length.
    Bytes,
}

/// Returns the bytes of a container with these parts, in this order. Each begins at a multiple of
/// four bytes (DirectX Container document, "Part headers"). There are no gaps, since DXC's
/// validator refuses them: zeros that fill up a word belong to the part before them.
///
/// # Errors
///
/// If the container would be larger than 4 GiB.
pub fn write_container(parts: &[(FourCc, &[u8])], signing: Signing) -> Result<Vec<u8>> {
    write_aligned(parts, signing, Alignment::Words)
}

/// Returns the bytes of a container as [`write_container`] does, with parts that begin where
/// `alignment` says.
pub(super) fn write_aligned(
    parts: &[(FourCc, &[u8])],
    signing: Signing,
    alignment: Alignment,
) -> Result<Vec<u8>> {
    let table_end = HEADER_BYTES + parts.len() * 4;
    // The last part ends where its data do: private data may have any length there.
    let size_of = |place: usize, data: &[u8]| {
        if place + 1 == parts.len() || alignment == Alignment::Bytes {
            data.len()
        } else {
            data.len().next_multiple_of(4)
        }
    };
    let sizes = parts.iter().enumerate();
    let sizes = sizes.map(|(place, (_, data))| size_of(place, data));
    let total = sizes
        .clone()
        .fold(table_end, |sum, size| sum + PART_HEADER_BYTES + size);
    let total_word = word(total)?;
    let mut out = Vec::with_capacity(total);
    out.extend_from_slice(&FourCc::DXBC.0);
    out.extend_from_slice(&[0; 16]);
    out.extend_from_slice(&1u16.to_le_bytes());
    out.extend_from_slice(&0u16.to_le_bytes());
    out.extend_from_slice(&total_word.to_le_bytes());
    out.extend_from_slice(&word(parts.len())?.to_le_bytes());
    let mut offset = table_end;
    for size in sizes.clone() {
        out.extend_from_slice(&word(offset)?.to_le_bytes());
        offset += PART_HEADER_BYTES + size;
    }
    for ((name, data), size) in parts.iter().zip(sizes) {
        out.extend_from_slice(&name.0);
        out.extend_from_slice(&word(size)?.to_le_bytes());
        let end = out.len() + size;
        out.extend_from_slice(data);
        out.resize(end, 0);
    }
    // Last, since the digest covers everything after its own field.
    if signing == Signing::Digest {
        let digest = digest_of(out.get(20..).unwrap_or_default());
        if let Some(field) = out.get_mut(4..20) {
            field.copy_from_slice(&digest);
        }
    }
    Ok(out)
}

fn word(value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| {
        ErrorKind::Limit {
            what: "container size",
            value: value as u64,
            limit: u64::from(u32::MAX),
        }
        .into()
    })
}
