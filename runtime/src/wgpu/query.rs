//! Queries: numbers that the device counts while it works.

use super::gpu::Gpu;
use super::transfer::{read, read_buffer};
use crate::error::{Error, Result};

/// A query set with the way of its results to the host.
pub(super) struct Queries {
    /// The set.
    pub(super) set: wgpu::QuerySet,
    count: u32,
    resolved: wgpu::Buffer,
    target: wgpu::Buffer,
}

impl Queries {
    /// Makes that many queries.
    pub(super) fn new(gpu: &Gpu, ty: wgpu::QueryType, count: u32) -> Result<Self> {
        if matches!(ty, wgpu::QueryType::Timestamp) && !gpu.has(wgpu::Features::TIMESTAMP_QUERY) {
            return Err(Error::Unsupported("timestamps".into()));
        }
        let set = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty,
            count,
        });
        let size = u64::from(count) * 8;
        let resolved = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Ok(Queries {
            set,
            count,
            resolved,
            target: read_buffer(gpu, size),
        })
    }

    /// Records the way of the results to the host, after all passes that write them.
    pub(super) fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.set, 0..self.count, &self.resolved, 0);
        let size = u64::from(self.count) * 8;
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.target, 0, size);
    }

    /// Returns the results; the device must be done.
    pub(super) fn read(&self, gpu: &Gpu) -> Result<Vec<u64>> {
        let bytes = read(gpu, &self.target)?;
        let (words, _) = bytes.as_chunks();
        Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }
}
