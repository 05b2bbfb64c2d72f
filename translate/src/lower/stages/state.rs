//! State of single stages.

use crate::lower::memory::state::PointerId;
use crate::spirv::Id;

/// The payload between amplification and mesh shaders.
#[derive(Debug, Default)]
pub(in crate::lower) struct Payload {
    /// A mesh shader's view of it.
    pub(super) received: Option<PointerId>,
    /// Numbers of groups that `dispatchMesh` stores.
    pub(super) counts: Option<Id>,
    /// The variable that is handed over, if there is one.
    pub(super) sent: Option<Id>,
}
