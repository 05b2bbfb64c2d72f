//! Loops that test at their start, and which of them are to test at their end.
//!
//! Compilers of DXBC write all loops as `loop; T; breakc; B; endloop`. That runs T once more than
//! B, and so does the following, with the same lanes each time:
//!
//! ```text
//!   T; if not; loop; B; T; breakc; endloop; endif
//! ```
//!
//! A driver that runs loops under lane masks and looks for the end at `endloop` alone has one round
//! less of B with it, in which no lane is left. The guard costs such a driver another mask in each
//! round, so that it is worth it only where B is not cheap, and it falls away where constants tell
//! that the first round takes place.

use crate::dxbc::opcode::{Opcode, OperandRole};
use crate::dxbc::reader::Program;
use crate::dxbc::tokens::{File, Instruction, Operand};
use crate::tables::HashMap;

/// Maximum number of instructions of a test, which are there twice.
const MAX_TEST: usize = 8;

/// A loop whose test goes to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rotation {
    /// The instructions of the test: first, and one past the last, which is the instruction with
    /// the condition for leaving the loop.
    pub(super) test: (u32, u32),
    /// The first instruction of the body.
    pub(super) body: u32,
    /// Whether it is not known that the first round takes place.
    pub(super) is_guarded: bool,
}

impl Rotation {
    /// Returns the instruction that has the condition for leaving the loop.
    pub(super) fn exit(self) -> u32 {
        self.test.1
    }
}

/// A loop that has not ended.
struct OpenLoop {
    at: u32,
    rotation: Option<Rotation>,
    /// Whether its body accesses resources or shared memory.
    accesses_memory: bool,
}

/// Returns the loops of a program whose test goes to their end, by the instruction `loop`.
pub(super) fn find(program: &Program) -> HashMap<u32, Rotation> {
    let mut rotations = HashMap::default();
    let mut open: Vec<OpenLoop> = Vec::new();
    let mut constants = Constants::default();
    for (at, instruction) in (0_u32..).zip(&program.instructions) {
        match instruction.opcode {
            Opcode::Loop => open.push(OpenLoop {
                at,
                rotation: test_at_start(program, at, &constants),
                accesses_memory: false,
            }),
            Opcode::Endloop => {
                if let Some(ended) = open.pop() {
                    if let Some(around) = open.last_mut() {
                        around.accesses_memory |= ended.accesses_memory;
                    }
                    let worth = |found: &Rotation| !found.is_guarded || ended.accesses_memory;
                    if let Some(rotation) = ended.rotation.filter(worth) {
                        rotations.insert(ended.at, rotation);
                    }
                }
            }
            // It goes to the test, which is not where the body ends.
            Opcode::Continue | Opcode::Continuec => {
                if let Some(innermost) = open.last_mut() {
                    innermost.rotation = None;
                }
            }
            // Loops do not reach into another subroutine or phase.
            Opcode::Label
            | Opcode::HsControlPointPhase
            | Opcode::HsForkPhase
            | Opcode::HsJoinPhase => open.clear(),
            _ if accesses_memory(instruction.opcode) => {
                if let Some(innermost) = open.last_mut() {
                    innermost.accesses_memory = true;
                }
            }
            _ => {}
        }
        constants.step(program, instruction);
    }
    rotations
}

/// Returns the test at the start of a loop. `constants` are known in front of it.
fn test_at_start(program: &Program, at: u32, constants: &Constants) -> Option<Rotation> {
    let start = at as usize + 1;
    let code = program.instructions.get(start..)?;
    let length = code
        .iter()
        .take(MAX_TEST + 1)
        .position(|instruction| !is_plain(instruction.opcode))?;
    let exit = code.get(length)?;
    let behind = code.get(length + 1..).unwrap_or_default();
    let length_of_exit = match (exit.opcode, behind) {
        (Opcode::Breakc, _) => 1,
        (Opcode::If, [first, second, ..])
            if first.opcode == Opcode::Break && second.opcode == Opcode::Endif =>
        {
            3
        }
        _ => return None,
    };
    let mut constants = constants.clone();
    for instruction in code.get(..length)? {
        constants.step(program, instruction);
    }
    let condition = program.operands_of(exit).first()?;
    let leaves = constants
        .source(condition, 0)
        .map(|bits| (bits != 0) == exit.tests_nonzero());
    let number = |length: usize| u32::try_from(start + length).ok();
    Some(Rotation {
        test: (number(0)?, number(length)?),
        body: number(length + length_of_exit)?,
        is_guarded: leaves != Some(false),
    })
}

/// Returns whether an instruction only computes registers from registers.
fn is_plain(opcode: Opcode) -> bool {
    use OperandRole as Role;
    let row = opcode.row();
    matches!(row.operands, [first, ..] if first.role == Role::Dst)
        && row.operands.iter().all(|operand| {
            matches!(
                operand.role,
                Role::Dst | Role::Src | Role::One | Role::Vec2 | Role::Vec3 | Role::Vec4
            )
        })
}

fn accesses_memory(opcode: Opcode) -> bool {
    use OperandRole as Role;
    opcode.row().operands.iter().any(|operand| {
        matches!(
            operand.role,
            Role::Srv | Role::Uav | Role::Memory | Role::Store | Role::Atomic
        )
    })
}

/// What is known of temporaries in a stretch of code without control flow.
#[derive(Debug, Clone, Default)]
struct Constants {
    /// The bits of components.
    known: HashMap<(u32, u8), u32>,
}

impl Constants {
    /// Goes past an instruction.
    fn step(&mut self, program: &Program, instruction: &Instruction) {
        use Opcode as O;
        let operands = program.operands_of(instruction);
        match instruction.opcode {
            // Code after them may be reached another way.
            O::If
            | O::Else
            | O::Endif
            | O::Loop
            | O::Endloop
            | O::Switch
            | O::Case
            | O::Default
            | O::Endswitch
            | O::Label
            | O::Call
            | O::Callc
            | O::InterfaceCall
            | O::HsControlPointPhase
            | O::HsForkPhase
            | O::HsJoinPhase => {
                self.known.clear();
                return;
            }
            _ => {}
        }
        let mut results = [None; 4];
        let is_exact =
            |dst: &&Operand| dst.modifiers.min_precision == 0 && !instruction.saturates();
        if let Some(dst) = operands.first().filter(is_exact) {
            let mask = dst.components.mask();
            for (component, result) in (0..4).zip(&mut results) {
                if mask >> component & 1 != 0 {
                    *result = self.result(instruction.opcode, operands, component);
                }
            }
        }
        for (slot, dst) in instruction.opcode.row().operands.iter().zip(operands) {
            if slot.role != OperandRole::Dst || dst.file != File::Temp {
                continue;
            }
            let mask = dst.components.mask();
            for (component, result) in (0..4).zip(results) {
                if mask >> component & 1 == 0 {
                    continue;
                }
                let register = (dst.first_index(), component);
                match result {
                    Some(bits) => self.known.insert(register, bits),
                    None => self.known.remove(&register),
                };
            }
        }
    }

    /// Returns a component of an instruction's only result. Other instructions than those of loop
    /// counters have none.
    fn result(&self, opcode: Opcode, operands: &[Operand], component: u8) -> Option<u32> {
        use Opcode as O;
        let source = |index: usize| self.source(operands.get(index)?, component);
        let mask = |holds: bool| if holds { u32::MAX } else { 0 };
        let floats = || Some((exact_float(source(1)?)?, exact_float(source(2)?)?));
        Some(match opcode {
            O::Mov => source(1)?,
            O::Iadd => source(1)?.wrapping_add(source(2)?),
            O::And => source(1)? & source(2)?,
            O::Or => source(1)? | source(2)?,
            O::Not => !source(1)?,
            O::Ieq => mask(source(1)? == source(2)?),
            O::Ine => mask(source(1)? != source(2)?),
            O::Ult => mask(source(1)? < source(2)?),
            O::Uge => mask(source(1)? >= source(2)?),
            O::Ilt => mask(source(1)?.cast_signed() < source(2)?.cast_signed()),
            O::Ige => mask(source(1)?.cast_signed() >= source(2)?.cast_signed()),
            O::Lt => floats().map(|(a, b)| mask(a < b))?,
            O::Ge => floats().map(|(a, b)| mask(a >= b))?,
            _ => return None,
        })
    }

    /// Returns the bits of an operand's component, where they are known.
    fn source(&self, operand: &Operand, component: u8) -> Option<u32> {
        let modifiers = operand.modifiers;
        if modifiers.negate || modifiers.absolute || modifiers.min_precision != 0 {
            return None;
        }
        let component = operand.components.source(component);
        match operand.file {
            File::Immediate32 => operand.words.get(usize::from(component)).copied(),
            File::Temp => self.known.get(&(operand.first_index(), component)).copied(),
            _ => None,
        }
    }
}

/// Returns a float that every device compares alike: neither NaN nor a denormal, which may count as
/// 0.
fn exact_float(bits: u32) -> Option<f32> {
    let value = f32::from_bits(bits);
    (value.is_normal() || value == 0.0).then_some(value)
}
