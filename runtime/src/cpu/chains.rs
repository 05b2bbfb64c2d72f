//! The stages that run together, in their order.

use dxil_frontend::dxil::ShaderKind;

use crate::error::{Error, Result};

/// Refuses shaders that are not stages of one draw in their order.
pub(super) fn check_stages(kinds: &[ShaderKind]) -> Result<()> {
    use ShaderKind as K;
    let is_chain = |order: &[ShaderKind]| {
        let places = kinds
            .iter()
            .map(|kind| order.iter().position(|other| other == kind));
        let places: Option<Vec<usize>> = places.collect();
        places.is_some_and(|places| places.is_sorted_by(|a, b| a < b))
    };
    if kinds.len() == 1
        || is_chain(&[K::Vertex, K::Hull, K::Domain, K::Geometry, K::Pixel])
        || is_chain(&[K::Amplification, K::Mesh, K::Pixel])
    {
        return Ok(());
    }
    let names: Vec<&str> = kinds.iter().map(|kind| kind.prefix()).collect();
    Err(Error::BadJob(format!(
        "the stages {} do not follow each other in a draw",
        names.join(", ")
    )))
}

pub(super) fn not_by_themselves() -> Error {
    Error::Unsupported(
        "these stages by themselves: without a rasterizer and a tessellator the CPU backend runs \
         vertex, hull, domain, geometry, mesh and pixel shaders alone, vertex with geometry or hull \
         and domain, and amplification with mesh; with a pixel shader they are a draw"
            .into(),
    )
}
