//! Draws with several stages on the Vulkan device, compared with the expected pixels, captured
//! vertices and buffers.

use std::ops::{Deref, DerefMut};

use dxil_frontend::dxil::Shader;
use dxil_runtime::graphics::{
    Attachment, Attribute, DepthState, Draw, DrawCall, GraphicsState, Indices, Query, QueryResult,
    StreamTarget, TargetState, Topology, VertexBuffer, VertexSlot,
};
use dxil_runtime::{Backend, Format, Storage, Work, job::Texture};
use dxil_translate::{SignatureOptions, StreamOutputEntry};

use crate::element::{Element, Tolerance, to_bytes};
use crate::{Case, Rect, case};

/// A case that draws. [`Case`] has what all cases share.
pub struct DrawCase {
    case: Case,
    /// State of the pipeline.
    pub state: GraphicsState,
    /// The draw.
    pub draw: Draw,
    /// Options of the translation for signatures.
    pub signature: SignatureOptions,
    /// Changes each shader before its translation, into a form that no available compiler writes.
    pub edit: fn(&mut Shader),
}

impl Deref for DrawCase {
    type Target = Case;

    fn deref(&self) -> &Case {
        &self.case
    }
}

impl DerefMut for DrawCase {
    fn deref_mut(&mut self) -> &mut Case {
        &mut self.case
    }
}

impl DrawCase {
    /// Returns a case with three vertices and no targets.
    pub fn new(backend: Backend, wave_size: u32) -> Self {
        DrawCase {
            case: Case::new(backend, wave_size),
            state: GraphicsState::default(),
            draw: Draw::default(),
            signature: SignatureOptions::default(),
            edit: |_| {},
        }
    }

    /// Sets the number of vertices and the topology.
    pub fn vertices(&mut self, topology: Topology, count: u32) {
        self.state.topology = topology;
        self.range(0, count, 0, 1);
    }

    /// Dispatches groups of the amplification shader, or of the mesh shader if there is none.
    pub fn meshes(&mut self, groups: [u32; 3]) {
        self.draw.call = DrawCall::Meshes(groups);
    }

    /// Sets which vertices and instances are drawn.
    pub fn range(&mut self, first: u32, count: u32, first_instance: u32, instances: u32) {
        self.draw.call = DrawCall::Vertices {
            count,
            instances,
            first,
            first_instance,
        };
    }

    /// Adds a vertex attribute in a buffer of its own.
    pub fn attribute<T: Element>(&mut self, row: u32, format: Format, values: &[T]) {
        let slot = self.state.vertex_slots.len() as u32;
        self.state.vertex_slots.push(VertexSlot {
            stride: T::BYTES as u32,
            per_instance: false,
        });
        self.state.attributes.push(Attribute {
            row,
            format,
            slot,
            offset: 0,
        });
        let name = format!("attribute {row}");
        let resource = self.resource(&name, Storage::Buffer(to_bytes(values)), false);
        let buffer = VertexBuffer {
            resource,
            offset: 0,
        };
        self.draw.vertex_buffers.push(buffer);
    }

    /// Adds rectangles over targets of this size for `draw/place_vs`: position and colour of six
    /// vertices each.
    pub fn rects(&mut self, size: [u32; 2], rects: &[Rect]) {
        let positions: Vec<_> = rects.iter().flat_map(|rect| rect.positions(size)).collect();
        let colors: Vec<_> = rects.iter().flat_map(|rect| [rect.color; 6]).collect();
        self.corners(Topology::TriangleList, &positions, &colors);
    }

    /// Adds vertices for `draw/place_vs`: positions and colours.
    pub fn corners(&mut self, topology: Topology, positions: &[[f32; 4]], colors: &[[f32; 4]]) {
        self.attribute(0, Format::Rgba32Float, positions);
        self.attribute(1, Format::Rgba32Float, colors);
        self.vertices(topology, positions.len() as u32);
    }

    /// Sets the indices of the draw, with 16 or 32 bits each.
    pub fn indices<T: Element>(&mut self, indices: &[T], base_vertex: i32) {
        let bytes = Storage::Buffer(to_bytes(indices));
        let resource = self.resource("indices", bytes, false);
        self.draw.indices = Some(Indices {
            resource,
            offset: 0,
            wide: T::BYTES == 4,
            base_vertex,
        });
        let topology = self.state.topology;
        self.vertices(topology, indices.len() as u32);
    }

    /// Adds a render target with initial contents, which must hold `expected` after the draw.
    pub fn target_of<T: Element>(
        &mut self,
        texture: Texture,
        expected: Vec<T>,
        tolerance: Tolerance,
    ) {
        let name = format!("target {}", self.draw.targets.len());
        let format = texture.format;
        let keeps = !texture.data.is_empty();
        let resource = self.resource(&name, Storage::Texture(texture), true);
        let mut attachment = Attachment::new(resource);
        if keeps {
            attachment.clear = None;
        }
        self.state.targets.push(TargetState::new(format));
        self.draw.targets.push(attachment);
        self.check(&name, resource, move |got: &[T]| {
            case::compare(got, &expected, tolerance)
        });
    }

    /// Adds a render target with this number of samples, cleared to zero. `expected` is the
    /// resolved result.
    pub fn multisampled<T: Element>(
        &mut self,
        format: Format,
        [width, height]: [u32; 2],
        samples: u32,
        expected: Vec<T>,
        tolerance: Tolerance,
    ) {
        let name = format!("target {}", self.draw.targets.len());
        let mut texture = Texture::new_2d(format, width, height, Vec::new());
        let single = Storage::Texture(texture.clone());
        texture.samples = samples;
        let many = self.resource(&name, Storage::Texture(texture), false);
        let single = self.resource(&name, single, true);
        self.state.samples = samples;
        self.state.targets.push(TargetState::new(format));
        self.draw.targets.push(Attachment {
            resolve: Some(single),
            ..Attachment::new(many)
        });
        self.check(&name, single, move |got: &[T]| {
            case::compare(got, &expected, tolerance)
        });
    }

    /// Adds a depth buffer that must hold `expected` after the draw. It starts with the data of
    /// `texture`, or with depth 1 and stencil 0 if there is none.
    pub fn depth<T: Element>(&mut self, state: DepthState, texture: Texture, expected: Vec<T>) {
        let clear = texture.data.is_empty().then_some([1.0, 0.0, 0.0, 0.0]);
        let resource = self.resource("depth", Storage::Texture(texture), true);
        self.state.depth = Some(state);
        self.draw.depth = Some(Attachment {
            clear,
            ..Attachment::new(resource)
        });
        self.check("depth", resource, move |got: &[T]| {
            case::compare(got, &expected, Tolerance::Ulp(1))
        });
    }

    /// Adds a query around the draw, and a check of its result.
    pub fn query(
        &mut self,
        query: Query,
        verify: impl Fn(QueryResult) -> Result<(), String> + 'static,
    ) {
        let index = self.draw.queries.len();
        self.draw.queries.push(query);
        self.check_queries(move |results| match results.get(index) {
            Some(result) => verify(*result),
            None => Err(format!("{} results", results.len())),
        });
    }

    /// Sets the size of the viewport, for a draw without targets.
    pub fn viewport(&mut self, width: u32, height: u32) {
        self.draw.viewport = Some([width, height]);
    }

    /// Adds a render target (with layers, if `layers` is more than 1), cleared to zero, whose
    /// texels must hold `expected` afterwards, layer by layer and row by row.
    pub fn target<T: Element>(
        &mut self,
        format: Format,
        [width, height, layers]: [u32; 3],
        expected: Vec<T>,
        tolerance: Tolerance,
    ) {
        let name = format!("target {}", self.draw.targets.len());
        let mut texture = Texture::new_2d(format, width, height, Vec::new());
        texture.layers = layers;
        let resource = self.resource(&name, Storage::Texture(texture), true);
        self.state.targets.push(TargetState::new(format));
        self.draw.targets.push(Attachment {
            resource,
            mip: 0,
            layer: 0,
            clear: Some([0.0; 4]),
            resolve: None,
        });
        self.check(&name, resource, move |got: &[T]| {
            case::compare(got, &expected, tolerance)
        });
    }

    /// Adds a stream-output buffer that starts with the fill pattern and must hold `expected`.
    pub fn captured<T: Element>(&mut self, expected: Vec<T>) {
        let name = format!("stream output {}", self.draw.stream_targets.len());
        let initial = vec![case::FILL; expected.len() * T::BYTES];
        let resource = self.resource(&name, Storage::Buffer(initial), true);
        self.draw.stream_targets.push(StreamTarget {
            resource,
            offset: 0,
        });
        self.check_equal(&name, resource, expected);
    }

    /// Captures an output by stream output: stream, semantic and index, first component and count,
    /// buffer, offset and stride in bytes.
    pub fn stream_out(
        &mut self,
        stream: u32,
        (semantic, index): (&str, u32),
        (first_component, components): (u32, u32),
        [buffer, offset, stride]: [u32; 3],
    ) {
        let entries = &mut self.signature.stream_output.entries;
        entries.push(StreamOutputEntry {
            stream,
            semantic: semantic.to_owned(),
            index,
            first_component,
            components,
            buffer,
            offset,
            stride,
        });
    }

    /// Returns the case with its draw as the work of the job, the state of the pipeline, the
    /// options of the translation, and the change of the shaders.
    pub(crate) fn finish(mut self) -> (Case, GraphicsState, SignatureOptions, fn(&mut Shader)) {
        self.case.job.work = Work::Draw(Box::new(self.draw));
        (self.case, self.state, self.signature, self.edit)
    }
}
