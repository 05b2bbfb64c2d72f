//! What a mesh shader or mesh node declares that it emits.

/// Output topology of a mesh shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum MeshTopology {
    Undefined,
    Line,
    Triangle,
}

/// Declared limits of what a mesh shader emits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeshOutputs {
    /// Maximum number of vertices per group.
    pub max_vertices: u32,
    /// Maximum number of primitives per group.
    pub max_primitives: u32,
    /// Topology.
    pub topology: MeshTopology,
}
