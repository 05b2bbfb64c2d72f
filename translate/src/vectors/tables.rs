//! Types and operations of the module being written; missing ones are added.

use dxil_frontend::dxil::ops::{Callee, CalleeTable, Overload};
use dxil_frontend::ir::{
    FuncId, FuncView, Function, FunctionDecl, Linkage, Module, Type, TypeId, ValueId,
};
use dxil_frontend::tables::HashMap;

use super::dead_code;
use crate::pseudo::PseudoOp;
use crate::vectors::rules::{MAX_INSTRUCTIONS, Written, scalar_overload, too_much};
use crate::{Error, Result};

/// The tables of a module that the pass extends.
pub(crate) struct ModuleTables<'m> {
    module: &'m mut Module,
    callees: &'m mut CalleeTable,
    types: HashMap<Type, TypeId>,
    /// Functions without a body, by name.
    declared: HashMap<Box<str>, FuncId>,
    /// Number of instructions written in all functions together.
    spent: usize,
}

impl<'m> ModuleTables<'m> {
    pub(crate) fn new(module: &'m mut Module, callees: &'m mut CalleeTable) -> Self {
        let mut types = HashMap::default();
        for (id, ty) in &module.types.types {
            // A vector that became an array may equal another array type. The first one stands for
            // both.
            types.entry(ty.clone()).or_insert(id);
        }
        let mut declared = HashMap::default();
        for (id, decl) in &module.functions {
            if matches!(callees[id], Callee::DxOp(_)) {
                declared.insert(decl.name.clone(), id);
            }
        }
        ModuleTables {
            module,
            callees,
            types,
            declared,
            spent: 0,
        }
    }

    /// Returns the id of a type.
    pub(crate) fn ty(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.types.get(&ty) {
            return id;
        }
        let id = self.module.types.types.push(ty.clone());
        self.types.insert(ty, id);
        id
    }

    /// Returns an integer type.
    pub(crate) fn int(&mut self, bits: u16) -> TypeId {
        self.ty(Type::Int(bits))
    }

    /// Returns the type `void`.
    pub(crate) fn void(&mut self) -> TypeId {
        self.ty(Type::Void)
    }

    /// Returns the type of an id.
    pub(crate) fn get(&self, ty: TypeId) -> &Type {
        self.module.types.get(ty)
    }

    /// Returns the width of a scalar in bits.
    pub(super) fn bits(&self, ty: TypeId) -> Result<u16> {
        let bits = self.module.types.scalar_bits(ty);
        bits.and_then(|bits| u16::try_from(bits).ok())
            .ok_or_else(|| Error::malformed(format!("a vector of {:?}", self.get(ty))))
    }

    /// Counts the instructions written.
    ///
    /// # Errors
    ///
    /// `TooComplex` beyond the limit.
    pub(crate) fn spend(&mut self, count: usize) -> Result<()> {
        self.spent = self.spent.saturating_add(count);
        if self.spent > MAX_INSTRUCTIONS {
            Err(too_much())
        } else {
            Ok(())
        }
    }

    /// Removes unused code from a function; its instructions are given separately.
    pub(super) fn eliminate_dead_code(&self, function: &Function, blocks: &mut [Vec<Written>]) {
        let view = FuncView {
            module: self.module,
            function,
        };
        dead_code::run(view, self.callees, blocks);
    }

    /// Returns the operation `dx.op.CLASS.OVERLOAD` with these types, or `dx.op.CLASS` for `void`.
    /// It takes the attributes and the address of `like`.
    pub(crate) fn operation(
        &mut self,
        class: &str,
        overload: TypeId,
        ret: TypeId,
        params: &[TypeId],
        like: FuncId,
    ) -> Result<FuncId> {
        let (suffix, overload) = match self.get(overload) {
            Type::Void => ("", Overload::Void),
            scalar => scalar_overload(scalar).ok_or_else(|| {
                Error::malformed(format!("operation {class} on vectors of {scalar:?}"))
            })?,
        };
        let name = match suffix {
            "" => format!("dx.op.{class}"),
            _ => format!("dx.op.{class}.{suffix}"),
        };
        Ok(self.operation_named(&name, overload, ret, params, like))
    }

    /// Returns the operation whose function has that name, for overloads that are not scalars.
    pub(crate) fn operation_named(
        &mut self,
        name: &str,
        overload: Overload,
        ret: TypeId,
        params: &[TypeId],
        like: FuncId,
    ) -> FuncId {
        let id = self.function(name, ret, params, like);
        self.callees[id] = Callee::DxOp(overload);
        id
    }

    /// Returns whether a function is a DXIL operation.
    pub(crate) fn is_operation(&self, function: FuncId) -> bool {
        matches!(self.callees[function], Callee::DxOp(_))
    }

    /// Returns the name of a function.
    pub(crate) fn name(&self, function: FuncId) -> &str {
        let decl = self.module.functions.get(function);
        decl.map_or("", |decl| &decl.name)
    }

    /// Returns the function of a pseudo-operation with these types.
    pub(crate) fn pseudo(
        &mut self,
        op: PseudoOp,
        ret: TypeId,
        params: &[TypeId],
        like: FuncId,
    ) -> FuncId {
        let ty = self.ty(Type::Function {
            ret,
            params: params.iter().copied().collect(),
            vararg: false,
        });
        let name = op.function_name(ty.as_u32());
        self.function(&name, ret, params, like)
    }

    /// Returns the function of that name without a body. A new one takes the attributes and the
    /// address of `like`.
    pub(crate) fn function(
        &mut self,
        name: &str,
        ret: TypeId,
        params: &[TypeId],
        like: FuncId,
    ) -> FuncId {
        if let Some(&id) = self.declared.get(name) {
            return id;
        }
        let ty = self.ty(Type::Function {
            ret,
            params: params.iter().copied().collect(),
            vararg: false,
        });
        let (attributes, value) = match self.module.functions.get(like) {
            Some(decl) => (decl.attributes, decl.value),
            None => (0, ValueId::from_u32(0)),
        };
        let name: Box<str> = name.into();
        let id = self.module.functions.push(FunctionDecl {
            name: name.clone(),
            ty,
            body: None,
            attributes,
            convention: 0,
            linkage: Linkage::External,
            value,
        });
        self.callees[id] = Callee::Function;
        self.declared.insert(name, id);
        id
    }
}
