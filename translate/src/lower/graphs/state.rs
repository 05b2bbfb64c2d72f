//! Nodes of work graphs: the data, without the code that works on it.

use dxil_frontend::tables::HashMap;

use crate::spirv::Id;

/// Variables and functions for a node.
#[derive(Debug, Default)]
pub(in crate::lower) struct Nodes {
    /// Blocks of one scalar, by the scalar's type.
    pub(super) blocks: HashMap<Id, Id>,
    /// The block of push constants.
    pub(super) push: Option<Id>,
    /// Variables of the entry point and the node's own function.
    pub(super) variables: Variables,
    /// Group-shared word with which one thread shares a value with the others.
    pub(super) shared: Option<Id>,
}

/// Variables with which the entry point passes values to the node's function, made on first use.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Variables {
    /// Address of the input record, or of the first of the coalesced records.
    pub(super) payload: Option<Id>,
    /// Bytes from record to record (program entries that coalesce).
    pub(super) stride: Option<Id>,
    /// Number of the group's first record.
    pub(super) first: Option<Id>,
    /// Records of the group.
    pub(super) count: Option<Id>,
    /// `SV_GroupID`.
    pub(super) group: Option<Id>,
    /// `SV_DispatchThreadID`.
    pub(super) thread: Option<Id>,
}
