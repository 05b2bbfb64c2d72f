//! Draws: what is drawn to, and the commands.

use super::bind::{Bound, DeviceStorage};
use super::gpu::Gpu;
use super::graphics::{Render, STAND_IN};
use super::query::Queries;
use crate::error::{Error, Result};
use crate::graphics::{Attachment, Draw, DrawCall, Indices, Query, QueryResult, Topology};
use crate::job::{Dimension, Job, ResourceId, Storage, Texture};

/// The targets and the measurements of a draw.
pub(super) struct Drawing {
    /// The first layer of each target (or its views), and where samples go.
    colors: Vec<Color>,
    depth: Option<Depth>,
    size: [u32; 2],
    occlusion: Option<Queries>,
    timestamps: Option<Queries>,
    queries: Vec<Query>,
}

/// The targets of a pass.
struct Layer {
    view: wgpu::TextureView,
    /// Slice of a 3D texture.
    slice: Option<u32>,
}

struct Color {
    /// The layers that are drawn to at once, then each further one, which is only cleared.
    views: Vec<Layer>,
    resolve: Option<Layer>,
    clear: Option<[f32; 4]>,
}

struct Depth {
    views: Vec<Layer>,
    clear: Option<[f32; 4]>,
    has_stencil: bool,
}

/// Returns the buffer of a resource.
pub(super) fn buffer_of(storages: &[DeviceStorage], id: ResourceId) -> Result<&wgpu::Buffer> {
    match storages.get(id.0) {
        Some(DeviceStorage::Buffer(buffer)) => Ok(buffer),
        _ => Err(Error::BadJob(
            "vertices, indices and arguments come from buffers".into(),
        )),
    }
}

impl Drawing {
    /// Makes the views of a draw.
    pub(super) fn new(
        gpu: &Gpu,
        render: &Render,
        draw: &Draw,
        job: &Job,
        storages: &[DeviceStorage],
    ) -> Result<Self> {
        let state = &render.state;
        check(gpu, render, draw, job)?;
        let mut sizes = Vec::new();
        let mut views = |target: &Attachment| -> Result<Vec<Layer>> {
            let texture = job.target_texture(target.resource)?;
            let [width, height, _] = texture.mip_size(target.mip);
            sizes.push([width, height]);
            layers(storages, target.resource, texture, target, state.view_mask)
        };
        let mut colors = Vec::with_capacity(draw.targets.len());
        for target in &draw.targets {
            let resolve = match target.resolve {
                Some(id) => {
                    let texture = job.target_texture(id)?;
                    let views = layers(storages, id, texture, target, state.view_mask)?;
                    views.into_iter().next()
                }
                None => None,
            };
            colors.push(Color {
                views: views(target)?,
                resolve,
                clear: target.clear,
            });
        }
        let depth = match &draw.depth {
            Some(target) => Some(Depth {
                views: views(target)?,
                clear: target.clear,
                has_stencil: job.target_texture(target.resource)?.format.has_stencil(),
            }),
            None => None,
        };
        let size = match (sizes.first(), draw.viewport) {
            (Some(size), _) if sizes.iter().all(|other| other == size) => *size,
            (Some(_), _) => {
                return Err(Error::Unsupported(
                    "render targets of different sizes (wgpu has none)".into(),
                ));
            }
            (None, Some(size)) => size,
            (None, None) => {
                return Err(Error::BadJob(
                    "a draw without targets needs a viewport".into(),
                ));
            }
        };
        if render.stands_in() {
            colors.push(stand_in(gpu, size, state.samples.max(1)));
        }
        let count = |wanted: fn(&Query) -> bool| draw.queries.iter().filter(|q| wanted(q)).count();
        // One query serves both kinds: the binary result is whether the count is zero.
        let occlusion = count(|q| matches!(q, Query::Occlusion | Query::BinaryOcclusion)) > 0;
        let timestamps = count(|q| *q == Query::Timestamps) > 0;
        let queries = |wanted, ty, count| {
            if wanted {
                Queries::new(gpu, ty, count).map(Some)
            } else {
                Ok(None)
            }
        };
        Ok(Drawing {
            colors,
            depth,
            size,
            occlusion: queries(occlusion, wgpu::QueryType::Occlusion, 1)?,
            timestamps: queries(timestamps, wgpu::QueryType::Timestamp, 2)?,
            queries: draw.queries.clone(),
        })
    }

    /// Records the draw.
    pub(super) fn record(
        &self,
        render: &Render,
        draw: &Draw,
        storages: &[DeviceStorage],
        encoder: &mut wgpu::CommandEncoder,
        bound: &Bound,
        timestamps: Option<&wgpu::QuerySet>,
    ) -> Result<()> {
        let own = self.timestamps.as_ref().map(|queries| &queries.set);
        // The draw reaches the first layer only (or all of them as views): the other layers are
        // just cleared. From the last to the first, so that the draw is the last pass.
        for layer in (1..self.layers()).rev() {
            drop(self.begin(encoder, layer, 0, None));
        }
        {
            let mut pass = self.begin(encoder, 0, render.state.view_mask, timestamps.or(own));
            self.set_state(&mut pass, render, draw, bound);
            for (slot, vertices) in (0u32..).zip(&draw.vertex_buffers) {
                let buffer = buffer_of(storages, vertices.resource)?;
                pass.set_vertex_buffer(slot, buffer.slice(vertices.offset..));
            }
            if let Some(indices) = &draw.indices {
                let buffer = buffer_of(storages, indices.resource)?;
                let width = if indices.wide {
                    wgpu::IndexFormat::Uint32
                } else {
                    wgpu::IndexFormat::Uint16
                };
                pass.set_index_buffer(buffer.slice(indices.offset..), width);
            }
            if self.occlusion.is_some() {
                pass.begin_occlusion_query(0);
            }
            call(&mut pass, draw, storages, render.is_mesh)?;
            if self.occlusion.is_some() {
                pass.end_occlusion_query();
            }
        }
        // Resolving is a command of the encoder and not of a pass.
        for queries in self.occlusion.iter().chain(&self.timestamps) {
            queries.resolve(encoder);
        }
        Ok(())
    }

    fn layers(&self) -> usize {
        let colors = self.colors.iter().map(|color| color.views.len());
        let depth = self.depth.iter().map(|depth| depth.views.len());
        colors.chain(depth).max().unwrap_or(1)
    }

    /// Begins to draw to a layer.
    fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        layer: usize,
        view_mask: u32,
        timestamps: Option<&wgpu::QuerySet>,
    ) -> wgpu::RenderPass<'e> {
        let attachments: Vec<_> = self
            .colors
            .iter()
            .map(|color| {
                let to = color.views.get(layer)?;
                let resolve = color.resolve.as_ref().filter(|_| layer == 0);
                Some(wgpu::RenderPassColorAttachment {
                    view: &to.view,
                    depth_slice: to.slice,
                    resolve_target: resolve.map(|layer| &layer.view),
                    ops: wgpu::Operations {
                        load: match color.clear {
                            Some([r, g, b, a]) => wgpu::LoadOp::Clear(wgpu::Color {
                                r: f64::from(r),
                                g: f64::from(g),
                                b: f64::from(b),
                                a: f64::from(a),
                            }),
                            None => wgpu::LoadOp::Load,
                        },
                        store: wgpu::StoreOp::Store,
                    },
                })
            })
            .collect();
        let depth = self.depth.as_ref().and_then(|depth| {
            let load = |index: usize| depth.clear.map(|clear| clear[index]);
            let depth_load = load(0).map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear);
            let stencil = load(1).map(|value| value as u32);
            let stencil_load = stencil.map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear);
            Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth.views.get(layer)?.view,
                depth_ops: Some(wgpu::Operations {
                    load: depth_load,
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: depth.has_stencil.then_some(wgpu::Operations {
                    load: stencil_load,
                    store: wgpu::StoreOp::Store,
                }),
            })
        });
        let occlusion = self.occlusion.as_ref().filter(|_| layer == 0);
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &attachments,
            depth_stencil_attachment: depth,
            timestamp_writes: timestamps.map(|query_set| wgpu::RenderPassTimestampWrites {
                query_set,
                beginning_of_pass_write_index: Some(0),
                end_of_pass_write_index: Some(1),
            }),
            occlusion_query_set: occlusion.map(|queries| &queries.set),
            multiview_mask: std::num::NonZeroU32::new(view_mask),
        })
    }

    fn set_state(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        render: &Render,
        draw: &Draw,
        bound: &Bound,
    ) {
        pass.set_pipeline(render.raw(draw.indices.is_some_and(|indices| indices.wide)));
        for (number, group) in (0u32..).zip(&bound.groups) {
            pass.set_bind_group(number, group, &[]);
        }
        if !bound.immediates.is_empty() {
            pass.set_immediates(0, &bound.immediates);
        }
        let [width, height] = draw.viewport.unwrap_or(self.size);
        let whole = [0.0, 0.0, width as f32, height as f32];
        let viewport = draw.viewports.first().copied().unwrap_or(whole.into());
        let ([x, y, w, h], [near, far]) = (viewport.area, viewport.depths);
        pass.set_viewport(x, y, w, h, near, far);
        let whole = [x.max(0.0) as u32, y.max(0.0) as u32, w as u32, h as u32];
        let [left, top, w, h] = draw.scissors.first().copied().unwrap_or(whole);
        // wgpu refuses scissors that leave the targets.
        let [width, height] = self.size;
        let (left, top) = (left.min(width), top.min(height));
        pass.set_scissor_rect(left, top, w.min(width - left), h.min(height - top));
        let [r, g, b, a] = draw.blend_constants.map(f64::from);
        pass.set_blend_constant(wgpu::Color { r, g, b, a });
        pass.set_stencil_reference(u32::from(draw.stencil_reference));
    }

    /// Returns the results of the queries; the device must be done.
    pub(super) fn results(&self, gpu: &Gpu) -> Result<Vec<QueryResult>> {
        let read = |queries: &Option<Queries>| match queries {
            Some(queries) => queries.read(gpu),
            None => Ok(Vec::new()),
        };
        let samples = read(&self.occlusion)?.first().copied().unwrap_or(0);
        let ticks = read(&self.timestamps)?;
        let ticks = [ticks.first(), ticks.get(1)].map(|tick| tick.copied().unwrap_or(0));
        let result = |query: &Query| match query {
            Query::Occlusion => Ok(QueryResult::Occlusion(samples)),
            Query::BinaryOcclusion => Ok(QueryResult::BinaryOcclusion(samples != 0)),
            Query::Timestamps => Ok(QueryResult::Timestamps(ticks)),
            Query::PipelineStatistics => Err(no_statistics()),
            Query::StreamOutput(_) => Err(no_streams()),
        };
        self.queries.iter().map(result).collect()
    }
}

fn no_statistics() -> Error {
    Error::Unsupported("pipeline statistics (wgpu counts half of them)".into())
}

fn no_streams() -> Error {
    Error::Unsupported("stream output (wgpu has none)".into())
}

/// Refuses a draw that does not match the pipeline, or that wgpu cannot express.
fn check(gpu: &Gpu, render: &Render, draw: &Draw, job: &Job) -> Result<()> {
    let state = &render.state;
    draw.check(job, state, render.is_mesh)?;
    check_first(render, draw)?;
    if !draw.stream_targets.is_empty() {
        return Err(no_streams());
    }
    for query in &draw.queries {
        match query {
            Query::PipelineStatistics => return Err(no_statistics()),
            Query::StreamOutput(_) => return Err(no_streams()),
            Query::Occlusion | Query::BinaryOcclusion | Query::Timestamps => {}
        }
    }
    // wgpu enables primitive restart for every pipeline with a strip index format, and an indexed
    // strip needs one. D3D12 can turn the cut off.
    if let Some(indices) = &draw.indices
        && matches!(
            state.topology,
            Topology::LineStrip | Topology::TriangleStrip
        )
        && !state.strip_cut
        && has_greatest_index(indices, job)
    {
        return Err(Error::Unsupported(
            "a strip that the greatest index does not cut (wgpu has none)".into(),
        ));
    }
    if let DrawCall::Indirect(indirect) = draw.call
        && indirect.count.is_some()
        && !(gpu.has(wgpu::Features::MULTI_DRAW_INDIRECT_COUNT)
            && indirect.stride == draw.argument_bytes(render.is_mesh))
    {
        return Err(Error::Unsupported(
            "a count of indirect draws, on this adapter or with gaps between them".into(),
        ));
    }
    Ok(())
}

/// Refuses a first vertex or instance that the shader can see. D3D12 counts vertices and instances
/// from zero, whatever vertex a draw begins with (D3D11.3 functional specification, 8.16 and 8.18).
/// wgpu counts from the first one of the draw, and does not pass it to the shader.
fn check_first(render: &Render, draw: &Draw) -> Result<()> {
    let (vertex, instance) = match draw.call {
        DrawCall::Vertices {
            first,
            first_instance,
            ..
        } => match &draw.indices {
            Some(indices) => (indices.base_vertex != 0, first_instance != 0),
            None => (first != 0, first_instance != 0),
        },
        DrawCall::Indirect(_) if render.is_mesh => (false, false),
        // The arguments are in a buffer of the device, so they may begin anywhere.
        DrawCall::Indirect(_) => (true, true),
        DrawCall::Meshes(_) => (false, false),
    };
    if vertex && render.counts_vertices || instance && render.counts_instances {
        return Err(Error::Unsupported(
            "SV_VertexID or SV_InstanceID in a draw that may not begin with the first one (wgpu counts on)".into(),
        ));
    }
    Ok(())
}

fn has_greatest_index(indices: &Indices, job: &Job) -> bool {
    let storage = job.resources.get(indices.resource.0).map(|r| &r.storage);
    let Some(Storage::Buffer(bytes)) = storage else {
        return false;
    };
    let bytes = bytes.get(indices.offset as usize..).unwrap_or_default();
    let width = if indices.wide { 4 } else { 2 };
    bytes
        .chunks_exact(width)
        .any(|index| index.iter().all(|byte| *byte == 0xff))
}

/// Returns a view of what is drawn to at once, and one of each layer after it.
fn layers(
    storages: &[DeviceStorage],
    id: ResourceId,
    texture: &Texture,
    target: &Attachment,
    view_mask: u32,
) -> Result<Vec<Layer>> {
    let Some(DeviceStorage::Texture(raw)) = storages.get(id.0) else {
        return Err(Error::BadJob("a render target is not a texture".into()));
    };
    if !raw.usage().contains(wgpu::TextureUsages::RENDER_ATTACHMENT) {
        return Err(Error::Unsupported(format!(
            "drawing to textures of format {}",
            texture.format
        )));
    }
    let view = |first, count| {
        raw.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(match count {
                _ if texture.dimension == Dimension::D3 => wgpu::TextureViewDimension::D3,
                1 => wgpu::TextureViewDimension::D2,
                _ => wgpu::TextureViewDimension::D2Array,
            }),
            usage: Some(wgpu::TextureUsages::RENDER_ATTACHMENT),
            base_mip_level: target.mip,
            mip_level_count: Some(1),
            base_array_layer: first,
            array_layer_count: Some(count),
            ..Default::default()
        })
    };
    let whole = |view| Layer { view, slice: None };
    match texture.dimension {
        Dimension::D1 => Err(Error::Unsupported(
            "drawing to 1D textures (wgpu has none)".into(),
        )),
        Dimension::D2 if view_mask != 0 => {
            let layers = texture.layers - target.layer;
            Ok(vec![whole(view(target.layer, layers))])
        }
        Dimension::D2 => Ok((target.layer..texture.layers)
            .map(|layer| whole(view(layer, 1)))
            .collect()),
        Dimension::D3 => Ok((target.layer..texture.target_layers(target.mip))
            .map(|slice| Layer {
                view: view(0, 1),
                slice: Some(slice),
            })
            .collect()),
    }
}

/// Returns a target for draws that have none.
fn stand_in(gpu: &Gpu, [width, height]: [u32; 2], samples: u32) -> Color {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format: STAND_IN,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    Color {
        views: vec![Layer {
            view: texture.create_view(&Default::default()),
            slice: None,
        }],
        resolve: None,
        clear: Some([0.0; 4]),
    }
}

/// Records the draw itself.
fn call(
    pass: &mut wgpu::RenderPass<'_>,
    draw: &Draw,
    storages: &[DeviceStorage],
    is_mesh: bool,
) -> Result<()> {
    let indexed = draw.indices.as_ref();
    match draw.call {
        DrawCall::Vertices {
            count,
            instances,
            first,
            first_instance,
        } => {
            let range = first..first.saturating_add(count);
            let instances = first_instance..first_instance.saturating_add(instances);
            match indexed {
                Some(indices) => pass.draw_indexed(range, indices.base_vertex, instances),
                None => pass.draw(range, instances),
            }
        }
        DrawCall::Meshes([x, y, z]) => pass.draw_mesh_tasks(x, y, z),
        DrawCall::Indirect(indirect) => {
            let arguments = buffer_of(storages, indirect.arguments)?;
            let offset = indirect.offset;
            match (indirect.count, indexed) {
                (Some((id, at)), indices) => {
                    let count = buffer_of(storages, id)?;
                    let maximum = indirect.draws;
                    match indices {
                        _ if is_mesh => pass.multi_draw_mesh_tasks_indirect_count(
                            arguments, offset, count, at, maximum,
                        ),
                        Some(_) => pass.multi_draw_indexed_indirect_count(
                            arguments, offset, count, at, maximum,
                        ),
                        None => {
                            pass.multi_draw_indirect_count(arguments, offset, count, at, maximum)
                        }
                    }
                }
                (None, indices) => {
                    for index in 0..u64::from(indirect.draws) {
                        let offset = offset + index * u64::from(indirect.stride);
                        match indices {
                            _ if is_mesh => pass.draw_mesh_tasks_indirect(arguments, offset),
                            Some(_) => pass.draw_indexed_indirect(arguments, offset),
                            None => pass.draw_indirect(arguments, offset),
                        }
                    }
                }
            }
        }
    }
    Ok(())
}
