//! Lists a program in the form that fxc's users know.

mod declarations;
mod operands;

use std::fmt::Write as _;

use self::declarations::{write_custom_data, write_declaration};
use self::operands::{dimension_name, letters, return_types, write_operand};
use super::opcode::{Opcode, OperandRole};
use super::reader::Program;
use super::tokens::{Dimension, File, Instruction};

/// Columns that a level of nesting is moved to the right.
const INDENT: usize = 2;

/// Deepest nesting that is shown by columns.
const MAX_INDENT: usize = 32;

/// Returns the whole program as text: the profile, then a line for each declaration and
/// instruction.
pub fn text(program: &Program) -> String {
    let mut out = profile(program);
    out.push('\n');
    let mut depth: usize = 0;
    for instruction in &program.instructions {
        use Opcode as O;
        let ends = matches!(
            instruction.opcode,
            O::Else | O::Endif | O::Endloop | O::Endswitch | O::Case | O::Default
        );
        let level = if ends { depth.saturating_sub(1) } else { depth };
        // Bounded: with deep nesting the indentation alone would be quadratic in the program's
        // length.
        out.extend(std::iter::repeat_n(' ', level.min(MAX_INDENT) * INDENT));
        write_instruction(&mut out, program, instruction);
        out.push('\n');
        match instruction.opcode {
            O::If | O::Loop | O::Switch => depth += 1,
            O::Endif | O::Endloop | O::Endswitch => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    out
}

/// Returns the profile: `ps_5_0`.
pub fn profile(program: &Program) -> String {
    let (major, minor) = program.version;
    format!("{}_{major}_{minor}", program.kind.prefix())
}

/// Returns one instruction as text, without a line break.
pub fn instruction_text(program: &Program, instruction: &Instruction) -> String {
    let mut out = String::new();
    write_instruction(&mut out, program, instruction);
    out
}

fn write_instruction(out: &mut String, program: &Program, instruction: &Instruction) {
    if instruction.opcode == Opcode::CustomData {
        write_custom_data(out, program, instruction);
        return;
    }
    if instruction.opcode.is_declaration() {
        write_declaration(out, program, instruction);
        return;
    }
    out.push_str(instruction.opcode.mnemonic());
    write_suffix(out, instruction);
    let row = instruction.opcode.row();
    let operands = program.operands_of(instruction);
    // Plain tokens are not operands in the pool, so their slots must not be paired with any.
    let slots = row
        .operands
        .iter()
        .filter(|slot| slot.role != OperandRole::Word);
    let mut result = None;
    for (number, (slot, operand)) in slots.zip(operands).enumerate() {
        out.push_str(if number == 0 { " " } else { ", " });
        write_operand(out, program, operand, *slot, result);
        if slot.role == OperandRole::Dst && operand.file != File::Null {
            result = result.or(Some((slot.kind, operand.modifiers.min_precision)));
        }
    }
    // The function of an interface.
    if instruction.opcode == Opcode::InterfaceCall {
        let words = program.words_of(instruction).iter();
        out.extend(words.map(|word| format!("[{word}]")));
    }
}

/// Writes what follows the mnemonic: tests, saturation, precision, offsets, the resource's type.
fn write_suffix(out: &mut String, instruction: &Instruction) {
    use Opcode as O;
    match instruction.opcode {
        O::If | O::Breakc | O::Continuec | O::Retc | O::Callc | O::Discard => {
            out.push_str(if instruction.tests_nonzero() {
                "_nz"
            } else {
                "_z"
            });
        }
        O::Sync => {
            for (bit, name) in [(14, "_uglobal"), (13, "_ugroup"), (12, "_g"), (11, "_t")] {
                if instruction.control(bit, 1) != 0 {
                    out.push_str(name);
                }
            }
        }
        opcode if opcode.writes_float() && instruction.saturates() => out.push_str("_sat"),
        _ => {}
    }
    let extended = &instruction.extended;
    if extended.has_offsets {
        out.push_str("_aoffimmi");
    }
    if extended.dimension.is_some() {
        out.push_str("_indexable");
    }
    if extended.has_offsets {
        let [u, v, w] = extended.offsets;
        let _ = write!(out, "({u},{v},{w})");
    }
    if let Some((dimension, stride)) = extended.dimension {
        let _ = match dimension {
            Dimension::StructuredBuffer => {
                write!(out, "({}, stride={stride})", dimension_name(dimension))
            }
            _ => write!(out, "({})", dimension_name(dimension)),
        };
    }
    if let Some(types) = extended.return_types {
        let _ = write!(out, "({})", return_types(u32::from(types)));
    }
    match (instruction.opcode, instruction.control(11, 2)) {
        (O::Resinfo, 1) => out.push_str("_rcpFloat"),
        (O::Resinfo, 2) | (O::SampleInfo, 1) => out.push_str("_uint"),
        _ => {}
    }
    let precise = instruction.precise_mask();
    if precise != 0 && !instruction.opcode.row().operands.is_empty() {
        let _ = write!(out, " [precise({})]", letters(precise));
    }
}
