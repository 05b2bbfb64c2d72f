//! Queries of a draw: occlusion, statistics of the pipeline and of the stream output, timestamps.

use std::sync::Arc;

use ash::{ext, vk};

use super::conv::api;
use super::gpu::Gpu;
use super::memory::QueryPool;
use crate::error::{Error, Result};
use crate::graphics::{PipelineStatistics, Query, QueryResult, StreamStatistics};

/// The pools of a draw's queries.
pub(super) struct Queries {
    gpu: Arc<Gpu>,
    /// For queries of single streams.
    indexed: Option<ext::transform_feedback::Device>,
    pools: Vec<Pool>,
}

/// The pools of one query.
struct Pool {
    query: Query,
    raw: QueryPool,
    /// Counts the primitives of mesh shaders, which are not a statistic in Vulkan; only of mesh
    /// pipelines.
    primitives: Option<QueryPool>,
}

/// Pipeline statistics, in the order of their bits. Results arrive in that order (Vulkan
/// specification, "Queries", "Pipeline Statistics Queries").
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

/// Statistics of mesh pipelines: Vulkan counts no others there.
const MESH_STATISTICS: vk::QueryPipelineStatisticFlags = {
    use vk::QueryPipelineStatisticFlags as F;
    F::from_raw(
        F::FRAGMENT_SHADER_INVOCATIONS.as_raw()
            | F::TASK_SHADER_INVOCATIONS_EXT.as_raw()
            | F::MESH_SHADER_INVOCATIONS_EXT.as_raw(),
    )
};

impl Queries {
    /// Makes the pools.
    pub(super) fn new(gpu: &Arc<Gpu>, queries: &[Query], is_mesh: bool) -> Result<Self> {
        let able = &gpu.abilities;
        let mut pools = Vec::with_capacity(queries.len());
        let mut indexed = None;
        for (index, query) in queries.iter().enumerate() {
            // Only one query of a type may be active at a time
            // (VUID-vkCmdBeginQuery-queryPool-01922). Precise and binary occlusion are the same
            // type.
            let kind = kind_of(*query);
            let mut before = queries.iter().take(index);
            if kind.0 != vk::QueryType::TIMESTAMP && before.any(|other| kind_of(*other) == kind) {
                return Err(Error::BadJob(format!("two {query:?} queries in one draw")));
            }
            let lacks = match query {
                Query::PipelineStatistics => able.core.pipeline_statistics_query == vk::FALSE,
                Query::Occlusion => able.core.occlusion_query_precise == vk::FALSE,
                Query::Timestamps => gpu.timestamp_bits == 0,
                Query::BinaryOcclusion => false,
                Query::StreamOutput(_) => !able.stream_queries,
            };
            if lacks {
                return Err(Error::Unsupported(format!("{query:?} queries")));
            }
            if let Query::StreamOutput(stream) = query {
                // Four streams, as in D3D (`SV_StreamOutput` streams 0 to 3).
                if *stream > 3 {
                    return Err(Error::BadJob(format!("there is no stream {stream}")));
                }
                indexed.get_or_insert_with(|| {
                    ext::transform_feedback::Device::new(&gpu.instance.raw, &gpu.raw)
                });
            }
            let (flags, counts_meshes) = match query {
                Query::PipelineStatistics if is_mesh => (MESH_STATISTICS, true),
                Query::PipelineStatistics => (STATISTICS, false),
                _ => Default::default(),
            };
            if counts_meshes && !able.mesh_queries {
                return Err(Error::Unsupported(format!("{query:?} of mesh shaders")));
            }
            let primitives = if counts_meshes {
                Some(create(
                    gpu,
                    vk::QueryType::MESH_PRIMITIVES_GENERATED_EXT,
                    Default::default(),
                )?)
            } else {
                None
            };
            pools.push(Pool {
                query: *query,
                raw: create(gpu, kind.0, flags)?,
                primitives,
            });
        }
        Ok(Queries {
            gpu: Arc::clone(gpu),
            indexed,
            pools,
        })
    }

    /// Records the reset of all queries and the first timestamps, before the rendering begins.
    pub(super) fn reset(&self, commands: vk::CommandBuffer) {
        for pool in &self.pools {
            // Queries of a new pool are uninitialized until they are reset.
            for raw in pool.primitives.iter().chain([&pool.raw]) {
                // SAFETY: the pool has two queries, and the commands are outside of a rendering.
                unsafe { self.gpu.raw.cmd_reset_query_pool(commands, raw.raw, 0, 2) };
            }
            if pool.query == Query::Timestamps {
                self.stamp(commands, pool, 0);
            }
        }
    }

    /// Records the beginning, inside of the rendering.
    pub(super) fn begin(&self, commands: vk::CommandBuffer) {
        for pool in &self.pools {
            // Only a precise query counts samples; the other kinds may not ask for it
            // (VUID-vkCmdBeginQuery-queryType-00800).
            let flags = match pool.query {
                Query::Occlusion => vk::QueryControlFlags::PRECISE,
                Query::BinaryOcclusion | Query::PipelineStatistics | Query::StreamOutput(_) => {
                    vk::QueryControlFlags::empty()
                }
                Query::Timestamps => continue,
            };
            // SAFETY: the query was reset and no other of its kind is active.
            unsafe {
                match (pool.query, &self.indexed) {
                    (Query::StreamOutput(stream), Some(functions)) => {
                        let begin = functions.fp().cmd_begin_query_indexed_ext;
                        begin(commands, pool.raw.raw, 0, flags, stream);
                    }
                    _ => self
                        .gpu
                        .raw
                        .cmd_begin_query(commands, pool.raw.raw, 0, flags),
                }
                if let Some(primitives) = &pool.primitives {
                    self.gpu
                        .raw
                        .cmd_begin_query(commands, primitives.raw, 0, flags);
                }
            }
        }
    }

    /// Records the end, inside of the same rendering.
    pub(super) fn end(&self, commands: vk::CommandBuffer) {
        for pool in &self.pools {
            // SAFETY: the query was begun in this rendering.
            unsafe {
                match (pool.query, &self.indexed) {
                    (Query::Timestamps, _) => self.stamp(commands, pool, 1),
                    (Query::StreamOutput(stream), Some(functions)) => {
                        let end = functions.fp().cmd_end_query_indexed_ext;
                        end(commands, pool.raw.raw, 0, stream);
                    }
                    _ => self.gpu.raw.cmd_end_query(commands, pool.raw.raw, 0),
                }
                if let Some(primitives) = &pool.primitives {
                    self.gpu.raw.cmd_end_query(commands, primitives.raw, 0);
                }
            }
        }
    }

    fn stamp(&self, commands: vk::CommandBuffer, pool: &Pool, query: u32) {
        let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
        // SAFETY: the query was reset, and the queue has timestamps.
        unsafe {
            self.gpu
                .raw
                .cmd_write_timestamp(commands, stage, pool.raw.raw, query);
        }
    }

    /// Returns the results; the device must be done.
    pub(super) fn read(&self) -> Result<Vec<QueryResult>> {
        let gpu = &self.gpu;
        let result = |pool: &Pool| {
            let raw = &pool.raw;
            Ok(match pool.query {
                Query::Timestamps => {
                    let mut ticks = [0u64; 2];
                    fetch(gpu, raw, &mut ticks)?;
                    QueryResult::Timestamps(ticks)
                }
                Query::Occlusion => QueryResult::Occlusion(one::<1>(gpu, raw)?[0]),
                Query::BinaryOcclusion => QueryResult::BinaryOcclusion(one::<1>(gpu, raw)?[0] != 0),
                Query::StreamOutput(_) => {
                    let [written, needed] = one(gpu, raw)?;
                    QueryResult::StreamOutput(StreamStatistics { written, needed })
                }
                Query::PipelineStatistics => {
                    QueryResult::PipelineStatistics(match &pool.primitives {
                        None => statistics(one(gpu, raw)?),
                        Some(primitives) => {
                            let [pixel_invocations, task, mesh] = one(gpu, raw)?;
                            let [mesh_primitives] = one(gpu, primitives)?;
                            PipelineStatistics {
                                pixel_invocations,
                                amplification_invocations: task,
                                mesh_invocations: mesh,
                                mesh_primitives,
                                ..PipelineStatistics::default()
                            }
                        }
                    })
                }
            })
        };
        self.pools.iter().map(result).collect()
    }
}

fn create(
    gpu: &Arc<Gpu>,
    kind: vk::QueryType,
    statistics: vk::QueryPipelineStatisticFlags,
) -> Result<QueryPool> {
    let info = vk::QueryPoolCreateInfo::default()
        .query_type(kind)
        .query_count(2)
        .pipeline_statistics(statistics);
    // SAFETY: the device is alive and has the feature.
    let raw =
        unsafe { gpu.raw.create_query_pool(&info, None) }.map_err(api("vkCreateQueryPool"))?;
    Ok(QueryPool::own(gpu, raw))
}

/// Returns the counts of [`STATISTICS`] by name.
fn statistics(counts: [u64; 10]) -> PipelineStatistics {
    let [
        input_vertices,
        input_primitives,
        vertex_invocations,
        geometry_invocations,
        geometry_primitives,
        clipper_invocations,
        clipper_primitives,
        pixel_invocations,
        hull_patches,
        domain_invocations,
    ] = counts;
    PipelineStatistics {
        input_vertices,
        input_primitives,
        vertex_invocations,
        geometry_invocations,
        geometry_primitives,
        clipper_invocations,
        clipper_primitives,
        pixel_invocations,
        hull_patches,
        domain_invocations,
        ..PipelineStatistics::default()
    }
}

/// Returns the numbers of a pool's first query.
fn one<const N: usize>(gpu: &Gpu, pool: &QueryPool) -> Result<[u64; N]> {
    let mut counts = [[0; N]; 1];
    fetch(gpu, pool, &mut counts)?;
    Ok(counts[0])
}

/// Fetches the results of a pool's queries, each as large as `T`.
fn fetch<T>(gpu: &Gpu, pool: &QueryPool, results: &mut [T]) -> Result<()> {
    let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
    // SAFETY: as many queries ended, and each has as many numbers of 64 bits as `T`.
    unsafe { gpu.raw.get_query_pool_results(pool.raw, 0, results, flags) }
        .map_err(api("vkGetQueryPoolResults"))
}

/// Returns Vulkan's kind, and the stream.
fn kind_of(query: Query) -> (vk::QueryType, u32) {
    match query {
        Query::Occlusion | Query::BinaryOcclusion => (vk::QueryType::OCCLUSION, 0),
        Query::PipelineStatistics => (vk::QueryType::PIPELINE_STATISTICS, 0),
        Query::Timestamps => (vk::QueryType::TIMESTAMP, 0),
        Query::StreamOutput(stream) => (vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT, stream),
    }
}
