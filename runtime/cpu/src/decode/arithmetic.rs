//! Arithmetic and comparisons of LLVM, and what arithmetic on scalars of each width is made of.

use dxil_frontend::ir::{BinaryOp, CmpPredicate, ValueId};

use super::code::RegisterSlot;
use super::function::Decoder;
use super::lane_ops::{LaneOp, RegisterKind};
use super::scalar_type::ScalarType;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Applies an operation to each scalar of two values.
    pub(super) fn each2(
        &mut self,
        a: ValueId,
        b: ValueId,
        mut op: impl FnMut(&mut Self, ScalarType, RegisterSlot, RegisterSlot) -> Result<RegisterSlot>,
    ) -> Result<Vec<RegisterSlot>> {
        let ty = self.scalar_of(a)?;
        let (a, b) = (self.all(a)?, self.all(b)?);
        if a.len() != b.len() {
            return Err(self.malformed("operands of different lengths"));
        }
        let pairs = a.into_iter().zip(b);
        pairs.map(|(a, b)| op(self, ty, a, b)).collect()
    }

    /// Cuts a result to its type: narrow integers are zero-extended in their registers.
    pub(super) fn narrow(&mut self, bits: u32, slot: RegisterSlot) -> Result<RegisterSlot> {
        if bits >= 32 {
            return Ok(slot);
        }
        let mask = self.word((1 << bits) - 1);
        self.lane(LaneOp::And32, &[slot, mask])
    }

    /// Returns a narrow integer, sign-extended to 32 bits.
    pub(super) fn signed(&mut self, bits: u32, slot: RegisterSlot) -> Result<RegisterSlot> {
        match bits {
            8 => self.lane(LaneOp::SignExtend8, &[slot]),
            16 => self.lane(LaneOp::SignExtend16, &[slot]),
            bits if bits < 32 => {
                let shift = self.word(32 - bits);
                self.lane(LaneOp::SignExtend, &[slot, shift])
            }
            _ => Ok(slot),
        }
    }

    /// Returns the result of an operation on floats of any width: halves are computed in single
    /// precision.
    pub(super) fn float(
        &mut self,
        ty: ScalarType,
        single: LaneOp,
        double: Option<LaneOp>,
        operands: &[RegisterSlot],
    ) -> Result<RegisterSlot> {
        match ty {
            ScalarType::Float => self.float_lane(single, operands),
            ScalarType::Double => {
                let op = double.ok_or_else(|| self.unsupported("this operation on doubles"))?;
                self.lane(op, operands)
            }
            ScalarType::Half => {
                // Single precision has 24 bits, which is 2 * 11 + 2: a sum, product, quotient or
                // square root of halves that is rounded to it and then to half is rounded
                // correctly.
                let wide = self.widened(operands)?;
                let result = self.lane(single, &wide)?;
                self.lane(LaneOp::FloatToHalf, &[result])
            }
            ScalarType::Int(_) | ScalarType::Pointer => {
                Err(self.malformed("float arithmetic on integers"))
            }
        }
    }

    /// Returns the halves in single precision.
    pub(super) fn widened(&mut self, operands: &[RegisterSlot]) -> Result<Vec<RegisterSlot>> {
        let mut wide = Vec::with_capacity(operands.len());
        for &operand in operands {
            wide.push(self.lane(LaneOp::HalfToFloat, &[operand])?);
        }
        Ok(wide)
    }

    fn is_minus_zero(&self, ty: ScalarType, slot: RegisterSlot) -> bool {
        let sign = match ty {
            ScalarType::Half => 1 << 15,
            ScalarType::Double => 1 << 63,
            _ => 1 << 31,
        };
        self.known(slot) == Some(sign)
    }

    /// Applies arithmetic to scalars.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        a: RegisterSlot,
        b: RegisterSlot,
    ) -> Result<RegisterSlot> {
        use LaneOp as L;
        let float = match op {
            BinaryOp::FAdd => Some((L::FAdd, L::DAdd)),
            BinaryOp::FSub => Some((L::FSub, L::DSub)),
            BinaryOp::FMul => Some((L::FMul, L::DMul)),
            BinaryOp::FDiv => Some((L::FDiv, L::DDiv)),
            BinaryOp::FRem => Some((L::FRem, L::DRem)),
            _ => None,
        };
        if let Some((single, double)) = float {
            // LLVM 3.7 has no negation of floats and writes it as -0 minus the value. It changes
            // the sign only, also of NaN and of denormals, which a subtraction would not.
            if op == BinaryOp::FSub && self.is_minus_zero(ty, a) {
                return match ty {
                    ScalarType::Double => self.lane(L::DNeg, &[b]),
                    ScalarType::Half => {
                        let sign = self.word(0x8000);
                        self.lane(L::Xor32, &[b, sign])
                    }
                    _ => self.lane(L::FNeg, &[b]),
                };
            }
            return self.float(ty, single, Some(double), &[a, b]);
        }
        let bits = match ty {
            ScalarType::Int(bits) => bits,
            ScalarType::Pointer => 32,
            _ => return Err(self.malformed("integer arithmetic on floats")),
        };
        match bits {
            1 => match op {
                BinaryOp::And | BinaryOp::Mul => self.lane(L::And32, &[a, b]),
                BinaryOp::Or if self.follows_values() => {
                    let result = self.plain_lane(L::Or32, &[a, b])?;
                    self.follow_boolean_or(a, b, result)?;
                    Ok(result)
                }
                BinaryOp::Or => self.lane(L::Or32, &[a, b]),
                BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => self.lane(L::Xor32, &[a, b]),
                BinaryOp::URem | BinaryOp::SRem => Ok(self.word(0)),
                // Division by one is the value itself. A shift by one, or a division by zero, is
                // undefined in one bit, so the value does there as well.
                _ => Ok(a),
            },
            64 => {
                let op = match op {
                    BinaryOp::Add => L::Add64,
                    BinaryOp::Sub => L::Sub64,
                    BinaryOp::Mul => L::Mul64,
                    BinaryOp::UDiv => L::UDiv64,
                    BinaryOp::SDiv => L::SDiv64,
                    BinaryOp::URem => L::URem64,
                    BinaryOp::SRem => L::SRem64,
                    BinaryOp::Shl => L::Shl64,
                    BinaryOp::LShr => L::LShr64,
                    BinaryOp::AShr => L::AShr64,
                    BinaryOp::And => L::And64,
                    BinaryOp::Or => L::Or64,
                    _ => L::Xor64,
                };
                self.lane(op, &[a, b])
            }
            _ => self.binary32(op, bits, a, b),
        }
    }

    fn binary32(
        &mut self,
        op: BinaryOp,
        bits: u32,
        a: RegisterSlot,
        b: RegisterSlot,
    ) -> Result<RegisterSlot> {
        use LaneOp as L;
        let (mut a, mut b) = (a, b);
        if bits < 32 {
            if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                (a, b) = (self.signed(bits, a)?, self.signed(bits, b)?);
            }
            if op == BinaryOp::AShr {
                a = self.signed(bits, a)?;
            }
            // The shift count counts modulo the width, as for 32 bits (D3D11.3 functional
            // specification, 22.11.7).
            let shifts = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
            if shifts && bits.is_power_of_two() {
                let mask = self.word(bits - 1);
                b = self.lane(L::And32, &[b, mask])?;
            }
        }
        let op = match op {
            BinaryOp::Add => L::Add32,
            BinaryOp::Sub => L::Sub32,
            BinaryOp::Mul => L::Mul32,
            BinaryOp::UDiv => L::UDiv32,
            BinaryOp::SDiv => L::SDiv32,
            BinaryOp::URem => L::URem32,
            BinaryOp::SRem => L::SRem32,
            BinaryOp::Shl => L::Shl32,
            BinaryOp::LShr => L::LShr32,
            BinaryOp::AShr => L::AShr32,
            BinaryOp::And => L::And32,
            BinaryOp::Or => L::Or32,
            _ => L::Xor32,
        };
        let result = self.lane(op, &[a, b])?;
        match op {
            // These cannot set a bit above the type's width if their operands have none there.
            L::And32 | L::Or32 | L::Xor32 | L::LShr32 => Ok(result),
            _ => self.narrow(bits, result),
        }
    }

    /// Applies a comparison to scalars.
    pub(super) fn compare(
        &mut self,
        predicate: CmpPredicate,
        ty: ScalarType,
        a: RegisterSlot,
        b: RegisterSlot,
    ) -> Result<RegisterSlot> {
        use CmpPredicate as P;
        use LaneOp as L;
        if predicate.is_float() {
            // The operation in single and double precision, whether the operands are swapped, and
            // whether the result is negated. An unordered comparison is the negation of the
            // opposite ordered one.
            let (single, double, swap, negate) = match predicate {
                P::FFalse => return Ok(self.word(0)),
                P::FTrue => return Ok(self.word(1)),
                P::FOeq => (L::FOeq, L::DOeq, false, false),
                P::FOgt => (L::FOlt, L::DOlt, true, false),
                P::FOge => (L::FOle, L::DOle, true, false),
                P::FOlt => (L::FOlt, L::DOlt, false, false),
                P::FOle => (L::FOle, L::DOle, false, false),
                P::FOne => (L::FOne, L::DOne, false, false),
                P::FOrd => (L::FUno, L::DUno, false, true),
                P::FUno => (L::FUno, L::DUno, false, false),
                P::FUeq => (L::FOne, L::DOne, false, true),
                P::FUgt => (L::FOle, L::DOle, false, true),
                P::FUge => (L::FOlt, L::DOlt, false, true),
                P::FUlt => (L::FOle, L::DOle, true, true),
                P::FUle => (L::FOlt, L::DOlt, true, true),
                _ => (L::FUne, L::DUne, false, false),
            };
            let operands = if swap { [b, a] } else { [a, b] };
            let result = match ty {
                ScalarType::Double => self.lane(double, &operands)?,
                ScalarType::Half => {
                    let wide = self.widened(&operands)?;
                    self.lane(single, &wide)?
                }
                _ => self.float_lane(single, &operands)?,
            };
            if !negate {
                return Ok(result);
            }
            let one = self.word(1);
            return self.lane(L::Xor32, &[result, one]);
        }
        let bits = match ty {
            ScalarType::Int(bits) => bits,
            ScalarType::Pointer => 32,
            _ => return Err(self.malformed("an integer comparison of floats")),
        };
        let (narrow, wide, swap, signed) = match predicate {
            P::IEq => (L::Eq32, L::Eq64, false, false),
            P::INe => (L::Ne32, L::Ne64, false, false),
            P::IUgt => (L::ULt32, L::ULt64, true, false),
            P::IUge => (L::ULe32, L::ULe64, true, false),
            P::IUlt => (L::ULt32, L::ULt64, false, false),
            P::IUle => (L::ULe32, L::ULe64, false, false),
            P::ISgt => (L::SLt32, L::SLt64, true, true),
            P::ISge => (L::SLe32, L::SLe64, true, true),
            P::ISlt => (L::SLt32, L::SLt64, false, true),
            _ => (L::SLe32, L::SLe64, false, true),
        };
        let mut operands = if swap { [b, a] } else { [a, b] };
        if bits == 64 {
            return self.lane(wide, &operands);
        }
        if signed {
            for operand in &mut operands {
                *operand = self.signed(bits, *operand)?;
            }
        }
        self.lane(narrow, &operands)
    }

    pub(super) fn select(
        &mut self,
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
    ) -> Result<Vec<RegisterSlot>> {
        let conditions = self.all(condition)?;
        let (a, b) = (self.all(if_true)?, self.all(if_false)?);
        let mut result = Vec::with_capacity(a.len());
        for (index, (a, b)) in a.into_iter().zip(b).enumerate() {
            // A scalar condition selects all components.
            let condition = conditions.get(index).or(conditions.first());
            let condition = *condition.ok_or_else(|| self.malformed("no condition"))?;
            result.push(self.select_one(condition, a, b)?);
        }
        Ok(result)
    }

    pub(super) fn select_one(
        &mut self,
        condition: RegisterSlot,
        a: RegisterSlot,
        b: RegisterSlot,
    ) -> Result<RegisterSlot> {
        let op = match a.kind() {
            RegisterKind::W => LaneOp::SelectW,
            RegisterKind::D => LaneOp::SelectD,
        };
        self.lane(op, &[condition, a, b])
    }
}
