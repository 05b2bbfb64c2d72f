//! Operations on a handle that is one of several differently declared resources.
//!
//! Such a handle's integer holds the view and the index ([`FunctionPlan::choices`]). The operation
//! is written once per view: under a condition, so that it only accesses the selected resource; or,
//! where it takes derivatives of its coordinates, for all lanes, and the result is selected
//! afterwards.
//!
//! [`FunctionPlan::choices`]: crate::interface::FunctionPlan::choices

use dxil_frontend::dxil::ops::Op;
use dxil_frontend::ir::{Type, TypeId, ValueId};

use crate::interface::{CHOICE_SHIFT, FunctionPlan, ViewId, handles_of};
use crate::lower::context::{Context, Input};
use crate::lower::images::sample;
use crate::lower::resources::{descriptor_arrays, handle_values};
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::lower::{blocks, types};
use crate::spirv::{Id, Op as SpirvOp};
use crate::{Error, Result};

/// Maximum number of copies of operations in a module: a small container must not become a huge
/// module.
const MAX_COPIES: u32 = 1 << 16;

/// The members of a result that are used.
struct Results {
    /// Places in the struct; of a scalar 0.
    members: Vec<u32>,
    /// Type, this view's value, and the value of the views before it.
    values: Vec<(Id, Id, Id)>,
}

/// Lowers an operation, once per resource that its handles may refer to.
#[inline]
pub(in crate::lower) fn op_on_choices(
    cx: &mut Context<'_>,
    call: &Call,
    op: &Op,
) -> Result<LoweredValue> {
    match cx.function.plan {
        Some(plan) if plan.has_choices() => op_on_chosen(cx, call, op, plan),
        _ => descriptor_arrays::op_on_elements(cx, call, op),
    }
}

fn op_on_chosen(
    cx: &mut Context<'_>,
    call: &Call,
    op: &Op,
    plan: &FunctionPlan,
) -> Result<LoweredValue> {
    let handles: Vec<(ValueId, &[ViewId])> = handles_of(op)
        .into_iter()
        .flatten()
        .filter_map(|handle| Some((handle, plan.choices(handle)?)))
        .collect();
    op_once_per_view(cx, call, op, &handles)
}

fn op_once_per_view(
    cx: &mut Context<'_>,
    call: &Call,
    op: &Op,
    handles: &[(ValueId, &[ViewId])],
) -> Result<LoweredValue> {
    let Some((&(handle, views), rest)) = handles.split_first() else {
        return descriptor_arrays::op_on_elements(cx, call, op);
    };
    let word = cx.b.u32();
    let bool_ty = cx.b.bool();
    let id = cx.id(handle)?;
    let choice = cx.b.u32_shr(id, CHOICE_SHIFT);
    let index = cx.b.u32_and(id, handle_values::INDEX_BITS);
    let for_all_lanes =
        sample::has_derivatives(&cx.input) && descriptor_arrays::takes_derivatives(op);
    let mut results = joined_results(cx, call)?;
    for &view in views {
        // Counted per view, because nested handles multiply.
        cx.module.resources.copies += 1;
        if cx.module.resources.copies > MAX_COPIES {
            return Err(Error::unsupported(
                "handles that may refer to many resources, in many operations",
            ));
        }
        let number = cx.b.const_u32(view.0);
        let is_meant = cx.b.emit(SpirvOp::IEqual, bool_ty, &[choice, number]);
        // Lanes that chose another view read index 0 of this one, which exists; their result is not
        // taken.
        if for_all_lanes {
            let zero = cx.b.const_u32(0);
            let own = cx.b.select(word, is_meant, index, zero);
            op_on_view(cx, call, op, rest, (handle, view, own), &mut results)?;
            for (ty, value, otherwise) in &mut results.values {
                *otherwise = cx.b.select(*ty, is_meant, *value, *otherwise);
            }
        } else {
            let part = blocks::begin_if(cx, is_meant);
            op_on_view(cx, call, op, rest, (handle, view, index), &mut results)?;
            blocks::end_if_with_all(cx, part, &mut results.values);
        }
    }
    result_of(cx, call, &results)
}

/// Lowers the operation on one view.
fn op_on_view(
    cx: &mut Context<'_>,
    call: &Call,
    op: &Op,
    rest: &[(ValueId, &[ViewId])],
    chosen: (ValueId, ViewId, Id),
    results: &mut Results,
) -> Result<()> {
    // The view is pushed for the inner operation only: handles of the same value elsewhere keep
    // their choice.
    cx.module.resources.chosen.push(chosen);
    let result = op_once_per_view(cx, call, op, rest);
    cx.module.resources.chosen.pop();
    let result = result?;
    for (&member, (ty, value, _)) in results.members.iter().zip(&mut results.values) {
        *value = match result {
            LoweredValue::Id(id) if is_struct(&cx.input, call.ty) => cx.b.extract(*ty, id, member),
            LoweredValue::Id(id) => id,
            LoweredValue::Parts(parts) => {
                let fields = types::fields(&cx.input, call.ty)?;
                let field = fields.get(member as usize).copied().unwrap_or(call.ty);
                cx.part(parts, member, field)?
            }
            LoweredValue::Unset | LoweredValue::Pointer(_) => cx.b.const_null(*ty),
        };
    }
    Ok(())
}

/// Returns the members that are used; zero before the first view.
fn joined_results(cx: &mut Context<'_>, call: &Call) -> Result<Results> {
    let mut results = Results {
        members: Vec::new(),
        values: Vec::new(),
    };
    let Some(result) = call.result else {
        return Ok(results);
    };
    let fields = if is_struct(&cx.input, call.ty) {
        types::fields(&cx.input, call.ty)?
    } else {
        std::slice::from_ref(&call.ty)
    };
    let used = if is_struct(&cx.input, call.ty) {
        cx.function.used_members(result)
    } else {
        1
    };
    for (member, &field) in fields.iter().enumerate() {
        if member < 8 && used >> member & 1 != 0 {
            let ty = types::lower(cx, field)?;
            let zero = cx.b.const_null(ty);
            results.members.push(member as u32);
            results.values.push((ty, zero, zero));
        }
    }
    Ok(results)
}

/// Returns the result of all views together.
fn result_of(cx: &mut Context<'_>, call: &Call, results: &Results) -> Result<LoweredValue> {
    if call.result.is_none() {
        return Ok(LoweredValue::Unset);
    }
    if !is_struct(&cx.input, call.ty) {
        let only = results.values.first();
        return Ok(only.map_or(LoweredValue::Unset, |&(_, _, id)| LoweredValue::Id(id)));
    }
    let mut parts = Vec::new();
    for (index, &field) in types::fields(&cx.input, call.ty)?.iter().enumerate() {
        let position = results.members.iter().position(|&m| m as usize == index);
        let known = position.and_then(|position| results.values.get(position));
        parts.push(StructMember::Id(match known {
            Some(&(_, _, id)) => id,
            None => {
                let ty = types::lower(cx, field)?;
                cx.b.undef(ty)
            }
        }));
    }
    Ok(cx.function.values.parts(parts))
}

fn is_struct(input: &Input<'_>, ty: TypeId) -> bool {
    matches!(input.types().get(ty), Type::Struct { .. })
}
