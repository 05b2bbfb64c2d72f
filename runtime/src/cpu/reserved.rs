//! Tiles of reserved textures: which texels have memory.
//!
//! D3D12's tiles are 64 KiB and numbered along rows, mip after mip, layer after layer; the mips
//! that are smaller than a tile are packed together after the others of their layer.

use dxil_cpu::resources as cpu;

use crate::error::{Error, Result};
use crate::job::{Dimension, Texture};

/// Returns the texels of a tile in each direction: D3D12's standard tile shapes.
fn tile_shape(texture: &Texture) -> Result<[u32; 3]> {
    let format = texture.format;
    let (wide, high) = format.block_size();
    let shape = match (texture.dimension, format.block_bytes()) {
        (Dimension::D2, 1) => Some([256, 256, 1]),
        (Dimension::D2, 2) => Some([256, 128, 1]),
        (Dimension::D2, 4) => Some([128, 128, 1]),
        (Dimension::D2, 8) => Some([128, 64, 1]),
        (Dimension::D2, 16) => Some([64, 64, 1]),
        (Dimension::D3, 1) => Some([64, 32, 32]),
        (Dimension::D3, 2) => Some([32, 32, 32]),
        (Dimension::D3, 4) => Some([32, 32, 16]),
        (Dimension::D3, 8) => Some([32, 16, 16]),
        (Dimension::D3, 16) => Some([16, 16, 16]),
        _ => None,
    };
    // Of several samples a tile holds fewer texels, first in x.
    let samples = match texture.samples {
        0 | 1 => Some([1, 1]),
        2 => Some([2, 1]),
        4 => Some([2, 2]),
        8 => Some([4, 2]),
        16 => Some([4, 4]),
        _ => None,
    };
    let ([x, y, z], [in_x, in_y]) = shape.zip(samples).ok_or_else(|| {
        Error::Unsupported(format!(
            "reserved {:?} textures of {format} with {} sample(s), which D3D12 does not have",
            texture.dimension, texture.samples
        ))
    })?;
    Ok([x * wide / in_x, y * high / in_y, z])
}

/// Returns the copy of a reserved texture whose first `tiles` tiles have memory.
pub(super) fn storage(
    texture: &Texture,
    tiles: u32,
    shape: cpu::Texture,
    texels: &[u8],
) -> Result<cpu::Storage> {
    let tile = tile_shape(texture)?;
    let count = |mip: u32| -> [u32; 3] {
        let size = texture.mip_size(mip);
        [0, 1, 2].map(|axis| size[axis].div_ceil(tile[axis]))
    };
    let is_packed = |mip: u32| {
        let size = texture.mip_size(mip);
        size.iter().zip(tile).any(|(size, tile)| *size < tile)
    };
    let packed = (0..texture.mips).find(|mip| is_packed(*mip));
    let packed = packed.unwrap_or(texture.mips);
    let tiles_of = |mip: u32| count(mip).iter().map(|n| u64::from(*n)).product::<u64>();
    let before = |mip: u32| (0..mip.min(packed)).map(tiles_of).sum::<u64>();
    // The packed mips of a layer are mapped as a whole, by a tile that is left.
    let layer_tiles = before(packed) + u64::from(packed < texture.mips);
    let is_mapped = |mip: u32, layer: u32, at: [u32; 3]| {
        let first = u64::from(layer) * layer_tiles + before(mip);
        let number = if mip >= packed {
            first
        } else {
            let [wide, high, _] = count(mip).map(u64::from);
            let [x, y, z] = [0, 1, 2].map(|axis| u64::from(at[axis] / tile[axis]));
            first + (z * high + y) * wide + x
        };
        number < u64::from(tiles)
    };
    Ok(cpu::Storage::reserved_texture(shape, texels, is_mapped))
}
