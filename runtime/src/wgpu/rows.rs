//! The layout of the rows of a copy, in buffers and in textures.

use crate::job::Texture;

/// Returns a mip of a layer, or of all slices.
pub(super) fn place(
    texture: &wgpu::Texture,
    mip: u32,
    layer: u32,
) -> wgpu::TexelCopyTextureInfo<'_> {
    wgpu::TexelCopyTextureInfo {
        texture,
        mip_level: mip,
        origin: wgpu::Origin3d {
            x: 0,
            y: 0,
            z: layer,
        },
        aspect: wgpu::TextureAspect::All,
    }
}

/// Rows of blocks of a mip.
pub(super) struct Rows {
    /// Bytes of one row, tightly packed.
    pub(super) bytes: u32,
    /// Bytes of one row in a buffer that textures are copied to.
    pub(super) padded: u32,
    /// Rows of a slice.
    pub(super) count: u32,
    /// Slices.
    pub(super) slices: u32,
    /// Extent of the copy, in whole blocks.
    pub(super) extent: wgpu::Extent3d,
}

impl Rows {
    pub(super) fn of(texture: &Texture, mip: u32, texel: u32) -> Self {
        let [width, height, depth] = texture.mip_size(mip);
        let (block_width, block_height) = texture.format.block_size();
        let bytes = width.div_ceil(block_width) * texel;
        Rows {
            bytes,
            // Copies between buffers and textures want rows at multiples of 256 bytes;
            // `write_texture` does not.
            padded: bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT),
            count: height.div_ceil(block_height),
            slices: depth,
            extent: wgpu::Extent3d {
                // The mips of a compressed texture are copied in whole blocks, also where a mip is
                // smaller than one.
                width: width.next_multiple_of(block_width),
                height: height.next_multiple_of(block_height),
                depth_or_array_layers: depth,
            },
        }
    }

    /// Returns the layout of the texels in bytes without padding.
    pub(super) fn packed_layout(&self) -> wgpu::TexelCopyBufferLayout {
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(self.bytes),
            rows_per_image: Some(self.count),
        }
    }

    pub(super) fn padded_total(&self) -> u64 {
        u64::from(self.padded) * u64::from(self.count) * u64::from(self.slices)
    }
}
