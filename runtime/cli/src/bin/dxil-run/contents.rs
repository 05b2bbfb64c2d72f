//! What `--bind` says: numbers, files, pictures, samplers.

use std::io::Cursor;
use std::path::Path;

use dxil_jit::exit::Exit;
use dxil_jit::files;
use dxil_jit::npy::Array;
use dxil_jit::samplers;
use dxil_runtime::Error;
use dxil_runtime::Format;
use dxil_runtime::format::{Component, Encoding};
use dxil_runtime::job::Sampler;
use half::f16;
use image::ImageDecoder as _;

use crate::failure::{Failure, Result};

/// A parsed value of `--bind`.
#[derive(Debug, Clone)]
pub(crate) enum Contents {
    /// That many zero bytes, or as many as there is room for.
    Zeros(Option<usize>),
    /// Bytes 0, 1, 2 ... as 32-bit words.
    Iota(Option<usize>),
    /// Noise.
    Random(Option<usize>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A NumPy array.
    Array(Array),
    /// JSON: a structure, or an array of elements.
    Json(serde_json::Value),
    /// A picture.
    Picture(Picture),
    /// A null descriptor.
    Null,
    /// A sampler.
    Sampler(Sampler),
}

/// A decoded picture.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    /// Texels in a row.
    pub(crate) width: u32,
    /// Rows.
    pub(crate) height: u32,
    /// The texels as the file has them.
    image: image::DynamicImage,
}

/// Maximum number of bytes of a picture once it is decoded: 16384 x 16384 texels of grey, 8192 x
/// 8192 of colours. A small file may say that it is any size.
const MAX_DECODED: u64 = 256 << 20;

impl Contents {
    /// Parses what was said of a place; `said` is the option, for messages.
    pub(crate) fn parse(said: &str, text: &str) -> Result<Self> {
        let bad = |why: String| Failure::usage(format!("{said}: {why}"));
        // A word for a sampler is never taken for the name of a file.
        if let Some(sampler) = samplers::parse(text) {
            return sampler.map(Contents::Sampler).map_err(bad);
        }
        let (word, rest) = match text.split_once(':') {
            Some((word, rest)) => (word, Some(rest)),
            None => (text, None),
        };
        let length = || -> Result<Option<usize>> {
            let Some(n) = rest else { return Ok(None) };
            let bytes = n
                .parse()
                .map_err(|_| bad(format!("`{n}` is not a number of bytes")))?;
            check_room(bytes)?;
            Ok(Some(bytes))
        };
        match word {
            "null" if rest.is_none() => return Ok(Contents::Null),
            "zeros" => return Ok(Contents::Zeros(length()?)),
            "iota" => return Ok(Contents::Iota(length()?)),
            "random" => return Ok(Contents::Random(length()?)),
            _ => {}
        }
        if let (Some(write), Some(rest)) = (number_writer(word), rest) {
            return numbers(word, write, rest).map(Contents::Bytes).map_err(bad);
        }
        if text.trim_start().starts_with(['{', '[']) {
            return json(text).map_err(bad);
        }
        let path = Path::new(text);
        let file = files::read(path).map_err(|error| {
            let message = format!(
                "{said}: {error}; give a file, zeros:N, f32:1,2,3 or what else --help lists"
            );
            // A word without extension and folder is more likely a mistyped `zeros`.
            let is_word = path.extension().is_none() && path.components().count() == 1;
            if is_word {
                bad(message)
            } else {
                Failure::new(Exit::from(&error), message)
            }
        })?;
        // By content: the extension may be missing or wrong.
        let picture = if file.starts_with(b"\x89PNG") {
            Some(image::ImageFormat::Png)
        } else if file.starts_with(b"\xff\xd8\xff") {
            Some(image::ImageFormat::Jpeg)
        } else {
            None
        };
        if let Some(format) = picture {
            return Picture::decode(&file, format)
                .map(Contents::Picture)
                .map_err(|error| bad(error.to_string()));
        }
        if let Some(array) = Array::read(&file) {
            return array.map(Contents::Array).map_err(bad);
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            let text = std::str::from_utf8(&file).map_err(|error| bad(error.to_string()))?;
            return json(text).map_err(bad);
        }
        Ok(Contents::Bytes(file))
    }

    /// The bytes, for a place with room for `room` bytes unless the user says how many.
    pub(crate) fn bytes(&self, room: usize) -> Option<Vec<u8>> {
        match self {
            Contents::Zeros(n) => Some(vec![0; n.unwrap_or(room)]),
            Contents::Iota(n) => Some(words(n.unwrap_or(room), |i| i)),
            Contents::Random(n) => {
                let mut state = 0x2545_f491u32;
                Some(words(n.unwrap_or(room), |_| {
                    // xorshift32: the same noise every time.
                    state ^= state << 13;
                    state ^= state >> 17;
                    state ^= state << 5;
                    state
                }))
            }
            Contents::Bytes(bytes) => Some(bytes.clone()),
            Contents::Array(array) => Some(array.data.clone()),
            Contents::Json(_) | Contents::Picture(_) | Contents::Null | Contents::Sampler(_) => {
                None
            }
        }
    }
}

fn json(text: &str) -> Result<Contents, String> {
    let value = serde_json::from_str(text);
    value
        .map(Contents::Json)
        .map_err(|error| format!("this is no JSON: {error}"))
}

/// Better asked than killed: an allocation that fails later ends the program.
pub(crate) fn check_room(bytes: usize) -> Result<()> {
    Vec::<u8>::new()
        .try_reserve_exact(bytes)
        .map_err(|_| Failure::from(Error::OutOfMemory("host")))
}

fn words(bytes: usize, mut word: impl FnMut(u32) -> u32) -> Vec<u8> {
    let mut out: Vec<u8> = (0..bytes.div_ceil(4) as u32)
        .flat_map(|i| word(i).to_le_bytes())
        .collect();
    out.truncate(bytes);
    out
}

/// Bytes of numbers. `word` says what they are, until one says that the rest is something else:
/// `u32:1,f32:0.5,2`.
fn numbers(word: &str, write: Writer, text: &str) -> Result<Vec<u8>, String> {
    let (mut word, mut write) = (word, write);
    let mut bytes = Vec::new();
    for item in text.split(',') {
        let mut item = item.trim();
        if let Some((other, first)) = item.split_once(':') {
            write =
                number_writer(other).ok_or_else(|| format!("`{other}` is no type of numbers"))?;
            (word, item) = (other, first);
        }
        write(item, &mut bytes).ok_or_else(|| format!("`{item}` is not a {word}"))?;
    }
    Ok(bytes)
}

type Writer = fn(&str, &mut Vec<u8>) -> Option<()>;

fn number_writer(word: &str) -> Option<Writer> {
    macro_rules! integer {
        ($ty:ty, $wide:ty) => {
            |text, out| {
                // Hexadecimal numbers are bit patterns, so that negative ones can be written too.
                let value = match text.strip_prefix("0x") {
                    Some(hex) => <$wide>::from_str_radix(hex, 16).ok()? as $ty,
                    None => text.parse::<$ty>().ok()?,
                };
                out.extend_from_slice(&value.to_le_bytes());
                Some(())
            }
        };
    }
    macro_rules! float {
        ($ty:ty) => {
            |text, out| {
                out.extend_from_slice(&text.parse::<$ty>().ok()?.to_le_bytes());
                Some(())
            }
        };
    }
    Some(match word {
        "f16" => |text, out| {
            let value = f16::from_f32(text.parse().ok()?);
            out.extend_from_slice(&value.to_le_bytes());
            Some(())
        },
        "f32" => float!(f32),
        "f64" => float!(f64),
        "u8" => integer!(u8, u8),
        "u16" => integer!(u16, u16),
        "u32" => integer!(u32, u32),
        "u64" => integer!(u64, u64),
        "i8" => integer!(i8, u8),
        "i16" => integer!(i16, u16),
        "i32" => integer!(i32, u32),
        "i64" => integer!(i64, u64),
        _ => return None,
    })
}

impl Picture {
    fn decode(file: &[u8], format: image::ImageFormat) -> image::ImageResult<Self> {
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

    /// The texels in a format; `None` where the format is compressed or packed.
    pub(crate) fn encode(&self, format: Format) -> Option<Vec<u8>> {
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
    fn numbers_become_little_endian_bytes() {
        let parse = |text| Contents::parse("t0", text).unwrap().bytes(8);
        assert_eq!(parse("u16:1,0xff02").unwrap(), [1, 0, 2, 0xff]);
        assert_eq!(parse("i8:-1").unwrap(), [0xff]);
        assert_eq!(parse("f32:1").unwrap(), 1f32.to_le_bytes());
        assert_eq!(parse("f16:-2").unwrap(), [0, 0xc0]);
        assert_eq!(parse("zeros").unwrap(), [0; 8]);
        assert_eq!(parse("zeros:3").unwrap(), [0; 3]);
        assert_eq!(parse("iota").unwrap(), [0, 0, 0, 0, 1, 0, 0, 0]);
        assert!(Contents::parse("t0", "u8:256").is_err());
        assert!(Contents::parse("t0", "no/such/file").is_err());
    }

    #[test]
    fn a_picture_is_bounded_by_what_it_becomes() {
        let png = |image: image::DynamicImage| {
            let mut file = Cursor::new(Vec::new());
            image.write_to(&mut file, image::ImageFormat::Png).unwrap();
            file.into_inner()
        };
        let small = image::RgbaImage::from_fn(3, 2, |x, y| image::Rgba([x as u8, y as u8, 7, 255]));
        let picture = Picture::decode(&png(small.clone().into()), image::ImageFormat::Png).unwrap();
        assert_eq!((picture.width, picture.height), (3, 2));
        let bytes = picture.encode(Format::Rgba8Unorm).unwrap();
        assert_eq!(bytes, small.into_raw());

        // The same file with another size in its header: nothing is decoded, nor a place for it
        // made.
        let mut large = png(image::GrayImage::new(1, 1).into());
        large[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        let crc = crc32(&large[12..29]);
        large[29..33].copy_from_slice(&crc.to_be_bytes());
        let error = Picture::decode(&large, image::ImageFormat::Png)
            .unwrap_err()
            .to_string();
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
