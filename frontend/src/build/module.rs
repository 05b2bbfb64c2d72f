//! The module under construction: types, declarations of operations, and one function.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::types::Types;
use crate::dxil::{DATA_LAYOUT, renumber_locals};
use crate::error::{Error, Result};
use crate::ir::{
    Attribute, Block, BlockId, Constant, FuncId, Function, FunctionDecl, InstData, Linkage, List,
    Module, Type, TypeId, TypeList, ValueData, ValueDef, ValueId,
};
use crate::tables::HashMap;

/// Id of the function's first value while the module still grows: above all ids of the module.
const FIRST_LOCAL: u32 = 1 << 30;

#[derive(Debug)]
pub(super) struct ModuleBuilder {
    pub(super) types: Types,
    module: Module,
    name: Box<str>,
    /// Declared operations by name: value and type of the function.
    declared: HashMap<Box<str>, (ValueId, TypeId)>,
    /// Attribute sets by the attribute beside `nounwind`.
    sets: HashMap<Option<u64>, u32>,
    pub(super) values: Vec<ValueData>,
    pub(super) value_pool: Vec<ValueId>,
    pub(super) edge_pool: Vec<(ValueId, BlockId)>,
    pub(super) number_pool: Vec<u64>,
    constants: HashMap<(TypeId, u64), ValueId>,
    /// The instructions of each block.
    pub(super) blocks: Vec<Vec<InstData>>,
    /// The block that instructions are added to.
    pub(super) block: usize,
}

impl ModuleBuilder {
    pub(super) fn new(name: &str) -> Self {
        ModuleBuilder {
            types: Types::default(),
            module: Module {
                triple: "dxil-ms-dx".into(),
                data_layout: DATA_LAYOUT.into(),
                ..Module::default()
            },
            name: name.into(),
            declared: HashMap::default(),
            sets: HashMap::default(),
            values: Vec::new(),
            value_pool: Vec::new(),
            edge_pool: Vec::new(),
            number_pool: Vec::new(),
            constants: HashMap::default(),
            blocks: vec![Vec::new()],
            block: 0,
        }
    }

    /// Adds a value of the function.
    pub(super) fn push(&mut self, ty: TypeId, def: ValueDef) -> ValueId {
        self.values.push(ValueData { ty, def });
        ValueId::new(FIRST_LOCAL as usize + self.values.len() - 1)
    }

    /// Returns a scalar constant, by its bits.
    pub(super) fn scalar(&mut self, ty: TypeId, bits: u64) -> ValueId {
        if let Some(id) = self.constants.get(&(ty, bits)) {
            return *id;
        }
        let is_int = matches!(self.types.table.get(ty), Type::Int(_));
        let constant = match bits {
            0 => Constant::Null,
            bits if is_int => Constant::Int(bits),
            bits => Constant::Float(bits),
        };
        let id = self.push(ty, ValueDef::Constant(constant));
        self.constants.insert((ty, bits), id);
        id
    }

    pub(super) fn type_of(&self, value: ValueId) -> Option<TypeId> {
        let index = value.index().checked_sub(FIRST_LOCAL as usize);
        match index {
            Some(index) => self.values.get(index).map(|data| data.ty),
            None => self.module.values.get(value.index()).map(|data| data.ty),
        }
    }

    pub(super) fn list(&mut self, values: &[ValueId]) -> List<ValueId> {
        let start = self.value_pool.len();
        self.value_pool.extend_from_slice(values);
        List::from_range(start..self.value_pool.len())
    }

    /// Returns the declaration of an operation's function; `memory` is the number of an attribute
    /// about memory.
    pub(super) fn declare(
        &mut self,
        name: &str,
        ret: TypeId,
        params: &[TypeId],
        memory: Option<u64>,
    ) -> ValueId {
        if let Some((value, _)) = self.declared.get(name) {
            return *value;
        }
        let ty = self.types.id(Type::Function {
            ret,
            params: TypeList::from_slice(params),
            vararg: false,
        });
        let attributes = self.attributes(memory);
        let value = self.add_function(name.into(), ty, attributes).1;
        self.declared.insert(name.into(), (value, ty));
        value
    }

    fn add_function(&mut self, name: Box<str>, ty: TypeId, attributes: u32) -> (FuncId, ValueId) {
        let pointer = self.types.id(Type::Pointer {
            pointee: ty,
            address_space: 0,
        });
        let id = self.module.functions.next_key();
        let value = ValueId::new(self.module.values.len());
        self.module.values.push(ValueData {
            ty: pointer,
            def: ValueDef::Function(id),
        });
        self.module.functions.push(FunctionDecl {
            name,
            ty,
            body: None,
            attributes,
            convention: 0,
            linkage: Linkage::External,
            value,
        });
        (id, value)
    }

    fn attributes(&mut self, memory: Option<u64>) -> u32 {
        let module = &mut self.module;
        *self.sets.entry(memory).or_insert_with(|| {
            let numbers: Vec<u64> = [Attribute::NO_UNWIND].into_iter().chain(memory).collect();
            // There are no more sets than attributes.
            module.push_function_attributes(&numbers).unwrap_or(0)
        })
    }

    /// Returns the module and the id of its function.
    pub(super) fn finish(mut self) -> Result<(Module, FuncId)> {
        let void = self.types.id(Type::Void);
        let ty = self.types.id(Type::Function {
            ret: void,
            params: TypeList::new(),
            vararg: false,
        });
        let name = self.name.clone();
        let (id, _) = self.add_function(name, ty, 0);
        let mut insts = PrimaryMap::new();
        let mut blocks = PrimaryMap::new();
        for (number, block) in self.blocks.into_iter().enumerate() {
            if !block.last().is_some_and(|last| last.inst.is_terminator()) {
                return Err(Error::malformed(format!("block {number} has no end")));
            }
            let first = insts.next_key();
            for data in block {
                let id = insts.push(data);
                let result = data.result.expand();
                let index =
                    result.and_then(|value| value.index().checked_sub(FIRST_LOCAL as usize));
                if let Some(value) = index.and_then(|index| self.values.get_mut(index)) {
                    value.def = ValueDef::Inst(id);
                }
            }
            let end = insts.next_key();
            blocks.push(Block { first, end });
        }
        let mut module = self.module;
        module.types = self.types.table;
        module.bodies.push(Function {
            id,
            first_value: FIRST_LOCAL,
            values: self.values,
            arg_count: 0,
            insts,
            blocks,
            value_pool: self.value_pool,
            edge_pool: self.edge_pool,
            number_pool: self.number_pool,
            debug_locs: SecondaryMap::new(),
            call_sites: Vec::new(),
            attachments: Vec::new(),
            function_attachments: Vec::new(),
            value_names: Vec::new(),
            block_names: Vec::new(),
        });
        if let Some(decl) = module.functions.get_mut(id) {
            decl.body = Some(0);
        }
        renumber_locals(&mut module, FIRST_LOCAL as usize, 0)?;
        Ok((module, id))
    }
}
