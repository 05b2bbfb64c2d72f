//! Where the outputs that the rasterizer reads lie among the words of a vertex or primitive.

use dxil_cpu::ElementPlace;
use dxil_cpu::raster::CLIP_DISTANCES;
use dxil_frontend::dxil::{SemanticKind, SignatureElement};

use super::super::executable::Executable;
use super::super::fetch::place_of;
use super::primitives::PrimitiveSet;

/// A word of a vertex, or of a primitive itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordPlace {
    Vertex(usize),
    Primitive(usize),
}

/// The system values among the outputs of the stage that feeds the rasterizer.
#[derive(Debug, Clone, Default)]
pub(super) struct VertexLayout {
    position: Option<usize>,
    /// Components of `SV_ClipDistance` and of `SV_CullDistance`.
    clip: Vec<usize>,
    cull: Vec<usize>,
    layer: Option<WordPlace>,
    viewport: Option<WordPlace>,
    /// `SV_CullPrimitive`.
    is_culled: Option<WordPlace>,
}

/// Returns the words of an element's components, row by row.
fn components<'a>(
    elements: &'a [SignatureElement],
    places: &'a [ElementPlace],
    semantic: SemanticKind,
) -> impl Iterator<Item = usize> + 'a {
    let own = elements.iter().filter(move |e| e.semantic == semantic);
    own.flat_map(move |element| {
        let first = place_of(places, element.id);
        let rows = 0..element.rows as usize;
        let columns = element.columns as usize;
        rows.flat_map(move |row| (0..columns).filter_map(move |c| Some(first? + 4 * row + c)))
    })
}

impl VertexLayout {
    pub(super) fn new(producer: &Executable) -> VertexLayout {
        let Some(interface) = &producer.stage else {
            return VertexLayout::default();
        };
        let entry = &interface.entry;
        let (places, constants) = (
            producer.kernel.outputs().1,
            producer.kernel.patch_constants().1,
        );
        let of_vertex = |semantic| components(&entry.outputs, places, semantic);
        let first = |semantic| {
            let own = of_vertex(semantic).next().map(WordPlace::Vertex);
            let of_primitive = components(&entry.patch_constants, constants, semantic).next();
            own.or(of_primitive.map(WordPlace::Primitive))
        };
        VertexLayout {
            position: of_vertex(SemanticKind::Position).next(),
            clip: of_vertex(SemanticKind::ClipDistance)
                .take(CLIP_DISTANCES)
                .collect(),
            cull: of_vertex(SemanticKind::CullDistance)
                .take(CLIP_DISTANCES)
                .collect(),
            layer: first(SemanticKind::RenderTargetArrayIndex),
            viewport: first(SemanticKind::ViewPortArrayIndex),
            is_culled: first(SemanticKind::CullPrimitive),
        }
    }

    /// Returns the position of a vertex, or nothing if no stage writes one.
    pub(super) fn position(&self, set: &PrimitiveSet<'_>, vertex: u32) -> Option<[f32; 4]> {
        let first = self.position?;
        Some([0, 1, 2, 3].map(|part| f32::from_bits(set.word(vertex, first + part))))
    }

    /// Returns clip or cull distances: for each component those of the three vertices.
    pub(super) fn clip_distances(&self, set: &PrimitiveSet<'_>, own: [u32; 3]) -> Vec<[f32; 3]> {
        distances(&self.clip, set, own)
    }

    /// Returns the cull distances.
    pub(super) fn cull_distances(&self, set: &PrimitiveSet<'_>, own: [u32; 3]) -> Vec<[f32; 3]> {
        distances(&self.cull, set, own)
    }

    /// Returns layer and viewport of a primitive with that leading vertex.
    pub(super) fn target(&self, set: &PrimitiveSet<'_>, number: usize, vertex: u32) -> [u32; 2] {
        [self.layer, self.viewport].map(|place| word_at(place, set, number, vertex))
    }

    /// Returns whether the mesh shader culls a primitive.
    pub(super) fn is_culled(&self, set: &PrimitiveSet<'_>, number: usize, vertex: u32) -> bool {
        word_at(self.is_culled, set, number, vertex) != 0
    }
}

fn distances(places: &[usize], set: &PrimitiveSet<'_>, own: [u32; 3]) -> Vec<[f32; 3]> {
    let component = |place: &usize| own.map(|vertex| f32::from_bits(set.word(vertex, *place)));
    places.iter().map(component).collect()
}

fn word_at(place: Option<WordPlace>, set: &PrimitiveSet<'_>, number: usize, vertex: u32) -> u32 {
    match place {
        Some(WordPlace::Vertex(at)) => set.word(vertex, at),
        Some(WordPlace::Primitive(at)) => set.constant(number, at),
        None => 0,
    }
}
