//! Splits words into instructions, and finds the type and the result of an instruction.

use std::sync::OnceLock;

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};

use super::Op;

/// Returns the instructions of a section: the opcode, and all words with the first one. The
/// iterator ends at words that are not an instruction.
pub(super) fn instructions(words: &[u32]) -> impl Iterator<Item = (Op, &[u32])> {
    let mut rest = words;
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        // A length of 0 would repeat the same word forever.
        let (instruction, after) = rest.split_at_checked((first >> 16).max(1) as usize)?;
        rest = after;
        Some((Op::from_u32(first & 0xffff)?, instruction))
    })
}

/// The result of an instruction, and the words with its type and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultForm {
    /// No id.
    Nothing,
    /// An id without a type: a type itself, or a label. Its id is the second word.
    Type,
    /// A value: the type is the second word, its id the third.
    Value,
}

impl ResultForm {
    /// Returns the form of an opcode's instructions.
    pub(super) fn of(op: Op) -> ResultForm {
        // rspirv's grammar is a list, so it is turned into a table once.
        static FORMS: OnceLock<Vec<ResultForm>> = OnceLock::new();
        let forms = FORMS.get_or_init(|| {
            let mut forms = Vec::new();
            for instruction in INSTRUCTION_TABLE.iter() {
                let opcode = instruction.opcode as usize;
                if forms.len() <= opcode {
                    forms.resize(opcode + 1, ResultForm::Nothing);
                }
                forms[opcode] = match instruction.operands.first().map(|operand| operand.kind) {
                    Some(OperandKind::IdResultType) => ResultForm::Value,
                    Some(OperandKind::IdResult) => ResultForm::Type,
                    _ => ResultForm::Nothing,
                };
            }
            forms
        });
        forms
            .get(op as usize)
            .copied()
            .unwrap_or(ResultForm::Nothing)
    }
}
