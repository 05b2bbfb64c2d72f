//! Loads and stores of texels of one texture by a whole wave, without a look at the descriptor for
//! each lane. Everything else is left to `textures`.

use dxil_frontend::dxil::ResourceKind;

use super::buffers::{from_texel, to_texel};
use super::context::Context;
use super::lanes::WIDTH;
use super::ownership::Access;
use crate::decode::code::{Complex, MemoryScalar, RegisterSlot, ResourceShape, slot};
use crate::decode::lane_ops::RegisterKind;
use crate::resources::{Bytes, Component, Descriptor, Packing, TexelLayout, TextureDescriptor};

/// A mip of a two-dimensional texture without layers and samples.
struct Plane<'a> {
    bytes: &'a Bytes,
    storage: usize,
    format: TexelLayout,
    /// Its first byte in the storage.
    base: usize,
    width: u32,
    height: u32,
    texel_bytes: u32,
    /// Whether accesses are noted.
    is_tracked: bool,
}

impl Plane<'_> {
    /// Returns the first byte of a texel, which lies inside.
    fn place(&self, x: u32, y: u32) -> usize {
        let texel = y as usize * self.width as usize + x as usize;
        self.base + texel * self.texel_bytes as usize
    }

    fn has(&self, x: i64, y: i64) -> bool {
        (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y)
    }

    /// Returns the bits of a texel's components.
    #[inline]
    fn load(&self, place: usize) -> [u32; 4] {
        match self.format.packing {
            // Words that are components as they are.
            Packing::Plain { bits: 32, count }
                if place.is_multiple_of(4)
                    && matches!(self.format.component, Component::Float | Component::Uint) =>
            {
                let is_float = self.format.component == Component::Float;
                let mut parts = [0, 0, 0, if is_float { 0x3f80_0000 } else { 1 }];
                for (index, part) in parts.iter_mut().take(count as usize).enumerate() {
                    *part = self.bytes.word(place + 4 * index);
                }
                parts
            }
            _ => {
                let load = |offset, count| self.bytes.load(place + offset, count);
                self.format.read(load).bits()
            }
        }
    }
}

impl<'a> Context<'a> {
    /// Returns the plane that all lanes access, if it is one.
    fn plane(
        &self,
        said: Option<ResourceShape>,
        handle: RegisterSlot,
        mip: RegisterSlot,
    ) -> Option<Plane<'a>> {
        if self.group.checker.is_some() {
            return None;
        }
        let (handle, mip) = (self.uniform(handle)?, self.uniform(mip)?);
        let Descriptor::Texture(texture) = self.shared.descriptor(handle) else {
            return None;
        };
        let TextureDescriptor { mips, storage, .. } = *texture;
        let shape = self.shared.shape(said, handle)?;
        let is_plane = shape.kind == ResourceKind::Texture2D
            && texture.texture.samples <= 1
            && self.shared.storage(storage).residency.is_none();
        if !is_plane || mip >= mips {
            return None;
        }
        let mip = texture.first_mip + mip;
        let [width, height, _] = texture.texture.mip_size(mip);
        let ownership = self.shared.ownership;
        Some(Plane {
            bytes: &self.shared.storage(storage).bytes,
            storage,
            format: texture.format,
            base: texture.texture.texel(mip, texture.first_layer, [0; 3], 0),
            width,
            height,
            texel_bytes: texture.texture.format.bytes(),
            is_tracked: ownership.is_some_and(|ownership| ownership.tracks(storage)),
        })
    }

    /// Loads texels; whether it is done.
    pub(super) fn load_texels(
        &self,
        said: Option<ResourceShape>,
        scalar: MemoryScalar,
        complex: &Complex,
    ) -> bool {
        let src = |index| slot(&complex.src, index);
        let Some(plane) = self.plane(said, src(0), src(1)) else {
            return false;
        };
        let parts = &complex.dst[..complex.dst.len().min(4)];
        if parts.iter().any(|dst| dst.kind() != RegisterKind::W) {
            return false;
        }
        // What lies outside is counted, lane by lane.
        let mut is_outside = false;
        for (chunk, mask) in self.on_words.iter().enumerate() {
            let [x, y, dx, dy] = [2, 3, 5, 6].map(|index| self.chunk(src(index), chunk));
            for i in 0..WIDTH {
                let at = |base: u32, offset: u32| i64::from(base as i32) + i64::from(offset as i32);
                is_outside |= mask[i] != 0 && !plane.has(at(x[i], dx[i]), at(y[i], dy[i]));
            }
        }
        if is_outside {
            return false;
        }
        for (chunk, mask) in self.on_words.iter().enumerate() {
            let [x, y, dx, dy] = [2, 3, 5, 6].map(|index| self.chunk(src(index), chunk));
            let mut loaded = [[0; WIDTH]; 4];
            for i in 0..WIDTH {
                if mask[i] == 0 {
                    continue;
                }
                let place = plane.place(x[i].wrapping_add(dx[i]), y[i].wrapping_add(dy[i]));
                if plane.is_tracked {
                    self.touch(plane.storage, place, plane.format.bytes(), Access::Read);
                }
                for (loaded, part) in loaded.iter_mut().zip(plane.load(place)) {
                    loaded[i] = part;
                }
            }
            for (&dst, loaded) in parts.iter().zip(loaded) {
                if dst.is_none() {
                    continue;
                }
                let values = match scalar {
                    MemoryScalar::F32 | MemoryScalar::I32 => loaded,
                    _ => loaded.map(|bits| from_texel(scalar, bits) as u32),
                };
                self.set_chunk(dst, chunk, values);
            }
        }
        self.set_all(slot(&complex.dst, 4), 1);
        true
    }

    /// Stores whole texels; whether it is done.
    pub(super) fn store_texels(
        &self,
        said: Option<ResourceShape>,
        scalar: MemoryScalar,
        mask: u32,
        complex: &Complex,
    ) -> bool {
        let src = |index| slot(&complex.src, index);
        if mask != 0b1111 {
            return false;
        }
        let Some(plane) = self.plane(said, src(0), RegisterSlot::NONE) else {
            return false;
        };
        let mut is_outside = false;
        for (chunk, mask) in self.on_words.iter().enumerate() {
            let [x, y] = [1, 2].map(|index| self.chunk(src(index), chunk));
            for i in 0..WIDTH {
                is_outside |= mask[i] != 0 && !plane.has(i64::from(x[i]), i64::from(y[i]));
            }
        }
        let values = [4, 5, 6, 7].map(src);
        if is_outside || values.iter().any(|value| value.kind() != RegisterKind::W) {
            return false;
        }
        for (chunk, mask) in self.on_words.iter().enumerate() {
            let [x, y] = [1, 2].map(|index| self.chunk(src(index), chunk));
            let values = values.map(|value| self.chunk(value, chunk));
            for i in 0..WIDTH {
                if mask[i] == 0 {
                    continue;
                }
                let place = plane.place(x[i], y[i]);
                let parts = values.map(|value| to_texel(scalar, plane.format, value[i].into()));
                if plane.is_tracked {
                    self.touch(plane.storage, place, plane.format.bytes(), Access::Write);
                }
                plane.format.write(parts, |offset, count, value| {
                    plane.bytes.store(place + offset, count, value);
                });
            }
        }
        true
    }
}
