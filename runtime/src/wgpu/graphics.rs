//! Render pipelines.
//!
//! wgpu's clip space and its winding are D3D's already.

use std::num::NonZeroU32;

use dxil_frontend::dxil::ShaderKind;

use super::compilation::compilation_options;
use super::conv;
use super::gpu::Gpu;
use super::pipeline_cache::PipelineCache;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::graphics::{Cull, DepthState, GraphicsState, StencilFace, TargetState, Topology};
use crate::program::StageCode;

/// The format of the target of a draw without targets: wgpu requires one.
pub(super) const STAND_IN: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// A render pipeline, with the state that a draw has to fit to.
pub(super) struct Render {
    pub(super) state: GraphicsState,
    /// A mesh shader makes the primitives, not a vertex shader.
    pub(super) is_mesh: bool,
    /// The vertex shader asks which vertex it has.
    pub(super) counts_vertices: bool,
    /// It asks which instance it has.
    pub(super) counts_instances: bool,
    /// For indices of 16 bits, or any where it makes no difference.
    narrow: wgpu::RenderPipeline,
    /// For indices of 32 bits, where the greatest one cuts a strip.
    wide: Option<wgpu::RenderPipeline>,
}

impl Render {
    /// Makes the pipeline of some stages.
    pub(super) fn new(
        gpu: &Gpu,
        stages: &[(&StageCode, wgpu::ShaderModule)],
        state: &GraphicsState,
        layout: &wgpu::PipelineLayout,
        cache: &PipelineCache,
    ) -> Result<Self> {
        check(gpu, stages, state)?;
        let find = |kind| stages.iter().find(|(stage, _)| stage.kind == kind);
        let parts = PipelineParts {
            layout,
            primitive: primitive(state),
            depth_stencil: match &state.depth {
                Some(depth) => Some(depth_stencil(depth, state)?),
                None => None,
            },
            multisample: wgpu::MultisampleState {
                count: state.samples.max(1),
                mask: u64::from(state.sample_mask.unwrap_or(u32::MAX)),
                alpha_to_coverage_enabled: state.alpha_to_coverage,
            },
            pixel: find(ShaderKind::Pixel),
            targets: targets(state)?,
            cache,
        };
        let mut counts = [false; 2];
        let (narrow, wide) = match (find(ShaderKind::Vertex), find(ShaderKind::Mesh)) {
            (Some(vertex), _) => {
                use rspirv::spirv::BuiltIn as B;
                let interface = vertex.0.interface.as_ref();
                counts = [B::VertexIndex, B::InstanceIndex].map(|built_in| {
                    interface.is_some_and(|interface| interface.built_ins.contains(&built_in))
                });
                parts.vertex_pipelines(gpu, state, vertex)?
            }
            (None, Some(mesh)) => {
                let task = find(ShaderKind::Amplification);
                (parts.mesh_pipeline(gpu, state, task, mesh), None)
            }
            (None, None) => {
                return Err(Error::BadJob(
                    "a draw without a vertex or mesh shader".into(),
                ));
            }
        };
        Ok(Render {
            state: state.clone(),
            is_mesh: find(ShaderKind::Mesh).is_some(),
            counts_vertices: counts[0],
            counts_instances: counts[1],
            narrow,
            wide,
        })
    }

    /// Returns the pipeline for indices of 32 bits, or of fewer.
    pub(super) fn raw(&self, wide: bool) -> &wgpu::RenderPipeline {
        match &self.wide {
            Some(pipeline) if wide => pipeline,
            _ => &self.narrow,
        }
    }

    /// Returns whether a target stands in.
    pub(super) fn stands_in(&self) -> bool {
        self.state.targets.is_empty() && self.state.depth.is_none()
    }
}

/// A stage and its module.
type StageModule<'a> = (&'a StageCode, wgpu::ShaderModule);

/// The state that pipelines with a vertex shader and with a mesh shader share.
struct PipelineParts<'a> {
    layout: &'a wgpu::PipelineLayout,
    primitive: wgpu::PrimitiveState,
    depth_stencil: Option<wgpu::DepthStencilState>,
    multisample: wgpu::MultisampleState,
    pixel: Option<&'a StageModule<'a>>,
    targets: Vec<Option<wgpu::ColorTargetState>>,
    cache: &'a PipelineCache,
}

impl PipelineParts<'_> {
    fn fragment(&self) -> Option<wgpu::FragmentState<'_>> {
        self.pixel.map(|(stage, module)| wgpu::FragmentState {
            module,
            entry_point: Some(&stage.entry),
            compilation_options: compilation_options(),
            targets: &self.targets,
        })
    }

    /// Returns the pipeline for narrow indices or any, and another for wide ones where that makes a
    /// difference.
    fn vertex_pipelines(
        &self,
        gpu: &Gpu,
        state: &GraphicsState,
        (vertex, module): &StageModule<'_>,
    ) -> Result<(wgpu::RenderPipeline, Option<wgpu::RenderPipeline>)> {
        let attributes = attributes(state)?;
        let buffers: Vec<_> = state
            .vertex_slots
            .iter()
            .zip(&attributes)
            .map(|(slot, attributes)| {
                Some(wgpu::VertexBufferLayout {
                    array_stride: u64::from(slot.stride),
                    step_mode: if slot.per_instance {
                        wgpu::VertexStepMode::Instance
                    } else {
                        wgpu::VertexStepMode::Vertex
                    },
                    attributes,
                })
            })
            .collect();
        let make = |strip_index_format| {
            gpu.device
                .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: None,
                    layout: Some(self.layout),
                    vertex: wgpu::VertexState {
                        module,
                        entry_point: Some(&vertex.entry),
                        compilation_options: compilation_options(),
                        buffers: &buffers,
                    },
                    primitive: wgpu::PrimitiveState {
                        strip_index_format,
                        ..self.primitive
                    },
                    depth_stencil: self.depth_stencil.clone(),
                    multisample: self.multisample,
                    fragment: self.fragment(),
                    multiview_mask: NonZeroU32::new(state.view_mask),
                    cache: self.cache.raw(),
                })
        };
        // For a strip wgpu wants to know the index format with the pipeline, since the greatest
        // index cuts it.
        Ok(if is_strip(state.topology) {
            (
                make(Some(wgpu::IndexFormat::Uint16)),
                Some(make(Some(wgpu::IndexFormat::Uint32))),
            )
        } else {
            (make(None), None)
        })
    }

    fn mesh_pipeline(
        &self,
        gpu: &Gpu,
        state: &GraphicsState,
        task: Option<&StageModule<'_>>,
        (mesh, module): &StageModule<'_>,
    ) -> wgpu::RenderPipeline {
        gpu.device
            .create_mesh_pipeline(&wgpu::MeshPipelineDescriptor {
                label: None,
                layout: Some(self.layout),
                task: task.map(|(stage, module)| wgpu::TaskState {
                    module,
                    entry_point: Some(&stage.entry),
                    compilation_options: compilation_options(),
                }),
                mesh: wgpu::MeshState {
                    module,
                    entry_point: Some(&mesh.entry),
                    compilation_options: compilation_options(),
                },
                primitive: self.primitive,
                depth_stencil: self.depth_stencil.clone(),
                multisample: self.multisample,
                fragment: self.fragment(),
                multiview: NonZeroU32::new(state.view_mask),
                cache: self.cache.raw(),
            })
    }
}

fn primitive(state: &GraphicsState) -> wgpu::PrimitiveState {
    wgpu::PrimitiveState {
        topology: topology(state.topology).unwrap_or_default(),
        strip_index_format: None,
        front_face: if state.front_counter_clockwise {
            wgpu::FrontFace::Ccw
        } else {
            wgpu::FrontFace::Cw
        },
        cull_mode: match state.cull {
            Cull::None => None,
            Cull::Front => Some(wgpu::Face::Front),
            Cull::Back => Some(wgpu::Face::Back),
        },
        unclipped_depth: state.depth_clamp,
        polygon_mode: if state.wireframe {
            wgpu::PolygonMode::Line
        } else {
            wgpu::PolygonMode::Fill
        },
        conservative: false,
    }
}

/// Refuses state that wgpu cannot express, or for which the adapter lacks a feature.
fn check(
    gpu: &Gpu,
    stages: &[(&StageCode, wgpu::ShaderModule)],
    state: &GraphicsState,
) -> Result<()> {
    state.check()?;
    let none = |what: String| Err(Error::Unsupported(format!("{what} (wgpu has none)")));
    let meshes = gpu.passthrough && gpu.has(wgpu::Features::EXPERIMENTAL_MESH_SHADER);
    for (stage, _) in stages {
        let is_taken = match stage.kind {
            ShaderKind::Vertex | ShaderKind::Pixel => true,
            ShaderKind::Mesh | ShaderKind::Amplification => meshes,
            _ => false,
        };
        if !is_taken {
            return Err(Error::Unsupported(format!(
                "a {} shader through wgpu",
                stage.kind.prefix()
            )));
        }
        if stage.kind == ShaderKind::Mesh {
            check_mesh(gpu, stage, state)?;
        }
    }
    if topology(state.topology).is_none() {
        return none(format!("primitives of kind {:?}", state.topology));
    }
    // Offsets and strides must be multiples of wgpu::VERTEX_ALIGNMENT.
    if let Some(slot) = state
        .vertex_slots
        .iter()
        .find(|s| !s.stride.is_multiple_of(4))
    {
        return none(format!(
            "vertices {} bytes apart, which are no whole words",
            slot.stride
        ));
    }
    if state.viewports > 1 {
        return none("several viewports".into());
    }
    if state.logic_op.is_some() {
        return none("logic operations".into());
    }
    use crate::graphics::BlendFactor as B;
    let two_sources = state
        .targets
        .iter()
        .filter_map(|target| target.blend)
        .any(|blend| {
            let factors = [blend.color.0, blend.color.1, blend.alpha.0, blend.alpha.1];
            factors.iter().any(|factor| {
                matches!(
                    factor,
                    B::Source1Color
                        | B::InverseSource1Color
                        | B::Source1Alpha
                        | B::InverseSource1Alpha
                )
            })
        });
    for (wanted, feature, what) in [
        (
            two_sources,
            wgpu::Features::DUAL_SOURCE_BLENDING,
            "blending with two sources",
        ),
        (
            state.wireframe,
            wgpu::Features::POLYGON_MODE_LINE,
            "wireframes",
        ),
        (
            state.depth_clamp,
            wgpu::Features::DEPTH_CLIP_CONTROL,
            "depth clamping",
        ),
        (
            state.view_mask != 0,
            wgpu::Features::MULTIVIEW,
            "several views at once",
        ),
    ] {
        if wanted && !gpu.has(feature) {
            return Err(Error::Unsupported(format!("{what}, on this adapter")));
        }
    }
    Ok(())
}

/// Refuses layers and views that wgpu lacks: its passes draw to one layer, or to all of them by
/// views; views of mesh shaders are a feature of their own.
fn check_mesh(gpu: &Gpu, mesh: &StageCode, state: &GraphicsState) -> Result<()> {
    use rspirv::spirv::BuiltIn as B;
    let built_ins = mesh.interface.iter().flat_map(|i| &i.built_ins);
    for built_in in built_ins {
        let what = match built_in {
            B::Layer => "a render target array index of a mesh shader",
            B::ViewportIndex => "a viewport index of a mesh shader",
            _ => continue,
        };
        return Err(Error::Unsupported(format!("{what} (wgpu has none)")));
    }
    if state.view_mask != 0 && !gpu.has(wgpu::Features::EXPERIMENTAL_MESH_SHADER_MULTIVIEW) {
        return Err(Error::Unsupported(
            "several views of a mesh shader, on this adapter".into(),
        ));
    }
    Ok(())
}

fn is_strip(topology: Topology) -> bool {
    matches!(topology, Topology::LineStrip | Topology::TriangleStrip)
}

fn topology(topology: Topology) -> Option<wgpu::PrimitiveTopology> {
    use wgpu::PrimitiveTopology as P;
    Some(match topology {
        Topology::PointList => P::PointList,
        Topology::LineList => P::LineList,
        Topology::LineStrip => P::LineStrip,
        Topology::TriangleList => P::TriangleList,
        Topology::TriangleStrip => P::TriangleStrip,
        Topology::LineListAdjacency
        | Topology::LineStripAdjacency
        | Topology::TriangleListAdjacency
        | Topology::TriangleStripAdjacency
        | Topology::PatchList(_) => return None,
    })
}

/// Returns the attributes of each vertex slot.
fn attributes(state: &GraphicsState) -> Result<Vec<Vec<wgpu::VertexAttribute>>> {
    let mut slots = vec![Vec::new(); state.vertex_slots.len()];
    for attribute in &state.attributes {
        let slot = slots
            .get_mut(attribute.slot as usize)
            .ok_or_else(|| Error::BadJob(format!("there is no vertex slot {}", attribute.slot)))?;
        slot.push(wgpu::VertexAttribute {
            format: vertex_format(attribute.format)?,
            offset: u64::from(attribute.offset),
            shader_location: attribute.row,
        });
    }
    Ok(slots)
}

fn vertex_format(format: Format) -> Result<wgpu::VertexFormat> {
    use Format as F;
    use wgpu::VertexFormat as V;
    Ok(match format {
        F::R8Uint => V::Uint8,
        F::R8Sint => V::Sint8,
        F::R8Unorm => V::Unorm8,
        F::R8Snorm => V::Snorm8,
        F::Rg8Uint => V::Uint8x2,
        F::Rg8Sint => V::Sint8x2,
        F::Rg8Unorm => V::Unorm8x2,
        F::Rg8Snorm => V::Snorm8x2,
        F::Rgba8Uint => V::Uint8x4,
        F::Rgba8Sint => V::Sint8x4,
        F::Rgba8Unorm => V::Unorm8x4,
        F::Rgba8Snorm => V::Snorm8x4,
        F::Bgra8Unorm => V::Unorm8x4Bgra,
        F::R16Uint => V::Uint16,
        F::R16Sint => V::Sint16,
        F::R16Unorm => V::Unorm16,
        F::R16Snorm => V::Snorm16,
        F::R16Float => V::Float16,
        F::Rg16Uint => V::Uint16x2,
        F::Rg16Sint => V::Sint16x2,
        F::Rg16Unorm => V::Unorm16x2,
        F::Rg16Snorm => V::Snorm16x2,
        F::Rg16Float => V::Float16x2,
        F::Rgba16Uint => V::Uint16x4,
        F::Rgba16Sint => V::Sint16x4,
        F::Rgba16Unorm => V::Unorm16x4,
        F::Rgba16Snorm => V::Snorm16x4,
        F::Rgba16Float => V::Float16x4,
        F::R32Uint => V::Uint32,
        F::R32Sint => V::Sint32,
        F::R32Float => V::Float32,
        F::Rg32Uint => V::Uint32x2,
        F::Rg32Sint => V::Sint32x2,
        F::Rg32Float => V::Float32x2,
        F::Rgb32Uint => V::Uint32x3,
        F::Rgb32Sint => V::Sint32x3,
        F::Rgb32Float => V::Float32x3,
        F::Rgba32Uint => V::Uint32x4,
        F::Rgba32Sint => V::Sint32x4,
        F::Rgba32Float => V::Float32x4,
        F::Rgb10a2Unorm => V::Unorm10_10_10_2,
        other => {
            return Err(Error::Unsupported(format!(
                "vertices of format {other} (wgpu has none)"
            )));
        }
    })
}

fn targets(state: &GraphicsState) -> Result<Vec<Option<wgpu::ColorTargetState>>> {
    if state.targets.is_empty() && state.depth.is_none() {
        return Ok(vec![Some(wgpu::ColorTargetState {
            format: STAND_IN,
            blend: None,
            write_mask: wgpu::ColorWrites::empty(),
        })]);
    }
    let target = |target: &TargetState| {
        Ok(Some(wgpu::ColorTargetState {
            format: conv::format(target.format)?,
            blend: target.blend.as_ref().map(conv::blend).transpose()?,
            write_mask: wgpu::ColorWrites::from_bits_truncate(u32::from(target.write_mask)),
        }))
    };
    state.targets.iter().map(target).collect()
}

fn depth_stencil(depth: &DepthState, state: &GraphicsState) -> Result<wgpu::DepthStencilState> {
    let stencil = depth.stencil.unwrap_or_default();
    let face = |face: &StencilFace| wgpu::StencilFaceState {
        compare: conv::compare(face.test),
        fail_op: conv::stencil_op(face.fail),
        depth_fail_op: conv::stencil_op(face.depth_fail),
        pass_op: conv::stencil_op(face.pass),
    };
    Ok(wgpu::DepthStencilState {
        format: conv::format(depth.format)?,
        depth_write_enabled: Some(depth.write),
        depth_compare: Some(match depth.test {
            Some(test) => conv::compare(test),
            None => wgpu::CompareFunction::Always,
        }),
        stencil: wgpu::StencilState {
            front: face(&stencil.front),
            back: face(&stencil.back),
            read_mask: u32::from(stencil.read_mask),
            write_mask: u32::from(stencil.write_mask),
        },
        bias: match &state.depth_bias {
            Some(bias) => wgpu::DepthBiasState {
                constant: bias.constant,
                slope_scale: bias.slope,
                clamp: bias.clamp,
            },
            None => wgpu::DepthBiasState::default(),
        },
    })
}
