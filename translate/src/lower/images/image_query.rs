//! Queries: sizes, levels, samples, level of detail, sample positions.

use dxil_frontend::dxil::ops::calls;
use dxil_frontend::dxil::{ResourceClass, ResourceKind};

use super::texture;
use crate::interface::Representation;
use crate::lower::buffers::words;
use crate::lower::context::Context;
use crate::lower::images::{levels, sample, sample_positions, texels};
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::{handle_values, heap_tables, leaves, pointers};
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::lower::waves::derivatives;
use crate::lower::waves::quad_layout::Derivatives;
use crate::spirv::{Builder, Capability, Id, Op};
use crate::{Error, Location, Result};

/// Lowers `getDimensions`: up to three sizes, and levels or samples as the fourth member.
pub(super) fn get_dimensions(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::GetDimensions,
) -> Result<LoweredValue> {
    let Some(result) = call.result else {
        return Ok(LoweredValue::Unset);
    };
    let used = cx.function.used_members(result);
    let handle = handle_values::handle_of(cx, op.resource)?;
    let zero = cx.b.const_u32(0);
    let mut parts = [StructMember::Id(zero); 4];
    match handle.view.representation {
        Representation::Words | Representation::ConvertedTexels(_) => {
            parts[0] = StructMember::Id(buffer_size(cx, &handle)?);
        }
        Representation::TexelBuffer if handle.view.words_of.is_some() => {
            parts[0] = StructMember::Id(memory_size(cx, &handle)?);
        }
        Representation::TexelBuffer
            if let Some(texels) = heap_tables::range_length(cx, &handle) =>
        {
            parts[0] = StructMember::Id(texels);
        }
        Representation::TexelBuffer => {
            parts[0] = StructMember::Id(texel_count(cx, &handle)?);
        }
        Representation::Image => image_size(cx, &handle, op, used, &mut parts)?,
        Representation::Attachment(_) => {
            return Err(texture::attachment_unsupported(handle.view));
        }
        Representation::Constants
        | Representation::Sampler
        | Representation::AccelerationStructure => {
            return Err(Error::malformed(format!(
                "the size of {}",
                handle.view.describe()
            )));
        }
    }
    Ok(cx.function.values.parts(parts))
}

fn image_size<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    op: &calls::GetDimensions,
    used: u8,
    parts: &mut [StructMember; 4],
) -> Result<()> {
    cx.b.capability(Capability::ImageQuery);
    let (image, _) = pointers::load_object(cx, handle)?;
    let (space, count) = texels::coordinate_counts(handle)?;
    let word = cx.b.u32();
    let multisampled = texels::is_multisampled(handle.view.kind);
    let storage = handle.view.class == ResourceClass::Uav;
    let cube = matches!(
        handle.view.kind,
        ResourceKind::TextureCube | ResourceKind::TextureCubeArray
    );
    // A cube's faces do not count as a third dimension.
    let dims = if cube { count - 1 } else { count };
    debug_assert!(space <= count);
    let mut levels = None;
    if used & 7 != 0 {
        let ty = cx.b.vector_or_scalar(word, dims);
        let mut exists = None;
        let size = if storage || multisampled {
            cx.b.emit(Op::ImageQuerySize, ty, &[image])
        } else {
            let level = match op.mip.expand() {
                // `undef` as the level means the first one (storage images, multisampled ones).
                Some(mip) if !cx.function.is_undef(mip) => {
                    let level = cx.id(mip)?;
                    // There always is a first mip.
                    if cx.function.constant_int(mip) != Some(0) {
                        let count = cx.b.emit(Op::ImageQueryLevels, word, &[image]);
                        levels = Some(count);
                        let bool_ty = cx.b.bool();
                        exists = Some(cx.b.emit(Op::ULessThan, bool_ty, &[level, count]));
                    }
                    level
                }
                _ => cx.b.const_u32(0),
            };
            cx.b.emit(Op::ImageQuerySizeLod, ty, &[image, level])
        };
        for (index, part) in (0..dims).zip(parts.iter_mut()) {
            *part = match exists {
                // A mip that does not exist has no size (D3D11.3 functional specification,
                // 22.4.14). SPIR-V leaves its size undefined.
                Some(exists) if used & 1 << index != 0 => {
                    let size = match dims {
                        1 => size,
                        _ => cx.b.extract(word, size, index),
                    };
                    let zero = cx.b.const_u32(0);
                    StructMember::Id(cx.b.select(word, exists, size, zero))
                }
                _ if dims == 1 => StructMember::Id(size),
                _ => StructMember::Member {
                    composite: size,
                    index,
                },
            };
        }
    }
    if used & 8 != 0 {
        let id = if multisampled {
            cx.b.emit(Op::ImageQuerySamples, word, &[image])
        } else if storage {
            // A UAV shows one mip.
            cx.b.const_u32(1)
        } else if let Some(levels) = levels {
            levels
        } else {
            cx.b.emit(Op::ImageQueryLevels, word, &[image])
        };
        parts[3] = StructMember::Id(id);
    }
    Ok(())
}

/// Returns the elements of a structured or typed buffer, bytes of a raw one.
fn buffer_size<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>) -> Result<Id> {
    // D3D12's root descriptors have no size.
    if matches!(handle.view.location, Location::DeviceAddress { .. }) {
        return Err(Error::unsupported(format!(
            "the size of {}, which is at a device address",
            handle.view.describe()
        )));
    }
    let (leaf, leaf_bytes) = leaves::leaf_of_size(cx.input.options, handle.view);
    let (length, leaf_bytes) = match heap_tables::range_length(cx, handle) {
        Some(bytes) => (bytes, 1),
        None => (words::array_length(cx, handle, leaf)?, leaf_bytes),
    };
    let bytes_per_element = match (handle.view.kind, handle.view.representation) {
        (ResourceKind::StructuredBuffer, _) => handle.view.stride.max(1),
        (ResourceKind::TBuffer, _) => 16,
        (_, Representation::ConvertedTexels(format)) => format.bytes(),
        _ => 1,
    };
    Ok(scale_length(
        &mut cx.b,
        length,
        leaf_bytes,
        bytes_per_element,
    ))
}

fn texel_count<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>) -> Result<Id> {
    cx.b.capability(Capability::ImageQuery);
    let (image, _) = pointers::load_object(cx, handle)?;
    let ty = cx.b.u32();
    Ok(cx.b.emit(Op::ImageQuerySize, ty, &[image]))
}

/// Returns the size of a raw or structured buffer that is a texel buffer of words.
fn memory_size<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>) -> Result<Id> {
    let words = match heap_tables::range_length(cx, handle) {
        Some(words) => words,
        None => texel_count(cx, handle)?,
    };
    let bytes_per_element = match handle.view.declared_kind() {
        ResourceKind::StructuredBuffer => handle.view.stride.max(1),
        _ => 1,
    };
    Ok(scale_length(&mut cx.b, words, 4, bytes_per_element))
}

/// Returns `length * from / to`, without overflow on the way where the division is exact.
fn scale_length(b: &mut Builder, length: Id, from: u32, to: u32) -> Id {
    if from.is_multiple_of(to) {
        return b.u32_mul(length, from / to);
    }
    let (length, divisor) = if to.is_multiple_of(from) {
        (length, to / from)
    } else {
        (b.u32_mul(length, from), to)
    };
    let ty = b.u32();
    let divisor = b.const_u32(divisor);
    b.emit(Op::UDiv, ty, &[length, divisor])
}

/// Lowers `calculateLOD`.
pub(super) fn calculate_lod(
    cx: &mut Context<'_>,
    op: &calls::CalculateLOD,
) -> Result<LoweredValue> {
    let texture = texture::image_handle(cx, op.resource)?;
    let sampler = texture::sampler_handle(cx, op.sampler)?;
    if !sample::has_derivatives(&cx.input) {
        // Without derivatives there is no footprint: the most detailed level.
        sample::lose_level(cx);
        return Ok(LoweredValue::Id(cx.b.const_f32(0.0)));
    }
    let source = derivatives::require_derivatives(cx)?;
    cx.b.capability(Capability::ImageQuery);
    let (space, _) = texels::coordinate_counts(&texture)?;
    let f32_ty = cx.b.f32();
    let coords = texture::gather_coords(cx, &op.coords, space, f32_ty)?;
    if source != Derivatives::Native || !cx.input.consumer().level_queries {
        let level = levels::level_from_derivatives(cx, &texture, coords, op.clamped)?;
        return Ok(LoweredValue::Id(level));
    }
    let sampled = sample::sampled_image(cx, &texture, &sampler)?;
    let ty = cx.b.vector(f32_ty, 2);
    let pair = cx.b.emit(Op::ImageQueryLod, ty, &[sampled, coords]);
    Ok(LoweredValue::Id(cx.b.extract(
        f32_ty,
        pair,
        // The first component is limited to levels that exist, the second is not (SPIR-V
        // specification, OpImageQueryLod).
        u32::from(!op.clamped),
    )))
}

/// Lowers `texture2DMSGetSamplePosition`: D3D's standard positions, by number of samples.
pub(super) fn texture_sample_position(
    cx: &mut Context<'_>,
    op: &calls::Texture2DMSGetSamplePosition,
) -> Result<LoweredValue> {
    let handle = texture::image_handle(cx, op.texture)?;
    if !texels::is_multisampled(handle.view.kind) {
        return Err(Error::malformed(format!(
            "sample positions of {}",
            handle.view.describe()
        )));
    }
    cx.b.capability(Capability::ImageQuery);
    let (image, _) = pointers::load_object(cx, &handle)?;
    let word = cx.b.u32();
    let samples = cx.b.emit(Op::ImageQuerySamples, word, &[image]);
    let index = cx.id(op.index)?;
    Ok(sample_positions::standard_sample_position(
        cx, samples, index,
    ))
}
