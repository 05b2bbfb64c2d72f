//! Graphics pipelines and draws, by dynamic rendering.
//!
//! The viewport is upside down (negative height), which gives D3D's orientation without touching
//! the shaders.

use std::sync::Arc;

use ash::{ext, vk};
use dxil_frontend::dxil::ShaderKind;

use super::commands::Commands;
use super::conv::{self, api};
use super::descriptors::DeviceStorage;
use super::device::Gpu;
use super::memory::{ImageView, PipelineLayout, RawPipeline, aspects_of};
use super::pipeline::{create_module, entry_name};
use super::stream_output::Capture;
use crate::error::{Error, Result};
use crate::graphics::{Attachment, Draw, DrawCall, GraphicsState, TargetState, Topology};
use crate::job::{Job, ResourceId, Storage, Texture};
use crate::program::{Code, StageCode};

/// Makes a graphics pipeline.
pub(super) fn create(
    gpu: &Arc<Gpu>,
    stages: &[StageCode],
    state: &GraphicsState,
    layout: &PipelineLayout,
) -> Result<RawPipeline> {
    if !gpu.abilities.dynamic_rendering {
        return Err(Error::Unsupported("dynamic rendering".into()));
    }
    let mut modules = Vec::with_capacity(stages.len());
    for stage in stages {
        let Code::SpirV(words) = &stage.code else {
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
    let stage_infos: Vec<_> = modules
        .iter()
        .map(|(flag, module, entry)| {
            vk::PipelineShaderStageCreateInfo::default()
                .stage(*flag)
                .module(module.raw)
                .name(entry)
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
        .topology(conv::topology(state.topology));
    let control_points = match state.topology {
        Topology::PatchList(points) => points,
        _ => 0,
    };
    let tessellation =
        vk::PipelineTessellationStateCreateInfo::default().patch_control_points(control_points);
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
        .line_width(1.0);
    if state.rasterized_stream != 0 {
        if !gpu.abilities.stream_select {
            return Err(Error::Unsupported(
                "drawing a stream beyond the first".into(),
            ));
        }
        rasterization = rasterization.push_next(&mut rasterized_stream);
    }
    let multisample = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(state.samples.max(1)));
    let depth_stencil = match &state.depth {
        Some(depth) => vk::PipelineDepthStencilStateCreateInfo::default()
            .depth_test_enable(depth.test.is_some() || depth.write)
            .depth_write_enable(depth.write)
            .depth_compare_op(depth.test.map_or(vk::CompareOp::ALWAYS, conv::compare_op)),
        None => vk::PipelineDepthStencilStateCreateInfo::default(),
    };
    let blends: Vec<_> = state.targets.iter().map(blend_attachment).collect();
    let color_blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let dynamic_states = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
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
    }
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stage_infos)
        .viewport_state(&viewport)
        .rasterization_state(&rasterization)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth_stencil)
        .color_blend_state(&color_blend)
        .dynamic_state(&dynamic)
        .layout(layout.raw)
        .push_next(&mut rendering);
    if !has(ShaderKind::Mesh) {
        info = info
            .vertex_input_state(&vertex_input)
            .input_assembly_state(&assembly);
    }
    if control_points > 0 {
        info = info.tessellation_state(&tessellation);
    }
    // SAFETY: modules, layout and all arrays live until the call returns; the pipeline cache is
    // internally synchronised.
    let made = unsafe {
        gpu.raw
            .create_graphics_pipelines(gpu.pipeline_cache, &[info], None)
    };
    match made {
        Ok(pipelines) => pipelines
            .first()
            .map(|raw| RawPipeline::own(gpu, *raw))
            .ok_or(Error::DeviceLost),
        Err((_, result)) => Err(api("vkCreateGraphicsPipelines")(result)),
    }
}

fn blend_attachment(target: &TargetState) -> vk::PipelineColorBlendAttachmentState {
    let mask = vk::ColorComponentFlags::from_raw(u32::from(target.write_mask & 15));
    let state = vk::PipelineColorBlendAttachmentState::default().color_write_mask(mask);
    match &target.blend {
        None => state,
        Some(blend) => state
            .blend_enable(true)
            .src_color_blend_factor(conv::blend_factor(blend.color.0))
            .dst_color_blend_factor(conv::blend_factor(blend.color.1))
            .color_blend_op(conv::blend_op(blend.color_op))
            .src_alpha_blend_factor(conv::blend_factor(blend.alpha.0))
            .dst_alpha_blend_factor(conv::blend_factor(blend.alpha.1))
            .alpha_blend_op(conv::blend_op(blend.alpha_op)),
    }
}

/// Views of what is drawn to, which live as long as the commands.
pub(super) struct Attachments {
    colors: Vec<(ImageView, Attachment, Option<ImageView>)>,
    depth: Option<(ImageView, Attachment)>,
    extent: vk::Extent2D,
    viewports: Vec<[f32; 4]>,
    view_mask: u32,
    capture: Option<Capture>,
    /// Layers that all targets have.
    layers: u32,
    mesh: Option<ext::mesh_shader::Device>,
}

impl Attachments {
    /// Makes the views of a draw.
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        state: &GraphicsState,
        draw: &Draw,
        job: &Job,
        storages: &[DeviceStorage],
    ) -> Result<Self> {
        if draw.targets.len() != state.targets.len()
            || draw.depth.is_some() != state.depth.is_some()
        {
            return Err(Error::BadJob(format!(
                "the draw has {} render target(s), the pipeline {}",
                draw.targets.len(),
                state.targets.len()
            )));
        }
        if draw.vertex_buffers.len() != state.vertex_slots.len() {
            return Err(Error::BadJob(format!(
                "the draw has {} vertex buffer(s), the pipeline {}",
                draw.vertex_buffers.len(),
                state.vertex_slots.len()
            )));
        }
        let mut extent: Option<[u32; 2]> = None;
        let layers = draw
            .targets
            .iter()
            .chain(&draw.depth)
            .map(|target| {
                let texture = texture_of(job, target.resource)?;
                Ok(texture.layers.saturating_sub(target.layer))
            })
            .collect::<Result<Vec<u32>>>()?;
        let mut colors = Vec::with_capacity(draw.targets.len());
        for (target, wanted) in draw.targets.iter().zip(&state.targets) {
            let texture = texture_of(job, target.resource)?;
            if texture.format != wanted.format {
                return Err(Error::BadJob(format!(
                    "a render target is {}, the pipeline draws to {}",
                    texture.format, wanted.format
                )));
            }
            shrink(&mut extent, texture, target.mip);
            let view = view(gpu, storages, texture, target.resource, target)?;
            let resolve = match target.resolve {
                Some(id) => Some(self::view(gpu, storages, texture_of(job, id)?, id, target)?),
                None => None,
            };
            colors.push((view, *target, resolve));
        }
        let depth = match &draw.depth {
            Some(target) => {
                let texture = texture_of(job, target.resource)?;
                shrink(&mut extent, texture, target.mip);
                Some((
                    view(gpu, storages, texture, target.resource, target)?,
                    *target,
                ))
            }
            None => None,
        };
        let [width, height] = extent
            .or(draw.viewport)
            .ok_or_else(|| Error::BadJob("a draw without targets needs a viewport".into()))?;
        let mesh = match draw.call {
            DrawCall::Meshes(_) if !gpu.abilities.mesh_shaders => {
                return Err(Error::Unsupported("mesh shaders".into()));
            }
            DrawCall::Meshes(_) => Some(ext::mesh_shader::Device::new(&gpu.instance.raw, &gpu.raw)),
            DrawCall::Vertices { .. } => None,
        };
        let viewports = match draw.viewport.unwrap_or([width, height]) {
            [width, height] if draw.viewports.is_empty() => {
                vec![[0.0, 0.0, width as f32, height as f32]]
            }
            _ => draw.viewports.clone(),
        };
        if viewports.len() != state.viewports.max(1) as usize {
            return Err(Error::BadJob(format!(
                "the draw has {} viewport(s), the pipeline {}",
                viewports.len(),
                state.viewports.max(1)
            )));
        }
        Ok(Attachments {
            colors,
            depth,
            extent: vk::Extent2D { width, height },
            viewports,
            view_mask: state.view_mask,
            capture: Capture::new(gpu, draw, storages)?,
            layers: layers.into_iter().min().unwrap_or(1).max(1),
            mesh,
        })
    }
}

fn texture_of(job: &Job, id: ResourceId) -> Result<&Texture> {
    match job.resources.get(id.0).map(|resource| &resource.storage) {
        Some(Storage::Texture(texture)) => Ok(texture),
        _ => Err(Error::BadJob("a render target is not a texture".into())),
    }
}

/// The drawn area is what all targets have.
fn shrink(extent: &mut Option<[u32; 2]>, texture: &Texture, mip: u32) {
    let [width, height, _] = texture.mip_size(mip);
    *extent = Some(match *extent {
        Some([w, h]) => [w.min(width), h.min(height)],
        None => [width, height],
    });
}

fn view(
    gpu: &Arc<Gpu>,
    storages: &[DeviceStorage],
    texture: &Texture,
    id: ResourceId,
    target: &Attachment,
) -> Result<ImageView> {
    let Some(DeviceStorage::Image(image)) = storages.get(id.0) else {
        return Err(Error::BadJob("a render target is not a texture".into()));
    };
    let needed = if texture.format.is_depth() {
        vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT
    } else {
        vk::ImageUsageFlags::COLOR_ATTACHMENT
    };
    if !image.usage.contains(needed) {
        return Err(Error::Unsupported(format!(
            "drawing to textures of format {}",
            texture.format
        )));
    }
    if target.mip >= texture.mips || target.layer >= texture.layers {
        return Err(Error::BadJob(
            "a render target's mip or layer does not exist".into(),
        ));
    }
    let layers = texture.layers - target.layer;
    let info = vk::ImageViewCreateInfo::default()
        .image(image.raw)
        .view_type(if layers > 1 {
            vk::ImageViewType::TYPE_2D_ARRAY
        } else {
            vk::ImageViewType::TYPE_2D
        })
        .format(conv::format(texture.format))
        .subresource_range(vk::ImageSubresourceRange {
            aspect_mask: aspects_of(texture.format),
            base_mip_level: target.mip,
            level_count: 1,
            base_array_layer: target.layer,
            layer_count: layers,
        });
    // SAFETY: the view lies inside of the image, which has the usage that it asks for.
    let raw =
        unsafe { gpu.raw.create_image_view(&info, None) }.map_err(api("vkCreateImageView"))?;
    Ok(ImageView::own(gpu, raw))
}

/// Records a draw; pipeline and descriptor sets are bound.
pub(super) fn record(
    gpu: &Gpu,
    commands: &Commands,
    draw: &Draw,
    storages: &[DeviceStorage],
    attachments: &Attachments,
) -> Result<()> {
    let general = vk::ImageLayout::GENERAL;
    let load = |target: &Attachment| match target.clear {
        Some(_) => vk::AttachmentLoadOp::CLEAR,
        None => vk::AttachmentLoadOp::LOAD,
    };
    let colors: Vec<_> = attachments
        .colors
        .iter()
        .map(|(view, target, resolve)| {
            let info = vk::RenderingAttachmentInfo::default()
                .image_view(view.raw)
                .image_layout(general)
                .load_op(load(target))
                .store_op(vk::AttachmentStoreOp::STORE)
                .clear_value(vk::ClearValue {
                    color: vk::ClearColorValue {
                        float32: target.clear.unwrap_or_default(),
                    },
                });
            match resolve {
                Some(resolve) => info
                    .resolve_mode(vk::ResolveModeFlags::AVERAGE)
                    .resolve_image_view(resolve.raw)
                    .resolve_image_layout(general),
                None => info,
            }
        })
        .collect();
    let depth = attachments.depth.as_ref().map(|(view, target)| {
        vk::RenderingAttachmentInfo::default()
            .image_view(view.raw)
            .image_layout(general)
            .load_op(load(target))
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(vk::ClearValue {
                depth_stencil: vk::ClearDepthStencilValue {
                    depth: target.clear.map_or(1.0, |clear| clear[0]),
                    stencil: 0,
                },
            })
    });
    let area = vk::Rect2D {
        offset: vk::Offset2D::default(),
        extent: attachments.extent,
    };
    let mut info = vk::RenderingInfo::default()
        .render_area(area)
        .layer_count(attachments.layers)
        .view_mask(attachments.view_mask)
        .color_attachments(&colors);
    if let Some(depth) = &depth {
        info = info.depth_attachment(depth);
    }
    let viewports: Vec<_> = attachments
        .viewports
        .iter()
        .map(|&[x, y, width, height]| vk::Viewport {
            x,
            y: y + height,
            width,
            height: -height,
            min_depth: 0.0,
            max_depth: 1.0,
        })
        .collect();
    let scissors: Vec<_> = attachments
        .viewports
        .iter()
        .map(|&[x, y, width, height]| {
            let [left, top] = [x.max(0.0) as u32, y.max(0.0) as u32];
            let extent = attachments.extent;
            vk::Rect2D {
                offset: vk::Offset2D {
                    x: left as i32,
                    y: top as i32,
                },
                extent: vk::Extent2D {
                    width: (width as u32).min(extent.width.saturating_sub(left)),
                    height: (height as u32).min(extent.height.saturating_sub(top)),
                },
            }
        })
        .collect();
    let buffer_of = |id: ResourceId| match storages.get(id.0) {
        Some(DeviceStorage::Buffer(buffer)) => Ok(buffer.raw),
        _ => Err(Error::BadJob(
            "vertices and indices come from buffers".into(),
        )),
    };
    let mut buffers = Vec::with_capacity(draw.vertex_buffers.len());
    let mut offsets = Vec::with_capacity(draw.vertex_buffers.len());
    for vertices in &draw.vertex_buffers {
        buffers.push(buffer_of(vertices.resource)?);
        offsets.push(vertices.offset);
    }
    let indices = match &draw.indices {
        Some(indices) => Some((buffer_of(indices.resource)?, indices)),
        None => None,
    };
    let raw = &gpu.raw;
    // SAFETY: the command buffer is being recorded with a graphics pipeline bound whose targets
    // have these formats; views and buffers live until the commands are done.
    unsafe {
        raw.cmd_set_viewport(commands.raw, 0, &viewports);
        raw.cmd_set_scissor(commands.raw, 0, &scissors);
        if !buffers.is_empty() {
            raw.cmd_bind_vertex_buffers(commands.raw, 0, &buffers, &offsets);
        }
        raw.cmd_begin_rendering(commands.raw, &info);
        if let Some(capture) = &attachments.capture {
            capture.begin(commands.raw);
        }
        match (draw.call, indices) {
            (
                DrawCall::Vertices {
                    count,
                    instances,
                    first,
                    first_instance,
                },
                Some((buffer, from)),
            ) => {
                let width = if from.wide {
                    vk::IndexType::UINT32
                } else {
                    vk::IndexType::UINT16
                };
                raw.cmd_bind_index_buffer(commands.raw, buffer, from.offset, width);
                raw.cmd_draw_indexed(
                    commands.raw,
                    count,
                    instances,
                    first,
                    from.base_vertex,
                    first_instance,
                );
            }
            (
                DrawCall::Vertices {
                    count,
                    instances,
                    first,
                    first_instance,
                },
                None,
            ) => raw.cmd_draw(commands.raw, count, instances, first, first_instance),
            (DrawCall::Meshes([x, y, z]), _) => {
                if let Some(mesh) = &attachments.mesh {
                    mesh.cmd_draw_mesh_tasks(commands.raw, x, y, z);
                }
            }
        }
        if let Some(capture) = &attachments.capture {
            capture.end(commands.raw);
        }
        raw.cmd_end_rendering(commands.raw);
    }
    Ok(())
}
