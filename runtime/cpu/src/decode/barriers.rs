//! Barriers.

use dxil_frontend::dxil::ops::{BarrierMode, BarrierOp, BarrierSemantics, MemoryTypes};

use super::code::{ComplexOp, Fence, Probe, RegisterSlot};
use super::function::Decoder;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Decodes a barrier. Memory is always in order, so that only waiting remains; the checks read
    /// the fence.
    pub(super) fn barrier(&mut self, op: &BarrierOp) -> Result<Vec<RegisterSlot>> {
        let (waits, fence) = match op {
            BarrierOp::Barrier(op) => {
                use BarrierMode as M;
                let fence = Fence {
                    groupshared: op.mode.contains(M::TGSM_FENCE),
                    uavs: op
                        .mode
                        .intersects(M::UAV_FENCE_GLOBAL | M::UAV_FENCE_THREAD_GROUP),
                };
                (op.mode.contains(M::SYNC_THREAD_GROUP), fence)
            }
            BarrierOp::BarrierByMemoryType(op) => {
                let fence = Fence {
                    groupshared: op.memory.contains(MemoryTypes::GROUP_SHARED),
                    uavs: op.memory.contains(MemoryTypes::UAV),
                };
                (op.semantics.contains(BarrierSemantics::GROUP_SYNC), fence)
            }
            BarrierOp::BarrierByMemoryHandle(op) => {
                let fence = Fence {
                    groupshared: false,
                    uavs: true,
                };
                (op.semantics.contains(BarrierSemantics::GROUP_SYNC), fence)
            }
            BarrierOp::BarrierByNodeRecordHandle(op) => {
                let waits = op.semantics.contains(BarrierSemantics::GROUP_SYNC);
                (waits, Fence::default())
            }
        };
        // Waves of a group run one at a time and see each other's writes at once: a fence alone has
        // nothing to do.
        if waits {
            self.complex(ComplexOp::GroupSync(fence), &[], &[]);
        } else if self.module.checks.look_at_races() {
            self.complex(ComplexOp::Probe(Probe::Fence(fence)), &[], &[]);
        }
        Ok(Vec::new())
    }
}
