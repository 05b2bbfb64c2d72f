//! Counters of structured buffers.

use std::collections::BTreeMap;

use super::call::Call;
use crate::ir::ValueId;
use crate::validate::rules::Rule;

/// The counters that are incremented (`true`) or decremented, by UAV.
#[derive(Default)]
pub(in crate::validate) struct Counters(BTreeMap<u32, bool>);

pub(super) fn check_counter(
    call: &Call<'_, '_>,
    buffer: ValueId,
    increment: i8,
    counters: &mut Counters,
) {
    let Some(handle) = call.handle(buffer) else {
        return;
    };
    if !call.allows_class(handle.class) {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrBufferUpdateCounterOnUAV, detail);
    }
    if !call.allows_kind(handle.kind) {
        let detail = format_args!("the resource is a {:?}", handle.kind);
        call.report(Rule::SmCounterOnlyOnStructBuf, detail);
    }
    if !handle.has_counter {
        let detail = "the resource has no counter";
        call.report(Rule::InstrBufferUpdateCounterOnResHasCounter, detail);
    }
    let is_up = increment == 1;
    if let (Some(id), false) = (handle.id, call.cx.is_library())
        && *counters.0.entry(id).or_insert(is_up) != is_up
    {
        let detail = format_args!("the counter of u-range {id} goes both ways");
        call.report(Rule::InstrOnlyOneAllocConsume, detail);
    }
}
