//! Primitives between the last stage of vertices and the rasterizer.

use dxil_frontend::dxil::{OutputTopology, Stage};

use super::super::executable::Executable;
use super::super::stages::geometry::{self, InputPrimitives};
use super::super::stages::runner::Runner;
use super::super::stages::vertices::{self, VertexSet};
use super::counts::Counts;
use crate::error::Result;

/// Points, lines or triangles.
pub(super) struct PrimitiveSet<'a> {
    /// The stage that made them.
    pub(super) producer: &'a Executable,
    /// Words of a vertex, and of all vertices.
    pub(super) width: usize,
    pub(super) words: Vec<u32>,
    /// Vertices of a primitive: 1, 2 or 3. More are patches, of which nothing is drawn.
    pub(super) size: usize,
    /// Vertices of all primitives.
    pub(super) indices: Vec<u32>,
    /// The number of each primitive: `SV_PrimitiveID`.
    pub(super) ids: Vec<u32>,
    /// Words of a primitive, and of all primitives, of a mesh shader.
    pub(super) constants: (usize, Vec<u32>),
}

impl PrimitiveSet<'_> {
    /// Returns the number of primitives.
    pub(super) fn count(&self) -> usize {
        self.indices.len().checked_div(self.size).unwrap_or(0)
    }

    /// Returns the vertices of a primitive; of points and lines the first one stands for those that
    /// it does not have.
    pub(super) fn vertices(&self, number: usize) -> [u32; 3] {
        let own = self.indices.get(number * self.size..).unwrap_or_default();
        let own = &own[..self.size.min(own.len())];
        let first = own.first().copied().unwrap_or(0);
        [0, 1, 2].map(|at| own.get(at).copied().unwrap_or(first))
    }

    /// Returns the word of a vertex; 0 if there is none.
    pub(super) fn word(&self, vertex: u32, at: usize) -> u32 {
        let word = self.words.get(vertex as usize * self.width + at);
        word.copied().unwrap_or(0)
    }

    /// Returns the word of a primitive itself.
    pub(super) fn constant(&self, number: usize, at: usize) -> u32 {
        let (width, words) = &self.constants;
        words.get(number * width + at).copied().unwrap_or(0)
    }

    /// Returns the vertices primitive by primitive, for a stage that takes whole primitives.
    pub(super) fn expanded(&self) -> VertexSet {
        VertexSet {
            width: self.width,
            words: self.listed(),
            count: [self.indices.len() as u32, 1],
        }
    }

    /// Returns the words of the vertices, primitive by primitive.
    pub(super) fn listed(&self) -> Vec<u32> {
        let vertices = self.indices.iter();
        let words = vertices.flat_map(|&vertex| {
            let first = vertex as usize * self.width;
            self.words
                .get(first..first + self.width)
                .unwrap_or_default()
        });
        words.copied().collect()
    }
}

/// The streams of a geometry shader.
pub(super) struct Streams<'a> {
    producer: &'a Executable,
    /// Vertices of a primitive.
    pub(super) size: usize,
    /// Words of the vertices of each stream.
    pub(super) words: [Vec<u32>; 4],
}

impl<'a> Streams<'a> {
    /// Returns the primitives of a stream for the rasterizer.
    pub(super) fn rasterized(mut self, stream: u32) -> PrimitiveSet<'a> {
        let words = self.words.get_mut(stream as usize);
        let words = words.map(std::mem::take).unwrap_or_default();
        let width = self.producer.kernel.outputs().0 as usize;
        let vertices = words.len().checked_div(width).unwrap_or(0) as u32;
        PrimitiveSet {
            producer: self.producer,
            width,
            words,
            size: self.size,
            indices: (0..vertices).collect(),
            ids: (0..vertices / self.size as u32).collect(),
            constants: (0, Vec::new()),
        }
    }
}

/// Runs a geometry shader for primitives of another stage. `ids` are their numbers, if they do not
/// count from 0 in each instance.
pub(super) fn emitted<'a>(
    runner: &mut Runner<'_>,
    (from, stage): (&Executable, &'a Executable),
    (set, ids): (&VertexSet, Option<&[u32]>),
    counts: &mut Counts,
) -> Result<Streams<'a>> {
    let size = match stage.stage.as_ref().map(|stage| &stage.entry.stage) {
        Some(Stage::Geometry { topology, .. }) => match topology {
            OutputTopology::PointList | OutputTopology::Undefined => 1,
            OutputTopology::LineList | OutputTopology::LineStrip => 2,
            OutputTopology::TriangleList | OutputTopology::TriangleStrip => 3,
        },
        _ => 1,
    };
    let linked = vertices::linked(from, stage, set);
    let mut streams = Streams {
        producer: stage,
        size,
        words: <[Vec<u32>; 4]>::default(),
    };
    let given = InputPrimitives { set: &linked, ids };
    let words = &mut streams.words;
    let invocations = geometry::run_for(runner, stage, given, &mut |stream, vertex| {
        if let Some(words) = words.get_mut(stream as usize) {
            words.extend_from_slice(vertex);
        }
    })?;
    let all: usize = streams.words.iter().map(Vec::len).sum();
    runner.check_memory("the primitives of a geometry shader", all as u64)?;
    let primitive_words = (stage.kernel.outputs().0 as usize * size).max(1);
    counts.statistics.geometry_invocations += invocations;
    counts.statistics.geometry_primitives += (all / primitive_words) as u64;
    Ok(streams)
}
