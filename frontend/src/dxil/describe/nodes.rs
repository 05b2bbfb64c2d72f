//! Nodes, texts and constants under construction, each once.

use cranelift_entity::EntityRef;

use super::renumber::renumber_locals;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{
    Constant, List, MdId, MdNode, Module, NamedMetadata, Type, TypeId, ValueData, ValueDef, ValueId,
};
use crate::tables::HashMap;

/// A module to which metadata is added.
pub(super) struct NodeWriter {
    pub(super) module: Module,
    /// Values and nodes that the module had before.
    old_values: usize,
    old_nodes: usize,
    types: HashMap<Type, TypeId>,
    constants: HashMap<(TypeId, u64), ValueId>,
    values: HashMap<ValueId, MdId>,
    texts: HashMap<Box<str>, MdId>,
    tuples: HashMap<Vec<Option<MdId>>, MdId>,
}

fn size(value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| {
        Error::new(ErrorKind::Limit {
            what: "size of a metadata pool",
            value: value as u64,
            limit: u64::from(u32::MAX),
        })
    })
}

impl NodeWriter {
    pub(super) fn new(module: &Module) -> Self {
        let types = module.types.types.iter();
        NodeWriter {
            old_values: module.values.len(),
            old_nodes: module.metadata.nodes.len(),
            types: types.map(|(id, ty)| (ty.clone(), id)).collect(),
            module: module.clone(),
            constants: HashMap::default(),
            values: HashMap::default(),
            texts: HashMap::default(),
            tuples: HashMap::default(),
        }
    }

    /// Returns the type's id.
    pub(super) fn ty(&mut self, ty: Type) -> TypeId {
        let table = &mut self.module.types.types;
        *self
            .types
            .entry(ty)
            .or_insert_with_key(|ty| table.push(ty.clone()))
    }

    /// Adds a constant.
    pub(super) fn constant(&mut self, ty: TypeId, constant: Constant) -> ValueId {
        let id = ValueId::new(self.module.values.len());
        self.module.values.push(ValueData {
            ty,
            def: ValueDef::Constant(constant),
        });
        id
    }

    /// Returns the node of a value of the module.
    pub(super) fn value(&mut self, value: ValueId) -> MdId {
        let nodes = &mut self.module.metadata.nodes;
        let node = self.values.entry(value);
        *node.or_insert_with(|| nodes.push(MdNode::Value(value)))
    }

    fn int(&mut self, bits: u16, value: u64) -> MdId {
        let ty = self.ty(Type::Int(bits));
        let id = match self.constants.get(&(ty, value)) {
            Some(id) => *id,
            None => {
                let constant = if value == 0 {
                    Constant::Null
                } else {
                    Constant::Int(value)
                };
                let id = self.constant(ty, constant);
                self.constants.insert((ty, value), id);
                id
            }
        };
        self.value(id)
    }

    pub(super) fn bool(&mut self, value: bool) -> Result<MdId> {
        Ok(self.int(1, u64::from(value)))
    }

    pub(super) fn u8(&mut self, value: u8) -> Result<MdId> {
        Ok(self.int(8, u64::from(value)))
    }

    pub(super) fn u32(&mut self, value: u32) -> Result<MdId> {
        Ok(self.int(32, u64::from(value)))
    }

    pub(super) fn u64(&mut self, value: u64) -> Result<MdId> {
        Ok(self.int(64, value))
    }

    pub(super) fn f32(&mut self, value: f32) -> Result<MdId> {
        let ty = self.ty(Type::Float);
        let id = self.constant(ty, Constant::Float(u64::from(value.to_bits())));
        Ok(self.value(id))
    }

    /// Returns a constant array of words.
    pub(super) fn words(&mut self, words: &[u32]) -> Result<MdId> {
        let element = self.ty(Type::Int(32));
        self.data(element, words.iter().map(|word| u64::from(*word)))
    }

    /// Returns a constant array of bytes.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<MdId> {
        let element = self.ty(Type::Int(8));
        self.data(element, bytes.iter().map(|byte| u64::from(*byte)))
    }

    fn data(
        &mut self,
        element: TypeId,
        numbers: impl ExactSizeIterator<Item = u64>,
    ) -> Result<MdId> {
        let count = numbers.len();
        let start = size(self.module.number_pool.len())?;
        self.module.number_pool.extend(numbers);
        let ty = self.ty(Type::Array {
            element,
            count: count as u64,
        });
        let list = List::new(start, size(count)?);
        let id = self.constant(ty, Constant::Data(list));
        Ok(self.value(id))
    }

    fn keep(&mut self, text: &str) -> Result<(u32, u32)> {
        let strings = &mut self.module.metadata.strings;
        let start = size(strings.len())?;
        strings.extend_from_slice(text.as_bytes());
        Ok((start, size(text.len())?))
    }

    pub(super) fn text(&mut self, text: &str) -> Result<MdId> {
        if let Some(id) = self.texts.get(text) {
            return Ok(*id);
        }
        let (start, len) = self.keep(text)?;
        let id = self
            .module
            .metadata
            .nodes
            .push(MdNode::String { start, len });
        self.texts.insert(text.into(), id);
        Ok(id)
    }

    fn operands(&mut self, operands: &[Option<MdId>]) -> Result<(u32, u32)> {
        let pool = &mut self.module.metadata.operands;
        let start = size(pool.len())?;
        pool.extend_from_slice(operands);
        Ok((start, size(operands.len())?))
    }

    /// Returns the list of these operands.
    pub(super) fn tuple(&mut self, operands: &[Option<MdId>]) -> Result<MdId> {
        if let Some(id) = self.tuples.get(operands) {
            return Ok(*id);
        }
        let (start, len) = self.operands(operands)?;
        let id = self.module.metadata.nodes.push(MdNode::Tuple {
            distinct: false,
            start,
            len,
        });
        self.tuples.insert(operands.to_vec(), id);
        Ok(id)
    }

    /// Returns the list of these operands; `None` for an empty one.
    pub(super) fn tuple_or_null(&mut self, operands: &[Option<MdId>]) -> Result<Option<MdId>> {
        if operands.is_empty() {
            return Ok(None);
        }
        self.tuple(operands).map(Some)
    }

    /// Returns the module with these named lists instead of those named `replaced`.
    pub(super) fn finish(
        mut self,
        replaced: &[&str],
        lists: &[(&str, Vec<MdId>)],
    ) -> Result<Module> {
        let metadata = &self.module.metadata;
        let is_kept = |named: &&NamedMetadata| !replaced.contains(&&*metadata.name_of(named));
        let kept = metadata.named.iter().filter(is_kept).copied().collect();
        self.module.metadata.named = kept;
        for (name, nodes) in lists {
            let (name_start, name_len) = self.keep(name)?;
            let nodes: Vec<Option<MdId>> = nodes.iter().copied().map(Some).collect();
            let (start, len) = self.operands(&nodes)?;
            self.module.metadata.named.push(NamedMetadata {
                name_start,
                name_len,
                start,
                len,
            });
        }
        renumber_locals(&mut self.module, self.old_values, self.old_nodes)?;
        Ok(self.module)
    }
}
