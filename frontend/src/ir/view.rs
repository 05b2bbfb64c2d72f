//! [`FuncView`]: a function with the module that its ids refer to.

use cranelift_entity::EntityRef;

use super::{
    Constant, ConstantExpr, FuncId, Function, GlobalId, Inst, InstData, InstId, List, Module,
    TypeId, ValueData, ValueDef, ValueId,
};

/// Longest chain of addresses that [`FuncView::global_of`] follows.
const MAX_STEPS: usize = 64;

/// A function together with its module: resolves any [`ValueId`] that occurs in the function.
#[derive(Debug, Clone, Copy)]
pub struct FuncView<'a> {
    /// The module, which has globals, constants and types.
    pub module: &'a Module,
    /// The function, which has the arguments, constants and instructions of the body.
    pub function: &'a Function,
}

impl<'a> FuncView<'a> {
    /// Returns the value's type and origin. Decoding guarantees that every id in a body resolves.
    #[inline]
    pub fn value(&self, id: ValueId) -> Option<&'a ValueData> {
        let index = id.index();
        let first = self.function.first_value as usize;
        if index < first {
            self.module.values.get(index)
        } else {
            self.function.values.get(index - first)
        }
    }

    /// Returns the value's type (`void`'s id never occurs, so a dangling id gives `None`).
    #[inline]
    pub fn type_of(&self, id: ValueId) -> Option<TypeId> {
        self.value(id).map(|value| value.ty)
    }

    /// Returns the value as a constant.
    #[inline]
    pub fn constant(&self, id: ValueId) -> Option<Constant> {
        match self.value(id)?.def {
            ValueDef::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// Returns the value as a constant integer, zero-extended; `null` is 0.
    #[inline]
    pub fn constant_int(&self, id: ValueId) -> Option<u64> {
        match self.constant(id)? {
            Constant::Int(value) => Some(value),
            Constant::Null => Some(0),
            _ => None,
        }
    }

    /// Returns the instruction that computes a value.
    #[inline]
    pub fn inst_of(&self, id: ValueId) -> Option<InstId> {
        match self.value(id)?.def {
            ValueDef::Inst(inst) => Some(inst),
            _ => None,
        }
    }

    /// Returns the instruction that computes a value, with its operands and type.
    #[inline]
    pub fn inst_data(&self, id: ValueId) -> Option<&'a InstData> {
        self.function.insts.get(self.inst_of(id)?)
    }

    /// Returns the value as a function.
    #[inline]
    pub fn as_function(&self, id: ValueId) -> Option<FuncId> {
        match self.value(id)?.def {
            ValueDef::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Returns the variable of the module that a pointer leads into, or is; `None` for other
    /// memory, and where it may be one of several.
    pub fn global_of(&self, mut pointer: ValueId) -> Option<GlobalId> {
        // Definitions precede uses, so this ends; the bound is against malformed input.
        for _ in 0..MAX_STEPS {
            pointer = match self.value(pointer)?.def {
                ValueDef::Global(global) => return Some(global),
                ValueDef::Inst(inst) => match self.function.insts.get(inst)?.inst {
                    Inst::Gep { operands, .. } => *self.function.values_of(operands).first()?,
                    Inst::Cast { value, .. } => value,
                    _ => return None,
                },
                ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
                    *self.constant_elements(pointer, operands).first()?
                }
                ValueDef::Constant(Constant::Expr(ConstantExpr::Cast { value, .. })) => value,
                _ => return None,
            };
        }
        None
    }

    /// Returns the elements of a constant's value list; `owner` is the constant, which determines
    /// the pool.
    pub fn constant_elements(&self, owner: ValueId, list: List<ValueId>) -> &'a [ValueId] {
        if owner.index() < self.function.first_value as usize {
            self.module.value_pool.get(list.range()).unwrap_or_default()
        } else {
            self.function
                .value_pool
                .get(list.range())
                .unwrap_or_default()
        }
    }

    /// Returns the raw elements of a constant's data list; `owner` is the constant, which
    /// determines the pool.
    pub fn constant_data(&self, owner: ValueId, list: List<u64>) -> &'a [u64] {
        if owner.index() < self.function.first_value as usize {
            self.module
                .number_pool
                .get(list.range())
                .unwrap_or_default()
        } else {
            self.function
                .number_pool
                .get(list.range())
                .unwrap_or_default()
        }
    }
}
