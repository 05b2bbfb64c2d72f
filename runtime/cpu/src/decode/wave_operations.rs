//! Operations over a wave: the types of their values.

use dxil_frontend::dxil::ops::{Sign, WaveBitOp, WaveOp};
use dxil_frontend::ir::{TypeId, ValueId};

use super::code::{ComplexOp, Derivative, NumberType, RegisterSlot, WaveReduction};
use super::function::Decoder;
use super::scalar_type::ScalarType;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Returns the number type as which a wave operation reads a value.
    pub(super) fn number(&self, value: ValueId, signed: bool) -> Result<NumberType> {
        Ok(match self.scalar_of(value)? {
            ScalarType::Half => NumberType::Half,
            ScalarType::Float => NumberType::Float,
            ScalarType::Double => NumberType::Double,
            ScalarType::Int(bits) => NumberType::Int(bits, signed),
            ScalarType::Pointer => return Err(self.malformed("a wave operation on pointers")),
        })
    }

    pub(super) fn vote(
        &mut self,
        condition: ValueId,
        all: bool,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let condition = self.one(condition)?;
        self.complex_of(ComplexOp::Vote { all }, ty, &[condition])
    }

    pub(super) fn all_equal(&mut self, value: ValueId, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        let number = self.number(value, true)?;
        let values = self.all(value)?;
        // A vector's components each have their own answer.
        let mut result = Vec::with_capacity(values.len());
        for (slot, to) in values.into_iter().zip(self.fresh(ty)?) {
            self.complex(ComplexOp::AllEqual(number), &[to], &[slot]);
            result.push(to);
        }
        Ok(result)
    }

    pub(super) fn read_lane(
        &mut self,
        op: ComplexOp,
        lane: ValueId,
        value: ValueId,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let mut src = vec![self.index_slot(lane)?];
        src.extend(self.all(value)?);
        self.complex_of(op, ty, &src)
    }

    pub(super) fn reduce(
        &mut self,
        value: ValueId,
        op: WaveOp,
        sign: Sign,
        scan: bool,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let number = self.number(value, sign == Sign::Signed)?;
        let reduction = match op {
            WaveOp::Sum => WaveReduction::Sum,
            WaveOp::Product => WaveReduction::Product,
            WaveOp::Min => WaveReduction::Min,
            WaveOp::Max => WaveReduction::Max,
        };
        let values = self.all(value)?;
        let op = if scan {
            ComplexOp::Scan(reduction, number)
        } else {
            ComplexOp::Reduce(reduction, number)
        };
        self.complex_of(op, ty, &values)
    }

    pub(super) fn reduce_bits(
        &mut self,
        value: ValueId,
        op: WaveBitOp,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let number = self.number(value, false)?;
        let reduction = match op {
            WaveBitOp::And => WaveReduction::And,
            WaveBitOp::Or => WaveReduction::Or,
            WaveBitOp::Xor => WaveReduction::Xor,
        };
        let values = self.all(value)?;
        self.complex_of(ComplexOp::Reduce(reduction, number), ty, &values)
    }

    pub(super) fn bit_count(
        &mut self,
        condition: ValueId,
        prefix: bool,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let condition = self.one(condition)?;
        self.complex_of(ComplexOp::BitCount { prefix }, ty, &[condition])
    }

    pub(super) fn derivative(
        &mut self,
        value: ValueId,
        vertical: bool,
        fine: bool,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let number = self.number(value, true)?;
        if !matches!(number, NumberType::Half | NumberType::Float) {
            return Err(self.malformed("a derivative of integers"));
        }
        let values = self.all(value)?;
        let op = Derivative {
            vertical,
            fine,
            number,
        };
        self.complex_of(ComplexOp::Derivative(op), ty, &values)
    }
}
