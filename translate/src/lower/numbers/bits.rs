//! Bit operations: counts, scans, fields, packing, bit casts, legacy half conversions.

use dxil_frontend::dxil::ops::{PackMode, UnpackMode, calls};
use dxil_frontend::ir::{CastOp, ValueId};

use super::convert::Signedness;
use crate::Result;
use crate::lower::Lowering;
use crate::lower::context::{Call, Part, Value};
use crate::lower::types::{Scalar, Shape};
use crate::spirv::{GLOp, Id, Op};

/// Which bit a scan looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Scan {
    /// Lowest set bit, counted from the lowest.
    Low,
    /// Highest set bit, counted from the highest.
    High,
    /// Highest bit that differs from the sign, counted from the highest.
    HighSigned,
}

impl Lowering<'_> {
    /// Number of set bits, as a 32-bit integer for every operand width.
    pub(in crate::lower) fn count_bits(&mut self, value: ValueId) -> Result<Value> {
        let shape = self.shape_of(value)?;
        let id = self.id(value)?;
        let ty = self.shape_ty(shape.u32())?;
        if shape.scalar.width() == 64 {
            let (low, high) = self.words(shape, id)?;
            let low = self.b.emit(Op::BitCount, ty, &[low]);
            let high = self.b.emit(Op::BitCount, ty, &[high]);
            return Ok(Value::Id(self.b.emit(Op::IAdd, ty, &[low, high])));
        }
        let id = self.as_words(shape, id, Signedness::Unsigned)?;
        Ok(Value::Id(self.b.emit(Op::BitCount, ty, &[id])))
    }

    /// Bits in reverse order.
    pub(in crate::lower) fn reverse_bits(&mut self, value: ValueId) -> Result<Value> {
        let shape = self.shape_of(value)?;
        let id = self.id(value)?;
        let word = self.shape_ty(shape.u32())?;
        match shape.scalar.bits() {
            64 => {
                let (low, high) = self.words(shape, id)?;
                let new_high = self.b.emit(Op::BitReverse, word, &[low]);
                let new_low = self.b.emit(Op::BitReverse, word, &[high]);
                Ok(Value::Id(self.from_words(shape, new_low, new_high)?))
            }
            bits => {
                let id = self.as_words(shape, id, Signedness::Unsigned)?;
                let mut reversed = self.b.emit(Op::BitReverse, word, &[id]);
                if bits < 32 {
                    let shift = self.const_int(shape.u32(), u64::from(32 - bits))?;
                    reversed = self.b.emit(Op::ShiftRightLogical, word, &[reversed, shift]);
                }
                if shape.scalar.width() == 16 {
                    let ty = self.shape_ty(shape)?;
                    reversed = self.b.emit(Op::UConvert, ty, &[reversed]);
                }
                Ok(Value::Id(reversed))
            }
        }
    }

    /// Position of a bit as a 32-bit integer; all ones if there is none. D3D counts high scans from
    /// the top, SPIR-V from the bottom.
    pub(in crate::lower) fn find_bit(&mut self, scan: Scan, value: ValueId) -> Result<Value> {
        let shape = self.shape_of(value)?;
        let id = self.id(value)?;
        let word_shape = shape.u32();
        let word = self.shape_ty(word_shape)?;
        let position = if shape.scalar.width() == 64 {
            self.find_bit64(scan, shape, id)?
        } else {
            let (op, signedness) = match scan {
                Scan::Low => (GLOp::FindILsb, Signedness::Unsigned),
                Scan::High => (GLOp::FindUMsb, Signedness::Unsigned),
                Scan::HighSigned => (GLOp::FindSMsb, Signedness::Signed),
            };
            let id = self.as_words(shape, id, signedness)?;
            self.b.glsl(op, word, &[id])
        };
        if scan == Scan::Low {
            return Ok(Value::Id(position));
        }
        let top = self.const_int(word_shape, u64::from(shape.scalar.bits() - 1))?;
        let none = self.const_int(word_shape, 0xffff_ffff)?;
        let from_top = self.b.emit(Op::ISub, word, &[top, position]);
        let bool_ty = self.shape_ty(shape.bool())?;
        let missing = self.b.emit(Op::IEqual, bool_ty, &[position, none]);
        Ok(Value::Id(self.b.select(word, missing, none, from_top)))
    }

    /// Position from the bottom in a 64-bit value: SPIR-V scans 32 bits only.
    fn find_bit64(&mut self, scan: Scan, shape: Shape, id: Id) -> Result<Id> {
        let (mut low, mut high) = self.words(shape, id)?;
        let words = shape.u32();
        let ty = self.shape_ty(words)?;
        let bool_ty = self.shape_ty(shape.bool())?;
        let none = self.const_int(words, 0xffff_ffff)?;
        let offset = self.const_int(words, 32)?;
        if scan == Scan::HighSigned {
            // Flip a negative number, so that the scan is for a one in both words.
            let thirty_one = self.const_int(words, 31)?;
            let sign = self
                .b
                .emit(Op::ShiftRightArithmetic, ty, &[high, thirty_one]);
            low = self.b.emit(Op::BitwiseXor, ty, &[low, sign]);
            high = self.b.emit(Op::BitwiseXor, ty, &[high, sign]);
        }
        let op = if scan == Scan::Low {
            GLOp::FindILsb
        } else {
            GLOp::FindUMsb
        };
        let in_low = self.b.glsl(op, ty, &[low]);
        let in_high = self.b.glsl(op, ty, &[high]);
        let high_position = self.b.emit(Op::IAdd, ty, &[in_high, offset]);
        let (first, second, second_raw) = if scan == Scan::Low {
            (in_low, high_position, in_high)
        } else {
            (in_high, in_low, in_low)
        };
        let missing = self.b.emit(Op::IEqual, bool_ty, &[first, none]);
        let found = if scan == Scan::Low {
            first
        } else {
            high_position
        };
        let fallback = if scan == Scan::Low {
            let nowhere = self.b.emit(Op::IEqual, bool_ty, &[second_raw, none]);
            self.b.select(ty, nowhere, none, second)
        } else {
            second
        };
        Ok(self.b.select(ty, missing, fallback, found))
    }

    /// The value in 32-bit words, extended.
    fn as_words(&mut self, shape: Shape, id: Id, signedness: Signedness) -> Result<Id> {
        let signed = signedness == Signedness::Signed;
        let id = if signed {
            self.sign_extend(shape, id)?
        } else {
            self.zero_extend(shape, id)?
        };
        if shape.scalar.width() == 32 {
            return Ok(id);
        }
        let ty = self.shape_ty(shape.u32())?;
        let op = if signed { Op::SConvert } else { Op::UConvert };
        Ok(self.b.emit(op, ty, &[id]))
    }

    /// Low and high word of a 64-bit value.
    fn words(&mut self, shape: Shape, id: Id) -> Result<(Id, Id)> {
        let ty = self.shape_ty(shape)?;
        let word = self.shape_ty(shape.u32())?;
        let thirty_two = self.const_int(shape, 32)?;
        let upper = self.b.emit(Op::ShiftRightLogical, ty, &[id, thirty_two]);
        let low = self.b.emit(Op::UConvert, word, &[id]);
        let high = self.b.emit(Op::UConvert, word, &[upper]);
        Ok((low, high))
    }

    fn from_words(&mut self, shape: Shape, low: Id, high: Id) -> Result<Id> {
        let ty = self.shape_ty(shape)?;
        let thirty_two = self.const_int(shape, 32)?;
        let low = self.b.emit(Op::UConvert, ty, &[low]);
        let high = self.b.emit(Op::UConvert, ty, &[high]);
        let high = self.b.emit(Op::ShiftLeftLogical, ty, &[high, thirty_two]);
        Ok(self.b.emit(Op::BitwiseOr, ty, &[low, high]))
    }

    /// Offset and width of a bit field as D3D reads them: five bits each, cut off at the top.
    fn field(&mut self, width: ValueId, offset: ValueId) -> Result<(Id, Id)> {
        let [width, offset] = self.ids([width, offset])?;
        let width = self.b.u32_and(width, 31);
        let offset = self.b.u32_and(offset, 31);
        if let (Some(w), Some(o)) = (self.b.literal(width), self.b.literal(offset)) {
            return Ok((offset, self.b.const_u32(w.min(32 - o))));
        }
        let all = self.b.const_u32(32);
        let room = self.b.u32_sub(all, offset);
        let ty = self.b.u32();
        let count = self.b.glsl(GLOp::UMin, ty, &[width, room]);
        Ok((offset, count))
    }

    /// Bit field extract: width, offset, value.
    pub(in crate::lower) fn extract_bits(
        &mut self,
        op: Op,
        width: ValueId,
        offset: ValueId,
        value: ValueId,
    ) -> Result<Value> {
        let (offset, count) = self.field(width, offset)?;
        let value = self.id(value)?;
        let ty = self.b.u32();
        Ok(Value::Id(self.b.emit(op, ty, &[value, offset, count])))
    }

    /// Bit field insert.
    pub(in crate::lower) fn insert_bits(&mut self, op: &calls::Bfi) -> Result<Value> {
        let (offset, count) = self.field(op.width, op.offset)?;
        let [value, base] = self.ids([op.value, op.base])?;
        let ty = self.b.u32();
        Ok(Value::Id(self.b.emit(
            Op::BitFieldInsert,
            ty,
            &[base, value, offset, count],
        )))
    }

    /// Four bytes of a word, widened.
    pub(in crate::lower) fn unpack_bytes(
        &mut self,
        call: &Call,
        op: &calls::Unpack4x8,
    ) -> Result<Value> {
        let packed = self.id(op.packed)?;
        let fields = self.fields(call.ty)?;
        let scalar = match fields.first() {
            Some(&field) => self.scalar(field)?,
            None => Scalar::U32,
        };
        let mut parts = [Part::Id(Id::NONE); 4];
        for (index, part) in parts.iter_mut().enumerate() {
            let signed = op.mode == UnpackMode::Signed;
            let byte = self.byte(packed, index as u32, signed);
            *part = Part::Id(self.resize_uint(byte, 32, scalar.width()));
        }
        Ok(self.values.parts(parts))
    }

    /// Four integers, narrowed to the bytes of a word.
    pub(in crate::lower) fn pack_bytes(&mut self, op: &calls::Pack4x8) -> Result<Value> {
        let ty = self.b.u32();
        let mut word = Id::NONE;
        for (index, value) in op.values.into_iter().enumerate() {
            let shape = self.shape_of(value)?;
            let id = self.id(value)?;
            let mut byte = match op.mode {
                PackMode::Truncate => self.resize_uint(id, shape.scalar.width(), 32),
                PackMode::ClampUnsigned | PackMode::ClampSigned => {
                    let id = self.as_words(shape, id, Signedness::Signed)?;
                    let (low, high) = if op.mode == PackMode::ClampSigned {
                        (-128_i32, 127)
                    } else {
                        (0, 255)
                    };
                    let low = self.b.const_u32(low as u32);
                    let high = self.b.const_u32(high);
                    self.b.glsl(GLOp::SClamp, ty, &[id, low, high])
                }
            };
            if index == 0 {
                byte = self.b.u32_and(byte, 0xff);
                word = byte;
                continue;
            }
            let offset = self.b.const_u32(index as u32 * 8);
            let count = self.b.const_u32(8);
            word = self
                .b
                .emit(Op::BitFieldInsert, ty, &[word, byte, offset, count]);
        }
        Ok(Value::Id(word))
    }

    /// A bit cast operation.
    pub(in crate::lower) fn bit_cast_op(&mut self, call: &Call, value: ValueId) -> Result<Value> {
        Ok(Value::Id(self.cast(CastOp::Bitcast, value, call.ty)?))
    }

    /// `f32tof16`: the bits of a half, in a word.
    ///
    /// D3D rounds toward zero, numbers too large become the largest, only infinities are infinite, NaN stays NaN
    /// and denormals count (D3D11.3 functional specification, 3.2.2 and 22.13.2). `PackHalf2x16` rounds as the
    /// driver likes, no decoration may be on it, and Mesa takes an unpacking behind it away, so that nothing
    /// that is made of its result can be trusted. In integers it is a dozen cheap instructions; a caller that
    /// would rather have the one says [`Options::fast_half_packing`](crate::Options::fast_half_packing).
    pub(in crate::lower) fn legacy_to_half(&mut self, value: ValueId) -> Result<Value> {
        /// Bits of the least normal half, as a float: the 2^-14.
        const LEAST_NORMAL: u32 = 0x3880_0000;
        const INFINITE: u32 = 0x7f80_0000;
        let id = self.id(value)?;
        if self.options.fast_half_packing {
            let shape = Shape::scalar(Scalar::F32);
            return Ok(Value::Id(self.half_to_bits(shape, id)?));
        }
        let (word, float, bool_ty) = (self.b.u32(), self.b.f32(), self.b.bool());
        let bits = self.b.bitcast(word, id);
        let magnitude = self.b.u32_and(bits, 0x7fff_ffff);
        // Up to 2^-14 a half is a multiple of 2^-24, and the conversion to integer cuts off the rest. What is
        // above lies on a line with it: ten bits of each mantissa, the exponents in a row.
        let least = self.b.const_u32(LEAST_NORMAL);
        let small = self.b.glsl(GLOp::UMin, word, &[magnitude, least]);
        let above = self.b.u32_sub(magnitude, small);
        let small = self.b.bitcast(float, small);
        let scale = self.b.const_f32(2.0_f32.powi(24));
        let small = self.b.emit(Op::FMul, float, &[small, scale]);
        let small = self.b.emit(Op::ConvertFToU, word, &[small]);
        let thirteen = self.b.const_u32(13);
        let above = self.b.emit(Op::ShiftRightLogical, word, &[above, thirteen]);
        let half = self.b.emit(Op::IAdd, word, &[small, above]);
        let infinite = self.b.const_u32(INFINITE);
        let is_infinite = self.b.emit(Op::IEqual, bool_ty, &[magnitude, infinite]);
        let is_nan = self
            .b
            .emit(Op::UGreaterThan, bool_ty, &[magnitude, infinite]);
        let [largest, inf, nan] = [0x7bff, 0x7c00, 0x7e00].map(|limit| self.b.const_u32(limit));
        let limit = self.b.select(word, is_infinite, inf, largest);
        let limit = self.b.select(word, is_nan, nan, limit);
        let half = self.b.glsl(GLOp::UMin, word, &[half, limit]);
        let sixteen = self.b.const_u32(16);
        let sign = self.b.emit(Op::ShiftRightLogical, word, &[bits, sixteen]);
        let sign = self.b.u32_and(sign, 0x8000);
        Ok(Value::Id(self.b.emit(Op::BitwiseOr, word, &[sign, half])))
    }

    /// `f16tof32` of the low 16 bits of a word.
    pub(in crate::lower) fn legacy_from_half(&mut self, value: ValueId) -> Result<Value> {
        let id = self.id(value)?;
        Ok(Value::Id(self.half_from_bits(id)?))
    }

    /// A double as a float.
    pub(in crate::lower) fn double_to_float(&mut self, value: ValueId) -> Result<Value> {
        let id = self.id(value)?;
        let ty = self.b.f32();
        Ok(Value::Id(self.b.emit(Op::FConvert, ty, &[id])))
    }

    /// A double as a 32-bit integer, clamped.
    pub(in crate::lower) fn double_to_int(
        &mut self,
        value: ValueId,
        signedness: Signedness,
    ) -> Result<Value> {
        let from = self.shape_of(value)?;
        let id = self.id(value)?;
        Ok(Value::Id(self.float_to_int(
            from,
            Shape::scalar(Scalar::U32),
            id,
            signedness,
        )?))
    }
}
