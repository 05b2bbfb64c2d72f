//! Texels by integer coordinates: loads and stores.

use dxil_frontend::dxil::ResourceKind;

use super::buffers::{from_texel, to_texel};
use super::context::Context;
use super::ownership::Access;
use crate::check::AccessKind;
use crate::decode::code::{Complex, MemoryScalar, ResourceShape, slot};
use crate::resources::{Descriptor, Texel, TextureDescriptor};

/// Returns whether a kind has layers, and how many coordinates come before the layer.
pub(super) fn axes(kind: ResourceKind) -> (usize, bool) {
    use ResourceKind as K;
    match kind {
        K::Texture1D => (1, false),
        K::Texture1DArray => (1, true),
        K::Texture2DArray | K::Texture2DMSArray | K::FeedbackTexture2DArray => (2, true),
        K::TextureCube => (3, false),
        K::TextureCubeArray => (3, true),
        K::Texture3D => (3, false),
        K::Texture2D
        | K::Texture2DMS
        | K::FeedbackTexture2D
        | K::Invalid
        | K::TypedBuffer
        | K::RawBuffer
        | K::StructuredBuffer
        | K::CBuffer
        | K::Sampler
        | K::TBuffer
        | K::RtAccelerationStructure => (2, false),
    }
}

impl TextureDescriptor {
    /// Returns the first byte of a texel; none outside of the view.
    pub(super) fn place(
        &self,
        kind: ResourceKind,
        coords: [i64; 3],
        mip: u32,
        sample: u32,
    ) -> Option<usize> {
        let (count, layered) = axes(kind);
        let mut at = [0; 3];
        for (axis, &coord) in at.iter_mut().zip(&coords).take(count) {
            *axis = u32::try_from(coord).ok()?;
        }
        let layer = if layered {
            u32::try_from(*coords.get(count)?).ok()?
        } else {
            0
        };
        if mip >= self.mips || layer >= self.layers || sample >= self.texture.samples.max(1) {
            return None;
        }
        let mip = self.first_mip + mip;
        let size = self.texture.mip_size(mip);
        if at.iter().zip(size).any(|(&at, size)| at >= size) {
            return None;
        }
        Some(
            self.texture
                .texel(mip, self.first_layer + layer, at, sample),
        )
    }
}

fn is_multisampled(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
    )
}

impl Context<'_> {
    /// Returns the texel at a place of a texture's memory.
    pub(super) fn texel_at(&self, texture: &TextureDescriptor, place: usize) -> Texel {
        let storage = self.shared.storage(texture.storage);
        self.note_residency(storage, place, texture.texture.format.bytes());
        let bytes = &storage.bytes;
        texture
            .format
            .read(|offset, count| bytes.load(place + offset, count))
    }

    pub(super) fn texture_load(
        &self,
        said: Option<ResourceShape>,
        scalar: MemoryScalar,
        complex: &Complex,
    ) {
        if self.load_texels(said, scalar, complex) {
            return;
        }
        let r = &self.registers;
        let src = |index| slot(&complex.src, index);
        for lane in self.on() {
            let handle = r.word(src(0), lane);
            let mut parts = [0; 4];
            self.is_unmapped.set(false);
            if let (Descriptor::Texture(texture), Some(shape)) = (
                self.shared.descriptor(handle),
                self.shared.shape(said, handle),
            ) {
                let (count, _) = axes(shape.kind);
                let mut coords = [2, 3, 4].map(|i| i64::from(r.word(src(i), lane)));
                for (axis, coord) in coords.iter_mut().enumerate().take(count) {
                    // Coordinates are taken as signed here, so that an offset may lead back inside.
                    *coord = i64::from(*coord as u32 as i32);
                    *coord += i64::from(r.word(src(5 + axis), lane) as i32);
                }
                // One operand serves both: multisampled textures have a single mip, others a single
                // sample.
                let number = r.word(src(1), lane);
                let (mip, sample) = if is_multisampled(shape.kind) {
                    (0, number)
                } else {
                    (number, 0)
                };
                if let Some(place) = texture.place(shape.kind, coords, mip, sample) {
                    self.touch(texture.storage, place, texture.format.bytes(), Access::Read);
                    let memory = (handle, texture.storage);
                    let size = texture.format.bytes();
                    self.check_texel(lane, AccessKind::Read, memory, (place, size), coords);
                    parts = self.texel_at(texture, place).bits();
                } else {
                    self.check_texel_out_of_bounds(lane, AccessKind::Read, handle, coords);
                }
            } else {
                self.check_no_view(lane, AccessKind::Read, handle);
            }
            for (&dst, bits) in complex.dst.iter().zip(parts) {
                r.set(dst, lane, from_texel(scalar, bits));
            }
            r.set(slot(&complex.dst, 4), lane, self.take_status());
        }
    }

    pub(super) fn texture_store(
        &self,
        said: Option<ResourceShape>,
        scalar: MemoryScalar,
        mask: u32,
        complex: &Complex,
    ) {
        if self.store_texels(said, scalar, mask, complex) {
            return;
        }
        let r = &self.registers;
        let src = |index| slot(&complex.src, index);
        for lane in self.on() {
            let handle = r.word(src(0), lane);
            let (Descriptor::Texture(texture), Some(shape)) = (
                self.shared.descriptor(handle),
                self.shared.shape(said, handle),
            ) else {
                self.check_no_view(lane, AccessKind::Write, handle);
                continue;
            };
            let coords = [1, 2, 3].map(|i| i64::from(r.word(src(i), lane)));
            let sample = r.word(src(8), lane);
            let Some(place) = texture.place(shape.kind, coords, 0, sample) else {
                self.check_texel_out_of_bounds(lane, AccessKind::Write, handle, coords);
                continue;
            };
            // A partial write keeps the other components, which may share words with the written
            // ones.
            let mut parts = match mask {
                0b1111 => [0; 4],
                _ => self.texel_at(texture, place).bits(),
            };
            for (index, part) in parts.iter_mut().enumerate() {
                if mask >> index & 1 != 0 {
                    *part = to_texel(scalar, texture.format, r.get(src(4 + index), lane));
                }
            }
            self.touch(
                texture.storage,
                place,
                texture.format.bytes(),
                Access::Write,
            );
            let storage = self.shared.storage(texture.storage);
            texture.format.write(parts, |offset, count, value| {
                storage.store(place + offset, count, value);
            });
            let memory = (handle, texture.storage);
            let bytes = (place, texture.format.bytes());
            self.check_texel(lane, AccessKind::Write, memory, bytes, coords);
        }
    }
}
