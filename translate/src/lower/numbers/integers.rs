//! Integer representation: extension of widened integers, division and shifts as D3D defines them.

use dxil_frontend::ir::{BinaryOp, Constant, Inst, ValueDef, ValueId};

use crate::lower::Lowering;
use crate::lower::types::{Scalar, Shape};
use crate::spirv::{Id, Op};
use crate::{Error, Result};

/// A mask of that many low bits.
pub(in crate::lower) fn low_bits(bits: u32) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}

impl Lowering<'_> {
    /// The value with its upper bits zero.
    pub(in crate::lower) fn zero_extend(&mut self, shape: Shape, id: Id) -> Result<Id> {
        let Scalar::Int { bits, width } = shape.scalar else {
            return Ok(id);
        };
        if bits == width {
            return Ok(id);
        }
        if let (1, 32, Some(literal)) = (shape.count, width, self.b.literal(id)) {
            return Ok(self.b.const_u32(literal & low_bits(bits) as u32));
        }
        let mask = self.const_int(shape, low_bits(bits))?;
        let ty = self.shape_ty(shape)?;
        Ok(self.b.emit(Op::BitwiseAnd, ty, &[id, mask]))
    }

    /// The value with its upper bits equal to its sign.
    pub(in crate::lower) fn sign_extend(&mut self, shape: Shape, id: Id) -> Result<Id> {
        let Scalar::Int { bits, width } = shape.scalar else {
            return Ok(id);
        };
        if bits == width {
            return Ok(id);
        }
        if let (1, 32, Some(literal)) = (shape.count, width, self.b.literal(id)) {
            let shift = 32 - bits;
            let value = ((literal << shift) as i32 >> shift) as u32;
            return Ok(self.b.const_u32(value));
        }
        let ty = self.shape_ty(shape)?;
        if width == 32 {
            let zero = self.b.const_u32(0);
            let count = self.b.const_u32(bits);
            return Ok(self.b.emit(Op::BitFieldSExtract, ty, &[id, zero, count]));
        }
        let amount = self.const_int(shape, u64::from(width - bits))?;
        let up = self.b.emit(Op::ShiftLeftLogical, ty, &[id, amount]);
        Ok(self.b.emit(Op::ShiftRightArithmetic, ty, &[up, amount]))
    }

    /// An integer of any width as a 32-bit one (an index, a count).
    pub(in crate::lower) fn to_u32(&mut self, value: ValueId) -> Result<Id> {
        let shape = self.shape_of(value)?;
        let id = self.id(value)?;
        match shape.scalar {
            Scalar::Int { bits: 32, .. } => Ok(id),
            Scalar::Int { width, .. } => {
                let id = self.sign_extend(shape, id)?;
                if width == 32 {
                    return Ok(id);
                }
                let ty = self.b.u32();
                let op = if width < 32 {
                    Op::SConvert
                } else {
                    Op::UConvert
                };
                Ok(self.b.emit(op, ty, &[id]))
            }
            Scalar::Bool | Scalar::Float { .. } => {
                Err(Error::malformed("an index that is not an integer"))
            }
        }
    }

    /// A boolean as 0 or 1.
    pub(in crate::lower) fn bool_to_u32(&mut self, value: Id) -> Id {
        let ty = self.b.u32();
        let one = self.b.const_u32(1);
        let zero = self.b.const_u32(0);
        self.b.select(ty, value, one, zero)
    }

    /// The value as a constant that is the same in all elements.
    fn uniform_constant(&self, value: ValueId) -> Option<u64> {
        match self.view.constant(value)? {
            Constant::Data(list) => {
                let data = self.view.constant_data(value, list);
                let first = *data.first()?;
                data.iter().all(|&x| x == first).then_some(first)
            }
            _ => self.constant_int(value),
        }
    }

    /// Unsigned division or remainder. D3D: by zero both give all ones.
    pub(in crate::lower) fn unsigned_division(
        &mut self,
        op: Op,
        shape: Shape,
        a: Id,
        b: Id,
        divisor: Option<ValueId>,
    ) -> Result<Id> {
        let ty = self.shape_ty(shape)?;
        let a = self.zero_extend(shape, a)?;
        let b = self.zero_extend(shape, b)?;
        let known = divisor.and_then(|value| self.uniform_constant(value));
        if known.is_some_and(|value| value != 0) {
            return Ok(self.b.emit(op, ty, &[a, b]));
        }
        let (is_zero, safe) = self.safe_divisor(shape, b)?;
        let result = self.b.emit(op, ty, &[a, safe]);
        let ones = self.const_int(shape, u64::MAX)?;
        Ok(self.b.select(ty, is_zero, ones, result))
    }

    /// Signed division or remainder. By zero it gives all ones, as the unsigned one does; the one
    /// overflow wraps.
    pub(in crate::lower) fn signed_division(
        &mut self,
        op: Op,
        shape: Shape,
        a: Id,
        b: Id,
        divisor: ValueId,
    ) -> Result<Id> {
        let ty = self.shape_ty(shape)?;
        let a = self.sign_extend(shape, a)?;
        let b = self.sign_extend(shape, b)?;
        let all_ones = low_bits(shape.scalar.bits());
        let known = self.uniform_constant(divisor);
        if known.is_some_and(|value| value != 0 && value & all_ones != all_ones) {
            return Ok(self.b.emit(op, ty, &[a, b]));
        }
        let (is_zero, safe) = self.safe_divisor(shape, b)?;
        let minus_one = self.const_int(shape, u64::MAX)?;
        let least = self.const_int(shape, 1 << (shape.scalar.width() - 1))?;
        let bool_ty = self.shape_ty(shape.bool())?;
        let is_least = self.b.emit(Op::IEqual, bool_ty, &[a, least]);
        let is_minus_one = self.b.emit(Op::IEqual, bool_ty, &[b, minus_one]);
        let overflows = self
            .b
            .emit(Op::LogicalAnd, bool_ty, &[is_least, is_minus_one]);
        let one = self.const_int(shape, 1)?;
        // x / 1 and x % 1 are what the overflow wraps to.
        let safe = self.b.select(ty, overflows, one, safe);
        let result = self.b.emit(op, ty, &[a, safe]);
        Ok(self.b.select(ty, is_zero, minus_one, result))
    }

    fn safe_divisor(&mut self, shape: Shape, divisor: Id) -> Result<(Id, Id)> {
        let ty = self.shape_ty(shape)?;
        let bool_ty = self.shape_ty(shape.bool())?;
        let zero = self.const_int(shape, 0)?;
        let one = self.const_int(shape, 1)?;
        let is_zero = self.b.emit(Op::IEqual, bool_ty, &[divisor, zero]);
        Ok((is_zero, self.b.select(ty, is_zero, one, divisor)))
    }

    /// A shift. D3D looks at the low bits of the amount only.
    pub(in crate::lower) fn shift(
        &mut self,
        op: Op,
        shape: Shape,
        value: Id,
        amount: Id,
        amount_value: ValueId,
    ) -> Result<Id> {
        let bits = shape.scalar.bits();
        let value = match op {
            Op::ShiftRightLogical => self.zero_extend(shape, value)?,
            Op::ShiftRightArithmetic => self.sign_extend(shape, value)?,
            _ => value,
        };
        let ty = self.shape_ty(shape)?;
        let amount = if self.is_below(amount_value, u64::from(bits)) {
            amount
        } else if bits.is_power_of_two() {
            let mask = self.const_int(shape, u64::from(bits - 1))?;
            self.b.emit(Op::BitwiseAnd, ty, &[amount, mask])
        } else {
            self.zero_extend(shape, amount)?
        };
        Ok(self.b.emit(op, ty, &[value, amount]))
    }

    /// Whether a value is known to be below `limit`: a constant, or masked (as DXC does before a
    /// shift).
    fn is_below(&self, value: ValueId, limit: u64) -> bool {
        if let Some(known) = self.uniform_constant(value) {
            return known < limit;
        }
        let Some(ValueDef::Inst(inst)) = self.view.value(value).map(|data| data.def) else {
            return false;
        };
        match self.view.function.insts.get(inst).map(|data| data.inst) {
            Some(Inst::Binary {
                op: BinaryOp::And,
                lhs,
                rhs,
                ..
            }) => [lhs, rhs].into_iter().any(|operand| {
                self.uniform_constant(operand)
                    .is_some_and(|mask| mask < limit)
            }),
            _ => false,
        }
    }
}
