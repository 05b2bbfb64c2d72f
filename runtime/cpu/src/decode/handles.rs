//! Handles, and what is known of the resource behind one.

use dxil_frontend::dxil::ops::{HandleOp, Op, op_giving};
use dxil_frontend::dxil::{Resource, ResourceKind, SamplerFeedbackKind};
use dxil_frontend::ir::{CastOp, Constant, ConstantExpr, Inst, Type, TypeId, ValueDef, ValueId};

use super::code::{ComplexOp, RegisterSlot, ResourceShape};
use super::function::Decoder;
use crate::error::Result;

/// Longest chain of instructions that is followed.
const MAX_STEPS: u32 = 32;

/// Returns the kind of an annotated feedback map.
fn feedback_kind(kind: ResourceKind, extended: u32) -> Option<SamplerFeedbackKind> {
    match (kind, extended) {
        (ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray, 0) => {
            Some(SamplerFeedbackKind::MinMip)
        }
        (ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray, 1) => {
            Some(SamplerFeedbackKind::MipRegionUsed)
        }
        _ => None,
    }
}

impl Decoder<'_, '_> {
    /// Decodes an operation that creates or annotates a handle of type `ty`.
    pub(super) fn handle(&mut self, op: &HandleOp, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        let (range, index, is_marked) = match op {
            HandleOp::CreateHandle(op) => {
                let mut ranges = self.module.shader.resources.iter();
                let range = ranges.position(|r| r.class == op.class && r.id == op.range_id);
                (range, op.index, op.non_uniform)
            }
            HandleOp::CreateHandleFromBinding(op) => {
                let binding = op.binding;
                let range = self.module.ranges.iter().position(|r| {
                    r.class == binding.class
                        && r.space == binding.space
                        && binding.lower_bound >= r.first
                        && r.count.is_none_or(|n| binding.lower_bound - r.first < n)
                });
                (range, op.index, op.non_uniform)
            }
            HandleOp::CreateHandleForLib(op) => return Ok(vec![self.one(op.resource)?]),
            HandleOp::CreateHandleFromHeap(op) => {
                let index = self.index_slot(op.index)?;
                if !op.non_uniform {
                    self.probe_uniform(index, "the heap");
                }
                let op = ComplexOp::HeapHandle {
                    samplers: op.sampler_heap,
                };
                return self.complex_of(op, ty, &[index]);
            }
            // An annotation adds what the shader knows; the handle itself is the same.
            HandleOp::AnnotateHandle(op) => return self.all(op.handle),
        };
        let Some(range) = range else {
            return Err(self.malformed("a handle of a resource that is not declared"));
        };
        let index = self.index_slot(index)?;
        if !is_marked && let Some(declared) = self.module.ranges.get(range) {
            let name = declared.name.clone();
            self.probe_uniform(index, &name);
        }
        self.complex_of(ComplexOp::Handle(range as u32), ty, &[index])
    }

    /// Returns the shape that the shader declares for the resource behind a handle; `None` if only
    /// the descriptor has it.
    pub(super) fn shape_of(&self, handle: ValueId) -> Option<ResourceShape> {
        self.shape_within(handle, MAX_STEPS)
    }

    /// Returns the resource whose handle is created here and now; `None` where a handle is one of
    /// several, comes from a library's variable, or from a heap.
    pub(super) fn resource_of(&self, handle: ValueId) -> Option<&Resource> {
        match op_giving(self.view, &self.module.shader.callees, handle)? {
            Op::Handle(HandleOp::CreateHandle(op)) => {
                let resources = &self.module.shader.resources;
                resources.find(op.class, op.range_id)
            }
            Op::Handle(HandleOp::CreateHandleFromBinding(op)) => {
                let (binding, index) = (op.binding, &self.module.resources);
                index.at_register(binding.class, binding.space, binding.lower_bound)
            }
            _ => None,
        }
    }

    fn shape_within(&self, handle: ValueId, steps: u32) -> Option<ResourceShape> {
        let steps = steps.checked_sub(1)?;
        let resources = &self.module.shader.resources;
        if let Some(op) = op_giving(self.view, &self.module.shader.callees, handle) {
            let declared = match op {
                Op::Handle(HandleOp::AnnotateHandle(op)) => {
                    let kind = op.properties.kind()?;
                    return Some(ResourceShape {
                        class: op.properties.class()?,
                        kind,
                        stride: op.properties.stride(),
                        feedback: feedback_kind(kind, op.properties.extended),
                    });
                }
                Op::Handle(HandleOp::CreateHandle(op)) => resources.find(op.class, op.range_id),
                Op::Handle(HandleOp::CreateHandleFromBinding(op)) => {
                    let binding = op.binding;
                    let index = &self.module.resources;
                    index.at_register(binding.class, binding.space, binding.lower_bound)
                }
                Op::Handle(HandleOp::CreateHandleForLib(op)) => {
                    let range = self.range_of_resource(op.resource)?;
                    return self.module.ranges.get(range as usize).map(|r| r.shape);
                }
                _ => return None,
            };
            return declared.map(|resource| super::range(resource).shape);
        }
        let ValueDef::Inst(inst) = self.view.value(handle)?.def else {
            return None;
        };
        match self.view.function.insts.get(inst)?.inst {
            Inst::Phi { incoming } => {
                let edges = self.view.function.edges_of(incoming).iter();
                edges
                    // A phi may have itself as an incoming value, by way of a loop.
                    .filter(|(value, _)| *value != handle)
                    // Halved at each phi: with a full budget for each incoming value, nested phis
                    // would take exponential time.
                    .find_map(|(value, _)| self.shape_within(*value, steps / 2))
            }
            Inst::Select {
                if_true, if_false, ..
            } => self
                .shape_within(if_true, steps)
                .or_else(|| self.shape_within(if_false, steps)),
            _ => None,
        }
    }

    /// Returns the range of a resource that is loaded from its variable.
    fn range_of_resource(&self, resource: ValueId) -> Option<u32> {
        let ValueDef::Inst(inst) = self.view.value(resource)?.def else {
            return None;
        };
        match self.view.function.insts.get(inst)?.inst {
            Inst::Load { pointer, .. } => self.resource_variable(pointer).map(|(range, _)| range),
            _ => None,
        }
    }

    /// Returns the range whose variable a pointer points into, and the pointer's index in an array
    /// of resources: a sum of values, each times the resources that it steps over.
    pub(super) fn resource_variable(
        &self,
        mut pointer: ValueId,
    ) -> Option<(u32, Vec<(ValueId, u32)>)> {
        let mut index = Vec::new();
        for _ in 0..MAX_STEPS {
            if let Some(&range) = self.module.variables.get(&pointer) {
                return Some((range, index));
            }
            match self.view.value(pointer)?.def {
                ValueDef::Constant(Constant::Expr(ConstantExpr::Cast {
                    op: CastOp::Bitcast,
                    value,
                })) => pointer = value,
                ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
                    let operands = self.view.constant_elements(pointer, operands);
                    pointer = self.add_elements(operands, &mut index)?;
                }
                ValueDef::Inst(inst) => match self.view.function.insts.get(inst)?.inst {
                    Inst::Gep { operands, .. } => {
                        let operands = self.view.function.values_of(operands);
                        pointer = self.add_elements(operands, &mut index)?;
                    }
                    Inst::Cast {
                        op: CastOp::Bitcast,
                        value,
                    } => pointer = value,
                    _ => return None,
                },
                _ => return None,
            }
        }
        None
    }

    /// Adds the elements that an address computation steps over, and returns its base. Arrays of
    /// arrays of resources are one range.
    fn add_elements(
        &self,
        operands: &[ValueId],
        index: &mut Vec<(ValueId, u32)>,
    ) -> Option<ValueId> {
        let (&base, indices) = operands.split_first()?;
        let types = &self.view.module.types;
        let mut ty = types.pointee(self.view.value(base)?.ty)?;
        for &element in indices.iter().skip(1) {
            let Type::Array { element: inner, .. } = *types.get(ty) else {
                return None;
            };
            ty = inner;
            let (mut all, mut within) = (1u32, ty);
            while let Type::Array { element, count } = *types.get(within) {
                all = all.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
                within = element;
            }
            index.push((element, all));
        }
        Some(base)
    }
}
