//! The system values that a signature may have: the table of SemanticKind and SigPointKind of the
//! DXIL document, for signatures. DXC writes no other, so other files are malformed; SPIR-V does
//! not allow the built-in there.

use dxil_frontend::dxil::{SemanticKind, ShaderKind};

use crate::lower::signatures::state::Direction;
/// Returns whether a signature of this stage may hold the semantic.
pub(super) fn may_hold(kind: ShaderKind, direction: Direction, semantic: SemanticKind) -> bool {
    use Direction::{Input, Output, Patch};
    use SemanticKind as S;
    use ShaderKind::{Domain, Geometry, Hull, Mesh, Pixel, Vertex};
    let pixel_output = (kind, direction) == (Pixel, Output);
    let vertex_input = (kind, direction) == (Vertex, Input);
    // Mesh shaders have per-primitive outputs where hull and domain shaders have patch constants.
    let of_patch = direction == Patch && kind != Mesh;
    // Mesh shaders list outputs per primitive as patch constants.
    let of_primitive = direction == Patch && kind == Mesh;
    let of_vertex = !pixel_output && direction != Patch;
    let mesh = kind == Mesh;
    match semantic {
        S::Arbitrary => !pixel_output,
        S::VertexId => vertex_input,
        S::InstanceId => of_vertex && !mesh,
        S::Position | S::ClipDistance | S::CullDistance => of_vertex || of_patch,
        S::RenderTargetArrayIndex | S::ViewPortArrayIndex => {
            (of_vertex && !mesh) || of_patch || of_primitive
        }
        S::PrimitiveId => {
            matches!((kind, direction), (Geometry, Output) | (Pixel, Input)) || of_primitive
        }
        S::IsFrontFace => matches!((kind, direction), (Geometry, Output) | (Pixel, Input)),
        S::SampleIndex | S::Barycentrics => (kind, direction) == (Pixel, Input),
        S::Coverage
        | S::Target
        | S::Depth
        | S::DepthLessEqual
        | S::DepthGreaterEqual
        | S::StencilRef => pixel_output,
        S::TessFactor | S::InsideTessFactor => of_patch && matches!(kind, Hull | Domain),
        S::ShadingRate => (of_vertex && !vertex_input && !mesh) || of_primitive,
        S::CullPrimitive => of_primitive || (kind, direction) == (Pixel, Input),
        S::OutputControlPointId
        | S::DomainLocation
        | S::GsInstanceId
        | S::InnerCoverage
        | S::DispatchThreadId
        | S::GroupId
        | S::GroupIndex
        | S::GroupThreadId
        | S::ViewId
        | S::StartVertexLocation
        | S::StartInstanceLocation => false,
    }
}
