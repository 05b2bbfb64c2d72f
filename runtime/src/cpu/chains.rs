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

/// Refuses stages that do not run by themselves: what lies between them is missing then.
pub(super) fn check_alone(kinds: &[ShaderKind]) -> Result<()> {
    use ShaderKind as K;
    let is_chain = matches!(
        kinds,
        [_] | [K::Vertex, K::Hull]
            | [K::Vertex, K::Hull, K::Domain]
            | [K::Hull, K::Domain]
            | [K::Vertex, K::Geometry]
            | [K::Amplification, K::Mesh]
    );
    if is_chain {
        Ok(())
    } else {
        Err(not_by_themselves())
    }
}

pub(super) fn not_by_themselves() -> Error {
    Error::Unsupported(
        "these stages by themselves: without a rasterizer and a tessellator the CPU backend runs \
         vertex, hull, domain, geometry, mesh and pixel shaders alone, vertex with geometry or hull \
         and domain, and amplification with mesh; with a pixel shader they are a draw"
            .into(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use ShaderKind as K;

    #[test]
    fn stages_follow_each_other() {
        for stages in [
            &[K::Pixel][..],
            &[K::Vertex, K::Pixel],
            &[K::Vertex, K::Hull, K::Domain, K::Geometry, K::Pixel],
            &[K::Amplification, K::Mesh, K::Pixel],
        ] {
            assert!(check_stages(stages).is_ok(), "{stages:?}");
        }
        for stages in [
            &[K::Pixel, K::Vertex][..],
            &[K::Vertex, K::Vertex],
            &[K::Vertex, K::Mesh],
            &[K::Mesh, K::Amplification],
        ] {
            let error = check_stages(stages).unwrap_err();
            assert!(matches!(error, Error::BadJob(_)), "{error}");
        }
    }

    #[test]
    fn without_a_tessellator_the_domain_shader_is_the_last_one() {
        assert!(check_alone(&[K::Vertex, K::Hull, K::Domain]).is_ok());
        for stages in [
            &[K::Vertex, K::Hull, K::Domain, K::Geometry][..],
            &[K::Vertex, K::Domain],
            &[K::Vertex, K::Pixel],
        ] {
            let error = check_alone(stages).unwrap_err();
            assert!(matches!(error, Error::Unsupported(_)), "{error}");
        }
    }
}
