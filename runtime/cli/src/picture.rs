//! Reading picture files: PNG and JPEG.

use std::io::Cursor;

use dxil_runtime::Format;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Maximum number of bytes of a picture once it is decoded: 16384 x 16384 texels of grey, 8192 x
/// 8192 of colours. A small file may say that it is any size.
const MAX_DECODED: u64 = 256 << 20;

/// A decoded picture.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// 1 (grey), 2 (grey, alpha), 3 or 4 channels.
    channels: usize,
    /// Whether a channel has 16 bits, the high byte first; otherwise it has 8.
    is_wide: bool,
    /// The texels as the file has them.
    samples: Vec<u8>,
}

impl Picture {
    /// Decodes a file, if it is a PNG or JPEG file by its first bytes.
    ///
    /// # Errors
    ///
    /// A message if the file is malformed or the picture is larger than 256 MiB.
    pub fn read(file: &[u8]) -> Option<Result<Picture, String>> {
        if file.starts_with(b"\x89PNG") {
            Some(Picture::png(file))
        } else if file.starts_with(b"\xff\xd8\xff") {
            Some(Picture::jpeg(file))
        } else {
            None
        }
    }

    fn png(file: &[u8]) -> Result<Picture, String> {
        let bad = |error: png::DecodingError| error.to_string();
        // The decoder allocates more than the picture alone, whose size is checked below.
        let limits = png::Limits {
            bytes: usize::try_from(MAX_DECODED * 2).unwrap_or(usize::MAX),
        };
        let mut decoder = png::Decoder::new_with_limits(Cursor::new(file), limits);
        // Palettes become colours, and fewer than 8 bits become 8.
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().map_err(bad)?;
        let (width, height) = reader.info().size();
        let (color, depth) = reader.output_color_type();
        let channels = color.samples();
        let is_wide = depth == png::BitDepth::Sixteen;
        let bytes = decoded_size(width, height, channels * if is_wide { 2 } else { 1 })?;
        let mut samples = vec![0; bytes];
        reader.next_frame(&mut samples).map_err(bad)?;
        Ok(Picture {
            width,
            height,
            channels,
            is_wide,
            samples,
        })
    }

    fn jpeg(file: &[u8]) -> Result<Picture, String> {
        let options = DecoderOptions::default()
            .set_strict_mode(false)
            .set_max_width(usize::from(u16::MAX))
            .set_max_height(usize::from(u16::MAX));
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
        decoder
            .decode_headers()
            .map_err(|error| error.to_string())?;
        let (width, height) = decoder.dimensions().ok_or("it has no size")?;
        let (width, height) = (width as u32, height as u32);
        let (space, channels) = match decoder.input_colorspace() {
            Some(ColorSpace::Luma) => (ColorSpace::Luma, 1),
            _ => (ColorSpace::RGB, 3),
        };
        let bytes = decoded_size(width, height, channels)?;
        let options = decoder.options().jpeg_set_out_colorspace(space);
        decoder.set_options(options);
        let samples = decoder.decode().map_err(|error| error.to_string())?;
        if samples.len() != bytes {
            return Err(format!("{} bytes instead of {bytes}", samples.len()));
        }
        Ok(Picture {
            width,
            height,
            channels,
            is_wide: false,
            samples,
        })
    }

    /// Returns the texels in a format; `None` where the format is compressed
    /// or has a stencil.
    pub fn encode(&self, format: Format) -> Option<Vec<u8>> {
        let (format, scale) = match format.layout() {
            // The file's values are already on the sRGB curve.
            _ if format == Format::Rgba8Srgb => (Format::Rgba8Unorm, 1.0),
            _ if format == Format::Bgra8Srgb => (Format::Bgra8Unorm, 1.0),
            _ if format == Format::Bgrx8Srgb => (Format::Bgrx8Unorm, 1.0),
            // Integer textures get the 0 to 255 of a file with 8 bits per channel.
            Some(layout) if layout.is_integer() => (format, 255.0),
            _ => (format, 1.0),
        };
        let width = if self.is_wide { 2 } else { 1 };
        let value = |bytes: &[u8]| match *bytes {
            [byte] => f64::from(f32::from(byte) / 255.0),
            [high, low] => f64::from(f32::from(u16::from_be_bytes([high, low])) / 65535.0),
            _ => 0.0,
        };
        let mut bytes = Vec::new();
        for texel in self.samples.chunks_exact(self.channels * width) {
            let mut parts = texel.chunks_exact(width).map(value);
            let mut next = || parts.next().unwrap_or(1.0);
            let values = match self.channels {
                1 | 2 => {
                    let grey = next();
                    [grey, grey, grey, next()]
                }
                _ => [next(), next(), next(), next()],
            };
            if !format.encode(values.map(|value| value * scale), &mut bytes) {
                return None;
            }
        }
        Some(bytes)
    }
}

/// Returns the size of a picture in bytes.
fn decoded_size(width: u32, height: u32, texel: usize) -> Result<usize, String> {
    let bytes = u64::from(width) * u64::from(height) * texel as u64;
    if bytes > MAX_DECODED {
        return Err(format!(
            "a picture of {width}x{height} texels has {bytes} bytes when it is decoded; {MAX_DECODED} are the limit"
        ));
    }
    usize::try_from(bytes).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_of(image: image::DynamicImage, format: image::ImageFormat) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        image.write_to(&mut file, format).unwrap();
        file.into_inner()
    }

    #[test]
    fn channels_of_all_kinds_of_pictures_become_colours() {
        let texels = [[10, 20, 30, 40], [50, 60, 70, 80]];
        let rgba = image::RgbaImage::from_fn(2, 1, |x, _| image::Rgba(texels[x as usize]));
        let all = image::DynamicImage::from(rgba);
        let wide = image::ImageBuffer::from_fn(2, 1, |x, _| {
            image::Rgba(texels[x as usize].map(|byte| u16::from(byte) * 257))
        });
        let read = |image: image::DynamicImage| {
            let file = file_of(image, image::ImageFormat::Png);
            let picture = Picture::read(&file).unwrap().unwrap();
            assert_eq!((picture.width, picture.height), (2, 1));
            picture.encode(Format::Rgba8Unorm).unwrap()
        };
        assert_eq!(read(all.clone()), texels.concat());
        let wide: image::ImageBuffer<image::Rgba<u16>, Vec<u16>> = wide;
        assert_eq!(read(wide.into()), texels.concat());
        assert_eq!(
            read(all.to_rgb8().into()),
            [10, 20, 30, 255, 50, 60, 70, 255]
        );
        let grey = all.to_luma_alpha8();
        let [a, b] = [grey.get_pixel(0, 0).0, grey.get_pixel(1, 0).0];
        let expected = [a[0], a[0], a[0], 40, b[0], b[0], b[0], 80];
        assert_eq!(read(grey.into()), expected);
        let grey = all.to_luma8();
        let expected = [a[0], a[0], a[0], 255, b[0], b[0], b[0], 255];
        assert_eq!(read(grey.into()), expected);
    }

    #[test]
    fn jpeg_files_are_read_in_grey_and_in_colours() {
        let grey = image::GrayImage::from_pixel(16, 16, image::Luma([90]));
        let rgb = image::RgbImage::from_pixel(16, 16, image::Rgb([200, 40, 90]));
        for (image, expected) in [
            (image::DynamicImage::from(grey), [90, 90, 90, 255]),
            (rgb.into(), [200, 40, 90, 255]),
        ] {
            let file = file_of(image, image::ImageFormat::Jpeg);
            let picture = Picture::read(&file).unwrap().unwrap();
            let texels = picture.encode(Format::Rgba8Unorm).unwrap();
            assert_eq!(texels.len(), 16 * 16 * 4);
            let near = |(a, b): (&u8, &u8)| a.abs_diff(*b) < 6;
            assert!(texels.iter().zip(expected.iter().cycle()).all(near));
        }
    }

    #[test]
    fn a_picture_is_bounded_by_what_it_becomes() {
        // The file with another size in its header: nothing is decoded, nor a place for it made.
        let mut large = file_of(image::GrayImage::new(1, 1).into(), image::ImageFormat::Png);
        large[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        let crc = crc32(&large[12..29]);
        large[29..33].copy_from_slice(&crc.to_be_bytes());
        let error = Picture::read(&large).unwrap().unwrap_err();
        assert!(
            error.contains("65536x65536 texels has 4294967296 bytes"),
            "{error}"
        );
        assert!(Picture::read(b"\x89PNG").unwrap().is_err());
        assert!(Picture::read(b"\xff\xd8\xff").unwrap().is_err());
        assert!(Picture::read(b"GIF89a").is_none());
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let step = |crc: u32, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
        !(bytes.iter()).fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
    }
}
