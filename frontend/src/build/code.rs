//! Code of a function: values, arithmetic, blocks.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;

use super::module::ModuleBuilder;
use super::types::Scalar;
use crate::dxil::{ShaderFlags, ShaderModel};
use crate::error::{Error, Result};
use crate::ir::{
    BinaryOp, BlockId, CastOp, CmpPredicate, Constant, FastMath, Inst, InstData, InstId, List,
    Type, TypeId, ValueDef, ValueId,
};

/// A value of the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(pub(super) ValueId);

/// A block of the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockRef(usize);

/// Adds code to a function, at the end of its current block.
#[derive(Debug)]
pub struct CodeBuilder<'b> {
    pub(super) module: &'b mut ModuleBuilder,
    pub(super) flags: &'b mut ShaderFlags,
    pub(super) model: ShaderModel,
}

impl<'b> CodeBuilder<'b> {
    pub(super) fn new(
        module: &'b mut ModuleBuilder,
        flags: &'b mut ShaderFlags,
        model: ShaderModel,
    ) -> Self {
        CodeBuilder {
            module,
            flags,
            model,
        }
    }

    /// Returns a constant, by the bits that the type has.
    pub fn constant(&mut self, scalar: Scalar, bits: u64) -> Value {
        let ty = self.module.types.id(scalar.ty());
        Value(self.module.scalar(ty, bits))
    }

    /// Returns an `i32`.
    pub fn i32(&mut self, value: i32) -> Value {
        self.constant(Scalar::I32, u64::from(value.cast_unsigned()))
    }

    /// Returns an `i8`.
    pub fn i8(&mut self, value: u8) -> Value {
        self.constant(Scalar::I8, u64::from(value))
    }

    /// Returns an `i1`.
    pub fn bool(&mut self, value: bool) -> Value {
        self.constant(Scalar::I1, u64::from(value))
    }

    /// Returns a `float`.
    pub fn f32(&mut self, value: f32) -> Value {
        self.constant(Scalar::F32, u64::from(value.to_bits()))
    }

    /// Returns `undef`: an argument that an operation does not look at.
    pub fn undef(&mut self, scalar: Scalar) -> Value {
        let ty = self.module.types.id(scalar.ty());
        Value(self.module.push(ty, ValueDef::Constant(Constant::Undef)))
    }

    pub(super) fn type_of(&self, value: Value) -> Result<TypeId> {
        let ty = self.module.type_of(value.0);
        ty.ok_or_else(|| Error::malformed("a value of another shader"))
    }

    /// Adds an instruction; returns its result, which is no value where the type is `void`.
    pub(super) fn emit(&mut self, inst: Inst, ty: TypeId) -> Result<Value> {
        let is_void = matches!(self.module.types.table.get(ty), Type::Void);
        *self.flags |= match self.module.types.table.get(ty) {
            Type::Double => ShaderFlags::ENABLE_DOUBLE_PRECISION,
            Type::Int(64) => ShaderFlags::INT64_OPS,
            Type::Half | Type::Int(16) => ShaderFlags::LOW_PRECISION_PRESENT,
            _ => ShaderFlags::empty(),
        };
        // The instruction is known when the function is complete.
        let value = self.module.push(ty, ValueDef::Inst(InstId::new(0)));
        let block = self.module.blocks.get_mut(self.module.block);
        let block = block.ok_or_else(|| Error::malformed("a block of another shader"))?;
        if block.last().is_some_and(|last| last.inst.is_terminator()) {
            return Err(Error::malformed(
                "an instruction comes after the end of its block",
            ));
        }
        let result = Some(value).filter(|_| !is_void);
        block.push(InstData {
            inst,
            ty,
            result: PackedOption::from(result),
        });
        Ok(Value(value))
    }

    fn emit_void(&mut self, inst: Inst) -> Result<()> {
        let void = self.module.types.id(Type::Void);
        self.emit(inst, void).map(|_| ())
    }

    /// Returns the result of arithmetic on two values of one type.
    ///
    /// # Errors
    ///
    /// If the block has ended.
    pub fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Result<Value> {
        let ty = self.type_of(lhs)?;
        let inst = Inst::Binary {
            op,
            fast_math: FastMath::empty(),
            lhs: lhs.0,
            rhs: rhs.0,
        };
        self.emit(inst, ty)
    }

    /// Returns the result of a comparison, an `i1`.
    ///
    /// # Errors
    ///
    /// If the block has ended.
    pub fn compare(&mut self, predicate: CmpPredicate, lhs: Value, rhs: Value) -> Result<Value> {
        let ty = self.module.types.id(Type::Int(1));
        let inst = Inst::Cmp {
            predicate,
            fast_math: FastMath::empty(),
            lhs: lhs.0,
            rhs: rhs.0,
        };
        self.emit(inst, ty)
    }

    /// Returns one of two values by an `i1`.
    ///
    /// # Errors
    ///
    /// If the block has ended.
    pub fn select(&mut self, condition: Value, if_true: Value, if_false: Value) -> Result<Value> {
        let ty = self.type_of(if_true)?;
        let inst = Inst::Select {
            condition: condition.0,
            if_true: if_true.0,
            if_false: if_false.0,
        };
        self.emit(inst, ty)
    }

    /// Converts a value.
    ///
    /// # Errors
    ///
    /// If the block has ended.
    pub fn cast(&mut self, op: CastOp, value: Value, to: Scalar) -> Result<Value> {
        let ty = self.module.types.id(to.ty());
        self.emit(Inst::Cast { op, value: value.0 }, ty)
    }

    /// Returns a member of a structure: a component of what an operation loaded.
    ///
    /// # Errors
    ///
    /// If the value has no such member, or the block has ended.
    pub fn member(&mut self, value: Value, index: u32) -> Result<Value> {
        let ty = match self.module.types.table.get(self.type_of(value)?) {
            Type::Struct { fields, .. } => fields.get(index as usize).copied(),
            _ => None,
        };
        let ty = ty.ok_or_else(|| Error::malformed(format!("there is no member {index}")))?;
        let start = self.module.number_pool.len();
        self.module.number_pool.push(u64::from(index));
        let inst = Inst::ExtractValue {
            aggregate: value.0,
            indices: List::from_range(start..start + 1),
        };
        self.emit(inst, ty)
    }

    /// Adds a block without entering it.
    pub fn block(&mut self) -> BlockRef {
        self.module.blocks.push(Vec::new());
        BlockRef(self.module.blocks.len() - 1)
    }

    /// Returns the block to which code is added.
    pub fn current(&self) -> BlockRef {
        BlockRef(self.module.block)
    }

    /// Goes on at the end of a block.
    pub fn enter(&mut self, block: BlockRef) {
        self.module.block = block.0;
    }

    /// Ends the block with a jump.
    ///
    /// # Errors
    ///
    /// If the block has ended.
    pub fn jump(&mut self, target: BlockRef) -> Result<()> {
        let target = BlockId::new(target.0);
        self.emit_void(Inst::Br { target })
    }

    /// Ends the block with a jump by an `i1`.
    ///
    /// # Errors
    ///
    /// If the block has ended.
    pub fn branch(
        &mut self,
        condition: Value,
        if_true: BlockRef,
        if_false: BlockRef,
    ) -> Result<()> {
        self.emit_void(Inst::CondBr {
            condition: condition.0,
            if_true: BlockId::new(if_true.0),
            if_false: BlockId::new(if_false.0),
        })
    }

    /// Ends the block and the function.
    ///
    /// # Errors
    ///
    /// If the block has ended.
    pub fn ret(&mut self) -> Result<()> {
        let value = PackedOption::default();
        self.emit_void(Inst::Ret { value })
    }

    /// Adds a phi to the start of a loop or merge block; [`Self::set_incoming`] gives it its
    /// values.
    ///
    /// # Errors
    ///
    /// If the block has ended.
    pub fn phi(&mut self, scalar: Scalar) -> Result<Value> {
        let ty = self.module.types.id(scalar.ty());
        let incoming = List::EMPTY;
        self.emit(Inst::Phi { incoming }, ty)
    }

    /// Sets the values of a phi, one for each block that leads to its own.
    ///
    /// # Errors
    ///
    /// If the value is not a phi.
    pub fn set_incoming(&mut self, phi: Value, edges: &[(Value, BlockRef)]) -> Result<()> {
        let start = self.module.edge_pool.len();
        let pairs = edges
            .iter()
            .map(|(value, block)| (value.0, BlockId::new(block.0)));
        self.module.edge_pool.extend(pairs);
        let mut insts = self.module.blocks.iter_mut().flatten();
        match insts.find(|data| data.result.expand() == Some(phi.0)) {
            Some(InstData {
                inst: Inst::Phi { incoming },
                ..
            }) => {
                *incoming = List::from_range(start..start + edges.len());
                Ok(())
            }
            _ => Err(Error::malformed("a value is not a phi")),
        }
    }
}
