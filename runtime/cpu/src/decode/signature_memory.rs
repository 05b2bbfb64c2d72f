//! The positions of the inputs and outputs of an invocation in its lane's memory.

use dxil_frontend::dxil::{ComponentType, EntryPoint, InputPrimitive, SignatureElement, Stage};

use super::system_values::SYSTEM_WORDS;
use crate::error::{Error, Result};

/// Words of a row.
pub(crate) const ROW_WORDS: u32 = 4;
/// Maximum number of words of all elements: D3D12 has 32 rows, and system values besides.
const MAX_WORDS: u32 = 1 << 12;
/// Maximum number of control points of a patch (D3D11_IA_PATCH_MAX_CONTROL_POINT_COUNT).
const MAX_CONTROL_POINTS: u32 = 32;
/// Maximum number of vertices, and of primitives, of a mesh shader's group (mesh shader
/// specification, "SetMeshOutputCounts").
const MAX_MESH_OUTPUTS: u32 = 256;
/// Maximum number of vertices that an invocation of a geometry shader emits: it has at most 1024
/// components in all (D3D11.3, 13.8).
const MAX_EMITTED: u32 = 1024;

/// Inputs of a pixel shader's invocation: each block has all elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum PixelBlock {
    /// Interpolated as the element's mode says.
    Interpolated,
    /// At the triangle's first vertex; the other two follow.
    Vertices,
    /// At the pixel's centre.
    Center = 4,
    /// Change to the right, per pixel: at an offset (x, y) from the centre the input is the
    /// numerator (centre + x `GradientX` + y `GradientY`) over the denominator
    /// (1 + x `WeightX` + y `WeightY`).
    GradientX,
    /// Change downwards.
    GradientY,
    /// Change of the denominator to the right; 0 without perspective.
    WeightX,
    /// Change of the denominator downwards.
    WeightY,
    /// At the centroid (D3D11.3 functional specification, 3.5.5).
    Centroid,
}

/// Number of [`PixelBlock`]s, with three for the vertices.
const PIXEL_BLOCKS: u32 = 10;

/// The position of a signature element among the words of an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementPlace {
    /// The element's number.
    pub id: u32,
    /// First word; each row has four.
    pub first: u32,
    /// Number of rows.
    pub rows: u32,
}

/// The memory of an invocation's inputs and outputs.
#[derive(Debug, Clone, Default)]
pub(crate) struct SignatureMemory {
    pub(crate) inputs: Vec<ElementPlace>,
    pub(crate) outputs: Vec<ElementPlace>,
    /// Patch constants, or what a mesh shader has per primitive.
    pub(crate) patch_constants: Vec<ElementPlace>,
    /// First words in a lane's memory: of the system values, of the inputs, of the outputs, of the
    /// control points that a patch constant function reads, and of the patch constants.
    pub(crate) system_at: u32,
    pub(crate) inputs_at: u32,
    pub(crate) outputs_at: u32,
    pub(crate) control_points_at: u32,
    pub(crate) patch_constants_at: u32,
    /// Words of a vertex, of an output and of the patch constants.
    pub(crate) input_words: u32,
    pub(crate) output_words: u32,
    pub(crate) patch_constant_words: u32,
    /// Vertices of an input primitive or patch, and the blocks of a pixel shader.
    pub(crate) input_vertices: u32,
    /// Control points that a hull shader makes.
    pub(crate) output_control_points: u32,
    /// Vertices that an invocation of a geometry shader, or a group of a mesh shader, gives at
    /// most.
    pub(crate) max_vertices: u32,
    /// `SV_ViewID`.
    pub(crate) view: u32,
    /// Whether `SV_SampleIndex` is read.
    pub(crate) reads_sample_index: bool,
    /// Whether system values are read by operations.
    pub(crate) reads_system_values: bool,
    /// Whether a pixel shader reads other blocks of its inputs than the interpolated one.
    pub(crate) reads_blocks: bool,
    /// Whether a pixel shader may discard pixels.
    pub(crate) discards: bool,
    /// Primitives that a group of a mesh shader gives at most.
    pub(crate) max_primitives: u32,
}

fn places(elements: &[SignatureElement]) -> (Vec<ElementPlace>, u32) {
    let mut next = 0_u32;
    let place = |element: &SignatureElement| {
        let first = next;
        next = next.saturating_add(element.rows.saturating_mul(ROW_WORDS));
        ElementPlace {
            id: element.id,
            first,
            rows: element.rows,
        }
    };
    let places = elements.iter().map(place).collect();
    (places, next)
}

/// Returns the number of vertices that a geometry shader's invocation takes.
fn vertices_of(primitive: InputPrimitive) -> u32 {
    match primitive {
        InputPrimitive::Undefined | InputPrimitive::Point => 1,
        InputPrimitive::Line => 2,
        InputPrimitive::Triangle => 3,
        InputPrimitive::LineAdjacency => 4,
        InputPrimitive::TriangleAdjacency => 6,
        InputPrimitive::Patch(points) => u32::from(points),
    }
}

impl SignatureMemory {
    /// Makes room for an entry point's elements after the other variables of a lane.
    pub(super) fn new(entry: &EntryPoint, statics: &mut Vec<u32>) -> Result<SignatureMemory> {
        let (inputs, input_words) = places(&entry.inputs);
        let (outputs, output_words) = places(&entry.outputs);
        let (patch_constants, patch_constant_words) = places(&entry.patch_constants);
        if input_words.max(output_words).max(patch_constant_words) > MAX_WORDS {
            return Err(Error::BadInput("a signature of more than 1024 rows".into()));
        }
        let mut memory = SignatureMemory {
            inputs,
            outputs,
            patch_constants,
            input_words,
            output_words,
            patch_constant_words,
            input_vertices: 1,
            ..SignatureMemory::default()
        };
        memory.count(entry)?;
        // A mesh shader's outputs belong to its group.
        let is_mesh = matches!(entry.stage, Stage::Mesh { .. });
        let in_lane = |words: u32| if is_mesh { 0 } else { words };
        let system_at = statics.len() as u32;
        memory.system_at = system_at;
        memory.inputs_at = system_at + SYSTEM_WORDS;
        memory.outputs_at = memory.inputs_at + memory.input_vertices * input_words;
        memory.control_points_at = memory.outputs_at + in_lane(output_words);
        memory.patch_constants_at =
            memory.control_points_at + memory.output_control_points * output_words;
        let end = memory.patch_constants_at + in_lane(patch_constant_words);
        statics.resize(end as usize, 0);
        Ok(memory)
    }

    /// Sets the numbers of vertices.
    fn count(&mut self, entry: &EntryPoint) -> Result<()> {
        let checked = |what: &str, count: u32, limit: u32| {
            if count > limit {
                let problem = format!("{count} {what}; {limit} is the maximum");
                return Err(Error::BadInput(problem));
            }
            Ok(count)
        };
        let points = |count: u32| checked("control points", count, MAX_CONTROL_POINTS);
        match entry.stage {
            Stage::Geometry {
                input,
                max_vertices,
                ..
            } => {
                self.input_vertices = points(vertices_of(input))?;
                self.max_vertices = max_vertices.min(MAX_EMITTED);
            }
            Stage::Hull {
                input_control_points,
                output_control_points,
                ..
            } => {
                self.input_vertices = points(input_control_points)?;
                self.output_control_points = points(output_control_points)?;
            }
            Stage::Domain {
                input_control_points,
                ..
            } => self.input_vertices = points(input_control_points)?,
            Stage::Mesh {
                max_vertices,
                max_primitives,
                ..
            } => {
                self.max_vertices = checked("vertices of a group", max_vertices, MAX_MESH_OUTPUTS)?;
                self.max_primitives =
                    checked("primitives of a group", max_primitives, MAX_MESH_OUTPUTS)?;
            }
            _ if entry.kind == dxil_frontend::dxil::ShaderKind::Pixel => {
                self.input_vertices = PIXEL_BLOCKS;
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the numbers of the elements whose integers have a sign.
pub(super) fn signed_elements(elements: &[SignatureElement]) -> Vec<u32> {
    let signed = elements
        .iter()
        .filter(|element| matches!(element.component, ComponentType::I16 | ComponentType::I32));
    signed.map(|element| element.id).collect()
}
