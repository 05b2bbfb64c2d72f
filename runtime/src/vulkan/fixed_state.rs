//! The state of a graphics pipeline in Vulkan's words: a pure function of ours, without device,
//! shaders and layout.

use ash::vk;

use super::conv;
use crate::format::Format;
use crate::graphics::{
    BlendFactor, GraphicsState, StencilFace, StencilState, TargetState, Topology,
};

/// The state of a graphics pipeline for dynamic rendering. Structures point to nothing: arrays
/// stand beside them.
#[derive(Debug, Clone)]
pub struct FixedState {
    /// Vertex buffer slots.
    pub vertex_bindings: Vec<vk::VertexInputBindingDescription>,
    /// Vertex attributes.
    pub vertex_attributes: Vec<vk::VertexInputAttributeDescription>,
    /// Topology.
    pub input_assembly: vk::PipelineInputAssemblyStateCreateInfo<'static>,
    /// Control points of a patch; 0 without tessellation.
    pub control_points: u32,
    /// Number of viewports and of scissors.
    pub viewports: u32,
    /// Rasterization, without the stream.
    pub rasterization: vk::PipelineRasterizationStateCreateInfo<'static>,
    /// Multisampling, without the mask.
    pub multisample: vk::PipelineMultisampleStateCreateInfo<'static>,
    /// Samples that may be written.
    pub sample_mask: Option<[u32; 1]>,
    /// Depth and stencil tests.
    pub depth_stencil: vk::PipelineDepthStencilStateCreateInfo<'static>,
    /// Blending of the targets.
    pub blend_attachments: Vec<vk::PipelineColorBlendAttachmentState>,
    /// Logic operation, without the targets.
    pub color_blend: vk::PipelineColorBlendStateCreateInfo<'static>,
    /// Views.
    pub view_mask: u32,
    /// Formats of the render targets.
    pub color_formats: Vec<vk::Format>,
    /// Format of the depth buffer, or `UNDEFINED`.
    pub depth_format: vk::Format,
    /// The same, if it has stencil.
    pub stencil_format: vk::Format,
}

impl FixedState {
    /// Dynamic states: what D3D12 sets on the command list and not in the pipeline state object.
    pub const DYNAMIC: [vk::DynamicState; 4] = [
        vk::DynamicState::VIEWPORT,
        vk::DynamicState::SCISSOR,
        vk::DynamicState::BLEND_CONSTANTS,
        vk::DynamicState::STENCIL_REFERENCE,
    ];

    /// Returns the state in Vulkan's words. Whether a device has what it needs is not looked at.
    pub fn of(state: &GraphicsState) -> Self {
        let vertex_bindings: Vec<_> = (0u32..)
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
        let vertex_attributes: Vec<_> = state
            .attributes
            .iter()
            .map(|attribute| vk::VertexInputAttributeDescription {
                location: attribute.row,
                binding: attribute.slot,
                format: conv::format(attribute.format),
                offset: attribute.offset,
            })
            .collect();
        let input_assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(conv::topology(state.topology))
            .primitive_restart_enable(state.strip_cut);
        let control_points = match state.topology {
            Topology::PatchList(points) => points,
            _ => 0,
        };
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
        let multisample = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::from_raw(state.samples.max(1)))
            .alpha_to_coverage_enable(state.alpha_to_coverage);
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
        let mut color_blend = vk::PipelineColorBlendStateCreateInfo::default();
        if let Some(op) = state.logic_op {
            color_blend = color_blend
                .logic_op_enable(true)
                .logic_op(conv::logic_op(op));
        }
        let depth = state.depth.map(|depth| depth.format);
        let undefined = vk::Format::UNDEFINED;
        FixedState {
            vertex_bindings,
            vertex_attributes,
            input_assembly,
            control_points,
            viewports: state.viewports.max(1),
            rasterization,
            multisample,
            sample_mask: state.sample_mask.map(|mask| [mask]),
            depth_stencil,
            blend_attachments: state.targets.iter().map(blend_attachment).collect(),
            color_blend,
            view_mask: state.view_mask,
            color_formats: state
                .targets
                .iter()
                .map(|target| conv::format(target.format))
                .collect(),
            depth_format: depth.map_or(undefined, conv::format),
            stencil_format: depth
                .filter(|format| format.has_stencil())
                .map_or(undefined, conv::format),
        }
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
