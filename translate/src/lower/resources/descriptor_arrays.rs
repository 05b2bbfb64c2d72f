//! Arrays of descriptors in the portable style: every element has a variable and a binding of its own,
//! from the array's binding on, since what naga writes has no arrays of them everywhere. An operation
//! on an element that is chosen at run time is written once per element, in a switch.

use dxil_frontend::dxil::ops::Op;
use dxil_frontend::ir::ValueId;

use super::choices::takes_derivatives;
use super::variables::is_arrayed;
use crate::interface::{View, handles_of};
use crate::lower::Lowering;
use crate::lower::context::{Call, Part, Value};
use crate::lower::operations::lower_op;
use crate::spirv::{Id, Op as SpirvOp};
use crate::{Error, Location, Result};

/// A handle whose element is not known yet.
struct Choice {
    handle: ValueId,
    index: Id,
    /// The array's first index.
    first: u32,
    count: u32,
}

impl Lowering<'_> {
    /// Lowers an operation, once per element where it chooses elements of arrays at run time.
    pub(in crate::lower) fn op_on_elements(&mut self, call: &Call, op: &Op) -> Result<Value> {
        self.watch_access(call, op)?;
        match self.undecided(call, op)? {
            Some(choice) => self.once_per_element(call, op, &choice),
            None => lower_op(self, call, op),
        }
    }

    fn undecided(&mut self, call: &Call, op: &Op) -> Result<Option<Choice>> {
        let Some(function) = self.resources.function.filter(|_| self.is_portable()) else {
            return Ok(None);
        };
        // What makes handles only computes the index.
        if call.result.is_some_and(|id| function.handle(id).is_some()) {
            return Ok(None);
        }
        for value in handles_of(op, self.view).into_iter().flatten() {
            let handle = self.handle(value)?;
            if !is_arrayed(handle.view) || self.b.literal(handle.index).is_some() {
                continue;
            }
            if handle.non_uniform && self.is_pixel() && takes_derivatives(op) {
                return Err(Error::unsupported(format!(
                    "an implicit level of detail of {}, chosen per pixel, in portable SPIR-V",
                    handle.view.describe()
                )));
            }
            let (first, count) = elements(handle.view);
            return Ok(Some(Choice {
                handle: value,
                index: handle.index,
                first,
                count,
            }));
        }
        Ok(None)
    }

    fn once_per_element(&mut self, call: &Call, op: &Op, choice: &Choice) -> Result<Value> {
        self.leave_loop_header();
        let merge = self.b.fresh();
        let labels: Vec<Id> = (0..choice.count).map(|_| self.b.fresh()).collect();
        // D3D12 leaves an index beyond the array undefined: the last element will do.
        let mut words = vec![
            choice.index.0,
            labels.last().map_or(merge.0, |label| label.0),
        ];
        for (element, label) in (choice.first..).zip(&labels) {
            words.extend([element, label.0]);
        }
        self.b.emit_void(SpirvOp::SelectionMerge, &[merge.0, 0]);
        self.b.emit_void(SpirvOp::Switch, &words);
        let mut incoming: Vec<Vec<Id>> = Vec::new();
        let mut shape = Value::Unset;
        for (element, &label) in (choice.first..).zip(&labels) {
            self.start_block(label);
            self.resume_source();
            let index = self.b.const_u32(element);
            self.resources.elements.insert(choice.handle, index);
            let value = self.op_on_elements(call, op)?;
            let ids = self.members_of(call, value)?;
            let from = self.place.label;
            incoming.resize_with(ids.len(), Vec::new);
            for (phi, id) in incoming.iter_mut().zip(ids) {
                phi.extend([id, from]);
            }
            shape = value;
            self.b.emit_void(SpirvOp::Branch, &[merge]);
        }
        self.resources.elements.remove(&choice.handle);
        self.start_block(merge);
        match shape {
            Value::Parts(_) => {
                let fields = self.fields(call.ty)?;
                let mut parts = Vec::with_capacity(fields.len());
                for (&field, words) in fields.iter().zip(&incoming) {
                    let ty = self.ty(field)?;
                    parts.push(Part::Id(self.joined(ty, words)));
                }
                Ok(self.values.parts(parts))
            }
            Value::Id(_) => {
                let ty = self.ty(call.ty)?;
                let words = incoming.first().map_or(&[][..], |words| words);
                Ok(Value::Id(self.joined(ty, words)))
            }
            Value::Unset | Value::Pointer(_) => Ok(Value::Unset),
        }
    }

    /// What a value consists of; members that nobody takes are undefined.
    fn members_of(&mut self, call: &Call, value: Value) -> Result<Vec<Id>> {
        Ok(match value {
            Value::Unset | Value::Pointer(_) => Vec::new(),
            Value::Id(id) => vec![id],
            Value::Parts(parts) => {
                let used = call
                    .result
                    .map_or(0, |result| self.resources.used_members(result));
                let fields = self.fields(call.ty)?;
                let mut ids = Vec::with_capacity(fields.len());
                for (index, &field) in (0..).zip(&fields) {
                    ids.push(if used >> index & 1 != 0 {
                        self.part(parts, index, field)?
                    } else {
                        let ty = self.ty(field)?;
                        self.b.undef(ty)
                    });
                }
                ids
            }
        })
    }

    /// A phi, or the one value that comes from everywhere.
    fn joined(&mut self, ty: Id, words: &[Id]) -> Id {
        match words {
            [one, _, rest @ ..] if rest.iter().step_by(2).all(|id| id == one) => *one,
            words => self.b.emit(SpirvOp::Phi, ty, words),
        }
    }
}

/// First index and number of elements.
fn elements(view: &View) -> (u32, u32) {
    let first = match view.location {
        Location::Descriptor { first_index, .. } => first_index,
        _ => 0,
    };
    (first, view.count.unwrap_or(1))
}
