//! Atomic operations.

use super::call::Call;
use crate::ir::{InstData, Type, ValueId};
use crate::validate::handles::{declared, handle_of};
use crate::validate::rules::Rule;

pub(super) fn check_atomic(call: &Call<'_, '_>, data: &InstData, resource: ValueId) {
    if *call.cx.types().get(data.ty) == Type::Int(64) && !call.cx.is_sm(6) {
        let detail = "a 64-bit atomic operation before shader model 6.6";
        call.report(Rule::SmOpcodeInInvalidFunction, detail);
    }
    match handle_of(call.cx, call.view, resource) {
        Some(handle) if call.allows_class(handle.class) => {}
        Some(handle) => {
            let detail = format_args!("the resource is a {:?}", handle.class);
            call.report(Rule::InstrAtomicIntrinNonUAV, detail);
        }
        None if declared(call.cx, call.view, resource).is_some() => {}
        None => {
            let detail =
                format_args!("{resource} does not come from an operation that creates one");
            call.report(Rule::InstrHandleNotFromCreateHandle, detail);
        }
    }
}
