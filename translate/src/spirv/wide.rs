//! 64-bit integers as pairs of 32-bit words, for languages that have no others.
//!
//! A pair is a vector of two words, the low one first. The builder has an id of its own for their
//! type, which tells a value of 64 bits from a vector of two words; a module may have a vector type
//! only once, so the id of that is what is written (SPIR-V specification, 2.8 "Types and
//! Variables"). Results are those of two's complement arithmetic; what SPIR-V leaves undefined
//! (division by zero, shifts by 64 and more) the lowering never asks for.

use std::ops::RangeInclusive;

use super::builder::type_operands;
use super::{Builder, GLOp, Id, Op, Word};
use crate::spirv::state::Pairs;

/// The opcodes of instructions that combine the values of lanes.
const WAVE_OPERATIONS: RangeInclusive<u32> =
    Op::GroupNonUniformIAdd as u32..=Op::GroupNonUniformLogicalXor as u32;

/// The low and the high word.
type Halves = [Id; 2];

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

impl Builder {
    /// Makes 64-bit integers of two words each from here on; to be called before anything is built.
    pub(crate) fn emulate_wide_integers(&mut self) {
        if let Some(numbers) = &mut self.numbers {
            numbers.pairs = Some(Pairs::default());
        }
    }

    /// An instruction on 64-bit integers that there are no words for.
    pub(crate) fn refused_wide_instruction(&self) -> Option<Op> {
        self.pairs()?.refused
    }

    fn pairs(&self) -> Option<&Pairs> {
        self.numbers.as_ref()?.pairs.as_ref()
    }

    fn pairs_mut(&mut self) -> Option<&mut Pairs> {
        self.numbers.as_mut()?.pairs.as_mut()
    }

    /// The type of pairs, if 64-bit integers are such.
    pub(super) fn pair_type(&mut self) -> Option<Id> {
        if let Some(ty) = self.pairs()?.ty {
            return Some(ty);
        }
        let word = self.u32();
        let vector = self.vector(word, 2);
        let ty = self.fresh();
        let numbers = self.numbers.as_mut()?;
        numbers.note_type(Op::TypeVector, ty, &[word.0, 2]);
        let pairs = numbers.pairs.as_mut()?;
        (pairs.ty, pairs.vector) = (Some(ty), vector);
        Some(ty)
    }

    /// The type of pairs and the vector that is written for it, if anything has that type.
    pub(super) fn pair_and_vector(&self) -> Option<(Id, Id)> {
        let pairs = self.pairs()?;
        Some((pairs.ty?, pairs.vector))
    }

    /// The type that is written for a type.
    pub(super) fn written(&self, ty: Id) -> Id {
        match self.pair_and_vector() {
            Some((pair, vector)) if pair == ty => vector,
            _ => ty,
        }
    }

    /// Interns a constant of pairs, or a type that is made of them.
    pub(super) fn intern_of_pairs<W: Word>(
        &mut self,
        op: Op,
        ty: Id,
        operands: &[W],
    ) -> Option<Id> {
        let (pair, vector) = self.pair_and_vector()?;
        let mut words: Vec<u32> = operands.iter().map(|operand| operand.word()).collect();
        if ty == pair {
            let key = (op as u32, words);
            if let Some(&id) = self.pairs()?.constants.get(&key) {
                return Some(id);
            }
            let id = self.global(op, ty, operands);
            self.pairs_mut()?.constants.insert(key, id);
            return Some(id);
        }
        let types = type_operands(op, &mut words);
        if !types.contains(&pair.0) {
            return None;
        }
        for word in types {
            if *word == pair.0 {
                *word = vector.0;
            }
        }
        Some(self.intern(op, ty, &words))
    }

    /// The instruction in words of 32 bits, if it is about 64-bit integers and those are pairs.
    pub(super) fn in_words(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        let pair = self.pairs()?.ty?;
        let numbers = self.numbers.as_ref()?;
        let is_pair = |word: Option<&u32>| {
            word.is_some_and(|word| numbers.types.get(&Id(*word)) == Some(&pair))
        };
        let (of_pair, to_pair) = (is_pair(words.first()), ty == pair);
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
                let word = self.u32();
                let parts = [0, 1].map(|half| self.bitwise(op, word, a[half], b[half]));
                Some(self.join(pair, parts))
            }
            Op::Not if to_pair => Some(self.append(op, ty, words)),
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic if to_pair => {
                let amount = Id(*words.get(1)?);
                let amount = match is_pair(words.get(1)) {
                    true => self.halves(amount)[0],
                    false => amount,
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
            Op::UConvert | Op::SConvert | Op::Bitcast if of_pair && to_pair => {
                Some(Id(*words.first()?))
            }
            Op::UConvert | Op::SConvert if of_pair => {
                let [low, _] = self.halves(Id(*words.first()?));
                match ty == self.u32() {
                    true => Some(low),
                    false => Some(self.append(op, ty, &[low.0])),
                }
            }
            Op::UConvert | Op::SConvert if to_pair => {
                let word = self.u32();
                let mut low = Id(*words.first()?);
                if self.numbers.as_ref()?.types.get(&low) != Some(&word) {
                    low = self.emit(op, word, &[low]);
                }
                let high = match op {
                    Op::SConvert => self.sign_of(low),
                    _ => self.const_u32(0),
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

    /// Remembers what cannot be said; the value stands in for the result until the error comes out.
    pub(super) fn refuse(&mut self, op: Op, ty: Id) -> Id {
        if let Some(pairs) = self.pairs_mut() {
            pairs.refused.get_or_insert(op);
        }
        self.undef(ty)
    }

    /// The words of a pair.
    pub(super) fn halves(&mut self, value: Id) -> Halves {
        let known = self.numbers.as_ref().and_then(|n| n.wide.get(&value));
        if let Some(&known) = known {
            return [
                self.const_u32(known as u32),
                self.const_u32((known >> 32) as u32),
            ];
        }
        let word = self.u32();
        [0, 1].map(|half| self.append(Op::CompositeExtract, word, &[value.0, half]))
    }

    pub(super) fn join(&mut self, pair: Id, [low, high]: Halves) -> Id {
        self.append(Op::CompositeConstruct, pair, &[low.0, high.0])
    }

    /// `-1` where a word is negative, otherwise 0.
    fn sign_of(&mut self, word_value: Id) -> Id {
        let word = self.u32();
        let bits = self.const_u32(31);
        self.emit(Op::ShiftRightArithmetic, word, &[word_value, bits])
    }

    fn bitwise(&mut self, op: Op, word: Id, a: Id, b: Id) -> Id {
        match (op, self.literal(a), self.literal(b)) {
            (Op::BitwiseOr | Op::BitwiseXor, Some(0), _) => b,
            (Op::BitwiseOr | Op::BitwiseXor, _, Some(0)) => a,
            (Op::BitwiseAnd, Some(u32::MAX), _) => b,
            (Op::BitwiseAnd, _, Some(u32::MAX)) => a,
            (Op::BitwiseAnd, Some(0), _) | (Op::BitwiseAnd, _, Some(0)) => self.const_u32(0),
            _ => self.append(op, word, &[a.0, b.0]),
        }
    }

    fn pair_arithmetic(&mut self, op: Op, pair: Id, a: Id, b: Id) -> Id {
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
                let word = self.u32();
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

    /// 1 where a boolean holds.
    fn one_if(&mut self, condition: Id) -> Id {
        let word = self.u32();
        let [one, zero] = [1, 0].map(|value| self.const_u32(value));
        self.append(Op::Select, word, &[condition.0, one.0, zero.0])
    }

    fn add_halves(&mut self, a: Halves, b: Halves) -> Halves {
        let (word, bool_ty) = (self.u32(), self.bool());
        let low = self.append(Op::IAdd, word, &[a[0].0, b[0].0]);
        let wrapped = self.append(Op::ULessThan, bool_ty, &[low.0, a[0].0]);
        let carry = self.one_if(wrapped);
        let high = self.append(Op::IAdd, word, &[a[1].0, b[1].0]);
        [low, self.append(Op::IAdd, word, &[high.0, carry.0])]
    }

    fn subtract_halves(&mut self, a: Halves, b: Halves) -> Halves {
        let (word, bool_ty) = (self.u32(), self.bool());
        let low = self.append(Op::ISub, word, &[a[0].0, b[0].0]);
        let wraps = self.append(Op::ULessThan, bool_ty, &[a[0].0, b[0].0]);
        let borrow = self.one_if(wraps);
        let high = self.append(Op::ISub, word, &[a[1].0, b[1].0]);
        [low, self.append(Op::ISub, word, &[high.0, borrow.0])]
    }

    /// `-value` where the sign's bits are all set, and the value where none is.
    fn negate_if(&mut self, value: Halves, sign: Id) -> Halves {
        let word = self.u32();
        let flipped = value.map(|half| self.append(Op::BitwiseXor, word, &[half.0, sign.0]));
        self.subtract_halves(flipped, [sign, sign])
    }

    fn multiply_halves(&mut self, a: Halves, b: Halves) -> Halves {
        let word = self.u32();
        let mul = |b_: &mut Builder, x: Id, y: Id| b_.append(Op::IMul, word, &[x.0, y.0]);
        let low = mul(self, a[0], b[0]);
        let high = self.high_word_of_product(a[0], b[0]);
        let crossed = [mul(self, a[0], b[1]), mul(self, a[1], b[0])];
        let high = self.append(Op::IAdd, word, &[high.0, crossed[0].0]);
        [low, self.append(Op::IAdd, word, &[high.0, crossed[1].0])]
    }

    /// The upper word of the product of two words, from products of half words.
    fn high_word_of_product(&mut self, a: Id, b: Id) -> Id {
        let word = self.u32();
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

    /// A shift by 0 to 63.
    fn shift_halves(&mut self, op: Op, [low, high]: Halves, amount: Id) -> Halves {
        let is_left = op == Op::ShiftLeftLogical;
        // What moves within a word, and the direction of what crosses over.
        let (from, to) = if is_left { (low, high) } else { (high, low) };
        let fill = match op {
            Op::ShiftRightArithmetic => self.sign_of(high),
            _ => self.const_u32(0),
        };
        let across = match is_left {
            true => Op::ShiftRightLogical,
            false => Op::ShiftLeftLogical,
        };
        let within = match is_left {
            true => Op::ShiftLeftLogical,
            false => Op::ShiftRightLogical,
        };
        let word = self.u32();
        let order = |from: Id, to: Id| if is_left { [from, to] } else { [to, from] };
        if let Some(amount) = self.literal(amount) {
            let amount = amount & 63;
            let count = self.const_u32(amount & 31);
            return match amount {
                0 => [low, high],
                1..=31 => {
                    let back = self.const_u32(32 - amount);
                    let crossed = self.append(across, word, &[from.0, back.0]);
                    let moved = self.append(within, word, &[to.0, count.0]);
                    let to = self.append(Op::BitwiseOr, word, &[moved.0, crossed.0]);
                    order(self.emit(op, word, &[from, count]), to)
                }
                32 => order(fill, from),
                _ => {
                    let to = self.emit(op, word, &[from, count]);
                    order(fill, to)
                }
            };
        }
        let count = self.u32_and(amount, 31);
        let moved_from = self.emit(op, word, &[from, count]);
        // 32 - count may be 32, which no shift may be: one, and the rest.
        let one = self.const_u32(1);
        let most = self.const_u32(31);
        let back = self.append(Op::BitwiseXor, word, &[count.0, most.0]);
        let crossed = self.append(across, word, &[from.0, one.0]);
        let crossed = self.append(across, word, &[crossed.0, back.0]);
        let moved_to = self.append(within, word, &[to.0, count.0]);
        let moved_to = self.append(Op::BitwiseOr, word, &[moved_to.0, crossed.0]);
        let whole = self.u32_and(amount, 32);
        let (bool_ty, zero) = (self.bool(), self.const_u32(0));
        let whole = self.append(Op::INotEqual, bool_ty, &[whole.0, zero.0]);
        let from = self.append(Op::Select, word, &[whole.0, fill.0, moved_from.0]);
        let to = self.append(Op::Select, word, &[whole.0, moved_from.0, moved_to.0]);
        order(from, to)
    }

    fn compare_halves(&mut self, op: Op, a: Halves, b: Halves) -> Id {
        use Op::{
            IEqual, INotEqual, SGreaterThan, SGreaterThanEqual, SLessThan, SLessThanEqual,
            UGreaterThan, UGreaterThanEqual, ULessThan, ULessThanEqual,
        };
        let bool_ty = self.bool();
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

    fn less_halves(&mut self, signed: bool, a: Halves, b: Halves) -> Id {
        let (word, bool_ty) = (self.u32(), self.bool());
        let [mut a_high, mut b_high] = [a[1], b[1]];
        if signed {
            let sign = self.const_u32(1 << 31);
            [a_high, b_high] =
                [a_high, b_high].map(|high| self.append(Op::BitwiseXor, word, &[high.0, sign.0]));
        }
        let less = self.append(Op::ULessThan, bool_ty, &[a_high.0, b_high.0]);
        let equal = self.append(Op::IEqual, bool_ty, &[a_high.0, b_high.0]);
        let low = self.append(Op::ULessThan, bool_ty, &[a[0].0, b[0].0]);
        let then = self.append(Op::LogicalAnd, bool_ty, &[equal.0, low.0]);
        self.append(Op::LogicalOr, bool_ty, &[less.0, then.0])
    }

    /// Least and greatest.
    fn pair_function(&mut self, pair: Id, words: &[u32]) -> Option<Id> {
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

    /// The nearest float: the upper words are scaled, which is exact, and added to the lower ones.
    fn pair_to_float(&mut self, signed: bool, ty: Id, value: Id) -> Option<Id> {
        let word = self.u32();
        let mut halves = self.halves(value);
        let sign = match signed {
            true => self.sign_of(halves[1]),
            false => self.const_u32(0),
        };
        if signed {
            halves = self.negate_if(halves, sign);
        }
        let bits = self.numbers.as_ref()?.kinds.get(&ty)?.bits;
        let float = if bits == 64 {
            let parts = halves.map(|half| self.append(Op::ConvertUToF, ty, &[half.0]));
            let scale = self.const_float(64, 4_294_967_296.0);
            let high = self.append(Op::FMul, ty, &[parts[1].0, scale.0]);
            self.append(Op::FAdd, ty, &[high.0, parts[0].0])
        } else {
            // One rounding only: the 32 bits from the first one that is set, the last of them set
            // where anything is lost, are rounded by the conversion.
            let [low, high] = halves;
            let (bool_ty, zero) = (self.bool(), self.const_u32(0));
            let small = self.append(Op::IEqual, bool_ty, &[high.0, zero.0]);
            let first = self.glsl(GLOp::FindUMsb, word, &[high]);
            let first = self.append(Op::Select, word, &[small.0, zero.0, first.0]);
            let most = self.const_u32(31);
            // How far the first bit is from the top.
            let free = self.append(Op::ISub, word, &[most.0, first.0]);
            let [shifted_low, shifted_high] =
                self.shift_halves(Op::ShiftLeftLogical, [low, high], free);
            let lost = self.append(Op::INotEqual, bool_ty, &[shifted_low.0, zero.0]);
            let sticky = self.one_if(lost);
            let top = self.append(Op::BitwiseOr, word, &[shifted_high.0, sticky.0]);
            let top = self.append(Op::Select, word, &[small.0, low.0, top.0]);
            let single = self.f32();
            let rounded = self.append(Op::ConvertUToF, single, &[top.0]);
            let bit = self.const_u32(1);
            let bit = self.append(Op::ShiftLeftLogical, word, &[bit.0, first.0]);
            let scale = self.append(Op::ConvertUToF, single, &[bit.0]);
            let [two, one] = [2.0, 1.0].map(|value| self.const_f32(value));
            let scale = self.append(Op::FMul, single, &[scale.0, two.0]);
            let scale = self.append(Op::Select, single, &[small.0, one.0, scale.0]);
            let scaled = self.append(Op::FMul, single, &[rounded.0, scale.0]);
            match bits {
                16 => self.append(Op::FConvert, ty, &[scaled.0]),
                _ => scaled,
            }
        };
        if !signed {
            return Some(float);
        }
        let negative = self.append(Op::FNegate, ty, &[float.0]);
        let (bool_ty, zero) = (self.bool(), self.const_u32(0));
        let is_negative = self.append(Op::INotEqual, bool_ty, &[sign.0, zero.0]);
        Some(self.append(Op::Select, ty, &[is_negative.0, negative.0, float.0]))
    }

    /// The integer part of a float within the range.
    fn float_to_pair(&mut self, signed: bool, pair: Id, value: Id) -> Option<Id> {
        let mut ty = *self.numbers.as_ref()?.types.get(&value)?;
        let mut value = value;
        let mut bits = self.numbers.as_ref()?.kinds.get(&ty)?.bits;
        if bits == 16 {
            (ty, bits) = (self.f32(), 32);
            value = self.append(Op::FConvert, ty, &[value.0]);
        }
        let word = self.u32();
        let magnitude = match signed {
            true => self.glsl(GLOp::FAbs, ty, &[value]),
            false => value,
        };
        let whole = self.glsl(GLOp::Trunc, ty, &[magnitude]);
        let [down, up] = [1.0 / 4_294_967_296.0, 4_294_967_296.0];
        let down = self.const_float(bits, down);
        let up = self.const_float(bits, up);
        let high = self.append(Op::FMul, ty, &[whole.0, down.0]);
        let high = self.glsl(GLOp::Floor, ty, &[high]);
        let covered = self.append(Op::FMul, ty, &[high.0, up.0]);
        let low = self.append(Op::FSub, ty, &[whole.0, covered.0]);
        let mut parts = [low, high].map(|part| self.append(Op::ConvertFToU, word, &[part.0]));
        if signed {
            let (bool_ty, zero) = (self.bool(), self.const_float(bits, 0.0));
            let negative = self.append(Op::FOrdLessThan, bool_ty, &[value.0, zero.0]);
            let [all, none] = [u32::MAX, 0].map(|word| self.const_u32(word));
            let sign = self.append(Op::Select, word, &[negative.0, all.0, none.0]);
            parts = self.negate_if(parts, sign);
        }
        Some(self.join(pair, parts))
    }

    /// Quotient and rest, as a vector of four words.
    fn divided(&mut self, a: Id, b: Id) -> Id {
        let word = self.u32();
        let four = self.vector(word, 4);
        let function = match self.pairs().and_then(|pairs| pairs.divide) {
            Some(function) => function,
            None => {
                let function = self.fresh();
                if let Some(pairs) = self.pairs_mut() {
                    pairs.divide = Some(function);
                }
                function
            }
        };
        self.append(Op::FunctionCall, four, &[function.0, a.0, b.0])
    }

    fn part_of_division(&mut self, quotient: bool, pair: Id, both: Id) -> Id {
        let word = self.u32();
        let first = if quotient { 0 } else { 2 };
        let parts = [first, first + 1]
            .map(|index| self.append(Op::CompositeExtract, word, &[both.0, index]));
        self.join(pair, parts)
    }

    /// Writes the functions that code asked for; to be called behind the last function.
    pub(crate) fn finish_pairs(&mut self) {
        let Some(id) = self.pairs().and_then(|pairs| pairs.divide) else {
            return;
        };
        let Some(pair) = self.pair_type() else {
            return;
        };
        self.division(id, pair);
    }

    /// Long division, a bit in a round.
    fn division(&mut self, id: Id, pair: Id) {
        let (word, bool_ty) = (self.u32(), self.bool());
        let four = self.vector(word, 4);
        let function_ty = self.function_type(four, &[pair, pair]);
        let [zero, one, rounds] = [0, 1, 64].map(|value| self.const_u32(value));
        let function = self.begin_function(id, four, function_ty);
        let [dividend, divisor] = [pair, pair].map(|ty| self.parameter(ty));
        let [entry, head, test, body, next, merge] = [(); 6].map(|()| self.fresh());
        self.entry_label(entry);
        let start = self.halves(dividend);
        let divisor = self.halves(divisor);
        self.emit_void(Op::Branch, &[head]);
        self.label(head);
        // The dividend moves out of the quotient's words at the top while the quotient comes in
        // below.
        let phis = [(); 5].map(|()| self.fresh());
        let news = [(); 5].map(|()| self.fresh());
        let starts = [start[0], start[1], zero, zero, zero];
        for ((phi, start), new) in phis.into_iter().zip(starts).zip(news) {
            self.emit_as(Op::Phi, word, phi, &[start, entry, new, next]);
        }
        let [quotient, rest] = [[phis[0], phis[1]], [phis[2], phis[3]]];
        let round = phis[4];
        self.emit_void(Op::LoopMerge, &[merge.0, next.0, 0]);
        self.emit_void(Op::Branch, &[test]);
        self.label(test);
        let more = self.append(Op::ULessThan, bool_ty, &[round.0, rounds.0]);
        self.emit_void(Op::BranchConditional, &[more, body, merge]);
        self.label(body);
        let top = self.u32_shr(quotient[1], 31);
        let out = self.u32_shr(rest[1], 31);
        let [low, high] = self.shift_halves(Op::ShiftLeftLogical, rest, one);
        let low = self.append(Op::BitwiseOr, word, &[low.0, top.0]);
        let rest = [low, high];
        let less = self.less_halves(false, rest, divisor);
        let wide = self.append(Op::INotEqual, bool_ty, &[out.0, zero.0]);
        let fits = self.append(Op::LogicalNot, bool_ty, &[less.0]);
        let fits = self.append(Op::LogicalOr, bool_ty, &[fits.0, wide.0]);
        let bit = self.one_if(fits);
        let [low, high] = self.shift_halves(Op::ShiftLeftLogical, quotient, one);
        let low = self.append(Op::BitwiseOr, word, &[low.0, bit.0]);
        let left = self.subtract_halves(rest, divisor);
        self.emit_void(Op::Branch, &[next]);
        self.label(next);
        self.emit_as(Op::CopyObject, word, news[0], &[low]);
        self.emit_as(Op::CopyObject, word, news[1], &[high]);
        for half in [0, 1] {
            let operands = [fits, left[half], rest[half]];
            self.emit_as(Op::Select, word, news[2 + half], &operands);
        }
        self.emit_as(Op::IAdd, word, news[4], &[round, one]);
        self.emit_void(Op::Branch, &[head]);
        self.label(merge);
        let result = self.construct(four, &phis[..4]);
        self.emit_void(Op::ReturnValue, &[result]);
        self.end_function(function);
    }
}
