//! Instructions whose meaning naga's SPIR-V front end changes, written so that it does not.
//!
//! In SPIR-V the opcode says whether an integer has a sign; naga looks at the operand's type, and
//! the modules made here know unsigned types alone. So operands and results of signed instructions
//! are cast to signed types and back. Of floats naga knows neither the comparisons that hold for
//! NaN nor the functions that avoid it; both become what is left after the ordered ones and a look
//! at the bits.

use super::{Builder, GLOp, Id, Op};
use crate::spirv::state::{Numbers, NumericType};

impl Numbers {
    /// Takes note of a type.
    pub(super) fn note_type(&mut self, op: Op, id: Id, operands: &[u32]) {
        if op == Op::TypeStruct {
            let members = operands.iter().map(|&member| Id(member));
            self.structs.insert(id, members.collect());
        }
        let kind = match (op, operands) {
            (Op::TypeInt, &[bits, _]) => (false, bits, 1),
            (Op::TypeFloat, &[bits, ..]) => (true, bits, 1),
            (Op::TypeVector, &[scalar, count]) => match self.kinds.get(&Id(scalar)) {
                Some(kind) => (kind.is_float, kind.bits, count),
                None => return,
            },
            _ => return,
        };
        let (is_float, bits, count) = kind;
        self.kinds.insert(
            id,
            NumericType {
                is_float,
                bits,
                count,
            },
        );
    }

    /// Takes note of a 64-bit constant.
    pub(super) fn note_wide(&mut self, id: Id, value: u64) {
        self.wide.insert(id, value);
    }

    /// Takes note of a value.
    pub(super) fn note_value(&mut self, id: Id, ty: Id) {
        self.types.insert(id, ty);
    }

    fn kind_of(&self, value: u32) -> Option<NumericType> {
        self.kinds.get(self.types.get(&Id(value))?).copied()
    }
}

impl Builder {
    /// Keeps to what naga understands from here on; to be called before anything is built.
    pub(crate) fn restrict_to_portable(&mut self) {
        self.numbers = Some(Box::default());
    }

    /// The instruction in other words, if naga would take it for something else.
    pub(super) fn legalize(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        use Op::{
            BitFieldSExtract, ConvertFToS, ConvertSToF, FOrdNotEqual, FUnordEqual,
            FUnordGreaterThan, FUnordGreaterThanEqual, FUnordLessThan, FUnordLessThanEqual,
            FUnordNotEqual, GroupNonUniformSMax, GroupNonUniformSMin, SConvert, SDiv, SRem,
            ShiftRightArithmetic,
        };
        if let Some(id) = self.in_words(op, ty, words) {
            return Some(id);
        }
        if let (Op::Bitcast, &[value]) = (op, words)
            && let Some(id) = self.pseudo_cast(ty, value)
        {
            return Some(id);
        }
        let narrowed;
        let words = match self.narrow_shift(op, words) {
            Some(new) => {
                narrowed = new;
                &narrowed
            }
            None => words,
        };
        // Which operands have a sign, and whether the result has.
        let (signed, result): (&[usize], bool) = match op {
            SDiv => (&[0, 1], true),
            ShiftRightArithmetic | BitFieldSExtract | SConvert => (&[0], true),
            ConvertSToF => (&[0], false),
            // Casts that naga puts in itself are lost where integers have 64 bits.
            Op::SLessThan | Op::SLessThanEqual | Op::SGreaterThan | Op::SGreaterThanEqual
                if self.is_wide(words) =>
            {
                (&[0, 1], false)
            }
            ConvertFToS => (&[], true),
            GroupNonUniformSMin | GroupNonUniformSMax => (&[2], true),
            Op::ExtInst => return self.legalize_function(ty, words),
            // Of negative numbers GLSL leaves it open, and glslang takes the divisor's sign.
            SRem => {
                let &[a, b] = words else {
                    return None;
                };
                let quotient = self.with_signs(SDiv, ty, words, &[0, 1], true);
                let whole = self.append(Op::IMul, ty, &[quotient.0, b]);
                return Some(self.append(Op::ISub, ty, &[a, whole.0]));
            }
            FUnordEqual => return self.negated(FOrdNotEqual, ty, words),
            FUnordNotEqual => return self.negated(Op::FOrdEqual, ty, words),
            FUnordLessThan => return self.negated(Op::FOrdGreaterThanEqual, ty, words),
            FUnordLessThanEqual => return self.negated(Op::FOrdGreaterThan, ty, words),
            FUnordGreaterThan => return self.negated(Op::FOrdLessThanEqual, ty, words),
            FUnordGreaterThanEqual => return self.negated(Op::FOrdLessThan, ty, words),
            FOrdNotEqual => {
                let less = self.append(Op::FOrdLessThan, ty, words);
                let greater = self.append(Op::FOrdGreaterThan, ty, words);
                return Some(self.emit(Op::LogicalOr, ty, &[less.0, greater.0]));
            }
            // naga chooses vectors component by component.
            Op::Select => {
                let &[condition, a, b] = words else {
                    return None;
                };
                let numbers = self.numbers.as_ref()?;
                // Nor does it choose structs.
                if let Some(members) = numbers.structs.get(&ty).cloned() {
                    let parts: Vec<Id> = (0..)
                        .zip(&members)
                        .map(|(index, &member)| {
                            let [a, b] = [a, b].map(|whole| self.extract(member, Id(whole), index));
                            self.select(member, Id(condition), a, b)
                        })
                        .collect();
                    return Some(self.construct(ty, &parts));
                }
                let count = numbers.kinds.get(&ty)?.count;
                let of_condition = numbers.types.get(&Id(condition)).copied();
                let bool_ty = self.bool();
                if count == 1 || of_condition != Some(bool_ty) {
                    return None;
                }
                let bools = self.vector_or_scalar(bool_ty, count);
                let all = self.construct(bools, &vec![Id(condition); count as usize]);
                return Some(self.append(Op::Select, ty, &[all.0, a, b]));
            }
            // naga joins scalars alone.
            Op::LogicalAnd | Op::LogicalOr if ty != self.bool() => {
                let &[a, b] = words else {
                    return None;
                };
                let (if_true, if_false) = match op {
                    Op::LogicalAnd => (b, a),
                    _ => (a, b),
                };
                return Some(self.append(Op::Select, ty, &[a, if_true, if_false]));
            }
            Op::ShiftLeftLogical | Op::ShiftRightLogical => {
                return Some(self.append(op, ty, words));
            }
            _ => return None,
        };
        Some(self.with_signs(op, ty, words, signed, result))
    }

    fn legalize_function(&mut self, ty: Id, words: &[u32]) -> Option<Id> {
        const S_MIN: u32 = GLOp::SMin as u32;
        const S_MAX: u32 = GLOp::SMax as u32;
        const S_CLAMP: u32 = GLOp::SClamp as u32;
        const FIND_S_MSB: u32 = GLOp::FindSMsb as u32;
        const N_MIN: u32 = GLOp::NMin as u32;
        const N_MAX: u32 = GLOp::NMax as u32;
        const N_CLAMP: u32 = GLOp::NClamp as u32;
        match *words {
            [_, S_MIN | S_MAX, ..] => Some(self.with_signs(Op::ExtInst, ty, words, &[2, 3], true)),
            [_, S_CLAMP, ..] => Some(self.with_signs(Op::ExtInst, ty, words, &[2, 3, 4], true)),
            [_, FIND_S_MSB, _] => Some(self.with_signs(Op::ExtInst, ty, words, &[2], true)),
            [set, function @ (N_MIN | N_MAX), a, b] => {
                let plain = if function == N_MIN {
                    GLOp::FMin
                } else {
                    GLOp::FMax
                };
                let both = self.append(Op::ExtInst, ty, &[set, plain as u32, a, b]);
                let b_or_both = self.other_if_nan(ty, b, a, both)?;
                self.other_if_nan(ty, a, b, b_or_both)
            }
            [set, N_CLAMP, x, low, high] => {
                let clamp = GLOp::FClamp as u32;
                let clamped = self.append(Op::ExtInst, ty, &[set, clamp, x, low, high]);
                self.other_if_nan(ty, x, low, clamped)
            }
            _ => None,
        }
    }

    /// Whether the first operand is a 64-bit number.
    fn is_wide(&self, words: &[u32]) -> bool {
        let kind = words
            .first()
            .and_then(|word| self.numbers.as_ref()?.kind_of(*word));
        kind.is_some_and(|kind| kind.bits == 64)
    }

    /// Operands of a shift whose amount has 64 bits: in WGSL an amount has 32.
    fn narrow_shift(&mut self, op: Op, words: &[u32]) -> Option<[u32; 2]> {
        use Op::{ShiftLeftLogical, ShiftRightArithmetic, ShiftRightLogical};
        let (ShiftLeftLogical | ShiftRightArithmetic | ShiftRightLogical, &[value, amount]) =
            (op, words)
        else {
            return None;
        };
        let numbers = self.numbers.as_ref()?;
        let kind = numbers.kind_of(amount).filter(|kind| kind.bits == 64);
        let known = numbers.wide.get(&Id(amount)).copied();
        if kind.is_none() && known.is_none() {
            return None;
        }
        let count = kind.map_or(1, |kind| kind.count);
        let narrow = match known {
            Some(amount) => self.const_u32(amount as u32),
            None => {
                let scalar = self.u32();
                let ty = self.vector_or_scalar(scalar, count);
                self.append(Op::UConvert, ty, &[amount])
            }
        };
        Some([value, narrow.0])
    }

    /// `!(a op b)`.
    fn negated(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        let positive = self.emit(op, ty, words);
        Some(self.append(Op::LogicalNot, ty, &[positive.0]))
    }

    /// `isnan(value) ? other : otherwise`.
    fn other_if_nan(&mut self, ty: Id, value: u32, other: u32, otherwise: Id) -> Option<Id> {
        let kind = self.numbers.as_ref()?.kinds.get(&ty).copied()?;
        let (bits, infinity, magnitude) = match kind.bits {
            64 => (64, 0x7ff0_0000_0000_0000, u64::MAX >> 1),
            _ => (32, 0x7f80_0000, 0x7fff_ffff),
        };
        let mut value = Id(value);
        if kind.bits == 16 {
            let wide = self.f32();
            let wide = self.vector_or_scalar(wide, kind.count);
            value = self.append(Op::FConvert, wide, &[value.0]);
        }
        let scalar = self.uint(bits);
        let words = self.vector_or_scalar(scalar, kind.count);
        let bool_ty = self.bool();
        let bools = self.vector_or_scalar(bool_ty, kind.count);
        let [infinity, magnitude] = [infinity, magnitude].map(|number| {
            let one = self.const_uint(bits, number);
            match kind.count {
                1 => one,
                count => self.construct(words, &vec![one; count as usize]),
            }
        });
        let raw = self.emit(Op::Bitcast, words, &[value]);
        let unsigned = self.emit(Op::BitwiseAnd, words, &[raw, magnitude]);
        let nan = self.emit(Op::UGreaterThan, bools, &[unsigned, infinity]);
        Some(self.append(Op::Select, ty, &[nan.0, other, otherwise.0]))
    }

    /// The instruction with some operands cast to signed integers, and the result cast back.
    fn with_signs(&mut self, op: Op, ty: Id, words: &[u32], signed: &[usize], result: bool) -> Id {
        let mut words = words.to_vec();
        for &index in signed {
            let Some(word) = words.get_mut(index) else {
                continue;
            };
            let kind = self.numbers.as_ref().and_then(|n| n.kind_of(*word));
            if let Some(kind) = kind.filter(|kind| !kind.is_float) {
                let signed = self.signed(kind);
                *word = self.emit(Op::Bitcast, signed, &[*word]).0;
            }
        }
        let kind = self
            .numbers
            .as_ref()
            .and_then(|n| n.kinds.get(&ty).copied());
        match kind {
            Some(kind) if result && !kind.is_float => {
                let signed = self.signed(kind);
                let value = self.append(op, signed, &words);
                if signed == ty {
                    return value;
                }
                self.emit(Op::Bitcast, ty, &[value])
            }
            _ => self.append(op, ty, &words),
        }
    }

    fn signed(&mut self, kind: NumericType) -> Id {
        let scalar = self.int(kind.bits);
        self.vector_or_scalar(scalar, kind.count)
    }

    /// Appends an instruction as it is.
    pub(super) fn append(&mut self, op: Op, ty: Id, words: &[u32]) -> Id {
        let id = self.fresh();
        self.emit_as(op, ty, id, words);
        id
    }
}
