//! What a pass over a body may ask of its module.

use crate::dxil::ops::CalleeTable;
use crate::ir::{DraftFunction, FuncView, Module};

/// The module while one of its bodies is rewritten.
pub(super) struct Context<'a> {
    pub(super) module: &'a Module,
    pub(super) callees: &'a CalleeTable,
}

impl<'a> Context<'a> {
    /// Returns the values of the module and of a body. Its instructions are those of before.
    pub(super) fn view(&self, draft: &'a DraftFunction) -> FuncView<'a> {
        FuncView {
            module: self.module,
            function: &draft.function,
        }
    }
}
