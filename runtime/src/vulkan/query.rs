//! Queries of a draw: occlusion, pipeline statistics, timestamps.

use std::sync::Arc;

use ash::vk;

use super::conv::api;
use super::device::Gpu;
use super::memory::QueryPool;
use crate::error::{Error, Result};
use crate::graphics::{PipelineStatistics, Query, QueryResult};

/// The pools of a draw's queries, one each.
pub(super) struct Queries {
    gpu: Arc<Gpu>,
    pools: Vec<(Query, QueryPool)>,
}

/// In the order of their bits, which is the order of the results.
const STATISTICS: vk::QueryPipelineStatisticFlags = {
    use vk::QueryPipelineStatisticFlags as F;
    F::from_raw(
        F::INPUT_ASSEMBLY_VERTICES.as_raw()
            | F::INPUT_ASSEMBLY_PRIMITIVES.as_raw()
            | F::VERTEX_SHADER_INVOCATIONS.as_raw()
            | F::GEOMETRY_SHADER_INVOCATIONS.as_raw()
            | F::GEOMETRY_SHADER_PRIMITIVES.as_raw()
            | F::CLIPPING_INVOCATIONS.as_raw()
            | F::CLIPPING_PRIMITIVES.as_raw()
            | F::FRAGMENT_SHADER_INVOCATIONS.as_raw()
            | F::TESSELLATION_CONTROL_SHADER_PATCHES.as_raw()
            | F::TESSELLATION_EVALUATION_SHADER_INVOCATIONS.as_raw(),
    )
};

impl Queries {
    /// Makes the pools.
    pub(super) fn new(gpu: &Arc<Gpu>, queries: &[Query]) -> Result<Self> {
        let mut pools = Vec::with_capacity(queries.len());
        for (index, query) in queries.iter().enumerate() {
            // Only one query of a kind may be active at a time.
            let kind = kind_of(*query);
            let mut before = queries.iter().take(index);
            if kind != vk::QueryType::TIMESTAMP && before.any(|other| kind_of(*other) == kind) {
                return Err(Error::BadJob(format!("two {query:?} queries in one draw")));
            }
            let lacks = match query {
                Query::PipelineStatistics => {
                    gpu.abilities.core.pipeline_statistics_query == vk::FALSE
                }
                Query::Occlusion => gpu.abilities.core.occlusion_query_precise == vk::FALSE,
                Query::Timestamps => gpu.timestamp_bits == 0,
                Query::BinaryOcclusion => false,
            };
            if lacks {
                return Err(Error::Unsupported(format!("{query:?} queries")));
            }
            let mut info = vk::QueryPoolCreateInfo::default()
                .query_type(kind)
                .query_count(2);
            if kind == vk::QueryType::PIPELINE_STATISTICS {
                info = info.pipeline_statistics(STATISTICS);
            }
            // SAFETY: the device is alive and has the feature.
            let raw = unsafe { gpu.raw.create_query_pool(&info, None) }
                .map_err(api("vkCreateQueryPool"))?;
            pools.push((*query, QueryPool::own(gpu, raw)));
        }
        Ok(Queries {
            gpu: Arc::clone(gpu),
            pools,
        })
    }

    /// Records the reset of all queries and the first timestamps, before the rendering begins.
    pub(super) fn reset(&self, commands: vk::CommandBuffer) {
        for (query, pool) in &self.pools {
            // SAFETY: the pool has two queries, and the commands are outside of a rendering.
            unsafe {
                self.gpu.raw.cmd_reset_query_pool(commands, pool.raw, 0, 2);
            }
            if *query == Query::Timestamps {
                self.stamp(commands, pool, 0);
            }
        }
    }

    /// Records the beginning, inside of the rendering.
    pub(super) fn begin(&self, commands: vk::CommandBuffer) {
        for (query, pool) in &self.pools {
            let flags = match query {
                Query::Occlusion => vk::QueryControlFlags::PRECISE,
                Query::BinaryOcclusion | Query::PipelineStatistics => {
                    vk::QueryControlFlags::empty()
                }
                Query::Timestamps => continue,
            };
            // SAFETY: the query was reset and no other of its kind is active.
            unsafe { self.gpu.raw.cmd_begin_query(commands, pool.raw, 0, flags) };
        }
    }

    /// Records the end, inside of the same rendering.
    pub(super) fn end(&self, commands: vk::CommandBuffer) {
        for (query, pool) in &self.pools {
            if *query == Query::Timestamps {
                self.stamp(commands, pool, 1);
            } else {
                // SAFETY: the query was begun in this rendering.
                unsafe { self.gpu.raw.cmd_end_query(commands, pool.raw, 0) };
            }
        }
    }

    fn stamp(&self, commands: vk::CommandBuffer, pool: &QueryPool, query: u32) {
        let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
        // SAFETY: the query was reset, and the queue has timestamps.
        unsafe {
            self.gpu
                .raw
                .cmd_write_timestamp(commands, stage, pool.raw, query);
        }
    }

    /// The results; the device must be done.
    pub(super) fn read(&self) -> Result<Vec<QueryResult>> {
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        let mut results = Vec::with_capacity(self.pools.len());
        for (query, pool) in &self.pools {
            results.push(match query {
                Query::Timestamps => {
                    let mut ticks = [0u64; 2];
                    // SAFETY: both timestamps were written.
                    unsafe {
                        self.gpu
                            .raw
                            .get_query_pool_results(pool.raw, 0, &mut ticks, flags)
                    }
                    .map_err(api("vkGetQueryPoolResults"))?;
                    QueryResult::Timestamps(ticks)
                }
                Query::Occlusion | Query::BinaryOcclusion => {
                    let mut samples = [0u64; 1];
                    // SAFETY: the query ended.
                    unsafe {
                        self.gpu
                            .raw
                            .get_query_pool_results(pool.raw, 0, &mut samples, flags)
                    }
                    .map_err(api("vkGetQueryPoolResults"))?;
                    match query {
                        Query::Occlusion => QueryResult::Occlusion(samples[0]),
                        _ => QueryResult::BinaryOcclusion(samples[0] != 0),
                    }
                }
                Query::PipelineStatistics => {
                    let mut counts = [[0u64; 10]; 1];
                    // SAFETY: the query ended and has ten counts of 64 bits.
                    unsafe {
                        self.gpu
                            .raw
                            .get_query_pool_results(pool.raw, 0, &mut counts, flags)
                    }
                    .map_err(api("vkGetQueryPoolResults"))?;
                    let [c] = counts;
                    QueryResult::PipelineStatistics(PipelineStatistics {
                        input_vertices: c[0],
                        input_primitives: c[1],
                        vertex_invocations: c[2],
                        geometry_invocations: c[3],
                        geometry_primitives: c[4],
                        clipper_invocations: c[5],
                        clipper_primitives: c[6],
                        pixel_invocations: c[7],
                        hull_patches: c[8],
                        domain_invocations: c[9],
                    })
                }
            });
        }
        Ok(results)
    }
}

fn kind_of(query: Query) -> vk::QueryType {
    match query {
        Query::Occlusion | Query::BinaryOcclusion => vk::QueryType::OCCLUSION,
        Query::PipelineStatistics => vk::QueryType::PIPELINE_STATISTICS,
        Query::Timestamps => vk::QueryType::TIMESTAMP,
    }
}
