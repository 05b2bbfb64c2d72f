//! The operands of an instruction, by position and by role.

use crate::dxbc::opcode::OperandRole;
use crate::dxbc::tokens::{File, Instruction, Operand};
use crate::error::{Error, ErrorKind, Result};

/// An instruction with its operands.
pub(super) struct InstructionOperands<'o> {
    pub(super) instruction: &'o Instruction,
    list: &'o [Operand],
}

impl<'o> InstructionOperands<'o> {
    /// Returns the operands of an instruction, in the order of its row in the table.
    pub(super) fn new(instruction: &'o Instruction, list: &'o [Operand]) -> Self {
        InstructionOperands { instruction, list }
    }

    /// Returns the first operand, if there is one.
    pub(super) fn first(&self) -> Option<&'o Operand> {
        self.list.first()
    }

    /// Returns the n-th operand.
    ///
    /// # Errors
    ///
    /// `Internal` if the row has fewer operands.
    pub(super) fn at(&self, index: usize) -> Result<&'o Operand> {
        let found = self.list.get(index);
        found.ok_or_else(|| Error::new(ErrorKind::Internal("an operand that the table lacks")))
    }

    /// Returns the operands of a role, in order.
    pub(super) fn of_role(&self, role: OperandRole) -> impl Iterator<Item = &'o Operand> {
        let row = self.instruction.opcode.row();
        let slots = row.operands.iter().zip(self.list);
        slots
            .filter(move |(slot, _)| slot.role == role)
            .map(|(_, operand)| operand)
    }

    /// Returns the n-th operand of a role.
    ///
    /// # Errors
    ///
    /// `Internal` if the row has fewer operands of it.
    pub(super) fn by_role(&self, role: OperandRole, nth: usize) -> Result<&'o Operand> {
        self.of_role(role)
            .nth(nth)
            .ok_or_else(|| Error::new(ErrorKind::Internal("an operand that the table lacks")))
    }

    /// Returns whether a destination is the null register.
    pub(super) fn is_null(&self, index: usize) -> bool {
        self.list
            .get(index)
            .is_some_and(|operand| operand.file == File::Null)
    }

    /// Returns whether the second destination takes the status of tiles.
    pub(super) fn has_status(&self) -> bool {
        self.instruction.opcode.mnemonic().ends_with("_s")
    }
}
