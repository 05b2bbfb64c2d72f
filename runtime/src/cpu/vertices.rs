//! A vertex shader by itself: runs it for each vertex and captures its outputs, as stream output
//! does (D3D11.3 functional specification, 14).

use std::collections::BTreeMap;

use dxil_cpu::{ElementPlace, Invocations, Kernel};
use dxil_frontend::dxil::{ComponentType, SemanticKind, Shader, ShaderKind};

use super::executable::VertexInterface;
use crate::error::{Error, Result};
use crate::format::{ComponentValue, Format};
use crate::graphics::{Draw, DrawCall, GraphicsState, Topology};
use crate::job::Job;
use crate::program::CompileOptions;
use crate::resource::{ResourceId, Storage};

impl VertexInterface {
    pub(super) fn new(shader: &Shader, options: &CompileOptions) -> Result<VertexInterface> {
        let entry = match &options.entry {
            Some(name) => shader.entry_point(name),
            None => {
                let mut entries = shader.entry_points.iter();
                entries.find(|entry| entry.kind == ShaderKind::Vertex)
            }
        };
        let entry = entry.ok_or_else(|| Error::BadJob("there is no vertex shader".into()))?;
        Ok(VertexInterface {
            inputs: entry.inputs.clone(),
            outputs: entry.outputs.clone(),
            streams: options.signature.stream_output.entries.clone(),
        })
    }
}

/// A draw whose vertices are only shaded.
pub(super) struct VertexRun<'a> {
    kernel: &'a Kernel,
    interface: &'a VertexInterface,
    state: &'a GraphicsState,
    job: &'a Job,
    draw: &'a Draw,
    /// Vertices of an instance, and instances.
    count: [u32; 2],
    first: [u32; 2],
    /// What each stream output buffer gets: bytes by their first place.
    captured: Vec<BTreeMap<u64, u32>>,
    /// Vertices that stream output writes: those of whole primitives.
    whole: u64,
}

impl<'a> VertexRun<'a> {
    pub(super) fn new(
        (kernel, interface): (&'a Kernel, &'a VertexInterface),
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
        let DrawCall::Vertices {
            count,
            instances,
            first,
            first_instance,
        } = draw.call
        else {
            return refuse("indirect draws and draws of meshes");
        };
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
        let whole = u64::from(count - count % vertices_of_a_primitive);
        Ok(VertexRun {
            kernel,
            interface,
            state,
            job,
            draw,
            count: [count, instances],
            first: [first, first_instance],
            captured: vec![BTreeMap::new(); draw.stream_targets.len()],
            whole,
        })
    }

    /// Returns the number of invocations.
    pub(super) fn invocations(&self) -> u64 {
        u64::from(self.count[0]) * u64::from(self.count[1])
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

    fn bytes(&self, id: ResourceId) -> &[u8] {
        match self
            .job
            .resources
            .get(id.0)
            .map(|resource| &resource.storage)
        {
            Some(Storage::Buffer(bytes)) => bytes,
            _ => &[],
        }
    }

    /// Returns the vertex that a place of the draw stands for.
    fn vertex(&self, place: u32) -> u32 {
        let place = self.first[0].wrapping_add(place);
        let Some(indices) = &self.draw.indices else {
            return place;
        };
        let width = if indices.wide { 4 } else { 2 };
        let at = indices.offset + u64::from(place) * width;
        let mut word = [0; 4];
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        let there = self
            .bytes(indices.resource)
            .get(start..)
            .unwrap_or_default();
        // An index behind the end of its buffer is 0 (D3D11.3, 8.11).
        if let Some(index) = there.get(..width as usize) {
            word[..index.len()].copy_from_slice(index);
        }
        u32::from_le_bytes(word).wrapping_add_signed(indices.base_vertex)
    }

    /// Returns the words of an attribute; components that the format lacks are 0, and alpha is 1
    /// (D3D11.3, 8.4).
    fn attribute(
        &self,
        row: u32,
        component: ComponentType,
        vertex: u32,
        instance: u32,
    ) -> [u32; 4] {
        let is_integer = matches!(
            component,
            ComponentType::I16 | ComponentType::U16 | ComponentType::I32 | ComponentType::U32
        );
        let one = if is_integer { 1 } else { 1_f32.to_bits() };
        let mut words = [0, 0, 0, one];
        let Some(attribute) = self.state.attributes.iter().find(|a| a.row == row) else {
            return [0; 4];
        };
        let slot = attribute.slot as usize;
        let (Some(buffer), Some(layout)) = (
            self.draw.vertex_buffers.get(slot),
            self.state.vertex_slots.get(slot),
        ) else {
            return [0; 4];
        };
        let number = if layout.per_instance {
            instance
        } else {
            vertex
        };
        let at = buffer.offset
            + u64::from(number) * u64::from(layout.stride)
            + u64::from(attribute.offset);
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        let texel = self.bytes(buffer.resource).get(start..).unwrap_or_default();
        if texel.len() < texel_bytes(attribute.format) {
            // Behind the end of the buffer everything reads as 0.
            return [0; 4];
        }
        for (word, value) in words.iter_mut().zip(attribute.format.decode(texel)) {
            *word = match value {
                ComponentValue::Float(value) => (value as f32).to_bits(),
                ComponentValue::Uint(value) => value as u32,
                ComponentValue::Sint(value) => value as u32,
            };
        }
        words
    }

    fn split(&self, number: u64) -> (u32, u32) {
        let count = u64::from(self.count[0].max(1));
        ((number % count) as u32, (number / count) as u32)
    }
}

fn texel_bytes(format: Format) -> usize {
    format.block_bytes() as usize
}

fn place_of(places: &[ElementPlace], id: u32) -> Option<usize> {
    let place = places.iter().find(|place| place.id == id)?;
    Some(place.first as usize)
}

impl Invocations for VertexRun<'_> {
    fn inputs(&mut self, number: u64, words: &mut [u32]) {
        let (place, instance) = self.split(number);
        let vertex = self.vertex(place);
        for element in &self.interface.inputs {
            let Some(first) = place_of(self.kernel.inputs().1, element.id) else {
                continue;
            };
            let first_row = element.start_row.unwrap_or(0);
            for row in 0..element.rows {
                let values = match element.semantic {
                    // The numbers count from 0 in every draw (D3D12 adds the first vertex and
                    // instance only to what is fetched); indices count as they are.
                    SemanticKind::VertexId if self.draw.indices.is_none() => [place; 4],
                    SemanticKind::VertexId => [vertex; 4],
                    SemanticKind::InstanceId => [instance; 4],
                    SemanticKind::StartVertexLocation => [self.first[0]; 4],
                    SemanticKind::StartInstanceLocation => [self.first[1]; 4],
                    SemanticKind::ViewId => [0; 4],
                    _ => {
                        let instance = self.first[1].wrapping_add(instance);
                        self.attribute(first_row + row, element.component, vertex, instance)
                    }
                };
                let start = first + 4 * row as usize;
                if let Some(words) = words.get_mut(start..start + 4) {
                    words.copy_from_slice(&values);
                }
            }
        }
    }

    fn outputs(&mut self, number: u64, words: &[u32]) {
        let (place, instance) = self.split(number);
        // Only whole primitives are written.
        if u64::from(place) >= self.whole {
            return;
        }
        let number = u64::from(instance) * self.whole + u64::from(place);
        for entry in &self.interface.streams {
            let found = self.interface.outputs.iter().find_map(|element| {
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
