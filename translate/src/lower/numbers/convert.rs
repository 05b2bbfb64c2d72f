//! Conversions: LLVM's casts, and the bits of min-precision halves.

use dxil_frontend::ir::{CastOp, Type, TypeId, ValueId};

use super::integers::low_bits;
use crate::lower::Lowering;
use crate::lower::types::{Scalar, Shape};
use crate::spirv::{GLOp, Id, Op};
use crate::{Error, Result};

/// Whether an integer is read as signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Signedness {
    /// Two's complement.
    Signed,
    /// From zero up.
    Unsigned,
}

impl Lowering<'_> {
    /// A cast of `value` to the IR type `to`, pointers apart.
    pub(in crate::lower) fn cast(&mut self, op: CastOp, value: ValueId, to: TypeId) -> Result<Id> {
        let from_ty = self.type_of(value)?;
        if matches!(
            op,
            CastOp::PtrToInt | CastOp::IntToPtr | CastOp::AddrSpaceCast
        ) || matches!(self.view.module.types.get(from_ty), Type::Pointer { .. })
        {
            return Err(Error::unsupported("a pointer as a number"));
        }
        let from = self.shape(from_ty)?;
        let to = self.shape(to)?;
        let id = self.id(value)?;
        match op {
            CastOp::Trunc => self.truncate(from, to, id),
            CastOp::ZExt => self.extend(from, to, id, Signedness::Unsigned),
            CastOp::SExt => self.extend(from, to, id, Signedness::Signed),
            CastOp::FpToUi => self.float_to_int(from, to, id, Signedness::Unsigned),
            CastOp::FpToSi => self.float_to_int(from, to, id, Signedness::Signed),
            CastOp::UiToFp => self.int_to_float(from, to, id, Signedness::Unsigned),
            CastOp::SiToFp => self.int_to_float(from, to, id, Signedness::Signed),
            CastOp::FpTrunc | CastOp::FpExt => self.convert_float(from, to, id),
            CastOp::Bitcast => self.bit_cast(from, to, id),
            CastOp::PtrToInt | CastOp::IntToPtr | CastOp::AddrSpaceCast => {
                Err(Error::internal("a pointer cast was not caught"))
            }
        }
    }

    fn truncate(&mut self, from: Shape, to: Shape, id: Id) -> Result<Id> {
        let ty = self.shape_ty(to)?;
        if to.scalar == Scalar::Bool {
            let from_ty = self.shape_ty(from)?;
            let one = self.const_int(from, 1)?;
            let zero = self.const_int(from, 0)?;
            let low = self.b.emit(Op::BitwiseAnd, from_ty, &[id, one]);
            return Ok(self.b.emit(Op::INotEqual, ty, &[low, zero]));
        }
        if from.scalar.width() == to.scalar.width() {
            return Ok(id);
        }
        Ok(self.b.emit(Op::UConvert, ty, &[id]))
    }

    fn extend(&mut self, from: Shape, to: Shape, id: Id, signedness: Signedness) -> Result<Id> {
        let ty = self.shape_ty(to)?;
        let signed = signedness == Signedness::Signed;
        if from.scalar == Scalar::Bool {
            let one = self.const_int(to, if signed { u64::MAX } else { 1 })?;
            let zero = self.const_int(to, 0)?;
            return Ok(self.b.select(ty, id, one, zero));
        }
        let id = if signed {
            self.sign_extend(from, id)?
        } else {
            self.zero_extend(from, id)?
        };
        if from.scalar.width() == to.scalar.width() {
            return Ok(id);
        }
        let op = if signed { Op::SConvert } else { Op::UConvert };
        Ok(self.b.emit(op, ty, &[id]))
    }

    /// Float to integer as D3D defines it: toward zero, clamped to the range, NaN gives 0. SPIR-V
    /// leaves all but the first undefined.
    pub(in crate::lower) fn float_to_int(
        &mut self,
        from: Shape,
        to: Shape,
        id: Id,
        signedness: Signedness,
    ) -> Result<Id> {
        if from.scalar.width() == 16 {
            // Half cannot express the bounds of 32-bit integers.
            let wide = from.with(Scalar::F32);
            let wide_ty = self.shape_ty(wide)?;
            let id = self.b.emit(Op::FConvert, wide_ty, &[id]);
            return self.float_to_int(wide, to, id, signedness);
        }
        let to_bool = to.scalar == Scalar::Bool;
        let (to, bits) = if to_bool {
            (to.u32(), 32)
        } else {
            (to, to.scalar.bits())
        };
        let signed = signedness == Signedness::Signed;
        let mantissa = if from.scalar.width() == 64 { 53 } else { 24 };
        let magnitude_bits = if signed { bits - 1 } else { bits };
        let limit = (f64::from(magnitude_bits)).exp2();
        let exact = magnitude_bits <= mantissa;
        // Greatest float that fits.
        let high = if exact {
            limit - 1.0
        } else {
            limit - f64::from(magnitude_bits - mantissa).exp2()
        };
        let low = if signed { -limit } else { 0.0 };
        let from_ty = self.shape_ty(from)?;
        let low = self.const_float(from, low)?;
        let high = self.const_float(from, high)?;
        let clamped = self.b.glsl(GLOp::NClamp, from_ty, &[id, low, high]);
        let ty = self.shape_ty(to)?;
        let op = if signed {
            Op::ConvertFToS
        } else {
            Op::ConvertFToU
        };
        let mut result = self.b.emit(op, ty, &[clamped]);
        let bool_ty = self.shape_ty(from.bool())?;
        if !exact {
            let limit = self.const_float(from, limit)?;
            let over = self.b.emit(Op::FOrdGreaterThanEqual, bool_ty, &[id, limit]);
            let most = self.const_int(to, low_bits(magnitude_bits))?;
            result = self.b.select(ty, over, most, result);
        }
        if signed {
            // NClamp turned NaN into the lower bound.
            let nan = self.is_nan(from, id)?;
            let zero = self.const_int(to, 0)?;
            result = self.b.select(ty, nan, zero, result);
        }
        if to_bool {
            return self.truncate(to, to.bool(), result);
        }
        Ok(result)
    }

    fn int_to_float(
        &mut self,
        from: Shape,
        to: Shape,
        id: Id,
        signedness: Signedness,
    ) -> Result<Id> {
        let ty = self.shape_ty(to)?;
        let signed = signedness == Signedness::Signed;
        let result = if from.scalar == Scalar::Bool {
            let one = self.const_float(to, if signed { -1.0 } else { 1.0 })?;
            let zero = self.const_float(to, 0.0)?;
            self.b.select(ty, id, one, zero)
        } else if signed {
            let id = self.sign_extend(from, id)?;
            self.b.emit(Op::ConvertSToF, ty, &[id])
        } else {
            let id = self.zero_extend(from, id)?;
            self.b.emit(Op::ConvertUToF, ty, &[id])
        };
        self.relax(to, result);
        Ok(result)
    }

    fn convert_float(&mut self, from: Shape, to: Shape, id: Id) -> Result<Id> {
        if from.scalar.width() == to.scalar.width() {
            // Min-precision half is a float already.
            return Ok(id);
        }
        let ty = self.shape_ty(to)?;
        let converted = self.b.emit(Op::FConvert, ty, &[id]);
        if to.scalar.width() < from.scalar.width() && !self.is_portable() {
            // D3D12's drivers never skip this rounding. Mesa 26 makes nothing of a conversion there and back,
            // unless it is told not to combine the two.
            self.forbid_fusing(converted);
        }
        Ok(converted)
    }

    fn bit_cast(&mut self, from: Shape, to: Shape, id: Id) -> Result<Id> {
        if from == to {
            return Ok(id);
        }
        let ty = self.shape_ty(to)?;
        let plain = |shape: Shape| shape.scalar.bits() == shape.scalar.width();
        if plain(from) && plain(to) && from.scalar != Scalar::Bool && to.scalar != Scalar::Bool {
            return Ok(self.b.bitcast(ty, id));
        }
        if from.count != 1 || to.count != 1 || from.scalar.bits() != to.scalar.bits() {
            return Err(Error::unsupported(
                "a bit cast between vectors of small scalars",
            ));
        }
        match (from.scalar, to.scalar) {
            (Scalar::Int { .. }, Scalar::Int { .. }) => Ok(id),
            (Scalar::Int { width, .. }, Scalar::Float { .. }) => {
                self.from_bits(to.scalar, id, width)
            }
            (Scalar::Float { .. }, Scalar::Int { width, .. }) => {
                self.to_bits(from.scalar, id, width)
            }
            _ => Ok(id),
        }
    }

    /// The min-precision half in the low 16 bits of a word, as a float.
    pub(in crate::lower) fn half_from_bits(&mut self, word: Id) -> Result<Id> {
        let ty = self.b.f32();
        let pair = self.b.vector(ty, 2);
        let both = self.b.glsl(GLOp::UnpackHalf2x16, pair, &[word]);
        Ok(self.b.extract(ty, both, 0))
    }

    /// The bits of a min-precision half, which lives in a float, in the low half of a word.
    pub(in crate::lower) fn half_to_bits(&mut self, shape: Shape, value: Id) -> Result<Id> {
        if shape.count != 1 {
            return Err(Error::unsupported("bits of a min-precision vector"));
        }
        let float = self.b.f32();
        let zero = self.b.const_f32(0.0);
        let pair = self.b.vector(float, 2);
        let both = self.b.construct(pair, &[value, zero]);
        let word = self.b.u32();
        Ok(self.b.glsl(GLOp::PackHalf2x16, word, &[both]))
    }
}
