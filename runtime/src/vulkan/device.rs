//! The logical device: one queue, its features and limits, and the [`Device`] implementation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ash::vk;
use parking_lot::Mutex;

use super::conv::api;
use super::features::{FeatureSet, Properties};
use super::instance::Instance;
use super::pipeline::VulkanPipeline;
use super::{rays, structures};
use crate::cache::Cache;
use crate::device::{Device, DeviceInfo, Limits, OpenOptions, Pipeline, Profile};
use crate::error::{Error, Result};
use crate::program::Program;

/// Descriptors that an unbounded array gets, where the device allows as many.
const UNBOUNDED_DESCRIPTORS: u32 = 1024;

/// What the device can do beyond the translator's target.
pub(super) struct Abilities {
    pub(super) null_descriptors: bool,
    pub(super) device_addresses: bool,
    pub(super) partially_bound: bool,
    pub(super) border_colors: bool,
    pub(super) reductions: bool,
    pub(super) anisotropy: bool,
    /// Multisampled images may be storage images.
    pub(super) stores_samples: bool,
    pub(super) mirror_once: bool,
    pub(super) subgroup_size_control: bool,
    pub(super) mutable_descriptors: bool,
    pub(super) dynamic_rendering: bool,
    pub(super) mesh_shaders: bool,
    /// Mesh shaders may draw to several views at once.
    pub(super) mesh_views: bool,
    /// Queries count what mesh shaders do.
    pub(super) mesh_queries: bool,
    /// There are textures of nothing but alpha.
    pub(super) alpha_alone: bool,
    pub(super) stream_output: bool,
    pub(super) stream_select: bool,
    pub(super) stream_queries: bool,
    pub(super) draw_indirect_count: bool,
    /// The queue binds memory to sparse resources.
    pub(super) sparse_binding: bool,
    /// Reads without memory give zero.
    pub(super) strict_residency: bool,
    /// Features of Vulkan 1.0.
    pub(super) core: vk::PhysicalDeviceFeatures,
}

/// The logical device and what belongs to it; everything made from it holds an `Arc`.
pub(super) struct Gpu {
    pub(super) instance: Arc<Instance>,
    pub(super) physical: vk::PhysicalDevice,
    pub(super) raw: ash::Device,
    pub(super) queue_family: u32,
    queue: Mutex<vk::Queue>,
    pub(super) memory: vk::PhysicalDeviceMemoryProperties,
    pub(super) limits: vk::PhysicalDeviceLimits,
    pub(super) abilities: Abilities,
    /// Acceleration structures, where there are any.
    pub(super) structures: Option<structures::Abilities>,
    /// Ray tracing pipelines, where there are any.
    pub(super) rays: Option<rays::Abilities>,
    pub(super) cache: Option<Arc<Cache>>,
    /// Hash of what the driver's data for pipelines depends on.
    pub(super) identity: [u8; 32],
    /// Bits of a timestamp that count; 0 where the queue has no timestamps.
    pub(super) timestamp_bits: u32,
    timeout: Duration,
    /// A submission never ended: nothing may be destroyed any more.
    stuck: AtomicBool,
}

impl Gpu {
    /// Submits a command buffer and waits until it is done, no longer than the timeout.
    pub(super) fn submit_and_wait(&self, commands: vk::CommandBuffer) -> Result<()> {
        if self.is_stuck() {
            return Err(Error::DeviceLost);
        }
        // SAFETY: the device is alive.
        let fence = unsafe { self.raw.create_fence(&vk::FenceCreateInfo::default(), None) }
            .map_err(api("vkCreateFence"))?;
        let buffers = [commands];
        let submit = [vk::SubmitInfo::default().command_buffers(&buffers)];
        let submitted = {
            let queue = self.queue.lock();
            // SAFETY: the lock gives the exclusive access that queues ask for; the command buffer
            // is recorded and its resources live until the fence says that it is done.
            unsafe { self.raw.queue_submit(*queue, &submit, fence) }
        };
        let waited = submitted.map_err(api("vkQueueSubmit")).and_then(|()| {
            let nanoseconds = u64::try_from(self.timeout.as_nanos()).unwrap_or(u64::MAX);
            // SAFETY: the fence belongs to this device.
            unsafe { self.raw.wait_for_fences(&[fence], true, nanoseconds) }.map_err(|result| {
                match result {
                    vk::Result::TIMEOUT => {
                        self.stuck.store(true, Ordering::Release);
                        Error::Timeout(self.timeout)
                    }
                    other => api("vkWaitForFences")(other),
                }
            })
        });
        if submitted.is_ok() && waited.is_err() && !self.is_stuck() {
            // A wait that failed says nothing about the work: it may go on, with objects that are
            // about to be destroyed. On a device that is really lost this returns soon.
            let _queue = self.queue.lock();
            // SAFETY: the lock gives the exclusive access that the queue asks for.
            let _ = unsafe { self.raw.device_wait_idle() };
        }
        if !self.is_stuck() {
            // SAFETY: the fence is not in use: the work is done, or was never submitted, or the
            // device is lost.
            unsafe { self.raw.destroy_fence(fence, None) };
        }
        waited
    }

    /// Binds memory to sparse resources, and waits until it is done.
    pub(super) fn bind_sparse(&self, info: &vk::BindSparseInfo<'_>) -> Result<()> {
        let queue = self.queue.lock();
        // SAFETY: the lock gives the exclusive access that queues ask for; the family binds sparse
        // memory, which the caller checked, and no semaphore or fence is part of it.
        unsafe {
            self.raw
                .queue_bind_sparse(*queue, std::slice::from_ref(info), vk::Fence::null())
                .map_err(api("vkQueueBindSparse"))?;
            self.raw
                .queue_wait_idle(*queue)
                .map_err(api("vkQueueWaitIdle"))
        }
    }

    /// Whether a submission never ended. Its objects are still in use, so they leak.
    pub(super) fn is_stuck(&self) -> bool {
        self.stuck.load(Ordering::Acquire)
    }

    /// A memory type with all of those flags, out of the allowed ones; `preferred` flags are nice.
    pub(super) fn memory_type(
        &self,
        allowed: u32,
        needed: vk::MemoryPropertyFlags,
        preferred: vk::MemoryPropertyFlags,
    ) -> Option<u32> {
        let find = |flags: vk::MemoryPropertyFlags| {
            self.memory
                .memory_types_as_slice()
                .iter()
                .zip(0u32..)
                .find(|(memory, i)| {
                    allowed & (1 << i) != 0 && memory.property_flags.contains(flags)
                })
                .map(|(_, i)| i)
        };
        find(needed | preferred).or_else(|| find(needed))
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if self.is_stuck() {
            std::mem::forget(Arc::clone(&self.instance));
            return;
        }
        // SAFETY: owners of children hold an `Arc` of this, so there are none left, and every
        // submission was waited for.
        unsafe {
            self.raw.destroy_device(None);
        }
    }
}

/// A Vulkan device.
pub(super) struct VulkanDevice {
    gpu: Arc<Gpu>,
    info: DeviceInfo,
    profile: Profile,
}

impl VulkanDevice {
    /// Opens a device.
    pub(super) fn open(options: &OpenOptions) -> Result<Self> {
        let instance = Instance::new(options.validate)?;
        let mut devices = instance.devices()?;
        let count = devices.len();
        if options.index >= count {
            return Err(Error::NoSuchDevice {
                index: options.index,
                count,
            });
        }
        let (physical, info) = devices.swap_remove(options.index);
        let properties = Properties::query(&instance.raw, physical);
        let mut features = FeatureSet::query(&instance.raw, physical, &properties.core)?;
        if !options.robustness2 {
            features.drop_robustness2();
        }
        // SAFETY: `physical` comes from this instance.
        let families = unsafe {
            instance
                .raw
                .get_physical_device_queue_family_properties(physical)
        };
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
            .then(|| structures::Abilities::new(&instance.raw, &raw, &properties.structures));
        let rays = features.ray_tracing().map(|features| {
            rays::Abilities::new(&instance.raw, &raw, &properties.ray_tracing, features)
        });
        let profile = Profile {
            target,
            limits: Limits {
                descriptor_sets: limits.max_bound_descriptor_sets,
                push_constant_bytes: limits.max_push_constants_size,
                uniform_buffer_bytes: u64::from(limits.max_uniform_buffer_range),
                storage_buffer_bytes: u64::from(limits.max_storage_buffer_range),
                texel_buffer_elements: u64::from(limits.max_texel_buffer_elements),
                thread_groups: limits.max_compute_work_group_count,
                ray_recursion: rays::max_recursion(rays.as_ref()),
                // A shader may have several such arrays: a few of them fit.
                unbounded_descriptors: UNBOUNDED_DESCRIPTORS
                    .min(limits.max_per_stage_descriptor_storage_buffers / 4)
                    .min(limits.max_per_stage_descriptor_sampled_images / 4)
                    .max(1),
            },
            texel_buffers: true,
            storage_image_formats: !target.features.contains(
                dxil_translate::Features::STORAGE_READ_WITHOUT_FORMAT
                    | dxil_translate::Features::STORAGE_WRITE_WITHOUT_FORMAT,
            ),
            dense_bindings: false,
            device_addresses: features.device_addresses(),
            subgroup_sizes: properties.subgroup_sizes,
            robust: features.robust(),
            residency: features.residency(),
            executes_dxil: false,
        };
        let gpu = Gpu {
            structures,
            rays,
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

    fn prepare(&self, program: &Program) -> Result<Box<dyn Pipeline>> {
        let pipeline = VulkanPipeline::new(&self.gpu, program)?;
        self.gpu.instance.check_messages()?;
        Ok(Box::new(pipeline))
    }
}
