//! The declared resources that handles of a function are made of.

use dxil_frontend::dxil::ops::{HandleOp, Op, op_giving};
use dxil_frontend::dxil::{Resource, ResourceIndex, Shader};
use dxil_frontend::ir::{Constant, ConstantExpr, FuncView, Inst, ValueDef, ValueId};

/// Longest chain of instructions between a handle and its resource that is followed.
const MAX_STEPS: u32 = 32;

/// Finds the resources of handles.
#[derive(Clone, Copy)]
pub(crate) struct Handles<'a> {
    pub(crate) shader: &'a Shader,
    pub(crate) resources: &'a ResourceIndex<'a>,
    pub(crate) view: FuncView<'a>,
}

impl<'a> Handles<'a> {
    /// Returns the declared resource of a handle.
    pub(crate) fn resource(&self, mut handle: ValueId) -> Option<&'a Resource> {
        for _ in 0..MAX_STEPS {
            let Op::Handle(op) = op_giving(self.view, &self.shader.callees, handle)? else {
                return None;
            };
            match op {
                HandleOp::AnnotateHandle(op) => handle = op.handle,
                HandleOp::CreateHandle(op) => {
                    return self.shader.resources.find(op.class, op.range_id);
                }
                HandleOp::CreateHandleFromBinding(op) => {
                    let binding = op.binding;
                    return self.resources.at_register(
                        binding.class,
                        binding.space,
                        binding.lower_bound,
                    );
                }
                HandleOp::CreateHandleForLib(op) => {
                    let variable = self.variable(op.resource)?;
                    return self.resources.of_variable(variable);
                }
                HandleOp::CreateHandleFromHeap(_) => return None,
            }
        }
        None
    }

    /// Returns the variable that a resource is loaded from.
    fn variable(&self, resource: ValueId) -> Option<ValueId> {
        let function = self.view.function;
        let inst = |value: ValueId| match self.view.value(value)?.def {
            ValueDef::Inst(inst) => Some(function.insts.get(inst)?.inst),
            _ => None,
        };
        let Inst::Load { mut pointer, .. } = inst(resource)? else {
            return None;
        };
        for _ in 0..MAX_STEPS {
            pointer = match (self.view.value(pointer)?.def, inst(pointer)) {
                (ValueDef::Global(_), _) => return Some(pointer),
                (_, Some(Inst::Gep { operands, .. })) => *function.values_of(operands).first()?,
                (ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })), _) => {
                    *self.view.constant_elements(pointer, operands).first()?
                }
                _ => return None,
            };
        }
        None
    }
}
