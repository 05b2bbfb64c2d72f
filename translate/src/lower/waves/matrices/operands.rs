//! Operands of pseudo-operations on matrices.

use dxil_frontend::ir::ValueId;

use crate::Result;
use crate::lower::context::Context;
use crate::spirv::Id;

/// Returns the lowered values.
pub(super) fn ids(cx: &mut Context<'_>, values: &[ValueId]) -> Result<Vec<Id>> {
    values.iter().map(|&value| cx.id(value)).collect()
}
