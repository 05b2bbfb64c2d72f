//! Scopes: the compile unit, functions, blocks, and inlined calls.

use dxil_frontend::dxil::debug::{LexicalBlock, Scope, Subprogram};
use dxil_frontend::ir::MdId;

use super::{HLSL, MAX_DEPTH, SourceWriter, flag, instruction::DebugInstruction};
use crate::spirv::{Builder, Id};

impl<'a> SourceWriter<'a> {
    /// Returns the compile unit. There is one, of the main file.
    pub(super) fn unit(&mut self, b: &mut Builder) -> Id {
        /// Version of the instruction set, and of DWARF, whose terms it uses; DXC writes the same.
        const VERSION: u32 = 1;
        const DWARF: u32 = 4;
        if let Some(id) = self.unit {
            return id;
        }
        let main = self.info.main_file().map_or("", |file| file.name);
        let source = self.file(b, main).id;
        let numbers = [VERSION, DWARF, HLSL].map(|number| b.const_u32(number));
        let operands = [numbers[0], numbers[1], source, numbers[2]];
        let id = self.global(b, DebugInstruction::DebugCompilationUnit, &operands);
        self.unit = Some(id);
        id
    }

    /// Returns source, line and column as operands; the main file and line 0 if no file is given.
    pub(super) fn declared(
        &mut self,
        b: &mut Builder,
        file: Option<MdId>,
        line: u32,
        column: u32,
    ) -> [Id; 3] {
        let named = file.and_then(|file| self.info.file(file));
        let (line, column) = match named {
            Some(_) => (line, column),
            None => (0, 0),
        };
        let file = named.or_else(|| self.info.main_file());
        let file = self.file(b, file.map_or("", |file| file.name));
        let (line, column) = file.clamped(line, column);
        let source = file.id;
        [source, b.const_u32(line), b.const_u32(column)]
    }

    /// Returns a scope: a function, a block, or the compile unit for everything else.
    pub(super) fn scope(&mut self, b: &mut Builder, id: MdId, depth: u32) -> Id {
        if let Some(&known) = self.scopes.get(&id) {
            return known;
        }
        let scope = if depth < MAX_DEPTH {
            self.info.scope(id)
        } else {
            None
        };
        let made = match scope {
            Some(Scope::Subprogram(subprogram)) => self.function(b, &subprogram),
            Some(Scope::Block(block)) => self.block(b, &block, depth),
            _ => self.unit(b),
        };
        // The recursion has written a block that is its own parent already.
        *self.scopes.entry(id).or_insert(made)
    }

    fn function(&mut self, b: &mut Builder, subprogram: &Subprogram<'a>) -> Id {
        let unit = self.unit(b);
        let ty = self.function_type(b, subprogram.ty);
        let name = self.string(b, subprogram.name);
        let linkage = self.string(b, subprogram.linkage_name);
        let [source, line, column] = self.declared(b, subprogram.file, subprogram.line, 1);
        let flags = b.const_u32(flag::PUBLIC);
        let body = b.const_u32(subprogram.scope_line);
        let operands = [name, ty, source, line, column, unit, linkage, flags, body];
        self.global(b, DebugInstruction::DebugFunction, &operands)
    }

    fn block(&mut self, b: &mut Builder, block: &LexicalBlock, depth: u32) -> Id {
        let parent = match block.scope {
            Some(scope) => self.scope(b, scope, depth + 1),
            None => self.unit(b),
        };
        // Such a scope only changes the file, which positions name themselves.
        if block.line == 0 {
            return parent;
        }
        let [source, line, column] = self.declared(b, block.file, block.line, block.column);
        self.global(
            b,
            DebugInstruction::DebugLexicalBlock,
            &[source, line, column, parent],
        )
    }

    /// Returns the `DebugInlinedAt` of a `DILocation`.
    pub(super) fn inlined_at(&mut self, b: &mut Builder, id: MdId, depth: u32) -> Option<Id> {
        if let Some(&known) = self.inlined.get(&id) {
            return known;
        }
        if depth >= MAX_DEPTH {
            return None;
        }
        // Ends the recursion of a location that was inlined at itself.
        self.inlined.insert(id, None);
        let location = self.info.location(id)?;
        let outer = match location.inlined_at {
            Some(outer) => self.inlined_at(b, outer, depth + 1),
            None => None,
        };
        let scope = self.scope(b, location.scope?, 0);
        let mut operands = vec![b.const_u32(location.line), scope];
        operands.extend(outer);
        let made = Some(self.global(b, DebugInstruction::DebugInlinedAt, &operands));
        self.inlined.insert(id, made);
        made
    }
}
