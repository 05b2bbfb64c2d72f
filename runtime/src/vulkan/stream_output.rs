//! Stream output as transform feedback: the buffers of a draw's slots.

use std::ptr;

use ash::{ext, vk};

use super::gpu::Gpu;
use super::storage::DeviceStorage;
use crate::error::{Error, Result};
use crate::graphics::Draw;

/// The buffers that a draw's vertices are captured in.
pub(super) struct Capture {
    functions: ext::transform_feedback::Device,
    buffers: Vec<vk::Buffer>,
    offsets: Vec<vk::DeviceSize>,
}

impl Capture {
    /// Returns the stream output of a draw; `None` if it has none.
    pub(super) fn new(gpu: &Gpu, draw: &Draw, storages: &[DeviceStorage]) -> Result<Option<Self>> {
        if draw.stream_targets.is_empty() {
            return Ok(None);
        }
        if !gpu.abilities.stream_output {
            return Err(Error::Unsupported("stream output".into()));
        }
        let mut capture = Capture {
            functions: ext::transform_feedback::Device::new(&gpu.instance.raw, &gpu.raw),
            buffers: Vec::new(),
            offsets: Vec::new(),
        };
        for target in &draw.stream_targets {
            let Some(DeviceStorage::Buffer(buffer)) = storages.get(target.resource.0) else {
                return Err(Error::BadJob("stream output goes to buffers".into()));
            };
            capture.buffers.push(buffer.raw);
            capture.offsets.push(target.offset);
        }
        Ok(Some(capture))
    }

    /// Begins to capture vertices.
    ///
    /// # Safety
    ///
    /// The command buffer is being recorded inside of a rendering, with the pipeline bound, and the
    /// buffers live until its commands are done.
    pub(super) unsafe fn begin(&self, commands: vk::CommandBuffer) {
        // SAFETY: the caller's promise; the buffers were made for this use.
        unsafe {
            let fp = self.functions.fp();
            // No counter buffers: every draw starts to write at its targets' offsets.
            (fp.cmd_bind_transform_feedback_buffers_ext)(
                commands,
                0,
                self.buffers.len() as u32,
                self.buffers.as_ptr(),
                self.offsets.as_ptr(),
                ptr::null(),
            );
            (fp.cmd_begin_transform_feedback_ext)(commands, 0, 0, ptr::null(), ptr::null());
        }
    }

    /// Ends the capture of vertices.
    ///
    /// # Safety
    ///
    /// [`Capture::begin`] was called in the same rendering.
    pub(super) unsafe fn end(&self, commands: vk::CommandBuffer) {
        // SAFETY: the caller's promise.
        unsafe {
            let end = self.functions.fp().cmd_end_transform_feedback_ext;
            end(commands, 0, 0, ptr::null(), ptr::null());
        }
    }
}
