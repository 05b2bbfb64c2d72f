//! From a program to set layouts, a pipeline layout and a pipeline.

use std::sync::Arc;

use ash::vk;
use dxil_frontend::dxil::ShaderKind;
use dxil_translate::DescriptorKind;

use super::conv::api;
use super::gpu::Gpu;
use super::heaps::layout::{HeapLayout, ShaderInterface};
use super::memory::{DescriptorSetLayout, PipelineLayout, RawPipeline};
use super::pipeline_cache::PipelineCache;
use super::rays::{self, Groups};
use super::set_bindings::SetBindings;
use super::shader_module::{create_module, entry_name};
use super::{graphics, structures};
use crate::error::{Error, Result};
use crate::graphics::GraphicsState;
use crate::program::{Layout, Program, ShaderCode, StageCode};

/// A pipeline with its layout.
pub(super) struct VulkanPipeline {
    pub(super) gpu: Arc<Gpu>,
    pub(super) layout: Layout,
    pub(super) set_layouts: Vec<DescriptorSetLayout>,
    pub(super) pipeline_layout: PipelineLayout,
    pub(super) pipeline: RawPipeline,
    pub(super) push_constant_bytes: u32,
    /// Places of the descriptors in heaps, where heaps replace the sets.
    pub(super) heaps: Option<HeapLayout>,
    /// State of a graphics pipeline; `None` for others.
    pub(super) graphics: Option<GraphicsState>,
    /// Groups of a ray tracing pipeline; `None` for others.
    pub(super) rays: Option<Groups>,
    /// A mesh shader makes the primitives.
    pub(super) is_mesh: bool,
}

impl VulkanPipeline {
    /// Makes the pipeline of a program.
    pub(super) fn new(gpu: &Arc<Gpu>, program: &Program) -> Result<Self> {
        let heaps = match &gpu.heaps {
            Some(able) => Some(HeapLayout::new(able, &program.layout)?),
            None => {
                check_counts(&gpu.limits, &program.layout)?;
                None
            }
        };
        if program.layout.sees_structures() && gpu.structures.is_none() {
            // Drivers may crash on code that uses extensions which the device lacks.
            return Err(structures::missing());
        }
        let push_constant_bytes = program.layout.push_constant_bytes();
        let (set_layouts, pipeline_layout) = if heaps.is_some() {
            // VUID-VkComputePipelineCreateInfo-flags-11311 and its like forbid a layout.
            let none = vk::PipelineLayout::null();
            (Vec::new(), PipelineLayout::own(gpu, none))
        } else {
            let sets = create_set_layouts(gpu, &program.layout)?;
            let layout = create_pipeline_layout(gpu, &sets, push_constant_bytes)?;
            (sets, layout)
        };
        let place = ShaderInterface {
            layout: pipeline_layout.raw,
            heaps: heaps.as_ref(),
        };
        let cache = PipelineCache::open(gpu, program)?;
        let mut rays = None;
        let pipeline = match (program.stages.as_slice(), &program.graphics) {
            (stages, None) if program.ray_tracing.is_some() => {
                let state = program.ray_tracing.clone().unwrap_or_default();
                let (pipeline, groups) = rays::create(gpu, stages, &state, &place, &cache)?;
                rays = Some(groups);
                pipeline
            }
            ([stage], None) if stage.kind == ShaderKind::Compute => {
                create_compute(gpu, stage, &place, &cache)?
            }
            (stages, Some(state)) => graphics::create(gpu, stages, state, &place, &cache)?,
            ([stage], None) if stage.kind == ShaderKind::Node => return Err(Error::lone_node()),
            (stages, None) => {
                let kinds: Vec<&str> = stages.iter().map(|s| s.kind.prefix()).collect();
                return Err(Error::BadJob(format!(
                    "a program of {} needs the state of a graphics pipeline",
                    kinds.join(" and ")
                )));
            }
        };
        // Only now: the driver's data exist once the pipeline is made.
        cache.keep(gpu);
        Ok(VulkanPipeline {
            gpu: Arc::clone(gpu),
            layout: program.layout.clone(),
            set_layouts,
            pipeline_layout,
            pipeline,
            push_constant_bytes,
            heaps,
            graphics: program.graphics.clone(),
            rays,
            is_mesh: program
                .stages
                .iter()
                .any(|stage| stage.kind == ShaderKind::Mesh),
        })
    }
}

/// Checks the number of descriptors of each kind against the limits of one stage and of one layout.
/// Every binding here is visible to every stage, so that each stage counts all of them.
fn check_counts(limits: &vk::PhysicalDeviceLimits, layout: &Layout) -> Result<()> {
    use DescriptorKind as D;
    let l = limits;
    let table: [(&[D], u32, &'static str); 6] = [
        (
            &[D::UniformBuffer],
            l.max_per_stage_descriptor_uniform_buffers
                .min(l.max_descriptor_set_uniform_buffers),
            "constant buffers",
        ),
        (
            &[D::StorageBuffer],
            l.max_per_stage_descriptor_storage_buffers
                .min(l.max_descriptor_set_storage_buffers),
            "raw and structured buffers",
        ),
        (
            &[D::SampledImage, D::UniformTexelBuffer],
            l.max_per_stage_descriptor_sampled_images
                .min(l.max_descriptor_set_sampled_images),
            "textures and typed buffers",
        ),
        (
            &[D::StorageImage, D::StorageTexelBuffer],
            l.max_per_stage_descriptor_storage_images
                .min(l.max_descriptor_set_storage_images),
            "read-write textures and typed buffers",
        ),
        (
            &[D::Sampler],
            l.max_per_stage_descriptor_samplers
                .min(l.max_descriptor_set_samplers),
            "samplers",
        ),
        (
            &[
                D::UniformBuffer,
                D::StorageBuffer,
                D::SampledImage,
                D::UniformTexelBuffer,
                D::StorageImage,
                D::StorageTexelBuffer,
            ],
            l.max_per_stage_resources,
            "resources",
        ),
    ];
    for (kinds, limit, what) in table {
        let slots = layout.sets.iter().flat_map(|set| &set.slots);
        let need: u64 = slots
            .filter(|slot| kinds.contains(&slot.kind))
            .map(|slot| u64::from(slot.count))
            .sum();
        if need > u64::from(limit) {
            return Err(Error::Limit {
                what,
                need,
                limit: u64::from(limit),
            });
        }
    }
    Ok(())
}

fn create_set_layouts(gpu: &Arc<Gpu>, layout: &Layout) -> Result<Vec<DescriptorSetLayout>> {
    layout
        .sets
        .iter()
        .map(|set| {
            let set = SetBindings::of(set, gpu.abilities.partially_bound);
            let mutable = set.is_mutable();
            if mutable && !gpu.abilities.mutable_descriptors {
                return Err(Error::Unsupported(
                    "a descriptor heap with descriptors of several types".into(),
                ));
            }
            let mut flags_info =
                vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&set.flags);
            // VUID-VkDescriptorSetLayoutCreateInfo-pBindings-07303: one list for each binding up to
            // the last mutable one, empty for the others.
            let lists: Vec<_> = set
                .types
                .iter()
                .map(|types| vk::MutableDescriptorTypeListEXT::default().descriptor_types(types))
                .collect();
            let mut mutable_info = vk::MutableDescriptorTypeCreateInfoEXT::default()
                .mutable_descriptor_type_lists(&lists);
            let mut info = vk::DescriptorSetLayoutCreateInfo::default()
                .bindings(&set.bindings)
                .push_next(&mut flags_info);
            if mutable {
                info = info.push_next(&mut mutable_info);
            }
            // SAFETY: the bindings are distinct, and the flags have one entry per binding.
            let raw = unsafe { gpu.raw.create_descriptor_set_layout(&info, None) }
                .map_err(api("vkCreateDescriptorSetLayout"))?;
            Ok(DescriptorSetLayout::own(gpu, raw))
        })
        .collect()
}

fn create_pipeline_layout(
    gpu: &Arc<Gpu>,
    sets: &[DescriptorSetLayout],
    push_constant_bytes: u32,
) -> Result<PipelineLayout> {
    let sets: Vec<_> = sets.iter().map(|set| set.raw).collect();
    // One range for all stages: with one range for each stage, `vkCmdPushConstants` would have to
    // name exactly the stages of every byte (VUID-vkCmdPushConstants-offset-01796).
    let range = [vk::PushConstantRange {
        stage_flags: vk::ShaderStageFlags::ALL,
        offset: 0,
        size: push_constant_bytes,
    }];
    let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
    // VUID-VkPushConstantRange-size-00296 forbids an empty range.
    if push_constant_bytes > 0 {
        info = info.push_constant_ranges(&range);
    }
    if sets.len() > gpu.limits.max_bound_descriptor_sets as usize {
        return Err(Error::Limit {
            what: "descriptor sets",
            need: sets.len() as u64,
            limit: u64::from(gpu.limits.max_bound_descriptor_sets),
        });
    }
    if push_constant_bytes > gpu.limits.max_push_constants_size {
        return Err(Error::Limit {
            what: "bytes of push constants",
            need: u64::from(push_constant_bytes),
            limit: u64::from(gpu.limits.max_push_constants_size),
        });
    }
    // SAFETY: the set layouts are alive and the limits were checked.
    let raw = unsafe { gpu.raw.create_pipeline_layout(&info, None) }
        .map_err(api("vkCreatePipelineLayout"))?;
    Ok(PipelineLayout::own(gpu, raw))
}

/// Makes a compute pipeline.
fn create_compute(
    gpu: &Arc<Gpu>,
    stage: &StageCode,
    place: &ShaderInterface<'_>,
    cache: &PipelineCache,
) -> Result<RawPipeline> {
    let ShaderCode::SpirV(words) = &stage.code else {
        return Err(Error::Unsupported(
            "WGSL code (only the wgpu backend takes it)".into(),
        ));
    };
    let module = create_module(gpu, words)?;
    let entry = entry_name(stage)?;
    let mut required = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
    let mut stage_info = vk::PipelineShaderStageCreateInfo::default()
        .stage(vk::ShaderStageFlags::COMPUTE)
        .module(module.raw)
        .name(&entry);
    let mut chain = place.chain(gpu.pipeline_flags());
    if let Some(chain) = &chain {
        stage_info.p_next = chain.of_stage();
    }
    // VUID-VkPipelineShaderStageCreateInfo-pNext-02755. That the size is in the device's range was
    // checked when the program was compiled.
    if let Some(size) = stage.required_subgroup_size {
        if !gpu.abilities.subgroup_size_control {
            return Err(Error::Unsupported(format!(
                "a required wave size ({size} lanes)"
            )));
        }
        required.required_subgroup_size = size;
        stage_info = stage_info.push_next(&mut required);
    }
    let mut create = vk::ComputePipelineCreateInfo::default()
        .flags(gpu.pipeline_flags())
        .stage(stage_info)
        .layout(place.layout);
    if let Some(chain) = &mut chain {
        create.p_next = chain.of_pipeline(create.p_next);
    }
    let create = [create];
    // SAFETY: module, layout and cache are alive.
    let made = unsafe { gpu.raw.create_compute_pipelines(cache.raw(), &create, None) };
    match made {
        Ok(pipelines) => pipelines
            .first()
            .map(|raw| RawPipeline::own(gpu, *raw))
            .ok_or(Error::DeviceLost),
        Err((_, result)) => Err(api("vkCreateComputePipelines")(result)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Register;
    use crate::program::{BindingSlot, SetLayout};
    use dxil_frontend::dxil::ResourceKind;

    fn slot(binding: u32, kind: DescriptorKind, count: u32) -> BindingSlot {
        BindingSlot {
            count,
            ..BindingSlot::of_register(binding, kind, Register::srv(binding), ResourceKind::Invalid)
        }
    }

    #[test]
    fn more_descriptors_than_the_device_has_are_refused_by_kind() {
        use DescriptorKind as D;
        let many = 1000;
        let limits = vk::PhysicalDeviceLimits {
            max_per_stage_descriptor_uniform_buffers: many,
            max_descriptor_set_uniform_buffers: many,
            max_per_stage_descriptor_storage_buffers: many,
            max_descriptor_set_storage_buffers: many,
            max_per_stage_descriptor_sampled_images: 16,
            max_descriptor_set_sampled_images: many,
            max_per_stage_descriptor_storage_images: many,
            max_descriptor_set_storage_images: 4,
            max_per_stage_descriptor_samplers: 16,
            max_descriptor_set_samplers: many,
            max_per_stage_resources: 20,
            ..Default::default()
        };
        let check = |slots: &[(D, u32)]| {
            let slots = (0..).zip(slots);
            let slots = slots.map(|(i, (kind, count))| slot(i, *kind, *count));
            let layout = Layout {
                sets: vec![SetLayout {
                    slots: slots.collect(),
                }],
                ..Layout::default()
            };
            check_counts(&limits, &layout).map_err(|error| error.to_string())
        };
        assert_eq!(
            check(&[(D::SampledImage, 12), (D::UniformTexelBuffer, 4)]),
            Ok(())
        );
        let error = check(&[(D::SampledImage, 12), (D::UniformTexelBuffer, 5)]).unwrap_err();
        assert!(error.contains("textures and typed buffers"), "{error}");
        let error = check(&[(D::StorageImage, 5)]).unwrap_err();
        assert!(error.contains("read-write"), "{error}");
        assert!(check(&[(D::Sampler, 17)]).unwrap_err().contains("samplers"));
        let error = check(&[(D::UniformBuffer, 11), (D::StorageBuffer, 10)]).unwrap_err();
        assert!(error.contains("21") && error.contains("20"), "{error}");
    }
}
