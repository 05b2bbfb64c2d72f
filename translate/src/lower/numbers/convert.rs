//! Conversions: LLVM's casts, and the bits of min-precision halves.

use dxil_frontend::ir::{CastOp, Type, TypeId, ValueId};
use smallvec::SmallVec;

use super::integers::{self, low_bits};
use crate::analysis::float_ranges::{self, FloatRange};
use crate::lower::context::Context;
use crate::lower::memory::cells;
use crate::lower::numbers::{arithmetic, float_modes};
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::spirv::{GLOp, Id, Op};
use crate::{Error, FloatToInt, Result, Style};

/// Whether an integer is read as signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signedness {
    /// Two's complement.
    Signed,
    /// From zero up.
    Unsigned,
}

/// Returns a cast of `value` to the IR type `to`, pointers apart.
pub(in crate::lower) fn cast(
    cx: &mut Context<'_>,
    op: CastOp,
    value: ValueId,
    to: TypeId,
) -> Result<Id> {
    let from_ty = cx.function.type_of(value)?;
    // DXIL has no pointers as numbers: addresses are only made by `getelementptr` and casts.
    if matches!(
        op,
        CastOp::PtrToInt | CastOp::IntToPtr | CastOp::AddrSpaceCast
    ) || matches!(cx.input.types().get(from_ty), Type::Pointer { .. })
    {
        return Err(Error::unsupported("a pointer as a number"));
    }
    let from = types::shape_of_type(cx, from_ty)?;
    let to = types::shape_of_type(cx, to)?;
    let id = cx.id(value)?;
    match op {
        CastOp::Trunc => truncate(cx, from, to, id),
        CastOp::ZExt => extend(cx, from, to, id, Signedness::Unsigned),
        CastOp::SExt => extend(cx, from, to, id, Signedness::Signed),
        CastOp::FpToUi => float_to_int(cx, value, to, Signedness::Unsigned),
        CastOp::FpToSi => float_to_int(cx, value, to, Signedness::Signed),
        CastOp::UiToFp => int_to_float(cx, from, to, id, Signedness::Unsigned),
        CastOp::SiToFp => int_to_float(cx, from, to, id, Signedness::Signed),
        CastOp::FpTrunc | CastOp::FpExt => convert_float(cx, from, to, id),
        CastOp::Bitcast => bit_cast(cx, from, to, id),
        CastOp::PtrToInt | CastOp::IntToPtr | CastOp::AddrSpaceCast => {
            Err(Error::internal("a pointer cast was not caught"))
        }
    }
}

fn truncate(cx: &mut Context<'_>, from: NumericShape, to: NumericShape, id: Id) -> Result<Id> {
    let ty = types::shape_ty(cx, to)?;
    if to.scalar == Scalar::Bool {
        let from_ty = types::shape_ty(cx, from)?;
        let one = types::const_int(cx, from, 1)?;
        let zero = types::const_int(cx, from, 0)?;
        // LLVM's `trunc` to `i1` keeps the low bit; it does not compare with zero.
        let low = cx.b.emit(Op::BitwiseAnd, from_ty, &[id, one]);
        return Ok(cx.b.emit(Op::INotEqual, ty, &[low, zero]));
    }
    if from.scalar.width() == to.scalar.width() {
        return Ok(id);
    }
    Ok(cx.b.emit(Op::UConvert, ty, &[id]))
}

fn extend(
    cx: &mut Context<'_>,
    from: NumericShape,
    to: NumericShape,
    id: Id,
    signedness: Signedness,
) -> Result<Id> {
    let ty = types::shape_ty(cx, to)?;
    let signed = signedness == Signedness::Signed;
    if from.scalar == Scalar::Bool {
        let one = types::const_int(cx, to, if signed { u64::MAX } else { 1 })?;
        let zero = types::const_int(cx, to, 0)?;
        return Ok(cx.b.select(ty, id, one, zero));
    }
    let id = if signed {
        integers::sign_extend(cx, from, id)?
    } else {
        integers::zero_extend(cx, from, id)?
    };
    if from.scalar.width() == to.scalar.width() {
        return Ok(id);
    }
    let op = if signed { Op::SConvert } else { Op::UConvert };
    Ok(cx.b.emit(op, ty, &[id]))
}

/// Converts a float to an integer as D3D defines it: toward zero, clamped to the range, NaN gives
/// 0. SPIR-V leaves all but the first undefined.
pub(super) fn float_to_int(
    cx: &mut Context<'_>,
    value: ValueId,
    to: NumericShape,
    signedness: Signedness,
) -> Result<Id> {
    if to.scalar == Scalar::Bool {
        let word = to.u32();
        let result = float_to_int(cx, value, word, signedness)?;
        return truncate(cx, word, to, result);
    }
    let from = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    let numerics = cx.input.numerics();
    let by_device = match from.scalar.width() {
        64 => numerics.double_to_int,
        _ => numerics.float_to_int,
    };
    // A driver that folds the conversion of a constant does not ask the device.
    let is_constant = cx.function.view.constant(value).is_some();
    if by_device == FloatToInt::Clamps && to.scalar.bits() <= 32 && !is_constant {
        return clamped_by_device(cx, to, id, signedness);
    }
    if from.scalar.width() == 16 {
        // Half cannot express the bounds of 32-bit integers.
        let wide = from.with(Scalar::F32);
        let wide_ty = types::shape_ty(cx, wide)?;
        let id = cx.b.emit(Op::FConvert, wide_ty, &[id]);
        return clamped_by_code(cx, wide, to, id, signedness, OpenParts::ALL);
    }
    let open = match cx.input.options.target.style {
        Style::Native if !is_constant => OpenParts::of(
            float_ranges::of(cx.input.shader, cx.function.view, value),
            to,
            signedness,
        ),
        _ => OpenParts::ALL,
    };
    clamped_by_code(cx, from, to, id, signedness, open)
}

/// What SPIR-V leaves undefined of a conversion that can happen.
#[derive(Debug, Clone, Copy)]
struct OpenParts {
    /// Numbers below the least integer.
    below: bool,
    /// Numbers above the greatest integer.
    above: bool,
    /// NaN.
    nan: bool,
}

impl OpenParts {
    const ALL: OpenParts = OpenParts {
        below: true,
        above: true,
        nan: true,
    };

    fn of(range: Option<FloatRange>, to: NumericShape, signedness: Signedness) -> OpenParts {
        let Some(range) = range else {
            return OpenParts::ALL;
        };
        let bits = f64::from(to.scalar.bits());
        let (least, limit) = match signedness {
            Signedness::Signed => (-(bits - 1.0).exp2(), (bits - 1.0).exp2()),
            // Fractions are cut off, those of negative numbers too.
            Signedness::Unsigned => (-0.5, bits.exp2()),
        };
        OpenParts {
            below: range.low < least,
            above: range.high >= limit,
            nan: false,
        }
    }
}

/// Returns the instruction that converts a float to an integer.
fn conversion(signedness: Signedness) -> Op {
    match signedness {
        Signedness::Signed => Op::ConvertFToS,
        Signedness::Unsigned => Op::ConvertFToU,
    }
}

/// Converts a float to an integer of at most 32 bits on a device that clamps to those.
fn clamped_by_device(
    cx: &mut Context<'_>,
    to: NumericShape,
    id: Id,
    signedness: Signedness,
) -> Result<Id> {
    if to.scalar.bits() == 16 && !cx.module.types.strict_16bit {
        // Min-precision types may have more bits, so that nothing tells where their range ends.
        let shape = if to.scalar.width() == 16 {
            to
        } else {
            to.u32()
        };
        let ty = types::shape_ty(cx, shape)?;
        return Ok(cx.b.emit(conversion(signedness), ty, &[id]));
    }
    let word = to.u32();
    let word_ty = types::shape_ty(cx, word)?;
    let mut result = cx.b.emit(conversion(signedness), word_ty, &[id]);
    let bits = to.scalar.bits();
    if bits < 32 {
        // Devices have no conversion to every narrow type, so they cut off bits of the word.
        result = match signedness {
            Signedness::Signed => {
                let high = types::const_int(cx, word, low_bits(bits - 1))?;
                let low = types::const_int(cx, word, !low_bits(bits - 1))?;
                cx.b.glsl(GLOp::SClamp, word_ty, &[result, low, high])
            }
            Signedness::Unsigned => {
                let high = types::const_int(cx, word, low_bits(bits))?;
                cx.b.glsl(GLOp::UMin, word_ty, &[result, high])
            }
        };
    }
    if to.scalar.width() == 32 {
        return Ok(result);
    }
    let ty = types::shape_ty(cx, to)?;
    Ok(cx.b.emit(Op::UConvert, ty, &[result]))
}

/// Converts a float or double to an integer on a device of whose conversions nothing is known.
fn clamped_by_code(
    cx: &mut Context<'_>,
    from: NumericShape,
    to: NumericShape,
    id: Id,
    signedness: Signedness,
    open: OpenParts,
) -> Result<Id> {
    let bits = to.scalar.bits();
    let signed = signedness == Signedness::Signed;
    let mantissa = if from.scalar.width() == 64 { 53 } else { 24 };
    let magnitude_bits = if signed { bits - 1 } else { bits };
    let limit = (f64::from(magnitude_bits)).exp2();
    let exact = magnitude_bits <= mantissa;
    // The greatest float that fits: the limit itself is a power of two and does not.
    let high = if exact {
        limit - 1.0
    } else {
        limit - f64::from(magnitude_bits - mantissa).exp2()
    };
    let low = if signed { -limit } else { 0.0 };
    let from_ty = types::shape_ty(cx, from)?;
    let mut ends = SmallVec::<[Id; 3]>::from_slice(&[id]);
    if open.below {
        ends.push(types::const_float(cx, from, low)?);
    }
    if open.above {
        ends.push(types::const_float(cx, from, high)?);
    }
    let clamped = match (open.below, open.above) {
        (true, true) => cx.b.glsl(GLOp::NClamp, from_ty, &ends),
        (true, false) => cx.b.glsl(GLOp::NMax, from_ty, &ends),
        (false, true) => cx.b.glsl(GLOp::NMin, from_ty, &ends),
        (false, false) => id,
    };
    let ty = types::shape_ty(cx, to)?;
    let mut result = cx.b.emit(conversion(signedness), ty, &[clamped]);
    let bool_ty = types::shape_ty(cx, from.bool())?;
    // The clamp stopped at the greatest float below the limit. Numbers from the limit up give the
    // greatest integer (D3D11.3 functional specification, 22.13.3).
    if !exact && open.above {
        let limit = types::const_float(cx, from, limit)?;
        let over = cx.b.emit(Op::FOrdGreaterThanEqual, bool_ty, &[id, limit]);
        let max = types::const_int(cx, to, low_bits(magnitude_bits))?;
        result = cx.b.select(ty, over, max, result);
    }
    if signed && open.nan {
        // NClamp turned NaN into the lower bound.
        let nan = arithmetic::is_nan(cx, from, id)?;
        let zero = types::const_int(cx, to, 0)?;
        result = cx.b.select(ty, nan, zero, result);
    }
    Ok(result)
}

fn int_to_float(
    cx: &mut Context<'_>,
    from: NumericShape,
    to: NumericShape,
    id: Id,
    signedness: Signedness,
) -> Result<Id> {
    let ty = types::shape_ty(cx, to)?;
    let signed = signedness == Signedness::Signed;
    let result = if from.scalar == Scalar::Bool {
        let one = types::const_float(cx, to, if signed { -1.0 } else { 1.0 })?;
        let zero = types::const_float(cx, to, 0.0)?;
        cx.b.select(ty, id, one, zero)
    } else if signed {
        let id = integers::sign_extend(cx, from, id)?;
        cx.b.emit(Op::ConvertSToF, ty, &[id])
    } else {
        let id = integers::zero_extend(cx, from, id)?;
        cx.b.emit(Op::ConvertUToF, ty, &[id])
    };
    types::mark_relaxed(&mut cx.b, &cx.input, to, result);
    Ok(result)
}

fn convert_float(cx: &mut Context<'_>, from: NumericShape, to: NumericShape, id: Id) -> Result<Id> {
    if from.scalar.width() == to.scalar.width() {
        // Min-precision half is a float already.
        return Ok(id);
    }
    let ty = types::shape_ty(cx, to)?;
    let converted = cx.b.emit(Op::FConvert, ty, &[id]);
    let rounds = to.scalar.width() < from.scalar.width()
        // Min-precision types may have more bits.
        && (to.scalar.width() != 16 || cx.module.types.strict_16bit);
    if rounds && cx.input.consumer().no_contraction {
        // D3D12's drivers never skip this rounding. Mesa 26 makes nothing of a conversion there and
        // back, unless NoContraction forbids combining the two.
        float_modes::forbid_fusing(&mut cx.b, &cx.input, converted);
    }
    Ok(converted)
}

fn bit_cast(cx: &mut Context<'_>, from: NumericShape, to: NumericShape, id: Id) -> Result<Id> {
    if from == to {
        return Ok(id);
    }
    let ty = types::shape_ty(cx, to)?;
    let plain = |shape: NumericShape| shape.scalar.bits() == shape.scalar.width();
    if plain(from) && plain(to) && from.scalar != Scalar::Bool && to.scalar != Scalar::Bool {
        return Ok(cx.b.bitcast(ty, id));
    }
    if from.count != to.count || from.scalar.bits() != to.scalar.bits() {
        return Err(Error::unsupported(
            "a bit cast between vectors of small scalars",
        ));
    }
    if from.count > 1 {
        // Casts of scalars that live in wider ones take several instructions.
        let [one, other] = [from, to].map(|shape| NumericShape::scalar(shape.scalar));
        let element = types::shape_ty(cx, one)?;
        let mut parts = Vec::with_capacity(from.count as usize);
        for index in 0..from.count {
            let part = cx.b.extract(element, id, index);
            parts.push(bit_cast(cx, one, other, part)?);
        }
        return Ok(cx.b.construct(ty, &parts));
    }
    match (from.scalar, to.scalar) {
        (Scalar::Int { .. }, Scalar::Int { .. }) => Ok(id),
        (Scalar::Int { width, .. }, Scalar::Float { .. }) => {
            cells::from_bits(cx, to.scalar, id, width)
        }
        (Scalar::Float { .. }, Scalar::Int { width, .. }) => {
            cells::to_bits(&mut cx.b, from.scalar, id, width)
        }
        _ => Ok(id),
    }
}
