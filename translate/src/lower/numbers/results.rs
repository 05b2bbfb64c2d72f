//! Results of operations on one type, and of operations that return pairs.

use crate::Result;
use crate::lower::context::{Context, FunctionState};
use crate::lower::type_map::NumericShape;
use crate::lower::types;
use crate::lower::values::{LoweredValue, StructMember};
use crate::spirv::{GLOp, Id};

/// Returns a struct of two known members.
pub(in crate::lower) fn pair(function: &mut FunctionState<'_>, a: Id, b: Id) -> LoweredValue {
    function
        .values
        .parts([StructMember::Id(a), StructMember::Id(b)])
}

/// Returns a `GLSL.std.450` instruction on values of one shape, with that shape as its result.
pub(super) fn glsl_same(
    cx: &mut Context<'_>,
    op: GLOp,
    shape: NumericShape,
    operands: &[Id],
) -> Result<Id> {
    let ty = types::shape_ty(cx, shape)?;
    let id = cx.b.glsl(op, ty, operands);
    types::mark_relaxed(&mut cx.b, &cx.input, shape, id);
    Ok(id)
}
