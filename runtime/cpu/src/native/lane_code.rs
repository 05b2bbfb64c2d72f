//! Instructions of WebAssembly for operations that work on each lane by itself: the same bits as
//! those of `decode::lane_ops`, for four lanes.

use super::body::{Body, Value};
use super::lane::Lane;
use super::wide_code::HIGH_WORDS;
use crate::decode::lane_ops::LaneOp;
use LaneOp as L;

/// Bits of a single-precision number but for the sign.
const MAGNITUDE: u32 = 0x7fff_ffff;
const EXPONENT: u32 = 0x7f80_0000;
const SIGN: u32 = 0x8000_0000;

/// Returns whether an operation has code here; which operands are constants is known. The others
/// are left to the executor.
pub(super) fn has_code(op: LaneOp, constant: [bool; 3]) -> bool {
    match op {
        // The shift counts of vectors are those of all lanes.
        L::Shl64 | L::LShr64 | L::AShr64 => constant[1],
        L::SignExtend => constant[1],
        L::Ibfe | L::Ubfe | L::FieldMask => constant[0] && constant[1],
        // Functions of the C library, and what is rare.
        L::Cos
        | L::Sin
        | L::Tan
        | L::Acos
        | L::Asin
        | L::Atan
        | L::Hcos
        | L::Hsin
        | L::Htan
        | L::Exp
        | L::Log
        | L::FRem
        | L::DRem
        | L::DFma
        | L::FrcHalf
        | L::LegacyToHalf
        | L::Msad
        | L::DotBytesSigned
        | L::DotBytesUnsigned
        | L::UDiv64
        | L::URem64
        | L::SDiv64
        | L::SRem64
        | L::Reverse32
        | L::Reverse64
        | L::Count64
        | L::FirstLow64
        | L::FirstHigh64
        | L::FirstSignedHigh64
        | L::FloatToU64
        | L::FloatToS64
        | L::DoubleToU64
        | L::DoubleToS64
        | L::DoubleToU16
        | L::DoubleToS16
        | L::U64ToFloat
        | L::S64ToFloat
        | L::U64ToDouble
        | L::S64ToDouble
        | L::U32ToHalf
        | L::S32ToHalf
        | L::U64ToHalf
        | L::S64ToHalf
        | L::DoubleToHalf => false,
        _ => true,
    }
}

/// Writes an operation; returns its value.
pub(super) fn write(body: &mut Body, op: LaneOp, args: &mut [Value; 3]) -> Value {
    let mut lane = Lane { body, args };
    match op {
        L::MovW | L::MovD => lane.args[0],
        L::SelectW => lane.select(),
        L::SelectD => lane.halves(|lane, half| {
            lane.wide(1, half);
            lane.wide(2, half);
            lane.body.wide_mask(&mut lane.args[0], half);
            lane.body.sink().v128_bitselect();
        }),
        L::Either => {
            lane.w(0);
            lane.w(1);
            lane.m(0);
            lane.body.sink().v128_bitselect();
            lane.bits()
        }
        L::Eq32 | L::Ne32 | L::ULt32 | L::ULe32 | L::SLt32 | L::SLe32 => lane.compare(op),
        L::FOeq | L::FUne | L::FOlt | L::FOle | L::FOne | L::FUno => lane.compare(op),
        L::IsNan | L::IsInf | L::IsFinite | L::IsNormal | L::IsNormalHalf => lane.classify(op),
        L::And32 | L::Or32 | L::Xor32 => lane.logic(op),
        L::Add32
        | L::Sub32
        | L::Mul32
        | L::Mad32
        | L::SMin32
        | L::SMax32
        | L::UMin32
        | L::UMax32 => lane.integer(op),
        L::Shl32 | L::LShr32 | L::AShr32 => lane.shift(op),
        L::UDiv32 | L::URem32 | L::SDiv32 | L::SRem32 => lane.divide(op),
        L::UMulHi32 | L::SMulHi32 => lane.high_product(op == L::SMulHi32),
        L::Count32 => {
            lane.w(0);
            lane.body
                .sink()
                .i8x16_popcnt()
                .i16x8_extadd_pairwise_i8x16_u()
                .i32x4_extadd_pairwise_i16x8_u();
            lane.bits()
        }
        L::FirstLow32 | L::FirstHigh32 | L::FirstSignedHigh32 => lane.first_bit(op),
        L::Ibfe | L::Ubfe | L::FieldMask => lane.field(op),
        L::Merge => {
            lane.w(1);
            lane.w(2);
            lane.w(0);
            lane.body.sink().v128_bitselect();
            lane.bits()
        }
        L::SignExtend8 => lane.sign_extend(24),
        L::SignExtend16 => lane.sign_extend(16),
        L::SignExtend => {
            let shift = lane.args[1].constant.unwrap_or(0) as i32;
            lane.sign_extend(shift & 31)
        }
        L::FAdd | L::FSub | L::FMul | L::FDiv | L::FMad => lane.float(op),
        L::FAddFlush | L::FSubFlush | L::FMulFlush | L::FDivFlush | L::FMadFlush => lane.float(op),
        L::FNeg => {
            lane.w(0);
            lane.body.splat(SIGN);
            lane.body.sink().v128_xor();
            lane.bits()
        }
        L::FAbs => {
            lane.w(0);
            lane.body.splat(MAGNITUDE);
            lane.body.sink().v128_and();
            lane.bits()
        }
        L::FMin | L::FMax => lane.float_min_max(op == L::FMin),
        L::Saturate => {
            // pmin(1, a) is a where it is less than 1, and 1 otherwise.
            lane.body.splat(1.0_f32.to_bits());
            lane.w(0);
            lane.body.sink().f32x4_pmin();
            lane.w(0);
            lane.body.splat(0);
            lane.body.sink().f32x4_gt().v128_and();
            lane.bits()
        }
        L::Frc => lane.fraction(),
        L::Sqrt => {
            lane.w(0);
            lane.body.sink().f32x4_sqrt();
            lane.bits()
        }
        L::Rsqrt => {
            lane.body.splat(1.0_f32.to_bits());
            lane.w(0);
            lane.body.sink().f32x4_sqrt().f32x4_div();
            lane.bits()
        }
        L::RoundNe | L::RoundNi | L::RoundPi | L::RoundZ => {
            lane.w(0);
            let mut sink = lane.body.sink();
            match op {
                L::RoundNe => sink.f32x4_nearest(),
                L::RoundNi => sink.f32x4_floor(),
                L::RoundPi => sink.f32x4_ceil(),
                _ => sink.f32x4_trunc(),
            };
            lane.bits()
        }
        L::Flush => {
            lane.w(0);
            lane.flush();
            lane.bits()
        }
        L::HalfToFloat => lane.half_to_float(),
        L::FloatToHalf => lane.float_to_half(),
        L::FloatToU32 | L::FloatToS32 | L::FloatToU16 | L::FloatToS16 => lane.float_to_integer(op),
        L::U32ToFloat => {
            lane.w(0);
            lane.body.sink().f32x4_convert_i32x4_u();
            lane.bits()
        }
        L::S32ToFloat => {
            lane.w(0);
            lane.body.sink().f32x4_convert_i32x4_s();
            lane.bits()
        }
        _ => lane.wide_op(op),
    }
}

impl Lane<'_> {
    fn select(&mut self) -> Value {
        // Booleans stay masks.
        if self.is_boolean(1) && self.is_boolean(2) {
            self.m(1);
            self.m(2);
            self.m(0);
            self.body.sink().v128_bitselect();
            return self.truth();
        }
        self.w(1);
        self.w(2);
        self.m(0);
        self.body.sink().v128_bitselect();
        self.bits()
    }

    fn compare(&mut self, op: LaneOp) -> Value {
        match op {
            L::FUno => {
                for index in [0, 1] {
                    self.w(index);
                    self.w(index);
                    self.body.sink().f32x4_ne();
                }
                self.body.sink().v128_or();
                return self.truth();
            }
            L::FOne => {
                self.w(0);
                self.w(1);
                self.body.sink().f32x4_lt();
                self.w(0);
                self.w(1);
                self.body.sink().f32x4_gt().v128_or();
                return self.truth();
            }
            // A boolean that is compared with 0 keeps its mask.
            L::Ne32 if self.args[1].constant == Some(0) && self.args[0].constant.is_none() => {
                self.m(0);
                return self.truth();
            }
            L::Eq32 if self.args[1].constant == Some(0) && self.is_boolean(0) => {
                self.m(0);
                self.body.sink().v128_not();
                return self.truth();
            }
            _ => {}
        }
        self.w(0);
        self.w(1);
        let mut sink = self.body.sink();
        match op {
            L::Eq32 => sink.i32x4_eq(),
            L::Ne32 => sink.i32x4_ne(),
            L::ULt32 => sink.i32x4_lt_u(),
            L::ULe32 => sink.i32x4_le_u(),
            L::SLt32 => sink.i32x4_lt_s(),
            L::SLe32 => sink.i32x4_le_s(),
            L::FOeq => sink.f32x4_eq(),
            L::FUne => sink.f32x4_ne(),
            L::FOlt => sink.f32x4_lt(),
            _ => sink.f32x4_le(),
        };
        self.truth()
    }

    fn classify(&mut self, op: LaneOp) -> Value {
        let (magnitude, exponent, one) = match op {
            L::IsNormalHalf => (0, 0x7c00, 0x400),
            _ => (MAGNITUDE, EXPONENT, 0x0080_0000),
        };
        self.w(0);
        match op {
            L::IsNan | L::IsInf => {
                self.body.splat(magnitude);
                self.body.sink().v128_and();
                self.body.splat(exponent);
                let mut sink = self.body.sink();
                if op == L::IsNan {
                    sink.i32x4_gt_s();
                } else {
                    sink.i32x4_eq();
                }
            }
            L::IsFinite => {
                self.body.splat(exponent);
                self.body.sink().v128_and();
                self.body.splat(exponent);
                self.body.sink().i32x4_ne();
            }
            _ => {
                // The exponent less one, without a sign, is below that of infinities less one.
                self.body.splat(exponent);
                self.body.sink().v128_and();
                self.body.splat(one);
                self.body.sink().i32x4_sub();
                self.body.splat(exponent - one);
                self.body.sink().i32x4_lt_u();
            }
        }
        self.truth()
    }

    fn logic(&mut self, op: LaneOp) -> Value {
        let on_masks = self.is_boolean(0)
            && self.is_boolean(1)
            && (self.args[0].mask.is_some() || self.args[1].mask.is_some());
        if on_masks {
            self.m(0);
            self.m(1);
        } else {
            self.w(0);
            self.w(1);
        }
        let mut sink = self.body.sink();
        match op {
            L::And32 => sink.v128_and(),
            L::Or32 => sink.v128_or(),
            _ => sink.v128_xor(),
        };
        if on_masks { self.truth() } else { self.bits() }
    }

    fn integer(&mut self, op: LaneOp) -> Value {
        self.w(0);
        self.w(1);
        let mut sink = self.body.sink();
        match op {
            L::Add32 => sink.i32x4_add(),
            L::Sub32 => sink.i32x4_sub(),
            L::SMin32 => sink.i32x4_min_s(),
            L::SMax32 => sink.i32x4_max_s(),
            L::UMin32 => sink.i32x4_min_u(),
            L::UMax32 => sink.i32x4_max_u(),
            _ => sink.i32x4_mul(),
        };
        if op == L::Mad32 {
            self.w(2);
            self.body.sink().i32x4_add();
        }
        self.bits()
    }

    /// Makes a vector of what `each` makes of the lanes of operands.
    fn each_lane(&mut self, each: impl Fn(&mut Self, u8)) -> Value {
        for lane in 0..4 {
            each(self, lane);
            let mut sink = self.body.sink();
            if lane == 0 {
                sink.i32x4_splat();
            } else {
                sink.i32x4_replace_lane(lane);
            }
        }
        self.bits()
    }

    /// Puts a lane of an operand on the stack.
    fn scalar(&mut self, index: usize, lane: u8) {
        if let Some(bits) = self.args[index].constant {
            self.body.sink().i32_const(bits as u32 as i32);
            return;
        }
        self.w(index);
        self.body.sink().i32x4_extract_lane(lane);
    }

    fn shift(&mut self, op: LaneOp) -> Value {
        if let Some(count) = self.args[1].constant {
            self.w(0);
            let mut sink = self.body.sink();
            sink.i32_const(count as i32 & 31);
            match op {
                L::Shl32 => sink.i32x4_shl(),
                L::LShr32 => sink.i32x4_shr_u(),
                _ => sink.i32x4_shr_s(),
            };
            return self.bits();
        }
        self.each_lane(|lane, i| {
            lane.scalar(0, i);
            lane.scalar(1, i);
            let mut sink = lane.body.sink();
            match op {
                L::Shl32 => sink.i32_shl(),
                L::LShr32 => sink.i32_shr_u(),
                _ => sink.i32_shr_s(),
            };
        })
    }

    fn divide(&mut self, op: LaneOp) -> Value {
        let is_signed = matches!(op, L::SDiv32 | L::SRem32);
        self.each_lane(|lane, i| {
            // Divided by 1 instead of 0, and then all ones. 64 bits hold the one overflow.
            let push = |lane: &mut Self, index: usize| {
                lane.scalar(index, i);
                if is_signed {
                    lane.body.sink().i64_extend_i32_s();
                } else {
                    lane.body.sink().i64_extend_i32_u();
                }
            };
            match op {
                L::SDiv32 => {
                    push(lane, 0);
                    push(lane, 1);
                    lane.scalar(1, i);
                    lane.body
                        .sink()
                        .i32_eqz()
                        .i64_extend_i32_u()
                        .i64_or()
                        .i64_div_s()
                        .i32_wrap_i64();
                }
                _ => {
                    lane.scalar(0, i);
                    lane.scalar(1, i);
                    lane.scalar(1, i);
                    let mut sink = lane.body.sink();
                    sink.i32_eqz().i32_or();
                    match op {
                        L::UDiv32 => sink.i32_div_u(),
                        L::URem32 => sink.i32_rem_u(),
                        _ => sink.i32_rem_s(),
                    };
                }
            }
            lane.body.sink().i32_const(0);
            lane.scalar(1, i);
            lane.body.sink().i32_eqz().i32_sub().i32_or();
        })
    }

    fn high_product(&mut self, is_signed: bool) -> Value {
        for half in [0, 1] {
            self.w(0);
            self.w(1);
            let mut sink = self.body.sink();
            match (half, is_signed) {
                (0, true) => sink.i64x2_extmul_low_i32x4_s(),
                (0, false) => sink.i64x2_extmul_low_i32x4_u(),
                (_, true) => sink.i64x2_extmul_high_i32x4_s(),
                (_, false) => sink.i64x2_extmul_high_i32x4_u(),
            };
        }
        self.body.sink().i8x16_shuffle(HIGH_WORDS);
        self.bits()
    }

    fn first_bit(&mut self, op: LaneOp) -> Value {
        if op == L::FirstSignedHigh32 {
            self.w(0);
            self.w(0);
            self.body.sink().i32_const(31).i32x4_shr_s().v128_xor();
        } else {
            self.w(0);
        }
        let operand = self.args[0];
        self.args[0] = self.bits();
        let result = self.each_lane(|lane, i| {
            lane.scalar(0, i);
            let mut sink = lane.body.sink();
            if op == L::FirstLow32 {
                sink.i32_ctz();
            } else {
                sink.i32_clz();
            }
            sink.i32_const(0);
            lane.scalar(0, i);
            lane.body.sink().i32_eqz().i32_sub().i32_or();
        });
        self.args[0] = operand;
        result
    }

    fn field(&mut self, op: LaneOp) -> Value {
        // As `execute::integer` has it.
        let [width, offset] = [0, 1].map(|i| self.args[i].constant.unwrap_or(0) as u32 & 31);
        let width = width.min(32 - offset);
        let mask = ((1_u32 << width) - 1) << offset;
        match op {
            L::FieldMask => Value {
                constant: Some(u64::from(mask)),
                ..Value::default()
            },
            L::Ubfe => {
                self.w(2);
                self.body.splat(mask);
                self.body
                    .sink()
                    .v128_and()
                    .i32_const(offset as i32)
                    .i32x4_shr_u();
                self.bits()
            }
            _ if width == 0 => Value {
                constant: Some(0),
                ..Value::default()
            },
            _ => {
                self.w(2);
                self.body
                    .sink()
                    .i32_const((32 - width - offset) as i32)
                    .i32x4_shl()
                    .i32_const((32 - width) as i32)
                    .i32x4_shr_s();
                self.bits()
            }
        }
    }

    fn sign_extend(&mut self, shift: i32) -> Value {
        self.w(0);
        self.body
            .sink()
            .i32_const(shift)
            .i32x4_shl()
            .i32_const(shift)
            .i32x4_shr_s();
        self.bits()
    }

    /// Makes zero of the same sign of a denormal on the stack (`float::flush32`).
    fn flush(&mut self) {
        let value = self.body.keep();
        self.body.get(value);
        self.body.get(value);
        self.body.splat(EXPONENT);
        self.body.sink().v128_and();
        self.body.splat(0);
        self.body
            .sink()
            .i32x4_eq()
            .i32_const(1)
            .i32x4_shr_u()
            .v128_andnot();
    }

    fn float(&mut self, op: LaneOp) -> Value {
        let flushes = matches!(
            op,
            L::FAddFlush | L::FSubFlush | L::FMulFlush | L::FDivFlush | L::FMadFlush
        );
        self.w(0);
        self.w(1);
        let mut sink = self.body.sink();
        match op {
            L::FAdd | L::FAddFlush => sink.f32x4_add(),
            L::FSub | L::FSubFlush => sink.f32x4_sub(),
            L::FDiv | L::FDivFlush => sink.f32x4_div(),
            _ => sink.f32x4_mul(),
        };
        if flushes {
            self.flush();
        }
        if matches!(op, L::FMad | L::FMadFlush) {
            self.w(2);
            self.body.sink().f32x4_add();
            if flushes {
                self.flush();
            }
        }
        self.bits()
    }

    /// Writes `float::min32` or `float::max32`.
    fn float_min_max(&mut self, is_min: bool) -> Value {
        self.w(0);
        // Where neither is less, the second one, or the zero that counts as less (or greater).
        self.w(0);
        self.w(1);
        let mut sink = self.body.sink();
        if is_min {
            sink.v128_or();
        } else {
            sink.v128_and();
        }
        self.w(1);
        self.w(0);
        self.w(1);
        self.body.sink().f32x4_eq().v128_bitselect();
        self.w(0);
        self.w(1);
        let mut sink = self.body.sink();
        if is_min {
            sink.f32x4_lt();
        } else {
            sink.f32x4_gt();
        }
        self.w(1);
        self.w(1);
        self.body.sink().f32x4_ne().v128_or().v128_bitselect();
        self.bits()
    }

    /// Writes `float::fraction`.
    fn fraction(&mut self) -> Value {
        self.w(0);
        self.w(0);
        self.body.sink().f32x4_floor().f32x4_sub();
        let fraction = self.body.keep();
        self.body.splat(1.0_f32.next_down().to_bits());
        self.body.get(fraction);
        self.body.get(fraction);
        self.body.splat(1.0_f32.to_bits());
        self.body.sink().f32x4_ge().v128_bitselect();
        self.bits()
    }

    fn half_to_float(&mut self) -> Value {
        self.w(0);
        self.body.splat(0x7fff);
        self.body.sink().v128_and();
        let magnitude = self.body.keep();
        // The exponent's bias differs by 112; the product makes normal numbers of denormals.
        self.body.get(magnitude);
        self.body.sink().i32_const(13).i32x4_shl();
        let shifted = self.body.keep();
        self.body.get(shifted);
        self.body.splat((127 + 112) << 23);
        self.body.sink().f32x4_mul();
        // Infinities keep their bits, and NaNs become quiet.
        self.body.get(magnitude);
        self.body.splat(0x7bff);
        self.body.sink().i32x4_gt_s();
        self.body.splat(EXPONENT);
        self.body.sink().v128_and().v128_or();
        self.body.get(magnitude);
        self.body.splat(0x7c00);
        self.body.sink().i32x4_gt_s();
        self.body.splat(0x0040_0000);
        self.body.sink().v128_and().v128_or();
        // The sign.
        self.w(0);
        self.body.splat(0x8000);
        self.body
            .sink()
            .v128_and()
            .i32_const(16)
            .i32x4_shl()
            .v128_or();
        self.bits()
    }

    fn float_to_half(&mut self) -> Value {
        self.w(0);
        self.body.splat(MAGNITUDE);
        self.body.sink().v128_and();
        let magnitude = self.body.keep();
        // Normal numbers: the rounding to even carries into the exponent as it has to.
        self.body.get(magnitude);
        self.body.get(magnitude);
        self.body.sink().i32_const(13).i32x4_shr_u();
        self.body.splat(1);
        self.body.sink().v128_and().i32x4_add();
        self.body
            .splat(0_u32.wrapping_sub(112 << 23).wrapping_add(0xfff));
        self.body.sink().i32x4_add().i32_const(13).i32x4_shr_u();
        let normal = self.body.keep();
        // Smaller ones: a sum with 0.5 puts their bits to where those of a half are, rounded.
        self.body.get(magnitude);
        self.body.splat(0.5_f32.to_bits());
        self.body.sink().f32x4_add();
        self.body.splat(0.5_f32.to_bits());
        self.body.sink().i32x4_sub();
        self.body.get(normal);
        self.body.splat(113 << 23);
        self.body.get(magnitude);
        self.body.sink().i32x4_gt_s().v128_bitselect();
        let finite = self.body.keep();
        // Infinities and numbers that round to them, and NaNs with the quiet bit.
        self.body.get(magnitude);
        self.body.sink().i32_const(13).i32x4_shr_u();
        self.body.splat(0x3ff);
        self.body.sink().v128_and();
        self.body.splat(0x200);
        self.body.sink().v128_or();
        self.body.get(magnitude);
        self.body.splat(EXPONENT);
        self.body.sink().i32x4_gt_s().v128_and();
        self.body.splat(0x7c00);
        self.body.sink().v128_or();
        self.body.get(finite);
        self.body.get(magnitude);
        // 65520 is the first that rounds to infinity.
        self.body.splat(65520.0_f32.to_bits() - 1);
        self.body.sink().i32x4_gt_s().v128_bitselect();
        self.w(0);
        self.body.sink().i32_const(16).i32x4_shr_u();
        self.body.splat(0x8000);
        self.body.sink().v128_and().v128_or();
        self.bits()
    }

    fn float_to_integer(&mut self, op: LaneOp) -> Value {
        self.w(0);
        let mut sink = self.body.sink();
        match op {
            L::FloatToU32 | L::FloatToU16 => sink.i32x4_trunc_sat_f32x4_u(),
            _ => sink.i32x4_trunc_sat_f32x4_s(),
        };
        match op {
            L::FloatToU16 => {
                self.body.splat(0xffff);
                self.body.sink().i32x4_min_u();
            }
            L::FloatToS16 => {
                self.body.splat(0x7fff);
                self.body.sink().i32x4_min_s();
                self.body.splat(0xffff_8000);
                self.body.sink().i32x4_max_s();
                self.body.splat(0xffff);
                self.body.sink().v128_and();
            }
            _ => {}
        }
        self.bits()
    }
}
