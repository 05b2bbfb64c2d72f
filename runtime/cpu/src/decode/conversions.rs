//! Conversions of LLVM.

use dxil_frontend::ir::{CastOp, TypeId, ValueId};

use super::code::RegisterSlot;
use super::function::Decoder;
use super::lane_ops::{LaneOp, RegisterKind};
use super::scalar_type::ScalarType;
use crate::error::Result;

impl Decoder<'_, '_> {
    pub(super) fn cast(
        &mut self,
        op: CastOp,
        value: ValueId,
        to: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let slots = self.all(value)?;
        if op == CastOp::Bitcast {
            return self.bit_cast(value, &slots, to);
        }
        let from = self.scalar_of(value)?;
        let to = self.scalar_type(to)?;
        let mut result = Vec::with_capacity(slots.len());
        for slot in slots {
            result.push(self.convert(op, from, to, slot)?);
        }
        Ok(result)
    }

    fn convert(
        &mut self,
        op: CastOp,
        from: ScalarType,
        to: ScalarType,
        slot: RegisterSlot,
    ) -> Result<RegisterSlot> {
        use LaneOp as L;
        let bits = |ty: ScalarType| match ty {
            ScalarType::Int(bits) => bits,
            ScalarType::Pointer => 32,
            ScalarType::Half => 16,
            ScalarType::Float => 32,
            ScalarType::Double => 64,
        };
        let (from_bits, to_bits) = (bits(from), bits(to));
        match op {
            CastOp::Trunc => {
                let low = match slot.kind() {
                    RegisterKind::D => self.lane(L::Low, &[slot])?,
                    RegisterKind::W => slot,
                };
                self.narrow(to_bits, low)
            }
            CastOp::ZExt => match to_bits {
                64 => self.lane(L::ZeroExtend64, &[slot]),
                // Registers hold narrow integers zero-extended already.
                _ => Ok(slot),
            },
            CastOp::SExt => {
                let wide = self.signed(from_bits, slot)?;
                match to_bits {
                    64 => self.lane(L::SignExtend64, &[wide]),
                    _ => self.narrow(to_bits, wide),
                }
            }
            CastOp::FpToUi | CastOp::FpToSi => {
                let signed = op == CastOp::FpToSi;
                let slot = match from {
                    ScalarType::Half => self.lane(L::HalfToFloat, &[slot])?,
                    _ => slot,
                };
                let double = from == ScalarType::Double;
                let op = match (double, signed, to_bits) {
                    (false, false, 64) => L::FloatToU64,
                    (false, true, 64) => L::FloatToS64,
                    (false, false, 16) => L::FloatToU16,
                    (false, true, 16) => L::FloatToS16,
                    (false, false, _) => L::FloatToU32,
                    (false, true, _) => L::FloatToS32,
                    (true, false, 64) => L::DoubleToU64,
                    (true, true, 64) => L::DoubleToS64,
                    (true, false, 16) => L::DoubleToU16,
                    (true, true, 16) => L::DoubleToS16,
                    (true, false, _) => L::DoubleToU32,
                    (true, true, _) => L::DoubleToS32,
                };
                let result = self.lane(op, &[slot])?;
                self.narrow(to_bits, result)
            }
            CastOp::UiToFp | CastOp::SiToFp => {
                let signed = op == CastOp::SiToFp;
                let slot = if signed {
                    self.signed(from_bits, slot)?
                } else {
                    slot
                };
                let op = match (from_bits == 64, signed, to) {
                    (false, false, ScalarType::Half) => L::U32ToHalf,
                    (false, true, ScalarType::Half) => L::S32ToHalf,
                    (true, false, ScalarType::Half) => L::U64ToHalf,
                    (true, true, ScalarType::Half) => L::S64ToHalf,
                    (false, false, ScalarType::Double) => L::U32ToDouble,
                    (false, true, ScalarType::Double) => L::S32ToDouble,
                    (true, false, ScalarType::Double) => L::U64ToDouble,
                    (true, true, ScalarType::Double) => L::S64ToDouble,
                    (false, false, _) => L::U32ToFloat,
                    (false, true, _) => L::S32ToFloat,
                    (true, false, _) => L::U64ToFloat,
                    (true, true, _) => L::S64ToFloat,
                };
                self.lane(op, &[slot])
            }
            CastOp::FpTrunc | CastOp::FpExt => self.convert_float(from, to, slot),
            CastOp::PtrToInt | CastOp::IntToPtr | CastOp::AddrSpaceCast => {
                Err(self.unsupported("a pointer as a number"))
            }
            CastOp::Bitcast => Ok(slot),
        }
    }

    fn convert_float(
        &mut self,
        from: ScalarType,
        to: ScalarType,
        slot: RegisterSlot,
    ) -> Result<RegisterSlot> {
        use LaneOp as L;
        use ScalarType::{Double, Float, Half};
        match (from, to) {
            (Half, Float) => self.lane(L::HalfToFloat, &[slot]),
            // Every half is a float, so that nothing is rounded twice.
            (Half, Double) => {
                let single = self.lane(L::HalfToFloat, &[slot])?;
                self.lane(L::FloatToDouble, &[single])
            }
            (Float, Half) => self.lane(L::FloatToHalf, &[slot]),
            (Float, Double) => {
                let slot = self.flushed(slot)?;
                self.lane(L::FloatToDouble, &[slot])
            }
            (Double, Float) => {
                let single = self.lane(L::DoubleToFloat, &[slot])?;
                self.flushed(single)
            }
            (Double, Half) => self.lane(L::DoubleToHalf, &[slot]),
            _ => Ok(slot),
        }
    }

    /// Returns the same bits as another type; lengths and widths may differ.
    fn bit_cast(
        &mut self,
        value: ValueId,
        slots: &[RegisterSlot],
        to: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let types = self.layout.types();
        let width = |ty: TypeId| types.scalar_bits(types.scalar_of(ty)).unwrap_or(32);
        let (from_bits, to_bits) = (width(self.ty(value)?), width(to));
        if from_bits == to_bits {
            return Ok(slots.to_vec());
        }
        let mut result = Vec::new();
        match (from_bits, to_bits) {
            // The low part first, as in memory.
            (64, 32) => {
                for &slot in slots {
                    result.push(self.lane(LaneOp::Low, &[slot])?);
                    result.push(self.lane(LaneOp::High, &[slot])?);
                }
            }
            (32, 64) => {
                for pair in slots.chunks_exact(2) {
                    result.push(self.lane(LaneOp::Join, pair)?);
                }
            }
            (32, 16) => {
                let sixteen = self.word(16);
                for &slot in slots {
                    result.push(self.narrow(16, slot)?);
                    result.push(self.lane(LaneOp::LShr32, &[slot, sixteen])?);
                }
            }
            (16, 32) => {
                let sixteen = self.word(16);
                for pair in slots.chunks_exact(2) {
                    let high = self.lane(LaneOp::Shl32, &[pair[1], sixteen])?;
                    result.push(self.lane(LaneOp::Or32, &[pair[0], high])?);
                }
            }
            _ => {
                return Err(
                    self.unsupported(format!("a bit cast from {from_bits} to {to_bits} bits"))
                );
            }
        }
        Ok(result)
    }
}
