//! RDEF: constant buffers with their variables, and resource bindings.

use dxil_frontend::container::ResourceDefinitions;
use dxil_frontend::container::rdef::{
    BufferDefinition, ResourceBindingDefinition, VariableDefinition,
};
use serde_json::{Value, json};

use crate::describe::{Fields, list};

/// Returns the contents of the part.
pub(crate) fn section(found: &ResourceDefinitions<'_>) -> Value {
    let (major, minor) = found.version;
    json!({
        "shader_model": format!("{major}.{minor}"),
        "creator": found.creator,
        "flags": found.flags,
        "buffers": list(&found.buffers, buffer),
        "bindings": list(&found.bindings, binding),
    })
}

fn buffer(buffer: &BufferDefinition<'_>) -> Value {
    let kind = match buffer.kind {
        0 => "cbuffer",
        1 => "tbuffer",
        2 => "interface pointers",
        _ => "resource element",
    };
    json!({
        "name": buffer.name,
        "kind": kind,
        "bytes": buffer.bytes,
        "variables": list(&buffer.variables, |one| variable(one, true)),
    })
}

fn variable(variable: &VariableDefinition<'_>, is_of_buffer: bool) -> Value {
    let mut fields = Fields::default();
    let ty = match variable.elements {
        0 => variable.ty.clone(),
        elements => format!("{}[{elements}]", variable.ty),
    };
    fields
        .set("name", variable.name)
        .set("type", ty)
        .set("offset", variable.offset);
    if is_of_buffer {
        fields
            .set("bytes", variable.bytes)
            .set("is_used", variable.is_used);
    }
    if !variable.members.is_empty() {
        fields.set(
            "members",
            list(&variable.members, |member| self::variable(member, false)),
        );
    }
    fields.finish()
}

fn binding(binding: &ResourceBindingDefinition<'_>) -> Value {
    let count = match binding.count {
        0 => json!("unbounded"),
        count => json!(count),
    };
    json!({
        "name": binding.name,
        "kind": binding.kind_name(),
        "dimension": dimension(binding.dimension),
        "register": format!("{}{}", binding.letter(), binding.register),
        "space": binding.space,
        "count": count,
    })
}

/// Returns the name of a `D3D_SRV_DIMENSION` in the listings of fxc.
fn dimension(number: u32) -> &'static str {
    match number {
        1 | 11 => "buf",
        2 => "1d",
        3 => "1darray",
        4 => "2d",
        5 => "2darray",
        6 => "2dMS",
        7 => "2darrayMS",
        8 => "3d",
        9 => "cube",
        10 => "cubearray",
        _ => "NA",
    }
}
