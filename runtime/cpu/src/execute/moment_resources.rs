//! The resources that a watched wave sees.

use dxil_frontend::dxil::ResourceKind;

use super::moment::Moment;
use super::textures::axes;
use crate::resources::{Descriptor, Register, Texel};

/// Returns the kind whose coordinates name texels: the faces of a cube are layers.
fn plain(kind: ResourceKind) -> ResourceKind {
    match kind {
        ResourceKind::TextureCube | ResourceKind::TextureCubeArray => ResourceKind::Texture2DArray,
        kind => kind,
    }
}

impl Moment<'_> {
    /// Returns the descriptor in a register, and the kind of resource that is declared there.
    fn descriptor(&self, register: Register) -> Option<(&Descriptor, usize)> {
        let kernel = self.kernel();
        let table = self.shared.table;
        let mut ranges = kernel.ranges.iter().zip(&table.ranges);
        let (index, first) = ranges.find_map(|(range, &(first, count))| {
            let index = register.index.checked_sub(range.first)?;
            let is_it = (range.class, range.space) == (register.class, register.space);
            (is_it && index < count).then_some((index, first))
        })?;
        let handle = (first + index) as usize;
        Some((table.descriptors.get(handle)?, handle))
    }

    /// Returns the number of bytes that a register shows of a buffer; none if there is no buffer.
    pub fn buffer_bytes(&self, register: Register) -> Option<u64> {
        match self.descriptor(register)?.0 {
            Descriptor::Buffer(buffer) => Some(buffer.size as u64),
            _ => None,
        }
    }

    /// Returns up to 8 bytes of a buffer, as the low bytes of a number; none outside of what the
    /// register shows.
    pub fn buffer_word(&self, register: Register, at: u64, bytes: u32) -> Option<u64> {
        let Descriptor::Buffer(buffer) = self.descriptor(register)?.0 else {
            return None;
        };
        let end = at.checked_add(u64::from(bytes))?;
        if end > buffer.size as u64 {
            return None;
        }
        let storage = self.shared.storage(buffer.storage);
        Some(storage.bytes.load(buffer.offset + at as usize, bytes))
    }

    /// Writes up to 8 bytes of a buffer; returns whether the register shows them.
    pub fn set_buffer_word(&self, register: Register, at: u64, bytes: u32, value: u64) -> bool {
        let Some((Descriptor::Buffer(buffer), _)) = self.descriptor(register) else {
            return false;
        };
        let is_inside = at
            .checked_add(u64::from(bytes))
            .is_some_and(|end| end <= buffer.size as u64);
        if is_inside {
            let storage = self.shared.storage(buffer.storage);
            storage.store(buffer.offset + at as usize, bytes, value);
        }
        is_inside
    }

    /// Returns the number of texels of a typed buffer or of a texture's first mip along x, y, and
    /// z, which is depth or layers (faces of a cube); none of other resources.
    pub fn texels(&self, register: Register) -> Option<[u32; 3]> {
        let (descriptor, handle) = self.descriptor(register)?;
        match descriptor {
            Descriptor::Buffer(buffer) => {
                let bytes = buffer.format?.bytes().max(1) as usize;
                Some([(buffer.size / bytes) as u32, 1, 1])
            }
            Descriptor::Texture(texture) => {
                let (count, layered) = axes(plain(self.shared.table.shapes.get(handle)?.kind));
                let mut texels = [1; 3];
                let size = texture.texture.mip_size(texture.first_mip);
                for (side, size) in texels.iter_mut().zip(size).take(count) {
                    *side = size;
                }
                if let Some(side) = texels.get_mut(count).filter(|_| layered) {
                    *side = texture.layers;
                }
                Some(texels)
            }
            Descriptor::Null | Descriptor::Sampler(_) | Descriptor::AccelerationStructure(_) => {
                None
            }
        }
    }

    /// Returns the bits of the four components of a texel of a typed buffer or texture: of floats,
    /// or of integers of 32 bits; none outside. Coordinates come in the order of HLSL, with the
    /// layer after them.
    pub fn texel(&self, register: Register, coords: [u32; 3], mip: u32) -> Option<[u32; 4]> {
        let (descriptor, handle) = self.descriptor(register)?;
        match descriptor {
            Descriptor::Buffer(buffer) => {
                let format = buffer.format?;
                let at = u64::from(coords[0]).checked_mul(u64::from(format.bytes()))?;
                if at + u64::from(format.bytes()) > buffer.size as u64 {
                    return None;
                }
                let place = buffer.offset + at as usize;
                let bytes = &self.shared.storage(buffer.storage).bytes;
                Some(Texel::bits(
                    format.read(|offset, count| bytes.load(place + offset, count)),
                ))
            }
            Descriptor::Texture(texture) => {
                let kind = plain(self.shared.table.shapes.get(handle)?.kind);
                let place = texture.place(kind, coords.map(i64::from), mip, 0)?;
                let bytes = &self.shared.storage(texture.storage).bytes;
                let texel = texture.format;
                let texel = texel.read(|offset, count| bytes.load(place + offset, count));
                Some(texel.bits())
            }
            Descriptor::Null | Descriptor::Sampler(_) | Descriptor::AccelerationStructure(_) => {
                None
            }
        }
    }
}
