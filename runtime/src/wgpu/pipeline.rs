//! From a program to bind group layouts and a pipeline.

use std::borrow::Cow;
use std::sync::Arc;

use dxil_frontend::dxil::ShaderKind;
use rspirv::spirv::Capability;

use super::compilation::compilation_options;
use super::gpu::Gpu;
use super::graphics::Render;
use super::layout::{ImageUse, entry};
use super::pipeline_cache::PipelineCache;
use crate::error::{Error, Result};
use crate::language::{self, PortableModule, linking};
use crate::program::{BindingSlot, Layout, Program, ShaderCode, StageCode};

/// A pipeline with its layout.
pub(super) struct WgpuPipeline {
    pub(super) gpu: Arc<Gpu>,
    pub(super) layout: Layout,
    pub(super) groups: Vec<wgpu::BindGroupLayout>,
    pub(super) ready: Ready,
}

/// The pipeline.
pub(super) enum Ready {
    /// Thread groups.
    Compute(wgpu::ComputePipeline),
    /// Draws.
    Render(Box<Render>),
}

impl WgpuPipeline {
    /// Makes the pipeline of a program.
    pub(super) fn new(gpu: &Arc<Gpu>, program: &Program) -> Result<Self> {
        if program.ray_tracing.is_some() {
            return Err(Error::Unsupported(
                "ray tracing pipelines (wgpu has none)".into(),
            ));
        }
        for stage in &program.stages {
            if let Some(size) = stage.required_subgroup_size {
                return Err(Error::Unsupported(format!(
                    "a required wave size ({size} lanes; wgpu cannot ask for one)"
                )));
            }
        }
        let capabilities = program
            .stages
            .iter()
            .filter_map(|stage| stage.interface.as_ref())
            .flat_map(|interface| &interface.capabilities);
        if capabilities
            .into_iter()
            .any(|c| *c == Capability::CullDistance)
        {
            return Err(Error::Unsupported("cull distances (wgpu has none)".into()));
        }
        let has = |kind| program.stages.iter().any(|stage| stage.kind == kind);
        let stages = match &program.graphics {
            Some(_) if has(ShaderKind::Mesh) => {
                wgpu::ShaderStages::TASK | wgpu::ShaderStages::MESH | wgpu::ShaderStages::FRAGMENT
            }
            Some(_) => wgpu::ShaderStages::VERTEX_FRAGMENT,
            None => wgpu::ShaderStages::COMPUTE,
        };
        let naga = naga_modules(gpu, &program.stages)?;
        let depths: Vec<_> = naga
            .iter()
            .flatten()
            .flat_map(linking::depth_textures)
            .collect();
        let atomics: Vec<_> = naga
            .iter()
            .flatten()
            .flat_map(linking::atomic_textures)
            .collect();
        // Opened before the modules are made, so that the time that the cache reports is that of
        // the whole pipeline.
        let cache = PipelineCache::open(gpu, program);
        let pipeline = gpu.checked(|| {
            let modules: Vec<_> = program
                .stages
                .iter()
                .zip(naga)
                .map(|(stage, naga)| (stage, module(gpu, stage, naga)))
                .collect();
            let layout = program.layout.clone();
            let groups = layout
                .sets
                .iter()
                .zip(0u32..)
                .map(|(set, number)| {
                    let image = |slot: &BindingSlot| match (number, slot.binding) {
                        place if depths.contains(&place) => ImageUse::Depth,
                        place if atomics.contains(&place) => ImageUse::Atomic,
                        _ => ImageUse::Plain,
                    };
                    let entries = set
                        .slots
                        .iter()
                        .map(|slot| entry(gpu.layout_device(), slot, image(slot), stages))
                        .collect::<Result<Vec<_>>>()?;
                    let descriptor = wgpu::BindGroupLayoutDescriptor {
                        label: None,
                        entries: &entries,
                    };
                    Ok(gpu.device.create_bind_group_layout(&descriptor))
                })
                .collect::<Result<Vec<_>>>()?;
            let bound: Vec<_> = groups.iter().map(Some).collect();
            let pipeline_layout =
                gpu.device
                    .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                        label: None,
                        bind_group_layouts: &bound,
                        // naga lays immediates out in rows of four words.
                        immediate_size: layout.push_constant_bytes().next_multiple_of(16),
                    });
            let ready = match &program.graphics {
                Some(state) => Ready::Render(Box::new(Render::new(
                    gpu,
                    &modules,
                    state,
                    &pipeline_layout,
                    &cache,
                )?)),
                None => Ready::Compute(compute(gpu, &modules, &pipeline_layout, &cache)?),
            };
            Ok(WgpuPipeline {
                gpu: Arc::clone(gpu),
                layout,
                groups,
                ready,
            })
        })?;
        cache.keep();
        Ok(pipeline)
    }
}

fn compute(
    gpu: &Gpu,
    stages: &[(&StageCode, wgpu::ShaderModule)],
    layout: &wgpu::PipelineLayout,
    cache: &PipelineCache,
) -> Result<wgpu::ComputePipeline> {
    let [(stage, module)] = stages else {
        return Err(Error::BadJob(
            "several stages without the state of a graphics pipeline".into(),
        ));
    };
    if stage.kind != ShaderKind::Compute {
        return Err(Error::Unsupported(format!(
            "running a {} shader on its own",
            stage.kind.prefix()
        )));
    }
    let descriptor = wgpu::ComputePipelineDescriptor {
        label: None,
        layout: Some(layout),
        module,
        entry_point: Some(&stage.entry),
        compilation_options: compilation_options(),
        cache: cache.raw(),
    };
    Ok(gpu.device.create_compute_pipeline(&descriptor))
}

/// Returns the stages' code as naga has it, where it goes through naga.
fn naga_modules(gpu: &Gpu, stages: &[StageCode]) -> Result<Vec<Option<naga::Module>>> {
    let read = |stage: &StageCode| match &stage.code {
        ShaderCode::SpirV(words) if !gpu.passthrough => {
            Ok(Some(PortableModule::read(words)?.into_naga()?))
        }
        ShaderCode::SpirV(_) => Ok(None),
        ShaderCode::Wgsl(text) => language::parse_wgsl(text).map(Some),
        ShaderCode::Dxil(_) => Err(Error::BadJob("the program is made for the CPU".into())),
    };
    let mut modules = stages.iter().map(read).collect::<Result<Vec<_>>>()?;
    let kinds: Vec<_> = stages.iter().map(|stage| stage.kind).collect();
    // In WGSL both stages declare the interpolation, so the modules are matched before either is
    // used.
    if let ([ShaderKind::Vertex, ShaderKind::Pixel], [Some(vertex), Some(pixel)]) =
        (kinds.as_slice(), modules.as_mut_slice())
    {
        linking::link(vertex, pixel);
    }
    Ok(modules)
}

/// Returns the module of a stage.
fn module(gpu: &Gpu, stage: &StageCode, naga: Option<naga::Module>) -> wgpu::ShaderModule {
    match (naga, &stage.code) {
        (None, ShaderCode::SpirV(words)) => passthrough(gpu, stage, words),
        (naga, _) => {
            let module = naga.unwrap_or_default();
            let descriptor = wgpu::ShaderModuleDescriptor {
                label: None,
                source: wgpu::ShaderSource::Naga(Cow::Owned(module)),
            };
            gpu.device.create_shader_module(descriptor)
        }
    }
}

#[allow(
    unsafe_code,
    reason = "SPIR-V that wgpu does not look at; see the SAFETY note"
)]
fn passthrough(gpu: &Gpu, stage: &StageCode, words: &[u32]) -> wgpu::ShaderModule {
    let [x, y, z] = stage
        .interface
        .as_ref()
        .and_then(|interface| interface.workgroup_size)
        .unwrap_or([1; 3]);
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        label: None,
        entry_points: Cow::Owned(vec![wgpu::PassthroughShaderEntryPoint {
            name: Cow::Borrowed(stage.entry.as_str()),
            workgroup_size: (x, y, z),
        }]),
        spirv: Some(Cow::Borrowed(words)),
        ..Default::default()
    };
    // SAFETY: the words are valid SPIR-V for this device's features, made by the translator for
    // its profile, and its bindings are those of the layout, numbered 0, 1, 2 ... in each group.
    unsafe { gpu.device.create_shader_module_passthrough(descriptor) }
}
