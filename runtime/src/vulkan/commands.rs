//! A command buffer that is recorded, submitted once and waited for.

use std::sync::Arc;

use ash::vk;

use super::conv::api;
use super::gpu::Gpu;
use super::memory::CommandPool;
use crate::error::Result;

/// A command buffer being recorded.
pub(super) struct Commands {
    gpu: Arc<Gpu>,
    _pool: CommandPool,
    pub(super) raw: vk::CommandBuffer,
}

impl Commands {
    /// Begins a command buffer.
    pub(super) fn begin(gpu: &Arc<Gpu>) -> Result<Self> {
        let info = vk::CommandPoolCreateInfo::default()
            .queue_family_index(gpu.queue_family)
            .flags(vk::CommandPoolCreateFlags::TRANSIENT);
        // SAFETY: the queue family is the device's.
        let pool = unsafe { gpu.raw.create_command_pool(&info, None) }
            .map_err(api("vkCreateCommandPool"))?;
        let pool = CommandPool::own(gpu, pool);
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool.raw)
            .command_buffer_count(1);
        // SAFETY: the pool is new, and only this value uses it.
        let buffers = unsafe { gpu.raw.allocate_command_buffers(&info) }
            .map_err(api("vkAllocateCommandBuffers"))?;
        let raw = buffers[0];
        let info = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the buffer is new.
        unsafe { gpu.raw.begin_command_buffer(raw, &info) }.map_err(api("vkBeginCommandBuffer"))?;
        Ok(Commands {
            gpu: Arc::clone(gpu),
            _pool: pool,
            raw,
        })
    }

    /// Ends it, submits it, and waits until the device is done.
    pub(super) fn submit_and_wait(self) -> Result<()> {
        // SAFETY: the buffer is being recorded.
        unsafe { self.gpu.raw.end_command_buffer(self.raw) }.map_err(api("vkEndCommandBuffer"))?;
        self.gpu.submit_and_wait(self.raw)
    }

    /// Makes everything before complete and visible to everything after, the host included.
    pub(super) fn full_barrier(&self) {
        // The widest barrier there is: a job has few steps, and the exact stages and accesses would
        // depend on every view of it. The host stage is there since a fence makes nothing visible
        // to the host (Vulkan specification, "Synchronization and Cache Control", "Fences").
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)];
        // SAFETY: the buffer is being recorded, outside of a render pass.
        unsafe {
            self.gpu.raw.cmd_pipeline_barrier(
                self.raw,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::PipelineStageFlags::ALL_COMMANDS | vk::PipelineStageFlags::HOST,
                vk::DependencyFlags::empty(),
                &barrier,
                &[],
                &[],
            );
        }
    }

    /// Moves all of an image from no layout to the general one.
    pub(super) fn make_general(&self, image: &super::memory::Image) {
        let barrier = [vk::ImageMemoryBarrier::default()
            .image(image.raw)
            // The contents may go: an upload or a clear follows. From here on the image stays in
            // the general layout, which every use allows, so that no later step has to know what
            // the last one did.
            .old_layout(vk::ImageLayout::UNDEFINED)
            .new_layout(vk::ImageLayout::GENERAL)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .subresource_range(vk::ImageSubresourceRange {
                aspect_mask: image.aspects(),
                base_mip_level: 0,
                level_count: vk::REMAINING_MIP_LEVELS,
                base_array_layer: 0,
                layer_count: vk::REMAINING_ARRAY_LAYERS,
            })];
        // SAFETY: the buffer is being recorded, outside of a render pass, and the image is alive.
        unsafe {
            self.gpu.raw.cmd_pipeline_barrier(
                self.raw,
                vk::PipelineStageFlags::TOP_OF_PIPE,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::DependencyFlags::empty(),
                &[],
                &[],
                &barrier,
            );
        }
    }
}
