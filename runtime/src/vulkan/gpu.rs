//! The logical device, its queue, and what everything made from it needs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ash::vk;
use parking_lot::Mutex;

use super::abilities::{Abilities, CaptureAbilities, RayAbilities, StructureAbilities};
use super::conv::api;
use super::heaps::abilities::HeapAbilities;
use super::instance::VulkanInstance;
use crate::cache::Cache;
use crate::error::{Error, Result};

/// The logical device and what belongs to it; everything made from it holds an `Arc`.
pub(super) struct Gpu {
    pub(super) instance: Arc<VulkanInstance>,
    pub(super) physical: vk::PhysicalDevice,
    pub(super) raw: ash::Device,
    pub(super) queue_family: u32,
    pub(super) queue: Mutex<vk::Queue>,
    pub(super) memory: vk::PhysicalDeviceMemoryProperties,
    pub(super) limits: vk::PhysicalDeviceLimits,
    pub(super) abilities: Abilities,
    /// Acceleration structures, where there are any.
    pub(super) structures: Option<StructureAbilities>,
    /// Ray tracing pipelines, where there are any.
    pub(super) rays: Option<RayAbilities>,
    /// Descriptor heaps, where they replace descriptor sets.
    pub(super) heaps: Option<HeapAbilities>,
    /// What pipelines keep of their machine code, if anything.
    pub(super) capture: Option<CaptureAbilities>,
    pub(super) cache: Option<Arc<Cache>>,
    /// Hash of what the driver's data for pipelines depends on.
    pub(super) identity: [u8; 32],
    /// Bits of a timestamp that count; 0 where the queue has no timestamps.
    pub(super) timestamp_bits: u32,
    pub(super) timeout: Duration,
    /// A submission never ended: nothing may be destroyed any more.
    pub(super) stuck: AtomicBool,
}

impl Gpu {
    /// Returns the flags that every pipeline is made with.
    pub(super) fn pipeline_flags(&self) -> vk::PipelineCreateFlags {
        self.capture
            .as_ref()
            .map_or(vk::PipelineCreateFlags::empty(), |capture| capture.flags)
    }

    /// Submits a command buffer and waits until it is done, no longer than the timeout.
    pub(super) fn submit_and_wait(&self, commands: vk::CommandBuffer) -> Result<()> {
        if self.is_stuck() {
            return Err(Error::DeviceLost);
        }
        // A fence per submission: it is destroyed below, once nothing refers to it
        // (VUID-vkDestroyFence-fence-01120).
        // SAFETY: the device is alive.
        let fence = unsafe { self.raw.create_fence(&vk::FenceCreateInfo::default(), None) }
            .map_err(api("vkCreateFence"))?;
        let buffers = [commands];
        let submit = [vk::SubmitInfo::default().command_buffers(&buffers)];
        // The lock is released before the wait, so that other threads can submit meanwhile.
        let submitted = {
            let queue = self.queue.lock();
            // SAFETY: the lock gives the exclusive access that queues ask for; the command buffer
            // is recorded and its resources live until the fence says that it is done.
            unsafe { self.raw.queue_submit(*queue, &submit, fence) }
        };
        let waited = submitted.map_err(api("vkQueueSubmit")).and_then(|()| {
            // A duration that does not fit into 64 bits of nanoseconds is practically unbounded,
            // and `u64::MAX` is Vulkan's way to wait without a limit.
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
            // No fence: binding is rare and happens before a job's work is recorded, so waiting for
            // the whole queue costs nothing that matters.
            self.raw
                .queue_bind_sparse(*queue, std::slice::from_ref(info), vk::Fence::null())
                .map_err(api("vkQueueBindSparse"))?;
            self.raw
                .queue_wait_idle(*queue)
                .map_err(api("vkQueueWaitIdle"))
        }
    }

    /// Returns whether a submission never ended. Its objects are still in use, so they leak.
    pub(super) fn is_stuck(&self) -> bool {
        self.stuck.load(Ordering::Acquire)
    }

    /// Returns the index of a memory type with all needed flags, out of the allowed ones. A type
    /// that also has the preferred flags is taken first.
    fn memory_type(
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
        // The order of memory types is the driver's order of performance among types with the same
        // flags (Vulkan specification, "Device Memory"), so the first match is the best one.
        find(needed | preferred).or_else(|| find(needed))
    }

    /// Allocates memory of a type with all needed and, if possible, all preferred flags.
    pub(super) fn allocate_memory(
        &self,
        info: vk::MemoryAllocateInfo<'_>,
        allowed: u32,
        needed: vk::MemoryPropertyFlags,
        preferred: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory> {
        let index = self
            .memory_type(allowed, needed, preferred)
            .ok_or_else(|| Error::Unsupported("it has no memory of a fitting type".into()))?;
        let info = info.memory_type_index(index);
        // SAFETY: the type index is one of the device's.
        unsafe { self.raw.allocate_memory(&info, None) }.map_err(api("vkAllocateMemory"))
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if self.is_stuck() {
            // The device is not destroyed, so the instance that it was created from must stay alive
            // as well.
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
