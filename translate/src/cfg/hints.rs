//! What attributes of the source say about branches and loops (`OpSelectionMerge` and `OpLoopMerge`
//! carry them on).

/// Hint of an `if` or `switch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SelectionHint {
    /// Nothing said.
    #[default]
    None,
    /// `[branch]`, `[forcecase]`, `[call]`: keep the branch.
    Branch,
    /// `[flatten]`.
    Flatten,
}

/// Hint of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LoopHint {
    /// Nothing said.
    #[default]
    None,
    /// `[loop]`.
    DontUnroll,
    /// `[unroll]`.
    Unroll,
}
