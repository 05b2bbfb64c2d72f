//! The draw of a raster pipeline file: vertex input, render target, depth buffer.
//!
//! A file has few settings of the state. The others are those of the suite: no culling,
//! counter-clockwise front faces, a depth buffer that starts at 1 with a less-than test, one render
//! target that keeps the contents of its buffer, a viewport over all of it, and the vertex count of
//! the vertex buffer.

use dxil_frontend::dxil::{EntryPoint, SemanticKind, Shader, ShaderKind, SignatureElement};

use super::buffer::Buffer;
use super::document::{self, VertexAttribute};
use super::plan::{texel_format, texture_of};
use super::{Pipeline, PipelineError, PipelineKind, Result};
use dxil_runtime::format::Format;
use dxil_runtime::graphics::{
    Attachment, Attribute, Cull, DepthState, Draw, DrawCall, GraphicsState, TargetState, Topology,
    VertexBuffer, VertexSlot,
};
use dxil_runtime::job::{Job, ResourceId, Storage, Texture, Work};

impl Pipeline {
    /// Makes the work of the job a draw, and returns the state of its pipeline. `target` is the
    /// resource of the render target if the file also binds its buffer elsewhere. Without shaders,
    /// attributes have locations in the order of the file, as the suite numbers them for SPIR-V.
    pub(super) fn plan_draw(
        &self,
        job: &mut Job,
        shaders: Option<&[&Shader]>,
        target: Option<ResourceId>,
    ) -> Result<(GraphicsState, ResourceId)> {
        let invalid = |message: &str| PipelineError::Invalid(message.to_owned());
        let bindings = self.document.bindings.as_ref();
        let bindings = bindings.ok_or_else(|| invalid("a draw needs Bindings"))?;
        let name = bindings.render_target.as_deref();
        let name = name.ok_or_else(|| invalid("a draw needs a RenderTarget"))?;
        let buffer = self.require_buffer(name, || "Bindings".to_owned())?;
        let data = buffer.data.first().map_or(&[][..], Vec::as_slice);
        let texture = texture_of(buffer, data)?;
        let (width, height, format) = (texture.width, texture.height, texture.format);
        let target = match target {
            Some(id) => {
                if let Some(resource) = job.resources.get_mut(id.0) {
                    resource.read_back = true;
                }
                id
            }
            None => job.add_resource(name, Storage::Texture(texture), true),
        };
        let depth = Texture::new_2d(Format::D32Float, width, height, Vec::new());
        let depth = job.add_resource("depth buffer", Storage::Texture(depth), false);
        let attach = |resource, clear| Attachment {
            resource,
            mip: 0,
            layer: 0,
            clear,
            resolve: None,
        };

        let mut state = GraphicsState {
            topology: topology(bindings),
            cull: Cull::None,
            front_counter_clockwise: true,
            targets: vec![TargetState::new(format)],
            depth: Some(DepthState::new(Format::D32Float)),
            ..GraphicsState::default()
        };
        let mut draw = Draw {
            call: DrawCall::Meshes(self.groups()),
            indices: None,
            vertex_buffers: Vec::new(),
            targets: vec![attach(target, None)],
            depth: Some(attach(depth, Some([1.0, 0.0, 0.0, 0.0]))),
            ..Draw::default()
        };
        if self.kind == PipelineKind::Raster {
            let mut count = self.document.dispatch_parameters.vertex_count;
            if let Some(name) = &bindings.vertex_buffer {
                let buffer = self.require_buffer(name, || "Bindings".to_owned())?;
                let bytes = buffer.data.first().cloned().unwrap_or_default();
                let stride = u32::try_from(buffer.element_bytes()).unwrap_or(u32::MAX);
                // A file without channels has a stride of zero, which must not be a divisor.
                let vertices = bytes.len() / (stride.max(1) as usize);
                count = count.or(u32::try_from(vertices).ok());
                state.vertex_slots.push(VertexSlot {
                    stride,
                    per_instance: false,
                });
                state.attributes = match shaders {
                    Some(shaders) => attributes(shaders, &bindings.vertex_attributes)?,
                    None => (0..)
                        .zip(&bindings.vertex_attributes)
                        .map(|(location, declared)| attribute_at(location, declared))
                        .collect::<Result<_>>()?,
                };
                draw.vertex_buffers.push(VertexBuffer {
                    resource: job.add_resource(name, Storage::Buffer(bytes), false),
                    offset: 0,
                });
            } else if !bindings.vertex_attributes.is_empty() {
                return Err(invalid("VertexAttributes need a VertexBuffer"));
            }
            draw.call = DrawCall::Vertices {
                count: count
                    .ok_or_else(|| invalid("a draw without a VertexBuffer needs a VertexCount"))?,
                instances: 1,
                first: 0,
                first_instance: 0,
            };
        }
        job.work = Work::Draw(Box::new(draw));
        Ok((state, target))
    }
}

fn topology(bindings: &document::IoBindings) -> Topology {
    match bindings.topology {
        document::Topology::TriangleList => Topology::TriangleList,
        document::Topology::PointList => Topology::PointList,
        document::Topology::LineList => Topology::LineList,
        document::Topology::PatchList => {
            Topology::PatchList(bindings.patch_control_points.unwrap_or(1))
        }
    }
}

/// Returns the inputs of the vertex shader by semantic. Attributes without an input are ignored, as
/// in D3D12; an input without an attribute is an error.
fn attributes(shaders: &[&Shader], declared: &[VertexAttribute]) -> Result<Vec<Attribute>> {
    let mut list = Vec::new();
    for (element, row, semantic_index) in vertex_inputs(shaders) {
        let found = declared
            .iter()
            .find(|attribute| is_semantic(&attribute.name, &element.name, semantic_index));
        let attribute = found.ok_or_else(|| {
            PipelineError::Invalid(format!(
                "the vertex shader reads {}{semantic_index}, which is no VertexAttribute",
                element.name
            ))
        })?;
        list.push(attribute_at(row, attribute)?);
    }
    Ok(list)
}

fn attribute_at(row: u32, declared: &VertexAttribute) -> Result<Attribute> {
    let format = texel_format(declared.format, declared.channels);
    Ok(Attribute {
        row,
        format: format.ok_or_else(|| {
            PipelineError::Unsupported(format!(
                "vertex attributes with {} channels of {:?}",
                declared.channels, declared.format
            ))
        })?,
        slot: 0,
        offset: declared.offset,
    })
}

/// Returns the rows of the input signature of the vertex shader that come from buffers, with
/// semantic indices.
fn vertex_inputs<'a>(
    shaders: &[&'a Shader],
) -> impl Iterator<Item = (&'a SignatureElement, u32, u32)> {
    let points = shaders.iter().flat_map(|shader| &shader.entry_points);
    let vertex: Option<&EntryPoint> = points
        .into_iter()
        .find(|point| point.kind == ShaderKind::Vertex);
    vertex
        .into_iter()
        .flat_map(|point| &point.inputs)
        .filter(|element| {
            // These come from the draw, not from a buffer.
            !matches!(
                element.semantic,
                SemanticKind::VertexId
                    | SemanticKind::InstanceId
                    | SemanticKind::ViewId
                    | SemanticKind::StartVertexLocation
                    | SemanticKind::StartInstanceLocation
            )
        })
        .flat_map(|element| {
            let first = element.start_row.unwrap_or(0);
            let indices = element.semantic_indices.iter();
            (first..)
                .zip(indices)
                .map(move |(row, index)| (element, row, *index))
        })
}

/// Returns whether `declared` (`COLOR` or `COLOR1`) names a semantic. Case is ignored.
fn is_semantic(declared: &str, name: &str, index: u32) -> bool {
    let base = declared.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = declared
        .get(base.len()..)
        .filter(|digits| !digits.is_empty());
    // A semantic without a number has index 0, so `COLOR` and `COLOR0` are the same.
    let number = number.map_or(Some(0), |digits| digits.parse().ok());
    base.eq_ignore_ascii_case(name) && number == Some(index)
}

impl Buffer {
    /// Returns the buffer as a texture.
    ///
    /// # Errors
    ///
    /// [`PipelineError`] if its dimensions or its format are not those of a texture.
    pub fn texture(&self) -> Result<Texture> {
        texture_of(self, self.data.first().map_or(&[][..], Vec::as_slice))
    }
}

#[cfg(test)]
mod tests {
    use super::is_semantic;

    #[test]
    fn semantics_match_by_name_and_index() {
        assert!(is_semantic("POSITION", "Position", 0));
        assert!(is_semantic("TEXCOORD2", "TEXCOORD", 2));
        assert!(is_semantic("COLOR0", "COLOR", 0));
        assert!(!is_semantic("COLOR", "COLOR", 1));
        assert!(!is_semantic("COLOR1", "NORMAL", 1));
    }
}
