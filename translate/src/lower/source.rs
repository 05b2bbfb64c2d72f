//! Where the code comes from in the source: what lowering says of instructions, functions and variables while it
//! writes them. Nothing happens unless the caller wants to know.

use dxil_frontend::ir::{Constant, FuncId, GlobalId, InstId, ValueDef, ValueId};

use super::Lowering;
use super::context::Value;
use super::memory::variables::Pointer;
use crate::spirv::Id;

impl Lowering<'_> {
    /// The code that follows is that of this instruction.
    pub(super) fn at_source(&mut self, inst: InstId) {
        if let Some(source) = &mut self.source {
            let place = self.view.function.debug_locs.get(inst);
            source.at(&mut self.b, place.copied().flatten());
        }
    }

    /// The code of an operation goes on in a block of its own.
    pub(in crate::lower) fn resume_source(&mut self) {
        if let Some(source) = &mut self.source {
            source.resume(&mut self.b);
        }
    }

    /// The entry block's code begins.
    pub(super) fn begin_source(&mut self, func: FuncId, parameters: usize) {
        if !self.describes_values() {
            return;
        }
        for index in 0..parameters {
            let first = self.view.function.first_value;
            self.source_defines(ValueId::from_u32(first + index as u32));
        }
        if let (Some(source), Some(&id)) = (&mut self.source, self.functions.get(&func)) {
            source.define_function(&mut self.b, func, id);
        }
    }

    /// The value may be named from here on.
    pub(super) fn source_defines(&mut self, value: ValueId) {
        if self.describes_values()
            && let Value::Id(id) = self.values.get(value)
            && let Some(source) = &mut self.source
        {
            source.define(id);
        }
    }

    /// A call that says what a variable of the source is.
    pub(super) fn source_variable(&mut self, inst: InstId) {
        let source = self.source.as_ref();
        let Some(used) = source.and_then(|source| source.variable_use(self.view, inst)) else {
            return;
        };
        let id = match used.is_memory {
            true => self.memory_of_source(used.value),
            false => self.value_of_source(used.value),
        };
        if let (Some(source), Some(id)) = (&mut self.source, id) {
            source.variable_is(&mut self.b, &used, id);
        }
    }

    /// What is described once all code is written.
    pub(super) fn finish_source(&mut self, main: FuncId) {
        let Some(mut source) = self.source.take().filter(|source| source.is_full()) else {
            return;
        };
        let variables = self.b.global_variables();
        let memory = &self.memory;
        let variable_of = |global: GlobalId| match memory.of_global(global)? {
            Pointer::Typed { id, .. } => Some(id).filter(|id| variables.contains(id)),
            Pointer::Cells { .. } | Pointer::Address { .. } => None,
        };
        source.global_variables(&mut self.b, variable_of);
        source.entry_point(&mut self.b, main);
    }

    fn describes_values(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.is_full())
    }

    /// A variable of the function that keeps its type.
    fn memory_of_source(&self, value: ValueId) -> Option<Id> {
        let Value::Pointer(pointer) = self.values.get(value) else {
            return None;
        };
        match self.memory.get(pointer)? {
            Pointer::Typed { id, .. } => Some(id).filter(|&id| self.b.is_local_variable(id)),
            Pointer::Cells { .. } | Pointer::Address { .. } => None,
        }
    }

    /// A value that may be named here.
    fn value_of_source(&mut self, value: ValueId) -> Option<Id> {
        match self.view.value(value)?.def {
            ValueDef::Constant(Constant::Int(_) | Constant::Float(_)) => self.id(value).ok(),
            ValueDef::Inst(_) | ValueDef::Argument(_) => match self.values.get(value) {
                Value::Id(id) => {
                    let source = self.source.as_ref()?;
                    source.is_known_here(id).then_some(id)
                }
                _ => None,
            },
            _ => None,
        }
    }
}
