//! Waves and quads: cross-lane operations, derivatives, helper lanes.

pub(super) mod flattened;
pub(super) mod helper_lanes;
pub(super) mod matrices;
pub(super) mod portable_waves;
pub(super) mod quad;
pub(super) mod reductions;
pub(super) mod scope;
pub(super) mod wave;
