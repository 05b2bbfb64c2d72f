//! The ways in which a value reaches another block that uses it, where control no longer leads
//! directly from one to the other.

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{FuncView, Inst, InstId, Type, TypeId, ValueDef, ValueId};

use super::pinned_blocks::operation;

/// The way in which a value reaches another block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Crossing {
    /// In a variable.
    Stored,
    /// It is available in every block (a variable, an object).
    Everywhere,
    /// It is computed again in that block, by this instruction from these values.
    Recomputed(InstId, Vec<ValueId>),
    /// It cannot be used there.
    Impossible,
}

impl Crossing {
    /// Returns the way in which a value of a function reaches another block.
    pub fn of(view: FuncView<'_>, value: ValueId) -> Crossing {
        let Some(data) = view.value(value) else {
            return Crossing::Stored;
        };
        let ValueDef::Inst(inst) = data.def else {
            return Crossing::Everywhere;
        };
        let Some(code) = view.function.insts.get(inst) else {
            return Crossing::Impossible;
        };
        let again = || {
            let mut operands = Vec::new();
            view.function
                .for_each_operand(&code.inst, |operand| operands.push(operand));
            Crossing::Recomputed(inst, operands)
        };
        let is_pointer = matches!(view.module.types.get(data.ty), Type::Pointer { .. });
        match code.inst {
            Inst::Alloca { .. } => Crossing::Everywhere,
            // Variables hold no pointers without the capability for variable pointers (SPIR-V
            // specification, 2.16.1), so that addresses and handles are made again.
            Inst::Gep { .. } => again(),
            Inst::Cast { .. } if is_pointer => again(),
            // A pointer that is chosen among several is represented by an index.
            Inst::Phi { .. } | Inst::Select { .. } if is_pointer => Crossing::Stored,
            // Handles of libraries are loaded from constant globals.
            Inst::Load { .. } if holds_pointer(view, data.ty) => again(),
            Inst::Call { callee, args, .. } => match operation(view, callee, args) {
                Some(
                    Opcode::CreateHandle
                    | Opcode::CreateHandleForLib
                    | Opcode::CreateHandleFromBinding
                    | Opcode::CreateHandleFromHeap
                    | Opcode::AnnotateHandle,
                ) => again(),
                Some(Opcode::AllocateRayQuery | Opcode::AllocateRayQuery2) => Crossing::Everywhere,
                _ if holds_pointer(view, data.ty) => Crossing::Impossible,
                _ => Crossing::Stored,
            },
            _ if holds_pointer(view, data.ty) => Crossing::Impossible,
            _ => Crossing::Stored,
        }
    }
}

/// Returns whether values of a type are addresses or contain one, as handles do.
fn holds_pointer(view: FuncView<'_>, ty: TypeId) -> bool {
    let types = &view.module.types;
    let is_pointer = |ty: TypeId| matches!(types.get(ty), Type::Pointer { .. });
    match types.get(ty) {
        Type::Pointer { .. } => true,
        Type::Struct { fields, .. } => fields.iter().any(|&field| is_pointer(field)),
        _ => false,
    }
}
