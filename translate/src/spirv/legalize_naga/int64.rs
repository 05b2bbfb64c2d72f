//! 64-bit integers as pairs of 32-bit words, for languages that have no others.
//!
//! A pair is a vector of two words, the low one first. Types and constants are replaced first
//! (`globals`); a value of a pair keeps the type of the 64-bit integer in the pass, which
//! distinguishes it from a vector of two words. Results are those of two's complement arithmetic;
//! what SPIR-V leaves undefined (division by zero, shifts by 64 and more) the lowering never asks
//! for.

use std::ops::RangeInclusive;

use super::state::{Legalizer, NumericType};
use crate::spirv::{GLOp, Id, Op};

/// The opcodes of instructions that combine the values of lanes.
const WAVE_OPERATIONS: RangeInclusive<u32> =
    Op::GroupNonUniformIAdd as u32..=Op::GroupNonUniformLogicalXor as u32;

/// The low and the high word.
pub(super) type Halves = [Id; 2];

/// Operations that nothing does on two words at once.
const ATOMICS: [Op; 12] = [
    Op::AtomicLoad,
    Op::AtomicExchange,
    Op::AtomicCompareExchange,
    Op::AtomicIAdd,
    Op::AtomicISub,
    Op::AtomicSMin,
    Op::AtomicUMin,
    Op::AtomicSMax,
    Op::AtomicUMax,
    Op::AtomicAnd,
    Op::AtomicOr,
    Op::AtomicXor,
];

impl Legalizer<'_> {
    /// Returns whether this is an emulated type.
    pub(super) fn is_int64(&self, ty: Id) -> bool {
        let int64 = self.int64.as_ref();
        int64.is_some_and(|int64| int64.types.contains(&ty))
    }

    /// Returns an unsigned integer type of 32 or 64 bits.
    pub(super) fn uint(&mut self, bits: u32) -> Id {
        match &self.int64 {
            Some(int64) if bits == 64 => match int64.types.first() {
                Some(&ty) => ty,
                None => {
                    // The module has none, and a rule needs one.
                    let ty = self.b.fresh();
                    self.declare_int64(ty, false);
                    ty
                }
            },
            _ => self.b.uint(bits),
        }
    }

    /// Makes a type one of 64-bit integers, which vectors of two words represent.
    pub(super) fn declare_int64(&mut self, ty: Id, is_signed: bool) {
        let word = self.b.u32();
        let vector = self.b.vector(word, 2);
        if let Some(int64) = &mut self.int64 {
            int64.types.push(ty);
            int64.replaced.insert(ty, vector);
        }
        let numeric = NumericType {
            is_float: false,
            is_signed,
            bits: 64,
            count: 1,
        };
        self.numeric.insert(ty, numeric);
    }

    /// Returns an unsigned constant of 32 or 64 bits.
    pub(super) fn const_uint(&mut self, bits: u32, value: u64) -> Id {
        let ty = self.uint(bits);
        if !self.is_int64(ty) {
            return self.b.const_uint(bits, value);
        }
        let words = [value as u32, (value >> 32) as u32];
        let halves = words.map(|word| self.b.const_u32(word));
        self.constant_pair(ty, halves, value)
    }

    /// Returns a constant pair.
    pub(super) fn constant_pair(&mut self, ty: Id, halves: Halves, value: u64) -> Id {
        let int64 = self.int64.as_ref();
        if let Some(&id) = int64.and_then(|int64| int64.constants.get(&value)) {
            return id;
        }
        let written = self.written(ty);
        let id = self.b.fresh();
        let halves = halves.map(|half| half.0);
        self.b
            .global_as(Op::ConstantComposite, written, id, &halves);
        self.types.insert(id, ty);
        self.constants.insert(id, value);
        if let Some(int64) = &mut self.int64 {
            int64.constants.insert(value, id);
        }
        id
    }

    /// Returns the instruction in words of 32 bits, if it is about 64-bit integers and those are
    /// pairs.
    pub(super) fn int64(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        let is_pair = |word: Option<&u32>| {
            let ty = word.and_then(|word| self.types.get(&Id(*word)));
            ty.is_some_and(|ty| self.is_int64(*ty))
        };
        let (of_pair, by_pair) = (is_pair(words.first()), is_pair(words.get(1)));
        let (to_pair, pair) = (self.is_int64(ty), ty);
        match op {
            Op::IAdd | Op::ISub | Op::IMul | Op::UDiv | Op::UMod | Op::SDiv | Op::SRem
                if to_pair =>
            {
                let [a, b] = [Id(*words.first()?), Id(*words.get(1)?)];
                Some(self.pair_arithmetic(op, pair, a, b))
            }
            Op::SNegate if to_pair => {
                let zero = self.const_uint(64, 0);
                Some(self.pair_arithmetic(Op::ISub, pair, zero, Id(*words.first()?)))
            }
            Op::BitwiseAnd | Op::BitwiseOr | Op::BitwiseXor if to_pair => {
                let a = self.halves(Id(*words.first()?));
                let b = self.halves(Id(*words.get(1)?));
                let word = self.b.u32();
                let parts = [0, 1].map(|half| self.bitwise(op, word, a[half], b[half]));
                Some(self.join(pair, parts))
            }
            Op::Not if to_pair => Some(self.append(op, ty, words)),
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic if to_pair => {
                let amount = Id(*words.get(1)?);
                let amount = if by_pair {
                    self.halves(amount)[0]
                } else {
                    amount
                };
                let value = self.halves(Id(*words.first()?));
                let parts = self.shift_halves(op, value, amount);
                Some(self.join(pair, parts))
            }
            Op::IEqual
            | Op::INotEqual
            | Op::ULessThan
            | Op::ULessThanEqual
            | Op::UGreaterThan
            | Op::UGreaterThanEqual
            | Op::SLessThan
            | Op::SLessThanEqual
            | Op::SGreaterThan
            | Op::SGreaterThanEqual
                if of_pair =>
            {
                let a = self.halves(Id(*words.first()?));
                let b = self.halves(Id(*words.get(1)?));
                Some(self.compare_halves(op, a, b))
            }
            Op::UConvert | Op::SConvert if of_pair && to_pair => Some(Id(*words.first()?)),
            Op::Bitcast if of_pair || to_pair => {
                let value = Id(*words.first()?);
                let from = self.type_of(value)?;
                (self.written(from) == self.written(ty)).then_some(value)
            }
            Op::UConvert | Op::SConvert if of_pair => {
                let [low, _] = self.halves(Id(*words.first()?));
                if ty == self.b.u32() {
                    Some(low)
                } else {
                    Some(self.append(op, ty, &[low.0]))
                }
            }
            Op::UConvert | Op::SConvert if to_pair => {
                let word = self.b.u32();
                let mut low = Id(*words.first()?);
                if self.type_of(low) != Some(word) {
                    low = self.emit(op, word, &[low.0]);
                }
                let high = match op {
                    Op::SConvert => self.sign_of(low),
                    _ => self.b.const_u32(0),
                };
                Some(self.join(pair, [low, high]))
            }
            Op::ConvertUToF | Op::ConvertSToF if of_pair => {
                let value = Id(*words.first()?);
                self.pair_to_float(op == Op::ConvertSToF, ty, value)
            }
            Op::ConvertFToU | Op::ConvertFToS if to_pair => {
                let value = Id(*words.first()?);
                self.float_to_pair(op == Op::ConvertFToS, pair, value)
            }
            Op::ExtInst if to_pair => self.pair_function(pair, words),
            Op::SDot | Op::UDot | Op::BitCount | Op::BitReverse if to_pair => {
                Some(self.refuse(op, ty))
            }
            _ if to_pair && (ATOMICS.contains(&op) || WAVE_OPERATIONS.contains(&(op as u32))) => {
                Some(self.refuse(op, ty))
            }
            _ => None,
        }
    }

    /// Returns the words of a pair.
    pub(super) fn halves(&mut self, value: Id) -> Halves {
        if let Some(&known) = self.constants.get(&value) {
            let words = [known as u32, (known >> 32) as u32];
            return words.map(|word| self.b.const_u32(word));
        }
        let word = self.b.u32();
        [0, 1].map(|half| self.append(Op::CompositeExtract, word, &[value.0, half]))
    }

    pub(super) fn join(&mut self, pair: Id, [low, high]: Halves) -> Id {
        self.append(Op::CompositeConstruct, pair, &[low.0, high.0])
    }

    /// Returns `-1` where a word is negative, otherwise 0.
    pub(super) fn sign_of(&mut self, word_value: Id) -> Id {
        let word = self.b.u32();
        let bits = self.b.const_u32(31);
        self.emit(Op::ShiftRightArithmetic, word, &[word_value.0, bits.0])
    }

    /// Emits a 32-bit and with a literal; folds.
    pub(super) fn u32_and(&mut self, a: Id, mask: u32) -> Id {
        let id = self.b.u32_and(a, mask);
        self.note_word(id)
    }

    /// Emits a 32-bit logical shift right by a literal; folds.
    pub(super) fn u32_shr(&mut self, a: Id, shift: u32) -> Id {
        let id = self.b.u32_shr(a, shift);
        self.note_word(id)
    }

    /// Emits a 32-bit sum; folds literals.
    pub(super) fn u32_add(&mut self, a: Id, b: Id) -> Id {
        let id = self.b.u32_add(a, b);
        self.note_word(id)
    }

    pub(super) fn note_word(&mut self, id: Id) -> Id {
        let word = self.b.u32();
        self.types.insert(id, word);
        id
    }

    pub(super) fn bitwise(&mut self, op: Op, word: Id, a: Id, b: Id) -> Id {
        match (op, self.b.literal(a), self.b.literal(b)) {
            (Op::BitwiseOr | Op::BitwiseXor, Some(0), _) => b,
            (Op::BitwiseOr | Op::BitwiseXor, _, Some(0)) => a,
            (Op::BitwiseAnd, Some(u32::MAX), _) => b,
            (Op::BitwiseAnd, _, Some(u32::MAX)) => a,
            (Op::BitwiseAnd, Some(0), _) | (Op::BitwiseAnd, _, Some(0)) => self.b.const_u32(0),
            _ => self.append(op, word, &[a.0, b.0]),
        }
    }

    pub(super) fn pair_arithmetic(&mut self, op: Op, pair: Id, a: Id, b: Id) -> Id {
        match op {
            Op::UDiv | Op::UMod => {
                let quotient_and_rest = self.divided(a, b);
                self.part_of_division(op == Op::UDiv, pair, quotient_and_rest)
            }
            Op::SDiv | Op::SRem => {
                let [dividend, divisor] = [a, b].map(|value| {
                    let [_, high] = self.halves(value);
                    self.sign_of(high)
                });
                let [a, b] = [(a, dividend), (b, divisor)].map(|(value, sign)| {
                    let halves = self.halves(value);
                    let magnitude = self.negate_if(halves, sign);
                    self.join(pair, magnitude)
                });
                let quotient_and_rest = self.divided(a, b);
                let part = self.part_of_division(op == Op::SDiv, pair, quotient_and_rest);
                let word = self.b.u32();
                let sign = match op {
                    Op::SDiv => self.append(Op::BitwiseXor, word, &[dividend.0, divisor.0]),
                    _ => dividend,
                };
                let halves = self.halves(part);
                let parts = self.negate_if(halves, sign);
                self.join(pair, parts)
            }
            _ => {
                let (a, b) = (self.halves(a), self.halves(b));
                let parts = match op {
                    Op::IAdd => self.add_halves(a, b),
                    Op::ISub => self.subtract_halves(a, b),
                    _ => self.multiply_halves(a, b),
                };
                self.join(pair, parts)
            }
        }
    }

    /// Returns 1 where a boolean holds.
    pub(super) fn one_if(&mut self, condition: Id) -> Id {
        let word = self.b.u32();
        let [one, zero] = [1, 0].map(|value| self.b.const_u32(value));
        self.append(Op::Select, word, &[condition.0, one.0, zero.0])
    }

    pub(super) fn add_halves(&mut self, a: Halves, b: Halves) -> Halves {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let low = self.append(Op::IAdd, word, &[a[0].0, b[0].0]);
        let wrapped = self.append(Op::ULessThan, bool_ty, &[low.0, a[0].0]);
        let carry = self.one_if(wrapped);
        let high = self.append(Op::IAdd, word, &[a[1].0, b[1].0]);
        [low, self.append(Op::IAdd, word, &[high.0, carry.0])]
    }

    pub(super) fn subtract_halves(&mut self, a: Halves, b: Halves) -> Halves {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let low = self.append(Op::ISub, word, &[a[0].0, b[0].0]);
        let wraps = self.append(Op::ULessThan, bool_ty, &[a[0].0, b[0].0]);
        let borrow = self.one_if(wraps);
        let high = self.append(Op::ISub, word, &[a[1].0, b[1].0]);
        [low, self.append(Op::ISub, word, &[high.0, borrow.0])]
    }

    /// Returns `-value` where the sign's bits are all set, and the value where none is.
    pub(super) fn negate_if(&mut self, value: Halves, sign: Id) -> Halves {
        let word = self.b.u32();
        let flipped = value.map(|half| self.append(Op::BitwiseXor, word, &[half.0, sign.0]));
        self.subtract_halves(flipped, [sign, sign])
    }

    pub(super) fn multiply_halves(&mut self, a: Halves, b: Halves) -> Halves {
        let word = self.b.u32();
        let mul = |this: &mut Self, x: Id, y: Id| this.append(Op::IMul, word, &[x.0, y.0]);
        let low = mul(self, a[0], b[0]);
        let high = self.high_word_of_product(a[0], b[0]);
        let crossed = [mul(self, a[0], b[1]), mul(self, a[1], b[0])];
        let high = self.append(Op::IAdd, word, &[high.0, crossed[0].0]);
        [low, self.append(Op::IAdd, word, &[high.0, crossed[1].0])]
    }

    /// Returns the upper word of the product of two words, from products of half words.
    pub(super) fn high_word_of_product(&mut self, a: Id, b: Id) -> Id {
        let word = self.b.u32();
        let [a, b] = [a, b].map(|value| [self.u32_and(value, 0xffff), self.u32_shr(value, 16)]);
        let mut mul = |x: Id, y: Id| self.append(Op::IMul, word, &[x.0, y.0]);
        let (low, cross, other, high) = (
            mul(a[0], b[0]),
            mul(a[1], b[0]),
            mul(a[0], b[1]),
            mul(a[1], b[1]),
        );
        let carried = self.u32_shr(low, 16);
        let middle = self.u32_add(cross, carried);
        let part = self.u32_and(middle, 0xffff);
        let other = self.u32_add(other, part);
        let [middle, other] = [middle, other].map(|value| self.u32_shr(value, 16));
        let high = self.u32_add(high, middle);
        self.u32_add(high, other)
    }

    /// Returns a shift by 0 to 63.
    pub(super) fn shift_halves(&mut self, op: Op, [low, high]: Halves, amount: Id) -> Halves {
        let is_left = op == Op::ShiftLeftLogical;
        // What moves within a word, and the direction of what crosses over.
        let (from, to) = if is_left { (low, high) } else { (high, low) };
        let fill = match op {
            Op::ShiftRightArithmetic => self.sign_of(high),
            _ => self.b.const_u32(0),
        };
        let across = if is_left {
            Op::ShiftRightLogical
        } else {
            Op::ShiftLeftLogical
        };
        let within = if is_left {
            Op::ShiftLeftLogical
        } else {
            Op::ShiftRightLogical
        };
        let word = self.b.u32();
        let order = |from: Id, to: Id| if is_left { [from, to] } else { [to, from] };
        if let Some(amount) = self.b.literal(amount) {
            let amount = amount & 63;
            let count = self.b.const_u32(amount & 31);
            return match amount {
                0 => [low, high],
                1..=31 => {
                    let back = self.b.const_u32(32 - amount);
                    let crossed = self.append(across, word, &[from.0, back.0]);
                    let moved = self.append(within, word, &[to.0, count.0]);
                    let to = self.append(Op::BitwiseOr, word, &[moved.0, crossed.0]);
                    order(self.emit(op, word, &[from.0, count.0]), to)
                }
                32 => order(fill, from),
                _ => {
                    let to = self.emit(op, word, &[from.0, count.0]);
                    order(fill, to)
                }
            };
        }
        let count = self.u32_and(amount, 31);
        let moved_from = self.emit(op, word, &[from.0, count.0]);
        // 32 - count may be 32, which no shift may be: one, and the rest.
        let one = self.b.const_u32(1);
        let maximum = self.b.const_u32(31);
        let back = self.append(Op::BitwiseXor, word, &[count.0, maximum.0]);
        let crossed = self.append(across, word, &[from.0, one.0]);
        let crossed = self.append(across, word, &[crossed.0, back.0]);
        let moved_to = self.append(within, word, &[to.0, count.0]);
        let moved_to = self.append(Op::BitwiseOr, word, &[moved_to.0, crossed.0]);
        let whole = self.u32_and(amount, 32);
        let (bool_ty, zero) = (self.b.bool(), self.b.const_u32(0));
        let whole = self.append(Op::INotEqual, bool_ty, &[whole.0, zero.0]);
        let from = self.append(Op::Select, word, &[whole.0, fill.0, moved_from.0]);
        let to = self.append(Op::Select, word, &[whole.0, moved_from.0, moved_to.0]);
        order(from, to)
    }

    pub(super) fn compare_halves(&mut self, op: Op, a: Halves, b: Halves) -> Id {
        use Op::{
            IEqual, INotEqual, SGreaterThan, SGreaterThanEqual, SLessThan, SLessThanEqual,
            UGreaterThan, UGreaterThanEqual, ULessThan, ULessThanEqual,
        };
        let bool_ty = self.b.bool();
        match op {
            IEqual | INotEqual => {
                let halves = [0, 1].map(|i| self.append(op, bool_ty, &[a[i].0, b[i].0]));
                let joint = match op {
                    IEqual => Op::LogicalAnd,
                    _ => Op::LogicalOr,
                };
                self.append(joint, bool_ty, &[halves[0].0, halves[1].0])
            }
            UGreaterThan | SGreaterThan => self.less_halves(op == SGreaterThan, b, a),
            ULessThan | SLessThan => self.less_halves(op == SLessThan, a, b),
            ULessThanEqual | SLessThanEqual => {
                let greater = self.less_halves(op == SLessThanEqual, b, a);
                self.append(Op::LogicalNot, bool_ty, &[greater.0])
            }
            UGreaterThanEqual | SGreaterThanEqual => {
                let less = self.less_halves(op == SGreaterThanEqual, a, b);
                self.append(Op::LogicalNot, bool_ty, &[less.0])
            }
            other => self.refuse(other, bool_ty),
        }
    }

    pub(super) fn less_halves(&mut self, signed: bool, a: Halves, b: Halves) -> Id {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let [mut a_high, mut b_high] = [a[1], b[1]];
        if signed {
            let sign = self.b.const_u32(1 << 31);
            [a_high, b_high] =
                [a_high, b_high].map(|high| self.append(Op::BitwiseXor, word, &[high.0, sign.0]));
        }
        let less = self.append(Op::ULessThan, bool_ty, &[a_high.0, b_high.0]);
        let equal = self.append(Op::IEqual, bool_ty, &[a_high.0, b_high.0]);
        let low = self.append(Op::ULessThan, bool_ty, &[a[0].0, b[0].0]);
        let then = self.append(Op::LogicalAnd, bool_ty, &[equal.0, low.0]);
        self.append(Op::LogicalOr, bool_ty, &[less.0, then.0])
    }

    /// Lowers minimum and maximum.
    pub(super) fn pair_function(&mut self, pair: Id, words: &[u32]) -> Option<Id> {
        const U_MIN: u32 = GLOp::UMin as u32;
        const U_MAX: u32 = GLOp::UMax as u32;
        const S_MIN: u32 = GLOp::SMin as u32;
        const S_MAX: u32 = GLOp::SMax as u32;
        let &[_, function, a, b] = words else {
            return Some(self.refuse(Op::ExtInst, pair));
        };
        if !matches!(function, U_MIN | U_MAX | S_MIN | S_MAX) {
            return Some(self.refuse(Op::ExtInst, pair));
        }
        let halves = [a, b].map(|value| self.halves(Id(value)));
        let signed = matches!(function, S_MIN | S_MAX);
        let less = self.less_halves(signed, halves[0], halves[1]);
        let (if_less, otherwise) = match function {
            U_MIN | S_MIN => (a, b),
            _ => (b, a),
        };
        Some(self.select(pair, less, Id(if_less), Id(otherwise)))
    }
}
