//! State of the block that is being written.

use crate::lower::memory::state::GroupAccess;
use crate::spirv::Id;

/// State of the block that is being written.
#[derive(Debug, Default)]
pub(super) struct BlockState {
    /// Label of the current block.
    pub(super) label: Id,
    /// Operands of the current block's `OpLoopMerge`, until it is written.
    pub(super) loop_merge: Option<[u32; 3]>,
    /// Set if the current block is a whole loop, header and continue target in one, and has been
    /// split: its header, and the continue target that it needs now.
    pub(super) own_continue: Option<(Id, Id)>,
    /// Whether the current block ended early, with another instruction than the IR's terminator.
    pub(super) has_ended: bool,
    /// The last access to group-shared memory.
    pub(super) group_access: GroupAccess,
    /// Values about the lanes of a pixel shader's block.
    pub(super) lanes: Lanes,
}

/// Values about the lanes of a pixel shader's block, valid until a lane becomes a helper. Another
/// block may run with other lanes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lanes {
    /// The block.
    pub(super) label: Id,
    /// Whether this lane is a helper.
    pub(super) is_helper: Option<Id>,
    /// The number of the first lane that is not a helper, and whether there is one.
    pub(super) first: Option<(Id, Id)>,
}
