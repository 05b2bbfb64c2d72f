//! Names of system values and of signature elements.

use super::context::short;
use crate::dxil::{SemanticKind, SignatureElement};

/// Returns the name that HLSL has for a system value, in lower case.
pub(super) fn system_name(kind: SemanticKind) -> Option<&'static str> {
    use SemanticKind::*;
    Some(match kind {
        Arbitrary => return None,
        VertexId => "sv_vertexid",
        InstanceId => "sv_instanceid",
        Position => "sv_position",
        RenderTargetArrayIndex => "sv_rendertargetarrayindex",
        ViewPortArrayIndex => "sv_viewportarrayindex",
        ClipDistance => "sv_clipdistance",
        CullDistance => "sv_culldistance",
        OutputControlPointId => "sv_outputcontrolpointid",
        DomainLocation => "sv_domainlocation",
        PrimitiveId => "sv_primitiveid",
        GsInstanceId => "sv_gsinstanceid",
        SampleIndex => "sv_sampleindex",
        IsFrontFace => "sv_isfrontface",
        Coverage => "sv_coverage",
        InnerCoverage => "sv_innercoverage",
        Target => "sv_target",
        Depth => "sv_depth",
        DepthLessEqual => "sv_depthlessequal",
        DepthGreaterEqual => "sv_depthgreaterequal",
        StencilRef => "sv_stencilref",
        DispatchThreadId => "sv_dispatchthreadid",
        GroupId => "sv_groupid",
        GroupIndex => "sv_groupindex",
        GroupThreadId => "sv_groupthreadid",
        TessFactor => "sv_tessfactor",
        InsideTessFactor => "sv_insidetessfactor",
        ViewId => "sv_viewid",
        Barycentrics => "sv_barycentrics",
        ShadingRate => "sv_shadingrate",
        CullPrimitive => "sv_cullprimitive",
        StartVertexLocation => "sv_startvertexlocation",
        StartInstanceLocation => "sv_startinstancelocation",
    })
}

/// An element as messages name it.
pub(super) struct ElementName<'a>(pub(super) &'a SignatureElement);

impl std::fmt::Display for ElementName<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (element {})", short(&self.0.name), self.0.id)
    }
}
