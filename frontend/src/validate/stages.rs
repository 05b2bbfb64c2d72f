//! Properties of entry points that one stage or all stages have.

use super::context::ValidationContext;
use super::globals::GROUP_SHARED_LIMIT;
use super::rules::Rule;
use super::{mesh, tessellation};
use crate::dxil::entry_points::INPUT_PRIMITIVE;
use crate::dxil::{EntryPoint, OutputTopology, ShaderKind, Stage, WaveSize};
use crate::ir::Type;

/// Checks all entry points.
pub(super) fn check(cx: &ValidationContext<'_>) {
    for entry in &cx.shader.entry_points {
        let Some(function) = entry.function else {
            continue;
        };
        let is_pass_through = matches!(entry.stage, Stage::Hull { .. });
        if cx.module().body(function).is_none() && !is_pass_through {
            cx.report_function(
                Rule::MetaEntryFunction,
                function,
                "the function has no body",
            );
        }
        if entry.kind == ShaderKind::Compute && matches!(entry.stage, Stage::Node(_)) {
            let detail = "the compute shader has properties of a node";
            cx.report_function(Rule::MetaComputeWithNode, function, detail);
            if cx.minor() < Rule::MetaComputeWithNode.info().since {
                // Nodes came with version 1.8; before, their properties are unknown.
                cx.report_function(Rule::MetaWellFormed, function, detail);
            }
        } else if !entry.has_own_state() {
            let kind = entry.kind.prefix();
            let detail = format_args!("the properties are not those of a {kind} shader");
            cx.report_function(Rule::MetaNoEntryPropsForEntry, function, detail);
        }
        let mut unknown = entry.other_properties.iter();
        // Shader model 6.10 adds a limit of groupshared memory.
        let is_known = |tag: u32| tag == GROUP_SHARED_LIMIT && cx.is_sm(10);
        if let Some((tag, _)) = unknown.find(|(tag, _)| !is_known(*tag)) {
            let detail = format_args!("the property with tag {tag} is unknown");
            cx.report_function(Rule::MetaWellFormed, function, detail);
        }
        check_threads(cx, entry);
        check_wave_size(cx, entry);
        check_geometry(cx, entry);
        check_payload(cx, entry);
        tessellation::check(cx, entry);
        mesh::check_entry(cx, entry);
    }
}

fn check_threads(cx: &ValidationContext<'_>, entry: &EntryPoint) {
    let Some((limits, total)) = entry.kind.max_threads() else {
        return;
    };
    // A node may leave its size to others; a compute shader without one has no threads.
    let is_compute = entry.kind == ShaderKind::Compute && !entry.is_node();
    let Some(threads) = entry.num_threads.or(is_compute.then_some([0; 3])) else {
        return;
    };
    for ((axis, size), limit) in ["x", "y", "z"].into_iter().zip(threads).zip(limits) {
        if !(1..=limit).contains(&size) {
            let detail = format_args!("{size} threads along {axis}");
            cx.report_entry(Rule::SmThreadGroupChannelRange, entry, detail);
        }
    }
    let all = threads
        .into_iter()
        .fold(1u64, |all, size| all.saturating_mul(u64::from(size)));
    if all > u64::from(total) {
        cx.report_entry(Rule::SmMaxTheadGroup, entry, format_args!("{all} threads"));
    }
}

fn check_wave_size(cx: &ValidationContext<'_>, entry: &EntryPoint) {
    let Some(WaveSize {
        min,
        max,
        preferred,
    }) = entry.wave_size
    else {
        return;
    };
    let is_size = |lanes: u32| lanes.is_power_of_two() && (4..=128).contains(&lanes);
    if min == 0 {
        if max != 0 || preferred != 0 {
            let detail = format_args!("at most {max}, preferred {preferred}");
            cx.report_entry(Rule::SmWaveSizeAllZeroWhenUndefined, entry, detail);
        }
        return;
    }
    for lanes in [min, max] {
        if !is_size(lanes) {
            cx.report_entry(Rule::SmWaveSizeValue, entry, format_args!("{lanes} lanes"));
            return;
        }
    }
    if preferred != 0 && !is_size(preferred) {
        let detail = format_args!("{preferred} lanes");
        cx.report_entry(Rule::SmWaveSizeValue, entry, detail);
    } else if max == min && preferred != 0 {
        let detail = format_args!("{preferred} lanes are preferred");
        let rule = Rule::SmWaveSizeMaxAndPreferredZeroWhenNoRange;
        cx.report_entry(rule, entry, detail);
    } else if max < min {
        let detail = format_args!("{min} to {max} lanes");
        cx.report_entry(Rule::SmWaveSizeMaxGreaterThanMin, entry, detail);
    } else if preferred != 0 && !(min..=max).contains(&preferred) {
        let detail = format_args!("{preferred} of {min} to {max} lanes");
        cx.report_entry(Rule::SmWaveSizePreferredInRange, entry, detail);
    }
    if !matches!(entry.kind, ShaderKind::Compute | ShaderKind::Node) {
        let detail = format_args!("a {} shader", entry.kind.prefix());
        cx.report_entry(Rule::SmWaveSizeOnComputeOrNode, entry, detail);
    }
}

fn check_geometry(cx: &ValidationContext<'_>, entry: &EntryPoint) {
    let Stage::Geometry {
        max_vertices,
        topology,
        instances,
        ..
    } = entry.stage
    else {
        return;
    };
    // A shader without inputs has an undefined primitive.
    if let Some((INPUT_PRIMITIVE, number)) = entry.unknown_number {
        let detail = format_args!("the input primitive is {number}");
        cx.report_entry(Rule::SmGSValidInputPrimitive, entry, detail);
    }
    if max_vertices > 1024 {
        let detail = format_args!("{max_vertices} vertices");
        cx.report_entry(Rule::SmGSOutputVertexCountRange, entry, detail);
    }
    if !(1..=32).contains(&instances) {
        let detail = format_args!("{instances} instances");
        cx.report_entry(Rule::SmGSInstanceCountRange, entry, detail);
    }
    if !matches!(
        topology,
        OutputTopology::PointList | OutputTopology::LineStrip | OutputTopology::TriangleStrip
    ) {
        let detail = format_args!("the topology is {topology:?}");
        cx.report_entry(Rule::SmGSValidOutputPrimitiveTopology, entry, detail);
    }
    let all = tessellation::scalars(&entry.outputs).saturating_mul(u64::from(max_vertices));
    if all > 1024 {
        let detail = format_args!("{all} scalars in {max_vertices} vertices");
        cx.report_entry(Rule::SmGSTotalOutputVertexDataRange, entry, detail);
    }
}

/// Checks the sizes of payload and attributes that a ray tracing shader declares.
fn check_payload(cx: &ValidationContext<'_>, entry: &EntryPoint) {
    let has_attributes = matches!(entry.kind, ShaderKind::AnyHit | ShaderKind::ClosestHit);
    if !has_attributes && !matches!(entry.kind, ShaderKind::Miss | ShaderKind::Callable) {
        return;
    }
    let decl = entry
        .function
        .and_then(|function| cx.module().functions.get(function));
    let Some(Type::Function { params, .. }) = decl.map(|decl| cx.types().get(decl.ty)) else {
        return;
    };
    let declared = [
        entry.payload_bytes,
        entry.attribute_bytes.filter(|_| has_attributes),
    ];
    for (param, declared) in params.iter().zip(declared) {
        let ty = cx.types().pointee(*param).unwrap_or(*param);
        let bytes = cx.layout.bytes(ty);
        if let Some(declared) = declared
            && u64::from(declared) < bytes
        {
            let detail = format_args!("{bytes} bytes, {declared} are declared");
            cx.report_entry(Rule::SmRayShaderPayloadSize, entry, detail);
        }
    }
}
