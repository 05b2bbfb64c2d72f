//! Variables and their values.

use dxil_frontend::dxil::debug::VariableUse;
use dxil_frontend::ir::{GlobalId, MdId, ValueDef};

use super::{SourceWriter, flag, instruction::DebugInstruction};
use crate::spirv::{Builder, Id};

impl<'a> SourceWriter<'a> {
    /// Returns the description of a local variable, and its type.
    fn local_variable(&mut self, b: &mut Builder, id: MdId) -> Option<Id> {
        if let Some(&known) = self.variables.get(&id) {
            return known;
        }
        self.variables.insert(id, None);
        let variable = self.info.local_variable(id)?;
        let ty = self.ty(b, variable.ty?, 0)?;
        let parent = self.scope(b, variable.scope?, 0);
        let name = self.string(b, variable.name);
        let [source, line, column] = self.declared(b, variable.file, variable.line, 1);
        let flags = b.const_u32(flag::LOCAL);
        let mut operands = vec![name, ty, source, line, column, parent, flags];
        if variable.parameter > 0 {
            operands.push(b.const_u32(variable.parameter));
        }
        let made = Some(self.global(b, DebugInstruction::DebugLocalVariable, &operands));
        self.variables.insert(id, made);
        made
    }

    /// Writes the value or memory, `id`, that a variable or a piece of it has from here on.
    pub(crate) fn variable_is(&mut self, b: &mut Builder, used: &VariableUse, id: Id) {
        let write = |writer: &mut Self, b: &mut Builder| {
            let ty = writer.info.local_variable(used.variable)?.ty?;
            let path = match used.expression.piece {
                Some((offset, size)) => writer.path_to(ty, offset, size)?,
                None => Vec::new(),
            };
            let variable = writer.local_variable(b, used.variable)?;
            let expression = match writer.expression {
                Some(expression) => expression,
                None => writer.global(b, DebugInstruction::DebugExpression, &[]),
            };
            writer.expression = Some(expression);
            let mut operands = vec![variable, id, expression];
            operands.extend(path.into_iter().map(|index| b.const_u32(index)));
            let instruction = if used.is_memory {
                DebugInstruction::DebugDeclare
            } else {
                DebugInstruction::DebugValue
            };
            writer.local(b, instruction, &operands);
            Some(())
        };
        // A variable that cannot be described is left out.
        let _ = write(self, b);
    }

    /// Describes the global variables; `variable_of` gives the SPIR-V variable of a global of the
    /// module, `resource_of` that of a resource by its name. Optimized modules have no globals for
    /// resources any more.
    pub(crate) fn global_variables(
        &mut self,
        b: &mut Builder,
        variable_of: impl Fn(GlobalId) -> Option<Id>,
        resource_of: impl Fn(&str) -> Option<Id>,
    ) {
        let nodes: Vec<MdId> = self
            .info
            .global_variables()
            .take(self.operands_left)
            .collect();
        for node in nodes {
            if self.variables.contains_key(&node) {
                continue;
            }
            let made = self.global_variable(b, node, &variable_of, &resource_of);
            self.variables.insert(node, made);
        }
    }

    fn global_variable(
        &mut self,
        b: &mut Builder,
        node: MdId,
        variable_of: impl Fn(GlobalId) -> Option<Id>,
        resource_of: impl Fn(&str) -> Option<Id>,
    ) -> Option<Id> {
        let global = self.info.global_variable(node)?;
        let ty = self.ty(b, global.ty?, 0)?;
        let unit = self.unit(b);
        let name = self.string(b, global.name);
        let linkage = self.string(b, global.linkage_name);
        let [source, line, column] = self.declared(b, global.file, global.line, 1);
        let value = global.value.and_then(|value| {
            let data = self.info.module().values.get(value.as_u32() as usize)?;
            match data.def {
                ValueDef::Global(global) => Some(global),
                _ => None,
            }
        });
        let variable = value
            .and_then(variable_of)
            .or_else(|| resource_of(global.name));
        let variable = match variable {
            Some(variable) => variable,
            None => self.nothing(b),
        };
        let flags = b.const_u32(flag::DEFINITION);
        let operands = [
            name, ty, source, line, column, unit, linkage, variable, flags,
        ];
        Some(self.global(b, DebugInstruction::DebugGlobalVariable, &operands))
    }
}
