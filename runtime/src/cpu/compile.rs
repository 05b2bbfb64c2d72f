//! From a shader to a program that the CPU executes.

use std::sync::Arc;

use dxil_cpu::Kernel;
use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{
    ResourceClass, ResourceIndex, ResourceKind, Shader, ShaderFlags, ShaderKind,
};
use dxil_translate::{DescriptorKind, ViewIdSource, ViewInstancing};

use super::chains::check_stages;
use super::executable::{Executable, StageInterface};
use crate::device::Profile;
use crate::error::{Error, Result};
use crate::program::{
    BindingSlot, CompileOptions, Layout, Program, SetLayout, ShaderCode, SlotSource, StageCode,
};
use crate::resource::{Register, Sampler};
use crate::root_signature::{Planner, static_samplers};
use crate::stage_link;

/// Decodes a shader for the device.
pub(crate) fn compile(
    shaders: &[&Shader],
    root: Option<&RootSignature>,
    profile: &Profile,
    options: &CompileOptions,
) -> Result<Program> {
    let (minimum, maximum) = profile.subgroup_sizes;
    let mut decode = dxil_cpu::Options::default();
    decode.entry.clone_from(&options.entry);
    // A device without a fixed size lets the shader decide.
    decode.wave_size = (minimum == maximum).then_some(minimum);
    decode.keep_denormals = profile.keep_denormals;
    decode.preview = options.preview;
    decode.checks = profile.checks;
    decode.watched = options.watched;
    // The planner looks whether the root signature has a place for everything.
    let mut planner = Planner::new(root, profile, &|_| None, options.root_descriptors);
    let (mut kernels, mut samplers) = (Vec::new(), Vec::new());
    for (index, shader) in shaders.iter().enumerate() {
        let in_stage = |error: Error| error.in_stage(index, shaders.len());
        let kernel = Kernel::decode(shader, &decode).map_err(|error| in_stage(error.into()))?;
        let stage = kernel.stage().unwrap_or(ShaderKind::Compute);
        if stage == ShaderKind::Node {
            return Err(Error::lone_node());
        }
        planner.stage(&shader.resources, stage).map_err(in_stage)?;
        samplers.push(match root {
            Some(root) => static_samplers(root, &shader.resources, stage)?,
            None => Vec::new(),
        });
        kernels.push(kernel);
    }
    let kernels = with_view(kernels, &options.signature.views)?;
    let kinds: Vec<ShaderKind> = kernels.iter().filter_map(Kernel::stage).collect();
    check_stages(&kinds)?;
    stage_link::check(shaders, options.entry.as_deref())?;
    let all_samplers = samplers.concat();
    let mut layout = layout_of(&kernels.iter().collect::<Vec<_>>(), shaders, &all_samplers);
    layout.declared = planner.declared();
    let mut stages = Vec::with_capacity(kernels.len());
    for ((kernel, static_samplers), shader) in kernels.into_iter().zip(samplers).zip(shaders) {
        let stage = kernel.stage().unwrap_or(ShaderKind::Compute);
        let own = layout_of(&[&kernel], shaders, &all_samplers);
        let singles = own.sets.into_iter().flat_map(|set| set.slots);
        let needed = singles
            .filter(|slot| slot.count == 1 && !slot.unbounded)
            .filter_map(|slot| match slot.source {
                SlotSource::Registers(register) => Some((register, slot.name)),
                _ => None,
            });
        let executable = Executable {
            needed: needed.collect(),
            kernel,
            static_samplers,
            locals: Vec::new(),
            stage: stage_interface(shader, stage, options),
        };
        let entry = options.entry.clone();
        let entry = entry.or_else(|| Some(shader.entry_points.first()?.plain_name().to_owned()));
        stages.push(StageCode {
            kind: stage,
            required_subgroup_size: Some(executable.kernel.wave_size()),
            code: ShaderCode::Dxil(Arc::new(executable)),
            entry: entry.unwrap_or_default(),
            interface: None,
            structure: None,
            warnings: Vec::new(),
            timings: None,
        });
    }
    Ok(Program {
        stages,
        layout,
        graphics: None,
        ray_tracing: None,
    })
}

/// Returns the kernels with the view that the options ask for.
fn with_view(kernels: Vec<Kernel>, views: &ViewInstancing) -> Result<Vec<Kernel>> {
    let is_direct = views.viewports.is_none()
        && views.layers.is_none()
        && views.layer_offset.is_none()
        && views.mask.is_none();
    match views.id {
        ViewIdSource::ViewIndex if is_direct => Ok(kernels),
        ViewIdSource::Constant(view) if is_direct => Ok(kernels
            .iter()
            .map(|kernel| kernel.with_view(view))
            .collect()),
        _ => Err(Error::Unsupported(
            "views by tables and words of buffers on the CPU backend, which translates nothing"
                .into(),
        )),
    }
}

/// Returns the inputs and outputs of a stage of a draw; others have none.
fn stage_interface(
    shader: &Shader,
    stage: ShaderKind,
    options: &CompileOptions,
) -> Option<StageInterface> {
    if stage == ShaderKind::Compute {
        return None;
    }
    let entry = match &options.entry {
        Some(name) => shader.entry_point(name),
        None => shader.entry_points.iter().find(|entry| entry.kind == stage),
    };
    let entry = entry?;
    let early = ShaderFlags::FORCE_EARLY_DEPTH_STENCIL;
    Some(StageInterface {
        entry: entry.clone(),
        streams: options.signature.stream_output.entries.clone(),
        forces_early_depth: shader.flags_of(entry).contains(early),
    })
}

/// Returns a layout with the registers that kernels use, in one set. The binding numbers have no
/// meaning.
pub(super) fn layout_of(
    kernels: &[&Kernel],
    shaders: &[&Shader],
    samplers: &[(Register, Sampler)],
) -> Layout {
    let mut slots: Vec<BindingSlot> = Vec::new();
    let resources: Vec<ResourceIndex<'_>> = shaders
        .iter()
        .map(|shader| ResourceIndex::new(&shader.resources))
        .collect();
    // Binding numbers only have to differ: nothing is bound by number here.
    for range in kernels.iter().flat_map(|kernel| kernel.used_ranges()) {
        let register = range.first;
        let is_known = |slot: &BindingSlot| match slot.source {
            SlotSource::Registers(at) => at == register,
            _ => false,
        };
        if slots.iter().any(is_known) {
            continue;
        }
        let found = resources
            .iter()
            .find_map(|all| all.at_register(register.class, register.space, register.index));
        let Some(resource) = found else {
            continue;
        };
        let source = samplers.iter().find(|(at, _)| *at == register);
        let source = match source {
            Some((_, sampler)) => SlotSource::StaticSampler(*sampler),
            None => SlotSource::Registers(register),
        };
        let binding = slots.len() as u32;
        let kind = descriptor_kind(resource.class, resource.kind);
        slots.push(BindingSlot {
            count: range.count.unwrap_or(u32::MAX),
            unbounded: range.count.is_none(),
            component: resource.detail.component,
            writable: resource.class == ResourceClass::Uav,
            stride: resource.detail.stride.unwrap_or(0),
            name: resource.name.to_string(),
            ..BindingSlot::new(binding, kind, source, resource.kind)
        });
    }
    for (is_used, source, shape) in [
        (
            kernels.iter().any(|kernel| kernel.uses_resource_heap()),
            SlotSource::ResourceHeap,
            ResourceKind::Invalid,
        ),
        (
            kernels.iter().any(|kernel| kernel.uses_sampler_heap()),
            SlotSource::SamplerHeap,
            ResourceKind::Sampler,
        ),
    ] {
        if is_used {
            let binding = slots.len() as u32;
            let kind = DescriptorKind::StorageBuffer;
            slots.push(BindingSlot {
                unbounded: true,
                ..BindingSlot::new(binding, kind, source, shape)
            });
        }
    }
    Layout {
        sets: vec![SetLayout { slots }],
        push_constants: Vec::new(),
        declared: Vec::new(),
    }
}

fn descriptor_kind(class: ResourceClass, kind: ResourceKind) -> DescriptorKind {
    let is_uav = class == ResourceClass::Uav;
    match kind {
        ResourceKind::Sampler => DescriptorKind::Sampler,
        ResourceKind::CBuffer => DescriptorKind::UniformBuffer,
        ResourceKind::RtAccelerationStructure => DescriptorKind::AccelerationStructure,
        ResourceKind::TypedBuffer if is_uav => DescriptorKind::StorageTexelBuffer,
        ResourceKind::TypedBuffer => DescriptorKind::UniformTexelBuffer,
        kind if kind.is_texture() && is_uav => DescriptorKind::StorageImage,
        kind if kind.is_texture() => DescriptorKind::SampledImage,
        _ => DescriptorKind::StorageBuffer,
    }
}
