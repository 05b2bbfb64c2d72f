//! CONSTANTS blocks.

use super::abbrevs::{ConstantAbbrevs, bits_for, type_bits};
use super::numbers::{LocalNumbers, Numbers, dangling};
use crate::bitcode::abbrev::AbbrevOp::{self, Array, Literal};
use crate::bitcode::abbrev::ScalarEncoding::{Char6, Fixed};
use crate::bitcode::bit_writer::{BitWriter, char6, rotate_sign};
use crate::bitcode::block_ids::CONSTANTS_BLOCK;
use crate::bitcode::codes;
use crate::bitcode::constants as code;
use crate::error::{Error, Result};
use crate::ir::{
    Constant, ConstantExpr, FuncView, Function, List, Module, Type, TypeId, ValueData, ValueDef,
    ValueId,
};

/// The tables that the constants of a block refer to.
struct Tables<'a> {
    module: &'a Module,
    value_pool: &'a [ValueId],
    number_pool: &'a [u64],
    /// Type and number of a value.
    value: &'a dyn Fn(ValueId) -> Result<(TypeId, u64)>,
}

/// The abbreviations that the module's own block defines.
struct ModuleAbbrevs {
    aggregate: [AbbrevOp; 2],
    string: [AbbrevOp; 2],
    cstring_7: [AbbrevOp; 2],
    cstring_6: [AbbrevOp; 2],
}

impl ModuleAbbrevs {
    const AGGREGATE: u64 = ConstantAbbrevs::FIRST_OWN;
    const STRING: u64 = ConstantAbbrevs::FIRST_OWN + 1;
    const CSTRING_7: u64 = ConstantAbbrevs::FIRST_OWN + 2;
    const CSTRING_6: u64 = ConstantAbbrevs::FIRST_OWN + 3;

    fn new(value_count: u32) -> Self {
        let bits = bits_for(u64::from(value_count) + 1).max(1);
        ModuleAbbrevs {
            aggregate: [Literal(code::AGGREGATE), Array(Fixed(bits))],
            string: [Literal(code::STRING), Array(Fixed(8))],
            cstring_7: [Literal(code::CSTRING), Array(Fixed(7))],
            cstring_6: [Literal(code::CSTRING), Array(Char6)],
        }
    }
}

/// Writes the module's constants.
pub(super) fn write_module(out: &mut BitWriter, module: &Module, numbers: &Numbers) -> Result<()> {
    let value = |id: ValueId| -> Result<(TypeId, u64)> {
        let number = numbers.module_value(id)?;
        let data = module.values.get(id.as_u32() as usize);
        Ok((
            data.ok_or_else(|| dangling("a value"))?.ty,
            u64::from(number),
        ))
    };
    let tables = Tables {
        module,
        value_pool: &module.value_pool,
        number_pool: &module.number_pool,
        value: &value,
    };
    let own = ModuleAbbrevs::new(numbers.value_count);
    write(out, &tables, &module.values, Some(&own))
}

/// Writes the constants of a function.
pub(super) fn write_function(
    out: &mut BitWriter,
    module: &Module,
    function: &Function,
    numbers: &LocalNumbers<'_>,
) -> Result<()> {
    let view = FuncView { module, function };
    let value = |id: ValueId| -> Result<(TypeId, u64)> {
        let number = numbers.value(id)?;
        let ty = view.type_of(id).ok_or_else(|| dangling("a value"))?;
        Ok((ty, u64::from(number)))
    };
    let tables = Tables {
        module,
        value_pool: &function.value_pool,
        number_pool: &function.number_pool,
        value: &value,
    };
    write(out, &tables, &function.values, None)
}

/// Writes the constants among `values`; no block where there are none.
fn write(
    out: &mut BitWriter,
    tables: &Tables<'_>,
    values: &[ValueData],
    own: Option<&ModuleAbbrevs>,
) -> Result<()> {
    let is_constant = |data: &&ValueData| matches!(data.def, ValueDef::Constant(_));
    let mut constants = values.iter().filter(is_constant).peekable();
    if constants.peek().is_none() {
        return Ok(());
    }
    let abbrevs = ConstantAbbrevs::new(type_bits(tables.module));
    out.enter(CONSTANTS_BLOCK, 4);
    if let Some(own) = own {
        out.define(&own.aggregate);
        out.define(&own.string);
        out.define(&own.cstring_7);
        out.define(&own.cstring_6);
    }
    let mut last_type = None;
    for data in constants {
        let ValueDef::Constant(constant) = data.def else {
            continue;
        };
        if last_type != Some(data.ty) {
            let record = [u64::from(data.ty.as_u32())];
            let id = ConstantAbbrevs::SET_TYPE;
            out.abbreviated(id, &abbrevs.set_type, code::SETTYPE, &record);
            last_type = Some(data.ty);
        }
        write_constant(out, tables, &abbrevs, own, data.ty, constant)?;
    }
    out.leave();
    Ok(())
}

impl Tables<'_> {
    fn number(&self, id: ValueId) -> Result<u64> {
        (self.value)(id).map(|(_, number)| number)
    }

    fn type_number(&self, id: ValueId) -> Result<u64> {
        (self.value)(id).map(|(ty, _)| u64::from(ty.as_u32()))
    }

    fn values(&self, list: List<ValueId>) -> Result<&[ValueId]> {
        let values = self.value_pool.get(list.range());
        values.ok_or_else(|| dangling("a list of values"))
    }
}

fn write_constant(
    out: &mut BitWriter,
    tables: &Tables<'_>,
    abbrevs: &ConstantAbbrevs,
    own: Option<&ModuleAbbrevs>,
    ty: TypeId,
    constant: Constant,
) -> Result<()> {
    let types = &tables.module.types;
    match constant {
        Constant::Null => out.record(code::NULL, []),
        Constant::Undef => out.record(code::UNDEF, []),
        Constant::Int(bits) => {
            let Type::Int(width) = *types.get(ty) else {
                return Err(Error::malformed("an integer constant has no integer type"));
            };
            let shift = 64 - u32::from(width.min(64));
            // Integers are zero-extended in the IR and sign-extended in the file.
            let record = [rotate_sign(((bits << shift) as i64) >> shift)];
            out.abbreviated(
                ConstantAbbrevs::INTEGER,
                &abbrevs.integer,
                code::INTEGER,
                &record,
            );
        }
        Constant::Float(bits) => out.record(code::FLOAT, [bits]),
        Constant::Aggregate(list) => {
            let elements = tables.values(list)?.iter().map(|id| tables.number(*id));
            let record = elements.collect::<Result<Vec<u64>>>()?;
            match own {
                Some(own) => out.abbreviated(
                    ModuleAbbrevs::AGGREGATE,
                    &own.aggregate,
                    code::AGGREGATE,
                    &record,
                ),
                None => out.record(code::AGGREGATE, record),
            }
        }
        Constant::Data(list) => {
            let numbers = tables.number_pool.get(list.range());
            let numbers = numbers.ok_or_else(|| dangling("a list of numbers"))?;
            let is_bytes = matches!(*types.get(ty), Type::Array { element, .. }
                if *types.get(element) == Type::Int(8));
            if is_bytes {
                write_bytes(out, own, numbers);
            } else {
                out.record(code::DATA, numbers);
            }
        }
        Constant::Expr(expr) => write_expression(out, tables, abbrevs, expr)?,
    }
    Ok(())
}

/// Writes an array of bytes as text, as LLVM does.
fn write_bytes(out: &mut BitWriter, own: Option<&ModuleAbbrevs>, bytes: &[u64]) {
    let terminated = match bytes.split_last() {
        // The record of a text without other zeros leaves the last one out.
        Some((0, text)) if !text.contains(&0) => Some(text),
        _ => None,
    };
    let (id, ops, code, record) = match (own, terminated) {
        (None, Some(text)) => return out.record(code::CSTRING, text),
        (None, None) => return out.record(code::STRING, bytes),
        (Some(own), None) => (ModuleAbbrevs::STRING, &own.string, code::STRING, bytes),
        (Some(own), Some(text)) => {
            if text.iter().all(|byte| char6(*byte).is_some()) {
                (
                    ModuleAbbrevs::CSTRING_6,
                    &own.cstring_6,
                    code::CSTRING,
                    text,
                )
            } else {
                // Unabbreviated where a byte has eight bits.
                (
                    ModuleAbbrevs::CSTRING_7,
                    &own.cstring_7,
                    code::CSTRING,
                    text,
                )
            }
        }
    };
    out.abbreviated(id, ops, code, record);
}

fn write_expression(
    out: &mut BitWriter,
    tables: &Tables<'_>,
    abbrevs: &ConstantAbbrevs,
    expr: ConstantExpr,
) -> Result<()> {
    match expr {
        ConstantExpr::Gep { inbounds, operands } => {
            let operands = tables.values(operands)?;
            let base = operands.first().ok_or_else(|| dangling("a pointer"))?;
            let pointee = tables.module.types.pointee((tables.value)(*base)?.0);
            let pointee = pointee.ok_or_else(|| {
                Error::malformed("address arithmetic on something other than a pointer")
            })?;
            let mut record = vec![u64::from(pointee.as_u32())];
            for id in operands {
                record.extend([tables.type_number(*id)?, tables.number(*id)?]);
            }
            let code = if inbounds {
                code::CE_INBOUNDS_GEP
            } else {
                code::CE_GEP
            };
            out.record(code, record);
        }
        ConstantExpr::Cast { op, value } => {
            let record = [
                codes::cast_code(op),
                tables.type_number(value)?,
                tables.number(value)?,
            ];
            out.abbreviated(ConstantAbbrevs::CAST, &abbrevs.cast, code::CE_CAST, &record);
        }
        ConstantExpr::Binary { op, lhs, rhs } => {
            let record = [
                codes::binary_code(op),
                tables.number(lhs)?,
                tables.number(rhs)?,
            ];
            out.record(code::CE_BINOP, record);
        }
        ConstantExpr::Cmp {
            predicate,
            lhs,
            rhs,
        } => {
            let record = [
                tables.type_number(lhs)?,
                tables.number(lhs)?,
                tables.number(rhs)?,
                codes::predicate_code(predicate),
            ];
            out.record(code::CE_CMP, record);
        }
        ConstantExpr::Select {
            condition,
            if_true,
            if_false,
        } => {
            let record = [condition, if_true, if_false].map(|id| tables.number(id));
            let [condition, if_true, if_false] = record;
            out.record(code::CE_SELECT, [condition?, if_true?, if_false?]);
        }
    }
    Ok(())
}
