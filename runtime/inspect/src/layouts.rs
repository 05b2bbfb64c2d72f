//! Layouts of constant and structured buffers, as text and JSON.

use std::fmt::Write as _;

use dxil_frontend::escape::escaped;
use dxil_frontend::reflection::{Layout, LayoutField, LayoutType, ReflectedResource, Reflection};
use serde_json::{Value, json};

use crate::describe::{Fields, list};

/// Returns the known layouts, or `None` if there are none.
pub(crate) fn section(reflection: &Reflection) -> Option<(Value, String)> {
    let known = || {
        let resources = reflection.resources.iter();
        resources.filter_map(|resource| Some((resource, resource.layout.as_ref()?)))
    };
    known().next()?;
    let mut text = String::new();
    for (resource, layout) in known() {
        if !text.is_empty() {
            text.push('\n');
        }
        write_layout(&mut text, resource, layout);
    }
    let value = list(known(), |(resource, layout)| {
        json!({
            "name": resource.name,
            "registers": resource.registers(),
            "bytes": layout.size,
            "fields": list(&layout.fields, field),
        })
    });
    Some((value, text))
}

fn write_layout(out: &mut String, resource: &ReflectedResource, layout: &Layout) {
    let what = if resource.layout_is_of_elements() {
        "bytes an element"
    } else {
        "bytes"
    };
    let name = match resource.name.as_str() {
        "" => String::new(),
        name => format!(" {}", escaped(name)),
    };
    let _ = writeln!(
        out,
        "{}{name}: {} {what}",
        resource.registers(),
        layout.size
    );
    let _ = writeln!(out, "offset  bytes  field");
    for line in layout.to_string().lines() {
        let _ = writeln!(out, "{}", escaped(line));
    }
}

fn field(field: &LayoutField) -> Value {
    let mut fields = Fields::default();
    fields
        .set("name", field.name.as_str())
        .set("type", field.type_name())
        .set("offset", field.offset)
        .set("bytes", field.size);
    if !field.array.is_empty() {
        fields
            .set("array", json!(field.array))
            .set("stride", field.stride);
    }
    fields.set_some("is_used", field.is_used);
    if let LayoutType::Struct { fields: inner, .. } = &field.ty {
        fields.set("fields", list(inner, self::field));
    }
    fields.finish()
}
