//! Buffers of a pipeline file.
//!
//! `Data` is a list for a single buffer, and a list of lists for an array, so reading it depends on
//! `ArraySize`. Elements stay text until the whole buffer is read, since `Format` determines their
//! values, and YAML numbers would lose `-0`, bit patterns and the signs of NaN.

use std::cell::Cell;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::elements::ElementFormat;

/// Maximum number of bytes of `FillSize` in all buffers of a file together.
const MAX_FILL: u64 = 1 << 30;
/// Maximum number of buffers of an array: the slots of a D3D12 heap.
const MAX_ARRAY: usize = 1_000_000;

thread_local! {
    /// Bytes of `FillSize` so far in the file that is being read. Deserialization has no other
    /// state.
    static FILLED: Cell<u64> = const { Cell::new(0) };
}

/// Starts reading a file: resets the sum of `FillSize`.
pub(super) fn begin_file() {
    FILLED.set(0);
}

/// A named buffer or texture with its contents.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// Name that resources and results refer to.
    pub name: String,
    /// Format of an element.
    pub format: ElementFormat,
    /// Channels of an element of a texture or typed buffer.
    pub channels: u32,
    /// Stride of a structured buffer in bytes, or 0.
    pub stride: u32,
    /// Contents, one for each element of a resource array, all of the same size.
    pub data: Vec<Vec<u8>>,
    /// Hidden counters after a run; empty before.
    pub counters: Vec<u32>,
    /// Dimensions, if it is a texture or an image to show.
    pub shape: Option<TextureShape>,
}

/// Dimensions of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct TextureShape {
    /// Texels.
    pub height: u32,
    /// Texels.
    pub width: u32,
    /// Texels.
    pub depth: u32,
    /// Mip levels.
    #[serde(default = "one")]
    pub mip_levels: u32,
}

fn one() -> u32 {
    1
}

impl TextureShape {
    /// Returns the texels of all mips.
    pub fn texels(&self) -> u64 {
        let size = |length: u32, mip: u32| u64::from(length.checked_shr(mip).unwrap_or(0).max(1));
        (0..self.mip_levels.min(32))
            .map(|mip| size(self.width, mip) * size(self.height, mip) * size(self.depth, mip))
            .fold(0, u64::saturating_add)
    }
}

impl Buffer {
    /// Returns the size of one content in bytes.
    pub fn size(&self) -> usize {
        self.data.first().map_or(0, Vec::len)
    }

    /// Returns the size of an element in bytes: a structure, or all channels together.
    pub fn element_bytes(&self) -> u64 {
        match self.stride {
            0 => self.format.bytes() as u64 * u64::from(self.channels),
            stride => u64::from(stride),
        }
    }
}

/// The keys in the file.
#[derive(Default)]
struct Fields {
    name: Option<String>,
    format: Option<ElementFormat>,
    channels: Option<u32>,
    stride: Option<u32>,
    array_size: Option<u32>,
    data: Option<Vec<Vec<String>>>,
    fill_size: Option<u64>,
    fill_value: Option<String>,
    shape: Option<TextureShape>,
}

const KEYS: &[&str] = &[
    "Name",
    "Format",
    "Channels",
    "Stride",
    "ArraySize",
    "Data",
    "FillSize",
    "FillValue",
    "OutputProps",
];

impl<'de> Deserialize<'de> for Buffer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(BufferVisitor)
    }
}

struct BufferVisitor;

impl<'de> Visitor<'de> for BufferVisitor {
    type Value = Buffer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a buffer")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Buffer, A::Error> {
        let mut fields = Fields::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "Name" => fields.name = Some(map.next_value()?),
                "Format" => fields.format = Some(map.next_value()?),
                "Channels" => fields.channels = Some(map.next_value()?),
                "Stride" => fields.stride = Some(map.next_value()?),
                "ArraySize" => {
                    fields.array_size = Some(map.next_value()?);
                    // Data was read as one list already.
                    if fields.data.is_some() {
                        return Err(A::Error::custom("ArraySize must come before Data"));
                    }
                }
                "Data" if fields.array_size.unwrap_or(1) > 1 => {
                    fields.data = Some(map.next_value()?);
                }
                "Data" => fields.data = Some(vec![map.next_value()?]),
                "FillSize" => fields.fill_size = Some(map.next_value()?),
                "FillValue" => fields.fill_value = Some(map.next_value()?),
                "OutputProps" => fields.shape = Some(map.next_value()?),
                // The old name of the key.
                "ZeroInitSize" => {
                    return Err(A::Error::custom("ZeroInitSize is now called FillSize"));
                }
                other => return Err(A::Error::unknown_field(other, KEYS)),
            }
        }
        fields.finish()
    }
}

impl Fields {
    fn finish<E: serde::de::Error>(self) -> Result<Buffer, E> {
        let name = self.name.ok_or_else(|| E::missing_field("Name"))?;
        let format = self.format.ok_or_else(|| E::missing_field("Format"))?;
        let fail = |message: String| E::custom(format!("buffer `{name}`: {message}"));
        let array_size = self.array_size.unwrap_or(1) as usize;
        if array_size > MAX_ARRAY {
            return Err(fail(format!("ArraySize {array_size} is over {MAX_ARRAY}")));
        }
        let encode = |texts: &[String]| {
            let mut bytes = Vec::with_capacity(texts.len() * format.bytes());
            for (index, text) in texts.iter().enumerate() {
                let encoded = format.encode(text, &mut bytes);
                encoded.map_err(|error| fail(format!("element {index}: {error}")))?;
            }
            Ok(bytes)
        };
        let data = match (self.data, self.fill_size.unwrap_or(0)) {
            (_, fill) if fill > 0 => {
                let all = fill.saturating_mul(array_size as u64);
                let filled = FILLED.get().saturating_add(all);
                if filled > MAX_FILL {
                    return Err(fail(format!("FillSize {fill} is over a gibibyte in all")));
                }
                FILLED.set(filled);
                if !fill.is_multiple_of(format.bytes() as u64) {
                    return Err(fail(format!(
                        "FillSize {fill} is no whole number of {format:?} elements"
                    )));
                }
                let unit = encode(&[self.fill_value.unwrap_or_else(|| "0".to_owned())])?;
                let one: Vec<u8> = unit.into_iter().cycle().take(fill as usize).collect();
                vec![one; array_size]
            }
            _ if self.fill_value.is_some() => {
                return Err(fail("FillValue needs a FillSize".to_owned()));
            }
            (None, _) => return Err(fail("it has neither Data nor FillSize".to_owned())),
            (Some(lists), _) => {
                if lists.len() != array_size {
                    let (want, got) = (array_size, lists.len());
                    return Err(fail(format!("ArraySize is {want}, Data has {got} lists")));
                }
                let lists = lists.iter().map(|texts| encode(texts));
                lists.collect::<Result<Vec<_>, E>>()?
            }
        };
        if data.windows(2).any(|pair| pair[0].len() != pair[1].len()) {
            return Err(fail(
                "all lists of an array have the same length".to_owned(),
            ));
        }
        let buffer = Buffer {
            format,
            channels: self.channels.unwrap_or(1),
            stride: self.stride.unwrap_or(0),
            data,
            counters: Vec::new(),
            shape: self.shape,
            name,
        };
        buffer.check().map_err(E::custom)?;
        Ok(buffer)
    }
}

impl Buffer {
    fn check(&self) -> Result<(), String> {
        if self.stride != 0 && self.channels != 1 {
            let name = &self.name;
            return Err(format!(
                "buffer `{name}`: it has a Stride and more than one channel"
            ));
        }
        if let Some(shape) = self.shape.filter(|shape| shape.width > 0) {
            let want = shape.texels().saturating_mul(self.element_bytes());
            let have = self.size() as u64;
            if want != have {
                let name = &self.name;
                return Err(format!(
                    "Buffer '{name}' size ({have}) does not match OutputProps dimensions ({want})"
                ));
            }
        }
        Ok(())
    }
}
