//! Contents of resources: from what the page gives to bytes, and from bytes to rows of a table.

use dxil_frontend::dxil::ComponentType;
use dxil_runtime::format::{Component, ComponentValue};
use dxil_runtime::job::Texture;
use half::f16;
use serde_json::{Value, json};

use crate::failure::{Failure, Result};
use crate::message::Message;
use crate::resources::{Declared, Shape};

/// Rows of a table that are answered; the page shows how many more there are.
pub(crate) const MAX_ROWS: usize = 256;
/// Maximum number of bytes of a resource.
const MAX_BYTES: u64 = 64 << 20;

/// Returns the size that a question gives a resource: its elements or texels.
fn count(declared: &Declared, given: &Value) -> Result<u64> {
    let elements = match &declared.shape {
        Shape::Constants(bytes) => return Ok(*bytes as u64),
        Shape::Texture(texture) => texture.total_bytes() / declared.stride() as u64,
        Shape::Buffer(_) | Shape::Sampler { .. } => {
            let given = given["elements"].as_u64().filter(|given| *given > 0);
            given.unwrap_or(declared.elements.into())
        }
    };
    if elements.saturating_mul(declared.stride() as u64) > MAX_BYTES {
        return Err(Failure::job(format!(
            "{}: the page holds up to {} MiB of a resource",
            declared.register,
            MAX_BYTES >> 20
        )));
    }
    Ok(elements)
}

/// Returns the texture with the size that the question gives.
pub(crate) fn sized(texture: &Texture, given: &Value) -> Texture {
    let mut texture = texture.clone();
    let side = |index: usize| {
        let side = given["size"][index]
            .as_u64()
            .and_then(|side| u32::try_from(side).ok());
        side.filter(|side| (1..=4096).contains(side))
    };
    texture.width = side(0).unwrap_or(texture.width);
    texture.height = side(1).unwrap_or(texture.height);
    texture
}

/// Returns the first contents of a register. `given` is what the page says of it: `fill` is
/// `pattern` (scalars count 0, 1, 2 ...), `zeros`, `random`, `numbers` with a text, or `file` with
/// the number of a payload. Outputs are zero where nothing is said.
pub(crate) fn bytes(declared: &Declared, given: &Value, question: &Message) -> Result<Vec<u8>> {
    let elements = count(declared, given)?;
    let length = match declared.shape {
        Shape::Constants(bytes) => bytes,
        _ => elements as usize * declared.stride(),
    };
    let whole = |mut bytes: Vec<u8>| {
        bytes.resize(length, 0);
        bytes
    };
    Ok(match given["fill"].as_str() {
        Some("zeros") => vec![0; length],
        Some("random") => whole(random(length)),
        Some("numbers") => {
            let text = given["text"].as_str().unwrap_or_default();
            let written = numbers(declared, text)?;
            // Without a size, there are as many elements as numbers.
            match (&declared.shape, given["elements"].as_u64()) {
                (Shape::Buffer(_), None | Some(0)) if !written.is_empty() => written,
                _ => whole(written),
            }
        }
        Some("file") => {
            let index = given["payload"].as_u64().unwrap_or(u64::MAX);
            let payload = usize::try_from(index).ok();
            let payload = payload.and_then(|index| question.payloads.get(index));
            let file = payload.cloned().unwrap_or_default();
            match declared.shape {
                Shape::Buffer(_) if !file.is_empty() => file,
                _ => whole(file),
            }
        }
        Some("pattern") => whole(pattern(declared, elements)),
        _ if declared.writable => vec![0; length],
        _ => whole(pattern(declared, elements)),
    })
}

/// Returns noise, the same every time.
fn random(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    fastrand::Rng::with_seed(1).fill(&mut bytes);
    bytes
}

/// Returns scalars that count 0, 1, 2 ... through the whole resource, whatever their type.
fn pattern(declared: &Declared, elements: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let columns = declared.columns().len() as u64;
    for element in 0..elements {
        let values = (0..columns).map(|column| (element * columns + column) as f64);
        let values: Vec<f64> = values.collect();
        write_row(declared, &values, &mut bytes);
    }
    bytes
}

/// Reads numbers, separated by blanks, commas or lines, in the types of the columns.
fn numbers(declared: &Declared, text: &str) -> Result<Vec<u8>> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
    let mut values = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        values.push(number(word).ok_or_else(|| {
            Failure::job(format!("{}: `{word}` is not a number", declared.register))
        })?);
    }
    let mut bytes = Vec::new();
    for row in values.chunks(declared.columns().len().max(1)) {
        write_row(declared, row, &mut bytes);
    }
    Ok(bytes)
}

fn number(word: &str) -> Option<f64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16)
            .ok()
            .map(|value| value as f64),
        None => word.parse().ok(),
    }
}

/// Writes the values of an element; missing ones are 0.
fn write_row(declared: &Declared, values: &[f64], out: &mut Vec<u8>) {
    let start = out.len();
    if let Some(format) = declared.format() {
        let value = |index: usize| {
            let value = values.get(index).copied().unwrap_or(0.0);
            let is_normalised = format.layout().is_some_and(|layout| {
                let component = layout.component;
                let is_scaled = !component.is_integer() && component != Component::Float;
                is_scaled || layout.is_depth()
            });
            if is_normalised && value > 1.0 {
                // Whole numbers become fractions that such a format has.
                value % 128.0 / 127.0
            } else {
                value
            }
        };
        if !format.encode([value(0), value(1), value(2), value(3)], out) {
            out.resize(start + format.block_bytes() as usize, 0);
        }
        return;
    }
    out.resize(start + declared.stride(), 0);
    for (index, scalar) in declared.element.scalars.iter().enumerate() {
        let value = values.get(index).copied().unwrap_or(0.0);
        let written = scalar_bytes(scalar.component, value);
        let at = start + scalar.offset as usize;
        if let Some(place) = out.get_mut(at..at + written.len()) {
            place.copy_from_slice(&written);
        }
    }
}

fn scalar_bytes(component: ComponentType, value: f64) -> Vec<u8> {
    use ComponentType as C;
    match component {
        C::F16 | C::SNormF16 | C::UNormF16 => f16::from_f64(value).to_le_bytes().to_vec(),
        C::F32 | C::SNormF32 | C::UNormF32 => (value as f32).to_le_bytes().to_vec(),
        C::F64 | C::SNormF64 | C::UNormF64 => value.to_le_bytes().to_vec(),
        C::I16 | C::U16 => (value as i64 as u16).to_le_bytes().to_vec(),
        C::I64 => (value as i64).to_le_bytes().to_vec(),
        C::U64 => (value as u64).to_le_bytes().to_vec(),
        C::Invalid | C::I1 | C::I32 | C::U32 | C::PackedS8x32 | C::PackedU8x32 => {
            (value as i64 as u32).to_le_bytes().to_vec()
        }
    }
}

/// Returns the first rows of a resource as texts, and the number of all of them.
pub(crate) fn table(declared: &Declared, bytes: &[u8]) -> Value {
    let stride = declared.stride();
    let elements = bytes.len() / stride;
    let rows = bytes.chunks_exact(stride).take(MAX_ROWS);
    let rows: Vec<Vec<String>> = rows.map(|element| row(declared, element)).collect();
    json!({
        "register": declared.register.to_string(),
        "name": declared.name,
        "kind": declared.kind,
        "columns": declared.columns(),
        "rows": rows,
        "elements": elements,
        "stride": stride,
    })
}

/// Returns the values of an element.
fn row(declared: &Declared, element: &[u8]) -> Vec<String> {
    if let Some(format) = declared.format() {
        return format.decode(element).into_iter().map(shown).collect();
    }
    let scalars = declared.element.scalars.iter();
    let values = scalars.filter_map(|scalar| {
        value_of(scalar.component, element.get(scalar.offset as usize..)?).map(shown)
    });
    values.collect()
}

fn value_of(component: ComponentType, bytes: &[u8]) -> Option<ComponentValue> {
    use ComponentType as C;
    Some(match component {
        C::F16 | C::SNormF16 | C::UNormF16 => {
            ComponentValue::Float(f16::from_le_bytes(*bytes.first_chunk()?).into())
        }
        C::F32 | C::SNormF32 | C::UNormF32 => {
            ComponentValue::Float(f32::from_le_bytes(*bytes.first_chunk()?).into())
        }
        C::F64 | C::SNormF64 | C::UNormF64 => {
            ComponentValue::Float(f64::from_le_bytes(*bytes.first_chunk()?))
        }
        C::I16 => ComponentValue::Sint(i16::from_le_bytes(*bytes.first_chunk()?).into()),
        C::U16 => ComponentValue::Uint(u16::from_le_bytes(*bytes.first_chunk()?).into()),
        C::I64 => ComponentValue::Sint(i64::from_le_bytes(*bytes.first_chunk()?)),
        C::U64 => ComponentValue::Uint(u64::from_le_bytes(*bytes.first_chunk()?)),
        C::I32 => ComponentValue::Sint(i32::from_le_bytes(*bytes.first_chunk()?).into()),
        C::Invalid | C::I1 | C::U32 | C::PackedS8x32 | C::PackedU8x32 => {
            ComponentValue::Uint(u32::from_le_bytes(*bytes.first_chunk()?).into())
        }
    })
}

/// Returns a value as people write it.
fn shown(value: ComponentValue) -> String {
    match value {
        ComponentValue::Uint(value) => value.to_string(),
        ComponentValue::Sint(value) => value.to_string(),
        ComponentValue::Float(value) => {
            let single = value as f32;
            if f64::from(single) == value || value.is_nan() {
                let magnitude = single.abs();
                if single != 0.0 && single.is_finite() && !(1e-5..1e9).contains(&magnitude) {
                    format!("{single:e}")
                } else {
                    format!("{single}")
                }
            } else {
                format!("{value}")
            }
        }
    }
}
