//! The input assembler: the vertices of a draw, from its buffers (D3D11.3 functional specification,
//! 8).

use dxil_cpu::raster::{Assembled, assemble};
use dxil_cpu::{ElementPlace, Kernel, SystemValues};
use dxil_frontend::dxil::{ComponentType, SemanticKind, SignatureElement};

use crate::error::{Error, Result};
use crate::format::{ComponentValue, Format};
use crate::graphics::{Draw, DrawCall, GraphicsState};
use crate::job::Job;
use crate::resource::{ResourceId, Storage};

/// The vertices of a draw, as the first stage gets them.
pub(super) struct Fetch<'a> {
    inputs: &'a [SignatureElement],
    places: &'a [ElementPlace],
    state: &'a GraphicsState,
    job: &'a Job,
    draw: &'a Draw,
    /// Vertices of an instance (without indices that cut a strip), and instances.
    pub(super) count: [u32; 2],
    first: [u32; 2],
    /// Places of the vertices in their sequence, if indices cut it.
    kept: Option<Vec<u32>>,
}

impl<'a> Fetch<'a> {
    pub(super) fn new(
        (kernel, inputs): (&'a Kernel, &'a [SignatureElement]),
        state: &'a GraphicsState,
        job: &'a Job,
        draw: &'a Draw,
    ) -> Result<Fetch<'a>> {
        let DrawCall::Vertices {
            count,
            instances,
            first,
            first_instance,
        } = draw.call
        else {
            return Err(Error::Unsupported(
                "indirect draws of stages by themselves; whole draws may be indirect".into(),
            ));
        };
        let mut fetch = Fetch {
            inputs,
            places: kernel.inputs().1,
            state,
            job,
            draw,
            count: [count, instances],
            first: [first, first_instance],
            kept: None,
        };
        if state.strip_cut && draw.indices.is_some() {
            let kept: Vec<u32> = (0..count).filter(|place| !fetch.is_cut(*place)).collect();
            fetch.count[0] = kept.len() as u32;
            fetch.kept = Some(kept);
        }
        Ok(fetch)
    }

    /// Returns whether the index at a place cuts a strip: it is the greatest one (D3D11.3, 8.12).
    fn is_cut(&self, place: u32) -> bool {
        let cuts = self.draw.indices.filter(|_| self.state.strip_cut);
        cuts.is_some_and(|indices| {
            let greatest = if indices.wide { u32::MAX } else { 0xffff };
            self.index(place) == greatest
        })
    }

    /// Returns the primitives that the vertices of an instance form.
    pub(super) fn primitives(&self) -> Assembled {
        let topology = self.state.topology;
        let Some(kept) = &self.kept else {
            return assemble(topology, self.count[0], |_| false);
        };
        // Each cut is a place that is not kept.
        let mut all = assemble(topology, self.sequence(), |place| {
            kept.binary_search(&place).is_err()
        });
        for vertex in &mut all.vertices {
            *vertex = kept.binary_search(vertex).unwrap_or(0) as u32;
        }
        all
    }

    /// Returns the number of vertices of an instance, with cuts.
    fn sequence(&self) -> u32 {
        match self.draw.call {
            DrawCall::Vertices { count, .. } => count,
            DrawCall::Meshes(_) | DrawCall::Indirect(_) => self.count[0],
        }
    }

    /// Returns the number of vertices of all instances.
    pub(super) fn total(&self) -> u64 {
        u64::from(self.count[0]) * u64::from(self.count[1])
    }

    /// Returns the numbers with which the draw begins.
    pub(super) fn system_values(&self) -> SystemValues {
        let base_vertex = match &self.draw.indices {
            Some(indices) => indices.base_vertex as u32,
            None => self.first[0],
        };
        SystemValues {
            start_vertex: base_vertex,
            start_instance: self.first[1],
            ..SystemValues::default()
        }
    }

    /// Writes the inputs of a vertex, counted over all instances.
    pub(super) fn words(&self, number: u64, words: &mut [u32]) {
        let (place, instance) = self.split(number);
        let vertex = self.vertex(place);
        for element in self.inputs {
            let Some(first) = place_of(self.places, element.id) else {
                continue;
            };
            let first_row = element.start_row.unwrap_or(0);
            for row in 0..element.rows {
                let values = match element.semantic {
                    // The numbers count from 0 in every draw (D3D12 adds the first vertex and
                    // instance only to what is fetched); indices count as they are.
                    SemanticKind::VertexId if self.draw.indices.is_none() => [place; 4],
                    SemanticKind::VertexId => [self.index(place); 4],
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

    /// Returns the vertex at a place of the sequence.
    fn vertex(&self, place: u32) -> u32 {
        let base = self.draw.indices.map_or(0, |indices| indices.base_vertex);
        self.index(place).wrapping_add_signed(base)
    }

    /// Returns the index at a place of the sequence, or the vertex there if there are no indices.
    fn index(&self, place: u32) -> u32 {
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
        // An index after the end of its buffer is 0 (D3D11.3, 8.11).
        if let Some(index) = there.get(..width as usize) {
            word[..index.len()].copy_from_slice(index);
        }
        u32::from_le_bytes(word)
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
            // After the end of the buffer everything reads as 0.
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

    /// Returns the place in the sequence of an instance, and the instance.
    fn split(&self, number: u64) -> (u32, u32) {
        let count = u64::from(self.count[0].max(1));
        let (number, instance) = ((number % count) as u32, (number / count) as u32);
        let kept = self.kept.as_ref().and_then(|all| all.get(number as usize));
        (kept.copied().unwrap_or(number), instance)
    }
}

fn texel_bytes(format: Format) -> usize {
    format.block_bytes() as usize
}

pub(super) fn place_of(places: &[ElementPlace], id: u32) -> Option<usize> {
    let place = places.iter().find(|place| place.id == id)?;
    Some(place.first as usize)
}
