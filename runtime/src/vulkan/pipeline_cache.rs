//! The driver's own data for one pipeline: a `VkPipelineCache` that lives as long as its creation.
//!
//! Without a cache on disk there is none: the driver keeps what it wants of a device's life by
//! itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ash::vk;

use super::conv::api;
use super::gpu::Gpu;
use super::memory::DriverCache;
use crate::cache::pipeline_key::pipeline_key;
use crate::cache::{Cache, Key};
use crate::error::Result;
use crate::program::Program;

/// Returns the hash of what the driver's data depends on: `VkPipelineCacheHeaderVersionOne` (Vulkan
/// 1.3, 10.7.3) and the driver's version, which a driver may forget to put into the UUID.
pub(super) fn identity(properties: &vk::PhysicalDeviceProperties) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for number in [
        properties.vendor_id,
        properties.device_id,
        properties.driver_version,
        properties.api_version,
    ] {
        hasher.update(&number.to_le_bytes());
    }
    hasher.update(&properties.pipeline_cache_uuid);
    *hasher.finalize().as_bytes()
}

/// The store from which the driver reads and to which it writes data while a pipeline is created.
pub(super) struct PipelineCache(Option<OpenCache>);

struct OpenCache {
    cache: Arc<Cache>,
    raw: DriverCache,
    key: Key,
    /// Time that it took without data; `None` if this is the first time.
    first: Option<u64>,
    begin: Instant,
}

impl PipelineCache {
    /// Looks for the data of a program's pipeline.
    pub(super) fn open(gpu: &Arc<Gpu>, program: &Program) -> Result<Self> {
        let Some(cache) = &gpu.cache else {
            return Ok(PipelineCache(None));
        };
        // The time without data is kept with them, so that the cache can tell how much it saved.
        let begin = Instant::now();
        let key = pipeline_key(&gpu.identity, program);
        let (first, data) = match cache.pipeline(&key) {
            Some((first, data)) => (Some(first), data),
            None => (None, Vec::new()),
        };
        let info = vk::PipelineCacheCreateInfo::default().initial_data(&data);
        // SAFETY: the data are what this driver gave (their checksum says so), or none.
        let raw = unsafe { gpu.raw.create_pipeline_cache(&info, None) }
            .map_err(api("vkCreatePipelineCache"))?;
        Ok(PipelineCache(Some(OpenCache {
            cache: Arc::clone(cache),
            raw: DriverCache::own(gpu, raw),
            key,
            first,
            begin,
        })))
    }

    /// Returns the handle, null without a cache on disk.
    pub(super) fn raw(&self) -> vk::PipelineCache {
        self.0
            .as_ref()
            .map_or(vk::PipelineCache::null(), |open| open.raw.raw)
    }

    /// Keeps the driver's data after the pipeline was created, if they were not in the cache.
    pub(super) fn keep(self, gpu: &Gpu) {
        let Some(open) = self.0 else {
            return;
        };
        let took: Duration = open.begin.elapsed();
        if let Some(first) = open.first {
            open.cache.pipeline_found(first, took);
            return;
        }
        // SAFETY: the cache belongs to this device, and no other thread knows of it.
        match unsafe { gpu.raw.get_pipeline_cache_data(open.raw.raw) } {
            Ok(data) => open.cache.keep_pipeline(&open.key, took, &data),
            // A warning: the pipeline works without the data, they only make the next start faster.
            Err(result) => log::warn!("cache: vkGetPipelineCacheData: {result}"),
        }
    }
}
