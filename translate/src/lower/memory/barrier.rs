//! Barriers. D3D's modes name memory and scope; SPIR-V takes scopes and memory semantics.

use dxil_frontend::dxil::ops::{BarrierMode, BarrierSemantics, MemoryTypes};

use super::group_order::GroupAccess;
use crate::Result;
use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::spirv::{MemorySemantics, Op, Scope};

impl Lowering<'_> {
    /// `barrier` of SM 6.0.
    pub(in crate::lower) fn barrier(&mut self, mode: BarrierMode) -> Result<Value> {
        let uav =
            mode.intersects(BarrierMode::UAV_FENCE_GLOBAL | BarrierMode::UAV_FENCE_THREAD_GROUP);
        self.emit_barrier(
            mode.contains(BarrierMode::SYNC_THREAD_GROUP),
            mode.contains(BarrierMode::UAV_FENCE_GLOBAL),
            uav,
            mode.contains(BarrierMode::TGSM_FENCE),
        )
    }

    /// The barriers of SM 6.8 on kinds of memory.
    pub(in crate::lower) fn barrier_by_memory(
        &mut self,
        memory: MemoryTypes,
        semantics: BarrierSemantics,
    ) -> Result<Value> {
        self.emit_barrier(
            semantics.contains(BarrierSemantics::GROUP_SYNC),
            semantics.contains(BarrierSemantics::DEVICE_SCOPE),
            memory
                .intersects(MemoryTypes::UAV | MemoryTypes::NODE_INPUT | MemoryTypes::NODE_OUTPUT),
            memory.contains(MemoryTypes::GROUP_SHARED),
        )
    }

    fn emit_barrier(
        &mut self,
        synchronise: bool,
        device: bool,
        uav: bool,
        groupshared: bool,
    ) -> Result<Value> {
        let mut semantics = MemorySemantics::empty();
        let uav = uav || synchronise && self.resources.plan.orders_uavs;
        if uav {
            semantics |= MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
        }
        if groupshared {
            semantics |= MemorySemantics::WORKGROUP_MEMORY;
        }
        if !semantics.is_empty() {
            semantics |= MemorySemantics::ACQUIRE_RELEASE;
        }
        let scope = if device && uav {
            Scope::Device
        } else {
            Scope::Workgroup
        };
        let workgroup = self.b.const_u32(Scope::Workgroup as u32);
        let scope = self.b.const_u32(scope as u32);
        let semantics_id = self.b.const_u32(semantics.bits());
        if synchronise {
            self.inputs.convergent = true;
            if groupshared {
                self.place.group_access = GroupAccess::None;
            }
            self.b
                .emit_void(Op::ControlBarrier, &[workgroup, scope, semantics_id]);
        } else if !semantics.is_empty() {
            self.b.emit_void(Op::MemoryBarrier, &[scope, semantics_id]);
        }
        Ok(Value::Unset)
    }
}
