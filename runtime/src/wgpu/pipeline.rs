//! From a program to bind group layouts and a compute pipeline.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::sync::Arc;

use dxil_frontend::dxil::{ResourceKind, ShaderKind};
use dxil_translate::DescriptorKind;

use super::conv;
use super::device::Gpu;
use crate::device::Pipeline;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Job, Outcome};
use crate::language::PortableModule;
use crate::program::{Code, Layout, Program, Slot, StageCode};

/// A compute pipeline with its layout.
pub(super) struct WgpuPipeline {
    pub(super) gpu: Arc<Gpu>,
    pub(super) layout: Layout,
    pub(super) groups: Vec<wgpu::BindGroupLayout>,
    pub(super) pipeline: wgpu::ComputePipeline,
}

impl WgpuPipeline {
    /// Makes the pipeline of a program.
    pub(super) fn new(gpu: &Arc<Gpu>, program: &Program) -> Result<Self> {
        let [stage] = program.stages.as_slice() else {
            return Err(Error::Unsupported("programs of more than one stage".into()));
        };
        if stage.kind != ShaderKind::Compute {
            return Err(Error::Unsupported(format!(
                "running a {} shader on its own",
                stage.kind.prefix()
            )));
        }
        if let Some(size) = stage.required_subgroup_size {
            return Err(Error::Unsupported(format!(
                "a required wave size ({size} lanes; wgpu cannot ask for one)"
            )));
        }
        gpu.checked(|| {
            let layout = program.layout.clone();
            let groups = layout
                .sets
                .iter()
                .map(|set| {
                    let entries = set
                        .slots
                        .iter()
                        .map(|slot| entry(gpu, slot))
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
                        immediate_size: layout.push_constant_bytes(),
                    });
            let module = module(gpu, stage)?;
            let pipeline = gpu
                .device
                .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label: None,
                    layout: Some(&pipeline_layout),
                    module: &module,
                    entry_point: Some(&stage.entry),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        // D3D12 does not clear groupshared memory either.
                        zero_initialize_workgroup_memory: false,
                        ..Default::default()
                    },
                    cache: None,
                });
            Ok(WgpuPipeline {
                gpu: Arc::clone(gpu),
                layout,
                groups,
                pipeline,
            })
        })
    }
}

impl Pipeline for WgpuPipeline {
    fn run(&self, job: &Job) -> Result<Outcome> {
        super::run::run(self, job)
    }
}

fn module(gpu: &Gpu, stage: &StageCode) -> Result<wgpu::ShaderModule> {
    let source = match &stage.code {
        Code::SpirV(words) if gpu.passthrough => return Ok(passthrough(gpu, stage, words)),
        Code::SpirV(words) => {
            wgpu::ShaderSource::Naga(Cow::Owned(PortableModule::read(words)?.into_naga()))
        }
        Code::Wgsl(text) => wgpu::ShaderSource::Wgsl(Cow::Borrowed(&**text)),
    };
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: None,
        source,
    };
    Ok(gpu.device.create_shader_module(descriptor))
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

fn entry(gpu: &Gpu, slot: &Slot) -> Result<wgpu::BindGroupLayoutEntry> {
    if !slot.other_kinds.is_empty() {
        return Err(Error::Unsupported(
            "a descriptor heap with descriptors of several types (wgpu has none)".into(),
        ));
    }
    let is_array = slot.count > 1 || slot.unbounded;
    if is_array && slot.kind == DescriptorKind::UniformBuffer {
        return Err(Error::Unsupported(
            "an array of constant buffers (wgpu has none)".into(),
        ));
    }
    let buffer = |ty| wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let multisampled = matches!(
        slot.shape,
        ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
    );
    let ty = match slot.kind {
        DescriptorKind::UniformBuffer => buffer(wgpu::BufferBindingType::Uniform),
        DescriptorKind::StorageBuffer => buffer(wgpu::BufferBindingType::Storage {
            read_only: !slot.writable,
        }),
        DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer => {
            return Err(Error::Unsupported("texel buffers (wgpu has none)".into()));
        }
        DescriptorKind::SampledImage => wgpu::BindingType::Texture {
            sample_type: conv::sample_type(slot.component, gpu.passthrough, multisampled),
            view_dimension: conv::view_dimension(slot.shape)?,
            multisampled,
        },
        DescriptorKind::StorageImage => storage_texture(gpu, slot)?,
        DescriptorKind::Sampler => wgpu::BindingType::Sampler(if slot.comparison {
            wgpu::SamplerBindingType::Comparison
        } else {
            wgpu::SamplerBindingType::Filtering
        }),
        DescriptorKind::AccelerationStructure => {
            return Err(Error::Unsupported("acceleration structures".into()));
        }
    };
    Ok(wgpu::BindGroupLayoutEntry {
        binding: slot.binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty,
        count: NonZeroU32::new(slot.count).filter(|_| is_array),
    })
}

fn storage_texture(gpu: &Gpu, slot: &Slot) -> Result<wgpu::BindingType> {
    let format = slot.format.map(Format::from).ok_or_else(|| {
        Error::Unsupported(format!(
            "the read-write texture {} without a format",
            slot.name
        ))
    })?;
    let raw = conv::format(format)?;
    let flags = gpu.adapter.get_texture_format_features(raw).flags;
    use wgpu::TextureFormatFeatureFlags as F;
    let access = if !slot.writable && flags.contains(F::STORAGE_READ_ONLY) {
        wgpu::StorageTextureAccess::ReadOnly
    } else if flags.contains(F::STORAGE_READ_WRITE) {
        wgpu::StorageTextureAccess::ReadWrite
    } else if flags.contains(F::STORAGE_WRITE_ONLY) {
        wgpu::StorageTextureAccess::WriteOnly
    } else {
        return Err(Error::Unsupported(format!(
            "read-write textures of format {format}"
        )));
    };
    Ok(wgpu::BindingType::StorageTexture {
        access,
        format: raw,
        view_dimension: conv::view_dimension(slot.shape)?,
    })
}
