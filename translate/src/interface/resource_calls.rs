//! Calls of resource operations. The scan decodes them, and the lowering takes them from here.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::ops::Op;
use dxil_frontend::ir::{FuncView, InstId, ValueId};

/// A call of a resource operation.
#[derive(Debug, Clone)]
pub(super) struct ResourceCall {
    pub(super) inst: InstId,
    pub(super) result: Option<ValueId>,
    pub(super) op: Op,
}

/// Stands for no call.
const NONE: u32 = u32::MAX;

/// A function of the shader, and its calls.
#[derive(Clone, Copy)]
pub(super) struct ScannedFunction<'a, 'c> {
    pub(super) view: FuncView<'a>,
    pub(super) calls: &'c ResourceCalls,
}

/// The calls of a function.
#[derive(Debug, Clone, Default)]
pub(super) struct ResourceCalls {
    calls: Vec<ResourceCall>,
    /// Index in `calls` of each instruction.
    indices: Vec<u32>,
}

impl ResourceCalls {
    /// Returns the calls of a function with that many instructions.
    pub(super) fn of(calls: Vec<ResourceCall>, insts: usize) -> ResourceCalls {
        let mut indices = vec![NONE; insts];
        for (number, call) in (0..).zip(&calls) {
            if let Some(index) = indices.get_mut(call.inst.index()) {
                *index = number;
            }
        }
        ResourceCalls { calls, indices }
    }

    /// Returns the calls in the order of the instructions.
    pub(super) fn iter(&self) -> impl Iterator<Item = &ResourceCall> {
        self.calls.iter()
    }

    /// Returns the operation that an instruction calls, if it is one of these.
    #[inline]
    pub(super) fn operation(&self, inst: InstId) -> Option<&Op> {
        let index = *self.indices.get(inst.index())?;
        self.calls.get(index as usize).map(|call| &call.op)
    }
}
