//! Pictures that resources are filled with.

use std::io::Cursor;

use dxil_runtime::Format;
use dxil_runtime::format::{Component, Encoding};
use image::{ImageDecoder as _, ImageFormat};

/// A decoded picture.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The texels as the file has them.
    image: image::DynamicImage,
}

/// Maximum number of bytes of a picture once it is decoded: 16384 x 16384 texels of grey, 8192 x
/// 8192 of colours. A small file may say that it is any size.
const MAX_DECODED: u64 = 256 << 20;

impl Picture {
    /// Reads a PNG or JPEG file; `None` if the bytes begin as neither does.
    pub fn read(file: &[u8]) -> Option<Result<Self, String>> {
        let format = if file.starts_with(b"\x89PNG") {
            ImageFormat::Png
        } else if file.starts_with(b"\xff\xd8\xff") {
            ImageFormat::Jpeg
        } else {
            return None;
        };
        Some(Picture::decode(file, format).map_err(|error| error.to_string()))
    }

    fn decode(file: &[u8], format: ImageFormat) -> image::ImageResult<Self> {
        let mut reader = image::ImageReader::with_format(Cursor::new(file), format);
        let mut limits = image::Limits::default();
        // Decoders allocate more than the picture alone; the size of that is checked below.
        limits.max_alloc = Some(MAX_DECODED * 2);
        reader.limits(limits);
        let decoder = reader.into_decoder()?;
        let (width, height) = decoder.dimensions();
        if decoder.total_bytes() > MAX_DECODED {
            let message = format!(
                "a picture of {width}x{height} texels has {} bytes when it is decoded; {MAX_DECODED} are the limit",
                decoder.total_bytes()
            );
            return Err(image::ImageError::IoError(std::io::Error::other(message)));
        }
        Ok(Picture {
            width,
            height,
            image: image::DynamicImage::from_decoder(decoder)?,
        })
    }

    /// Returns the texels in a format; `None` where the format is compressed or packed.
    pub fn encode(&self, format: Format) -> Option<Vec<u8>> {
        let (format, scale) = match format.encoding() {
            // The file's values are already on the sRGB curve.
            _ if format == Format::Rgba8Srgb => (Format::Rgba8Unorm, 1.0),
            _ if format == Format::Bgra8Srgb => (Format::Bgra8Unorm, 1.0),
            Encoding::Plain {
                component: Component::Uint | Component::Sint,
                ..
            // Integer textures get the 0 to 255 of a file with 8 bits per channel.
            } => (format, 255.0),
            _ => (format, 1.0),
        };
        let mut bytes = Vec::new();
        // Row by row: as floats the whole picture would be up to sixteen times as large.
        for y in 0..self.height {
            let row = self.image.crop_imm(0, y, self.width, 1).into_rgba32f();
            for texel in row.pixels() {
                let values = texel.0.map(|value| f64::from(value) * scale);
                if !format.encode(values, &mut bytes) {
                    return None;
                }
            }
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_bounded_by_what_it_becomes() {
        let png = |image: image::DynamicImage| {
            let mut file = Cursor::new(Vec::new());
            image.write_to(&mut file, ImageFormat::Png).unwrap();
            file.into_inner()
        };
        let small = image::RgbaImage::from_fn(3, 2, |x, y| image::Rgba([x as u8, y as u8, 7, 255]));
        let picture = Picture::read(&png(small.clone().into())).unwrap().unwrap();
        assert_eq!((picture.width, picture.height), (3, 2));
        let bytes = picture.encode(Format::Rgba8Unorm).unwrap();
        assert_eq!(bytes, small.into_raw());

        // The same file with another size in its header: nothing is decoded, nor a place for it
        // made.
        let mut large = png(image::GrayImage::new(1, 1).into());
        large[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        let crc = crc32(&large[12..29]);
        large[29..33].copy_from_slice(&crc.to_be_bytes());
        let error = Picture::read(&large).unwrap().unwrap_err();
        assert!(
            error.contains("65536x65536 texels has 4294967296 bytes"),
            "{error}"
        );
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let step = |crc: u32, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
        !(bytes.iter()).fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
    }
}
