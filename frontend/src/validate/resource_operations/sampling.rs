//! Operations that sample: the sampler, the texture and its coordinates.

use cranelift_entity::packed_option::PackedOption;

use super::call::Call;
use super::coordinates::{check_coords, check_offsets, coordinate_count};
use crate::dxil::ops::SamplingOp;
use crate::dxil::{ComponentType, ResourceClass, ResourceKind, SamplerKind};
use crate::ir::{Constant, ValueId};
use crate::validate::handles::handle_of;
use crate::validate::rules::Rule;

fn check_sampler(call: &Call<'_, '_>, sampler: ValueId, compares: bool) {
    let Some(handle) = call.handle(sampler) else {
        return;
    };
    let (rule, wanted) = if compares {
        (Rule::InstrSamplerModeForSampleC, SamplerKind::Comparison)
    } else {
        (Rule::InstrSamplerModeForSample, SamplerKind::Default)
    };
    if handle.class != ResourceClass::Sampler {
        call.report(rule, "the operand is no sampler");
    } else if handle.sampler != Some(wanted) {
        let found = handle.sampler.unwrap_or(SamplerKind::Invalid);
        call.report(rule, format_args!("the sampler's mode is {found:?}"));
    }
}

pub(super) fn check_sampling(call: &Call<'_, '_>, op: &SamplingOp) {
    let (texture, sampler, coords, offsets, compares, bias) = match op {
        SamplingOp::Sample(op) => (op.texture, op.sampler, op.coords, op.offsets, false, None),
        SamplingOp::SampleBias(op) => {
            let bias = Some(op.bias);
            (op.texture, op.sampler, op.coords, op.offsets, false, bias)
        }
        SamplingOp::SampleLevel(op) => (op.texture, op.sampler, op.coords, op.offsets, false, None),
        SamplingOp::SampleGrad(op) => (op.texture, op.sampler, op.coords, op.offsets, false, None),
        SamplingOp::SampleCmp(op) => (op.texture, op.sampler, op.coords, op.offsets, true, None),
        SamplingOp::SampleCmpLevelZero(op) => {
            (op.texture, op.sampler, op.coords, op.offsets, true, None)
        }
        SamplingOp::SampleCmpLevel(op) => {
            (op.texture, op.sampler, op.coords, op.offsets, true, None)
        }
        SamplingOp::SampleCmpGrad(op) => {
            (op.texture, op.sampler, op.coords, op.offsets, true, None)
        }
        SamplingOp::SampleCmpBias(op) => {
            let bias = Some(op.bias);
            (op.texture, op.sampler, op.coords, op.offsets, true, bias)
        }
    };
    if let Some(Constant::Float(bits)) = bias.and_then(|bias| call.view.constant(bias)) {
        let bias = f32::from_bits(u32::try_from(bits).unwrap_or(0));
        if !(-16.0..=15.99).contains(&bias) {
            let detail = format_args!("the bias is {bias}");
            call.report(Rule::InstrImmBiasForSampleB, detail);
        }
    }
    check_sampler(call, sampler, compares);
    let Some(handle) = call.handle(texture) else {
        return;
    };
    let kind = handle.kind;
    if !call.allows_class(handle.class) {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForSamplerGather, detail);
    }
    if !can_filter(call, handle.component, compares) {
        let detail = format_args!("the components are {:?}", handle.component);
        call.report(Rule::InstrSampleCompType, detail);
    }
    if !call.allows_kind(kind) {
        let rule = if compares {
            Rule::InstrResourceKindForSampleC
        } else {
            Rule::InstrResourceKindForSample
        };
        call.report(rule, format_args!("the resource is a {kind:?}"));
        return;
    }
    check_coords(call, kind, coordinate_count(kind), &coords);
    check_offsets(call, kind, &offsets);
}

fn can_filter(call: &Call<'_, '_>, component: Option<ComponentType>, compares: bool) -> bool {
    use ComponentType::*;
    match component {
        Some(F32 | SNormF32 | UNormF32 | F16 | SNormF16 | UNormF16) => true,
        // Integer textures can be sampled with point filters from shader model 6.7 on.
        Some(I16 | U16 | I32 | U32) => call.cx.is_sm(7) && !compares,
        _ => false,
    }
}

pub(super) fn check_gather(
    call: &Call<'_, '_>,
    texture: ValueId,
    (sampler, compares): (ValueId, bool),
    coords: &[ValueId],
    offsets: &[PackedOption<ValueId>],
) {
    check_sampler(call, sampler, compares);
    let Some(handle) = call.handle(texture) else {
        return;
    };
    if !call.allows_class(handle.class) {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForSamplerGather, detail);
        return;
    }
    let kind = handle.kind;
    check_coords(call, kind, coordinate_count(kind), coords);
    let given = |index: usize| offsets.get(index).is_some_and(PackedOption::is_some);
    match kind {
        _ if !call.allows_kind(kind) => {
            let detail = format_args!("the resource is a {kind:?}");
            call.report(Rule::InstrResourceKindForGather, detail);
        }
        ResourceKind::Texture2D | ResourceKind::Texture2DArray => {
            if given(0) && !given(1) {
                call.report(Rule::InstrResourceOffsetMiss, "offset 1 is undef");
            }
        }
        _ => {
            if given(0) || given(1) {
                call.report(Rule::InstrResourceOffsetTooMany, "a cube has no offsets");
            }
        }
    }
}

pub(super) fn check_lod(
    call: &Call<'_, '_>,
    resource: ValueId,
    sampler: ValueId,
    coords: &[ValueId],
) {
    if let Some(handle) = call.handle(sampler) {
        let fits = match handle.sampler {
            Some(SamplerKind::Default) => true,
            Some(SamplerKind::Comparison) => call.cx.is_sm(8),
            _ => false,
        };
        if handle.class != ResourceClass::Sampler || !fits {
            let detail = "the sampler compares, or is none";
            call.report(Rule::InstrSamplerModeForLOD, detail);
        }
    }
    let Some(handle) = call.handle(resource) else {
        return;
    };
    let kind = handle.kind;
    if !call.allows_class(handle.class) {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForSamplerGather, detail);
        return;
    }
    // The layer of an array plays no part in the level.
    let is_array = matches!(
        kind,
        ResourceKind::Texture1DArray
            | ResourceKind::Texture2DArray
            | ResourceKind::TextureCubeArray
    );
    let count = coordinate_count(kind) - usize::from(is_array);
    check_coords(call, kind, count, coords);
    if !call.allows_kind(kind) {
        let detail = format_args!("the resource is a {kind:?}");
        call.report(Rule::InstrResourceKindForCalcLOD, detail);
    }
}

/// Checks that the resource whose samples are recorded as feedback is an SRV.
pub(super) fn check_sampled(call: &Call<'_, '_>, texture: ValueId) {
    if let Some(handle) = handle_of(call.cx, call.view, texture)
        && !call.allows_class(handle.class)
    {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForSamplerGather, detail);
    }
}
