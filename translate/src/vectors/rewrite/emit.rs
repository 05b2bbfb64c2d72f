//! New code of the function being rewritten: lists, values, constants, instructions.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::ReservedValue;
use dxil_frontend::ir::{
    Constant, Inst, InstData, InstId, List, Type, TypeId, ValueData, ValueDef, ValueId,
};

use crate::Result;
use crate::vectors::rewrite::state::{Plain, VectorRewrite};
use crate::vectors::rules::Written;

impl VectorRewrite<'_, '_, '_> {
    /// Returns a list of indices of aggregates.
    pub(in crate::vectors) fn indices(
        &mut self,
        indices: impl IntoIterator<Item = u64>,
    ) -> List<u32> {
        let start = self.number_pool.len();
        self.number_pool.extend(indices);
        List::new(start as u32, (self.number_pool.len() - start) as u32)
    }

    /// Returns a list of operands.
    pub(in crate::vectors) fn list(&mut self, values: &[ValueId]) -> List<ValueId> {
        let start = self.value_pool.len();
        self.value_pool.extend_from_slice(values);
        List::new(start as u32, values.len() as u32)
    }

    /// Returns a new value of the function.
    pub(in crate::vectors) fn value(&mut self, data: ValueData) -> ValueId {
        self.values.push(data);
        ValueId::new(self.old.function.first_value as usize + self.values.len() - 1)
    }

    /// Returns the type of a value, the new ones included.
    pub(in crate::vectors) fn type_of(&self, value: ValueId) -> Option<TypeId> {
        let first = self.old.function.first_value as usize;
        match value.index().checked_sub(first) {
            Some(index) => self.values.get(index).map(|data| data.ty),
            None => self.old.type_of(value),
        }
    }

    /// Returns a constant of a scalar type.
    pub(in crate::vectors) fn scalar_constant(&mut self, ty: TypeId, bits: u64) -> ValueId {
        let constant = match self.tables.get(ty) {
            Type::Half | Type::Float | Type::Double => Constant::Float(bits),
            _ => Constant::Int(bits),
        };
        self.constant(ty, constant)
    }

    /// Returns the `i32` constant.
    pub(in crate::vectors) fn int(&mut self, value: u32) -> ValueId {
        let ty = self.tables.int(32);
        self.constant(ty, Constant::Int(u64::from(value)))
    }

    /// Returns an `undef`, integer or float.
    pub(in crate::vectors) fn constant(&mut self, ty: TypeId, constant: Constant) -> ValueId {
        let plain = match constant {
            Constant::Int(bits) => Plain::Int(bits),
            Constant::Float(bits) => Plain::Float(bits),
            _ => Plain::Undef,
        };
        if let Some(&known) = self.constants.get(&(ty, plain)) {
            return known;
        }
        let def = ValueDef::Constant(match plain {
            Plain::Undef => Constant::Undef,
            _ => constant,
        });
        let id = self.value(ValueData { ty, def });
        self.constants.insert((ty, plain), id);
        id
    }

    /// Returns whether a value is `undef`.
    pub(in crate::vectors) fn is_undef(&self, value: ValueId) -> bool {
        let first = self.old.function.first_value as usize;
        let def = match value.index().checked_sub(first) {
            Some(index) => self.values.get(index).map(|data| data.def),
            None => self.old.value(value).map(|data| data.def),
        };
        def == Some(ValueDef::Constant(Constant::Undef))
    }

    /// Writes an instruction with a new result.
    pub(in crate::vectors) fn emit(
        &mut self,
        origin: InstId,
        inst: Inst,
        ty: TypeId,
    ) -> Result<ValueId> {
        let def = ValueDef::Inst(InstId::reserved_value());
        let result = self.value(ValueData { ty, def });
        self.emit_as(origin, inst, ty, Some(result))?;
        Ok(result)
    }

    /// Writes an instruction.
    pub(in crate::vectors) fn emit_as(
        &mut self,
        origin: InstId,
        inst: Inst,
        ty: TypeId,
        result: Option<ValueId>,
    ) -> Result<()> {
        self.tables.spend(1)?;
        self.code.push(Written {
            data: InstData {
                inst,
                ty,
                result: result.into(),
            },
            origin,
        });
        Ok(())
    }

    /// Writes an instruction without result.
    pub(in crate::vectors) fn emit_void(&mut self, origin: InstId, inst: Inst) -> Result<()> {
        let void = self.tables.void();
        self.emit_as(origin, inst, void, None)
    }

    /// Returns a variable of the function.
    pub(in crate::vectors) fn alloca(
        &mut self,
        allocated: TypeId,
        origin: InstId,
    ) -> Result<ValueId> {
        let count = self.int(1);
        let ty = self.tables.ty(Type::Pointer {
            pointee: allocated,
            address_space: 0,
        });
        let inst = Inst::Alloca {
            allocated,
            count,
            align: 0,
        };
        let result = self.emit(origin, inst, ty)?;
        // Not where the code needs it: SPIR-V has variables at the start of a function only (2.4).
        self.allocas.extend(self.code.pop());
        Ok(result)
    }

    /// Puts the code that `write` emits at the start of the function.
    pub(in crate::vectors) fn in_prologue(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let code = std::mem::take(&mut self.code);
        write(self)?;
        let written = std::mem::replace(&mut self.code, code);
        self.prologue.extend(written);
        Ok(())
    }
}
