//! TYPE_BLOCK.

use super::abbrevs::bits_for;
use crate::bitcode::abbrev::AbbrevOp::{self, Array, Literal, Scalar};
use crate::bitcode::abbrev::ScalarEncoding::{Char6, Fixed, Vbr};
use crate::bitcode::bit_writer::{BitWriter, bytes_of};
use crate::bitcode::block_ids::TYPE_BLOCK;
use crate::bitcode::types as code;
use crate::error::{Error, Result};
use crate::ir::{Type, TypeId, TypeTable};

/// Ids of the block's abbreviations.
const POINTER_ABBREV: u64 = 4;
const FUNCTION_ABBREV: u64 = 5;
const ANON_ABBREV: u64 = 6;
const NAME_ABBREV: u64 = 7;
const NAMED_ABBREV: u64 = 8;
const ARRAY_ABBREV: u64 = 9;

struct Abbrevs {
    pointer: [AbbrevOp; 3],
    function: [AbbrevOp; 3],
    anon: [AbbrevOp; 3],
    name: [AbbrevOp; 2],
    named: [AbbrevOp; 3],
    array: [AbbrevOp; 3],
}

/// Writes the table.
pub(super) fn write(out: &mut BitWriter, types: &TypeTable) -> Result<()> {
    let bits = bits_for(types.len() as u64 + 1).max(1);
    let listed = |code: u32| [Literal(code), Scalar(Fixed(1)), Array(Fixed(bits))];
    let abbrevs = Abbrevs {
        pointer: [Literal(code::POINTER), Scalar(Fixed(bits)), Literal(0)],
        function: listed(code::FUNCTION),
        anon: listed(code::STRUCT_ANON),
        name: [Literal(code::STRUCT_NAME), Array(Char6)],
        named: listed(code::STRUCT_NAMED),
        array: [Literal(code::ARRAY), Scalar(Vbr(8)), Scalar(Fixed(bits))],
    };
    out.enter(TYPE_BLOCK, 4);
    out.define(&abbrevs.pointer);
    out.define(&abbrevs.function);
    out.define(&abbrevs.anon);
    out.define(&abbrevs.name);
    out.define(&abbrevs.named);
    out.define(&abbrevs.array);
    out.record(code::NUMENTRY, [types.len() as u64]);
    for ty in types.types.values() {
        write_type(out, &abbrevs, ty)?;
    }
    out.leave();
    Ok(())
}

fn number(ty: TypeId) -> u64 {
    u64::from(ty.as_u32())
}

fn write_type(out: &mut BitWriter, abbrevs: &Abbrevs, ty: &Type) -> Result<()> {
    let with_list = |first: bool, list: &[TypeId]| -> Vec<u64> {
        let list = list.iter().map(|ty| number(*ty));
        std::iter::once(u64::from(first)).chain(list).collect()
    };
    match ty {
        Type::Void => out.record(code::VOID, []),
        Type::Half => out.record(code::HALF, []),
        Type::Float => out.record(code::FLOAT, []),
        Type::Double => out.record(code::DOUBLE, []),
        Type::Label => out.record(code::LABEL, []),
        Type::Metadata => out.record(code::METADATA, []),
        Type::Int(bits) => out.record(code::INTEGER, [u64::from(*bits)]),
        Type::Pointer {
            pointee,
            address_space,
        } => {
            let record = [number(*pointee), u64::from(*address_space)];
            out.abbreviated(POINTER_ABBREV, &abbrevs.pointer, code::POINTER, &record);
        }
        Type::Array { element, count } => {
            let record = [*count, number(*element)];
            out.abbreviated(ARRAY_ABBREV, &abbrevs.array, code::ARRAY, &record);
        }
        Type::Vector { element, count } => {
            out.record(code::VECTOR, [u64::from(*count), number(*element)]);
        }
        Type::Struct {
            name: None,
            fields,
            packed,
            ..
        } => {
            let record = with_list(*packed, fields);
            out.abbreviated(ANON_ABBREV, &abbrevs.anon, code::STRUCT_ANON, &record);
        }
        Type::Struct {
            name: Some(name),
            fields,
            packed,
            opaque,
        } => {
            // The name is a record of its own; a structure without one has none.
            if !name.is_empty() {
                let name = bytes_of(name);
                out.abbreviated(NAME_ABBREV, &abbrevs.name, code::STRUCT_NAME, &name);
            }
            let record = with_list(*packed, fields);
            if *opaque {
                out.record(code::OPAQUE, record);
            } else {
                out.abbreviated(NAMED_ABBREV, &abbrevs.named, code::STRUCT_NAMED, &record);
            }
        }
        Type::Function {
            ret,
            params,
            vararg,
        } => {
            let list: Vec<TypeId> = std::iter::once(*ret)
                .chain(params.iter().copied())
                .collect();
            let record = with_list(*vararg, &list);
            out.abbreviated(FUNCTION_ABBREV, &abbrevs.function, code::FUNCTION, &record);
        }
        Type::Other(name) => match code::other_code(name) {
            Some(code) => out.record(code, []),
            None => return Err(Error::unsupported(format!("writing the type {name}"))),
        },
    }
    Ok(())
}
