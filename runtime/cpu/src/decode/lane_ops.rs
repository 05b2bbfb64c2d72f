//! Operations that work on each lane by itself: one row says all of one.
//!
//! `Name(operands: kinds) -> kind { result }`. Kind `W` is a 32-bit register (integers of up to 32
//! bits, zero-extended; `half` as its 16 bits; `float` as its bits), `D` a 64-bit one. [`LaneOp`],
//! its signature and the loops of the executor are made from the rows.

/// Hands every row to the macro `$with`.
macro_rules! for_each_lane_op {
    ($with:ident) => {
        $with! {
            // Moves and choices.
            MovW(a: W) -> W { a }
            MovD(a: D) -> D { a }
            SelectW(c: W, a: W, b: W) -> W { if c != 0 { a } else { b } }
            SelectD(c: W, a: D, b: D) -> D { if c != 0 { a } else { b } }
            // The shadow of a result of two values (`shadow`).
            Either(a: W, b: W) -> W { if a != 0 { a } else { b } }
            // Integers of up to 32 bits. Narrow ones are cut or extended by operations of their
            // own.
            Add32(a: W, b: W) -> W { a.wrapping_add(b) }
            Sub32(a: W, b: W) -> W { a.wrapping_sub(b) }
            Mul32(a: W, b: W) -> W { a.wrapping_mul(b) }
            Mad32(a: W, b: W, c: W) -> W { a.wrapping_mul(b).wrapping_add(c) }
            UDiv32(a: W, b: W) -> W { a.checked_div(b).unwrap_or(u32::MAX) }
            URem32(a: W, b: W) -> W { a.checked_rem(b).unwrap_or(u32::MAX) }
            SDiv32(a: W, b: W) -> W { integer::signed_div32(a, b) }
            SRem32(a: W, b: W) -> W { integer::signed_rem32(a, b) }
            And32(a: W, b: W) -> W { a & b }
            Or32(a: W, b: W) -> W { a | b }
            Xor32(a: W, b: W) -> W { a ^ b }
            Shl32(a: W, b: W) -> W { a.wrapping_shl(b) }
            LShr32(a: W, b: W) -> W { a.wrapping_shr(b) }
            AShr32(a: W, b: W) -> W { (a as i32).wrapping_shr(b) as u32 }
            SMin32(a: W, b: W) -> W { (a as i32).min(b as i32) as u32 }
            SMax32(a: W, b: W) -> W { (a as i32).max(b as i32) as u32 }
            UMin32(a: W, b: W) -> W { a.min(b) }
            UMax32(a: W, b: W) -> W { a.max(b) }
            Eq32(a: W, b: W) -> W { u32::from(a == b) }
            Ne32(a: W, b: W) -> W { u32::from(a != b) }
            ULt32(a: W, b: W) -> W { u32::from(a < b) }
            ULe32(a: W, b: W) -> W { u32::from(a <= b) }
            SLt32(a: W, b: W) -> W { u32::from((a as i32) < b as i32) }
            SLe32(a: W, b: W) -> W { u32::from(a as i32 <= b as i32) }
            UMulHi32(a: W, b: W) -> W { ((u64::from(a) * u64::from(b)) >> 32) as u32 }
            SMulHi32(a: W, b: W) -> W { ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32 }
            Reverse32(a: W) -> W { a.reverse_bits() }
            Count32(a: W) -> W { a.count_ones() }
            FirstLow32(a: W) -> W { if a == 0 { u32::MAX } else { a.trailing_zeros() } }
            FirstHigh32(a: W) -> W { if a == 0 { u32::MAX } else { a.leading_zeros() } }
            FirstSignedHigh32(a: W) -> W { integer::first_signed_high32(a) }
            Msad(a: W, b: W, c: W) -> W { integer::masked_sad(a, b, c) }
            Ibfe(width: W, offset: W, value: W) -> W { integer::signed_field(width, offset, value) }
            Ubfe(width: W, offset: W, value: W) -> W { integer::unsigned_field(width, offset, value) }
            FieldMask(width: W, offset: W) -> W { integer::field_mask(width, offset) }
            Merge(mask: W, value: W, base: W) -> W { (value & mask) | (base & !mask) }
            DotBytesSigned(acc: W, a: W, b: W) -> W { integer::dot_signed(acc, a, b) }
            DotBytesUnsigned(acc: W, a: W, b: W) -> W { integer::dot_unsigned(acc, a, b) }
            SignExtend8(a: W) -> W { a as u8 as i8 as u32 }
            SignExtend16(a: W) -> W { a as u16 as i16 as u32 }
            SignExtend(a: W, shift: W) -> W { (a.wrapping_shl(shift) as i32).wrapping_shr(shift) as u32 }
            // Integers of 64 bits.
            Add64(a: D, b: D) -> D { a.wrapping_add(b) }
            Sub64(a: D, b: D) -> D { a.wrapping_sub(b) }
            Mul64(a: D, b: D) -> D { a.wrapping_mul(b) }
            UDiv64(a: D, b: D) -> D { a.checked_div(b).unwrap_or(u64::MAX) }
            URem64(a: D, b: D) -> D { a.checked_rem(b).unwrap_or(u64::MAX) }
            SDiv64(a: D, b: D) -> D { integer::signed_div64(a, b) }
            SRem64(a: D, b: D) -> D { integer::signed_rem64(a, b) }
            And64(a: D, b: D) -> D { a & b }
            Or64(a: D, b: D) -> D { a | b }
            Xor64(a: D, b: D) -> D { a ^ b }
            Shl64(a: D, b: D) -> D { a.wrapping_shl(b as u32) }
            LShr64(a: D, b: D) -> D { a.wrapping_shr(b as u32) }
            AShr64(a: D, b: D) -> D { (a as i64).wrapping_shr(b as u32) as u64 }
            SMin64(a: D, b: D) -> D { (a as i64).min(b as i64) as u64 }
            SMax64(a: D, b: D) -> D { (a as i64).max(b as i64) as u64 }
            UMin64(a: D, b: D) -> D { a.min(b) }
            UMax64(a: D, b: D) -> D { a.max(b) }
            Eq64(a: D, b: D) -> W { u32::from(a == b) }
            Ne64(a: D, b: D) -> W { u32::from(a != b) }
            ULt64(a: D, b: D) -> W { u32::from(a < b) }
            ULe64(a: D, b: D) -> W { u32::from(a <= b) }
            SLt64(a: D, b: D) -> W { u32::from((a as i64) < b as i64) }
            SLe64(a: D, b: D) -> W { u32::from(a as i64 <= b as i64) }
            Reverse64(a: D) -> D { a.reverse_bits() }
            Count64(a: D) -> W { a.count_ones() }
            FirstLow64(a: D) -> W { if a == 0 { u32::MAX } else { a.trailing_zeros() } }
            FirstHigh64(a: D) -> W { if a == 0 { u32::MAX } else { a.leading_zeros() } }
            FirstSignedHigh64(a: D) -> W { integer::first_signed_high64(a) }
            Low(a: D) -> W { a as u32 }
            High(a: D) -> W { (a >> 32) as u32 }
            Join(low: W, high: W) -> D { u64::from(low) | u64::from(high) << 32 }
            ZeroExtend64(a: W) -> D { u64::from(a) }
            SignExtend64(a: W) -> D { a as i32 as i64 as u64 }
            // Single precision.
            FAdd(a: W, b: W) -> W { (f(a) + f(b)).to_bits() }
            FSub(a: W, b: W) -> W { (f(a) - f(b)).to_bits() }
            FMul(a: W, b: W) -> W { (f(a) * f(b)).to_bits() }
            FDiv(a: W, b: W) -> W { (f(a) / f(b)).to_bits() }
            FRem(a: W, b: W) -> W { (f(a) % f(b)).to_bits() }
            FMad(a: W, b: W, c: W) -> W { (f(a) * f(b) + f(c)).to_bits() }
            // The same where denormals count as zero, for operands that are none.
            FAddFlush(a: W, b: W) -> W { float::flush32((f(a) + f(b)).to_bits()) }
            FSubFlush(a: W, b: W) -> W { float::flush32((f(a) - f(b)).to_bits()) }
            FMulFlush(a: W, b: W) -> W { float::flush32((f(a) * f(b)).to_bits()) }
            FDivFlush(a: W, b: W) -> W { float::flush32((f(a) / f(b)).to_bits()) }
            FMadFlush(a: W, b: W, c: W) -> W {
                float::flush32((float::flushed(f(a) * f(b)) + f(c)).to_bits())
            }
            FNeg(a: W) -> W { a ^ 0x8000_0000 }
            FAbs(a: W) -> W { a & 0x7fff_ffff }
            FMin(a: W, b: W) -> W { float::min32(f(a), f(b)).to_bits() }
            FMax(a: W, b: W) -> W { float::max32(f(a), f(b)).to_bits() }
            Saturate(a: W) -> W { float::saturate32(f(a)).to_bits() }
            FOeq(a: W, b: W) -> W { u32::from(f(a) == f(b)) }
            FUne(a: W, b: W) -> W { u32::from(f(a) != f(b)) }
            FOlt(a: W, b: W) -> W { u32::from(f(a) < f(b)) }
            FOle(a: W, b: W) -> W { u32::from(f(a) <= f(b)) }
            FOne(a: W, b: W) -> W { u32::from(f(a) < f(b) || f(a) > f(b)) }
            FUno(a: W, b: W) -> W { u32::from(f(a).is_nan() || f(b).is_nan()) }
            IsNan(a: W) -> W { u32::from(a & 0x7fff_ffff > 0x7f80_0000) }
            IsInf(a: W) -> W { u32::from(a & 0x7fff_ffff == 0x7f80_0000) }
            IsFinite(a: W) -> W { u32::from(a & 0x7f80_0000 != 0x7f80_0000) }
            IsNormal(a: W) -> W { u32::from(f(a).is_normal()) }
            Cos(a: W) -> W { f(a).cos().to_bits() }
            Sin(a: W) -> W { f(a).sin().to_bits() }
            Tan(a: W) -> W { f(a).tan().to_bits() }
            Acos(a: W) -> W { f(a).acos().to_bits() }
            Asin(a: W) -> W { f(a).asin().to_bits() }
            Atan(a: W) -> W { f(a).atan().to_bits() }
            Hcos(a: W) -> W { f(a).cosh().to_bits() }
            Hsin(a: W) -> W { f(a).sinh().to_bits() }
            Htan(a: W) -> W { f(a).tanh().to_bits() }
            Exp(a: W) -> W { f(a).exp2().to_bits() }
            Log(a: W) -> W { float::log2(f(a)).to_bits() }
            Frc(a: W) -> W { float::fraction(f(a)).to_bits() }
            FrcHalf(a: W) -> W { float::fraction_of_half(a) }
            Sqrt(a: W) -> W { f(a).sqrt().to_bits() }
            Rsqrt(a: W) -> W { (1.0 / f(a).sqrt()).to_bits() }
            RoundNe(a: W) -> W { float::rounded(f(a), f32::round_ties_even) }
            RoundNi(a: W) -> W { float::rounded(f(a), f32::floor) }
            RoundPi(a: W) -> W { float::rounded(f(a), f32::ceil) }
            RoundZ(a: W) -> W { float::rounded(f(a), f32::trunc) }
            Flush(a: W) -> W { float::flush32(a) }
            // Half precision is computed in single precision and rounded.
            HalfToFloat(a: W) -> W { float::from_half(a) }
            FloatToHalf(a: W) -> W { float::to_half(a) }
            LegacyToHalf(a: W) -> W { float::to_half_toward_zero(a) }
            IsNormalHalf(a: W) -> W { u32::from(half::f16::from_bits(a as u16).is_normal()) }
            // Double precision.
            DAdd(a: D, b: D) -> D { (d(a) + d(b)).to_bits() }
            DSub(a: D, b: D) -> D { (d(a) - d(b)).to_bits() }
            DMul(a: D, b: D) -> D { (d(a) * d(b)).to_bits() }
            DDiv(a: D, b: D) -> D { (d(a) / d(b)).to_bits() }
            DRem(a: D, b: D) -> D { (d(a) % d(b)).to_bits() }
            DMad(a: D, b: D, c: D) -> D { (d(a) * d(b) + d(c)).to_bits() }
            DFma(a: D, b: D, c: D) -> D { d(a).mul_add(d(b), d(c)).to_bits() }
            DNeg(a: D) -> D { a ^ (1 << 63) }
            DAbs(a: D) -> D { a & !(1 << 63) }
            DMin(a: D, b: D) -> D { float::min64(d(a), d(b)).to_bits() }
            DMax(a: D, b: D) -> D { float::max64(d(a), d(b)).to_bits() }
            DSaturate(a: D) -> D { float::saturate64(d(a)).to_bits() }
            DOeq(a: D, b: D) -> W { u32::from(d(a) == d(b)) }
            DUne(a: D, b: D) -> W { u32::from(d(a) != d(b)) }
            DOlt(a: D, b: D) -> W { u32::from(d(a) < d(b)) }
            DOle(a: D, b: D) -> W { u32::from(d(a) <= d(b)) }
            DOne(a: D, b: D) -> W { u32::from(d(a) < d(b) || d(a) > d(b)) }
            DUno(a: D, b: D) -> W { u32::from(d(a).is_nan() || d(b).is_nan()) }
            // Conversions: toward zero, out of range clamped, NaN gives 0 (D3D11.3, 22.13.3).
            FloatToU32(a: W) -> W { f(a) as u32 }
            FloatToS32(a: W) -> W { f(a) as i32 as u32 }
            FloatToU16(a: W) -> W { u32::from(f(a) as u16) }
            FloatToS16(a: W) -> W { f(a) as i16 as u16 as u32 }
            FloatToU64(a: W) -> D { f(a) as u64 }
            FloatToS64(a: W) -> D { f(a) as i64 as u64 }
            DoubleToU32(a: D) -> W { d(a) as u32 }
            DoubleToS32(a: D) -> W { d(a) as i32 as u32 }
            DoubleToU16(a: D) -> W { u32::from(d(a) as u16) }
            DoubleToS16(a: D) -> W { d(a) as i16 as u16 as u32 }
            DoubleToU64(a: D) -> D { d(a) as u64 }
            DoubleToS64(a: D) -> D { d(a) as i64 as u64 }
            U32ToFloat(a: W) -> W { (a as f32).to_bits() }
            S32ToFloat(a: W) -> W { (a as i32 as f32).to_bits() }
            U64ToFloat(a: D) -> W { (a as f32).to_bits() }
            S64ToFloat(a: D) -> W { (a as i64 as f32).to_bits() }
            U32ToDouble(a: W) -> D { f64::from(a).to_bits() }
            S32ToDouble(a: W) -> D { f64::from(a as i32).to_bits() }
            U64ToDouble(a: D) -> D { (a as f64).to_bits() }
            S64ToDouble(a: D) -> D { (a as i64 as f64).to_bits() }
            U32ToHalf(a: W) -> W { u32::from(half::f16::from_f64(f64::from(a)).to_bits()) }
            S32ToHalf(a: W) -> W { u32::from(half::f16::from_f64(f64::from(a as i32)).to_bits()) }
            U64ToHalf(a: D) -> W { float::wide_to_half(a as f64) }
            S64ToHalf(a: D) -> W { float::wide_to_half(a as i64 as f64) }
            DoubleToHalf(a: D) -> W { float::wide_to_half(d(a)) }
            FloatToDouble(a: W) -> D { f64::from(f(a)).to_bits() }
            DoubleToFloat(a: D) -> W { (d(a) as f32).to_bits() }
        }
    };
}
pub(crate) use for_each_lane_op;

/// Kind of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RegisterKind {
    /// 32 bits.
    W,
    /// 64 bits.
    D,
}

macro_rules! define_lane_ops {
    ($($name:ident($($operand:ident: $kind:ident),*) -> $result:ident $body:block)*) => {
        /// An operation on each lane by itself.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum LaneOp { $($name),* }

        impl LaneOp {
            /// Returns the kind of the result, and kinds of the operands.
            pub(crate) fn signature(self) -> (RegisterKind, &'static [RegisterKind]) {
                match self {
                    $(LaneOp::$name => (RegisterKind::$result, &[$(RegisterKind::$kind),*]),)*
                }
            }
        }
    };
}
for_each_lane_op!(define_lane_ops);
