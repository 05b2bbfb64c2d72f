//! Entry points around the shader's own functions, where SPIR-V wants more of one than D3D12 does: hull
//! and amplification shaders.

use dxil_frontend::ir::FuncId;

use super::Lowering;
use crate::spirv::{Id, Op};
use crate::{Error, Result};

impl Lowering<'_> {
    /// A function without parameters and result; `code` ends its last block.
    pub(super) fn entry_around(
        &mut self,
        code: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Id> {
        let void = self.b.void();
        let function_ty = self.b.function_type(void, &[]);
        let id = self.b.fresh();
        let begun = self.b.begin_function(id, void, function_ty);
        let label = self.b.fresh();
        self.b.entry_label(label);
        code(self)?;
        Ok(self.b.end_function(begun))
    }

    /// Calls one of the functions that the API starts.
    pub(super) fn call_root(&mut self, function: FuncId) -> Result<()> {
        let callee = self
            .functions
            .get(&function)
            .copied()
            .ok_or_else(|| Error::malformed("a function that the API starts has no body"))?;
        let void = self.b.void();
        self.b.emit(Op::FunctionCall, void, &[callee]);
        Ok(())
    }

    /// Code that only the invocation with number 0 runs.
    pub(super) fn only_first(
        &mut self,
        invocation: Id,
        code: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let zero = self.b.const_u32(0);
        let bool_ty = self.b.bool();
        let first = self.b.emit(Op::IEqual, bool_ty, &[invocation, zero]);
        let (then, merge) = (self.b.fresh(), self.b.fresh());
        self.b.emit_void(Op::SelectionMerge, &[merge.0, 0]);
        self.b
            .emit_void(Op::BranchConditional, &[first, then, merge]);
        self.b.label(then);
        code(self)?;
        self.b.emit_void(Op::Branch, &[merge]);
        self.b.label(merge);
        Ok(())
    }
}
