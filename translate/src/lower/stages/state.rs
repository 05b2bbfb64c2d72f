//! What single stages keep while they are lowered.

use dxil_frontend::ir::ValueId;

use crate::lower::memory::state::PointerId;
use crate::spirv::Id;

/// The payload between amplification and mesh shaders.
#[derive(Debug, Default)]
pub(in crate::lower) struct Payload {
    /// A mesh shader's view of it.
    pub(super) received: Option<PointerId>,
    /// The groupshared variable that is the payload itself.
    pub(in crate::lower) shared: Option<ValueId>,
    /// The groupshared variable that is read too, hence copied.
    pub(super) copied: Option<ValueId>,
    /// Numbers of groups, where `dispatchMesh` notes them.
    pub(super) counts: Option<Id>,
    /// The variable that is handed over, if there is one.
    pub(super) sent: Option<Id>,
}
