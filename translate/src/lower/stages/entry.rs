//! Entry points around the shader's own functions, where SPIR-V needs more than D3D12's function:
//! hull and amplification shaders, and arrays that are passed between stages row by row.

use dxil_frontend::ir::FuncId;

use crate::lower::context::Context;
use crate::lower::signatures::state::{Direction, RowVariables};
use crate::lower::stages::group_contents;
use crate::spirv::{Builder, Id, Op, StorageClass};
use crate::{Error, Result};

/// Returns a function without parameters and result; `code` ends its last block.
pub(in crate::lower) fn wrap(
    cx: &mut Context<'_>,
    code: impl FnOnce(&mut Context<'_>) -> Result<()>,
) -> Result<Id> {
    let void = cx.b.void();
    let function_ty = cx.b.function_type(void, &[]);
    let id = cx.b.fresh();
    let begun = cx.b.begin_function(id, void, function_ty);
    let label = cx.b.fresh();
    cx.b.entry_label(label);
    // Only the label is reset: the wrapper has no other state of a block yet.
    cx.block.label = label;
    code(cx)?;
    Ok(cx.b.end_function(begun))
}

/// Calls one of the shader's entry functions, for a group that begins.
pub(in crate::lower) fn call_root(cx: &mut Context<'_>, function: FuncId) -> Result<()> {
    let callee = cx.module.functions[function]
        .ok_or_else(|| Error::malformed("an entry function has no body"))?;
    group_contents::store(cx);
    let void = cx.b.void();
    cx.b.emit(Op::FunctionCall, void, &[callee]);
    Ok(())
}

/// Fills arrays of inputs from the variables of their rows, runs the shader, and empties those of
/// outputs.
pub(super) fn wrap_rows(cx: &mut Context<'_>, main: FuncId) -> Result<Id> {
    // Taken, since the copies borrow the builder of the same context.
    let rows = std::mem::take(&mut cx.module.stage_io.rows);
    wrap(cx, |cx| {
        for array in rows.iter().filter(|r| r.direction == Direction::Input) {
            copy_rows(&mut cx.b, array, StorageClass::Input);
        }
        call_root(cx, main)?;
        for array in rows.iter().filter(|r| r.direction == Direction::Output) {
            copy_rows(&mut cx.b, array, StorageClass::Output);
        }
        cx.b.emit_void::<u32>(Op::Return, &[]);
        Ok(())
    })
}

fn copy_rows(b: &mut Builder, rows: &RowVariables, class: StorageClass) {
    let pointer = b.pointer(StorageClass::Private, rows.row_ty);
    for (row, &variable) in (0..).zip(&rows.variables) {
        let mut inner = rows.inner;
        if rows.is_array {
            let row = b.const_u32(row);
            inner = b.access_chain(pointer, inner, &[row]);
        }
        let ((from, from_ty), (to, to_ty)) = match class {
            StorageClass::Input => ((variable, rows.outer_ty), (inner, rows.row_ty)),
            _ => ((inner, rows.row_ty), (variable, rows.outer_ty)),
        };
        let mut value = b.load(from_ty, from);
        // Only the sign of integers differs, which keeps the bits.
        if from_ty != to_ty {
            value = b.bitcast(to_ty, value);
        }
        b.store(to, value);
    }
}

/// Writes code that only invocation 0 runs.
pub(super) fn only_first(
    cx: &mut Context<'_>,
    invocation: Id,
    code: impl FnOnce(&mut Context<'_>) -> Result<()>,
) -> Result<()> {
    let zero = cx.b.const_u32(0);
    let bool_ty = cx.b.bool();
    let first = cx.b.emit(Op::IEqual, bool_ty, &[invocation, zero]);
    let (then, merge) = (cx.b.fresh(), cx.b.fresh());
    cx.b.emit_void(Op::SelectionMerge, &[merge.0, 0]);
    cx.b.emit_void(Op::BranchConditional, &[first, then, merge]);
    cx.b.label(then);
    code(cx)?;
    cx.b.emit_void(Op::Branch, &[merge]);
    cx.b.label(merge);
    Ok(())
}
