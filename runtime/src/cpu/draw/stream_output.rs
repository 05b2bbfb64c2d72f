//! Stream output: vertices of whole primitives in buffers (D3D11.3 functional specification, 14).

use dxil_cpu::resources::Storage;

use super::super::executable::Executable;
use super::super::fetch::place_of;
use crate::graphics::{Draw, StreamStatistics};

/// Components of an output that are captured.
struct Entry {
    stream: u32,
    /// First word in the vertex, and their number.
    first: usize,
    count: usize,
    buffer: usize,
    /// First byte in the captured vertex.
    offset: u64,
}

/// A buffer that vertices are written to.
struct Buffer<'a> {
    storage: &'a Storage,
    /// The next vertex.
    next: u64,
    stride: u64,
}

/// The stream output of a draw.
pub(super) struct Capture<'a> {
    entries: Vec<Entry>,
    buffers: Vec<Buffer<'a>>,
    vertex_words: usize,
    /// Counts of each stream.
    pub(super) statistics: [StreamStatistics; 4],
}

impl<'a> Capture<'a> {
    /// Returns the stream output of a stage; `None` if there is none.
    pub(super) fn new(
        stage: &Executable,
        draw: &Draw,
        storages: &'a [Storage],
    ) -> Option<Capture<'a>> {
        let interface = stage.stage.as_ref()?;
        let (width, places) = stage.kernel.outputs();
        let mut strides = vec![0; draw.stream_targets.len()];
        let mut entries = Vec::new();
        for entry in &interface.streams {
            if let Some(stride) = strides.get_mut(entry.buffer as usize) {
                *stride = u64::from(entry.stride);
            }
            let found = interface.entry.outputs.iter().find_map(|element| {
                let is_it = element.stream == entry.stream
                    && element.name.eq_ignore_ascii_case(&entry.semantic);
                let mut indices = element.semantic_indices.iter().filter(|_| is_it);
                let row = indices.position(|index| *index == entry.index)?;
                Some((element, place_of(places, element.id)? + 4 * row))
            });
            let Some((element, first)) = found else {
                continue;
            };
            let left = element.columns.saturating_sub(entry.first_component);
            let count = match entry.components {
                0 => left,
                count => count.min(left),
            };
            entries.push(Entry {
                stream: entry.stream,
                first: first + entry.first_component as usize,
                count: count as usize,
                buffer: entry.buffer as usize,
                offset: u64::from(entry.offset),
            });
        }
        let buffers = draw.stream_targets.iter().zip(strides);
        let buffers = buffers.filter_map(|(target, stride)| {
            Some(Buffer {
                storage: storages.get(target.resource.0)?,
                next: target.offset,
                stride,
            })
        });
        (!interface.streams.is_empty()).then(|| Capture {
            entries,
            buffers: buffers.collect(),
            vertex_words: width as usize,
            statistics: [StreamStatistics::default(); 4],
        })
    }

    /// Adds the primitives of a stream, `size` vertices each.
    pub(super) fn add(&mut self, stream: u32, words: &[u32], size: usize) {
        let primitive_words = (self.vertex_words * size).max(1);
        let used: Vec<usize> = {
            let own = self.entries.iter().filter(|entry| entry.stream == stream);
            let mut used: Vec<usize> = own.map(|entry| entry.buffer).collect();
            used.sort_unstable();
            used.dedup();
            used
        };
        for primitive in words.chunks_exact(primitive_words) {
            let Some(counts) = self.statistics.get_mut(stream as usize) else {
                return;
            };
            counts.needed += 1;
            // A primitive that does not fit into each of its buffers goes to none of them (14.4).
            let fits = used.iter().all(|&at| {
                self.buffers.get(at).is_some_and(|buffer| {
                    let end = buffer.next.saturating_add(buffer.stride * size as u64);
                    end <= buffer.storage.len() as u64
                })
            });
            if used.is_empty() || !fits {
                continue;
            }
            counts.written += 1;
            for vertex in primitive.chunks_exact(self.vertex_words.max(1)) {
                for entry in self.entries.iter().filter(|entry| entry.stream == stream) {
                    let Some(buffer) = self.buffers.get(entry.buffer) else {
                        continue;
                    };
                    let values = vertex.get(entry.first..entry.first + entry.count);
                    let first = buffer.next + entry.offset;
                    for (at, word) in (first..).step_by(4).zip(values.unwrap_or_default()) {
                        buffer.storage.store_word(at as usize, *word);
                    }
                }
                for &at in &used {
                    if let Some(buffer) = self.buffers.get_mut(at) {
                        buffer.next += buffer.stride;
                    }
                }
            }
        }
    }
}
