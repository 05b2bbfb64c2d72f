//! Temporary registers: `tempRegLoad`, `tempRegStore`, `minPrecXRegLoad`, `minPrecXRegStore`.
//!
//! Converters from older bytecode write these before they make SSA of registers (DXIL document,
//! "TempRegLoad", "TempRegStore"). Registers hold bits and have no type; those of
//! 16 bits and those of 32 are two files. A function sees what its callers stored, so each file is
//! a private array.
//!
//! The indexable registers of minimum precision are memory of 32-bit floats, four to a register; a
//! half is kept as the float of its value, an integer in the float's low bits.

use dxil_frontend::dxil::ops::{
    Op as DxOp, Opcode, RegisterOp, calls, decode, decode_opcode, op_arguments,
};
use dxil_frontend::ir::{FuncView, ValueId};

use crate::lower::context::{Context, Input};
use crate::lower::memory::{accesses, cells};
use crate::lower::numbers::integers;
use crate::lower::type_map::Scalar;
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::{Id, Op, StorageClass};
use crate::{Error, Result};

/// Components of all registers that a shader may have: 4096 registers of four.
const MOST: u64 = 4096 * 4;

/// Lowers `tempRegLoad`.
pub(super) fn load(cx: &mut Context<'_>, call: &Call, index: ValueId) -> Result<LoweredValue> {
    let scalar = types::scalar(cx, call.ty)?;
    let word = cx.b.u32();
    let address = register_address(cx, scalar, index)?;
    let bits = cx.b.load(word, address);
    Ok(LoweredValue::Id(cells::from_bits(cx, scalar, bits, 32)?))
}

/// Lowers `tempRegStore`.
pub(super) fn store(cx: &mut Context<'_>, op: &calls::TempRegStore) -> Result<LoweredValue> {
    let scalar = types::shape_of(cx, op.value)?.scalar;
    let value = cx.id(op.value)?;
    let bits = cells::to_bits(&mut cx.b, scalar, value, 32)?;
    let address = register_address(cx, scalar, op.index)?;
    cx.b.store(address, bits);
    Ok(LoweredValue::Unset)
}

fn register_address(cx: &mut Context<'_>, scalar: Scalar, index: ValueId) -> Result<Id> {
    let word = cx.b.u32();
    // Registers of 16 and of 32 bits with the same number are different registers.
    let file = usize::from(scalar.bits() != 16);
    let (variable, length) = match cx.module.registers.files[file] {
        Some(known) => known,
        None => {
            // The whole module is scanned, since functions share the registers.
            let length = register_count(&cx.input);
            let array = cx.b.array(word, length);
            let pointer = cx.b.pointer(StorageClass::Private, array);
            let variable = cx.b.global_variable(StorageClass::Private, pointer, None);
            cx.module.registers.files[file] = Some((variable, length));
            (variable, length)
        }
    };
    let index = cx
        .function
        .constant_int(index)
        // Register numbers were constants in the bytecode that was converted, and the length of the
        // file follows from them.
        .filter(|&index| index < u64::from(length))
        .ok_or_else(|| Error::unsupported("a temporary register without constant index"))?;
    let at = cx.b.const_u32(index as u32);
    let pointer = cx.b.pointer(StorageClass::Private, word);
    Ok(cx.b.access_chain(pointer, variable, &[at]))
}

/// Returns one more than the maximum index in the module.
fn register_count(input: &Input<'_>) -> u32 {
    let module = &input.shader.module;
    let mut count = 1;
    for function in &module.bodies {
        let view = FuncView { module, function };
        for data in function.insts.values() {
            let Some(args) = op_arguments(view, &input.shader.callees, &data.inst) else {
                continue;
            };
            if !matches!(
                decode_opcode(view, args),
                Ok(Opcode::TempRegLoad | Opcode::TempRegStore)
            ) {
                continue;
            }
            let index = match decode(view, args) {
                Ok(DxOp::Register(RegisterOp::TempRegLoad(op))) => op.index,
                Ok(DxOp::Register(RegisterOp::TempRegStore(op))) => op.index,
                _ => continue,
            };
            let end = view.constant_int(index).map_or(0, |n| n.saturating_add(1));
            // The maximum protects from huge arrays in damaged files.
            count = count.max(end.min(MOST) as u32);
        }
    }
    count
}

/// Lowers `minPrecXRegLoad`.
pub(super) fn load_indexable(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::MinPrecXRegLoad,
) -> Result<LoweredValue> {
    let scalar = types::scalar(cx, call.ty)?;
    let at = indexable_offset(cx, op.index, op.component)?;
    let float = accesses::load_float_behind(cx, op.register, at)?;
    let ty = types::scalar_ty(cx, scalar)?;
    Ok(LoweredValue::Id(match scalar {
        Scalar::Float { width: 16, .. } => cx.b.emit(Op::FConvert, ty, &[float]),
        Scalar::Float { .. } => float,
        _ => {
            let word = cx.b.u32();
            let bits = cx.b.bitcast(word, float);
            cells::from_bits(cx, scalar, bits, 32)?
        }
    }))
}

/// Lowers `minPrecXRegStore`.
pub(super) fn store_indexable(
    cx: &mut Context<'_>,
    op: &calls::MinPrecXRegStore,
) -> Result<LoweredValue> {
    let scalar = types::shape_of(cx, op.value)?.scalar;
    let value = cx.id(op.value)?;
    let ty = cx.b.f32();
    let float = match scalar {
        Scalar::Float { width: 16, .. } => cx.b.emit(Op::FConvert, ty, &[value]),
        Scalar::Float { .. } => value,
        _ => {
            let bits = cells::to_bits(&mut cx.b, scalar, value, 32)?;
            let bits = match scalar.bits() {
                // The upper bits of a widened integer are undefined; the register keeps the low
                // ones.
                16 => cx.b.u32_and(bits, 0xffff),
                _ => bits,
            };
            cx.b.bitcast(ty, bits)
        }
    };
    let at = indexable_offset(cx, op.index, op.component)?;
    accesses::store_float_behind(cx, op.register, at, float)?;
    Ok(LoweredValue::Unset)
}

/// Returns the offset of a component of a register in floats.
fn indexable_offset(cx: &mut Context<'_>, index: ValueId, component: u8) -> Result<Id> {
    if component > 3 {
        return Err(Error::malformed("a register has four components"));
    }
    let index = integers::to_u32(cx, index)?;
    let first = cx.b.u32_mul(index, 4);
    let component = cx.b.const_u32(component.into());
    Ok(cx.b.u32_add(first, component))
}
