//! The state of a draw as D3D12 describes it, and as a Vulkan pipeline needs it: vertex attributes
//! by the rows of the vertex shader, a topology that the stages decide, strides of vertex buffers.

use dxil_frontend::dxil::{
    ComponentType, EntryPoint, InputPrimitive, SemanticKind, Shader, ShaderKind, SignatureElement,
    Stage,
};
use dxil_runtime::Format;
use dxil_runtime::graphics::{
    Attribute, DepthState, GraphicsState, TargetState, Topology, VertexSlot,
};
use dxil_runtime::job::Comparison;
use dxil_translate::StreamOutput;

use crate::error::Problem;

/// `D3D12_APPEND_ALIGNED_ELEMENT`.
pub const APPEND_ALIGNED: u32 = u32::MAX;

/// Largest number of vertex buffer slots (`D3D12_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT`).
const MAX_SLOTS: u32 = 32;

/// Bytes of a vertex, at most: `D3D12_REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES`.
const MAX_STRIDE: u32 = 2048;

/// An element of the input layout (`D3D12_INPUT_ELEMENT_DESC`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputElement {
    /// Semantic name without index; case does not matter.
    pub semantic: String,
    /// Semantic index.
    pub index: u32,
    /// Format in the buffer.
    pub format: Format,
    /// Vertex buffer slot.
    pub slot: u32,
    /// Byte offset in the vertex, or [`APPEND_ALIGNED`].
    pub offset: u32,
    /// Whether it advances per instance.
    pub per_instance: bool,
}

/// `D3D12_PRIMITIVE_TOPOLOGY_TYPE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PrimitiveType {
    /// Points.
    Points,
    /// Lines.
    Lines,
    /// Triangles.
    #[default]
    Triangles,
    /// Patches.
    Patches,
}

/// The state of a draw (`D3D12_PIPELINE_STATE_STREAM_DESC` without shaders).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DrawState {
    /// The input layout.
    pub inputs: Vec<InputElement>,
    /// Strides of the vertex buffers by slot, where they are known: D3D12 sets them on the command
    /// list. A slot without one is as long as its elements.
    pub strides: Vec<u32>,
    /// The kind of primitives.
    pub primitives: PrimitiveType,
    /// Stream output.
    pub stream_output: StreamOutput,
    /// Parts of the state that the runtime's pipelines cannot have. Translations do not depend on
    /// them.
    pub left_out: Vec<String>,
    /// Everything else. Topology, vertex slots and attributes in it are not looked at.
    pub state: GraphicsState,
}

impl DrawState {
    /// Notes a part of the state that the runtime's pipelines cannot have.
    pub(crate) fn leave_out(&mut self, what: impl Into<String>) {
        self.left_out.push(what.into());
    }

    /// Returns what a pipeline file says of a draw: `state` is complete, and `vertex` the vertex
    /// shader whose inputs its attributes are.
    pub fn of_state(state: GraphicsState, vertex: Option<&EntryPoint>) -> Self {
        let attribute = |row: u32| state.attributes.iter().find(|found| found.row == row);
        let inputs = vertex.into_iter().flat_map(rows);
        let inputs = inputs.filter_map(|(element, row, index)| {
            let attribute = attribute(row)?;
            let slot = state.vertex_slots.get(attribute.slot as usize)?;
            Some(InputElement {
                semantic: element.name.to_string(),
                index,
                format: attribute.format,
                slot: attribute.slot,
                offset: attribute.offset,
                per_instance: slot.per_instance,
            })
        });
        DrawState {
            inputs: inputs.collect(),
            strides: state.vertex_slots.iter().map(|slot| slot.stride).collect(),
            primitives: match state.topology {
                Topology::PointList => PrimitiveType::Points,
                Topology::LineList
                | Topology::LineStrip
                | Topology::LineListAdjacency
                | Topology::LineStripAdjacency => PrimitiveType::Lines,
                Topology::TriangleList
                | Topology::TriangleStrip
                | Topology::TriangleListAdjacency
                | Topology::TriangleStripAdjacency => PrimitiveType::Triangles,
                Topology::PatchList(_) => PrimitiveType::Patches,
            },
            state,
            ..DrawState::default()
        }
    }

    /// Returns the state that a draw of these stages gets where nothing says more: one packed
    /// vertex buffer with an element for each input, a target of eight bits per channel for each
    /// output of the pixel shader and a depth buffer if there is one, no culling: as `dxil-run
    /// --draw` has it.
    pub fn of_stages(shaders: &[&Shader]) -> Self {
        let mut draw = DrawState::default();
        let mut offset = 0;
        for (element, _, index) in entry_of(shaders, ShaderKind::Vertex)
            .into_iter()
            .flat_map(rows)
        {
            let format = integer(element.component).unwrap_or(Format::Rgba32Float);
            draw.inputs.push(InputElement {
                semantic: element.name.to_string(),
                index,
                format,
                slot: 0,
                offset,
                per_instance: false,
            });
            offset += format.block_bytes();
        }
        let pixel = entry_of(shaders, ShaderKind::Pixel);
        let outputs = pixel.into_iter().flat_map(|pixel| &pixel.outputs);
        let is_target = |element: &&SignatureElement| element.semantic == SemanticKind::Target;
        let targets = &mut draw.state.targets;
        for element in outputs.filter(is_target) {
            for index in &element.semantic_indices {
                // D3D12 has eight render targets; a malformed index must not make the list long.
                let index = (*index).min(7) as usize;
                if targets.len() <= index {
                    targets.resize(index + 1, TargetState::new(Format::Rgba8Unorm));
                }
                targets[index].format = match integer(element.component) {
                    Some(format) => format,
                    None => Format::Rgba8Unorm,
                };
            }
        }
        if !targets.is_empty() {
            draw.state.depth = Some(DepthState {
                test: Some(Comparison::LessEqual),
                ..DepthState::new(Format::D32Float)
            });
        }
        draw.state.samples = 1;
        draw
    }

    /// Returns the state of the pipeline with these shaders.
    ///
    /// # Errors
    ///
    /// An input of the vertex shader that the layout lacks, and a layout beyond D3D12's limits.
    pub fn resolve(&self, shaders: &[&Shader]) -> Result<GraphicsState, Problem> {
        let mut state = self.state.clone();
        state.topology = topology(self.primitives, shaders);
        state.vertex_slots.clear();
        state.attributes.clear();
        let Some(vertex) = entry_of(shaders, ShaderKind::Vertex) else {
            return Ok(state);
        };
        let placed = self.place()?;
        for (element, row, index) in rows(vertex) {
            let found = placed.iter().find(|(input, _)| {
                input.index == index && input.semantic.eq_ignore_ascii_case(&element.name)
            });
            let (input, offset) = found.ok_or_else(|| {
                Problem::mismatch(format!(
                    "the input layout lacks {}{index}, which the vertex shader reads",
                    element.name
                ))
            })?;
            state.attributes.push(Attribute {
                row,
                format: input.format,
                slot: input.slot,
                offset: *offset,
            });
        }
        let count = placed.iter().map(|(input, _)| input.slot + 1).max();
        for slot in 0..count.unwrap_or(0) {
            let of_slot = placed.iter().filter(|(input, _)| input.slot == slot);
            let end = |(input, offset): &(&InputElement, u32)| offset + input.format.block_bytes();
            let packed = of_slot.clone().map(end).max().unwrap_or(0);
            let known = self.strides.get(slot as usize).copied();
            state.vertex_slots.push(VertexSlot {
                stride: known.unwrap_or(packed.next_multiple_of(4)),
                per_instance: of_slot.clone().any(|(input, _)| input.per_instance),
            });
        }
        Ok(state)
    }

    /// Returns the elements with their offsets.
    fn place(&self) -> Result<Vec<(&InputElement, u32)>, Problem> {
        let mut placed: Vec<(&InputElement, u32)> = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            let bytes = input.format.block_bytes();
            let offset = if input.offset == APPEND_ALIGNED {
                // After the element before it in the same slot; components of less than four bytes
                // are aligned to their own size.
                let before = placed
                    .iter()
                    .rev()
                    .find(|(other, _)| other.slot == input.slot);
                let end = before.map_or(0, |(other, at)| at + other.format.block_bytes());
                end.next_multiple_of(bytes.clamp(1, 4))
            } else {
                input.offset
            };
            if input.slot >= MAX_SLOTS || offset.saturating_add(bytes) > MAX_STRIDE {
                return Err(Problem::malformed(format!(
                    "the input layout has {}{} at byte {offset} of slot {}",
                    input.semantic, input.index, input.slot
                )));
            }
            placed.push((input, offset));
        }
        Ok(placed)
    }
}

/// Returns the entry point of a stage.
pub(crate) fn entry_of<'a>(shaders: &[&'a Shader], kind: ShaderKind) -> Option<&'a EntryPoint> {
    let mut points = shaders.iter().flat_map(|shader| &shader.entry_points);
    points.find(|point| point.kind == kind)
}

/// Returns the rows of a vertex shader's inputs that come from buffers, with semantic indices.
pub(crate) fn rows(vertex: &EntryPoint) -> impl Iterator<Item = (&SignatureElement, u32, u32)> {
    use SemanticKind as K;
    // These come from the draw.
    let of_draw = |kind| {
        matches!(
            kind,
            K::VertexId
                | K::InstanceId
                | K::ViewId
                | K::StartVertexLocation
                | K::StartInstanceLocation
        )
    };
    let elements = vertex.inputs.iter();
    elements
        .filter(move |element| !of_draw(element.semantic))
        .flat_map(|element| {
            let rows = element.start_row.unwrap_or(0)..;
            let indices = element.semantic_indices.iter();
            rows.zip(indices)
                .map(move |(row, index)| (element, row, *index))
        })
}

/// Returns the format of four integers, if that is what a signature element has.
fn integer(component: ComponentType) -> Option<Format> {
    match component {
        ComponentType::I32 | ComponentType::I16 => Some(Format::Rgba32Sint),
        ComponentType::U32 | ComponentType::U16 => Some(Format::Rgba32Uint),
        _ => None,
    }
}

/// Returns the topology of the pipeline. D3D12 says only its class; the command list says the rest,
/// which stages with whole primitives decide and others do not see.
fn topology(primitives: PrimitiveType, shaders: &[&Shader]) -> Topology {
    use InputPrimitive as P;
    for point in shaders.iter().flat_map(|shader| &shader.entry_points) {
        match &point.stage {
            Stage::Hull {
                input_control_points,
                ..
            } => return Topology::PatchList(*input_control_points),
            Stage::Geometry { input, .. } => match input {
                P::Point => return Topology::PointList,
                P::Line => return Topology::LineList,
                P::LineAdjacency => return Topology::LineListAdjacency,
                P::Triangle => return Topology::TriangleList,
                P::TriangleAdjacency => return Topology::TriangleListAdjacency,
                P::Patch(points) => return Topology::PatchList(u32::from(*points)),
                P::Undefined => {}
            },
            _ => {}
        }
    }
    match primitives {
        PrimitiveType::Points => Topology::PointList,
        PrimitiveType::Lines => Topology::LineList,
        PrimitiveType::Triangles => Topology::TriangleList,
        PrimitiveType::Patches => Topology::PatchList(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(format: Format, slot: u32, offset: u32) -> InputElement {
        InputElement {
            semantic: "A".into(),
            index: 0,
            format,
            slot,
            offset,
            per_instance: false,
        }
    }

    fn offsets(inputs: Vec<InputElement>) -> Result<Vec<u32>, Problem> {
        let state = DrawState {
            inputs,
            ..DrawState::default()
        };
        let placed = state.place()?;
        Ok(placed.into_iter().map(|(_, offset)| offset).collect())
    }

    #[test]
    fn appended_elements_follow_the_one_before_in_their_slot() {
        let appended = |format, slot| input(format, slot, APPEND_ALIGNED);
        let placed = offsets(vec![
            appended(Format::Rgb32Float, 0),
            appended(Format::R8Unorm, 1),
            appended(Format::Rg16Float, 0),
            // Two bytes are aligned to two, twelve to four.
            appended(Format::R16Uint, 1),
            appended(Format::Rgb32Float, 1),
            input(Format::R32Uint, 0, 64),
            appended(Format::R32Uint, 0),
        ]);
        assert_eq!(placed.unwrap(), [0, 0, 12, 2, 4, 64, 68]);
    }

    #[test]
    fn layouts_beyond_the_limits_are_refused() {
        assert!(offsets(vec![input(Format::R32Uint, 32, 0)]).is_err());
        assert!(offsets(vec![input(Format::R32Uint, 0, 2045)]).is_err());
        assert!(offsets(vec![input(Format::R32Uint, 0, u32::MAX - 1)]).is_err());
        assert!(offsets(vec![input(Format::R32Uint, 31, 2044)]).is_ok());
    }
}
