//! Declared resources.

use super::context::{ValidationContext, short};
use super::handles::element_type;
use super::rules::Rule;
use crate::dxil::{ComponentType, Resource, ResourceClass, ResourceKind, SamplerKind, ShaderKind};

/// Largest stride of a structured buffer in bytes (D3D12's limit).
const MAX_STRIDE: u32 = 2048;
/// Bytes of an element of a texture or typed buffer: four components of 32 bits.
const MAX_ELEMENT_BYTES: u64 = 16;

/// Checks all resources.
pub(super) fn check(cx: &ValidationContext<'_>) {
    let resources = &cx.shader.resources;
    for class in [
        &resources.srvs,
        &resources.uavs,
        &resources.cbvs,
        &resources.samplers,
    ] {
        for (index, resource) in class.iter().enumerate() {
            check_resource(cx, resource);
            if resource.id as usize != index {
                let detail =
                    format_args!("{}: id {} at {index}", ResourceName(resource), resource.id);
                cx.report(Rule::MetaDenseResIDs, detail);
            }
        }
        check_overlaps(cx, class);
    }
}

/// A resource as messages name it.
pub(super) struct ResourceName<'a>(pub(super) &'a Resource);

impl std::fmt::Display for ResourceName<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let resource = self.0;
        let (letter, register) = (resource.class.letter(), resource.lower_bound);
        match short(&resource.name) {
            "" => write!(f, "{letter}{register}, space{}", resource.space),
            name => write!(f, "{name} ({letter}{register}, space{})", resource.space),
        }
    }
}

fn check_resource(cx: &ValidationContext<'_>, resource: &Resource) {
    let detail = &resource.detail;
    let report = |rule, what: &dyn std::fmt::Display| {
        cx.report(rule, format_args!("{}: {what}", ResourceName(resource)));
    };
    match resource.class {
        ResourceClass::Sampler => {
            if matches!(detail.sampler, None | Some(SamplerKind::Invalid)) {
                report(
                    Rule::MetaValidSamplerMode,
                    &"the kind of sampler is unknown",
                );
            }
            return;
        }
        ResourceClass::Cbv => return,
        ResourceClass::Srv | ResourceClass::Uav => {}
    }
    let kind = resource.kind;
    if resource.class == ResourceClass::Uav {
        let is_pixel = cx.shader.shader_model.kind == ShaderKind::Pixel;
        if detail.rasterizer_ordered && !is_pixel && !cx.is_library() {
            report(Rule::SmROVOnlyInPS, &"the view is rasterizer-ordered");
        }
        if matches!(
            kind,
            ResourceKind::TextureCube | ResourceKind::TextureCubeArray
        ) {
            report(Rule::SmInvalidTextureKindOnUAV, &"the view is a cube");
        }
        if detail.has_counter && kind != ResourceKind::StructuredBuffer {
            report(
                Rule::SmCounterOnlyOnStructBuf,
                &format_args!("a {kind:?} with a counter"),
            );
        }
        if detail.has_counter && (detail.globally_coherent || detail.reorder_coherent) {
            let rule = Rule::MetaCoherenceNotOnAppendConsume;
            report(rule, &"a coherent buffer with a counter");
        }
    }
    if detail.reorder_coherent && !cx.is_sm(9) {
        report(
            Rule::InstrReorderCoherentRequiresSM69,
            &"the view is reordercoherent",
        );
    }
    check_kind(cx, resource);
    if kind == ResourceKind::StructuredBuffer {
        let stride = detail.stride.unwrap_or(0);
        if !stride.is_multiple_of(4) && cx.uses_min_precision() {
            report(
                Rule::MetaStructBufAlignment,
                &format_args!("stride {stride}"),
            );
        }
        if stride > MAX_STRIDE {
            report(
                Rule::MetaStructBufAlignmentOutOfBound,
                &format_args!("stride {stride}"),
            );
        }
    }
    if (kind.is_texture() || kind == ResourceKind::TypedBuffer)
        && let Some(element) = element_type(cx.module(), resource)
    {
        let bytes = cx.layout.bytes(element);
        if bytes > MAX_ELEMENT_BYTES {
            report(
                Rule::MetaTextureType,
                &format_args!("elements of {bytes} bytes"),
            );
        }
    }
}

fn check_kind(cx: &ValidationContext<'_>, resource: &Resource) {
    use ResourceKind::*;
    let detail = &resource.detail;
    let report = |rule, what: &dyn std::fmt::Display| {
        cx.report(rule, format_args!("{}: {what}", ResourceName(resource)));
    };
    match resource.kind {
        Texture2DMS | Texture2DMSArray | RtAccelerationStructure => {}
        FeedbackTexture2D | FeedbackTexture2DArray => {
            if detail.feedback.is_none() {
                report(
                    Rule::SmInvalidSamplerFeedbackType,
                    &"the kind of feedback is unknown",
                );
            }
        }
        Invalid | CBuffer | Sampler => {
            let kind = resource.kind;
            report(
                Rule::SmInvalidResourceKind,
                &format_args!("the kind is {kind:?}"),
            );
            return;
        }
        _ => {
            if detail.sample_count > 0 {
                let samples = detail.sample_count;
                report(
                    Rule::SmSampleCountOnlyOn2DMS,
                    &format_args!("{samples} samples"),
                );
            }
        }
    }
    let is_typed = !matches!(
        resource.kind,
        StructuredBuffer
            | RawBuffer
            | FeedbackTexture2D
            | FeedbackTexture2DArray
            | RtAccelerationStructure
            | TBuffer
    );
    use ComponentType as C;
    let is_known = matches!(
        detail.component,
        Some(
            C::F32
                | C::SNormF32
                | C::UNormF32
                | C::F64
                | C::I32
                | C::I64
                | C::U32
                | C::U64
                | C::F16
                | C::I16
                | C::U16
        )
    );
    if is_typed && !is_known {
        let component = detail.component;
        let what = format_args!("the component type is {component:?}").to_string();
        report(Rule::SmInvalidResourceCompType, &what);
    }
}

/// Registers of one class that several resources claim.
fn check_overlaps(cx: &ValidationContext<'_>, resources: &[Resource]) {
    let mut ranges: Vec<(u32, u32, u64, &Resource)> = resources
        .iter()
        // Resources of a library may have no register yet.
        .filter(|resource| !(cx.is_library() && resource.lower_bound == u32::MAX))
        .map(|resource| {
            let first = resource.lower_bound;
            let end = match resource.count {
                Some(count) => u64::from(first) + u64::from(count),
                None => 1 << 32,
            };
            (resource.space, first, end, resource)
        })
        .collect();
    ranges.sort_by_key(|(space, first, ..)| (*space, *first));
    let mut widest: Option<(u32, u64, &Resource)> = None;
    for (space, first, end, resource) in ranges {
        if let Some((other_space, other_end, other)) = widest
            && other_space == space
            && u64::from(first) < other_end
        {
            let detail = format_args!(
                "{} overlaps {}",
                ResourceName(resource),
                ResourceName(other)
            );
            cx.report(Rule::SmResourceRangeOverlap, detail);
        }
        match widest {
            Some((other_space, other_end, _)) if other_space == space && other_end >= end => {}
            _ => widest = Some((space, end, resource)),
        }
    }
}
