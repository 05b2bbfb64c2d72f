//! Instructions of operations on and to 64 bits, two lanes at a time (`lane_code`).

use super::body::Value;
use super::lane::Lane;
use crate::decode::lane_ops::LaneOp;
use LaneOp as L;

/// Returns the bytes of a shuffle of words of two vectors.
const fn words(numbers: [u8; 4]) -> [u8; 16] {
    let mut bytes = [0; 16];
    let mut at = 0;
    while at < 16 {
        bytes[at] = numbers[at / 4] * 4 + (at % 4) as u8;
        at += 1;
    }
    bytes
}

const LOW_WORDS: [u8; 16] = words([0, 2, 4, 6]);
pub(super) const HIGH_WORDS: [u8; 16] = words([1, 3, 5, 7]);
const LOWER_HALVES: [u8; 16] = words([0, 1, 4, 5]);
const UPPER_HALF: [u8; 16] = words([2, 3, 6, 7]);
const INTERLEAVED: [[u8; 16]; 2] = [words([0, 4, 1, 5]), words([2, 6, 3, 7])];

impl Lane<'_> {
    /// Writes an operation on or to 64 bits.
    pub(super) fn wide_op(&mut self, op: LaneOp) -> Value {
        match op {
            L::Low | L::High => {
                self.wide(0, 0);
                self.wide(0, 1);
                let words = if op == L::Low { LOW_WORDS } else { HIGH_WORDS };
                self.body.sink().i8x16_shuffle(words);
                self.bits()
            }
            L::Join => self.halves(|lane, half| {
                lane.w(0);
                lane.w(1);
                lane.body.sink().i8x16_shuffle(INTERLEAVED[half]);
            }),
            L::ZeroExtend64 | L::SignExtend64 => self.halves(|lane, half| {
                lane.w(0);
                let mut sink = lane.body.sink();
                match (half, op == L::SignExtend64) {
                    (0, false) => sink.i64x2_extend_low_i32x4_u(),
                    (0, true) => sink.i64x2_extend_low_i32x4_s(),
                    (_, false) => sink.i64x2_extend_high_i32x4_u(),
                    (_, true) => sink.i64x2_extend_high_i32x4_s(),
                };
            }),
            L::FloatToDouble | L::U32ToDouble | L::S32ToDouble => self.halves(|lane, half| {
                lane.w(0);
                if half == 1 {
                    lane.w(0);
                    lane.body.sink().i8x16_shuffle(UPPER_HALF);
                }
                let mut sink = lane.body.sink();
                match op {
                    L::FloatToDouble => sink.f64x2_promote_low_f32x4(),
                    L::U32ToDouble => sink.f64x2_convert_low_i32x4_u(),
                    _ => sink.f64x2_convert_low_i32x4_s(),
                };
            }),
            L::DoubleToFloat | L::DoubleToU32 | L::DoubleToS32 => {
                for half in [0, 1] {
                    self.wide(0, half);
                    let mut sink = self.body.sink();
                    match op {
                        L::DoubleToFloat => sink.f32x4_demote_f64x2_zero(),
                        L::DoubleToU32 => sink.i32x4_trunc_sat_f64x2_u_zero(),
                        _ => sink.i32x4_trunc_sat_f64x2_s_zero(),
                    };
                }
                self.body.sink().i8x16_shuffle(LOWER_HALVES);
                self.bits()
            }
            L::Eq64
            | L::Ne64
            | L::ULt64
            | L::ULe64
            | L::SLt64
            | L::SLe64
            | L::DOeq
            | L::DUne
            | L::DOlt
            | L::DOle
            | L::DOne
            | L::DUno => {
                for half in [0, 1] {
                    self.compare_wide(op, half);
                }
                self.body.sink().i8x16_shuffle(LOW_WORDS);
                self.truth()
            }
            _ => self.halves(|lane, half| lane.wide_half(op, half)),
        }
    }

    fn compare_wide(&mut self, op: LaneOp, half: usize) {
        let both = |lane: &mut Self| {
            for index in [0, 1] {
                lane.wide(index, half);
                if matches!(op, L::ULt64 | L::ULe64) {
                    lane.body.splat_wide(1 << 63);
                    lane.body.sink().v128_xor();
                }
            }
        };
        if op == L::DUno {
            for index in [0, 1] {
                self.wide(index, half);
                self.wide(index, half);
                self.body.sink().f64x2_ne();
            }
            self.body.sink().v128_or();
            return;
        }
        both(self);
        let mut sink = self.body.sink();
        match op {
            L::Eq64 => sink.i64x2_eq(),
            L::Ne64 => sink.i64x2_ne(),
            L::ULt64 | L::SLt64 => sink.i64x2_lt_s(),
            L::ULe64 | L::SLe64 => sink.i64x2_le_s(),
            L::DOeq => sink.f64x2_eq(),
            L::DUne => sink.f64x2_ne(),
            L::DOle => sink.f64x2_le(),
            _ => sink.f64x2_lt(),
        };
        if op == L::DOne {
            both(self);
            self.body.sink().f64x2_gt().v128_or();
        }
    }

    /// Puts a half of a result of 64 bits on the stack.
    fn wide_half(&mut self, op: LaneOp, half: usize) {
        self.wide(0, half);
        match op {
            L::DNeg => {
                self.body.splat_wide(1 << 63);
                self.body.sink().v128_xor();
                return;
            }
            L::DAbs => {
                self.body.splat_wide(!(1 << 63));
                self.body.sink().v128_and();
                return;
            }
            L::Shl64 | L::LShr64 | L::AShr64 => {
                let count = self.args[1].constant.unwrap_or(0) as i32 & 63;
                let mut sink = self.body.sink();
                sink.i32_const(count);
                match op {
                    L::Shl64 => sink.i64x2_shl(),
                    L::LShr64 => sink.i64x2_shr_u(),
                    _ => sink.i64x2_shr_s(),
                };
                return;
            }
            L::DSaturate => {
                let value = self.body.keep();
                self.body.splat_wide(1.0_f64.to_bits());
                self.body.get(value);
                self.body.sink().f64x2_pmin();
                self.body.get(value);
                self.body.splat_wide(0);
                self.body.sink().f64x2_gt().v128_and();
                return;
            }
            L::SMin64 | L::SMax64 | L::UMin64 | L::UMax64 => {
                self.wide(1, half);
                let compare = match op {
                    L::SMin64 | L::SMax64 => L::SLt64,
                    _ => L::ULt64,
                };
                self.compare_wide(compare, half);
                if matches!(op, L::SMax64 | L::UMax64) {
                    self.body.sink().v128_not();
                }
                self.body.sink().v128_bitselect();
                return;
            }
            L::DMin | L::DMax => {
                self.wide_min_max(op == L::DMin, half);
                return;
            }
            _ => {}
        }
        self.wide(1, half);
        let mut sink = self.body.sink();
        match op {
            L::Add64 => sink.i64x2_add(),
            L::Sub64 => sink.i64x2_sub(),
            L::Mul64 => sink.i64x2_mul(),
            L::And64 => sink.v128_and(),
            L::Or64 => sink.v128_or(),
            L::Xor64 => sink.v128_xor(),
            L::DAdd => sink.f64x2_add(),
            L::DSub => sink.f64x2_sub(),
            L::DDiv => sink.f64x2_div(),
            _ => sink.f64x2_mul(),
        };
        if op == L::DMad {
            self.wide(2, half);
            self.body.sink().f64x2_add();
        }
    }

    /// Continues with the first operand on the stack, as `float::min64` and `float::max64` do.
    fn wide_min_max(&mut self, is_min: bool, half: usize) {
        self.wide(0, half);
        self.wide(1, half);
        let mut sink = self.body.sink();
        if is_min {
            sink.v128_or();
        } else {
            sink.v128_and();
        }
        self.wide(1, half);
        self.wide(0, half);
        self.wide(1, half);
        self.body.sink().f64x2_eq().v128_bitselect();
        self.wide(0, half);
        self.wide(1, half);
        let mut sink = self.body.sink();
        if is_min {
            sink.f64x2_lt();
        } else {
            sink.f64x2_gt();
        }
        self.wide(1, half);
        self.wide(1, half);
        self.body.sink().f64x2_ne().v128_or().v128_bitselect();
    }
}
