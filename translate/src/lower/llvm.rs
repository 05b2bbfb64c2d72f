//! Plain LLVM instructions: arithmetic, comparisons, selections, aggregates, vectors.

use dxil_frontend::ir::{
    BinaryOp, CmpPredicate, Constant, FastMath, Inst, List, Type, TypeId, ValueDef, ValueId,
};

use super::Lowering;
use super::context::{Part, Value};
use super::types::{Scalar, Shape};
use crate::spirv::{GLOp, Id, Op};
use crate::{Error, Quirks, Result};

impl Lowering<'_> {
    /// A binary operation.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        fast_math: FastMath,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<Id> {
        let shape = self.shape_of(lhs)?;
        if shape.scalar == Scalar::Bool {
            return self.binary_bool(op, shape, lhs, rhs);
        }
        let [a, b] = self.ids([lhs, rhs])?;
        let ty = self.shape_ty(shape)?;
        let simple = match op {
            BinaryOp::Add => Op::IAdd,
            BinaryOp::Sub => Op::ISub,
            BinaryOp::Mul => Op::IMul,
            BinaryOp::And => Op::BitwiseAnd,
            // LLVM makes `2 * i + 1` an `or`; drivers find the parts of an address in sums.
            BinaryOp::Or if self.has_no_bit_twice(lhs, rhs) => Op::IAdd,
            BinaryOp::Or => Op::BitwiseOr,
            BinaryOp::Xor => Op::BitwiseXor,
            BinaryOp::UDiv => return self.unsigned_division(Op::UDiv, shape, a, b, Some(rhs)),
            BinaryOp::URem => return self.unsigned_division(Op::UMod, shape, a, b, Some(rhs)),
            BinaryOp::SDiv => return self.signed_division(Op::SDiv, shape, a, b, rhs),
            BinaryOp::SRem => return self.signed_division(Op::SRem, shape, a, b, rhs),
            BinaryOp::Shl => return self.shift(Op::ShiftLeftLogical, shape, a, b, rhs),
            BinaryOp::LShr => return self.shift(Op::ShiftRightLogical, shape, a, b, rhs),
            BinaryOp::AShr => return self.shift(Op::ShiftRightArithmetic, shape, a, b, rhs),
            BinaryOp::FAdd => Op::FAdd,
            BinaryOp::FSub if self.is_minus_zero(lhs) => {
                let id = self.b.emit(Op::FNegate, ty, &[b]);
                self.relax(shape, id);
                return Ok(id);
            }
            BinaryOp::FSub => Op::FSub,
            BinaryOp::FMul => Op::FMul,
            BinaryOp::FDiv => Op::FDiv,
            BinaryOp::FRem => Op::FRem,
        };
        if op == BinaryOp::FDiv
            && fast_math.contains(FastMath::FAST)
            && let Some(quotient) = self.finite_quotient(shape, a, rhs)?
        {
            return Ok(quotient);
        }
        let id = self.b.emit(simple, ty, &[a, b]);
        if matches!(shape.scalar, Scalar::Float { .. }) {
            if !fast_math.contains(FastMath::FAST) || self.has_quirk(Quirks::PRECISE) {
                self.no_contraction(id);
            }
            self.relax(shape, id);
        }
        Ok(id)
    }

    /// Arithmetic modulo 2.
    fn binary_bool(
        &mut self,
        op: BinaryOp,
        shape: Shape,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<Id> {
        let [a, b] = self.ids([lhs, rhs])?;
        let ty = self.shape_ty(shape)?;
        let op = match op {
            BinaryOp::And | BinaryOp::Mul => Op::LogicalAnd,
            BinaryOp::Or => Op::LogicalOr,
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => {
                // `xor x, true` is how LLVM writes "not".
                for (known, other) in [(rhs, a), (lhs, b)] {
                    if self.constant_int(known).is_some_and(|value| value & 1 == 1) {
                        return Ok(self.b.emit(Op::LogicalNot, ty, &[other]));
                    }
                }
                Op::LogicalNotEqual
            }
            // A shift or division by 1 is undefined or x, so all of them are x.
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                return Ok(a);
            }
            BinaryOp::URem | BinaryOp::SRem => return Ok(self.b.const_bool(false)),
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
                return Err(Error::malformed("float arithmetic on i1"));
            }
        };
        Ok(self.b.emit(op, ty, &[a, b]))
    }

    /// Whether a constant lies in the bits that a shift or a multiplication leaves zero: then `or` is the same as `add`.
    fn has_no_bit_twice(&self, value: ValueId, constant: ValueId) -> bool {
        let Some(constant) = self.constant_int(constant) else {
            return false;
        };
        let inst = match self.view.value(value).map(|value| value.def) {
            Some(ValueDef::Inst(inst)) => self.view.function.insts.get(inst),
            _ => None,
        };
        let zeros = match inst.map(|data| data.inst) {
            Some(Inst::Binary {
                op: op @ (BinaryOp::Shl | BinaryOp::Mul),
                rhs,
                ..
            }) => match (op, self.constant_int(rhs)) {
                (BinaryOp::Shl, Some(places)) => places.min(63) as u32,
                (_, Some(factor)) if factor != 0 => factor.trailing_zeros(),
                _ => 0,
            },
            _ => 0,
        };
        // No type is narrower, so that the shift is what it says.
        zeros < 8 && constant >> zeros == 0
    }

    fn is_minus_zero(&self, value: ValueId) -> bool {
        let Some(data) = self.view.value(value) else {
            return false;
        };
        let ValueDef::Constant(Constant::Float(bits)) = data.def else {
            return false;
        };
        match self.view.module.types.get(data.ty) {
            Type::Half => bits == 0x8000,
            Type::Float => bits == 0x8000_0000,
            Type::Double => bits == 1 << 63,
            _ => false,
        }
    }

    /// A comparison.
    pub(super) fn compare(
        &mut self,
        predicate: CmpPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<Id> {
        use CmpPredicate::*;
        let mut shape = self.shape_of(lhs)?;
        let ty = self.shape_ty(shape.bool())?;
        let [mut a, mut b] = self.ids([lhs, rhs])?;
        let op = match predicate {
            FFalse | FTrue => {
                let value = self.b.const_bool(predicate == FTrue);
                return self.splat(shape.bool(), value);
            }
            FOrd | FUno => {
                let a = self.is_nan(shape, a)?;
                let b = self.is_nan(shape, b)?;
                let either = self.b.emit(Op::LogicalOr, ty, &[a, b]);
                return Ok(if predicate == FUno {
                    either
                } else {
                    self.b.emit(Op::LogicalNot, ty, &[either])
                });
            }
            FOeq => Op::FOrdEqual,
            FOgt => Op::FOrdGreaterThan,
            FOge => Op::FOrdGreaterThanEqual,
            FOlt => Op::FOrdLessThan,
            FOle => Op::FOrdLessThanEqual,
            FOne => Op::FOrdNotEqual,
            FUeq => Op::FUnordEqual,
            FUgt => Op::FUnordGreaterThan,
            FUge => Op::FUnordGreaterThanEqual,
            FUlt => Op::FUnordLessThan,
            FUle => Op::FUnordLessThanEqual,
            FUne => Op::FUnordNotEqual,
            IEq if shape.scalar == Scalar::Bool => Op::LogicalEqual,
            INe if shape.scalar == Scalar::Bool => Op::LogicalNotEqual,
            IEq => Op::IEqual,
            INe => Op::INotEqual,
            IUgt => Op::UGreaterThan,
            IUge => Op::UGreaterThanEqual,
            IUlt => Op::ULessThan,
            IUle => Op::ULessThanEqual,
            ISgt => Op::SGreaterThan,
            ISge => Op::SGreaterThanEqual,
            ISlt => Op::SLessThan,
            ISle => Op::SLessThanEqual,
        };
        let signed = matches!(predicate, ISgt | ISge | ISlt | ISle);
        if shape.scalar == Scalar::Bool && !matches!(predicate, IEq | INe) {
            // Order of booleans: as numbers; true is -1 when signed.
            let number = shape.u32();
            let number_ty = self.shape_ty(number)?;
            let one = self.const_int(number, if signed { u64::MAX } else { 1 })?;
            let zero = self.const_int(number, 0)?;
            a = self.b.select(number_ty, a, one, zero);
            b = self.b.select(number_ty, b, one, zero);
            shape = number;
        }
        if shape.scalar.is_widened() {
            if signed {
                a = self.sign_extend(shape, a)?;
                b = self.sign_extend(shape, b)?;
            } else {
                a = self.zero_extend(shape, a)?;
                b = self.zero_extend(shape, b)?;
            }
        }
        Ok(self.b.emit(op, ty, &[a, b]))
    }

    /// `select`.
    pub(super) fn select_value(
        &mut self,
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
    ) -> Result<Id> {
        let ty = self.type_of(if_true)?;
        let [mut condition_id, a, b] = self.ids([condition, if_true, if_false])?;
        if !matches!(
            self.view.module.types.get(ty),
            Type::Int(_) | Type::Half | Type::Float | Type::Double | Type::Vector { .. }
        ) {
            if self.b.version() < 0x0001_0400 && !self.is_object(ty) {
                return self.select_members(ty, condition_id, a, b);
            }
            let ty = self.ty(ty)?;
            return Ok(self.b.select(ty, condition_id, a, b));
        }
        let shape = self.shape(ty)?;
        if shape.count > 1 && self.shape_of(condition)?.count == 1 {
            let bools = self.shape_ty(shape.bool())?;
            let copies = [condition_id; 4];
            condition_id = self.b.construct(bools, &copies[..shape.count as usize]);
        }
        let ty = self.shape_ty(shape)?;
        let id = self.b.select(ty, condition_id, a, b);
        self.relax(shape, id);
        Ok(id)
    }

    /// `select` of structs member by member, before SPIR-V could do it as a whole.
    fn select_members(&mut self, ty: TypeId, condition: Id, a: Id, b: Id) -> Result<Id> {
        let mut members = Vec::new();
        for (index, &field) in self.fields(ty)?.iter().enumerate() {
            let field = self.ty(field)?;
            let [a, b] = [a, b].map(|whole| self.b.extract(field, whole, index as u32));
            members.push(self.b.select(field, condition, a, b));
        }
        let ty = self.ty(ty)?;
        Ok(self.b.construct(ty, &members))
    }

    /// `extractvalue`.
    pub(super) fn extract_value(
        &mut self,
        aggregate: ValueId,
        indices: List<u32>,
        ty: TypeId,
    ) -> Result<Value> {
        let indices = self.view.function.indices_of(indices);
        if let (Value::Parts(parts), &[index]) = (self.values.get(aggregate), indices) {
            return Ok(Value::Id(self.part(parts, index as u32, ty)?));
        }
        let composite = self.id(aggregate)?;
        let mut words = Vec::with_capacity(indices.len() + 1);
        words.push(composite.0);
        words.extend(indices.iter().map(|&index| index as u32));
        let ty = self.ty(ty)?;
        Ok(Value::Id(self.b.emit(Op::CompositeExtract, ty, &words)))
    }

    /// `insertvalue`.
    pub(super) fn insert_value(
        &mut self,
        aggregate: ValueId,
        value: ValueId,
        indices: List<u32>,
        ty: TypeId,
    ) -> Result<Value> {
        let indices = self.view.function.indices_of(indices);
        let [composite, object] = self.ids([aggregate, value])?;
        let mut words = Vec::with_capacity(indices.len() + 2);
        words.extend([object.0, composite.0]);
        words.extend(indices.iter().map(|&index| index as u32));
        let ty = self.ty(ty)?;
        Ok(Value::Id(self.b.emit(Op::CompositeInsert, ty, &words)))
    }

    /// `extractelement`.
    pub(super) fn extract_element(&mut self, vector: ValueId, index: ValueId) -> Result<Id> {
        let shape = self.shape_of(vector)?;
        let id = self.id(vector)?;
        if shape.count == 1 {
            return Ok(id);
        }
        let ty = self.scalar_ty(shape.scalar)?;
        if let Some(index) = self.constant_int(index) {
            let index = (index as u32).min(shape.count - 1);
            return Ok(self.b.extract(ty, id, index));
        }
        let index = self.to_u32(index)?;
        Ok(self.b.emit(Op::VectorExtractDynamic, ty, &[id, index]))
    }

    /// `insertelement`.
    pub(super) fn insert_element(
        &mut self,
        vector: ValueId,
        element: ValueId,
        index: ValueId,
    ) -> Result<Id> {
        let shape = self.shape_of(vector)?;
        let element = self.id(element)?;
        if shape.count == 1 {
            return Ok(element);
        }
        let id = self.id(vector)?;
        let ty = self.shape_ty(shape)?;
        if let Some(index) = self.constant_int(index) {
            let index = (index as u32).min(shape.count - 1);
            return Ok(self
                .b
                .emit(Op::CompositeInsert, ty, &[element.0, id.0, index]));
        }
        let index = self.to_u32(index)?;
        Ok(self
            .b
            .emit(Op::VectorInsertDynamic, ty, &[id, element, index]))
    }

    /// `shufflevector`.
    pub(super) fn shuffle_vector(
        &mut self,
        a: ValueId,
        b: ValueId,
        mask: ValueId,
        ty: TypeId,
    ) -> Result<Id> {
        let from = self.shape_of(a)?;
        let to = self.shape(ty)?;
        let picks = self.shuffle_mask(mask, to.count)?;
        let [a, b] = self.ids([a, b])?;
        let scalar = self.scalar_ty(from.scalar)?;
        let mut elements = [Id::NONE; 4];
        for (element, pick) in elements.iter_mut().zip(&picks[..to.count as usize]) {
            *element = match *pick {
                Some(pick) => {
                    let (vector, index) = if pick < from.count {
                        (a, pick)
                    } else {
                        (b, (pick - from.count).min(from.count - 1))
                    };
                    if from.count == 1 {
                        vector
                    } else {
                        self.b.extract(scalar, vector, index)
                    }
                }
                None => self.b.undef(scalar),
            };
        }
        if to.count == 1 {
            return Ok(elements[0]);
        }
        let ty = self.shape_ty(to)?;
        Ok(self.b.construct(ty, &elements[..to.count as usize]))
    }

    fn shuffle_mask(&self, mask: ValueId, count: u32) -> Result<[Option<u32>; 4]> {
        let mut picks = [None; 4];
        let slots = &mut picks[..count as usize];
        match self.view.constant(mask) {
            Some(Constant::Undef) => {}
            Some(Constant::Null) => slots.fill(Some(0)),
            Some(Constant::Data(list)) => {
                let data = self.view.constant_data(mask, list);
                for (slot, &pick) in slots.iter_mut().zip(data) {
                    *slot = Some(pick as u32);
                }
            }
            Some(Constant::Aggregate(list)) => {
                let elements = self.view.constant_elements(mask, list);
                for (slot, &element) in slots.iter_mut().zip(elements) {
                    *slot = self.constant_int(element).map(|pick| pick as u32);
                }
            }
            _ => return Err(Error::malformed("a shuffle whose mask is not a constant")),
        }
        Ok(picks)
    }

    /// A struct of two known members.
    pub(super) fn pair(&mut self, a: Id, b: Id) -> Value {
        self.values.parts([Part::Id(a), Part::Id(b)])
    }

    /// A `GLSL.std.450` instruction on values of one shape, with that shape as its result.
    pub(super) fn glsl_same(&mut self, op: GLOp, shape: Shape, operands: &[Id]) -> Result<Id> {
        let ty = self.shape_ty(shape)?;
        let id = self.b.glsl(op, ty, operands);
        self.relax(shape, id);
        Ok(id)
    }
}
