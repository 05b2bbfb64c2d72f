//! Files, scopes and locations: the nodes of debug information that positions are made of.
//!
//! The layouts of the records are those of LLVM 3.7's bitcode writer: the first number says whether
//! the node is distinct; references to nodes are one more than the node's number, and 0 is none.

use super::DebugInfo;
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
pub(super) struct Record<'a> {
    module: &'a Module,
    numbers: &'a [u64],
}

impl<'a> Record<'a> {
    pub(super) fn new(module: &'a Module, numbers: &'a [u64]) -> Self {
        Record { module, numbers }
    }

    /// The numbers from that field on.
    pub(super) fn rest(self, field: usize) -> &'a [u64] {
        self.numbers.get(field..).unwrap_or_default()
    }

    /// A number.
    pub(super) fn number(self, field: usize) -> Option<u64> {
        self.numbers.get(field).copied()
    }

    /// A number of up to 32 bits; 0 where it is absent or larger.
    pub(super) fn u32(self, field: usize) -> u32 {
        let number = self.number(field).unwrap_or(0);
        u32::try_from(number).unwrap_or(0)
    }

    /// A node, whose number plus one is given.
    pub(super) fn node(self, field: usize) -> Option<MdId> {
        self.resolve(self.number(field)?.checked_sub(1)?)
    }

    /// A node, whose number is given.
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

    /// A string; empty where it is absent.
    pub(super) fn text(self, field: usize) -> &'a str {
        let node = self.node(field);
        node.and_then(|node| self.module.metadata.string(node))
            .unwrap_or_default()
    }

    /// A mangled name, without the mark that keeps LLVM from mangling it again.
    pub(super) fn linkage_name(self, field: usize) -> &'a str {
        self.text(field).trim_start_matches('\u{1}')
    }

    /// The function that a value node names.
    pub(super) fn function(self, field: usize) -> Option<FuncId> {
        let value = self.module.metadata.value(self.node(field)?)?;
        match self.module.values.get(value.as_u32() as usize)?.def {
            ValueDef::Function(function) => Some(function),
            _ => None,
        }
    }
}

/// DIFile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File<'a> {
    /// Name, as the compiler was given it.
    pub name: &'a str,
    /// Directory that the name counts from; often empty.
    pub directory: &'a str,
}

/// DISubprogram: a function of the source, also one that was inlined everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subprogram<'a> {
    /// What it is declared in.
    pub scope: Option<MdId>,
    /// Name in the source.
    pub name: &'a str,
    /// Mangled name; may be empty.
    pub linkage_name: &'a str,
    /// File.
    pub file: Option<MdId>,
    /// Line of the declaration.
    pub line: u32,
    /// Type.
    pub ty: Option<MdId>,
    /// Line of the body.
    pub scope_line: u32,
    /// The function that it became.
    pub function: Option<FuncId>,
}

/// DILexicalBlock: a block of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LexicalBlock {
    /// What it lies in.
    pub scope: Option<MdId>,
    /// File.
    pub file: Option<MdId>,
    /// Line, from 1; 0 where only the file changes.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// Where a name is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope<'a> {
    /// A function.
    Subprogram(Subprogram<'a>),
    /// A block of statements; a block that only changes the file has line 0.
    Block(LexicalBlock),
    /// A namespace: what it lies in, and its file.
    Namespace(Option<MdId>, Option<MdId>),
    /// A type.
    Type(Option<MdId>, Option<MdId>),
    /// A file.
    File(MdId),
    /// A compile unit, with its file.
    Unit(Option<MdId>),
}

impl Scope<'_> {
    /// What it lies in.
    pub fn parent(&self) -> Option<MdId> {
        match self {
            Scope::Subprogram(subprogram) => subprogram.scope,
            Scope::Block(block) => block.scope,
            Scope::Namespace(scope, _) | Scope::Type(scope, _) => *scope,
            Scope::File(_) | Scope::Unit(_) => None,
        }
    }

    /// Its file.
    pub fn file(&self) -> Option<MdId> {
        match self {
            Scope::Subprogram(subprogram) => subprogram.file,
            Scope::Block(block) => block.file,
            Scope::Namespace(_, file) | Scope::Type(_, file) => *file,
            Scope::File(file) => Some(*file),
            Scope::Unit(file) => *file,
        }
    }
}

/// DILocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Line, from 1; 0 is unknown.
    pub line: u32,
    /// Column, from 1; 0 is unknown.
    pub column: u32,
    /// The scope.
    pub scope: Option<MdId>,
    /// Where this was inlined at.
    pub inlined_at: Option<MdId>,
}

impl<'a> DebugInfo<'a> {
    /// A file.
    pub fn file(self, id: MdId) -> Option<File<'a>> {
        let record = self.record(id, FILE)?;
        let name = record.text(1);
        (!name.is_empty()).then(|| File {
            name,
            directory: record.text(2),
        })
    }

    /// A location.
    pub fn location(self, id: MdId) -> Option<Location> {
        let record = self.record(id, LOCATION)?;
        Some(Location {
            line: record.u32(1),
            column: record.u32(2),
            scope: record.node_unbiased(3),
            inlined_at: record.node(4),
        })
    }

    /// A function of the source.
    pub fn subprogram(self, id: MdId) -> Option<Subprogram<'a>> {
        let record = self.record(id, SUBPROGRAM)?;
        Some(Subprogram {
            scope: record.node(1),
            name: record.text(2),
            linkage_name: record.linkage_name(3),
            file: record.node(4),
            line: record.u32(5),
            ty: record.node(6),
            scope_line: record.u32(9),
            function: record.function(15),
        })
    }

    /// A scope.
    pub fn scope(self, id: MdId) -> Option<Scope<'a>> {
        let code = self.code(id)?;
        let record = self.record(id, code)?;
        Some(match code {
            SUBPROGRAM => Scope::Subprogram(self.subprogram(id)?),
            LEXICAL_BLOCK => Scope::Block(LexicalBlock {
                scope: record.node(1),
                file: record.node(2),
                line: record.u32(3),
                column: record.u32(4),
            }),
            LEXICAL_BLOCK_FILE => Scope::Block(LexicalBlock {
                scope: record.node(1),
                file: record.node(2),
                line: 0,
                column: 0,
            }),
            NAMESPACE => Scope::Namespace(record.node(1), record.node(2)),
            DERIVED_TYPE | COMPOSITE_TYPE => Scope::Type(record.node(5), record.node(3)),
            FILE => Scope::File(id),
            COMPILE_UNIT => Scope::Unit(record.node(2)),
            _ => return None,
        })
    }
}
