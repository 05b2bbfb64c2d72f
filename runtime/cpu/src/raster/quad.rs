//! Quads: what a pixel shader runs for.

/// Four pixels: left and right of the upper row, then of the lower row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quad {
    /// Column and row of the first pixel, both even.
    pub at: [u32; 2],
    /// The samples of each pixel that are covered, one bit each.
    pub covered: [u32; 4],
}
