//! Mutations of DXBC containers that know the token format, for fuzzing and property tests.
//!
//! Random bytes rarely survive the reader, because every instruction counts its own tokens. These
//! mutations change a decoded [`Program`] and write it again, so that the tokens stay well-formed
//! while their meaning changes: registers, components, indices, counts, control flow and types.
//! Some mutants get damaged bytes on top, in the tokens or in the signatures.

use super::opcode::{Opcode, OperandRole};
use super::reader::Program;
use super::tokens::{Components, File, Instruction, Modifiers, Operand, Span};
use crate::FourCc;
use crate::container::{Container, Signing, write_container};
use crate::dxil::ShaderKind;
use crate::oracle::Random;

/// Numbers at which counts, indices and sizes change their meaning.
const BOUNDARIES: [u32; 20] = [
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    16,
    31,
    32,
    33,
    63,
    64,
    128,
    1024,
    4096,
    65536,
    0x7fff_ffff,
    u32::MAX,
];

/// Instructions of control flow, which may be inserted alone: most such programs are malformed.
const FLOW: [Opcode; 19] = [
    Opcode::If,
    Opcode::Else,
    Opcode::Endif,
    Opcode::Loop,
    Opcode::Endloop,
    Opcode::Break,
    Opcode::Breakc,
    Opcode::Continue,
    Opcode::Continuec,
    Opcode::Switch,
    Opcode::Case,
    Opcode::Default,
    Opcode::Endswitch,
    Opcode::Ret,
    Opcode::Retc,
    Opcode::Call,
    Opcode::Label,
    Opcode::Discard,
    Opcode::Sync,
];

/// Returns a mutant of a container, or `None` if the container has no DXBC program or the mutant
/// cannot be written.
pub fn mutate(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let container = Container::parse(bytes).ok()?;
    let mut program = Program::of_container(&container).ok()?;
    for _ in 0..=random.below(4) {
        change(&mut program, random)?;
    }
    let mut tokens: Vec<u8> = program
        .to_tokens()
        .ok()?
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect();
    if random.below(4) == 0 {
        flip(&mut tokens, 8, random);
    }
    let mut parts: Vec<(FourCc, Vec<u8>)> = container
        .parts()
        .iter()
        .map(|part| (part.name, part.data.to_vec()))
        .collect();
    for (name, data) in &mut parts {
        if *name == program.part {
            data.clone_from(&tokens);
        } else if random.below(12) == 0 {
            flip(data, 0, random);
        }
    }
    let parts: Vec<(FourCc, &[u8])> = parts
        .iter()
        .map(|(name, data)| (*name, &data[..]))
        .collect();
    write_container(&parts, Signing::None).ok()
}

/// Flips one to three bits after the first bytes.
fn flip(data: &mut [u8], first: usize, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = first + random.below(data.len().saturating_sub(first));
        if let Some(byte) = data.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
}

fn change(program: &mut Program, random: &mut Random) -> Option<()> {
    let count = program.instructions.len();
    let at = random.below(count);
    match random.below(16) {
        0..=3 => operand(program, random),
        4 | 5 => {
            let place = random.below(program.words.len());
            if let Some(word) = program.words.get_mut(place) {
                *word = number(*word, random);
            }
        }
        6 | 7 => {
            // An instruction with operands of the same roles reads the same tokens.
            let instruction = program.instructions.get_mut(at)?;
            let roles = |opcode: Opcode| opcode.row().operands.iter().map(|slot| slot.role);
            let same: Vec<Opcode> = Opcode::ALL
                .iter()
                .copied()
                .filter(|&opcode| roles(opcode).eq(roles(instruction.opcode)))
                .collect();
            instruction.opcode = *same.get(random.below(same.len()))?;
            instruction.token =
                instruction.token & !0x7ff | u32::from(instruction.opcode.row().number);
        }
        8 => {
            // Controls of the opcode: saturation, conditions, return types, dimensions, precision.
            let instruction = program.instructions.get_mut(at)?;
            instruction.token ^= 1 << (11 + random.below(13));
        }
        9 => {
            let instruction = *program.instructions.get(at)?;
            let to = random.below(count + 1);
            program.instructions.insert(to, instruction);
        }
        10 if at < count => {
            program.instructions.remove(at);
        }
        11 if at < count => program.instructions.swap(at, random.below(count)),
        12 => flow(program, random),
        13 => wrap(program, random),
        14 => {
            let instruction = program.instructions.get_mut(at)?;
            instruction.extended.offsets = [0; 3].map(|_: i8| {
                let nibble = u8::try_from(random.below(16)).unwrap_or(0);
                (nibble << 4).cast_signed() >> 4
            });
        }
        _ => {
            let kinds = [
                ShaderKind::Pixel,
                ShaderKind::Vertex,
                ShaderKind::Geometry,
                ShaderKind::Hull,
                ShaderKind::Domain,
                ShaderKind::Compute,
            ];
            match random.below(4) {
                0 => program.kind = *kinds.get(random.below(6))?,
                1 => program.version = *[(4, 0), (4, 1), (5, 0), (5, 1)].get(random.below(4))?,
                _ => constants(program, random),
            }
        }
    }
    Some(())
}

/// Returns a number instead of another: a boundary, a neighbour, or one with a bit flipped.
fn number(old: u32, random: &mut Random) -> u32 {
    match random.below(4) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old ^ 1 << random.below(32),
        _ => *BOUNDARIES.get(random.below(BOUNDARIES.len())).unwrap_or(&0),
    }
}

fn operand(program: &mut Program, random: &mut Random) {
    let pool = program.operands.len();
    let at = random.below(pool);
    let other = program.operands.get(random.below(pool)).copied();
    let Some(operand) = program.operands.get_mut(at) else {
        return;
    };
    match random.below(8) {
        0 => {
            if let Some(other) = other {
                *operand = other;
            }
        }
        1 => {
            let number = u32::try_from(random.below(43)).unwrap_or(0);
            operand.file = File::from_number(number).unwrap_or(File::Temp);
        }
        2 => operand.components = components(random),
        3 | 4 => {
            let place = random.below(3);
            if let Some(index) = operand.indices.get_mut(place) {
                index.offset = number(index.offset, random);
            }
        }
        5 => {
            operand.modifiers = Modifiers {
                absolute: random.below(2) == 0,
                negate: random.below(2) == 0,
                min_precision: u8::try_from(random.below(8)).unwrap_or(0),
                non_uniform: random.below(4) == 0,
            };
        }
        6 => {
            let place = random.below(4);
            if let Some(word) = operand.words.get_mut(place) {
                *word = number(*word, random);
            }
        }
        _ => {
            let place = random.below(3);
            let relative = u32::try_from(random.below(pool)).ok();
            if let Some(index) = operand.indices.get_mut(place) {
                index.relative = relative.filter(|_| random.below(3) != 0);
            }
        }
    }
}

fn components(random: &mut Random) -> Components {
    let mut part = || u8::try_from(random.below(4)).unwrap_or(0);
    let parts = [part(), part(), part(), part()];
    match random.below(5) {
        0 => Components::None,
        1 => Components::One,
        2 => Components::Mask(u8::try_from(random.below(16)).unwrap_or(0)),
        3 => Components::Swizzle(parts),
        _ => Components::Select(parts[0]),
    }
}

/// Returns an operand that serves as a condition or value: one of the program, or a number.
fn any_operand(program: &Program, random: &mut Random) -> Operand {
    let known = program.operands.get(random.below(program.operands.len()));
    match known {
        Some(&operand) if random.below(2) == 0 => operand.with(Components::Select(0)),
        _ => Operand::immediate([u32::try_from(random.below(4)).unwrap_or(0); 4])
            .with(Components::One),
    }
}

/// Returns an instruction with as many operands as its row says.
fn instruction(program: &mut Program, opcode: Opcode, random: &mut Random) -> Instruction {
    let start = u32::try_from(program.operands.len()).unwrap_or(u32::MAX);
    let mut len = 0;
    for slot in opcode.row().operands {
        let operand = match slot.role {
            OperandRole::Label => {
                Operand::register(File::Label, &[u32::try_from(random.below(3)).unwrap_or(0)])
                    .with(Components::None)
            }
            _ if opcode == Opcode::Case => {
                Operand::immediate([u32::try_from(random.below(5)).unwrap_or(0); 4])
                    .with(Components::One)
            }
            _ => any_operand(program, random),
        };
        program.operands.push(operand);
        len += 1;
    }
    let nonzero = u32::from(random.below(2) == 0) << 18;
    Instruction {
        opcode,
        token: u32::from(opcode.row().number) | nonzero,
        extended: super::tokens::Extended::default(),
        operands: Span { start, len },
        words: Span::default(),
        offset: 0,
    }
}

/// Inserts one instruction of control flow.
fn flow(program: &mut Program, random: &mut Random) {
    let opcode = *FLOW.get(random.below(FLOW.len())).unwrap_or(&Opcode::Nop);
    let instruction = instruction(program, opcode, random);
    let at = random.below(program.instructions.len() + 1);
    program.instructions.insert(at, instruction);
}

/// Puts a construct around a range of instructions.
fn wrap(program: &mut Program, random: &mut Random) {
    let (open, close): (&[Opcode], &[Opcode]) = match random.below(4) {
        0 => (&[Opcode::If], &[Opcode::Endif]),
        1 => (&[Opcode::If], &[Opcode::Else, Opcode::Endif]),
        2 => (&[Opcode::Loop, Opcode::Breakc], &[Opcode::Endloop]),
        _ => (
            &[Opcode::Switch, Opcode::Case],
            &[
                Opcode::Break,
                Opcode::Default,
                Opcode::Break,
                Opcode::Endswitch,
            ],
        ),
    };
    let count = program.instructions.len();
    let start = random.below(count + 1);
    let end = start + random.below(count + 1 - start);
    for (at, opcodes) in [(end, close), (start, open)] {
        for (number, &opcode) in opcodes.iter().enumerate() {
            let instruction = instruction(program, opcode, random);
            program.instructions.insert(at + number, instruction);
        }
    }
}

/// Changes the immediate constant buffer: a word of it, or how many rows it has.
fn constants(program: &mut Program, random: &mut Random) {
    let rows = program.constants.len();
    match random.below(3) {
        0 => program.constants.truncate(random.below(rows + 1)),
        1 => program.constants.push([number(0, random); 4]),
        _ => {
            if let Some(row) = program.constants.get_mut(random.below(rows))
                && let Some(word) = row.get_mut(random.below(4))
            {
                *word = number(0, random);
            }
        }
    }
}
