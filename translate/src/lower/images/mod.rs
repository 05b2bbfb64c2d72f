//! Textures: loads, stores, sampling, queries, atomics and feedback.

pub(super) mod atomics_portable;
pub(super) mod bounds;
pub(super) mod feedback;
pub(super) mod feedback_neighbours;
pub(super) mod query;
pub(super) mod sample;
pub(super) mod texture;
pub(super) mod types;
