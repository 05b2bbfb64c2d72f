//! Picture files that are written: PNG and OpenEXR.

/// Returns a PNG file. `pixels` are red, green, blue and alpha of each pixel.
pub(crate) fn png(width: u32, height: u32, pixels: &[u8]) -> Result<Vec<u8>, String> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels)?;
        writer.finish()
    });
    written.map_err(|error| error.to_string())?;
    Ok(file)
}

/// Returns an OpenEXR file with 32-bit floats: one part of scan lines without compression
/// ("OpenEXR File Layout", <https://openexr.com/en/latest/OpenEXRFileLayout.html>). `pixels` are
/// red, green, blue and alpha of each pixel.
///
/// The crate `exr`, with which the tests read the file, would add itself and ten more crates to the
/// commands, even without default features (version 1.74), and 15 s of processor time to their
/// first build, for codecs that are not used.
pub(crate) fn exr(width: u32, height: u32, pixels: &[f32]) -> Result<Vec<u8>, String> {
    let size = width as usize * height as usize * 4;
    if width == 0 || height == 0 || pixels.len() < size {
        return Err("it is smaller than its size says".into());
    }
    let (last_x, last_y) = (width as i32 - 1, height as i32 - 1);
    let mut file = vec![0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0];
    let mut attribute = |name: &str, kind: &str, value: &[u8]| {
        file.extend_from_slice(name.as_bytes());
        file.push(0);
        file.extend_from_slice(kind.as_bytes());
        file.push(0);
        file.extend_from_slice(&(value.len() as u32).to_le_bytes());
        file.extend_from_slice(value);
    };
    let mut channels = Vec::new();
    // Channels stand in alphabetical order.
    for name in *b"ABGR" {
        channels.extend_from_slice(&[name, 0]);
        // FLOAT; linear and reserved bytes; a sample for each pixel in x and y.
        for word in [2u32, 0, 1, 1] {
            channels.extend_from_slice(&word.to_le_bytes());
        }
    }
    channels.push(0);
    let window = [0, 0, last_x, last_y].map(i32::to_le_bytes).concat();
    attribute("channels", "chlist", &channels);
    attribute("compression", "compression", &[0]);
    attribute("dataWindow", "box2i", &window);
    attribute("displayWindow", "box2i", &window);
    attribute("lineOrder", "lineOrder", &[0]);
    attribute("pixelAspectRatio", "float", &1f32.to_le_bytes());
    attribute("screenWindowCenter", "v2f", &[0; 8]);
    attribute("screenWindowWidth", "float", &1f32.to_le_bytes());
    file.push(0);
    let row_bytes = width as usize * 16;
    let first = file.len() + height as usize * 8;
    for row in 0..height as usize {
        let offset = (first + row * (8 + row_bytes)) as u64;
        file.extend_from_slice(&offset.to_le_bytes());
    }
    for (row, texels) in (0u32..).zip(pixels[..size].chunks_exact(width as usize * 4)) {
        file.extend_from_slice(&row.to_le_bytes());
        file.extend_from_slice(&(row_bytes as u32).to_le_bytes());
        for channel in [3, 2, 1, 0] {
            for texel in texels.chunks_exact(4) {
                file.extend_from_slice(&texel[channel].to_le_bytes());
            }
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_written_are_read_by_others() {
        let pixels: Vec<f32> = (0..24).map(|i| i as f32 * 0.5 - 3.0).collect();
        let file = exr(3, 2, &pixels).unwrap();
        let image = image::load_from_memory(&file).unwrap().into_rgba32f();
        assert_eq!(image.dimensions(), (3, 2));
        assert_eq!(image.into_raw(), pixels);
        let pixels: Vec<u8> = (0..24).map(|i| i * 10).collect();
        let file = png(3, 2, &pixels).unwrap();
        let image = image::load_from_memory(&file).unwrap().into_rgba8();
        assert_eq!(image.into_raw(), pixels);
        assert!(exr(3, 2, &[0.0; 23]).is_err());
        assert!(png(3, 2, &[0; 23]).is_err());
    }
}
