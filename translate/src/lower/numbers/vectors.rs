//! Operations that make a scalar of whole vectors.

use dxil_frontend::ir::ValueId;

use crate::lower::context::Context;
use crate::lower::numbers::arithmetic;
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::Op;
use crate::{Error, Result};

/// Returns whether all or any elements of a vector are true: `op` is `OpAll` or `OpAny`.
pub(in crate::lower) fn reduce(
    cx: &mut Context<'_>,
    op: Op,
    vector: ValueId,
) -> Result<LoweredValue> {
    if types::vector_shape(cx, vector)?.scalar != Scalar::Bool {
        return Err(Error::malformed("a reduction of scalars"));
    }
    let id = cx.id(vector)?;
    let ty = cx.b.bool();
    Ok(LoweredValue::Id(cx.b.emit(op, ty, &[id])))
}

/// Returns the dot product of two vectors.
pub(in crate::lower) fn dot(
    cx: &mut Context<'_>,
    call: &Call,
    a: ValueId,
    b: ValueId,
) -> Result<LoweredValue> {
    let shape = types::vector_shape(cx, a)?;
    let operands = cx.ids([a, b])?;
    let scalar = NumericShape::scalar(shape.scalar);
    arithmetic::dot_of(cx, call, scalar, operands)
}
