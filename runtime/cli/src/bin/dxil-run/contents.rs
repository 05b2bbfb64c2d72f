//! The contents in `--bind`: numbers, files, pictures, samplers.

use std::path::Path;

use dxil_jit::exit::Exit;
use dxil_jit::files;
use dxil_jit::npy::Array;
use dxil_jit::picture::Picture;
use dxil_jit::samplers;
use dxil_jit::texture_file::TextureFile;
use dxil_runtime::Error;
use dxil_runtime::job::Sampler;
use half::f16;

use crate::failure::{Failure, Result};

/// A parsed value of `--bind`.
#[derive(Debug, Clone)]
pub(crate) enum Contents {
    /// That many zero bytes, or as many as the place holds.
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
    /// A texture with all its levels and layers.
    Texture(TextureFile),
    /// A null descriptor.
    Null,
    /// A sampler.
    Sampler(Sampler),
}

impl Contents {
    /// Parses what was given of a place; `given` is the option, for messages.
    pub(crate) fn parse(given: &str, text: &str) -> Result<Self> {
        let bad = |why: String| Failure::usage(format!("{given}: {why}"));
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
            check_size(bytes)?;
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
                "{given}: {error}; give a file, zeros:N, f32:1,2,3 or what else --help lists"
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
        if let Some(picture) = Picture::read(&file) {
            return picture.map(Contents::Picture).map_err(bad);
        }
        if let Some(texture) = TextureFile::read(&file) {
            return texture.map(Contents::Texture).map_err(bad);
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

    /// Returns the bytes, for a place that holds `capacity` bytes, unless the user gives a count.
    pub(crate) fn bytes(&self, capacity: usize) -> Option<Vec<u8>> {
        match self {
            Contents::Zeros(n) => Some(vec![0; n.unwrap_or(capacity)]),
            Contents::Iota(n) => Some(words(n.unwrap_or(capacity), |i| i)),
            Contents::Random(n) => {
                // The same noise every time.
                let mut random = fastrand::Rng::with_seed(1);
                Some(words(n.unwrap_or(capacity), |_| random.u32(..)))
            }
            Contents::Bytes(bytes) => Some(bytes.clone()),
            Contents::Array(array) => Some(array.data.clone()),
            Contents::Json(_)
            | Contents::Picture(_)
            | Contents::Texture(_)
            | Contents::Null
            | Contents::Sampler(_) => None,
        }
    }
}

fn json(text: &str) -> Result<Contents, String> {
    let value = serde_json::from_str(text);
    value
        .map(Contents::Json)
        .map_err(|error| format!("this is no JSON: {error}"))
}

/// Asks for the memory first: an allocation that fails later ends the program.
pub(crate) fn check_size(bytes: usize) -> Result<()> {
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

/// Returns the bytes of numbers. `word` says what they are, until one says that the rest is
/// something else: `u32:1,f32:0.5,2`.
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
}
