//! Entry points around the shader's own functions, where SPIR-V wants more of one than D3D12 does: hull
//! and amplification shaders, and arrays that go from stage to stage row by row.

use dxil_frontend::ir::FuncId;

use crate::lower::Lowering;
use crate::lower::signatures::elements::{Direction, RowVariables};
use crate::spirv::{Id, Op, StorageClass};
use crate::{Error, Result};

impl Lowering<'_> {
    /// A function without parameters and result; `code` ends its last block.
    pub(in crate::lower) fn entry_around(
        &mut self,
        code: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Id> {
        let void = self.b.void();
        let function_ty = self.b.function_type(void, &[]);
        let id = self.b.fresh();
        let begun = self.b.begin_function(id, void, function_ty);
        let label = self.b.fresh();
        self.b.entry_label(label);
        self.place.label = label;
        code(self)?;
        Ok(self.b.end_function(begun))
    }

    /// Calls one of the functions that the API starts.
    pub(in crate::lower) fn call_root(&mut self, function: FuncId) -> Result<()> {
        let callee = self
            .functions
            .get(&function)
            .copied()
            .ok_or_else(|| Error::malformed("a function that the API starts has no body"))?;
        let void = self.b.void();
        self.b.emit(Op::FunctionCall, void, &[callee]);
        Ok(())
    }

    /// Fills arrays of inputs from the variables of their rows, runs the shader, and empties those of outputs.
    pub(in crate::lower) fn entry_with_rows(&mut self, main: FuncId) -> Result<Id> {
        let rows = std::mem::take(&mut self.inputs.rows);
        self.entry_around(|l| {
            for array in rows.iter().filter(|r| r.direction == Direction::Input) {
                l.copy_rows(array, StorageClass::Input);
            }
            l.call_root(main)?;
            for array in rows.iter().filter(|r| r.direction == Direction::Output) {
                l.copy_rows(array, StorageClass::Output);
            }
            l.b.emit_void::<u32>(Op::Return, &[]);
            Ok(())
        })
    }

    fn copy_rows(&mut self, rows: &RowVariables, class: StorageClass) {
        let pointer = self.b.pointer(StorageClass::Private, rows.row_ty);
        for (row, &variable) in (0..).zip(&rows.variables) {
            let mut inner = rows.inner;
            if rows.is_array {
                let row = self.b.const_u32(row);
                inner = self.b.access_chain(pointer, inner, &[row]);
            }
            let ((from, from_ty), (to, to_ty)) = match class {
                StorageClass::Input => ((variable, rows.outer_ty), (inner, rows.row_ty)),
                _ => ((inner, rows.row_ty), (variable, rows.outer_ty)),
            };
            let mut value = self.b.load(from_ty, from);
            if from_ty != to_ty {
                value = self.b.bitcast(to_ty, value);
            }
            self.b.store(to, value);
        }
    }

    /// Code that only the invocation with number 0 runs.
    pub(in crate::lower) fn only_first(
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
