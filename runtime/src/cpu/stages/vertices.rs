//! Vertices between stages.

use dxil_cpu::watch::Invocation;
use dxil_cpu::{Invocations, SystemValues};

use super::super::executable::Executable;
use super::super::fetch::Fetch;
use super::link::Link;
use super::runner::Runner;
use crate::error::Result;
use crate::graphics::{Draw, DrawCall, GraphicsState};
use crate::job::Job;

/// Vertices (or control points) of all instances, one after the other.
#[derive(Debug, Clone, Default)]
pub(in crate::cpu) struct VertexSet {
    /// Words of a vertex.
    pub(in crate::cpu) width: usize,
    pub(in crate::cpu) words: Vec<u32>,
    /// Vertices of an instance, and instances.
    pub(in crate::cpu) count: [u32; 2],
}

impl VertexSet {
    /// Returns the words of vertices that follow each other; fewer if the buffer ends before.
    pub(in crate::cpu) fn get(&self, first: usize, count: usize) -> &[u32] {
        let end = (first.saturating_add(count)).saturating_mul(self.width);
        let start = first.saturating_mul(self.width).min(self.words.len());
        &self.words[start..end.min(self.words.len()).max(start)]
    }

    /// Returns the number of whole primitives of that many vertices in an instance, and the words
    /// of one of them, by its number in all instances.
    pub(in crate::cpu) fn primitives(&self, vertices: u32) -> u32 {
        self.count[0].checked_div(vertices).unwrap_or(0)
    }

    /// Returns the words of a primitive, by its number in all instances.
    pub(in crate::cpu) fn primitive(&self, number: u64, vertices: u32) -> &[u32] {
        let each = u64::from(self.primitives(vertices).max(1));
        let (instance, place) = (number / each, number % each);
        let first = instance * u64::from(self.count[0]) + place * u64::from(vertices);
        self.get(
            usize::try_from(first).unwrap_or(usize::MAX),
            vertices as usize,
        )
    }
}

/// Returns the reader of the vertices of a draw, as inputs of a stage.
pub(in crate::cpu) fn fetch_of<'a>(
    runner: &Runner<'_>,
    stage: &'a Executable,
    (state, job): (&'a GraphicsState, &'a Job),
    draw: &'a Draw,
) -> Result<Fetch<'a>> {
    let inputs = match &stage.stage {
        Some(stage) => &stage.entry.inputs[..],
        None => &[],
    };
    if let (true, DrawCall::Vertices { count, .. }) = (state.strip_cut, draw.call) {
        runner.check_memory("the indices of a draw", count.into())?;
    }
    Fetch::new((&stage.kernel, inputs), state, job, draw)
}

/// Returns the vertices of a draw, as inputs of a stage.
pub(in crate::cpu) fn fetched(
    runner: &Runner<'_>,
    stage: &Executable,
    source: (&GraphicsState, &Job),
    draw: &Draw,
) -> Result<VertexSet> {
    let fetch = fetch_of(runner, stage, source, draw)?;
    let width = stage.kernel.inputs().0 as usize;
    runner.check_memory(
        "the vertices of a draw",
        fetch.total().saturating_mul(width as u64),
    )?;
    let mut words = vec![0; fetch.total() as usize * width];
    if width > 0 {
        for (number, vertex) in (0..).zip(words.chunks_exact_mut(width)) {
            fetch.words(number, vertex);
        }
    }
    let count = fetch.count;
    Ok(VertexSet {
        width,
        words,
        count,
    })
}

/// A vertex shader whose outputs are kept.
struct Shaded<'a> {
    fetch: Fetch<'a>,
    words: Vec<u32>,
}

impl Invocations for Shaded<'_> {
    fn inputs(&mut self, number: u64, words: &mut [u32]) {
        self.fetch.words(number, words);
    }

    fn system_values(&mut self, _number: u64) -> SystemValues {
        self.fetch.system_values()
    }

    fn invocation(&mut self, number: u64) -> Option<Invocation> {
        let each = u64::from(self.fetch.count[0].max(1));
        Some(Invocation::Vertex {
            vertex: (number % each) as u32,
            instance: (number / each) as u32,
        })
    }

    fn outputs(&mut self, _number: u64, words: &[u32]) {
        self.words.extend_from_slice(words);
    }
}

/// Runs a vertex shader for the vertices of a draw.
pub(in crate::cpu) fn shaded(
    runner: &mut Runner<'_>,
    stage: &Executable,
    fetch: Fetch<'_>,
) -> Result<VertexSet> {
    let (count, total) = (fetch.count, fetch.total());
    let width = stage.kernel.outputs().0 as usize;
    runner.check_memory("the vertices of a draw", total.saturating_mul(width as u64))?;
    let words = Vec::new();
    let mut shaded = Shaded { fetch, words };
    runner.run(stage, |dispatch, limits| {
        let done = dispatch.run_invocations(total, &mut shaded, limits)?;
        Ok(((), done))
    })?;
    let words = shaded.words;
    Ok(VertexSet {
        width,
        words,
        count,
    })
}

/// Returns vertices as inputs of a stage. Those of a draw are so already if it is the first stage.
pub(in crate::cpu) fn linked(from: &Executable, to: &Executable, set: &VertexSet) -> VertexSet {
    let (Some(first), Some(second)) = (&from.stage, &to.stage) else {
        return set.clone();
    };
    if std::ptr::eq(from, to) {
        return set.clone();
    }
    let link = Link::new(
        (&first.entry.outputs, from.kernel.outputs().1),
        (&second.entry.inputs, to.kernel.inputs().1),
    );
    let width = to.kernel.inputs().0 as usize;
    let total = set.words.len().checked_div(set.width).unwrap_or(0);
    let mut words = vec![0; total * width];
    if width > 0 {
        let vertices = set.words.chunks_exact(set.width);
        for (from, to) in vertices.zip(words.chunks_exact_mut(width)) {
            link.copy(from, to);
        }
    }
    let count = set.count;
    VertexSet {
        width,
        words,
        count,
    }
}
