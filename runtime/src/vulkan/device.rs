//! Opens the device with its features and limits; the [`Device`] implementation.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ash::vk;
use parking_lot::Mutex;

use super::abilities::{
    Abilities, CaptureAbilities, RayAbilities, StructureAbilities, max_recursion,
};
use super::conv::api;
use super::executables;
use super::features::{FeatureSet, Properties};
use super::gpu::Gpu;
use super::heaps::abilities::HeapAbilities;
use super::instance::VulkanInstance;
use super::pipeline::VulkanPipeline;
use crate::device::{Capture, Device, DeviceInfo, Limits, OpenOptions, Pipeline, Profile};
use crate::error::{Error, Result};
use crate::executable::Executable;
use crate::program::Program;

/// Number of descriptors of an unbounded array, where the device allows as many.
const UNBOUNDED_DESCRIPTORS: u32 = 1024;

/// A Vulkan device.
pub(super) struct VulkanDevice {
    gpu: Arc<Gpu>,
    info: DeviceInfo,
    profile: Profile,
}

impl VulkanDevice {
    /// Opens a device.
    pub(super) fn open(options: &OpenOptions) -> Result<Self> {
        let instance = VulkanInstance::new(options.validate)?;
        let mut devices = instance.devices()?;
        let count = devices.len();
        if options.index >= count {
            return Err(Error::NoSuchDevice {
                index: options.index,
                count,
            });
        }
        let (physical, info) = devices.swap_remove(options.index);
        let mut properties = Properties::query(&instance.raw, physical);
        let mut features = FeatureSet::query(&instance.raw, physical, &properties.core)?;
        if features.matrices() {
            properties.query_matrix_sizes(&instance.entry, &instance.raw, physical);
        }
        if !options.robustness2 {
            features.drop_robustness2();
        }
        if !options.descriptor_heaps {
            features.drop_descriptor_heaps();
        } else if !features.descriptor_heaps() {
            return Err(Error::Unsupported(
                "descriptor heaps (VK_EXT_descriptor_heap)".into(),
            ));
        }
        match (options.capture, features.executables()) {
            (Capture::Nothing, _) => features.drop_capture(),
            (_, true) => {}
            (_, false) => {
                return Err(Error::Unsupported(
                    "machine code (VK_KHR_pipeline_executable_properties)".into(),
                ));
            }
        }
        // SAFETY: `physical` comes from this instance.
        let families = unsafe {
            instance
                .raw
                .get_physical_device_queue_family_properties(physical)
        };
        // One queue for everything, so that no resource ever changes its queue family and no
        // barrier has to transfer ownership. A family with graphics can do all that a job asks for.
        let wanted = vk::QueueFlags::COMPUTE | vk::QueueFlags::GRAPHICS;
        let family = families
            .iter()
            .position(|f| f.queue_flags.contains(wanted))
            .or_else(|| {
                families
                    .iter()
                    .position(|f| f.queue_flags.contains(vk::QueueFlags::COMPUTE))
            })
            .ok_or_else(|| Error::Unsupported("it has no compute queue".into()))?;
        let timestamp_bits = families[family].timestamp_valid_bits;
        let queue_family = family as u32;

        let priorities = [1.0];
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(queue_family)
            .queue_priorities(&priorities)];
        let names = features.extension_names();
        let raw = {
            let mut linked = features.linked();
            let create = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&names)
                .push_next(&mut linked);
            // SAFETY: the features and extensions are those the device said it has.
            unsafe { instance.raw.create_device(physical, &create, None) }
                .map_err(api("vkCreateDevice"))?
        };
        // SAFETY: the family has at least one queue, and it was asked for.
        let queue = unsafe { raw.get_device_queue(queue_family, 0) };
        // SAFETY: `physical` comes from this instance.
        let memory = unsafe { instance.raw.get_physical_device_memory_properties(physical) };
        let limits = properties.core.limits;
        let target = features.target(&properties);
        let structures = features
            .structures()
            .then(|| StructureAbilities::new(&instance.raw, &raw, &properties.structures));
        let rays = features.ray_tracing().map(|features| {
            RayAbilities::new(&instance.raw, &raw, &properties.ray_tracing, features)
        });
        let heaps = options
            .descriptor_heaps
            .then(|| HeapAbilities::new(&instance.raw, physical, &raw))
            .transpose()?;
        let parts = features.pipeline_parts();
        let capture = CaptureAbilities::new(options.capture, parts, &instance.raw, &raw);
        let profile = Profile {
            target,
            limits: Limits {
                descriptor_sets: limits.max_bound_descriptor_sets,
                push_constant_bytes: limits.max_push_constants_size,
                uniform_buffer_bytes: u64::from(limits.max_uniform_buffer_range),
                storage_buffer_bytes: u64::from(limits.max_storage_buffer_range),
                texel_buffer_elements: u64::from(limits.max_texel_buffer_elements),
                thread_groups: limits.max_compute_work_group_count,
                ray_recursion: max_recursion(rays.as_ref()),
                unbounded_descriptors_are_all: true,
                // A shader may have several such arrays: a few of them fit.
                unbounded_descriptors: UNBOUNDED_DESCRIPTORS
                    .min(limits.max_per_stage_descriptor_storage_buffers / 4)
                    .min(limits.max_per_stage_descriptor_sampled_images / 4)
                    .max(1),
            },
            texel_buffers: true,
            // Without both features a storage image must name its format
            // (VUID-RuntimeSpirv-OpTypeImage-06269, VUID-RuntimeSpirv-OpTypeImage-06270).
            storage_image_formats: !target.features.contains(
                dxil_translate::Features::STORAGE_READ_WITHOUT_FORMAT
                    | dxil_translate::Features::STORAGE_WRITE_WITHOUT_FORMAT,
            ),
            dense_bindings: false,
            descriptor_heaps: heaps.as_ref().map(|able| able.strides),
            device_addresses: features.device_addresses(),
            subgroup_sizes: properties.subgroup_sizes,
            robust: features.robust(),
            residency: features.residency(),
            executes_dxil: false,
            keep_denormals: false,
            checks: dxil_cpu::Checks::NONE,
        };
        let gpu = Gpu {
            structures,
            rays,
            heaps,
            capture,
            physical,
            raw,
            queue_family,
            queue: Mutex::new(queue),
            memory,
            limits,
            abilities: Abilities {
                null_descriptors: features.null_descriptors(),
                device_addresses: features.device_addresses(),
                partially_bound: features.partially_bound(),
                border_colors: features.border_colors(),
                reductions: features.reductions(),
                anisotropy: features.anisotropy(),
                stores_samples: target
                    .features
                    .contains(dxil_translate::Features::STORAGE_MULTISAMPLE),
                mirror_once: features.mirror_once(),
                mutable_descriptors: features.mutable_descriptor_types(),
                // The feature belongs to the device, drawing to the queue: a device without a
                // graphics queue may report dynamic rendering all the same.
                dynamic_rendering: features.dynamic_rendering()
                    && families[family]
                        .queue_flags
                        .contains(vk::QueueFlags::GRAPHICS),
                stream_output: features.stream_output(),
                stream_select: properties.stream_select,
                stream_queries: features.stream_output() && properties.stream_queries,
                draw_indirect_count: features.draw_indirect_count(),
                sparse_binding: families[family]
                    .queue_flags
                    .contains(vk::QueueFlags::SPARSE_BINDING),
                strict_residency: properties
                    .core
                    .sparse_properties
                    .residency_non_resident_strict
                    != 0,
                core: features.core(),
                mesh_shaders: target
                    .features
                    .contains(dxil_translate::Features::MESH_SHADER),
                mesh_views: features.mesh_views(),
                mesh_queries: features.mesh_queries(),
                alpha_alone: features.maintenance5(),
                subgroup_size_control: features.subgroup_size_control()
                    && properties
                        .required_size_stages
                        .contains(vk::ShaderStageFlags::COMPUTE),
            },
            cache: options.cache.clone(),
            identity: super::pipeline_cache::identity(&properties.core),
            timestamp_bits,
            timeout: options.timeout,
            stuck: AtomicBool::new(false),
            instance,
        };
        // Now that the device owns its handles, an error here frees them.
        gpu.instance.check_messages()?;
        Ok(VulkanDevice {
            gpu: Arc::new(gpu),
            info,
            profile,
        })
    }
}

impl Device for VulkanDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn machine_code(&self, program: &Program) -> Result<Vec<Executable>> {
        let executables = executables::of_program(&self.gpu, program)?;
        self.gpu.instance.check_messages()?;
        Ok(executables)
    }

    fn prepare(&self, program: &Program) -> Result<Box<dyn Pipeline>> {
        let pipeline = VulkanPipeline::new(&self.gpu, program)?;
        self.gpu.instance.check_messages()?;
        Ok(Box::new(pipeline))
    }
}
