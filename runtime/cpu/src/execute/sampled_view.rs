//! A texture with the sampler through which it is seen.

use dxil_frontend::dxil::ResourceKind;

use crate::resources::{Sampler, TextureDescriptor};

/// A texture, how it is sampled, and where.
pub(super) struct SampledView<'a> {
    pub(super) texture: &'a TextureDescriptor,
    pub(super) sampler: &'a Sampler,
    pub(super) kind: ResourceKind,
    /// Reference of a comparison.
    pub(super) reference: Option<f32>,
}

/// A place in a texture: normalised coordinates, layer, cube face.
#[derive(Clone, Copy)]
pub(super) struct SamplePosition {
    pub(super) at: [f32; 3],
    pub(super) layer: u32,
    pub(super) face: Option<u32>,
}

pub(super) fn is_cube(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::TextureCube | ResourceKind::TextureCubeArray
    )
}
