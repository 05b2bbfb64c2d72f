//! The JSON Schema of pipeline files, generated from the types of the document.
//!
//! `docs/pipeline.schema.json` contains it for editors; a test compares them.

#![expect(
    dead_code,
    reason = "the types only describe the schema; other code reads the values"
)]

use std::borrow::Cow;

use serde_json::{Value, json};

use schemars::{JsonSchema, Schema, SchemaGenerator, schema_for};

use super::buffer::{Buffer, TextureShape};
use super::document::Document;
use super::elements::ElementFormat;
use super::scalar::Scalar;

/// Returns the schema as pretty JSON.
pub fn schema() -> String {
    let mut schema = schema_for!(Document).to_value();
    loosen(&mut schema);
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// Loosens a schema: a YAML string may look like a number or a bool, and an optional key still has
/// a value if it occurs.
fn loosen(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(loosen),
        Value::Object(map) => {
            map.values_mut().for_each(loosen);
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|ty| ty != "null");
            }
            if let Some(Value::Array(any)) = map.get_mut("anyOf") {
                any.retain(|one| one.get("type").is_none_or(|ty| ty != "null"));
            }
            let is = |ty: &Value| ty == "string" || *ty == json!(["string"]);
            let is_text = map.get("type").is_some_and(is);
            if is_text && !map.contains_key("enum") && !map.contains_key("const") {
                map.insert("type".to_owned(), json!(["string", "number", "boolean"]));
            }
        }
        _ => {}
    }
}

/// Contents of a buffer, or of each element of an array of buffers.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Contents {
    One(Vec<Scalar>),
    Many(Vec<Vec<Scalar>>),
}

/// The keys of a buffer.
#[derive(JsonSchema)]
#[schemars(rename_all = "PascalCase", deny_unknown_fields)]
struct BufferKeys {
    /// Name that resources and results refer to.
    name: String,
    /// Format of an element.
    format: ElementFormat,
    /// Channels of an element of a texture or typed buffer; default: 1.
    channels: Option<u32>,
    /// Stride of a structured buffer in bytes.
    stride: Option<u32>,
    /// Number of buffers of an array; the key precedes `Data`.
    array_size: Option<u32>,
    /// Contents.
    data: Option<Contents>,
    /// Number of bytes to fill, instead of `Data`.
    fill_size: Option<u64>,
    /// Value to fill with; default: 0.
    fill_value: Option<Scalar>,
    /// Dimensions of a texture.
    output_props: Option<TextureShape>,
}

impl JsonSchema for Buffer {
    fn schema_name() -> Cow<'static, str> {
        "Buffer".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BufferKeys::json_schema(generator)
    }
}
