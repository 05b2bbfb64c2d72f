//! Sizes of resources, sample positions, and bytes of words.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::{PackMode, UnpackMode};

use super::context::Context;
use super::textures::axes;
use crate::decode::code::{Complex, ResourceShape, slot};
use crate::resources::Descriptor;

/// Places of the samples of a pixel in sixteenths, for 1, 2, 4, 8 and 16 samples (D3D11.3, 19.2.4).
const POSITIONS: [&[(i8, i8)]; 5] = [
    &[(0, 0)],
    &[(4, 4), (-4, -4)],
    &[(-2, -6), (6, -2), (-6, 2), (2, 6)],
    &[
        (1, -3),
        (-1, 3),
        (5, 1),
        (-3, -5),
        (-5, 5),
        (-7, -1),
        (3, 7),
        (7, -7),
    ],
    &[
        (1, 1),
        (-1, -3),
        (-3, 2),
        (4, -1),
        (-5, -2),
        (2, 5),
        (5, 3),
        (3, -5),
        (-2, 6),
        (0, -7),
        (-4, -6),
        (-6, 4),
        (-8, 0),
        (7, -4),
        (6, 7),
        (-7, -8),
    ],
];

/// Returns the place of a sample in its pixel, from the centre, in pixels; the centre if there is
/// no such sample.
pub fn sample_place(sample: u32, samples: u32) -> [f32; 2] {
    let all = POSITIONS.iter().find(|all| all.len() as u32 == samples);
    let place = all.and_then(|all| all.get(sample as usize));
    let (x, y) = place.copied().unwrap_or((0, 0));
    [x, y].map(|part| f32::from(part) / 16.0)
}

impl Context<'_> {
    pub(super) fn dimensions(&self, said: Option<ResourceShape>, complex: &Complex) {
        let r = &self.registers;
        for lane in self.on() {
            let handle = r.word(slot(&complex.src, 0), lane);
            let mip = r.word(slot(&complex.src, 1), lane);
            let sizes = self.sizes(said, handle, mip);
            for (&dst, size) in complex.dst.iter().zip(sizes) {
                r.set(dst, lane, u64::from(size));
            }
        }
    }

    fn sizes(&self, said: Option<ResourceShape>, handle: u32, mip: u32) -> [u32; 4] {
        let Some(shape) = self.shared.shape(said, handle) else {
            return [0; 4];
        };
        match self.shared.descriptor(handle) {
            Descriptor::Buffer(buffer) => {
                let unit = match shape.kind {
                    // A stride of zero is malformed, and would divide by zero.
                    ResourceKind::StructuredBuffer => shape.stride.max(1),
                    ResourceKind::TypedBuffer => buffer.format.map_or(1, |f| f.bytes().max(1)),
                    _ => 1,
                };
                [(buffer.size / unit as usize) as u32, 0, 0, 0]
            }
            Descriptor::Texture(texture) => {
                let last = match shape.kind {
                    ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray => {
                        texture.texture.samples
                    }
                    _ => texture.mips,
                };
                // A mip that does not exist has no size; the number of mips is given all the same
                // (D3D11.3 functional specification, 22.4.14).
                if mip >= texture.mips {
                    return [0, 0, 0, last];
                }
                let size = texture.texture.mip_size(texture.first_mip + mip);
                let is_cube = matches!(
                    shape.kind,
                    ResourceKind::TextureCube | ResourceKind::TextureCubeArray
                );
                let (count, layered) = axes(shape.kind);
                // A cube's faces are not a third dimension.
                let count = if is_cube { 2 } else { count };
                let mut sizes = [0, 0, 0, last];
                sizes[..count].copy_from_slice(&size[..count]);
                if layered {
                    sizes[count] = texture.layers / if is_cube { 6 } else { 1 };
                }
                sizes
            }
            Descriptor::Null | Descriptor::Sampler(_) | Descriptor::AccelerationStructure(_) => {
                [0; 4]
            }
        }
    }

    pub(super) fn sample_position(&self, complex: &Complex) {
        let r = &self.registers;
        for lane in self.on() {
            let handle = r.word(slot(&complex.src, 0), lane);
            let index = r.word(slot(&complex.src, 1), lane);
            let samples = match self.shared.descriptor(handle) {
                Descriptor::Texture(texture) => texture.texture.samples,
                Descriptor::Null
                | Descriptor::Buffer(_)
                | Descriptor::Sampler(_)
                | Descriptor::AccelerationStructure(_) => 0,
            };
            for (&dst, part) in complex.dst.iter().zip(sample_place(index, samples)) {
                r.set(dst, lane, u64::from(part.to_bits()));
            }
        }
    }

    pub(super) fn unpack(&self, mode: UnpackMode, bits: u32, complex: &Complex) {
        let r = &self.registers;
        let mask = if bits >= 32 {
            u32::MAX
        } else {
            (1 << bits) - 1
        };
        for lane in self.on() {
            let packed = r.word(slot(&complex.src, 0), lane);
            for (&dst, byte) in complex.dst.iter().zip(packed.to_le_bytes()) {
                let value = match mode {
                    UnpackMode::Unsigned => u32::from(byte),
                    UnpackMode::Signed => byte as i8 as u32,
                };
                r.set(dst, lane, u64::from(value & mask));
            }
        }
    }

    pub(super) fn pack(&self, mode: PackMode, bits: u32, complex: &Complex) {
        let r = &self.registers;
        let shift = 32 - bits.clamp(1, 32);
        for lane in self.on() {
            let bytes = [0, 1, 2, 3].map(|index| {
                let value = r.word(slot(&complex.src, index), lane);
                let signed = (value << shift) as i32 >> shift;
                match mode {
                    PackMode::Truncate => value as u8,
                    PackMode::ClampUnsigned => signed.clamp(0, 255) as u8,
                    PackMode::ClampSigned => signed.clamp(-128, 127) as u8,
                }
            });
            let word = u32::from_le_bytes(bytes);
            r.set(slot(&complex.dst, 0), lane, u64::from(word));
        }
    }
}
