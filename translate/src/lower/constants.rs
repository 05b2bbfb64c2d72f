//! Constants of the IR, made on first use.
//!
//! Constant expressions write code, and may share their operands: those that compute values are lowered once, in the
//! function's first block, which dominates every use.

use dxil_frontend::ir::{
    Constant, ConstantExpr, List, Type, TypeId, TypeTable, ValueData, ValueDef, ValueId,
};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

use super::Lowering;
use super::context::Value;
use super::types::Scalar;
use crate::spirv::{Id, half_value};
use crate::{Error, Result};

impl Lowering<'_> {
    /// A value that no instruction has defined: a constant.
    pub(super) fn constant(&mut self, value: ValueId) -> Result<Id> {
        let data = self
            .view
            .value(value)
            .ok_or_else(|| Error::malformed(format!("{value} is not defined")))?;
        let constant = match data.def {
            ValueDef::Constant(constant) => constant,
            ValueDef::Inst(_) if self.resources.without_result.contains(&value) => {
                return Err(Error::unsupported(
                    "the result of an atomic on a texture in portable SPIR-V",
                ));
            }
            ValueDef::Inst(_) | ValueDef::Argument(_) => {
                return Err(Error::malformed(format!(
                    "{value} is used where it is not defined yet"
                )));
            }
            ValueDef::Global(_) => {
                let pointer = self.pointer(value)?;
                return self.pointer_id(pointer);
            }
            ValueDef::Function(_) => {
                return Err(Error::unsupported("a function as a value"));
            }
            ValueDef::Metadata(_) => return Err(Error::malformed("metadata as a value")),
        };
        let id = match constant {
            // What is left of them are addresses, whose code stands where they are used.
            Constant::Expr(expr) => return self.constant_expr(value, data.ty, expr),
            Constant::Null => self.null(data.ty)?,
            Constant::Undef => {
                let ty = self.ty(data.ty)?;
                self.b.undef(ty)
            }
            Constant::Int(bits) | Constant::Float(bits) => self.scalar_constant(data.ty, bits)?,
            Constant::Aggregate(list) => self.aggregate_constant(value, data.ty, list)?,
            Constant::Data(list) => self.data_constant(value, data.ty, list)?,
        };
        self.values.set(value, Value::Id(id));
        Ok(id)
    }

    /// Zero of a type. Scalars become ordinary constants, so that folding sees them.
    fn null(&mut self, ty: TypeId) -> Result<Id> {
        if matches!(
            self.view.module.types.get(ty),
            Type::Int(_) | Type::Half | Type::Float | Type::Double
        ) {
            return self.scalar_constant(ty, 0);
        }
        let ty = self.ty(ty)?;
        Ok(self.b.const_null(ty))
    }

    /// A scalar from its bits in the IR.
    fn scalar_constant(&mut self, ty: TypeId, bits: u64) -> Result<Id> {
        let scalar = self.scalar(ty)?;
        // The type also checks that the target has such scalars.
        self.scalar_ty(scalar)?;
        Ok(match scalar {
            Scalar::Bool => self.b.const_bool(bits & 1 != 0),
            Scalar::Int { width, .. } => self.b.const_uint(width, bits),
            Scalar::Float {
                bits: 16,
                width: 32,
            } => self.b.const_f32(half_value(bits as u16)),
            Scalar::Float { width, .. } => self.b.const_float_bits(width, bits),
        })
    }

    /// Lowers the constant expressions that the current function computes with, operands first, and the aggregates
    /// that they are members of. Called when its first block is open.
    pub(super) fn constant_expressions(&mut self) -> Result<()> {
        let function = self.view.function;
        let constants = function.values.iter().skip(function.arg_count as usize);
        let mut own = constants.take_while(|value| matches!(value.def, ValueDef::Constant(_)));
        let types = &self.view.module.types;
        if !self.values.module_has_expressions && !own.any(|value| is_computed(types, value)) {
            return Ok(());
        }
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        // A value that is ready has all of its operands lowered.
        let mut stack: Vec<(ValueId, bool)> = Vec::new();
        for data in function.insts.values() {
            function.for_each_operand(&data.inst, |operand| stack.push((operand, false)));
            while let Some((value, is_ready)) = stack.pop() {
                let operands = match self.view.constant(value) {
                    Some(constant) => self.constant_operands(value, constant),
                    None => continue,
                };
                if is_ready {
                    self.computed_constant(value, &operands)?;
                } else if !operands.is_empty() && seen.insert(value) {
                    stack.push((value, true));
                    stack.extend(operands.iter().map(|&operand| (operand, false)));
                }
            }
        }
        Ok(())
    }

    /// Lowers a constant whose operands are lowered, if code has to compute it.
    fn computed_constant(&mut self, value: ValueId, operands: &[ValueId]) -> Result<()> {
        let Some(&data) = self.view.value(value) else {
            return Ok(());
        };
        let id = match data.def {
            ValueDef::Constant(Constant::Expr(expr))
                if is_computed(&self.view.module.types, &data) =>
            {
                self.constant_expr(value, data.ty, expr)?
            }
            ValueDef::Constant(Constant::Aggregate(_))
                if operands.iter().any(|&part| self.values.is_computed(part)) =>
            {
                let parts = operands.iter().map(|&operand| self.id(operand));
                let parts = parts.collect::<Result<Vec<Id>>>()?;
                let ty = self.ty(data.ty)?;
                self.b.construct(ty, &parts)
            }
            _ => return Ok(()),
        };
        self.values.set_computed(value, id);
        Ok(())
    }

    /// The constants that a constant is made of.
    fn constant_operands(&self, value: ValueId, constant: Constant) -> SmallVec<[ValueId; 4]> {
        match constant {
            Constant::Aggregate(list)
            | Constant::Expr(ConstantExpr::Gep { operands: list, .. }) => {
                SmallVec::from_slice(self.view.constant_elements(value, list))
            }
            Constant::Expr(ConstantExpr::Cast { value, .. }) => smallvec![value],
            Constant::Expr(
                ConstantExpr::Binary { lhs, rhs, .. } | ConstantExpr::Cmp { lhs, rhs, .. },
            ) => smallvec![lhs, rhs],
            Constant::Expr(ConstantExpr::Select {
                condition,
                if_true,
                if_false,
            }) => smallvec![condition, if_true, if_false],
            Constant::Null
            | Constant::Undef
            | Constant::Int(_)
            | Constant::Float(_)
            | Constant::Data(_) => SmallVec::new(),
        }
    }

    /// Refuses the initial value of a variable if code would have to compute it.
    pub(super) fn check_initializer(&self, value: ValueId) -> Result<()> {
        let data = self.view.value(value);
        let is_computed = data.is_some_and(|data| is_computed(&self.view.module.types, data));
        match is_computed || self.values.is_computed(value) {
            true => Err(Error::unsupported("an initial value that code computes")),
            false => Ok(()),
        }
    }

    fn aggregate_constant(
        &mut self,
        owner: ValueId,
        ty: TypeId,
        list: List<ValueId>,
    ) -> Result<Id> {
        let elements = self.view.constant_elements(owner, list);
        let mut ids = Vec::with_capacity(elements.len());
        for &element in elements {
            self.check_initializer(element)?;
            ids.push(self.id(element)?);
        }
        let ty = self.ty(ty)?;
        Ok(self.b.const_composite(ty, &ids))
    }

    fn data_constant(&mut self, owner: ValueId, ty: TypeId, list: List<u64>) -> Result<Id> {
        let element = match *self.view.module.types.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => element,
            ref other => return Err(Error::malformed(format!("constant data of type {other:?}"))),
        };
        let data = self.view.constant_data(owner, list);
        let mut ids = Vec::with_capacity(data.len());
        for &bits in data {
            ids.push(self.scalar_constant(element, bits)?);
        }
        let ty = self.ty(ty)?;
        Ok(self.b.const_composite(ty, &ids))
    }

    fn constant_expr(&mut self, value: ValueId, ty: TypeId, expr: ConstantExpr) -> Result<Id> {
        match expr {
            ConstantExpr::Gep { .. } => {
                let pointer = self.pointer(value)?;
                self.pointer_id(pointer)
            }
            ConstantExpr::Cast { op, value: operand } => {
                if matches!(self.view.module.types.get(ty), Type::Pointer { .. }) {
                    let pointer = self.pointer(value)?;
                    return self.pointer_id(pointer);
                }
                self.cast(op, operand, ty)
            }
            ConstantExpr::Binary { op, lhs, rhs } => self.binary(op, Default::default(), lhs, rhs),
            ConstantExpr::Cmp {
                predicate,
                lhs,
                rhs,
            } => self.compare(predicate, lhs, rhs),
            ConstantExpr::Select {
                condition,
                if_true,
                if_false,
            } => {
                // Its operands may be such choices again, so they are not looked at.
                if matches!(self.view.module.types.get(ty), Type::Pointer { .. }) {
                    return Err(Error::unsupported("a constant choice between addresses"));
                }
                self.select_value(condition, if_true, if_false)
            }
        }
    }
}

/// Whether a value is an expression that computes something else than an address.
pub(super) fn is_computed(types: &TypeTable, value: &ValueData) -> bool {
    matches!(value.def, ValueDef::Constant(Constant::Expr(_)))
        && !matches!(types.get(value.ty), Type::Pointer { .. })
}
