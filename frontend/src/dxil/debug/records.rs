//! Files, scopes and locations: the nodes of debug information that positions are made of.

use super::DebugInfo;
use super::record::{
    COMPILE_UNIT, COMPOSITE_TYPE, DERIVED_TYPE, FILE, LEXICAL_BLOCK, LEXICAL_BLOCK_FILE, LOCATION,
    NAMESPACE, SUBPROGRAM,
};
use crate::ir::{FuncId, MdId};

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
    /// The scope of the declaration.
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
    /// The enclosing scope.
    pub scope: Option<MdId>,
    /// File.
    pub file: Option<MdId>,
    /// Line, from 1; 0 where only the file changes.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// A scope of names.
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
    /// Returns the enclosing scope.
    pub fn parent(&self) -> Option<MdId> {
        match self {
            Scope::Subprogram(subprogram) => subprogram.scope,
            Scope::Block(block) => block.scope,
            Scope::Namespace(scope, _) | Scope::Type(scope, _) => *scope,
            Scope::File(_) | Scope::Unit(_) => None,
        }
    }

    /// Returns its file.
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
pub struct DebugLocation {
    /// Line, from 1; 0 is unknown.
    pub line: u32,
    /// Column, from 1; 0 is unknown.
    pub column: u32,
    /// The scope.
    pub scope: Option<MdId>,
    /// The location of the call that was inlined.
    pub inlined_at: Option<MdId>,
}

impl<'a> DebugInfo<'a> {
    /// Returns a file.
    pub fn file(self, id: MdId) -> Option<File<'a>> {
        let record = self.record(id, FILE)?;
        let name = record.text(1);
        (!name.is_empty()).then(|| File {
            name,
            directory: record.text(2),
        })
    }

    /// Returns a location.
    pub fn location(self, id: MdId) -> Option<DebugLocation> {
        let record = self.record(id, LOCATION)?;
        Some(DebugLocation {
            line: record.u32(1),
            column: record.u32(2),
            // LLVM's writer stores a location's scope without the bias that marks null elsewhere:
            // it is never null.
            scope: record.node_unbiased(3),
            inlined_at: record.node(4),
        })
    }

    /// Returns a function of the source.
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

    /// Returns a scope.
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
