//! Text of types.

use std::fmt::Write as _;

use super::names::write_name;
use crate::ir::{Type, TypeId, TypeTable};

/// Longest text of a literal type.
const MAX_TEXT: usize = 2048;

/// Writes a type; structures with names by their name.
pub(super) fn write(out: &mut String, types: &TypeTable, id: TypeId) {
    // A literal type may name the same inner type many times at every level, so its text can grow
    // exponentially.
    let end = out.len() + MAX_TEXT;
    write_within(out, types, id, end);
}

/// Writes the fields of a structure.
pub(super) fn write_struct_body(out: &mut String, types: &TypeTable, ty: &Type) {
    // A definition is written once, so it may be long.
    let end = out.len() + MAX_TEXT * 64;
    struct_body(out, types, ty, end);
}

fn struct_body(out: &mut String, types: &TypeTable, ty: &Type, end: usize) {
    let Type::Struct { fields, packed, .. } = ty else {
        return;
    };
    out.push_str(match (packed, fields.is_empty()) {
        (true, true) => "<{",
        (true, false) => "<{ ",
        (false, true) => "{",
        (false, false) => "{ ",
    });
    list(out, types, fields, end);
    out.push_str(match (packed, fields.is_empty()) {
        (true, true) => "}>",
        (true, false) => " }>",
        (false, true) => "}",
        (false, false) => " }",
    });
}

fn list(out: &mut String, types: &TypeTable, ids: &[TypeId], end: usize) {
    for (index, id) in ids.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        if out.len() > end {
            out.push_str("...");
            return;
        }
        write_within(out, types, *id, end);
    }
}

/// Writes a type. The type table bounds the nesting, and thereby this recursion.
fn write_within(out: &mut String, types: &TypeTable, id: TypeId, end: usize) {
    if out.len() > end {
        out.push_str("...");
        return;
    }
    match types.get(id) {
        Type::Void => out.push_str("void"),
        Type::Half => out.push_str("half"),
        Type::Float => out.push_str("float"),
        Type::Double => out.push_str("double"),
        Type::Label => out.push_str("label"),
        Type::Metadata => out.push_str("metadata"),
        Type::Int(bits) => {
            let _ = write!(out, "i{bits}");
        }
        Type::Pointer {
            pointee,
            address_space,
        } => {
            write_within(out, types, *pointee, end);
            if *address_space != 0 {
                let _ = write!(out, " addrspace({address_space})");
            }
            out.push('*');
        }
        Type::Array { element, count } => {
            let _ = write!(out, "[{count} x ");
            write_within(out, types, *element, end);
            out.push(']');
        }
        Type::Vector { element, count } => {
            let _ = write!(out, "<{count} x ");
            write_within(out, types, *element, end);
            out.push('>');
        }
        ty @ Type::Struct { name, .. } => match name {
            // LLVM's writer prints such types as `%0`, `%1`; the id keeps them apart here.
            Some(name) if name.is_empty() => {
                let _ = write!(out, "%\"type {}\"", id.as_u32());
            }
            Some(name) => write_name(out, '%', name),
            None => struct_body(out, types, ty, end),
        },
        Type::Function {
            ret,
            params,
            vararg,
        } => {
            write_within(out, types, *ret, end);
            out.push_str(" (");
            list(out, types, params, end);
            if *vararg {
                out.push_str(if params.is_empty() { "..." } else { ", ..." });
            }
            out.push(')');
        }
        Type::Other(name) => out.push_str(name),
    }
}
