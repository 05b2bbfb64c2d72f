//! Loads and stores of texels.

use cranelift_entity::packed_option::PackedOption;

use super::call::Call;
use super::coordinates::check_offsets;
use super::stores::{check_mask, check_store_class};
use crate::dxil::{ResourceClass, ResourceKind};
use crate::ir::ValueId;
use crate::validate::rules::Rule;

pub(super) fn check_texture_load(
    call: &Call<'_, '_>,
    texture: ValueId,
    mip: PackedOption<ValueId>,
    offsets: &[PackedOption<ValueId>],
) {
    use ResourceKind::{Texture2DMS, Texture2DMSArray};
    let Some(handle) = call.handle(texture) else {
        return;
    };
    let is_multisampled = matches!(handle.kind, Texture2DMS | Texture2DMSArray);
    match handle.class {
        ResourceClass::Uav => {
            if offsets.iter().any(PackedOption::is_some) {
                call.report(Rule::InstrOffsetOnUAVLoad, "the load has offsets");
            }
            if mip.is_some() && !is_multisampled {
                call.report(Rule::InstrMipOnUAVLoad, "the load has a mip level");
            }
        }
        ResourceClass::Srv => {}
        class => {
            let detail = format_args!("the resource is a {class:?}");
            call.report(Rule::InstrResourceClassForLoad, detail);
        }
    }
    match handle.kind {
        kind if !call.allows_kind(kind) => {
            let detail = format_args!("the resource is a {kind:?}");
            call.report(Rule::InstrResourceKindForTextureLoad, detail);
            return;
        }
        _ if is_multisampled && mip.is_none() => {
            call.report(Rule::InstrSampleIndexForLoad2DMS, "the sample is undef");
        }
        _ => {}
    }
    check_offsets(call, handle.kind, offsets);
}

pub(super) fn check_texture_store(
    call: &Call<'_, '_>,
    texture: ValueId,
    values: &[ValueId],
    mask: u8,
) {
    let Some(handle) = check_store_class(call, texture) else {
        return;
    };
    check_mask(call, values, mask, true);
    if !call.allows_kind(handle.kind) {
        let detail = format_args!("the resource is a {:?}", handle.kind);
        call.report(Rule::InstrResourceKindForTextureStore, detail);
    }
}

/// Checks that a resource whose samples are asked about has samples. DXC's validator does not look
/// at these.
pub(super) fn check_sample_position(call: &Call<'_, '_>, texture: ValueId) {
    if let Some(handle) = call.handle(texture)
        && !call.allows_kind(handle.kind)
    {
        let detail = format_args!("samples of a {:?}", handle.kind);
        call.report(Rule::InstrResourceKindForGetDim, detail);
    }
}
