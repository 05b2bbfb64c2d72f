//! Operations of a draw's stages besides loading inputs and storing outputs.

use super::record_layout::RecordScalar;

/// An operation of a stage of a draw. Comments name sources and results.
#[derive(Debug, Clone)]
pub(crate) enum RasterOp {
    /// vertices, primitives.
    MeshCounts,
    /// primitive, 3 vertices.
    MeshIndices,
    /// word in the vertex, value, vertex.
    VertexOutput,
    /// word in the primitive, value, primitive.
    PrimitiveOutput,
    /// -> address: copies the payload to the lane's memory, from this word on.
    Payload {
        at: u32,
        scalars: Box<[RecordScalar]>,
    },
    /// 3 numbers of groups, address of the payload.
    DispatchMesh {
        is_groupshared: bool,
        scalars: Box<[RecordScalar]>,
    },
    /// Adds the outputs as a vertex to a stream.
    Emit(u8),
    /// Ends the strip of a stream.
    Cut(u8),
    /// condition: the lanes go on as helpers.
    Discard,
    /// -> whether the lane is a helper.
    IsHelper,
    /// sample, number of samples -> x, y.
    SamplePosition,
}
