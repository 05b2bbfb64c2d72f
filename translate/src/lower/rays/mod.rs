//! Ray tracing: the stages, inline queries, hit objects, and what they trace against.

pub(super) mod acceleration_structures;
pub(super) mod hit_objects;
pub(super) mod micromaps;
pub(super) mod query;
pub(super) mod ray_stages;
pub(super) mod shader_record;
pub(super) mod state;
