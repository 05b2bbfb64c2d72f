//! Memory of resources, and which parts of a reserved one have any: reads of the others give zero,
//! and writes to them are dropped (D3D11.3 functional specification, 5.9.4.1: tier 2).

use super::bytes::Bytes;
use super::texture::Texture;

/// Bytes of a tile of a reserved buffer.
const TILE: usize = 1 << 16;

/// Memory of a buffer or texture. Reading and writing need no lock: every word is atomic by itself.
#[derive(Debug)]
pub struct Storage {
    pub(crate) bytes: Bytes,
    pub(crate) texture: Option<Texture>,
    /// The parts that have memory; `None` if all have.
    pub(crate) residency: Option<Residency>,
}

/// The parts of a storage, and whether each has memory.
#[derive(Debug)]
pub(crate) struct Residency {
    /// Bytes of a part.
    part: usize,
    has_memory: Box<[bool]>,
}

impl Storage {
    /// Returns a buffer that holds these bytes.
    pub fn buffer(bytes: &[u8]) -> Storage {
        Storage {
            bytes: Bytes::new(bytes, bytes.len()),
            texture: None,
            residency: None,
        }
    }

    /// Returns a texture whose texels are these, in the order that [`Texture`] tells; those that
    /// are missing are zero.
    pub fn texture(texture: Texture, texels: &[u8]) -> Storage {
        let size = usize::try_from(texture.total_bytes()).unwrap_or(usize::MAX);
        Storage {
            bytes: Bytes::new(texels, size),
            texture: Some(texture),
            residency: None,
        }
    }

    /// Returns a copy of the bytes as they are now.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes.to_vec()
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Stores a word at a byte; what lies beyond the end is dropped.
    pub fn store_word(&self, at: usize, word: u32) {
        if at < self.len() {
            self.store(at, 4, u64::from(word));
        }
    }

    /// Returns a reserved buffer whose first `tiles` tiles of 64 KiB have memory. Contents for the
    /// other tiles are dropped.
    pub fn reserved_buffer(bytes: &[u8], tiles: u32) -> Storage {
        let mapped = (tiles as usize).saturating_mul(TILE).min(bytes.len());
        let parts = bytes.len().div_ceil(TILE);
        Storage {
            bytes: Bytes::new(&bytes[..mapped], bytes.len()),
            texture: None,
            residency: Some(Residency {
                part: TILE,
                has_memory: (0..parts).map(|part| part < tiles as usize).collect(),
            }),
        }
    }

    /// Returns a reserved texture; `is_mapped` tells for a mip, a layer and a texel whether it has
    /// memory. Texels without it are zero, whatever `texels` holds.
    pub fn reserved_texture(
        texture: Texture,
        texels: &[u8],
        is_mapped: impl Fn(u32, u32, [u32; 3]) -> bool,
    ) -> Storage {
        let size = usize::try_from(texture.total_bytes()).unwrap_or(usize::MAX);
        let mut texels = texels.to_vec();
        texels.resize(size, 0);
        let part = texture.format.bytes() as usize;
        let mut has_memory = vec![true; size.div_ceil(part)];
        for layer in 0..texture.layers {
            for mip in 0..texture.mips {
                let [width, height, depth] = texture.mip_size(mip);
                let rows = (0..depth).flat_map(|z| (0..height).map(move |y| (y, z)));
                for (x, (y, z)) in rows.flat_map(|row| (0..width).map(move |x| (x, row))) {
                    if is_mapped(mip, layer, [x, y, z]) {
                        continue;
                    }
                    for sample in 0..texture.samples.max(1) {
                        let place = texture.texel(mip, layer, [x, y, z], sample);
                        has_memory[place / part] = false;
                        texels[place..place + part].fill(0);
                    }
                }
            }
        }
        Storage {
            bytes: Bytes::new(&texels, size),
            texture: Some(texture),
            residency: Some(Residency {
                part,
                has_memory: has_memory.into(),
            }),
        }
    }

    /// Returns whether all of these bytes have memory.
    #[inline]
    pub(crate) fn has_memory(&self, at: usize, bytes: u32) -> bool {
        let Some(Residency { part, has_memory }) = &self.residency else {
            return true;
        };
        let last = at + (bytes.max(1) as usize - 1);
        let parts = has_memory.get(at / part..=last / part);
        parts.is_some_and(|parts| parts.iter().all(|has| *has))
    }

    /// Stores up to 8 bytes, as far as they have memory.
    pub(crate) fn store(&self, at: usize, bytes: u32, value: u64) {
        if self.residency.is_none() {
            self.bytes.store(at, bytes, value);
            return;
        }
        // Words lie in one part each, or are texels of less.
        let mut done = 0;
        while done < bytes {
            let place = at + done as usize;
            let count = (4 - (place & 3) as u32).min(bytes - done);
            if self.has_memory(place, count) {
                self.bytes.store(place, count, value >> (8 * done));
            }
            done += count;
        }
    }

    /// Replaces 4 or 8 bytes ([`Bytes::update`]); without memory nothing changes, and 0 is what was
    /// there.
    pub(crate) fn update(&self, at: usize, bytes: u32, change: impl Fn(u64) -> u64) -> u64 {
        if self.has_memory(at, bytes) {
            self.bytes.update(at, bytes, change)
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{Component, Dimension, Packing, TexelLayout};

    #[test]
    fn a_buffer_has_memory_up_to_the_end_of_its_tiles() {
        let storage = Storage::reserved_buffer(&vec![7; TILE + 8], 1);
        assert!(storage.has_memory(TILE - 4, 4));
        assert!(!storage.has_memory(TILE - 4, 8));
        assert_eq!(storage.bytes.load(TILE, 4), 0);
        // The upper half is dropped.
        storage.store(TILE - 4, 8, 0x2222_2222_1111_1111);
        assert_eq!(storage.bytes.load(TILE - 4, 8), 0x1111_1111);
        assert_eq!(storage.update(TILE, 4, |old| old + 1), 0);
        assert_eq!(storage.bytes.load(TILE, 4), 0);
        assert_eq!(storage.update(0, 4, |old| old + 1), 0x0707_0707);
        assert_eq!(storage.to_bytes().len(), TILE + 8);
    }

    #[test]
    fn texels_without_memory_are_zero_and_stay_so() {
        let texture = Texture {
            dimension: Dimension::D2,
            format: TexelLayout {
                component: Component::Uint,
                packing: Packing::Plain { bits: 8, count: 1 },
            },
            size: [2, 2, 1],
            layers: 1,
            mips: 1,
            samples: 1,
        };
        let storage = Storage::reserved_texture(texture, &[1, 2, 3, 4], |_, _, at| at[0] == 0);
        assert_eq!(storage.to_bytes(), [1, 0, 3, 0]);
        for place in 0..4 {
            storage.store(place, 1, 9);
        }
        assert_eq!(storage.to_bytes(), [9, 0, 9, 0]);
    }
}
