//! Debug information (`-Zi`): what in the source an instruction, a variable and a type come from.
//!
//! The metadata is LLVM 3.7's ("Source Level Debugging with LLVM"), and DXC adds named lists with
//! the sources themselves. Decoding a module keeps the nodes as they stand in the file. The
//! functions here read them on demand, so a caller without use for debug information pays nothing.
//!
//! Debug information is never a reason to refuse a shader: what cannot be read is absent. Nodes may
//! refer to each other in cycles, so every walk along them is bounded.

mod record;
mod records;
mod sources;
mod types;
mod variables;

use cranelift_entity::EntityRef;

pub use records::{DebugLocation, File, LexicalBlock, Scope, Subprogram};
pub use sources::{Source, Sources};
pub use types::{BasicType, CompositeType, DebugType, DerivedType, SubroutineType, tag};
pub use variables::{Expression, GlobalVariable, LocalVariable, VariableUse};

use record::{COMPILE_UNIT, NodeFields};

use crate::error::SourcePosition;
use crate::ir::{DebugLoc, FuncId, InstId, MdId, MdNode, Module};

/// Maximum number of scopes between a position and its function, and most calls that were inlined
/// into each other.
const MAX_DEPTH: usize = 256;

/// The debug information of a module.
#[derive(Debug, Clone, Copy)]
pub struct DebugInfo<'a> {
    module: &'a Module,
}

/// A place in a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position<'a> {
    /// Name of the file, as the compiler was given it.
    pub file: &'a str,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 is unknown.
    pub column: u32,
}

impl From<Position<'_>> for SourcePosition {
    fn from(position: Position<'_>) -> Self {
        SourcePosition {
            file: position.file.into(),
            line: position.line,
            column: position.column,
        }
    }
}

impl<'a> DebugInfo<'a> {
    /// Returns the debug information of that module, if it has any.
    pub fn of(module: &'a Module) -> Option<Self> {
        let info = DebugInfo { module };
        info.units().next().map(|_| info)
    }

    /// Returns the module.
    pub fn module(self) -> &'a Module {
        self.module
    }

    /// Returns the compile units (`!llvm.dbg.cu`).
    pub fn units(self) -> impl Iterator<Item = MdId> + 'a {
        let nodes = self.module.metadata.named("llvm.dbg.cu");
        nodes.filter(move |&node| self.record(node, COMPILE_UNIT).is_some())
    }

    /// Returns the file that a compile unit is made of.
    pub fn main_file(self) -> Option<File<'a>> {
        let unit = self.units().next()?;
        self.file(self.record(unit, COMPILE_UNIT)?.node(2)?)
    }

    /// Returns the subprogram that became that function of the module.
    pub fn subprogram_of(self, function: FuncId) -> Option<MdId> {
        self.subprograms()
            .find(|&node| self.subprogram(node).and_then(|s| s.function) == Some(function))
    }

    /// Returns all subprograms that the compile units list.
    pub fn subprograms(self) -> impl Iterator<Item = MdId> + 'a {
        self.listed(11)
    }

    /// Returns the members of a list that a compile unit names in the given field.
    fn listed(self, field: usize) -> impl Iterator<Item = MdId> + 'a {
        let lists = self.units().filter_map(move |unit| {
            let list = self.record(unit, COMPILE_UNIT)?.node(field)?;
            self.module.metadata.tuple(list)
        });
        lists.flatten().copied().flatten()
    }

    /// Returns the source position of an instruction.
    pub fn position(self, place: &DebugLoc) -> Option<Position<'a>> {
        self.position_in(place.line, place.column, place.scope?)
    }

    /// Returns the source position of a location.
    pub fn position_of(self, location: &DebugLocation) -> Option<Position<'a>> {
        self.position_in(location.line, location.column, location.scope?)
    }

    /// Returns a line of the file that a scope is in.
    pub fn position_in(self, line: u32, column: u32, scope: MdId) -> Option<Position<'a>> {
        // Line 0 means that the compiler made the instruction; there is no place to show.
        if line == 0 {
            return None;
        }
        Some(Position {
            file: self.file_of(scope)?.name,
            line,
            column,
        })
    }

    /// Returns the source position of an instruction of a function. An instruction without a
    /// position has that of the next one of its block, or else of the one before.
    pub fn position_near(self, function: FuncId, inst: InstId) -> Option<Position<'a>> {
        let body = self.module.body(function)?;
        let at = |inst: InstId| {
            let place = body.debug_locs.get(inst).copied().flatten()?;
            self.position(&place)
        };
        let block = body
            .blocks
            .values()
            .find(|block| block.first <= inst && inst < block.end)?;
        let after = (inst.index()..block.end.index()).map(InstId::new);
        let before = (block.first.index()..inst.index()).rev().map(InstId::new);
        after.chain(before).find_map(at)
    }

    /// Returns the places that a position was inlined at, innermost first.
    pub fn inlined_at(self, place: &DebugLoc) -> impl Iterator<Item = DebugLocation> + 'a {
        let mut next = place.inlined_at;
        (0..MAX_DEPTH).map_while(move |_| {
            let location = self.location(next?)?;
            next = location.inlined_at;
            Some(location)
        })
    }

    /// Returns the file that a scope is in.
    pub fn file_of(self, scope: MdId) -> Option<File<'a>> {
        self.scopes(scope)
            .find_map(|scope| self.file(scope.file()?))
    }

    /// Returns the function that a scope is in.
    pub fn function_of(self, scope: MdId) -> Option<(MdId, Subprogram<'a>)> {
        let mut next = Some(scope);
        // Bounded, because scopes may refer to each other in cycles.
        for _ in 0..MAX_DEPTH {
            let id = next?;
            match self.scope(id)? {
                Scope::Subprogram(subprogram) => return Some((id, subprogram)),
                other => next = other.parent(),
            }
        }
        None
    }

    /// Returns a scope and those around it, innermost first.
    fn scopes(self, scope: MdId) -> impl Iterator<Item = Scope<'a>> {
        let mut next = Some(scope);
        (0..MAX_DEPTH).map_while(move |_| {
            let scope = self.scope(next?)?;
            next = scope.parent();
            Some(scope)
        })
    }

    /// Returns a node of debug information.
    fn record(self, id: MdId, wanted: u32) -> Option<NodeFields<'a>> {
        match self.module.metadata.nodes.get(id)? {
            MdNode::Debug { code, record } if *code == wanted => {
                Some(NodeFields::new(self.module, record))
            }
            _ => None,
        }
    }

    /// Returns the record code of a node of debug information.
    fn code(self, id: MdId) -> Option<u32> {
        match self.module.metadata.nodes.get(id)? {
            MdNode::Debug { code, .. } => Some(*code),
            _ => None,
        }
    }
}
