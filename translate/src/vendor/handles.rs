//! The resources of handles.

use dxil_frontend::dxil::ops::{HandleOp, Op, decode, op_arguments};
use dxil_frontend::dxil::{Resource, ResourceIndex, Shader};
use dxil_frontend::ir::{FuncView, Inst, ValueDef, ValueId};

/// Returns the resource of a handle, if it is of a declared range.
pub(super) fn resource_of<'a>(
    shader: &'a Shader,
    view: FuncView<'_>,
    handle: ValueId,
) -> Option<&'a Resource> {
    let resources = ResourceIndex::new(&shader.resources);
    let mut handle = handle;
    // A handle is annotated once at most.
    for _ in 0..2 {
        let ValueDef::Inst(inst) = view.value(handle)?.def else {
            return None;
        };
        let data = view.function.insts.get(inst)?;
        let args = op_arguments(view, &shader.callees, &data.inst)?;
        match decode(view, args).ok()? {
            Op::Handle(HandleOp::CreateHandle(op)) => {
                return shader.resources.find(op.class, op.range_id);
            }
            Op::Handle(HandleOp::CreateHandleFromBinding(op)) => {
                let range = op.binding;
                return resources.at_register(range.class, range.space, range.lower_bound);
            }
            Op::Handle(HandleOp::CreateHandleForLib(op)) => {
                return variable_of(&resources, view, op.resource);
            }
            Op::Handle(HandleOp::AnnotateHandle(op)) => handle = op.handle,
            _ => return None,
        }
    }
    None
}

/// Returns the resource whose variable was loaded.
pub(super) fn variable_of<'a>(
    resources: &ResourceIndex<'a>,
    view: FuncView<'_>,
    value: ValueId,
) -> Option<&'a Resource> {
    let ValueDef::Inst(inst) = view.value(value)?.def else {
        return None;
    };
    let Inst::Load { pointer, .. } = view.function.insts.get(inst)?.inst else {
        return None;
    };
    resources.of_variable(pointer)
}
