//! Bit operations: counts, scans, fields, packing, bit casts, legacy half conversions.

use dxil_frontend::dxil::ops::{BitsOp, Op as DxOp, PackMode, UnpackMode, calls, op_giving};
use dxil_frontend::ir::{BinaryOp, CastOp, CmpPredicate, Inst, ValueDef, ValueId};

use super::convert::{self, Signedness};
use crate::lower::context::Context;
use crate::lower::memory::cells;
use crate::lower::numbers::{arithmetic, half, integers};
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::options::Features;
use crate::spirv::{GLOp, Id, Op};
use crate::{Quirks, Result};

/// The bit that a scan looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scan {
    /// Lowest set bit, counted from the lowest.
    Low,
    /// Highest set bit, counted from the highest.
    High,
    /// Highest bit that differs from the sign, counted from the highest.
    HighSigned,
}

/// Returns the number of set bits, as a 32-bit integer for every operand width.
pub(super) fn count_bits(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    let ty = types::shape_ty(cx, shape.u32())?;
    // Vulkan's bit instructions take 32-bit integers (VUID-StandaloneSpirv-Base-04781).
    if shape.scalar.width() == 64 {
        let (low, high) = words_of(cx, shape, id)?;
        let low = cx.b.emit(Op::BitCount, ty, &[low]);
        let high = cx.b.emit(Op::BitCount, ty, &[high]);
        return Ok(LoweredValue::Id(cx.b.emit(Op::IAdd, ty, &[low, high])));
    }
    // Narrow values count in a word, whose upper bits have to be zero.
    let id = as_words(cx, shape, id, Signedness::Unsigned)?;
    Ok(LoweredValue::Id(cx.b.emit(Op::BitCount, ty, &[id])))
}

/// Returns the bits in reverse order.
pub(super) fn reverse_bits(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    let word = types::shape_ty(cx, shape.u32())?;
    match shape.scalar.bits() {
        64 => {
            let (low, high) = words_of(cx, shape, id)?;
            let new_high = cx.b.emit(Op::BitReverse, word, &[low]);
            let new_low = cx.b.emit(Op::BitReverse, word, &[high]);
            Ok(LoweredValue::Id(from_words(cx, shape, new_low, new_high)?))
        }
        bits => {
            let id = as_words(cx, shape, id, Signedness::Unsigned)?;
            let mut reversed = cx.b.emit(Op::BitReverse, word, &[id]);
            // The reversed bits of a narrow value come out at the top.
            if bits < 32 {
                let shift = types::const_int(cx, shape.u32(), u64::from(32 - bits))?;
                reversed = cx.b.emit(Op::ShiftRightLogical, word, &[reversed, shift]);
            }
            if shape.scalar.width() == 16 {
                let ty = types::shape_ty(cx, shape)?;
                reversed = cx.b.emit(Op::UConvert, ty, &[reversed]);
            }
            Ok(LoweredValue::Id(reversed))
        }
    }
}

/// Returns the position of a bit as a 32-bit integer; all ones if there is none. D3D counts high
/// scans from the top, SPIR-V from the bottom.
pub(super) fn find_bit(cx: &mut Context<'_>, scan: Scan, value: ValueId) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, value)?;
    let position = position_from_below(cx, scan, value)?;
    if scan == Scan::Low {
        return Ok(LoweredValue::Id(position));
    }
    let word_shape = shape.u32();
    let word = types::shape_ty(cx, word_shape)?;
    let top = types::const_int(cx, word_shape, u64::from(shape.scalar.bits() - 1))?;
    let none = types::const_int(cx, word_shape, 0xffff_ffff)?;
    let from_top = cx.b.emit(Op::ISub, word, &[top, position]);
    // SPIR-V gives -1 if there is no bit, which the subtraction would turn into a position.
    let bool_ty = types::shape_ty(cx, shape.bool())?;
    let missing = cx.b.emit(Op::IEqual, bool_ty, &[position, none]);
    Ok(LoweredValue::Id(cx.b.select(word, missing, none, from_top)))
}

/// Returns the position of a bit, counted from the lowest; all ones if there is none.
fn position_from_below(cx: &mut Context<'_>, scan: Scan, value: ValueId) -> Result<Id> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    if shape.scalar.width() == 64 {
        return find_bit64(cx, scan, shape, id);
    }
    let word = types::shape_ty(cx, shape.u32())?;
    let (op, signedness) = match scan {
        Scan::Low => (GLOp::FindILsb, Signedness::Unsigned),
        Scan::High => (GLOp::FindUMsb, Signedness::Unsigned),
        Scan::HighSigned => (GLOp::FindSMsb, Signedness::Signed),
    };
    let id = as_words(cx, shape, id, signedness)?;
    Ok(cx.b.glsl(op, word, &[id]))
}

/// Returns the result of a selection that turns the position of a high scan around, if it is one:
/// HLSL's `firstbithigh` counts from below, DXIL's operations from above.
pub(in crate::lower) fn turned_scan(
    cx: &mut Context<'_>,
    condition: ValueId,
    if_true: ValueId,
    if_false: ValueId,
) -> Result<Option<Id>> {
    let function = &cx.function;
    let is_none = |value| {
        let constant = function.constant_int(value);
        constant.is_some_and(|constant| constant as u32 == u32::MAX)
    };
    if !is_none(if_true) {
        return Ok(None);
    }
    let inst = |value| match function.view.value(value)?.def {
        ValueDef::Inst(inst) => Some(function.view.function.insts.get(inst)?.inst),
        _ => None,
    };
    let Some(Inst::Binary {
        op: BinaryOp::Sub,
        lhs: top,
        rhs: position,
        ..
    }) = inst(if_false)
    else {
        return Ok(None);
    };
    let asks_for_none = matches!(
        inst(condition),
        Some(Inst::Cmp { predicate: CmpPredicate::IEq, lhs, rhs, .. })
            if lhs == position && is_none(rhs)
    );
    if !asks_for_none {
        return Ok(None);
    }
    let (scan, value) = match op_giving(function.view, &cx.input.shader.callees, position) {
        Some(DxOp::Bits(BitsOp::FirstbitHi(op))) => (Scan::High, op.value),
        Some(DxOp::Bits(BitsOp::FirstbitSHi(op))) => (Scan::HighSigned, op.value),
        _ => return Ok(None),
    };
    let bits = types::shape_of(cx, value)?.scalar.bits();
    if cx.function.constant_int(top) != Some(u64::from(bits - 1)) {
        return Ok(None);
    }
    position_from_below(cx, scan, value).map(Some)
}

/// Returns the position from the bottom in a 64-bit value: SPIR-V scans 32 bits only.
fn find_bit64(cx: &mut Context<'_>, scan: Scan, shape: NumericShape, id: Id) -> Result<Id> {
    let (mut low, mut high) = words_of(cx, shape, id)?;
    let words = shape.u32();
    let ty = types::shape_ty(cx, words)?;
    if scan == Scan::HighSigned {
        // Flip a negative number, so that the scan is for a one in both words.
        let thirty_one = types::const_int(cx, words, 31)?;
        let sign = cx.b.emit(Op::ShiftRightArithmetic, ty, &[high, thirty_one]);
        low = cx.b.emit(Op::BitwiseXor, ty, &[low, sign]);
        high = cx.b.emit(Op::BitwiseXor, ty, &[high, sign]);
    }
    // All ones stay what they are if the bit of 32 is set in them, and they are the greatest number
    // without a sign and the least above a position with one.
    let (find, choose) = if scan == Scan::Low {
        (GLOp::FindILsb, GLOp::UMin)
    } else {
        (GLOp::FindUMsb, GLOp::SMax)
    };
    let in_low = cx.b.glsl(find, ty, &[low]);
    let in_high = cx.b.glsl(find, ty, &[high]);
    let offset = types::const_int(cx, words, 32)?;
    let in_high = cx.b.emit(Op::BitwiseOr, ty, &[in_high, offset]);
    Ok(cx.b.glsl(choose, ty, &[in_low, in_high]))
}

/// Returns the value in 32-bit words, extended.
fn as_words(
    cx: &mut Context<'_>,
    shape: NumericShape,
    id: Id,
    signedness: Signedness,
) -> Result<Id> {
    let signed = signedness == Signedness::Signed;
    let id = if signed {
        integers::sign_extend(cx, shape, id)?
    } else {
        integers::zero_extend(cx, shape, id)?
    };
    if shape.scalar.width() == 32 {
        return Ok(id);
    }
    let ty = types::shape_ty(cx, shape.u32())?;
    let op = if signed { Op::SConvert } else { Op::UConvert };
    Ok(cx.b.emit(op, ty, &[id]))
}

/// Returns the low and high word of a 64-bit value.
fn words_of(cx: &mut Context<'_>, shape: NumericShape, id: Id) -> Result<(Id, Id)> {
    let ty = types::shape_ty(cx, shape)?;
    let word = types::shape_ty(cx, shape.u32())?;
    let thirty_two = types::const_int(cx, shape, 32)?;
    let upper = cx.b.emit(Op::ShiftRightLogical, ty, &[id, thirty_two]);
    let low = cx.b.emit(Op::UConvert, word, &[id]);
    let high = cx.b.emit(Op::UConvert, word, &[upper]);
    Ok((low, high))
}

fn from_words(cx: &mut Context<'_>, shape: NumericShape, low: Id, high: Id) -> Result<Id> {
    let ty = types::shape_ty(cx, shape)?;
    let thirty_two = types::const_int(cx, shape, 32)?;
    let low = cx.b.emit(Op::UConvert, ty, &[low]);
    let high = cx.b.emit(Op::UConvert, ty, &[high]);
    let high = cx.b.emit(Op::ShiftLeftLogical, ty, &[high, thirty_two]);
    Ok(cx.b.emit(Op::BitwiseOr, ty, &[low, high]))
}

/// Returns the offset and width of a bit field as D3D reads them: five bits each, cut off at the
/// top.
fn field_of(cx: &mut Context<'_>, width: ValueId, offset: ValueId) -> Result<(Id, Id)> {
    let [width, offset] = cx.ids([width, offset])?;
    let width = cx.b.u32_and(width, 31);
    let offset = cx.b.u32_and(offset, 31);
    // A constant field needs no minimum; the sum of offset and width is at most 32, which SPIR-V
    // asks for.
    if let (Some(w), Some(o)) = (cx.b.literal(width), cx.b.literal(offset)) {
        return Ok((offset, cx.b.const_u32(w.min(32 - o))));
    }
    let all = cx.b.const_u32(32);
    // D3D cuts a field off at the top (D3D11.3 functional specification, 22.11.11), where SPIR-V's
    // result is undefined.
    let room = cx.b.u32_sub(all, offset);
    let ty = cx.b.u32();
    let count = cx.b.glsl(GLOp::UMin, ty, &[width, room]);
    Ok((offset, count))
}

/// Returns the bit field extract: width, offset, value.
pub(super) fn extract_bits(
    cx: &mut Context<'_>,
    op: Op,
    width: ValueId,
    offset: ValueId,
    value: ValueId,
) -> Result<LoweredValue> {
    let (offset, count) = field_of(cx, width, offset)?;
    let value = cx.id(value)?;
    let ty = cx.b.u32();
    Ok(LoweredValue::Id(cx.b.emit(op, ty, &[value, offset, count])))
}

/// Returns the bit field insert.
pub(super) fn insert_bits(cx: &mut Context<'_>, op: &calls::Bfi) -> Result<LoweredValue> {
    let (offset, count) = field_of(cx, op.width, op.offset)?;
    let [value, base] = cx.ids([op.value, op.base])?;
    let ty = cx.b.u32();
    Ok(LoweredValue::Id(cx.b.emit(
        Op::BitFieldInsert,
        ty,
        &[base, value, offset, count],
    )))
}

/// Returns four bytes of a word, widened.
pub(super) fn unpack_bytes(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::Unpack4x8,
) -> Result<LoweredValue> {
    let packed = cx.id(op.packed)?;
    let fields = types::fields(&cx.input, call.ty)?;
    let scalar = match fields.first() {
        Some(&field) => types::scalar(cx, field)?,
        None => Scalar::U32,
    };
    let mut parts = [StructMember::Id(Id::NONE); 4];
    for (index, part) in parts.iter_mut().enumerate() {
        let signed = op.mode == UnpackMode::Signed;
        let byte = arithmetic::byte_of(&mut cx.b, packed, index as u32, signed);
        *part = StructMember::Id(cells::resize_uint(&mut cx.b, byte, 32, scalar.width()));
    }
    Ok(cx.function.values.parts(parts))
}

/// Returns four integers, narrowed to the bytes of a word.
pub(super) fn pack_bytes(cx: &mut Context<'_>, op: &calls::Pack4x8) -> Result<LoweredValue> {
    let ty = cx.b.u32();
    let mut word = Id::NONE;
    for (index, value) in op.values.into_iter().enumerate() {
        let shape = types::shape_of(cx, value)?;
        let id = cx.id(value)?;
        let byte = match op.mode {
            PackMode::Truncate => cells::resize_uint(&mut cx.b, id, shape.scalar.width(), 32),
            // The values are signed in both modes (HLSL, "Pack and Unpack Intrinsics"): a negative
            // number clamps to 0 or -128.
            PackMode::ClampUnsigned | PackMode::ClampSigned => {
                let id = as_words(cx, shape, id, Signedness::Signed)?;
                let (low, high) = if op.mode == PackMode::ClampSigned {
                    (-128_i32, 127)
                } else {
                    (0, 255)
                };
                let low = cx.b.const_u32(low as u32);
                let high = cx.b.const_u32(high);
                cx.b.glsl(GLOp::SClamp, ty, &[id, low, high])
            }
        };
        let offset = index as u32 * 8;
        word = if index == 0 {
            byte
        } else if op.mode == PackMode::ClampUnsigned {
            // No bits are set beyond the byte.
            let shifted = cx.b.u32_shl(byte, offset);
            cx.b.emit(Op::BitwiseOr, ty, &[word, shifted])
        } else {
            // What is above a byte is overwritten by the next one.
            let [first, count] = [offset, 32 - offset].map(|number| cx.b.const_u32(number));
            cx.b.emit(Op::BitFieldInsert, ty, &[word, byte, first, count])
        };
    }
    Ok(LoweredValue::Id(word))
}

/// Returns a bit cast operation.
pub(super) fn bit_cast_op(
    cx: &mut Context<'_>,
    call: &Call,
    value: ValueId,
) -> Result<LoweredValue> {
    Ok(LoweredValue::Id(convert::cast(
        cx,
        CastOp::Bitcast,
        value,
        call.ty,
    )?))
}

/// Lowers `f32tof16`: the bits of a half, in a word.
///
/// D3D rounds toward zero, numbers too large become the maximum, only infinities become infinite,
/// NaN stays NaN and denormals are kept (D3D11.3 functional specification, 3.2.2 and 22.13.2). The
/// rounding of `PackHalf2x16` is up to the driver unless it follows the module's rounding mode.
/// With integers it takes a dozen cheap instructions; a caller that prefers the single one sets
/// [`Options::fast_half_packing`](crate::Options::fast_half_packing).
pub(super) fn legacy_to_half(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    /// Bits of the smallest normal half as a float, 2^-14.
    const MIN_NORMAL: u32 = 0x3880_0000;
    const INFINITE: u32 = 0x7f80_0000;
    let id = cx.id(value)?;
    let toward_zero = cx.module.types.packing_can_round_toward_zero;
    if toward_zero || cx.input.options.fast_half_packing {
        cx.module.types.packing_rounds_toward_zero = toward_zero;
        let shape = NumericShape::scalar(Scalar::F32);
        return Ok(LoweredValue::Id(half::half_to_bits(&mut cx.b, shape, id)?));
    }
    let (word, float, bool_ty) = (cx.b.u32(), cx.b.f32(), cx.b.bool());
    let bits = cx.b.bitcast(word, id);
    let magnitude = cx.b.u32_and(bits, 0x7fff_ffff);
    // Up to 2^-14 a half is a multiple of 2^-24, and the conversion to integer cuts off the rest.
    // What is above lies on a line with it: ten bits of each mantissa, the exponents in a row.
    let min = cx.b.const_u32(MIN_NORMAL);
    let small = cx.b.glsl(GLOp::UMin, word, &[magnitude, min]);
    let above = cx.b.u32_sub(magnitude, small);
    let small = cx.b.bitcast(float, small);
    let scale = cx.b.const_f32(2.0_f32.powi(24));
    let small = cx.b.emit(Op::FMul, float, &[small, scale]);
    let small = cx.b.emit(Op::ConvertFToU, word, &[small]);
    let thirteen = cx.b.const_u32(13);
    let above = cx.b.emit(Op::ShiftRightLogical, word, &[above, thirteen]);
    let half = cx.b.emit(Op::IAdd, word, &[small, above]);
    let infinite = cx.b.const_u32(INFINITE);
    let is_infinite = cx.b.emit(Op::IEqual, bool_ty, &[magnitude, infinite]);
    let is_nan = cx.b.emit(Op::UGreaterThan, bool_ty, &[magnitude, infinite]);
    let [largest, inf, nan] = [0x7bff, 0x7c00, 0x7e00].map(|limit| cx.b.const_u32(limit));
    // The limit depends on the class of the number: only an infinity stays infinite, and NaN gets a
    // mantissa.
    let limit = cx.b.select(word, is_infinite, inf, largest);
    let limit = cx.b.select(word, is_nan, nan, limit);
    let half = cx.b.glsl(GLOp::UMin, word, &[half, limit]);
    let sixteen = cx.b.const_u32(16);
    let sign = cx.b.emit(Op::ShiftRightLogical, word, &[bits, sixteen]);
    let sign = cx.b.u32_and(sign, 0x8000);
    Ok(LoweredValue::Id(cx.b.emit(
        Op::BitwiseOr,
        word,
        &[sign, half],
    )))
}

/// Lowers `f16tof32` of the low 16 bits of a word.
pub(super) fn legacy_from_half(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let id = cx.id(value)?;
    let features = cx.input.options.target.features;
    let exact = cx.input.has_quirk(Quirks::EXACT_HALF_TO_FLOAT)
        && !features.contains(Features::DENORM_PRESERVE_F16);
    Ok(LoweredValue::Id(if exact {
        half::exact_from_bits(&mut cx.b, id)
    } else {
        half::half_from_bits(&mut cx.b, id)?
    }))
}

/// Returns a double as a float.
pub(super) fn double_to_float(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let id = cx.id(value)?;
    let ty = cx.b.f32();
    Ok(LoweredValue::Id(cx.b.emit(Op::FConvert, ty, &[id])))
}

/// Returns a double as a 32-bit integer, clamped.
pub(super) fn double_to_int(
    cx: &mut Context<'_>,
    value: ValueId,
    signedness: Signedness,
) -> Result<LoweredValue> {
    let word = NumericShape::scalar(Scalar::U32);
    Ok(LoweredValue::Id(convert::float_to_int(
        cx, value, word, signedness,
    )?))
}
