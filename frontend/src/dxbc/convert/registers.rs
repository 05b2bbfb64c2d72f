//! The operands that are variables, and their readers and writers: a walk in front of conversion.

use super::flow::{ConstructTree, StepKind};
use super::ssa::{RegisterComponent, Variables};
use crate::dxbc::declarations::Declarations;
use crate::dxbc::opcode::{Opcode, OperandRole, OperandType};
use crate::dxbc::reader::Program;
use crate::dxbc::tokens::{File, Instruction, Operand};
use crate::tables::HashMap;

/// Returns the files of temporaries that are memory because some index into them is not a constant,
/// with the components that the code names.
pub(super) fn find_arrays(program: &Program) -> HashMap<u32, u8> {
    let operands = || {
        let operands = program.operands.iter();
        operands.filter(|operand| operand.file == File::IndexableTemp)
    };
    let mut arrays: HashMap<u32, u8> = operands()
        .filter(|operand| operand.indices[1].relative.is_some())
        .map(|operand| (operand.first_index(), 0))
        .collect();
    for operand in operands() {
        if let Some(components) = arrays.get_mut(&operand.first_index()) {
            *components |= operand.components.named();
        }
    }
    arrays
}

/// The meaning of an operand of a register file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegisterLocation {
    /// A variable for each component; its number is that of the register.
    Variables {
        /// File and number of it.
        file: u32,
        /// Register.
        index: u32,
    },
    /// An element of a local array: which one.
    Array {
        /// Its key.
        key: (u32, u32),
    },
    /// Nothing: the null register.
    Null,
    /// No register that code may write.
    Other,
}

impl RegisterLocation {
    /// Returns a component of it as a variable.
    pub(super) fn variable(self, component: u8) -> Option<RegisterComponent> {
        match self {
            RegisterLocation::Variables { file, index } => Some(RegisterComponent {
                file,
                index,
                component,
            }),
            _ => None,
        }
    }
}

/// Returns the number of a file among variables; indexable files have one each.
pub(super) fn file_number(file: File, which: u32) -> u32 {
    u32::from(file as u8) | which << 8
}

/// Returns the location of an operand.
pub(super) fn locate(
    declarations: &Declarations,
    arrays: &HashMap<u32, u8>,
    operand: &Operand,
) -> RegisterLocation {
    let index = operand.indices;
    match operand.file {
        File::Temp => RegisterLocation::Variables {
            file: file_number(File::Temp, 0),
            index: index[0].offset,
        },
        // A join phase reads what fork phases wrote as patch constants.
        File::Output | File::InputPatchConstant => {
            let register = index[0].offset;
            let is_indexed =
                index[0].relative.is_some() || declarations.is_indexed_output(register);
            if is_indexed {
                RegisterLocation::Array {
                    key: (u32::from(File::Output as u8), 0),
                }
            } else {
                RegisterLocation::Variables {
                    file: file_number(File::Output, 0),
                    index: register,
                }
            }
        }
        File::IndexableTemp => {
            let which = index[0].offset;
            // `file_number` has 24 bits for the number of an array.
            if arrays.contains_key(&which) || which >> 24 != 0 {
                RegisterLocation::Array {
                    key: (u32::from(File::IndexableTemp as u8), which),
                }
            } else {
                RegisterLocation::Variables {
                    file: file_number(File::IndexableTemp, which),
                    index: index[1].offset,
                }
            }
        }
        File::OutputDepth | File::OutputDepthGreaterEqual | File::OutputDepthLessEqual => {
            RegisterLocation::Variables {
                file: file_number(File::OutputDepth, 0),
                index: 0,
            }
        }
        File::OutputCoverageMask | File::OutputStencilRef => RegisterLocation::Variables {
            file: file_number(operand.file, 0),
            index: 0,
        },
        File::Null => RegisterLocation::Null,
        _ => RegisterLocation::Other,
    }
}

/// Notes all writes of variables, and how they are used.
pub(super) fn find_variables(
    program: &Program,
    declarations: &Declarations,
    arrays: &HashMap<u32, u8>,
    flow: &ConstructTree,
) -> Variables {
    let mut variables = Variables::default();
    for (number, block) in (0..).zip(&flow.blocks) {
        for step in block.steps.clone() {
            let Some(StepKind::Instruction(index)) = flow.steps.get(step as usize).map(|s| s.kind)
            else {
                continue;
            };
            let Some(instruction) = program.instructions.get(index as usize) else {
                continue;
            };
            note_uses(&mut variables, program, instruction, (declarations, arrays));
            let row = instruction.opcode.row();
            let slots = row.operands.iter();
            for (slot, operand) in slots.zip(program.operands_of(instruction)) {
                if slot.role != OperandRole::Dst {
                    continue;
                }
                let location = locate(declarations, arrays, operand);
                let mask = operand.components.mask();
                let vote = match instruction.opcode {
                    // A plain move says nothing about the type, but only floats saturate.
                    Opcode::Mov if instruction.saturates() => 1,
                    _ => vote_of(slot.kind),
                };
                for component in components(mask) {
                    if let Some(register) = location.variable(component) {
                        variables.note_write(register, step, number, vote);
                    }
                }
            }
        }
    }
    variables
}

/// Notes the uses of earlier results by an instruction.
fn note_uses(
    variables: &mut Variables,
    program: &Program,
    instruction: &Instruction,
    (declarations, arrays): (&Declarations, &HashMap<u32, u8>),
) {
    let row = instruction.opcode.row();
    let operands = program.operands_of(instruction);
    let mask = operands.first().map_or(0xf, |dst| dst.components.mask());
    for (slot, operand) in row.operands.iter().zip(operands) {
        let vote = vote_of(slot.kind);
        if slot.role == OperandRole::Dst || vote == 0 {
            continue;
        }
        let location = locate(declarations, arrays, operand);
        let mask = if slot.role == OperandRole::Src {
            mask
        } else {
            1
        };
        for component in components(mask) {
            let component = operand.components.source(component);
            if let Some(register) = location.variable(component) {
                variables.note_use(register, vote);
            }
        }
    }
}

fn vote_of(kind: OperandType) -> i32 {
    match kind {
        OperandType::F | OperandType::R => 1,
        // Doubles are pairs of words, which `MakeDouble` takes as integers.
        OperandType::I | OperandType::U | OperandType::D | OperandType::B => -1,
        OperandType::X | OperandType::N => 0,
    }
}

/// Returns the components whose bits are set.
pub(super) fn components(mask: u8) -> impl Iterator<Item = u8> {
    (0..4).filter(move |component| mask >> component & 1 != 0)
}
