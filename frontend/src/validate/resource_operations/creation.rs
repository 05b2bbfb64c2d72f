//! Operations that create handles.

use super::call::Call;
use crate::dxil::ops::HandleOp;
use crate::validate::handles::declared;
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
