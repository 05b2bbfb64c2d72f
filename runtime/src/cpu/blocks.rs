//! Block-compressed textures: their blocks are decoded before the executor sees them.

use crate::format::{Component, Format, TexelLayout};
use crate::resource::Texture;

/// Texels of a side of a block.
const SIDE: usize = 4;

/// Returns the layout of the decoded texels; `None` for formats without blocks.
pub(super) fn decoded_layout(format: Format) -> Option<TexelLayout> {
    use Format as F;
    let (component, bits, count) = match format {
        F::Bc1Unorm | F::Bc2Unorm | F::Bc3Unorm | F::Bc7Unorm => (Component::Unorm, 8, 4),
        F::Bc1Srgb | F::Bc2Srgb | F::Bc3Srgb | F::Bc7Srgb => (Component::Srgb, 8, 4),
        // Interpolated values of these have more than eight bits (D3D11.3 functional specification,
        // 19.5.8).
        F::Bc4Unorm | F::Bc4Snorm => (Component::Float, 32, 1),
        F::Bc5Unorm | F::Bc5Snorm => (Component::Float, 32, 2),
        F::Bc6hUfloat | F::Bc6hSfloat => (Component::Float, 32, 4),
        _ => return None,
    };
    Some(TexelLayout::plain(component, bits, count))
}

/// Returns the texels of a block, row by row; missing bytes are zero.
fn decode(format: Format, block: &[u8]) -> Vec<u8> {
    use Format as F;
    let mut whole = [0; 16];
    let count = block.len().min(16);
    whole[..count].copy_from_slice(&block[..count]);
    let bytes = |decode: fn(&[u8], &mut [u8], usize)| {
        let mut texels = vec![0; SIDE * SIDE * 4];
        decode(&whole, &mut texels, SIDE * 4);
        texels
    };
    let floats = |texels: &[f32]| -> Vec<u8> {
        texels
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect()
    };
    match format {
        F::Bc1Unorm | F::Bc1Srgb => bytes(bcdec_rs::bc1),
        F::Bc2Unorm | F::Bc2Srgb => bytes(bcdec_rs::bc2),
        F::Bc3Unorm | F::Bc3Srgb => bytes(bcdec_rs::bc3),
        F::Bc7Unorm | F::Bc7Srgb => bytes(bcdec_rs::bc7),
        F::Bc4Unorm | F::Bc4Snorm => {
            let mut texels = [0.0; SIDE * SIDE];
            bcdec_rs::bc4_float(&whole, &mut texels, SIDE, format == F::Bc4Snorm);
            floats(&texels)
        }
        F::Bc5Unorm | F::Bc5Snorm => {
            let mut texels = [0.0; SIDE * SIDE * 2];
            bcdec_rs::bc5_float(&whole, &mut texels, SIDE * 2, format == F::Bc5Snorm);
            floats(&texels)
        }
        _ => {
            let mut texels = [0.0; SIDE * SIDE * 3];
            bcdec_rs::bc6h_float(&whole, &mut texels, SIDE * 3, format == F::Bc6hSfloat);
            let texels = texels.as_chunks::<3>().0.iter();
            let with_alpha: Vec<f32> = texels.flat_map(|&[r, g, b]| [r, g, b, 1.0]).collect();
            floats(&with_alpha)
        }
    }
}

/// Returns all texels of a block-compressed texture, in the order in which its blocks lie.
pub(super) fn decoded_texels(texture: &Texture, decoded: TexelLayout) -> Vec<u8> {
    let texel_bytes = decoded.bytes() as usize;
    let block_bytes = texture.format.block_bytes() as usize;
    let mut blocks = texture.data.chunks(block_bytes);
    let mut texels = Vec::new();
    for _ in 0..texture.layers {
        for mip in 0..texture.mips {
            let [width, height, depth] = texture.mip_size(mip).map(|side| side as usize);
            for _ in 0..depth {
                let first = texels.len();
                texels.resize(first + width * height * texel_bytes, 0);
                for top in (0..height).step_by(SIDE) {
                    for left in (0..width).step_by(SIDE) {
                        let block = decode(texture.format, blocks.next().unwrap_or_default());
                        // A mip that is smaller than a block has only its first texels.
                        let columns = SIDE.min(width - left) * texel_bytes;
                        for (row, line) in block.chunks(SIDE * texel_bytes).enumerate() {
                            let at = first + ((top + row) * width + left) * texel_bytes;
                            if top + row < height {
                                texels[at..at + columns].copy_from_slice(&line[..columns]);
                            }
                        }
                    }
                }
            }
        }
    }
    texels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mips_smaller_than_a_block_have_only_their_first_texels() {
        // Red and green end points; the first texel of each row is green.
        let block = [0x00, 0xf8, 0xe0, 0x07, 1, 1, 1, 1];
        let texture = Texture {
            mips: 4,
            ..Texture::new_2d(Format::Bc1Unorm, 8, 8, block.repeat(7))
        };
        let texels = decoded_texels(&texture, decoded_layout(texture.format).unwrap());
        assert_eq!(texels.len(), (64 + 16 + 4 + 1) * 4);
        let texel = |number: usize| &texels[number * 4..number * 4 + 4];
        let (green, red) = ([0, 255, 0, 255], [255, 0, 0, 255]);
        // Eight wide, four wide, two wide, and the last texel.
        assert_eq!([texel(0), texel(1), texel(4)], [green, red, green]);
        assert_eq!([texel(64), texel(67), texel(68)], [green, red, green]);
        assert_eq!([texel(80), texel(81), texel(82)], [green, red, green]);
        assert_eq!(texel(84), green);
    }
}
