//! Files of textures with all their levels, layers and faces: DDS and KTX 2.0.

mod dds;
mod file;
mod formats;
mod ktx2;

use dxil_runtime::job::Texture;

pub use file::TextureFile;

impl TextureFile {
    /// Reads a file, if it is a DDS or KTX 2.0 file by its first bytes.
    ///
    /// # Errors
    ///
    /// A message if the file is malformed or shorter than its header says, or if its format is none
    /// of [`dxil_runtime::Format`].
    pub fn read(file: &[u8]) -> Option<Result<TextureFile, String>> {
        if file.starts_with(b"DDS ") {
            Some(dds::read(file).map_err(|why| format!("this DDS file is not read: {why}")))
        } else if file.starts_with(&::ktx2::MAGIC) {
            Some(ktx2::read(file).map_err(|why| format!("this KTX file is not read: {why}")))
        } else {
            None
        }
    }
}

/// Returns a DDS file with the texels of all layers and levels, in the order of [`Texture::data`],
/// which is not looked at.
///
/// # Errors
///
/// A message if DDS has no such format or no such size.
pub fn dds(texture: &Texture, is_cube: bool, data: &[u8]) -> Result<Vec<u8>, String> {
    dds::write(texture, is_cube, data)
}

/// Returns a KTX 2.0 file with the texels of all layers and levels, in the order of
/// [`Texture::data`], which is not looked at.
///
/// # Errors
///
/// A message if Vulkan has no such format.
pub fn ktx2(texture: &Texture, is_cube: bool, data: &[u8]) -> Result<Vec<u8>, String> {
    ktx2::write(texture, is_cube, data)
}

#[cfg(test)]
mod tests {
    use dxil_runtime::Format;
    use dxil_runtime::job::Dimension;

    use super::*;

    fn texture(dimension: Dimension, format: Format, size: [u32; 3], rest: [u32; 2]) -> Texture {
        let [width, height, depth] = size;
        let [layers, mips] = rest;
        let mut texture = Texture {
            dimension,
            depth,
            layers,
            mips,
            ..Texture::new_2d(format, width, height, Vec::new())
        };
        texture.data = (0..texture.total_bytes()).map(|i| (i * 7) as u8).collect();
        texture
    }

    #[test]
    fn textures_of_all_shapes_are_read_as_they_were_written() {
        let textures = [
            (
                texture(Dimension::D2, Format::Rgba8Unorm, [8, 4, 1], [1, 4]),
                false,
            ),
            (
                texture(Dimension::D2, Format::Bc7Srgb, [20, 12, 1], [3, 5]),
                false,
            ),
            (
                texture(Dimension::D2, Format::Rgba16Float, [4, 4, 1], [12, 3]),
                true,
            ),
            (
                texture(Dimension::D3, Format::R8Unorm, [5, 3, 7], [1, 3]),
                false,
            ),
            (
                texture(Dimension::D1, Format::Rg11b10Float, [9, 1, 1], [2, 1]),
                false,
            ),
            (
                texture(Dimension::D2, Format::Rgb32Float, [3, 5, 1], [1, 2]),
                false,
            ),
        ];
        for (texture, is_cube) in &textures {
            for write in [dds, ktx2] {
                let file = write(texture, *is_cube, &texture.data).unwrap();
                let read = TextureFile::read(&file).unwrap().unwrap();
                assert_eq!((&read.texture, read.is_cube), (texture, *is_cube));
            }
        }
    }

    /// Bytes of headers, as a small fuzzer would change them.
    #[test]
    fn damaged_files_are_errors_or_textures_of_their_size() {
        let texture = texture(Dimension::D2, Format::Bc1Unorm, [8, 8, 1], [2, 2]);
        let mut read = 0;
        for file in [
            dds(&texture, false, &texture.data),
            ktx2(&texture, false, &texture.data),
        ] {
            let file = file.unwrap();
            for at in 4..file.len().min(300) {
                for value in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut damaged = file.clone();
                    damaged[at] = value;
                    if let Some(Ok(file)) = TextureFile::read(&damaged) {
                        let texture = &file.texture;
                        assert_eq!(texture.data.len() as u64, texture.total_bytes());
                        read += 1;
                    }
                }
            }
            for length in 0..file.len() {
                assert!(!matches!(TextureFile::read(&file[..length]), Some(Ok(_))));
            }
        }
        assert!(read > 0);
    }
}
