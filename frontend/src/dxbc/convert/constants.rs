//! Constant buffers and the immediate constant buffer.

use super::body::InsertPoint;
use super::context::{FunctionConverter, LoadedRow};
use super::index_value::IndexValue;
use super::ssa::Def;
use crate::dxbc::tokens::Operand;
use crate::dxil::ops::Opcode as Op;
use crate::error::{Error, Result};
use crate::ir::{BinaryOp, Inst, ValueId};

/// Returns a component of a constant buffer's register.
pub(super) fn load_row(
    c: &mut FunctionConverter<'_, '_>,
    handle: ValueId,
    register: ValueId,
    component: u8,
    wants_float: bool,
) -> Result<Def> {
    let ty = c.scalar(wants_float);
    let key = (handle, register, wants_float);
    let known = c.constant_rows.get(&key).copied();
    let mut row = match known.filter(|known| c.is_dominated_by(known.region)) {
        Some(known) => known,
        None => {
            let ret = c.shared.module.constant_result(ty);
            let value = c.call(Op::CBufferLoadLegacy, Some(ty), ret, &[handle, register])?;
            LoadedRow {
                value,
                region: c.region(),
                components: [None; 4],
            }
        }
    };
    // One load serves all components that this code and the code that it dominates read of a
    // register: constant buffers do not change while a shader runs. Components are taken apart
    // where the row is loaded, so that no structure is handed on from block to block.
    let place = usize::from(component);
    let value = match row.components.get(place).copied().flatten() {
        Some(known) => known,
        None => {
            let behind = InsertPoint::Behind(row.value);
            c.member_at(behind, row.value, u32::from(component), ty)?
        }
    };
    if let Some(known) = row.components.get_mut(place) {
        *known = Some(value);
    }
    c.constant_rows.insert(key, row);
    Ok(c.def(value, wants_float))
}

/// Returns a component of the immediate constant buffer; beyond its end it is 0.
pub(super) fn load_immediate(
    c: &mut FunctionConverter<'_, '_>,
    operand: &Operand,
    component: u8,
) -> Result<Def> {
    let rows = &c.program.constants;
    let position = usize::from(operand.dimensions.saturating_sub(1)).min(2);
    let index = operand.indices.get(position).copied().unwrap_or_default();
    let index = match c.index(index)? {
        IndexValue::Known(known) => {
            let row = rows.get(known as usize);
            let word = row.and_then(|row| row.get(usize::from(component)));
            return Ok(Def::Bits(word.copied().unwrap_or(0)));
        }
        IndexValue::Value(value) => value,
    };
    let count = u32::try_from(rows.len())
        .ok()
        // D3D11.3 functional specification, 7.5.1, allows 4096 registers. The limit is far higher,
        // since larger ones are harmless, and only keeps the array's size within 32 bits.
        .filter(|&count| count < 1 << 24)
        .ok_or_else(|| Error::unsupported("an immediate constant buffer of that size"))?;
    let known = c.shared.constants;
    let rows = rows.iter().copied();
    let (variable, def) = load_table(c, (known, "icb"), rows, count, index, component)?;
    c.shared.constants = Some(variable);
    Ok(def)
}

/// Returns the variable that holds rows of constants, which is made unless it is `known`, and a
/// component of one of its rows; beyond its end it is 0.
pub(super) fn load_table(
    c: &mut FunctionConverter<'_, '_>,
    (known, name): (Option<ValueId>, &str),
    rows: impl Iterator<Item = [u32; 4]>,
    count: u32,
    index: ValueId,
    component: u8,
) -> Result<(ValueId, Def)> {
    let int = c.i32();
    let array = c.shared.module.array(int, (count + 1) * 4);
    let variable = match known {
        Some(known) => known,
        None => {
            // D3D11.3 functional specification, 7.5.1: it reads as a constant buffer does, so
            // beyond its end it is 0. The row after the last holds these zeros.
            let words = rows.flatten().chain([0; 4]);
            let data = c.shared.module.words(array, words)?;
            c.shared.module.global(name.into(), array, 0, Some(data))
        }
    };
    let row = clamped(c, index, count)?;
    let pointer = element(c, variable, 0, row, component)?;
    let inst = Inst::Load {
        pointer,
        align: 4,
        volatile: false,
    };
    Ok((variable, Def::Int(c.emit(inst, int))))
}

/// Returns an index, or `count` where it is beyond.
pub(super) fn clamped(
    c: &mut FunctionConverter<'_, '_>,
    index: ValueId,
    count: u32,
) -> Result<ValueId> {
    let ty = c.i32();
    let limit = c.int(count);
    c.pure_call(Op::UMin, ty, index, Some(limit))
}

/// Returns the address of a row's component in an array of words.
pub(super) fn element(
    c: &mut FunctionConverter<'_, '_>,
    variable: ValueId,
    address_space: u32,
    row: ValueId,
    component: u8,
) -> Result<ValueId> {
    let ty = c.i32();
    let four = c.int(4);
    let mut at = c.binary(BinaryOp::Mul, ty, row, four);
    if component != 0 {
        let component = c.int(u32::from(component));
        at = c.binary(BinaryOp::Add, ty, at, component);
    }
    word(c, variable, address_space, at)
}

/// Returns the address of a word of an array.
pub(super) fn word(
    c: &mut FunctionConverter<'_, '_>,
    variable: ValueId,
    address_space: u32,
    at: ValueId,
) -> Result<ValueId> {
    let ty = c.i32();
    let pointer = c.shared.module.pointer(ty, address_space);
    let zero = c.int(0);
    let operands = c.body.list(&[variable, zero, at])?;
    Ok(c.emit(
        Inst::Gep {
            inbounds: true,
            operands,
        },
        pointer,
    ))
}
