//! The driver's own data for one pipeline, where the adapter gives them
//! (`Features::PIPELINE_CACHE`).

use std::sync::Arc;
use std::time::Instant;

use super::gpu::Gpu;
use crate::cache::pipeline_key::pipeline_key;
use crate::cache::{Cache, Key};
use crate::program::Program;

/// Returns the hash of what the driver's data depends on. wgpu and the driver look for themselves
/// whether the data fit.
pub(super) fn identity(info: &wgpu::AdapterInfo, passthrough: bool) -> [u8; 32] {
    let name = (
        &info.name,
        info.vendor,
        info.device,
        &info.driver,
        &info.driver_info,
    );
    let text = format!("wgpu {name:?} {:?} {passthrough}", info.backend);
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// The store from which the driver reads and to which it writes data while a pipeline is created.
pub(super) struct PipelineCache(Option<OpenCache>);

struct OpenCache {
    cache: Arc<Cache>,
    raw: wgpu::PipelineCache,
    key: Key,
    /// Time that it took without data; `None` if this is the first time.
    first: Option<u64>,
    begin: Instant,
}

impl PipelineCache {
    /// Looks for the data of a program's pipeline.
    #[allow(unsafe_code, reason = "the data of a pipeline; see the SAFETY note")]
    pub(super) fn open(gpu: &Gpu, program: &Program) -> Self {
        let there = gpu.has(wgpu::Features::PIPELINE_CACHE);
        let Some(cache) = gpu.cache.as_ref().filter(|_| there) else {
            return PipelineCache(None);
        };
        let begin = Instant::now();
        let key = pipeline_key(&gpu.identity, program);
        let (first, data) = match cache.pipeline(&key) {
            Some((first, data)) => (Some(first), Some(data)),
            None => (None, None),
        };
        let descriptor = wgpu::PipelineCacheDescriptor {
            label: None,
            data: data.as_deref(),
            // Data that do not fit the driver any more are ignored instead of failing the creation.
            fallback: true,
        };
        // SAFETY: the data are what `get_data` gave on this adapter (their checksum says so), or
        // none.
        let raw = unsafe { gpu.device.create_pipeline_cache(&descriptor) };
        PipelineCache(Some(OpenCache {
            cache: Arc::clone(cache),
            raw,
            key,
            first,
            begin,
        }))
    }

    /// Returns the cache for a pipeline's descriptor.
    pub(super) fn raw(&self) -> Option<&wgpu::PipelineCache> {
        self.0.as_ref().map(|open| &open.raw)
    }

    /// Keeps the driver's data after the pipeline was created, if they were not in the cache.
    pub(super) fn keep(self) {
        let Some(open) = self.0 else {
            return;
        };
        let took = open.begin.elapsed();
        match open.first {
            Some(first) => open.cache.pipeline_found(first, took),
            None => {
                if let Some(data) = open.raw.get_data() {
                    open.cache.keep_pipeline(&open.key, took, &data);
                }
            }
        }
    }
}
