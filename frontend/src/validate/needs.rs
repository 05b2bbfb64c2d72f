//! What the functions of a library need, as RDAT says it. Versions before 1.8 looked at each
//! function by itself, later ones also at what it calls (DXC's `DxilModule` and
//! `DxilContainerAssembler`).

use cranelift_entity::SecondaryMap;

use super::bodies::{self, Bodies};
use super::context::{Sink, ValidationContext};
use super::features::{COLLECTED, Uses, flag_of_subobjects, used_flags};
use super::handles::global_in_module;
use super::metadata;
use crate::container::FeatureFlags;
use crate::dxil::ops::Callee;
use crate::dxil::{Shader, ShaderFlags, ShaderKind};
use crate::ir::address_space::GROUP_SHARED;
use crate::ir::{FuncId, GlobalId, Inst};
use crate::parts::{FunctionNeeds, features_of, resources_in_order};
use crate::tables::HashMap;

/// Returns what each function of a shader with a body needs, in the order of the module: what RDAT
/// says of a library's functions.
pub fn function_needs(shader: &Shader) -> Vec<FunctionNeeds> {
    let minor = match shader.validator_version {
        None => 0,
        Some((1, minor)) => minor.min(metadata::NEWEST),
        Some(_) => metadata::NEWEST,
    };
    let sink = Sink::new(minor);
    let cx = ValidationContext::new(shader, &sink);
    let bodies = bodies::check(&cx);
    of_module(&cx, &bodies)
}

/// Returns the flags of a shader as its code and its declarations require them, beside those of its
/// entry points that are modes or follow from subobjects, which the code does not show.
pub(crate) fn code_flags(shader: &Shader) -> ShaderFlags {
    let minor = shader.validator_version.map_or(0, |(_, minor)| minor);
    let sink = Sink::new(minor);
    let cx = ValidationContext::new(shader, &sink);
    let bodies = bodies::check(&cx);
    (cx.flags() - COLLECTED) | used_flags(&cx, &bodies.uses) | flag_of_subobjects(&cx)
}

/// Returns what each function with a body needs, in the order of the module.
pub(super) fn of_module(cx: &ValidationContext<'_>, bodies: &Bodies) -> Vec<FunctionNeeds> {
    let merged = if cx.minor() >= 8 {
        with_callees(cx, bodies)
    } else {
        SecondaryMap::new()
    };
    let rows = rows_by_variable(cx);
    let needs = cx.bodies().map(|(id, _)| {
        let own = if cx.minor() >= 8 {
            merged.get(id).copied()
        } else {
            bodies.uses.get(id).copied()
        };
        of_function(cx, bodies, &rows, id, own.unwrap_or_default())
    });
    needs.collect()
}

/// Returns the uses of each function together with those of the functions that it calls.
fn with_callees(cx: &ValidationContext<'_>, bodies: &Bodies) -> SecondaryMap<FuncId, Uses> {
    let mut merged: SecondaryMap<FuncId, Uses> = SecondaryMap::new();
    let mut callers: SecondaryMap<FuncId, Vec<FuncId>> = SecondaryMap::new();
    let mut changed = Vec::new();
    #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
    for (id, _) in cx.bodies() {
        merged[id] = bodies.uses.get(id).copied().unwrap_or_default();
        for callee in bodies.operands.callees_of(id) {
            callers[*callee].push(id);
        }
        changed.push(id);
    }
    // Each round adds a bit, or raises the shader model, of some function: 100 rounds at most for
    // each.
    while let Some(id) = changed.pop() {
        let own = merged.get(id).copied().unwrap_or_default();
        for caller in callers.get(id).map_or(&[][..], |list| list) {
            #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
            if merged[*caller].merge(own) {
                changed.push(*caller);
            }
        }
    }
    merged
}

/// Rows of resources by their variables.
type Rows = HashMap<GlobalId, Vec<u32>>;

/// Returns the rows of the resources with a variable.
fn rows_by_variable(cx: &ValidationContext<'_>) -> Rows {
    let mut rows = Rows::default();
    for (row, resource) in (0u32..).zip(resources_in_order(cx.shader)) {
        let variable = resource.variable;
        if let Some(global) = variable.and_then(|it| global_in_module(cx.module(), it)) {
            rows.entry(global).or_default().push(row);
        }
    }
    rows
}

fn of_function(
    cx: &ValidationContext<'_>,
    bodies: &Bodies,
    rows: &Rows,
    id: FuncId,
    uses: Uses,
) -> FunctionNeeds {
    let entry = cx.entry(id);
    // A patch-constant function is a plain function of the library.
    let kind = entry.map_or(ShaderKind::Library, |entry| entry.kind);
    let globals = bodies.operands.globals_of(id);
    let of_variables = globals.iter().filter_map(|global| rows.get(global));
    let mut resources: Vec<u32> = of_variables.flatten().copied().collect();
    resources.sort_unstable();
    resources.dedup();
    let module = cx.module();
    let shared = globals
        .iter()
        .filter_map(|global| module.globals.get(*global))
        .filter(|global| global.address_space == GROUP_SHARED)
        .fold(0u64, |sum, global| {
            sum.saturating_add(cx.layout.bytes(global.ty))
        });
    // Bits of the stages that this version of the validator knows.
    let known = match cx.minor() {
        ..5 => (1 << 13) - 1,
        5..8 => (1 << 15) - 1,
        8.. => u16::MAX,
    };
    // Since 1.8 the stage of a patch-constant function is that of its hull shader.
    let of_hull = cx.minor() >= 8 && cx.hull_of(id).is_some();
    let stages = match kind {
        ShaderKind::Library if of_hull => uses.stages & 1 << ShaderKind::Hull as u16,
        ShaderKind::Library => uses.stages & known,
        kind => uses.stages & 1 << kind as u16,
    };
    let native = ShaderFlags::USE_NATIVE_LOW_PRECISION;
    let mut flags = uses.flags | cx.flags() & native;
    let mut shader_model = uses.shader_model;
    if cx.minor() >= 8 {
        shader_model = shader_model.max(least_model(cx, id, kind, &mut flags));
    } else if flags.contains(native | ShaderFlags::LOW_PRECISION_PRESENT) {
        shader_model = shader_model.max((6, 2));
    } else if flags.intersects(ShaderFlags::BARYCENTRICS | ShaderFlags::VIEW_ID) {
        shader_model = shader_model.max((6, 1));
    }
    let mut features = features_of(flags);
    if cx.minor() >= 8 {
        for (flag, feature) in [
            (
                ShaderFlags::USES_DERIVATIVES,
                FeatureFlags::OPT_USES_DERIVATIVES,
            ),
            (
                ShaderFlags::REQUIRES_GROUP,
                FeatureFlags::OPT_REQUIRES_GROUP,
            ),
        ] {
            features.set(feature, flags.contains(flag));
        }
    }
    FunctionNeeds {
        function: id,
        kind,
        resources,
        externals: externals_of(cx, id),
        features,
        stage_mask: u32::from(stages),
        shader_model,
        group_shared_bytes: u32::try_from(shared).unwrap_or(u32::MAX),
    }
}

/// Returns the shader model that has what the flags say, for validators since 1.8.
fn least_model(
    cx: &ValidationContext<'_>,
    id: FuncId,
    kind: ShaderKind,
    flags: &mut ShaderFlags,
) -> (u8, u8) {
    use ShaderFlags as F;
    let entry = cx.entry(id);
    let mut minor = match kind {
        ShaderKind::Node => 8,
        ShaderKind::Mesh | ShaderKind::Amplification => 5,
        ShaderKind::RayGeneration
        | ShaderKind::Intersection
        | ShaderKind::AnyHit
        | ShaderKind::ClosestHit
        | ShaderKind::Miss
        | ShaderKind::Callable => 3,
        _ => 0,
    };
    if flags.contains(F::USES_DERIVATIVES) {
        match kind {
            ShaderKind::Compute => minor = minor.max(6),
            ShaderKind::Mesh | ShaderKind::Amplification => {
                *flags |= F::DERIVATIVES_IN_MESH_AND_AMPLIFICATION;
            }
            _ => {}
        }
    }
    if let Some(size) = entry.and_then(|entry| entry.wave_size) {
        minor = minor.max(if size.min == size.max { 6 } else { 8 });
    }
    let of_flags = [
        (F::SAMPLE_CMP_GRADIENT_OR_BIAS | F::EXTENDED_COMMAND_INFO, 8),
        (F::ADVANCED_TEXTURE_OPS | F::WRITEABLE_MSAA_TEXTURES, 7),
        (
            F::ATOMIC_INT64_ON_TYPED_RESOURCE
                | F::ATOMIC_INT64_ON_GROUP_SHARED
                | F::DERIVATIVES_IN_MESH_AND_AMPLIFICATION
                | F::RESOURCE_DESCRIPTOR_HEAP_INDEXING
                | F::SAMPLER_DESCRIPTOR_HEAP_INDEXING
                | F::ATOMIC_INT64_ON_HEAP_RESOURCE,
            6,
        ),
        (F::RAYTRACING_TIER_1_1 | F::SAMPLER_FEEDBACK, 5),
        (F::SHADING_RATE, 4),
        (F::VIEW_ID | F::BARYCENTRICS, 1),
    ];
    let newest = of_flags
        .iter()
        .find(|(any, _)| flags.intersects(*any))
        .map_or(0, |(_, minor)| *minor);
    minor = minor.max(newest);
    if flags.contains(F::LOW_PRECISION_PRESENT | F::USE_NATIVE_LOW_PRECISION) {
        minor = minor.max(2);
    }
    (6, minor)
}

/// Returns the functions that a function calls and other libraries define, in the order of their
/// declarations.
fn externals_of(cx: &ValidationContext<'_>, id: FuncId) -> Vec<FuncId> {
    let mut called: Vec<FuncId> = Vec::new();
    if let Some(view) = cx.shader.view(id) {
        for data in view.function.insts.values() {
            if let Inst::Call { callee, .. } = data.inst
                && let Some(callee) = view.as_function(callee)
                && cx.module().body(callee).is_none()
                && cx.shader.callees.get(callee) == Some(&Callee::Function)
            {
                called.push(callee);
            }
        }
    }
    called.sort_unstable();
    called.dedup();
    called.retain(|callee| {
        let decl = cx.module().functions.get(*callee);
        decl.is_some_and(|decl| !decl.name.starts_with("llvm."))
    });
    called
}
