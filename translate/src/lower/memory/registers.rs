//! Temporary registers: `tempRegLoad`, `tempRegStore`, `minPrecXRegLoad`, `minPrecXRegStore`.
//!
//! Converters from older bytecode write these before they make SSA of registers (DXIL document, "Temporary,
//! indexable, input, output registers"). Registers keep bits and have no type; those of 16 bits and those of
//! 32 are two files. A function sees what its callers stored, so each file is a private array.
//!
//! The indexable registers of minimum precision are memory of 32-bit floats, four to a register; a half is
//! kept as the float of its value, an integer in the float's low bits.

use dxil_frontend::dxil::ops::{Op as DxOp, Opcode, calls, decode, decode_opcode, op_arguments};
use dxil_frontend::ir::{FuncView, ValueId};

use crate::lower::Lowering;
use crate::lower::context::{Call, Value};
use crate::lower::types::Scalar;
use crate::spirv::{Id, Op, StorageClass};
use crate::{Error, Result};

/// Components of all registers that a shader may have: 4096 registers of four.
const MOST: u64 = 4096 * 4;

/// The files of temporary registers in use: variable and its length, for 16 bits and for 32.
#[derive(Debug, Default)]
pub(in crate::lower) struct Registers {
    files: [Option<(Id, u32)>; 2],
}

impl Lowering<'_> {
    /// `tempRegLoad`.
    pub(in crate::lower) fn load_register(&mut self, call: &Call, index: ValueId) -> Result<Value> {
        let scalar = self.scalar(call.ty)?;
        let word = self.b.u32();
        let address = self.register_address(scalar, index)?;
        let bits = self.b.load(word, address);
        Ok(Value::Id(self.from_bits(scalar, bits, 32)?))
    }

    /// `tempRegStore`.
    pub(in crate::lower) fn store_register(&mut self, op: &calls::TempRegStore) -> Result<Value> {
        let scalar = self.shape_of(op.value)?.scalar;
        let value = self.id(op.value)?;
        let bits = self.to_bits(scalar, value, 32)?;
        let address = self.register_address(scalar, op.index)?;
        self.b.store(address, bits);
        Ok(Value::Unset)
    }

    fn register_address(&mut self, scalar: Scalar, index: ValueId) -> Result<Id> {
        let word = self.b.u32();
        let file = usize::from(scalar.bits() != 16);
        let (variable, length) = match self.registers.files[file] {
            Some(known) => known,
            None => {
                let length = self.register_count();
                let array = self.b.array(word, length);
                let pointer = self.b.pointer(StorageClass::Private, array);
                let variable = self.b.global_variable(StorageClass::Private, pointer, None);
                self.registers.files[file] = Some((variable, length));
                (variable, length)
            }
        };
        let index = self
            .constant_int(index)
            .filter(|&index| index < u64::from(length))
            .ok_or_else(|| Error::unsupported("a temporary register without constant index"))?;
        let at = self.b.const_u32(index as u32);
        let pointer = self.b.pointer(StorageClass::Private, word);
        Ok(self.b.access_chain(pointer, variable, &[at]))
    }

    /// One more than the greatest index in the module.
    fn register_count(&self) -> u32 {
        let module = &self.shader.module;
        let mut count = 1;
        for function in &module.bodies {
            let view = FuncView { module, function };
            for data in function.insts.values() {
                let Some(args) = op_arguments(view, &self.shader.callees, &data.inst) else {
                    continue;
                };
                if !matches!(
                    decode_opcode(view, args),
                    Ok(Opcode::TempRegLoad | Opcode::TempRegStore)
                ) {
                    continue;
                }
                let index = match decode(view, args) {
                    Ok(DxOp::TempRegLoad(op)) => op.index,
                    Ok(DxOp::TempRegStore(op)) => op.index,
                    _ => continue,
                };
                let end = view.constant_int(index).map_or(0, |n| n.saturating_add(1));
                count = count.max(end.min(MOST) as u32);
            }
        }
        count
    }

    /// `minPrecXRegLoad`.
    pub(in crate::lower) fn load_indexable_register(
        &mut self,
        call: &Call,
        op: &calls::MinPrecXRegLoad,
    ) -> Result<Value> {
        let scalar = self.scalar(call.ty)?;
        let at = self.indexable_offset(op.index, op.component)?;
        let float = self.load_float_behind(op.register, at)?;
        let ty = self.scalar_ty(scalar)?;
        Ok(Value::Id(match scalar {
            Scalar::Float { width: 16, .. } => self.b.emit(Op::FConvert, ty, &[float]),
            Scalar::Float { .. } => float,
            _ => {
                let word = self.b.u32();
                let bits = self.b.bitcast(word, float);
                self.from_bits(scalar, bits, 32)?
            }
        }))
    }

    /// `minPrecXRegStore`.
    pub(in crate::lower) fn store_indexable_register(
        &mut self,
        op: &calls::MinPrecXRegStore,
    ) -> Result<Value> {
        let scalar = self.shape_of(op.value)?.scalar;
        let value = self.id(op.value)?;
        let ty = self.b.f32();
        let float = match scalar {
            Scalar::Float { width: 16, .. } => self.b.emit(Op::FConvert, ty, &[value]),
            Scalar::Float { .. } => value,
            _ => {
                let bits = self.to_bits(scalar, value, 32)?;
                let bits = match scalar.bits() {
                    16 => self.b.u32_and(bits, 0xffff),
                    _ => bits,
                };
                self.b.bitcast(ty, bits)
            }
        };
        let at = self.indexable_offset(op.index, op.component)?;
        self.store_float_behind(op.register, at, float)?;
        Ok(Value::Unset)
    }

    /// Floats between the memory's begin and a component of a register.
    fn indexable_offset(&mut self, index: ValueId, component: u8) -> Result<Id> {
        if component > 3 {
            return Err(Error::malformed("a register has four components"));
        }
        let index = self.to_u32(index)?;
        let first = self.b.u32_mul(index, 4);
        let component = self.b.const_u32(component.into());
        Ok(self.b.u32_add(first, component))
    }
}
