//! Draws: what is drawn to, and the commands.

use std::sync::Arc;

use ash::{ext, vk};

use super::commands::Commands;
use super::conv::{self, api};
use super::gpu::Gpu;
use super::memory::{ImageView, aspects_of};
use super::query::Queries;
use super::storage::DeviceStorage;
use super::stream_output::Capture;
use crate::draw_check::component_of;
use crate::error::{Error, Result};
use crate::format::{Component, Format};
use crate::graphics::{Attachment, Draw, DrawCall, GraphicsState, Indices, Indirect, Viewport};
use crate::job::{Dimension, Job, ResourceId, Texture};

/// A render target.
struct ColorTarget {
    view: ImageView,
    target: Attachment,
    format: Format,
    resolve: Option<ImageView>,
}

/// Views of what is drawn to, which live as long as the commands.
pub(super) struct Attachments {
    colors: Vec<ColorTarget>,
    /// With whether it has a stencil as well.
    depth: Option<(ImageView, Attachment, bool)>,
    extent: vk::Extent2D,
    viewports: Vec<Viewport>,
    scissors: Vec<[u32; 4]>,
    view_mask: u32,
    capture: Option<Capture>,
    /// The measurements of the draw.
    pub(super) queries: Queries,
    /// Layers that all targets have.
    layers: u32,
    mesh: Option<ext::mesh_shader::Device>,
}

impl Attachments {
    /// Makes the views of a draw.
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        state: &GraphicsState,
        is_mesh: bool,
        draw: &Draw,
        job: &Job,
        storages: &[DeviceStorage],
    ) -> Result<Self> {
        // Every count, offset and size is checked here, so that the unsafe calls below can rely on
        // it.
        draw.check(job, state, is_mesh)?;
        let mut extent: Option<[u32; 2]> = None;
        let layers = draw
            .targets
            .iter()
            .chain(&draw.depth)
            .map(|target| {
                let texture = job.target_texture(target.resource)?;
                Ok(texture
                    .target_layers(target.mip)
                    .saturating_sub(target.layer))
            })
            .collect::<Result<Vec<u32>>>()?;
        let mut colors = Vec::with_capacity(draw.targets.len());
        for target in &draw.targets {
            let texture = job.target_texture(target.resource)?;
            shrink(&mut extent, texture, target.mip);
            let view = view(gpu, storages, texture, target.resource, target)?;
            let resolve = match target.resolve {
                Some(id) => Some(self::view(
                    gpu,
                    storages,
                    job.target_texture(id)?,
                    id,
                    target,
                )?),
                None => None,
            };
            colors.push(ColorTarget {
                view,
                target: *target,
                format: texture.format,
                resolve,
            });
        }
        let depth = match &draw.depth {
            Some(target) => {
                let texture = job.target_texture(target.resource)?;
                shrink(&mut extent, texture, target.mip);
                let view = view(gpu, storages, texture, target.resource, target)?;
                Some((view, *target, texture.format.has_stencil()))
            }
            None => None,
        };
        // Without attachments nothing bounds the drawn area, so the job has to.
        let [width, height] = extent
            .or(draw.viewport)
            .ok_or_else(|| Error::BadJob("a draw without targets needs a viewport".into()))?;
        let mesh = match is_mesh {
            true if !gpu.abilities.mesh_shaders => {
                return Err(Error::Unsupported("mesh shaders".into()));
            }
            true => Some(ext::mesh_shader::Device::new(&gpu.instance.raw, &gpu.raw)),
            false => None,
        };
        if let DrawCall::Indirect(indirect) = &draw.call {
            check_indirect(gpu, indirect)?;
        }
        let viewports = match draw.viewport.unwrap_or([width, height]) {
            [width, height] if draw.viewports.is_empty() => {
                vec![[0.0, 0.0, width as f32, height as f32].into()]
            }
            _ => draw.viewports.clone(),
        };
        Ok(Attachments {
            colors,
            depth,
            extent: vk::Extent2D { width, height },
            viewports,
            scissors: draw.scissors.clone(),
            view_mask: state.view_mask,
            queries: Queries::new(gpu, &draw.queries, is_mesh)?,
            capture: Capture::new(gpu, draw, storages)?,
            // VUID-VkRenderingInfo-viewMask-06069: `layerCount` is not zero unless views are drawn.
            layers: layers.into_iter().min().unwrap_or(1).max(1),
            mesh,
        })
    }
}

/// Checks that the device takes that many indirect draws at once.
fn check_indirect(gpu: &Gpu, indirect: &Indirect) -> Result<()> {
    // VUID-vkCmdDrawIndirect-drawCount-02718 allows one draw without the feature.
    if indirect.draws > 1 && gpu.abilities.core.multi_draw_indirect == vk::FALSE {
        return Err(Error::Unsupported("several indirect draws at once".into()));
    }
    if indirect.count.is_some() && !gpu.abilities.draw_indirect_count {
        return Err(Error::Unsupported("a count of indirect draws".into()));
    }
    Ok(())
}

/// Reduces the drawn area to the one that all targets have.
fn shrink(extent: &mut Option<[u32; 2]>, texture: &Texture, mip: u32) {
    let [width, height, _] = texture.mip_size(mip);
    // The render area must lie inside of every attachment (VUID-VkRenderingInfo-imageView-06075 and
    // -06076), so it is the intersection and not the size of the first one.
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
    let layers = texture.target_layers(target.mip) - target.layer;
    // A 3D texture is drawn to through a 2D view of its slices; see `Image::new`.
    let view_type = match (texture.dimension, layers) {
        (Dimension::D1, 1) => vk::ImageViewType::TYPE_1D,
        (Dimension::D1, _) => vk::ImageViewType::TYPE_1D_ARRAY,
        (Dimension::D2 | Dimension::D3, 1) => vk::ImageViewType::TYPE_2D,
        (Dimension::D2 | Dimension::D3, _) => vk::ImageViewType::TYPE_2D_ARRAY,
    };
    let info = vk::ImageViewCreateInfo::default()
        .image(image.raw)
        .view_type(view_type)
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

/// Returns the clear value of a colour: integers for formats of integers.
fn clear_color(format: Format, color: [f32; 4]) -> vk::ClearColorValue {
    // The clear value is a union: its member must be the one of the format's numeric type.
    match component_of(format) {
        Component::Uint => vk::ClearColorValue {
            uint32: color.map(|value| value as u32),
        },
        Component::Sint => vk::ClearColorValue {
            int32: color.map(|value| value as i32),
        },
        _ => vk::ClearColorValue { float32: color },
    }
}

/// Records a draw; pipeline and descriptor sets are bound.
pub(super) fn record(
    gpu: &Gpu,
    commands: &Commands,
    draw: &Draw,
    storages: &[DeviceStorage],
    attachments: &Attachments,
) -> Result<()> {
    let buffers = draw
        .vertex_buffers
        .iter()
        .map(|vertices| buffer_of(storages, vertices.resource))
        .collect::<Result<Vec<_>>>()?;
    let offsets: Vec<_> = draw.vertex_buffers.iter().map(|from| from.offset).collect();
    let indices = match &draw.indices {
        Some(indices) => Some((buffer_of(storages, indices.resource)?, indices)),
        None => None,
    };
    let raw = &gpu.raw;
    // Queries are reset outside of a rendering (VUID-vkCmdResetQueryPool-renderpass), and begin and
    // end inside of the same one (VUID-vkCmdEndQuery-None-07007).
    attachments.queries.reset(commands.raw);
    begin_rendering(gpu, commands, draw, attachments);
    // SAFETY: the command buffer is being recorded with a graphics pipeline bound whose targets
    // have these formats; views and buffers live until the commands are done.
    unsafe {
        if !buffers.is_empty() {
            raw.cmd_bind_vertex_buffers(commands.raw, 0, &buffers, &offsets);
        }
        if let Some((buffer, from)) = indices {
            let width = if from.wide {
                vk::IndexType::UINT32
            } else {
                vk::IndexType::UINT16
            };
            raw.cmd_bind_index_buffer(commands.raw, buffer, from.offset, width);
        }
        attachments.queries.begin(commands.raw);
        // Transform feedback must begin inside of the rendering
        // (VUID-vkCmdBeginTransformFeedbackEXT-renderpass), with the pipeline bound.
        if let Some(capture) = &attachments.capture {
            capture.begin(commands.raw);
        }
        record_call(gpu, commands, draw, storages, attachments)?;
        if let Some(capture) = &attachments.capture {
            capture.end(commands.raw);
        }
        attachments.queries.end(commands.raw);
        raw.cmd_end_rendering(commands.raw);
    }
    Ok(())
}

fn buffer_of(storages: &[DeviceStorage], id: ResourceId) -> Result<vk::Buffer> {
    match storages.get(id.0) {
        Some(DeviceStorage::Buffer(buffer)) => Ok(buffer.raw),
        _ => Err(Error::BadJob(
            "vertices, indices and arguments come from buffers".into(),
        )),
    }
}

/// Begins to draw to the attachments and sets the dynamic state.
fn begin_rendering(gpu: &Gpu, commands: &Commands, draw: &Draw, attachments: &Attachments) {
    let general = vk::ImageLayout::GENERAL;
    let load = |target: &Attachment| match target.clear {
        Some(_) => vk::AttachmentLoadOp::CLEAR,
        None => vk::AttachmentLoadOp::LOAD,
    };
    let colors: Vec<_> = attachments
        .colors
        .iter()
        .map(|color| {
            let target = &color.target;
            let info = vk::RenderingAttachmentInfo::default()
                .image_view(color.view.raw)
                .image_layout(general)
                .load_op(load(target))
                .store_op(vk::AttachmentStoreOp::STORE)
                .clear_value(vk::ClearValue {
                    color: clear_color(color.format, target.clear.unwrap_or_default()),
                });
            match &color.resolve {
                Some(resolve) => info
                    .resolve_mode(resolve_mode(color.format))
                    .resolve_image_view(resolve.raw)
                    .resolve_image_layout(general),
                None => info,
            }
        })
        .collect();
    let depth = attachments.depth.as_ref().map(|(view, target, _)| {
        // The clear values are ignored where the target is loaded and not cleared.
        let [depth, stencil, ..] = target.clear.unwrap_or([1.0, 0.0, 0.0, 0.0]);
        vk::RenderingAttachmentInfo::default()
            .image_view(view.raw)
            .image_layout(general)
            .load_op(load(target))
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(vk::ClearValue {
                depth_stencil: vk::ClearDepthStencilValue {
                    depth,
                    stencil: stencil as u32,
                },
            })
    });
    let extent = attachments.extent;
    let mut info = vk::RenderingInfo::default()
        .render_area(vk::Rect2D {
            offset: vk::Offset2D::default(),
            extent,
        })
        .layer_count(attachments.layers)
        .view_mask(attachments.view_mask)
        .color_attachments(&colors);
    if let Some(depth) = &depth {
        info = info.depth_attachment(depth);
    }
    // The same view serves both: it has both aspects, and the format of depth and stencil is one.
    if let (Some(depth), Some((_, _, true))) = (&depth, &attachments.depth) {
        info = info.stencil_attachment(depth);
    }
    let viewports: Vec<_> = attachments
        .viewports
        .iter()
        .map(|viewport| {
            let [x, y, width, height] = viewport.area;
            let [min_depth, max_depth] = viewport.depths;
            vk::Viewport {
                x,
                // A negative height turns the image upside down: D3D's clip space has y upwards,
                // Vulkan's downwards. The origin moves to the lower edge with it.
                y: y + height,
                width,
                height: -height,
                min_depth,
                max_depth,
            }
        })
        .collect();
    // Without rectangles only the viewport's own scissor is left (D3D11.3 functional specification,
    // 15.7). Vulkan's scissor test cannot be turned off, so that one is set.
    let scissors: Vec<_> = if attachments.scissors.is_empty() {
        let whole = |viewport: &Viewport| {
            let [x, y, width, height] = viewport.area;
            [
                x.max(0.0) as u32,
                y.max(0.0) as u32,
                width as u32,
                height as u32,
            ]
        };
        attachments.viewports.iter().map(whole).collect()
    } else {
        attachments.scissors.clone()
    };
    let scissors: Vec<_> = scissors
        .into_iter()
        .map(|[left, top, width, height]| vk::Rect2D {
            offset: vk::Offset2D {
                // The offset is signed in Vulkan. The extent is cut at the render area, so that the
                // sum of both cannot overflow.
                x: left.min(i32::MAX as u32) as i32,
                y: top.min(i32::MAX as u32) as i32,
            },
            extent: vk::Extent2D {
                width: width.min(extent.width.saturating_sub(left)),
                height: height.min(extent.height.saturating_sub(top)),
            },
        })
        .collect();
    let raw = &gpu.raw;
    // SAFETY: the command buffer is being recorded; the views live until its commands are done.
    unsafe {
        raw.cmd_set_viewport(commands.raw, 0, &viewports);
        raw.cmd_set_scissor(commands.raw, 0, &scissors);
        raw.cmd_set_blend_constants(commands.raw, &draw.blend_constants);
        raw.cmd_set_stencil_reference(
            commands.raw,
            vk::StencilFaceFlags::FRONT_AND_BACK,
            u32::from(draw.stencil_reference),
        );
        raw.cmd_begin_rendering(commands.raw, &info);
    }
}

/// Samples of integers have no average: the first one is the result.
fn resolve_mode(format: Format) -> vk::ResolveModeFlags {
    // VUID-VkRenderingAttachmentInfo-imageView-06129 and -06130 allow one mode for each kind of
    // format.
    if matches!(component_of(format), Component::Uint | Component::Sint) {
        vk::ResolveModeFlags::SAMPLE_ZERO
    } else {
        vk::ResolveModeFlags::AVERAGE
    }
}

/// Records the draw itself.
///
/// # Safety
///
/// The command buffer is inside of a rendering with everything bound that the draw reads, and the
/// buffers live until its commands are done.
unsafe fn record_call(
    gpu: &Gpu,
    commands: &Commands,
    draw: &Draw,
    storages: &[DeviceStorage],
    attachments: &Attachments,
) -> Result<()> {
    let raw = &gpu.raw;
    let indices: Option<&Indices> = draw.indices.as_ref();
    // SAFETY: the caller's promise; the arguments of indirect draws were checked.
    unsafe {
        match draw.call {
            DrawCall::Vertices {
                count,
                instances,
                first,
                first_instance,
            } => match indices {
                Some(from) => raw.cmd_draw_indexed(
                    commands.raw,
                    count,
                    instances,
                    first,
                    from.base_vertex,
                    first_instance,
                ),
                None => raw.cmd_draw(commands.raw, count, instances, first, first_instance),
            },
            DrawCall::Meshes([x, y, z]) => {
                if let Some(mesh) = &attachments.mesh {
                    mesh.cmd_draw_mesh_tasks(commands.raw, x, y, z);
                }
            }
            DrawCall::Indirect(Indirect {
                arguments,
                offset,
                stride,
                draws,
                count,
            }) => {
                let buffer = buffer_of(storages, arguments)?;
                let to = commands.raw;
                if let Some(mesh) = &attachments.mesh {
                    match count {
                        None => {
                            mesh.cmd_draw_mesh_tasks_indirect(to, buffer, offset, draws, stride)
                        }
                        Some((id, at)) => {
                            let count = buffer_of(storages, id)?;
                            mesh.cmd_draw_mesh_tasks_indirect_count(
                                to, buffer, offset, count, at, draws, stride,
                            );
                        }
                    }
                    // Mesh pipelines know no indices, so the argument layout is always that of
                    // `vkCmdDrawMeshTasks`.
                    return Ok(());
                }
                match (count, indices) {
                    (None, None) => raw.cmd_draw_indirect(to, buffer, offset, draws, stride),
                    (None, Some(_)) => {
                        raw.cmd_draw_indexed_indirect(to, buffer, offset, draws, stride);
                    }
                    (Some((id, at)), indices) => {
                        let count = buffer_of(storages, id)?;
                        let draw = if indices.is_some() {
                            ash::Device::cmd_draw_indexed_indirect_count
                        } else {
                            ash::Device::cmd_draw_indirect_count
                        };
                        draw(raw, to, buffer, offset, count, at, draws, stride);
                    }
                }
            }
        }
    }
    Ok(())
}
