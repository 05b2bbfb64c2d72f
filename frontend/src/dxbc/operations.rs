//! What conversion may make of instructions.

/// The operations that conversion may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operations {
    /// All that later stages know.
    Any,
    /// Those of shader model 6.0, in the form that DXIL asks for.
    OfFirstModel,
}
