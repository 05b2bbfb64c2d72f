//! Coordinates, offsets and mip levels that kinds of textures have.

use cranelift_entity::packed_option::PackedOption;

use super::call::Call;
use crate::dxil::ResourceKind;
use crate::ir::ValueId;
use crate::validate::rules::Rule;

/// Returns the coordinates that a texture or buffer is addressed with (DXIL document, "Shader
/// Resources").
pub(super) fn coordinate_count(kind: ResourceKind) -> usize {
    use ResourceKind::*;
    match kind {
        Texture1D | TypedBuffer | RawBuffer | TBuffer => 1,
        Texture2D | Texture2DMS | Texture1DArray | StructuredBuffer => 2,
        Texture3D | TextureCube | Texture2DArray | Texture2DMSArray => 3,
        TextureCubeArray => 4,
        _ => 0,
    }
}

/// Returns the number of texel offsets of an access to a texture.
fn offset_count(kind: ResourceKind) -> usize {
    use ResourceKind::*;
    match kind {
        Texture1D | Texture1DArray => 1,
        Texture2D | Texture2DArray | Texture2DMS | Texture2DMSArray => 2,
        Texture3D => 3,
        _ => 0,
    }
}

pub(super) fn check_coords(
    call: &Call<'_, '_>,
    kind: ResourceKind,
    count: usize,
    coords: &[ValueId],
) {
    for (index, &coord) in coords.iter().enumerate() {
        let is_undef = call.is_undef(coord);
        if index < count && is_undef {
            let detail = format_args!("coordinate {index} of a {kind:?} is undef");
            call.report(Rule::InstrResourceCoordinateMiss, detail);
        } else if index >= count && !is_undef {
            let detail = format_args!("a {kind:?} has no coordinate {index}");
            call.report(Rule::InstrResourceCoordinateTooMany, detail);
        }
    }
}

pub(super) fn check_offsets(
    call: &Call<'_, '_>,
    kind: ResourceKind,
    offsets: &[PackedOption<ValueId>],
) {
    let count = offset_count(kind);
    let has_first = offsets.first().is_some_and(PackedOption::is_some);
    for (index, offset) in offsets.iter().enumerate() {
        match offset.expand() {
            Some(_) if index >= count => {
                let detail = format_args!("a {kind:?} has no offset {index}");
                call.report(Rule::InstrResourceOffsetTooMany, detail);
            }
            Some(offset) if !call.cx.is_sm(7) => check_offset_range(call, offset),
            None if index > 0 && index < count && has_first => {
                let detail = format_args!("offset {index} of a {kind:?} is undef");
                call.report(Rule::InstrResourceOffsetMiss, detail);
            }
            _ => {}
        }
    }
}

fn check_offset_range(call: &Call<'_, '_>, offset: ValueId) {
    let value = call.view.constant_int(offset);
    // Constants are kept zero-extended; offsets are i32.
    let value = value.and_then(|value| u32::try_from(value).ok());
    match value.map(u32::cast_signed) {
        Some(-8..=7) => {}
        Some(other) => {
            let detail = format_args!("the offset is {other}");
            call.report(Rule::InstrTextureOffset, detail);
        }
        None => call.report(Rule::InstrTextureOffset, "the offset is not a constant"),
    }
}
