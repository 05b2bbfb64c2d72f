//! The input assembler and the vertex shader.

use dxil_cpu::raster::{Assembled, Topology};

use super::super::executable::Executable;
use super::super::stages::runner::Runner;
use super::super::stages::vertices::{self, VertexSet};
use super::counts::Counts;
use super::primitives::PrimitiveSet;
use crate::error::Result;
use crate::graphics::{Draw, GraphicsState};
use crate::job::Job;

/// Vertices of a primitive that begins at one vertex of its sequence: lines of a strip with
/// adjacency have the most.
const MAX_VERTICES_PER_PRIMITIVE: u64 = 4;

/// The outputs of a vertex shader, and the primitives of each instance.
pub(super) struct Shaded {
    pub(super) set: VertexSet,
    assembled: Assembled,
}

/// Runs a vertex shader for the vertices of a draw.
pub(super) fn shaded(
    runner: &mut Runner<'_>,
    stage: &Executable,
    source: (&GraphicsState, &Job),
    draw: &Draw,
    counts: &mut Counts,
) -> Result<Shaded> {
    let fetch = vertices::fetch_of(runner, stage, source, draw)?;
    let words = u64::from(fetch.count[0]) * MAX_VERTICES_PER_PRIMITIVE;
    runner.check_memory("the primitives of a draw", words)?;
    let assembled = fetch.primitives();
    let set = vertices::shaded(runner, stage, fetch)?;
    let instances = u64::from(set.count[1]);
    let statistics = &mut counts.statistics;
    statistics.input_vertices += u64::from(set.count[0]) * instances;
    statistics.vertex_invocations += u64::from(set.count[0]) * instances;
    statistics.input_primitives += u64::from(assembled.count()) * instances;
    Ok(Shaded { set, assembled })
}

/// Returns the vertices primitive by primitive, for a stage that takes whole primitives.
pub(super) fn expanded(runner: &Runner<'_>, shaded: &Shaded) -> Result<VertexSet> {
    let Shaded { set, assembled } = shaded;
    let [count, instances] = set.count;
    let vertices = assembled.vertices.len() as u64 * u64::from(instances);
    let words = vertices.saturating_mul(set.width as u64);
    runner.check_memory("the primitives of a draw", words)?;
    let mut all = Vec::with_capacity(words as usize);
    for instance in 0..instances as usize {
        for vertex in &assembled.vertices {
            let number = instance * count as usize + *vertex as usize;
            all.extend_from_slice(set.get(number, 1));
        }
    }
    Ok(VertexSet {
        width: set.width,
        words: all,
        count: [assembled.vertices.len() as u32, instances],
    })
}

/// Returns the primitives as the rasterizer gets them from a vertex shader.
pub(super) fn drawn<'a>(
    runner: &Runner<'_>,
    producer: &'a Executable,
    shaded: Shaded,
    topology: Topology,
) -> Result<PrimitiveSet<'a>> {
    let Shaded { set, assembled } = shaded;
    let own = assembled.without_adjacency(topology);
    let [count, instances] = set.count;
    // An index of each vertex, and a number of each primitive.
    let words = (own.vertices.len() as u64 + u64::from(own.count())) * u64::from(instances);
    runner.check_memory("the primitives of a draw", words)?;
    let mut indices = Vec::with_capacity(own.vertices.len() * instances as usize);
    let mut ids = Vec::new();
    for instance in 0..instances {
        indices.extend(own.vertices.iter().map(|vertex| instance * count + vertex));
        ids.extend(0..own.count());
    }
    Ok(PrimitiveSet {
        producer,
        width: set.width,
        words: set.words,
        size: own.size as usize,
        indices,
        ids,
        constants: (0, Vec::new()),
    })
}
