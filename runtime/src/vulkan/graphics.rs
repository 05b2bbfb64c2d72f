//! Graphics pipelines for dynamic rendering.
//!
//! The viewport is upside down (negative height), which gives D3D's orientation without touching
//! the shaders.

use std::sync::Arc;

use ash::vk::{self, FormatFeatureFlags as F};
use dxil_frontend::dxil::ShaderKind;

use super::conv::{self, api};
use super::gpu::Gpu;
use super::heaps::layout::ShaderInterface;
use super::memory::{RawPipeline, format_has};
use super::pipeline_cache::PipelineCache;
use super::shader_module::{create_module, entry_name};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::graphics::{
    BlendFactor, GraphicsState, StencilFace, StencilState, TargetState, Topology,
};
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

    let bindings: Vec<_> = (0u32..)
        .zip(&state.vertex_slots)
        .map(|(binding, slot)| vk::VertexInputBindingDescription {
            binding,
            stride: slot.stride,
            input_rate: if slot.per_instance {
                vk::VertexInputRate::INSTANCE
            } else {
                vk::VertexInputRate::VERTEX
            },
        })
        .collect();
    let attributes: Vec<_> = state
        .attributes
        .iter()
        .map(|attribute| vk::VertexInputAttributeDescription {
            location: attribute.row,
            binding: attribute.slot,
            format: conv::format(attribute.format),
            offset: attribute.offset,
        })
        .collect();
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
        .topology(conv::topology(state.topology))
        .primitive_restart_enable(state.strip_cut);
    let control_points = match state.topology {
        Topology::PatchList(points) => points,
        _ => 0,
    };
    let tessellation =
        vk::PipelineTessellationStateCreateInfo::default().patch_control_points(control_points);
    // As many scissors as viewports, both of them dynamic, so that only their number belongs to the
    // pipeline.
    let viewport = vk::PipelineViewportStateCreateInfo::default()
        .viewport_count(state.viewports.max(1))
        .scissor_count(state.viewports.max(1));
    let mut rasterized_stream = vk::PipelineRasterizationStateStreamCreateInfoEXT::default()
        .rasterization_stream(state.rasterized_stream);
    let mut rasterization = vk::PipelineRasterizationStateCreateInfo::default()
        .polygon_mode(if state.wireframe {
            vk::PolygonMode::LINE
        } else {
            vk::PolygonMode::FILL
        })
        .cull_mode(conv::cull_mode(state.cull))
        // The viewport's flip and the flipped y of clip space cancel out: what D3D calls
        // clockwise is clockwise.
        .front_face(if state.front_counter_clockwise {
            vk::FrontFace::COUNTER_CLOCKWISE
        } else {
            vk::FrontFace::CLOCKWISE
        })
        .depth_clamp_enable(state.depth_clamp)
        .line_width(1.0);
    if let Some(bias) = &state.depth_bias {
        rasterization = rasterization
            .depth_bias_enable(true)
            .depth_bias_constant_factor(bias.constant as f32)
            .depth_bias_slope_factor(bias.slope)
            .depth_bias_clamp(bias.clamp);
    }
    // The structure belongs to `VK_EXT_transform_feedback`; stream 0 is the default without it.
    if state.rasterized_stream != 0 {
        if !gpu.abilities.stream_select {
            return Err(Error::Unsupported(
                "drawing a stream beyond the first".into(),
            ));
        }
        rasterization = rasterization.push_next(&mut rasterized_stream);
    }
    let mut multisample = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(state.samples.max(1)))
        .alpha_to_coverage_enable(state.alpha_to_coverage);
    let mask = state.sample_mask.map(|mask| [mask]);
    if let Some(mask) = &mask {
        multisample = multisample.sample_mask(mask);
    }
    let stencil = state.depth.and_then(|depth| depth.stencil);
    let stencil = stencil.unwrap_or_default();
    let depth_stencil = match &state.depth {
        Some(depth) => vk::PipelineDepthStencilStateCreateInfo::default()
            // Without the depth test Vulkan writes no depth either, so a state that only writes
            // tests with a comparison that always passes.
            .depth_test_enable(depth.test.is_some() || depth.write)
            .depth_write_enable(depth.write)
            .depth_compare_op(depth.test.map_or(vk::CompareOp::ALWAYS, conv::compare_op))
            .stencil_test_enable(depth.stencil.is_some())
            .front(stencil_face(&stencil.front, &stencil))
            .back(stencil_face(&stencil.back, &stencil)),
        None => vk::PipelineDepthStencilStateCreateInfo::default(),
    };
    let blends: Vec<_> = state.targets.iter().map(blend_attachment).collect();
    let mut color_blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    if let Some(op) = state.logic_op {
        color_blend = color_blend
            .logic_op_enable(true)
            .logic_op(conv::logic_op(op));
    }
    // Dynamic is what D3D12 sets on the command list and not in the pipeline state object.
    let dynamic_states = [
        vk::DynamicState::VIEWPORT,
        vk::DynamicState::SCISSOR,
        vk::DynamicState::BLEND_CONSTANTS,
        vk::DynamicState::STENCIL_REFERENCE,
    ];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&dynamic_states);
    let formats: Vec<_> = state
        .targets
        .iter()
        .map(|target| conv::format(target.format))
        .collect();
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .view_mask(state.view_mask)
        .color_attachment_formats(&formats);
    if let Some(depth) = &state.depth {
        rendering = rendering.depth_attachment_format(conv::format(depth.format));
        if depth.format.has_stencil() {
            rendering = rendering.stencil_attachment_format(conv::format(depth.format));
        }
    }
    let mut library = vk::GraphicsPipelineLibraryCreateInfoEXT::default();
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .flags(flags)
        .stages(&stage_infos)
        .viewport_state(&viewport)
        .rasterization_state(&rasterization)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth_stencil)
        .color_blend_state(&color_blend)
        .dynamic_state(&dynamic)
        .layout(place.layout)
        .push_next(&mut rendering);
    // Mesh pipelines have neither vertex input nor input assembly; both states are ignored there.
    if !has(ShaderKind::Mesh) {
        info = info
            .vertex_input_state(&vertex_input)
            .input_assembly_state(&assembly);
    }
    // VUID-VkGraphicsPipelineCreateInfo-pStages-00731: the state is needed with both tessellation
    // stages.
    if control_points > 0 {
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
    // A pipeline may end before the rasterizer, but does not begin behind it.
    match (capture.parts, part) {
        (true, part) => Ok(Some(part)),
        (false, F::FRAGMENT_SHADER) => Err(Error::Unsupported(
            "a pixel shader by itself (VK_EXT_graphics_pipeline_library); give the vertex shader too"
                .into(),
        )),
        (false, _) => Ok(None),
    }
}

fn blend_attachment(target: &TargetState) -> vk::PipelineColorBlendAttachmentState {
    let mut mask = vk::ColorComponentFlags::from_raw(u32::from(target.write_mask & 15));
    if matches!(target.format, Format::Bgrx8Unorm | Format::Bgrx8Srgb) {
        // The byte means nothing, and keeps what it has.
        mask &= !vk::ColorComponentFlags::A;
    }
    let state = vk::PipelineColorBlendAttachmentState::default().color_write_mask(mask);
    match &target.blend {
        None => state,
        Some(blend) => {
            let factor = |factor| conv::blend_factor(factor_for(target.format, factor));
            state
                .blend_enable(true)
                .src_color_blend_factor(factor(blend.color.0))
                .dst_color_blend_factor(factor(blend.color.1))
                .color_blend_op(conv::blend_op(blend.color_op))
                .src_alpha_blend_factor(factor(blend.alpha.0))
                .dst_alpha_blend_factor(factor(blend.alpha.1))
                .alpha_blend_op(conv::blend_op(blend.alpha_op))
        }
    }
}

/// Returns the factor for a target without alpha, whose alpha is one, whatever its bytes hold.
fn factor_for(format: Format, factor: BlendFactor) -> BlendFactor {
    // The target's byte of alpha may hold anything, while D3D12 reads one. With an alpha of one,
    // `SourceAlphaSaturate`, the minimum of source alpha and one minus target alpha, is zero. Its
    // alpha factor would be one, but alpha is not written.
    match (format, factor) {
        (Format::Bgrx8Unorm | Format::Bgrx8Srgb, BlendFactor::DestinationAlpha) => BlendFactor::One,
        (
            Format::Bgrx8Unorm | Format::Bgrx8Srgb,
            BlendFactor::InverseDestinationAlpha | BlendFactor::SourceAlphaSaturate,
        ) => BlendFactor::Zero,
        _ => factor,
    }
}

fn stencil_face(face: &StencilFace, state: &StencilState) -> vk::StencilOpState {
    vk::StencilOpState {
        fail_op: conv::stencil_op(face.fail),
        pass_op: conv::stencil_op(face.pass),
        depth_fail_op: conv::stencil_op(face.depth_fail),
        compare_op: conv::compare_op(face.test),
        compare_mask: u32::from(state.read_mask),
        write_mask: u32::from(state.write_mask),
        // The draw says it.
        reference: 0,
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
