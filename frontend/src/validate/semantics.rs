//! Names of signature elements.

use super::context::short;
use crate::dxil::SignatureElement;

/// An element as messages name it.
pub(super) struct ElementName<'a>(pub(super) &'a SignatureElement);

impl std::fmt::Display for ElementName<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (element {})", short(&self.0.name), self.0.id)
    }
}
