//! A vertex shader by itself: runs it for each vertex and captures its outputs, as stream output
//! does (D3D11.3 functional specification, 14).

use std::collections::BTreeMap;

use dxil_cpu::{Invocations, Kernel, SystemValues};

use super::executable::StageInterface;
use super::fetch::{Fetch, place_of};
use crate::error::{Error, Result};
use crate::graphics::{Draw, DrawCall, GraphicsState, Topology};
use crate::job::Job;

/// A draw whose vertices are only shaded.
pub(super) struct VertexRun<'a> {
    fetch: Fetch<'a>,
    kernel: &'a Kernel,
    interface: &'a StageInterface,
    draw: &'a Draw,
    /// The contents of each stream output buffer: words by their first byte.
    captured: Vec<BTreeMap<u64, u32>>,
    /// Vertices that stream output writes: those of whole primitives.
    whole: u64,
}

impl<'a> VertexRun<'a> {
    pub(super) fn new(
        (kernel, interface): (&'a Kernel, &'a StageInterface),
        state: &'a GraphicsState,
        job: &'a Job,
        draw: &'a Draw,
    ) -> Result<VertexRun<'a>> {
        let refuse = |what: &str| {
            Err(Error::Unsupported(format!(
                "{what} on the CPU backend, which runs a vertex shader by itself; the Vulkan \
                 backend has them"
            )))
        };
        if !matches!(draw.call, DrawCall::Vertices { .. }) {
            return refuse("indirect draws and draws of meshes");
        }
        if !draw.targets.is_empty() || draw.depth.is_some() {
            return refuse("render targets");
        }
        if !draw.queries.is_empty() {
            return refuse("queries of draws");
        }
        let vertices_of_a_primitive = match state.topology {
            Topology::PointList => 1,
            Topology::LineList => 2,
            Topology::TriangleList => 3,
            _ => return refuse("stream output of strips and patches"),
        };
        let fetch = Fetch::new((kernel, &interface.entry.inputs), state, job, draw)?;
        let count = fetch.count[0];
        Ok(VertexRun {
            fetch,
            kernel,
            interface,
            draw,
            captured: vec![BTreeMap::new(); draw.stream_targets.len()],
            whole: u64::from(count - count % vertices_of_a_primitive),
        })
    }

    /// Returns the number of invocations.
    pub(super) fn invocations(&self) -> u64 {
        self.fetch.total()
    }

    /// Puts what was captured into the contents of the job's resources.
    pub(super) fn finish(&self, resources: &mut [Option<Vec<u8>>]) {
        for (target, captured) in self.draw.stream_targets.iter().zip(&self.captured) {
            let Some(Some(bytes)) = resources.get_mut(target.resource.0) else {
                continue;
            };
            for (&at, word) in captured {
                let start = usize::try_from(target.offset.saturating_add(at)).unwrap_or(usize::MAX);
                // What does not fit is left out (D3D11.3, 14.4).
                if let Some(place) = bytes.get_mut(start..).and_then(<[u8]>::first_chunk_mut) {
                    *place = word.to_le_bytes();
                }
            }
        }
    }
}

impl Invocations for VertexRun<'_> {
    fn inputs(&mut self, number: u64, words: &mut [u32]) {
        self.fetch.words(number, words);
    }

    fn system_values(&mut self, _number: u64) -> SystemValues {
        self.fetch.system_values()
    }

    fn outputs(&mut self, number: u64, words: &[u32]) {
        let (place, instance) = self.fetch.split(number);
        // Only whole primitives are written.
        if u64::from(place) >= self.whole {
            return;
        }
        let number = u64::from(instance) * self.whole + u64::from(place);
        for entry in &self.interface.streams {
            let found = self.interface.entry.outputs.iter().find_map(|element| {
                if !element.name.eq_ignore_ascii_case(&entry.semantic) {
                    return None;
                }
                let mut indices = element.semantic_indices.iter();
                let row = indices.position(|index| *index == entry.index)?;
                Some((element, row))
            });
            let Some((element, row)) = found else {
                continue;
            };
            let Some(first) = place_of(self.kernel.outputs().1, element.id) else {
                continue;
            };
            let left = element.columns.saturating_sub(entry.first_component);
            let components = match entry.components {
                0 => left,
                count => count.min(left),
            };
            let start = first + 4 * row + entry.first_component as usize;
            let values = words.get(start..start + components as usize);
            let Some(captured) = self.captured.get_mut(entry.buffer as usize) else {
                continue;
            };
            let at = number * u64::from(entry.stride) + u64::from(entry.offset);
            for (index, word) in (0..).zip(values.unwrap_or_default()) {
                captured.insert(at + 4 * index, *word);
            }
        }
    }
}
