//! Facts about the resource of a handle.

use crate::dxil::{ComponentType, ResourceClass, ResourceKind, SamplerKind};

/// Facts about the resource of a handle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HandleFacts {
    pub(super) class: ResourceClass,
    pub(super) kind: ResourceKind,
    pub(super) component: Option<ComponentType>,
    /// Components of a typed resource.
    pub(super) components: u32,
    /// Bytes of a constant buffer.
    pub(super) cbuffer_bytes: u32,
    pub(super) has_counter: bool,
    /// Kind of a sampler.
    pub(super) sampler: Option<SamplerKind>,
    pub(super) is_reorder_coherent: bool,
    /// Number of the declared resource within its class, where the handle names it itself.
    pub(super) id: Option<u32>,
}

impl HandleFacts {
    pub(super) fn is_uav(&self) -> bool {
        self.class == ResourceClass::Uav
    }

    /// Returns whether loads convert its format.
    pub(super) fn is_typed(&self) -> bool {
        self.kind.is_texture()
            || matches!(self.kind, ResourceKind::TypedBuffer | ResourceKind::TBuffer)
    }
}
