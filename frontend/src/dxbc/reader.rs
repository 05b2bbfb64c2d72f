//! Reads the tokens of an SHDR or SHEX part into records.
//!
//! Every count is checked against the tokens that are left, and every instruction against its own
//! length. One pass, memory in proportion to the tokens.

use super::opcode::{Opcode, OperandRole};
use super::tokens::{
    Components, Dimension, Extended, File, Instruction, Modifiers, Operand, OperandIndex, Span,
};
use crate::container::{Container, Part};
use crate::dxil::ShaderKind;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::Words;
use crate::{FourCc, limits};

/// Classes of custom data.
pub(super) mod custom_data {
    /// Immediate constant buffer.
    pub(in super::super) const IMMEDIATE_CONSTANT_BUFFER: u32 = 3;
    /// A message for the debug layer.
    pub(in super::super) const MESSAGE: u32 = 4;
}

/// Deepest nesting of relative indices. D3D allows one level, and converters two.
const MAX_INDEX_DEPTH: u32 = 4;

/// A shader's tokens as records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Stage.
    pub kind: ShaderKind,
    /// Shader model.
    pub version: (u8, u8),
    /// Declarations and instructions, in order.
    pub instructions: Vec<Instruction>,
    /// Pool of operands; relative indices lie in front of the operand that they belong to.
    pub operands: Vec<Operand>,
    /// Pool of plain tokens: those of declarations, and of messages the number, the format, the
    /// length in bytes and the text.
    pub words: Vec<u32>,
    /// The immediate constant buffer, four words to a register.
    pub constants: Vec<[u32; 4]>,
    /// The part that it was read from.
    pub part: FourCc,
}

impl Program {
    /// Reads the SHEX or SHDR part of a container.
    ///
    /// # Errors
    /// If there is no such part, or its tokens are malformed.
    pub fn of_container(container: &Container<'_>) -> Result<Self> {
        let part = container.part(FourCc::SHEX);
        match part.or_else(|| container.part(FourCc::SHDR)) {
            Some(part) => Program::parse(part),
            None => Err(ErrorKind::MissingPart { part: FourCc::SHEX }.into()),
        }
    }

    /// Reads an SHEX or SHDR part.
    ///
    /// # Errors
    /// If the tokens are malformed.
    pub fn parse(part: Part<'_>) -> Result<Self> {
        parse(part).map_err(|error| error.in_part(part.name))
    }

    /// Returns the number of bytes that the records take in the part at least.
    pub fn bytes(&self) -> u64 {
        let tokens = [
            self.instructions.len(),
            self.operands.len(),
            self.words.len(),
            4 * self.constants.len(),
        ];
        4 * tokens.iter().sum::<usize>() as u64
    }

    /// Returns the operands of an instruction.
    pub fn operands_of(&self, instruction: &Instruction) -> &[Operand] {
        self.operands
            .get(instruction.operands.range())
            .unwrap_or_default()
    }

    /// Returns the tokens of an instruction that are not operands.
    pub fn words_of(&self, instruction: &Instruction) -> &[u32] {
        self.words
            .get(instruction.words.range())
            .unwrap_or_default()
    }

    /// Returns a relative index's operand.
    pub fn relative(&self, index: OperandIndex) -> Option<&Operand> {
        self.operands.get(index.relative? as usize)
    }

    /// Returns whether the shader model is 5.1, which names resources by range and index.
    pub fn has_ranges(&self) -> bool {
        self.version >= (5, 1)
    }
}

/// A cursor over tokens. `end` is that of the instruction being read.
struct TokenCursor<'a> {
    words: Words<'a>,
    at: usize,
    end: usize,
    base: u64,
}

impl TokenCursor<'_> {
    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind).at_offset(self.base.saturating_add(self.at as u64 * 4))
    }

    fn next(&mut self, what: &'static str) -> Result<u32> {
        match self.words.get(self.at).filter(|_| self.at < self.end) {
            Some(word) => {
                self.at += 1;
                Ok(word)
            }
            None => Err(self.error(ErrorKind::Truncated {
                what,
                need: 4,
                have: 0,
            })),
        }
    }
}

fn parse(part: Part<'_>) -> Result<Program> {
    let words = Words::new(part.data);
    let mut cursor = TokenCursor {
        words,
        at: 0,
        end: words.len(),
        base: part.offset,
    };
    let version = cursor.next("program version")?;
    let kind = ShaderKind::from_number(u64::from(version >> 16))
        // Later stages exist in DXIL only.
        .filter(|kind| *kind as u8 <= ShaderKind::Compute as u8)
        .ok_or_else(|| {
            cursor.error(ErrorKind::BadValue {
                what: "stage of the program",
                value: u64::from(version >> 16),
                rule: "stages are 0 to 5",
            })
        })?;
    let [low, ..] = version.to_le_bytes();
    let version = (low >> 4, low & 0xf);
    if !((4, 0)..=(5, 1)).contains(&version) {
        return Err(Error::unsupported(format!(
            "shader model {}.{} in DXBC; 4.0 to 5.1 are known",
            version.0, version.1
        )));
    }
    let length_at = cursor.at;
    let length = cursor.next("program length")? as usize;
    // The two tokens of the header count, too.
    if length < 2 || length > words.len() {
        cursor.at = length_at;
        return Err(cursor.error(ErrorKind::BadValue {
            what: "program length",
            value: length as u64,
            rule: "it counts the tokens of the part",
        }));
    }
    if length > limits::MAX_DXBC_TOKENS {
        return Err(Error::new(ErrorKind::Limit {
            what: "tokens of a DXBC program",
            value: length as u64,
            limit: limits::MAX_DXBC_TOKENS as u64,
        }));
    }
    let mut program = Program {
        kind,
        version,
        instructions: Vec::new(),
        operands: Vec::new(),
        words: Vec::new(),
        constants: Vec::new(),
        part: part.name,
    };
    while cursor.at < length {
        cursor.end = length;
        parse_instruction(&mut cursor, &mut program)?;
    }
    Ok(program)
}

fn parse_instruction(cursor: &mut TokenCursor<'_>, program: &mut Program) -> Result<()> {
    let start = cursor.at;
    let offset = cursor.base.saturating_add(start as u64 * 4);
    let token = cursor.next("instruction")?;
    let Some(opcode) = Opcode::from_number(token & 0x7ff) else {
        cursor.at = start;
        return Err(cursor.error(ErrorKind::BadValue {
            what: "opcode",
            value: u64::from(token & 0x7ff),
            rule: "DXBC has no such instruction",
        }));
    };
    let mut length = (token >> 24 & 0x7f) as usize;
    // Blocks of data and lists may be longer than seven bits tell.
    let counts_itself = opcode == Opcode::CustomData
        || (token >> 31 != 0 && matches!(opcode, Opcode::DclInterface | Opcode::DclFunctionTable));
    if counts_itself {
        length = cursor.next("instruction length")? as usize;
    }
    let end = start
        .checked_add(length)
        .filter(|&end| end <= cursor.end && end >= cursor.at);
    let Some(end) = end else {
        cursor.at = start;
        return Err(cursor.error(ErrorKind::BadValue {
            what: "instruction length",
            value: length as u64,
            rule: "an instruction ends within the program",
        }));
    };
    cursor.end = end;
    let mut instruction = Instruction {
        opcode,
        token,
        extended: Extended::default(),
        operands: Span::default(),
        words: Span {
            start: pool_end(program.words.len())?,
            len: 0,
        },
        offset: u32::try_from(offset).unwrap_or(u32::MAX),
    };
    if opcode == Opcode::CustomData {
        parse_custom_data(cursor, program, &mut instruction)?;
    } else {
        // Bit 31 marks an extended token, except where it says that the length stands in its own
        // token.
        if !counts_itself {
            instruction.extended = parse_extended(cursor, token)?;
        }
        parse_operands(cursor, program, &mut instruction)?;
        // Compilers leave nothing over; what is left says nothing that is known.
        cursor.at = end;
    }
    instruction.words.len = pool_end(program.words.len())? - instruction.words.start;
    program.instructions.push(instruction);
    Ok(())
}

fn pool_end(len: usize) -> Result<u32> {
    u32::try_from(len).map_err(|_| Error::new(ErrorKind::Internal("a pool of over 32 bits")))
}

fn parse_custom_data(
    cursor: &mut TokenCursor<'_>,
    program: &mut Program,
    instruction: &mut Instruction,
) -> Result<()> {
    let class = instruction.token >> 11;
    if class != custom_data::IMMEDIATE_CONSTANT_BUFFER {
        // Comments, messages, debug information: nothing that runs. So a message that is malformed
        // is one without text.
        let pools = (program.operands.len(), program.words.len());
        if class == custom_data::MESSAGE && parse_message(cursor, program, instruction).is_err() {
            program.operands.truncate(pools.0);
            program.words.truncate(pools.1);
            instruction.operands = Span::default();
        }
        cursor.at = cursor.end;
        return Ok(());
    }
    let count = cursor.end - cursor.at;
    if !count.is_multiple_of(4) {
        return Err(cursor.error(ErrorKind::BadValue {
            what: "words of the immediate constant buffer",
            value: count as u64,
            rule: "four to a register",
        }));
    }
    while cursor.at < cursor.end {
        let mut row = [0; 4];
        for word in &mut row {
            *word = cursor.next("immediate constant buffer")?;
        }
        program.constants.push(row);
    }
    Ok(())
}

/// Reads a message: its number, its format, and how long its text is; how many operands it has and
/// how many words they take; operands; text.
fn parse_message(
    cursor: &mut TokenCursor<'_>,
    program: &mut Program,
    instruction: &mut Instruction,
) -> Result<()> {
    for _ in 0..3 {
        let word = cursor.next("message")?;
        program.words.push(word);
    }
    let count = cursor.next("message")?;
    cursor.next("message")?;
    let mut operands = Vec::new();
    for _ in 0..count {
        operands.push(parse_operand(cursor, program, 0)?);
    }
    instruction.operands = Span {
        start: pool_end(program.operands.len())?,
        len: count,
    };
    program.operands.extend(operands);
    while cursor.at < cursor.end {
        let word = cursor.next("message")?;
        program.words.push(word);
    }
    Ok(())
}

fn parse_extended(cursor: &mut TokenCursor<'_>, first: u32) -> Result<Extended> {
    let mut extended = Extended::default();
    let mut more = first >> 31 != 0;
    while more {
        let token = cursor.next("extended opcode token")?;
        more = token >> 31 != 0;
        match token & 0x3f {
            1 => {
                extended.has_offsets = true;
                for (place, shift) in extended.offsets.iter_mut().zip([9, 13, 17]) {
                    let [nibble, ..] = (token >> shift & 0xf).to_le_bytes();
                    // Four bits with a sign.
                    *place = (nibble << 4).cast_signed() >> 4;
                }
            }
            2 => {
                let dimension = Dimension::from_number(token >> 6 & 0x1f);
                extended.dimension = dimension.map(|dimension| (dimension, token >> 11 & 0xfff));
            }
            3 => {
                let [low, high, ..] = (token >> 6).to_le_bytes();
                extended.return_types = Some(u16::from_le_bytes([low, high]));
            }
            _ => {}
        }
    }
    Ok(extended)
}

fn parse_operands(
    cursor: &mut TokenCursor<'_>,
    program: &mut Program,
    instruction: &mut Instruction,
) -> Result<()> {
    // No instruction has more; relative indices go to the pool at once.
    let mut operands: smallvec::SmallVec<[Operand; 10]> = smallvec::SmallVec::new();
    let has_ranges = program.version >= (5, 1);
    for slot in instruction.opcode.row().operands {
        match slot.role {
            OperandRole::Word => {
                let word = cursor.next("declaration")?;
                program.words.push(word);
            }
            OperandRole::Word51 if has_ranges => {
                let word = cursor.next("declaration")?;
                program.words.push(word);
            }
            OperandRole::Word51 => {}
            OperandRole::Rest => {
                while cursor.at < cursor.end {
                    let word = cursor.next("declaration")?;
                    program.words.push(word);
                }
            }
            _ => operands.push(parse_operand(cursor, program, 0)?),
        }
    }
    instruction.operands = Span {
        start: pool_end(program.operands.len())?,
        len: pool_end(operands.len())?,
    };
    program.operands.extend(operands);
    Ok(())
}

fn parse_operand(
    cursor: &mut TokenCursor<'_>,
    program: &mut Program,
    depth: u32,
) -> Result<Operand> {
    if depth > MAX_INDEX_DEPTH {
        return Err(cursor.error(ErrorKind::Limit {
            what: "nesting of relative indices",
            value: u64::from(depth),
            limit: u64::from(MAX_INDEX_DEPTH),
        }));
    }
    let start = cursor.at;
    let token = cursor.next("operand")?;
    let Some(file) = File::from_number(token >> 12 & 0xff) else {
        cursor.at = start;
        return Err(cursor.error(ErrorKind::BadValue {
            what: "register file of an operand",
            value: u64::from(token >> 12 & 0xff),
            rule: "there are 43 files",
        }));
    };
    let components = parse_components(token, file);
    let mut operand = Operand {
        file,
        components,
        modifiers: Modifiers::default(),
        dimensions: 0,
        indices: [OperandIndex::default(); 3],
        words: [0; 4],
    };
    let mut more = token >> 31 != 0;
    while more {
        let token = cursor.next("extended operand token")?;
        more = token >> 31 != 0;
        if token & 0x3f == 1 {
            let [modifier, ..] = (token >> 6).to_le_bytes();
            let [precision, ..] = (token >> 14 & 7).to_le_bytes();
            operand.modifiers = Modifiers {
                negate: modifier & 1 != 0,
                absolute: modifier & 2 != 0,
                min_precision: precision,
                non_uniform: token >> 17 & 1 != 0,
            };
        }
    }
    if operand.is_immediate() {
        let count = match (token & 3, file) {
            (1, File::Immediate64) => 2,
            (1, _) => 1,
            (2, _) => 4,
            _ => 0,
        };
        for word in operand.words.iter_mut().take(count) {
            *word = cursor.next("immediate")?;
        }
        if count == 1 {
            // An immediate of one component stands for all four, as a scalar register would.
            operand.words = [operand.words[0]; 4];
        }
        return Ok(operand);
    }
    let dimensions = token >> 20 & 3;
    operand.dimensions = u8::try_from(dimensions).unwrap_or(0);
    for (index, shift) in operand
        .indices
        .iter_mut()
        .take(dimensions as usize)
        .zip([22, 25, 28])
    {
        *index = parse_index(cursor, program, token >> shift & 7, depth)?;
    }
    Ok(operand)
}

fn parse_components(token: u32, file: File) -> Components {
    let field = |shift: u32, mask: u32| {
        let [low, ..] = (token >> shift & mask).to_le_bytes();
        low
    };
    match token & 3 {
        0 => Components::None,
        1 => Components::One,
        _ if matches!(file, File::Immediate32 | File::Immediate64) => {
            Components::Swizzle([0, 1, 2, 3])
        }
        _ => match token >> 2 & 3 {
            0 => Components::Mask(field(4, 0xf)),
            1 => Components::Swizzle([field(4, 3), field(6, 3), field(8, 3), field(10, 3)]),
            _ => Components::Select(field(4, 3)),
        },
    }
}

fn parse_index(
    cursor: &mut TokenCursor<'_>,
    program: &mut Program,
    representation: u32,
    depth: u32,
) -> Result<OperandIndex> {
    let mut index = OperandIndex::default();
    if matches!(representation, 0 | 3) {
        index.offset = cursor.next("index")?;
    }
    if matches!(representation, 1 | 4) {
        // 64-bit indices have the high word first.
        let high = cursor.next("index")?;
        index.offset = cursor.next("index")?;
        if high != 0 {
            return Err(cursor.error(ErrorKind::BadValue {
                what: "high word of an index",
                value: u64::from(high),
                rule: "no register file is that large",
            }));
        }
    }
    if matches!(representation, 2..=4) {
        let operand = parse_operand(cursor, program, depth + 1)?;
        // Pushed before the operand that it belongs to, so a relative index always has a lower
        // number: walks along them end.
        index.relative = Some(pool_end(program.operands.len())?);
        program.operands.push(operand);
    }
    if representation > 4 {
        return Err(cursor.error(ErrorKind::BadValue {
            what: "representation of an index",
            value: u64::from(representation),
            rule: "0 to 4",
        }));
    }
    Ok(index)
}
