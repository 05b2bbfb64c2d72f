//! The module: globals, functions, module-level values and metadata.

use std::borrow::Cow;

use cranelift_entity::PrimaryMap;

use super::{FuncId, Function, GlobalId, MdId, TypeId, TypeTable, ValueData, ValueId};
use crate::tables::HashMap;

/// A decoded LLVM module.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// Target triple, e.g. `dxil-ms-dx`.
    pub triple: Box<str>,
    /// Data layout string.
    pub data_layout: Box<str>,
    /// All types; every `TypeId` is an index here.
    pub types: TypeTable,
    /// Module-level values, in bitcode order: globals, functions, constants.
    pub values: Vec<ValueData>,
    /// Pool of the module-level constants' operand lists.
    pub value_pool: Vec<ValueId>,
    /// Pool of the module-level constants' raw data.
    pub number_pool: Vec<u64>,
    /// Global variables.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// All functions, declarations included.
    pub functions: PrimaryMap<FuncId, FunctionDecl>,
    /// Bodies, in file order. `FunctionDecl::body` indexes this.
    pub bodies: Vec<Function>,
    /// Nodes, strings and named metadata, which hold most of what DXIL adds to LLVM.
    pub metadata: Metadata,
    /// Attribute groups, shared between sets.
    pub attribute_groups: Vec<AttributeGroup>,
    /// Number of bytes of the code that the module was decoded from, which bounds what it may
    /// become. A module that was linked has the sum.
    pub encoded_bytes: u64,
    /// Attribute sets: indices of groups. Referred to by number from 1 (0 is "none").
    pub attribute_sets: Vec<Box<[u32]>>,
}

/// A global variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    /// Name, without the `@`; mangled names keep their bytes (lossy UTF-8).
    pub name: Box<str>,
    /// Type of the variable itself (not the pointer).
    pub ty: TypeId,
    /// Address space: 3 is groupshared.
    pub address_space: u32,
    /// Whether it is constant.
    pub is_constant: bool,
    /// Initial value.
    pub initializer: Option<ValueId>,
    /// Alignment in bytes, 0 if not stated.
    pub align: u32,
    /// Linkage.
    pub linkage: Linkage,
    /// Whether its address does not matter, so that equal constants may be merged.
    pub unnamed_addr: bool,
    /// The value that is its address.
    pub value: ValueId,
}

/// A function's header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionDecl {
    /// Name, without the `@`; mangled names keep their bytes (lossy UTF-8).
    pub name: Box<str>,
    /// Its function type.
    pub ty: TypeId,
    /// Index of the body in [`Module::bodies`]; `None` for a declaration.
    pub body: Option<u32>,
    /// Attribute set: index into [`Module::attribute_sets`] plus 1, 0 for none.
    pub attributes: u32,
    /// Calling convention, LLVM's number: 0 is C's, 8 `fastcc`.
    pub convention: u16,
    /// Linkage.
    pub linkage: Linkage,
    /// The value that is its address.
    pub value: ValueId,
}

/// Linkage, as far as DXIL distinguishes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Linkage {
    /// Visible outside.
    #[default]
    External,
    /// Visible in this module.
    Internal,
    /// Any other of LLVM's, by number.
    Other(u8),
}

impl Linkage {
    /// Returns whether a declaration may have it (LLVM Language Reference, "Linkage Types").
    pub fn is_of_declarations(self) -> bool {
        /// `extern_weak`.
        const EXTERNAL_WEAK: u8 = 7;
        matches!(self, Linkage::External | Linkage::Other(EXTERNAL_WEAK))
    }
}

/// Attributes of a function, its result or one of its parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct AttributeGroup {
    /// 0 is the result, `u32::MAX` the function, n the n-th parameter.
    pub slot: u32,
    /// The attributes of that slot.
    pub attributes: Vec<Attribute>,
}

impl AttributeGroup {
    /// The slot of the function itself.
    pub const FUNCTION: u32 = u32::MAX;
}

/// One attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// A flag, LLVM 3.7's number.
    Enum(u64),
    /// A flag with a number.
    Int(u64, u64),
    /// A string, with or without value.
    String(Box<str>, Option<Box<str>>),
}

impl Attribute {
    /// LLVM 3.7's number of `noduplicate`, as are the others (`LLVMBitCodes.h`).
    pub const NO_DUPLICATE: u64 = 12;
    /// `nounwind`.
    pub const NO_UNWIND: u64 = 18;
    /// `readnone`.
    pub const READ_NONE: u64 = 20;
    /// `readonly`.
    pub const READ_ONLY: u64 = 21;
}

/// All metadata of a module.
#[derive(Debug, Clone, Default)]
pub struct Metadata {
    /// Nodes: the module's, then those of each function.
    pub nodes: PrimaryMap<MdId, MdNode>,
    /// Pool of node operands; `None` is `null`.
    pub operands: Vec<Option<MdId>>,
    /// Pool of bytes: strings.
    pub strings: Vec<u8>,
    /// Named metadata (`!dx.version` ...), in file order.
    pub named: Vec<NamedMetadata>,
    /// The metadata kinds (`dx.precise`, `dx.controlflow.hints` ...), if metadata is attached to
    /// anything.
    pub kinds: Vec<MetadataKind>,
}

/// A metadata node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MdNode {
    /// A string: a range of [`Metadata::strings`].
    String {
        /// First byte.
        start: u32,
        /// Bytes.
        len: u32,
    },
    /// A value of the module, or (in a node that belongs to a function) of that function.
    Value(ValueId),
    /// A tuple `!{...}`: a range of [`Metadata::operands`].
    Tuple {
        /// Whether it is distinct.
        distinct: bool,
        /// First operand.
        start: u32,
        /// Operands.
        len: u32,
    },
    /// A debug-info node (DILocation, DISubprogram, ...): bitcode record code and its raw record.
    Debug {
        /// METADATA_* record code.
        code: u32,
        /// The record's numbers, as in the bitcode (ids are biased by one where 0 is `null`).
        record: Box<[u64]>,
    },
}

/// A kind of metadata on instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetadataKind {
    /// The number that attachments have.
    pub id: u32,
    /// First byte of its name in [`Metadata::strings`].
    pub start: u32,
    /// Bytes of its name.
    pub len: u32,
}

/// A named metadata list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedMetadata {
    /// First byte of its name, without the `!`, in [`Metadata::strings`].
    pub name_start: u32,
    /// Bytes of its name.
    pub name_len: u32,
    /// First of its nodes in [`Metadata::operands`]; none of them is `null`.
    pub start: u32,
    /// Number of nodes.
    pub len: u32,
}

impl Module {
    /// Returns the body of a function.
    pub fn body(&self, id: FuncId) -> Option<&Function> {
        let index = self.functions.get(id)?.body?;
        self.bodies.get(index as usize)
    }

    /// Adds a set of attributes of a function, given by LLVM's numbers. Returns the set's number,
    /// as [`FunctionDecl::attributes`] has it; `None` if there are more sets than numbers.
    pub fn push_function_attributes(&mut self, numbers: &[u64]) -> Option<u32> {
        let group = u32::try_from(self.attribute_groups.len()).ok()?;
        let set = u32::try_from(self.attribute_sets.len())
            .ok()?
            .checked_add(1)?;
        self.attribute_groups.push(AttributeGroup {
            slot: AttributeGroup::FUNCTION,
            attributes: numbers.iter().copied().map(Attribute::Enum).collect(),
        });
        self.attribute_sets.push(Box::new([group]));
        Some(set)
    }

    /// Returns the functions by their names. Of several with one name, the first counts.
    pub fn functions_by_name(&self) -> HashMap<&str, FuncId> {
        let functions = self.functions.iter().rev();
        functions.map(|(id, decl)| (&*decl.name, id)).collect()
    }

    /// Returns the groups of an attribute set, by the number that [`FunctionDecl::attributes`]
    /// holds.
    pub fn attributes(&self, set: u32) -> impl Iterator<Item = &AttributeGroup> {
        let groups = set
            .checked_sub(1)
            .and_then(|index| self.attribute_sets.get(index as usize))
            .map_or(&[] as &[u32], |set| set);
        groups
            .iter()
            .filter_map(|group| self.attribute_groups.get(*group as usize))
    }

    /// Returns the value of a string attribute on a function (`fp32-denorm-mode`).
    pub fn function_attribute(&self, id: FuncId, key: &str) -> Option<&str> {
        let set = self.functions.get(id)?.attributes;
        self.attributes(set)
            .filter(|group| group.slot == AttributeGroup::FUNCTION)
            .flat_map(|group| &group.attributes)
            .find_map(|attribute| match attribute {
                Attribute::String(name, value) if &**name == key => {
                    Some(value.as_deref().unwrap_or_default())
                }
                _ => None,
            })
    }

    /// Returns the function of that name.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions
            .iter()
            // A linear search: callers look up a few names per module, and a map would cost every
            // module.
            .find(|(_, decl)| &*decl.name == name)
            .map(|(id, _)| id)
    }
}

impl Metadata {
    /// Returns the nodes of a named list, none where there is no such list.
    ///
    /// LLVM takes several lists of one name for one.
    pub fn named(&self, name: &str) -> impl Iterator<Item = MdId> {
        let named = self.named.iter().filter(move |named| {
            self.bytes(named.name_start, named.name_len) == Some(name.as_bytes())
        });
        named.flat_map(|named| self.nodes_of(named))
    }

    /// Returns the nodes of a named list.
    pub fn nodes_of(&self, named: &NamedMetadata) -> impl Iterator<Item = MdId> {
        let start = named.start as usize;
        let nodes = start
            .checked_add(named.len as usize)
            .and_then(|end| self.operands.get(start..end));
        nodes.unwrap_or_default().iter().copied().flatten()
    }

    /// Returns the name of a named list; invalid UTF-8 is replaced.
    pub fn name_of(&self, named: &NamedMetadata) -> Cow<'_, str> {
        let bytes = self.bytes(named.name_start, named.name_len);
        String::from_utf8_lossy(bytes.unwrap_or_default())
    }

    /// Returns the number of a metadata kind.
    pub fn kind(&self, name: &str) -> Option<u32> {
        self.kinds
            .iter()
            .find(|kind| self.bytes(kind.start, kind.len) == Some(name.as_bytes()))
            .map(|kind| kind.id)
    }

    /// Returns the name of a metadata kind; invalid UTF-8 is replaced.
    pub fn kind_name(&self, id: u32) -> Option<Cow<'_, str>> {
        let kind = self.kinds.iter().find(|kind| kind.id == id)?;
        Some(String::from_utf8_lossy(self.bytes(kind.start, kind.len)?))
    }

    /// Returns a range of [`Metadata::strings`].
    pub(crate) fn bytes(&self, start: u32, len: u32) -> Option<&[u8]> {
        let start = start as usize;
        self.strings.get(start..start.checked_add(len as usize)?)
    }

    /// Returns the operands of a tuple; `None` if the node is not one.
    pub fn tuple(&self, id: MdId) -> Option<&[Option<MdId>]> {
        match self.nodes.get(id)? {
            MdNode::Tuple { start, len, .. } => {
                let start = *start as usize;
                self.operands.get(start..start.checked_add(*len as usize)?)
            }
            _ => None,
        }
    }

    /// Returns the text of a string node (invalid UTF-8 gives `None`).
    pub fn string(&self, id: MdId) -> Option<&str> {
        std::str::from_utf8(self.string_bytes(id)?).ok()
    }

    /// Returns the bytes of a string node.
    pub fn string_bytes(&self, id: MdId) -> Option<&[u8]> {
        match self.nodes.get(id)? {
            MdNode::String { start, len } => self.bytes(*start, *len),
            _ => None,
        }
    }

    /// Returns the value of a value node.
    pub fn value(&self, id: MdId) -> Option<ValueId> {
        match self.nodes.get(id)? {
            MdNode::Value(value) => Some(*value),
            _ => None,
        }
    }
}
