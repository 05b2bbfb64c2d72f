//! Nodes of work graphs, and their records.

pub(super) mod entry;
pub(super) mod handles;
pub(super) mod nodes;
pub(super) mod records;
