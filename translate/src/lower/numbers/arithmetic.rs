//! Floating-point operations, and integer arithmetic with results that SPIR-V has no single
//! instruction for.

use dxil_frontend::dxil::ops::{FloatOp, Op as DxOp, calls, op_giving};
use dxil_frontend::ir::{FastMath, Inst, ValueId};

use super::integers;
use crate::lower::context::{Context, FunctionState};
use crate::lower::numbers::{float_modes, results, word_pairs};
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::options::Features;
use crate::spirv::{Builder, Capability, GLOp, Id, Op};
use crate::{Error, Fract, MultiplyAdd, Quirks, Result};

/// Classes of floats that DXIL has tests for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FloatClass {
    /// Not a number.
    Nan,
    /// Infinite.
    Infinite,
    /// Neither.
    Finite,
    /// Finite, neither zero nor denormal.
    Normal,
}

/// Returns a function of `GLSL.std.450` of one operand.
pub(super) fn unary_glsl(cx: &mut Context<'_>, op: GLOp, value: ValueId) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    Ok(LoweredValue::Id(results::glsl_same(cx, op, shape, &[id])?))
}

/// Lowers `rsqrt`.
pub(super) fn reciprocal_root(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    let root = results::glsl_same(cx, GLOp::InverseSqrt, shape, &[id])?;
    if !cx.input.has_quirk(Quirks::FINITE_RSQRT) || shape.scalar.width() != 32 {
        return Ok(LoweredValue::Id(root));
    }
    let max = types::const_float(cx, shape, f64::from(f32::MAX))?;
    Ok(LoweredValue::Id(results::glsl_same(
        cx,
        GLOp::NMin,
        shape,
        &[root, max],
    )?))
}

/// Returns a quotient whose divisor is a square root, as a product with `rsqrt` that stays finite.
pub(super) fn finite_quotient(
    cx: &mut Context<'_>,
    shape: NumericShape,
    dividend: Id,
    divisor: ValueId,
) -> Result<Option<Id>> {
    if !cx.input.has_quirk(Quirks::FINITE_RSQRT) || shape.scalar.width() != 32 {
        return Ok(None);
    }
    // Only a quotient by `sqrt` means a normalization; other divisions by 0 keep their infinity.
    let Some(DxOp::Float(FloatOp::Sqrt(root))) =
        op_giving(cx.function.view, &cx.input.shader.callees, divisor)
    else {
        return Ok(None);
    };
    let LoweredValue::Id(reciprocal) = reciprocal_root(cx, root.value)? else {
        return Ok(None);
    };
    float_op(cx, Op::FMul, shape, [dividend, reciprocal], false).map(Some)
}

/// Returns a function of `GLSL.std.450` of two floats.
pub(super) fn binary_glsl(
    cx: &mut Context<'_>,
    op: GLOp,
    a: ValueId,
    b: ValueId,
) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, a)?;
    let operands = cx.ids([a, b])?;
    Ok(LoweredValue::Id(results::glsl_same(
        cx, op, shape, &operands,
    )?))
}

/// Returns the hyperbolic tangent. Vulkan derives it from a quotient of sums of exponentials, which
/// are infinite long before the tangent stops being 1 (Vulkan specification, "Precision of
/// GLSL.std.450 Instructions").
pub(super) fn tanh(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    // From here on the tangent rounds to one, and no exponential overflows. NaN is not above it.
    let limit = types::const_float(cx, shape, 10.0)?;
    let bool_ty = types::shape_ty(cx, shape.bool())?;
    let magnitude = results::glsl_same(cx, GLOp::FAbs, shape, &[id])?;
    let large = cx.b.emit(Op::FOrdGreaterThan, bool_ty, &[magnitude, limit]);
    let sign = results::glsl_same(cx, GLOp::FSign, shape, &[id])?;
    let tangent = results::glsl_same(cx, GLOp::Tanh, shape, &[id])?;
    let ty = types::shape_ty(cx, shape)?;
    let result = cx.b.select(ty, large, sign, tangent);
    types::mark_relaxed(&mut cx.b, &cx.input, shape, result);
    Ok(LoweredValue::Id(result))
}

/// Returns the fraction, which is below 1 (DXIL document, "Frc"). For a negative number near 0 it
/// rounds to 1 on devices that compute `x - floor(x)`.
pub(super) fn fraction(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    let fraction = results::glsl_same(cx, GLOp::Fract, shape, &[id])?;
    if cx.input.numerics().fract == Fract::StaysBelowOne {
        return Ok(LoweredValue::Id(fraction));
    }
    // A minimum would turn the NaN of an infinity into a number.
    let one = types::const_float(cx, shape, 1.0)?;
    let bool_ty = types::shape_ty(cx, shape.bool())?;
    let reached =
        cx.b.emit(Op::FOrdGreaterThanEqual, bool_ty, &[fraction, one]);
    let below = types::const_float(cx, shape, greatest_below_one(shape.scalar))?;
    let ty = types::shape_ty(cx, shape)?;
    let result = cx.b.select(ty, reached, below, fraction);
    types::mark_relaxed(&mut cx.b, &cx.input, shape, result);
    Ok(LoweredValue::Id(result))
}

/// Returns the greatest number below 1.
fn greatest_below_one(scalar: Scalar) -> f64 {
    let mantissa = match scalar {
        Scalar::Float { bits: 16, .. } => 11,
        Scalar::Float { bits: 64, .. } => 53,
        _ => 24,
    };
    1.0 - (-f64::from(mantissa)).exp2()
}

/// Clamps to 0..=1. NaN gives 0, because `NClamp` is a maximum and then a minimum, and both drop
/// NaN.
pub(super) fn saturate(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    let zero = types::const_float(cx, shape, 0.0)?;
    let one = types::const_float(cx, shape, 1.0)?;
    Ok(LoweredValue::Id(results::glsl_same(
        cx,
        GLOp::NClamp,
        shape,
        &[id, zero, one],
    )?))
}

/// Returns whether a float is of a class. All but NaN look at the exponent bits, which no fast-math
/// mode of a driver touches.
pub(super) fn float_class(
    cx: &mut Context<'_>,
    class: FloatClass,
    value: ValueId,
) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    cx.module.special_floats = true;
    Ok(LoweredValue::Id(is_of_class(cx, class, shape, id)?))
}

/// Returns whether a value is NaN.
pub(in crate::lower) fn is_nan(cx: &mut Context<'_>, shape: NumericShape, id: Id) -> Result<Id> {
    is_of_class(cx, FloatClass::Nan, shape, id)
}

fn is_of_class(cx: &mut Context<'_>, class: FloatClass, shape: NumericShape, id: Id) -> Result<Id> {
    let ty = types::shape_ty(cx, shape.bool())?;
    match class {
        FloatClass::Nan => return Ok(cx.b.emit(Op::IsNan, ty, &[id])),
        FloatClass::Infinite => return Ok(cx.b.emit(Op::IsInf, ty, &[id])),
        FloatClass::Finite | FloatClass::Normal => {}
    }
    let width = shape.scalar.width();
    let is_half = matches!(shape.scalar, Scalar::Float { bits: 16, .. });
    let by_value = !cx.input.consumer().int16_constants;
    if by_value && (width == 16 || is_half && cx.module.types.rounded_half) {
        // An f32 holds every half, denormals as normal
        // numbers.
        let wide = shape.with(Scalar::F32);
        let wide_ty = types::shape_ty(cx, wide)?;
        let min = types::const_float(cx, wide, f64::from(2.0_f32.powi(-14)))?;
        let converted = match width {
            16 => cx.b.emit(Op::FConvert, wide_ty, &[id]),
            _ => id,
        };
        if class == FloatClass::Normal {
            let magnitude = cx.b.glsl(GLOp::FAbs, wide_ty, &[converted]);
            let op = Op::FOrdGreaterThanEqual;
            let large = cx.b.emit(op, ty, &[magnitude, min]);
            let finite = is_of_class(cx, FloatClass::Finite, wide, converted)?;
            return Ok(cx.b.emit(Op::LogicalAnd, ty, &[large, finite]));
        }
        return is_of_class(cx, class, wide, converted);
    }
    let exponent_mask = match width {
        16 => 0x7c00,
        64 => 0x7ff0_0000_0000_0000,
        _ => 0x7f80_0000,
    };
    let bits = shape.with(Scalar::Int { bits: width, width });
    let bits_ty = types::shape_ty(cx, bits)?;
    let raw = cx.b.bitcast(bits_ty, id);
    let mask = types::const_int(cx, bits, exponent_mask)?;
    let exponent = cx.b.emit(Op::BitwiseAnd, bits_ty, &[raw, mask]);
    let finite = cx.b.emit(Op::INotEqual, ty, &[exponent, mask]);
    if class == FloatClass::Finite {
        return Ok(finite);
    }
    let zero = types::const_int(cx, bits, 0)?;
    // An exponent of 0 means zero or a denormal; neither counts as normal.
    let nonzero = cx.b.emit(Op::INotEqual, ty, &[exponent, zero]);
    Ok(cx.b.emit(Op::LogicalAnd, ty, &[finite, nonzero]))
}

/// Emits `a * b + c` in floats, fused or not as the driver likes; `precise` forbids that.
pub(super) fn float_mad(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::FMad,
) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, op.a)?;
    let [a, b, c] = cx.ids([op.a, op.b, op.c])?;
    if cx.input.shader.shader_model.major < 6 {
        return single_mad(cx, call, shape, [a, b, c]);
    }
    let precise = is_precise(cx, call);
    // A `precise` operation is not fused (DXIL document, "FMad"); the quirk asks for the opposite.
    if precise && cx.input.has_quirk(Quirks::PRECISE_FMA) {
        return Ok(LoweredValue::Id(fuse(cx, shape, &[a, b, c])?));
    }
    // Apart from `precise` the driver may fuse or not (DXIL document, "FMad").
    if !precise && cx.input.numerics().multiply_add == MultiplyAdd::One {
        let id = results::glsl_same(cx, GLOp::Fma, shape, &[a, b, c])?;
        return Ok(LoweredValue::Id(id));
    }
    let product = float_op(cx, Op::FMul, shape, [a, b], precise)?;
    Ok(LoweredValue::Id(float_op(
        cx,
        Op::FAdd,
        shape,
        [product, c],
        precise,
    )?))
}

/// Emits `mad` of shader models 4 and 5: one operation, fused or not as the device likes, and a
/// precise one must not be split (D3D11.3 functional specification, 22.19.2). `Fma` with
/// `NoContraction` has this meaning; without it, it is a product and a sum like any other (SPIR-V
/// extended instructions for GLSL, "Fma").
fn single_mad(
    cx: &mut Context<'_>,
    call: &Call,
    shape: NumericShape,
    operands: [Id; 3],
) -> Result<LoweredValue> {
    let id = results::glsl_same(cx, GLOp::Fma, shape, &operands)?;
    let inst = cx.function.view.function.insts.get(call.inst);
    let may_refactor = matches!(
        inst.map(|data| &data.inst),
        Some(Inst::Call { fast_math, .. }) if fast_math.contains(FastMath::FAST)
    );
    if !may_refactor || cx.input.has_quirk(Quirks::PRECISE) {
        no_contraction(cx, id);
    }
    Ok(LoweredValue::Id(id))
}

/// Emits a fused multiply-add.
pub(super) fn fused_mad(cx: &mut Context<'_>, op: &calls::Fma) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, op.a)?;
    let operands = cx.ids([op.a, op.b, op.c])?;
    Ok(LoweredValue::Id(fuse(cx, shape, &operands)?))
}

/// Emits a multiply-add with one rounding, as far as the target has one. Drivers may round the
/// product of `Fma` (Vulkan specification, "Precision and Operation of SPIR-V Instructions");
/// `OpFmaKHR` forbids that.
fn fuse(cx: &mut Context<'_>, shape: NumericShape, operands: &[Id]) -> Result<Id> {
    let needed = match shape.scalar.width() {
        16 => Features::FMA_F16,
        64 => Features::FMA_F64,
        _ => Features::FMA_F32,
    };
    if !cx.input.options.target.features.contains(needed) {
        return results::glsl_same(cx, GLOp::Fma, shape, operands);
    }
    cx.b.capability(Capability::FMAKHR);
    cx.b.extension("SPV_KHR_fma");
    let ty = types::shape_ty(cx, shape)?;
    Ok(cx.b.emit(Op::FmaKHR, ty, operands))
}

/// Forbids the driver to fuse this operation with its neighbours. A consumer that drops the
/// decoration makes a warning of it.
pub(super) fn no_contraction(cx: &mut Context<'_>, id: Id) {
    cx.module.special_floats = true;
    if !cx.input.consumer().no_contraction {
        cx.losses.precise += 1;
    } else {
        float_modes::forbid_fusing(&mut cx.b, &cx.input, id);
    }
}

/// Returns a float instruction of two operands.
fn float_op(
    cx: &mut Context<'_>,
    op: Op,
    shape: NumericShape,
    operands: [Id; 2],
    precise: bool,
) -> Result<Id> {
    let ty = types::shape_ty(cx, shape)?;
    let id = cx.b.emit(op, ty, &operands);
    if precise {
        no_contraction(cx, id);
    }
    types::mark_relaxed(&mut cx.b, &cx.input, shape, id);
    Ok(id)
}

/// Returns the dot product of two to four components.
pub(super) fn dot(
    cx: &mut Context<'_>,
    call: &Call,
    a: &[ValueId],
    b: &[ValueId],
) -> Result<LoweredValue> {
    let (Some(&first), true) = (a.first(), a.len() == b.len() && a.len() <= 4) else {
        return Err(Error::malformed("a dot product without components"));
    };
    let shape = types::shape_of(cx, first)?;
    let count = a.len();
    let mut parts = [[Id::NONE; 4]; 2];
    for (ids, values) in parts.iter_mut().zip([a, b]) {
        for (id, &value) in ids.iter_mut().zip(values) {
            *id = cx.id(value)?;
        }
    }
    let scalar = types::shape_ty(cx, shape)?;
    let vector = cx.b.vector(scalar, count as u32);
    let a = cx.b.construct(vector, &parts[0][..count]);
    // Squared lengths have equal operands, so one vector is enough.
    let b = if parts[0] == parts[1] {
        a
    } else {
        cx.b.construct(vector, &parts[1][..count])
    };
    dot_of(cx, call, shape, [a, b])
}

/// Returns the dot product of two vectors; `shape` is that of the product.
pub(super) fn dot_of(
    cx: &mut Context<'_>,
    call: &Call,
    shape: NumericShape,
    vectors: [Id; 2],
) -> Result<LoweredValue> {
    let ty = types::shape_ty(cx, shape)?;
    let id = cx.b.emit(Op::Dot, ty, &vectors);
    if is_precise(cx, call) {
        no_contraction(cx, id);
    }
    types::mark_relaxed(&mut cx.b, &cx.input, shape, id);
    Ok(LoweredValue::Id(id))
}

/// Emits `acc + (a.x * b.x + a.y * b.y)` of halves in 32-bit floats: the dot product is complete
/// before it is accumulated (HLSL SM 6.4, `dot2add`), which shows if `acc` is large.
pub(super) fn dot2_add_half(cx: &mut Context<'_>, op: &calls::Dot2AddHalf) -> Result<LoweredValue> {
    let half = types::shape_of(cx, op.a[0])?;
    let wide = NumericShape::scalar(Scalar::F32);
    let ty = cx.b.f32();
    let mut products = [Id::NONE; 2];
    for (product, (a, b)) in products.iter_mut().zip(op.a.into_iter().zip(op.b)) {
        let mut factors = cx.ids([a, b])?;
        if half.scalar.width() == 16 {
            for factor in &mut factors {
                *factor = cx.b.emit(Op::FConvert, ty, &[*factor]);
            }
        }
        *product = float_op(cx, Op::FMul, wide, factors, false)?;
    }
    let dot = float_op(cx, Op::FAdd, wide, products, false)?;
    let acc = cx.id(op.acc)?;
    Ok(LoweredValue::Id(float_op(
        cx,
        Op::FAdd,
        wide,
        [acc, dot],
        false,
    )?))
}

/// Lowers `acc` plus the dot product of four packed bytes.
pub(super) fn dot4_add(
    cx: &mut Context<'_>,
    signed: bool,
    acc: ValueId,
    a: ValueId,
    b: ValueId,
) -> Result<LoweredValue> {
    let [acc, a, b] = cx.ids([acc, a, b])?;
    let ty = cx.b.u32();
    if cx
        .input
        .options
        .target
        .features
        .contains(Features::INTEGER_DOT_PRODUCT)
    {
        cx.b.capability(Capability::DotProduct);
        cx.b.capability(Capability::DotProductInput4x8BitPacked);
        cx.b.extension_before(0x0001_0600, "SPV_KHR_integer_dot_product");
        let op = if signed { Op::SDot } else { Op::UDot };
        // Packed vector format 0: four 8-bit components.
        let dot = cx.b.emit(op, ty, &[a.0, b.0, 0]);
        return Ok(LoweredValue::Id(cx.b.emit(Op::IAdd, ty, &[acc, dot])));
    }
    // Without the instruction each byte is extracted and extended; the sum wraps in both ways.
    let mut sum = acc;
    for byte in 0..4 {
        let a = byte_of(&mut cx.b, a, byte, signed);
        let b = byte_of(&mut cx.b, b, byte, signed);
        let product = cx.b.emit(Op::IMul, ty, &[a, b]);
        sum = cx.b.emit(Op::IAdd, ty, &[sum, product]);
    }
    Ok(LoweredValue::Id(sum))
}

/// Returns one byte of a word, extended.
pub(super) fn byte_of(b: &mut Builder, word: Id, index: u32, signed: bool) -> Id {
    let ty = b.u32();
    let offset = b.const_u32(index * 8);
    let count = b.const_u32(8);
    let op = if signed {
        Op::BitFieldSExtract
    } else {
        Op::BitFieldUExtract
    };
    b.emit(op, ty, &[word, offset, count])
}

/// Emits `a * b + c` in integers.
pub(super) fn int_mad(
    cx: &mut Context<'_>,
    a: ValueId,
    b: ValueId,
    c: ValueId,
) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, a)?;
    let [a, b, c] = cx.ids([a, b, c])?;
    let ty = types::shape_ty(cx, shape)?;
    let product = cx.b.emit(Op::IMul, ty, &[a, b]);
    Ok(LoweredValue::Id(cx.b.emit(Op::IAdd, ty, &[product, c])))
}

/// Returns the minimum or maximum of integers.
pub(super) fn int_min_max(
    cx: &mut Context<'_>,
    op: GLOp,
    a: ValueId,
    b: ValueId,
) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, a)?;
    let [mut a, mut b] = cx.ids([a, b])?;
    // The upper bits of widened integers are undefined, and a comparison looks at them.
    if shape.scalar.is_widened() {
        if matches!(op, GLOp::SMin | GLOp::SMax) {
            a = integers::sign_extend(cx, shape, a)?;
            b = integers::sign_extend(cx, shape, b)?;
        } else {
            a = integers::zero_extend(cx, shape, a)?;
            b = integers::zero_extend(cx, shape, b)?;
        }
    }
    let ty = types::shape_ty(cx, shape)?;
    Ok(LoweredValue::Id(cx.b.glsl(op, ty, &[a, b])))
}

/// Returns the full 64-bit product of 32-bit integers: high word, then low word.
pub(super) fn extended_mul(
    cx: &mut Context<'_>,
    op: Op,
    a: ValueId,
    b: ValueId,
) -> Result<LoweredValue> {
    let [a, b] = cx.ids([a, b])?;
    let word = cx.b.u32();
    // OpUMulExtended gives the low word first, DXIL the high one.
    let pair = cx.b.struct_type(&[word, word]);
    let both = cx.b.emit(op, pair, &[a, b]);
    let low = StructMember::Member {
        composite: both,
        index: 0,
    };
    let high = StructMember::Member {
        composite: both,
        index: 1,
    };
    Ok(cx.function.values.parts([high, low]))
}

/// Returns the quotient and remainder.
pub(super) fn divide(cx: &mut Context<'_>, a: ValueId, b: ValueId) -> Result<LoweredValue> {
    let shape = types::shape_of(cx, a)?;
    let [x, y] = cx.ids([a, b])?;
    // Division by zero gives all ones for both results (D3D11.3 functional specification, 22.12.9).
    let quotient = integers::unsigned_division(cx, Op::UDiv, shape, x, y, Some(b))?;
    let remainder = integers::unsigned_division(cx, Op::UMod, shape, x, y, Some(b))?;
    Ok(results::pair(&mut cx.function, quotient, remainder))
}

/// Returns sum and carry. A comparison computes the carry; it is cheaper than `OpIAddCarry`'s
/// struct.
pub(super) fn add_carry(cx: &mut Context<'_>, a: ValueId, b: ValueId) -> Result<LoweredValue> {
    let [a, b] = cx.ids([a, b])?;
    let word = cx.b.u32();
    let sum = cx.b.emit(Op::IAdd, word, &[a, b]);
    let bool_ty = cx.b.bool();
    // The sum has wrapped if and only if it is below an addend.
    let carry = cx.b.emit(Op::ULessThan, bool_ty, &[sum, a]);
    Ok(results::pair(&mut cx.function, sum, carry))
}

/// Returns the difference and borrow.
pub(super) fn sub_borrow(cx: &mut Context<'_>, a: ValueId, b: ValueId) -> Result<LoweredValue> {
    let [a, b] = cx.ids([a, b])?;
    let word = cx.b.u32();
    let difference = cx.b.emit(Op::ISub, word, &[a, b]);
    let bool_ty = cx.b.bool();
    let borrow = cx.b.emit(Op::ULessThan, bool_ty, &[a, b]);
    Ok(results::pair(&mut cx.function, difference, borrow))
}

/// Returns the masked sum of absolute differences of four bytes: bytes where `a` is zero do not
/// count.
pub(super) fn masked_sad(cx: &mut Context<'_>, op: &calls::Msad) -> Result<LoweredValue> {
    let [reference, source, start] = cx.ids([op.a, op.b, op.c])?;
    let mut sum = Id::NONE;
    let ty = cx.b.u32();
    let bool_ty = cx.b.bool();
    let zero = cx.b.const_u32(0);
    for index in 0..4 {
        let a = byte_of(&mut cx.b, reference, index, false);
        let b = byte_of(&mut cx.b, source, index, false);
        let difference = if cx.input.consumer().all_of_spirv {
            // Bytes have no sign, their difference has one. Mesa makes AMD's instruction for the
            // whole of an absolute value, this select, and a sum that begins with the bytes.
            let difference = cx.b.emit(Op::ISub, ty, &[a, b]);
            cx.b.glsl(GLOp::SAbs, ty, &[difference])
        } else {
            // The absolute value of an unsigned number is that number there.
            let max = cx.b.glsl(GLOp::UMax, ty, &[a, b]);
            let min = cx.b.glsl(GLOp::UMin, ty, &[a, b]);
            cx.b.emit(Op::ISub, ty, &[max, min])
        };
        let masked = cx.b.emit(Op::IEqual, bool_ty, &[a, zero]);
        // A zero byte of the reference masks its pair (D3D11.3 functional specification, 22.12.15).
        let counted = cx.b.select(ty, masked, zero, difference);
        sum = if index == 0 {
            counted
        } else {
            cx.b.emit(Op::IAdd, ty, &[sum, counted])
        };
    }
    Ok(LoweredValue::Id(cx.b.emit(Op::IAdd, ty, &[start, sum])))
}

/// Returns a double from its two words.
pub(super) fn make_double(cx: &mut Context<'_>, op: &calls::MakeDouble) -> Result<LoweredValue> {
    let [low, high] = cx.ids([op.lo, op.hi])?;
    Ok(LoweredValue::Id(word_pairs::join_words(
        cx,
        low,
        high,
        Scalar::F64,
    )?))
}

/// Returns the two words of a double: low, then high.
pub(super) fn split_double(cx: &mut Context<'_>, value: ValueId) -> Result<LoweredValue> {
    let id = cx.id(value)?;
    let word = cx.b.u32();
    let pair = cx.b.vector(word, 2);
    let both = cx.b.bitcast(pair, id);
    Ok(vector_parts(&mut cx.function, both, 2))
}

/// Returns a struct whose members are the components of a vector.
pub(in crate::lower) fn vector_parts(
    function: &mut FunctionState<'_>,
    vector: Id,
    count: u32,
) -> LoweredValue {
    function
        .values
        .parts((0..count).map(|index| StructMember::Member {
            composite: vector,
            index,
        }))
}

/// Returns whether the call carries `dx.precise` metadata.
fn is_precise(cx: &Context<'_>, call: &Call) -> bool {
    cx.input.has_quirk(Quirks::PRECISE)
        || cx.input.shader.hints.is_precise(
            cx.function.view.module,
            cx.function.view.function,
            call.inst,
        )
}
