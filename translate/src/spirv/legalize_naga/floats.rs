//! Comparisons and functions whose results for NaN are defined.
//!
//! naga 30 has one comparison of each kind; its SPIR-V front end reads the ordered and the
//! unordered instruction as that one, and its backends write the languages' operators: `==`, `<`
//! and their like are false for NaN, `!=` is true. Ordered comparisons therefore stand, and the
//! others are made of them (SPIR-V specification, 3.3.15 "Relational and Logical Instructions").

use super::state::Legalizer;
use crate::spirv::{GLOp, Id, Op};

impl Legalizer<'_> {
    /// Rewrites a comparison that naga has no equal of.
    pub(super) fn comparison(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        // An unordered comparison holds where the opposite ordered one does not.
        let opposite = match op {
            Op::FUnordEqual => Op::FOrdNotEqual,
            Op::FUnordNotEqual => Op::FOrdEqual,
            Op::FUnordLessThan => Op::FOrdGreaterThanEqual,
            Op::FUnordLessThanEqual => Op::FOrdGreaterThan,
            Op::FUnordGreaterThan => Op::FOrdLessThanEqual,
            Op::FUnordGreaterThanEqual => Op::FOrdLessThan,
            Op::FOrdNotEqual => {
                let less = self.append(Op::FOrdLessThan, ty, words);
                let greater = self.append(Op::FOrdGreaterThan, ty, words);
                return Some(self.emit(Op::LogicalOr, ty, &[less.0, greater.0]));
            }
            _ => return None,
        };
        let opposite = self.emit(opposite, ty, words);
        Some(self.append(Op::LogicalNot, ty, &[opposite.0]))
    }

    /// Rewrites the functions of `GLSL.std.450` that return the operand that is a number.
    pub(super) fn function_with_nan(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        const N_MIN: u32 = GLOp::NMin as u32;
        const N_MAX: u32 = GLOp::NMax as u32;
        const N_CLAMP: u32 = GLOp::NClamp as u32;
        if op != Op::ExtInst {
            return None;
        }
        match *words {
            [set, function @ (N_MIN | N_MAX), a, b] => {
                let plain = if function == N_MIN {
                    GLOp::FMin
                } else {
                    GLOp::FMax
                };
                let both = self.append(Op::ExtInst, ty, &[set, plain as u32, a, b]);
                let b_or_both = self.unless_nan(ty, b, a, both)?;
                self.unless_nan(ty, a, b, b_or_both)
            }
            [set, N_CLAMP, x, low, high] => {
                let clamp = GLOp::FClamp as u32;
                let clamped = self.append(Op::ExtInst, ty, &[set, clamp, x, low, high]);
                self.unless_nan(ty, x, low, clamped)
            }
            _ => None,
        }
    }

    /// Rewrites a test for NaN or infinity.
    pub(super) fn test_of_class(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        let (Op::IsNan | Op::IsInf, &[value]) = (op, words) else {
            return None;
        };
        let operand = self.type_of(Id(value))?;
        let compare = match op {
            Op::IsNan => Op::UGreaterThan,
            _ => Op::IEqual,
        };
        self.compare_with_infinity(compare, ty, operand, value)
    }

    /// Returns `isnan(value) ? other : otherwise`.
    fn unless_nan(&mut self, ty: Id, value: u32, other: u32, otherwise: Id) -> Option<Id> {
        let count = self.numeric(ty)?.count;
        let bool_ty = self.b.bool();
        let bools = self.b.vector_or_scalar(bool_ty, count);
        let nan = self.compare_with_infinity(Op::UGreaterThan, bools, ty, value)?;
        Some(self.append(Op::Select, ty, &[nan.0, other, otherwise.0]))
    }

    /// Compares the bits of a float of type `operand`, the sign left out, with those of infinity:
    /// every NaN is above them. WGSL lets implementations assume that there are no NaNs and
    /// infinities ("Floating Point Evaluation"), so that comparisons of floats may be folded.
    fn compare_with_infinity(&mut self, op: Op, bools: Id, operand: Id, value: u32) -> Option<Id> {
        let numeric = self.numeric(operand)?;
        let count = numeric.count;
        let (bits, infinity, magnitude) = match numeric.bits {
            64 => (64, 0x7ff0_0000_0000_0000, u64::MAX >> 1),
            _ => (32, 0x7f80_0000, 0x7fff_ffff),
        };
        let mut value = Id(value);
        if numeric.bits == 16 {
            // naga has no constants of 16-bit integers, and a float of 32 bits holds every half.
            let single = self.b.f32();
            let single = self.b.vector_or_scalar(single, count);
            value = self.append(Op::FConvert, single, &[value.0]);
        }
        let scalar = self.uint(bits);
        let words = match count {
            1 => scalar,
            _ => self.b.vector(scalar, count),
        };
        let [infinity, magnitude] = [infinity, magnitude].map(|number| {
            let one = self.const_uint(bits, number);
            match count {
                1 => one,
                _ => self.construct(words, &vec![one; count as usize]),
            }
        });
        let raw = self.emit(Op::Bitcast, words, &[value.0]);
        let unsigned = self.emit(Op::BitwiseAnd, words, &[raw.0, magnitude.0]);
        Some(self.emit(op, bools, &[unsigned.0, infinity.0]))
    }
}
