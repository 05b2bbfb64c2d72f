//! Execution modes, entry points and operations of single stages.

pub(super) mod amplification;
pub(super) mod entry;
pub(super) mod geometry;
pub(super) mod mesh;
pub(super) mod ordered;
pub(super) mod state;
pub(super) mod tessellation;
