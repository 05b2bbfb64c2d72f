//! Graphics pipelines for dynamic rendering.
//!
//! The viewport is upside down (negative height), which gives D3D's orientation without touching
//! the shaders.

use std::sync::Arc;

use ash::vk::{self, FormatFeatureFlags as F};
use dxil_frontend::dxil::ShaderKind;

use super::conv::{self, api};
use super::fixed_state::FixedState;
use super::gpu::Gpu;
use super::heaps::layout::ShaderInterface;
use super::memory::{RawPipeline, format_has};
use super::pipeline_cache::PipelineCache;
use super::shader_module::{create_module, entry_name};
use crate::error::{Error, Result};
use crate::graphics::{GraphicsState, TargetState};
use crate::program::{ShaderCode, StageCode};

/// Makes a graphics pipeline.
pub(super) fn create(
    gpu: &Arc<Gpu>,
    stages: &[StageCode],
    state: &GraphicsState,
    place: &ShaderInterface<'_>,
    cache: &PipelineCache,
) -> Result<RawPipeline> {
    if !gpu.abilities.dynamic_rendering {
        return Err(Error::Unsupported("dynamic rendering".into()));
    }
    state.check()?;
    check_features(gpu, stages, state)?;
    check_samples(gpu, state)?;
    let mut modules = Vec::with_capacity(stages.len());
    for stage in stages {
        let ShaderCode::SpirV(words) = &stage.code else {
            return Err(Error::Unsupported(
                "WGSL code (only the wgpu backend takes it)".into(),
            ));
        };
        let flag = conv::graphics_stage(stage.kind).ok_or_else(|| {
            Error::BadJob(format!(
                "a {} shader is no stage of a graphics pipeline",
                stage.kind.prefix()
            ))
        })?;
        modules.push((flag, create_module(gpu, words)?, entry_name(stage)?));
    }
    let part = part_of(gpu, stages)?;
    let flags = gpu.pipeline_flags();
    let mut chain = place.chain(flags);
    let stage_infos: Vec<_> = modules
        .iter()
        .map(|(flag, module, entry)| {
            let mut info = vk::PipelineShaderStageCreateInfo::default()
                .stage(*flag)
                .module(module.raw)
                .name(entry);
            if let Some(chain) = &chain {
                info.p_next = chain.of_stage();
            }
            info
        })
        .collect();
    let has = |kind| stages.iter().any(|stage| stage.kind == kind);

    let fixed = FixedState::of(state);
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&fixed.vertex_bindings)
        .vertex_attribute_descriptions(&fixed.vertex_attributes);
    let tessellation = vk::PipelineTessellationStateCreateInfo::default()
        .patch_control_points(fixed.control_points);
    // As many scissors as viewports, both of them dynamic, so that only their number belongs to the
    // pipeline.
    let viewport = vk::PipelineViewportStateCreateInfo::default()
        .viewport_count(fixed.viewports)
        .scissor_count(fixed.viewports);
    let mut rasterized_stream = vk::PipelineRasterizationStateStreamCreateInfoEXT::default()
        .rasterization_stream(state.rasterized_stream);
    let mut rasterization = fixed.rasterization;
    // The structure belongs to `VK_EXT_transform_feedback`; stream 0 is the default without it.
    if state.rasterized_stream != 0 {
        if !gpu.abilities.stream_select {
            return Err(Error::Unsupported(
                "drawing a stream beyond the first".into(),
            ));
        }
        rasterization = rasterization.push_next(&mut rasterized_stream);
    }
    let mut multisample = fixed.multisample;
    if let Some(mask) = &fixed.sample_mask {
        multisample = multisample.sample_mask(mask);
    }
    let color_blend = fixed.color_blend.attachments(&fixed.blend_attachments);
    let dynamic =
        vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&FixedState::DYNAMIC);
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .view_mask(fixed.view_mask)
        .color_attachment_formats(&fixed.color_formats)
        .depth_attachment_format(fixed.depth_format)
        .stencil_attachment_format(fixed.stencil_format);
    let mut library = vk::GraphicsPipelineLibraryCreateInfoEXT::default();
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .flags(flags)
        .stages(&stage_infos)
        .viewport_state(&viewport)
        .rasterization_state(&rasterization)
        .multisample_state(&multisample)
        .depth_stencil_state(&fixed.depth_stencil)
        .color_blend_state(&color_blend)
        .dynamic_state(&dynamic)
        .layout(place.layout)
        .push_next(&mut rendering);
    // Mesh pipelines have neither vertex input nor input assembly; both states are ignored there.
    if !has(ShaderKind::Mesh) {
        info = info
            .vertex_input_state(&vertex_input)
            .input_assembly_state(&fixed.input_assembly);
    }
    // VUID-VkGraphicsPipelineCreateInfo-pStages-00731: the state is needed with both tessellation
    // stages.
    if fixed.control_points > 0 {
        info = info.tessellation_state(&tessellation);
    }
    if let Some(part) = part {
        library.flags = part;
        info.flags |= vk::PipelineCreateFlags::LIBRARY_KHR;
        info = info.push_next(&mut library);
    }
    if let Some(chain) = &mut chain {
        info.p_next = chain.of_pipeline(info.p_next);
    }
    // SAFETY: modules, layout, cache and all arrays live until the call returns.
    let made = unsafe {
        gpu.raw
            .create_graphics_pipelines(cache.raw(), &[info], None)
    };
    match made {
        Ok(pipelines) => pipelines
            .first()
            .map(|raw| RawPipeline::own(gpu, *raw))
            .ok_or(Error::DeviceLost),
        Err((_, result)) => Err(api("vkCreateGraphicsPipelines")(result)),
    }
}

/// Returns the part of a pipeline that these stages are, if its machine code is to be looked at:
/// linked as a whole, outputs that no pixel shader reads would not be in it.
fn part_of(gpu: &Gpu, stages: &[StageCode]) -> Result<Option<vk::GraphicsPipelineLibraryFlagsEXT>> {
    use vk::GraphicsPipelineLibraryFlagsEXT as F;
    let Some(capture) = &gpu.capture else {
        return Ok(None);
    };
    let has = |kind| stages.iter().any(|stage| stage.kind == kind);
    let part = match (
        has(ShaderKind::Vertex) || has(ShaderKind::Mesh),
        has(ShaderKind::Pixel),
    ) {
        (true, true) => return Ok(None),
        (true, false) => F::PRE_RASTERIZATION_SHADERS,
        (false, true) if stages.len() == 1 => F::FRAGMENT_SHADER,
        (false, _) => {
            return Err(Error::BadJob(
                "these stages make no part of a pipeline: give the vertex or mesh shader too"
                    .into(),
            ));
        }
    };
    // A pipeline may end before the rasterizer, but does not begin after it.
    match (capture.parts, part) {
        (true, part) => Ok(Some(part)),
        (false, F::FRAGMENT_SHADER) => Err(Error::Unsupported(
            "a pixel shader by itself (VK_EXT_graphics_pipeline_library); give the vertex shader too"
                .into(),
        )),
        (false, _) => Ok(None),
    }
}

/// Refuses a number of samples that the attachments cannot have. A driver need not survive it.
fn check_samples(gpu: &Gpu, state: &GraphicsState) -> Result<()> {
    let limits = &gpu.limits;
    // Each kind of attachment has its own limit, and so has a rendering without attachments.
    let mut possible = vk::SampleCountFlags::from_raw(!0);
    if !state.targets.is_empty() {
        possible &= limits.framebuffer_color_sample_counts;
    }
    if state.depth.is_some() {
        possible &= limits.framebuffer_depth_sample_counts;
    }
    if state.targets.is_empty() && state.depth.is_none() {
        possible &= limits.framebuffer_no_attachments_sample_counts;
    }
    let samples = state.samples.max(1);
    if samples.is_power_of_two() && possible.contains(vk::SampleCountFlags::from_raw(samples)) {
        return Ok(());
    }
    // `VkSampleCountFlagBits` has a bit for each power of two from 1 to 64.
    let counts = (0..7).map(|bit| 1 << bit);
    let counts: Vec<String> = counts
        .filter(|count| possible.contains(vk::SampleCountFlags::from_raw(*count)))
        .map(|count: u32| count.to_string())
        .collect();
    Err(Error::Unsupported(format!(
        "{samples} samples a pixel (it has {})",
        counts.join(", ")
    )))
}

/// Refuses state for which the device lacks a feature. Every Vulkan device that can implement D3D12
/// has these features; the errors are for the others.
fn check_features(gpu: &Gpu, stages: &[StageCode], state: &GraphicsState) -> Result<()> {
    let core = &gpu.abilities.core;
    let views_of_meshes =
        state.view_mask != 0 && stages.iter().any(|stage| stage.kind == ShaderKind::Mesh);
    if views_of_meshes && !gpu.abilities.mesh_views {
        return Err(Error::Unsupported("several views of a mesh shader".into()));
    }
    if let Some(target) = state.targets.iter().find(|target| {
        target.blend.is_some() && !format_has(gpu, target.format, F::COLOR_ATTACHMENT_BLEND)
    }) {
        return Err(Error::Unsupported(format!("blending of {}", target.format)));
    }
    // VUID-VkPipelineColorBlendStateCreateInfo-pAttachments-00605 without `independentBlend`.
    let same =
        |a: &TargetState, b: &TargetState| (a.blend, a.write_mask) == (b.blend, b.write_mask);
    let independent = state
        .targets
        .windows(2)
        .any(|pair| !same(&pair[0], &pair[1]));
    for (wanted, there, what) in [
        (
            independent,
            core.independent_blend,
            "blending that differs between targets",
        ),
        (state.wireframe, core.fill_mode_non_solid, "wireframes"),
        (state.depth_clamp, core.depth_clamp, "depth clamping"),
        (
            state.depth_bias.is_some_and(|bias| bias.clamp != 0.0),
            core.depth_bias_clamp,
            "clamped depth bias",
        ),
        (
            state.viewports > 1,
            core.multi_viewport,
            "several viewports",
        ),
        (state.logic_op.is_some(), core.logic_op, "logic operations"),
    ] {
        if wanted && there == vk::FALSE {
            return Err(Error::Unsupported(what.into()));
        }
    }
    Ok(())
}
