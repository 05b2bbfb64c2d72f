//! Textures: loads, stores, sampling, queries, atomics and feedback.

pub(super) mod atomics_portable;
pub(super) mod feedback;
pub(super) mod feedback_neighbours;
pub(super) mod image_query;
pub(super) mod image_types;
pub(super) mod sample;
pub(super) mod sample_positions;
pub(super) mod texel_bounds;
pub(super) mod texels;
pub(super) mod texture;
