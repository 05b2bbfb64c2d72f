//! Loads and stores of buffers, and loads of constant buffers.

use cranelift_entity::packed_option::PackedOption;

use super::call::Call;
use crate::dxil::ResourceKind;
use crate::ir::{Inst, InstData, ValueId};
use crate::validate::handle_facts::HandleFacts;
use crate::validate::rules::Rule;

pub(super) fn check_buffer_load(
    call: &Call<'_, '_>,
    buffer: ValueId,
    offset: PackedOption<ValueId>,
) {
    let Some(handle) = call.handle(buffer) else {
        return;
    };
    if !call.allows_class(handle.class) {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForLoad, detail);
    }
    check_coordinates(call, handle, offset);
}

pub(super) fn check_coordinates(
    call: &Call<'_, '_>,
    handle: HandleFacts,
    offset: PackedOption<ValueId>,
) {
    match handle.kind {
        kind if !call.allows_kind(kind) => {
            let detail = format_args!("the resource is a {kind:?}");
            call.report(Rule::InstrResourceKindForBufferLoadStore, detail);
        }
        ResourceKind::StructuredBuffer => {
            if offset.is_none() {
                let detail = "the offset in the element is undef";
                call.report(Rule::InstrCoordinateCountForStructBuf, detail);
            }
        }
        _ => check_single(call, offset),
    }
}

fn check_single(call: &Call<'_, '_>, offset: PackedOption<ValueId>) {
    if offset.is_some() {
        let detail = "the second coordinate is not undef";
        call.report(Rule::InstrCoordinateCountForRawTypedBuf, detail);
    }
}

/// Checks for 64-bit values of raw buffers before shader model 6.3.
pub(super) fn check_wide(call: &Call<'_, '_>, data: &InstData) {
    if call.cx.is_sm(3) {
        return;
    }
    let Inst::Call { callee, .. } = data.inst else {
        return;
    };
    let callee = call.view.as_function(callee);
    let name = callee.map_or("", |callee| call.cx.name_of(callee));
    if name.ends_with(".i64") || name.ends_with(".f64") {
        call.report(Rule::Sm64bitRawBufferLoadStore, name);
    }
}

pub(super) fn check_cbuffer(call: &Call<'_, '_>, buffer: ValueId, at: ValueId, unit: u64) {
    let Some(handle) = call.handle(buffer) else {
        return;
    };
    if !call.allows_class(handle.class) {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrCBufferClassForCBufferHandle, detail);
        return;
    }
    let size = u64::from(handle.cbuffer_bytes);
    if let Some(at) = call.view.constant_int(at)
        && size > 0
        && at.saturating_mul(unit) >= size
    {
        let detail = format_args!(
            "reads byte {} of a constant buffer of {size} bytes",
            at.saturating_mul(unit)
        );
        call.report(Rule::InstrCBufferOutOfBound, detail);
    }
}
