//! Nodes of work graphs, and their records.

pub(super) mod launch;
pub(super) mod node;
pub(super) mod node_handles;
pub(super) mod nodes;
pub(super) mod push_constants;
pub(super) mod records;
pub(super) mod state;
