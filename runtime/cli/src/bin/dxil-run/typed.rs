//! Numbers as text or JSON for the fields of constant and structured buffers.

use dxil_frontend::dxil::{ComponentType, ElementScalar};
use dxil_frontend::reflection::{Layout, LayoutField, LayoutType, component_bytes};
use half::f16;
use serde_json::Value;

/// Maximum number of scalars of a layout: those of a constant buffer of 64 KiB.
const MAX_SCALARS: usize = 1 << 14;

/// Writes numbers like `0.1` or `1,2,3` into the field of that path (`wind`, `lights[1].dir.x`), or
/// JSON into a field that is a structure or array.
///
/// # Errors
///
/// Fails where there is no such field, and where the numbers are not those that it takes.
pub(crate) fn write_field(
    layout: &Layout,
    path: &str,
    text: &str,
    bytes: &mut [u8],
) -> Result<(), String> {
    let all = layout.scalars(MAX_SCALARS);
    let is_inside = |scalar: &&ElementScalar| {
        let rest = scalar.path.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let scalars: Vec<&ElementScalar> = all.iter().filter(is_inside).collect();
    let Some(first) = scalars.first() else {
        let names: Vec<&str> = layout.fields.iter().map(|f| f.name.as_str()).collect();
        return Err(format!(
            "there is no field {path}; there are {}",
            names.join(", ")
        ));
    };
    if text.trim_start().starts_with(['{', '[']) {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        // A path into a structure has no layout of its own here, so JSON takes the names of whole
        // fields.
        let found = layout.fields.iter().find(|field| field.name == path);
        let Some(field) = found else {
            return Err("JSON is for whole fields; write numbers with commas".into());
        };
        return write_json_field(field, &value, 0, bytes);
    }
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    if words.len() != scalars.len() {
        return Err(format!(
            "{path} at byte {} takes {} number(s), {} given",
            first.offset,
            scalars.len(),
            words.len()
        ));
    }
    for (scalar, word) in scalars.iter().zip(words) {
        let value = parse(scalar.component, word)
            .ok_or_else(|| format!("`{word}` is no {}", name_of(scalar.component)))?;
        put(bytes, scalar.offset, &value)?;
    }
    Ok(())
}

/// Checks that a field is a `float4x4`.
///
/// # Errors
///
/// There is no such field, or it is none.
pub(crate) fn check_square_matrix(layout: &Layout, path: &str) -> Result<(), String> {
    let field = layout.fields.iter().find(|field| field.name == path);
    let is_matrix = field.is_some_and(|field| {
        let numeric = matches!(
            field.ty,
            LayoutType::Numeric {
                component: ComponentType::F32,
                rows: 4,
                columns: 4,
                ..
            }
        );
        numeric && field.array.is_empty()
    });
    if is_matrix {
        Ok(())
    } else {
        Err(format!(
            "a camera is for a whole float4x4, and {path} is none"
        ))
    }
}

/// Writes a JSON object into the fields of the same names. What the object leaves out stays as it
/// is.
///
/// # Errors
///
/// Fails where a key is not a field, and where a value is not what the field takes.
pub(crate) fn write_object(layout: &Layout, value: &Value, bytes: &mut [u8]) -> Result<(), String> {
    write_struct("", &layout.fields, value, 0, bytes)
}

/// Returns the elements of a JSON array by the layout of an element. Fields that an object leaves
/// out are zero.
///
/// # Errors
///
/// Fails where the value is not an array, and where an element does not fit.
pub(crate) fn elements(layout: &Layout, value: &Value) -> Result<Vec<u8>, String> {
    let Value::Array(items) = value else {
        return Err("give a JSON array with one entry per element".into());
    };
    let stride = layout.size as usize;
    let mut bytes = vec![0; items.len().saturating_mul(stride)];
    for (index, (item, target)) in items
        .iter()
        .zip(bytes.chunks_exact_mut(stride.max(1)))
        .enumerate()
    {
        let written = match layout.fields.as_slice() {
            [only] if only.name.is_empty() => write_json_field(only, item, 0, target),
            fields => write_struct("", fields, item, 0, target),
        };
        written.map_err(|why| format!("element {index}: {why}"))?;
    }
    Ok(bytes)
}

fn write_struct(
    path: &str,
    fields: &[LayoutField],
    value: &Value,
    base: u32,
    bytes: &mut [u8],
) -> Result<(), String> {
    let Value::Object(object) = value else {
        return Err(match path {
            "" => "a structure is a JSON object".to_owned(),
            path => format!("{path} is a structure, which is a JSON object"),
        });
    };
    for (key, value) in object {
        let Some(field) = fields.iter().find(|field| field.name == *key) else {
            let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            return Err(format!(
                "there is no field {key}; there are {}",
                names.join(", ")
            ));
        };
        write_json_field(field, value, base, bytes)?;
    }
    Ok(())
}

fn write_json_field(
    field: &LayoutField,
    value: &Value,
    base: u32,
    bytes: &mut [u8],
) -> Result<(), String> {
    write_dimension(
        field,
        &field.array,
        value,
        base.saturating_add(field.offset),
        bytes,
    )
}

/// Writes an array of the given lengths at `base`, the outermost first; without lengths a single
/// value.
fn write_dimension(
    field: &LayoutField,
    lengths: &[u32],
    value: &Value,
    base: u32,
    bytes: &mut [u8],
) -> Result<(), String> {
    let Some((length, inner)) = lengths.split_first() else {
        return match &field.ty {
            LayoutType::Struct { fields, .. } => {
                write_struct(&field.name, fields, value, base, bytes)
            }
            LayoutType::Numeric { .. } => write_numbers(field, value, base, bytes),
        };
    };
    let items = match value {
        Value::Array(items) if items.len() <= *length as usize => items,
        _ => {
            return Err(format!(
                "{} is an array of {length}; give a JSON array of at most as many",
                field.name
            ));
        }
    };
    // A step over an outer dimension is that over all inner ones.
    let step = inner
        .iter()
        .fold(field.stride, |step, length| step.saturating_mul(*length));
    let mut at = base;
    for item in items {
        write_dimension(field, inner, item, at, bytes)?;
        at = at.saturating_add(step);
    }
    Ok(())
}

/// Writes a scalar, a vector as an array, a matrix as an array of rows or of all numbers row by
/// row.
fn write_numbers(
    field: &LayoutField,
    value: &Value,
    base: u32,
    bytes: &mut [u8],
) -> Result<(), String> {
    let one = LayoutField {
        array: Vec::new(),
        offset: 0,
        stride: 0,
        ..field.clone()
    };
    let layout = Layout {
        size: one.size,
        fields: vec![one],
    };
    let scalars = layout.scalars(64);
    let mut numbers = Vec::new();
    flatten(value, 0, &mut numbers);
    if numbers.len() != scalars.len() {
        return Err(format!(
            "{} is a {}: {} number(s), {} given",
            match field.name.as_str() {
                "" => "the element",
                name => name,
            },
            field.type_name(),
            scalars.len(),
            numbers.len()
        ));
    }
    for (scalar, number) in scalars.iter().zip(numbers) {
        // Numbers that JSON has no form for, such as NaN, are written as strings.
        let text = match number {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let value = parse(scalar.component, &text).ok_or_else(|| {
            format!(
                "{}: `{text}` is no {}",
                field.name,
                name_of(scalar.component)
            )
        })?;
        put(bytes, base.saturating_add(scalar.offset), &value)?;
    }
    Ok(())
}

fn flatten<'a>(value: &'a Value, depth: u32, out: &mut Vec<&'a Value>) {
    match value {
        // Bounded: the nesting comes from the file, and no value here is deeper than a matrix.
        Value::Array(items) if depth < 4 => {
            for item in items {
                flatten(item, depth + 1, out);
            }
        }
        other => out.push(other),
    }
}

fn put(bytes: &mut [u8], offset: u32, value: &[u8]) -> Result<(), String> {
    let start = offset as usize;
    let target = bytes.get_mut(start..start + value.len());
    let target = target.ok_or_else(|| format!("byte {start} lies behind the buffer's end"))?;
    target.copy_from_slice(value);
    Ok(())
}

/// Returns the bytes of a number; `None` for text that is none, or one that does not fit.
fn parse(component: ComponentType, text: &str) -> Option<Vec<u8>> {
    use ComponentType as C;
    let text = match text {
        "true" => "1",
        "false" => "0",
        text => text,
    };
    let hex = |bytes: u32| {
        let number = u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()?;
        // Digits that do not fit the type are an error, and zeros in front of them are not.
        let all = number.to_le_bytes().to_vec();
        let (low, high) = all.split_at(bytes as usize);
        high.iter().all(|byte| *byte == 0).then(|| low.to_vec())
    };
    if text.starts_with("0x") {
        return hex(component_bytes(component));
    }
    Some(match component {
        C::F16 | C::SNormF16 | C::UNormF16 => {
            f16::from_f32(text.parse().ok()?).to_le_bytes().to_vec()
        }
        C::F32 | C::SNormF32 | C::UNormF32 => text.parse::<f32>().ok()?.to_le_bytes().to_vec(),
        C::F64 | C::SNormF64 | C::UNormF64 => text.parse::<f64>().ok()?.to_le_bytes().to_vec(),
        C::I16 => text.parse::<i16>().ok()?.to_le_bytes().to_vec(),
        C::U16 => text.parse::<u16>().ok()?.to_le_bytes().to_vec(),
        C::I32 => text.parse::<i32>().ok()?.to_le_bytes().to_vec(),
        C::I64 => text.parse::<i64>().ok()?.to_le_bytes().to_vec(),
        C::U64 => text.parse::<u64>().ok()?.to_le_bytes().to_vec(),
        C::Invalid | C::I1 | C::U32 | C::PackedS8x32 | C::PackedU8x32 => {
            text.parse::<u32>().ok()?.to_le_bytes().to_vec()
        }
    })
}

fn name_of(component: ComponentType) -> &'static str {
    use ComponentType as C;
    match component {
        C::F16 | C::SNormF16 | C::UNormF16 => "16-bit float",
        C::F32 | C::SNormF32 | C::UNormF32 => "float",
        C::F64 | C::SNormF64 | C::UNormF64 => "double",
        C::I16 => "16-bit integer",
        C::U16 => "unsigned 16-bit integer",
        C::I32 => "integer",
        C::I64 => "64-bit integer",
        C::U64 => "unsigned 64-bit integer",
        C::I1 => "boolean",
        C::Invalid | C::U32 | C::PackedS8x32 | C::PackedU8x32 => "unsigned integer",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, offset: u32, columns: u32, component: ComponentType) -> LayoutField {
        let ty = LayoutType::Numeric {
            component,
            rows: 1,
            columns,
            row_major: true,
            vector_stride: 0,
        };
        LayoutField {
            name: name.to_owned(),
            offset,
            size: ty.size(),
            array: Vec::new(),
            stride: 0,
            ty,
            is_used: None,
        }
    }

    fn layout() -> Layout {
        let mut weights = field("weights", 16, 1, ComponentType::U32);
        weights.array = vec![2];
        weights.stride = 16;
        weights.size = 20;
        Layout {
            size: 36,
            fields: vec![
                field("dt", 0, 1, ComponentType::F32),
                field("wind", 4, 2, ComponentType::F32),
                weights,
            ],
        }
    }

    fn word(bytes: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(*bytes[at..].first_chunk().unwrap())
    }

    #[test]
    fn fields_are_written_where_they_lie() {
        let mut bytes = vec![0xff; 48];
        write_field(&layout(), "wind", "1,-2", &mut bytes).unwrap();
        write_field(&layout(), "weights[1]", "0x10", &mut bytes).unwrap();
        write_field(&layout(), "wind.y", "4", &mut bytes).unwrap();
        assert_eq!(word(&bytes, 0), u32::MAX);
        assert_eq!(word(&bytes, 4), 1f32.to_bits());
        assert_eq!(word(&bytes, 8), 4f32.to_bits());
        assert_eq!(word(&bytes, 32), 16);
        for (path, text, message) in [
            (
                "win",
                "1",
                "there is no field win; there are dt, wind, weights",
            ),
            ("wind", "1", "takes 2 number(s), 1 given"),
            ("weights[1]", "-1", "`-1` is no unsigned integer"),
            ("weights[2]", "1", "there is no field weights[2]"),
        ] {
            let error = write_field(&layout(), path, text, &mut bytes).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn json_objects_name_fields() {
        let mut bytes = vec![0; 48];
        let value = serde_json::json!({ "wind": [1, 2.5], "weights": [7, 8] });
        write_object(&layout(), &value, &mut bytes).unwrap();
        assert_eq!(word(&bytes, 8), 2.5f32.to_bits());
        assert_eq!((word(&bytes, 16), word(&bytes, 32)), (7, 8));
        for (value, message) in [
            (serde_json::json!({ "wnd": 1 }), "there is no field wnd"),
            (
                serde_json::json!({ "wind": 1 }),
                "wind is a float2: 2 number(s), 1 given",
            ),
            (
                serde_json::json!({ "weights": [1, 2, 3] }),
                "weights is an array of 2",
            ),
            (serde_json::json!([1]), "a structure is a JSON object"),
        ] {
            let error = write_object(&layout(), &value, &mut bytes).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        let two = elements(&layout(), &serde_json::json!([{ "dt": 1 }, { "dt": 2 }])).unwrap();
        assert_eq!((two.len(), word(&two, 36)), (72, 2f32.to_bits()));
    }
}
