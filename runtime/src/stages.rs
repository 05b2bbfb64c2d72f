//! Stages of a draw by themselves: without a rasterizer and without a tessellator, with tables of
//! what they give. The CPU backend runs them.
//!
//! | shaders | take | tables |
//! |---|---|---|
//! | vertex, then hull, geometry, or hull and domain | vertices, as a draw has them | those of the stages after the vertex shader |
//! | hull, domain or geometry | vertices, as if a vertex shader handed on its inputs | those of the stages |
//! | mesh, or amplification and mesh | groups | those of the stages |
//! | pixel | vertices of a triangle, or the inputs of each pixel | [`StageOutput::Pixels`] |

use dxil_frontend::dxil::{
    ComponentType, DomainShape, Element, ElementScalar, EntryPoint, MeshTopology, ShaderKind,
    SignatureElement, Stage,
};

use crate::graphics::Draw;
use crate::resource::ResourceId;

/// Bytes of a number in a table.
pub const WORD: u32 = 4;

/// Stages that run by themselves, with what they take.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StageRun {
    /// Vertices (or groups of mesh shaders) and where they come from; the rest of it is not looked
    /// at.
    pub draw: Draw,
    /// The pixels of a pixel shader.
    pub pixels: PixelGrid,
    /// Payload of a mesh shader without an amplification shader. Bytes that it lacks are zero.
    pub payload: Vec<u8>,
    /// Patch constants of a domain shader without a hull shader, for each patch four words per row.
    /// Words that it lacks are zero.
    pub patch_constants: Vec<u32>,
    /// The locations in each patch at which a domain shader runs: `SV_DomainLocation`.
    pub locations: Vec<[f32; 3]>,
    /// The buffers that receive the tables, which replace their contents.
    pub tables: Vec<(StageOutput, ResourceId)>,
}

/// The pixels that a pixel shader runs for.
///
/// With three vertices, they are the corners of a triangle at the pixels' corners (0, 0), (2 width,
/// 0) and (0, 2 height), which covers all of them, with depth 0.5 and w 1. Otherwise there is a
/// vertex for each pixel, row by row, with what the pixel gets. Pixels beyond an odd width or
/// height complete quads as helper lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PixelGrid {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Samples of the render target; 0 counts as 1. A shader that runs for each sample has a row in
    /// the table for each of them.
    pub samples: u32,
    /// Whether the triangle shows its back.
    pub is_back_face: bool,
}

/// A table that a stage gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StageOutput {
    /// Control points of a hull shader.
    ControlPoints,
    /// Patch constants of a hull shader.
    PatchConstants,
    /// Vertices of a domain shader.
    DomainVertices,
    /// Vertices of a geometry shader's stream, as stream output writes them: strips as lists of
    /// whole primitives.
    Stream(u32),
    /// The dispatches of the groups of an amplification shader.
    MeshDispatches,
    /// Vertices of a mesh shader.
    MeshVertices,
    /// Primitives of a mesh shader.
    MeshPrimitives,
    /// Outputs of a pixel shader.
    Pixels,
}

impl StageOutput {
    /// Returns a title for the rows.
    pub fn title(&self) -> String {
        match self {
            StageOutput::ControlPoints => "control points".into(),
            StageOutput::PatchConstants => "patch constants".into(),
            StageOutput::DomainVertices => "domain vertices".into(),
            StageOutput::Stream(stream) => format!("vertices of stream {stream}"),
            StageOutput::MeshDispatches => "mesh dispatches".into(),
            StageOutput::MeshVertices => "mesh vertices".into(),
            StageOutput::MeshPrimitives => "mesh primitives".into(),
            StageOutput::Pixels => "pixels".into(),
        }
    }
}

/// Returns the tables that a stage gives, with the columns of a row: numbers of 32 bits. A vertex
/// shader has none; its outputs are captured by stream output.
pub fn tables_of(entry: &EntryPoint) -> Vec<(StageOutput, Element)> {
    let outputs = |prefix: &[&str]| columns(prefix, entry.outputs.iter());
    let constants = |prefix: &[&str]| columns(prefix, entry.patch_constants.iter());
    match entry.stage {
        Stage::Hull { .. } => vec![
            (StageOutput::ControlPoints, outputs(&["patch", "point"])),
            (StageOutput::PatchConstants, constants(&["patch"])),
        ],
        Stage::Domain { domain, .. } => {
            let mut prefix = vec!["patch", "location.x", "location.y"];
            if domain == DomainShape::Tri {
                prefix.push("location.z");
            }
            vec![(StageOutput::DomainVertices, outputs(&prefix))]
        }
        Stage::Geometry { active_streams, .. } => {
            // Without any bit only the first stream is there.
            let active = active_streams & 15;
            let streams = (0..4).filter(|stream| active.max(1) >> stream & 1 != 0);
            let table = |stream: u32| {
                let own = entry.outputs.iter().filter(|e| e.stream == stream);
                (StageOutput::Stream(stream), columns(&[], own))
            };
            streams.map(table).collect()
        }
        Stage::Amplification { payload_bytes } => {
            let mut prefix: Vec<String> = ["group", "dispatch.x", "dispatch.y", "dispatch.z"]
                .map(str::to_owned)
                .into();
            let words = (payload_bytes / WORD).min(1 << 12);
            prefix.extend((0..words).map(|word| format!("payload[{word}]")));
            let prefix: Vec<&str> = prefix.iter().map(String::as_str).collect();
            vec![(StageOutput::MeshDispatches, columns(&prefix, [].iter()))]
        }
        Stage::Mesh { topology, .. } => {
            let mut prefix = vec!["group", "index.x", "index.y"];
            if topology != MeshTopology::Line {
                prefix.push("index.z");
            }
            vec![
                (StageOutput::MeshVertices, outputs(&["group", "vertex"])),
                (StageOutput::MeshPrimitives, constants(&prefix)),
            ]
        }
        Stage::Other if entry.kind == ShaderKind::Pixel => {
            let prefix = ["x", "y", "sample", "discarded"];
            vec![(StageOutput::Pixels, outputs(&prefix))]
        }
        Stage::Other | Stage::Node(_) => Vec::new(),
    }
}

/// Returns a row of unsigned numbers and of the elements of a signature, with columns like
/// `SV_Position.x` and `TEXCOORD1.y`.
pub fn columns<'a>(
    prefix: &[&str],
    elements: impl Iterator<Item = &'a SignatureElement>,
) -> Element {
    use ComponentType as C;
    let mut row = Element::default();
    let mut add = |path: String, component: C| {
        row.scalars.push(ElementScalar {
            path,
            offset: row.size,
            component,
        });
        row.size += WORD;
    };
    for path in prefix {
        let component = if path.starts_with("location") {
            C::F32
        } else {
            C::U32
        };
        add((*path).to_owned(), component);
    }
    for element in elements {
        let component = match element.component {
            C::I16 | C::I32 | C::I64 => C::I32,
            C::U16 | C::U32 | C::U64 | C::I1 => C::U32,
            _ => C::F32,
        };
        for index in &element.semantic_indices {
            let name = match (index, element.semantic_indices.len()) {
                (0, 1) => element.name.to_string(),
                (index, _) => format!("{}{index}", element.name),
            };
            for column in ["x", "y", "z", "w"].iter().take(element.columns as usize) {
                let path = match element.columns {
                    1 => name.clone(),
                    _ => format!("{name}.{column}"),
                };
                add(path, component);
            }
        }
    }
    row
}

/// Returns places that a domain shader runs at unless the caller has others: the corners and the
/// centre.
pub fn default_locations(domain: DomainShape) -> Vec<[f32; 3]> {
    const THIRD: f32 = 1.0 / 3.0;
    match domain {
        DomainShape::Tri => vec![
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [THIRD, THIRD, THIRD],
        ],
        _ => vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.5, 0.5, 0.0],
        ],
    }
}
