//! Levels of textures: how many there are, and their texels where only the first are given.

use dxil_runtime::job::Texture;

use crate::parse::Levels;

/// Returns the number of levels that the command line asks for.
///
/// # Errors
///
/// A message if the texture cannot have as many.
pub(crate) fn count(texture: &Texture, levels: Levels) -> Result<u32, String> {
    let [width, height, depth] = texture.mip_size(0);
    let largest = width.max(height).max(depth);
    let most = if texture.samples > 1 {
        1
    } else {
        largest.ilog2() + 1
    };
    match levels {
        Levels::All => Ok(most),
        Levels::Count(count) if count <= most => Ok(count),
        Levels::Count(count) => Err(format!(
            "{count} levels; a texture of {width}x{height}x{depth} texels and {} sample(s) has at most {most}",
            texture.samples
        )),
    }
}

/// Returns the texels of the first levels of each layer; `data` has those of all levels.
pub(crate) fn first_levels(texture: &Texture, levels: u32, data: &[u8]) -> Vec<u8> {
    let layer = data.len() / texture.layers.max(1) as usize;
    let kept: u64 = (0..levels).map(|mip| texture.mip_bytes(mip)).sum();
    let mut first = Vec::with_capacity(kept as usize * texture.layers as usize);
    for layer in data.chunks_exact(layer.max(1)) {
        first.extend_from_slice(layer.get(..kept as usize).unwrap_or(layer));
    }
    first
}

/// Returns the texels of all levels where `texture.data` has those of the first: each texel is the
/// mean of the area that it covers in the level before, in linear values.
///
/// # Errors
///
/// A message if texels of the format cannot be averaged.
pub(crate) fn averaged(texture: &Texture) -> Result<Vec<u8>, String> {
    let mut data = Vec::with_capacity(usize::try_from(texture.total_bytes()).unwrap_or(0));
    let first = texture.data.len() / texture.layers.max(1) as usize;
    for layer in texture.data.chunks_exact(first.max(1)) {
        let mut level = layer.to_vec();
        for mip in 1..texture.mips {
            let next = half(texture, mip - 1, &level).ok_or_else(|| {
                format!(
                    "texels of {} cannot be averaged; give a file with all levels",
                    texture.format
                )
            })?;
            data.append(&mut level);
            level = next;
        }
        data.append(&mut level);
    }
    Ok(data)
}

/// Returns the level after `mip`, whose texels are given.
fn half(texture: &Texture, mip: u32, level: &[u8]) -> Option<Vec<u8>> {
    let from = texture.mip_size(mip);
    let to = texture.mip_size(mip + 1);
    let texel_bytes = texture.format.block_bytes() as usize;
    let mut bytes = Vec::with_capacity(usize::try_from(texture.mip_bytes(mip + 1)).ok()?);
    for z in 0..to[2] {
        for y in 0..to[1] {
            for x in 0..to[0] {
                let mut sum = [0.0; 4];
                let mut total = 0.0;
                for (source_z, weight_z) in covered(z, from[2], to[2]) {
                    for (source_y, weight_y) in covered(y, from[1], to[1]) {
                        for (source_x, weight_x) in covered(x, from[0], to[0]) {
                            let weight = weight_x * weight_y * weight_z;
                            let row = (source_z * from[1] + source_y) as usize;
                            let at = (row * from[0] as usize + source_x as usize) * texel_bytes;
                            let values = texture.format.decode(level.get(at..at + texel_bytes)?);
                            for (sum, value) in sum.iter_mut().zip(values) {
                                *sum += value.to_f64() * weight;
                            }
                            total += weight;
                        }
                    }
                }
                if !texture
                    .format
                    .encode(sum.map(|sum| sum / total), &mut bytes)
                {
                    return None;
                }
            }
        }
    }
    Some(bytes)
}

/// Returns the texels that a texel of the next level covers along an axis, and how much of each.
fn covered(index: u32, from: u32, to: u32) -> impl Iterator<Item = (u32, f64)> {
    // In parts of a texel, so that all bounds are whole: `to` parts are a texel of the level
    // before.
    let (from, to, index) = (u64::from(from), u64::from(to), u64::from(index));
    let (start, end) = (index * from, (index + 1) * from);
    (start / to..end.div_ceil(to)).map(move |texel| {
        let overlap = end.min((texel + 1) * to) - start.max(texel * to);
        (texel as u32, overlap as f64)
    })
}

#[cfg(test)]
mod tests {
    use dxil_runtime::Format;

    use super::*;

    #[test]
    fn a_texel_is_the_mean_of_what_it_covers() {
        // 3 texels become one; 5 become 2, which share the middle one.
        let mut texture = Texture::new_2d(Format::R32Float, 5, 3, Vec::new());
        let values: Vec<f32> = (0..15).map(|i| i as f32).collect();
        texture.data = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        texture.mips = 3;
        let all = averaged(&texture).unwrap();
        assert_eq!(all.len() as u64, texture.total_bytes());
        let levels: Vec<f32> = (all[60..].chunks_exact(4))
            .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        // Means of rows 0 to 2 of columns 0, 1 and half of 2: (5 + 6 + 7 / 2) / 2.5, and so on.
        assert_eq!(levels, [5.8, 8.2, 7.0]);
    }

    #[test]
    fn srgb_texels_are_averaged_as_light() {
        let mut texture = Texture::new_2d(Format::Rgba8Srgb, 2, 1, vec![0; 4]);
        texture.data = vec![0, 0, 0, 255, 255, 255, 255, 255];
        texture.mips = 2;
        // Half the light is 188 on the curve of IEC 61966-2-1.
        assert_eq!(averaged(&texture).unwrap()[8..], [188, 188, 188, 255]);
    }

    #[test]
    fn levels_are_counted_by_the_largest_side() {
        let texture = Texture::new_2d(Format::Rgba8Unorm, 9, 4, Vec::new());
        assert_eq!(count(&texture, Levels::All), Ok(4));
        assert_eq!(count(&texture, Levels::Count(4)), Ok(4));
        assert!(count(&texture, Levels::Count(5)).is_err());
    }
}
