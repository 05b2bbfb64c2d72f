//! Operations over the lanes of a wave or quad. Reductions of floats go from the first lane to the
//! last.

use dxil_frontend::dxil::ops::{QuadDirection, QuadVoteKind};

use super::context::{Context, lanes_of};
use super::float;
use super::lanes::{WIDTH, by_lane};
use crate::decode::code::{Complex, Derivative, NumberType, RegisterSlot, WaveReduction, slot};
use crate::decode::lane_ops::RegisterKind;
use crate::schedule::stack::Mask;

fn signed(bits: u32, value: u64) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    (value << shift) as i64 >> shift
}

fn cut(bits: u32, value: u64) -> u64 {
    value & (u64::MAX >> (64 - bits.clamp(1, 64)))
}

/// Returns the result of an empty reduction.
fn identity(op: WaveReduction, number: NumberType) -> u64 {
    match (op, number) {
        (WaveReduction::Product, NumberType::Half) => 0x3c00,
        (WaveReduction::Product, NumberType::Float) => 0x3f80_0000,
        (WaveReduction::Product, NumberType::Double) => 1.0_f64.to_bits(),
        (WaveReduction::Product, NumberType::Int(..)) => 1,
        (WaveReduction::And, NumberType::Int(bits, _)) => cut(bits, u64::MAX),
        (WaveReduction::Min, NumberType::Int(bits, true)) => cut(bits, u64::MAX) >> 1,
        (WaveReduction::Min, NumberType::Int(bits, false)) => cut(bits, u64::MAX),
        (WaveReduction::Max, NumberType::Int(bits, true)) => 1 << (bits.clamp(1, 64) - 1),
        (WaveReduction::Min, NumberType::Half) => 0x7c00,
        (WaveReduction::Min, NumberType::Float) => u64::from(f32::INFINITY.to_bits()),
        (WaveReduction::Min, NumberType::Double) => f64::INFINITY.to_bits(),
        (WaveReduction::Max, NumberType::Half) => 0xfc00,
        (WaveReduction::Max, NumberType::Float) => u64::from(f32::NEG_INFINITY.to_bits()),
        (WaveReduction::Max, NumberType::Double) => f64::NEG_INFINITY.to_bits(),
        (
            WaveReduction::Sum
            | WaveReduction::And
            | WaveReduction::Or
            | WaveReduction::Xor
            | WaveReduction::Max,
            _,
        ) => 0,
    }
}

fn combine(op: WaveReduction, number: NumberType, a: u64, b: u64) -> u64 {
    match number {
        NumberType::Half => {
            let wide = |bits: u64| f32::from_bits(float::from_half(bits as u32));
            u64::from(float::to_half(single(op, wide(a), wide(b)).to_bits()))
        }
        NumberType::Float => {
            let value = |bits: u64| f32::from_bits(bits as u32);
            u64::from(single(op, value(a), value(b)).to_bits())
        }
        NumberType::Double => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let result = match op {
                WaveReduction::Product => a * b,
                WaveReduction::Min => float::min64(a, b),
                WaveReduction::Max => float::max64(a, b),
                _ => a + b,
            };
            result.to_bits()
        }
        NumberType::Int(bits, is_signed) => {
            let less = if is_signed {
                signed(bits, a) < signed(bits, b)
            } else {
                a < b
            };
            let result = match op {
                WaveReduction::Sum => a.wrapping_add(b),
                WaveReduction::Product => a.wrapping_mul(b),
                WaveReduction::Min => {
                    if less {
                        a
                    } else {
                        b
                    }
                }
                WaveReduction::Max => {
                    if less {
                        b
                    } else {
                        a
                    }
                }
                WaveReduction::And => a & b,
                WaveReduction::Or => a | b,
                WaveReduction::Xor => a ^ b,
            };
            cut(bits, result)
        }
    }
}

fn single(op: WaveReduction, a: f32, b: f32) -> f32 {
    match op {
        WaveReduction::Product => a * b,
        WaveReduction::Min => float::min32(a, b),
        WaveReduction::Max => float::max32(a, b),
        _ => a + b,
    }
}

/// Returns whether two values count as the same.
fn same(number: NumberType, a: u64, b: u64) -> bool {
    // As numbers: zeros of both signs are equal, and NaN is unequal to itself.
    match number {
        NumberType::Float => f32::from_bits(a as u32) == f32::from_bits(b as u32),
        NumberType::Double => f64::from_bits(a) == f64::from_bits(b),
        NumberType::Half => {
            let wide = |bits: u64| f32::from_bits(float::from_half(bits as u32));
            wide(a) == wide(b)
        }
        NumberType::Int(..) => a == b,
    }
}

impl Context<'_> {
    fn where_set(&self, condition: RegisterSlot) -> Mask {
        let holds = self
            .on()
            .filter(|&lane| self.registers.get(condition, lane) != 0);
        holds.fold(0, |mask, lane| mask | 1 << lane)
    }

    fn spread(&self, dst: RegisterSlot, value: u64) {
        for lane in self.on() {
            self.registers.set(dst, lane, value);
        }
    }

    pub(super) fn vote(&self, all: bool, complex: &Complex) {
        let holds = self.where_set(slot(&complex.src, 0));
        let result = if all { holds == self.mask } else { holds != 0 };
        self.spread(slot(&complex.dst, 0), u64::from(result));
    }

    pub(super) fn all_equal(&self, number: NumberType, complex: &Complex) {
        let value = slot(&complex.src, 0);
        let first = self.mask.trailing_zeros() as usize % self.lanes.max(1);
        let wanted = self.registers.get(value, first);
        let all = self
            .on()
            .all(|lane| same(number, self.registers.get(value, lane), wanted));
        self.spread(slot(&complex.dst, 0), u64::from(all));
    }

    fn spread_mask(&self, complex: &Complex, mask: Mask) {
        for (part, &dst) in complex.dst.iter().enumerate().take(4) {
            self.spread(dst, u64::from((mask >> (32 * part)) as u32));
        }
    }

    pub(super) fn ballot(&self, complex: &Complex) {
        self.spread_mask(complex, self.where_set(slot(&complex.src, 0)));
    }

    pub(super) fn bit_count(&self, prefix: bool, complex: &Complex) {
        let holds = self.where_set(slot(&complex.src, 0));
        for lane in self.on() {
            let counted = if prefix {
                holds & ((1 << lane) - 1)
            } else {
                holds
            };
            let count = u64::from(counted.count_ones());
            self.registers.set(slot(&complex.dst, 0), lane, count);
        }
    }

    /// Moves values between lanes: `from` tells the lane whose value a lane gets, if there is one.
    ///
    /// D3D12 leaves the value of an inactive lane undefined. Here it is zero: the registers of
    /// inactive lanes hold whatever the last operation on whole chunks left there, which differs
    /// between runs with checks and without.
    fn exchange(
        &self,
        values: &[RegisterSlot],
        complex: &Complex,
        from: impl Fn(usize) -> Option<usize>,
    ) {
        for (&value, &dst) in values.iter().zip(&complex.dst) {
            // All values are read before any is written: the result may have the register of the
            // operand.
            if value.kind() == RegisterKind::W && dst.kind() == RegisterKind::W {
                let mut all = [0; super::lanes::MAX_LANES];
                let (chunks, _) = all.as_chunks_mut::<WIDTH>();
                for (chunk, (words, on)) in chunks.iter_mut().zip(self.on_words).enumerate() {
                    let all = self.chunk(value, chunk);
                    *words = by_lane(|i| all[i] & on[i]);
                }
                for chunk in 0..self.on_words.len() {
                    let moved = by_lane(|i| {
                        let other = from(chunk * WIDTH + i);
                        other.map_or(0, |other| all[other % all.len()])
                    });
                    self.set_chunk(dst, chunk, moved);
                }
                continue;
            }
            let mut moved = [0_u64; super::lanes::MAX_LANES];
            for lane in self.on() {
                let other = from(lane).filter(|&other| self.is_on(other));
                moved[lane] = other.map_or(0, |other| self.registers.get(value, other));
            }
            for lane in self.on() {
                self.registers.set(dst, lane, moved[lane]);
            }
        }
    }

    pub(super) fn read_lane_at(&self, complex: &Complex) {
        let Some((&wanted, values)) = complex.src.split_first() else {
            return;
        };
        self.exchange(values, complex, |lane| {
            let wanted = self.registers.word(wanted, lane) as usize;
            // A lane that does not exist gives zero; D3D12 leaves it undefined.
            (wanted < self.lanes).then_some(wanted)
        });
    }

    pub(super) fn read_first_lane(&self, complex: &Complex) {
        let first = self.mask.trailing_zeros() as usize;
        self.exchange(&complex.src, complex, |_| Some(first));
    }

    pub(super) fn reduce(&self, op: WaveReduction, number: NumberType, complex: &Complex) {
        for (&value, &dst) in complex.src.iter().zip(&complex.dst) {
            // From the first lane's value and not from the identity: -0 or NaN of a single lane
            // stays as it is.
            let mut lanes = self.on();
            let first = lanes
                .next()
                .map_or(0, |lane| self.registers.get(value, lane));
            let all = lanes.fold(first, |all, lane| {
                combine(op, number, all, self.registers.get(value, lane))
            });
            self.spread(dst, all);
        }
    }

    pub(super) fn scan(&self, op: WaveReduction, number: NumberType, complex: &Complex) {
        for (&value, &dst) in complex.src.iter().zip(&complex.dst) {
            let mut before = identity(op, number);
            // The running result is exclusive: a lane gets it before its own value is added.
            for lane in self.on() {
                let own = self.registers.get(value, lane);
                self.registers.set(dst, lane, before);
                before = combine(op, number, before, own);
            }
        }
    }

    pub(super) fn matching(&self, complex: &Complex) {
        let values = &complex.src;
        let key = |lane: usize| values.iter().map(move |&v| self.registers.get(v, lane));
        let mut masks = [0 as Mask; super::lanes::MAX_LANES];
        let mut rest = self.mask;
        // Each round takes all lanes with the first lane's values, so there are as many rounds as
        // different values.
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            let alike = lanes_of(rest).filter(|&lane| key(lane).eq(key(first)));
            let alike = alike.fold(0, |mask: Mask, lane| mask | 1 << lane);
            for lane in lanes_of(alike) {
                masks[lane] = alike;
            }
            rest &= !(alike | 1 << first);
        }
        for lane in self.on() {
            for (part, &dst) in complex.dst.iter().enumerate().take(4) {
                let word = (masks[lane] >> (32 * part)) as u32;
                self.registers.set(dst, lane, u64::from(word));
            }
        }
    }

    /// Returns the mask that a lane gives in four words, as far as its lanes are on.
    fn lane_mask(&self, words: &[RegisterSlot], lane: usize) -> Mask {
        let all = words.iter().take(4).enumerate();
        let mask = all.fold(0, |mask: Mask, (part, &word)| {
            mask | Mask::from(self.registers.word(word, lane)) << (32 * part)
        });
        // Lanes that are switched off do not take part, even if the mask names them.
        mask & self.mask
    }

    pub(super) fn multi_scan(&self, op: WaveReduction, number: NumberType, complex: &Complex) {
        let (masks, values) = complex.src.split_at(complex.src.len().min(4));
        for (&value, &dst) in values.iter().zip(&complex.dst) {
            let mut results = [0_u64; super::lanes::MAX_LANES];
            for lane in self.on() {
                let before = self.lane_mask(masks, lane) & ((1 << lane) - 1);
                let start = identity(op, number);
                results[lane] = lanes_of(before).fold(start, |all, other| {
                    combine(op, number, all, self.registers.get(value, other))
                });
            }
            for lane in self.on() {
                self.registers.set(dst, lane, results[lane]);
            }
        }
    }

    pub(super) fn multi_bit_count(&self, complex: &Complex) {
        let (masks, condition) = complex.src.split_at(complex.src.len().min(4));
        let holds = self.where_set(slot(condition, 0));
        for lane in self.on() {
            let counted = self.lane_mask(masks, lane) & ((1 << lane) - 1) & holds;
            let count = u64::from(counted.count_ones());
            self.registers.set(slot(&complex.dst, 0), lane, count);
        }
    }

    // Quads: four lanes in a row.

    pub(super) fn quad_read_lane_at(&self, complex: &Complex) {
        let Some((&wanted, values)) = complex.src.split_first() else {
            return;
        };
        self.exchange(values, complex, |lane| {
            Some(lane & !3 | (self.registers.word(wanted, lane) & 3) as usize)
        });
    }

    pub(super) fn quad_swap(&self, direction: QuadDirection, complex: &Complex) {
        let across = match direction {
            QuadDirection::AcrossX => 1,
            QuadDirection::AcrossY => 2,
            QuadDirection::AcrossDiagonal => 3,
        };
        self.exchange(&complex.src, complex, |lane| Some(lane ^ across));
    }

    pub(super) fn quad_vote(&self, kind: QuadVoteKind, complex: &Complex) {
        let holds = self.where_set(slot(&complex.src, 0));
        for lane in self.on() {
            let quad: Mask = 0b1111 << (lane & !3);
            let result = match kind {
                QuadVoteKind::Any => holds & quad != 0,
                QuadVoteKind::All => holds & quad == self.mask & quad,
            };
            self.registers
                .set(slot(&complex.dst, 0), lane, u64::from(result));
        }
    }

    pub(super) fn derivative(&self, op: Derivative, complex: &Complex) {
        for (&value, &dst) in complex.src.iter().zip(&complex.dst) {
            let mut results = [0_u64; super::lanes::MAX_LANES];
            for lane in self.on() {
                let at = |lane: usize| match op.number {
                    NumberType::Half => {
                        f32::from_bits(float::from_half(self.registers.word(value, lane)))
                    }
                    _ => self.registers.float(value, lane),
                };
                let (low, high) = neighbours(lane, op.vertical, op.fine);
                let change = if self.has_difference(low, high) {
                    at(high) - at(low)
                } else {
                    0.0
                };
                let bits = change.to_bits();
                results[lane] = u64::from(match op.number {
                    NumberType::Half => float::to_half(bits),
                    _ => bits,
                });
            }
            for lane in self.on() {
                self.registers.set(dst, lane, results[lane]);
            }
        }
    }
}

/// Returns the lanes whose difference is a lane's derivative: those of its own row or column, or of
/// the quad's first.
pub(super) fn neighbours(lane: usize, vertical: bool, fine: bool) -> (usize, usize) {
    let step = if vertical { 2 } else { 1 };
    let low = if fine { lane & !step } else { lane & !3 };
    (low, low | step)
}
