//! The stages that run without a rasterizer, in their order.

use dxil_frontend::dxil::ShaderKind;

use crate::error::{Error, Result};

/// Refuses shaders that are not stages which run by themselves one after the other.
pub(super) fn check_stages(kinds: &[ShaderKind]) -> Result<()> {
    use ShaderKind as K;
    let is_chain = matches!(
        kinds,
        [_] | [K::Vertex, K::Hull]
            | [K::Vertex, K::Hull, K::Domain]
            | [K::Hull, K::Domain]
            | [K::Vertex, K::Geometry]
            | [K::Amplification, K::Mesh]
    );
    if is_chain { Ok(()) } else { Err(no_draws()) }
}

pub(super) fn no_draws() -> Error {
    Error::Unsupported(
        "draws on the CPU backend, which has no rasterizer and no tessellator: it runs stages by \
         themselves (vertex, hull, domain, geometry, mesh and pixel shaders alone, vertex with \
         geometry or hull and domain, amplification with mesh) and captures their outputs; the \
         Vulkan backend draws"
            .into(),
    )
}
