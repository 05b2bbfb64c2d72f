//! Where the code being written stands.

use crate::lower::memory::state::GroupAccess;
use crate::spirv::Id;

/// Where the code being written stands.
#[derive(Debug, Default)]
pub(super) struct BlockState {
    /// Label of the block under construction.
    pub(super) label: Id,
    /// Operands of the `OpLoopMerge` of the block under construction, until it is written.
    pub(super) loop_merge: Option<[u32; 3]>,
    /// The block under construction is a whole loop, header and continue target in one, and has
    /// been split: its header, and the continue target that it needs now.
    pub(super) own_continue: Option<(Id, Id)>,
    /// The block under construction has its last instruction, which is not the terminator that the
    /// IR has.
    pub(super) has_ended: bool,
    /// The last access to group-shared memory.
    pub(super) group_access: GroupAccess,
    /// What a block of a pixel shader has found out about its lanes.
    pub(super) lanes: Lanes,
}

/// What a block of a pixel shader has found out about its lanes, until a lane becomes a helper.
/// Another block may run with other lanes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lanes {
    /// The block.
    pub(super) label: Id,
    /// Whether this lane is a helper.
    pub(super) is_helper: Option<Id>,
    /// The number of the first lane that is none, and whether there is one.
    pub(super) first: Option<(Id, Id)>,
}
