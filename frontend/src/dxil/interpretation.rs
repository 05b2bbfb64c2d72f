//! The interpretation of a system value in each signature of each stage (DXIL document, "HLSL
//! signatures and semantics").

use super::{SemanticKind, ShaderKind};

/// The interpretation of an element in a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interpretation {
    /// The signature does not have it.
    None,
    /// An operation reads it; no signature has it.
    NotInSignature,
    /// Like any value of the user.
    Arbitrary,
    /// A system value.
    SystemValue,
    /// A value that the hardware generates.
    Generated,
    /// A clip or cull distance.
    ClipCull,
    /// A tessellation factor.
    TessFactor,
    /// In the signature for reflection, without register.
    Shadow,
    /// In the signature, without register.
    NotPacked,
    /// A render target.
    Target,
}

impl Interpretation {
    /// Returns whether elements may have it.
    pub(crate) fn is_in_signature(self) -> bool {
        !matches!(self, Interpretation::None | Interpretation::NotInSignature)
    }

    /// Returns whether such elements have registers.
    pub(crate) fn is_packed(self) -> bool {
        self.is_in_signature()
            && !matches!(self, Interpretation::Shadow | Interpretation::NotPacked)
    }
}

/// A signature of an entry point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Input,
    Output,
    /// Patch constants, or primitive outputs.
    Third,
}

/// Returns one letter per signature: vertex in and out, hull control points in and out and patch
/// constants, domain patch constants, control points and out, geometry in and out, pixel in and
/// out, mesh vertices and primitives. `-` is none, `N` not in the signature, `a` arbitrary, `v`
/// system value, `g` generated, `c` clip and cull, `t` tessellation factor, `s` shadow, `p` not
/// packed, `T` target.
fn row(kind: SemanticKind) -> &'static str {
    use SemanticKind::*;
    match kind {
        Arbitrary => "aaaaaaaaaaa-aa",
        VertexId => "v-------------",
        InstanceId => "vaaa--aaaaa---",
        Position => "avvvaavvvvv-v-",
        RenderTargetArrayIndex | ViewPortArrayIndex => "avvvaavvvvv--v",
        ClipDistance | CullDistance => "acccaaccccc-c-",
        DomainLocation => "-----N--------",
        PrimitiveId => "-----N--sgg--v",
        SampleIndex => "----------s---",
        IsFrontFace => "---------gg---",
        Coverage => "----------Np--",
        InnerCoverage => "----------N---",
        Target => "-----------T--",
        Depth | DepthLessEqual | DepthGreaterEqual | StencilRef => "-----------p--",
        TessFactor | InsideTessFactor => "----tt--------",
        ViewId => "N----N----N---",
        Barycentrics => "----------p---",
        ShadingRate => "-vvv--vvvvv--v",
        CullPrimitive => "----------N--p",
        StartVertexLocation | StartInstanceLocation => "N-------------",
        OutputControlPointId | GsInstanceId | DispatchThreadId | GroupId | GroupIndex
        | GroupThreadId => "--------------",
    }
}

/// Returns the minor number of the first shader model with a system value.
fn since(kind: SemanticKind) -> u8 {
    match kind {
        SemanticKind::ViewId | SemanticKind::Barycentrics => 1,
        SemanticKind::ShadingRate => 4,
        SemanticKind::StartVertexLocation | SemanticKind::StartInstanceLocation => 8,
        _ => 0,
    }
}

/// Returns the interpretation of an element in a signature; `minor` is that of the shader model.
pub(crate) fn interpretation(
    kind: SemanticKind,
    stage: ShaderKind,
    direction: Direction,
    minor: u8,
) -> Interpretation {
    use Direction::*;
    let column = match (stage, direction) {
        (ShaderKind::Vertex, Input) => 0,
        (ShaderKind::Vertex, Output) => 1,
        (ShaderKind::Hull, Input) => 2,
        (ShaderKind::Hull, Output) => 3,
        (ShaderKind::Hull, Third) => 4,
        (ShaderKind::Domain, Third) => 5,
        (ShaderKind::Domain, Input) => 6,
        (ShaderKind::Domain, Output) => 7,
        (ShaderKind::Geometry, Input) => 8,
        (ShaderKind::Geometry, Output) => 9,
        (ShaderKind::Pixel, Input) => 10,
        (ShaderKind::Pixel, Output) => 11,
        (ShaderKind::Mesh, Output) => 12,
        (ShaderKind::Mesh, Third) => 13,
        _ => return Interpretation::None,
    };
    if minor < since(kind) {
        return Interpretation::None;
    }
    match row(kind).as_bytes().get(column) {
        Some(b'N') => Interpretation::NotInSignature,
        Some(b'a') => Interpretation::Arbitrary,
        Some(b'v') => Interpretation::SystemValue,
        Some(b'g') => Interpretation::Generated,
        Some(b'c') => Interpretation::ClipCull,
        Some(b't') => Interpretation::TessFactor,
        Some(b's') => Interpretation::Shadow,
        Some(b'p') => Interpretation::NotPacked,
        Some(b'T') => Interpretation::Target,
        _ => Interpretation::None,
    }
}
