//! The module under construction: types, declarations of DXIL operations, global variables.

use cranelift_entity::PrimaryMap;
use smallvec::SmallVec;

use crate::dxil::DATA_LAYOUT;
use crate::dxil::ops::Opcode;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{
    Constant, FuncId, FunctionDecl, Global, GlobalId, Linkage, List, Module, Type, TypeId,
    TypeList, ValueData, ValueDef, ValueId,
};
use crate::tables::HashMap;

/// Types that conversion works with.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommonTypes {
    pub(super) void: TypeId,
    pub(super) i1: TypeId,
    pub(super) i8: TypeId,
    pub(super) i32: TypeId,
    pub(super) half: TypeId,
    pub(super) f32: TypeId,
    pub(super) f64: TypeId,
    pub(super) handle: TypeId,
}

/// A module and what makes it: each type and declaration is there once.
pub(super) struct ModuleBuilder {
    pub(super) module: Module,
    pub(super) types: CommonTypes,
    known_types: HashMap<Type, TypeId>,
    operations: HashMap<(&'static str, Option<TypeId>), (ValueId, TypeId)>,
}

impl ModuleBuilder {
    pub(super) fn new() -> Self {
        let mut module = Module {
            triple: "dxil-ms-dx".into(),
            data_layout: DATA_LAYOUT.into(),
            ..Module::default()
        };
        let mut known = HashMap::default();
        let mut add = |ty: Type| intern(&mut module, &mut known, ty);
        let i8 = add(Type::Int(8));
        let pointer = add(Type::Pointer {
            pointee: i8,
            address_space: 0,
        });
        let types = CommonTypes {
            void: add(Type::Void),
            i1: add(Type::Int(1)),
            i8,
            i32: add(Type::Int(32)),
            half: add(Type::Half),
            f32: add(Type::Float),
            f64: add(Type::Double),
            handle: add(named_struct("dx.types.Handle", [pointer])),
        };
        ModuleBuilder {
            module,
            types,
            known_types: known,
            operations: HashMap::default(),
        }
    }

    /// Returns the id of a type.
    pub(super) fn ty(&mut self, ty: Type) -> TypeId {
        intern(&mut self.module, &mut self.known_types, ty)
    }

    /// Returns a pointer type.
    pub(super) fn pointer(&mut self, pointee: TypeId, address_space: u32) -> TypeId {
        self.ty(Type::Pointer {
            pointee,
            address_space,
        })
    }

    /// Returns an array type.
    pub(super) fn array(&mut self, element: TypeId, count: u32) -> TypeId {
        self.ty(Type::Array {
            element,
            count: u64::from(count),
        })
    }

    /// Returns the suffix of an overload: `f32`.
    fn suffix(&self, ty: TypeId) -> &'static str {
        match *self.module.types.get(ty) {
            Type::Half => "f16",
            Type::Float => "f32",
            Type::Double => "f64",
            Type::Int(1) => "i1",
            Type::Int(_) => "i32",
            _ => "void",
        }
    }

    /// Returns `%dx.types.ResRet.f32` or its like: four values and a status.
    pub(super) fn load_result(&mut self, ty: TypeId) -> TypeId {
        let name = format!("dx.types.ResRet.{}", self.suffix(ty));
        let status = self.types.i32;
        self.ty(named_struct(&name, [ty, ty, ty, ty, status]))
    }

    /// Returns `%dx.types.CBufRet.f32` or its like: a register of a constant buffer.
    pub(super) fn constant_result(&mut self, ty: TypeId) -> TypeId {
        let name = format!("dx.types.CBufRet.{}", self.suffix(ty));
        self.ty(named_struct(&name, [ty, ty, ty, ty]))
    }

    /// Returns a structure of DXIL's, by name and fields.
    pub(super) fn structure<const N: usize>(&mut self, name: &str, fields: [TypeId; N]) -> TypeId {
        self.ty(named_struct(name, fields))
    }

    /// Returns the declaration of a DXIL operation and its result type. `overload` is the type in
    /// its name; operations without one have none.
    pub(super) fn operation(
        &mut self,
        opcode: Opcode,
        overload: Option<TypeId>,
        ret: TypeId,
        params: &[TypeId],
    ) -> (ValueId, TypeId) {
        let class = opcode.class();
        // The operations of a class share one function per overload; the opcode tells them apart.
        if let Some(&known) = self.operations.get(&(class, overload)) {
            return known;
        }
        let name = match overload {
            Some(ty) => format!("dx.op.{class}.{}", self.suffix(ty)),
            None => format!("dx.op.{class}"),
        };
        let value = self.declare(&name, ret, params).1;
        self.operations.insert((class, overload), (value, ret));
        (value, ret)
    }

    /// Adds a function; gives its id and its address.
    pub(super) fn declare(
        &mut self,
        name: &str,
        ret: TypeId,
        params: &[TypeId],
    ) -> (FuncId, ValueId) {
        let ty = self.ty(Type::Function {
            ret,
            params: TypeList::from_slice(params),
            vararg: false,
        });
        let pointer = self.pointer(ty, 0);
        let id = self.module.functions.next_key();
        let value = self.value(pointer, ValueDef::Function(id));
        self.module.functions.push(FunctionDecl {
            name: name.into(),
            ty,
            body: None,
            attributes: 0,
            convention: 0,
            linkage: Linkage::External,
            value,
        });
        (id, value)
    }

    /// Adds a variable of that type; gives its address.
    pub(super) fn global(
        &mut self,
        name: String,
        ty: TypeId,
        address_space: u32,
        initializer: Option<ValueId>,
    ) -> ValueId {
        let pointer = self.pointer(ty, address_space);
        let id: GlobalId = self.module.globals.next_key();
        let value = self.value(pointer, ValueDef::Global(id));
        self.module.globals.push(Global {
            name: name.into(),
            ty,
            address_space,
            // Group-shared variables have an initial value, `undef`, but are written.
            is_constant: initializer.is_some() && address_space == 0,
            initializer,
            align: 4,
            linkage: Linkage::Internal,
            unnamed_addr: false,
            value,
        });
        value
    }

    /// Returns a constant array of 32-bit integers.
    pub(super) fn words(
        &mut self,
        ty: TypeId,
        words: impl IntoIterator<Item = u32>,
    ) -> Result<ValueId> {
        let start = pool_index(self.module.number_pool.len())?;
        self.module
            .number_pool
            .extend(words.into_iter().map(u64::from));
        let len = pool_index(self.module.number_pool.len())? - start;
        let data = Constant::Data(List::new(start, len));
        Ok(self.value(ty, ValueDef::Constant(data)))
    }

    /// Returns `undef` of that type, as a value of the module.
    pub(super) fn undef(&mut self, ty: TypeId) -> ValueId {
        self.value(ty, ValueDef::Constant(Constant::Undef))
    }

    fn value(&mut self, ty: TypeId, def: ValueDef) -> ValueId {
        let id = ValueId::from_u32(u32::try_from(self.module.values.len()).unwrap_or(u32::MAX));
        self.module.values.push(ValueData { ty, def });
        id
    }
}

/// Returns a place in a pool as the IR's 32-bit number.
pub(super) fn pool_index(len: usize) -> Result<u32> {
    u32::try_from(len).map_err(|_| Error::new(ErrorKind::Internal("a pool of over 32 bits")))
}

fn intern(module: &mut Module, known: &mut HashMap<Type, TypeId>, ty: Type) -> TypeId {
    if let Some(&id) = known.get(&ty) {
        return id;
    }
    let types: &mut PrimaryMap<TypeId, Type> = &mut module.types.types;
    let id = types.push(ty.clone());
    known.insert(ty, id);
    id
}

fn named_struct<const N: usize>(name: &str, fields: [TypeId; N]) -> Type {
    Type::Struct {
        name: Some(name.into()),
        fields: SmallVec::from_slice(&fields),
        packed: false,
        opaque: false,
    }
}
