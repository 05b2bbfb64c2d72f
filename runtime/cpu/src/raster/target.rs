//! Texels of what is drawn to (D3D11.3 functional specification, 17.15 and 19).

use crate::resources::{Component, Dimension, Packing, Storage, Texel, TexelLayout, Texture};

/// A mip of a texture that is drawn to, from a layer on.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    storage: &'a Storage,
    texture: Texture,
    /// First byte of the first layer, and bytes from one layer to the next.
    first: usize,
    layer_bytes: usize,
    row_bytes: usize,
    size: [u32; 2],
    layers: u32,
}

/// A place in a target: column, row, layer and sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Column and row.
    pub pixel: [u32; 2],
    /// Layer, counted from the first one that is drawn to.
    pub layer: u32,
    /// Sample.
    pub sample: u32,
}

/// Depth and stencil of a sample. Depths of normalized integers are their integers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DepthStencil {
    pub(super) depth: f32,
    pub(super) stencil: u8,
}

impl<'a> Target<'a> {
    /// Returns a mip of a texture, from a layer (or a slice of a 3D texture) on; `None` if there is
    /// no such one.
    pub fn new(storage: &'a Storage, mip: u32, layer: u32) -> Option<Target<'a>> {
        let texture = storage.texture?;
        let [width, height, depth] = texture.mip_size(mip);
        let is_3d = texture.dimension == Dimension::D3;
        let layers = if is_3d { depth } else { texture.layers };
        if mip >= texture.mips || layer >= layers {
            return None;
        }
        let row_bytes =
            width as usize * texture.samples.max(1) as usize * texture.format.bytes() as usize;
        let (first, layer_bytes) = if is_3d {
            let first = texture.texel(mip, 0, [0, 0, layer], 0);
            (first, row_bytes * height as usize)
        } else {
            let first = texture.texel(mip, layer, [0; 3], 0);
            let next = texture.texel(mip, layer + 1, [0; 3], 0);
            (first, next - first)
        };
        Some(Target {
            storage,
            texture,
            first,
            layer_bytes,
            row_bytes,
            size: [width, height],
            layers: layers - layer,
        })
    }

    /// Returns width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the number of layers from the first one that is drawn to.
    pub fn layers(&self) -> u32 {
        self.layers
    }

    /// Returns the samples of a pixel.
    pub fn samples(&self) -> u32 {
        self.texture.samples.max(1)
    }

    /// Returns the format.
    pub fn format(&self) -> TexelLayout {
        self.texture.format
    }

    /// Returns whether texels whose columns differ by multiples of four, or whose rows differ, lie
    /// in different words: then threads may write to them at the same time.
    pub fn has_word_rows(&self) -> bool {
        let is_whole = |bytes: usize| bytes.is_multiple_of(4);
        is_whole(self.first) && is_whole(self.layer_bytes) && is_whole(self.row_bytes)
    }

    /// Returns the first byte of a texel.
    fn byte(&self, place: Place) -> usize {
        let Place {
            pixel: [x, y],
            layer,
            sample,
        } = place;
        let texel = x as usize * self.samples() as usize + sample as usize;
        self.first
            + layer as usize * self.layer_bytes
            + y as usize * self.row_bytes
            + texel * self.format().bytes() as usize
    }

    /// Returns the components of a texel as bits of floats or as integers; `None` for depth
    /// formats.
    pub fn load(&self, place: Place) -> [u32; 4] {
        let byte = self.byte(place);
        let texel = self
            .format()
            .read(|at, bytes| self.storage.bytes.load(byte + at, bytes));
        match texel {
            Texel::Float(parts) => parts.map(f32::to_bits),
            Texel::Int(parts) => parts,
        }
    }

    /// Stores the components that the mask has (red 1, green 2, blue 4, alpha 8), given as bits of
    /// floats or as integers.
    pub fn store(&self, place: Place, parts: [u32; 4], mask: u8) {
        let byte = self.byte(place);
        let is_whole = match self.format().packing {
            // A byte without a meaning keeps what it has.
            Packing::B8G8R8X8 => false,
            // The components share an exponent: none is written alone.
            Packing::R9G9B9E5 => mask & 7 != 0,
            _ => mask & 15 == 15,
        };
        if is_whole {
            self.format().write(parts, |at, bytes, value| {
                self.storage.store(byte + at, bytes, value);
            });
            return;
        }
        let fields = self.format().fields();
        // Bits of the texel that are written.
        let masked = |at: usize, bytes: u32| {
            let mut bits = 0_u64;
            for (component, field) in fields.iter().enumerate() {
                let shift = i64::from(field.offset) - 8 * at as i64;
                let inside = (0..i64::from(8 * bytes)).contains(&shift);
                if mask >> component & 1 != 0 && field.is_present() && inside {
                    bits |= (u64::MAX >> (64 - field.width)) << shift;
                }
            }
            bits
        };
        self.format().write(parts, |at, bytes, value| {
            let written = masked(at, bytes);
            let old = self.storage.bytes.load(byte + at, bytes);
            self.storage
                .store(byte + at, bytes, old & !written | value & written);
        });
    }

    /// Returns depth and stencil of a sample.
    pub(super) fn depth(&self, place: Place) -> DepthStencil {
        let byte = self.byte(place);
        let load = |at: usize, bytes: u32| self.storage.bytes.load(byte + at, bytes);
        let (depth, stencil) = match self.format().packing {
            Packing::D16 => (load(0, 2) as f32, 0),
            Packing::D24S8 => {
                let word = load(0, 4);
                ((word & 0xff_ffff) as f32, (word >> 24) as u8)
            }
            Packing::D32S8X24 => (f32::from_bits(load(0, 4) as u32), load(4, 4) as u8),
            _ => (f32::from_bits(load(0, 4) as u32), 0),
        };
        DepthStencil { depth, stencil }
    }

    /// Stores depth and stencil of a sample.
    pub(super) fn set_depth(&self, place: Place, value: DepthStencil) {
        let byte = self.byte(place);
        let store = |at: usize, bytes: u32, value: u64| self.storage.store(byte + at, bytes, value);
        let DepthStencil { depth, stencil } = value;
        match self.format().packing {
            Packing::D16 => store(0, 2, depth as u64),
            Packing::D24S8 => store(0, 4, depth as u64 | u64::from(stencil) << 24),
            Packing::D32S8X24 => {
                store(0, 4, u64::from(depth.to_bits()));
                store(4, 4, u64::from(stencil));
            }
            _ => store(0, 4, u64::from(depth.to_bits())),
        }
    }

    /// Returns the number of bits of a depth of normalized integers; `None` for floats.
    pub fn depth_bits(&self) -> Option<u32> {
        match self.format().packing {
            Packing::D16 => Some(16),
            Packing::D24S8 => Some(24),
            _ => None,
        }
    }

    /// Returns a depth as the format has it: rounded to the nearest integer (17.11), or a float.
    pub(super) fn depth_in_format(&self, depth: f32) -> f32 {
        match self.depth_bits() {
            Some(bits) => {
                let most = f64::from(u32::MAX >> (32 - bits));
                (f64::from(depth).clamp(0.0, 1.0) * most + 0.5).floor() as f32
            }
            None => depth,
        }
    }

    /// Sets all samples of all layers to a colour: floats, or integers for formats of integers.
    pub fn clear_color(&self, color: [f32; 4]) {
        let parts = match self.format().component {
            Component::Uint => color.map(|value| value as u32),
            Component::Sint => color.map(|value| value as i32 as u32),
            _ => color.map(f32::to_bits),
        };
        self.each(|place| self.store(place, parts, 15));
    }

    /// Sets all samples of all layers to a depth and a stencil.
    pub fn clear_depth(&self, depth: f32, stencil: u8) {
        let depth = self.depth_in_format(depth);
        self.each(|place| self.set_depth(place, DepthStencil { depth, stencil }));
    }

    fn each(&self, change: impl Fn(Place)) {
        let [width, height] = self.size;
        let rows = (0..self.layers).flat_map(|layer| (0..height).map(move |y| (layer, y)));
        for (layer, y) in rows {
            for x in 0..width {
                for sample in 0..self.samples() {
                    let pixel = [x, y];
                    change(Place {
                        pixel,
                        layer,
                        sample,
                    });
                }
            }
        }
    }

    /// Resolves the samples of each pixel to another target: their average, or the first one of
    /// integers, which have no average.
    pub fn resolve(&self, to: &Target<'_>) {
        let count = self.samples();
        to.each(|place| {
            let sample = |sample| self.load(Place { sample, ..place });
            let parts = if self.format().is_integer() {
                sample(0)
            } else {
                let mut sum = [0.0_f32; 4];
                for number in 0..count {
                    for (sum, part) in sum.iter_mut().zip(sample(number)) {
                        *sum += f32::from_bits(part);
                    }
                }
                sum.map(|sum| (sum / count as f32).to_bits())
            };
            to.store(place, parts, 15);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(format: TexelLayout, size: [u32; 3], layers: u32, samples: u32) -> Texture {
        Texture {
            dimension: Dimension::D2,
            format,
            size,
            layers,
            mips: 2,
            samples,
        }
    }

    fn format(component: Component, packing: Packing) -> TexelLayout {
        TexelLayout { component, packing }
    }

    const BYTES: Packing = Packing::Plain { bits: 8, count: 4 };

    fn at(x: u32, y: u32, layer: u32) -> Place {
        Place {
            pixel: [x, y],
            layer,
            sample: 0,
        }
    }

    #[test]
    fn a_mip_of_a_layer_is_drawn_to() {
        let shape = texture(format(Component::Uint, BYTES), [4, 2, 1], 2, 1);
        let storage = Storage::texture(shape, &[]);
        let target = Target::new(&storage, 1, 1).unwrap();
        assert_eq!((target.size(), target.layers()), ([2, 1], 1));
        target.store(at(1, 0, 0), [1, 2, 3, 300], 15);
        // A layer has 8 and 2 texels of 4 bytes; integers saturate.
        let bytes = storage.to_bytes();
        assert_eq!(bytes[40 + 32 + 4..], [1, 2, 3, 255]);
        assert!(bytes[..76].iter().all(|byte| *byte == 0));
        assert!(Target::new(&storage, 2, 0).is_none());
        assert!(Target::new(&storage, 0, 2).is_none());
    }

    /// A masked component keeps its bits, also those that no number is written as: -128 is -1 as a
    /// signed normalized integer, and -1 is written as -127.
    #[test]
    fn masked_components_keep_their_bits() {
        let shape = texture(format(Component::Snorm, BYTES), [1, 1, 1], 1, 1);
        let storage = Storage::texture(shape, &[0x80; 5]);
        let target = Target::new(&storage, 0, 0).unwrap();
        target.store(at(0, 0, 0), [1.0_f32.to_bits(); 4], 0b0101);
        assert_eq!(storage.to_bytes()[..4], [127, 0x80, 127, 0x80]);
        let packed = format(Component::Unorm, Packing::R10G10B10A2);
        let storage = Storage::texture(texture(packed, [1, 1, 1], 1, 1), &[0; 4]);
        let target = Target::new(&storage, 0, 0).unwrap();
        target.store(at(0, 0, 0), [1.0_f32.to_bits(); 4], 0b1010);
        let word = 0x3ff << 10 | 3_u32 << 30;
        assert_eq!(storage.to_bytes()[..4], word.to_le_bytes());
    }

    #[test]
    fn depth_and_stencil_share_a_word() {
        let packed = format(Component::Float, Packing::D24S8);
        let storage = Storage::texture(texture(packed, [1, 1, 1], 1, 1), &[]);
        let target = Target::new(&storage, 0, 0).unwrap();
        target.clear_depth(0.25, 7);
        // 0.25 * (2^24 - 1) = 4194303.75.
        assert_eq!(
            storage.to_bytes()[..4],
            (4_194_304_u32 | 7 << 24).to_le_bytes()
        );
        let read = target.depth(at(0, 0, 0));
        assert_eq!((read.depth, read.stencil), (4_194_304.0, 7));
    }

    #[test]
    fn samples_resolve_to_their_average() {
        let many = texture(format(Component::Unorm, BYTES), [1, 1, 1], 1, 4);
        let texels = [
            [0, 255, 0, 0],
            [4, 255, 0, 0],
            [8, 255, 0, 0],
            [0, 255, 0, 8],
        ]
        .concat();
        let many = Storage::texture(many, &texels);
        let one = Storage::texture(
            texture(format(Component::Unorm, BYTES), [1, 1, 1], 1, 1),
            &[],
        );
        let [from, to] = [&many, &one].map(|storage| Target::new(storage, 0, 0).unwrap());
        from.resolve(&to);
        assert_eq!(one.to_bytes()[..4], [3, 255, 0, 2]);
    }
}
