//! Textures: their shape, and where a texel lies.

use dxil_texel::TexelLayout;

/// Dimension of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// 1D, with or without layers.
    D1,
    /// 2D, with or without layers; cubes are six layers.
    D2,
    /// 3D.
    D3,
}

/// Shape of a texture. Its texels lie layer by layer, in a layer mip by mip, in a mip slice by
/// slice, in a slice row by row, the samples of a texel side by side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Texture {
    /// 1D, 2D or 3D.
    pub dimension: Dimension,
    /// TexelLayout of a texel.
    pub format: TexelLayout,
    /// Width, height and depth of mip 0 in texels.
    pub size: [u32; 3],
    /// Array layers.
    pub layers: u32,
    /// Mips, 1 or more.
    pub mips: u32,
    /// Samples per texel, 1 or more.
    pub samples: u32,
}

impl Texture {
    /// Returns the width, height and depth of a mip in texels.
    pub fn mip_size(&self, mip: u32) -> [u32; 3] {
        self.size
            .map(|size| size.checked_shr(mip).unwrap_or(0).max(1))
    }

    /// Returns the size of one mip of one layer in bytes.
    fn mip_bytes(&self, mip: u32) -> u64 {
        let texels = self
            .mip_size(mip)
            .iter()
            .fold(1_u64, |all, &size| all.saturating_mul(u64::from(size)));
        texels
            .saturating_mul(u64::from(self.samples.max(1)))
            .saturating_mul(u64::from(self.format.bytes()))
    }

    /// Returns the size of all mips of one layer in bytes.
    fn layer_bytes(&self) -> u64 {
        (0..self.mips).fold(0, |all: u64, mip| all.saturating_add(self.mip_bytes(mip)))
    }

    /// Returns the size of the whole texture in bytes.
    pub fn total_bytes(&self) -> u64 {
        self.layer_bytes().saturating_mul(u64::from(self.layers))
    }

    /// Returns the first byte of a texel, which lies inside of the texture.
    pub(crate) fn texel(&self, mip: u32, layer: u32, at: [u32; 3], sample: u32) -> usize {
        let before = (0..mip).fold(0, |all: u64, mip| all + self.mip_bytes(mip));
        let [width, height, _] = self.mip_size(mip).map(u64::from);
        let [x, y, z] = at.map(u64::from);
        let texel = ((z * height + y) * width + x) * u64::from(self.samples.max(1));
        let bytes = u64::from(self.format.bytes());
        let start = u64::from(layer) * self.layer_bytes() + before;
        (start + (texel + u64::from(sample)) * bytes) as usize
    }
}
