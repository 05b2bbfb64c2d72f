//! Numbers: floats, integers, bits and conversions.

pub(super) mod arithmetic;
pub(super) mod binary;
pub(super) mod bits;
pub(super) mod convert;
pub(super) mod float_modes;
pub(super) mod half;
pub(super) mod integers;
pub(super) mod overflow;
pub(super) mod results;
pub(super) mod sums;
mod vectors;
pub(super) mod word_pairs;

use dxil_frontend::dxil::ops::{BitsOp, FloatOp, IntegerOp};

use crate::Result;
use crate::lower::context::Context;
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::{GLOp, Op};

use arithmetic::FloatClass;
use bits::Scan;
use convert::Signedness;
pub(super) use vectors::{dot, reduce};

/// Lowers floating-point arithmetic.
pub(super) fn lower_float(cx: &mut Context<'_>, call: &Call, op: &FloatOp) -> Result<LoweredValue> {
    match op {
        // GLSL.std.450 and D3D agree on infinities, zeros and arguments outside of a function's
        // domain (sin, cos, tan of an infinity, asin and acos beyond 1, log2 and roots of
        // zeros and below), so no guards are needed; `hwtests/tables/special_values.txt` has the
        // measured values.
        FloatOp::FAbs(op) => arithmetic::unary_glsl(cx, GLOp::FAbs, op.value),
        FloatOp::Saturate(op) => arithmetic::saturate(cx, op.value),
        FloatOp::IsNaN(op) => arithmetic::float_class(cx, FloatClass::Nan, op.value),
        FloatOp::IsInf(op) => arithmetic::float_class(cx, FloatClass::Infinite, op.value),
        FloatOp::IsFinite(op) => arithmetic::float_class(cx, FloatClass::Finite, op.value),
        FloatOp::IsNormal(op) => arithmetic::float_class(cx, FloatClass::Normal, op.value),
        FloatOp::Cos(op) => arithmetic::unary_glsl(cx, GLOp::Cos, op.value),
        FloatOp::Sin(op) => arithmetic::unary_glsl(cx, GLOp::Sin, op.value),
        FloatOp::Tan(op) => arithmetic::unary_glsl(cx, GLOp::Tan, op.value),
        FloatOp::Acos(op) => arithmetic::unary_glsl(cx, GLOp::Acos, op.value),
        FloatOp::Asin(op) => arithmetic::unary_glsl(cx, GLOp::Asin, op.value),
        FloatOp::Atan(op) => arithmetic::unary_glsl(cx, GLOp::Atan, op.value),
        FloatOp::Hcos(op) => arithmetic::unary_glsl(cx, GLOp::Cosh, op.value),
        FloatOp::Hsin(op) => arithmetic::unary_glsl(cx, GLOp::Sinh, op.value),
        FloatOp::Htan(op) => arithmetic::tanh(cx, op.value),
        FloatOp::Exp(op) => arithmetic::unary_glsl(cx, GLOp::Exp2, op.value),
        FloatOp::Frc(op) => arithmetic::fraction(cx, op.value),
        FloatOp::Log(op) => arithmetic::unary_glsl(cx, GLOp::Log2, op.value),
        FloatOp::Sqrt(op) => arithmetic::unary_glsl(cx, GLOp::Sqrt, op.value),
        FloatOp::Rsqrt(op) => arithmetic::reciprocal_root(cx, op.value),
        FloatOp::RoundNe(op) => arithmetic::unary_glsl(cx, GLOp::RoundEven, op.value),
        FloatOp::RoundNi(op) => arithmetic::unary_glsl(cx, GLOp::Floor, op.value),
        FloatOp::RoundPi(op) => arithmetic::unary_glsl(cx, GLOp::Ceil, op.value),
        FloatOp::RoundZ(op) => arithmetic::unary_glsl(cx, GLOp::Trunc, op.value),
        // The N forms return the other operand for NaN, as D3D requires.
        FloatOp::FMax(op) => arithmetic::binary_glsl(cx, GLOp::NMax, op.a, op.b),
        FloatOp::FMin(op) => arithmetic::binary_glsl(cx, GLOp::NMin, op.a, op.b),
        FloatOp::FMad(op) => arithmetic::float_mad(cx, call, op),
        FloatOp::Fma(op) => arithmetic::fused_mad(cx, op),
        FloatOp::Dot2(op) => arithmetic::dot(cx, call, &op.a, &op.b),
        FloatOp::Dot3(op) => arithmetic::dot(cx, call, &op.a, &op.b),
        FloatOp::Dot4(op) => arithmetic::dot(cx, call, &op.a, &op.b),
        FloatOp::Dot2AddHalf(op) => arithmetic::dot2_add_half(cx, op),
    }
}

/// Lowers integer arithmetic.
pub(super) fn lower_integer(cx: &mut Context<'_>, op: &IntegerOp) -> Result<LoweredValue> {
    match op {
        IntegerOp::IMax(op) => arithmetic::int_min_max(cx, GLOp::SMax, op.a, op.b),
        IntegerOp::IMin(op) => arithmetic::int_min_max(cx, GLOp::SMin, op.a, op.b),
        IntegerOp::UMax(op) => arithmetic::int_min_max(cx, GLOp::UMax, op.a, op.b),
        IntegerOp::UMin(op) => arithmetic::int_min_max(cx, GLOp::UMin, op.a, op.b),
        IntegerOp::IMul(op) => arithmetic::extended_mul(cx, Op::SMulExtended, op.a, op.b),
        IntegerOp::UMul(op) => arithmetic::extended_mul(cx, Op::UMulExtended, op.a, op.b),
        IntegerOp::UDiv(op) => arithmetic::divide(cx, op.a, op.b),
        IntegerOp::UAddc(op) => arithmetic::add_carry(cx, op.a, op.b),
        IntegerOp::USubb(op) => arithmetic::sub_borrow(cx, op.a, op.b),
        IntegerOp::IMad(op) => arithmetic::int_mad(cx, op.a, op.b, op.c),
        IntegerOp::UMad(op) => arithmetic::int_mad(cx, op.a, op.b, op.c),
        IntegerOp::Msad(op) => arithmetic::masked_sad(cx, op),
        IntegerOp::Dot4AddI8Packed(op) => arithmetic::dot4_add(cx, true, op.acc, op.a, op.b),
        IntegerOp::Dot4AddU8Packed(op) => arithmetic::dot4_add(cx, false, op.acc, op.a, op.b),
    }
}

/// Lowers bit operations, bit casts and legacy conversions.
pub(super) fn lower_bits(cx: &mut Context<'_>, call: &Call, op: &BitsOp) -> Result<LoweredValue> {
    match op {
        BitsOp::Bfrev(op) => bits::reverse_bits(cx, op.value),
        BitsOp::Countbits(op) => bits::count_bits(cx, op.value),
        BitsOp::FirstbitLo(op) => bits::find_bit(cx, Scan::Low, op.value),
        BitsOp::FirstbitHi(op) => bits::find_bit(cx, Scan::High, op.value),
        BitsOp::FirstbitSHi(op) => bits::find_bit(cx, Scan::HighSigned, op.value),
        BitsOp::Ibfe(op) => bits::extract_bits(cx, Op::BitFieldSExtract, op.a, op.b, op.c),
        BitsOp::Ubfe(op) => bits::extract_bits(cx, Op::BitFieldUExtract, op.a, op.b, op.c),
        BitsOp::Bfi(op) => bits::insert_bits(cx, op),
        BitsOp::Unpack4x8(op) => bits::unpack_bytes(cx, call, op),
        BitsOp::Pack4x8(op) => bits::pack_bytes(cx, op),
        BitsOp::MakeDouble(op) => arithmetic::make_double(cx, op),
        BitsOp::SplitDouble(op) => arithmetic::split_double(cx, op.value),
        BitsOp::BitcastI16toF16(op) => bits::bit_cast_op(cx, call, op.value),
        BitsOp::BitcastF16toI16(op) => bits::bit_cast_op(cx, call, op.value),
        BitsOp::BitcastI32toF32(op) => bits::bit_cast_op(cx, call, op.value),
        BitsOp::BitcastF32toI32(op) => bits::bit_cast_op(cx, call, op.value),
        BitsOp::BitcastI64toF64(op) => bits::bit_cast_op(cx, call, op.value),
        BitsOp::BitcastF64toI64(op) => bits::bit_cast_op(cx, call, op.value),
        BitsOp::LegacyF32ToF16(op) => bits::legacy_to_half(cx, op.value),
        BitsOp::LegacyF16ToF32(op) => bits::legacy_from_half(cx, op.value),
        BitsOp::LegacyDoubleToFloat(op) => bits::double_to_float(cx, op.value),
        BitsOp::LegacyDoubleToSInt32(op) => bits::double_to_int(cx, op.value, Signedness::Signed),
        BitsOp::LegacyDoubleToUInt32(op) => bits::double_to_int(cx, op.value, Signedness::Unsigned),
    }
}
