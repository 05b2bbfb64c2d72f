//! Sums of products that begin with their last addend ([`Sum`]).

use super::results;
use crate::Result;
use crate::analysis::sums::Sum;
use crate::lower::context::Context;
use crate::lower::types;
use crate::spirv::{GLOp, Id, Op};

/// Returns the sum of an addend and products.
pub(in crate::lower) fn lower(cx: &mut Context<'_>, sum: &Sum) -> Result<Id> {
    let shape = types::shape_of(cx, sum.addend)?;
    let mut result = cx.id(sum.addend)?;
    if sum.subtracted {
        let ty = types::shape_ty(cx, shape)?;
        result = cx.b.emit(Op::FNegate, ty, &[result]);
        types::mark_relaxed(&mut cx.b, &cx.input, shape, result);
    }
    for &[a, b] in &sum.products {
        let [a, b] = cx.ids([a, b])?;
        result = results::glsl_same(cx, GLOp::Fma, shape, &[a, b, result])?;
    }
    Ok(result)
}
