//! Addresses with constant indices.

use dxil_frontend::ir::{Constant, ConstantExpr, FuncView, ValueId};

/// The variable behind constant address arithmetic, or the value itself.
pub(crate) fn behind_constants(view: FuncView<'_>, mut pointer: ValueId) -> ValueId {
    // Constants refer to others of a bounded depth.
    for _ in 0..64 {
        pointer = match view.constant(pointer) {
            Some(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
                match view.constant_elements(pointer, operands).first() {
                    Some(&base) => base,
                    None => break,
                }
            }
            Some(Constant::Expr(ConstantExpr::Cast { value, .. })) => value,
            _ => break,
        };
    }
    pointer
}
