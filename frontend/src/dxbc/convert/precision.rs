//! Precision of floats: `precise` components, and minimum precision.
//!
//! Registers hold 32 bits per component, and operations of minimum precision may use more bits than
//! they ask for. So a register keeps its `float`, an operation of minimum precision takes and gives
//! `half` as in DXIL, and casts lie in between. Lowering makes nothing of the casts where it gives
//! such a `half` 32 bits, and marks the operation as one of relaxed precision.
//!
//! Integers of minimum precision are computed in 32 bits, as the rules allow (D3D11.3 functional
//! specification, 7.20.3): no operation on 16 bits would have to be widened again for the register.

use super::context::{FunctionConverter, ReadType};
use super::operands::InstructionOperands;
use super::ssa::Def;
use crate::dxbc::opcode::OperandRole;
use crate::dxbc::tokens::{File, Instruction};
use crate::ir::{CastOp, FastMath, Inst, TypeId, ValueId};

impl FunctionConverter<'_, '_> {
    /// Sets the fast-math flags for components of an instruction's result. Without
    /// `refactoringAllowed` all instructions are precise, with it the components that are marked
    /// (D3D11.3 functional specification, 22.3.2 and 22.19.2).
    pub(super) fn set_precision(&mut self, instruction: &Instruction, components: u8) {
        let refactors = self.declarations.global_flags & (1 << 11) != 0;
        let is_precise = instruction.precise_mask() & u32::from(components) != 0;
        self.fast_math = if refactors && !is_precise {
            FastMath::FAST
        } else {
            FastMath::empty()
        };
    }

    /// Returns whether the present component must be computed as it is written.
    pub(super) fn is_precise(&self) -> bool {
        !self.fast_math.contains(FastMath::FAST)
    }

    /// Takes the minimum precision of an instruction from its destination, which counts for the
    /// whole operation (D3D11.3 functional specification, 7.20.3.4).
    pub(super) fn set_min_precision(&mut self, o: &InstructionOperands<'_>) {
        // D3D11.3 functional specification, 7.20.3.2.1: 1 is a float of 16 bits, 2 one of 10. DXIL
        // has no smaller float than `half`.
        self.min_precision = o
            .of_role(OperandRole::Dst)
            .find(|operand| operand.file != File::Null)
            .is_some_and(|operand| matches!(operand.modifiers.min_precision, 1 | 2));
    }

    /// Returns the type that the present instruction computes floats in.
    pub(super) fn real(&self) -> TypeId {
        if self.min_precision {
            self.shared.module.types.half
        } else {
            self.f32()
        }
    }

    /// Returns a `float` in the type that the present instruction computes in.
    pub(super) fn narrowed(&mut self, value: ValueId) -> ValueId {
        if !self.min_precision {
            return value;
        }
        let (op, ty) = (CastOp::FpTrunc, self.real());
        // There is nothing that a cast of a constant could lie after.
        if self.body.is_constant(value) {
            return self.pure_cast(op, value, ty);
        }
        let forms = (ReadType::Half, ReadType::Float);
        self.cast_behind(value, forms, Inst::Cast { op, value }, ty)
    }

    /// Returns a float that the present instruction has computed.
    pub(super) fn float_result(&mut self, value: ValueId) -> Def {
        if !self.min_precision {
            return Def::Float(value);
        }
        let (op, ty) = (CastOp::FpExt, self.f32());
        let forms = (ReadType::Float, ReadType::Half);
        Def::Float(self.cast_behind(value, forms, Inst::Cast { op, value }, ty))
    }
}
