//! State of a graphics pipeline and of a draw, in D3D12's words.

use crate::format::Format;
use crate::job::{Comparison, ResourceId};

/// How vertices become primitives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum Topology {
    PointList,
    LineList,
    LineStrip,
    #[default]
    TriangleList,
    TriangleStrip,
    LineListAdjacency,
    LineStripAdjacency,
    TriangleListAdjacency,
    TriangleStripAdjacency,
    /// Patches of that many control points.
    PatchList(u32),
}

/// One vertex buffer slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VertexSlot {
    /// Bytes from one vertex (or instance) to the next.
    pub stride: u32,
    /// Whether it advances per instance.
    pub per_instance: bool,
}

/// One vertex attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// Which faces are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum Cull {
    #[default]
    None,
    Front,
    Back,
}

/// Factor of a blend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum BlendFactor {
    Zero,
    One,
    SourceColor,
    InverseSourceColor,
    SourceAlpha,
    InverseSourceAlpha,
    DestinationColor,
    InverseDestinationColor,
    DestinationAlpha,
    InverseDestinationAlpha,
    Source1Color,
    InverseSource1Color,
    Source1Alpha,
    InverseSource1Alpha,
}

/// Operation of a blend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum BlendOp {
    #[default]
    Add,
    Subtract,
    ReverseSubtract,
    Min,
    Max,
}

/// How a fragment's colour meets what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Blend {
    /// Factors of colour: source, destination.
    pub color: (BlendFactor, BlendFactor),
    /// Operation on colour.
    pub color_op: BlendOp,
    /// Factors of alpha: source, destination.
    pub alpha: (BlendFactor, BlendFactor),
    /// Operation on alpha.
    pub alpha_op: BlendOp,
}

/// State of one render target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetState {
    /// Format.
    pub format: Format,
    /// Blend; `None` replaces.
    pub blend: Option<Blend>,
    /// Bit per channel that is written: red 1, green 2, blue 4, alpha 8.
    pub write_mask: u8,
}

impl TargetState {
    /// A target that fragments replace.
    pub fn new(format: Format) -> Self {
        TargetState {
            format,
            blend: None,
            write_mask: 15,
        }
    }
}

/// State of the depth buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DepthState {
    /// Format.
    pub format: Format,
    /// Test; `None` lets all fragments pass.
    pub test: Option<Comparison>,
    /// Whether fragments that pass write their depth.
    pub write: bool,
}

/// State of a graphics pipeline besides its shaders.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GraphicsState {
    /// Topology.
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
    /// Depth buffer.
    pub depth: Option<DepthState>,
    /// Samples of the targets; 0 counts as 1.
    pub samples: u32,
    /// Viewports that the draw names; 0 counts as 1.
    pub viewports: u32,
    /// Layers that a draw goes to, one bit each, with another `SV_ViewID` for each; 0 is none of that.
    pub view_mask: u32,
    /// Geometry shader stream that is rasterized.
    pub rasterized_stream: u32,
}

/// Where a draw's indices come from.
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

/// Where the vertices of a slot come from.
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
    /// Mip.
    pub mip: u32,
    /// First layer.
    pub layer: u32,
    /// What it is cleared to first: a colour, or depth in the first number. `None` keeps it.
    pub clear: Option<[f32; 4]>,
    /// Single-sampled texture that the samples are averaged into afterwards.
    pub resolve: Option<ResourceId>,
}

/// What is drawn.
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
}

/// A draw with what it draws from and to.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    /// What is drawn.
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
    /// Viewports (x, y, width, height) instead of that one, as many as the pipeline has.
    pub viewports: Vec<[f32; 4]>,
    /// Buffers of the stream output, by slot.
    pub stream_targets: Vec<StreamTarget>,
}
