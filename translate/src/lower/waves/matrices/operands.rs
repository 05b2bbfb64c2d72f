//! Operands of pseudo-operations on matrices.

use dxil_frontend::ir::{FuncView, ValueId};

use crate::lower::context::Context;
use crate::spirv::Id;
use crate::vendor::matrix::MatrixType;
use crate::{Error, Result};

/// Returns a constant operand.
pub(super) fn constant(view: FuncView<'_>, value: ValueId) -> Result<u32> {
    let value = view.constant_int(value);
    value
        .map(|value| value as u32)
        .ok_or_else(|| Error::internal("an operand of a matrix operation that is not constant"))
}

/// Returns the type that a constant operand names.
pub(super) fn type_of(view: FuncView<'_>, value: ValueId) -> Result<MatrixType> {
    MatrixType::of(constant(view, value)?)
        .ok_or_else(|| Error::internal("a type of matrices that there is not"))
}

/// Returns the lowered values.
pub(super) fn ids(cx: &mut Context<'_>, values: &[ValueId]) -> Result<Vec<Id>> {
    values.iter().map(|&value| cx.id(value)).collect()
}
