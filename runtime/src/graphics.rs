//! State of a graphics pipeline and of a draw, in terms of D3D12.

use serde::{Deserialize, Serialize};

use crate::format::Format;
use crate::job::{Comparison, ResourceId};

pub use dxil_cpu::raster::{
    Blend, BlendFactor, BlendOp, Cull, DepthBias, LogicOp, StencilFace, StencilOp, StencilState,
    Topology, Viewport,
};

/// One vertex buffer slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct VertexSlot {
    /// Bytes from one vertex (or instance) to the next.
    pub stride: u32,
    /// Whether it advances per instance.
    pub per_instance: bool,
}

/// One vertex attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attribute {
    /// Row of the input signature: the location in the code.
    pub row: u32,
    /// Format in the buffer.
    pub format: Format,
    /// Vertex buffer slot.
    pub slot: u32,
    /// Byte offset in the vertex.
    pub offset: u32,
}

/// State of one render target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetState {
    /// Format.
    pub format: Format,
    /// Blend; `None` replaces.
    pub blend: Option<Blend>,
    /// Bit per channel that is written: red 1, green 2, blue 4, alpha 8.
    pub write_mask: u8,
}

impl TargetState {
    /// Returns a target that fragments replace.
    pub fn new(format: Format) -> Self {
        TargetState {
            format,
            blend: None,
            write_mask: 15,
        }
    }
}

/// State of the depth buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepthState {
    /// Format.
    pub format: Format,
    /// Test; `None` lets all fragments pass.
    pub test: Option<Comparison>,
    /// Whether fragments that pass write their depth.
    pub write: bool,
    /// Stencil test, of a format with stencil.
    pub stencil: Option<StencilState>,
}

impl DepthState {
    /// Returns a less-than test that writes, without stencil.
    pub fn new(format: Format) -> Self {
        DepthState {
            format,
            test: Some(Comparison::Less),
            write: true,
            stencil: None,
        }
    }
}

/// State of a graphics pipeline besides its shaders.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GraphicsState {
    /// The primitives that the vertices form.
    pub topology: Topology,
    /// Vertex buffer slots.
    pub vertex_slots: Vec<VertexSlot>,
    /// Vertex attributes.
    pub attributes: Vec<Attribute>,
    /// Culling.
    pub cull: Cull,
    /// Whether counter-clockwise triangles are front faces.
    pub front_counter_clockwise: bool,
    /// Draw edges only.
    pub wireframe: bool,
    /// Render targets.
    pub targets: Vec<TargetState>,
    /// Operation on bits in place of blending, the same one for all targets.
    pub logic_op: Option<LogicOp>,
    /// Depth buffer.
    pub depth: Option<DepthState>,
    /// Samples of the targets; 0 counts as 1.
    pub samples: u32,
    /// Viewports that the draw names; 0 counts as 1.
    pub viewports: u32,
    /// Layers that a draw goes to, one bit each, with another `SV_ViewID` for each; 0 is none of
    /// that.
    pub view_mask: u32,
    /// Geometry shader stream that is rasterized.
    pub rasterized_stream: u32,
    /// The depth bias.
    pub depth_bias: Option<DepthBias>,
    /// Depths outside of the viewport's range are clamped, not clipped.
    pub depth_clamp: bool,
    /// Whether alpha decides how many samples a fragment covers.
    pub alpha_to_coverage: bool,
    /// Samples that may be written, one bit each; `None` is all.
    pub sample_mask: Option<u32>,
    /// Whether the greatest index cuts a strip.
    pub strip_cut: bool,
}

/// The index buffer of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Indices {
    /// The buffer.
    pub resource: ResourceId,
    /// First byte.
    pub offset: u64,
    /// Whether they have 32 bits instead of 16.
    pub wide: bool,
    /// Added to each index.
    pub base_vertex: i32,
}

/// The vertex buffer of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VertexBuffer {
    /// The buffer.
    pub resource: ResourceId,
    /// First byte.
    pub offset: u64,
}

/// A buffer that a slot of the stream output goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamTarget {
    /// The buffer; what is not written keeps its contents.
    pub resource: ResourceId,
    /// First byte.
    pub offset: u64,
}

/// A mip of a layer that is drawn to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attachment {
    /// The texture.
    pub resource: ResourceId,
    /// Mip that is drawn to, 0 is the largest.
    pub mip: u32,
    /// First layer.
    pub layer: u32,
    /// The value to clear to first: a colour, or depth and stencil in the first numbers. `None`
    /// keeps the contents.
    pub clear: Option<[f32; 4]>,
    /// Single-sampled texture that the samples are averaged into afterwards.
    pub resolve: Option<ResourceId>,
}

impl Attachment {
    /// Returns all layers of a texture's first mip, cleared to zero.
    pub fn new(resource: ResourceId) -> Self {
        Attachment {
            resource,
            mip: 0,
            layer: 0,
            clear: Some([0.0; 4]),
            resolve: None,
        }
    }
}

/// The draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawCall {
    /// Vertices (or indices) and instances.
    Vertices {
        /// Vertices or indices per instance.
        count: u32,
        /// Instances.
        instances: u32,
        /// First vertex or index.
        first: u32,
        /// First instance.
        first_instance: u32,
    },
    /// Thread groups of a mesh or amplification shader.
    Meshes([u32; 3]),
    /// As arguments in a buffer say: `D3D12_DRAW_ARGUMENTS`, with indices
    /// `D3D12_DRAW_INDEXED_ARGUMENTS`, with a mesh shader `D3D12_DISPATCH_MESH_ARGUMENTS`.
    Indirect(Indirect),
}

/// Draws whose arguments lie in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Indirect {
    /// The buffer.
    pub arguments: ResourceId,
    /// First byte.
    pub offset: u64,
    /// Bytes from the arguments of one draw to those of the next.
    pub stride: u32,
    /// Maximum number of draws.
    pub draws: u32,
    /// The buffer and byte offset of a word with the number of draws.
    pub count: Option<(ResourceId, u64)>,
}

/// The measurements of the draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Query {
    /// Samples that pass all tests.
    Occlusion,
    /// Whether there are any.
    BinaryOcclusion,
    /// The number of invocations of each stage.
    PipelineStatistics,
    /// Time before and after.
    Timestamps,
    /// Primitives that the stream output of that stream, 0 to 3, wrote.
    StreamOutput(u32),
}

/// The result of a [`Query`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryResult {
    /// Samples.
    Occlusion(u64),
    /// Whether there was a sample.
    BinaryOcclusion(bool),
    /// Counts.
    PipelineStatistics(PipelineStatistics),
    /// Ticks of the device before and after.
    Timestamps([u64; 2]),
    /// Counts of primitives.
    StreamOutput(StreamStatistics),
}

/// `D3D12_QUERY_DATA_SO_STATISTICS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StreamStatistics {
    /// Primitives that were written.
    pub written: u64,
    /// Primitives that would have been, had the buffers been large enough.
    pub needed: u64,
}

/// `D3D12_QUERY_DATA_PIPELINE_STATISTICS1`, but for compute shaders, which no draw runs. Vulkan
/// does not count the clipper's work after a mesh shader: it is zero then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "D3D's own names")]
pub struct PipelineStatistics {
    pub input_vertices: u64,
    pub input_primitives: u64,
    pub vertex_invocations: u64,
    pub geometry_invocations: u64,
    pub geometry_primitives: u64,
    pub clipper_invocations: u64,
    pub clipper_primitives: u64,
    pub pixel_invocations: u64,
    pub hull_patches: u64,
    pub domain_invocations: u64,
    pub amplification_invocations: u64,
    pub mesh_invocations: u64,
    pub mesh_primitives: u64,
}

/// A draw with what it draws from and to.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    /// The draw.
    pub call: DrawCall,
    /// Indices, if any.
    pub indices: Option<Indices>,
    /// One buffer per vertex slot.
    pub vertex_buffers: Vec<VertexBuffer>,
    /// Render targets, in the order of the pipeline's.
    pub targets: Vec<Attachment>,
    /// Depth buffer.
    pub depth: Option<Attachment>,
    /// Size of the viewport and scissor, in pixels; `None` is all of the target.
    pub viewport: Option<[u32; 2]>,
    /// Viewports instead of that one, as many as the pipeline has.
    pub viewports: Vec<Viewport>,
    /// Buffers of the stream output, by slot.
    pub stream_targets: Vec<StreamTarget>,
    /// Scissors (left, top, width, height), one per viewport; empty: those of the viewports.
    pub scissors: Vec<[u32; 4]>,
    /// For [`BlendFactor::Constant`].
    pub blend_constants: [f32; 4],
    /// The reference of the stencil test, which `Replace` writes.
    pub stencil_reference: u8,
    /// The queries; their results are in the outcome, in this order.
    pub queries: Vec<Query>,
}

impl Default for Draw {
    /// Returns a draw of three vertices without any resource or target.
    fn default() -> Self {
        Draw {
            call: DrawCall::Vertices {
                count: 3,
                instances: 1,
                first: 0,
                first_instance: 0,
            },
            indices: None,
            vertex_buffers: Vec::new(),
            targets: Vec::new(),
            depth: None,
            viewport: None,
            viewports: Vec::new(),
            stream_targets: Vec::new(),
            scissors: Vec::new(),
            blend_constants: [0.0; 4],
            stencil_reference: 0,
            queries: Vec::new(),
        }
    }
}
