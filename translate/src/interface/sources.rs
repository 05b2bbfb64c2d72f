//! Calls that create handles.

use dxil_frontend::dxil::ResourceClass;
use dxil_frontend::dxil::ops::ResourceProperties;
use dxil_frontend::ir::ValueId;
use smallvec::SmallVec;

use crate::{Error, ResourceKey};

/// The source of a handle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    Declared(ResourceKey),
    Heap { sampler: bool },
}

/// An index into an array of library resources: a sum of values, each times a number of elements,
/// as arrays of arrays are one range. Nothing for a single resource.
pub(crate) type LibIndex = SmallVec<[(ValueId, u32); 1]>;

/// Sources of a handle; nearly every handle has one.
pub(super) type HandleCreations = SmallVec<[HandleCreation; 1]>;

/// A call that creates a handle, as one comes to it from a use.
pub(super) struct HandleCreation {
    pub(super) created: ValueId,
    pub(super) root: Root,
    pub(super) annotation: Option<ResourceProperties>,
    pub(super) non_uniform: bool,
    /// The index of a `createHandleForLib`, which hides it in an address.
    pub(super) lib_index: LibIndex,
    /// A number that the element does not exceed, counted from the first of the range.
    pub(super) last: u32,
}

/// Returns an error: the module declares no such resource.
pub(super) fn undeclared(class: ResourceClass, number: u32) -> Error {
    Error::malformed(format!(
        "no resource {}{number} is declared",
        class.letter()
    ))
}
