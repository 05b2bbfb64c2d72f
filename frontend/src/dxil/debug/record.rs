//! A node of debug information as the numbers of its record, and the codes of records.
//!
//! The layouts of the records are those of LLVM 3.7's bitcode writer: the first number says whether
//! the node is distinct; references to nodes are one more than the node's number, and 0 is none.

use crate::ir::{FuncId, MdId, Module, ValueDef};

pub(super) const LOCATION: u32 = 7;
pub(super) const SUBRANGE: u32 = 13;
pub(super) const BASIC_TYPE: u32 = 15;
pub(super) const FILE: u32 = 16;
pub(super) const DERIVED_TYPE: u32 = 17;
pub(super) const COMPOSITE_TYPE: u32 = 18;
pub(super) const SUBROUTINE_TYPE: u32 = 19;
pub(super) const COMPILE_UNIT: u32 = 20;
pub(super) const SUBPROGRAM: u32 = 21;
pub(super) const LEXICAL_BLOCK: u32 = 22;
pub(super) const LEXICAL_BLOCK_FILE: u32 = 23;
pub(super) const NAMESPACE: u32 = 24;
pub(super) const GLOBAL_VARIABLE: u32 = 27;
pub(super) const LOCAL_VARIABLE: u32 = 28;
pub(super) const EXPRESSION: u32 = 29;

/// The numbers of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeFields<'a> {
    module: &'a Module,
    numbers: &'a [u64],
}

impl<'a> NodeFields<'a> {
    pub(super) fn new(module: &'a Module, numbers: &'a [u64]) -> Self {
        NodeFields { module, numbers }
    }

    /// Returns the numbers from that field on.
    pub(super) fn rest(self, field: usize) -> &'a [u64] {
        self.numbers.get(field..).unwrap_or_default()
    }

    /// Returns a number.
    pub(super) fn number(self, field: usize) -> Option<u64> {
        self.numbers.get(field).copied()
    }

    /// Returns a number of up to 32 bits; 0 where it is absent or larger.
    pub(super) fn u32(self, field: usize) -> u32 {
        let number = self.number(field).unwrap_or(0);
        u32::try_from(number).unwrap_or(0)
    }

    /// Returns a node, whose number plus one is given.
    pub(super) fn node(self, field: usize) -> Option<MdId> {
        self.resolve(self.number(field)?.checked_sub(1)?)
    }

    /// Returns a node, whose number is given.
    pub(super) fn node_unbiased(self, field: usize) -> Option<MdId> {
        self.resolve(self.number(field)?)
    }

    fn resolve(self, number: u64) -> Option<MdId> {
        let number = u32::try_from(number).ok()?;
        if number as usize >= self.module.metadata.nodes.len() {
            return None;
        }
        Some(MdId::from_u32(number))
    }

    /// Returns a string; empty where it is absent.
    pub(super) fn text(self, field: usize) -> &'a str {
        let node = self.node(field);
        node.and_then(|node| self.module.metadata.string(node))
            .unwrap_or_default()
    }

    /// Returns a mangled name, without the mark that keeps LLVM from mangling it again.
    pub(super) fn linkage_name(self, field: usize) -> &'a str {
        self.text(field).trim_start_matches('\u{1}')
    }

    /// Returns the function that a value node names.
    pub(super) fn function(self, field: usize) -> Option<FuncId> {
        let value = self.module.metadata.value(self.node(field)?)?;
        match self.module.values.get(value.as_u32() as usize)?.def {
            ValueDef::Function(function) => Some(function),
            _ => None,
        }
    }
}
