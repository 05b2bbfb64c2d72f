//! Operations that create handles.

use super::call::Call;
use crate::dxil::ops::HandleOp;
use crate::dxil::ops::calls::CreateHandle;
use crate::ir::Type;
use crate::validate::handles::declared;
use crate::validate::resources::ResourceName;
use crate::validate::rules::Rule;

pub(super) fn check_creation(call: &Call<'_, '_>, op: &HandleOp) {
    let (class, id) = match op {
        HandleOp::CreateHandle(create) => {
            if call.cx.is_library() {
                let detail = "CreateHandle in a library";
                call.report(Rule::SmOpcodeInInvalidFunction, detail);
            } else if call.cx.is_sm(6) {
                let detail = "CreateHandle from shader model 6.6 on";
                call.report(Rule::SmOpcodeInInvalidFunction, detail);
            }
            check_index(call, create);
            (create.class, create.range_id)
        }
        HandleOp::CreateHandleForLib(_) => {
            if !call.cx.is_library() {
                let detail = "CreateHandleForLib outside of a library";
                call.report(Rule::SmOpcodeInInvalidFunction, detail);
            }
            return;
        }
        HandleOp::CreateHandleFromBinding(create) => {
            let binding = create.binding;
            if let Some(index) = call.view.constant_int(create.index)
                && !(u64::from(binding.lower_bound)..=u64::from(binding.upper_bound))
                    .contains(&index)
            {
                let (lower, upper) = (binding.lower_bound, binding.upper_bound);
                let detail = format_args!("register {index} of {lower} to {upper}");
                call.report(Rule::InstrOpConstRange, detail);
            }
            let resources = &call.cx.resources;
            let found = resources.at_register(binding.class, binding.space, binding.lower_bound);
            if found.is_none() && !call.cx.is_library() {
                let letter = binding.class.letter();
                let detail = format_args!(
                    "no resource is declared for {letter}{}, space{}",
                    binding.lower_bound, binding.space
                );
                call.report(Rule::InstrCreateHandleImmRangeID, detail);
            }
            return;
        }
        HandleOp::AnnotateHandle(annotate) => {
            // DXC believes the annotation, and the translator the binding.
            if let Some(bound) = declared(call.cx, call.view, annotate.handle)
                && let Some(kind) = annotate.properties.kind()
                && kind != bound.kind
            {
                let detail = format_args!("a {:?} is annotated as a {kind:?}", bound.kind);
                call.report(Rule::InstrOpConstRange, detail);
            }
            return;
        }
        HandleOp::CreateHandleFromHeap(_) => return,
    };
    if call.cx.shader.resources.find(class, id).is_none() {
        let detail = format_args!("class {class:?} has no resource {id}");
        call.report(Rule::InstrCreateHandleImmRangeID, detail);
    }
}

/// Checks the register that `CreateHandle` names: a constant one is in the range, and only one of
/// an array is computed.
fn check_index(call: &Call<'_, '_>, create: &CreateHandle) {
    let found = call.cx.shader.resources.find(create.class, create.range_id);
    let Some(resource) = found else {
        return;
    };
    let name = ResourceName(resource);
    match call.view.constant_int(create.index) {
        Some(index) => {
            let first = u64::from(resource.lower_bound);
            let end = resource.count.map(|count| first + u64::from(count));
            if index < first || end.is_some_and(|end| index >= end) {
                let detail = format_args!("register {index} is not in the range of {name}");
                call.report(Rule::InstrOpConstRange, detail);
            }
        }
        None => {
            let ty = resource.ty.map(|ty| call.cx.types().get(ty));
            if ty.is_some_and(|ty| !matches!(ty, Type::Array { .. })) {
                let detail = format_args!("a computed register of {name}, which is no array");
                call.report(Rule::InstrOpConstRange, detail);
            }
        }
    }
}
