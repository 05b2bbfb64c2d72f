//! Plain LLVM instructions.

use dxil_frontend::dxil::ops::AtomicOp;
use dxil_frontend::dxil::ops::{Callee, decode};
use dxil_frontend::ir::{
    AtomicRmwOp, BinaryOp, CastOp, CmpPredicate, FuncId, Inst as IrInst, InstData, Type, TypeId,
    ValueDef, ValueId,
};

use super::code::{ComplexOp, Slot, Space};
use super::constants::{field_offset, sign_extended};
use super::function::Decoder;
use super::lane_ops::{Kind, LaneOp};
use super::layout::ScalarType;
use crate::error::Result;

impl<'a> Decoder<'a, '_> {
    /// Decodes an instruction that is no terminator.
    pub(super) fn instruction(&mut self, data: &'a InstData) -> Result<()> {
        let result = match data.inst {
            IrInst::Binary { op, lhs, rhs, .. } => {
                self.each2(lhs, rhs, |decoder, ty, a, b| decoder.binary(op, ty, a, b))?
            }
            IrInst::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => self.each2(lhs, rhs, |decoder, ty, a, b| {
                decoder.compare(predicate, ty, a, b)
            })?,
            IrInst::Cast { op, value } => self.cast(op, value, data.ty)?,
            IrInst::Select {
                condition,
                if_true,
                if_false,
            } => self.select(condition, if_true, if_false)?,
            IrInst::Phi { .. } => return Ok(()),
            IrInst::Call { callee, args, .. } => {
                let args = self.view.function.values_of(args);
                match self.call(callee, args, data)? {
                    Some(slots) => slots,
                    None => return Ok(()),
                }
            }
            IrInst::Alloca {
                allocated, count, ..
            } => self.alloca(allocated, count)?,
            IrInst::Load { pointer, .. } => self.load(pointer, data.ty)?,
            IrInst::Store { pointer, value, .. } => {
                let mut src = vec![self.one(pointer)?];
                src.extend(self.all(value)?);
                let space = self.space_of(pointer)?;
                self.complex(ComplexOp::Store(space), &[], &src);
                return Ok(());
            }
            IrInst::Gep { operands, .. } => {
                let operands = self.view.function.values_of(operands);
                self.address(operands)?
            }
            IrInst::ExtractValue { aggregate, indices } => {
                let indices = self.view.function.indices_of(indices);
                let (ty, first) = self.member(self.ty(aggregate)?, indices)?;
                let count = self.scalars(ty)?.len();
                let slots = self.all(aggregate)?;
                self.part(&slots, first, count)?
            }
            IrInst::InsertValue {
                aggregate,
                value,
                indices,
            } => {
                let indices = self.view.function.indices_of(indices);
                let (_, first) = self.member(self.ty(aggregate)?, indices)?;
                let mut slots = self.all(aggregate)?;
                for (place, slot) in slots.iter_mut().skip(first).zip(self.all(value)?) {
                    *place = slot;
                }
                slots
            }
            IrInst::ExtractElement { vector, index } => {
                let slots = self.all(vector)?;
                match self.view.constant_int(index) {
                    Some(index) => self.part(&slots, index as usize, 1)?,
                    None => vec![self.pick(&slots, index)?],
                }
            }
            IrInst::InsertElement {
                vector,
                value,
                index,
            } => self.insert_element(vector, value, index)?,
            IrInst::ShuffleVector { a, b, mask } => {
                let mut both = self.all(a)?;
                both.extend(self.all(b)?);
                self.shuffle(&both, mask)?
            }
            IrInst::AtomicRmw {
                op, pointer, value, ..
            } => self.atomic(op, pointer, value, data.ty)?,
            IrInst::CmpXchg {
                pointer,
                compare,
                value,
                ..
            } => {
                let src = self.ones([pointer, compare, value])?;
                let space = self.space_of(pointer)?;
                let old = self.new_slot(src[2].kind());
                self.complex(ComplexOp::CompareExchange(space), &[old], &src);
                // LLVM 3.7 gives the old value and whether it was the expected one.
                match self.scalars(data.ty)?.len() {
                    1 => vec![old],
                    _ => {
                        let op = match old.kind() {
                            Kind::W => LaneOp::Eq32,
                            Kind::D => LaneOp::Eq64,
                        };
                        let same = self.lane(op, &[old, src[1]])?;
                        vec![old, same]
                    }
                }
            }
            // Waves of a group run one at a time, so that memory is always in order.
            IrInst::Fence { .. } => return Ok(()),
            IrInst::Ret { .. }
            | IrInst::Br { .. }
            | IrInst::CondBr { .. }
            | IrInst::Switch { .. }
            | IrInst::Unreachable => return Ok(()),
        };
        if let Some(value) = data.result.expand() {
            self.set(value, &result);
        }
        Ok(())
    }

    /// An operation on each scalar of two values.
    pub(super) fn each2(
        &mut self,
        a: ValueId,
        b: ValueId,
        mut op: impl FnMut(&mut Self, ScalarType, Slot, Slot) -> Result<Slot>,
    ) -> Result<Vec<Slot>> {
        let ty = self.scalar_of(a)?;
        let (a, b) = (self.all(a)?, self.all(b)?);
        if a.len() != b.len() {
            return Err(self.malformed("operands of different lengths"));
        }
        let pairs = a.into_iter().zip(b);
        pairs.map(|(a, b)| op(self, ty, a, b)).collect()
    }

    /// Cuts a result to its type: narrow integers are zero-extended in their registers.
    pub(super) fn narrow(&mut self, bits: u32, slot: Slot) -> Result<Slot> {
        if bits >= 32 {
            return Ok(slot);
        }
        let mask = self.word((1 << bits) - 1);
        self.lane(LaneOp::And32, &[slot, mask])
    }

    /// A narrow integer, sign-extended to 32 bits.
    pub(super) fn signed(&mut self, bits: u32, slot: Slot) -> Result<Slot> {
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

    /// A single-precision operation; `flush` where denormals count as zero.
    pub(super) fn float_lane(&mut self, op: LaneOp, operands: &[Slot]) -> Result<Slot> {
        if !self.module.flush_denormals {
            return self.lane(op, operands);
        }
        let mut flushed = Vec::with_capacity(operands.len());
        for &operand in operands {
            flushed.push(self.lane(LaneOp::Flush, &[operand])?);
        }
        let result = self.lane(op, &flushed)?;
        let is_number = !matches!(
            op,
            LaneOp::FOeq | LaneOp::FUne | LaneOp::FOlt | LaneOp::FOle | LaneOp::FOne | LaneOp::FUno
        );
        match is_number {
            true => self.lane(LaneOp::Flush, &[result]),
            false => Ok(result),
        }
    }

    /// An operation on floats of any width: halves are computed in single precision.
    pub(super) fn float(
        &mut self,
        ty: ScalarType,
        single: LaneOp,
        double: Option<LaneOp>,
        operands: &[Slot],
    ) -> Result<Slot> {
        match ty {
            ScalarType::Float => self.float_lane(single, operands),
            ScalarType::Double => {
                let op = double.ok_or_else(|| self.unsupported("this operation on doubles"))?;
                self.lane(op, operands)
            }
            ScalarType::Half => {
                let wide = self.widened(operands)?;
                let result = self.lane(single, &wide)?;
                self.lane(LaneOp::FloatToHalf, &[result])
            }
            ScalarType::Int(_) | ScalarType::Pointer => {
                Err(self.malformed("float arithmetic on integers"))
            }
        }
    }

    /// Halves in single precision.
    pub(super) fn widened(&mut self, operands: &[Slot]) -> Result<Vec<Slot>> {
        let mut wide = Vec::with_capacity(operands.len());
        for &operand in operands {
            wide.push(self.lane(LaneOp::HalfToFloat, &[operand])?);
        }
        Ok(wide)
    }

    fn is_minus_zero(&self, ty: ScalarType, slot: Slot) -> bool {
        let sign = match ty {
            ScalarType::Half => 1 << 15,
            ScalarType::Double => 1 << 63,
            _ => 1 << 31,
        };
        self.known(slot) == Some(sign)
    }

    /// Arithmetic on scalars.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        a: Slot,
        b: Slot,
    ) -> Result<Slot> {
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
            // LLVM 3.7 writes negation so; it changes the sign and nothing else.
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
                BinaryOp::Or => self.lane(L::Or32, &[a, b]),
                BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => self.lane(L::Xor32, &[a, b]),
                BinaryOp::URem | BinaryOp::SRem => Ok(self.word(0)),
                // A shift or division by 1 is undefined or x, so all of them are x.
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

    fn binary32(&mut self, op: BinaryOp, bits: u32, a: Slot, b: Slot) -> Result<Slot> {
        use LaneOp as L;
        let (mut a, mut b) = (a, b);
        if bits < 32 {
            if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                (a, b) = (self.signed(bits, a)?, self.signed(bits, b)?);
            }
            if op == BinaryOp::AShr {
                a = self.signed(bits, a)?;
            }
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
            L::And32 | L::Or32 | L::Xor32 | L::LShr32 => Ok(result),
            _ => self.narrow(bits, result),
        }
    }

    /// A comparison of scalars.
    fn compare(
        &mut self,
        predicate: CmpPredicate,
        ty: ScalarType,
        a: Slot,
        b: Slot,
    ) -> Result<Slot> {
        use CmpPredicate as P;
        use LaneOp as L;
        if predicate.is_float() {
            // Operation on single and double precision, operands swapped, result negated.
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

    fn select(
        &mut self,
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
    ) -> Result<Vec<Slot>> {
        let conditions = self.all(condition)?;
        let (a, b) = (self.all(if_true)?, self.all(if_false)?);
        let mut result = Vec::with_capacity(a.len());
        for (index, (a, b)) in a.into_iter().zip(b).enumerate() {
            let condition = conditions.get(index).or(conditions.first());
            let condition = *condition.ok_or_else(|| self.malformed("no condition"))?;
            result.push(self.select_one(condition, a, b)?);
        }
        Ok(result)
    }

    pub(super) fn select_one(&mut self, condition: Slot, a: Slot, b: Slot) -> Result<Slot> {
        let op = match a.kind() {
            Kind::W => LaneOp::SelectW,
            Kind::D => LaneOp::SelectD,
        };
        self.lane(op, &[condition, a, b])
    }

    // Conversions.

    fn cast(&mut self, op: CastOp, value: ValueId, to: TypeId) -> Result<Vec<Slot>> {
        let slots = self.all(value)?;
        if op == CastOp::Bitcast {
            return self.bit_cast(value, &slots, to);
        }
        let from = self.scalar_of(value)?;
        let to = self.scalar_type(to)?;
        let mut result = Vec::with_capacity(slots.len());
        for slot in slots {
            result.push(self.convert(op, from, to, slot)?);
        }
        Ok(result)
    }

    fn convert(
        &mut self,
        op: CastOp,
        from: ScalarType,
        to: ScalarType,
        slot: Slot,
    ) -> Result<Slot> {
        use LaneOp as L;
        let bits = |ty: ScalarType| match ty {
            ScalarType::Int(bits) => bits,
            ScalarType::Pointer => 32,
            ScalarType::Half => 16,
            ScalarType::Float => 32,
            ScalarType::Double => 64,
        };
        let (from_bits, to_bits) = (bits(from), bits(to));
        match op {
            CastOp::Trunc => {
                let low = match slot.kind() {
                    Kind::D => self.lane(L::Low, &[slot])?,
                    Kind::W => slot,
                };
                self.narrow(to_bits, low)
            }
            CastOp::ZExt => match to_bits {
                64 => self.lane(L::ZeroExtend64, &[slot]),
                _ => Ok(slot),
            },
            CastOp::SExt => {
                let wide = self.signed(from_bits, slot)?;
                match to_bits {
                    64 => self.lane(L::SignExtend64, &[wide]),
                    _ => self.narrow(to_bits, wide),
                }
            }
            CastOp::FpToUi | CastOp::FpToSi => {
                let signed = op == CastOp::FpToSi;
                let slot = match from {
                    ScalarType::Half => self.lane(L::HalfToFloat, &[slot])?,
                    _ => slot,
                };
                let double = from == ScalarType::Double;
                let op = match (double, signed, to_bits) {
                    (false, false, 64) => L::FloatToU64,
                    (false, true, 64) => L::FloatToS64,
                    (false, false, 16) => L::FloatToU16,
                    (false, true, 16) => L::FloatToS16,
                    (false, false, _) => L::FloatToU32,
                    (false, true, _) => L::FloatToS32,
                    (true, false, 64) => L::DoubleToU64,
                    (true, true, 64) => L::DoubleToS64,
                    (true, false, 16) => L::DoubleToU16,
                    (true, true, 16) => L::DoubleToS16,
                    (true, false, _) => L::DoubleToU32,
                    (true, true, _) => L::DoubleToS32,
                };
                let result = self.lane(op, &[slot])?;
                self.narrow(to_bits, result)
            }
            CastOp::UiToFp | CastOp::SiToFp => {
                let signed = op == CastOp::SiToFp;
                let slot = match signed {
                    true => self.signed(from_bits, slot)?,
                    false => slot,
                };
                let op = match (from_bits == 64, signed, to) {
                    (false, false, ScalarType::Half) => L::U32ToHalf,
                    (false, true, ScalarType::Half) => L::S32ToHalf,
                    (true, false, ScalarType::Half) => L::U64ToHalf,
                    (true, true, ScalarType::Half) => L::S64ToHalf,
                    (false, false, ScalarType::Double) => L::U32ToDouble,
                    (false, true, ScalarType::Double) => L::S32ToDouble,
                    (true, false, ScalarType::Double) => L::U64ToDouble,
                    (true, true, ScalarType::Double) => L::S64ToDouble,
                    (false, false, _) => L::U32ToFloat,
                    (false, true, _) => L::S32ToFloat,
                    (true, false, _) => L::U64ToFloat,
                    (true, true, _) => L::S64ToFloat,
                };
                self.lane(op, &[slot])
            }
            CastOp::FpTrunc | CastOp::FpExt => self.convert_float(from, to, slot),
            CastOp::PtrToInt | CastOp::IntToPtr | CastOp::AddrSpaceCast => {
                Err(self.unsupported("a pointer as a number"))
            }
            CastOp::Bitcast => Ok(slot),
        }
    }

    fn convert_float(&mut self, from: ScalarType, to: ScalarType, slot: Slot) -> Result<Slot> {
        use LaneOp as L;
        use ScalarType::{Double, Float, Half};
        match (from, to) {
            (Half, Float) => self.lane(L::HalfToFloat, &[slot]),
            (Half, Double) => {
                let single = self.lane(L::HalfToFloat, &[slot])?;
                self.lane(L::FloatToDouble, &[single])
            }
            (Float, Half) => self.lane(L::FloatToHalf, &[slot]),
            (Float, Double) => self.lane(L::FloatToDouble, &[slot]),
            (Double, Float) => self.lane(L::DoubleToFloat, &[slot]),
            (Double, Half) => self.lane(L::DoubleToHalf, &[slot]),
            _ => Ok(slot),
        }
    }

    /// The same bits as another type; lengths and widths may differ.
    fn bit_cast(&mut self, value: ValueId, slots: &[Slot], to: TypeId) -> Result<Vec<Slot>> {
        let types = self.layout.types();
        let width = |ty: TypeId| types.scalar_bits(types.scalar_of(ty)).unwrap_or(32);
        let (from_bits, to_bits) = (width(self.ty(value)?), width(to));
        if from_bits == to_bits {
            return Ok(slots.to_vec());
        }
        let mut result = Vec::new();
        match (from_bits, to_bits) {
            (64, 32) => {
                for &slot in slots {
                    result.push(self.lane(LaneOp::Low, &[slot])?);
                    result.push(self.lane(LaneOp::High, &[slot])?);
                }
            }
            (32, 64) => {
                for pair in slots.chunks_exact(2) {
                    result.push(self.lane(LaneOp::Join, pair)?);
                }
            }
            (32, 16) => {
                let sixteen = self.word(16);
                for &slot in slots {
                    result.push(self.narrow(16, slot)?);
                    result.push(self.lane(LaneOp::LShr32, &[slot, sixteen])?);
                }
            }
            (16, 32) => {
                let sixteen = self.word(16);
                for pair in slots.chunks_exact(2) {
                    let high = self.lane(LaneOp::Shl32, &[pair[1], sixteen])?;
                    result.push(self.lane(LaneOp::Or32, &[pair[0], high])?);
                }
            }
            _ => {
                return Err(
                    self.unsupported(format!("a bit cast from {from_bits} to {to_bits} bits"))
                );
            }
        }
        Ok(result)
    }

    // Aggregates.

    /// Type and first scalar of a member of a member ...
    fn member(&self, ty: TypeId, indices: &[u64]) -> Result<(TypeId, usize)> {
        let mut found = (ty, 0);
        for &index in indices {
            let (ty, first) = self
                .layout
                .member(found.0, index)
                .ok_or_else(|| self.malformed("a member that the type does not have"))?;
            found = (ty, found.1 + first);
        }
        Ok(found)
    }

    fn part(&self, slots: &[Slot], first: usize, count: usize) -> Result<Vec<Slot>> {
        let part = first
            .checked_add(count)
            .and_then(|end| slots.get(first..end));
        part.map(<[Slot]>::to_vec)
            .ok_or_else(|| self.malformed("a member beyond the value's end"))
    }

    /// The register at an index; the last one for what lies outside.
    fn pick(&mut self, slots: &[Slot], index: ValueId) -> Result<Slot> {
        let index = self.index_slot(index)?;
        let (mut found, others) = match slots.split_last() {
            Some((last, others)) => (*last, others),
            None => return Err(self.malformed("an element of an empty vector")),
        };
        for (number, &slot) in others.iter().enumerate() {
            let number = self.word(number as u32);
            let same = self.lane(LaneOp::Eq32, &[index, number])?;
            found = self.select_one(same, slot, found)?;
        }
        Ok(found)
    }

    fn insert_element(
        &mut self,
        vector: ValueId,
        value: ValueId,
        index: ValueId,
    ) -> Result<Vec<Slot>> {
        let mut slots = self.all(vector)?;
        let value = self.one(value)?;
        if let Some(known) = self.view.constant_int(index) {
            if let Some(slot) = slots.get_mut(known as usize) {
                *slot = value;
            }
            return Ok(slots);
        }
        let index = self.index_slot(index)?;
        for (number, slot) in slots.iter_mut().enumerate() {
            let number = self.word(number as u32);
            let same = self.lane(LaneOp::Eq32, &[index, number])?;
            *slot = self.select_one(same, value, *slot)?;
        }
        Ok(slots)
    }

    fn shuffle(&mut self, both: &[Slot], mask: ValueId) -> Result<Vec<Slot>> {
        let mask = self.all(mask)?;
        let mut result = Vec::with_capacity(mask.len());
        for slot in mask {
            let index = self.known(slot).unwrap_or(0) as usize;
            let picked = both.get(index).or(both.first()).copied();
            result.push(picked.ok_or_else(|| self.malformed("a shuffle of nothing"))?);
        }
        Ok(result)
    }

    // Memory.

    /// Where a pointer points, by its type.
    pub(super) fn space_of(&self, pointer: ValueId) -> Result<Space> {
        match *self.layout.types().get(self.ty(pointer)?) {
            Type::Pointer {
                address_space: 0, ..
            } => Ok(Space::Private),
            Type::Pointer {
                address_space: 3, ..
            } => Ok(Space::Shared),
            Type::Pointer { address_space, .. } => {
                Err(self.unsupported(format!("pointers of address space {address_space}")))
            }
            _ => Err(self.malformed("a memory access through no pointer")),
        }
    }

    fn alloca(&mut self, allocated: TypeId, count: ValueId) -> Result<Vec<Slot>> {
        /// Most words of one lane's variables.
        const MOST_WORDS: u64 = 1 << 20;
        let count = self
            .view
            .constant_int(count)
            .ok_or_else(|| self.unsupported("variables of a length that is not constant"))?;
        let words = self.layout.words(allocated).saturating_mul(count);
        let offset = self.code.private_words;
        let end = u64::from(offset).saturating_add(words);
        if end > MOST_WORDS {
            return Err(self.unsupported("local variables of more than 4 MiB"));
        }
        self.code.private_words = end as u32;
        let slot = self.new_slot(Kind::W);
        self.complex(ComplexOp::Alloca(offset), &[slot], &[]);
        Ok(vec![slot])
    }

    fn load(&mut self, pointer: ValueId, ty: TypeId) -> Result<Vec<Slot>> {
        // A resource is loaded as the handle of its descriptor.
        if let Some((range, index)) = self.resource_variable(pointer) {
            let first = self
                .module
                .ranges
                .get(range as usize)
                .map_or(0, |range| range.first);
            let first = self.word(first);
            let register = match index {
                Some(index) => {
                    let index = self.index_slot(index)?;
                    self.lane(LaneOp::Add32, &[first, index])?
                }
                None => first,
            };
            let slot = self.new_slot(Kind::W);
            self.complex(ComplexOp::Handle(range), &[slot], &[register]);
            return Ok(vec![slot]);
        }
        let pointer_slot = self.one(pointer)?;
        let space = self.space_of(pointer)?;
        self.complex_of(ComplexOp::Load(space), ty, &[pointer_slot])
    }

    /// An index as a number of 32 bits.
    pub(super) fn index_slot(&mut self, index: ValueId) -> Result<Slot> {
        let ty = self.scalar_of(index)?;
        let slot = self.one(index)?;
        match ty {
            ScalarType::Int(64) => self.lane(LaneOp::Low, &[slot]),
            ScalarType::Int(bits) if bits < 32 => self.signed(bits, slot),
            _ => Ok(slot),
        }
    }

    fn address(&mut self, operands: &[ValueId]) -> Result<Vec<Slot>> {
        let (&base, indices) = operands
            .split_first()
            .ok_or_else(|| self.malformed("an address of nothing"))?;
        // Pointers to resources are looked through where they are loaded.
        if self.resource_variable(base).is_some() {
            return Ok(vec![self.word(0)]);
        }
        let bad = "an address in a type that has no members";
        let mut ty = self
            .layout
            .types()
            .pointee(self.ty(base)?)
            .ok_or_else(|| self.malformed(bad))?;
        let mut address = self.one(base)?;
        let mut known = 0_u32;
        for (position, &index) in indices.iter().enumerate() {
            if position > 0 {
                match self.layout.types().get(ty) {
                    Type::Array { element, .. } | Type::Vector { element, .. } => ty = *element,
                    Type::Struct { fields, .. } => {
                        let fields = fields.clone();
                        let number = self.view.constant_int(index);
                        let (field, before) = number
                            .and_then(|number| field_offset(&mut self.layout, &fields, number))
                            .ok_or_else(|| self.malformed(bad))?;
                        ty = field;
                        known = known.wrapping_add(before as u32);
                        continue;
                    }
                    _ => return Err(self.malformed(bad)),
                }
            }
            let step = self.layout.words(ty) as u32;
            if let Some(number) = self.view.constant_int(index) {
                let bits = self.layout.types().scalar_bits(self.ty(index)?);
                let number = sign_extended(number, bits.unwrap_or(64)) as u32;
                known = known.wrapping_add(number.wrapping_mul(step));
                continue;
            }
            let index = self.index_slot(index)?;
            let step = self.word(step);
            address = self.lane(LaneOp::Mad32, &[index, step, address])?;
        }
        if known != 0 {
            let known = self.word(known);
            address = self.lane(LaneOp::Add32, &[address, known])?;
        }
        Ok(vec![address])
    }

    fn atomic(
        &mut self,
        op: AtomicRmwOp,
        pointer: ValueId,
        value: ValueId,
        ty: TypeId,
    ) -> Result<Vec<Slot>> {
        let space = self.space_of(pointer)?;
        let [pointer, mut value] = self.ones([pointer, value])?;
        let op = match op {
            AtomicRmwOp::Xchg => AtomicOp::Exchange,
            AtomicRmwOp::Add => AtomicOp::Add,
            AtomicRmwOp::Sub => {
                let (op, zero) = match value.kind() {
                    Kind::W => (LaneOp::Sub32, self.word(0)),
                    Kind::D => (LaneOp::Sub64, self.constant(Kind::D, 0)),
                };
                value = self.lane(op, &[zero, value])?;
                AtomicOp::Add
            }
            AtomicRmwOp::And => AtomicOp::And,
            AtomicRmwOp::Or => AtomicOp::Or,
            AtomicRmwOp::Xor => AtomicOp::Xor,
            AtomicRmwOp::Max => AtomicOp::IMax,
            AtomicRmwOp::Min => AtomicOp::IMin,
            AtomicRmwOp::UMax => AtomicOp::UMax,
            AtomicRmwOp::UMin => AtomicOp::UMin,
            AtomicRmwOp::Nand => return Err(self.unsupported("an atomic nand")),
        };
        self.complex_of(ComplexOp::Atomic(space, op), ty, &[pointer, value])
    }

    // Calls.

    /// Result of `llvm.*.with.overflow`, which compilers have let through; none for other
    /// functions.
    fn overflow_check(&mut self, function: FuncId, args: &[ValueId]) -> Result<Option<Vec<Slot>>> {
        use LaneOp as L;
        let decl = self.module.shader.module.functions.get(function);
        let name = decl.map_or("", |decl| &decl.name);
        let is_sum = match name {
            "llvm.uadd.with.overflow.i32" => Some(true),
            "llvm.usub.with.overflow.i32" => Some(false),
            "llvm.umul.with.overflow.i32" => None,
            _ => return Ok(None),
        };
        let &[a, b] = args else {
            return Err(self.malformed("an overflow check takes two operands"));
        };
        let [a, b] = self.ones([a, b])?;
        Ok(Some(match is_sum {
            Some(true) => {
                let sum = self.lane(L::Add32, &[a, b])?;
                vec![sum, self.lane(L::ULt32, &[sum, a])?]
            }
            Some(false) => {
                let difference = self.lane(L::Sub32, &[a, b])?;
                vec![difference, self.lane(L::ULt32, &[a, b])?]
            }
            None => {
                let (product, zero) = (self.lane(L::Mul32, &[a, b])?, self.word(0));
                let high = self.lane(L::UMulHi32, &[a, b])?;
                vec![product, self.lane(L::Ne32, &[high, zero])?]
            }
        }))
    }

    /// Result of a call; none if it has no result.
    fn call(
        &mut self,
        callee: ValueId,
        args: &'a [ValueId],
        data: &InstData,
    ) -> Result<Option<Vec<Slot>>> {
        let function = match self.view.value(callee).map(|value| value.def) {
            Some(ValueDef::Function(function)) => function,
            _ => return Err(self.unsupported("a call through a pointer")),
        };
        let shader = self.module.shader;
        match shader.callees.get(function).copied().unwrap_or_default() {
            Callee::Ignored => Ok(None),
            Callee::DxOp(_) => {
                let op =
                    decode(self.view, args).map_err(|error| self.malformed(error.to_string()))?;
                let slots = self.operation(&op, data.ty)?;
                Ok(data.result.expand().map(|_| slots))
            }
            Callee::Function if let Some(slots) = self.overflow_check(function, args)? => {
                Ok(data.result.expand().map(|_| slots))
            }
            Callee::Function => {
                let queue = &mut self.module.queue;
                let number = match queue.iter().position(|&known| known == function) {
                    Some(number) => number,
                    None => {
                        queue.push(function);
                        queue.len() - 1
                    }
                };
                let mut src = Vec::new();
                for &arg in args {
                    src.extend(self.all(arg)?);
                }
                let op = ComplexOp::Call(number as u32);
                match data.result.expand() {
                    Some(_) => self.complex_of(op, data.ty, &src).map(Some),
                    None => {
                        self.complex(op, &[], &src);
                        Ok(None)
                    }
                }
            }
        }
    }
}
