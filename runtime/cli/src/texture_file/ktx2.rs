//! KTX files ("KTX File Format Specification", version 2.0).

use dxil_runtime::job::{Dimension, Texture};
use ktx2::{Header, Index, LevelIndex, dfd};

use super::file::{TextureFile, too_short};
use super::formats;

/// Reads a file.
pub(super) fn read(file: &[u8]) -> Result<TextureFile, String> {
    // The library's reader of whole files overflows on damaged data format descriptors, which say
    // nothing here that the format does not.
    let bytes = file.first_chunk().ok_or("it ends in its header")?;
    let header = Header::from_bytes(bytes).map_err(|error| error.to_string())?;
    if let Some(scheme) = header.supercompression_scheme {
        return Err(format!(
            "its levels are compressed ({scheme:?}); write it without"
        ));
    }
    let format = header.format.ok_or("it has no format of Vulkan")?;
    let format = formats::of_vulkan(format).ok_or_else(|| format!("the format {format:?}"))?;
    let dimension = match (header.pixel_height, header.pixel_depth) {
        (0, _) => Dimension::D1,
        (_, 0) => Dimension::D2,
        _ => Dimension::D3,
    };
    let is_cube = header.face_count == 6;
    if !is_cube && header.face_count != 1 {
        return Err(format!("it has {} faces", header.face_count));
    }
    let layers = header.layer_count.max(1).checked_mul(header.face_count);
    let mut texture = Texture {
        dimension,
        width: header.pixel_width,
        height: header.pixel_height.max(1),
        depth: header.pixel_depth.max(1),
        layers: layers.ok_or("it has too many layers")?,
        mips: header.level_count.max(1),
        ..Texture::new_2d(format, 1, 1, Vec::new())
    };
    TextureFile::check(&texture)?;
    // Levels that lie in one place would make a large texture of a small file.
    if texture.total_bytes() > file.len() as u64 {
        let needed = usize::try_from(texture.total_bytes()).unwrap_or(usize::MAX);
        return Err(too_short(needed, file.len()));
    }
    // A level of the file holds all layers; the texture's layers hold all levels.
    let index = file.get(Header::LENGTH..).unwrap_or_default();
    let mut entries = index.as_chunks::<{ LevelIndex::LENGTH }>().0.iter();
    let mut levels = Vec::new();
    for mip in 0..texture.mips {
        let entry = entries.next().ok_or("it ends in the index of its levels")?;
        let entry = LevelIndex::from_bytes(entry);
        let bytes = usize::try_from(texture.mip_bytes(mip)).unwrap_or(usize::MAX);
        let all = bytes.saturating_mul(texture.layers as usize);
        let start = usize::try_from(entry.byte_offset).unwrap_or(usize::MAX);
        let rest = file.get(start..).unwrap_or_default();
        let stored = usize::try_from(entry.byte_length).unwrap_or(usize::MAX);
        let stored = rest.get(..stored.min(rest.len())).unwrap_or_default();
        let data = stored
            .get(..all)
            .ok_or_else(|| too_short(all, stored.len()))?;
        levels.push(data.chunks_exact(bytes));
    }
    for _ in 0..texture.layers {
        for level in &mut levels {
            texture.data.extend_from_slice(level.next().unwrap_or(&[]));
        }
    }
    Ok(TextureFile { texture, is_cube })
}

/// Returns a file with the texels.
pub(super) fn write(texture: &Texture, is_cube: bool, data: &[u8]) -> Result<Vec<u8>, String> {
    let none = || format!("KTX 2.0 files have no format {}", texture.format);
    let format = formats::vulkan(texture.format).ok_or_else(none)?;
    let (basic, type_size) = dfd::Basic::from_format(format).map_err(|_| none())?;
    let block = dfd::Block::Basic(basic).to_vec();
    let levels = texture.mips as usize;
    let descriptor_at = Header::LENGTH + levels * LevelIndex::LENGTH;
    let descriptor_bytes = 4 + block.len();
    let faces = if is_cube { 6 } else { 1 };
    let is_array = texture.layers > faces;
    let header = Header {
        format: Some(format),
        type_size,
        pixel_width: texture.width,
        pixel_height: if texture.dimension == Dimension::D1 {
            0
        } else {
            texture.height
        },
        pixel_depth: if texture.dimension == Dimension::D3 {
            texture.depth
        } else {
            0
        },
        layer_count: if is_array { texture.layers / faces } else { 0 },
        face_count: faces,
        level_count: texture.mips,
        supercompression_scheme: None,
        index: Index {
            dfd_byte_offset: descriptor_at as u32,
            dfd_byte_length: descriptor_bytes as u32,
            kvd_byte_offset: 0,
            kvd_byte_length: 0,
            sgd_byte_offset: 0,
            sgd_byte_length: 0,
        },
    };
    let mut file = header.as_bytes().to_vec();
    // The smallest level comes first ("Mip Level Array"); the index has the largest first.
    let start = descriptor_at + descriptor_bytes;
    let mut body = Vec::new();
    let mut index = vec![[0; LevelIndex::LENGTH]; levels];
    let layer_bytes = data.len() / texture.layers.max(1) as usize;
    // Levels start at multiples of the size of a block and of 4 ("byteOffset").
    let align = lcm_of_block_and_4(texture.format.block_bytes() as usize);
    for mip in (0..texture.mips).rev() {
        let padding = (start + body.len()).next_multiple_of(align) - start;
        body.resize(padding, 0);
        let before: u64 = (0..mip).map(|mip| texture.mip_bytes(mip)).sum();
        let (from, bytes) = (before as usize, texture.mip_bytes(mip) as usize);
        for layer in data.chunks_exact(layer_bytes.max(1)) {
            let level = layer.get(from..from + bytes);
            body.extend_from_slice(level.ok_or_else(|| too_short(bytes, layer.len()))?);
        }
        let length = (body.len() - padding) as u64;
        let entry = LevelIndex {
            byte_offset: (start + padding) as u64,
            byte_length: length,
            uncompressed_byte_length: length,
        };
        if let Some(slot) = index.get_mut(mip as usize) {
            *slot = entry.as_bytes();
        }
    }
    file.extend(index.iter().flatten());
    file.extend_from_slice(&(descriptor_bytes as u32).to_le_bytes());
    file.extend_from_slice(&block);
    file.extend_from_slice(&body);
    Ok(file)
}

/// Returns the least common multiple of the size of a block and 4. Sizes of blocks are 12 and
/// powers of two.
fn lcm_of_block_and_4(block: usize) -> usize {
    if block.is_multiple_of(4) {
        block
    } else {
        4 * block / if block.is_multiple_of(2) { 2 } else { 1 }
    }
}
