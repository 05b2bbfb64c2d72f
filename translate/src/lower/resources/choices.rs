//! Operations on a handle that is one of several differently declared resources.
//!
//! Such a handle's integer says the view beside the index ([`FunctionPlan::choices`]). The operation is
//! written once per view: under a condition, so that only the resource that was meant is touched; or,
//! where it takes derivatives of its coordinates, for all lanes, the right result being selected
//! afterwards.
//!
//! [`FunctionPlan::choices`]: crate::interface::FunctionPlan::choices

use dxil_frontend::dxil::ops::Op;
use dxil_frontend::ir::{Type, TypeId, ValueId};

use crate::interface::{CHOICE_SHIFT, ViewId, handles_of};
use crate::lower::Lowering;
use crate::lower::context::{Call, Part, Value};
use crate::spirv::{Id, Op as SpirvOp};
use crate::{Error, Result};

/// Copies of operations that a module may have, so that a small container can't ask for a huge one.
const MOST_COPIES: u32 = 1 << 16;

/// Bits of the index in an integer that says a view too.
const INDEX_BITS: u32 = (1 << CHOICE_SHIFT) - 1;

/// What of a result is looked at.
struct Results {
    /// Places in the struct; of a scalar 0.
    members: Vec<u32>,
    /// Type, what this view gave, and what all before it gave.
    values: Vec<(Id, Id, Id)>,
}

impl Lowering<'_> {
    /// The integer of a created handle: it says the view where the handle may meet others.
    pub(in crate::lower) fn tagged(&mut self, call: &Call, index: Id) -> Id {
        let tag = call
            .result
            .and_then(|result| self.resources.function?.tag(result));
        let Some(view) = tag else {
            return index;
        };
        let index = self.b.u32_and(index, INDEX_BITS);
        let high = self.b.const_u32(view.0 << CHOICE_SHIFT);
        self.b.u32_add(index, high)
    }

    /// The index of the descriptor that a handle names.
    pub(in crate::lower) fn descriptor_of(&mut self, handle: ValueId) -> Result<Id> {
        let id = self.id(handle)?;
        let says_view = self
            .resources
            .function
            .is_some_and(|plan| plan.has_choices());
        Ok(match says_view {
            true => self.b.u32_and(id, INDEX_BITS),
            false => id,
        })
    }

    /// Lowers an operation, once per resource that its handles may be.
    pub(in crate::lower) fn op_on_choices(&mut self, call: &Call, op: &Op) -> Result<Value> {
        let Some(plan) = self.resources.function.filter(|plan| plan.has_choices()) else {
            return self.op_on_elements(call, op);
        };
        let handles: Vec<(ValueId, &[ViewId])> = handles_of(op, self.view)
            .into_iter()
            .flatten()
            .filter_map(|handle| Some((handle, plan.choices(handle)?)))
            .collect();
        self.op_once_per_view(call, op, &handles)
    }

    fn op_once_per_view(
        &mut self,
        call: &Call,
        op: &Op,
        handles: &[(ValueId, &[ViewId])],
    ) -> Result<Value> {
        let Some((&(handle, views), rest)) = handles.split_first() else {
            return self.op_on_elements(call, op);
        };
        let word = self.b.u32();
        let bool_ty = self.b.bool();
        let id = self.id(handle)?;
        let said = self.b.u32_shr(id, CHOICE_SHIFT);
        let index = self.b.u32_and(id, INDEX_BITS);
        let for_all_lanes = self.has_derivatives() && takes_derivatives(op);
        let mut results = self.results(call)?;
        for &view in views {
            self.resources.copies += 1;
            if self.resources.copies > MOST_COPIES {
                return Err(Error::unsupported(
                    "handles that are one of many resources, in many operations",
                ));
            }
            let number = self.b.const_u32(view.0);
            let is_meant = self.b.emit(SpirvOp::IEqual, bool_ty, &[said, number]);
            if for_all_lanes {
                let zero = self.b.const_u32(0);
                let own = self.b.select(word, is_meant, index, zero);
                self.op_on_view(call, op, rest, (handle, view, own), &mut results)?;
                for (ty, value, otherwise) in &mut results.values {
                    *otherwise = self.b.select(*ty, is_meant, *value, *otherwise);
                }
            } else {
                let part = self.begin_if(is_meant);
                self.op_on_view(call, op, rest, (handle, view, index), &mut results)?;
                self.end_if_with_all(part, &mut results.values);
            }
        }
        self.result_of(call, &results)
    }

    /// The operation on one view.
    fn op_on_view(
        &mut self,
        call: &Call,
        op: &Op,
        rest: &[(ValueId, &[ViewId])],
        chosen: (ValueId, ViewId, Id),
        results: &mut Results,
    ) -> Result<()> {
        self.resources.chosen.push(chosen);
        let result = self.op_once_per_view(call, op, rest);
        self.resources.chosen.pop();
        let result = result?;
        for (&member, (ty, value, _)) in results.members.iter().zip(&mut results.values) {
            *value = match result {
                Value::Id(id) if self.is_struct(call.ty) => self.b.extract(*ty, id, member),
                Value::Id(id) => id,
                Value::Parts(parts) => {
                    let fields = self.fields(call.ty)?;
                    let field = fields.get(member as usize).copied().unwrap_or(call.ty);
                    self.part(parts, member, field)?
                }
                Value::Unset | Value::Pointer(_) => self.b.const_null(*ty),
            };
        }
        Ok(())
    }

    /// The members that are looked at; zero until a view gives them.
    fn results(&mut self, call: &Call) -> Result<Results> {
        let mut results = Results {
            members: Vec::new(),
            values: Vec::new(),
        };
        let Some(result) = call.result else {
            return Ok(results);
        };
        let fields = match self.is_struct(call.ty) {
            true => self.fields(call.ty)?,
            false => std::iter::once(call.ty).collect(),
        };
        let used = match self.is_struct(call.ty) {
            true => self.resources.used_members(result),
            false => 1,
        };
        for (member, &field) in fields.iter().enumerate() {
            if member < 8 && used >> member & 1 != 0 {
                let ty = self.ty(field)?;
                let zero = self.b.const_null(ty);
                results.members.push(member as u32);
                results.values.push((ty, zero, zero));
            }
        }
        Ok(results)
    }

    /// The result that was put together for all views.
    fn result_of(&mut self, call: &Call, results: &Results) -> Result<Value> {
        if call.result.is_none() {
            return Ok(Value::Unset);
        }
        if !self.is_struct(call.ty) {
            let only = results.values.first();
            return Ok(only.map_or(Value::Unset, |&(_, _, id)| Value::Id(id)));
        }
        let mut parts = Vec::new();
        for (index, &field) in self.fields(call.ty)?.iter().enumerate() {
            let place = results.members.iter().position(|&m| m as usize == index);
            let known = place.and_then(|place| results.values.get(place));
            parts.push(Part::Id(match known {
                Some(&(_, _, id)) => id,
                None => {
                    let ty = self.ty(field)?;
                    self.b.undef(ty)
                }
            }));
        }
        Ok(self.values.parts(parts))
    }

    fn is_struct(&self, ty: TypeId) -> bool {
        matches!(self.view.module.types.get(ty), Type::Struct { .. })
    }
}

/// Whether the operation looks at its neighbours' coordinates, and only reads.
pub(in crate::lower) fn takes_derivatives(op: &Op) -> bool {
    matches!(
        op,
        Op::Sample(_)
            | Op::SampleBias(_)
            | Op::SampleCmp(_)
            | Op::SampleCmpBias(_)
            | Op::CalculateLOD(_)
    )
}
