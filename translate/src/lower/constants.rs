//! Constants of the IR, made on first use.

use dxil_frontend::ir::{Constant, ConstantExpr, List, Type, TypeId, ValueDef, ValueId};

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
            // Expressions write code where they are used, so the next user makes its own.
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

    fn aggregate_constant(
        &mut self,
        owner: ValueId,
        ty: TypeId,
        list: List<ValueId>,
    ) -> Result<Id> {
        let elements = self.view.constant_elements(owner, list);
        let mut ids = Vec::with_capacity(elements.len());
        for &element in elements {
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
            } => self.select_value(condition, if_true, if_false),
        }
    }
}
