//! Buffers and textures, and the views through which a program sees them.

pub use dxil_cpu::resources::{
    AddressMode, BadRegister, Comparison, Dimension, Filter, Reduction, Register, Sampler,
};

use crate::format::Format;

/// Index into [`Job::resources`](crate::Job::resources).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(pub usize);

/// A buffer or texture with its first contents.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// Name for messages.
    pub name: String,
    /// Its kind and its initial contents.
    pub storage: Storage,
    /// Whether [`Outcome::resources`](crate::Outcome::resources) should hold its bytes after the
    /// work.
    pub read_back: bool,
    /// Of a reserved (sparse) resource the number of tiles, 64 KiB each and from the first on, that
    /// have memory. Contents of the others are dropped. `None`: an ordinary resource.
    pub mapped_tiles: Option<u32>,
}

/// Bytes of a resource, and their shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Storage {
    /// A buffer of these bytes.
    Buffer(Vec<u8>),
    /// A texture.
    Texture(Texture),
}

/// A texture with its first contents.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// 1D, 2D or 3D; layers do not count.
    pub dimension: Dimension,
    /// Texel format.
    pub format: Format,
    /// Texels of mip 0.
    pub width: u32,
    /// Texels of mip 0; 1 for 1D.
    pub height: u32,
    /// Texels of mip 0; 1 unless 3D.
    pub depth: u32,
    /// Array layers (six per cube).
    pub layers: u32,
    /// Mip levels, 1 or more.
    pub mips: u32,
    /// Samples per texel, 1 or more.
    pub samples: u32,
    /// The texels, tightly packed: layer by layer, in a layer mip by mip, in a mip slice by slice,
    /// in a slice row by row of blocks, the samples of a texel side by side. Empty: all zero.
    pub data: Vec<u8>,
}

impl Texture {
    /// Returns a 2D texture with one mip.
    pub fn new_2d(format: Format, width: u32, height: u32, data: Vec<u8>) -> Self {
        Texture {
            dimension: Dimension::D2,
            format,
            width,
            height,
            depth: 1,
            layers: 1,
            mips: 1,
            samples: 1,
            data,
        }
    }

    /// Returns the width, height and depth of a mip in texels.
    pub fn mip_size(&self, mip: u32) -> [u32; 3] {
        // Every mip has a texel at least in each direction; a shift by 32 or more counts as zero.
        let shrink = |size: u32| size.checked_shr(mip).unwrap_or(0).max(1);
        [shrink(self.width), shrink(self.height), shrink(self.depth)]
    }

    /// Returns the size of one mip of one layer in bytes, tightly packed; `u64::MAX` if it is more.
    pub fn mip_bytes(&self, mip: u32) -> u64 {
        let [width, height, depth] = self.mip_size(mip);
        let (block_width, block_height) = self.format.block_size();
        // Blocks are counted whole: a mip smaller than a block still has all bytes of one.
        [
            width.div_ceil(block_width),
            height.div_ceil(block_height),
            depth,
            self.samples.max(1),
            self.format.block_bytes(),
        ]
        .into_iter()
        .fold(1, |bytes: u64, factor| bytes.saturating_mul(factor.into()))
    }

    /// Returns the size of the whole texture in bytes, tightly packed as [`Texture::data`] is;
    /// `u64::MAX` if it is more.
    pub fn total_bytes(&self) -> u64 {
        // From here on, every mip has one texel: a file may claim any number of them.
        let differ = self.mips.min(u32::BITS);
        let large = (0..differ).map(|mip| self.mip_bytes(mip));
        let large = large.fold(0, u64::saturating_add);
        let small = self.mip_bytes(u32::BITS);
        let small = small.saturating_mul((self.mips - differ).into());
        let layer = large.saturating_add(small);
        layer.saturating_mul(self.layers.into())
    }
}

/// The view of a resource in a register (or a heap slot).
#[derive(Debug, Clone, PartialEq)]
pub enum ResourceView {
    /// A null descriptor: reads give zero, writes are dropped.
    Null,
    /// Part of a buffer: constant, raw, structured or typed, as the shader declares it.
    Buffer(BufferView),
    /// A texture.
    Texture(TextureView),
    /// A sampler.
    Sampler(Sampler),
    /// Bytes of a constant buffer or of root constants that no other register shares.
    Constants(Vec<u8>),
    /// A top-level acceleration structure: index into [`Scene::top`](crate::scene::Scene::top).
    AccelerationStructure(usize),
}

/// Part of a buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct BufferView {
    /// The buffer.
    pub resource: ResourceId,
    /// First byte.
    pub offset: u64,
    /// Bytes; `None` is the rest of the buffer.
    pub size: Option<u64>,
    /// Element format of a typed buffer.
    pub format: Option<Format>,
    /// First value of the UAV's hidden counter. A shader that uses the counter of a view without
    /// one starts from 0.
    pub counter: Option<u32>,
}

/// A texture, or some of its mips and layers.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureView {
    /// The texture.
    pub resource: ResourceId,
    /// Format to see it as; `None` is its own.
    pub format: Option<Format>,
    /// First mip.
    pub first_mip: u32,
    /// Mips; `None` is the rest. A UAV sees one.
    pub mips: Option<u32>,
    /// First layer.
    pub first_layer: u32,
    /// Layers; `None` is the rest.
    pub layers: Option<u32>,
}

impl ResourceView {
    /// Returns a whole raw, structured or constant buffer.
    pub fn buffer(resource: ResourceId) -> Self {
        ResourceView::Buffer(BufferView {
            resource,
            offset: 0,
            size: None,
            format: None,
            counter: None,
        })
    }

    /// Returns a whole typed buffer.
    pub fn typed_buffer(resource: ResourceId, format: Format) -> Self {
        ResourceView::Buffer(BufferView {
            resource,
            offset: 0,
            size: None,
            format: Some(format),
            counter: None,
        })
    }

    /// Returns a whole texture.
    pub fn texture(resource: ResourceId) -> Self {
        ResourceView::Texture(TextureView {
            resource,
            format: None,
            first_mip: 0,
            mips: None,
            first_layer: 0,
            layers: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mips_of_compressed_textures_count_whole_blocks() {
        let mut texture = Texture::new_2d(Format::Bc1Unorm, 10, 6, Vec::new());
        texture.mips = 4;
        // 3x2, 2x1, 1x1, 1x1 blocks of 8 bytes.
        assert_eq!(texture.total_bytes(), (6 + 2 + 1 + 1) * 8);
    }

    #[test]
    fn sizes_beyond_64_bits_are_the_largest_number() {
        let mut texture = Texture::new_2d(Format::Rgba32Float, u32::MAX, u32::MAX, Vec::new());
        assert_eq!(texture.total_bytes(), u64::MAX);
        (texture.width, texture.height, texture.mips) = (4, 4, u32::MAX);
        assert_eq!(
            texture.total_bytes(),
            (16 + 4 + u64::from(u32::MAX) - 2) * 16
        );
        texture.layers = u32::MAX;
        assert_eq!(texture.total_bytes(), u64::MAX);
    }
}
