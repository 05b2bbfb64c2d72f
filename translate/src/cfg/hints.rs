//! Hints for branches and loops from attributes of the source; `OpSelectionMerge` and `OpLoopMerge`
//! carry them (SPIR-V specification, 3.2.21 "Selection Control", 3.2.22 "Loop Control").

/// Hint of an `if` or `switch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SelectionHint {
    /// No hint.
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
    /// No hint.
    #[default]
    None,
    /// `[loop]`.
    DontUnroll,
    /// `[unroll]`.
    Unroll,
}
