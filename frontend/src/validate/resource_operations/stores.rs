//! Checks that stores to textures and buffers share.

use super::call::Call;
use crate::ir::ValueId;
use crate::validate::handle_facts::HandleFacts;
use crate::validate::rules::Rule;

pub(super) fn check_store_class(call: &Call<'_, '_>, resource: ValueId) -> Option<HandleFacts> {
    let handle = call.handle(resource)?;
    if !call.allows_class(handle.class) {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForUAVStore, detail);
    }
    Some(handle)
}

pub(super) fn check_mask(call: &Call<'_, '_>, values: &[ValueId], mask: u8, is_typed: bool) {
    let defined = values
        .iter()
        .enumerate()
        .filter(|(_, value)| !call.is_undef(**value))
        .fold(0u8, |mask, (index, _)| mask | 1 << (index & 7));
    if is_typed && mask != 0xf {
        let detail = format_args!("the mask is {mask:#x}");
        call.report(Rule::InstrWriteMaskForTypedUAVStore, detail);
    }
    if !matches!(mask, 0x1 | 0x3 | 0x7 | 0xf) {
        let detail = format_args!("the mask is {mask:#x}");
        call.report(Rule::InstrWriteMaskGapForUAV, detail);
    }
    if mask & !defined != 0 {
        let detail = format_args!("the mask is {mask:#x}, {defined:#x} are defined");
        call.report(Rule::InstrUndefinedValueForUAVStore, detail);
    } else if mask != defined {
        let detail = format_args!("the mask is {mask:#x}, {defined:#x} are defined");
        call.report(Rule::InstrWriteMaskMatchValueForUAVStore, detail);
    }
}
