//! CONSTANTS blocks, of the module and of functions.
//!
//! Each record defines the next value. Operands are absolute value numbers and may lie ahead;
//! [`super::verify`] checks them when the table is complete.

use super::codes;
use super::stream::{Record, Stream};
use super::types::TypeDecoder;
use crate::error::{ErrorKind, Result};
use crate::ir::{
    CmpPredicate, Constant, ConstantExpr, List, Type, TypeId, ValueData, ValueDef, ValueId,
};

pub(super) const SETTYPE: u32 = 1;
pub(super) const NULL: u32 = 2;
pub(super) const UNDEF: u32 = 3;
pub(super) const INTEGER: u32 = 4;
pub(super) const WIDE_INTEGER: u32 = 5;
pub(super) const FLOAT: u32 = 6;
pub(super) const AGGREGATE: u32 = 7;
pub(super) const STRING: u32 = 8;
pub(super) const CSTRING: u32 = 9;
pub(super) const CE_BINOP: u32 = 10;
pub(super) const CE_CAST: u32 = 11;
pub(super) const CE_GEP: u32 = 12;
pub(super) const CE_SELECT: u32 = 13;
pub(super) const CE_CMP: u32 = 17;
pub(super) const CE_INBOUNDS_GEP: u32 = 20;
pub(super) const DATA: u32 = 22;

/// The destination of constants: the tables of the module or of a function.
pub(super) struct ConstantTables<'a> {
    pub(super) values: &'a mut Vec<ValueData>,
    pub(super) value_pool: &'a mut Vec<ValueId>,
    pub(super) number_pool: &'a mut Vec<u64>,
}

/// Decodes the block that was just entered.
pub(super) fn decode(
    stream: &mut Stream<'_>,
    types: &TypeDecoder,
    tables: &mut ConstantTables<'_>,
) -> Result<()> {
    let mut ty = None;
    while let Some(code) = stream.next_record()? {
        let record = stream.record();
        if code == SETTYPE {
            let id = types.by_number(record.get(0, "constant's type")?, &record)?;
            // Checked once per SETTYPE instead of once per constant.
            check_type(types, id, &record)?;
            ty = Some(id);
            continue;
        }
        let Some(ty) = ty else {
            return Err(record.malformed("a constant comes before its type"));
        };
        let constant = decode_constant(code, &record, ty, types, tables)?;
        tables.values.push(ValueData {
            ty,
            def: ValueDef::Constant(constant),
        });
    }
    Ok(())
}

/// Checks that there can be constants of that type.
fn check_type(types: &TypeDecoder, id: TypeId, record: &Record<'_>) -> Result<()> {
    match types.get(types.table.scalar_of(id)) {
        Type::Void | Type::Function { .. } | Type::Label => {
            Err(record.malformed("constants of a type that has no values"))
        }
        // LLVM lets `undef` and `null` of these pass, so they matter only where they are used.
        Type::Metadata => Ok(()),
        Type::Other(name) => {
            Err(record.err(ErrorKind::Unsupported(format!("a constant of type {name}"))))
        }
        Type::Half
        | Type::Float
        | Type::Double
        | Type::Int(_)
        | Type::Pointer { .. }
        | Type::Array { .. }
        | Type::Vector { .. }
        | Type::Struct { .. } => Ok(()),
    }
}

fn decode_constant(
    code: u32,
    record: &Record<'_>,
    ty: TypeId,
    types: &TypeDecoder,
    tables: &mut ConstantTables<'_>,
) -> Result<Constant> {
    let value = |index: usize| -> Result<ValueId> {
        value_id(record.u32(index, "constant's operand")?, record)
    };
    Ok(match code {
        NULL => Constant::Null,
        UNDEF => Constant::Undef,
        // LLVM Bitcode File Format, "Signed VBRs": integer constants keep their sign in the lowest
        // bit.
        INTEGER => match *types.get(ty) {
            Type::Int(bits) => Constant::Int(truncate(
                codes::unrotate_sign(record.get(0, "integer constant")?),
                u32::from(bits),
            )),
            _ => return Err(record.malformed("an integer constant has no integer type")),
        },
        FLOAT => match (types.table.is_float(ty), types.table.scalar_bits(ty)) {
            (true, Some(bits)) => {
                Constant::Float(truncate(record.get(0, "floating-point constant")?, bits))
            }
            _ => return Err(record.malformed("a floating-point constant has no such type")),
        },
        AGGREGATE => {
            let start = tables.value_pool.len();
            for index in 0..record.ops.len() {
                tables.value_pool.push(value(index)?);
            }
            Constant::Aggregate(list(start, tables.value_pool.len(), record)?)
        }
        STRING | CSTRING | DATA => {
            let bits = match *types.get(ty) {
                Type::Array { element, .. } | Type::Vector { element, .. } => {
                    types.table.scalar_bits(element)
                }
                _ => None,
            };
            let Some(bits) = bits else {
                return Err(record.malformed("constant data has no type of scalars in a row"));
            };
            let start = tables.number_pool.len();
            tables
                .number_pool
                .extend(record.ops.iter().map(|number| truncate(*number, bits)));
            // The record leaves the terminating zero out; the array type counts it.
            if code == CSTRING {
                tables.number_pool.push(0);
            }
            Constant::Data(list(start, tables.number_pool.len(), record)?)
        }
        CE_BINOP => {
            let is_float = types.table.is_float(types.table.scalar_of(ty));
            let op = codes::binary_op(record.get(0, "constant arithmetic")?, is_float)
                .ok_or_else(|| record.malformed("unknown arithmetic in a constant"))?;
            Constant::Expr(ConstantExpr::Binary {
                op,
                lhs: value(1)?,
                rhs: value(2)?,
            })
        }
        // The operand's type (field 1) is redundant: the operand knows it, and `verify` compares
        // it.
        CE_CAST => {
            let op = codes::cast_op(record.get(0, "constant cast")?)
                .ok_or_else(|| record.malformed("unknown cast in a constant"))?;
            Constant::Expr(ConstantExpr::Cast {
                op,
                value: value(2)?,
            })
        }
        CE_GEP | CE_INBOUNDS_GEP => {
            // With an odd number of fields, the first is the type that the base points to.
            let mut at = record.ops.len() % 2;
            let start = tables.value_pool.len();
            while at < record.ops.len() {
                tables.value_pool.push(value(at + 1)?);
                at += 2;
            }
            Constant::Expr(ConstantExpr::Gep {
                inbounds: code == CE_INBOUNDS_GEP,
                operands: list(start, tables.value_pool.len(), record)?,
            })
        }
        CE_SELECT => Constant::Expr(ConstantExpr::Select {
            condition: value(0)?,
            if_true: value(1)?,
            if_false: value(2)?,
        }),
        CE_CMP => Constant::Expr(ConstantExpr::Cmp {
            predicate: predicate(record, 3)?,
            lhs: value(1)?,
            rhs: value(2)?,
        }),
        WIDE_INTEGER => return Err(record.unsupported("an integer of more than 64 bits")),
        _ => {
            return Err(record.err(ErrorKind::Unsupported(format!(
                "constant record {code} (vector element expressions, inline assembly and block \
                 addresses are not part of DXIL)"
            ))));
        }
    })
}

/// Returns the comparison that a field names.
pub(super) fn predicate(record: &Record<'_>, index: usize) -> Result<CmpPredicate> {
    codes::predicate(record.get(index, "comparison")?)
        .ok_or_else(|| record.malformed("unknown comparison"))
}

fn truncate(value: u64, bits: u32) -> u64 {
    if bits >= 64 {
        value
    } else {
        // The IR keeps integers zero-extended, so that equal constants are equal numbers; the file
        // sign-extends them.
        value & ((1 << bits) - 1)
    }
}

/// Returns the list `start..end` of a pool.
pub(super) fn list<T>(start: usize, end: usize, record: &Record<'_>) -> Result<List<T>> {
    match (u32::try_from(start), u32::try_from(end)) {
        (Ok(start), Ok(end)) => Ok(List::new(start, end.saturating_sub(start))),
        _ => Err(record.err(ErrorKind::Limit {
            what: "size of an operand pool",
            value: end as u64,
            limit: u64::from(u32::MAX),
        })),
    }
}

/// Returns a value number of the file; whether it resolves is checked when the tables are complete.
#[inline]
pub(super) fn value_id(number: u32, record: &Record<'_>) -> Result<ValueId> {
    if number == u32::MAX {
        return Err(record.malformed("a value number is out of range"));
    }
    Ok(ValueId::from_u32(number))
}
